//! The solver: the hierarchy of levels, its cycles, and its settings.

use super::coarsest;
use super::level::{Coefficient, Coefficients, Level, coarser, evaluate};
use super::line::Line;
use super::problem::Problem;
use super::report::Report;
use super::smoother::{Smoother, Step};
use super::transfer::{Shapes, Transfer};
use crate::formula::{Formula, IntoFormula};
use crate::grid::GridFloat;
use crate::region::Region;
use cl_array::{Array, ArrayView};
use cl_core::{Error, Queue, Result};

/// Levels of at most this number of points are solved by a dense inverse.
const FEW_POINTS: usize = 128;

/// The order in which levels are visited.
///
/// After U. Trottenberg, C. Oosterlee, A. Schüller, "Multigrid", section 2.4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cycle {
    /// Each coarser level once.
    #[default]
    V,
    /// Each coarser level twice as often as the one before.
    W,
    /// On each coarser level an F-cycle, then a V-cycle.
    F,
}

/// A multigrid solver of a [`Problem`], which takes a number of operations proportional to the number of points.
///
/// The levels and their arrays are made once. A coarse level has every second point of the finer one along each axis along
/// which neighbours are coupled most, and along stretched axes where they are coupled most: all sizes have coarse levels, and
/// stretched axes and different spacings have them, too. The prolongation is linear, the restriction its transpose in the cells' widths, the coarse operators are those of
/// the coarse grids, whose distances to the borders may be shorter than their spacing. Levels of at most 128 points are
/// solved by a dense inverse, which the host computes once.
///
/// A cycle with two sweeps before and after the coarse correction, which is the default, leaves 0.05 to 0.08 of the residual
/// of Poisson's equation in two dimensions, and 0.09 to 0.11 in three; also on stretched axes and for different
/// spacings, which take more levels. Coefficients that jump between neighbours make it slower (Trottenberg,
/// section 7.7); conjugate gradients with the solver as the preconditioner help.
///
/// After W. L. Briggs, V. E. Henson, S. F. McCormick, "A Multigrid Tutorial", 2nd edition, and U. Trottenberg,
/// C. Oosterlee, A. Schüller, "Multigrid".
///
/// ```
/// use cl_grid::multigrid::{Multigrid, Problem};
/// use cl_grid::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let pi = std::f32::consts::PI;
/// let n = 24;
/// let h = 1.0 / 25.0;
/// let grid = Grid::uniform([n, n], [h, h])?.with_origin([h, h])?;
/// let u = grid.function::<f32>(|[x, y]| (pi * x).sin() * (pi * y).sin()).collect_on(&queue)?;
/// let problem = Problem::new(&grid);
/// let (solution, report) = Multigrid::new(&queue, &problem)?.tolerance(1e-5).solve(2.0 * pi * pi * &u)?;
/// assert!(report.has_converged && report.cycles() < 8);
/// assert!(Formula::from(&solution - &u).norm_max()? < 2e-3);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Multigrid<T: GridFloat, const N: usize> {
    levels: Vec<Level<T, N>>,
    transfers: Vec<Transfer<T, N>>,
    /// The inverse of the operator on the coarsest level, with zeros for the padding unless they are many.
    inverse: Array<T, 2>,
    /// The widths of the cells of the finest level, divided by their sum, if the mean of `f` must be zero.
    cells: Option<Formula<'static, T, N>>,
    cycle: Cycle,
    smoother: Smoother,
    sweeps: [usize; 2],
    tolerance: f64,
    max_cycles: usize,
}

/// A visit of a level.
#[derive(Clone, Copy, Debug)]
struct Visit {
    cycle: Cycle,
    /// The solution counts as zero.
    is_zero: bool,
    /// The visit is to be a symmetric operation.
    is_symmetric: bool,
}

