//! Levels: the arrays and the operator of one grid, and the evaluations on it.

use super::captures::{Captures, Evaluation};
use super::equation::Equation;
use super::line::{Line, Weights};
use super::problem::Problem;
use super::smoother::Step;
use super::transfer::{Shapes, Transfer};
use crate::border::BorderRule;
use crate::evaluate::assign_to;
use crate::formula::{Formula, Kind};
use crate::grid::GridFloat;
use crate::region::{Margins, Region, Span};
use cl_algo::ranked::{self, AxisMap, Layout};
use cl_array::{Array, ArrayView, ArrayViewMut};
use cl_core::{Queue, Result};

/// One grid of the hierarchy.
#[derive(Debug)]
pub(super) struct Level<T: GridFloat, const N: usize> {
    pub(super) shapes: Shapes<N>,
    equation: Equation<T, N>,
    /// The lowest eigenvalue, of the operator divided by its diagonal, among the waves that the next level does not have.
    pub(super) lowest: f64,
    /// The approximate solution, and an array of the same shape for the next one. The padding of these arrays stays zero.
    pub(super) u: Array<T, N>,
    other: Array<T, N>,
    /// The right-hand side.
    pub(super) f: Array<T, N>,
    captures: Captures<T>,
}

/// The coefficients of a level, while levels are built.
pub(super) struct Coefficients<T: GridFloat, const N: usize> {
    /// With padding.
    pub(super) k: Option<Array<T, N>>,
    pub(super) c: Coefficient<T, N>,
}

#[allow(clippy::large_enum_variant)] // one for each level, while levels are built
pub(super) enum Coefficient<T: GridFloat, const N: usize> {
    Zero,
    Number(T),
    /// With padding.
    Array(Array<T, N>),
}

/// Evaluates a function at the points of a region into an array of the region's shape.
pub(super) fn evaluate<T: GridFloat, const N: usize>(
    function: &Formula<'_, T, N>,
    region: Region<N>,
    target: ArrayViewMut<'_, T, N>,
) -> Result<()> {
    let queue = target.queue();
    assign_to(std::slice::from_ref(function), region, queue, vec![target])
}

impl<T: GridFloat, const N: usize> Coefficients<T, N> {
    /// Evaluates the coefficients of a problem at the points of the finest level.
    pub(super) fn of(queue: &Queue, problem: &Problem<'_, T, N>, shapes: &Shapes<N>) -> Result<Self> {
        let shape = problem.grid.shape();
        let around = Region(std::array::from_fn(|axis| {
            let padding = shapes.padding[axis] as i64;
            Span { begin: -padding, end: shape[axis] as i64 + padding }
        }));
        let k = match problem.k_around() {
            None => None,
            Some(k) => {
                k.check_at("diffusion", shape, &around)?;
                let mut array = Array::zeros(queue, shapes.padded)?;
                evaluate(&k, around, array.view_mut())?;
                Some(array)
            }
        };
        let c = match &problem.c {
            None => Coefficient::Zero,
            Some(c) => match c.node.kind {
                Kind::Number(number) => Coefficient::Number(number),
                _ => {
                    let mut array = Array::zeros(queue, shapes.padded)?;
                    let points = Region::of_grid(shape);
                    c.check_at("reaction", shape, &points)?;
                    evaluate(c, points, shapes.points_of(&mut array))?;
                    Coefficient::Array(array)
                }
            },
        };
        Ok(Coefficients { k, c })
    }

    /// Returns the coefficients of the next coarser level: means over its cells.
    pub(super) fn coarser(&self, lines: &[Line; N], transfer: &Transfer<T, N>) -> Result<Self> {
        let shapes = Shapes::of(lines);
        let restricted = |array: &Array<T, N>| -> Result<Array<T, N>> {
            let mut coarse = Array::zeros(array.queue(), shapes.padded)?;
            evaluate(&transfer.restriction(array.view())?, shapes.region(), shapes.points_of(&mut coarse))?;
            Ok(coarse)
        };
        let k = match &self.k {
            None => None,
            Some(k) => {
                let points = restricted(k)?;
                let points = Formula::from(shapes.points_in(&points));
                let region = Region(std::array::from_fn(|axis| {
                    let padding = shapes.padding[axis] as i64;
                    Span { begin: -padding, end: shapes.points[axis] as i64 + padding }
                }));
                let mut array = Array::zeros(k.queue(), shapes.padded)?;
                evaluate(&points.border(BorderRule::Edge), region, array.view_mut())?;
                Some(array)
            }
        };
        let c = match &self.c {
            Coefficient::Zero => Coefficient::Zero,
            Coefficient::Number(number) => Coefficient::Number(*number),
            Coefficient::Array(c) => Coefficient::Array(restricted(c)?),
        };
        Ok(Coefficients { k, c })
    }
}

