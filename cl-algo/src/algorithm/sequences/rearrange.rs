//! Other orders of the same items, in place.

use crate::algorithm::assign::{evaluate, fused_with};
use crate::algorithm::merge::{merge_as, merge_by};
use crate::algorithm::moved::{Targets, copy, elements, items_at, part_of, scratch, targets_in};
use crate::algorithm::order::{ascending, length};
use crate::algorithm::select::partition;
use crate::algorithm::update_all::{InPlace, shared};
use crate::device_scalar::DeviceScalar;
use crate::element::{Element, Ordered};
use crate::expr::{Expr, FARTHEST, Item, Operand, Recorded, Val};
use crate::ir::graph::Graph;
use crate::ir::op::Beyond;
use crate::ir::target::Target;
use crate::sink::Sink;
use crate::vec::DeviceVec;
use cl_core::{Error, Memory, Queue, Result};

/// Returns the queue and the number of items of targets; `None` for zero items. `items` are read from the targets.
pub(super) fn extent<'a, T: Item>(
    items: &Expr<'a, T>,
    targets: &[Target<'a>],
) -> Result<Option<(&'a Queue, usize)>> {
    let len = length(&items.graph(), "vectors to change")?;
    Ok(targets.first().map(|target| (target.queue, len)).filter(|&(_, len)| len > 0))
}

/// Returns an error unless the position `middle` lies in a sequence of `len` items, or at its end.
fn check_middle(operation: &'static str, middle: usize, len: usize) -> Result<()> {
    if middle > len { Err(Error::out_of_bounds(operation, 0, middle, len)) } else { Ok(()) }
}

/// Exchanges the items of some targets with those of others, in one kernel.
pub(super) fn swap<'t>(
    operation: &'static str,
    first: Vec<Target<'t>>,
    second: Vec<Target<'t>>,
) -> Result<()> {
    let items = items_at(operation, &second).zip(&items_at(operation, &first), operation);
    let targets = first.into_iter().chain(second).collect();
    evaluate(fused_with(operation, items, targets, true))
}

/// Reverses the items of targets from `begin` on, `len` of them, in one kernel.
pub(super) fn reverse_part(
    operation: &'static str,
    targets: &[Target<'_>],
    begin: usize,
    len: usize,
) -> Result<()> {
    if len < 2 {
        return Ok(());
    }
    let front = part_of(targets, begin, len / 2, false)?;
    let back = part_of(targets, begin + len - len / 2, len / 2, true)?;
    swap(operation, front, back)
}

/// Exchanges the items of two vectors, or of views or tuples of them: `swap_ranges(&mut a, &mut b)`.
///
/// One launch, without other memory.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::swap_ranges;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4])?;
/// let mut y = DeviceVec::from_slice(&queue, &[7, 8])?;
/// swap_ranges(x.slice_mut(1..3), &mut y)?;
/// assert_eq!(x.to_vec()?, [1, 7, 8, 4]);
/// let (left, right) = x.view_mut().split_at(2); // two parts of one vector
/// swap_ranges::<i32>(left, right)?;
/// assert_eq!(x.to_vec()?, [8, 4, 1, 7]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign_with`](crate::assign_with), and [`Error::LengthMismatch`] if the lengths differ.
#[doc(alias = "swap_with_slice")]
pub fn swap_ranges<'a, T: Item>(a: impl InPlace<'a, T>, b: impl InPlace<'a, T>) -> Result<()> {
    let ((_, a), (_, b)) = (shared::<T>("swap_ranges", a), shared::<T>("swap_ranges", b));
    swap("swap_ranges", a, b)
}

/// Reverses the items of vectors or views in place: `reverse(x.slice_mut(2..9))`.
///
/// One launch, without other memory. [`DeviceVec::reverse`] writes a new vector.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4])?;
/// cl_algo::stl::reverse(x.slice_mut(1..))?;
/// assert_eq!(x.to_vec()?, [1, 4, 3, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign_with`](crate::assign_with).
pub fn reverse<'a, T: Item>(vectors: impl InPlace<'a, T>) -> Result<()> {
    let (items, targets) = shared::<T>("reverse", vectors);
    match extent(&items, &targets)? {
        Some((_, len)) => reverse_part("reverse", &targets, 0, len),
        None => Ok(()),
    }
}

