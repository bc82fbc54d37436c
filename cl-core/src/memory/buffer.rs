//! Typed buffers.

use super::commands::Migration;
use super::options::BufferOptions;
use super::slice::{Slice, SliceMut};
use super::sub_buffer::{SubBuffer, SubBufferMut};
use super::untyped::Memory;
use crate::error::{Error, Result};
use crate::queue::Queue;
use crate::submission::Submission;
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeBounds;

/// Elements in device memory, always initialised up to the length.
///
/// The memory may have room for more elements than the buffer's length: see [`capacity`](Buffer::capacity).
///
/// `T` is plain old data without padding ([`bytemuck::Pod`]): every bit pattern that a kernel may
/// leave is a value of `T`, and no undefined byte reaches the device. A buffer may be empty;
/// operations on an empty buffer make no driver call.
///
/// | task | use |
/// | --- | --- |
/// | transfer a range | [`slice`](Buffer::slice), [`slice_mut`](Buffer::slice_mut) |
/// | transfer a box of a 2D or 3D array | [`read_rect`](Buffer::read_rect) and its siblings |
/// | reach it by a pointer | [`map`](Buffer::map), [`map_mut`](Buffer::map_mut) |
/// | transfer without blocking | [`Queue::scope`], [`write_owned`](Buffer::write_owned) |
/// | give a part of it to a kernel | [`sub_buffer`](Buffer::sub_buffer) |
/// | transfer at the device's full rate | [`PinnedVec`](crate::PinnedVec) |
///
/// ```
/// use cl_core::{Buffer, Device, Queue};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = Buffer::from_slice(&queue, &[1, 2, 3, 4])?;
/// x.write(&queue, 2, &[30, 40])?;
/// x.copy_within(&queue, ..2, 2)?;
/// assert_eq!(x.to_vec(&queue)?, [1, 2, 1, 2]);
/// x.slice_mut(1..3)?.fill(&queue, 0)?;
/// let mut middle = [9; 2];
/// x.read(&queue, 1, &mut middle)?;
/// assert_eq!(middle, [0, 0]);
/// # Ok(())
/// # }
/// ```
pub struct Buffer<T: Pod> {
    memory: Memory,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod> Buffer<T> {
    /// Creates a buffer that holds a copy of `values`.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Driver`] when the driver has no memory left.
    pub fn from_slice(queue: &Queue, values: &[T]) -> Result<Buffer<T>> {
        // SAFETY: written by the first command that uses it.
        let mut buffer = unsafe { Buffer::uninit(queue, values.len()) }?;
        buffer.write(queue, 0, values)?;
        Ok(buffer)
    }

    /// Creates a buffer of `len` elements that are all `value`.
    ///
    /// # Errors
    /// As [`Buffer::from_slice`].
    pub fn filled(queue: &Queue, value: T, len: usize) -> Result<Buffer<T>> {
        BufferOptions::new().filled(queue, value, len)
    }

    /// Creates a buffer of `len` elements without writing them.
    ///
    /// # Errors
    /// As [`Buffer::from_slice`].
    ///
    /// # Safety
    /// Each element must be written before it is first read, by a command that is enqueued earlier.
    /// Until then the memory may hold data of other programs.
    pub unsafe fn uninit(queue: &Queue, len: usize) -> Result<Buffer<T>> {
        // SAFETY: by the caller's promise.
        unsafe { BufferOptions::new().uninit(queue, len) }
    }

    /// Makes a buffer of the `len` elements that `memory` holds.
    pub(crate) fn of(memory: Memory, len: usize) -> Buffer<T> {
        Buffer { memory, len, element: PhantomData }
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the buffer has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of elements that the memory has room for.
    ///
    /// It exceeds the length of buffers in scratch memory, of buffers that [`truncate`](Buffer::truncate) has made
    /// shorter, and of buffers with room to grow.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.memory.bytes().checked_div(size_of::<T>()).unwrap_or(self.len)
    }

    /// Shortens the buffer to `len` elements, without a driver call; a shorter buffer keeps its length.
    ///
    /// ```
    /// use cl_core::{Buffer, Device, Queue};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = Buffer::from_slice(&queue, &[1, 2, 3, 4])?;
    /// x.truncate(2);
    /// assert_eq!(x.to_vec(&queue)?, [1, 2]);
    /// assert_eq!(x.capacity(), 4);
    /// # Ok(())
    /// # }
    /// ```
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Sets the number of elements, up to the capacity, without a driver call.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] for more elements than the memory has room for.
    ///
    /// # Safety
    /// Each element must be written before it is first read, by a command that is enqueued earlier, as for
    /// [`Buffer::uninit`].
    pub unsafe fn set_len(&mut self, len: usize) -> Result<()> {
        if len > self.capacity() {
            return Err(Error::OutOfBounds {
                operation: "set_len",
                start: 0,
                end: len,
                len: self.capacity(),
            });
        }
        self.len = len;
        Ok(())
    }

