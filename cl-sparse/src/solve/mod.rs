//! Iterative solvers of linear systems. Step lengths, norms and other numbers of a solver stay on the device.
//!
//! ```
//! use cl_algo::prelude::*;
//! use cl_sparse::solve::{Cg, Jacobi, Tolerance, from_fn_with};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let queue = Queue::on(&Device::first()?)?;
//! let d = DeviceVec::from_fn(&queue, 500, |i| 3.0 + i as f64)?; // the diagonal
//! // Any `LinearOperator` will do: a matrix, or an expression, which needs none.
//! let a = from_fn_with(&d, 500, 500, |d, u| {
//!     *d * &u - u.clone().shifted(-1, Border::Constant(0.0)) - u.shifted(1, Border::Constant(0.0))
//! });
//! let f = DeviceVec::filled(&queue, 1.0, 500)?;
//! let mut u = DeviceVec::filled(&queue, 0.0, 500)?;
//!
//! let jacobi = Jacobi::new(&d)?;
//! let mut cg = Cg::new().tolerance(Tolerance::Relative(1e-9)).preconditioner(&jacobi);
//! let report = cg.solve(&a, &f, &mut u)?;
//! println!("{} iterations, residual {:e}", report.iterations, report.residual);
//! # Ok(())
//! # }
//! ```
//!
//! | method | operators | preconditioner | vectors without, with preconditioner |
//! | --- | --- | --- | --- |
//! | [`Cg`] | symmetric, positive definite | symmetric, positive definite | 3, 4 |
//! | [`BiCgStab`] | any | any | 6, 8 |
//! | [`Gmres`] | any | any | 2, 3, and the basis |
//!
//! All matrix forms are operators. On GPUs it pays to [optimize](crate::Csr::optimize) a matrix first: a
//! solver computes products of forms with interleaved entries in its own kernels, which saves a launch in
//! each iteration.
//!
//! # How solvers work
//!
//! The last work-group of a step computes the numbers that follow from its sums, such as the step length, and stores
//! them in a few words of device memory, which the next step reads. So the host enqueues one iteration after
//! the other without waiting, and only now and then reads these words. When a solver ends, with or without
//! success, a kernel records the end in these words. Kernels that are already enqueued read the record and do
//! nothing.
//!
//! The words hold the residual of the method's recurrence, which does not include the rounding errors of the solution.
//! At the end the solver computes `b - A x` directly, which takes one more product and one more read. If this residual
//! is too large, the solver continues within the limit of iterations, or reports it: [`Report::lost_accuracy`].
//!
//! The order of additions depends only on the device, the length and the kind of operator, and sums are `f64` if the
//! device supports it. So the same system takes the same number of iterations and gives the same bits every time.

mod bicgstab;
mod cg;
mod chebyshev;
#[cfg(feature = "array")]
mod dense;
mod gmres;
mod kernels;
mod matrices;
mod operator;
mod preconditioner;
mod real;
mod report;
mod solver;
mod step;

pub use bicgstab::{BiCgStab, BiConjugateGradients};
pub use cg::{Cg, ConjugateGradients};
pub use chebyshev::Chebyshev;
pub use gmres::{Gmres, MinimalResiduals};
pub use operator::{LinearOperator, MatrixFree, from_fn, from_fn_with};
#[doc(hidden)]
pub use operator::{ProductOf, WithData};
pub use preconditioner::{Identity, Jacobi, Preconditioner};
pub use real::Real;
pub use report::{Breakdown, Progress, Report, SolveError, Tolerance};
pub use solver::{Method, Solver};
