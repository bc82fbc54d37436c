//! Formulas of mathematical physics on rectangular grids, on any OpenCL device.
//!
//! ```
//! use cl_grid::prelude::*;
//!
//! # fn main() -> cl_core::Result<()> {
//! let queue = Queue::on(&Device::first()?)?;
//! let grid = Grid::uniform([6, 6], [0.5, 0.5])?;
//! let f = grid.function::<f32>(|[x, y]| x * x + y * y).collect_on(&queue)?;
//! let g = grid.function::<f32>(|[x, y]| x * y).collect_on(&queue)?;
//! let laplacian = grid.laplacian::<f32>();
//!
//! let mut h = grid.zeros::<f32>(&queue)?;
//! h.inside(1).assign(2.0 * (3.0 + &laplacian).of(&f - &g))?; // one kernel
//! assert_eq!(h.get([2, 2])?, 2.0 * (3.0 * 1.0 + 4.0));
//! # Ok(())
//! # }
//! ```
//!
//! A [`Formula`] is a lazy function on a grid: an array, a number, a function of the position, or an expression of these.
//! An [`Operator`] makes a formula from another one, each value from the neighbours of a point. An evaluation of a formula,
//! however long, is one kernel; where a part is cheaper to keep than to compute again at each neighbour, a cost model keeps
//! it, in a temporary array or in layers, and [`Formula::plan`] tells so.

// | file | concept |
// | --- | --- |
// | `formula` | lazy functions on a grid |
// | `operators` | arithmetic of formulas, functions of their values |
// | `operator` | operators, their sums, multiples and compositions |
// | `border` | rules for reading beyond the borders |
// | `region` | boxes of points, margins |
// | `evaluate` | evaluation into arrays, their insides and parts |
// | `reduce` | reductions |
// | `plan`, `cost` | the decision to compute a part again or to keep it |
// | `layers` | functions that a kernel keeps in layers |
// | `lower` | from a formula to the expression of a kernel |
// | `grid` | positions of points: uniform and stretched axes |
// | `derivatives` | derivatives, diffusion, transport, integrals |
// | `time` | Runge-Kutta methods |
// | `host` | formulas over arrays in host memory |
// | `multigrid` | solvers of elliptic problems |

mod border;
mod cost;
mod derivatives;
mod evaluate;
mod formula;
mod grid;
mod host;
mod layers;
mod lower;
pub mod multigrid;
mod operator;
mod operators;
mod plan;
mod reduce;
mod region;
mod time;

pub use border::BorderRule;
pub use cost::{COST, LAYERS};
pub use evaluate::{GridTarget, GridTargets, Inside, Target, Targets};
pub use formula::{Formula, GridNumber, IntoFormula};
pub use grid::{Grid, GridFloat};
pub use host::Threads;
pub use operator::{IntoOperator, Neighbours, Operator};
pub use plan::Plan;
pub use region::Margins;
pub use time::{Method, RungeKutta};

/// The names that most programs use.
pub mod prelude {
    pub use crate::{BorderRule, Formula, Grid, GridTarget, GridTargets, Operator};
    pub use cl_array::prelude::*;
}
