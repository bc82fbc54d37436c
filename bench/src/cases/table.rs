//! Group-bys, joins and lookups in maps. They read the sizes of their results, so the host's clock counts.

use super::{Case, into_vector, to_value};
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_algo::reducers::{Max, Min, Sum};
use cl_collections::{FlatMap, GroupBy, inner_join, value_counts};
use std::collections::BTreeMap;

/// The rows of tables.
pub(super) const ROWS: usize = 10_000_000;
/// The lookups.
pub(super) const LOOKUPS: usize = 1 << 24;

/// A factor that spreads keys over all numbers.
pub(crate) const FAR: u32 = 0x9e37_79b1;

/// Returns a case of tables with `ROWS` rows.
pub(super) const fn case(
    name: &'static str,
    element: &'static str,
    bytes: usize,
    prepare: fn(&Queue, usize) -> Result<Step, Failure>,
) -> Case {
    Case::new(name, element, bytes, prepare).at_most(ROWS).by_host().only_in_full()
}

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

/// Groups by random keys below `GROUPS`, times `FACTOR`, and adds the values of each group.
pub(super) fn group_by<const GROUPS: u32, const FACTOR: u32>(
    queue: &Queue,
    n: usize,
) -> Result<Step, Failure> {
    let (mut keys, values) = rows(n, GROUPS);
    keys.iter_mut().for_each(|key| *key = key.wrapping_mul(FACTOR));
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

/// Computes several aggregates of 10 000 groups in one pass.
pub(super) fn several(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (keys, _) = rows(n, 10_000);
    let values = Source::fresh().f32s(n);
    let (k, x) = (DeviceVec::from_slice(queue, &keys)?, DeviceVec::from_slice(queue, &values)?);
    let mut expected: BTreeMap<u32, (f64, f32, f32)> = BTreeMap::new();
    for (key, value) in keys.into_iter().zip(values) {
        let (sum, least, largest) = expected.entry(key).or_insert((0.0, value, value));
        (*sum, *least, *largest) = (*sum + f64::from(value), least.min(value), largest.max(value));
    }
    let evaluate = move || GroupBy::new(&k)?.reduce_with(&x, (Sum, Min, Max));
    to_value(evaluate, |(sums, least, largest)| {
        // The sums are correct but for the last rounding.
        let found = sums.to_vec()?.into_iter().zip(least.to_vec()?).zip(largest.to_vec()?);
        let mut expected = expected.into_values();
        for ((sum, least), largest) in found {
            let next = expected.next().ok_or("wrong result: too many groups")?;
            let error = (f64::from(sum) - next.0).abs();
            if error > f64::from(f32::EPSILON) * next.0 || (least, largest) != (next.1, next.2) {
                return Err(format!("wrong result: {sum}, {least}, {largest}; expected {next:?}").into());
            }
        }
        expected.next().map_or(Ok(()), |_| Err("wrong result: a group is missing".into()))
    })
}

/// Counts how often each of 10 000 keys occurs.
pub(super) fn counts(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (keys, _) = rows(n, 10_000);
    let k = DeviceVec::from_slice(queue, &keys)?;
    let mut expected: BTreeMap<u32, u32> = BTreeMap::new();
    keys.into_iter().for_each(|key| *expected.entry(key).or_default() += 1);
    let target = DeviceVec::filled(queue, 0, 0)?;
    into_vector(target, expected.into_values(), move |counts| {
        *counts = value_counts(&k)?.1;
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
