//! Runs jobs at once: a PoCL process keeps hardly more than one core busy, because its compiler works for one
//! thread at a time.

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

/// The variable of PoCL's cache folder, which several processes at once can corrupt.
pub(super) const POCL_CACHE: &str = "POCL_CACHE_DIR";

/// Runs the jobs in `count` threads, and prints the output of each job when it has ended.
///
/// # Errors
///
/// If a job cannot be started.
pub(super) fn run(
    jobs: &[Job],
    count: usize,
    command: &(impl Fn(&Job, &Path) -> Result<Expression> + Sync),
    summary: &mut Summary,
) -> Result {
    let (next, told) = (AtomicUsize::new(0), Mutex::new(summary));
    let work = |number: usize| -> std::result::Result<(), String> {
        let cache = private_cache(number).map_err(|e| e.to_string())?;
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let begin = Instant::now();
            let command = command(job, &cache).map_err(|e| e.to_string())?;
            let output = command.stderr_to_stdout().stdout_capture().unchecked().run();
            let output = output.map_err(|e| format!("cannot start {job}: {e}"))?;
            let text = String::from_utf8_lossy(&output.stdout);
            let mut told = told.lock().map_err(|_| "another thread failed")?;
            println!("{text}{job} took {:.0?}\n", begin.elapsed());
            told.read_all(&job.to_string(), &text, output.status.success());
        }
        Ok(())
    };
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..count).map(|number| scope.spawn(move || work(number))).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| "a thread panicked".to_owned())?)
    })?;
    Ok(())
}

/// Creates the folder of one thread in the user's PoCL cache, or in the workspace's.
fn private_cache(number: usize) -> Result<PathBuf> {
    let cache = match std::env::var_os(POCL_CACHE) {
        Some(cache) => cache.into(),
        None => workspace::target_dir().join("pocl-cache"),
    };
    let cache = cache.join(format!("job-{number}"));
    std::fs::create_dir_all(&cache).map_err(|e| format!("cannot create {}: {e}", cache.display()))?;
    Ok(cache)
}
