//! Reductions, scans and sorts of segments.

use super::{into_vector, to_value, verify_by};
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::{Restored, Step};
use cl_algo::Segments;
use cl_algo::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

/// Returns lengths from 1 to `2 * mean - 1`, of `n` items together.
fn lengths(n: usize, mean: usize) -> Vec<u32> {
    let mut source = Source::fresh();
    let (mut lengths, mut left) = (Vec::with_capacity(n / mean + 1), n);
    while left > 0 {
        let len = (1 + (source.next_u64() >> 11) as usize % (2 * mean - 1)).min(left);
        lengths.push(len as u32);
        left -= len;
    }
    lengths
}

/// Returns the lengths of short segments, and of one with half of all items between them.
fn one_long(n: usize) -> Vec<u32> {
    let mut all = lengths(n - n / 2, 4);
    all.insert(all.len() / 2, (n / 2) as u32);
    all
}

pub(super) fn sums_of_4(queue: &Queue, n: usize) -> Result<Step, Failure> {
    sums(queue, &lengths(n, 4))
}

pub(super) fn sums_of_100(queue: &Queue, n: usize) -> Result<Step, Failure> {
    sums(queue, &lengths(n, 100))
}

pub(super) fn sums_of_100_000(queue: &Queue, n: usize) -> Result<Step, Failure> {
    sums(queue, &lengths(n, 100_000))
}

pub(super) fn sums_with_a_long_one(queue: &Queue, n: usize) -> Result<Step, Failure> {
    sums(queue, &one_long(n))
}

fn sums(queue: &Queue, lengths: &[u32]) -> Result<Step, Failure> {
    let segments = Segments::from_lengths(&DeviceVec::from_slice(queue, lengths)?)?;
    let host = Source::fresh().u32s(segments.len());
    let x = DeviceVec::from_slice(queue, &host)?;
    let expected = || {
        let mut rest = &host[..];
        let sum = |&len: &u32| {
            let (these, others) = rest.split_at(len as usize);
            rest = others;
            these.iter().fold(0_u32, |sum, x| sum.wrapping_add(*x))
        };
        lengths.iter().map(sum).collect::<Vec<u32>>()
    };
    to_value(move || segments.sum(&x), |sums| verify_by(&sums.to_vec()?, expected))
}

pub(super) fn scan_of_4(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let lengths = lengths(n, 4);
    let segments = Segments::from_lengths(&DeviceVec::from_slice(queue, &lengths)?)?;
    let host = Source::fresh().u32s(n);
    let x = DeviceVec::from_slice(queue, &host)?;
    let mut begin = 0;
    let mut expected = host;
    for len in lengths {
        for i in begin + 1..begin + len as usize {
            expected[i] = expected[i].wrapping_add(expected[i - 1]);
        }
        begin += len as usize;
    }
    let target = DeviceVec::filled(queue, 0, n)?;
    into_vector(target, expected.into_iter(), move |sums| segments.inclusive_scan(&x)?.collect_into(sums))
}

pub(super) fn sort_of_4(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    sort(queue, &lengths(n, 4))
}

pub(super) fn sort_of_100(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    sort(queue, &lengths(n, 100))
}

pub(super) fn sort_of_100_000(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    sort(queue, &lengths(n, 100_000))
}

pub(super) fn sort_with_a_long_one(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    sort(queue, &one_long(n))
}

fn sort(queue: &Queue, lengths: &[u32]) -> Result<Restored, Failure> {
    let segments = Segments::from_lengths(&DeviceVec::from_slice(queue, lengths)?)?;
    let mut host = Source::fresh().u32s(segments.len());
    let unsorted = DeviceVec::from_slice(queue, &host)?;
    let mut x = DeviceVec::from_slice(queue, &host)?;
    segments.sort(&mut x)?;
    verify_by(&x.to_vec()?, || {
        let mut rest = &mut host[..];
        for &len in lengths {
            let (these, others) = rest.split_at_mut(len as usize);
            these.sort_unstable();
            rest = others;
        }
        host
    })?;
    let x = Rc::new(RefCell::new(x));
    let restored = Rc::clone(&x);
    Ok(Restored {
        restore: Some(Box::new(move || restored.borrow_mut().assign(&unsorted))),
        step: Box::new(move || segments.sort(&mut *x.borrow_mut())),
    })
}
