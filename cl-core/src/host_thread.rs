//! The threads that run the program's closures, so that no driver's thread has to.

use crate::error::{Error, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

/// Work for the thread of the closures.
type Job = Box<dyn FnOnce() + Send>;

/// Where [`post`] puts it, once the thread runs.
static JOBS: Mutex<Option<Sender<Job>>> = Mutex::new(None);

/// Starts a thread that lives as long as the process.
pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<()> {
    let started = std::thread::Builder::new().name(name.to_owned()).spawn(work);
    started.map(drop).map_err(|error| Error::Thread { name: name.to_owned(), reason: error.to_string() })
}

/// Runs a closure of the program's. A panic ends here, with a line in the log.
pub(crate) fn contain(what: &str, work: impl FnOnce()) {
    // What the closure shares with the program it shares by `Mutex` and the like, which the panic
    // poisons: nobody sees it half changed unawares.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        log::error!("{what} panicked: {}", text.unwrap_or("with a value that is no text"));
        // The value's own destructor may panic as well.
        std::mem::forget(panic);
    }
}

/// Makes sure that the thread of the closures runs.
pub(crate) fn start() -> Result<()> {
    let mut jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
    if jobs.is_none() {
        let (sender, receiver) = channel::<Job>();
        spawn("cl-core callbacks", move || {
            for job in receiver {
                contain("a callback", job);
            }
        })?;
        *jobs = Some(sender);
    }
    Ok(())
}

/// Runs `job` on the thread of the closures, after those posted before. [`start`] was called.
pub(crate) fn post(job: Job) {
    let jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
    // The thread never ends, so the channel is open.
    if jobs.as_ref().is_none_or(|jobs| jobs.send(job).is_err()) {
        log::error!("a callback was lost: the thread that runs them is gone");
    }
}
