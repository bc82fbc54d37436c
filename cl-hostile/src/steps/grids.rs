//! Steps with formulas on grids: neighbours near and far, borders, margins, boxes, updates in place.

use crate::claim::coordinates;
use crate::dice::Dice;
use crate::finding::{Outcome, equal, refused, same};
use crate::nd::inside;
use cl_algo::prelude::*;
use cl_array::{Array, Pad};
use cl_core::Error;
use cl_grid::{BorderRule, Formula, GridTarget, Operator};

/// The rule for values beyond the borders of an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    Value,
    Clamped,
    Reflect,
    Symmetric,
    Antisymmetric,
    Periodic,
    /// A function of the coordinates.
    Function,
}

const RULES: [Rule; 7] = [
    Rule::Value,
    Rule::Clamped,
    Rule::Reflect,
    Rule::Symmetric,
    Rule::Antisymmetric,
    Rule::Periodic,
    Rule::Function,
];

/// The part of the structure of a formula that decides on its kernels.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    rules: [Rule; 2],
    /// The number of neighbours that are read.
    reads: usize,
    kept: usize,
    /// A formula of the coordinates is added.
    coordinates: bool,
    /// The formula is read by another operator.
    composed: bool,
    into: usize,
}

impl Form {
    pub(crate) fn random(shape: &mut Dice) -> Form {
        Form {
            rules: [shape.pick(&RULES), shape.pick(&RULES)],
            reads: 1 + shape.below(3),
            kept: shape.below(4),
            coordinates: shape.one_in(2),
            composed: shape.one_in(3),
            into: shape.below(5),
        }
    }
}

/// A function of coordinates that any point of a grid may have.
type Function<'f> = Box<dyn Fn([i128; 2]) -> i64 + 'f>;

/// The value that rules for borders give beyond them.
const BEYOND: i64 = -9;

/// A distance: mostly near, else further than 31 bits.
fn distance(dice: &mut Dice, far: bool) -> isize {
    match dice.below(if far { 3 } else { 1 }) {
        0 => dice.below(7) as isize - 3,
        _ => dice.pick(&[
            1 << 31,
            (1 << 31) - 1,
            -(1 << 31) - 1,
            (1 << 32) + 1,
            -(1 << 32),
            (1 << 39) + 3,
            -(1 << 40),
        ]),
    }
}

/// Returns a function of the coordinates, which the model computes by the same arithmetic modulo 2^64.
fn of_coordinates([i, j]: [i128; 2]) -> i64 {
    (i as i64).wrapping_mul(10).wrapping_add(j as i64)
}

