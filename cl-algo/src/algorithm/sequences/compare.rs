//! Comparisons of two sequences, and partitions.

use crate::algorithm::merge_sort::sort_by;
use crate::algorithm::order::length;
use crate::algorithm::reduce::neighbours;
use crate::algorithm::sort::{SortKey, sort};
use crate::codegen::Fused;
use crate::element::{Element, Ordered};
use crate::expr::{Expr, Item, Operand, Recorded, Val};
use cl_core::Result;
use std::cmp::Ordering;

/// Compares two sequences element by element, as [`slice::cmp`](Ord::cmp) does: the first elements that differ decide.
/// Blocks.
///
/// A sequence goes before a longer one that begins with it. Floats are compared in the total order; see
/// [Orders](crate#orders). Two searches, the second of them of one element; none far behind the first difference.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::lexicographical_compare;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 5, 2])?;
/// assert!(lexicographical_compare(&x, &x)?.is_eq());
/// assert!(lexicographical_compare(x.slice(..2), &x)?.is_lt());
/// assert!(lexicographical_compare(&x, x.iter().rev())?.is_lt());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`mismatch`](crate::stl::mismatch).
#[doc(alias = "cmp")]
pub fn lexicographical_compare<'a, T: Ordered>(
    left: impl Operand<'a, T>,
    right: impl Operand<'a, T>,
) -> Result<Ordering> {
    let (left, right) = (left.into_expr(), right.into_expr());
    let lengths = [length(&left.graph(), "left sequence")?, length(&right.graph(), "right sequence")?];
    Fused::new("lexicographical_compare").check_with(&[&left.graph(), &right.graph()])?;
    let shorter = lengths[0].min(lengths[1]);
    let ends = lengths[0].cmp(&lengths[1]);
    if shorter == 0 {
        return Ok(ends);
    }
    let (left, right) = (left.take(shorter), right.take(shorter));
    let differ = left.clone().total_lt(right.clone()) | right.clone().total_lt(left.clone());
    let Some(at) = differ.position_as("lexicographical_compare")? else { return Ok(ends) };
    let less = left.slice(at..=at).total_lt(right.slice(at..=at));
    let less = less.position_as("lexicographical_compare")?;
    Ok(if less.is_some() { Ordering::Less } else { Ordering::Greater })
}

/// Returns whether two sequences have the same elements, each as often, in any order. Blocks.
///
/// Both are sorted in scratch memory. Elements are the same if neither goes before the other in the order of
/// [`sort()`](crate::stl::sort()), so a NaN equals a NaN of the same bits; see [Orders](crate#orders).
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::is_permutation;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 5, 2, 5])?;
/// assert!(is_permutation(&x, x.iter().rev())?);
/// assert!(!is_permutation(&x, &x % 5)?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`]; [`Error::InvalidInput`](cl_core::Error::InvalidInput) for a sequence without a length.
pub fn is_permutation<'a, T: SortKey + Ordered>(
    left: impl Operand<'a, T>,
    right: impl Operand<'a, T>,
) -> Result<bool> {
    let (left, right) = (left.into_expr(), right.into_expr());
    let Some(len) = common_length("is_permutation", &left, &right)? else { return Ok(false) };
    if len == 0 {
        return Ok(true);
    }
    let (mut left, mut right) = (left.collect()?, right.collect()?);
    sort(&mut left)?;
    sort(&mut right)?;
    let differ = left.iter().total_lt(&right) | right.iter().total_lt(&left);
    Ok(differ.position_as("is_permutation")?.is_none())
}

/// Returns whether two sequences have the same elements in any order, by a comparator; see [`is_permutation`]. Blocks.
///
/// `less(a, b)` returns whether `a` goes before `b`. Elements are the same if neither goes before the other.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[11, 25, 32])?;
/// let y = DeviceVec::from_slice(&queue, &[39, 20, 15])?;
/// assert!(cl_algo::stl::is_permutation_by(&x, &y, |a, b| (a / 10).lt(b / 10))?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`is_permutation`].
pub fn is_permutation_by<'a, T: Element, R: Recorded<Item = bool>>(
    left: impl Operand<'a, T>,
    right: impl Operand<'a, T>,
    less: impl Fn(Val<T>, Val<T>) -> R,
) -> Result<bool> {
    let (left, right) = (left.into_expr(), right.into_expr());
    let Some(len) = common_length("is_permutation_by", &left, &right)? else { return Ok(false) };
    if len == 0 {
        return Ok(true);
    }
    let (mut left, mut right) = (left.collect()?, right.collect()?);
    sort_by(&mut left, &less)?;
    sort_by(&mut right, &less)?;
    let first = left.iter().zip(&right).map(|(a, b)| less(a, b));
    let second = left.iter().zip(&right).map(|(a, b)| less(b, a));
    Ok((first | second).position_as("is_permutation_by")?.is_none())
}

/// Returns the length of two sequences; `None` if they differ.
fn common_length<'a, T: Item>(
    operation: &'static str,
    left: &Expr<'a, T>,
    right: &Expr<'a, T>,
) -> Result<Option<usize>> {
    let len = length(&left.graph(), "left sequence")?;
    let other = length(&right.graph(), "right sequence")?;
    Fused::new(operation).check_with(&[&left.graph(), &right.graph()])?;
    Ok((len == other).then_some(len))
}

/// Returns whether all items for which a predicate is true come before all others. Blocks.
///
/// It searches for the first item with a false predicate whose next item has a true one.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::is_partitioned;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, 1, 7, 4, 8])?;
/// assert!(is_partitioned(&x, |x| (x % 2).eq(1))?);
/// assert!(!is_partitioned(&x, |x| x.gt(3))?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`is_sorted`](crate::stl::is_sorted).
pub fn is_partitioned<'a, T: Item>(
    value: impl Operand<'a, T>,
    first: impl FnOnce(T::Values) -> Val<bool>,
) -> Result<bool> {
    let flags: Expr<'a, bool> = value.into_expr().map(first);
    match neighbours(flags)? {
        Some(pairs) => Ok(pairs.map(|(a, b)| !a & b).position_as("is_partitioned")?.is_none()),
        None => Ok(true),
    }
}
