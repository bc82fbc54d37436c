//! Pinned host memory, which the device reaches at its full rate.

use super::options::{BufferOptions, allocatable};
use super::untyped::Memory;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::hazard::Access;
use crate::library::Library;
use crate::queue::Queue;
use crate::queue_release::Release;
use crate::raw::cl_command_queue;
use crate::status::Status;
use crate::status::log_failed_release;
use bytemuck::Pod;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::{NonNull, null, null_mut};
use std::slice;
use std::sync::{Arc, PoisonError, RwLock};

/// A fixed number of elements in host memory that the driver has pinned.
///
/// It dereferences to a slice. Transfers between it, or a part of it, and device memory of the same
/// context run at the full rate of the bus, without a copy on the host. Allocating pinned memory is
/// slow, so keep a `PinnedVec` and reuse it.
///
/// ```
/// # use cl_core::{Buffer, Device, PinnedVec, Queue};
/// # fn main() -> cl_core::Result<()> {
/// let queue = Queue::on(&Device::first()?)?;
/// let mut host = PinnedVec::zeroed(&queue, 1000)?;
/// let x = Buffer::filled(&queue, 1.5_f32, 1000)?;
/// x.read(&queue, 0, &mut host)?;
/// assert_eq!(host[999], 1.5);
/// # Ok(())
/// # }
/// ```
pub struct PinnedVec<T: Pod> {
    /// `None` for an empty vector.
    block: Option<PinnedBlock>,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod> PinnedVec<T> {
    /// Allocates `len` elements whose bits are all zero.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Driver`] when the driver has no memory left.
    pub fn zeroed(queue: &Queue, len: usize) -> Result<PinnedVec<T>> {
        let bytes = allocatable::<T>(queue, len)?;
        let block = if bytes == 0 { None } else { Some(PinnedBlock::zeroed(queue, bytes)?) };
        let pinned = PinnedVec { block, len, element: PhantomData };
        if pinned.pointer().is_aligned() { Ok(pinned) } else { Err(bad_pointer("not aligned")) }
    }

    /// Allocates a copy of `values`.
    ///
    /// # Errors
    /// As [`PinnedVec::zeroed`].
    pub fn from_slice(queue: &Queue, values: &[T]) -> Result<PinnedVec<T>> {
        let mut pinned = PinnedVec::zeroed(queue, values.len())?;
        pinned.copy_from_slice(values);
        Ok(pinned)
    }

    fn pointer(&self) -> NonNull<T> {
        self.block.as_ref().map_or(NonNull::dangling(), |block| block.pointer.cast())
    }
}

impl<T: Pod> Deref for PinnedVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the block is as large as `len` elements and initialised, its alignment was
        // checked, and any bits are a value of `T`. For zero bytes, any aligned pointer is valid.
        unsafe { slice::from_raw_parts(self.pointer().as_ptr(), self.len) }
    }
}

impl<T: Pod> DerefMut for PinnedVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and borrowed exclusively.
        unsafe { slice::from_raw_parts_mut(self.pointer().as_ptr(), self.len) }
    }
}

impl<T: Pod + fmt::Debug> fmt::Debug for PinnedVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// Returns the error for a mapped pointer that Rust cannot use.
fn bad_pointer(what: &str) -> Error {
    Error::driver("clEnqueueMapBuffer", Status(cl_sys::CL_MAP_FAILURE)).note(format!("the pointer is {what}"))
}

/// Bytes in pinned host memory: a buffer that stays mapped until it is dropped.
///
/// It holds a reference to the C queue and not the [`Queue`], because the block may be attached to
/// the [`Queue`].
pub(super) struct PinnedBlock {
    pointer: NonNull<u8>,
    bytes: usize,
    ranges: Arc<PinnedRanges>,
    queue: RetainedQueue,
    // Dropped last, after the unmap.
    memory: Memory,
}

// SAFETY: the block owns the mapped memory, and OpenCL objects may be used from any thread.
unsafe impl Send for PinnedBlock {}
// SAFETY: as above; a shared block gives shared access only.
unsafe impl Sync for PinnedBlock {}

impl PinnedBlock {
    /// Allocates `bytes` zero bytes, at least one.
    pub(super) fn zeroed(queue: &Queue, bytes: usize) -> Result<PinnedBlock> {
        const FLAGS: u64 = cl_sys::CL_MAP_READ | cl_sys::CL_MAP_WRITE;
        let options = BufferOptions::new().in_host_memory();
        // SAFETY: no host memory is given.
        let memory = unsafe { Memory::with(queue.context(), bytes, options, null_mut()) }?;
        let retained = RetainedQueue::new(queue)?;
        let pointer = memory.enqueue_map(queue.into(), memory.used(Access::Write), FLAGS, 0, bytes)?;
        let Some(pointer) = NonNull::new(pointer) else { return Err(bad_pointer("null")) };
        // SAFETY: mapped for writing, and nobody has a reference to it.
        unsafe { pointer.write_bytes(0, bytes) };
        let ranges = PinnedRanges::of(queue.context());
        ranges.insert(pointer, bytes);
        Ok(PinnedBlock { pointer, bytes, ranges, queue: retained, memory })
    }

    pub(super) fn as_ptr(&self) -> *const u8 {
        self.pointer.as_ptr()
    }

    pub(super) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.pointer.as_ptr()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for PinnedBlock {
    fn drop(&mut self) {
        self.ranges.remove(self.pointer);
        let unmap = self.queue.library.functions().clEnqueueUnmapMemObject;
        let pointer = self.pointer.as_ptr().cast();
        // SAFETY: the pointer was mapped when the block was made, and is unmapped only here. The
        // queue and the memory are alive.
        let status = unsafe { unmap(self.queue.raw, self.memory.as_raw(), pointer, 0, null(), null_mut()) };
        log_failed_release("clEnqueueUnmapMemObject", status);
    }
}

/// A reference to a C queue.
struct RetainedQueue {
    library: Library,
    raw: cl_command_queue,
    must_be_idle: bool,
}

impl RetainedQueue {
    fn new(queue: &Queue) -> Result<RetainedQueue> {
        let (library, raw) = (queue.library(), queue.as_raw());
        // SAFETY: a valid queue.
        Error::check("clRetainCommandQueue", unsafe { (library.functions().clRetainCommandQueue)(raw) })?;
        Ok(RetainedQueue { library, raw, must_be_idle: queue.must_be_idle() })
    }
}

impl Drop for RetainedQueue {
    fn drop(&mut self) {
        let release = Release { library: self.library, raw: self.raw };
        // SAFETY: the reference is owned, and released once.
        unsafe { if self.must_be_idle { release.when_idle() } else { release.now() } }
    }
}

/// The address ranges of a context's pinned memory, by which transfers recognise pinned memory.
#[derive(Default)]
pub(super) struct PinnedRanges(RwLock<BTreeMap<usize, usize>>);

impl PinnedRanges {
    pub(super) fn of(context: &Context) -> Arc<PinnedRanges> {
        context.attachment()
    }

    /// Returns `true` if the `bytes` bytes from `start` on lie in one pinned range.
    pub(super) fn contain(&self, start: *const u8, bytes: usize) -> bool {
        let ranges = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let before = ranges.range(..=start.addr()).next_back();
        before.is_some_and(|(begin, size)| start.addr() - begin + bytes <= *size)
    }

    fn insert(&self, start: NonNull<u8>, bytes: usize) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(start.addr().get(), bytes);
    }

    fn remove(&self, start: NonNull<u8>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(&start.addr().get());
    }
}
