//! The passes of a transform.

use super::axis::{Ends, along};
use super::facts::Facts;
use super::pass::{Digit, Pass, Place};
use super::problem::{Checked, Kind, Problem};
use cl_core::Result;
use std::ops::Range;

/// How a transform is done: launches, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recipe {
    /// The launches. The first reads the input, the last writes the output.
    pub passes: Vec<Pass>,
    /// Complex numbers of each scratch memory.
    pub scratch: Vec<usize>,
    /// Passes that take turns, so that what one leaves for the next stays in the caches.
    pub turns: Vec<Turns>,
}

/// Passes that are launched one after the other for some of the lines, and then again for the next ones. Their lines
/// are those of one turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turns {
    /// Which passes.
    pub passes: Range<usize>,
    /// What there are of them: transforms along the axis, or groups of these.
    pub units: usize,
    /// Units of a turn; the last one may have fewer.
    pub at_once: usize,
}

impl Recipe {
    /// The recipe for a problem of real numbers of `size` bytes, on a device of these facts.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput), which says which length, axis, stride or
    /// distance is wrong; [`Error::TooLarge`](cl_core::Error::TooLarge).
    pub fn new(problem: &Problem, kind: Kind, size: usize, facts: &Facts) -> Result<Recipe> {
        Ok(Recipe::of(&problem.check(kind)?, size, facts))
    }

    pub(crate) fn of(problem: &Checked, size: usize, facts: &Facts) -> Recipe {
        let mut recipe = Recipe { passes: Vec::new(), scratch: Vec::new(), turns: Vec::new() };
        if problem.is_empty() {
            return recipe;
        }
        let mut axes = problem.axes.clone();
        // Real numbers become complex along the last axis: first on the way there, last on the way back.
        if problem.kind != Kind::HalfToReal {
            axes.reverse();
        }
        let (given, kept) = (&problem.input.lengths, &problem.output.lengths);
        // Points that there are along each axis, before and after those that are done.
        let mut lengths = given.clone();
        let mut before = (problem.input.strides.clone(), problem.input.distance);
        let mut place = Place::User;
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
            debug_assert!(!first || place == Place::User);
            let ends = Ends {
                length,
                strides: [before.0[axis], after.0[axis]],
                digits: merged(digits),
                from: place,
                to: if last { Place::User } else { Place::Scratch(usize::MAX) },
                given: (present < length && !mirror).then_some(present),
                stored: (kept[axis] < length).then_some(kept[axis]),
                mirror,
                real: problem.kind == Kind::RealToHalf && first,
                split: false,
            };
            let room = problem.batch * lengths.iter().product::<usize>();
            let begin = recipe.passes.len();
            place = along(&mut recipe, ends, size, facts, room);
            if mirror && !first {
                // Whoever runs the recipe exchanges parts before its first and after its last pass, to make it an
                // inverse transform. The mirror image is one of parts that are where they belong.
                recipe.passes[begin - 1].swaps[1] ^= 2;
                recipe.passes[begin].swaps[0] ^= 1;
            }
            before = after;
        }
        recipe
    }
}

/// Strides and distance of points in rows.
fn dense_layout(lengths: &[usize]) -> (Vec<usize>, usize) {
    let mut strides = vec![1; lengths.len()];
    for axis in (0..lengths.len().saturating_sub(1)).rev() {
        strides[axis] = strides[axis + 1] * lengths[axis + 1];
    }
    (strides, lengths.iter().product())
}

/// The digits from the smallest stride on, where two that are one are one. At least one is left.
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
