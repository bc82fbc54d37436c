//! What the host pays to hand in a small expression, against the bare C call for the same kernel.

use super::{into_vector, verify};
use crate::Failure;
use crate::data::Source;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_algo::{DeviceProfile, ElementType};
use cl_core::{Access, Arg, BuildOptions, Error, Program};

/// Five operations on two vectors and two scalars.
fn expression<'a>(x: &'a DeviceVec<f32>, y: &'a DeviceVec<f32>) -> Expr<'a, f32> {
    (2.0 * x + y) * (y - 3.0) + x
}

fn host(x: &[f32], y: &[f32]) -> impl Iterator<Item = f32> {
    x.iter().zip(y).map(|(x, y)| (2.0 * x + y) * (y - 3.0) + x)
}

struct Data {
    x: DeviceVec<f32>,
    y: DeviceVec<f32>,
    z: DeviceVec<f32>,
    expected: Vec<f32>,
}

fn data(queue: &Queue, n: usize) -> Result<Data, Failure> {
    let (x, y) = (Source::fresh().f32s(n), Source::fresh().f32s(n));
    let expected = host(&x, &y).collect();
    let z = DeviceVec::filled(queue, -1.0, n)?;
    Ok(Data { x: DeviceVec::from_slice(queue, &x)?, y: DeviceVec::from_slice(queue, &y)?, z, expected })
}

pub(super) fn expression_case(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let Data { x, y, z, expected } = data(queue, n)?;
    into_vector(z, expected.into_iter(), move |z| z.assign(expression(&x, &y)))
}

pub(super) fn bare(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let Data { x, y, z, expected } = data(queue, n)?;
    let source = expression(&x, &y).kernel_source(queue.device())?;
    let kernel = Program::build(queue.context(), &source, &BuildOptions::new())?.kernel("assign")?;
    let shape = DeviceProfile::of(queue.device())?.elementwise(ElementType::F32);
    let (global, local) = (shape.groups(n) * shape.group, shape.group);
    let launch = kernel.launch().arg(2.0_f32).arg(3.0_f32).arg(x.buffer()).arg(y.buffer());
    let launch = launch.arg(Arg::Memory(z.buffer().memory(), Access::Write)).arg(0_u32).arg(n as u32);
    // SAFETY: the arguments are those that `kernel_source` documents; the vectors have n elements.
    unsafe { launch.global(global).local(local).enqueue(queue)? };
    verify(&z.to_vec()?, expected.into_iter())?;

    let enqueue = queue.device().library().functions().clEnqueueNDRangeKernel;
    let queue = queue.clone();
    Ok(Box::new(move || {
        // The kernel's arguments stay alive as long as the step.
        let _arguments = (&x, &y, &z);
        let (queue, kernel, none) = (queue.as_raw(), kernel.as_raw(), std::ptr::null());
        // SAFETY: the arguments were set, and the sizes tried, by the launch above.
        let status = unsafe {
            enqueue(queue, kernel, 1, none, &global, &local, 0, std::ptr::null(), std::ptr::null_mut())
        };
        if status == 0 {
            return Ok(());
        }
        Err(Error::InvalidInput { what: "bare enqueue", reason: cl_core::Status(status).to_string() })
    }))
}