impl<T: GridFloat, const N: usize> Multigrid<T, N> {
    /// Returns the solver of a problem, with V-cycles of two sweeps of [`Smoother::RedBlack`] before and after the coarse
    /// correction, at most 50 of them, until the residual's norm is `1e-8` of the right-hand side's, or `1e-5` for `f32`.
    ///
    /// The coefficients are evaluated and averaged on the levels. Waits for the device, which computes the coarsest level's
    /// coefficients.
    ///
    /// # Errors
    /// Deferred errors; [`Error::InvalidInput`] for a grid without points, coefficients on another grid, and problems without an inverse; as
    /// [`Formula::collect`].
    pub fn new(queue: &Queue, problem: &Problem<'_, T, N>) -> Result<Multigrid<T, N>> {
        let mut lines = problem.lines()?;
        let shapes = Shapes::of(&lines);
        let mut coefficients = Coefficients::of(queue, problem, &shapes)?;
        let is_singular = problem.is_singular();
        let cells = is_singular.then(|| {
            let widths = (0..N).map(|axis| {
                let total: f64 = lines[axis].widths.iter().sum();
                let widths: Vec<T> =
                    lines[axis].widths.iter().map(|width| T::nearest(width / total)).collect();
                Formula::along_axis(axis, &widths)
            });
            widths.reduce(|product, widths| product * widths).unwrap_or_else(|| Formula::number(T::zeroed()))
        });
        let (mut levels, mut transfers) = (Vec::new(), Vec::new());
        while lines.each_ref().map(Line::len).iter().product::<usize>() > FEW_POINTS {
            let Some((coarse, weights)) = coarser(&lines) else { break };
            let transfer = Transfer::new(&lines, &coarse, &weights);
            let next = coefficients.coarser(&coarse, &transfer)?;
            let coarsened = weights.each_ref().map(Option::is_some);
            levels.push(Level::new(queue, &lines, coefficients, coarsened)?);
            transfers.push(transfer);
            (lines, coefficients) = (coarse, next);
        }
        let on_host = |array: &Array<T, N>| -> Result<Vec<f64>> {
            Ok(array.to_vec()?.into_iter().map(T::to_f64).collect())
        };
        let size: usize = lines.each_ref().map(Line::len).iter().product();
        let k = coefficients.k.as_ref().map(on_host).transpose()?;
        let c = match &coefficients.c {
            Coefficient::Zero => None,
            Coefficient::Number(number) => Some(vec![number.to_f64(); size]),
            Coefficient::Array(c) => {
                let points = Shapes::of(&lines).points_in(c).collect()?;
                Some(on_host(&points)?)
            }
        };
        let inverse = coarsest::inverse(&lines, k.as_deref(), c.as_deref(), is_singular)?;
        let inverse = coarsest::with_padding(&Shapes::of(&lines), inverse);
        let inverse: Vec<T> = inverse.into_iter().map(T::nearest).collect();
        let size = inverse.len().isqrt();
        levels.push(Level::new(queue, &lines, coefficients, [false; N])?);
        Ok(Multigrid {
            levels,
            transfers,
            inverse: Array::from_slice(queue, [size, size], &inverse)?,
            cells,
            cycle: Cycle::V,
            smoother: Smoother::default(),
            sweeps: [2, 2],
            tolerance: if size_of::<T>() < 8 { 1e-5 } else { 1e-8 },
            max_cycles: 50,
        })
    }

    /// Sets the kind of cycle.
    #[must_use]
    pub fn cycle(mut self, cycle: Cycle) -> Self {
        self.cycle = cycle;
        self
    }

    /// Sets the smoother.
    #[must_use]
    pub fn smoother(mut self, smoother: Smoother) -> Self {
        self.smoother = smoother;
        self
    }

    /// Sets the numbers of sweeps before and after each coarse correction.
    #[must_use]
    pub fn sweeps(mut self, before: usize, after: usize) -> Self {
        self.sweeps = [before, after];
        self
    }

    /// Sets the multiple of the norm of the right-hand side below which the residual's norm ends the cycles.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets the maximal number of cycles of a solution.
    #[must_use]
    pub fn max_cycles(mut self, cycles: usize) -> Self {
        self.max_cycles = cycles;
        self
    }

    /// Returns the shapes of the levels, the finest first.
    #[must_use]
    pub fn shapes(&self) -> Vec<[usize; N]> {
        self.levels.iter().map(|level| level.shapes.points).collect()
    }

