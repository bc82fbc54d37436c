//! The device's copy bandwidth, by the driver and by a kernel.

use super::{Ready, verify};
use crate::Failure;
use crate::data::Source;
use crate::timing::Step;
use cl_algo::DeviceVec;
use cl_core::Queue;

struct Copy {
    by_driver: bool,
    from: DeviceVec<f32>,
    to: DeviceVec<f32>,
}

impl Ready for Copy {
    fn step(&mut self) -> Step<'_> {
        let Copy { by_driver, from, to } = self;
        if *by_driver {
            let queue = to.queue().clone();
            Box::new(move || to.buffer_mut().copy_from(&queue, from.buffer()))
        } else {
            Box::new(|| to.assign(&*from))
        }
    }
}

pub(super) fn by_driver(queue: &Queue, n: usize) -> Result<Box<dyn Ready>, Failure> {
    prepare(queue, n, true)
}

pub(super) fn by_kernel(queue: &Queue, n: usize) -> Result<Box<dyn Ready>, Failure> {
    prepare(queue, n, false)
}

fn prepare(queue: &Queue, n: usize, by_driver: bool) -> Result<Box<dyn Ready>, Failure> {
    let values = Source::fresh().f32s(n);
    let from = DeviceVec::from_slice(queue, &values)?;
    let mut copy = Copy { by_driver, from, to: DeviceVec::filled(queue, -1.0, n)? };
    copy.step()()?;
    verify(&copy.to.to_vec()?, values.iter().copied())?;
    Ok(Box::new(copy))
}
