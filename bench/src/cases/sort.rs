//! Sorts. Each step begins with a copy of what was not sorted yet, whose time counts.

use super::verify;
use crate::Failure;
use crate::data::Source;
use crate::timing::Step;
use cl_algo::prelude::*;

pub(super) fn u32(queue: &Queue, n: usize) -> Result<Step, Failure> {
    keys(queue, Source::fresh().u32s(n), u32::cmp)
}

pub(super) fn u64(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let mut source = Source::fresh();
    keys(queue, (0..n).map(|_| source.next_u64()).collect(), u64::cmp)
}

pub(super) fn f32(queue: &Queue, n: usize) -> Result<Step, Failure> {
    keys(queue, Source::fresh().f32s(n), f32::total_cmp)
}

fn keys<K: cl_algo::SortKey + PartialEq + std::fmt::Debug>(
    queue: &Queue,
    values: Vec<K>,
    order: impl Fn(&K, &K) -> std::cmp::Ordering,
) -> Result<Step, Failure> {
    let unsorted = DeviceVec::from_slice(queue, &values)?;
    let mut keys = DeviceVec::from_slice(queue, &values)?;
    sort(&mut keys)?;
    let mut expected = values;
    expected.sort_unstable_by(order);
    verify(&keys.to_vec()?, expected.into_iter())?;
    Ok(Box::new(move || {
        keys.assign(&unsorted)?;
        sort(&mut keys)
    }))
}

pub(super) fn by_key(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let values = Source::fresh().u32s(n);
    let unsorted = DeviceVec::from_slice(queue, &values)?;
    let mut keys = DeviceVec::from_slice(queue, &values)?;
    let mut indices = DeviceVec::from_fn(queue, n, |i| i as u32)?;
    sort_by_key(&mut keys, &mut indices)?;
    let mut expected: Vec<(u32, u32)> = values.into_iter().zip(0..).collect();
    expected.sort_unstable();
    let sorted: Vec<(u32, u32)> = keys.to_vec()?.into_iter().zip(indices.to_vec()?).collect();
    verify(&sorted, expected.into_iter())?;
    Ok(Box::new(move || {
        keys.assign(&unsorted)?;
        sort_by_key(&mut keys, &mut indices)
    }))
}

/// One thread of the host's sort, to compare with.
pub(super) fn on_host(_: &Queue, n: usize) -> Result<Step, Failure> {
    let unsorted = Source::fresh().u32s(n);
    let mut keys = unsorted.clone();
    Ok(Box::new(move || {
        keys.copy_from_slice(&unsorted);
        keys.sort_unstable();
        std::hint::black_box(&mut keys);
        Ok(())
    }))
}
