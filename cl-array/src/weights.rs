//! The weights of convolutions, on the host or on the device.

use crate::array::Array;
use crate::expr::ArrayExpr;
use crate::view::ArrayView;
use cl_algo::ranked::{self, AxisMap};
use cl_algo::{Element, Expr, Number, Operand};
use cl_core::{Error, Result};
use std::fmt;

/// The weights of a convolution: an array, a view or an expression on the device, or numbers of the host.
///
/// Numbers of the host are nested arrays, as in `[[0, 1], [2, 3]]`, or a shape and a slice.
pub struct Weights<'a, T: Element, const N: usize>(pub(crate) Source<'a, T, N>);

/// The numbers of a kernel.
pub(crate) enum Source<'a, T: Element, const N: usize> {
    Host([usize; N], Vec<T>),
    Device(ArrayExpr<'a, T, N>),
}

impl<'a, T: Element, const N: usize> From<&'a Array<T, N>> for Weights<'a, T, N> {
    fn from(array: &'a Array<T, N>) -> Self {
        Weights(Source::Device(array.iter()))
    }
}

impl<'a, T: Element, const N: usize> From<ArrayView<'a, T, N>> for Weights<'a, T, N> {
    fn from(view: ArrayView<'a, T, N>) -> Self {
        Weights(Source::Device(view.into()))
    }
}

impl<'a, T: Element, const N: usize> From<ArrayExpr<'a, T, N>> for Weights<'a, T, N> {
    fn from(expr: ArrayExpr<'a, T, N>) -> Self {
        Weights(Source::Device(expr))
    }
}

impl<T: Element, const N: usize> From<([usize; N], &[T])> for Weights<'_, T, N> {
    fn from((shape, weights): ([usize; N], &[T])) -> Self {
        Weights(Source::Host(shape, weights.to_vec()))
    }
}

impl<T: Element, const K: usize> From<[T; K]> for Weights<'_, T, 1> {
    fn from(weights: [T; K]) -> Self {
        Weights(Source::Host([K], weights.to_vec()))
    }
}

impl<T: Element, const J: usize, const K: usize> From<[[T; K]; J]> for Weights<'_, T, 2> {
    fn from(weights: [[T; K]; J]) -> Self {
        Weights(Source::Host([J, K], weights.concat()))
    }
}

impl<T: Element, const I: usize, const J: usize, const K: usize> From<[[[T; K]; J]; I]>
    for Weights<'_, T, 3>
{
    fn from(weights: [[[T; K]; J]; I]) -> Self {
        Weights(Source::Host([I, J, K], weights.concat().concat()))
    }
}

impl<T: Element, const N: usize> fmt::Debug for Weights<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Weights(shape {:?})", self.shape())
    }
}

/// Returns all coordinates of a shape in row-major order.
pub(crate) fn coordinates<const N: usize>(shape: [usize; N]) -> impl Iterator<Item = [usize; N]> {
    (0..shape.iter().product()).map(move |mut rest: usize| {
        let mut at = [0; N];
        for axis in (0..N).rev() {
            at[axis] = rest % shape[axis];
            rest /= shape[axis];
        }
        at
    })
}

/// The maximal number of weights that are unrolled.
const MOST_UNROLLED: usize = 128;

/// The maximal number of bytes of a kernel's arguments for weights and their distances. All devices have room for 1024
/// bytes of arguments.
const MOST_BYTES: usize = 768;

impl<'a, T: Number, const N: usize> Weights<'a, T, N> {
    /// Returns the shape, or an error if the host's numbers do not have it.
    pub(crate) fn checked_shape(&self, operation: &'static str) -> Result<[usize; N]> {
        let shape = self.shape();
        if let Source::Host(_, weights) = &self.0 {
            let wanted = ranked::count(&shape)?;
            if wanted != weights.len() {
                let reason = format!(
                    "a kernel of shape {shape:?} has {wanted} weights, and {} are given",
                    weights.len()
                );
                return Err(Error::invalid_input(operation, reason));
            }
        }
        Ok(shape)
    }

    /// Returns the weights with all axes in reverse order.
    pub(crate) fn flipped(self) -> Weights<'a, T, N> {
        Weights(match self.0 {
            Source::Host(shape, mut weights) => {
                weights.reverse();
                Source::Host(shape, weights)
            }
            Source::Device(weights) => Source::Device((0..N).fold(weights, ArrayExpr::flip)),
        })
    }

    /// Returns each weight as an expression, in row-major order; `None` if there are too many for one kernel.
    pub(crate) fn unrolled(&self) -> Option<Vec<Expr<'a, T>>> {
        let shape = self.shape();
        let (count, rows) = (shape.iter().product::<usize>(), shape[..N - 1].iter().product::<usize>());
        let bytes = match self.0 {
            Source::Host(..) => count.saturating_mul(T::TYPE.size()),
            Source::Device(_) => 0,
        };
        if count > MOST_UNROLLED || bytes + rows * N * size_of::<u32>() > MOST_BYTES {
            return None;
        }
        Some(match &self.0 {
            Source::Host(_, weights) => weights.iter().map(|&weight| Operand::into_expr(weight)).collect(),
            Source::Device(weights) => coordinates(shape)
                .map(|at| weights.clone().at(&at.map(AxisMap::at), []).into_inner())
                .collect(),
        })
    }
}

impl<T: Element, const N: usize> Weights<'_, T, N> {
    fn shape(&self) -> [usize; N] {
        match &self.0 {
            Source::Host(shape, _) => *shape,
            Source::Device(weights) => weights.shape(),
        }
    }
}
