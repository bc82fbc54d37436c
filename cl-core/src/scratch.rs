//! Scratch memory: short-lived device memory from a pool that each queue keeps.
//!
//! Creating a buffer is slow on most drivers and lazy on some, so algorithms take their temporary
//! memory from this pool. On an in-order queue, commands that use a block later run after the commands
//! that used it before. So a block can return to the pool while its commands are still in flight.

use crate::error::{Error, Result};
use crate::memory::{Buffer, Memory};
use crate::queue::Queue;
use bytemuck::{AnyBitPattern, NoUninit, Pod};
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

/// The smallest block, in bytes: tiny requests share one size.
const SMALLEST: usize = 256;

/// A queue's idle blocks.
#[derive(Default)]
pub(crate) struct Pool(Mutex<State>);

#[derive(Default)]
struct State {
    idle: Vec<Memory>,
    statistics: ScratchStatistics,
}

/// The counters of a queue's pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScratchStatistics {
    /// The number of requests.
    pub requests: u64,
    /// The number of requests that needed a new buffer from the driver.
    pub allocations: u64,
    /// The number of bytes that the pool holds for later use.
    pub idle_bytes: u64,
}

/// A block of a queue's scratch memory; it returns to the pool when dropped. Its contents are left
/// over from its last user.
#[derive(Debug)]
pub struct Scratch<'q> {
    queue: &'q Queue,
    // Empty only while it is being given back.
    memory: Option<Memory>,
}

impl Queue {
    /// Returns at least `bytes` of scratch memory, for commands of this queue.
    ///
    /// # Errors
    /// [`Error::TooLarge`](crate::Error::TooLarge), or [`Error::Driver`](crate::Error::Driver) when the driver has no memory left.
    pub fn scratch(&self, bytes: usize) -> Result<Scratch<'_>> {
        let limit = usize::try_from(self.device().limits()?.allocation).unwrap_or(usize::MAX);
        // Powers of two keep the number of sizes small; near the limit only the exact size fits.
        let rounded = bytes.max(SMALLEST).checked_next_power_of_two().filter(|&size| size <= limit);
        let wanted = if self.reuses_scratch() { rounded.unwrap_or(bytes) } else { bytes.max(1) };
        let mut state = self.pool().0.lock().unwrap_or_else(PoisonError::into_inner);
        state.statistics.requests += 1;
        let idle = state.idle.iter().position(|memory| memory.bytes() == wanted);
        let memory = match idle {
            Some(index) => {
                state.statistics.idle_bytes -= wanted as u64;
                let memory = state.idle.swap_remove(index);
                memory.hazards().forget_doubts();
                memory
            }
            None => {
                state.statistics.allocations += 1;
                drop(state);
                Memory::new(self.context(), wanted)?
            }
        };
        Ok(Scratch { queue: self, memory: Some(memory) })
    }

    /// Returns a buffer of `len` elements in scratch memory, for algorithms whose temporary arrays are operands of others.
    /// [`return_scratch`](Queue::return_scratch) gives its memory back to the pool; a buffer that is dropped instead is
    /// released.
    ///
    /// # Errors
    /// As [`scratch`](Queue::scratch).
    ///
    /// # Safety
    /// Each element must be written before it is first read, by a command that is enqueued earlier.
    pub unsafe fn scratch_buffer<T: Pod>(&self, len: usize) -> Result<Buffer<T>> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(|| {
            Error::too_large((len as u128).saturating_mul(size_of::<T>() as u128), self.device())
        })?;
        let mut scratch = self.scratch(bytes)?;
        match scratch.memory.take() {
            Some(memory) => Ok(Buffer::of(memory, len)),
            None => unreachable!("the memory is taken in drop only"),
        }
    }

    /// Gives the memory of a buffer back to the pool, for later scratch memory of this queue. Commands of this queue that use
    /// the buffer may still be in flight.
    ///
    /// # Safety
    /// [`scratch_buffer`](Queue::scratch_buffer) of this queue has made the buffer, and nothing else has its memory: other
    /// memory may be read-only, shared with another library, or of another context, and kernels would write to it.
    pub unsafe fn return_scratch<T: Pod>(&self, buffer: Buffer<T>) {
        drop(Scratch { queue: self, memory: Some(buffer.into_memory()) });
    }

    /// Returns the counters of this queue's scratch pool.
    #[must_use]
    pub fn scratch_statistics(&self) -> ScratchStatistics {
        self.pool().0.lock().unwrap_or_else(PoisonError::into_inner).statistics
    }

    /// Returns the idle scratch memory to the driver.
    pub fn trim_scratch(&self) {
        let mut state = self.pool().0.lock().unwrap_or_else(PoisonError::into_inner);
        state.idle.clear();
        state.statistics.idle_bytes = 0;
    }
}

impl Scratch<'_> {
    /// Reads the first value of the block, after everything enqueued so far.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when this or an earlier command failed.
    ///
    /// # Safety
    /// A command enqueued before must have written the value.
    pub unsafe fn read_first<T: AnyBitPattern + NoUninit>(&self) -> Result<T> {
        let mut value = T::zeroed();
        self.read(self.queue.into(), 0, bytemuck::bytes_of_mut(&mut value))?;
        Ok(value)
    }
}

impl Scratch<'_> {
    /// Reads bytes from the beginning of the block, after everything enqueued so far. Blocks.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`](crate::Error::OutOfBounds), or [`Error::Driver`](crate::Error::Driver) when this or an earlier command failed.
    ///
    /// # Safety
    /// Commands enqueued before must have written the bytes.
    pub unsafe fn read_bytes(&self, into: &mut [u8]) -> Result<()> {
        self.read(self.queue.into(), 0, into)
    }

    /// Writes bytes at the beginning of the block. Blocks until `from` may be changed again.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`](crate::Error::OutOfBounds), or [`Error::Driver`](crate::Error::Driver).
    pub fn write_bytes(&mut self, from: &[u8]) -> Result<()> {
        self.write(self.queue.into(), 0, from)
    }
}

impl Deref for Scratch<'_> {
    type Target = Memory;

    fn deref(&self) -> &Memory {
        match &self.memory {
            Some(memory) => memory,
            None => unreachable!("the memory is taken in drop only"),
        }
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        if let Some(memory) = self.memory.take().filter(|_| self.queue.reuses_scratch()) {
            let mut state = self.queue.pool().0.lock().unwrap_or_else(PoisonError::into_inner);
            state.statistics.idle_bytes += memory.bytes() as u64;
            state.idle.push(memory);
        }
    }
}
