//! Levels: the arrays and the operator of one grid, and the evaluations on it.

use super::line::{Line, Weights};
use super::problem::Problem;
use super::smoother::Step;
use super::stencil::{Stencil, around_circles};
use super::transfer::{Shapes, Transfer};
use crate::border::BorderRule;
use crate::evaluate::GridTarget;
use crate::formula::{Formula, Kind};
use crate::grid::GridFloat;
use crate::region::{Margins, Region, Span};
use cl_algo::Val;
use cl_array::{Array, ArrayView, ArrayViewMut};
use cl_core::{Queue, Result};

/// One grid of the hierarchy.
#[derive(Debug)]
pub(super) struct Level<T: GridFloat, const N: usize> {
    pub(super) shapes: Shapes<N>,
    stencil: Stencil<'static, T, N>,
    lines: [Line; N],
    /// The lowest eigenvalue, of the operator divided by its diagonal, among the waves that the next level does not have.
    pub(super) lowest: f64,
    /// The approximate solution, and an array of the same shape for the next one. Their padding stays zero.
    pub(super) u: Array<T, N>,
    other: Array<T, N>,
    /// The right-hand side, without padding.
    pub(super) f: Array<T, N>,
}

/// The coefficients of a level, while levels are built.
pub(super) struct Coefficients<T: GridFloat, const N: usize> {
    /// With padding.
    pub(super) k: Option<Array<T, N>>,
    pub(super) c: Coefficient<T, N>,
}

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
    function.assign_to(region, target.queue(), target)
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
            evaluate(&transfer.restriction(array.view()), shapes.region(), shapes.points_of(&mut coarse))?;
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
        let k = coefficients.k.map(|k| around_circles(lines, Formula::from(k)));
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
            stencil: Stencil::new(lines, [0; N], k, c),
            lines: lines.clone(),
            lowest: lowest.fold(1.0, f64::min).max(0.05),
            u: Array::zeros(queue, shapes.padded)?,
            other: Array::zeros(queue, shapes.padded)?,
            f: Array::zeros(queue, shapes.points)?,
        })
    }

    /// Returns the right-hand side as a function on arrays with padding.
    fn right_hand_side(&self) -> Formula<'_, T, N> {
        self.shapes.function(self.f.iter())
    }

    /// Returns the residual `f - A u`.
    pub(super) fn residual(&self) -> Formula<'_, T, N> {
        let u = around_circles(&self.lines, Formula::from(&self.u));
        self.stencil.of(u, vec![self.right_hand_side()], |at| at.others[0] - at.product)
    }

    /// Returns the norm of the residual.
    pub(super) fn residual_norm(&self) -> Result<f64> {
        Ok(self.residual().inside(self.shapes.margins()).norm()?.to_f64())
    }

    /// Evaluates the residual into the second array, and returns it.
    pub(super) fn residual_array(&mut self) -> Result<&Array<T, N>> {
        self.evaluate_into_other(Level::residual)?;
        Ok(&self.other)
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
        for (at, &step) in steps.iter().enumerate() {
            if is_zero && at == 0 {
                self.evaluate_into_other(|level| level.first_step(step))?;
            } else {
                self.evaluate_into_other(|level| level.step(step))?;
            }
            std::mem::swap(&mut self.u, &mut self.other);
        }
        Ok(())
    }

    /// Returns the solution after a step.
    fn step(&self, step: Step) -> Formula<'_, T, N> {
        let u = around_circles(&self.lines, Formula::from(&self.u));
        let mut others = vec![self.right_hand_side()];
        others.extend(chosen(step));
        self.stencil.of(u, others, |at| {
            let factor = match (step, at.others.get(1)) {
                (Step::All(omega), _) => at.inverse * Val::known(T::nearest(omega)),
                (Step::Half { .. }, Some(&chosen)) => at.inverse * chosen,
                (Step::Half { .. }, None) => at.inverse,
            };
            at.u + factor * (at.others[0] - at.product)
        })
    }

    /// Returns the solution after a step from zero.
    fn first_step(&self, step: Step) -> Formula<'_, T, N> {
        // The operand is not read: its values have no effect on the diagonal.
        let mut others = vec![self.right_hand_side()];
        others.extend(chosen(step));
        self.stencil.of(Formula::zero_on(Some(self.shapes.padded), None), others, |at| {
            let factor = match (step, at.others.get(1)) {
                (Step::All(omega), _) => at.inverse * Val::known(T::nearest(omega)),
                (Step::Half { .. }, Some(&chosen)) => at.inverse * chosen,
                (Step::Half { .. }, None) => at.inverse,
            };
            factor * at.others[0]
        })
    }

    /// Evaluates a function of the level into the second array.
    fn evaluate_into_other(&mut self, function: impl FnOnce(&Self) -> Formula<'_, T, N>) -> Result<()> {
        let mut other = std::mem::replace(&mut self.other, Array::zeros(self.u.queue(), [0; N])?);
        let outcome = (&mut other).inside(self.shapes.margins()).assign(function(self));
        self.other = other;
        outcome
    }
}

/// Returns the function that is 1 at the points of a half step, and 0 at the others; none for other steps.
fn chosen<T: GridFloat, const N: usize>(step: Step) -> Option<Formula<'static, T, N>> {
    let Step::Half { odd } = step else { return None };
    Some(Formula::from_fn(|at| {
        let sum = at.into_iter().reduce(|sum, at| sum + at).unwrap_or_else(|| Val::known(0));
        ((sum + i32::from(odd != (N % 2 == 1))) & 1).eq(0).select(T::nearest(1.0), T::zeroed())
    }))
}

/// Returns the next coarser axes, and the weights of the way to them: of those axes along which neighbours are coupled
/// most. Returns `None` if no axis has a coarser one.
pub(super) fn coarser<const N: usize>(lines: &[Line; N]) -> Option<([Line; N], [Option<Weights>; N])> {
    /// Axes whose coefficients are at least this part of the largest are coarsened.
    const COUPLED: f64 = 0.35;
    let can = lines.each_ref().map(Line::can_coarsen);
    let strengths = lines.each_ref().map(Line::strength);
    let largest = (0..N).filter(|&axis| can[axis]).map(|axis| strengths[axis]).fold(0.0, f64::max);
    if !can.contains(&true) {
        return None;
    }
    let mut coarse = lines.clone();
    let weights = std::array::from_fn(|axis| {
        if !can[axis] || strengths[axis] < COUPLED * largest {
            return None;
        }
        let (line, weights) = lines[axis].coarser();
        coarse[axis] = line;
        Some(weights)
    });
    Some((coarse, weights))
}
