//! Transforms of arrays along some of their axes, with the feature `array`.

use crate::planner::Planner;
use crate::real::Real;
use crate::{Fft, Problem};
use cl_algo::num_complex::Complex;
use cl_algo::{Element, Expr, Item, ViewMut, ranked};
use cl_array::{Array, ArrayOperand};
use cl_core::{Error, Queue, Result};

/// Returns the forward transform of an array along these axes, numbered from 0, with the feature `array`.
///
/// An array, and an expression of arrays in row-major order, is read by the first kernel of the transform. A view of
/// another order and an expression with broadcasting are copied first. An expression that reads no array needs a queue:
/// [`on`](cl_array::ArrayExpr::on). Plans are remembered, as by [`Planner`].
///
/// ```
/// use cl_algo::num_complex::Complex;
/// use cl_array::prelude::*;
/// use cl_fft::{fftn, ifftn};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let rows = [1.0_f32, 0.0, 2.0, 2.0].map(|x| Complex::new(x, 0.0));
/// let a = Array::from_slice(&queue, [2, 2], &rows)?;
/// let spectra = fftn(&a, [1])?; // of each row
/// assert_eq!(spectra.to_vec()?, [1.0, 1.0, 4.0, 0.0].map(|x| Complex::new(x, 0.0)));
/// let columns = fftn(a.t(), [1])?; // of each column
/// assert_eq!(columns.row(0).to_vec()?, [3.0, -1.0].map(|x| Complex::new(x, 0.0)));
/// let doubled = ifftn(&spectra + &spectra, [1])?; // the sum is computed inside the transform
/// assert_eq!(doubled.to_vec()?[2], Complex::new(4.0, 0.0));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for an axis that the array does not have, an axis that is named
/// twice, and for no axes; deferred errors of the expression; as [`Planner::c2c`] and [`Fft::forward`].
#[doc(alias("fft", "fft2", "fft_axes"))]
pub fn fftn<'a, T: Real, const N: usize>(
    input: impl ArrayOperand<'a, Complex<T>, N>,
    axes: impl AsRef<[usize]>,
) -> Result<Array<Complex<T>, N>>
where
    Complex<T>: Element,
{
    complex("fftn", input, axes.as_ref(), |fft, items| fft.forward(items))
}

/// Returns the inverse transform of an array along these axes, divided by the number of points of a transform, with the
/// feature `array`. See [`fftn`].
///
/// # Errors
/// As [`fftn`].
#[doc(alias("ifft", "ifft2"))]
pub fn ifftn<'a, T: Real, const N: usize>(
    input: impl ArrayOperand<'a, Complex<T>, N>,
    axes: impl AsRef<[usize]>,
) -> Result<Array<Complex<T>, N>>
where
    Complex<T>: Element,
{
    complex("ifftn", input, axes.as_ref(), |fft, items| fft.inverse(items))
}

/// Returns half of the spectrum of an array of real numbers along these axes, with the feature `array`: `n / 2 + 1`
/// complex numbers along the last one of `axes`, as in NumPy. See [`fftn`].
///
/// ```
/// use cl_algo::num_complex::Complex;
/// use cl_array::prelude::*;
/// use cl_fft::{irfftn, rfftn};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [4, 2], &[1.0_f32, 5.0, 2.0, 6.0, 3.0, 7.0, 4.0, 8.0])?;
/// let half = rfftn(&a, [0])?; // of each column
/// assert_eq!(half.shape(), [3, 2]);
/// assert_eq!(half.row(0).to_vec()?, [Complex::new(10.0, 0.0), Complex::new(26.0, 0.0)]);
/// assert_eq!(irfftn(&half, [0], 4)?.to_vec()?, a.to_vec()?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`fftn`].
#[doc(alias("rfft", "rfft2"))]
pub fn rfftn<'a, T: Real, const N: usize>(
    input: impl ArrayOperand<'a, T, N>,
    axes: impl AsRef<[usize]>,
) -> Result<Array<Complex<T>, N>>
where
    Complex<T>: Element,
{
    let (input, axes) = (input.into_array_expr(), axes.as_ref());
    let shape = input.shape();
    let problem = Problem::new(shape).axes(axes);
    let half = input.with_items(|items| planner("rfftn", &items)?.real(problem)?.forward(items))?;
    Array::from_vec(half, half_shape(shape, axes))
}

