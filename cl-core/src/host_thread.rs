//! The threads that run the program's closures, instead of the driver's threads.

use crate::error::{Error, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

/// A closure for the callback thread.
type Job = Box<dyn FnOnce() + Send>;

/// The channel that [`post`] sends to, once the thread runs.
static JOBS: Mutex<Option<Sender<Job>>> = Mutex::new(None);

/// Starts a thread that lives as long as the process.
pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<()> {
    let started = std::thread::Builder::new().name(name.to_owned()).spawn(work);
    started.map(drop).map_err(|error| Error::Thread { name: name.to_owned(), reason: error.to_string() })
}

/// Runs a closure of the program. A panic ends here, with a line in the log.
pub(crate) fn contain(what: &str, work: impl FnOnce()) {
    // The closure shares data with the program through types such as `Mutex`. The panic poisons
    // them, so the program notices data that is half changed.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        log::error!("{what} panicked: {}", text.unwrap_or("with a value that is not text"));
        // The destructor of the panic's value may panic as well.
        std::mem::forget(panic);
    }
}

/// Starts the callback thread, unless it runs already.
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

/// Runs `job` on the callback thread, after earlier jobs. [`start`] must have been called.
pub(crate) fn post(job: Job) {
    let jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
    // The thread never ends, so the channel is open.
    if jobs.as_ref().is_none_or(|jobs| jobs.send(job).is_err()) {
        log::error!("a callback was lost: the thread that runs them is gone");
    }
}
