//! What makes solvers need fewer iterations.

use super::Real;
use super::operator::fits;
use cl_algo::{DeviceVec, Element, Expr, Operand, Val, assign};
use cl_core::Result;

/// An approximate inverse of an operator, `M⁻¹`: something cheap that makes of a residual nearly what would
/// have to be added to the solution. For conjugate gradients it must be symmetric and positive definite, for
/// the other methods just linear.
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
    /// How many elements its vectors have, if it matters.
    fn size(&self) -> Option<usize>;

    /// `z = M⁻¹ r`. Does not block.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`](cl_core::Error::LengthMismatch) for vectors of other lengths; else what its
    /// kernels meet.
    fn apply(&self, r: &DeviceVec<T>, z: &mut DeviceVec<T>) -> Result<()>;

    /// The factors, if it just multiplies each element by one: solvers do so inside their own kernels then.
    fn factors(&self) -> Option<Expr<'_, T>> {
        None
    }

    /// Whether it does nothing.
    fn is_identity(&self) -> bool {
        false
    }
}

/// No preconditioner.
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
    /// For an operator with this diagonal. Where it is zero, nothing is divided. Does not block.
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
        fits("apply", self.inverse.len(), r.len())?;
        fits("apply", self.inverse.len(), z.len())?;
        assign(z, &self.inverse * r)
    }

    fn factors(&self) -> Option<Expr<'_, T>> {
        Some(self.inverse.iter())
    }
}

/// `z = M⁻¹ r`, where there is a `z`: a preconditioner that does nothing needs none.
pub(super) fn precondition<T: Element>(
    m: &dyn Preconditioner<T>,
    r: &DeviceVec<T>,
    z: &mut Option<DeviceVec<T>>,
) -> Result<()> {
    let Some(z) = z else { return Ok(()) };
    m.apply(r, z)?;
    // Nothing keeps a preconditioner from putting another vector there.
    fits("preconditioner", r.len(), z.len())
}
