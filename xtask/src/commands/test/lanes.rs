//! Jobs side by side: a process of PoCL keeps hardly more than one core busy, because its compiler works for one thread
//! at a time.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use duct::Expression;

use super::jobs::Job;
use crate::error::Result;
use crate::summary::Summary;
use crate::workspace;

/// PoCL's cache, which several processes at once can spoil.
pub(super) const POCL_CACHE: &str = "POCL_CACHE_DIR";

/// Runs every job in one of so many lanes, and prints what it said when it has ended.
///
/// # Errors
///
/// If a job cannot be started.
pub(super) fn run(
    jobs: &[Job],
    lanes: usize,
    command: &(impl Fn(&Job, &Path) -> Result<Expression> + Sync),
    summary: &mut Summary,
) -> Result {
    let (next, told) = (AtomicUsize::new(0), Mutex::new(summary));
    let lane = |number: usize| -> std::result::Result<(), String> {
        let cache = private_cache(number).map_err(|e| e.to_string())?;
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let begin = Instant::now();
            let command = command(job, &cache).map_err(|e| e.to_string())?;
            let output = command.stderr_to_stdout().stdout_capture().unchecked().run();
            let output = output.map_err(|e| format!("cannot start {job}: {e}"))?;
            let text = String::from_utf8_lossy(&output.stdout);
            let mut told = told.lock().map_err(|_| "another lane failed")?;
            println!("{text}{job} took {:.0?}\n", begin.elapsed());
            told.read_all(&job.to_string(), &text, output.status.success());
        }
        Ok(())
    };
    thread::scope(|scope| {
        let lane = &lane;
        let lanes: Vec<_> = (0..lanes).map(|number| scope.spawn(move || lane(number))).collect();
        lanes.into_iter().try_for_each(|lane| lane.join().map_err(|_| "a lane panicked".to_owned())?)
    })?;
    Ok(())
}

/// A folder for one lane in the user's cache, or in the workspace's.
fn private_cache(lane: usize) -> Result<PathBuf> {
    let cache = match std::env::var_os(POCL_CACHE) {
        Some(cache) => cache.into(),
        None => workspace::target_dir().join("pocl-cache"),
    };
    let cache = cache.join(format!("lane-{lane}"));
    std::fs::create_dir_all(&cache).map_err(|e| format!("cannot create {}: {e}", cache.display()))?;
    Ok(cache)
}
