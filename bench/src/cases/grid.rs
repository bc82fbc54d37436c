//! Formulas on grids: operators of sums and of operators, in one kernel, with a temporary array, and in layers; cycles of
//! multigrid.

use super::array::{elements, into_array, shape, whole};
use super::array_stencils::of_host;
use crate::failure::Failure;
use crate::matrices::Narrow;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_array::Array;
use cl_grid::multigrid::{Multigrid, Problem, Smoother};
use cl_grid::{Formula, Grid, GridFloat, GridTarget, Operator};

/// The numbers of the cases.
pub(super) trait Real: GridFloat + Narrow + Into<f64> {}

impl<T: GridFloat + Narrow + Into<f64>> Real for T {}

/// The decision about the function inside.
#[derive(Clone, Copy, Debug)]
enum Inside {
    Decided,
    Again,
    Kept,
    InLayers,
}

impl Inside {
    fn of<T: Real>(self, function: Formula<'_, T, 3>) -> Formula<'_, T, 3> {
        match self {
            Inside::Decided => function,
            Inside::Again => function.inline(),
            Inside::Kept => function.materialize(),
            Inside::InLayers => function.in_layers(),
        }
    }
}

/// Returns the sum of the six neighbours, and `own` times the value at the point.
fn seven_points<T: Real>(own: f64) -> Operator<'static, T, 3> {
    let own = T::narrow(own);
    Operator::new(move |at| {
        let across = at([0, 0, -1]) + at([0, 0, 1]);
        across
            + at([0, -1, 0])
            + at([0, 1, 0])
            + at([-1, 0, 0])
            + at([1, 0, 0])
            + Val::known(own) * at([0; 3])
    })
}

/// Applies the seven-point operator to `f + g`, inside the grid only.
fn of_sum<T: Real>(queue: &Queue, n: usize, inside: Inside) -> Result<Step, Failure> {
    let (shape, host_f, host_g) = (shape(n)?, whole(n), whole(n));
    let (f, g) = (Array::from_slice(queue, shape, &host_f)?, Array::from_slice(queue, shape, &host_g)?);
    let expected = of_host(&host_f, &host_g, shape, -1.0);
    let laplacian = seven_points::<T>(-6.0);
    into_array(Array::filled(queue, shape, T::narrow(-1.0))?, expected, move |out| {
        out.inside(1).assign(laplacian.of(inside.of(Formula::from(&f) + &g)))
    })
}

/// Returns `B(A(f) + g)` at points two or more from the border, and -1 elsewhere.
pub(super) fn composed_of_host<T: Narrow + Into<f64>>(f: &[T], g: &[T], shape: [usize; 3]) -> Vec<T> {
    let [layers, rows, columns] = shape;
    let steps = [1, columns, rows * columns];
    let around = |of: &(dyn Fn(usize) -> f64 + Sync), i: usize| -> f64 {
        steps.iter().map(|step| of(i - step) + of(i + step)).sum()
    };
    let inner = |i: usize| around(&|i| f[i].into(), i) - 6.0 * f[i].into() + g[i].into();
    elements(f.len(), |i| {
        let at = [i % columns, i / columns % rows, i / columns / rows];
        let is_inside = at.iter().zip([columns, rows, layers]).all(|(&at, len)| at > 1 && at + 2 < len);
        if !is_inside {
            return T::narrow(-1.0);
        }
        T::narrow(around(&inner, i) + 2.0 * inner(i))
    })
}

/// Evaluates `B(A(f) + g)` with two seven-point operators.
fn composed<T: Real>(queue: &Queue, n: usize, inside: Inside) -> Result<Step, Failure> {
    let (shape, host_f, host_g) = (shape(n)?, whole(n), whole(n));
    let (f, g) = (Array::from_slice(queue, shape, &host_f)?, Array::from_slice(queue, shape, &host_g)?);
    let expected = composed_of_host(&host_f, &host_g, shape);
    let (a, b) = (seven_points::<T>(-6.0), seven_points::<T>(2.0));
    into_array(Array::filled(queue, shape, T::narrow(-1.0))?, expected, move |out| {
        out.inside(2).assign(b.of(inside.of(a.of(&f) + &g)))
    })
}

pub(super) fn of_sum_decided<T: Real>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    of_sum::<T>(queue, n, Inside::Decided)
}

pub(super) fn of_sum_in_one_kernel<T: Real>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    of_sum::<T>(queue, n, Inside::Again)
}

pub(super) fn of_sum_with_temporary<T: Real>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    of_sum::<T>(queue, n, Inside::Kept)
}

pub(super) fn composed_decided<T: Real>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    composed::<T>(queue, n, Inside::Decided)
}

pub(super) fn composed_in_one_kernel<T: Real>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    composed::<T>(queue, n, Inside::Again)
}

pub(super) fn composed_with_temporary<T: Real>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    composed::<T>(queue, n, Inside::Kept)
}

pub(super) fn in_layers<T: Real>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    composed::<T>(queue, n, Inside::InLayers)
}

/// The elements that a V(2,2) cycle from zero must read and write for each point. A pass of a smoother reads the solution and
/// the right-hand side and writes the solution, 3; the first pass reads no solution, and does two steps, 2. The residual is
/// restricted for 2 1/8, the correction for 2 1/8; coarse levels have 1/7 of all points, and copies to and from the levels
/// take 4. A half step of red or black points moves all lines of memory. Red and black: 24 1/4 8/7 + 4.
pub(super) const RED_BLACK: usize = 32;

/// The same with Chebyshev's polynomials: 12 1/4 8/7 + 4.
pub(super) const CHEBYSHEV: usize = 18;

/// Does one V(2,2) cycle from zero for Poisson's equation. The fourth cycle must leave less than a fifth of the residual.
fn cycle<T: Real>(queue: &Queue, n: usize, smoother: Smoother) -> Result<Step, Failure> {
    let shape: [usize; 3] = shape(n)?;
    let problem = Problem::<T, 3>::new(&Grid::uniform(shape, [1.0; 3])?);
    let mut solver = Multigrid::new(queue, &problem)?.smoother(smoother);
    let mut residual = Array::from_slice(queue, shape, &whole::<T>(n))?;
    let mut z = Array::filled(queue, shape, T::narrow(0.0))?;
    let operator = problem.operator()?;
    let mut norms: Vec<f64> = Vec::new();
    for _ in 0..5 {
        norms.push(Formula::from(&residual).norm()?.into());
        solver.precondition(&residual, &mut z)?;
        let left = Formula::from(&residual) - operator.of(problem.continued(&z));
        residual = left.collect()?;
    }
    let factor = norms[4] / norms[3];
    if factor.is_nan() || factor >= 0.2 {
        return Err(format!("the fourth cycle leaves {factor} of the residual").into());
    }
    Ok(Box::new(move || solver.precondition(&residual, &mut z)))
}

pub(super) fn red_black<T: Real>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    cycle::<T>(queue, n, Smoother::RedBlack)
}

pub(super) fn chebyshev<T: Real>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    cycle::<T>(queue, n, Smoother::Chebyshev)
}
