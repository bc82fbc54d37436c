//! Capacity, and changes at the end of a vector.

use super::DeviceVec;
use crate::algorithm::assign;
use crate::device_scalar::DeviceScalar;
use crate::element::Element;
use crate::expr::Operand;
use cl_core::{Buffer, Error, Queue, Result};

impl<T: Element> DeviceVec<T> {
    /// Returns an empty vector with room for `capacity` elements.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::with_capacity(&queue, 100)?;
    /// x.extend_from_slice(&[1, 2, 3])?;
    /// x.push(4)?;
    /// x.extend(iota(5, 2))?;
    /// assert_eq!(x.to_vec()?, [1, 2, 3, 4, 5, 6]);
    /// assert!(x.capacity() >= 100);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`DeviceVec::from_slice`].
    #[doc(alias = "new")]
    pub fn with_capacity(queue: &Queue, capacity: usize) -> Result<DeviceVec<T>> {
        // SAFETY: the buffer has zero elements.
        let mut buffer = unsafe { Buffer::uninit(queue, capacity) }?;
        buffer.truncate(0);
        Ok(DeviceVec { buffer, queue: queue.clone() })
    }

    /// Returns the number of elements that the vector's memory has room for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.buffer.capacity()
    }

    /// Makes room for `additional` elements after the last one.
    ///
    /// If the memory is too small, the vector moves to new memory of at least twice the capacity, or of exactly the
    /// needed size where the device cannot allocate that much at once. The cost of `n` appended elements is therefore
    /// that of at most `2 n` copied ones. One allocation and one copy on the device, or nothing; does not wait.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Driver`] if the driver has no memory left. The vector is then unchanged.
    pub fn reserve(&mut self, additional: usize) -> Result<()> {
        let Some(capacity) = self.capacity_for(additional)? else { return Ok(()) };
        self.move_to_memory_of(capacity)
    }

    /// Moves the vector to memory of exactly its size, if its memory is larger.
    ///
    /// One allocation and one copy on the device, or nothing; does not wait.
    ///
    /// # Errors
    /// As [`reserve`](DeviceVec::reserve).
    pub fn shrink_to_fit(&mut self) -> Result<()> {
        if self.capacity() == self.len() { Ok(()) } else { self.move_to_memory_of(self.len()) }
    }

    /// Appends one element of the host.
    ///
    /// One transfer of one element: many elements are appended at once by
    /// [`extend_from_slice`](DeviceVec::extend_from_slice).
    ///
    /// # Errors
    /// As [`reserve`](DeviceVec::reserve).
    #[doc(alias = "push_back")]
    pub fn push(&mut self, value: T) -> Result<()> {
        self.extend_from_slice(&[value])
    }

    /// Removes the last element and returns it; `None` for an empty vector. One transfer of one element. Blocks.
    ///
    /// # Errors
    /// As [`DeviceVec::to_vec`]. The vector is then unchanged.
    #[doc(alias = "pop_back")]
    pub fn pop(&mut self) -> Result<Option<T>> {
        let Some(last) = self.len().checked_sub(1) else { return Ok(None) };
        let value = self.get(last)?;
        self.truncate(last);
        Ok(Some(value))
    }

    /// Appends elements of the host. One transfer, after [`reserve`](DeviceVec::reserve). Blocks until `values` may be
    /// changed again.
    ///
    /// # Errors
    /// As [`reserve`](DeviceVec::reserve).
    #[doc(alias = "append")]
    pub fn extend_from_slice(&mut self, values: &[T]) -> Result<()> {
        let len = self.len();
        self.append_with(values.len(), |all| all.write(len, values))
    }

    /// Appends the items of an expression. One kernel, after [`reserve`](DeviceVec::reserve); does not wait.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::from_slice(&queue, &[1, 2])?;
    /// let y = DeviceVec::from_slice(&queue, &[3, 4])?;
    /// x.extend(10 * &y)?;
    /// x.extend(constant(7).take(2))?;
    /// assert_eq!(x.to_vec()?, [1, 2, 30, 40, 7, 7]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`collect`](crate::Expr::collect) and [`reserve`](DeviceVec::reserve). The elements are then unchanged.
    pub fn extend<'a>(&mut self, value: impl Operand<'a, T>) -> Result<()> {
        let value = value.into_expr();
        let (begin, more) = (self.len(), value.len_to_store("extend")?);
        self.append_with(more, |all| assign(all.slice_mut(begin..), value))
    }

    /// Appends all elements of another vector and leaves it empty, with its memory. One copy on the device, after
    /// [`reserve`](DeviceVec::reserve); does not wait.
    ///
    /// # Errors
    /// As [`reserve`](DeviceVec::reserve), and [`Error::ForeignObject`] if the vectors belong to different contexts. Both
    /// vectors are then unchanged.
    pub fn append(&mut self, other: &mut DeviceVec<T>) -> Result<()> {
        let begin = self.len();
        self.append_with(other.len(), |all| {
            all.buffer.slice_mut(begin..)?.copy_from(&all.queue, &other.buffer)
        })?;
        other.clear();
        Ok(())
    }

    /// Sets the length: drops elements at the end, or appends copies of `value`. One fill, after
    /// [`reserve`](DeviceVec::reserve), or nothing; does not wait.
    ///
    /// # Errors
    /// As [`reserve`](DeviceVec::reserve).
    pub fn resize(&mut self, len: usize, value: T) -> Result<()> {
        let begin = self.len();
        let Some(more) = len.checked_sub(begin) else {
            self.truncate(len);
            return Ok(());
        };
        let stored = T::as_stored(std::slice::from_ref(&value))[0];
        self.append_with(more, |all| all.buffer.slice_mut(begin..)?.fill(&all.queue, stored))
    }

    /// Keeps the first `len` elements. A shorter vector is unchanged. The memory is kept: see
    /// [`shrink_to_fit`](DeviceVec::shrink_to_fit). Makes no driver call.
    pub fn truncate(&mut self, len: usize) {
        self.buffer.truncate(len);
    }

    /// Keeps as many elements as a number on the device says, such as the result of [`unique`](crate::stl::unique).
    ///
    /// The length of a vector is known to the host, so the number is read. Blocks. To go on without waiting, keep the
    /// number on the device and leave the vector longer than its meaning.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 1, 2, 2, 2])?;
    /// let mut values = DeviceVec::filled(&queue, 0, x.len())?;
    /// let count = cl_algo::stl::unique(&x, &mut values)?;
    /// values.truncate_by(&count)?;
    /// assert_eq!(values.to_vec()?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`DeviceScalar::get`].
    pub fn truncate_by(&mut self, len: &DeviceScalar<u64>) -> Result<()> {
        self.truncate(usize::try_from(len.get()?).unwrap_or(usize::MAX));
        Ok(())
    }

    /// Removes all elements. The memory is kept. Makes no driver call.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Returns the capacity to move to for `additional` elements, or `None` if they have room.
    pub(super) fn capacity_for(&self, additional: usize) -> Result<Option<usize>> {
        let size = size_of::<T::Stored>();
        let needed = self.len() as u128 + additional as u128;
        if needed <= self.capacity() as u128 {
            return Ok(None);
        }
        let limit = u128::from(self.queue.device().limits()?.allocation);
        let amortized = needed.max(2 * self.capacity() as u128);
        let capacity = if amortized * size as u128 <= limit { amortized } else { needed };
        let too_large = |_| Error::too_large(needed * size as u128, self.queue.device());
        usize::try_from(capacity).map(Some).map_err(too_large)
    }

    /// Returns memory for `capacity` elements, as a buffer of `len` elements.
    ///
    /// # Safety
    /// As [`Buffer::uninit`].
    pub(super) unsafe fn memory_for(&self, capacity: usize, len: usize) -> Result<Buffer<T::Stored>> {
        // SAFETY: as the caller promises.
        let mut buffer = unsafe { Buffer::uninit(&self.queue, capacity) }?;
        buffer.truncate(len);
        Ok(buffer)
    }

    /// Copies the vector to new memory for `capacity` elements, which is at least its length.
    fn move_to_memory_of(&mut self, capacity: usize) -> Result<()> {
        // SAFETY: the copy writes all elements. If it cannot be enqueued, the buffer is dropped.
        let mut buffer = unsafe { self.memory_for(capacity, self.len()) }?;
        buffer.copy_from(&self.queue, &self.buffer)?;
        self.buffer = buffer;
        Ok(())
    }

    /// Appends `more` elements, which `write` writes.
    fn append_with(
        &mut self,
        more: usize,
        write: impl FnOnce(&mut DeviceVec<T>) -> Result<()>,
    ) -> Result<()> {
        self.reserve(more)?;
        let len = self.len();
        // SAFETY: `write` writes the new elements. If it cannot, they are removed again.
        unsafe { self.buffer.set_len(len + more) }?;
        let written = write(self);
        if written.is_err() {
            self.truncate(len);
        }
        written
    }
}

impl<T: crate::expr::Item> crate::expr::Expr<'_, T> {
    /// Returns the number of items, for an operation that stores them.
    pub(super) fn len_to_store(&self, operation: &'static str) -> Result<usize> {
        self.check()?;
        self.len().ok_or_else(|| {
            let reason = "the expression consists of scalars, so there is no length: use `take`".to_owned();
            Error::invalid_input(operation, reason)
        })
    }
}