/// Returns the real numbers of half of a spectrum along these axes, with the feature `array`: `n` numbers along the last
/// one of `axes`, divided by the number of points of a transform. See [`rfftn`].
///
/// # Errors
/// As [`fftn`]; [`Error::InvalidInput`](cl_core::Error::InvalidInput) unless the spectrum has `n / 2 + 1` numbers along the
/// last one of `axes`.
#[doc(alias("irfft", "irfft2"))]
pub fn irfftn<'a, T: Real, const N: usize>(
    input: impl ArrayOperand<'a, Complex<T>, N>,
    axes: impl AsRef<[usize]>,
    n: usize,
) -> Result<Array<T, N>>
where
    Complex<T>: Element,
{
    let (input, axes) = (input.into_array_expr(), axes.as_ref());
    let mut shape = input.shape();
    if let Some(length) = axes.last().and_then(|&axis| shape.get_mut(axis)) {
        *length = n;
    }
    let problem = Problem::new(shape).axes(axes);
    let reals = input.with_items(|items| planner("irfftn", &items)?.real(problem)?.inverse(items))?;
    Array::from_vec(reals, shape)
}

/// Computes the forward transform of an array along these axes into an array of the same shape, with the feature `array`.
/// See [`fftn`].
///
/// The last kernel of the transform writes to an output in row-major order. The result is copied to other outputs.
///
/// ```
/// use cl_algo::num_complex::Complex;
/// use cl_array::prelude::*;
/// use cl_fft::fftn_into;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 0.0, 2.0, 2.0].map(|x| Complex::new(x, 0.0)))?;
/// let mut spectra = Array::zeros(&queue, [2, 2])?;
/// fftn_into(&mut spectra, &a, [1])?;
/// assert_eq!(spectra.to_vec()?, [1.0, 1.0, 4.0, 0.0].map(|x| Complex::new(x, 0.0)));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`fftn`]; [`Error::InvalidInput`] if the output has another shape.
#[doc(alias("fft", "out"))]
pub fn fftn_into<'a, T: Real, const N: usize>(
    output: &mut Array<Complex<T>, N>,
    input: impl ArrayOperand<'a, Complex<T>, N>,
    axes: impl AsRef<[usize]>,
) -> Result<()>
where
    Complex<T>: Element,
{
    complex_into("fftn_into", output, input, axes.as_ref(), |fft, sink, items| fft.forward_into(sink, items))
}

/// Computes the inverse transform of an array along these axes into an array of the same shape, with the feature `array`.
/// See [`fftn_into`] and [`ifftn`].
///
/// # Errors
/// As [`fftn_into`].
#[doc(alias("ifft", "out"))]
pub fn ifftn_into<'a, T: Real, const N: usize>(
    output: &mut Array<Complex<T>, N>,
    input: impl ArrayOperand<'a, Complex<T>, N>,
    axes: impl AsRef<[usize]>,
) -> Result<()>
where
    Complex<T>: Element,
{
    complex_into("ifftn_into", output, input, axes.as_ref(), |fft, sink, items| fft.inverse_into(sink, items))
}

/// Computes half of the spectrum of an array of real numbers along these axes into an array, with the feature `array`. See
/// [`fftn_into`] and [`rfftn`].
///
/// # Errors
/// As [`fftn_into`].
#[doc(alias("rfft", "out"))]
pub fn rfftn_into<'a, T: Real, const N: usize>(
    output: &mut Array<Complex<T>, N>,
    input: impl ArrayOperand<'a, T, N>,
    axes: impl AsRef<[usize]>,
) -> Result<()>
where
    Complex<T>: Element,
{
    let (input, axes) = (input.into_array_expr(), axes.as_ref());
    let shape = input.shape();
    let problem = Problem::new(shape).axes(axes);
    written("rfftn_into", half_shape(shape, axes), output, |output| {
        input.with_items(|items| planner("rfftn_into", &items)?.real(problem)?.forward_into(output, items))
    })
}

