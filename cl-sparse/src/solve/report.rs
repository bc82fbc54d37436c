//! What solvers tell: how far they came, and why they stopped.

use std::fmt;

/// How far a solver has come.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Iterations that the solution is made of.
    pub iterations: usize,
    /// The norm `‖b - A x‖` of the residual, absolute, computed at the end. If a monitor has stopped the solver, or
    /// the operator gives NaN by then, the norm of the residual that the method carries along, which equals `‖b - A x‖`
    /// only in exact arithmetic.
    pub residual: f64,
    /// The norms of the residuals before the first iteration and after each, if that was asked for. The method carries
    /// them along. They are computed where the method begins or begins anew, and where it ends without an error.
    pub history: Vec<f64>,
    /// Whether a monitor has stopped the solver before the tolerance was met.
    pub stopped: bool,
    /// Whether rounding keeps `‖b - A x‖` above the tolerance, although the residual that the method carries along is
    /// below. The larger the solution is beside the right-hand side, the sooner that happens: with `f32`, conjugate
    /// gradients bring the residual of a Laplacian with 60 by 60 points down to 1.4e-4 times a right-hand side of ones,
    /// and with 255 by 255 points to 4.7e-3. More digits take `f64`.
    pub lost_accuracy: bool,
}

/// What a monitor is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Iterations so far.
    pub iteration: usize,
    /// The norm of the residual after that.
    pub residual: f64,
}

/// How small the norm of the residual is to become.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// A multiple of the norm of the right-hand side.
    Relative(f64),
    /// The norm itself, in the units of the right-hand side.
    Absolute(f64),
}

/// Why a solver has no solution. Except for [`SolveError::Failed`], the vector of the solution holds the last state
/// that was reached without a NaN, and the report is about that. If the residual of that state, computed anew, is larger
/// than the residual of the first solution, the vector holds the first solution again, and the report is about that,
/// with 0 iterations.
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
    /// The limit of iterations was reached.
    NotConverged(Report),
    /// A number that the method must divide by is zero. Another start, or another method, may do.
    Breakdown {
        /// Which number.
        what: Breakdown,
        /// The state reached.
        report: Report,
    },
    /// The operator is not positive definite, which the method needs: there is a direction `p` with `p·A p < 0`.
    Indefinite(Report),
    /// The preconditioner is not positive definite, which the method needs: `r·M⁻¹ r < 0` for a residual `r`.
    IndefinitePreconditioner(Report),
    /// Something is NaN or infinite: an element of the right-hand side, of the first solution, of the operator,
    /// of the preconditioner, or a number that grew beyond all bounds.
    NotFinite(Report),
    /// OpenCL failed, or the system is none: sizes differ, a setting makes no sense.
    Failed(cl_core::Error),
}

/// What was zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Breakdown {
    /// Conjugate gradients: `r·M⁻¹ r` of a residual that is not zero.
    PreconditionedResidual,
    /// Conjugate gradients: `p·A p` of a direction that is not zero; the operator is singular or indefinite.
    DirectionEnergy,
    /// BiCGStab: the residual is orthogonal to the first one, and so is its product.
    ShadowResidual,
    /// BiCGStab: `A M⁻¹ p` is orthogonal to the first residual, and no step along the residual makes it smaller.
    ShadowProduct,
    /// BiCGStab: the step that makes the residual smallest is none.
    Stabilization,
    /// GMRES: the space cannot grow further, and holds no solution; the operator is singular.
    Space,
    /// The square of what the residual is to come down to, which the device compares its square with: it is too
    /// small a number. Scale the system, or ask for less.
    Threshold,
}

impl Breakdown {
    /// By the kernels' number.
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
                "the preconditioner takes a residual to what is orthogonal to it"
            }
            Breakdown::DirectionEnergy => "a direction has no energy: the operator is singular or indefinite, or its numbers are too small to \
                 be squared",
            Breakdown::ShadowResidual => "the residual is orthogonal to the first one",
            Breakdown::ShadowProduct => "the product is orthogonal to the first residual",
            Breakdown::Stabilization => "no step along the residual makes it smaller",
            Breakdown::Space => "the space cannot grow and holds no solution: the operator is singular",
            Breakdown::Threshold => {
                "the square of what the residual is to come down to is too small: scale the system"
            }
        })
    }
}

impl SolveError {
    /// As [`SolveError::report`].
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

    /// The state reached, which the vector of the solution holds; none where OpenCL failed.
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
            SolveError::NotConverged(_) => f.write_str("the residual is not as small as asked for"),
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
