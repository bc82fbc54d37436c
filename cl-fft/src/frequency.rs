//! What frequency each point of a spectrum is, and spectra with the lowest frequency in the middle.

use crate::grid::{along, moved};
use crate::real::Real;
use cl_algo::{Element, Expr, Operand, iota};

/// The frequencies of a transform of `n` points that lie `spacing` apart, in turns per unit: `0, 1, …`, and from the
/// middle on the negative ones, up to `-1`, all divided by `n spacing`.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_fft::fftfreq;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// assert_eq!(fftfreq(4, 0.25_f32).collect_on(&queue)?.to_vec()?, [0.0, 1.0, -2.0, -1.0]);
/// # Ok(())
/// # }
/// ```
pub fn fftfreq<'a, T: Real>(n: usize, spacing: T) -> Expr<'a, T> {
    fftfreq_along([n], 0, spacing)
}

/// The same for the points of a grid: the frequency along one of its axes.
pub fn fftfreq_along<'a, T: Real>(lengths: impl AsRef<[usize]>, axis: usize, spacing: T) -> Expr<'a, T> {
    let lengths = lengths.as_ref();
    frequency_along(lengths, axis, lengths[axis], spacing)
}

/// The same where the axis may have less than all of its `n` frequencies: half of them, which are not negative.
pub(crate) fn frequency_along<'a, T: Real>(
    lengths: &[usize],
    axis: usize,
    n: usize,
    spacing: T,
) -> Expr<'a, T> {
    let half = lengths[axis] < n;
    let unit = T::rounded(1.0) / (T::rounded(n as f64) * spacing);
    iota(0_u64, lengths.iter().product()).map(|index| {
        let at = along(index, lengths, axis).cast::<i64>();
        let signed = if half { at } else { at.lt(n.div_ceil(2) as i64).select(at, at - n as i64) };
        signed.cast::<T>() * unit
    })
}

/// The frequencies of the first half of a spectrum, as transforms of real numbers give it: `n / 2 + 1` of them.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_fft::rfftfreq;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// assert_eq!(rfftfreq(4, 0.25_f32).collect_on(&queue)?.to_vec()?, [0.0, 1.0, 2.0]);
/// # Ok(())
/// # }
/// ```
pub fn rfftfreq<'a, T: Real>(n: usize, spacing: T) -> Expr<'a, T> {
    let unit = T::rounded(1.0) / (T::rounded(n as f64) * spacing);
    iota(0_u64, n / 2 + 1).map(|at| at.cast::<T>() * unit)
}

/// The points of a grid with index 0 moved to the middle, `n / 2`, along each axis: a spectrum as people like to see
/// it.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_fft::{fftshift, ifftshift};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[0, 1, 2, -2, -1])?;
/// let shifted = fftshift(&x, [5]).collect()?;
/// assert_eq!(shifted.to_vec()?, [-2, -1, 0, 1, 2]);
/// assert_eq!(ifftshift(&shifted, [5]).collect()?.to_vec()?, x.to_vec()?);
/// # Ok(())
/// # }
/// ```
pub fn fftshift<'a, T: Element>(points: impl Operand<'a, T>, lengths: impl AsRef<[usize]>) -> Expr<'a, T> {
    shifted(points, lengths.as_ref(), |n| n.div_ceil(2))
}

/// The inverse of [`fftshift`].
pub fn ifftshift<'a, T: Element>(points: impl Operand<'a, T>, lengths: impl AsRef<[usize]>) -> Expr<'a, T> {
    shifted(points, lengths.as_ref(), |n| n / 2)
}

fn shifted<'a, T: Element>(
    points: impl Operand<'a, T>,
    lengths: &[usize],
    by: impl Fn(usize) -> usize,
) -> Expr<'a, T> {
    moved(points, lengths, lengths, |axis, at| {
        let n = lengths[axis];
        (at + by(n) as u64) % n.max(1) as u64
    })
}
