//! Multigrid as a preconditioner of the solvers of `cl-sparse`.

use super::solver::Multigrid;
use crate::formula::Formula;
use crate::grid::GridFloat;
use cl_algo::DeviceVec;
use cl_algo::ranked::{Layout, assign};
use cl_array::{ArrayExpr, ArrayOperand};
use cl_core::{Error, Result};
use cl_sparse::solve::Preconditioner;
use std::cell::RefCell;

/// A multigrid solver as a preconditioner: one cycle from zero. Made by [`Multigrid::into_preconditioner`].
#[derive(Debug)]
pub struct MultigridPreconditioner<T: GridFloat, const N: usize> {
    // A cycle overwrites the arrays of the levels.
    solver: RefCell<Multigrid<T, N>>,
    size: usize,
}

impl<T: GridFloat, const N: usize> Multigrid<T, N> {
    /// Returns the solver as a preconditioner of `cl-sparse`'s solvers. A vector has the points of the grid in row-major
    /// order. See [`precondition`](Multigrid::precondition) for the operators that conjugate gradients may be used for.
    ///
    /// Needs the feature `sparse`.
    ///
    /// ```
    /// use cl_grid::multigrid::{Multigrid, Problem};
    /// use cl_grid::prelude::*;
    /// use cl_sparse::solve::Cg;
    /// use cl_sparse::{Csr, generate};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let grid = Grid::uniform([20, 20], [1.0, 1.0])?;
    /// let a: Csr<f32> = Csr::new(&queue, &generate::five_point([20, 20], 4.0, -1.0)?)?;
    /// let b = DeviceVec::filled(&queue, 1.0, 400)?;
    /// let mut x = DeviceVec::filled(&queue, 0.0, 400)?;
    /// let m = Multigrid::new(&queue, &Problem::new(&grid))?.into_preconditioner();
    /// let report = Cg::new().preconditioner(&m).solve(&a, &b, &mut x)?;
    /// assert!(report.iterations <= 8);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn into_preconditioner(self) -> MultigridPreconditioner<T, N> {
        let size = self.finest().shapes.points.iter().product();
        MultigridPreconditioner { solver: RefCell::new(self), size }
    }
}

impl<T: GridFloat, const N: usize> Preconditioner<T> for MultigridPreconditioner<T, N> {
    fn size(&self) -> Option<usize> {
        Some(self.size)
    }

    fn apply(&self, r: &DeviceVec<T>, z: &mut DeviceVec<T>) -> Result<()> {
        for (operation, len) in
            [("precondition: the grid and `r`", r.len()), ("precondition: the grid and `z`", z.len())]
        {
            if len != self.size {
                return Err(Error::length_mismatch(operation, self.size, len));
            }
        }
        let mut solver = self
            .solver
            .try_borrow_mut()
            .map_err(|_| Error::invalid_input("precondition", "the solver is in use by another call"))?;
        let shape = solver.finest().shapes.points;
        solver.cycle_from_zero(Formula::from(ArrayExpr::from_expr(r, shape)))?;
        let solution = solver.solution_view();
        assign("precondition", (z, Layout::row_major(&shape)?), solution.into_array_expr().into_ranked())
    }
}
