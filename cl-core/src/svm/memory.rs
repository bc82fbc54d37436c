//! Blocks of shared virtual memory without an element type, and the commands on them.

use super::functions::{Functions, functions};
use crate::device::SvmCapabilities;
use crate::error::{Error, Result};
use crate::hazard::{Access, Hazards};
use crate::kernel::Kernel;
use crate::memory::Migration;
use crate::queue::Queue;
use crate::raw::{self, c_void, cl_context, cl_svm_mem_flags, require};
use crate::status::Status;
use crate::status::log_failed_release;
use crate::submission::{Blocking, Submission};
use std::fmt;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// An owned block of shared virtual memory. An empty block has no memory, and operations on it make
/// no driver call.
///
/// Dropping the block enqueues a command that frees it after all commands that use it.
pub struct SvmMemory {
    /// The queue on which the block is freed; it keeps the context alive.
    queue: Queue,
    functions: Functions,
    /// Null for an empty block.
    pointer: *mut c_void,
    bytes: usize,
    coarse: bool,
    hazards: Hazards,
    /// The number of guards that read a coarse-grained block, which is mapped once for all of them.
    readers: AtomicUsize,
    /// `true` while a guard writes to the block.
    writer: AtomicBool,
    /// The lock that is held during each call that maps or unmaps the block.
    mapping: Mutex<()>,
}

// SAFETY: only guards dereference the pointer, and they borrow the block by Rust's rules. OpenCL
// objects may be used from any thread.
unsafe impl Send for SvmMemory {}
// SAFETY: as above.
unsafe impl Sync for SvmMemory {}

impl SvmMemory {
    /// Allocates a block of `bytes` with unknown contents.
    pub(super) fn new(
        queue: &Queue,
        bytes: usize,
        wanted: SvmCapabilities,
        flags: cl_svm_mem_flags,
    ) -> Result<SvmMemory> {
        let functions = functions(queue.context(), wanted)?;
        let mut pointer = null_mut();
        if bytes > 0 {
            if bytes as u64 > queue.device().limits()?.allocation {
                return Err(Error::too_large(bytes as u128, queue.device()));
            }
            // SAFETY: a valid context, a checked size, and alignment 0, with which the driver
            // aligns for its largest type.
            pointer = unsafe { (functions.alloc)(queue.context().as_raw(), flags, bytes, 0) };
            if pointer.is_null() {
                let error = Error::driver("clSVMAlloc", Status::MEM_OBJECT_ALLOCATION_FAILURE);
                return Err(error.note(format!("{bytes} bytes")));
            }
        }
        Ok(SvmMemory {
            queue: queue.clone(),
            functions,
            pointer,
            bytes,
            coarse: !wanted.contains(SvmCapabilities::FINE_GRAIN_BUFFER),
            hazards: Hazards::default(),
            readers: AtomicUsize::new(0),
            writer: AtomicBool::new(false),
            mapping: Mutex::default(),
        })
    }

    /// Returns the size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the address, the same on host and device; null for an empty block.
    #[must_use]
    pub fn as_ptr(&self) -> *mut c_void {
        self.pointer
    }

    pub(crate) fn hazards(&self) -> &Hazards {
        &self.hazards
    }

