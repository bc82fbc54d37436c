//! Kernels by hand for cases of arrays, which show what the device reaches without any generated code.

use super::array::{shape, transposed, whole};
use super::array_reductions::{sums_of_columns, sums_of_rows};
use super::array_stencils::of_host;
use super::verify;
use crate::failure::Failure;
use crate::matrices::Narrow;
use crate::timing::Step;
use bytemuck::Pod;
use cl_algo::{DeviceProfile, Element};
use cl_core::{Buffer, BuildOptions, Program, Queue, Result};
use std::marker::PhantomData;

type Outcome<T> = std::result::Result<T, Failure>;

const KERNELS: &str = include_str!("array_by_hand.cl");

/// The least number of elements, because the kernels have no code for the ends of rows and columns: 64 x 64.
pub(super) const LEAST: usize = 1 << 12;

/// The number of work-items in a work-group of a GPU, and the same as rows and columns.
const GROUP: usize = 256;
const GROUP_OF_ROWS: [usize; 2] = [32, 8];

/// The edge of a block that a work-group of a GPU transposes, and that of a CPU.
const BLOCK: usize = 32;
const BLOCK_OF_CPU: usize = 64;

/// The number of parts whose columns a GPU adds up separately.
const PARTS: usize = 64;

/// The kernels for elements of type `T`, and how they are launched.
struct ByHand<T> {
    program: Program,
    queue: Queue,
    /// `true` for the kernels of CPUs.
    chunked: bool,
    compute_units: usize,
    element: PhantomData<T>,
}

impl<T: Narrow + Into<f64> + Pod> ByHand<T> {
    fn of(queue: &Queue) -> Outcome<ByHand<T>> {
        ByHand::new(queue, DeviceProfile::of(queue.device())?.chunked)
    }

    fn new(queue: &Queue, chunked: bool) -> Outcome<ByHand<T>> {
        let compute_units = DeviceProfile::of(queue.device())?.compute_units;
        let real = if size_of::<T>() == size_of::<f32>() { "float" } else { "double" };
        let options = BuildOptions::new().define("CHUNKED", u32::from(chunked));
        let options = options.define("GROUP", GROUP as u32).define("REAL", real);
        let program = Program::build(queue.context(), KERNELS, &options)?;
        Ok(ByHand { program, queue: queue.clone(), chunked, compute_units, element: PhantomData })
    }

    /// Returns a step that computes into a buffer filled with `border`, after it has given the expected elements once.
    fn checked<R: Pod + Element + PartialEq + std::fmt::Debug>(
        &self,
        border: R,
        expected: Vec<R>,
        mut evaluate: impl FnMut(&mut Buffer<R>) -> Result<()> + 'static,
    ) -> Outcome<Step> {
        let mut out = Buffer::filled(&self.queue, border, expected.len())?;
        evaluate(&mut out)?;
        verify(&out.to_vec(&self.queue)?, expected.into_iter())?;
        Ok(Box::new(move || evaluate(&mut out)))
    }

    fn seven_point(&self, n: usize) -> Outcome<Step> {
        let kernel = self.program.kernel("seven_point")?;
        let (queue, chunked) = (self.queue.clone(), self.chunked);
        let (shape, host_f, host_g) = (shape(n)?, whole::<T>(n), whole::<T>(n));
        let [layers, rows, columns] = shape;
        let (f, g) = (Buffer::from_slice(&queue, &host_f)?, Buffer::from_slice(&queue, &host_g)?);
        let expected = of_host(&host_f, &host_g, shape, -1.0);
        self.checked(T::narrow(-1.0), expected, move |out| {
            let [l, r, c] = shape.map(|len| len as u32);
            let launch = kernel.launch().arg(&f).arg(&g).arg(out).arg(l).arg(r).arg(c);
            let launch = if chunked {
                launch.global([rows - 2, layers - 2]).local([1, 1])
            } else {
                let [width, height] = GROUP_OF_ROWS;
                launch.global_at_least([columns - 2, rows - 2, layers - 2]).local([width, height, 1])
            };
            // SAFETY: the three buffers have `layers * rows * columns` elements, and points inside have neighbours.
            unsafe { launch.enqueue(&queue) }
        })
    }
}

