//! Transforms along one axis in one call.

use crate::planner::Planner;
use crate::real::Real;
use cl_algo::num_complex::Complex;
use cl_algo::{DeviceVec, Element, Expr, Item, Operand};
use cl_core::{Error, Queue, Result};

/// Returns the forward transform of all items of an expression.
///
/// ```
/// use cl_algo::{num_complex::Complex, prelude::*};
/// use cl_fft::fft;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 0.0, 0.0, 0.0].map(|x| Complex::new(x, 0.0)))?;
/// assert_eq!(fft(&queue, &x)?.to_vec()?, [Complex::new(1.0, 0.0); 4]); // a pulse has all frequencies
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::InvalidInput`] for an expression without a length; otherwise as [`Planner::c2c`] and
/// [`Fft::forward`](crate::Fft::forward).
pub fn fft<'a, T: Real>(queue: &Queue, input: impl Operand<'a, Complex<T>>) -> Result<DeviceVec<Complex<T>>>
where
    Complex<T>: Element,
{
    let input = input.into_expr();
    Planner::new(queue).c2c([len(&input)?])?.forward(input)
}

/// Returns the inverse transform of all items of an expression, divided by their number.
///
/// ```
/// use cl_algo::{num_complex::Complex, prelude::*};
/// use cl_fft::ifft;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let spectrum = DeviceVec::filled(&queue, Complex::new(1.0_f32, 0.0), 4)?;
/// let pulse = ifft(&queue, &spectrum)?.to_vec()?;
/// assert_eq!((pulse[0].re, pulse[1].re), (1.0, 0.0));
/// # Ok(())
/// # }
/// ```
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

/// Returns half of the spectrum of the real items of an expression.
///
/// ```
/// use cl_algo::{num_complex::Complex, prelude::*};
/// use cl_fft::rfft;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0, 4.0])?;
/// let half = rfft(&queue, &x)?.to_vec()?; // n / 2 + 1 numbers
/// assert_eq!((half.len(), half[0]), (3, Complex::new(10.0, 0.0)));
/// # Ok(())
/// # }
/// ```
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

/// Returns the inverse transform of half of a spectrum: `n` real numbers, divided by `n`.
///
/// ```
/// use cl_algo::{num_complex::Complex, prelude::*};
/// use cl_fft::irfft;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let half = [(10.0_f32, 0.0), (-2.0, 2.0), (-2.0, 0.0)].map(|(re, im)| Complex::new(re, im));
/// let half = DeviceVec::from_slice(&queue, &half)?;
/// assert_eq!(irfft(&queue, &half, 4)?.to_vec()?, [1.0, 2.0, 3.0, 4.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`fft()`], and [`Error::InvalidInput`] unless the expression has `n / 2 + 1` items.
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
    let reason = || "it consists of scalars only and has no length".to_owned();
    input.len().ok_or_else(|| Error::invalid_input("expression to transform", reason()))
}
