//! Scans and reductions of runs of equal keys.

use super::{into_vector, verify_by};
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_algo::stl::{inclusive_scan_by_key, reduce_by_key};

pub(super) fn scan_runs_of_4(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (keys, values) = runs(n, 4);
    let [k, x] = [&keys, &values].map(|host| DeviceVec::from_slice(queue, host));
    let (k, x) = (k?, x?);
    let mut last = (0, 0_u32);
    let expected = keys.into_iter().zip(values).map(move |(key, value)| {
        last = (key, if key == last.0 { last.1.wrapping_add(value) } else { value });
        last.1
    });
    let sums = DeviceVec::filled(queue, 0, n)?;
    into_vector(sums, expected, move |sums| inclusive_scan_by_key(&k, &x, sums))
}

pub(super) fn reduce_runs_of_4(queue: &Queue, n: usize) -> Result<Step, Failure> {
    reduce_runs(queue, n, 4)
}

pub(super) fn reduce_runs_of_1000(queue: &Queue, n: usize) -> Result<Step, Failure> {
    reduce_runs(queue, n, 1000)
}

fn reduce_runs(queue: &Queue, n: usize, length: u64) -> Result<Step, Failure> {
    let (keys, values) = runs(n, length);
    let [k, x] = [&keys, &values].map(|host| DeviceVec::from_slice(queue, host));
    let (k, x) = (k?, x?);
    let (mut out, mut sums) = (DeviceVec::filled(queue, 0, n)?, DeviceVec::filled(queue, 0, n)?);
    let count = reduce_by_key(&k, &x, &mut out, &mut sums)?.get()? as usize;
    // A run's key and sum, as one number.
    let together = |(key, sum): (u32, u32)| u64::from(key) << 32 | u64::from(sum);
    let found: Vec<u64> = out.to_vec()?.into_iter().zip(sums.to_vec()?).take(count).map(together).collect();
    verify_by(&found, || {
        let mut expected: Vec<(u32, u32)> = Vec::new();
        for (key, value) in keys.into_iter().zip(values) {
            match expected.last_mut() {
                Some(run) if run.0 == key => run.1 = run.1.wrapping_add(value),
                _ => expected.push((key, value)),
            }
        }
        expected.into_iter().map(together).collect::<Vec<u64>>()
    })?;
    Ok(Box::new(move || reduce_by_key(&k, &x, &mut out, &mut sums).map(drop)))
}

/// Returns keys in runs of about `length`, and values.
fn runs(n: usize, length: u64) -> (Vec<u32>, Vec<u32>) {
    (Source::fresh().runs(n, length), Source::fresh().u32s(n))
}
