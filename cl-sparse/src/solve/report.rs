//! Reports of solvers: their progress, and the reason why they stopped.

use std::fmt;

/// The result of a solver.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The number of iterations in the solution.
    pub iterations: usize,
    /// The norm `‖b - A x‖` of the residual, computed directly at the end. The norm is not divided by the
    /// norm of `b`. If a monitor has stopped the solver, or the operator has begun to return NaN, this is the
    /// norm of the method's recurrence residual, which equals `‖b - A x‖` only in exact arithmetic.
    pub residual: f64,
    /// The norms of the residuals before the first iteration and after each iteration, if requested. The
    /// residuals at the start and at a restart are computed directly. So is the last residual, unless the
    /// solver returned an error or a monitor stopped it. The other residuals are the method's recurrence
    /// residuals.
    pub history: Vec<f64>,
    /// `true` if a monitor stopped the solver before it met the tolerance.
    pub stopped: bool,
    /// `true` if rounding keeps `‖b - A x‖` above the tolerance, although the recurrence residual is below it. The
    /// larger the solution is relative to the right-hand side, the sooner this happens. Conjugate gradients with `f32`
    /// and a right-hand side of ones reduce the relative residual of a Laplacian with 60 by 60 points to 1.4e-4, and
    /// with 255 by 255 points to 4.7e-3. Use `f64` for more digits.
    pub lost_accuracy: bool,
}

/// The information that a monitor gets.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of iterations so far.
    pub iteration: usize,
    /// The norm of the residual after these iterations.
    pub residual: f64,
}

/// The tolerance for the norm of the residual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// A multiple of the norm of the right-hand side.
    Relative(f64),
    /// The norm itself, in the units of the right-hand side.
    Absolute(f64),
}

/// The reason why a solver failed.
///
/// After [`SolveError::Failed`], the contents of the solution's vector are not specified. After other errors,
/// the vector holds the last solution that was reached without a NaN. If the residual of this solution,
/// computed directly, is larger than the residual of the first solution, the vector holds the first solution
/// again. The report describes the solution that the vector holds; for the first solution, `iterations` is 0.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_sparse::solve::{Cg, SolveError, from_fn};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = from_fn(10, 10, |x: Expr<'_, f32>| -2.0 * x);
/// let b = DeviceVec::filled(&queue, 1.0_f32, 10)?;
/// let mut x = DeviceVec::filled(&queue, 0.0, 10)?;
/// let error = Cg::new().solve(&a, &b, &mut x).unwrap_err();
/// assert!(matches!(&error, SolveError::Indefinite(report) if report.iterations == 0));
/// assert!(error.report().is_some_and(|report| report.residual > 3.0)); // the norm of ten ones
/// assert!(error.to_string().contains("not positive definite"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SolveError {
    /// The solver reached the limit of iterations.
    NotConverged(Report),
    /// A divisor of the method is zero. Another first solution, or another method, may succeed.
    #[non_exhaustive]
    Breakdown {
        /// The cause.
        what: Breakdown,
        /// The state reached.
        report: Report,
    },
    /// The operator is not positive definite, as the method requires: a direction `p` has `p·A p < 0`.
    Indefinite(Report),
    /// The preconditioner is not positive definite, as the method requires: a residual `r` has `r·M⁻¹ r < 0`.
    IndefinitePreconditioner(Report),
    /// A number is NaN or infinite: an element of the right-hand side, of the first solution, of the operator or of the
    /// preconditioner, or a number that overflowed.
    NotFinite(Report),
    /// OpenCL failed, or the system is invalid: sizes differ, or a setting is out of range.
    Failed(cl_core::Error),
}

/// The cause of a breakdown: in most cases, the divisor that is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Breakdown {
    /// Conjugate gradients: `r·M⁻¹ r` of a nonzero residual.
    PreconditionedResidual,
    /// Conjugate gradients: `p·A p` of a nonzero direction; the operator is singular or indefinite.
    DirectionEnergy,
    /// BiCGStab: the residual and `A M⁻¹ p` are both orthogonal to the first residual.
    ShadowResidual,
    /// BiCGStab: `A M⁻¹ p` is orthogonal to the first residual, and no step along the residual makes the
    /// residual smaller.
    ShadowProduct,
    /// BiCGStab: the step length that makes the residual smallest is zero.
    Stabilization,
    /// GMRES: the Krylov space cannot grow further, and does not contain a solution; the operator is
    /// singular.
    Space,
    /// The threshold for the residual is so small that its square underflows. The device compares squares.
    /// Scale the system, or choose a larger tolerance.
    Threshold,
}

impl Breakdown {
    /// Returns the breakdown with this number in the kernels.
    pub(super) fn numbered(number: u64) -> Breakdown {
        match number {
            0 => Breakdown::PreconditionedResidual,
            1 => Breakdown::DirectionEnergy,
            2 => Breakdown::ShadowResidual,
            3 => Breakdown::ShadowProduct,
            4 => Breakdown::Stabilization,
            5 => Breakdown::Space,
            _ => Breakdown::Threshold,
        }
    }
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Breakdown::PreconditionedResidual => {
                "the preconditioner maps a residual to a vector orthogonal to it"
            }
            Breakdown::DirectionEnergy => "a direction has no energy: the operator is singular or indefinite, or its numbers are too small to \
                 be squared",
            Breakdown::ShadowResidual => "the residual is orthogonal to the first one",
            Breakdown::ShadowProduct => "the product is orthogonal to the first residual",
            Breakdown::Stabilization => "no step along the residual makes it smaller",
            Breakdown::Space => "the space cannot grow and holds no solution: the operator is singular",
            Breakdown::Threshold => {
                "the square of the residual's threshold is too small: scale the system"
            }
        })
    }
}

impl SolveError {
    /// Returns the report that [`SolveError::report`] returns, for changes.
    pub(super) fn report_mut(&mut self) -> Option<&mut Report> {
        match self {
            SolveError::NotConverged(report)
            | SolveError::Breakdown { report, .. }
            | SolveError::Indefinite(report)
            | SolveError::IndefinitePreconditioner(report)
            | SolveError::NotFinite(report) => Some(report),
            SolveError::Failed(_) => None,
        }
    }

    /// Returns the report of the state reached, which the vector of the solution holds; `None` if OpenCL failed.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        match self {
            SolveError::NotConverged(report)
            | SolveError::Breakdown { report, .. }
            | SolveError::Indefinite(report)
            | SolveError::IndefinitePreconditioner(report)
            | SolveError::NotFinite(report) => Some(report),
            SolveError::Failed(_) => None,
        }
    }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::NotConverged(_) => f.write_str("the residual is larger than the tolerance"),
            SolveError::Breakdown { what, .. } => write!(f, "the method breaks down: {what}"),
            SolveError::Indefinite(_) => f.write_str("the operator is not positive definite"),
            SolveError::IndefinitePreconditioner(_) => {
                f.write_str("the preconditioner is not positive definite")
            }
            SolveError::NotFinite(_) => f.write_str(
                "a NaN or an infinite number came up: look at the right-hand side, the first solution and the operator",
            ),
            SolveError::Failed(error) => error.fmt(f),
        }?;
        let Some(report) = self.report() else { return Ok(()) };
        write!(f, " (after {} iterations, residual {:e})", report.iterations, report.residual)
    }
}

impl std::error::Error for SolveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SolveError::Failed(error) => Some(error),
            _ => None,
        }
    }
}

impl From<cl_core::Error> for SolveError {
    fn from(error: cl_core::Error) -> SolveError {
        SolveError::Failed(error)
    }
}
