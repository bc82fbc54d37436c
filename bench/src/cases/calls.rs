//! The host's time to enqueue a small expression, or a kernel written by hand, compared with bare C calls for
//! the same kernel.

use super::{into_vector, verify};
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::{Pair, Step};
use cl_algo::DeviceProfile;
use cl_algo::prelude::*;
use cl_core::raw::*;
use cl_core::{Access, Arg, Buffer, BuildOptions, Device, Error, Kernel, Library, Program, Status};

/// Applies five operations to two vectors and two scalars.
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

/// Returns a step that does everything that a program does up to its first result: it makes a context, a
/// queue, vectors and an expression, and reads the result. The compiled program comes from the cache on disk,
/// except in the first evaluation.
pub(super) fn first(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let device = queue.device().clone();
    let (x, y) = (Source::fresh().f32s(n), Source::fresh().f32s(n));
    let expected: Vec<f32> = host(&x, &y).collect();
    let call = move || -> cl_core::Result<Vec<f32>> {
        let queue = Queue::on(&device)?;
        let (x, y) = (DeviceVec::from_slice(&queue, &x)?, DeviceVec::from_slice(&queue, &y)?);
        expression(&x, &y).collect()?.to_vec()
    };
    verify(&call()?, expected.into_iter())?;
    Ok(Box::new(move || call().map(drop)))
}

pub(super) fn expression_case(queue: &Queue, n: usize) -> Result<Pair, Failure> {
    let Data { x, y, z, expected } = data(queue, n)?;
    let ours = into_vector(z, expected.into_iter(), move |z| z.assign(expression(&x, &y)))?;
    Ok(Pair { ours, bare: bare(queue, n)? })
}

/// Returns the assignment of the expression over driver calls that do nothing, paired with an empty function.
pub(super) fn expression_alone(queue: &Queue, n: usize) -> Result<Pair, Failure> {
    let queue = queue_without_driver(queue)?;
    let Data { x, y, mut z, .. } = data(&queue, n)?;
    let ours: Step = Box::new(move || z.assign(expression(&x, &y)));
    Ok(Pair { ours, bare: Box::new(|| Ok(())) })
}

/// Returns a step that enqueues the kernel of the expression by a C call. The arguments are set once, in
/// advance.
fn bare(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let Data { x, y, z, expected } = data(queue, n)?;
    let source = expression(&x, &y).kernel_source(queue.device())?;
    let kernel = Program::build(queue.context(), &source, &BuildOptions::new())?.kernel("assign")?;
    let shape = DeviceProfile::of(queue.device())?.elementwise(4);
    let (global, local) = (shape.groups(n) * shape.group, shape.group);
    let launch = kernel.launch().arg(2.0_f32).arg(3.0_f32).arg(x.buffer()).arg(y.buffer());
    let launch = launch.arg(Arg::Memory(z.buffer().memory(), Access::Write)).arg(n as u32);
    // SAFETY: the arguments are the ones that `kernel_source` documents; the vectors have n elements.
    unsafe { launch.global(global).local(local).enqueue(queue)? };
    verify(&z.to_vec()?, expected.into_iter())?;

    let enqueue = queue.device().library().functions().clEnqueueNDRangeKernel;
    let queue = queue.clone();
    Ok(Box::new(move || {
        // The step owns the kernel's arguments and keeps them alive.
        let _arguments = (&x, &y, &z);
        let (queue, kernel, none) = (queue.as_raw(), kernel.as_raw(), std::ptr::null());
        // SAFETY: the launch above has set the arguments and tried the sizes.
        let status = unsafe {
            enqueue(queue, kernel, 1, none, &global, &local, 0, std::ptr::null(), std::ptr::null_mut())
        };
        succeeded(status)
    }))
}

/// Returns an error unless a bare call succeeded.
fn succeeded(status: cl_int) -> cl_core::Result<()> {
    if status == 0 {
        return Ok(());
    }
    Err(Error::invalid_input("bare call", Status(status).to_string()))
}

/// A kernel with four buffers and two scalars, as is usual for kernels written by hand, and a kernel with half
/// as many.
const BY_HAND: &str = "kernel void by_hand(global const float *x, global const float *y, global float *z,
                                    global float *w, const float a, const uint n) {
    const size_t i = get_global_id(0);
    if (i < n) {
        z[i] = a * x[i] + y[i];
        w[i] = x[i];
    }
}
kernel void small(global const float *x, global float *z, const float a) {
    z[get_global_id(0)] = a * x[get_global_id(0)];
}";

/// The number of work-items. A launch of one work-item costs hardly more than the calls that enqueue it.
const ITEMS: usize = 1;

struct ByHand {
    queue: Queue,
    kernel: Kernel,
    small: Kernel,
    inputs: [Buffer<f32>; 2],
    outputs: [Buffer<f32>; 2],
}

impl ByHand {
    fn new(queue: &Queue) -> Result<ByHand, Failure> {
        let program = Program::build(queue.context(), BY_HAND, &BuildOptions::new())?;
        let (kernel, small) = (program.kernel("by_hand")?, program.kernel("small")?);
        let filled = |value| Buffer::filled(queue, value, ITEMS);
        let (inputs, outputs) = ([filled(2.0)?, filled(3.0)?], [filled(0.0)?, filled(0.0)?]);
        Ok(ByHand { queue: queue.clone(), kernel, small, inputs, outputs })
    }

    /// Launches once and checks each output.
    fn verified(self, launch: impl FnOnce(&mut ByHand) -> cl_core::Result<()>) -> Result<ByHand, Failure> {
        let mut ready = self;
        launch(&mut ready)?;
        verify(&ready.outputs[0].to_vec(&ready.queue)?, [11.0].into_iter())?;
        verify(&ready.outputs[1].to_vec(&ready.queue)?, [2.0].into_iter())?;
        Ok(ready)
    }

