//! Sums, products and means.

use super::launch::{Order, Source, queue_and_len, to_device, to_host};
use crate::device_scalar::DeviceScalar;
use crate::element::{Float, Number};
use crate::expr::{Castable, Expr, Val};
#[cfg(test)]
use crate::vec::DeviceVec;
use cl_core::Result;

/// Returns the order for sums of a type: sums of floats carry rounding errors along.
fn order<T: Number>() -> Order {
    if T::TYPE.has_floats() { Order::Compensated } else { Order::Any }
}

fn add<T: Number>((a, b): (Val<T>, Val<T>)) -> Val<T> {
    a + b
}

/// Returns the reduction of an expression's sum into a vector of one element.
#[cfg(test)]
pub(in crate::algorithm) fn sum_into<'a, T: Number>(
    expr: Expr<'a, T>,
    to: &'a mut DeviceVec<T>,
) -> Option<super::launch::Reduction<'a>> {
    let source = Source::of("sum", expr).ok()??;
    Some(super::launch::Reduction::new::<T, _>(source, order::<T>(), add, to))
}

/// Returns a value of the host plus the sum of the elements.
pub(super) fn sum_from<T: Number>(operation: &'static str, expr: Expr<'_, T>, initial: T) -> Result<T> {
    match Source::of(operation, expr)? {
        Some(source) => to_host::<T, _, _>(source, order::<T>(), add, |sum| Val::known(initial) + sum),
        None => Ok(initial),
    }
}

impl<T: Number> Expr<'_, T> {
    /// Returns the sum of all elements; 0 for zero elements. Blocks.
    ///
    /// The expression is computed in the same kernel and not stored. Integers wrap around in their own type;
    /// [`sum_as`](Expr::sum_as) adds in a wider type. Floats are added pairwise with compensation, in an order that
    /// depends on the length and the device only, so the result is the same in every launch. The rounding error of each
    /// addition of a tile, or of an element after the last whole tile, is carried along (TwoSum: Knuth, TAOCP vol. 2,
    /// 4.2.2), so the error grows with the size of a tile, not with the length. A sum is infinite if a partial sum
    /// overflows.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
    /// let y = DeviceVec::from_slice(&queue, &[4.0_f32, 5.0, 6.0])?;
    /// assert_eq!((&x * &y).sum()?, 32.0);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("DeviceReduce", "reduce", "accumulate"))]
    pub fn sum(self) -> Result<T> {
        self.sum_for("sum")
    }

    /// Returns [`Expr::sum`]. `operation` is the name in errors.
    fn sum_for(self, operation: &'static str) -> Result<T> {
        match Source::of(operation, self)? {
            Some(source) => to_host::<T, _, _>(source, order::<T>(), add, |sum| sum),
            None => Ok(T::zeroed()),
        }
    }

    /// Computes the sum as [`Expr::sum`] does, and leaves it on the device. Does not block.
    ///
    /// # Errors
    /// As [`Expr::sum`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 3.0])?;
    /// let sum = x.iter().sum_on_device()?;
    /// assert_eq!((&x / &sum).collect()?.to_vec()?, [0.25, 0.75]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn sum_on_device(self) -> Result<DeviceScalar<T>> {
        let queue = queue_and_len(&self)?.0;
        match Source::of("sum_on_device", self)? {
            Some(source) => to_device::<T, _, _>(source, order::<T>(), add, |sum| sum),
            None => DeviceScalar::from_value(&queue, T::zeroed()),
        }
    }

    /// Returns the product of all elements; 1 for zero elements. Blocks.
    ///
    /// Integers wrap around. Floats are multiplied in an order that depends on the length and the device only.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[2, 3, 7])?;
    /// assert_eq!(x.iter().product()?, 42);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "prod")]
    pub fn product(self) -> Result<T>
    where
        T: std::iter::Product,
    {
        match Source::of("product", self)? {
            Some(source) => to_host::<T, _, _>(source, Order::Any, |(a, b)| a * b, |product| product),
            None => Ok(std::iter::empty::<T>().product()),
        }
    }
}

impl<T: Castable> Expr<'_, T> {
    /// Returns the sum of all elements in a wider type. Blocks.
    ///
    /// The wider type holds every element exactly: integers in longer integers or floats, `f32` in `f64`. Each element
    /// is converted before it is added, in the same kernel. See [`Expr::sum`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::filled(&queue, 200_u8, 1000)?;
    /// assert_eq!(x.iter().sum_as::<u64>()?, 200_000);
    /// assert_eq!(x.sum()?, 64); // wraps around
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn sum_as<R: Castable + Number + From<T>>(self) -> Result<R> {
        self.cast::<R>().sum_for("sum_as")
    }
}

impl<T: Float + Castable> Expr<'_, T> {
    /// Returns the mean of all elements: their [`sum`](Expr::sum) divided by their number. `None` for zero elements.
    /// Blocks.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 6.0])?;
    /// assert_eq!(x.iter().mean()?, Some(3.0));
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("average", "avg"))]
    pub fn mean(self) -> Result<Option<T>> {
        let Some(source) = Source::of("mean", self)? else { return Ok(None) };
        let len = Val::known(source.len as u64);
        to_host::<T, _, _>(source, order::<T>(), add, |sum| sum / len.cast::<T>()).map(Some)
    }
}
