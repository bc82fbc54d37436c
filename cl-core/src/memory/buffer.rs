//! Typed buffers.

use super::untyped::Memory;
use crate::error::{Error, Result};
use crate::queue::Queue;
use crate::submission::Submission;
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;

/// A fixed number of elements in device memory, always initialised.
///
/// `T` is plain old data without padding ([`bytemuck::Pod`]): every bit pattern that a kernel may
/// leave is a value, and no undefined byte ever reaches the device. An empty buffer is allowed
/// and never reaches the driver.
pub struct Buffer<T: Pod> {
    memory: Memory,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod> Buffer<T> {
    /// A buffer that holds a copy of `values`.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Driver`] when the driver has no memory left.
    pub fn from_slice(queue: &Queue, values: &[T]) -> Result<Buffer<T>> {
        let mut buffer = Buffer::allocate(queue, values.len())?;
        buffer.memory.write(queue.into(), 0, bytemuck::cast_slice(values))?;
        Ok(buffer)
    }

    /// A buffer of `len` elements that all are `value`.
    ///
    /// # Errors
    /// As [`Buffer::from_slice`].
    pub fn filled(queue: &Queue, value: T, len: usize) -> Result<Buffer<T>> {
        let mut buffer = Buffer::allocate(queue, len)?;
        buffer.fill(queue, value)?;
        Ok(buffer)
    }

    /// A buffer of `len` elements whose contents are not yet written.
    ///
    /// # Errors
    /// As [`Buffer::from_slice`].
    ///
    /// # Safety
    /// Every element must be written, by a command enqueued before, when it is first read: memory
    /// may hold what other programs left.
    pub unsafe fn uninit(queue: &Queue, len: usize) -> Result<Buffer<T>> {
        Buffer::allocate(queue, len)
    }

    fn allocate(queue: &Queue, len: usize) -> Result<Buffer<T>> {
        let bytes = len.checked_mul(size_of::<T>());
        let memory = match bytes {
            Some(bytes) => Memory::new(queue.context(), bytes)?,
            None => return Err(Error::too_large(len as u128 * size_of::<T>() as u128, queue.device())),
        };
        Ok(Buffer { memory, len, element: PhantomData })
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All elements, after everything enqueued so far that writes to it. Blocks.
    ///
    /// # Errors
    /// [`Error::ForeignObject`], or [`Error::Driver`] when this or an earlier command failed.
    pub fn to_vec<'q>(&self, to: impl Into<Submission<'q>>) -> Result<Vec<T>> {
        let mut values = vec![T::zeroed(); self.len];
        self.read(to, 0, &mut values)?;
        Ok(values)
    }

    /// Reads `into.len()` elements from element `start` on, after everything enqueued on `queue`
    /// so far. Blocks.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn read<'q>(&self, to: impl Into<Submission<'q>>, start: usize, into: &mut [T]) -> Result<()> {
        let offset = self.offset("read", start, into.len())?;
        self.memory.read(to.into(), offset, bytemuck::cast_slice_mut(into))
    }

    /// Writes `from` to the elements from `start` on. Blocks until `from` may be changed again.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn write<'q>(&mut self, to: impl Into<Submission<'q>>, start: usize, from: &[T]) -> Result<()> {
        let offset = self.offset("write", start, from.len())?;
        self.memory.write(to.into(), offset, bytemuck::cast_slice(from))
    }

    /// Enqueues a copy of all of `source` into this buffer, which must have the same length.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn copy_from<'q>(&mut self, to: impl Into<Submission<'q>>, source: &Buffer<T>) -> Result<()> {
        if self.len != source.len {
            return Err(Error::LengthMismatch { operation: "copy", left: self.len, right: source.len });
        }
        self.memory.copy_from(to.into(), 0, &source.memory, 0, source.memory.bytes())
    }

    /// Enqueues setting all elements to `value`.
    ///
    /// # Errors
    /// [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn fill<'q>(&mut self, to: impl Into<Submission<'q>>, value: T) -> Result<()> {
        self.memory.fill(to.into(), bytemuck::bytes_of(&value), 0)
    }

    /// The untyped memory behind the buffer.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The byte offset of element `start`, when `count` elements from there exist.
    fn offset(&self, operation: &'static str, start: usize, count: usize) -> Result<usize> {
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
