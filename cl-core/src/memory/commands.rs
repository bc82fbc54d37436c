//! The commands of untyped memory: read, write, copy, fill, migrate. Ranges are in bytes.
//!
//! Commands that write take `&self`: the typed buffers and views above hold the exclusive borrow.

use super::staging;
use super::untyped::Memory;
use crate::error::{Error, Result};
use crate::hazard::{Access, Hazards};
use crate::raw::{cl_mem, cl_mem_migration_flags};
use crate::submission::{Blocking, Submission};

/// The use of memory by one command. `None` for one of the commands of a staged transfer, because a
/// marker records the use of the whole transfer.
pub(super) type Uses<'m> = Option<(&'m Hazards, Access)>;

/// The target of a migration, which moves the contents of memory before a command needs them there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Migration {
    /// To the queue's device.
    ToDevice,
    /// To the host.
    ToHost,
}

impl Migration {
    pub(crate) fn flags(self) -> cl_mem_migration_flags {
        match self {
            Migration::ToDevice => 0,
            Migration::ToHost => cl_sys::CL_MIGRATE_MEM_OBJECT_HOST,
        }
    }
}

impl Memory {
    /// Returns an error unless the host may read `size` bytes from `offset` on, with a command on
    /// the queue of `to`.
    pub(super) fn check_read(&self, to: &Submission<'_>, offset: usize, size: usize) -> Result<()> {
        self.check(to.queue(), "read", Access::Read, offset, size)?;
        self.check_host("read", Access::Read)
    }

    /// Returns an error unless the host may write `size` bytes from `offset` on, with a command on
    /// the queue of `to`.
    pub(super) fn check_write(&self, to: &Submission<'_>, offset: usize, size: usize) -> Result<()> {
        self.check(to.queue(), "write", Access::Write, offset, size)?;
        self.check_host("write", Access::Write)
    }

    /// Reads bytes from `offset` on. Blocks.
    pub(crate) fn read(&self, to: Submission<'_>, offset: usize, into: &mut [u8]) -> Result<()> {
        self.check_read(&to, offset, into.len())?;
        if into.is_empty() {
            return to.skip();
        }
        if let Some(staging) = staging::wanted(to.queue(), into.as_ptr(), into.len()) {
            let size = into.len();
            let chunks = into.chunks_mut(staging.chunk.max(1));
            return staging::transfer(to, self, offset, size, staging, chunks);
        }
        let (host, size) = (into.as_mut_ptr(), into.len());
        // SAFETY: the range was checked; the call blocks, so `into` outlives the transfer.
        unsafe { self.enqueue_read(to, self.used(Access::Read), Blocking::Command, offset, host, size) }
    }

    /// Writes bytes from `offset` on. Blocks until `from` may be changed again.
    pub(crate) fn write(&self, to: Submission<'_>, offset: usize, from: &[u8]) -> Result<()> {
        self.check_write(&to, offset, from.len())?;
        if from.is_empty() {
            return to.skip();
        }
        if let Some(staging) = staging::wanted(to.queue(), from.as_ptr(), from.len()) {
            let chunks = from.chunks(staging.chunk.max(1));
            return staging::transfer(to, self, offset, from.len(), staging, chunks);
        }
        // SAFETY: the range was checked; the call blocks until `from` is no longer needed.
        unsafe {
            let uses = self.replaced(from.len());
            self.enqueue_write(to, uses, Blocking::Host, offset, from.as_ptr(), from.len())
        }
    }

    /// Calls `clEnqueueReadBuffer`.
    ///
    /// # Safety
    /// The range lies inside the block, and `host` may be written for `size` bytes until the
    /// command has ended.
    pub(super) unsafe fn enqueue_read(
        &self,
        to: Submission<'_>,
        uses: Uses<'_>,
        blocking: Blocking,
        offset: usize,
        host: *mut u8,
        size: usize,
    ) -> Result<()> {
        let read = to.queue().functions().clEnqueueReadBuffer;
        let blocks = u32::from(blocking != Blocking::No);
        to.run("clEnqueueReadBuffer", uses, blocking, |queue, waits, event| {
            let (queue, host) = (queue.as_raw(), host.cast());
            // SAFETY: by the caller's promise.
            unsafe { read(queue, self.as_raw(), blocks, offset, size, host, waits.count, waits.list, event) }
        })
    }

    /// Calls `clEnqueueWriteBuffer`.
    ///
    /// # Safety
    /// The range lies inside the block. The `size` bytes at `host` must not change until the
    /// command has ended or, when `blocking`, until the call returns.
    pub(super) unsafe fn enqueue_write(
        &self,
        to: Submission<'_>,
        uses: Uses<'_>,
        blocking: Blocking,
        offset: usize,
        host: *const u8,
        size: usize,
    ) -> Result<()> {
        let write = to.queue().functions().clEnqueueWriteBuffer;
        let blocks = u32::from(blocking != Blocking::No);
        to.run("clEnqueueWriteBuffer", uses, blocking, |queue, waits, event| {
            let (queue, host) = (queue.as_raw(), host.cast());
            // SAFETY: by the caller's promise.
            unsafe { write(queue, self.as_raw(), blocks, offset, size, host, waits.count, waits.list, event) }
        })
    }

