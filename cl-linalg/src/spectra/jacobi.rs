//! One-sided Jacobi rotations on the device.

use super::operator::times;
use crate::error::{Error, Result};
use crate::factor::identity;
use crate::scalar::{RealScalar, Scalar, scale_of};
use cl_algo::codegen::{Fused, Parameters, Template, profile};
use cl_algo::{DeviceProfile, DeviceVec, Shape};
use cl_array::{Array, ArrayExpr, Pad, concatenate, s};
use cl_core::Queue;

/// The parameters of the kernel `jacobi`.
#[derive(Clone, Copy, Debug, Parameters)]
struct Rotations {
    /// The number of bytes of a real number.
    real_bytes: usize,
    is_complex: bool,
    /// The number of work-items of a pair of rows, on GPUs.
    together: usize,
}

static JACOBI: Template<Rotations> = Template {
    kernel: "jacobi",
    definition: &super::kernels::JACOBI,
    shape: |profile, size, values| {
        let shape = profile.elementwise(size);
        let group = if profile.chunked { 1 } else { values.together };
        let max_groups = if profile.chunked { shape.max_groups } else { usize::MAX };
        Shape { group, packs: 1, max_groups, streams: false, ..shape }
    },
};

/// Returns the number of work-items of a pair of rows on GPUs, a power of two: one for each pack, within limits.
fn group(profile: &DeviceProfile, packs: usize) -> usize {
    packs.next_power_of_two().clamp(32, 256).min(profile.largest_group)
}

/// The greatest number of sweeps. Six to ten are usual.
const MOST_SWEEPS: usize = 40;

/// A matrix whose rows are orthogonal to each other.
pub(super) struct Orthogonal<T: Scalar> {
    /// The rows, divided by their norms, in descending order of the norms: shape `[n, m]`.
    pub(super) rows: Array<T, 2>,
    /// The norms.
    pub(super) norms: Vec<f64>,
    /// The rotations, in the order of the rows: shape `[n, n]`, or `[n, 0]` if they were not asked for.
    pub(super) rotations: Array<T, 2>,
}

