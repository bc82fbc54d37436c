//! Power iteration.

use super::operator::{Operator, norm, normal, product, scaled, times};
use crate::error::{Error, Result};
use crate::scalar::{RealScalar, Scalar};
use cl_array::Array;
use cl_core::Queue;

/// Power iteration: the eigenvalue of largest absolute value, and its eigenvector.
///
/// It converges if the absolute value of one eigenvalue is larger than those of all others, and takes the longer the closer
/// the second one is. [`Lanczos`](crate::Lanczos) is faster for Hermitian operators. After G. H. Golub and C. F. Van Loan,
/// "Matrix Computations", 4th edition, section 7.3.1.
///
/// ```
/// use cl_linalg::{PowerIteration, prelude::*};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[2.0_f32, 1.0, 0.0, -1.0])?;
/// let dominant = PowerIteration::new().solve(&queue, 2, &a)?;
/// assert!((dominant.value - 2.0).abs() < 1e-3);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerIteration {
    tolerance: Option<f64>,
    iterations: usize,
}

/// An eigenvalue with its eigenvector, by [`PowerIteration`].
#[derive(Debug)]
pub struct Dominant<T: Scalar> {
    /// The Rayleigh quotient of the vector.
    pub value: T,
    /// The vector, of norm 1.
    pub vector: Array<T, 1>,
    /// The number of products with the operator.
    pub iterations: usize,
}

impl Default for PowerIteration {
    fn default() -> PowerIteration {
        PowerIteration::new()
    }
}

impl PowerIteration {
    /// Returns an iteration with at most 1000 products, until the residual `‖A x - λ x‖` is 1000 units of roundoff of `|λ|`.
    #[must_use]
    pub fn new() -> PowerIteration {
        PowerIteration { tolerance: None, iterations: 1000 }
    }

    /// Sets the residual, relative to the eigenvalue, at which the iteration ends.
    #[must_use]
    pub fn tolerance(self, tolerance: f64) -> PowerIteration {
        PowerIteration { tolerance: Some(tolerance), ..self }
    }

    /// Sets the greatest number of products with the operator.
    #[must_use]
    pub fn iterations(self, iterations: usize) -> PowerIteration {
        PowerIteration { iterations, ..self }
    }

    /// Returns the eigenvalue of largest absolute value of an operator of vectors with `n` elements.
    ///
    /// # Errors
    /// [`Error::NotConverged`]; [`Error::NotFinite`] if a product is NaN or infinite; [`Error::Failed`] if `n` is 0, if the
    /// operator does not return `n` elements, and for failures of OpenCL.
    pub fn solve<T: Scalar>(
        &self,
        queue: &Queue,
        n: usize,
        operator: &impl Operator<T>,
    ) -> Result<Dominant<T>> {
        const OPERATION: &str = "power iteration";
        if n == 0 {
            return Err(cl_core::Error::invalid_input(OPERATION, "a vector of zero elements").into());
        }
        let tolerance = self.tolerance.unwrap_or(1000.0 * T::Real::UNIT_ROUNDOFF);
        let start = normal::<T, 1>(queue, 0, [n])?;
        let mut x = scaled(&start, 1.0 / norm(&start)?)?;
        for iterations in 1..=self.iterations {
            let y = product(OPERATION, operator, &x)?;
            let value = T::conjugates(x.iter()).dot(&y)?;
            let residual = norm(&(&y - times(&x, value)).collect()?)?;
            let size = norm(&y)?;
            if !size.is_finite() {
                return Err(Error::NotFinite { operation: OPERATION });
            }
            if residual <= tolerance * value.magnitude().to_f64() || size == 0.0 {
                return Ok(Dominant { value, vector: x, iterations });
            }
            x = scaled(&y, 1.0 / size)?;
        }
        Err(Error::NotConverged { operation: OPERATION, iterations: self.iterations })
    }
}
