//! The limits of the device, measured by kernels that do nothing else: the roofline of all other cases.

use super::verify;
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Step;
use bytemuck::Pod;
use cl_algo::{DeviceProfile, Element};
use cl_core::{Access, Arg, Buffer, BuildOptions, Context, Device, Kernel, Program, Queue};

const KERNELS: &str = include_str!("ceilings.cl");

/// The number of packs that each work-item reads or writes on a GPU.
const PACKS: usize = 8;
const GROUP: usize = 256;

/// The chains of operations in a work-item, the steps of each chain in a round, and the operations in a step: a
/// multiplication and an addition.
const CHAINS: usize = 8;
const STEPS: usize = 16;
const OPERATIONS: usize = 2;

/// The way in which the kernels that move memory are built and launched.
struct Shape {
    chunked: bool,
    /// The components of a vector.
    width: usize,
    /// The number of vectors.
    vectors: usize,
    global: usize,
    local: usize,
    options: BuildOptions,
}

impl Shape {
    fn of(device: &Device, n: usize) -> Result<Shape, Failure> {
        Ok(Shape::new(&DeviceProfile::of(device)?, n))
    }

    fn new(profile: &DeviceProfile, n: usize) -> Shape {
        let chunked = profile.chunked;
        let (width, local) = if chunked { (16, 1) } else { (4, GROUP.min(profile.largest_group)) };
        let vectors = n.div_ceil(width);
        let groups = if chunked { 4 * profile.compute_units } else { vectors.div_ceil(local * PACKS) };
        let streams = chunked && 4 * n > profile.cache;
        let define = |name: &str, value: usize| (name.to_owned(), value as u32);
        let defines = [
            define("WIDTH", width),
            define("CHUNKED", chunked.into()),
            define("STREAM", streams.into()),
            define("GROUP", local),
            define("PACKS", PACKS),
        ];
        let options =
            defines.into_iter().fold(BuildOptions::new(), |all, (name, value)| all.define(&name, value));
        Shape { chunked, width, vectors, global: groups * local, local, options }
    }

    fn kernel(&self, context: &Context, name: &str) -> Result<Kernel, Failure> {
        Ok(Program::build(context, KERNELS, &self.options)?.kernel(name)?)
    }
}

/// Passes a buffer that a kernel reads or writes in whole vectors.
fn vectors<T: Pod>(buffer: &Buffer<T>, access: Access) -> Arg<'_> {
    Arg::Memory(buffer.memory(), access)
}

/// Returns a step that reads all elements and counts those that equal a key.
pub(super) fn read(queue: &Queue, n: usize) -> Result<Step, Failure> {
    read_in(Shape::of(queue.device(), n)?, queue)
}

fn read_in(shape: Shape, queue: &Queue) -> Result<Step, Failure> {
    let kernel = shape.kernel(queue.context(), "count")?;
    let mut source = Source::fresh();
    let host = source.u32s(shape.vectors * shape.width);
    // The key is a random element, which may occur more than once.
    let key = host[source.next_u64() as usize % host.len()];
    let expected = host.iter().filter(|&&x| x == key).count() as u32;
    let x = Buffer::from_slice(queue, &host)?;
    let mut found = Buffer::filled(queue, 0_u32, 1)?;
    let on = queue.clone();
    let launch = move |found: &mut Buffer<u32>| -> cl_core::Result<()> {
        let launch =
            kernel.launch().arg(vectors(&x, Access::Read)).arg(shape.vectors as u32).arg(key).arg(found);
        // SAFETY: `x` has `shape.vectors` vectors; `found` has one element.
        unsafe { launch.global(shape.global).local(shape.local).enqueue(&on) }
    };
    launch(&mut found)?;
    verify(&found.to_vec(queue)?, [expected].into_iter())?;
    Ok(Box::new(move || launch(&mut found)))
}

/// Returns a step that writes values that are not all the same.
pub(super) fn write(queue: &Queue, n: usize) -> Result<Step, Failure> {
    write_in(Shape::of(queue.device(), n)?, queue)
}

fn write_in(shape: Shape, queue: &Queue) -> Result<Step, Failure> {
    let kernel = shape.kernel(queue.context(), "write")?;
    let salt = Source::fresh().next_u64() as u32;
    let (count, width) = (shape.vectors, shape.width);
    let mut x = Buffer::filled(queue, 0_u32, count * width)?;
    let on = queue.clone();
    let launch = move |x: &mut Buffer<u32>| -> cl_core::Result<()> {
        let launch = kernel.launch().arg(vectors(x, Access::Write)).arg(count as u32).arg(salt);
        // SAFETY: `x` has `count` vectors.
        unsafe { launch.global(shape.global).local(shape.local).enqueue(&on) }
    };
    launch(&mut x)?;
    verify(&x.to_vec(queue)?, (0..count * width).map(|i| (i / width) as u32 ^ salt))?;
    Ok(Box::new(move || launch(&mut x)))
}

