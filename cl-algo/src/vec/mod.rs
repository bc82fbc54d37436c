//! Device vectors.
//!
//! | file | concept |
//! | --- | --- |
//! | `grow` | capacity, and changes at the end: `push`, `extend`, `truncate`, ... |
//! | `edit` | changes in the middle: `insert`, `drain`, `splice`, ... |

mod edit;
mod grow;

use crate::device_scalar::spare;
use crate::element::Element;
use crate::ir::leaf::Vector;
use cl_core::{Buffer, Error, Memory, Queue, Result};
use std::fmt;

/// A vector of elements in device memory, bound to the queue that works on it.
///
/// References to it are operands of lazy expressions: `a * &x + &y`.
///
/// The vector grows as [`Vec`] does: its memory may have room for more elements than its length, and [`DeviceVec::push`]
/// and [`DeviceVec::extend`] use that room first. Expressions, kernels and copies to the host see the length, not the
/// [`capacity`](DeviceVec::capacity).
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?; // a copy of the host's
/// let y = DeviceVec::filled(&queue, 10.0_f32, x.len())?;
/// x.add_assign(2.0 * &y)?; // on the device
/// assert_eq!(x.to_vec()?, [21.0, 22.0, 23.0]); // and back
/// # Ok(())
/// # }
/// ```
pub struct DeviceVec<T: Element> {
    buffer: Buffer<T::Stored>,
    queue: Queue,
}

impl<T: Element> DeviceVec<T> {
    /// Returns a device vector with a copy of `values`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1_u8, 2, 3])?;
    /// assert_eq!(x.len(), 3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Driver`] if the driver has no memory left.
    #[doc(alias("array", "copy_from_host"))]
    pub fn from_slice(queue: &Queue, values: &[T]) -> Result<DeviceVec<T>> {
        Ok(DeviceVec { buffer: Buffer::from_slice(queue, T::as_stored(values))?, queue: queue.clone() })
    }

    /// Returns a device vector of `len` elements that all equal `value`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::filled(&queue, 0.5_f32, 1000)?;
    /// assert_eq!(x.to_vec()?, [0.5; 1000]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`DeviceVec::from_slice`].
    #[doc(alias("full", "zeros", "ones", "fill_n"))]
    pub fn filled(queue: &Queue, value: T, len: usize) -> Result<DeviceVec<T>> {
        let stored = T::as_stored(std::slice::from_ref(&value))[0];
        Ok(DeviceVec { buffer: Buffer::filled(queue, stored, len)?, queue: queue.clone() })
    }

    /// Returns a device vector whose element `i` is the result of the host closure for `i`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let squares = DeviceVec::from_fn(&queue, 4, |i| i as u64 * i as u64)?;
    /// assert_eq!(squares.to_vec()?, [0, 1, 4, 9]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`DeviceVec::from_slice`].
    pub fn from_fn(queue: &Queue, len: usize, value: impl FnMut(usize) -> T) -> Result<DeviceVec<T>> {
        DeviceVec::from_slice(queue, &(0..len).map(value).collect::<Vec<T>>())
    }

    /// Returns a device vector with uninitialized elements, for a kernel that writes all of them.
    ///
    /// # Errors
    /// As [`DeviceVec::from_slice`].
    ///
    /// # Safety
    /// As [`Buffer::uninit`]: a command must write every element before one reads it.
    #[doc(alias = "empty")]
    pub unsafe fn uninit(queue: &Queue, len: usize) -> Result<DeviceVec<T>> {
        let spare = if len == 1 { spare::<T>(queue) } else { None };
        let buffer = match spare {
            Some(buffer) => buffer,
            // SAFETY: the caller promises that a command writes every element before one reads it.
            None => unsafe { Buffer::uninit(queue, len) }?,
        };
        Ok(DeviceVec { buffer, queue: queue.clone() })
    }

    /// Returns a device vector with uninitialized elements in the queue's scratch memory, for temporary values.
    /// [`into_scratch`](DeviceVec::into_scratch) gives the memory back.
    ///
    /// # Errors
    /// As [`DeviceVec::from_slice`].
    ///
    /// # Safety
    /// As [`DeviceVec::uninit`].
    pub unsafe fn in_scratch(queue: &Queue, len: usize) -> Result<DeviceVec<T>> {
        // SAFETY: as the caller promises.
        let buffer = unsafe { queue.scratch_buffer(len) }?;
        Ok(DeviceVec { buffer, queue: queue.clone() })
    }

