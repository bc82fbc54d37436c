//! Scalars that stay on the device.

use crate::element::Element;
use crate::expr::{Expr, Operand};
use crate::ir::graph::Graph;
use crate::vec::DeviceVec;
use cl_core::{Buffer, Memory, Queue, Result};
use std::fmt;
use std::mem::ManuallyDrop;
use std::sync::{Mutex, PoisonError};

/// One value in device memory, bound to the queue that works on it.
///
/// Reductions named `_on_device` return it, and so do selections, for the number of selected items.
///
/// A reference to it is an operand of expressions of any length, on either side of an operator, and the host does not
/// wait for the value. A recorded closure cannot capture it: zip it with the elements, as in
/// `zip((&x, &square)).map(|(x, square)| x / square)`.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::math::sqrt;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3.0_f32, 4.0])?;
/// let square = (&x * &x).sum_on_device()?;
/// let unit = (&x / sqrt(&square)).collect()?; // the host has not seen the length
/// assert_eq!(unit.to_vec()?, [0.6, 0.8]);
/// assert_eq!(square.get()?, 25.0);
/// # Ok(())
/// # }
/// ```
pub struct DeviceScalar<T: Element>(ManuallyDrop<DeviceVec<T>>);

/// The memory of dropped scalars, for the next scalars of the queue.
///
/// An algorithm that returns a scalar allocates memory in its first call only.
struct Spares<T: Element>(Mutex<Vec<Buffer<T::Stored>>>);

impl<T: Element> Default for Spares<T> {
    fn default() -> Self {
        Spares(Mutex::new(Vec::new()))
    }
}

/// The largest number of spares that a queue keeps for a type.
const MOST_SPARES: usize = 64;

/// Takes the memory of a dropped scalar, if there is any.
pub(crate) fn spare<T: Element>(queue: &Queue) -> Option<Buffer<T::Stored>> {
    queue.attachment::<Spares<T>>().0.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

impl<T: Element> DeviceScalar<T> {
    /// Returns a device scalar with a value of the host.
    ///
    /// # Errors
    /// [`Error::Driver`](cl_core::Error::Driver) if the driver has no memory left.
    pub fn from_value(queue: &Queue, value: T) -> Result<DeviceScalar<T>> {
        DeviceVec::filled(queue, value, 1).map(DeviceScalar::new)
    }

    /// Returns the only element of a vector of length 1.
    pub(crate) fn new(vector: DeviceVec<T>) -> DeviceScalar<T> {
        DeviceScalar(ManuallyDrop::new(vector))
    }

    /// Returns the value, after everything enqueued so far. Blocks.
    ///
    /// # Errors
    /// As [`DeviceVec::to_vec`].
    pub fn get(&self) -> Result<T> {
        let mut stored = [bytemuck::Zeroable::zeroed()];
        self.0.buffer().read(self.queue(), 0, &mut stored)?;
        let [stored] = stored;
        Ok(T::from_stored(stored))
    }

    pub(crate) fn vector(&self) -> &DeviceVec<T> {
        &self.0
    }

    pub(crate) fn memory(&self) -> &Memory {
        self.0.memory()
    }

    /// Returns the queue that works on the value.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        self.0.queue()
    }

    /// Returns the value as a lazy expression without a length: `total.iter().sqrt()`.
    pub fn iter(&self) -> Expr<'_, T> {
        self.into_expr()
    }
}

impl<T: Element> Drop for DeviceScalar<T> {
    fn drop(&mut self) {
        // SAFETY: the field is not used after `drop`.
        let (queue, buffer) = unsafe { ManuallyDrop::take(&mut self.0) }.into_parts();
        let spares = queue.attachment::<Spares<T>>();
        let mut spares = spares.0.lock().unwrap_or_else(PoisonError::into_inner);
        if spares.len() < MOST_SPARES && queue.reuses_scratch() {
            spares.push(buffer);
        }
    }
}

impl<'a, T: Element> Operand<'a, T> for &'a DeviceScalar<T> {
    fn into_expr(self) -> Expr<'a, T> {
        let vector = self.0.as_leaf();
        Expr::new(Graph::first_of(vector))
    }
}

impl<T: Element> fmt::Debug for DeviceScalar<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceScalar<{}>", std::any::type_name::<T>())
    }
}
