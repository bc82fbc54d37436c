//! Stream compaction.

use super::{verify, verify_by};
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_algo::stl::{copy_if, partition_copy, unique};

/// Returns a step that selects into `target`, after it has given the expected values once.
pub(super) fn into_front(
    mut target: DeviceVec<u32>,
    expected: impl FnOnce() -> Vec<u32>,
    mut evaluate: impl FnMut(&mut DeviceVec<u32>) -> cl_core::Result<DeviceScalar<u64>> + 'static,
) -> Result<Step, Failure> {
    let count = evaluate(&mut target)?.get()? as usize;
    verify_by(target.to_vec()?.get(..count).ok_or("wrong result: more items than there are")?, expected)?;
    Ok(Box::new(move || evaluate(&mut target).map(drop)))
}

pub(super) fn copy_half(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let values = Source::fresh().u32s(n);
    let x = DeviceVec::from_slice(queue, &values)?;
    let out = DeviceVec::filled(queue, 0, n)?;
    into_front(
        out,
        || values.into_iter().filter(|x| x & 1 == 1).collect(),
        move |out| copy_if(&x, |x| (x & 1).eq(1), out),
    )
}

pub(super) fn partition_half(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let values = Source::fresh().u32s(n);
    let x = DeviceVec::from_slice(queue, &values)?;
    let (odd, even): (Vec<u32>, Vec<u32>) = values.into_iter().partition(|x| x & 1 == 1);
    let (mut out, mut rest) = (DeviceVec::filled(queue, 0, n)?, DeviceVec::filled(queue, 0, n)?);
    let partition = move |out: &mut DeviceVec<u32>, rest: &mut DeviceVec<u32>| {
        partition_copy(&x, |x| (x & 1).eq(1), out, rest)
    };
    partition(&mut out, &mut rest)?;
    verify(&rest.to_vec()?[..even.len()], even.into_iter())?;
    into_front(out, || odd, move |out| partition(out, &mut rest))
}

pub(super) fn runs_of_4(queue: &Queue, n: usize) -> Result<Step, Failure> {
    runs(queue, n, 4)
}

pub(super) fn runs_of_1000(queue: &Queue, n: usize) -> Result<Step, Failure> {
    runs(queue, n, 1000)
}

fn runs(queue: &Queue, n: usize, length: u64) -> Result<Step, Failure> {
    let values = Source::fresh().runs(n, length);
    let x = DeviceVec::from_slice(queue, &values)?;
    let expected = || {
        let mut expected = values;
        expected.dedup();
        expected
    };
    into_front(DeviceVec::filled(queue, 0, n)?, expected, move |out| unique(&x, out))
}
