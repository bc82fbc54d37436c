//! Sorts of random keys.

use super::verify_by;
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Restored;
use cl_algo::prelude::*;
use cl_algo::stl::{sort, sort_by_key};
use rayon::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

pub(super) fn u32(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    keys(queue, Source::fresh().u32s(n), u32::cmp, |keys| sort(keys))
}

pub(super) fn u64(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    keys(queue, Source::fresh().u64s(n), u64::cmp, |keys| sort(keys))
}

pub(super) fn f32(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    keys(queue, Source::fresh().f32s(n), f32::total_cmp, |keys| sort(keys))
}

pub(super) fn u8(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    keys(queue, Source::fresh().u8s(n), u8::cmp, |keys| sort(keys))
}

pub(super) fn u16(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    keys(queue, Source::fresh().u16s(n), u16::cmp, |keys| sort(keys))
}

pub(super) fn i32(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    keys(queue, Source::fresh().i32s(n), i32::cmp, |keys| sort(keys))
}

pub(super) fn f64(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    keys(queue, Source::fresh().f64s(n), f64::total_cmp, |keys| sort(keys))
}

pub(super) fn sorted(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    keys(queue, Source::fresh().ascending(n), u32::cmp, |keys| sort(keys))
}

pub(super) fn few(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    keys(queue, Source::fresh().few(n), u32::cmp, |keys| sort(keys))
}

pub(super) fn skewed(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    keys(queue, Source::fresh().skewed(n), u32::cmp, |keys| sort(keys))
}

/// Sorts the values in place. The original values are restored before each evaluation.
pub(super) fn keys<K: Element + PartialEq + std::fmt::Debug + Send>(
    queue: &Queue,
    values: Vec<K>,
    order: impl Fn(&K, &K) -> std::cmp::Ordering + Sync,
    sort: impl Fn(&mut DeviceVec<K>) -> cl_core::Result<()> + 'static,
) -> Result<Restored, Failure> {
    let unsorted = DeviceVec::from_slice(queue, &values)?;
    let mut keys = DeviceVec::from_slice(queue, &values)?;
    sort(&mut keys)?;
    verify_by(&keys.to_vec()?, || {
        let mut expected = values;
        expected.par_sort_unstable_by(order);
        expected
    })?;
    let keys = Rc::new(RefCell::new(keys));
    let restored = Rc::clone(&keys);
    Ok(Restored {
        restore: Some(Box::new(move || restored.borrow_mut().assign(&unsorted))),
        step: Box::new(move || sort(&mut keys.borrow_mut())),
    })
}

/// Returns a key and its value as one number, in the order of keys and then of values.
fn together((key, value): (u32, u32)) -> u64 {
    u64::from(key) << 32 | u64::from(value)
}

pub(super) fn by_key(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    by_these(queue, Source::fresh().u32s(n))
}

pub(super) fn by_sorted(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    by_these(queue, Source::fresh().ascending(n))
}

pub(super) fn by_skewed(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    by_these(queue, Source::fresh().skewed(n))
}

/// Sorts indices by these keys.
fn by_these(queue: &Queue, values: Vec<u32>) -> Result<Restored, Failure> {
    let n = values.len();
    let unsorted = DeviceVec::from_slice(queue, &values)?;
    let mut keys = DeviceVec::from_slice(queue, &values)?;
    let mut indices = DeviceVec::from_fn(queue, n, |i| i as u32)?;
    sort_by_key(&mut keys, &mut indices)?;
    let sorted: Vec<u64> = keys.to_vec()?.into_iter().zip(indices.to_vec()?).map(together).collect();
    verify_by(&sorted, || {
        let mut expected: Vec<u64> = values.into_iter().zip(0..).map(together).collect();
        expected.par_sort_unstable();
        expected
    })?;
    let keys = Rc::new(RefCell::new(keys));
    let restored = Rc::clone(&keys);
    Ok(Restored {
        restore: Some(Box::new(move || restored.borrow_mut().assign(&unsorted))),
        step: Box::new(move || sort_by_key(&mut *keys.borrow_mut(), &mut indices)),
    })
}

/// Sorts on one thread of the host, for comparison.
pub(super) fn on_host(_: &Queue, n: usize) -> Result<Restored, Failure> {
    let unsorted = Source::fresh().u32s(n);
    let keys = Rc::new(RefCell::new(unsorted.clone()));
    let restored = Rc::clone(&keys);
    Ok(Restored {
        restore: Some(Box::new(move || {
            restored.borrow_mut().copy_from_slice(&unsorted);
            Ok(())
        })),
        step: Box::new(move || {
            keys.borrow_mut().sort_unstable();
            Ok(())
        }),
    })
}