/// Evaluates a formula over a grid of two axes.
pub(crate) fn formula(queue: &Queue, form: &Form, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 15);
    let shape = [1 + dice.below(9), 1 + dice.below(12)];
    let values: Vec<i64> = (0..shape[0] * shape[1]).map(|_| i64::from(dice.value())).collect();
    let device = Array::from_slice(queue, shape, &values)?;
    let far = dice.one_in(2);
    let table: Vec<([isize; 2], i64)> = (0..form.reads)
        .map(|_| ([distance(&mut dice, far), distance(&mut dice, far)], 1 + dice.below(5) as i64))
        .collect();

    // The function with its borders, on the host and on the device.
    let mut host: Function<'_> = Box::new(|[i, j]| values[i as usize * shape[1] + j as usize]);
    let mut function = Formula::from(&device);
    for axis in 0..2 {
        let (len, inner) = (shape[axis], host);
        let rule = form.rules[axis];
        host = Box::new(move |at: [i128; 2]| {
            if (0..len as i128).contains(&at[axis]) {
                return inner(at);
            }
            let pad = match rule {
                Rule::Value => return BEYOND,
                Rule::Function => return of_coordinates(at),
                Rule::Clamped => Pad::<i64>::Edge,
                Rule::Reflect => Pad::Reflect,
                Rule::Symmetric | Rule::Antisymmetric => Pad::Symmetric,
                Rule::Periodic => Pad::Wrap,
            };
            let mut from = at;
            from[axis] = inside(at[axis], len, pad).unwrap_or(0) as i128;
            let odd = matches!(rule, Rule::Antisymmetric) && at[axis].div_euclid(len as i128) % 2 != 0;
            if odd { inner(from).wrapping_neg() } else { inner(from) }
        });
        function = function.border_axis(
            axis,
            match rule {
                Rule::Value => BorderRule::Value(BEYOND),
                Rule::Function => BorderRule::Function(coordinates_as_formula()),
                Rule::Clamped => BorderRule::Edge,
                Rule::Reflect => BorderRule::Reflect,
                Rule::Symmetric => BorderRule::Symmetric,
                Rule::Antisymmetric => BorderRule::Antisymmetric,
                Rule::Periodic => BorderRule::Periodic,
            },
        );
    }
    if form.coordinates {
        let inner = host;
        host = Box::new(move |at| inner(at).wrapping_add(of_coordinates(at).wrapping_mul(3)));
        function = function + coordinates_as_formula() * 3;
    }
    let moved = |by: [isize; 2], at: [i128; 2]| [at[0] + by[0] as i128, at[1] + by[1] as i128];
    let sums = |of: Function<'_>, at: [i128; 2]| {
        let term = |&(by, factor): &([isize; 2], i64)| of(moved(by, at)).wrapping_mul(factor);
        table.iter().map(term).fold(0_i64, i64::wrapping_add)
    };
    let mut result = Operator::from_table(&table).of(function);
    if form.composed {
        result = match form.kept {
            0 => result.materialize(),
            1 => result.inline(),
            2 => result.in_layers(),
            _ => result,
        };
        // The operator reads points of the grid, and points beyond it, whose borders the function has.
        result = Operator::new(|at| at([0, 0]) * 2 - at([0, 1])).of(result);
    }
    let host = &host;
    let value = |at: &[usize]| {
        let at = [at[0] as i128, at[1] as i128];
        match form.composed {
            true => {
                let next = sums(Box::new(host), moved([0, 1], at));
                sums(Box::new(host), at).wrapping_mul(2).wrapping_sub(next)
            }
            false => sums(Box::new(host), at),
        }
    };
    let all = coordinates(&shape);
    let margins = [(dice.below(3), dice.below(3)), (dice.below(3), dice.below(3))];
    let is_inside = |at: &[usize]| {
        (0..2).all(|axis| at[axis] >= margins[axis].0 && at[axis] + margins[axis].1 < shape[axis])
    };
    let inner: Vec<i64> = all.iter().filter(|at| is_inside(at)).map(|at| value(at)).collect();
    let mut target = Array::filled(queue, shape, 77_i64)?;
    let chosen = |own: &dyn Fn(&[usize]) -> Option<i64>| -> Vec<i64> {
        all.iter().map(|at| own(at).unwrap_or(77)).collect()
    };
    match form.into {
        0 => same("a formula", &result.to_vec()?, &all.iter().map(|at| value(at)).collect::<Vec<_>>()),
        1 => {
            equal(
                "the sum",
                result.inside(margins).sum()?,
                inner.iter().fold(0, |a: i64, &b| a.wrapping_add(b)),
            )?;
            equal("the least", result.inside(margins).reduce_min()?, inner.iter().copied().min())
        }
        2 => {
            target.inside(margins).assign(&result)?;
            let expected = chosen(&|at| is_inside(at).then(|| value(at)));
            same("the inside of a grid", &target.to_vec()?, &expected)
        }
        3 => {
            let ranges = [0, 1].map(|axis| crate::expression::range(dice.len(), dice.len(), shape[axis]));
            target.part(ranges.clone()).assign(&result)?;
            let is_part = |at: &[usize]| (0..2).all(|axis| ranges[axis].contains(&at[axis]));
            let expected = chosen(&|at| is_part(at).then(|| value(at)));
            same("a part of a grid", &target.to_vec()?, &expected)?;
            let beyond = target.part([0..shape[0] + 1, 0..1]).assign(&result);
            refused("a part beyond the grid", beyond)?;
            let far = Operator::from_table(&[([isize::MIN, 0], 1)]).of(coordinates_as_formula());
            refused("the smallest of all distances", target.whole().assign(far))
        }
        _ => {
            target.inside(margins).assign_with(|own| own * 2 + &result)?;
            let expected = chosen(&|at| is_inside(at).then(|| value(at).wrapping_add(154)));
            same("an update of a grid", &target.to_vec()?, &expected)?;
            // The own values of other points may be replaced already.
            let by = if dice.one_in(2) { 1 } else { -1 };
            let before = target.to_vec()?;
            let done = target.inside(1).assign_with(|own| {
                Operator::from_table(&[([0, 0], 1), ([0, by], 2)]).of(own.border(BorderRule::Edge))
            });
            match done {
                Err(Error::InvalidInput { .. }) => same("a grid after a refusal", &target.to_vec()?, &before),
                Err(error) => Err(error.into()),
                // Few points may read their own values only.
                Ok(()) if shape[0] < 3 || shape[1] < 4 => Ok(()),
                Ok(()) => refused("own values at other points", cl_core::Result::Ok(())),
            }
        }
    }
}

/// Returns the function of the coordinates that [`of_coordinates`] computes.
fn coordinates_as_formula<'a>() -> Formula<'a, i64, 2> {
    Formula::from_fn(|[i, j]| i.cast::<i64>() * 10 + j.cast::<i64>())
}
