//! Parts of arrays: slices with steps of either sign, reversed axes, permuted axes.

use crate::dice::Dice;
use crate::expression::range;
use crate::nd::{Nd, with};
use cl_array::{ArrayExpr, ArrayView, ArrayViewMut, AxisSlice};

/// A part of an array. Its numbers are taken modulo the valid range.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// The axis, the begin, the length before steps, and the step, which may be negative.
    Slice(usize, usize, usize, isize),
    Flip(usize),
    Permute([usize; 3]),
}

const ORDERS: [[usize; 3]; 5] = [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

impl Part {
    pub(crate) fn random(shape: &mut Dice, data: &mut Dice) -> Part {
        match shape.below(6) {
            0 => Part::Flip(shape.below(3)),
            1 => Part::Permute(shape.pick(&ORDERS)),
            _ => {
                let step = data.pick(&[1, 1, 1, 2, 3, -1, -1, -2, -3]);
                // Long slices come more often than short ones.
                Part::Slice(shape.below(3), data.below(4), 97 - data.below(3), step)
            }
        }
    }

    /// Returns up to `most` parts, each of which is a part of the one before.
    pub(crate) fn several(most: usize, shape: &mut Dice, data: &mut Dice) -> Vec<Part> {
        (0..shape.below(most + 1)).map(|_| Part::random(shape, data)).collect()
    }

    /// Returns the slice of an axis of `len` coordinates, and its coordinates.
    fn slice(len: usize, begin: usize, count: usize, step: isize) -> (AxisSlice, Vec<usize>) {
        let range = range(begin, count, len);
        let slice = AxisSlice::Range { start: range.start as isize, end: Some(range.end as isize), step };
        let by = step.unsigned_abs();
        let coordinates = match step {
            1.. => range.step_by(by).collect(),
            _ => range.rev().step_by(by).collect(),
        };
        (slice, coordinates)
    }

    pub(crate) fn on_host<T: Copy>(self, x: &Nd<T>) -> Nd<T> {
        match self {
            Part::Slice(axis, begin, count, step) => {
                let (_, coordinates) = Part::slice(x.shape[axis], begin, count, step);
                x.along(axis, coordinates.len(), |at| coordinates[at])
            }
            Part::Flip(axis) => x.along(axis, x.shape[axis], |at| x.shape[axis] - 1 - at),
            Part::Permute(order) => x.moved(order.map(|axis| x.shape[axis]), |at| {
                (0..3).fold([0; 3], |from, axis| with(from, order[axis], at[axis]))
            }),
        }
    }
}

macro_rules! on_device {
    ($($name:ident $type:ident)*) => {$(
        impl Part {
            /// Returns the part on the device.
            pub(crate) fn $name<'a>(self, x: $type<'a, i32, 3>) -> $type<'a, i32, 3> {
                match self {
                    Part::Slice(axis, begin, count, step) => {
                        let (slice, _) = Part::slice(x.shape()[axis], begin, count, step);
                        x.slice_axis(axis, slice)
                    }
                    Part::Flip(axis) => x.flip(axis),
                    Part::Permute(order) => x.permute_axes(order),
                }
            }
        }
    )*};
}

on_device!(of_view ArrayView of_view_mut ArrayViewMut of_expr ArrayExpr);