    /// Gives the vector's memory back to its queue, as scratch memory for later commands. Commands of the queue that use the
    /// vector may still be in flight.
    ///
    /// # Safety
    /// [`in_scratch`](DeviceVec::in_scratch) has made the vector, it has not grown since, and nothing else has its memory.
    pub unsafe fn into_scratch(self) {
        // SAFETY: as the caller promises.
        unsafe { self.queue.return_scratch(self.buffer) };
    }

    /// Returns a device vector of a buffer's elements, without a copy. `queue` is the queue that works on the vector.
    ///
    /// [`into_buffer`](DeviceVec::into_buffer) gives the buffer back. [`Buffer::from_raw`] makes a buffer of memory of
    /// other libraries, [`BufferOptions`](cl_core::BufferOptions) of shared virtual memory and host memory.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_core::Buffer;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let buffer = Buffer::from_slice(&queue, &[3_u32, 1, 2])?; // such as a kernel of your own fills
    /// let mut x = DeviceVec::<u32>::from_buffer(&queue, buffer)?;
    /// x.sort()?;
    /// assert_eq!(x.into_buffer().to_vec(&queue)?, [1, 2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::ForeignObject`] if the buffer and the queue belong to different contexts.
    pub fn from_buffer(queue: &Queue, buffer: Buffer<T::Stored>) -> Result<DeviceVec<T>> {
        if !buffer.memory().belongs_to(queue.context()) {
            let reason = "the buffer and the queue belong to different contexts";
            return Err(Error::foreign_object("from_buffer", reason));
        }
        Ok(DeviceVec { buffer, queue: queue.clone() })
    }

    /// Returns the buffer behind the vector.
    #[must_use]
    pub fn into_buffer(self) -> Buffer<T::Stored> {
        self.buffer
    }

    /// Moves the vector to another queue of the same context, without a copy.
    ///
    /// Commands of the new queue wait for the commands of the old queue that use the vector.
    ///
    /// # Errors
    /// [`Error::ForeignObject`] if the queues belong to different contexts.
    pub fn into_queue(self, queue: &Queue) -> Result<DeviceVec<T>> {
        DeviceVec::from_buffer(queue, self.buffer)
    }

    /// Returns a copy of the vector.
    ///
    /// # Errors
    /// As [`DeviceVec::from_slice`].
    #[doc(alias = "clone")]
    pub fn try_clone(&self) -> Result<DeviceVec<T>> {
        self.iter().collect_on(&self.queue)
    }

    /// Returns one element, after everything enqueued so far. Blocks.
    ///
    /// To read many elements, use [`to_vec`](DeviceVec::to_vec) or `x.slice(range).to_vec()`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4])?;
    /// x.set(0, 10)?;
    /// x.write(2, &[30, 40])?;
    /// assert_eq!(x.get(3)?, 40);
    /// assert_eq!(x.to_vec()?, [10, 2, 30, 40]);
    /// assert!(x.get(4).is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], and as [`DeviceVec::to_vec`].
    #[doc(alias = "at")]
    pub fn get(&self, index: usize) -> Result<T> {
        let mut stored = [bytemuck::Zeroable::zeroed()];
        self.buffer.read(&self.queue, index, &mut stored)?;
        let [stored] = stored;
        Ok(T::from_stored(stored))
    }

    /// Returns the first element; `None` for an empty vector. One transfer of one element. Blocks.
    ///
    /// # Errors
    /// As [`DeviceVec::to_vec`].
    #[doc(alias = "front")]
    pub fn first(&self) -> Result<Option<T>> {
        if self.is_empty() { Ok(None) } else { self.get(0).map(Some) }
    }

    /// Returns the last element; `None` for an empty vector. One transfer of one element. Blocks.
    ///
    /// [`pop`](DeviceVec::pop) removes it as well.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::from_slice(&queue, &[1, 2, 3])?;
    /// assert_eq!((x.first()?, x.last()?), (Some(1), Some(3)));
    /// x.clear();
    /// assert_eq!((x.first()?, x.last()?), (None, None));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`DeviceVec::to_vec`].
    #[doc(alias("back", "top"))]
    pub fn last(&self) -> Result<Option<T>> {
        self.len().checked_sub(1).map(|last| self.get(last)).transpose()
    }

