//! Iterative solvers of linear systems, whose numbers stay on the device.
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
//! | method | operators | preconditioner | vectors kept |
//! | --- | --- | --- | --- |
//! | [`Cg`] | symmetric, positive definite | symmetric, positive definite | 3, 4 |
//! | [`BiCgStab`] | any | any | 6, 8 |
//! | [`Gmres`] | any | any | 2, 3 and the basis |
//!
//! Matrices of all kinds are operators. On GPUs it pays to [optimize](crate::Csr::optimize) them first: a solver computes
//! products of rows side by side in its own kernels, and needs one launch less an iteration.
//!
//! # How
//!
//! What a step computes of its sums, such as how far to go, is computed by the last work-group of the step and
//! stays in a few words of device memory, which the next step reads. So the host enqueues one iteration after
//! the other without waiting. Now and then it reads these words. A solver that has come to its end, well or
//! not, says so in them, and its kernels do nothing from then on: the state is not spoiled by what had been
//! enqueued already.
//!
//! The residual that these words hold is carried along, and knows nothing of the rounding of the solution. At the end
//! `b - A x` is computed anew, which is a product and a look more; what is found wrong is iterated on, within the limit
//! of iterations, or told: [`Report::lost_accuracy`].
//!
//! Sums are added up in an order that depends on the device, the length and the kind of operator only, in `f64`
//! where the device has it: the same system takes the same iterations, and gives the same bits, in every run.

mod bicgstab;
mod cg;
mod chebyshev;
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
