//! Checks that run when a thread has waited for a queue.

use crate::error::Result;
use crate::queue::Queue;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// A check of the results that the queue's commands have left in memory.
type Check = fn(&Queue) -> Result<()>;

thread_local! {
    /// `true` while this thread runs checks.
    static CHECKING: Cell<bool> = const { Cell::new(false) };
}

/// Sets [`CHECKING`], until it is dropped.
struct Checking;

impl Checking {
    fn begin() -> Option<Checking> {
        (!CHECKING.replace(true)).then(|| Checking)
    }
}

impl Drop for Checking {
    fn drop(&mut self) {
        CHECKING.set(false);
    }
}

/// The checks that a queue's next wait runs.
#[derive(Default)]
pub(crate) struct WaitChecks {
    /// `true` if there are checks. Reading it is the whole cost of a wait without checks.
    any: AtomicBool,
    checks: Mutex<Vec<Check>>,
}

impl WaitChecks {
    pub(crate) fn add(&self, check: Check) {
        let mut checks = self.checks.lock().unwrap_or_else(PoisonError::into_inner);
        if !checks.contains(&check) {
            checks.push(check);
        }
        self.any.store(true, Ordering::Release);
    }

    /// Runs each check once and returns the first error.
    ///
    /// A check may wait for the queue itself. That inner wait does not run checks, because the running
    /// check could hold a lock that another run of it needs. Checks that other threads have added
    /// meanwhile are left for the next wait.
    pub(crate) fn make(&self, queue: &Queue) -> Result<()> {
        if !self.any.load(Ordering::Acquire) {
            return Ok(());
        }
        let Some(_checking) = Checking::begin() else { return Ok(()) };
        self.any.store(false, Ordering::Release);
        let checks = std::mem::take(&mut *self.checks.lock().unwrap_or_else(PoisonError::into_inner));
        // All checks run, even after an error, because they are no longer in the list.
        checks.into_iter().map(|check| check(queue)).fold(Ok(()), Result::and)
    }
}
