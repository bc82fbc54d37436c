//! Sorted sequences, how they come about, and histograms.

use super::into_vector;
use crate::Failure;
use crate::data::Source;
use crate::timing::Step;
use cl_algo::prelude::*;

/// Numbers in ascending order.
fn ascending(n: usize) -> Vec<u32> {
    let mut values = Source::fresh().u32s(n);
    values.sort_unstable();
    values
}

/// Two sequences of half as many elements each.
pub(super) fn merge(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (host_a, host_b) = (ascending(n / 2), ascending(n - n / 2));
    let (a, b) = (DeviceVec::from_slice(queue, &host_a)?, DeviceVec::from_slice(queue, &host_b)?);
    let mut expected = [host_a, host_b].concat();
    expected.sort_unstable();
    let target = DeviceVec::filled(queue, 0, n)?;
    into_vector(target, expected.into_iter(), move |both| cl_algo::merge(&a, &b, both))
}

/// With a copy of what is to be sorted, or the second time would sort what is in order.
pub(super) fn merge_sort(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let mut host = Source::fresh().u32s(n);
    let x = DeviceVec::from_slice(queue, &host)?;
    host.sort_unstable();
    into_vector(DeviceVec::filled(queue, 0, n)?, host.into_iter(), move |sorted| {
        sorted.assign(&x)?;
        sort_by(sorted, Val::lt)
    })
}

/// As many random needles as the sequence has elements.
pub(super) fn search(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (host, needles) = (ascending(n), Source::fresh().u32s(n));
    let expected: Vec<u32> = needles.iter().map(|n| host.partition_point(|x| x < n) as u32).collect();
    let (x, needles) = (DeviceVec::from_slice(queue, &host)?, DeviceVec::from_slice(queue, &needles)?);
    let target = DeviceVec::filled(queue, 0, n)?;
    into_vector(target, expected.into_iter(), move |places| lower_bounds(&x, &needles, places))
}

/// Of random bytes.
pub(super) fn histogram(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let mut source = Source::fresh();
    counted(queue, (0..n).map(|_| (source.next_u64() >> 56) as u8).collect())
}

/// Of bytes that all are the same one: the worst case for counters.
pub(super) fn histogram_of_one(queue: &Queue, n: usize) -> Result<Step, Failure> {
    counted(queue, vec![(Source::fresh().next_u64() >> 56) as u8; n])
}

fn counted(queue: &Queue, host: Vec<u8>) -> Result<Step, Failure> {
    let x = DeviceVec::from_slice(queue, &host)?;
    let mut expected = [0_u32; 256];
    host.iter().for_each(|&byte| expected[usize::from(byte)] += 1);
    let target = DeviceVec::filled(queue, 0, 256)?;
    into_vector(target, expected.into_iter(), move |counts| cl_algo::histogram(&x, counts))
}
