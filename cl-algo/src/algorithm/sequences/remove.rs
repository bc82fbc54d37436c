//! Items that are removed or replaced, in place.

use super::rearrange::{extent, no_items};
use crate::algorithm::moved::{Targets, copy, elements, read_from, scratch, targets_in};
use crate::algorithm::select::{Inputs, select_into};
use crate::algorithm::update_all::{InPlace, assign_with_as, shared};
use crate::device_scalar::DeviceScalar;
use crate::element::Element;
use crate::expr::{Expr, Item, Operand, Val};
use crate::sink::Sink;
use cl_core::{Memory, Result};

/// Keeps the items that `inputs` selects from the items, in place, by way of scratch memory.
fn keep<'a, T: Item>(
    operation: &'static str,
    vectors: impl InPlace<'a, T>,
    inputs: impl for<'m> FnOnce(Expr<'m, T>) -> Inputs<'m>,
) -> Result<DeviceScalar<u64>> {
    let (items, targets) = shared::<T>(operation, vectors);
    let Some((queue, len)) = extent(&items, &targets)? else { return no_items(&targets) };
    let memory = scratch::<T>(queue, len)?;
    let memory: Vec<&Memory> = memory.iter().map(|one| &**one).collect();
    copy(operation, &targets, targets_in(queue, &memory, len, elements::<T>()))?;
    select_into::<T>(inputs(read_from(queue, &memory, len)), Targets(targets))
}

/// Removes the items for which `remove` is true, in place. The others move to the front in their order.
///
/// Returns the number of items that are left as a [`DeviceScalar`]. The items behind them are unspecified. Two launches:
/// a copy into scratch memory, and the selection back. [`DeviceVec::retain`](crate::DeviceVec::retain) shortens the
/// vector, and waits for the number.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::remove_if;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[3, -1, 4, -1, 5])?;
/// assert_eq!(remove_if(&mut x, |x| x.lt(0))?.get()?, 3);
/// assert_eq!(x.to_vec()?[..3], [3, 4, 5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`copy_if`](crate::stl::copy_if).
pub fn remove_if<'a, T: Item>(
    vectors: impl InPlace<'a, T>,
    remove: impl FnOnce(T::Values) -> Val<bool>,
) -> Result<DeviceScalar<u64>> {
    keep("remove_if", vectors, |items| Inputs::keeping::<T, _>("remove_if", items, |item| !remove(item)))
}

/// Removes the elements that equal a value, in place; see [`remove_if`].
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[3, 1, 4, 1, 5])?;
/// assert_eq!(cl_algo::stl::remove(&mut x, 1)?.get()?, 3);
/// assert_eq!(x.to_vec()?[..3], [3, 4, 5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`remove_if`].
pub fn remove<'a, T: Element + PartialEq>(
    vectors: impl InPlace<'a, T>,
    value: T,
) -> Result<DeviceScalar<u64>> {
    keep("remove", vectors, |items| Inputs::keeping::<T, _>("remove", items, |item| item.ne(value)))
}

/// Keeps the first of each run of equal neighbours, in place; see [`remove_if`] and [`unique`](crate::stl::unique).
///
/// [`DeviceVec::dedup`](crate::DeviceVec::dedup) shortens the vector, and waits for the number.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[1, 1, 2, 2, 1])?;
/// assert_eq!(cl_algo::stl::unique_in_place(&mut x)?.get()?, 3);
/// assert_eq!(x.to_vec()?[..3], [1, 2, 1]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`remove_if`].
#[doc(alias = "dedup")]
pub fn unique_in_place<'a, T: Element + PartialEq>(
    vectors: impl InPlace<'a, T>,
) -> Result<DeviceScalar<u64>> {
    let name = "unique_in_place";
    keep(name, vectors, |items| {
        Inputs::dropping_duplicates::<T, _>(name, items, |a: Val<T>, b: Val<T>| a.eq(b))
    })
}

/// Keeps the first item of each run, in place; `equal` returns whether two neighbours belong to one run. See
/// [`unique_in_place`].
///
/// # Errors
/// As [`remove_if`].
#[doc(alias = "dedup_by")]
pub fn unique_in_place_by<'a, T: Item>(
    vectors: impl InPlace<'a, T>,
    equal: impl FnOnce(T::Values, T::Values) -> Val<bool>,
) -> Result<DeviceScalar<u64>> {
    let name = "unique_in_place_by";
    keep(name, vectors, |items| Inputs::dropping_duplicates::<T, _>(name, items, equal))
}

/// Replaces the elements that equal a value by another one, in place. One launch.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[3, 1, 4, 1])?;
/// cl_algo::stl::replace(&mut x, 1, 9)?;
/// assert_eq!(x.to_vec()?, [3, 9, 4, 9]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign_with`](crate::assign_with).
pub fn replace<'a, T: Element + PartialEq>(vectors: impl InPlace<'a, T>, old: T, new: T) -> Result<()> {
    assign_with_as("replace", vectors, |items: Expr<'a, T>| items.map(|item| item.eq(old).select(new, item)))
}

/// Replaces the elements for which a predicate is true by another one, in place. One launch.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[3, -1, 4, -2])?;
/// cl_algo::stl::replace_if(x.slice_mut(..3), |x| x.lt(0), 0)?;
/// assert_eq!(x.to_vec()?, [3, 0, 4, -2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign_with`](crate::assign_with).
pub fn replace_if<'a, T: Element>(
    vectors: impl InPlace<'a, T>,
    predicate: impl FnOnce(Val<T>) -> Val<bool>,
    new: T,
) -> Result<()> {
    assign_with_as("replace_if", vectors, |items: Expr<'a, T>| {
        items.map(|item| predicate(item).select(new, item))
    })
}

/// Stores the elements, with another one in place of those that equal a value; as an expression
/// `x.iter().eq(old).select(new, &x)`. One launch.
///
/// # Errors
/// As [`assign`](crate::assign).
pub fn replace_copy<'a, T: Element + PartialEq>(
    value: impl Operand<'a, T>,
    old: T,
    new: T,
    output: impl Sink<'a, T>,
) -> Result<()> {
    replace_copy_if(value, |item| item.eq(old), new, output)
}

/// Stores the elements, with another one in place of those for which a predicate is true. One launch.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, -1, 4])?;
/// let mut y = DeviceVec::filled(&queue, 0, 3)?;
/// cl_algo::stl::replace_copy_if(&x, |x| x.lt(0), 7, &mut y)?;
/// assert_eq!(y.to_vec()?, [3, 7, 4]);
/// cl_algo::stl::replace_copy(&x, 4, 5, &mut y)?;
/// assert_eq!(y.to_vec()?, [3, -1, 5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign`](crate::assign).
pub fn replace_copy_if<'a, T: Element>(
    value: impl Operand<'a, T>,
    predicate: impl FnOnce(Val<T>) -> Val<bool>,
    new: T,
    output: impl Sink<'a, T>,
) -> Result<()> {
    crate::algorithm::assign(output, value.into_expr().map(|item| predicate(item).select(new, item)))
}
