//! Indices out of range that kernels met.
//!
//! What data choose cannot be checked by the host before the launch. So kernels check each such
//! index: nothing is touched that should not be, and the first offence is recorded in device
//! memory. Each queue has such a record; whoever waits for the queue looks at it, if a kernel that
//! could have written it was launched since the last look.

use cl_core::{Buffer, Error, Queue, Result};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// A queue's record. As `fault_record` in `kernels/index.cl`: operation, whether it is taken, index
/// and bound in two words each.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    record: OnceLock<Mutex<Buffer<u32>>>,
}

/// The operation of loops that the device ended too early: see `kernels/loops.cl`.
const LOOPS: u32 = 5;
/// Words of the record.
const WORDS: usize = 6;

impl Faults {
    /// The record, for a kernel about to be launched.
    pub(crate) fn arm(&self, queue: &Queue) -> Result<MutexGuard<'_, Buffer<u32>>> {
        let record = match self.record.get() {
            Some(record) => record,
            None => {
                let new = Mutex::new(Buffer::filled(queue, 0, WORDS)?);
                self.record.get_or_init(|| new)
            }
        };
        // The lock first, and until the kernel is enqueued: a look between would find nothing, and be
        // the last.
        let record = record.lock().unwrap_or_else(PoisonError::into_inner);
        queue.check_when_waited(check);
        Ok(record)
    }
}

/// Reports the first index out of range that the queue's kernels met since the last look, after
/// everything enqueued so far.
fn check(queue: &Queue) -> Result<()> {
    let faults = queue.attachment::<Faults>();
    let Some(record) = faults.record.get() else { return Ok(()) };
    let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
    // A kernel that has no result, because a user event failed, has recorded all that it met.
    record.memory().forget_failures();
    // What could not be read, or cleared, is looked at again at the next occasion.
    let words = record.to_vec(queue).inspect_err(|_| queue.check_when_waited(check))?;
    if words[0] == 0 {
        return Ok(());
    }
    record.fill(queue, 0).inspect_err(|_| queue.check_when_waited(check))?;
    if words[0] == LOOPS {
        let steps = crate::device::profile(queue.context())?.loop_steps.unwrap_or_default();
        return Err(Error::Unsupported {
            feature: format!("more than {steps} steps of loops in a work-item (results are incomplete)"),
            device: queue.device().to_string(),
        });
    }
    let operation = match words[0] {
        1 => "gather",
        2 => "scatter",
        3 => "slice of a device function",
        _ => "array of a device function",
    };
    let long = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
    Err(Error::IndexOutOfRange { operation, index: long(2), bound: long(4) })
}
