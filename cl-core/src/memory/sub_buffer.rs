//! Sub-buffers: parts of a buffer that kernels take like buffers.

use super::slice::{Slice, SliceMut};
use super::untyped::Memory;
use crate::hazard::Access;
use crate::launch::{Arg, ClType, KernelArg};
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// A memory object for a part of a buffer, to be read. Made by
/// [`Buffer::sub_buffer`](crate::Buffer::sub_buffer).
///
/// A sub-buffer borrows its buffer and shares its memory. Commands on the sub-buffer wait for
/// commands on the buffer, and the reverse. Copies and transfers of ranges need no sub-buffer: see
/// [`Slice`].
pub struct SubBuffer<'a, T: Pod> {
    memory: Memory,
    len: usize,
    parent: PhantomData<&'a T>,
}

/// A memory object for a part of a buffer, to be read and written. Made by
/// [`Buffer::sub_buffer_mut`](crate::Buffer::sub_buffer_mut) and [`SliceMut::into_sub_buffer_mut`].
///
/// ```
/// # use cl_core::{Buffer, Device, Queue, SliceMut};
/// # fn main() -> cl_core::Result<()> {
/// let device = Device::first()?;
/// let queue = Queue::on(&device)?;
/// let middle = device.base_address_align()? as usize / 8; // bytes, and so elements of u8
/// let mut x = Buffer::filled(&queue, 0_u8, 2 * middle)?;
/// let (left, right) = SliceMut::from(&mut x).split_at_mut(middle)?;
/// let (mut left, mut right) = (left.into_sub_buffer_mut()?, right.into_sub_buffer_mut()?);
/// left.as_slice_mut().fill(&queue, 1)?;
/// right.as_slice_mut().fill(&queue, 2)?; // a kernel takes both: `.arg(&mut left).arg(&mut right)`
/// assert_eq!(x.to_vec(&queue)?[middle - 1..=middle], [1, 2]);
/// # Ok(())
/// # }
/// ```
pub struct SubBufferMut<'a, T: Pod> {
    part: SubBuffer<'a, T>,
    /// Exclusive, so that no two mutable sub-buffers overlap.
    parent: PhantomData<&'a mut T>,
}

impl<'a, T: Pod> SubBuffer<'a, T> {
    pub(super) fn of(memory: Memory, len: usize) -> SubBuffer<'a, T> {
        SubBuffer { memory, len, parent: PhantomData }
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the sub-buffer has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Borrows the elements, for transfers.
    #[must_use]
    pub fn as_slice(&self) -> Slice<'_, T> {
        Slice::whole(&self.memory, self.len)
    }

    /// Returns the untyped memory behind the sub-buffer.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }
}

impl<'a, T: Pod> SubBufferMut<'a, T> {
    pub(super) fn of(memory: Memory, len: usize) -> SubBufferMut<'a, T> {
        SubBufferMut { part: SubBuffer::of(memory, len), parent: PhantomData }
    }

    /// Borrows the elements mutably, for transfers.
    #[must_use]
    pub fn as_slice_mut(&mut self) -> SliceMut<'_, T> {
        SliceMut::whole(&self.part.memory, self.part.len)
    }
}

impl<'a, T: Pod> Deref for SubBufferMut<'a, T> {
    type Target = SubBuffer<'a, T>;

    fn deref(&self) -> &Self::Target {
        &self.part
    }
}

/// A kernel argument like `&Buffer`.
impl<'a, T: Pod> KernelArg<'a> for &'a SubBuffer<'_, T> {
    fn cl_type(&self) -> Option<ClType> {
        ClType::of::<T>()
    }

    fn into_arg(self) -> Arg<'a> {
        Arg::Unmarked(&self.memory, Access::Read)
    }
}

/// A kernel argument like `&Buffer`.
impl<'a, T: Pod> KernelArg<'a> for &'a SubBufferMut<'_, T> {
    fn cl_type(&self) -> Option<ClType> {
        ClType::of::<T>()
    }

    fn into_arg(self) -> Arg<'a> {
        Arg::Unmarked(&self.part.memory, Access::Read)
    }
}

/// A kernel argument like `&mut Buffer`.
impl<'a, T: Pod> KernelArg<'a> for &'a mut SubBufferMut<'_, T> {
    fn cl_type(&self) -> Option<ClType> {
        ClType::of::<T>()
    }

    fn into_arg(self) -> Arg<'a> {
        Arg::Unmarked(&self.part.memory, Access::Write)
    }
}

impl<T: Pod> fmt::Debug for SubBuffer<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SubBuffer<{}>({} elements)", std::any::type_name::<T>(), self.len)
    }
}

impl<T: Pod> fmt::Debug for SubBufferMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SubBufferMut<{}>({} elements)", std::any::type_name::<T>(), self.len)
    }
}
