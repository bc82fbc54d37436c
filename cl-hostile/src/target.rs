//! Targets that steps write to: a vector, or a view of a view of one.

use crate::dice::Dice;
use crate::expression::range;
use cl_algo::{DeviceVec, Expr, ViewMut};

#[derive(Clone, Copy, Debug)]
enum View {
    Rev,
    Step(usize),
    Slice(usize, usize),
}

/// A view of a vector.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) vector: usize,
    views: Vec<View>,
}

impl Target {
    pub(crate) fn random(shape: &mut Dice, data: &mut Dice) -> Target {
        let views = (0..shape.below(4)).map(|_| match shape.below(3) {
            0 => View::Rev,
            1 => View::Step(1 + data.below(4)),
            _ => View::Slice(data.len(), data.len()),
        });
        let views = views.collect();
        Target { vector: shape.below(8), views }
    }

    /// Returns the positions of the view's elements in a vector of `len` elements.
    pub(crate) fn positions(&self, len: usize) -> Vec<usize> {
        let mut positions: Vec<usize> = (0..len).collect();
        for view in &self.views {
            match *view {
                View::Rev => positions.reverse(),
                View::Step(step) => positions = positions.into_iter().step_by(step).collect(),
                View::Slice(a, b) => positions = positions[range(a, b, positions.len())].to_vec(),
            }
        }
        positions
    }

    /// Returns whether the view of a vector of `len` elements is a slice: neighbouring elements, in their order.
    pub(crate) fn is_slice(&self, len: usize) -> bool {
        self.positions(len).windows(2).all(|pair| pair[0] + 1 == pair[1])
    }

    /// Returns the elements of the view as an expression.
    pub(crate) fn read<'t>(&self, vector: &'t DeviceVec<i32>) -> Expr<'t, i32> {
        self.views.iter().fold(vector.iter(), |x, step| match *step {
            View::Rev => x.rev(),
            View::Step(step) => x.step_by(step),
            View::Slice(a, b) => {
                let range = range(a, b, x.len().unwrap_or(0));
                x.slice(range)
            }
        })
    }

    /// Returns the view on the device.
    pub(crate) fn view<'t>(&self, vector: &'t mut DeviceVec<i32>) -> ViewMut<'t, i32> {
        self.views.iter().fold(vector.view_mut(), |view, step| match *step {
            View::Rev => view.rev(),
            View::Step(step) => view.step_by(step),
            View::Slice(a, b) => {
                let range = range(a, b, view.len());
                view.slice(range)
            }
        })
    }
}

/// Returns the elements at some positions.
pub(crate) fn at(host: &[i32], positions: &[usize]) -> Vec<i32> {
    positions.iter().map(|&position| host[position]).collect()
}

/// Writes elements to some positions.
pub(crate) fn put(host: &mut [i32], positions: &[usize], values: impl IntoIterator<Item = i32>) {
    for (&position, value) in positions.iter().zip(values) {
        host[position] = value;
    }
}