/// Moves the items before `middle` to the end, in place, as [`slice::rotate_left`] does.
///
/// Two launches: into scratch memory and back. [`DeviceVec::rotate_left`] writes a new vector. As an expression,
/// `x.iter().shifted(middle, Border::Wrap)` is in this order.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5])?;
/// cl_algo::stl::rotate(x.slice_mut(1..), 1)?;
/// assert_eq!(x.to_vec()?, [1, 3, 4, 5, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign_with`](crate::assign_with), and [`Error::OutOfBounds`] if `middle` exceeds the length.
pub fn rotate<'a, T: Item>(vectors: impl InPlace<'a, T>, middle: usize) -> Result<()> {
    let (items, targets) = shared::<T>("rotate", vectors);
    let Some((queue, len)) = extent(&items, &targets)? else { return check_middle("rotate", middle, 0) };
    check_middle("rotate", middle, len)?;
    if len > FARTHEST / 2 {
        let reason = format!("twice a length of {len} is more than {FARTHEST}, the largest length");
        return Err(Error::invalid_input("vectors to rotate", reason));
    }
    if middle.is_multiple_of(len) {
        return Ok(());
    }
    let there = Graph::neighbour(middle as i64, len, Beyond::Wrap);
    let rotated = items.into_graph().at(&there, Some(len), "rotate");
    by_way_of_scratch::<T>("rotate", queue, len, targets, |stored| {
        evaluate(fused_with("rotate", rotated, stored, false))
    })
}

/// Stores new items in scratch memory, and then in the targets.
fn by_way_of_scratch<'a, T: Item>(
    operation: &'static str,
    queue: &'a Queue,
    len: usize,
    targets: Vec<Target<'a>>,
    store: impl for<'m> FnOnce(Vec<Target<'m>>) -> Result<()>,
) -> Result<()> {
    let memory = scratch::<T>(queue, len)?;
    let memory: Vec<&Memory> = memory.iter().map(|one| &**one).collect();
    let stored = || targets_in(queue, &memory, len, elements::<T>());
    store(stored())?;
    copy(operation, &stored(), targets)
}

/// Moves the items for which `first` is true to the front, in place; both groups keep their order
/// (`std::stable_partition`).
///
/// Returns the number of items for which `first` is true as a [`DeviceScalar`]. [`partition`] into scratch memory, and
/// one launch back.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::stable_partition;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5])?;
/// assert_eq!(stable_partition(&mut x, |x| (x & 1).eq(1))?.get()?, 3);
/// assert_eq!(x.to_vec()?, [1, 3, 5, 2, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`partition`]. After an error the vectors are unchanged.
pub fn stable_partition<'a, T: Item>(
    vectors: impl InPlace<'a, T>,
    first: impl FnOnce(T::Values) -> Val<bool>,
) -> Result<DeviceScalar<u64>> {
    let (items, targets) = shared::<T>("stable_partition", vectors);
    let Some((queue, len)) = extent(&items, &targets)? else { return no_items(&targets) };
    let mut count = None;
    by_way_of_scratch::<T>("stable_partition", queue, len, targets, |stored| {
        count = Some(partition(items, first, Targets(stored))?);
        Ok(())
    })?;
    count.ok_or_else(|| no_queue("vectors to partition"))
}

/// Returns the number of items of vectors without items.
pub(super) fn no_items(targets: &[Target<'_>]) -> Result<DeviceScalar<u64>> {
    match targets.first() {
        Some(target) => DeviceScalar::from_value(target.queue, 0),
        None => Err(no_queue("vectors to change")),
    }
}

fn no_queue(what: &'static str) -> Error {
    Error::invalid_input(what, "there is no vector, and so no queue".to_owned())
}

/// Merges the two sorted parts of a vector or view, in place: the elements before `middle` and the others.
///
/// The merge is stable; see [`merge`](crate::stl::merge). A merge into scratch memory, and one launch back.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[1, 4, 9, 2, 3])?;
/// cl_algo::stl::inplace_merge(&mut x, 3)?;
/// assert_eq!(x.to_vec()?, [1, 2, 3, 4, 9]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign_with`](crate::assign_with), and [`Error::OutOfBounds`] if `middle` exceeds the length. After an error
/// the vectors are unchanged.
pub fn inplace_merge<'a, T: Ordered + PartialEq>(vectors: impl InPlace<'a, T>, middle: usize) -> Result<()> {
    inplace_merge_as("inplace_merge", vectors, middle, ascending::<T>)
}

