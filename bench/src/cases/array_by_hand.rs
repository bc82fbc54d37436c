//! Kernels by hand for cases of arrays, which show what the device reaches without any generated code.

use super::array::{shape, transposed, whole};
use super::array_reductions::{sums_of_columns, sums_of_rows};
use super::array_stencils::of_host;
use super::verify;
use crate::failure::Failure;
use crate::matrices::Narrow;
use crate::timing::Step;
use bytemuck::Pod;
use cl_algo::DeviceProfile;
use cl_core::{Buffer, BuildOptions, Kernel, Program, Queue, Result};

const KERNELS: &str = include_str!("array_by_hand.cl");

/// The least number of elements, because the kernels have no code for the ends of rows and columns: 64 x 64.
pub(super) const LEAST: usize = 1 << 12;

/// The number of work-items in a work-group of a GPU, and the same as rows and columns.
const GROUP: usize = 256;
const GROUP_OF_ROWS: [usize; 2] = [32, 8];

/// The edge of a block that a work-group of a GPU transposes, and that of a CPU.
const BLOCK: usize = 32;
const BLOCK_OF_CPU: usize = 16;

/// The number of parts whose columns a GPU adds up separately.
const PARTS: usize = 64;

/// The kernels for a device.
struct ByHand {
    program: Program,
    queue: Queue,
    chunked: bool,
    compute_units: usize,
}

impl ByHand {
    fn new(queue: &Queue, options: BuildOptions) -> std::result::Result<ByHand, Failure> {
        let DeviceProfile { chunked, compute_units, .. } = DeviceProfile::of(queue.device())?;
        let options = options.define("CHUNKED", u32::from(chunked)).define("GROUP", GROUP as u32);
        let program = Program::build(queue.context(), KERNELS, &options)?;
        Ok(ByHand { program, queue: queue.clone(), chunked, compute_units })
    }

    fn kernel(&self, name: &str) -> Result<Kernel> {
        self.program.kernel(name)
    }
}

/// Returns a step that computes into `out`, after it has given the expected elements once.
fn into_buffer<T: Pod + PartialEq + std::fmt::Debug>(
    queue: &Queue,
    mut out: Buffer<T>,
    expected: Vec<T>,
    mut evaluate: impl FnMut(&mut Buffer<T>) -> Result<()> + 'static,
) -> std::result::Result<Step, Failure> {
    evaluate(&mut out)?;
    verify(&out.to_vec(queue)?, expected.into_iter())?;
    Ok(Box::new(move || evaluate(&mut out)))
}

pub(super) fn transpose(queue: &Queue, n: usize) -> std::result::Result<Step, Failure> {
    let (ByHand { chunked, queue: on, .. }, kernel) = with_kernel(queue, "transpose")?;
    let ([rows, columns], host) = (shape(n)?, whole(n));
    let x = Buffer::from_slice(queue, &host)?;
    let out = Buffer::filled(queue, -1.0, n)?;
    into_buffer(queue, out, transposed(&host, [rows, columns]), move |out| {
        let launch = kernel.launch().arg(&x).arg(out).arg(rows as u32).arg(columns as u32);
        let launch = if chunked {
            launch.global(rows / BLOCK_OF_CPU).local(1)
        } else {
            launch.global([columns, rows / BLOCK * GROUP_OF_ROWS[1]]).local(GROUP_OF_ROWS)
        };
        // SAFETY: both buffers have `rows * columns` elements, and the blocks divide the rows and the columns.
        unsafe { launch.enqueue(&on) }
    })
}

pub(super) fn sum_rows(queue: &Queue, n: usize) -> std::result::Result<Step, Failure> {
    let (ByHand { chunked, queue: on, .. }, kernel) = with_kernel(queue, "sum_rows")?;
    let ([rows, columns], host) = (shape(n)?, whole(n));
    let x = Buffer::from_slice(queue, &host)?;
    let out = Buffer::filled(queue, -1.0, rows)?;
    let local = if chunked { 1 } else { GROUP };
    into_buffer(queue, out, sums_of_rows(&host, columns), move |out| {
        let launch = kernel.launch().arg(&x).arg(out).arg(columns as u32);
        // SAFETY: `x` has `rows` rows, and `out` an element for each. Packs of 64 elements divide a row.
        unsafe { launch.global(rows * local).local(local).enqueue(&on) }
    })
}

pub(super) fn sum_columns(queue: &Queue, n: usize) -> std::result::Result<Step, Failure> {
    let (by_hand, of_parts) = with_kernel(queue, "sum_parts")?;
    let of_columns = by_hand.kernel("sum_columns")?;
    let ByHand { chunked, compute_units, queue: on, .. } = by_hand;
    let ([rows, columns], host) = (shape(n)?, whole(n));
    let (parts, items, local) = if chunked { (4 * compute_units, 1, 1) } else { (PARTS, columns, GROUP) };
    let x = Buffer::from_slice(queue, &host)?;
    let mut sums = Buffer::filled(queue, 0.0_f32, parts * columns)?;
    let out = Buffer::filled(queue, -1.0, columns)?;
    into_buffer(queue, out, sums_of_columns(&host, columns), move |out| {
        let launch = of_parts.launch().arg(&x).arg(&mut sums).arg(rows as u32).arg(columns as u32);
        // SAFETY: `x` has `rows * columns` elements, and `sums` has a row for each part. Packs divide both.
        unsafe { launch.global_at_least([items, parts]).local([local, 1]).enqueue(&on) }?;
        let launch = of_columns.launch().arg(&sums).arg(out).arg(parts as u32).arg(columns as u32);
        // SAFETY: `sums` has `parts` rows, and `out` an element for each column; work-items beyond do nothing.
        unsafe { launch.global_at_least(columns).local(GROUP_OF_ROWS[0]).enqueue(&on) }
    })
}

pub(super) fn seven_point<T: Narrow + Into<f64> + Pod>(
    queue: &Queue,
    n: usize,
) -> std::result::Result<Step, Failure> {
    let real = if size_of::<T>() == size_of::<f32>() { "float" } else { "double" };
    let by_hand = ByHand::new(queue, BuildOptions::new().define("REAL", real))?;
    let kernel = by_hand.kernel("seven_point")?;
    let ByHand { chunked, queue: on, .. } = by_hand;
    let (shape, host_f, host_g) = (shape(n)?, whole::<T>(n), whole::<T>(n));
    let [layers, rows, columns] = shape;
    let (f, g) = (Buffer::from_slice(queue, &host_f)?, Buffer::from_slice(queue, &host_g)?);
    let out = Buffer::filled(queue, T::narrow(-1.0), n)?;
    into_buffer(queue, out, of_host(&host_f, &host_g, shape, -1.0), move |out| {
        let [l, r, c] = shape.map(|len| len as u32);
        let launch = kernel.launch().arg(&f).arg(&g).arg(out).arg(l).arg(r).arg(c);
        let launch = if chunked {
            launch.global([rows - 2, layers - 2]).local([1, 1])
        } else {
            let [width, height] = GROUP_OF_ROWS;
            launch.global_at_least([columns - 2, rows - 2, layers - 2]).local([width, height, 1])
        };
        // SAFETY: the three buffers have `layers * rows * columns` elements, and all points inside have neighbours.
        unsafe { launch.enqueue(&on) }
    })
}

fn with_kernel(queue: &Queue, name: &str) -> std::result::Result<(ByHand, Kernel), Failure> {
    let by_hand = ByHand::new(queue, BuildOptions::new())?;
    let kernel = by_hand.kernel(name)?;
    Ok((by_hand, kernel))
}
