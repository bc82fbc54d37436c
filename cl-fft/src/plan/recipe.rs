//! The passes of a transform.

use super::axis::{AxisEnds, along};
use super::limits::DeviceLimits;
use super::pass::{Digit, Location, Pass};
use super::problem::{Checked, Kind, Problem};
use cl_core::Result;
use std::ops::Range;

/// The launches that compute a transform, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recipe {
    /// The launches. The first reads the input, the last writes the output.
    pub passes: Vec<Pass>,
    /// The length of each scratch memory, in complex numbers.
    pub scratch: Vec<usize>,
    /// Passes that take turns, so that the points which one pass leaves for the next stay in the caches.
    pub turns: Vec<Turns>,
}

/// Passes that are launched one after the other for some of the lines, then again for the next lines. One
/// sequence of the launches is a turn. [`Pass::lines`] counts the lines of one turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turns {
    /// The indices of the passes.
    pub passes: Range<usize>,
    /// The number of transforms along the axis, or of groups of them.
    pub units: usize,
    /// The number of units in a turn; the last turn may have fewer.
    pub at_once: usize,
}

impl Recipe {
    /// Returns the recipe for a problem of real numbers of `size` bytes on a device with these `DeviceLimits`.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput), with the length, axis, stride or distance that
    /// is wrong.
    pub fn new(problem: &Problem, kind: Kind, size: usize, limits: &DeviceLimits) -> Result<Recipe> {
        Ok(Recipe::of(&problem.check(kind)?, size, limits))
    }

    pub(crate) fn of(problem: &Checked, size: usize, limits: &DeviceLimits) -> Recipe {
        let mut recipe = Recipe { passes: Vec::new(), scratch: Vec::new(), turns: Vec::new() };
        if problem.is_empty() {
            return recipe;
        }
        let mut axes = problem.axes.clone();
        // Real numbers become complex along the last axis, so that this axis is first in forward transforms and last
        // in inverse transforms.
        if problem.kind != Kind::HalfToReal {
            axes.reverse();
        }
        let (given, kept) = (&problem.input.lengths, &problem.output.lengths);
        // The number of points along each axis: `kept` along the axes that are done, `given` along the others.
        let mut lengths = given.clone();
        let mut before = (problem.input.strides.clone(), problem.input.distance);
        let mut place = Location::User;
        for (at, &axis) in axes.iter().enumerate() {
            let (first, last) = (at == 0, at + 1 == axes.len());
            let present = std::mem::replace(&mut lengths[axis], kept[axis]);
            let after = if last {
                (problem.output.strides.clone(), problem.output.distance)
            } else {
                dense_layout(&lengths)
            };
            let mut digits: Vec<Digit> = (0..lengths.len())
                .filter(|&other| other != axis)
                .map(|other| Digit::outer(lengths[other], [before.0[other], after.0[other]]))
                .collect();
            digits.push(Digit::outer(problem.batch, [before.1, after.1]));
            let length = problem.lengths[axis];
            let mirror = problem.kind == Kind::HalfToReal && last;
            debug_assert!(!first || place == Location::User);
            let ends = AxisEnds {
                length,
                strides: [before.0[axis], after.0[axis]],
                digits: merged(digits),
                from: place,
                to: if last { Location::User } else { Location::Scratch(usize::MAX) },
                given: (present < length && !mirror).then_some(present),
                stored: (kept[axis] < length).then_some(kept[axis]),
                mirror,
                real: problem.kind == Kind::RealToHalf && first,
                split: false,
            };
            let room = problem.batch * lengths.iter().product::<usize>();
            let begin = recipe.passes.len();
            place = along(&mut recipe, ends, size, limits, room);
            if mirror && !first {
                // To make an inverse transform, the code that runs the recipe exchanges real and imaginary
                // parts before the first pass and after the last pass. The mirror image needs parts that are
                // not exchanged. The pass before this axis therefore exchanges them back when it stores
                // points, and the first pass of this axis exchanges them again when it has loaded points.
                recipe.passes[begin - 1].swaps[1] ^= 2;
                recipe.passes[begin].swaps[0] ^= 1;
            }
            before = after;
        }
        recipe
    }
}

/// Returns the strides and the distance of points in row-major order.
fn dense_layout(lengths: &[usize]) -> (Vec<usize>, usize) {
    let mut strides = vec![1; lengths.len()];
    for axis in (0..lengths.len().saturating_sub(1)).rev() {
        strides[axis] = strides[axis + 1] * lengths[axis + 1];
    }
    (strides, lengths.iter().product())
}

/// Sorts the digits by stride, and joins neighbours that form one digit. Returns at least one digit.
fn merged(mut digits: Vec<Digit>) -> Vec<Digit> {
    digits.retain(|digit| digit.count != 1);
    digits.sort_by_key(|digit| (digit.strides[0], digit.strides[1]));
    let mut merged: Vec<Digit> = Vec::new();
    for digit in digits {
        match merged.last_mut() {
            Some(last) if [0, 1].iter().all(|&s| digit.strides[s] == last.count * last.strides[s]) => {
                last.count *= digit.count;
            }
            _ => merged.push(digit),
        }
    }
    if merged.is_empty() {
        merged.push(Digit::outer(1, [0, 0]));
    }
    merged
}
