//! Views: ranges of a buffer, borrowed as Rust borrows ranges of a slice.

use super::buffer::Buffer;
use super::sub_buffer::{SubBuffer, SubBufferMut};
use super::untyped::Memory;
use crate::error::{Error, Result};
use crate::hazard::Access;
use crate::submission::Submission;
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};

/// A view of consecutive elements of a buffer, to be read. Making a view makes no driver call.
pub struct Slice<'a, T: Pod> {
    memory: &'a Memory,
    start: usize,
    len: usize,
    element: PhantomData<&'a T>,
}

/// A view of consecutive elements of a buffer, to be read and written.
pub struct SliceMut<'a, T: Pod> {
    memory: &'a Memory,
    start: usize,
    len: usize,
    /// Exclusive, so that no two mutable views overlap.
    element: PhantomData<&'a mut T>,
}

impl<T: Pod> Clone for Slice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Pod> Copy for Slice<'_, T> {}

impl<'a, T: Pod> From<&'a Buffer<T>> for Slice<'a, T> {
    fn from(buffer: &'a Buffer<T>) -> Self {
        Slice { memory: buffer.memory(), start: 0, len: buffer.len(), element: PhantomData }
    }
}

impl<'a, T: Pod> From<&'a mut Buffer<T>> for SliceMut<'a, T> {
    fn from(buffer: &'a mut Buffer<T>) -> Self {
        SliceMut { len: buffer.len(), memory: buffer.memory(), start: 0, element: PhantomData }
    }
}

impl<'a, T: Pod> From<SliceMut<'a, T>> for Slice<'a, T> {
    fn from(view: SliceMut<'a, T>) -> Self {
        Slice { memory: view.memory, start: view.start, len: view.len, element: PhantomData }
    }
}

impl<'a, T: Pod> Slice<'a, T> {
    /// Makes a view of the `len` elements that `memory` holds.
    pub(super) fn whole(memory: &'a Memory, len: usize) -> Slice<'a, T> {
        Slice { memory, start: 0, len, element: PhantomData }
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the view has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns a narrower view; `range` counts from the beginning of this view.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`].
    pub fn slice(self, range: impl RangeBounds<usize>) -> Result<Slice<'a, T>> {
        let (start, len) = within("slice", &range, self.len)?;
        Ok(Slice { start: self.start + start, len, ..self })
    }

    /// Reads the elements into `into`, which must have the same length. Blocks.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn read<'q>(&self, to: impl Into<Submission<'q>>, into: &mut [T]) -> Result<()> {
        same_length("read", into.len(), self.len)?;
        self.memory.read(to.into(), self.offset(), bytemuck::cast_slice_mut(into))
    }

    /// Returns the elements. Blocks until the commands that write to the elements have ended and the
    /// elements have been read.
    ///
    /// # Errors
    /// [`Error::ForeignObject`], or [`Error::Driver`] when this or an earlier command failed.
    pub fn to_vec<'q>(&self, to: impl Into<Submission<'q>>) -> Result<Vec<T>> {
        let mut values = vec![T::zeroed(); self.len];
        self.read(to, &mut values)?;
        Ok(values)
    }

    /// Creates a memory object for the elements of the view, for kernels that read it.
    ///
    /// # Errors
    /// As [`Buffer::sub_buffer`].
    pub fn into_sub_buffer(self) -> Result<SubBuffer<'a, T>> {
        let memory = self.memory.sub_buffer(self.offset(), self.bytes(), Access::Read)?;
        Ok(SubBuffer::of(memory, self.len))
    }

    pub(super) fn memory(&self) -> &'a Memory {
        self.memory
    }

    /// Returns the offset of the view's first element, in bytes.
    pub(super) fn offset(&self) -> usize {
        self.start * size_of::<T>()
    }

    /// Returns the size of the view in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
}

impl<'a, T: Pod> SliceMut<'a, T> {
    /// Makes a view of the `len` elements that `memory` holds; the caller has borrowed them
    /// exclusively.
    pub(super) fn whole(memory: &'a Memory, len: usize) -> SliceMut<'a, T> {
        SliceMut { memory, start: 0, len, element: PhantomData }
    }

    /// Returns the elements of a buffer as a view, for types that keep track of mutable borrows themselves.
    ///
    /// # Safety
    /// Nothing else may read or write the elements that are written through the view, while the view exists.
    #[must_use]
    pub unsafe fn of_shared(buffer: &'a Buffer<T>) -> SliceMut<'a, T> {
        SliceMut { memory: buffer.memory(), start: 0, len: buffer.len(), element: PhantomData }
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the view has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns a read-only view of the same elements.
    #[must_use]
    pub fn as_slice(&self) -> Slice<'_, T> {
        Slice { memory: self.memory, start: self.start, len: self.len, element: PhantomData }
    }

    /// Returns a mutable view of the same elements, with a shorter lifetime.
    #[must_use]
    pub fn reborrow(&mut self) -> SliceMut<'_, T> {
        SliceMut { memory: self.memory, start: self.start, len: self.len, element: PhantomData }
    }

    /// Returns a narrower view; `range` counts from the beginning of this view.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`].
    pub fn into_slice_mut(self, range: impl RangeBounds<usize>) -> Result<SliceMut<'a, T>> {
        let (start, len) = within("slice", &range, self.len)?;
        Ok(SliceMut { start: self.start + start, len, ..self })
    }

