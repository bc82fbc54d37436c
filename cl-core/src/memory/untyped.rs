//! A block of device memory without a type: what buffers and scratch memory are made of.

use crate::context::Context;
use crate::error::{Error, Result};
use crate::event::log_failed_release;
use crate::library::Library;
use crate::queue::Queue;
use crate::raw::{cl_context, cl_mem};
use std::fmt;
use std::ptr::{null, null_mut};

/// A block of device memory, owned. An empty block has no memory behind it, and no operation on
/// it reaches the driver.
///
/// Every transfer is checked here, against the block's size and the queue's context, because
/// drivers accept ranges that wrap around and memory of other contexts, and crash later.
pub struct Memory {
    library: Library,
    raw: cl_mem,
    bytes: usize,
    /// Only compared, never used: the memory object itself retains its context.
    context: cl_context,
}

// SAFETY: OpenCL memory objects may be used from any thread.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    /// A new block of `bytes` with unknown contents.
    pub(crate) fn new(context: &Context, bytes: usize) -> Result<Memory> {
        let library = context.library();
        let mut memory = Memory { library, raw: null_mut(), bytes, context: context.as_raw() };
        if bytes > 0 {
            if bytes as u64 > context.device().limits()?.allocation {
                return Err(Error::too_large(bytes as u128, context.device()));
            }
            let mut status = 0;
            // SAFETY: a valid context, a checked size, no host pointer.
            memory.raw = unsafe {
                (library.functions().clCreateBuffer)(
                    context.as_raw(),
                    cl_sys::CL_MEM_READ_WRITE,
                    bytes,
                    null_mut(),
                    &raw mut status,
                )
            };
            Error::check("clCreateBuffer", status).map_err(|error| error.note(format!("{bytes} bytes")))?;
        }
        Ok(memory)
    }

    /// Size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The C handle; null for an empty block.
    #[must_use]
    pub fn as_raw(&self) -> cl_mem {
        self.raw
    }

    /// That this block may be used with objects of `context`.
    pub(crate) fn check_context(&self, context: cl_context, operation: &'static str) -> Result<()> {
        if self.bytes == 0 || self.context == context {
            return Ok(());
        }
        Err(Error::ForeignObject { operation, reason: "the memory belongs to another context" })
    }

    /// That `size` bytes at `offset` lie inside the block, and that `queue` may use it.
    fn check(&self, queue: &Queue, operation: &'static str, offset: usize, size: usize) -> Result<()> {
        self.check_context(queue.context().as_raw(), operation)?;
        let end = offset.saturating_add(size);
        if end > self.bytes {
            return Err(Error::OutOfBounds { operation, start: offset, end, len: self.bytes });
        }
        Ok(())
    }

    /// Reads bytes from `offset` on, after everything enqueued on `queue` so far. Blocks.
    pub(crate) fn read(&self, queue: &Queue, offset: usize, into: &mut [u8]) -> Result<()> {
        self.check(queue, "read", offset, into.len())?;
        if into.is_empty() {
            return Ok(());
        }
        let read = queue.functions().clEnqueueReadBuffer;
        let call = "clEnqueueReadBuffer";
        queue
            .enqueue(call, false, |event| {
                let (host, size) = (into.as_mut_ptr().cast(), into.len());
                // SAFETY: the range was checked; the call blocks, so `into` outlives the transfer.
                unsafe { read(queue.as_raw(), self.raw, 1, offset, size, host, 0, null(), event) }
            })
            .map(drop)
    }

    /// Writes bytes from `offset` on. Blocks until `from` may be changed again.
    pub(crate) fn write(&mut self, queue: &Queue, offset: usize, from: &[u8]) -> Result<()> {
        self.check(queue, "write", offset, from.len())?;
        if from.is_empty() {
            return Ok(());
        }
        let write = queue.functions().clEnqueueWriteBuffer;
        let call = "clEnqueueWriteBuffer";
        queue
            .enqueue(call, false, |event| {
                let (host, size) = (from.as_ptr().cast(), from.len());
                // SAFETY: the range was checked; the call blocks, so `from` outlives the transfer.
                unsafe { write(queue.as_raw(), self.raw, 1, offset, size, host, 0, null(), event) }
            })
            .map(drop)
    }

    /// Copies `size` bytes of `source` here, on the device, without blocking.
    pub(crate) fn copy_from(
        &mut self,
        queue: &Queue,
        offset: usize,
        source: &Memory,
        source_offset: usize,
        size: usize,
    ) -> Result<()> {
        self.check(queue, "copy", offset, size)?;
        source.check(queue, "copy", source_offset, size)?;
        if size == 0 {
            return Ok(());
        }
        self.enqueue_copy(queue, source.raw, source_offset, offset, size)
    }

    /// Fills the block from `offset` to its end with `pattern`, without blocking.
    pub(crate) fn fill(&mut self, queue: &Queue, pattern: &[u8], offset: usize) -> Result<()> {
        self.check(queue, "fill", offset, self.bytes.saturating_sub(offset))?;
        let size = self.bytes - offset;
        if size == 0 || pattern.is_empty() {
            return Ok(());
        }
        // OpenCL fills with patterns of 1 to 128 bytes, powers of two. Any other pattern is written
        // once and then doubled by copies.
        if pattern.len().is_power_of_two() && pattern.len() <= 128 {
            let fill = queue.functions().clEnqueueFillBuffer;
            return queue
                .enqueue("clEnqueueFillBuffer", false, |event| {
                    let (value, length) = (pattern.as_ptr().cast(), pattern.len());
                    // SAFETY: range and pattern were checked; the driver copies the pattern.
                    unsafe { fill(queue.as_raw(), self.raw, value, length, offset, size, 0, null(), event) }
                })
                .map(drop);
        }
        let mut done = pattern.len().min(size);
        self.write(queue, offset, &pattern[..done])?;
        while done < size {
            let step = done.min(size - done);
            self.enqueue_copy(queue, self.raw, offset, offset + done, step)?;
            done += step;
        }
        Ok(())
    }

    /// Enqueues a copy into this block; the ranges were checked and do not overlap.
    fn enqueue_copy(
        &mut self,
        queue: &Queue,
        source: cl_mem,
        from: usize,
        to: usize,
        size: usize,
    ) -> Result<()> {
        let copy = queue.functions().clEnqueueCopyBuffer;
        queue
            .enqueue("clEnqueueCopyBuffer", false, |event| {
                // SAFETY: both ranges lie inside their memory and do not overlap.
                unsafe { copy(queue.as_raw(), source, self.raw, from, to, size, 0, null(), event) }
            })
            .map(drop)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if !self.raw.is_null() {
            // SAFETY: the handle is owned and released once; commands in flight keep the memory.
            let status = unsafe { (self.library.functions().clReleaseMemObject)(self.raw) };
            log_failed_release("clReleaseMemObject", status);
        }
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
