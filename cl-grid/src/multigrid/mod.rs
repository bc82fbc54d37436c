//! Multigrid: solvers of elliptic problems on grids.
//!
//! [`Problem`] is the equation `-div(k grad u) + c u = f` with its borders, [`Multigrid`] solves it.
//!
//! | file | concept |
//! | --- | --- |
//! | `boundary` | conditions at the ends of an axis |
//! | `problem` | the equation |
//! | `line` | one axis of a level: distances, cells, coarsening |
//! | `stencil` | the operator of a level |
//! | `transfer` | restriction and prolongation |
//! | `coarsening`, `cubic` | the same for any arrays, and cubic interpolation |
//! | `smoother` | relaxations |
//! | `level` | the arrays of a level, evaluations on it |
//! | `coarsest` | the dense inverse of the coarsest level |
//! | `solver`, `report` | cycles, full multigrid, the course of a solution |
//! | `sparse` | preconditioners of `cl-sparse` |
//!
//! # Literature
//!
//! - W. L. Briggs, V. E. Henson, S. F. McCormick, "A Multigrid Tutorial", 2nd edition (2000)
//! - U. Trottenberg, C. Oosterlee, A. Schüller, "Multigrid" (2001)

mod boundary;
mod captures;
mod coarsening;
mod coarsest;
mod cubic;
mod equation;
mod level;
mod line;
mod problem;
mod report;
mod smoother;
mod solver;
#[cfg(feature = "sparse")]
mod sparse;
mod stencil;
mod transfer;

pub use boundary::Boundary;
pub use coarsening::Coarsening;
pub use problem::Problem;
pub use report::Report;
pub use smoother::Smoother;
pub use solver::{Cycle, Multigrid};
#[cfg(feature = "sparse")]
pub use sparse::MultigridPreconditioner;
