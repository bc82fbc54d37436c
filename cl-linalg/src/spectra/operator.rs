//! Linear operators of iterations.

use crate::error::Result;
use crate::scalar::{RealScalar, Scalar, scale_of};
use cl_algo::Val;
use cl_array::{Array, ArrayExpr, ArrayOperand};
use cl_core::Queue;
use cl_random::{Engine, Philox4x32};

/// A linear function of vectors: a square matrix, or a closure that returns the product with a vector.
///
/// ```
/// use cl_linalg::{Operator, prelude::*};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = Array::from_slice(&queue, [2], &[1.0_f32, 2.0])?;
/// let matrix = Array::from_slice(&queue, [2, 2], &[0.0_f32, 1.0, 1.0, 0.0])?;
/// let doubled = |x: &Array<f32, 1>| (2.0 * x).collect();
/// assert_eq!(matrix.apply(&x)?.to_vec()?, [2.0, 1.0]);
/// assert_eq!(doubled.apply(&x)?.to_vec()?, [2.0, 4.0]);
/// # Ok(())
/// # }
/// ```
pub trait Operator<T: Scalar> {
    /// Returns the product with a vector, which has as many elements as the vector.
    ///
    /// # Errors
    /// Those of the operator's kernels.
    fn apply(&self, x: &Array<T, 1>) -> cl_core::Result<Array<T, 1>>;
}

impl<T: Scalar, F: Fn(&Array<T, 1>) -> cl_core::Result<Array<T, 1>>> Operator<T> for F {
    fn apply(&self, x: &Array<T, 1>) -> cl_core::Result<Array<T, 1>> {
        self(x)
    }
}

impl<T: Scalar> Operator<T> for Array<T, 2> {
    fn apply(&self, x: &Array<T, 1>) -> cl_core::Result<Array<T, 1>> {
        self.iter().matvec(x)
    }
}

/// Returns the product of an operator with a vector, or an error unless it has as many elements as the vector.
pub(super) fn product<T: Scalar>(
    operation: &'static str,
    operator: &impl Operator<T>,
    x: &Array<T, 1>,
) -> Result<Array<T, 1>> {
    let y = operator.apply(x)?;
    if y.len() != x.len() {
        let reason = format!("the operator makes {} elements of {}; it must be square", y.len(), x.len());
        return Err(cl_core::Error::invalid_input(operation, reason).into());
    }
    Ok(y)
}

/// Returns random numbers of the normal distribution.
pub(super) fn normal<T: Scalar, const N: usize>(
    queue: &Queue,
    seed: u64,
    shape: [usize; N],
) -> Result<Array<T, N>> {
    let engine: Philox4x32 = Philox4x32::new(seed);
    let numbers = engine.normal::<f64>();
    let items: Vec<T> = (numbers.iter().take(shape.iter().product()))
        .map(|number| T::from_real(T::Real::from_f64(number)))
        .collect();
    Ok(Array::from_slice(queue, shape, &items)?)
}

/// Returns the norm of a vector.
pub(super) fn norm<T: Scalar>(x: &Array<T, 1>) -> Result<f64> {
    let norm = T::part_to_f64(T::squares(x.iter()).sum()?).sqrt();
    // Squares of smaller numbers lose digits, and those of larger ones overflow.
    let least = if T::Real::UNIT_ROUNDOFF > f64::EPSILON { 1e-15 } else { 1e-145 };
    if norm.is_finite() && norm >= least {
        return Ok(norm);
    }
    let parts = [T::real_parts(x.iter()), T::imaginary_parts(x.iter())];
    let mut largest = 0.0_f64;
    for part in parts {
        largest = largest.max(T::largest_part(part)?);
    }
    let scale = scale_of::<T>(largest);
    let scaled = times(x, T::from_real(T::Real::from_f64(scale)));
    Ok(T::part_to_f64(T::squares(scaled).sum()?).sqrt() / scale)
}

/// Returns the elements of an array times a number.
pub(super) fn times<'a, T: Scalar, const N: usize>(
    array: impl ArrayOperand<'a, T, N>,
    factor: T,
) -> ArrayExpr<'a, T, N> {
    array.into_array_expr().map(|item| item * Val::known(factor))
}

/// Returns a vector times a real number.
pub(super) fn scaled<T: Scalar>(x: &Array<T, 1>, factor: f64) -> Result<Array<T, 1>> {
    Ok(times(x, T::from_real(T::Real::from_f64(factor))).collect()?)
}
