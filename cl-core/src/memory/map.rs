//! Mapped buffers: device memory behind a host pointer, for as long as a guard lives.

use super::buffer::Buffer;
use super::mapped::{HostAddress, MappedRegion};
use super::slice::within;
use super::untyped::Memory;
use crate::error::{Error, Result};
use crate::hazard::{Access, Hazards};
use crate::queue::Queue;
use crate::raw::cl_map_flags;
use crate::status::Status;
use crate::submission::{Blocking, Submission};
use bytemuck::Pod;
use std::fmt;
use std::ops::{Deref, DerefMut, RangeBounds};
use std::ptr::{NonNull, null_mut};
use std::slice;

/// Elements of a buffer that the host reads in place. Made by [`Buffer::map`]; unmapped on drop.
///
/// A leaked guard leaves its buffer mapped. From then on, commands that write to the buffer are
/// refused with an error; after [`Buffer::map_mut`], all commands on it are refused.
#[must_use = "the elements are given back when the guard is dropped"]
pub struct BufferMap<'b, T: Pod>(Mapping<'b, T>);

/// Elements of a buffer that the host reads and writes in place. Made by [`Buffer::map_mut`];
/// unmapped on drop, when the device gets the written elements. See [`BufferMap`] for leaked
/// guards.
#[must_use = "the elements are given back when the guard is dropped"]
pub struct BufferMapMut<'b, T: Pod>(Mapping<'b, T>);

/// A mapped range, unmapped on drop.
struct Mapping<'b, T: Pod> {
    /// The block, the queue to unmap on, and the mapped region; `None` for an empty range and after
    /// unmapping.
    mapped: Option<(&'b Memory, Queue, MappedRegion)>,
    access: Access,
    pointer: NonNull<T>,
    len: usize,
}

// SAFETY: a mapping borrows its elements, and OpenCL objects may be used from any thread.
unsafe impl<T: Pod + Send + Sync> Send for Mapping<'_, T> {}
// SAFETY: as above; a shared mapping gives shared access only.
unsafe impl<T: Pod + Send + Sync> Sync for Mapping<'_, T> {}

impl<T: Pod> Buffer<T> {
    /// Maps the elements in `range`, to be read by the host. Blocks until the elements are mapped.
    ///
    /// ```
    /// # use cl_core::{Buffer, Device, Queue};
    /// # fn main() -> cl_core::Result<()> {
    /// let queue = Queue::on(&Device::first()?)?;
    /// let mut x = Buffer::from_slice(&queue, &[3, 1, 2])?;
    /// x.map_mut(&queue, ..)?.sort();
    /// assert_eq!(*x.map(&queue, 1..)?, [2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], [`Error::ForeignObject`], [`Error::InvalidInput`] when the host may
    /// not read the buffer, or [`Error::Driver`].
    pub fn map<'q>(
        &self,
        to: impl Into<Submission<'q>>,
        range: impl RangeBounds<usize>,
    ) -> Result<BufferMap<'_, T>> {
        let host = [Access::Read].as_slice();
        Ok(BufferMap(self.mapping(to.into(), &range, Access::Read, cl_sys::CL_MAP_READ, host)?))
    }

    /// Maps the elements in `range`, to be read and written by the host. Blocks until the elements
    /// are mapped.
    ///
    /// ```
    /// use cl_core::{Buffer, Device, Queue};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = Buffer::from_slice(&queue, &[1, 2, 3])?;
    /// {
    ///     let mut mapped = x.map_mut(&queue, 1..)?;
    ///     mapped[0] = 20;
    /// } // the device has it again
    /// assert_eq!(x.to_vec(&queue)?, [1, 20, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Buffer::map`].
    pub fn map_mut<'q>(
        &mut self,
        to: impl Into<Submission<'q>>,
        range: impl RangeBounds<usize>,
    ) -> Result<BufferMapMut<'_, T>> {
        let flags = cl_sys::CL_MAP_READ | cl_sys::CL_MAP_WRITE;
        let host = [Access::Read, Access::Write].as_slice();
        Ok(BufferMapMut(self.mapping(to.into(), &range, Access::Write, flags, host)?))
    }

    /// Maps the elements in `range`, to be overwritten by the host. The elements are not fetched from
    /// the device; the guard holds zeros instead. Dropping the guard writes its elements to the
    /// buffer, including zeros that the host did not overwrite.
    ///
    /// # Errors
    /// As [`Buffer::map`].
    pub fn map_overwrite<'q>(
        &mut self,
        to: impl Into<Submission<'q>>,
        range: impl RangeBounds<usize>,
    ) -> Result<BufferMapMut<'_, T>> {
        let flags = cl_sys::CL_MAP_WRITE_INVALIDATE_REGION;
        let host = [Access::Write].as_slice();
        let mapping = self.mapping(to.into(), &range, Access::Write, flags, host)?;
        // SAFETY: `len` elements are mapped for writing, and nobody has a reference to them. Their
        // contents are undefined before this write. Zeros are valid, because `T` is plain old data.
        unsafe { mapping.pointer.write_bytes(0, mapping.len) };
        Ok(BufferMapMut(mapping))
    }

    fn mapping(
        &self,
        to: Submission<'_>,
        range: &impl RangeBounds<usize>,
        access: Access,
        flags: cl_map_flags,
        host: &[Access],
    ) -> Result<Mapping<'_, T>> {
        let (start, len) = within("map", range, self.len())?;
        let memory = self.memory();
        let (offset, size) = (start * size_of::<T>(), len * size_of::<T>());
        memory.check(to.queue(), "map", access, offset, size)?;
        host.iter().try_for_each(|&access| memory.check_host("map", access))?;
        if size == 0 {
            to.skip()?;
            return Ok(Mapping { mapped: None, access, pointer: NonNull::dangling(), len });
        }
        let queue = to.queue().clone();
        let read = host.contains(&Access::Read).then_some((memory.hazards(), Access::Read));
        let written = if read.is_some() { access } else { memory.replacing(size) };
        let uses = read.into_iter().chain(access.writes().then_some((memory.hazards(), written)));
        let region = [[offset, 0, 0], [size, 1, 1]];
        let address = memory.begin_map(to, access, region, |to| {
            let pointer = memory.enqueue_map(to, uses, flags, offset, size)?;
            match NonNull::new(pointer).filter(|pointer| pointer.cast::<T>().is_aligned()) {
                Some(pointer) => Ok(HostAddress { pointer, pitches: [0; 2] }),
                None => {
                    // SAFETY: just mapped, and not used.
                    unsafe { memory.enqueue_unmap((&queue).into(), access, pointer) }?;
                    let note = "the driver returned a pointer that is null or not aligned";
                    Err(Error::driver("clEnqueueMapBuffer", Status(cl_sys::CL_MAP_FAILURE)).note(note))
                }
            }
        })?;
        Ok(Mapping { mapped: Some((memory, queue, region)), access, pointer: address.pointer.cast(), len })
    }
}

