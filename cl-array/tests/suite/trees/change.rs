//! Changes of arrays that keep the rank: on the device, and on the host.

use super::model::Model;
use super::ranks::{Lazy, any_rank, shape_of};
use super::{MOST, Random};
use cl_array::AxisSlice;
use cl_array::prelude::*;

/// A view of an array, an expression or a target.
#[derive(Clone, Debug)]
pub(super) enum View {
    Flip(usize),
    Permute(Vec<usize>),
    Swap(usize, usize),
    /// An axis, its part, and the part's first coordinate and length.
    Slice(usize, AxisSlice, usize, usize),
}

/// A change of an expression.
#[derive(Clone, Debug)]
pub(super) enum Change {
    View(View),
    Transpose,
    Pad(Vec<(usize, usize)>, Pad<i32>),
    Roll(usize, isize),
    Tile(Vec<usize>),
    Repeat(usize, usize),
    /// Coordinate `i` along the axis reads coordinate `(3 * i + begin) % len`.
    TakeComputed(usize, usize, usize),
    /// Coordinate `i` along the axis reads the remainder of number `i`.
    TakeStored(usize, usize),
    Negate,
    Not,
    Affine(i32, i32),
    Polynomial,
    Shift(i32),
    Remainder(i32),
    Byte,
    Long,
    /// Keeps elements above a limit, and writes the sum of the coordinates elsewhere.
    Above(i32),
    /// Keeps elements where the sum of the coordinates is a multiple of 3.
    Mask(i32),
    Lower(isize),
    Upper(isize),
}

/// Applies a view to an array's view, a target or an expression.
macro_rules! view {
    ($of:expr, $view:expr) => {
        match $view {
            View::Flip(axis) => $of.flip(*axis),
            View::Permute(order) => $of.permute_axes(shape_of(order)),
            View::Swap(a, b) => $of.swap_axes(*a, *b),
            View::Slice(axis, part, ..) => $of.slice_axis(*axis, *part),
        }
    };
}
pub(super) use view;

impl View {
    /// Returns a view of an array of this shape, which has an axis.
    pub(super) fn random(random: &mut Random, shape: &[usize]) -> View {
        let axis = random.below(shape.len());
        match random.below(6) {
            0 => View::Flip(axis),
            1 => View::Permute(random.permutation(shape.len())),
            2 => View::Swap(axis, random.below(shape.len())),
            _ => {
                let len = shape[axis];
                let from = random.below(len / 2 + 1);
                let to = if random.chance(50) { len } else { from + random.below(len - from + 1) };
                View::range(random, axis, len, [from, to])
            }
        }
    }

    /// Returns the part `from..to` of an axis of length `len`, with a random step.
    fn range(random: &mut Random, axis: usize, len: usize, [from, to]: [usize; 2]) -> View {
        let step = [1_isize, 1, 2, 3, -1, -2, -3][random.below(7)];
        let from_end = |at: usize| at as isize - len as isize;
        let start = if from < len && random.chance(30) { from_end(from) } else { from as isize };
        let end = match to {
            to if to == len && random.chance(70) => None,
            to if to < len && random.chance(50) => Some(from_end(to)),
            to => Some(to as isize),
        };
        let count = (to - from).div_ceil(step.unsigned_abs());
        let first = if step < 0 && to > from { to - 1 } else { from };
        View::Slice(axis, AxisSlice::Range { start, end, step }, first, count)
    }

    /// Returns the part of `len` coordinates of an axis, forwards.
    pub(super) fn first(axis: usize, len: usize) -> View {
        View::Slice(axis, AxisSlice::Range { start: 0, end: Some(len as isize), step: 1 }, 0, len)
    }

    pub(super) fn on_host(&self, model: &Model) -> Model {
        match self {
            &View::Flip(axis) => {
                let len = model.shape[axis];
                model.along(axis, len, 0, |at| Some(len - 1 - at))
            }
            View::Permute(order) => model.permuted(order),
            &View::Swap(a, b) => {
                let mut order: Vec<usize> = (0..model.rank()).collect();
                order.swap(a, b);
                model.permuted(&order)
            }
            &View::Slice(axis, part, first, count) => {
                let AxisSlice::Range { step, .. } = part else { panic!("{part:?}") };
                model.along(axis, count, 0, |at| Some((first as isize + at as isize * step) as usize))
            }
        }
    }
}

