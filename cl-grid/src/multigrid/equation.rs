//! The equation on one level: the functions of its solution and its right-hand side that cycles evaluate.

use super::line::Line;
use super::smoother::Step;
use super::stencil::{AtPoint, Stencil, around_circles};
use super::transfer::Shapes;
use crate::formula::Formula;
use crate::grid::GridFloat;
use cl_algo::Val;
use cl_array::Array;

/// The operator of a level, and its points. All functions are on arrays with padding.
#[derive(Debug)]
pub(super) struct Equation<T: GridFloat, const N: usize> {
    pub(super) shapes: Shapes<N>,
    stencil: Stencil<'static, T, N>,
    lines: [Line; N],
}

impl<T: GridFloat, const N: usize> Equation<T, N> {
    pub(super) fn new(
        lines: &[Line; N],
        k: Option<Formula<'static, T, N>>,
        c: Option<Formula<'static, T, N>>,
    ) -> Equation<T, N> {
        let k = k.map(|k| around_circles(lines, k));
        let stencil = Stencil::new(lines, [0; N], k, c);
        Equation { shapes: Shapes::of(lines), stencil, lines: lines.clone() }
    }

    /// Returns the residual `f - A u`.
    pub(super) fn residual<'a>(&self, u: &'a Array<T, N>, f: &'a Array<T, N>) -> Formula<'a, T, N> {
        let u = around_circles(&self.lines, Formula::from(u));
        self.stencil.of(u, vec![Formula::from(f)], |at| at.others[0] - at.product)
    }

    /// Returns the solution after steps from `u`, or from zero.
    pub(super) fn steps<'a>(
        &self,
        steps: &[Step],
        u: Option<&'a Array<T, N>>,
        f: &'a Array<T, N>,
    ) -> Formula<'a, T, N> {
        let first = |step: Step| match (step, steps) {
            // The second step replaces the values at the points of its half.
            (Step::Half { .. }, [_, _]) => Step::All(1.0),
            _ => step,
        };
        let after = steps.iter().fold(u.map(Formula::from), |u, &step| {
            Some(match u {
                Some(u) => self.step(step, u, Formula::from(f)),
                None => self.first_step(first(step), Formula::from(f)).inline(),
            })
        });
        after.unwrap_or_else(|| Formula::zero_on(Some(self.shapes.padded), None))
    }

    /// Returns whether a kernel may do these two steps from zero. The second one reads the first one at all neighbours, and in
    /// the padding, where it is zero as `f` is. The neighbours of a point belong to the other half step, except at the
    /// seam of a circle with an odd number of points.
    pub(super) fn can_begin_with(&self, steps: [Step; 2]) -> bool {
        let is_odd = |line: &Line| line.padding() == 0 && !line.len().is_multiple_of(2);
        let fits = match steps {
            [Step::All(_), Step::All(_)] => true,
            [Step::Half { odd: first }, Step::Half { odd: second }] => {
                first != second && !self.lines.iter().any(is_odd)
            }
            _ => false,
        };
        fits && self.stencil.has_diagonal_in_padding()
    }

    fn step<'a>(&self, step: Step, u: Formula<'a, T, N>, f: Formula<'a, T, N>) -> Formula<'a, T, N> {
        let others = std::iter::once(f).chain(chosen(step)).collect();
        let u = around_circles(&self.lines, u);
        self.stencil.of(u, others, |at| at.u + factor(step, &at) * (at.others[0] - at.product))
    }

    /// Returns the solution after a step from zero.
    fn first_step<'a>(&self, step: Step, f: Formula<'a, T, N>) -> Formula<'a, T, N> {
        // The operand is not read: its values have no effect on the diagonal.
        let zero = Formula::zero_on(Some(self.shapes.padded), None);
        let others = std::iter::once(f).chain(chosen(step)).collect();
        self.stencil.of(zero, others, |at| factor(step, &at) * at.others[0])
    }
}

/// Returns the factor of the residual in a step.
fn factor<T: GridFloat>(step: Step, at: &AtPoint<T>) -> Val<T> {
    match (step, at.others.get(1)) {
        (Step::All(omega), _) => at.inverse * Val::known(T::nearest(omega)),
        (Step::Half { .. }, Some(&chosen)) => at.inverse * chosen,
        (Step::Half { .. }, None) => at.inverse,
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
