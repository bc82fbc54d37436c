//! Keys, and searches in sorted vectors as device functions.

use cl_algo::function::{RawFunction, Slice};
use cl_algo::prelude::*;
use cl_algo::{Castable, SortKey, stl};
use cl_core::{Error, Result};
use std::ops::{Bound, Range, RangeBounds};

/// Keys of maps, sets and groups: the integers of 8 to 64 bits.
///
/// Floats are not keys, as in [`BTreeMap`](std::collections::BTreeMap): NaN has no place in their order.
pub trait Key: Integer + SortKey + Castable + PartialEq + PartialOrd {}

impl<T: Integer + SortKey + Castable + PartialEq + PartialOrd> Key for T {}

/// Returns the number of keys before `key`, in a sorted slice.
///
/// All searches of the same slice take the same steps, and no jump depends on data.
#[device_fn]
pub(crate) fn position<K: Key>(key: K, sorted: &[K]) -> u64 {
    let mut width = sorted.len();
    let mut begin = 0;
    while width > 0 {
        let half = width - width / 2;
        if sorted[begin + half - 1] < key {
            begin += half;
        }
        width /= 2;
    }
    begin as u64
}

/// Returns the number of keys that are not greater than `key`, in a sorted slice.
#[device_fn]
pub(crate) fn position_after<K: Key>(key: K, sorted: &[K]) -> u64 {
    let mut width = sorted.len();
    let mut begin = 0;
    while width > 0 {
        let half = width - width / 2;
        if sorted[begin + half - 1] <= key {
            begin += half;
        }
        width /= 2;
    }
    begin as u64
}

/// Returns the number of sorted keys before each key, as an expression. There is at least one sorted key.
///
/// The same steps as [`position`], without a check of each index: on CPUs the checks take longer than the search.
pub(crate) fn positions<'a, K: Key>(keys: Expr<'a, K>, sorted: &'a DeviceVec<K>) -> Expr<'a, u64> {
    // SAFETY: the range left to be searched begins at `begin` and has `width` keys, so all reads are below the length, and
    // the width becomes 0.
    let search = unsafe {
        RawFunction::<fn(K, Slice<K>) -> u64>::new(
            "position",
            ["key", "sorted"],
            "    ulong begin = 0;
    for (ulong width = sorted_len; width > 0; width /= 2) {
        const ulong upper = width - width / 2;
        begin += sorted[begin + upper - 1] < key ? upper : 0;
    }
    return begin;",
        )
    };
    match search {
        Ok(search) => search.call((keys, sorted)),
        Err(error) => keys.map(|_| Val::from(0_u64)).failed(error),
    }
}

/// Returns for each key the place of an equal key, and whether there is one, as an expression; `before` is the number of
/// sorted keys before each key. There is at least one sorted key.
pub(crate) fn places<'a, K: Key, I: Integer>(
    keys: Expr<'a, K>,
    before: Expr<'a, I>,
    sorted: &'a DeviceVec<K>,
    last: I,
) -> (Expr<'a, I>, Expr<'a, bool>) {
    let at = before.min(last);
    // SAFETY: the places are at most the last one.
    let there = unsafe { sorted.iter().gather_unchecked("lookup", sorted.len(), at.clone()) };
    (at, there.eq(keys))
}

/// Returns whether each key is among the sorted keys, as an expression.
pub(crate) fn are_among<'a, K: Key>(keys: Expr<'a, K>, sorted: &'a DeviceVec<K>) -> Expr<'a, bool> {
    let keys = keys.on(sorted.queue());
    // Functions cannot be given an empty slice.
    let Some(last) = sorted.len().checked_sub(1) else { return keys.map(|key| key.ne(key)) };
    places(keys.clone(), positions(keys, sorted), sorted, last as u64).1
}

/// Returns the positions of the keys in a range; none for a range that ends before it begins. Two searches; blocks.
pub(crate) fn range_of<K: Key>(keys: &DeviceVec<K>, range: &impl RangeBounds<K>) -> Result<Range<usize>> {
    let begin = match range.start_bound() {
        Bound::Included(&first) => stl::lower_bound(keys, first)?,
        Bound::Excluded(&before) => stl::upper_bound(keys, before)?,
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => stl::upper_bound(keys, last)?,
        Bound::Excluded(&end) => stl::lower_bound(keys, end)?,
        Bound::Unbounded => keys.len(),
    };
    Ok(begin..end.max(begin))
}

/// Returns sorted keys without duplicates.
pub(crate) fn sorted_keys<'a, K: Key>(keys: impl Operand<'a, K>) -> Result<DeviceVec<K>> {
    let mut keys = keys.into_expr().collect()?;
    keys.sort()?;
    unique_keys(&keys)
}

/// Returns sorted keys without duplicates. One launch, and one number is read.
pub(crate) fn unique_keys<K: Key>(keys: &DeviceVec<K>) -> Result<DeviceVec<K>> {
    // SAFETY: the elements that the selection does not store are cut off.
    let mut unique = unsafe { DeviceVec::uninit(keys.queue(), keys.len()) }?;
    let count = stl::unique(keys, &mut unique)?;
    unique.truncate_by(&count)?;
    shrink(&mut unique)?;
    Ok(unique)
}

/// Returns an error unless each key is less than the next one. One reduction, which is read.
pub(crate) fn check_sorted<K: Key>(keys: &DeviceVec<K>) -> Result<()> {
    if keys.len() < 2 {
        return Ok(());
    }
    let wrong = keys.slice(1..).le(keys.slice(..keys.len() - 1)).position()?;
    wrong.map_or(Ok(()), |before| {
        let reason = format!(
            "key {} is not greater than the key before it: use sorted keys without duplicates",
            before + 1
        );
        Err(Error::invalid_input("sorted keys", reason))
    })
}

/// Gives memory back if most of it is unused.
pub(crate) fn shrink<T: Element>(vector: &mut DeviceVec<T>) -> Result<()> {
    if vector.len() < vector.capacity() / 2 { vector.shrink_to_fit() } else { Ok(()) }
}
