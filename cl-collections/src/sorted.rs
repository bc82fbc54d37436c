//! Keys, and searches in sorted vectors as device functions.

use cl_algo::prelude::*;
use cl_algo::{SortKey, stl};
use cl_core::Result;
use std::ops::{Bound, Range, RangeBounds};

/// Keys of maps, sets and groups: the integers of 8 to 64 bits.
///
/// Floats are not keys, as in [`BTreeMap`](std::collections::BTreeMap): NaN has no place in their order.
pub trait Key: Integer + SortKey + PartialEq + PartialOrd {}

impl<T: Integer + SortKey + PartialEq + PartialOrd> Key for T {}

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

/// Returns whether a sorted slice has `key`.
#[device_fn]
pub(crate) fn is_among<K: Key>(key: K, sorted: &[K]) -> bool {
    let at = position(key, sorted) as usize;
    let last = if at < sorted.len() { at } else { sorted.len() - 1 };
    sorted[last] == key
}

/// Returns the value of `key` in a map, and whether the map has the key; otherwise `default`.
#[device_fn]
pub(crate) fn value_of<K: Key, V: Element>(key: K, default: V, keys: &[K], values: &[V]) -> V {
    let at = position(key, keys) as usize;
    let last = if at < keys.len() { at } else { keys.len() - 1 };
    if keys[last] == key { values[last] } else { default }
}

/// Returns the positions of the keys in a range. Two searches; blocks.
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
    Ok(unique)
}