/// Computes the real numbers of half of a spectrum along these axes into an array, whose length along the last one of
/// `axes` is `n` of [`irfftn`], with the feature `array`. See [`fftn_into`].
///
/// # Errors
/// As [`irfftn`]; [`Error::InvalidInput`] if the output has another length than the spectrum along one of the other axes.
#[doc(alias("irfft", "out"))]
pub fn irfftn_into<'a, T: Real, const N: usize>(
    output: &mut Array<T, N>,
    input: impl ArrayOperand<'a, Complex<T>, N>,
    axes: impl AsRef<[usize]>,
) -> Result<()>
where
    Complex<T>: Element,
{
    let (input, axes) = (input.into_array_expr(), axes.as_ref());
    let mut shape = input.shape();
    if let Some(&axis) = axes.last().filter(|&&axis| axis < N) {
        shape[axis] = output.shape()[axis];
    }
    let problem = Problem::new(shape).axes(axes);
    written("irfftn_into", shape, output, |output| {
        input.with_items(|items| planner("irfftn_into", &items)?.real(problem)?.inverse_into(output, items))
    })
}

/// Returns the shape of half of a spectrum of real numbers.
fn half_shape<const N: usize>(mut shape: [usize; N], axes: &[usize]) -> [usize; N] {
    if let Some(length) = axes.last().and_then(|&axis| shape.get_mut(axis)).filter(|length| **length > 0) {
        *length = *length / 2 + 1;
    }
    shape
}

/// Writes a result of a known shape to an array. `write` writes its items in row-major order.
fn written<T: Element, const N: usize>(
    operation: &'static str,
    shape: [usize; N],
    output: &mut Array<T, N>,
    write: impl FnOnce(ViewMut<'_, T>) -> Result<()>,
) -> Result<()> {
    if output.shape() != shape {
        let reason = format!("the transform has shape {shape:?}, and the output {:?}", output.shape());
        return Err(Error::invalid_input(operation, reason));
    }
    if output.layout().is_contiguous() {
        return write(output.flatten_mut()?);
    }
    let mut ordered = Array::zeros(output.queue(), shape)?;
    write(ordered.flatten_mut()?)?;
    output.assign(&ordered)
}

/// Computes a transform of complex numbers, which `run` writes to an output.
fn complex_into<'a, T: Real, const N: usize>(
    operation: &'static str,
    output: &mut Array<Complex<T>, N>,
    input: impl ArrayOperand<'a, Complex<T>, N>,
    axes: &[usize],
    run: impl FnOnce(&Fft<T>, ViewMut<'_, Complex<T>>, Expr<'_, Complex<T>>) -> Result<()>,
) -> Result<()>
where
    Complex<T>: Element,
{
    let input = input.into_array_expr();
    let shape = input.shape();
    let problem = Problem::new(shape).axes(axes);
    written(operation, shape, output, |output| {
        input.with_items(|items| run(&planner(operation, &items)?.c2c(problem)?, output, items))
    })
}

/// Returns a transform of complex numbers, which `run` computes.
fn complex<'a, T: Real, const N: usize>(
    operation: &'static str,
    input: impl ArrayOperand<'a, Complex<T>, N>,
    axes: &[usize],
    run: impl FnOnce(&Fft<T>, Expr<'_, Complex<T>>) -> Result<cl_algo::DeviceVec<Complex<T>>>,
) -> Result<Array<Complex<T>, N>>
where
    Complex<T>: Element,
{
    let input = input.into_array_expr();
    let shape = input.shape();
    let problem = Problem::new(shape).axes(axes);
    let points = input.with_items(|items| run(&planner(operation, &items)?.c2c(problem)?, items))?;
    Array::from_vec(points, shape)
}

/// Returns the planner of the queue that an expression is evaluated on.
fn planner<I: Item>(operation: &'static str, items: &Expr<'_, I>) -> Result<Planner> {
    let queue: &Queue = ranked::queue_of(operation, items)?;
    Ok(Planner::new(queue))
}
