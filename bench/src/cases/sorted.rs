//! Merges, sorts and searches of sorted sequences, and histograms.

use super::into_vector;
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::{Restored, Step};
use cl_algo::prelude::*;
use cl_algo::stl::{lower_bounds, sort_by};
use rayon::prelude::*;

/// Merges two sequences with half of the elements each.
pub(super) fn merge(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (host_a, host_b) = (Source::fresh().ascending(n / 2), Source::fresh().ascending(n - n / 2));
    let (a, b) = (DeviceVec::from_slice(queue, &host_a)?, DeviceVec::from_slice(queue, &host_b)?);
    let mut expected = [host_a, host_b].concat();
    expected.par_sort_unstable();
    let target = DeviceVec::filled(queue, 0, n)?;
    into_vector(target, expected.into_iter(), move |both| cl_algo::stl::merge(&a, &b, both))
}

pub(super) fn merge_sort(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    super::sort::keys(queue, Source::fresh().u32s(n), u32::cmp, |keys| sort_by(keys, Val::lt))
}

/// Searches for as many random needles as the sequence has elements.
pub(super) fn search(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (host, needles) = (Source::fresh().ascending(n), Source::fresh().u32s(n));
    let expected: Vec<u32> = needles.par_iter().map(|n| host.partition_point(|x| x < n) as u32).collect();
    let (x, needles) = (DeviceVec::from_slice(queue, &host)?, DeviceVec::from_slice(queue, &needles)?);
    let target = DeviceVec::filled(queue, 0, n)?;
    into_vector(target, expected.into_iter(), move |positions| lower_bounds(&x, &needles, positions))
}

/// Counts random bytes.
pub(super) fn histogram(queue: &Queue, n: usize) -> Result<Step, Failure> {
    counted(queue, Source::fresh().u8s(n))
}

/// Counts bytes that are all equal, which is the worst case for counters.
pub(super) fn histogram_of_one(queue: &Queue, n: usize) -> Result<Step, Failure> {
    counted(queue, vec![(Source::fresh().next_u64() >> 56) as u8; n])
}

fn counted(queue: &Queue, host: Vec<u8>) -> Result<Step, Failure> {
    let x = DeviceVec::from_slice(queue, &host)?;
    let mut expected = [0_u32; 256];
    host.iter().for_each(|&byte| expected[usize::from(byte)] += 1);
    let target = DeviceVec::filled(queue, 0, 256)?;
    into_vector(target, expected.into_iter(), move |counts| cl_algo::stl::histogram(&x, counts))
}