    fn launch(&mut self) -> cl_core::Result<()> {
        let ByHand { queue, kernel, inputs: [x, y], outputs: [z, w], .. } = self;
        let launch = kernel.launch().arg(&*x).arg(&*y).arg(z).arg(w).arg(4.0_f32).arg(ITEMS as u32);
        // SAFETY: the kernel accesses only the first `ITEMS` elements, and all buffers have that many.
        unsafe { launch.global(ITEMS).local(1).enqueue(&*queue) }
    }

    fn small_launch(&mut self) -> cl_core::Result<()> {
        let launch = self.small.launch().arg(&self.inputs[0]).arg(&mut self.outputs[0]).arg(4.0_f32);
        // SAFETY: the kernel accesses only the first `ITEMS` elements, and both buffers have that many.
        unsafe { launch.global(ITEMS).local(1).enqueue(&self.queue) }
    }

    fn bare_calls(&mut self) -> cl_core::Result<()> {
        let ([x, y], [z, w]) = (&self.inputs, &self.outputs);
        self.bare(&self.kernel, &[x, y, z, w], &[4.0_f32.to_bits(), ITEMS as u32])
    }

    fn small_bare_calls(&mut self) -> cl_core::Result<()> {
        self.bare(&self.small, &[&self.inputs[0], &self.outputs[0]], &[4.0_f32.to_bits()])
    }

    /// Sets buffers and values and enqueues, without any of our checks.
    #[inline]
    fn bare(&self, kernel: &Kernel, buffers: &[&Buffer<f32>], values: &[u32]) -> cl_core::Result<()> {
        let functions = self.queue.device().library().functions();
        let kernel = kernel.as_raw();
        let set = |index, value: *const c_void, size| {
            // SAFETY: `value` points to `size` bytes, of the type that the kernel declares.
            succeeded(unsafe { (functions.clSetKernelArg)(kernel, index, size, value) })
        };
        for (index, buffer) in (0..).zip(buffers) {
            let handle: cl_mem = buffer.as_raw();
            set(index, (&raw const handle).cast(), size_of_val(&handle))?;
        }
        for (index, value) in (buffers.len() as cl_uint..).zip(values) {
            set(index, std::ptr::from_ref(value).cast(), size_of_val(value))?;
        }
        let items = ITEMS;
        let (none, no_event) = (std::ptr::null(), std::ptr::null_mut());
        let (global, local) = (&raw const items, &raw const items);
        // SAFETY: all arguments are set; there is one dimension, with one number for each size.
        let status = unsafe {
            let enqueue = functions.clEnqueueNDRangeKernel;
            enqueue(self.queue.as_raw(), kernel, 1, none, global, local, 0, std::ptr::null(), no_event)
        };
        succeeded(status)
    }
}

/// Sets six arguments and enqueues, by our API and by C calls.
pub(super) fn launch(queue: &Queue, _: usize) -> Result<Pair, Failure> {
    let mut ours = ByHand::new(queue)?.verified(ByHand::launch)?;
    let mut bare = ByHand::new(queue)?.verified(ByHand::bare_calls)?;
    Ok(Pair { ours: Box::new(move || ours.launch()), bare: Box::new(move || bare.bare_calls()) })
}

unsafe extern "system" fn set_nothing(_: cl_kernel, _: cl_uint, _: size_t, _: *const c_void) -> cl_int {
    CL_SUCCESS
}

unsafe extern "system" fn enqueue_nothing(
    _: cl_command_queue,
    _: cl_kernel,
    _: cl_uint,
    _: *const size_t,
    _: *const size_t,
    _: *const size_t,
    _: cl_uint,
    _: *const cl_event,
    _: *mut cl_event,
) -> cl_int {
    CL_SUCCESS
}

/// Does the same as [`launch`] with driver calls that do nothing. The difference is the cost of our checks,
/// to the nanosecond.
pub(super) fn launch_alone(queue: &Queue, _: usize) -> Result<Pair, Failure> {
    let (mut ours, mut bare) = (without_driver(queue)?, without_driver(queue)?);
    Ok(Pair { ours: Box::new(move || ours.launch()), bare: Box::new(move || bare.bare_calls()) })
}

/// Does the same as [`launch_alone`] with the kernel of three arguments.
pub(super) fn small_launch_alone(queue: &Queue, _: usize) -> Result<Pair, Failure> {
    let (mut ours, mut bare) = (without_driver(queue)?, without_driver(queue)?);
    Ok(Pair { ours: Box::new(move || ours.small_launch()), bare: Box::new(move || bare.small_bare_calls()) })
}

fn without_driver(queue: &Queue) -> Result<ByHand, Failure> {
    drop(ByHand::new(queue)?.verified(ByHand::launch)?);
    ByHand::new(&queue_without_driver(queue)?)
}

/// Returns a queue on the same device whose driver neither sets arguments nor enqueues kernels.
fn queue_without_driver(queue: &Queue) -> Result<Queue, Failure> {
    let device = queue.device();
    let functions = Functions {
        clSetKernelArg: set_nothing,
        clEnqueueNDRangeKernel: enqueue_nothing,
        ..*device.library().functions()
    };
    // SAFETY: the functions are the device's own, except for two that do nothing. `Device::from_raw` takes
    // over a reference to a sub-device; this device comes from `Device::all`, which returns root devices
    // only.
    let device = unsafe { Device::from_raw(Library::from_functions(functions), device.as_raw())? };
    Ok(Queue::on(&device)?)
}
