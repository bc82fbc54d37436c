//! Counts of elements.

use super::launch::{Order, Source, queue_and_len, to_device, to_host};
use crate::device_scalar::DeviceScalar;
use crate::element::Element;
use crate::expr::Item;
use crate::expr::{Expr, Operand, Recorded, Val};
use cl_core::{Queue, Result};
use std::borrow::Cow;

/// The largest number of elements whose count surely fits into 32 bits.
const SHORT: usize = u32::MAX as usize;

impl Expr<'_, bool> {
    /// Returns the number of elements that are true. Blocks.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, -4.0, 9.0])?;
    /// assert_eq!(x.iter().gt(0.0).count()?, 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias = "count_nonzero")]
    pub fn count(self) -> Result<usize> {
        self.count_as("count")
    }

    /// Returns [`Expr::count`]. `operation` is the name in errors.
    fn count_as(self, operation: &'static str) -> Result<usize> {
        let len = queue_and_len(&self)?.1;
        if len <= SHORT {
            let Some(source) = Source::of(operation, self.cast::<u32>())? else { return Ok(0) };
            let count = to_host::<u32, _, _>(source, Order::Any, |(a, b)| a + b, |count| count)?;
            return Ok(count as usize);
        }
        let Some(source) = Source::of(operation, self.cast::<u64>())? else { return Ok(0) };
        let count = to_host::<u64, _, _>(source, Order::Any, |(a, b)| a + b, |count| count)?;
        Ok(count as usize)
    }

    /// Returns the number of elements that are true, and leaves it on the device. Does not block.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn count_on_device(self) -> Result<DeviceScalar<u64>> {
        let queue = queue_and_len(&self)?.0;
        count_on("count_on_device", &queue, self)
    }
}

/// Returns [`Expr::count_on_device`], also for an expression without a queue.
pub(in crate::algorithm) fn count_on(
    operation: &'static str,
    queue: &Queue,
    flags: Expr<'_, bool>,
) -> Result<DeviceScalar<u64>> {
    if flags.len().is_none_or(|len| len <= SHORT) {
        let Some(source) = Source::on(operation, Cow::Borrowed(queue), flags.cast::<u32>())? else {
            return DeviceScalar::from_value(queue, 0);
        };
        return to_device::<u32, _, _>(source, Order::Any, |(a, b)| a + b, Val::cast::<u64>);
    }
    let Some(source) = Source::on(operation, Cow::Borrowed(queue), flags.cast::<u64>())? else {
        return DeviceScalar::from_value(queue, 0);
    };
    to_device::<u64, _, _>(source, Order::Any, |(a, b)| a + b, |count| count)
}

/// Returns the number of elements that equal a value.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::count;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, 1, 4, 1])?;
/// assert_eq!(count(&x, 1)?, 2);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
pub fn count<'a, T: Element + PartialEq>(
    within: impl Operand<'a, T>,
    value: impl Operand<'a, T>,
) -> Result<usize> {
    within.into_expr().eq(value).count()
}

/// Returns the number of items for which a predicate is true.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::count_if;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[0.1_f32, 0.9])?;
/// let y = DeviceVec::from_slice(&queue, &[0.2_f32, 0.9])?;
/// let inside = count_if(zip((&x, &y)), |(x, y)| (x * x + y * y).lt(1.0))?;
/// assert_eq!(inside, 1);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
#[doc(alias("count_nonzero", "countif"))]
pub fn count_if<'a, T: Item, P: Recorded<Item = bool>>(
    value: impl Operand<'a, T>,
    predicate: impl FnOnce(T::Values) -> P,
) -> Result<usize> {
    value.into_expr().map(predicate).count_as("count_if")
}
