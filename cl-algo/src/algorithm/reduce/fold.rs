//! Reductions with any associative operator: `reduce`, `transform_reduce`, `inner_product`.

use super::launch::{Order, Source, queue_and_len, to_device, to_host};
use crate::element::Number;
use crate::expr::Item;
use crate::expr::{Expr, Operand, Recorded, binary, index};
use crate::ir::op::Op;
use cl_core::{Queue, Result};

/// Combines all items with an operator: `initial ∘ x0 ∘ x1 ∘ …`, in this order. Blocks.
///
/// The operator must be associative; it need not commute. If it rounds, as additions of floats do, the parentheses
/// depend on the length and the device only, so the result is the same in every launch. `initial` takes part once,
/// before the first item. For zero items the result is `initial`. Items are elements of any type, or tuples.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::reduce;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// // x -> a x + b, one after the other: they do not commute.
/// let a = DeviceVec::from_slice(&queue, &[2, 3, 5])?;
/// let b = DeviceVec::from_slice(&queue, &[1, 1, 1])?;
/// let all = reduce(zip((&a, &b)), (1, 0), |(a, b), (c, d)| (a * c, b * c + d))?;
/// assert_eq!(all, (30, 21));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
#[doc(alias("accumulate", "DeviceReduce", "fold"))]
pub fn reduce<'a, T: Item, R: Recorded<Item = T>>(
    value: impl Operand<'a, T>,
    initial: T,
    operator: impl Fn(T::Values, T::Values) -> R,
) -> Result<T> {
    reduce_as("reduce", value, initial, operator)
}

impl<T: Item> Expr<'_, T> {
    /// Combines all items by an associative operator, in their order, as [`Iterator::reduce`] does: `None` for zero
    /// items. Blocks. The operator need not commute.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3_u32, 5, 6])?;
    /// assert_eq!(x.iter().reduce(|a, b| a ^ b)?, Some(0));
    /// assert_eq!(x.slice(..0).reduce(|a, b| a ^ b)?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias("accumulate", "DeviceReduce", "fold"))]
    pub fn reduce<R: Recorded<Item = T>>(
        self,
        operator: impl Fn(T::Values, T::Values) -> R,
    ) -> Result<Option<T>> {
        let Some(source) = Source::of("reduce", self)? else { return Ok(None) };
        to_host::<T, _, _>(source, Order::Kept, |(a, b)| operator(a, b), |all| all).map(Some)
    }
}

/// Returns [`reduce`]. `operation` is the name in errors.
fn reduce_as<'a, T: Item, R: Recorded<Item = T>>(
    operation: &'static str,
    value: impl Operand<'a, T>,
    initial: T,
    operator: impl Fn(T::Values, T::Values) -> R,
) -> Result<T> {
    let Some(source) = Source::of(operation, value.into_expr())? else { return Ok(initial) };
    let finish = |rest| operator(initial.known(), rest);
    to_host::<T, _, _>(source, Order::Kept, |(a, b)| operator(a, b), finish)
}

/// Combines all items as [`reduce`] does, and leaves the result on the device. Does not block.
///
/// The result is a [`DeviceScalar`](crate::DeviceScalar), or a tuple of these.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::reduce_on_device;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3_u32, 5, 6])?;
/// let bits = reduce_on_device(&x, 0, |a, b| a ^ b)?;
/// assert_eq!((&x ^ &bits).collect()?.to_vec()?, [3, 5, 6]);
/// assert_eq!(bits.get()?, 0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
pub fn reduce_on_device<'a, T: Item, R: Recorded<Item = T>>(
    value: impl Operand<'a, T>,
    initial: T,
    operator: impl Fn(T::Values, T::Values) -> R,
) -> Result<T::Scalars> {
    let expr = value.into_expr();
    let queue = queue_and_len(&expr)?.0;
    let Some(source) = Source::of("reduce_on_device", expr)? else { return on_device(&queue, initial) };
    let finish = |rest| operator(initial.known(), rest);
    to_device::<T, _, _>(source, Order::Kept, |(a, b)| operator(a, b), finish)
}

/// Combines the results of a closure for all items with an operator, in their order; see [`reduce`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::transform_reduce;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3.0_f32, -5.0, 4.0])?;
/// let farthest = transform_reduce(&x, 0.0, |a, b| a.max(b), |x| x.abs())?;
/// assert_eq!(farthest, 5.0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
#[doc(alias("DeviceReduce", "map_reduce"))]
pub fn transform_reduce<'a, T: Item, U: Item, M: Recorded<Item = U>, R: Recorded<Item = U>>(
    value: impl Operand<'a, T>,
    initial: U,
    operator: impl Fn(U::Values, U::Values) -> R,
    transform: impl FnOnce(T::Values) -> M,
) -> Result<U> {
    reduce_as("transform_reduce", value.into_expr().map(transform), initial, operator)
}

/// Returns `initial` plus the sum of the products of both operands' elements.
///
/// It is as accurate as [`sum`](Expr::sum), and computed in one pass.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::inner_product;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
/// let y = DeviceVec::from_slice(&queue, &[4.0_f32, 5.0, 6.0])?;
/// assert_eq!(inner_product(&x, &y, 10.0)?, 42.0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
#[doc(alias("dot", "vdot"))]
pub fn inner_product<'a, T: Number>(
    left: impl Operand<'a, T>,
    right: impl Operand<'a, T>,
    initial: T,
) -> Result<T> {
    let products: Expr<'a, T> = binary(left, right, Op::Mul, "inner_product");
    super::sum::sum_from("inner_product", products, initial)
}

/// Copies an item of the host to the device.
fn on_device<T: Item>(queue: &Queue, item: T) -> Result<T::Scalars> {
    let constant = index::<u8>().take(1).map(|_| item.known());
    let vectors = constant.collect_on(queue)?;
    // SAFETY: an expression of one item is evaluated into vectors of one element.
    Ok(unsafe { T::scalars(vectors) })
}
