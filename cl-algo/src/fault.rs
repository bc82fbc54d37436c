//! Out-of-range indices that kernels met.
//!
//! The host cannot check indices that data choose before the launch. So kernels check each such index. A read
//! at an invalid index reads the last item instead, and a write stores nothing. The first invalid index is
//! recorded in device memory. Each queue has one record. Waiting for the queue reads the record if a kernel
//! that could have written it was launched since the last reading.

use cl_core::{Buffer, Error, Queue, Result};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The record of a queue. Its words are those of `fault_record` in `kernels/index.cl`: operation, a mark that the
/// record is taken, index and bound in two words each.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    record: OnceLock<Mutex<Buffer<u32>>>,
}

/// The operation number for loops that the device ended too early: see `kernels/loops.cl`.
const LOOPS: u32 = 5;
/// The number of words in the record.
const WORDS: usize = 6;

impl Faults {
    /// Returns the locked record for a kernel about to be launched, and arms the check.
    pub(crate) fn arm(&self, queue: &Queue) -> Result<MutexGuard<'_, Buffer<u32>>> {
        let record = match self.record.get() {
            Some(record) => record,
            None => {
                let new = Mutex::new(Buffer::filled(queue, 0, WORDS)?);
                self.record.get_or_init(|| new)
            }
        };
        // The lock is taken first and held until the kernel is enqueued. Otherwise a check in between would find
        // nothing, and no later check would follow.
        let record = record.lock().unwrap_or_else(PoisonError::into_inner);
        queue.check_when_waited(check);
        Ok(record)
    }
}

/// Waits for everything enqueued so far, then returns an error for the first out-of-range index that the queue's
/// kernels met since the last check.
fn check(queue: &Queue) -> Result<()> {
    let faults = queue.attachment::<Faults>();
    let Some(record) = faults.record.get() else { return Ok(()) };
    let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
    // A kernel without a result, because a user event failed, has recorded every fault that it met.
    record.memory().forget_failures();
    // If reading or clearing the record fails, the next wait checks it again.
    let words = record.to_vec(queue).inspect_err(|_| queue.check_when_waited(check))?;
    if words[0] == 0 {
        return Ok(());
    }
    record.fill(queue, 0).inspect_err(|_| queue.check_when_waited(check))?;
    if words[0] == LOOPS {
        let steps = crate::device::profile(queue.context())?.loop_steps.unwrap_or_default();
        return Err(Error::unsupported(
            format!("more than {steps} steps of loops in a work-item (results are incomplete)"),
            queue.device().to_string(),
        ));
    }
    let operation = match words[0] {
        1 => "gather",
        2 => "scatter",
        3 => "slice of a device function",
        6 => "output that is too short",
        _ => "array of a device function",
    };
    let long = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
    Err(Error::index_out_of_range(operation, long(2), long(4)))
}
