//! Runs jobs at once: a PoCL process keeps hardly more than one core busy, because its compiler works for one
//! thread at a time.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use duct::Expression;

use super::jobs::Job;
use crate::error::Result;
use crate::summary::Summary;
use crate::workspace;

/// The variable of PoCL's cache folder, which several processes at once can corrupt.
pub(super) const POCL_CACHE: &str = "POCL_CACHE_DIR";

/// The time after which a job of tests is ended. The longest take 5 to 11 minutes.
pub(super) const LIMIT: Duration = Duration::from_secs(30 * 60);

/// Runs the jobs in `count` threads, and prints the output of each job when it has ended. Ends jobs that run longer than
/// `limit`, which then have failed.
///
/// # Errors
///
/// If a job cannot be started.
pub(super) fn run(
    jobs: &[Job],
    count: usize,
    limit: Duration,
    command: &(impl Fn(&Job, &Path) -> Result<Expression> + Sync),
    summary: &mut Summary,
) -> Result {
    let (queue, told) = (Mutex::new(Queue::of(jobs, count)), Mutex::new(summary));
    let next = |number: usize| queue.lock().unwrap_or_else(PoisonError::into_inner).next(number);
    let work = |number: usize| -> std::result::Result<(), String> {
        let cache = private_cache(number).map_err(|e| e.to_string())?;
        while let Some(job) = next(number) {
            let begin = Instant::now();
            let command = command(job, &cache).map_err(|e| e.to_string())?;
            let printed = cache.join("output.txt");
            let status =
                finish(&command, &printed, limit, job).map_err(|e| format!("cannot run {job}: {e}"))?;
            let text =
                std::fs::read(&printed).map_err(|e| format!("cannot read the output of {job}: {e}"))?;
            let text = String::from_utf8_lossy(&text);
            let mut told = told.lock().map_err(|_| "another thread failed")?;
            println!("{text}{job} took {:.0?}\n", begin.elapsed());
            told.read_all(&job.to_string(), &text, status.success());
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

/// Runs a command to its end or to the limit. What it prints goes to a file: processes that the command has started keep a
/// pipe open when the command has been ended.
fn finish(command: &Expression, printed: &Path, limit: Duration, job: &Job) -> io::Result<ExitStatus> {
    let handle = command.stderr_to_stdout().stdout_path(printed).unchecked().start()?;
    if handle.wait_timeout(limit)?.is_none() {
        eprintln!("{job} is ended: it has run for {limit:.0?}");
        handle.kill()?;
    }
    Ok(handle.into_output()?.status)
}

/// The jobs that have not begun, and the program whose job each thread ran last.
///
/// The modules of a program have many kernels in common, and each thread has a kernel cache of its own. So a thread stays
/// with a program as long as it can.
struct Queue<'j> {
    waiting: Vec<&'j Job>,
    last: Vec<Option<&'j str>>,
}

impl<'j> Queue<'j> {
    fn of(jobs: &'j [Job], threads: usize) -> Queue<'j> {
        Queue { waiting: jobs.iter().collect(), last: vec![None; threads] }
    }

    /// Returns the next job of a thread: of the program of its last job, else of a program that no thread runs, else of any.
    fn next(&mut self, thread: usize) -> Option<&'j Job> {
        let own = self.last[thread];
        let at =
            |wanted: &dyn Fn(Option<&str>) -> bool| self.waiting.iter().position(|job| wanted(job.program()));
        let found = at(&|program| own.is_some() && program == own)
            .or_else(|| at(&|program| program.is_none() || self.last.iter().all(|last| *last != program)))
            .or_else(|| at(&|_| true))?;
        let job = self.waiting.remove(found);
        self.last[thread] = job.program();
        Some(job)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::Program;

    #[test]
    fn jobs_that_do_not_end_have_failed() {
        let job = |name: &str| Job::Program(Program { name: name.to_owned(), ..Program::default() });
        let command = |job: &Job, _: &Path| {
            let seconds = if job.to_string() == "endless" { 60 } else { 0 };
            // A process that the job has started goes on.
            Ok(duct::cmd!("sh", "-c", format!("sleep {seconds}; true")))
        };
        let (mut summary, begin) = (Summary::default(), Instant::now());
        run(&[job("endless"), job("short")], 2, Duration::from_secs(2), &command, &mut summary)
            .expect("they start");
        assert_eq!(summary.failures(), ["endless: a failure outside of any test"]);
        assert!(begin.elapsed() < Duration::from_secs(30), "{:.0?}", begin.elapsed());
    }

    #[test]
    fn threads_stay_with_a_program() {
        let job = |name: &str, module: &str| Job::Module {
            program: Program { name: name.to_owned(), ..Program::default() },
            module: module.to_owned(),
            tests: Vec::new(),
        };
        let jobs = [job("a", "1"), job("a", "2"), job("b", "1"), job("b", "2"), job("b", "3")];
        let mut queue = Queue::of(&jobs, 2);
        let mut next = |thread| queue.next(thread).map(ToString::to_string);
        assert_eq!(next(0).as_deref(), Some("a::1"));
        assert_eq!(next(1).as_deref(), Some("b::1"));
        assert_eq!(next(1).as_deref(), Some("b::2"));
        assert_eq!(next(0).as_deref(), Some("a::2"));
        assert_eq!(next(0).as_deref(), Some("b::3"));
        assert_eq!(next(1), None);
    }
}
