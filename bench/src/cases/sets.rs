//! Set operations on sorted sequences.

use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_algo::stl::{set_difference, set_intersection, set_union};
use std::cmp::Ordering;

/// Returns two sorted sequences of `n` elements in all. Their values are random numbers below `n`, so about a quarter of
/// the values of each are in both.
pub(crate) fn sequences(n: usize) -> [Vec<u32>; 2] {
    let mut source = Source::fresh();
    [n / 2, n - n / 2].map(|len| {
        let mut values = source.ascending(len);
        values.iter_mut().for_each(|value| *value = ((u64::from(*value) * n as u64) >> 32) as u32);
        values
    })
}

/// Returns the elements of two sorted sequences that are kept: those of the first one alone, of the second one alone, and
/// of both.
pub(crate) fn kept(a: &[u32], b: &[u32], [first, second, both]: [bool; 3], out: &mut Vec<u32>) {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => {
                if first {
                    out.push(a[i]);
                }
                i += 1;
            }
            Ordering::Greater => {
                if second {
                    out.push(b[j]);
                }
                j += 1;
            }
            Ordering::Equal => {
                if both {
                    out.push(a[i]);
                }
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    if first {
        out.extend_from_slice(&a[i..]);
    }
    if second {
        out.extend_from_slice(&b[j..]);
    }
}

pub(crate) const UNION: [bool; 3] = [true, true, true];
pub(crate) const INTERSECTION: [bool; 3] = [false, false, true];

pub(super) fn union(queue: &Queue, n: usize) -> Result<Step, Failure> {
    step(queue, sequences(n), UNION, |a, b, out| set_union(a, b, out))
}

pub(super) fn intersection(queue: &Queue, n: usize) -> Result<Step, Failure> {
    step(queue, sequences(n), INTERSECTION, |a, b, out| set_intersection(a, b, out))
}

/// Computes the difference of two sequences of one value each, the longest runs that there are.
pub(super) fn difference_of_one(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let both = [n - n / 3, n / 3].map(|len| vec![7; len]);
    step(queue, both, [true, false, false], |a, b, out| set_difference(a, b, out))
}

type Operation =
    fn(&DeviceVec<u32>, &DeviceVec<u32>, &mut DeviceVec<u32>) -> cl_core::Result<DeviceScalar<u64>>;

fn step(
    queue: &Queue,
    [a, b]: [Vec<u32>; 2],
    keep: [bool; 3],
    operation: Operation,
) -> Result<Step, Failure> {
    let out = DeviceVec::filled(queue, 0, a.len() + b.len())?;
    let (host_a, host_b) = (a, b);
    let (a, b) = (DeviceVec::from_slice(queue, &host_a)?, DeviceVec::from_slice(queue, &host_b)?);
    let expected = || {
        let mut expected = Vec::new();
        kept(&host_a, &host_b, keep, &mut expected);
        expected
    };
    super::select::into_front(out, expected, move |out| operation(&a, &b, out))
}
