//! Transforms along one axis in one call.

use crate::planner::Planner;
use crate::real::Real;
use cl_algo::num_complex::Complex;
use cl_algo::{DeviceVec, Element, Expr, Item, Operand};
use cl_core::{Error, Queue, Result};

/// The forward transform of all elements of an expression.
///
/// # Errors
/// [`Error::InvalidInput`] for an expression without a length; else as [`Planner::c2c`] and
/// [`Fft::forward`](crate::Fft::forward).
pub fn fft<'a, T: Real>(queue: &Queue, input: impl Operand<'a, Complex<T>>) -> Result<DeviceVec<Complex<T>>>
where
    Complex<T>: Element,
{
    let input = input.into_expr();
    Planner::new(queue).c2c([len(&input)?])?.forward(input)
}

/// The inverse transform of all elements of an expression, divided by their number.
///
/// # Errors
/// As [`fft()`].
pub fn ifft<'a, T: Real>(queue: &Queue, input: impl Operand<'a, Complex<T>>) -> Result<DeviceVec<Complex<T>>>
where
    Complex<T>: Element,
{
    let input = input.into_expr();
    Planner::new(queue).c2c([len(&input)?])?.inverse(input)
}

/// Half of the spectrum of the real elements of an expression.
///
/// # Errors
/// As [`fft()`].
pub fn rfft<'a, T: Real>(queue: &Queue, input: impl Operand<'a, T>) -> Result<DeviceVec<Complex<T>>>
where
    Complex<T>: Element,
{
    let input = input.into_expr();
    Planner::new(queue).real([len(&input)?])?.forward(input)
}

/// The `n` real numbers of which an expression is half of the spectrum, divided by their number.
///
/// # Errors
/// As [`fft()`], and [`Error::InvalidInput`] unless the expression has `n / 2 + 1` elements.
pub fn irfft<'a, T: Real>(
    queue: &Queue,
    input: impl Operand<'a, Complex<T>>,
    n: usize,
) -> Result<DeviceVec<T>>
where
    Complex<T>: Element,
{
    Planner::new(queue).real([n])?.inverse(input)
}

fn len<I: Item>(input: &Expr<'_, I>) -> Result<usize> {
    let reason = || "it has scalars only, and so no length".to_owned();
    input.len().ok_or_else(|| Error::InvalidInput { what: "expression to transform", reason: reason() })
}