impl Change {
    /// Returns a change of an array of this shape.
    pub(super) fn random(random: &mut Random, shape: &[usize]) -> Change {
        let count: usize = shape.iter().product();
        let constant = random.small();
        if shape.is_empty() || random.chance(30) {
            return match random.below(10) {
                0 => Change::Negate,
                1 => Change::Not,
                2 => Change::Affine(random.small(), constant),
                3 => Change::Polynomial,
                4 => Change::Shift(random.below(5) as i32),
                5 => Change::Remainder(1 + random.below(50) as i32),
                6 => Change::Byte,
                7 => Change::Long,
                8 => Change::Above(constant),
                _ => Change::Mask(constant),
            };
        }
        let axis = random.below(shape.len());
        // The factor by which the array may become larger.
        let factor = (MOST / count.max(1)).max(1);
        let along = |len: usize| len.min(shape[axis].max(1) * factor);
        match random.below(14) {
            0..5 => Change::View(View::random(random, shape)),
            5 => Change::Transpose,
            6 | 7 if count > 0 && factor > 1 => {
                let mut widths = vec![(0, 0); shape.len()];
                let most = (shape[axis] * (factor - 1) / 2).min(2 * shape[axis] + 2);
                widths[axis] = (random.below(most + 1), random.below(most + 1));
                let pads = [Pad::Constant(constant), Pad::Edge, Pad::Reflect, Pad::Wrap];
                let pad = pads[random.below(4)];
                if factor > 16 {
                    let second = random.below(shape.len());
                    widths[second] = (random.below(2), random.below(2));
                }
                Change::Pad(widths, pad)
            }
            8 => Change::Roll(axis, random.below(200) as isize - 100),
            9 => {
                let mut counts = vec![1; shape.len()];
                counts[axis] = random.below(factor.min(3) + 1);
                Change::Tile(counts)
            }
            10 => Change::Repeat(axis, random.below(factor.min(3) + 1)),
            11 if count > 0 => Change::TakeComputed(axis, random.below(along(40) + 1), random.below(100)),
            12 if count > 0 => Change::TakeStored(axis, random.below(along(40) + 1)),
            13 if shape.len() > 1 && random.chance(50) => Change::Lower(random.below(9) as isize - 4),
            13 if shape.len() > 1 => Change::Upper(random.below(9) as isize - 4),
            _ => Change::View(View::Flip(axis)),
        }
    }

    pub(super) fn of<'a>(&self, lazy: Lazy<'a>, numbers: &'a Array<u32, 1>) -> Lazy<'a> {
        // The rank of a selection is known for known ranks only.
        any_rank!(Lazy, lazy, expr => self.of_expr(expr, numbers, ArrayExpr::select).into())
    }