/// Multiplies a matrix of shape `[n, m]` by rotations until its rows are orthogonal to each other.
///
/// `largest` is a number not far from the largest absolute value of the elements. They are scaled by it, so that their
/// squares neither overflow nor underflow.
pub(super) fn orthogonalise<T: Scalar>(
    operation: &'static str,
    queue: &Queue,
    matrix: ArrayExpr<'_, T, 2>,
    largest: f64,
    rotations: bool,
) -> Result<Orthogonal<T>> {
    let [n, m] = matrix.shape();
    let pack = profile(queue.context())?.elementwise(size_of::<T>()).pack;
    let pack = if T::IS_COMPLEX { 1 } else { pack };
    let (pairs, summed) = (n.div_ceil(2), m.next_multiple_of(pack));
    let beside = if rotations { n.next_multiple_of(pack) } else { 0 };
    let zeros = |to: [usize; 2], from: [usize; 2]| [(0, to[0] - from[0]), (0, to[1] - from[1])];
    let scale = scale_of::<T>(largest);
    let factor = T::from_real(T::Real::from_f64(scale));
    let zero = Pad::Constant(T::zeroed());
    let scaled = times(matrix, factor).pad(zeros([2 * pairs, summed], [n, m]), zero);
    let start = if beside > 0 {
        let unit = identity::<T>([n, n]).on(queue).collect()?;
        let unit = unit.iter().pad(zeros([2 * pairs, beside], [n, n]), zero);
        concatenate(queue, 1, [scaled, unit])?
    } else {
        scaled.collect()?
    };
    let width = summed + beside;
    let mut from = start.into_vec();
    // SAFETY: each step writes all rows before the next step reads them.
    let mut to = unsafe { DeviceVec::<T>::uninit(queue, from.len()) }?;
    let steps = (2 * pairs).saturating_sub(1);
    let mut rotated = DeviceVec::filled(queue, 0_u32, steps * pairs)?;
    let tolerance = T::Real::from_f64(T::Real::UNIT_ROUNDOFF * m.max(8) as f64);
    let sweep = Sweep { operation, queue, pairs, width, summed, pack, tolerance };
    let mut sweeps = 0;
    let mut is_rotated = n > 1;
    while is_rotated {
        for step in 0..steps {
            sweep.step(step, &from, &mut to, &mut rotated)?;
            std::mem::swap(&mut from, &mut to);
        }
        is_rotated = rotated.iter().ne(0).any()?;
        sweeps += 1;
        if is_rotated && sweeps == MOST_SWEEPS {
            return Err(Error::NotConverged { operation, iterations: sweeps });
        }
    }
    let work = Array::from_vec(from, [2 * pairs, width])?;
    let norms = norms::<T>(work.slice(s![..n, ..m]).iter())?;
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by(|&a, &b| norms[b as usize].total_cmp(&norms[a as usize]));
    let norms: Vec<f64> = order.iter().map(|&row| norms[row as usize]).collect();
    let inverses: Vec<T> = norms
        .iter()
        .map(|&norm| T::from_real(T::Real::from_f64(if norm > 0.0 { 1.0 / norm } else { 0.0 })))
        .collect();
    let order = Array::from_slice(queue, [n], &order)?;
    let inverses = Array::from_slice(queue, [n, 1], &inverses)?;
    let taken = work.iter().take(0, &order);
    let rows = (taken.clone().slice(s![.., ..m]) * &inverses).collect()?;
    let columns = if rotations { n } else { 0 };
    let rotations = taken.slice(s![.., summed..summed + columns]).collect()?;
    Ok(Orthogonal { rows, norms: norms.into_iter().map(|norm| norm / scale).collect(), rotations })
}

/// Returns the norms of the rows of a matrix.
fn norms<T: Scalar>(matrix: ArrayExpr<'_, T, 2>) -> Result<Vec<f64>> {
    let squares: Vec<T::Part> = T::squares(matrix).sum_axis(1)?.to_vec()?;
    Ok(squares.into_iter().map(|square| T::part_to_f64(square).sqrt()).collect())
}

/// The lengths of a sweep over all pairs of rows.
struct Sweep<'q, R> {
    operation: &'static str,
    queue: &'q Queue,
    pairs: usize,
    width: usize,
    summed: usize,
    pack: usize,
    tolerance: R,
}

impl<R: RealScalar> Sweep<'_, R> {
    /// Rotates the pairs of a step.
    fn step<T: Scalar<Real = R>>(
        &self,
        step: usize,
        from: &DeviceVec<T>,
        to: &mut DeviceVec<T>,
        rotated: &mut DeviceVec<u32>,
    ) -> Result<()> {
        let Sweep { operation, queue, pairs, pack, tolerance, .. } = *self;
        let len = from.len();
        let packs = self.width / pack;
        let fused = Fused::new(operation)
            .input("", from)
            .input("TOLERANCE", tolerance)
            .input("ROTATED", 0_u32)
            .output::<T>("", "", to)
            .output::<u32>("ROTATED", "ROTATED", rotated);
        let together = group(&*profile(queue.context())?, packs);
        let values = Rotations { real_bytes: size_of::<R>(), is_complex: T::IS_COMPLEX, together };
        let ready = fused.by(&JACOBI, values).compile(queue, len)?;
        let shape = ready.shape();
        debug_assert_eq!(shape.pack, pack, "packs of rows");
        let own = [pairs, packs, self.summed / pack, step].map(|number| ready.index(number));
        let groups = pairs.clamp(1, shape.max_groups);
        // SAFETY: the kernel reads and writes rows of `packs` packs, of which both vectors have `2 * pairs`.
        unsafe { ready.launch(&own, groups, shape.group) }?;
        Ok(())
    }
}
