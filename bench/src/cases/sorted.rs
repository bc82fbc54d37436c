//! Merges, sorts and searches of sorted sequences, and histograms.

use super::into_vector_by;
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
    let expected = || {
        let mut expected = [host_a, host_b].concat();
        expected.par_sort_unstable();
        expected
    };
    into_vector_by(DeviceVec::filled(queue, 0, n)?, expected, move |both| cl_algo::stl::merge(&a, &b, both))
}

pub(super) fn merge_sort(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    super::sort::keys(queue, Source::fresh().u32s(n), u32::cmp, |keys| sort_by(keys, Val::lt))
}

/// Searches for as many random needles as the sequence has elements.
pub(super) fn search(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (host, needles) = (Source::fresh().ascending(n), Source::fresh().u32s(n));
    let (x, on_device) = (DeviceVec::from_slice(queue, &host)?, DeviceVec::from_slice(queue, &needles)?);
    let expected = || needles.par_iter().map(|n| host.partition_point(|x| x < n) as u32).collect();
    into_vector_by(DeviceVec::filled(queue, 0, n)?, expected, move |positions| {
        lower_bounds(&x, &on_device, positions)
    })
}

/// Counts random bytes.
pub(super) fn histogram(queue: &Queue, n: usize) -> Result<Step, Failure> {
    counted(queue, Source::fresh().u8s(n))
}

/// Counts mostly small bytes.
pub(super) fn histogram_of_small(queue: &Queue, n: usize) -> Result<Step, Failure> {
    counted(queue, Source::fresh().skewed_bytes(n))
}

/// Counts bytes that are all equal, which is the worst case for counters.
pub(super) fn histogram_of_one(queue: &Queue, n: usize) -> Result<Step, Failure> {
    counted(queue, vec![(Source::fresh().next_u64() >> 56) as u8; n])
}

fn counted(queue: &Queue, host: Vec<u8>) -> Result<Step, Failure> {
    let x = DeviceVec::from_slice(queue, &host)?;
    let expected = || {
        let mut expected = vec![0_u32; 256];
        host.iter().for_each(|&byte| expected[usize::from(byte)] += 1);
        expected
    };
    into_vector_by(DeviceVec::filled(queue, 0, 256)?, expected, move |counts| {
        cl_algo::stl::histogram(&x, counts)
    })
}
