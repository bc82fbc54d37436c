//! Joins of tables.

use crate::group_by::rows_of;
use crate::sorted::{Key, position_after};
use cl_algo::codegen::profile;
use cl_algo::prelude::*;
use cl_algo::{stl, zip};
use cl_core::{Error, Result};
use std::fmt;

/// Returns the rows of a pair: the left row, and the right row or the largest number.
#[device_fn]
fn pair(at: u32, offsets: &[u32], begins: &[u32], ends: &[u32]) -> (u32, u32) {
    let left = position_after(at, offsets) as usize - 1;
    let right = begins[left] + (at - offsets[left]);
    (left as u32, if right < ends[left] { right } else { 0xffff_ffff })
}

/// The pairs of rows that a join finds, in the order of the left rows, then of the right rows.
///
/// The columns of the result are views: `price.iter().gather(join.right())`.
///
/// ```
/// use cl_collections::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let product = DeviceVec::from_slice(&queue, &[30_u32, 10, 30, 40])?; // sales
/// let known = DeviceVec::from_slice(&queue, &[10_u32, 20, 30])?; // products
/// let price = DeviceVec::from_slice(&queue, &[1.5_f32, 2.5, 3.5])?;
///
/// let join = inner_join(&product, &known)?;
/// assert_eq!(join.left().to_vec()?, [0, 1, 2]);
/// assert_eq!(price.iter().gather(join.right()).collect()?.to_vec()?, [3.5, 1.5, 3.5]);
///
/// let join = left_join(&product, &known)?;
/// assert_eq!(join.left().to_vec()?, [0, 1, 2, 3]);
/// assert_eq!(join.right_or(&price, -1.0).collect()?.to_vec()?, [3.5, 1.5, 3.5, -1.0]);
/// # Ok(())
/// # }
/// ```
pub struct Join {
    left: DeviceVec<u32>,
    right: DeviceVec<u32>,
}

impl Join {
    /// The right row of a left row without a partner.
    pub const NO_ROW: u32 = u32::MAX;

    /// Returns the number of pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.left.len()
    }

    /// Returns `true` if there are zero pairs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Returns the left row of each pair.
    #[must_use]
    pub fn left(&self) -> &DeviceVec<u32> {
        &self.left
    }

    /// Returns the right row of each pair; [`Join::NO_ROW`] if the left row has no partner, in a [`left_join`].
    #[must_use]
    pub fn right(&self) -> &DeviceVec<u32> {
        &self.right
    }

    /// Returns the left and the right rows as vectors.
    #[must_use]
    pub fn into_parts(self) -> (DeviceVec<u32>, DeviceVec<u32>) {
        (self.left, self.right)
    }

    /// Returns the value of the right row of each pair, and `default` for left rows without a partner, as an expression.
    pub fn right_or<'a, V: Element>(
        &'a self,
        values: impl Operand<'a, V>,
        default: impl Operand<'a, V>,
    ) -> Expr<'a, V> {
        let (values, default) = (values.into_expr(), default.into_expr());
        if values.len() == Some(0) {
            return self.right.iter().zip(default).map(|(_, default)| default);
        }
        let found = self.right.iter().ne(Join::NO_ROW);
        let values = values.gather(found.clone().select(&self.right, 0));
        found.select(values, default)
    }
}

impl fmt::Debug for Join {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Join({} pairs)", self.len())
    }
}

/// Returns all pairs of rows with equal keys (`INNER JOIN` of SQL). The keys of both sides are in any order, and either side
/// may have a key several times. Sorted keys on the right take less time.
///
/// A [look at the order](stl::is_sorted) of the right keys, a [search](stl::equal_ranges) for the left keys, a reduction of
/// the numbers of pairs, which is read, and a selection or
/// two copies if no left row has several partners. Otherwise a fill and a scan of these numbers, and a launch for the pairs;
/// on CPUs another search and two launches. The work is divided by pairs, so a key with many partners does not hold up the
/// others. Right keys that are not sorted are [sorted](stl::argsort) first, with their rows. Blocks.
///
/// # Errors
/// [`Error::InvalidInput`] for more than 2^32 - 2 pairs or left rows, and as [`Expr::collect`].
#[doc(alias = "merge")]
pub fn inner_join<'a, K: Key>(left: impl Operand<'a, K>, right: impl Operand<'a, K>) -> Result<Join> {
    join("inner_join", left.into_expr(), right.into_expr(), 0)
}

/// Returns all pairs of rows with equal keys, and the left rows without a partner (`LEFT JOIN` of SQL). As
/// [`inner_join`].
///
/// # Errors
/// As [`inner_join`].
#[doc(alias = "merge")]
pub fn left_join<'a, K: Key>(left: impl Operand<'a, K>, right: impl Operand<'a, K>) -> Result<Join> {
    join("left_join", left.into_expr(), right.into_expr(), 1)
}

