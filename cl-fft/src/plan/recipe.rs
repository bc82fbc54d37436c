//! The passes of a transform.

use super::axis::{Ends, along};
use super::facts::Facts;
use super::pass::{Digit, Pass, Place};
use super::problem::{Checked, Kind, Problem};
use cl_core::Result;

/// How a transform is done: launches, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recipe {
    /// The launches. The first reads the input, the last writes the output.
    pub passes: Vec<Pass>,
    /// Complex numbers of each scratch memory.
    pub scratch: Vec<usize>,
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
        let mut recipe = Recipe { passes: Vec::new(), scratch: Vec::new() };
        if problem.is_empty() {
            return recipe;
        }
        let mut axes = problem.axes.clone();
        // Real numbers become complex along the last axis: first on the way there, last on the way back.
        if problem.kind != Kind::HalfToReal {
            axes.reverse();
        }
        // Intermediate results have the complex lengths.
        let dense = match problem.kind {
            Kind::HalfToReal => &problem.input.lengths,
            _ => &problem.output.lengths,
        };
        let (dense_strides, dense_distance) = dense_layout(dense);
        let mut place = Place::User;
        for (at, &axis) in axes.iter().enumerate() {
            let (first, last) = (at == 0, at + 1 == axes.len());
            let input = if first {
                (&problem.input.strides, problem.input.distance)
            } else {
                (&dense_strides, dense_distance)
            };
            let output = if last {
                (&problem.output.strides, problem.output.distance)
            } else {
                (&dense_strides, dense_distance)
            };
            let real_axis = match problem.kind {
                Kind::Complex => false,
                Kind::RealToHalf => first,
                Kind::HalfToReal => last,
            };
            let mut digits: Vec<Digit> = (0..dense.len())
                .filter(|&other| other != axis)
                .map(|other| Digit::outer(dense[other], [input.0[other], output.0[other]]))
                .collect();
            digits.push(Digit::outer(problem.batch, [input.1, output.1]));
            let ends = Ends {
                length: problem.lengths[axis],
                strides: [input.0[axis], output.0[axis]],
                digits: merged(digits),
                from: place,
                to: if last { Place::User } else { Place::Scratch(usize::MAX) },
                stored: (real_axis && problem.kind == Kind::RealToHalf).then_some(dense[axis]),
                mirror: real_axis && problem.kind == Kind::HalfToReal,
            };
            place = along(&mut recipe, ends, size, facts, problem.batch * dense_distance);
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
