//! Device vectors.

use crate::device_scalar::spare;
use crate::element::Element;
use cl_core::{Buffer, Memory, Queue, Result};
use std::fmt;

/// A vector of elements in device memory, bound to the queue that works on it.
///
/// References to it are operands of lazy expressions: `a * &x + &y`.
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
    /// A device vector that holds a copy of `values`.
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
    /// [`Error::TooLarge`](cl_core::Error::TooLarge), or
    /// [`Error::Driver`](cl_core::Error::Driver) when the driver has no memory left.
    pub fn from_slice(queue: &Queue, values: &[T]) -> Result<DeviceVec<T>> {
        Ok(DeviceVec { buffer: Buffer::from_slice(queue, T::as_stored(values))?, queue: queue.clone() })
    }

    /// A device vector of `len` elements that all are `value`.
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
    pub fn filled(queue: &Queue, value: T, len: usize) -> Result<DeviceVec<T>> {
        let stored = T::as_stored(std::slice::from_ref(&value))[0];
        Ok(DeviceVec { buffer: Buffer::filled(queue, stored, len)?, queue: queue.clone() })
    }

    /// A device vector of what a closure on the host makes of each index.
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

    /// Returns a device vector whose elements are yet to be written: the output of a kernel that writes all of them.
    ///
    /// # Errors
    /// As [`DeviceVec::from_slice`].
    ///
    /// # Safety
    /// As [`Buffer::uninit`]: a command must write every element before one reads it.
    pub unsafe fn uninit(queue: &Queue, len: usize) -> Result<DeviceVec<T>> {
        let spare = if len == 1 { spare::<T>(queue) } else { None };
        let buffer = match spare {
            Some(buffer) => buffer,
            // SAFETY: by the caller's promise.
            None => unsafe { Buffer::uninit(queue, len) }?,
        };
        Ok(DeviceVec { buffer, queue: queue.clone() })
    }

    /// The queue, and the memory.
    pub(crate) fn into_parts(self) -> (Queue, Buffer<T::Stored>) {
        (self.queue, self.buffer)
    }

    /// All elements, after everything enqueued so far. Blocks.
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
    /// [`Error::Driver`](cl_core::Error::Driver) when this or an earlier command failed;
    /// [`Error::IndexOutOfRange`](cl_core::Error::IndexOutOfRange) when a kernel met an index out of
    /// range.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let stored = self.buffer.to_vec(&self.queue)?;
        Ok(stored.into_iter().map(T::from_stored).collect())
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.buffer.len()
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// The queue that works on the vector.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// The buffer behind the vector, for kernels of your own.
    #[must_use]
    pub fn buffer(&self) -> &Buffer<T::Stored> {
        &self.buffer
    }

    /// The buffer behind the vector, for kernels of your own that write to it.
    #[must_use]
    pub fn buffer_mut(&mut self) -> &mut Buffer<T::Stored> {
        &mut self.buffer
    }

    pub(crate) fn memory(&self) -> &Memory {
        self.buffer.memory()
    }
}

impl<T: Element> fmt::Debug for DeviceVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceVec<{}>({} elements)", std::any::type_name::<T>(), self.len())
    }
}
