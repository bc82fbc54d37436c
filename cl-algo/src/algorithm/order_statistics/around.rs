//! Vectors that are put in order around an element.

use super::exchange::exchange;
use super::ranked::Keys;
use crate::algorithm::moved::{Targets, elements, part_of, read_from, scratch, targets_in};
use crate::algorithm::order::length;
use crate::algorithm::select::partition_onto;
use crate::algorithm::sort::{ScalarKey, Sort};
use crate::algorithm::update_all::{InPlace, shared};
use crate::codegen::Fused;
use crate::device_scalar::DeviceScalar;
use crate::element::Ordered;
use crate::expr::{Expr, Operand};
use crate::ir::target::Target;
use crate::sink::{Discard, Sink};
use cl_core::{Error, Memory, Result};

/// Moves the elements of a vector so that element `n` is the one that sorting would put there, no element before it is
/// greater, and no element after it is less.
///
/// Elements are in the order of [`sort()`](crate::stl::sort()). The order of the elements before element `n`, and of
/// those after it, is not specified, as in [`slice::select_nth_unstable`]; it is the same in each call with the same
/// elements on the same device. The vector may be any mutable view.
///
/// The host does not wait: the launches of [`Expr::select_nth`], then three. If there is a sample, on CPUs the launch that reads
/// all elements also puts those of each pair of units, one from either side of position `n`, in the order of the two
/// elements of the sample, so that about a twentieth of all elements may still be on the wrong side. Of the last three
/// launches the first compares these with element `n`, the second numbers the elements that are on the wrong side, and
/// the third exchanges those of the same number, as in C. A. R. Hoare, "Algorithm 63: Partition", 1961. Scratch memory
/// of one byte for each element is needed, besides that of the selection.
///
/// # Errors
/// As [`Expr::select_nth`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::nth_element;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[9, 4, 7, 1, 8])?;
/// nth_element(&mut x, 2)?;
/// let x = x.to_vec()?;
/// assert_eq!(x[2], 7);
/// assert!(x[..2].iter().all(|&x| x <= 7) && x[3..].iter().all(|&x| x >= 7));
/// # Ok(())
/// # }
/// ```
#[doc(alias("select_nth_unstable", "partition"))]
pub fn nth_element<'a, T: ScalarKey + Ordered>(vector: impl InPlace<'a, T>, n: usize) -> Result<()> {
    let (items, targets) = shared::<T>("nth_element", vector);
    nth_element_as("nth_element", items, targets, n)
}

/// Sorts the smallest `k` elements to the front of a vector. The order of the others is not specified.
///
/// The vector may be any mutable view. The launches are those of [`nth_element`] and of a [sort](crate::stl::sort()) of
/// `k` elements.
///
/// # Errors
/// As [`nth_element`] and [`sort`](crate::stl::sort()); [`Error::OutOfBounds`] for more elements than there are.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::partial_sort;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[9, 4, 7, 1, 8])?;
/// partial_sort(&mut x, 3)?;
/// assert_eq!(x.to_vec()?[..3], [1, 4, 7]);
/// # Ok(())
/// # }
/// ```
pub fn partial_sort<'a, T: ScalarKey + Ordered>(vector: impl InPlace<'a, T>, k: usize) -> Result<()> {
    let operation = "partial_sort";
    let (items, targets) = shared::<T>(operation, vector);
    let len = length(&items.graph(), operation)?;
    if k > len {
        return Err(Error::out_of_bounds(operation, 0, k, len));
    }
    let Some(last) = k.checked_sub(1) else { return Ok(()) };
    if k < len {
        nth_element_as(operation, items, part_of(&targets, 0, len, false)?, last)?;
    }
    Sort::new().in_place::<T>(operation, part_of(&targets, 0, k, false)?, None)
}

/// Stores the elements that are less than a pivot, then the elements that equal it, then the others, each in their
/// order. Returns the number of lesser elements, and the number of elements that are not greater.
///
/// Elements are compared in the order of [`sort()`](crate::stl::sort()). The pivot is a number or a [`DeviceScalar`].
/// The host does not wait. The algorithm is two [partitions](crate::stl::partition), the first one into scratch memory:
/// four launches.
///
/// # Errors
/// As [`partition`](crate::stl::partition).
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::partition3;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[5, 3, 9, 5, 1])?;
/// let mut parts = DeviceVec::filled(&queue, 0, 5)?;
/// let (less, not_greater) = partition3(&x, 5, &mut parts)?;
/// assert_eq!(parts.to_vec()?, [3, 1, 5, 5, 9]);
/// assert_eq!((less.get()?, not_greater.get()?), (2, 4));
/// # Ok(())
/// # }
/// ```
#[doc(alias("three_way_partition", "DevicePartition"))]
pub fn partition3<'a, T: Ordered + PartialEq>(
    value: impl Operand<'a, T>,
    pivot: impl Operand<'a, T>,
    output: impl Sink<'a, T>,
) -> Result<(DeviceScalar<u64>, DeviceScalar<u64>)> {
    let output = Fused::new("partition3").output::<(T, T)>("", "", (output, Discard));
    let (items, pivot) = (value.into_expr(), pivot.into_expr());
    let operation = output.operation;
    let len = length(&items.graph(), operation)?;
    if let Some(len) = pivot.len() {
        let reason = format!("it has {len} elements: pass a number or a `DeviceScalar`");
        return Err(Error::invalid_input("pivot", reason));
    }
    let both = items.zip(pivot.clone());
    let Some(queue) = both.shared_queue() else {
        let reason = "they read no vector, and so have no queue: call `on` first".to_owned();
        return Err(Error::invalid_input("elements to partition", reason));
    };
    let room = scratch::<T>(&queue, len)?;
    let memory: Vec<&Memory> = room.iter().map(|block| &**block).collect();
    let there = Targets(targets_in(&queue, &memory, len, elements::<T>()));
    let lesser_first = Fused::new(operation).output::<(T, T)>("", "", (there, Discard));
    let less = partition_onto::<(T, T)>(both, |(x, pivot)| x.total_lt(pivot), lesser_first)?;
    let both = read_from::<T>(&queue, &memory, len).zip(pivot);
    let not_greater = partition_onto::<(T, T)>(both, |(x, pivot)| x.total_le(pivot), output)?;
    Ok((less, not_greater))
}

/// Puts the element of a rank at its place, and the others around it. `items` are those of the targets.
fn nth_element_as<'a, T: ScalarKey + Ordered>(
    operation: &'static str,
    items: Expr<'a, T>,
    targets: Vec<Target<'a>>,
    n: usize,
) -> Result<()> {
    let keys = Keys::of::<T>(operation, items, false)?;
    exchange::<T>(&keys, targets, n)
}
