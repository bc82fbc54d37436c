//! The device's copy bandwidth, by the driver and by a kernel.

use super::into_vector;
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::DeviceVec;
use cl_core::{Queue, Result};

pub(super) fn by_driver(queue: &Queue, n: usize) -> std::result::Result<Step, Failure> {
    let on = queue.clone();
    prepare(queue, n, move |to, from| to.buffer_mut().copy_from(&on, from.buffer()))
}

pub(super) fn by_kernel(queue: &Queue, n: usize) -> std::result::Result<Step, Failure> {
    prepare(queue, n, |to, from| to.assign(from))
}

fn prepare(
    queue: &Queue,
    n: usize,
    copy: impl Fn(&mut DeviceVec<f32>, &DeviceVec<f32>) -> Result<()> + 'static,
) -> std::result::Result<Step, Failure> {
    let values = Source::fresh().f32s(n);
    let from = DeviceVec::from_slice(queue, &values)?;
    into_vector(DeviceVec::filled(queue, -1.0, n)?, values.into_iter(), move |to| copy(to, &from))
}