    /// Changes one element.
    ///
    /// To change many elements, use [`write`](DeviceVec::write) or [`assign`](DeviceVec::assign).
    ///
    /// # Errors
    /// As [`write`](DeviceVec::write).
    pub fn set(&mut self, index: usize, value: T) -> Result<()> {
        self.write(index, &[value])
    }

    /// Copies `values` of the host to the elements that start at `begin`. Blocks until `values` may be changed again.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], and [`Error::Driver`] if the driver refuses the command.
    #[doc(alias = "copy_from_slice")]
    pub fn write(&mut self, begin: usize, values: &[T]) -> Result<()> {
        self.buffer.write(&self.queue, begin, T::as_stored(values))
    }

    /// Returns the queue and the memory.
    pub(crate) fn into_parts(self) -> (Queue, Buffer<T::Stored>) {
        (self.queue, self.buffer)
    }

    /// Returns a copy of all elements on the host, after everything enqueued so far. Blocks.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[true, false])?;
    /// assert_eq!(x.to_vec()?, [true, false]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`] if this or an earlier command failed; [`Error::IndexOutOfRange`] if a kernel met an index out
    /// of range.
    #[doc(alias("copy_to_host", "asnumpy"))]
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let stored = self.buffer.to_vec(&self.queue)?;
        Ok(stored.into_iter().map(T::from_stored).collect())
    }

    /// Returns the number of elements.
    #[must_use]
    #[doc(alias = "size")]
    pub fn len(&self) -> usize {
        self.buffer.len()
    }

    /// Returns `true` if the vector has zero elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// Returns the queue that works on the vector.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Returns the buffer behind the vector, for kernels of your own.
    #[must_use]
    pub fn buffer(&self) -> &Buffer<T::Stored> {
        &self.buffer
    }

    /// Returns the buffer behind the vector, for kernels of your own that write to it.
    #[must_use]
    pub fn buffer_mut(&mut self) -> &mut Buffer<T::Stored> {
        &mut self.buffer
    }

    pub(crate) fn memory(&self) -> &Memory {
        self.buffer.memory()
    }

    /// Returns the vector as a leaf of expressions.
    pub(crate) fn as_leaf(&self) -> Vector<'_> {
        Vector::new(self.memory(), &self.queue, T::TYPE).of_len(self.len())
    }

    /// Returns the vector as a leaf that owns it.
    pub(crate) fn into_leaf<'a>(self) -> Vector<'a> {
        let len = self.len();
        Vector::owned(self.buffer.into_memory(), self.queue, T::TYPE).of_len(len)
    }
}

impl<T: Element> fmt::Debug for DeviceVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceVec<{}>({} elements)", std::any::type_name::<T>(), self.len())
    }
}

/// The number of elements that are printed at each end of a long vector.
const PRINTED: usize = 10;

/// Prints all elements, or the first and the last ones of a long vector. Waits for the device.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.5_f32, 2.5])?;
/// assert_eq!(x.to_string(), "[1.5, 2.5]");
/// let long = iota(0, 1000).collect_on(&queue)?.to_string();
/// assert!(long.starts_with("[0, 1, 2") && long.contains("9, ..., 990") && long.ends_with("999]"));
/// # Ok(())
/// # }
/// ```
impl<T: Element + fmt::Display> fmt::Display for DeviceVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let len = self.len();
        // A short vector is printed as one range, and the second range is empty.
        let (first, second) = if len > 2 * PRINTED { (PRINTED, len - PRINTED) } else { (len, len) };
        let ranges = [0..first, second..len].into_iter().filter(|range| !range.is_empty());
        f.write_str("[")?;
        for (number, range) in ranges.enumerate() {
            if number > 0 {
                f.write_str(", ..., ")?;
            }
            let values = match self.buffer.slice(range).and_then(|part| part.to_vec(&self.queue)) {
                Ok(values) => values,
                Err(error) => return write!(f, "error: {error}]"),
            };
            for (at, value) in values.into_iter().map(T::from_stored).enumerate() {
                if at > 0 {
                    f.write_str(", ")?;
                }
                value.fmt(f)?;
            }
        }
        f.write_str("]")
    }
}
