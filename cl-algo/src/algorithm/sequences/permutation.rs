//! The next and the previous permutation in lexicographical order, in place.

use super::rearrange::{extent, reverse_part, swap};
use crate::algorithm::moved::part_of;
use crate::algorithm::order::ascending;
use crate::algorithm::reduce::first_of;
use crate::algorithm::search::partition_point_as;
use crate::algorithm::update_all::{InPlace, shared};
use crate::element::Ordered;
use crate::expr::{Expr, Val};
use cl_core::Result;

/// Changes the order of the elements to the next one in lexicographical order, in place. Blocks.
///
/// Returns `false` after the last order, which is descending. The elements are then in the first order, ascending.
/// Floats are compared in the total order; see [Orders](crate#orders). Two searches and two other launches. Only the
/// last elements that are in descending order are read, as a rule few.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::{next_permutation, prev_permutation};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[1, 3, 2])?;
/// assert!(next_permutation(&mut x)?);
/// assert_eq!(x.to_vec()?, [2, 1, 3]);
/// assert!(prev_permutation(&mut x)?);
/// assert_eq!(x.to_vec()?, [1, 3, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign_with`](crate::assign_with).
pub fn next_permutation<'a, T: Ordered>(vectors: impl InPlace<'a, T>) -> Result<bool> {
    permute("next_permutation", vectors, ascending)
}

/// Changes the order of the elements to the previous one in lexicographical order, in place; see [`next_permutation`].
///
/// Returns `false` before the first order, which is ascending. The elements are then in descending order.
///
/// # Errors
/// As [`next_permutation`].
pub fn prev_permutation<'a, T: Ordered>(vectors: impl InPlace<'a, T>) -> Result<bool> {
    permute("prev_permutation", vectors, |a, b| ascending(b, a))
}

/// Changes the order of the elements to the next one. `less` orders elements, `operation` is the name in errors.
fn permute<'a, T: Ordered>(
    operation: &'static str,
    vectors: impl InPlace<'a, T>,
    less: impl Fn(Val<T>, Val<T>) -> Val<bool>,
) -> Result<bool> {
    let (items, targets) = shared::<T>(operation, vectors);
    let len = match extent(&items, &targets)? {
        Some((_, len)) if len > 1 => len,
        _ => return Ok(false),
    };
    // The last element that goes before the next one.
    let rises = items.clone().take(len - 1).zip(items.clone().skip(1)).map(|(a, b)| less(a, b));
    let Some(falls) = rises.rev().position_as(operation)? else {
        reverse_part(operation, &targets, 0, len)?;
        return Ok(false);
    };
    let pivot = len - 2 - falls;
    // The elements behind it descend. It takes the place of the last one that goes behind it.
    let behind = items.clone().skip(pivot + 1);
    let pivots: Expr<'_, T> = first_of(items.skip(pivot), operation);
    let count = partition_point_as(operation, pivots.zip(behind).map(|(pivot, item)| less(pivot, item)))?;
    let one = |at| part_of(&targets, at, 1, false);
    swap(operation, one(pivot)?, one(pivot + count)?)?;
    reverse_part(operation, &targets, pivot + 1, len - pivot - 1)?;
    Ok(true)
}
