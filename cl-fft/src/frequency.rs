//! The frequency of each point of a spectrum, and spectra with the lowest frequency in the middle.

use crate::grid::{self, along, moved};
use crate::real::Real;
use cl_algo::{Element, Expr, Operand, iota};
use cl_core::Error;

/// Returns the frequencies of a transform of `n` points at distances of `spacing`, in turns per unit. They
/// are `0, 1, …` in the first half, and negative numbers up to `-1` in the second half, all divided by `n *
/// spacing`.
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

/// Returns the frequency of each point of a grid along one of its axes. An axis that the grid does not have
/// is a deferred error, and so is a grid of more than `isize::MAX` points.
pub fn fftfreq_along<'a, T: Real>(lengths: impl AsRef<[usize]>, axis: usize, spacing: T) -> Expr<'a, T> {
    let lengths = lengths.as_ref();
    frequency_along(lengths, lengths, axis, spacing, false)
}

/// Returns the frequency along one axis of each point of the spectrum that [`RealFft`](crate::RealFft) makes of a
/// grid of real numbers. The spectrum has `n / 2 + 1` points along the last axis. An axis that the grid does not have
/// is a deferred error.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_fft::rfftfreq_along;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let rows = rfftfreq_along([2, 4], 0, 0.5_f32).collect_on(&queue)?.to_vec()?;
/// assert_eq!(rows, [0.0, 0.0, 0.0, -1.0, -1.0, -1.0]);
/// let columns = rfftfreq_along([2, 4], 1, 0.25_f32).collect_on(&queue)?.to_vec()?;
/// assert_eq!(columns, [0.0, 1.0, 2.0, 0.0, 1.0, 2.0]);
/// # Ok(())
/// # }
/// ```
pub fn rfftfreq_along<'a, T: Real>(lengths: impl AsRef<[usize]>, axis: usize, spacing: T) -> Expr<'a, T> {
    let lengths = lengths.as_ref();
    frequency_along(&half(lengths), lengths, axis, spacing, true)
}

/// Returns the lengths of the spectrum of a grid of real numbers.
fn half(lengths: &[usize]) -> Vec<usize> {
    let mut half = lengths.to_vec();
    if let Some(last) = half.last_mut().filter(|last| **last > 0) {
        *last = *last / 2 + 1;
    }
    half
}

/// Returns the frequency of each point of a grid of `lengths` along an axis. `whole` has the lengths of the whole
/// spectrum. With `real`, `lengths` is the half that belongs to real numbers.
fn frequency_along<'a, T: Real>(
    lengths: &[usize],
    whole: &[usize],
    axis: usize,
    spacing: T,
    real: bool,
) -> Expr<'a, T> {
    let points = match grid::points(lengths) {
        Ok(points) => points,
        Err(error) => return iota(0_u64, 0).cast::<T>().failed(error),
    };
    let index = iota(0_u64, points);
    let Some(&n) = whole.get(axis) else {
        let reason = format!("{axis} is not one of the {} axes, which are numbered from 0", whole.len());
        return index.cast::<T>().failed(Error::invalid_input("axis", reason));
    };
    // All frequencies of half of a spectrum are taken as positive. That of n / 2, which may have either sign,
    // is negative in a whole spectrum.
    let is_half = real && axis + 1 == whole.len();
    let unit = T::rounded(1.0) / (T::rounded(n as f64) * spacing);
    index.map(|index| {
        let at = along(index, lengths, axis).cast::<i64>();
        let signed = if is_half { at } else { at.lt(n.div_ceil(2) as i64).select(at, at - n as i64) };
        signed.cast::<T>() * unit
    })
}

/// Returns the `n / 2 + 1` frequencies of the first half of a spectrum, as transforms of real numbers return it.
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
    rfftfreq_along([n], 0, spacing)
}

/// Returns the points of a grid with index 0 moved to the middle, `n / 2`, along each axis, as spectra are usually
/// shown. A number of points that differs from that of the grid is a deferred error.
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

/// Returns the inverse of [`fftshift`].
pub fn ifftshift<'a, T: Element>(points: impl Operand<'a, T>, lengths: impl AsRef<[usize]>) -> Expr<'a, T> {
    shifted(points, lengths.as_ref(), |n| n / 2)
}

fn shifted<'a, T: Element>(
    points: impl Operand<'a, T>,
    lengths: &[usize],
    by: impl Fn(usize) -> usize,
) -> Expr<'a, T> {
    let points = points.into_expr();
    let (all, there) = (grid::points(lengths), points.len());
    // A scalar stands for all points of the grid.
    let points = if there.is_none() { points.take(*all.as_ref().unwrap_or(&0)) } else { points };
    let shifted = moved(points, lengths, lengths, |axis, at| {
        let n = lengths[axis];
        (at + by(n) as u64) % n.max(1) as u64
    });
    match (all, there) {
        (Ok(all), Some(there)) if there != all => {
            let reason = format!("a grid of {lengths:?} has {all} points, but there are {there}");
            shifted.failed(Error::invalid_input("lengths of a shift", reason))
        }
        _ => shifted,
    }
}
