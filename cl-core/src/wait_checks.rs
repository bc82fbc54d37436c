//! What is looked at when somebody waits for a queue.

use crate::error::Result;
use crate::queue::Queue;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Looks at what the queue's commands have left behind.
type Check = fn(&Queue) -> Result<()>;

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

    /// Makes the checks, each once; the first error counts. A check may wait for the queue itself.
    pub(crate) fn make(&self, queue: &Queue) -> Result<()> {
        if !self.any.swap(false, Ordering::AcqRel) {
            return Ok(());
        }
        let checks = std::mem::take(&mut *self.checks.lock().unwrap_or_else(PoisonError::into_inner));
        // All of them are made, so that none is lost behind an error.
        checks.into_iter().map(|check| check(queue)).fold(Ok(()), Result::and)
    }
}
