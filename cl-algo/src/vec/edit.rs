//! Changes in the middle of a vector.
//!
//! OpenCL's copies must not overlap, so elements that move by less than their number take the way over scratch memory.
//! If a driver's call fails, no other elements are lost than those that were to be replaced, unless moving them back fails, too.

use super::DeviceVec;
use crate::algorithm::assign;
use crate::element::Element;
use crate::expr::Operand;
use crate::sink::{ends, invalid_range};
use cl_core::{Buffer, Error, Queue, Result};
use std::ops::{Range, RangeBounds};

impl<T: Element> DeviceVec<T> {
    /// Inserts one element of the host before the element at `index`, or at the end.
    ///
    /// One transfer, and at most two copies on the device. Many elements are inserted at once by
    /// [`splice`](DeviceVec::splice).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::from_slice(&queue, &[1, 2, 4])?;
    /// x.insert(2, 3)?;
    /// assert_eq!(x.remove(0)?, 1);
    /// assert_eq!(x.to_vec()?, [2, 3, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] for an `index` beyond the end, and as [`reserve`](DeviceVec::reserve). The vector is then
    /// unchanged, unless the driver refuses to move the elements back: then it ends at `index`.
    pub fn insert(&mut self, index: usize, value: T) -> Result<()> {
        if index > self.len() {
            return Err(Error::out_of_bounds("insert", index, index, self.len()));
        }
        self.replace_with(index..index, 1, |all| all.write(index, &[value]))
    }