impl<const N: usize> Shapes<N> {
    /// Returns the points of an array with padding.
    pub(super) fn points_of<'t, T: GridFloat>(&self, array: &'t mut Array<T, N>) -> ArrayViewMut<'t, T, N> {
        (0..N).fold(array.view_mut(), |view, axis| {
            let begin = self.padding[axis];
            view.slice_axis(axis, begin as isize..(begin + self.points[axis]) as isize)
        })
    }

    /// Returns the points of an array with padding, to be read.
    pub(super) fn points_in<'t, T: GridFloat>(&self, array: &'t Array<T, N>) -> ArrayView<'t, T, N> {
        (0..N).fold(array.view(), |view, axis| {
            let begin = self.padding[axis];
            view.slice_axis(axis, begin as isize..(begin + self.points[axis]) as isize)
        })
    }

    fn margins(&self) -> Margins<N> {
        Margins::from(self.padding)
    }
}

impl<T: GridFloat, const N: usize> Level<T, N> {
    pub(super) fn new(
        queue: &Queue,
        lines: &[Line; N],
        coefficients: Coefficients<T, N>,
        coarsened: [bool; N],
    ) -> Result<Level<T, N>> {
        let shapes = Shapes::of(lines);
        let c = match coefficients.c {
            Coefficient::Zero => None,
            Coefficient::Number(number) => Some(Formula::number(number)),
            Coefficient::Array(c) => Some(Formula::from(c)),
        };
        let strengths = lines.each_ref().map(Line::strength);
        let all: f64 = strengths.iter().sum();
        let lowest = (0..N).filter(|&axis| coarsened[axis]).map(|axis| strengths[axis] / all);
        Ok(Level {
            shapes,
            equation: Equation::new(lines, coefficients.k.map(Formula::from), c),
            lowest: lowest.fold(1.0, f64::min).max(0.05),
            u: Array::zeros(queue, shapes.padded)?,
            other: Array::zeros(queue, shapes.padded)?,
            f: Array::zeros(queue, shapes.padded)?,
            captures: Captures::new(),
        })
    }