impl ByHand<f32> {
    fn transpose(&self, n: usize) -> Outcome<Step> {
        let kernel = self.program.kernel("transpose")?;
        let (queue, chunked) = (self.queue.clone(), self.chunked);
        let ([rows, columns], host) = (shape(n)?, whole(n));
        let x = Buffer::from_slice(&queue, &host)?;
        self.checked(-1.0, transposed(&host, [rows, columns]), move |out| {
            let launch = kernel.launch().arg(&x).arg(out).arg(rows as u32).arg(columns as u32);
            let launch = if chunked {
                launch.global(rows / BLOCK_OF_CPU).local(1)
            } else {
                launch.global([columns, rows / BLOCK * GROUP_OF_ROWS[1]]).local(GROUP_OF_ROWS)
            };
            // SAFETY: both buffers have `rows * columns` elements, and the blocks divide the rows and the columns.
            unsafe { launch.enqueue(&queue) }
        })
    }

    fn sum_rows(&self, n: usize) -> Outcome<Step> {
        let kernel = self.program.kernel("sum_rows")?;
        let queue = self.queue.clone();
        let ([rows, columns], host) = (shape(n)?, whole(n));
        let x = Buffer::from_slice(&queue, &host)?;
        let local = if self.chunked { 1 } else { GROUP };
        self.checked(-1.0, sums_of_rows(&host, columns), move |out| {
            let launch = kernel.launch().arg(&x).arg(out).arg(columns as u32);
            // SAFETY: `x` has `rows` rows, and `out` an element for each. Packs divide a row.
            unsafe { launch.global(rows * local).local(local).enqueue(&queue) }
        })
    }

    fn sum_columns(&self, n: usize) -> Outcome<Step> {
        let (of_parts, of_columns) = (self.program.kernel("sum_parts")?, self.program.kernel("sum_columns")?);
        let queue = self.queue.clone();
        let ([rows, columns], host) = (shape(n)?, whole(n));
        let (parts, items, local) =
            if self.chunked { (4 * self.compute_units, 1, 1) } else { (PARTS, columns, GROUP) };
        let x = Buffer::from_slice(&queue, &host)?;
        let mut sums = Buffer::filled(&queue, 0.0_f32, parts * columns)?;
        self.checked(-1.0, sums_of_columns(&host, columns), move |out| {
            let launch = of_parts.launch().arg(&x).arg(&mut sums).arg(rows as u32).arg(columns as u32);
            // SAFETY: `x` has `rows * columns` elements, and `sums` a row for each part. Packs divide both.
            unsafe { launch.global_at_least([items, parts]).local([local, 1]).enqueue(&queue) }?;
            let launch = of_columns.launch().arg(&sums).arg(out).arg(parts as u32).arg(columns as u32);
            // SAFETY: `sums` has `parts` rows, and `out` an element for each column; other work-items do nothing.
            unsafe { launch.global_at_least(columns).local(GROUP_OF_ROWS[0]).enqueue(&queue) }
        })
    }
}

pub(super) fn transpose(queue: &Queue, n: usize) -> Outcome<Step> {
    ByHand::of(queue)?.transpose(n)
}

pub(super) fn sum_rows(queue: &Queue, n: usize) -> Outcome<Step> {
    ByHand::of(queue)?.sum_rows(n)
}

pub(super) fn sum_columns(queue: &Queue, n: usize) -> Outcome<Step> {
    ByHand::of(queue)?.sum_columns(n)
}

pub(super) fn seven_point<T: Narrow + Into<f64> + Pod>(queue: &Queue, n: usize) -> Outcome<Step> {
    ByHand::<T>::of(queue)?.seven_point(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cl_core::Device;

    /// Each function verifies its results before it returns.
    #[test]
    fn both_kinds_of_kernels_are_right() {
        for device in Device::all().unwrap() {
            let queue = Queue::on(&device).unwrap();
            for by_hand in [false, true].map(|chunked| ByHand::<f32>::new(&queue, chunked).unwrap()) {
                let n = 2 * LEAST;
                let steps = [
                    by_hand.transpose(n),
                    by_hand.sum_rows(n),
                    by_hand.sum_columns(n),
                    by_hand.seven_point(n),
                ];
                steps.into_iter().for_each(|step| step.unwrap()().unwrap());
            }
        }
    }
}