/// Returns a step that launches a kernel that does almost nothing. The time of the step is the latency of a
/// launch.
pub(super) fn latency(queue: &Queue, _: usize) -> Result<Step, Failure> {
    let shape = Shape::of(queue.device(), 1)?;
    let kernel = shape.kernel(queue.context(), "begin")?;
    let mut mark = Buffer::filled(queue, 0_u32, 1)?;
    let on = queue.clone();
    let launch = move |mark: &mut Buffer<u32>| -> cl_core::Result<()> {
        // SAFETY: `mark` has one element.
        unsafe { kernel.launch().arg(mark).arg(7_u32).global(1).local(1).enqueue(&on) }
    };
    launch(&mut mark)?;
    verify(&mark.to_vec(queue)?, [7].into_iter())?;
    Ok(Box::new(move || launch(&mut mark)))
}

/// Multiplies and adds `f32` values, at least `n` operations. Also returns the exact number.
pub(super) fn f32_rate(queue: &Queue, n: usize) -> Result<(Step, usize), Failure> {
    let width = queue.device().native_vector_widths()?.float;
    rate(queue, n, ("float", width), [-1.0_f32, 3.0], |value| value as f32)
}

/// Does the same as [`f32_rate`] with `f64`.
pub(super) fn f64_rate(queue: &Queue, n: usize) -> Result<(Step, usize), Failure> {
    let width = queue.device().native_vector_widths()?.double;
    rate(queue, n, ("double", width), [-1.0_f64, 3.0], |value| value as f64)
}

fn rate<T: Pod + Element + PartialEq + std::fmt::Debug>(
    queue: &Queue,
    n: usize,
    (real, width): (&str, u32),
    [minus_one, addend]: [T; 2],
    value: fn(u32) -> T,
) -> Result<(Step, usize), Failure> {
    let shape = Shape::of(queue.device(), 1)?;
    let units = queue.device().compute_units()? as usize;
    // For each compute unit, 2048 work-items fill the registers of a GPU, and 4 keep the threads of a CPU
    // busy.
    let items = if shape.chunked { 4 * units } else { 2048 * units };
    let width = if shape.chunked { width.max(1) as usize } else { 1 };
    let in_a_round = items * width * CHAINS * STEPS * OPERATIONS;
    let rounds = n.div_ceil(in_a_round);
    let vector_type = if width == 1 { real.to_owned() } else { format!("{real}{width}") };
    let options = shape.options.define("REAL", real).define("LANES", vector_type.as_str());
    let kernel = Program::build(queue.context(), KERNELS, &options)?.kernel("rate")?;
    let elements = items * CHAINS * width;
    let mut out = Buffer::filled(queue, addend, elements)?;
    let on = queue.clone();
    let (global, local) = (items, shape.local);
    let launch = move |out: &mut Buffer<T>| -> cl_core::Result<()> {
        let launch =
            kernel.launch().arg(vectors(out, Access::Write)).arg(&minus_one).arg(&addend).arg(rounds as u32);
        // SAFETY: each work-item writes a vector for each of its chains, and `out` has room for all of
        // them.
        unsafe { launch.global(global).local(local).enqueue(&on) }
    };
    launch(&mut out)?;
    let start = |i: usize| value(((i / width / CHAINS) % 16 + i / width % CHAINS) as u32);
    verify(&out.to_vec(queue)?, (0..elements).map(start))?;
    Ok((Box::new(move || launch(&mut out)), in_a_round * rounds))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each function verifies its results before it returns.
    #[test]
    fn both_shapes_read_and_write_everything() {
        for device in Device::all().unwrap() {
            let queue = Queue::on(&device).unwrap();
            let mut profile = DeviceProfile::of(&device).unwrap();
            for chunked in [false, true] {
                profile.chunked = chunked;
                for n in [1, 1000, 8192, 8193, 1 << 17] {
                    read_in(Shape::new(&profile, n), &queue).unwrap()().unwrap();
                    write_in(Shape::new(&profile, n), &queue).unwrap()().unwrap();
                }
            }
        }
    }

    #[test]
    fn rates_count_whole_rounds() {
        let queue = Queue::on(&Device::first().unwrap()).unwrap();
        for n in [1, 1 << 22] {
            let (mut step, counted) = f32_rate(&queue, n).unwrap();
            step().unwrap();
            assert!(counted >= n && counted % (CHAINS * STEPS * OPERATIONS) == 0, "{counted}");
        }
        latency(&queue, 1).unwrap()().unwrap();
    }
}
