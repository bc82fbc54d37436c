//! Restriction and prolongation of functions between a grid and the grid of every second point.

use super::boundary::Boundary;
use super::cubic::cubic;
use super::level::evaluate;
use super::line::{Line, Weights};
use super::problem::lines_of;
use super::transfer::{Shapes, Transfer};
use crate::grid::{Grid, GridFloat};
use cl_array::{Array, ArrayOperand, ArrayView, Stepped};
use cl_core::{Error, Result};

/// The way between a grid and the grid of every second point.
///
/// Along an axis of `n` points with [`Boundary::Dirichlet`] ends the coarse points are the points 1, 3, 5, ... of the grid,
/// `n / 2` of them; along other axes they are the points 0, 2, 4, ..., `n / 2` of them, rounded up, but on circles down.
///
/// Both ways are transposes of each other in the widths of the cells: the sum of `full_weighting(u) * v`, each product
/// multiplied by the [width](Coarsening::coarse_cells) of its cell along each axis, is the sum of `u * linear(v)` with the
/// widths of the [fine cells](Coarsening::fine_cells).
///
/// After W. L. Briggs, V. E. Henson, S. F. McCormick, "A Multigrid Tutorial", 2nd edition, chapter 3.
///
/// ```
/// use cl_grid::multigrid::{Boundary, Coarsening};
/// use cl_grid::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let grid = Grid::uniform([7], [1.0])?;
/// let coarsening = Coarsening::new(&grid, [Boundary::Dirichlet])?;
/// let fine = Array::from_slice(&queue, [7], &[1.0_f32, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0])?;
/// assert_eq!(coarsening.injection(&fine)?.to_vec()?, [2.0, 4.0, 2.0]);
/// assert_eq!(coarsening.full_weighting(&fine)?.to_vec()?, [2.0, 3.5, 2.0]);
/// let coarse = Array::from_slice(&queue, [3], &[2.0, 4.0, 2.0])?;
/// assert_eq!(coarsening.linear(&coarse)?.to_vec()?, [1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Coarsening<T: GridFloat, const N: usize> {
    transfer: Transfer<T, N>,
    lines: [Line; N],
    coarse_lines: [Line; N],
    /// The last point along each axis that is a coarse one.
    last: [usize; N],
    fine: Shapes<N>,
    coarse: Shapes<N>,
}

impl<T: GridFloat, const N: usize> Coarsening<T, N> {
    /// Returns the way from a grid to every second point along all its axes, with these conditions at their borders.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a grid with an axis of fewer than 2 points, or 3 between Dirichlet borders.
    pub fn new(grid: &Grid<N>, boundaries: [Boundary; N]) -> Result<Coarsening<T, N>> {
        let lines = lines_of(grid, &boundaries)?;
        if let Some(axis) = lines.iter().position(|line| !line.can_coarsen()) {
            let reason =
                format!("axis {axis} of shape {:?} has too few points for a coarser grid", grid.shape());
            return Err(Error::invalid_input("coarsening", reason));
        }
        let ways: [(Line, Weights); N] = lines.each_ref().map(Line::coarser);
        let coarse = ways.each_ref().map(|(line, _)| line.clone());
        let last = ways.each_ref().map(|(_, weights)| weights.points.last().copied().unwrap_or(0));
        let weights = ways.map(|(_, weights)| Some(weights));
        Ok(Coarsening {
            last,
            transfer: Transfer::new(&lines, &coarse, &weights),
            fine: Shapes::of(&lines),
            coarse: Shapes::of(&coarse),
            coarse_lines: coarse,
            lines,
        })
    }

    /// Returns the widths of the cells of the grid's points along an axis; none if the grid does not have the axis.
    #[must_use]
    pub fn fine_cells(&self, axis: usize) -> &[f64] {
        self.lines.get(axis).map_or(&[], |line| &line.widths)
    }

    /// Returns the widths of the cells of the coarse points along an axis; none if the grid does not have the axis.
    #[must_use]
    pub fn coarse_cells(&self, axis: usize) -> &[f64] {
        self.coarse_lines.get(axis).map_or(&[], |line| &line.widths)
    }

    /// Returns the shape of the coarse grid.
    #[must_use]
    pub fn shape(&self) -> [usize; N] {
        self.coarse.points
    }

    /// Returns the mean of the neighbourhood of each coarse point: the transpose of [`linear`](Coarsening::linear), divided
    /// by the widths of the cells. Along uniform axes these are a quarter, a half and a quarter of three points.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an array of another shape than the grid's; as [`Array::zeros`].
    pub fn full_weighting(&self, fine: &Array<T, N>) -> Result<Array<T, N>> {
        check_shape("full_weighting", fine, self.fine.points)?;
        let padded = padded(fine, &self.fine)?;
        let mut coarse = Array::zeros(fine.queue(), self.coarse.points)?;
        evaluate(&self.transfer.restriction(padded.view())?, self.coarse.region(), coarse.view_mut())?;
        Ok(coarse)
    }

    /// Returns the values at the coarse points, without a copy.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an array of another shape than the grid's.
    pub fn injection<'f>(&self, fine: &'f Array<T, N>) -> Result<ArrayView<'f, T, N>> {
        check_shape("injection", fine, self.fine.points)?;
        let view = fine.view();
        Ok((0..N).fold(view, |view, axis| {
            let (first, last) = (self.lines[axis].first() as isize, self.last[axis] as isize);
            view.slice_axis(axis, Stepped(first..last + 1, 2))
        }))
    }

    /// Returns the function on the grid that is linear between the coarse points along each axis. It is zero at Dirichlet
    /// borders, and constant beyond the last coarse point before other borders.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an array of another shape than [`shape`](Coarsening::shape); as [`Array::zeros`].
    pub fn linear(&self, coarse: &Array<T, N>) -> Result<Array<T, N>> {
        check_shape("linear", coarse, self.coarse.points)?;
        let padded = padded(coarse, &self.coarse)?;
        let mut fine = Array::zeros(coarse.queue(), self.fine.padded)?;
        self.transfer.prolong(&padded, self.fine.points_of(&mut fine), false)?;
        self.fine.points_in(&fine).collect()
    }

    /// Returns the function on the grid that is a cubic polynomial of the four nearest coarse points along each axis. Zeros
    /// at Dirichlet borders count as points; at other borders the function is continued by its condition.
    ///
    /// # Errors
    /// As [`linear`](Coarsening::linear).
    pub fn cubic(&self, coarse: &Array<T, N>) -> Result<Array<T, N>> {
        check_shape("cubic", coarse, self.coarse.points)?;
        cubic(&self.lines, coarse)
    }
}

fn check_shape<T: GridFloat, const N: usize>(
    operation: &'static str,
    array: &Array<T, N>,
    wanted: [usize; N],
) -> Result<()> {
    if array.shape() != wanted {
        let reason = format!("an array of shape {:?} for a grid of shape {wanted:?}", array.shape());
        return Err(Error::invalid_input(operation, reason));
    }
    Ok(())
}

/// Returns a copy of an array with padding.
fn padded<T: GridFloat, const N: usize>(array: &Array<T, N>, shapes: &Shapes<N>) -> Result<Array<T, N>> {
    let mut padded = Array::zeros(array.queue(), shapes.padded)?;
    shapes.points_of(&mut padded).assign(array.iter().into_array_expr())?;
    Ok(padded)
}