impl Memory {
    /// Maps a range of bytes, which the caller has checked. Blocks.
    pub(super) fn enqueue_map<'m>(
        &self,
        to: Submission<'_>,
        uses: impl IntoIterator<Item = (&'m Hazards, Access), IntoIter: Clone>,
        flags: cl_map_flags,
        offset: usize,
        size: usize,
    ) -> Result<*mut u8> {
        let queue = to.queue();
        let map = queue.functions().clEnqueueMapBuffer;
        let mut pointer = null_mut();
        let ran = to.run("clEnqueueMapBuffer", uses, Blocking::Command, |queue, waits, event| {
            let (queue, block, mut status) = (queue.as_raw(), self.as_raw(), 0);
            let (count, list, result) = (waits.count, waits.list, &raw mut status);
            // SAFETY: the range lies inside the block; the call blocks.
            pointer = unsafe { map(queue, block, 1, flags, offset, size, count, list, event, result) };
            status
        });
        let pointer = pointer.cast::<u8>();
        match ran {
            Err(error) if !pointer.is_null() => {
                // Unmaps with `Access::Write`, because hazard tracking refuses `Access::Read` if an
                // earlier write failed.
                // SAFETY: the range is mapped, but the command failed or could not be recorded, so
                // nobody uses the pointer.
                unsafe { self.enqueue_unmap(queue.into(), Access::Write, pointer) }?;
                Err(error)
            }
            ran => ran.map(|()| pointer),
        }
    }

    /// Gives a mapped range back to the device, without blocking.
    ///
    /// # Safety
    /// The block was mapped at `pointer`, which is no longer used and was not unmapped before.
    pub(super) unsafe fn enqueue_unmap(
        &self,
        to: Submission<'_>,
        access: Access,
        pointer: *mut u8,
    ) -> Result<()> {
        let unmap = to.queue().functions().clEnqueueUnmapMemObject;
        to.run("clEnqueueUnmapMemObject", self.used(access), Blocking::No, |queue, waits, event| {
            let (queue, block) = (queue.as_raw(), self.as_raw());
            // SAFETY: by the caller's promise.
            unsafe { unmap(queue, block, pointer.cast(), waits.count, waits.list, event) }
        })
    }
}

impl<T: Pod> Mapping<'_, T> {
    /// Unmaps the range, if it is still mapped.
    fn end(&mut self) -> Result<()> {
        let Some((memory, queue, region)) = self.mapped.take() else { return Ok(()) };
        let address = HostAddress { pointer: self.pointer.cast(), pitches: [0; 2] };
        // SAFETY: mapped, and given back once, since `mapped` is empty from here on.
        unsafe { memory.end_map(&queue, self.access, region, address) }
    }

    fn elements(&self) -> &[T] {
        // SAFETY: `len` elements are mapped, or `len` is zero. The commands that wrote them have
        // ended, and the borrow of the buffer keeps other commands away.
        unsafe { slice::from_raw_parts(self.pointer.as_ptr(), self.len) }
    }
}

impl<T: Pod> Drop for Mapping<'_, T> {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            log::error!("a mapped buffer could not be unmapped: {error}");
        }
    }
}

impl<T: Pod> BufferMap<'_, T> {
    /// Unmaps now, and returns the driver's error if unmapping failed.
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn unmap(mut self) -> Result<()> {
        self.0.end()
    }
}

impl<T: Pod> BufferMapMut<'_, T> {
    /// Unmaps now, and returns the driver's error if unmapping failed.
    ///
    /// # Errors
    /// [`Error::Driver`]: the written elements may be lost.
    pub fn unmap(mut self) -> Result<()> {
        self.0.end()
    }
}

impl<T: Pod> Deref for BufferMap<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.elements()
    }
}

impl<T: Pod> Deref for BufferMapMut<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.elements()
    }
}

impl<T: Pod> DerefMut for BufferMapMut<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `elements`; mapped for writing, and the guard is borrowed exclusively.
        unsafe { slice::from_raw_parts_mut(self.0.pointer.as_ptr(), self.0.len) }
    }
}

impl<T: Pod + fmt::Debug> fmt::Debug for BufferMap<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: Pod + fmt::Debug> fmt::Debug for BufferMapMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
