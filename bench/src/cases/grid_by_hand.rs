//! Kernels by hand for the cases of grids, which show what the device reaches without any generated code.

use super::array::{shape, whole};
use super::array_stencils::of_host;
use super::grid::composed_of_host;
use super::verify;
use crate::failure::Failure;
use crate::matrices::Narrow;
use crate::timing::Step;
use bytemuck::Pod;
use cl_algo::DeviceProfile;
use cl_core::{Buffer, BuildOptions, Kernel, Local, Program, Queue, Result};

type Outcome<T> = std::result::Result<T, Failure>;

const KERNELS: &str = include_str!("grid_by_hand.cl");

/// The work-items of a work-group of a GPU along each axis.
const GROUP: [usize; 3] = [32, 8, 1];

/// The rows and the layers of a work-group whose layers are in local memory.
const TILE: [usize; 2] = [8, 32];

/// The numbers of the kernels.
pub(super) trait Real: Narrow + Into<f64> + Pod {}

impl<T: Narrow + Into<f64> + Pod> Real for T {}

/// The kernels, and the data of a case.
struct ByHand<T: Pod> {
    program: Program,
    queue: Queue,
    /// `true` for the kernels of CPUs.
    chunked: bool,
    shape: [usize; 3],
    hosts: [Vec<T>; 2],
    f: Buffer<T>,
    g: Buffer<T>,
}

impl<T: Real> ByHand<T> {
    fn new(queue: &Queue, n: usize, chunked: bool) -> Outcome<ByHand<T>> {
        let real = if size_of::<T>() == size_of::<f32>() { "float" } else { "double" };
        let options = BuildOptions::new().define("CHUNKED", u32::from(chunked)).define("REAL", real);
        let options = options.define("ROWS", TILE[0] as u32).define("LAYERS", TILE[1] as u32);
        let program = Program::build(queue.context(), KERNELS, &options)?;
        let hosts = [whole::<T>(n), whole::<T>(n)];
        let (f, g) = (Buffer::from_slice(queue, &hosts[0])?, Buffer::from_slice(queue, &hosts[1])?);
        Ok(ByHand { program, queue: queue.clone(), chunked, shape: shape(n)?, hosts, f, g })
    }

    fn kernel(&self, name: &str) -> Outcome<Kernel> {
        Ok(self.program.kernel(name)?)
    }

    /// Returns a step that computes into a buffer, after it has given the expected elements once.
    fn checked(
        self,
        expected: Vec<T>,
        mut evaluate: impl FnMut(&ByHand<T>, &mut Buffer<T>) -> Result<()> + 'static,
    ) -> Outcome<Step> {
        let mut out = Buffer::filled(&self.queue, T::narrow(-1.0), expected.len())?;
        evaluate(&self, &mut out)?;
        verify(&out.to_vec(&self.queue)?, expected.into_iter())?;
        Ok(Box::new(move || evaluate(&self, &mut out)))
    }

    /// Launches a kernel for the points that are at least `margin` from the border.
    fn enqueue(
        &self,
        kernel: &Kernel,
        inputs: &[&Buffer<T>],
        out: &mut Buffer<T>,
        margin: usize,
    ) -> Result<()> {
        let [layers, rows, columns] = self.shape;
        let [l, r, c] = self.shape.map(|len| len as u32);
        let mut launch = kernel.launch();
        for input in inputs {
            launch = launch.arg(*input);
        }
        let launch = launch.arg(out).arg(l).arg(r).arg(c);
        let [layers, rows, columns] = [layers, rows, columns].map(|len| len - 2 * margin);
        let launch = if self.chunked {
            launch.global([rows, layers]).local([1, 1])
        } else {
            launch.global_at_least([columns, rows, layers]).local(GROUP)
        };
        // SAFETY: the buffers have an element for each point, and points within the margins have the neighbours.
        unsafe { launch.enqueue(&self.queue) }
    }

    fn of_sum_with_temporary(self) -> Outcome<Step> {
        let (sum, first) = (self.kernel("sum")?, self.kernel("first")?);
        let expected = of_host(&self.hosts[0], &self.hosts[1], self.shape, -1.0);
        let mut kept = Buffer::filled(&self.queue, T::narrow(0.0), expected.len())?;
        self.checked(expected, move |own, out| {
            own.enqueue(&sum, &[&own.f, &own.g], &mut kept, 0)?;
            own.enqueue(&first, &[&kept], out, 1)
        })
    }

    fn composed_in_one_kernel(self) -> Outcome<Step> {
        let kernel = self.kernel("composed")?;
        let expected = composed_of_host(&self.hosts[0], &self.hosts[1], self.shape);
        self.checked(expected, move |own, out| own.enqueue(&kernel, &[&own.f, &own.g], out, 2))
    }

    fn composed_with_temporary(self) -> Outcome<Step> {
        let (inner, outer) = (self.kernel("inner")?, self.kernel("outer")?);
        let expected = composed_of_host(&self.hosts[0], &self.hosts[1], self.shape);
        let mut kept = Buffer::filled(&self.queue, T::narrow(0.0), expected.len())?;
        self.checked(expected, move |own, out| {
            own.enqueue(&inner, &[&own.f, &own.g], &mut kept, 1)?;
            own.enqueue(&outer, &[&kept], out, 2)
        })
    }

    fn composed_in_local_memory(self) -> Outcome<Step> {
        let kernel = self.kernel("composed_in_tiles")?;
        let expected = composed_of_host(&self.hosts[0], &self.hosts[1], self.shape);
        let [layers, rows, columns] = self.shape;
        let items = if self.chunked { 1 } else { 256 };
        let (kept, room) = (3 * (TILE[0] + 2) * columns, self.queue.device().limits()?.local_memory);
        let bytes = kept * size_of::<T>();
        if bytes as u64 > room {
            return Err(format!("three layers take {bytes} of {room} bytes of local memory").into());
        }
        self.checked(expected, move |own, out| {
            let [l, r, c] = own.shape.map(|len| len as u32);
            let launch = kernel.launch().arg(&own.f).arg(&own.g).arg(out).arg(l).arg(r).arg(c);
            let launch = launch.arg(Local::<T>::new(kept));
            let groups = [(rows - 4).div_ceil(TILE[0]), (layers - 4).div_ceil(TILE[1])];
            let launch = launch.global([groups[0] * items, groups[1]]).local([items, 1]);
            // SAFETY: the buffers have an element for each point; the kernel stays within the margins.
            unsafe { launch.enqueue(&own.queue) }
        })
    }
}

macro_rules! cases {
    ($($name:ident)*) => {$(
        pub(super) fn $name<T: Real>(queue: &Queue, n: usize) -> Outcome<Step> {
            let chunked = DeviceProfile::of(queue.device())?.chunked;
            ByHand::<T>::new(queue, n, chunked)?.$name()
        }
    )*};
}

cases!(of_sum_with_temporary composed_in_one_kernel composed_with_temporary composed_in_local_memory);

#[cfg(test)]
mod tests {
    use super::*;
    use cl_core::Device;

    /// Each function verifies its results before it returns.
    #[test]
    fn both_kinds_of_kernels_are_right() {
        for device in Device::all().unwrap() {
            let queue = Queue::on(&device).unwrap();
            for chunked in [false, true] {
                let of = || ByHand::<f32>::new(&queue, 1 << 13, chunked).unwrap();
                let steps = [
                    of().of_sum_with_temporary(),
                    of().composed_in_one_kernel(),
                    of().composed_with_temporary(),
                    of().composed_in_local_memory(),
                ];
                steps.into_iter().for_each(|step| step.unwrap()().unwrap());
            }
        }
    }
}
