//! What is looked at when somebody waits for a queue.

use crate::error::Result;
use crate::queue::Queue;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Looks at what the queue's commands have left behind.
type Check = fn(&Queue) -> Result<()>;

thread_local! {
    /// Whether this thread is making checks.
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

/// The checks that a queue's next wait makes.
#[derive(Default)]
pub(crate) struct WaitChecks {
    /// Whether there are any: all that a wait pays when there are none.
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

    /// Makes the checks, each once; the first error counts.
    ///
    /// A check may wait for the queue itself. What other threads have asked for meanwhile is then left
    /// for the next wait: the check could hold a lock that the same check needs.
    pub(crate) fn make(&self, queue: &Queue) -> Result<()> {
        if !self.any.load(Ordering::Acquire) {
            return Ok(());
        }
        let Some(_checking) = Checking::begin() else { return Ok(()) };
        self.any.store(false, Ordering::Release);
        let checks = std::mem::take(&mut *self.checks.lock().unwrap_or_else(PoisonError::into_inner));
        // All of them are made, so that none is lost behind an error.
        checks.into_iter().map(|check| check(queue)).fold(Ok(()), Result::and)
    }
}