    /// Borrows the elements in `range`, to be read.
    ///
    /// ```
    /// # use cl_core::{Buffer, Device, Queue};
    /// # fn main() -> cl_core::Result<()> {
    /// let queue = Queue::on(&Device::first()?)?;
    /// let mut x = Buffer::from_slice(&queue, &[1, 2, 3, 4, 5])?;
    /// x.slice_mut(1..3)?.fill(&queue, 9)?;
    /// assert_eq!(x.slice(..4)?.to_vec(&queue)?, [1, 9, 9, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`].
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<Slice<'_, T>> {
        Slice::from(self).slice(range)
    }

    /// Borrows the elements in `range`, to be read and written.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`].
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<SliceMut<'_, T>> {
        SliceMut::from(self).into_slice_mut(range)
    }

    /// Creates a memory object for the elements in `range`, for kernels that read it. The memory
    /// object shares the buffer's memory.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`]; [`Error::InvalidInput`] when the start of `range` is not a multiple
    /// of the device's alignment
    /// ([`Device::base_address_align`](crate::Device::base_address_align), in bits);
    /// [`Error::Driver`].
    pub fn sub_buffer(&self, range: impl RangeBounds<usize>) -> Result<SubBuffer<'_, T>> {
        self.slice(range)?.into_sub_buffer()
    }

    /// Creates a memory object for the elements in `range`, for kernels that write it. For several
    /// such objects at once, see [`SliceMut::split_at_mut`].
    ///
    /// # Errors
    /// As [`Buffer::sub_buffer`].
    pub fn sub_buffer_mut(&mut self, range: impl RangeBounds<usize>) -> Result<SubBufferMut<'_, T>> {
        self.slice_mut(range)?.into_sub_buffer_mut()
    }

    /// Returns all elements. Blocks until the commands that write to the buffer have ended and the
    /// elements have been read.
    ///
    /// # Errors
    /// [`Error::ForeignObject`], or [`Error::Driver`] when this or an earlier command failed.
    pub fn to_vec<'q>(&self, to: impl Into<Submission<'q>>) -> Result<Vec<T>> {
        Slice::from(self).to_vec(to)
    }

    /// Reads `into.len()` elements from element `start` on. Blocks until the commands that write to
    /// the buffer have ended and the elements have been read.
    ///
    /// ```
    /// use cl_core::{Buffer, Device, Queue};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = Buffer::from_slice(&queue, &[1, 2, 3, 4])?;
    /// let mut middle = [0; 2];
    /// x.read(&queue, 1, &mut middle)?;
    /// assert_eq!(middle, [2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn read<'q>(&self, to: impl Into<Submission<'q>>, start: usize, into: &mut [T]) -> Result<()> {
        let offset = self.offset("read", start, into.len())?;
        self.memory.read(to.into(), offset, bytemuck::cast_slice_mut(into))
    }

    /// Writes `from` to the elements from index `start` on. Blocks until `from` may be changed
    /// again.
    ///
    /// ```
    /// use cl_core::{Buffer, Device, Queue};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = Buffer::filled(&queue, 0, 4)?;
    /// x.write(&queue, 1, &[7, 8])?;
    /// assert_eq!(x.to_vec(&queue)?, [0, 7, 8, 0]);
    /// assert!(x.write(&queue, 3, &[7, 8]).is_err()); // it would reach beyond the end
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn write<'q>(&mut self, to: impl Into<Submission<'q>>, start: usize, from: &[T]) -> Result<()> {
        let offset = self.offset("write", start, from.len())?;
        self.memory.write(to.into(), offset, bytemuck::cast_slice(from))
    }

    /// Enqueues a copy of all of `source` into this buffer, which must have the same length.
    ///
    /// ```
    /// use cl_core::{Buffer, Device, Queue};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = Buffer::from_slice(&queue, &[1, 2])?;
    /// let mut y = Buffer::filled(&queue, 0, 2)?;
    /// y.copy_from(&queue, &x)?;
    /// assert_eq!(y.to_vec(&queue)?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn copy_from<'q>(&mut self, to: impl Into<Submission<'q>>, source: &Buffer<T>) -> Result<()> {
        SliceMut::from(self).copy_from(to, source)
    }

    /// Enqueues a copy of the elements in `source` to the elements from `start` on. The two ranges
    /// must not overlap.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], [`Error::InvalidInput`] for overlapping ranges,
    /// [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn copy_within<'q>(
        &mut self,
        to: impl Into<Submission<'q>>,
        source: impl RangeBounds<usize>,
        start: usize,
    ) -> Result<()> {
        let source = self.slice(source)?;
        let at = self.offset("copy", start, source.len())?;
        self.memory.copy_from(to.into(), at, &self.memory, source.offset(), source.bytes())
    }

    /// Enqueues setting all elements to `value`.
    ///
    /// # Errors
    /// [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn fill<'q>(&mut self, to: impl Into<Submission<'q>>, value: T) -> Result<()> {
        SliceMut::from(self).fill(to, value)
    }

    /// Enqueues moving the contents to the device or the host that will use them next, so that the
    /// next use need not wait for the move.
    ///
    /// # Errors
    /// [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn migrate<'q>(&self, to: impl Into<Submission<'q>>, where_to: Migration) -> Result<()> {
        self.memory.migrate(to.into(), where_to)
    }

    /// Returns the untyped memory behind the buffer.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Returns the untyped memory and drops the type.
    #[must_use]
    pub fn into_memory(self) -> Memory {
        self.memory
    }

    /// Returns the byte offset of element `start`, or an error unless the buffer has `count`
    /// elements from there on.
    pub(super) fn offset(&self, operation: &'static str, start: usize, count: usize) -> Result<usize> {
        let end = start.saturating_add(count);
        if end > self.len {
            return Err(Error::OutOfBounds { operation, start, end, len: self.len });
        }
        Ok(start * size_of::<T>())
    }
}

impl<T: Pod> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer<{}>({} elements)", std::any::type_name::<T>(), self.len)
    }
}
