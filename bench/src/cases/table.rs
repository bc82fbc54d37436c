//! Group-bys, joins and lookups in maps. They read the sizes of their results, so the host's clock counts.

use super::into_vector;
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_collections::{FlatMap, GroupBy, inner_join};
use std::collections::BTreeMap;

/// The rows of tables.
pub(super) const ROWS: usize = 10_000_000;
/// The lookups.
pub(super) const LOOKUPS: usize = 1 << 24;

/// Returns keys below `groups`, and values.
pub(crate) fn rows(n: usize, groups: u32) -> (Vec<u32>, Vec<u32>) {
    let mut source = Source::fresh();
    (source.u32s(n).into_iter().map(|key| key % groups).collect(), source.u32s(n))
}

/// Returns left keys, and sorted right keys of a tenth of their number, of which about one in two is met.
pub(crate) fn keys_to_join(n: usize) -> (Vec<u32>, Vec<u32>) {
    let right = n.div_ceil(10) as u32;
    let left = Source::fresh().u32s(n).into_iter().map(|key| key % (2 * right)).collect();
    (left, (0..right).map(|key| 2 * key).collect())
}

/// Returns the sorted keys of a map, a sixteenth of the number of lookups, and the keys to look up, of which one in two is
/// there.
pub(crate) fn keys_to_look_up(n: usize) -> (Vec<u32>, Vec<u32>) {
    let (wanted, keys) = rows(n, 2 * n.div_ceil(16) as u32);
    drop(keys);
    ((0..n.div_ceil(16) as u32).map(|key| 2 * key).collect(), wanted)
}

/// Groups by random keys below `GROUPS`, and adds the values of each group.
pub(super) fn group_by<const GROUPS: u32>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (keys, values) = rows(n, GROUPS);
    let (k, x) = (DeviceVec::from_slice(queue, &keys)?, DeviceVec::from_slice(queue, &values)?);
    let mut expected: BTreeMap<u32, u32> = BTreeMap::new();
    for (key, value) in keys.into_iter().zip(values) {
        let sum = expected.entry(key).or_default();
        *sum = sum.wrapping_add(value);
    }
    let target = DeviceVec::filled(queue, 0, 0)?;
    into_vector(target, expected.into_values(), move |sums| {
        *sums = GroupBy::new(&k)?.sum(&x)?;
        Ok(())
    })
}

/// Joins with sorted keys, and keeps the right rows.
pub(super) fn join(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (left, right) = keys_to_join(n);
    let expected: Vec<u32> = left.iter().filter(|&key| key % 2 == 0).map(|key| key / 2).collect();
    let (left, right) = (DeviceVec::from_slice(queue, &left)?, DeviceVec::from_slice(queue, &right)?);
    let target = DeviceVec::filled(queue, 0, 0)?;
    into_vector(target, expected.into_iter(), move |rows| {
        *rows = inner_join(&left, &right)?.into_parts().1;
        Ok(())
    })
}

/// Looks keys up in a map.
pub(super) fn lookups(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (keys, wanted) = keys_to_look_up(n);
    let expected: Vec<u32> = wanted.iter().map(|&key| if key % 2 == 0 { key + 1 } else { 7 }).collect();
    let keys = DeviceVec::from_slice(queue, &keys)?;
    let map = FlatMap::from_pairs(&keys, &keys + 1)?;
    let wanted = DeviceVec::from_slice(queue, &wanted)?;
    let target = DeviceVec::filled(queue, 0, 0)?;
    into_vector(target, expected.into_iter(), move |values| {
        *values = map.lookup(&wanted, 7)?;
        Ok(())
    })
}