    /// Copies `size` bytes of `source` into this block, on the device, without blocking. The ranges
    /// must not overlap, even if both blocks are sub-buffers of one buffer.
    pub(crate) fn copy_from(
        &self,
        to: Submission<'_>,
        offset: usize,
        source: &Memory,
        source_offset: usize,
        size: usize,
    ) -> Result<()> {
        self.check(to.queue(), "copy", Access::Write, offset, size)?;
        source.check(to.queue(), "copy", Access::Read, source_offset, size)?;
        if size == 0 {
            return to.skip();
        }
        let Some((begin, source_begin)) = self.offsets_in_same_buffer(source) else {
            let uses = [(source.hazards(), Access::Read), (self.hazards(), self.replacing(size))];
            return self.enqueue_copy(to, source.as_raw(), source_offset, offset, size, uses);
        };
        // Both ranges lie inside one buffer, so these sums are at most its size.
        if (begin + offset).abs_diff(source_begin + source_offset) < size {
            return Err(overlap());
        }
        self.enqueue_copy(to, source.as_raw(), source_offset, offset, size, self.used(Access::Write))
    }

    /// Returns `true` if OpenCL cannot fill with a pattern of `pattern` bytes: the length must be a
    /// power of two up to 128. For another length, the host writes the pattern once, and each copy
    /// on the device then doubles the filled range.
    pub(super) fn fill_needs_host(pattern: usize) -> bool {
        !(pattern.is_power_of_two() && pattern <= 128)
    }

    /// Fills `size` bytes from `offset` on with `pattern`, without blocking. `offset` and `size`
    /// are multiples of the pattern's length.
    pub(crate) fn fill(&self, to: Submission<'_>, pattern: &[u8], offset: usize, size: usize) -> Result<()> {
        self.check(to.queue(), "fill", Access::Write, offset, size)?;
        if size == 0 || pattern.is_empty() {
            return to.skip();
        }
        if !Memory::fill_needs_host(pattern.len()) {
            let fill = to.queue().functions().clEnqueueFillBuffer;
            let (value, length) = (pattern.as_ptr().cast(), pattern.len());
            let call = "clEnqueueFillBuffer";
            return to.run(call, self.replaced(size), Blocking::No, |queue, waits, event| {
                let (queue, block) = (queue.as_raw(), self.as_raw());
                // SAFETY: range and pattern were checked; the driver copies the pattern.
                unsafe { fill(queue, block, value, length, offset, size, waits.count, waits.list, event) }
            });
        }
        let mut done = pattern.len().min(size);
        self.check_write(&to, offset, done)?;
        // The write is the first of several commands that together replace the range.
        // SAFETY: the range was checked; the call blocks until `pattern` is no longer needed.
        unsafe {
            let (first, uses) = (to.first_of_several(), self.replaced(size));
            self.enqueue_write(first, uses, Blocking::Host, offset, pattern.as_ptr(), done)?;
        }
        while done < size {
            let step = done.min(size - done);
            let part = Submission::from(to.queue());
            let uses = self.used(Access::Write);
            self.enqueue_copy(part, self.as_raw(), offset, offset + done, step, uses)?;
            done += step;
        }
        to.mark()
    }

    /// Moves the contents to `where_to` before a command needs them there, without blocking.
    pub(crate) fn migrate(&self, to: Submission<'_>, where_to: Migration) -> Result<()> {
        self.check(to.queue(), "migrate", Access::Read, 0, self.bytes())?;
        if self.bytes() == 0 {
            return to.skip();
        }
        let flags = where_to.flags();
        let migrate = to.queue().functions().clEnqueueMigrateMemObjects;
        let block = self.as_raw();
        to.run("clEnqueueMigrateMemObjects", self.used(Access::Read), Blocking::No, |queue, waits, event| {
            // SAFETY: one valid memory object of the queue's context.
            unsafe { migrate(queue.as_raw(), 1, &raw const block, flags, waits.count, waits.list, event) }
        })
    }

    /// Enqueues a copy into this block; the ranges were checked and do not overlap.
    fn enqueue_copy<'m>(
        &self,
        to: Submission<'_>,
        source: cl_mem,
        from: usize,
        at: usize,
        size: usize,
        uses: impl IntoIterator<Item = (&'m Hazards, Access), IntoIter: Clone>,
    ) -> Result<()> {
        let copy = to.queue().functions().clEnqueueCopyBuffer;
        to.run("clEnqueueCopyBuffer", uses, Blocking::No, |queue, waits, event| {
            let queue = queue.as_raw();
            // SAFETY: both ranges lie inside their memory and do not overlap.
            unsafe { copy(queue, source, self.as_raw(), from, at, size, waits.count, waits.list, event) }
        })
    }
}

/// Returns the error for overlapping ranges: OpenCL does not define the order in which a copy
/// proceeds.
pub(super) fn overlap() -> Error {
    Error::InvalidInput { what: "copy", reason: "source and target overlap in one buffer".to_owned() }
}