/// Merges the two parts of vectors or views that are sorted by a comparator, in place; see [`inplace_merge`].
///
/// `less(a, b)` returns whether `a` goes before `b`, as for [`merge_by`].
///
/// # Errors
/// As [`inplace_merge`].
pub fn inplace_merge_by<'a, T: Item, R: Recorded<Item = bool>>(
    vectors: impl InPlace<'a, T>,
    middle: usize,
    less: impl FnOnce(T::Values, T::Values) -> R,
) -> Result<()> {
    inplace_merge_as("inplace_merge_by", vectors, middle, less)
}

fn inplace_merge_as<'a, T: Item, R: Recorded<Item = bool>>(
    operation: &'static str,
    vectors: impl InPlace<'a, T>,
    middle: usize,
    less: impl FnOnce(T::Values, T::Values) -> R,
) -> Result<()> {
    let (items, targets) = shared::<T>(operation, vectors);
    let Some((queue, len)) = extent(&items, &targets)? else { return check_middle(operation, middle, 0) };
    check_middle(operation, middle, len)?;
    if middle == 0 || middle == len {
        return Ok(());
    }
    by_way_of_scratch::<T>(operation, queue, len, targets, |stored| {
        merge_as(operation, items.clone().take(middle), items.skip(middle), less, Targets(stored))
    })
}

/// Merges any number of sorted sequences into one, of equal elements those of earlier sequences first.
///
/// `merge_all([&a, &b, &c], &mut all)`. Sequences are merged in pairs, then the results in pairs: `k` sequences take
/// `k - 1` calls of [`merge`](crate::stl::merge), and each element is moved about `log2(k)` times.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 4, 9, 2, 3, 0])?;
/// let mut all = DeviceVec::filled(&queue, 0, 6)?;
/// cl_algo::stl::merge_all([x.slice(..3), x.slice(3..5), x.slice(5..)], &mut all)?;
/// assert_eq!(all.to_vec()?, [0, 1, 2, 3, 4, 9]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`merge`](crate::stl::merge); [`Error::InvalidInput`] for no sequences.
pub fn merge_all<'t, T: Ordered + PartialEq, O: Operand<'t, T>>(
    sequences: impl IntoIterator<Item = O>,
    output: impl Sink<'t, T>,
) -> Result<()> {
    merge_all_by(sequences, ascending::<T>, output)
}

/// Merges any number of sequences that are sorted by a comparator; see [`merge_all`].
///
/// # Errors
/// As [`merge_all`].
pub fn merge_all_by<'t, T: Element, O: Operand<'t, T>, R: Recorded<Item = bool>>(
    sequences: impl IntoIterator<Item = O>,
    less: impl Fn(Val<T>, Val<T>) -> R,
    output: impl Sink<'t, T>,
) -> Result<()> {
    let mut all: Vec<Expr<'t, T>> = sequences.into_iter().map(Operand::into_expr).collect();
    while all.len() > 2 {
        let mut merged = Vec::with_capacity(all.len().div_ceil(2));
        let mut rest = all.into_iter();
        while let Some(a) = rest.next() {
            let Some(b) = rest.next() else {
                merged.push(a);
                break;
            };
            let lengths = length(&a.graph(), "sequence to merge")?
                .saturating_add(length(&b.graph(), "sequence to merge")?);
            let Some(queue) = a.shared_queue().or_else(|| b.shared_queue()) else {
                return Err(no_queue("sequences to merge"));
            };
            // SAFETY: the merge writes every element. If it cannot be enqueued, the vector is dropped here.
            let mut both = unsafe { DeviceVec::uninit(&queue, lengths) }?;
            merge_by(a, b, &less, &mut both)?;
            merged.push(both.into_expr());
        }
        all = merged;
    }
    let mut all = all.into_iter();
    match (all.next(), all.next()) {
        (Some(a), Some(b)) => merge_by(a, b, less, output),
        (Some(a), None) => crate::algorithm::assign(output, a),
        _ => Err(Error::invalid_input("sequences to merge", "there are none: pass at least one".to_owned())),
    }
}