    /// Splits the view into two that do not overlap: the first `middle` elements, and the rest.
    ///
    /// ```
    /// # use cl_core::{Buffer, Device, Queue, SliceMut};
    /// # fn main() -> cl_core::Result<()> {
    /// let queue = Queue::on(&Device::first()?)?;
    /// let mut x = Buffer::from_slice(&queue, &[1, 2, 3, 4])?;
    /// let (left, mut right) = SliceMut::from(&mut x).split_at_mut(2)?;
    /// right.copy_from(&queue, left)?;
    /// assert_eq!(x.to_vec(&queue)?, [1, 2, 1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] when there are fewer than `middle` elements.
    pub fn split_at_mut(self, middle: usize) -> Result<(SliceMut<'a, T>, SliceMut<'a, T>)> {
        let (_, len) = within("split", &(middle..), self.len)?;
        let left = SliceMut { len: middle, ..self };
        Ok((left, SliceMut { start: self.start + middle, len, ..self }))
    }

    /// Writes `from`, which must have the view's length. Blocks until `from` may be changed again.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn write<'q>(&mut self, to: impl Into<Submission<'q>>, from: &[T]) -> Result<()> {
        same_length("write", self.len, from.len())?;
        self.memory.write(to.into(), self.as_slice().offset(), bytemuck::cast_slice(from))
    }

    /// Enqueues a copy of `source`, a buffer or a view of the same length.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn copy_from<'q, 's>(
        &mut self,
        to: impl Into<Submission<'q>>,
        source: impl Into<Slice<'s, T>>,
    ) -> Result<()> {
        let source = source.into();
        same_length("copy", self.len, source.len)?;
        let at = self.as_slice().offset();
        self.memory.copy_from(to.into(), at, source.memory, source.offset(), source.bytes())
    }

    /// Enqueues setting all elements to `value`.
    ///
    /// # Errors
    /// [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn fill<'q>(&mut self, to: impl Into<Submission<'q>>, value: T) -> Result<()> {
        let view = self.as_slice();
        self.memory.fill(to.into(), bytemuck::bytes_of(&value), view.offset(), view.bytes())
    }

    /// Creates a memory object for the elements of the view, for kernels that write it.
    ///
    /// # Errors
    /// As [`Buffer::sub_buffer`].
    pub fn into_sub_buffer_mut(self) -> Result<SubBufferMut<'a, T>> {
        let view = self.as_slice();
        let memory = self.memory.sub_buffer(view.offset(), view.bytes(), Access::Write)?;
        Ok(SubBufferMut::of(memory, self.len))
    }
}

/// Returns the start and the length of `range` among `len` elements, or an error unless `range`
/// lies inside.
pub(super) fn within(
    operation: &'static str,
    range: &impl RangeBounds<usize>,
    len: usize,
) -> Result<(usize, usize)> {
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => last.checked_add(1),
        Bound::Excluded(&end) => Some(end),
        Bound::Unbounded => Some(len),
    };
    match end {
        Some(end) if start <= end && end <= len => Ok((start, end - start)),
        _ => Err(Error::OutOfBounds { operation, start, end: end.unwrap_or(usize::MAX), len }),
    }
}

fn same_length(operation: &'static str, left: usize, right: usize) -> Result<()> {
    if left == right { Ok(()) } else { Err(Error::LengthMismatch { operation, left, right }) }
}

impl<T: Pod> fmt::Debug for Slice<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end) = (self.start, self.start + self.len);
        write!(f, "Slice<{}>({start}..{end})", std::any::type_name::<T>())
    }
}

impl<T: Pod> fmt::Debug for SliceMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end) = (self.start, self.start + self.len);
        write!(f, "SliceMut<{}>({start}..{end})", std::any::type_name::<T>())
    }
}
