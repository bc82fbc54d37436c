//! A block of device memory without a type: what buffers and scratch memory are made of.

use crate::context::Context;
use crate::error::{Error, Result};
use crate::event::log_failed_release;
use crate::hazard::{Access, Hazards};
use crate::library::Library;
use crate::queue::Queue;
use crate::raw::{cl_context, cl_mem};
use crate::submission::{Blocking, Submission};
use std::fmt;
use std::ptr::null_mut;
use std::sync::Arc;

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
    hazards: Arc<Hazards>,
}

// SAFETY: OpenCL memory objects may be used from any thread.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    /// A new block of `bytes` with unknown contents.
    pub(crate) fn new(context: &Context, bytes: usize) -> Result<Memory> {
        let library = context.library();
        let mut memory =
            Memory { library, raw: null_mut(), bytes, context: context.as_raw(), hazards: Arc::default() };
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

    /// Takes over an image or a pipe.
    ///
    /// # Safety
    /// `raw` is a memory object of the context that holds `bytes` bytes of data, and one of its
    /// references belongs to the caller. `hazards` are those of all that is the same memory.
    pub(super) unsafe fn of_object(
        context: &Context,
        raw: cl_mem,
        bytes: usize,
        hazards: Arc<Hazards>,
    ) -> Memory {
        Memory { library: context.library(), raw, bytes, context: context.as_raw(), hazards }
    }

    /// Who used it last, for another object that is the same memory.
    pub(super) fn share_hazards(&self) -> Arc<Hazards> {
        Arc::clone(&self.hazards)
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

    /// Who used it last.
    pub(crate) fn hazards(&self) -> &Hazards {
        &self.hazards
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

    /// Reads bytes from `offset` on. Blocks.
    pub(crate) fn read(&self, to: Submission<'_>, offset: usize, into: &mut [u8]) -> Result<()> {
        self.check(to.queue(), "read", offset, into.len())?;
        if into.is_empty() {
            return to.skip();
        }
        let read = to.queue().functions().clEnqueueReadBuffer;
        let (host, size) = (into.as_mut_ptr().cast(), into.len());
        to.run("clEnqueueReadBuffer", self.used(Access::Read), Blocking::Yes, |queue, waits, event| {
            // SAFETY: the range was checked; the call blocks, so `into` outlives the transfer.
            unsafe { read(queue.as_raw(), self.raw, 1, offset, size, host, waits.count, waits.list, event) }
        })
    }

    /// Writes bytes from `offset` on. Blocks until `from` may be changed again.
    pub(crate) fn write(&mut self, to: Submission<'_>, offset: usize, from: &[u8]) -> Result<()> {
        self.check(to.queue(), "write", offset, from.len())?;
        if from.is_empty() {
            return to.skip();
        }
        let write = to.queue().functions().clEnqueueWriteBuffer;
        let (host, size) = (from.as_ptr().cast(), from.len());
        // The call returns when `from` was copied; the command may run later.
        to.run("clEnqueueWriteBuffer", self.used(Access::Write), Blocking::No, |queue, waits, event| {
            // SAFETY: the range was checked; the call blocks until `from` is no longer needed.
            unsafe { write(queue.as_raw(), self.raw, 1, offset, size, host, waits.count, waits.list, event) }
        })
    }

    /// Copies `size` bytes of `source` here, on the device, without blocking.
    pub(crate) fn copy_from(
        &mut self,
        to: Submission<'_>,
        offset: usize,
        source: &Memory,
        source_offset: usize,
        size: usize,
    ) -> Result<()> {
        self.check(to.queue(), "copy", offset, size)?;
        source.check(to.queue(), "copy", source_offset, size)?;
        if size == 0 {
            return to.skip();
        }
        let uses = [(source.hazards(), Access::Read), (self.hazards(), Access::Write)];
        self.enqueue_copy(to, source.raw, source_offset, offset, size, uses)
    }

    /// Fills the block from `offset` to its end with `pattern`, without blocking.
    pub(crate) fn fill(&mut self, to: Submission<'_>, pattern: &[u8], offset: usize) -> Result<()> {
        self.check(to.queue(), "fill", offset, self.bytes.saturating_sub(offset))?;
        let size = self.bytes - offset;
        if size == 0 || pattern.is_empty() {
            return to.skip();
        }
        // OpenCL fills with patterns of 1 to 128 bytes, powers of two. Any other pattern is written
        // once and then doubled by copies.
        if pattern.len().is_power_of_two() && pattern.len() <= 128 {
            let fill = to.queue().functions().clEnqueueFillBuffer;
            let (value, length) = (pattern.as_ptr().cast(), pattern.len());
            let call = "clEnqueueFillBuffer";
            return to.run(call, self.used(Access::Write), Blocking::No, |queue, waits, event| {
                // SAFETY: range and pattern were checked; the driver copies the pattern.
                unsafe {
                    fill(
                        queue.as_raw(),
                        self.raw,
                        value,
                        length,
                        offset,
                        size,
                        waits.count,
                        waits.list,
                        event,
                    )
                }
            });
        }
        let mut done = pattern.len().min(size);
        self.write(to.first_part(), offset, &pattern[..done])?;
        while done < size {
            let step = done.min(size - done);
            let part = Submission::from(to.queue());
            self.enqueue_copy(part, self.raw, offset, offset + done, step, self.used(Access::Write))?;
            done += step;
        }
        to.mark()
    }

    /// Enqueues a copy into this block; the ranges were checked and do not overlap.
    fn enqueue_copy<const N: usize>(
        &self,
        to: Submission<'_>,
        source: cl_mem,
        from: usize,
        at: usize,
        size: usize,
        uses: [(&Hazards, Access); N],
    ) -> Result<()> {
        let copy = to.queue().functions().clEnqueueCopyBuffer;
        to.run("clEnqueueCopyBuffer", uses, Blocking::No, |queue, waits, event| {
            // SAFETY: both ranges lie inside their memory and do not overlap.
            unsafe { copy(queue.as_raw(), source, self.raw, from, at, size, waits.count, waits.list, event) }
        })
    }

    /// This block alone, used like that.
    fn used(&self, access: Access) -> [(&Hazards, Access); 1] {
        [(self.hazards(), access)]
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