    /// Returns the points of the right-hand side, to be assigned to.
    pub(super) fn right_hand_side(&mut self) -> ArrayViewMut<'_, T, N> {
        self.shapes.points_of(&mut self.f)
    }

    /// Returns the norm of the residual.
    pub(super) fn residual_norm(&self) -> Result<f64> {
        let residual = self.equation.residual(&self.u, &self.f);
        Ok(residual.inside(self.shapes.margins()).norm()?.to_f64())
    }

    /// Evaluates the residual, and restricts it to the right-hand side of the next coarser level.
    pub(super) fn restrict_residual(&mut self, transfer: &Transfer<T, N>, coarse: &mut Self) -> Result<()> {
        let Level { shapes, equation, u, other, f, captures, .. } = self;
        captures.evaluate(Evaluation::Residual, &[u, f], shapes.points_of(other), |target| {
            evaluate(&equation.residual(u, f), shapes.region(), target)
        })?;
        captures.evaluate(Evaluation::Restriction, &[other], coarse.right_hand_side(), |target| {
            evaluate(&transfer.restriction(other.view())?, transfer.coarse_region(), target)
        })
    }

    /// Adds the prolongation of the solution on the next coarser level.
    pub(super) fn correct(&mut self, transfer: &Transfer<T, N>, coarse: &Self) -> Result<()> {
        let Level { shapes, u, captures, .. } = self;
        let inputs = &[&coarse.u];
        captures.evaluate(Evaluation::Correction, inputs, shapes.points_of(u), |target| {
            transfer.prolong(&coarse.u, target, true)
        })
    }

    /// Solves the equation by the inverse of the operator, on arrays with padding or on the points.
    pub(super) fn solve_by(&mut self, inverse: &Array<T, 2>) -> Result<()> {
        let Level { u, f, captures, shapes, .. } = self;
        let size = f.len();
        if inverse.shape() != [size; 2] {
            let f = shapes.points_in(f).collect()?;
            let solution = inverse.matvec(f.reshape([f.len()])?)?;
            return shapes.points_of(u).assign(&solution.reshape(shapes.points)?);
        }
        let (inverse, f) = (inverse.as_vec(), f.as_vec());
        captures.evaluate_vectors(Evaluation::Product, &[inverse, f], u.view_mut(), |target| {
            let rows = ranked::load(inverse, &Layout::row_major(&[size, size])?);
            let columns = ranked::load(f, &Layout::row_major(&[size])?);
            let products = rows * columns.at_coordinates(&[AxisMap::whole(1)], 2);
            let Some(target) = target.into_target()?.reshape(&[size]) else { return Ok(()) };
            ranked::fold("multigrid", target, products, (&[size; 2], &[1]), |a, b| a + b, |sum| sum)
        })
    }

    /// Returns the solution at the points.
    pub(super) fn solution(&self) -> ArrayView<'_, T, N> {
        self.shapes.points_in(&self.u)
    }

    /// Sets the solution to zero.
    pub(super) fn clear(&mut self) -> Result<()> {
        self.u.assign(T::zeroed())
    }

    /// Does the steps of a smoother. `is_zero` tells that the solution counts as zero, whatever the array has.
    pub(super) fn smooth(&mut self, steps: &[Step], is_zero: bool) -> Result<()> {
        if is_zero && steps.is_empty() {
            return self.clear();
        }
        // Two steps from zero read no solution, and take less time in one kernel.
        let first = match steps {
            _ if !is_zero => 0,
            &[first, second, ..] if self.equation.can_begin_with([first, second]) => 2,
            _ => 1,
        };
        let (first, others) = steps.split_at(first);
        if !first.is_empty() {
            self.pass(first, true)?;
        }
        others.iter().try_for_each(|step| self.pass(std::slice::from_ref(step), false))
    }

    /// Does one step, or two steps from zero, in one kernel.
    fn pass(&mut self, steps: &[Step], from_zero: bool) -> Result<()> {
        let Level { shapes, equation, u, other, f, captures, .. } = self;
        let evaluation = Evaluation::Steps { from_zero, steps: [0, 1].map(|at| steps.get(at).copied()) };
        let start = (!from_zero).then_some(&*u);
        captures.evaluate(evaluation, &[u, f], shapes.points_of(other), |target| {
            evaluate(&equation.steps(steps, start, f), shapes.region(), target)
        })?;
        std::mem::swap(&mut self.u, &mut self.other);
        Ok(())
    }
}

/// Returns the next coarser axes, and the weights of the way to them: without every second one of the points that are
/// coupled most to their neighbours. Returns `None` if no axis has a coarser one.
pub(super) fn coarser<const N: usize>(lines: &[Line; N]) -> Option<([Line; N], [Option<Weights>; N])> {
    /// Points whose coefficients are at least this part of the largest are coarsened.
    const COUPLED: f64 = 0.35;
    let can = lines.each_ref().map(Line::can_coarsen);
    let strengths = lines.each_ref().map(Line::strength);
    let largest = (0..N).filter(|&axis| can[axis]).map(|axis| strengths[axis]).fold(0.0, f64::max);
    if !can.contains(&true) {
        return None;
    }
    let ways: [Option<(Line, Weights)>; N] = std::array::from_fn(|axis| match &lines[axis] {
        _ if !can[axis] || strengths[axis] < COUPLED * largest => None,
        line if line.is_nearly_uniform() => Some(line.coarser()),
        // Points without a neighbour that goes may be all that are coupled most.
        line => line.coarser_where(COUPLED * largest).or_else(|| Some(line.coarser())),
    });
    let coarse =
        std::array::from_fn(|axis| ways[axis].as_ref().map_or(&lines[axis], |(line, _)| line).clone());
    Some((coarse, ways.map(|way| way.map(|(_, weights)| weights))))
}
