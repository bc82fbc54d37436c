//! Preconditioners, which reduce the number of iterations.

use super::Real;
use super::operator::fits;
use cl_algo::{DeviceVec, Element, Expr, Operand, Val, assign};
use cl_core::Result;

/// An approximate inverse of an operator, `M⁻¹`, that is cheap to apply: it maps a residual to an approximate
/// correction of the solution. Conjugate gradients need a symmetric positive definite preconditioner. The
/// other methods need a linear preconditioner.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_sparse::solve::{Cg, Preconditioner};
/// use cl_sparse::{Csr, generate};
///
/// /// Two steps of Jacobi's iteration from zero, for a diagonal of fours.
/// struct TwoSteps<'a>(&'a Csr<f32>);
///
/// impl Preconditioner<f32> for TwoSteps<'_> {
///     fn size(&self) -> Option<usize> {
///         Some(self.0.rows())
///     }
///
///     fn apply(&self, r: &DeviceVec<f32>, z: &mut DeviceVec<f32>) -> cl_core::Result<()> {
///         z.assign(0.5 * r - 0.0625 * (self.0 * r)) // one kernel
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let queue = Queue::on(&Device::first()?)?;
/// let a: Csr<f32> = Csr::new(&queue, &generate::five_point([20, 20], 4.0, -1.0)?)?;
/// let f = DeviceVec::filled(&queue, 1.0, 400)?;
/// let (mut u, mut v) = (DeviceVec::filled(&queue, 0.0, 400)?, DeviceVec::filled(&queue, 0.0, 400)?);
/// let plain = Cg::new().solve(&a, &f, &mut u)?;
/// let better = Cg::new().preconditioner(&TwoSteps(&a)).solve(&a, &f, &mut v)?;
/// assert!(better.iterations < plain.iterations);
/// # Ok(())
/// # }
/// ```
pub trait Preconditioner<T: Element> {
    /// Returns the length of the vectors that `apply` accepts, or `None` if it accepts vectors of any length.
    fn size(&self) -> Option<usize>;

    /// Computes `z = M⁻¹ r`. Does not block.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`](cl_core::Error::LengthMismatch) if the length of a vector is not
    /// [`size`](Self::size); errors of the preconditioner's kernels.
    fn apply(&self, r: &DeviceVec<T>, z: &mut DeviceVec<T>) -> Result<()>;

    /// Returns the factors if the preconditioner only multiplies each element by a factor. Solvers then multiply inside
    /// their own kernels, and may use the factors for several iterations.
    fn factors(&self) -> Option<Expr<'_, T>> {
        None
    }

    /// Returns whether the preconditioner does nothing.
    fn is_identity(&self) -> bool {
        false
    }
}

/// The preconditioner that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Identity;

impl<T: Element> Preconditioner<T> for Identity {
    fn size(&self) -> Option<usize> {
        None
    }

    fn apply(&self, r: &DeviceVec<T>, z: &mut DeviceVec<T>) -> Result<()> {
        assign(z, r)
    }

    fn is_identity(&self) -> bool {
        true
    }
}

/// Division by the operator's diagonal (Jacobi 1845).
#[derive(Debug)]
pub struct Jacobi<T: Element> {
    inverse: DeviceVec<T>,
}

impl<T: Real> Jacobi<T> {
    /// Creates the preconditioner from the operator's diagonal. Zeros of the diagonal count as ones. Does not block.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::solve::{Cg, Jacobi, from_fn_with};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let d = DeviceVec::from_slice(&queue, &[1.0, 100.0, 1e4])?;
    /// let a = from_fn_with(&d, 3, 3, |d, x: Expr<'_, f64>| x * *d);
    /// let b = DeviceVec::filled(&queue, 1.0, 3)?;
    /// let mut x = DeviceVec::filled(&queue, 0.0, 3)?;
    /// let report = Cg::new().preconditioner(&Jacobi::new(&d)?).solve(&a, &b, &mut x)?;
    /// assert_eq!(report.iterations, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn new<'a>(diagonal: impl Operand<'a, T>) -> Result<Jacobi<T>> {
        let (zero, one) = (T::rounded(0.0), T::rounded(1.0));
        let inverse = diagonal.into_expr().map(|d| d.eq(zero).select(one, Val::known(one) / d));
        Ok(Jacobi { inverse: inverse.collect()? })
    }
}

impl<T: Real> Preconditioner<T> for Jacobi<T> {
    fn size(&self) -> Option<usize> {
        Some(self.inverse.len())
    }

    fn apply(&self, r: &DeviceVec<T>, z: &mut DeviceVec<T>) -> Result<()> {
        fits("apply: the diagonal and `r`", self.inverse.len(), r.len())?;
        fits("apply: the diagonal and `z`", self.inverse.len(), z.len())?;
        assign(z, &self.inverse * r)
    }

    fn factors(&self) -> Option<Expr<'_, T>> {
        Some(self.inverse.iter())
    }
}

/// Computes `z = M⁻¹ r`, or does nothing if `z` is `None`. `z` is `None` if the solver does not need `apply`:
/// for identities, and in conjugate gradients for factors.
pub(super) fn precondition<T: Element>(
    m: &dyn Preconditioner<T>,
    r: &DeviceVec<T>,
    z: &mut Option<DeviceVec<T>>,
) -> Result<()> {
    let Some(z) = z else { return Ok(()) };
    m.apply(r, z)?;
    // A preconditioner may have replaced the vector.
    fits("preconditioner", r.len(), z.len())
}