    /// Replaces the elements of a range by the items of an expression, of which there may be more or fewer. An empty range
    /// inserts items.
    ///
    /// One kernel, and at most two copies on the device; does not wait.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::from_slice(&queue, &[1, 2, 3, 9])?;
    /// let y = DeviceVec::from_slice(&queue, &[5, 6, 7])?;
    /// x.splice(1..3, 10 * &y)?;
    /// assert_eq!(x.to_vec()?, [1, 50, 60, 70, 9]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a range beyond the end and for an expression without a length; as
    /// [`collect`](crate::Expr::collect) and [`reserve`](DeviceVec::reserve). The vector is then unchanged, with two
    /// exceptions. If the driver refuses to move the elements behind a longer range back, the vector ends at the begin of
    /// the range. If it refuses to move them to the end of a shorter range, the elements of the range are unspecified.
    pub fn splice<'a>(&mut self, range: impl RangeBounds<usize>, value: impl Operand<'a, T>) -> Result<()> {
        let value = value.into_expr();
        let (range, more) = (self.range(&range)?, value.len_to_store("splice")?);
        if let Some(queue) = value.shared_queue()
            && *queue != self.queue
        {
            return Err(Error::foreign_object(
                "splice",
                "the vector and the expression have different queues",
            ));
        }
        let begin = range.start;
        self.replace_with(range, more, |all| assign(all.slice_mut(begin..begin + more), value))
    }

    /// Removes the element at `index` and returns it. One transfer, and at most two copies on the device. Blocks.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], and as [`DeviceVec::to_vec`].
    #[doc(alias = "erase")]
    pub fn remove(&mut self, index: usize) -> Result<T> {
        let value = self.get(index)?;
        self.erase(index..=index)?;
        Ok(value)
    }

    /// Removes the element at `index` and returns it; the last element takes its place. One transfer and one copy of one
    /// element. Blocks.
    ///
    /// # Errors
    /// As [`remove`](DeviceVec::remove).
    pub fn swap_remove(&mut self, index: usize) -> Result<T> {
        let value = self.get(index)?;
        let last = self.len() - 1;
        if index != last {
            self.buffer.copy_within(&self.queue, last.., index)?;
        }
        self.truncate(last);
        Ok(value)
    }

    /// Removes the elements of a range (`erase` of the STL). At most two copies on the device; does not wait.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::from_slice(&queue, &[0, 1, 2, 3, 4, 5])?;
    /// x.erase(..2)?;
    /// let middle = x.drain(1..3)?;
    /// assert_eq!(middle.to_vec()?, [3, 4]);
    /// assert_eq!(x.to_vec()?, [2, 5]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a range beyond the end, and [`Error::Driver`] if the driver refuses a copy.
    pub fn erase(&mut self, range: impl RangeBounds<usize>) -> Result<()> {
        let range = self.range(&range)?;
        self.remove_range(range)
    }

    /// Removes the elements of a range and returns them as a vector. One allocation, and at most three copies on the
    /// device; does not wait.
    ///
    /// # Errors
    /// As [`erase`](DeviceVec::erase) and [`DeviceVec::from_slice`].
    pub fn drain(&mut self, range: impl RangeBounds<usize>) -> Result<DeviceVec<T>> {
        let range = self.range(&range)?;
        let removed = self.copy_of(range.clone())?;
        self.remove_range(range)?;
        Ok(removed)
    }

    /// Divides the vector: it keeps the elements before `at`, and the result has the elements from `at` on. One allocation
    /// and one copy on the device; does not wait.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an `at` beyond the end, and as [`DeviceVec::from_slice`].
    pub fn split_off(&mut self, at: usize) -> Result<DeviceVec<T>> {
        let range = self.range(&(at..))?;
        let rest = self.copy_of(range)?;
        self.truncate(at);
        Ok(rest)
    }

    /// Returns a range of indices, or an error if it is not one of the vector.
    fn range(&self, range: &impl RangeBounds<usize>) -> Result<Range<usize>> {
        let (begin, given_end) = ends(range);
        let end = given_end.unwrap_or(self.len());
        if begin <= end && end <= self.len() {
            return Ok(begin..end);
        }
        Err(invalid_range(begin, given_end, Some(self.len())))
    }

    /// Returns a copy of a range of elements.
    fn copy_of(&self, range: Range<usize>) -> Result<DeviceVec<T>> {
        // SAFETY: the copy writes all elements. If it cannot be enqueued, the buffer is dropped.
        let mut buffer = unsafe { self.memory_for(range.len(), range.len()) }?;
        SliceOf(&mut buffer, 0..range.len()).copy_from(&self.queue, &self.buffer, range)?;
        Ok(DeviceVec { buffer, queue: self.queue.clone() })
    }

    /// Removes the elements of a range.
    fn remove_range(&mut self, range: Range<usize>) -> Result<()> {
        self.replace_with(range, 0, |_| Ok(()))
    }

    /// Replaces the elements of a range by `more` elements, which `write` writes before they are read.
    fn replace_with(
        &mut self,
        range: Range<usize>,
        more: usize,
        write: impl FnOnce(&mut DeviceVec<T>) -> Result<()>,
    ) -> Result<()> {
        let (begin, end, len) = (range.start, range.end, self.len());
        let (moved_to, tail) = (begin + more, len - end);
        if let Some(capacity) = self.capacity_for(more.saturating_sub(end - begin))? {
            // SAFETY: `write` and the copies write all elements. If one cannot be enqueued, the buffer is dropped.
            let buffer = unsafe { self.memory_for(capacity, moved_to + tail) }?;
            let mut moved = DeviceVec { buffer, queue: self.queue.clone() };
            write(&mut moved)?;
            SliceOf(&mut moved.buffer, 0..begin).copy_from(&self.queue, &self.buffer, 0..begin)?;
            SliceOf(&mut moved.buffer, moved_to..moved_to + tail).copy_from(
                &self.queue,
                &self.buffer,
                end..len,
            )?;
            *self = moved;
            return Ok(());
        }
        if moved_to <= end {
            write(self)?;
            self.move_within(end..len, moved_to)?;
            self.truncate(moved_to + tail);
            return Ok(());
        }
        // SAFETY: the copies and `write` write the new elements. If one cannot be enqueued, they are removed again.
        unsafe { self.buffer.set_len(moved_to + tail) }?;
        let moved = self.move_within(end..len, moved_to);
        let has_moved = moved.is_ok();
        let written = moved.and_then(|()| write(self));
        if written.is_err() {
            let is_back = !has_moved || self.move_within(moved_to..moved_to + tail, end).is_ok();
            self.truncate(if is_back { len } else { begin });
        }
        written
    }

    /// Copies the elements of a range to the elements from `to` on.
    fn move_within(&mut self, from: Range<usize>, to: usize) -> Result<()> {
        let count = from.len();
        if from.start == to {
            return Ok(());
        }
        if from.start.abs_diff(to) >= count {
            return self.buffer.copy_within(&self.queue, from, to);
        }
        // SAFETY: the first copy writes all elements.
        let mut between = unsafe { DeviceVec::<T>::in_scratch(&self.queue, count) }?;
        let there = SliceOf(&mut between.buffer, 0..count).copy_from(&self.queue, &self.buffer, from);
        let back = there.and_then(|()| {
            SliceOf(&mut self.buffer, to..to + count).copy_from(&self.queue, &between.buffer, 0..count)
        });
        // SAFETY: it is in scratch memory and has not grown.
        unsafe { between.into_scratch() };
        back
    }
}

/// A range of a buffer's elements to copy to.
struct SliceOf<'b, T: bytemuck::Pod>(&'b mut Buffer<T>, Range<usize>);

impl<T: bytemuck::Pod> SliceOf<'_, T> {
    fn copy_from(self, queue: &Queue, from: &Buffer<T>, range: Range<usize>) -> Result<()> {
        self.0.slice_mut(self.1)?.copy_from(queue, from.slice(range)?)
    }
}