/// Joins two tables. Each left row is in `least` pairs or more.
fn join<'a, K: Key>(
    operation: &'static str,
    left: Expr<'a, K>,
    right: Expr<'a, K>,
    least: u32,
) -> Result<Join> {
    let queue = cl_algo::ranked::queue_of(operation, &left)
        .or_else(|_| cl_algo::ranked::queue_of(operation, &right))?
        .clone();
    let (left, right) = (left.on(&queue), right.on(&queue));
    rows_of("left rows of a join", left.len().unwrap_or(0))?;
    if right.len().unwrap_or(0) < 2 || stl::is_sorted(right.clone())? {
        return join_sorted(operation, &queue, left, right, least);
    }
    // Equal keys keep the order of their rows.
    let rows = stl::argsort(right.clone())?;
    let sorted = right.gather(&rows).collect()?;
    let join = join_sorted(operation, &queue, left, sorted.iter(), least)?;
    let found = join.right.iter().ne(Join::NO_ROW);
    let rows = rows.iter().gather(found.clone().select(&join.right, 0));
    let right = found.select(rows, Join::NO_ROW).collect_on(&queue)?;
    Ok(Join { right, ..join })
}

/// Joins two tables, of which the right one is sorted.
fn join_sorted<'a, K: Key>(
    operation: &'static str,
    queue: &'a Queue,
    left: Expr<'a, K>,
    right: Expr<'a, K>,
    least: u32,
) -> Result<Join> {
    let count = left.len().unwrap_or(0);
    // SAFETY: the search writes all elements. If it cannot be enqueued, the vectors are dropped.
    let (mut begins, mut ends) =
        unsafe { (DeviceVec::<u32>::uninit(queue, count)?, DeviceVec::<u32>::uninit(queue, count)?) };
    stl::equal_ranges(right, left, (&mut begins, &mut ends))?;
    let partners = || (&ends - &begins).max(least);
    let counts = partners().map(|count| (count.cast::<u64>(), count));
    let found = if count == 0 { None } else { counts.reduce(|(a, b), (c, d)| (a + c, b.max(d)))? };
    let (total, most) = found.unwrap_or((0, 0));
    let Some(pairs) = usize::try_from(total).ok().filter(|_| total < u64::from(u32::MAX)) else {
        let reason = format!("there are {total}; at most {} fit: divide the left table", u32::MAX - 1);
        return Err(Error::invalid_input("pairs of a join", reason));
    };
    if pairs == 0 {
        let empty = || DeviceVec::with_capacity(queue, 0);
        return Ok(Join { left: empty()?, right: empty()? });
    }
    if most == 1 {
        return single(&begins, &ends, pairs);
    }
    let mut offsets = DeviceVec::filled(queue, 0, count + 1)?;
    stl::inclusive_scan(partners(), offsets.slice_mut(1..))?;
    if !profile(queue.context())?.chunked {
        let (left, right) = zip(pair(iota(0_u32, pairs), &offsets, &begins, &ends)).collect()?;
        return Ok(Join { left, right });
    }
    // SAFETY: the search writes all elements. If it cannot be enqueued, the vector is dropped.
    let mut left = unsafe { DeviceVec::<u32>::uninit(queue, pairs) }?;
    let row = mapped::<u32, _, _, _>(&mut left, |before| before - 1);
    stl::upper_bounds(&offsets, iota(0_u32, pairs), row)?;
    // SAFETY: as many offsets as rows are not greater than a pair's number: the row is below `count`.
    let of_row =
        unsafe { zip((offsets.slice(..count), &begins, &ends)).gather_unchecked(operation, count, &left) };
    let right = iota(0_u32, pairs).zip(of_row).map(|(at, (offset, begin, end))| {
        let right = begin + (at - offset);
        right.lt(end).select(right, Join::NO_ROW)
    });
    let right = right.collect()?;
    Ok(Join { left, right })
}

/// Returns the pairs of left rows that have at most one partner each: there are `pairs` of them.
fn single(begins: &DeviceVec<u32>, ends: &DeviceVec<u32>, pairs: usize) -> Result<Join> {
    let found = begins.iter().lt(ends);
    let right = found.clone().select(begins, Join::NO_ROW);
    if pairs == begins.len() {
        let left = iota(0_u32, pairs).collect_on(begins.queue())?;
        return Ok(Join { left, right: right.collect()? });
    }
    // SAFETY: as many rows have a partner. If the selection cannot be enqueued, the vectors are dropped.
    let (mut left, mut kept) =
        unsafe { (DeviceVec::uninit(begins.queue(), pairs)?, DeviceVec::uninit(begins.queue(), pairs)?) };
    stl::copy_if::<(u32, u32)>(
        iota(0_u32, begins.len()).zip(right),
        |(_, right)| right.ne(Join::NO_ROW),
        (&mut left, &mut kept),
    )?;
    Ok(Join { left, right: kept })
}