    /// Solves the problem for a right-hand side, from zero. Waits for the device once a cycle.
    ///
    /// # Errors
    /// As [`solve_into`](Multigrid::solve_into).
    pub fn solve<'b>(&mut self, f: impl IntoFormula<'b, T, N>) -> Result<(Array<T, N>, Report)> {
        self.set_right_hand_side(f.into_formula())?;
        self.levels[0].clear()?;
        let report = self.iterate()?;
        Ok((self.solution()?, report))
    }

    /// Solves the problem for a right-hand side, from the approximation in `u`. Waits for the device once a cycle.
    ///
    /// If only differences of the solution are determined, because there is neither a Dirichlet border nor a reaction, the
    /// mean of `f` over the cells is subtracted from it, and the solution has any mean.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for functions on another grid than the problem's; as [`Formula::collect`]. A tolerance that
    /// is not reached is not an error: see [`Report::has_converged`].
    pub fn solve_into<'b>(&mut self, u: &mut Array<T, N>, f: impl IntoFormula<'b, T, N>) -> Result<Report> {
        self.check_shape("solve_into", u.shape())?;
        self.set_right_hand_side(f.into_formula())?;
        let finest = &mut self.levels[0];
        finest.shapes.points_of(&mut finest.u).assign(&*u)?;
        let report = self.iterate()?;
        self.copy_solution(u)?;
        Ok(report)
    }

    /// Returns the solution of one pass of full multigrid: the problem is solved on the coarsest level, and each finer level
    /// begins with the interpolated solution of the one before, and has one cycle. The error of the result is about that of
    /// the discretisation. Does not wait.
    ///
    /// After W. L. Briggs, V. E. Henson, S. F. McCormick, "A Multigrid Tutorial", 2nd edition, chapter 3.
    ///
    /// # Errors
    /// As [`solve_into`](Multigrid::solve_into).
    pub fn full_multigrid<'b>(&mut self, f: impl IntoFormula<'b, T, N>) -> Result<Array<T, N>> {
        self.set_right_hand_side(f.into_formula())?;
        for (at, transfer) in self.transfers.iter().enumerate() {
            let [fine, coarse] = neighbours(&mut self.levels, at);
            let restricted = transfer.restriction(fine.f.view())?;
            evaluate(&restricted, coarse.shapes.region(), coarse.right_hand_side())?;
        }
        self.solve_coarsest()?;
        for at in (0..self.transfers.len()).rev() {
            let [fine, coarse] = neighbours(&mut self.levels, at);
            self.transfers[at].prolong(&coarse.u, fine.shapes.points_of(&mut fine.u), false)?;
            self.visit(at, self.improvement())?;
        }
        self.solution()
    }

    /// Computes an approximate solution by one cycle from zero. Does not wait.
    ///
    /// This is a linear function of `r`, and a symmetric positive definite one where the operator is so: on uniform axes
    /// whose ends are not [`Reflect`](super::Boundary::Reflect), and with the same number of sweeps before and after.
    ///
    /// # Errors
    /// As [`solve_into`](Multigrid::solve_into).
    pub fn precondition<'b>(&mut self, r: impl IntoFormula<'b, T, N>, z: &mut Array<T, N>) -> Result<()> {
        self.check_shape("precondition", z.shape())?;
        self.cycle_from_zero(r.into_formula())?;
        self.copy_solution(z)
    }

    /// Does one cycle from zero.
    pub(super) fn cycle_from_zero(&mut self, f: Formula<'_, T, N>) -> Result<()> {
        let finest = &mut self.levels[0];
        f.check_at("precondition", finest.shapes.points, &Region::of_grid(finest.shapes.points))?;
        evaluate(&f, Region::of_grid(finest.shapes.points), finest.right_hand_side())?;
        self.visit(0, Visit { cycle: self.cycle, is_zero: true, is_symmetric: true })
    }

    /// Returns the finest level.
    pub(super) fn finest(&self) -> &Level<T, N> {
        &self.levels[0]
    }

    fn check_shape(&self, operation: &'static str, shape: [usize; N]) -> Result<()> {
        let own = self.finest().shapes.points;
        if shape != own {
            let reason = format!("an array of shape {shape:?} for a problem on a grid of shape {own:?}");
            return Err(Error::invalid_input(operation, reason));
        }
        Ok(())
    }

    /// Evaluates a right-hand side into the finest level, without its mean if only differences are determined.
    fn set_right_hand_side(&mut self, f: Formula<'_, T, N>) -> Result<()> {
        let finest = &mut self.levels[0];
        let points = Region::of_grid(finest.shapes.points);
        f.check_at("solve", finest.shapes.points, &points)?;
        evaluate(&f, points, finest.right_hand_side())?;
        if let Some(cells) = &self.cells {
            let f = Formula::from(finest.shapes.points_in(&finest.f));
            let mean = (f * cells).sum()?;
            finest.right_hand_side().assign_with(|f| f.map(|f| f - cl_algo::Val::known(mean)))?;
        }
        Ok(())
    }

    /// Does cycles until the residual is small.
    fn iterate(&mut self) -> Result<Report> {
        // The padding is zero.
        let whole = Formula::from(&self.finest().f).norm()?.to_f64();
        let limit = self.tolerance * whole;
        let mut residuals = vec![self.finest().residual_norm()?];
        let is_small = |residual: Option<&f64>| residual.is_some_and(|&residual| residual <= limit);
        while residuals.len() <= self.max_cycles && !is_small(residuals.last()) {
            self.visit(0, self.improvement())?;
            residuals.push(self.finest().residual_norm()?);
        }
        Ok(Report { has_converged: is_small(residuals.last()), residuals })
    }

    /// Improves the solution of a level by a cycle.
    fn visit(&mut self, at: usize, visit: Visit) -> Result<()> {
        let Some(transfer) = self.transfers.get(at) else { return self.solve_coarsest() };
        let steps = |level: &Level<T, N>, is_after: bool| -> Vec<Step> {
            let is_reversed = is_after && visit.is_symmetric;
            self.smoother.steps(self.sweeps[usize::from(is_after)], level.lowest, is_reversed)
        };
        let [before, after] = [false, true].map(|is_after| steps(&self.levels[at], is_after));
        let [fine, coarse] = neighbours(&mut self.levels, at);
        fine.smooth(&before, visit.is_zero)?;
        fine.restrict_residual(transfer, coarse)?;
        self.visit(at + 1, Visit { is_zero: true, ..visit })?;
        let again = match visit.cycle {
            Cycle::V => None,
            Cycle::W => Some(Cycle::W),
            Cycle::F => Some(Cycle::V),
        };
        // The coarsest level is solved already.
        if let Some(cycle) = again.filter(|_| at + 2 < self.levels.len()) {
            self.visit(at + 1, Visit { cycle, is_zero: false, ..visit })?;
        }
        let [fine, coarse] = neighbours(&mut self.levels, at);
        fine.correct(&self.transfers[at], coarse)?;
        fine.smooth(&after, false)
    }

    fn improvement(&self) -> Visit {
        Visit { cycle: self.cycle, is_zero: false, is_symmetric: false }
    }

    /// Solves the coarsest level exactly.
    fn solve_coarsest(&mut self) -> Result<()> {
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        level.solve_by(&self.inverse)
    }

    fn copy_solution(&self, u: &mut Array<T, N>) -> Result<()> {
        u.assign(self.solution_view())
    }

    fn solution(&self) -> Result<Array<T, N>> {
        self.solution_view().collect()
    }

    /// Returns the solution on the finest level.
    pub(super) fn solution_view(&self) -> ArrayView<'_, T, N> {
        self.finest().solution()
    }
}

/// Returns a level and the next coarser one, which must exist.
fn neighbours<T: GridFloat, const N: usize>(levels: &mut [Level<T, N>], at: usize) -> [&mut Level<T, N>; 2] {
    let (fine, coarse) = levels.split_at_mut(at + 1);
    [&mut fine[at], &mut coarse[0]]
}
