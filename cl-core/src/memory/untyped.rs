//! Blocks of device memory without an element type, on which buffers and scratch memory are built.

use super::mapped::{Mapped, Shared};
use super::options::{BufferOptions, HostAccess, KernelAccess};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::hazard::{Access, Hazards};
use crate::library::Library;
use crate::queue::Queue;
use crate::raw::{cl_buffer_region, cl_context, cl_mem};
use crate::status::log_failed_release;
use std::fmt;
use std::ptr::{from_ref, null_mut};
use std::sync::Arc;

/// An owned block of device memory. An empty block has no memory object, and operations on it make
/// no driver call.
///
/// Every transfer is checked here, against the block's size and the queue's context. Drivers accept
/// ranges that wrap around and memory of other contexts, and crash later.
pub struct Memory {
    library: Library,
    raw: cl_mem,
    bytes: usize,
    /// The context. Only compared, never used: the memory object itself retains its context.
    context: cl_context,
    shared: Arc<Shared>,
    /// The offset in bytes in the buffer, for a sub-buffer; `None` for a whole buffer.
    sub_buffer_offset: Option<usize>,
    /// The alignment of the offsets of sub-buffers, in bytes.
    alignment: usize,
    host: HostAccess,
    kernel: KernelAccess,
}

// SAFETY: OpenCL memory objects may be used from any thread.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    /// Allocates a block of `bytes` with unknown contents.
    pub(crate) fn new(context: &Context, bytes: usize) -> Result<Memory> {
        // SAFETY: no host memory is given.
        unsafe { Memory::with(context, bytes, BufferOptions::new(), null_mut()) }
    }

    /// Allocates a block that holds a copy of `values`.
    pub(crate) fn copy_of(context: &Context, values: &[u8], options: BufferOptions) -> Result<Memory> {
        // SAFETY: `values` has `values.len()` bytes, and the driver copies them before it returns.
        unsafe { Memory::with(context, values.len(), options, values.as_ptr().cast_mut()) }
    }

    /// Allocates a block, with a copy of the bytes at `from` unless `from` is null.
    ///
    /// # Safety
    /// `from` is null or points to `bytes` bytes.
    pub(super) unsafe fn with(
        context: &Context,
        bytes: usize,
        options: BufferOptions,
        from: *mut u8,
    ) -> Result<Memory> {
        let mut memory = Memory::empty(context, options);
        if bytes > 0 {
            let limits = context.device().limits()?;
            if bytes as u64 > limits.allocation {
                return Err(Error::too_large(bytes as u128, context.device()));
            }
            memory.alignment = alignment(limits.base_address_align);
            let copy = if from.is_null() { 0 } else { cl_sys::CL_MEM_COPY_HOST_PTR };
            let mut status = 0;
            // SAFETY: a valid context, a checked size; the host pointer is the caller's promise.
            let raw = unsafe {
                (context.library().functions().clCreateBuffer)(
                    context.as_raw(),
                    options.flags() | copy,
                    bytes,
                    from.cast(),
                    &raw mut status,
                )
            };
            Error::check("clCreateBuffer", status).map_err(|error| error.note(format!("{bytes} bytes")))?;
            (memory.raw, memory.bytes) = (raw, bytes);
        }
        Ok(memory)
    }

    /// Takes over an image or a pipe.
    ///
    /// # Safety
    /// `raw` is a memory object of the context that holds `bytes` bytes of data, and one of its
    /// references belongs to the caller. All objects over the same memory share `shared`.
    pub(super) unsafe fn of_object(
        context: &Context,
        raw: cl_mem,
        bytes: usize,
        shared: Arc<Shared>,
    ) -> Memory {
        let mut memory = Memory::empty(context, BufferOptions::new());
        (memory.raw, memory.bytes, memory.shared) = (raw, bytes, shared);
        memory
    }

    /// Returns the shared state, for another object over the same memory.
    pub(super) fn share(&self) -> Arc<Shared> {
        Arc::clone(&self.shared)
    }

    /// Makes an empty block.
    fn empty(context: &Context, options: BufferOptions) -> Memory {
        Memory {
            library: context.library(),
            raw: null_mut(),
            bytes: 0,
            context: context.as_raw(),
            shared: Arc::default(),
            sub_buffer_offset: None,
            alignment: 1,
            host: options.host,
            kernel: options.kernel,
        }
    }

    /// Takes over one reference to a buffer that other code made.
    ///
    /// # Safety
    /// `raw` is a buffer of `context`, of `bytes` bytes, and nobody else releases the reference.
    pub(super) unsafe fn adopt(
        context: &Context,
        raw: cl_mem,
        bytes: usize,
        options: BufferOptions,
        sub_buffer_offset: Option<usize>,
    ) -> Result<Memory> {
        let alignment = alignment(context.device().limits()?.base_address_align);
        let mut memory = Memory::empty(context, options);
        (memory.raw, memory.bytes, memory.sub_buffer_offset, memory.alignment) =
            (raw, bytes, sub_buffer_offset, alignment);
        Ok(memory)
    }

    /// Creates a memory object that shares `size` bytes of this block, from `offset` on. Kernels
    /// and commands that use one object wait for those that use the other. `access` is the intended
    /// use of the sub-buffer.
    pub(super) fn sub_buffer(&self, offset: usize, size: usize, access: Access) -> Result<Memory> {
        self.check_range("sub-buffer", offset, size)?;
        let mut sub_buffer = Memory {
            library: self.library,
            raw: null_mut(),
            bytes: size,
            context: self.context,
            shared: self.share(),
            sub_buffer_offset: Some(offset),
            alignment: self.alignment,
            host: self.host,
            kernel: self.kernel,
        };
        if size == 0 {
            return Ok(sub_buffer);
        }
        let refuse = |reason: String| Err(Error::InvalidInput { what: "sub-buffer", reason });
        if self.sub_buffer_offset.is_some() {
            let reason = "the buffer is a sub-buffer, which OpenCL cannot divide; divide the whole buffer";
            return refuse(reason.to_owned());
        }
        self.mapped().check("sub-buffer", access)?;
        if !offset.is_multiple_of(self.alignment) {
            let align = self.alignment;
            return refuse(format!("it begins at byte {offset}; it must begin at a multiple of {align}"));
        }
        let region = cl_buffer_region { origin: offset, size };
        let mut status = 0;
        // SAFETY: a valid buffer that is not a sub-buffer, and an aligned range inside it. Flags of
        // zero give the sub-buffer its buffer's flags.
        sub_buffer.raw = unsafe {
            (self.library.functions().clCreateSubBuffer)(
                self.raw,
                0,
                cl_sys::CL_BUFFER_CREATE_TYPE_REGION,
                from_ref(&region).cast(),
                &raw mut status,
            )
        };
        Error::check("clCreateSubBuffer", status)
            .map_err(|error| error.note(format!("{size} bytes at byte {offset}")))?;
        Ok(sub_buffer)
    }

    /// Returns the size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the C handle; null for an empty block.
    #[must_use]
    pub fn as_raw(&self) -> cl_mem {
        self.raw
    }

    /// Returns the C handle and gives the reference to the caller.
    pub(super) fn into_raw(mut self) -> cl_mem {
        // `drop` releases the handle unless it is null.
        std::mem::replace(&mut self.raw, null_mut())
    }

    pub(crate) fn library(&self) -> Library {
        self.library
    }

    /// Forgets that the contents depend on user events that have failed, see
    /// [`UserEvent::fail`](crate::UserEvent::fail). From then on, the present contents count as
    /// valid.
    pub fn forget_failures(&self) {
        self.hazards().forget_doubts();
    }

    /// Returns the commands that used the block last.
    pub(crate) fn hazards(&self) -> &Hazards {
        &self.shared.hazards
    }

    /// Returns whether the memory belongs to `context`. Empty memory belongs to every context.
    #[must_use]
    pub fn belongs_to(&self, context: &Context) -> bool {
        self.bytes == 0 || self.context == context.as_raw()
    }

    /// Returns the counts of the host's maps of the block.
    pub(super) fn mapped(&self) -> &Mapped {
        &self.shared.mapped
    }

    /// Returns an error unless a command of `context` may use this block with this access.
    pub(crate) fn check_use(
        &self,
        context: cl_context,
        operation: &'static str,
        access: Access,
    ) -> Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        if self.context != context {
            return Err(Error::ForeignObject { operation, reason: "the memory belongs to another context" });
        }
        // A guard borrows the memory while it lives, so a guard that conflicts here was leaked or
        // failed to unmap.
        self.mapped().check(operation, access)
    }

    /// Returns `true` if a kernel may use this block, which is not empty, with this access. Unlike
    /// `check_launch`, builds no error.
    #[inline]
    pub(crate) fn is_ready(&self, context: cl_context, access: Access) -> bool {
        self.context == context
            && self.bytes != 0
            && self.kernel.allows(access)
            && !self.mapped().is_busy(access)
    }

    /// Returns an error unless a kernel of `context` may use this block with this access. The
    /// access is the one that the launch declares: it can be [`Access::Read`] for a parameter that is
    /// not `const`.
    pub(crate) fn check_launch(&self, context: cl_context, access: Access) -> Result<()> {
        self.check_use(context, "launch", access)?;
        if self.bytes == 0 || self.kernel.allows(access) {
            return Ok(());
        }
        let reason = format!("the buffer was made with KernelAccess::{:?}", self.kernel);
        Err(Error::InvalidInput { what: "launch", reason })
    }

    /// Returns an error unless `size` bytes at `offset` lie inside the block and `queue` may use
    /// the block with this access.
    pub(super) fn check(
        &self,
        queue: &Queue,
        operation: &'static str,
        access: Access,
        offset: usize,
        size: usize,
    ) -> Result<()> {
        self.check_use(queue.context().as_raw(), operation, access)?;
        self.check_range(operation, offset, size)
    }

    /// Returns an error unless `size` bytes at `offset` lie inside the block.
    fn check_range(&self, operation: &'static str, offset: usize, size: usize) -> Result<()> {
        let end = offset.saturating_add(size);
        if end > self.bytes {
            return Err(Error::OutOfBounds { operation, start: offset, end, len: self.bytes });
        }
        Ok(())
    }

    /// Returns an error unless the host has this access to the block.
    pub(super) fn check_host(&self, operation: &'static str, access: Access) -> Result<()> {
        if self.bytes == 0 || self.host.allows(access) {
            return Ok(());
        }
        let reason = format!("the buffer was made with HostAccess::{:?}", self.host);
        Err(Error::InvalidInput { what: operation, reason })
    }

    /// Returns the offsets of both blocks in their buffer, if both lie in the same one.
    pub(super) fn offsets_in_same_buffer(&self, other: &Memory) -> Option<(usize, usize)> {
        let same = Arc::ptr_eq(&self.shared, &other.shared);
        same.then(|| (self.sub_buffer_offset.unwrap_or(0), other.sub_buffer_offset.unwrap_or(0)))
    }

    /// Returns the list of uses for a command that writes `size` of the block's bytes and uses no
    /// other memory.
    pub(super) fn replaced(&self, size: usize) -> Option<(&Hazards, Access)> {
        self.used(self.replacing(size))
    }

    /// Returns the access of a command that writes `size` bytes: [`Access::Overwrite`] only for a
    /// whole buffer, because sub-buffers share the hazards of their buffer.
    pub(super) fn replacing(&self, size: usize) -> Access {
        if self.sub_buffer_offset.is_none() && size == self.bytes { Access::Overwrite } else { Access::Write }
    }

    /// Returns the list of uses for a command that uses only this block, with this access.
    pub(super) fn used(&self, access: Access) -> Option<(&Hazards, Access)> {
        Some((self.hazards(), access))
    }
}

/// Converts `CL_DEVICE_MEM_BASE_ADDR_ALIGN` from bits to bytes.
fn alignment(bits: u32) -> usize {
    (bits as usize / 8).max(1)
}

impl Drop for Memory {
    fn drop(&mut self) {
        if !self.raw.is_null() {
            // SAFETY: the handle is owned, and released once; commands in flight keep the memory.
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