    fn of_expr<'a, const N: usize>(
        &self,
        expr: ArrayExpr<'a, i32, N>,
        numbers: &'a Array<u32, 1>,
        select: impl FnOnce(
            ArrayExpr<'a, bool, N>,
            ArrayExpr<'a, i32, N>,
            ArrayExpr<'a, i32, N>,
        ) -> ArrayExpr<'a, i32, N>,
    ) -> ArrayExpr<'a, i32, N> {
        let shape = expr.shape();
        // The sum of the coordinates, each with another factor.
        let sum =
            |at: [Val<u64>; N]| at.into_iter().zip(1_u64..).fold(Val::known(0), |sum, (at, k)| sum + at * k);
        match self {
            Change::View(of) => view!(expr, of),
            Change::Transpose => expr.t(),
            Change::Pad(widths, pad) => expr.pad(std::array::from_fn(|axis| widths[axis]), *pad),
            &Change::Roll(axis, shift) => expr.roll(axis, shift),
            Change::Tile(counts) => expr.tile(shape_of(counts)),
            &Change::Repeat(axis, count) => expr.repeat(axis, count),
            &Change::TakeComputed(axis, count, begin) => {
                let len = shape[axis] as u64;
                expr.take(axis, ArrayExpr::from_fn([count], |[i]| (i * 3 + begin as u64) % len))
            }
            &Change::TakeStored(axis, count) => {
                let len = shape[axis] as u32;
                expr.take(axis, numbers.map(|number| number % len).slice(s![..count]))
            }
            Change::Negate => -expr,
            Change::Not => !expr,
            &Change::Affine(factor, constant) => factor * expr + constant,
            Change::Polynomial => expr.map(|x| x * x * 3 - x + 1),
            &Change::Shift(bits) => expr >> bits,
            &Change::Remainder(divisor) => expr % divisor,
            Change::Byte => expr.cast::<i8>().cast(),
            Change::Long => ((expr.cast::<i64>() * 0x1_0000_0001) >> 3).cast(),
            &Change::Above(limit) => {
                let coordinates = ArrayExpr::from_fn(shape, |at| sum(at).cast::<i32>());
                select(expr.clone().map(|x| x.gt(limit)), expr, coordinates)
            }
            &Change::Mask(constant) => {
                let constant = ArrayExpr::from_fn(shape, |_| Val::known(constant));
                select(ArrayExpr::from_fn(shape, |at| (sum(at) % 3).eq(0)), expr, constant)
            }
            &Change::Lower(k) => expr.tril(k),
            &Change::Upper(k) => expr.triu(k),
        }
    }

    pub(super) fn on_host(&self, model: &Model, numbers: &[u32]) -> Model {
        let sum = |at: &[usize]| at.iter().zip(1..).map(|(at, k)| at * k).sum::<usize>();
        let masked = |is_kept: &dyn Fn(&[usize]) -> bool, other: i32| {
            Model::new(&model.shape, |at| if is_kept(at) { model.at(at) } else { other })
        };
        let above = |at: &[usize]| at[at.len() - 1] as isize - at[at.len() - 2] as isize;
        match self {
            Change::View(view) => view.on_host(model),
            Change::Transpose => model.permuted(&(0..model.rank()).rev().collect::<Vec<_>>()),
            Change::Pad(widths, pad) => {
                widths.iter().enumerate().fold(model.clone(), |model, (axis, &widths)| {
                    let (before, after) = widths;
                    let len = model.shape[axis];
                    let otherwise = if let Pad::Constant(constant) = pad { *constant } else { 0 };
                    model.along(axis, before + len + after, otherwise, |at| {
                        padded(at as isize - before as isize, len as isize, *pad)
                    })
                })
            }
            &Change::Roll(axis, shift) => {
                let len = model.shape[axis];
                model.along(axis, len, 0, |at| Some((at as isize - shift).rem_euclid(len as isize) as usize))
            }
            Change::Tile(counts) => counts.iter().enumerate().fold(model.clone(), |model, (axis, &count)| {
                let len = model.shape[axis];
                model.along(axis, len * count, 0, |at| Some(at % len))
            }),
            &Change::Repeat(axis, count) => {
                model.along(axis, model.shape[axis] * count, 0, |at| Some(at / count))
            }
            &Change::TakeComputed(axis, count, begin) => {
                model.along(axis, count, 0, |at| Some((at * 3 + begin) % model.shape[axis]))
            }
            &Change::TakeStored(axis, count) => {
                model.along(axis, count, 0, |at| Some(numbers[at] as usize % model.shape[axis]))
            }
            Change::Negate => model.map(i32::wrapping_neg),
            Change::Not => model.map(|x| !x),
            &Change::Affine(factor, constant) => model.map(|x| factor.wrapping_mul(x).wrapping_add(constant)),
            Change::Polynomial => {
                model.map(|x| x.wrapping_mul(x).wrapping_mul(3).wrapping_sub(x).wrapping_add(1))
            }
            &Change::Shift(bits) => model.map(|x| x >> bits),
            &Change::Remainder(divisor) => model.map(|x| x % divisor),
            Change::Byte => model.map(|x| i32::from(x as i8)),
            Change::Long => model.map(|x| (i64::from(x).wrapping_mul(0x1_0000_0001) >> 3) as i32),
            &Change::Above(limit) => Model::new(&model.shape, |at| match model.at(at) {
                x if x > limit => x,
                _ => sum(at) as i32,
            }),
            &Change::Mask(constant) => masked(&|at| sum(at) % 3 == 0, constant),
            &Change::Lower(k) => masked(&|at| above(at) <= k, 0),
            &Change::Upper(k) => masked(&|at| above(at) >= k, 0),
        }
    }
}

/// Returns the coordinate that a padded axis of length `len` reads, found step by step.
fn padded(mut at: isize, len: isize, pad: Pad<i32>) -> Option<usize> {
    while at < 0 || at >= len {
        at = match pad {
            Pad::Edge => at.clamp(0, len - 1),
            Pad::Wrap => at + if at < 0 { len } else { -len },
            Pad::Reflect if len == 1 => 0,
            Pad::Reflect if at < 0 => -at,
            Pad::Reflect => 2 * (len - 1) - at,
            _ => return None,
        };
    }
    Some(at as usize)
}