    /// Returns an error unless a command of `context` may use the block with this access.
    pub(crate) fn check(&self, context: cl_context, access: Access, operation: &'static str) -> Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        if self.queue.context().as_raw() != context {
            let reason = "the shared virtual memory belongs to another context";
            return Err(Error::ForeignObject { operation, reason });
        }
        // A guard borrows the memory while it lives, so a guard that conflicts here was leaked or
        // failed to unmap.
        let read = self.readers.load(Ordering::Acquire) > 0;
        if self.writer.load(Ordering::Acquire) || (read && access.writes()) {
            let reason = format!("{operation}: it is still mapped: a guard was leaked, or could not unmap");
            return Err(Error::InvalidInput { what: "use of shared virtual memory", reason });
        }
        Ok(())
    }

    /// Returns the address of the `size` bytes at `offset`. Returns an error unless they lie inside
    /// the block and [`check`](SvmMemory::check) accepts the access.
    fn range(
        &self,
        queue: &Queue,
        access: Access,
        operation: &'static str,
        offset: usize,
        size: usize,
    ) -> Result<*mut c_void> {
        self.check(queue.context().as_raw(), access, operation)?;
        let end = offset.saturating_add(size);
        if end > self.bytes {
            return Err(Error::OutOfBounds { operation, start: offset, end, len: self.bytes });
        }
        Ok(self.pointer.wrapping_byte_add(offset))
    }

    /// Returns the block with the access of a command that writes `size` of the block's bytes:
    /// [`Access::Overwrite`] if they are the whole block, else [`Access::Write`].
    fn replaced(&self, size: usize) -> [(&Hazards, Access); 1] {
        self.used(if size == self.bytes { Access::Overwrite } else { Access::Write })
    }

    fn used(&self, access: Access) -> [(&Hazards, Access); 1] {
        [(&self.hazards, access)]
    }

    /// Reads bytes from `offset` on. Blocks.
    pub(super) fn read(&self, to: Submission<'_>, offset: usize, into: &mut [u8]) -> Result<()> {
        let from = self.range(to.queue(), Access::Read, "read", offset, into.len())?;
        if into.is_empty() {
            return to.skip();
        }
        let (copy, host, size) = (self.functions.copy, into.as_mut_ptr().cast(), into.len());
        to.run("clEnqueueSVMMemcpy", self.used(Access::Read), Blocking::Command, |queue, waits, event| {
            // SAFETY: the range was checked; the call blocks, so `into` outlives the transfer.
            unsafe { copy(queue.as_raw(), 1, host, from, size, waits.count, waits.list, event) }
        })
    }

    /// Writes bytes from `offset` on. Blocks until `from` may be changed again.
    pub(super) fn write(&mut self, to: Submission<'_>, offset: usize, from: &[u8]) -> Result<()> {
        let at = self.range(to.queue(), Access::Write, "write", offset, from.len())?;
        if from.is_empty() {
            return to.skip();
        }
        let (copy, host, size) = (self.functions.copy, from.as_ptr().cast(), from.len());
        to.run("clEnqueueSVMMemcpy", self.replaced(size), Blocking::Host, |queue, waits, event| {
            // SAFETY: the range was checked; the call blocks until `from` is no longer needed.
            unsafe { copy(queue.as_raw(), 1, at, host, size, waits.count, waits.list, event) }
        })
    }

    /// Copies all of `source`, which has the same size, into this block, on the device, without
    /// blocking.
    pub(super) fn copy_from(&mut self, to: Submission<'_>, source: &SvmMemory) -> Result<()> {
        let at = self.range(to.queue(), Access::Write, "copy", 0, source.bytes)?;
        let from = source.range(to.queue(), Access::Read, "copy", 0, source.bytes)?;
        if source.bytes == 0 {
            return to.skip();
        }
        let uses = [(&source.hazards, Access::Read), (&self.hazards, Access::Overwrite)];
        let copy = self.functions.copy;
        to.run("clEnqueueSVMMemcpy", uses, Blocking::No, |queue, waits, event| {
            // SAFETY: two different blocks of this size. The command is tracked, and both blocks
            // are freed after it.
            unsafe { copy(queue.as_raw(), 0, at, from, source.bytes, waits.count, waits.list, event) }
        })
    }

    /// Fills the block with `pattern`, without blocking. The block's size is a multiple of the
    /// pattern's.
    pub(super) fn fill(&mut self, to: Submission<'_>, pattern: &[u8]) -> Result<()> {
        let at = self.range(to.queue(), Access::Write, "fill", 0, self.bytes)?;
        if self.bytes == 0 || pattern.is_empty() {
            return to.skip();
        }
        // As for buffers, OpenCL fills with patterns of 1, 2, 4, ... 128 bytes. Any other pattern is
        // written once, and each copy then doubles the filled part.
        if pattern.len().is_power_of_two() && pattern.len() <= 128 {
            let (fill, value, length) = (self.functions.fill, pattern.as_ptr().cast(), pattern.len());
            return to.run(
                "clEnqueueSVMMemFill",
                self.used(Access::Overwrite),
                Blocking::No,
                |queue, waits, event| {
                    // SAFETY: the fill covers the whole block, whose size is a multiple of the
                    // pattern's; the driver copies the pattern.
                    unsafe {
                        fill(queue.as_raw(), at, value, length, self.bytes, waits.count, waits.list, event)
                    }
                },
            );
        }
        let mut done = pattern.len().min(self.bytes);
        // Each of the commands writes only a part, which does not end the block's doubts. Together
        // they overwrite the block.
        self.hazards.forget_doubts();
        self.write(to.first_of_several(), 0, &pattern[..done])?;
        let copy = self.functions.copy;
        while done < self.bytes {
            let step = done.min(self.bytes - done);
            let (part, next) = (Submission::from(to.queue()), self.pointer.wrapping_byte_add(done));
            part.run("clEnqueueSVMMemcpy", self.used(Access::Write), Blocking::No, |queue, waits, event| {
                // SAFETY: both ranges lie inside the block and do not overlap.
                unsafe { copy(queue.as_raw(), 0, next, at, step, waits.count, waits.list, event) }
            })?;
            done += step;
        }
        to.mark()
    }

    /// Moves the contents to the target ahead of their use, without blocking.
    pub(super) fn migrate(&self, to: Submission<'_>, where_to: Migration) -> Result<()> {
        let flags = where_to.flags();
        let pointer = self.range(to.queue(), Access::Read, "migrate", 0, self.bytes)?;
        if self.bytes == 0 {
            return to.skip();
        }
        let migrate = require::clEnqueueSVMMigrateMem(to.queue().device())?;
        let (pointer, size) = (pointer.cast_const(), self.bytes);
        to.run("clEnqueueSVMMigrateMem", self.used(Access::Read), Blocking::No, |queue, waits, event| {
            let (pointers, sizes) = (&raw const pointer, &raw const size);
            // SAFETY: one whole block; the driver copies the two lists.
            unsafe { migrate(queue.as_raw(), 1, pointers, sizes, flags, waits.count, waits.list, event) }
        })
    }

    /// Gives the block to the host for this access. Blocks until the commands that conflict with the
    /// access have ended: the earlier writes, and for a writing host also the earlier reads.
    pub(super) fn acquire(&self, to: Submission<'_>, access: Access) -> Result<()> {
        let pointer = self.range(to.queue(), access, "map", 0, self.bytes)?;
        if self.bytes == 0 {
            return to.skip();
        }
        if !self.coarse {
            return self.settle(to, access);
        }
        let _mapping = self.mapping.lock().unwrap_or_else(PoisonError::into_inner);
        if self.readers.load(Ordering::Acquire) > 0 {
            // The block is mapped for another reader, and has no writer (see `check`), so it need
            // not be mapped again.
            self.settle(to, access)?;
            self.readers.fetch_add(1, Ordering::AcqRel);
            return Ok(());
        }
        let (map, size) = (self.functions.map, self.bytes);
        let flags = match access {
            Access::Read => raw::CL_MAP_READ,
            Access::Write | Access::Overwrite => raw::CL_MAP_READ | raw::CL_MAP_WRITE,
        };
        let queue = to.queue();
        let ran = to.run(
            "clEnqueueSVMMap",
            self.hazards.by_host(access),
            Blocking::Command,
            |queue, waits, event| {
                // SAFETY: the map covers the whole block; the call blocks, so the host may use the
                // block afterwards.
                let status =
                    unsafe { map(queue.as_raw(), 1, flags, pointer, size, waits.count, waits.list, event) };
                match access {
                    Access::Read => self.readers.store(usize::from(status == 0), Ordering::Release),
                    Access::Write | Access::Overwrite => self.writer.store(status == 0, Ordering::Release),
                }
                status
            },
        );
        if ran.is_err() && (self.readers.load(Ordering::Acquire) > 0 || self.writer.load(Ordering::Acquire)) {
            // The block is mapped, but the command failed or could not be recorded. Unmaps with
            // `Access::Write`, because hazard tracking refuses `Access::Read` if an earlier write failed.
            self.unmap(queue.into(), Access::Write)?;
        }
        ran
    }

    /// Ends the host's access that [`acquire`](SvmMemory::acquire) began.
    pub(super) fn release(&self, to: Submission<'_>, access: Access) -> Result<()> {
        if self.bytes == 0 || !self.coarse {
            return Ok(());
        }
        let _mapping = self.mapping.lock().unwrap_or_else(PoisonError::into_inner);
        if self.readers.load(Ordering::Acquire) > 1 {
            self.readers.fetch_sub(1, Ordering::AcqRel);
            return Ok(());
        }
        self.unmap(to, access)
    }

    /// Unmaps the block; the caller holds the `mapping` lock.
    fn unmap(&self, to: Submission<'_>, access: Access) -> Result<()> {
        let unmap = self.functions.unmap;
        to.run("clEnqueueSVMUnmap", self.used(access), Blocking::No, |queue, waits, event| {
            // SAFETY: the block is mapped, and unmapped once.
            let status = unsafe { unmap(queue.as_raw(), self.pointer, waits.count, waits.list, event) };
            if status == 0 {
                self.readers.store(0, Ordering::Release);
                self.writer.store(false, Ordering::Release);
            }
            status
        })
    }

    /// Blocks until all commands have ended that conflict with the host's access.
    fn settle(&self, to: Submission<'_>, access: Access) -> Result<()> {
        let mut event = None;
        let mark = to.queue().functions().clEnqueueMarkerWithWaitList;
        let part = to.first_of_several().signal(&mut event);
        part.run(
            "clEnqueueMarkerWithWaitList",
            self.hazards.by_host(access),
            Blocking::No,
            |queue, waits, event| {
                // SAFETY: a valid queue; `run` passes a matching list and a pointer for the event.
                unsafe { mark(queue.as_raw(), waits.count, waits.list, event) }
            },
        )?;
        event.map_or(Ok(()), |event| event.wait())?;
        to.mark()
    }

    /// Sets the block as argument `index`; the caller holds the kernel's `launching` lock.
    pub(crate) fn set_argument(&self, kernel: &Kernel, index: u32) -> Result<()> {
        // SAFETY: a valid kernel, and memory of its context.
        let status = unsafe { (self.functions.set_argument)(kernel.raw, index, self.pointer) };
        Error::check("clSetKernelArgSVMPointer", status)
    }

    /// Tells the driver the blocks that the kernel reaches through pointers in other memory. The
    /// caller holds the kernel's `launching` lock.
    pub(crate) fn set_reached(kernel: &Kernel, blocks: &[&SvmMemory]) -> Result<()> {
        let mut blocks = blocks.iter().filter(|block| !block.pointer.is_null()).peekable();
        let Some(set) = blocks.peek().map(|block| block.functions.set_exec_info) else {
            if kernel.has_reached.load(Ordering::Relaxed) {
                // OpenCL cannot clear the list of the earlier launch, and the blocks in that list may
                // have been freed.
                let reason = format!(
                    "kernel `{}` named shared virtual memory at an earlier launch; \
                     name all of it at every launch",
                    kernel.name
                );
                return Err(Error::InvalidInput { what: "reached memory", reason });
            }
            return Ok(());
        };
        let pointers: Vec<*mut c_void> = blocks.map(|block| block.pointer).collect();
        let (name, size) = (raw::CL_KERNEL_EXEC_INFO_SVM_PTRS, size_of_val(pointers.as_slice()));
        // SAFETY: a valid kernel, and memory of its context.
        let status = unsafe { set(kernel.raw, name, size, pointers.as_ptr().cast()) };
        kernel.has_reached.store(true, Ordering::Relaxed);
        Error::check("clSetKernelExecInfo", status)
    }

    /// Frees the block. Called once.
    fn free(&self) -> Result<()> {
        let (free, pointer) = (self.functions.enqueue_free, self.pointer.cast_const());
        let mut taken = false;
        let to = Submission::from(&self.queue);
        let enqueued =
            to.run("clEnqueueSVMFree", self.used(Access::Write), Blocking::No, |queue, waits, event| {
                let list = &raw const pointer;
                // SAFETY: the block's own pointer. The driver copies the list, and frees the block
                // when all commands that use it have ended.
                let status = unsafe {
                    free(queue.as_raw(), 1, list, None, null_mut(), waits.count, waits.list, event)
                };
                taken = status == 0;
                status
            });
        if taken {
            return enqueued;
        }
        // The driver refused the command, or a command before it failed. Frees the block on the
        // host instead.
        self.settle(Submission::from(&self.queue), Access::Overwrite)?;
        // SAFETY: nothing uses the block any more, and it was not freed.
        unsafe { (self.functions.free)(self.queue.context().as_raw(), self.pointer) };
        Ok(())
    }
}

impl Drop for SvmMemory {
    fn drop(&mut self) {
        if self.pointer.is_null() {
            return;
        }
        // If freeing fails, the memory may still be in use, so it is leaked.
        if let Err(error) = self.free() {
            log_failed_release("clEnqueueSVMFree", error.status().unwrap_or(Status::INVALID_OPERATION).0);
        }
    }
}

impl fmt::Debug for SvmMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SvmMemory").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
