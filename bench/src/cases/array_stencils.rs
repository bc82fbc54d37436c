//! Stencils, as sums of slices that are shifted against each other.

use super::array::{elements, into_array, shape, whole};
use crate::failure::Failure;
use crate::matrices::Narrow;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_array::{Array, ArrayExpr, s};

/// The edge of the convolution's weights.
const EDGE: usize = 7;

/// Returns the seven-point operator of `f + g` at each point inside the grid, and `border` elsewhere.
pub(super) fn of_host<T: Narrow + Into<f64>>(f: &[T], g: &[T], shape: [usize; 3], border: f64) -> Vec<T> {
    let [layers, rows, columns] = shape;
    let sum = |i: usize| f[i].into() + g[i].into();
    elements(f.len(), |i| {
        let (x, y, z) = (i % columns, i / columns % rows, i / columns / rows);
        let is_inside = |at: usize, len: usize| at > 0 && at + 1 < len;
        if !(is_inside(x, columns) && is_inside(y, rows) && is_inside(z, layers)) {
            return T::narrow(border);
        }
        let neighbours = [1, columns, rows * columns].map(|step| sum(i - step) + sum(i + step));
        T::narrow(neighbours.iter().sum::<f64>() - 6.0 * sum(i))
    })
}

/// Applies the seven-point operator to `f + g`, inside the grid only. `six_times` multiplies by 6, because operators
/// with scalars exist for each type alone.
fn seven_point<T: Narrow + Into<f64>>(
    queue: &Queue,
    n: usize,
    six_times: impl Fn(ArrayExpr<'_, T, 3>) -> ArrayExpr<'_, T, 3> + 'static,
) -> Result<Step, Failure> {
    let (shape, host_f, host_g) = (shape(n)?, whole(n), whole(n));
    let (f, g) = (Array::from_slice(queue, shape, &host_f)?, Array::from_slice(queue, shape, &host_g)?);
    let expected = of_host(&host_f, &host_g, shape, -1.0);
    into_array(Array::filled(queue, shape, T::narrow(-1.0))?, expected, move |out| {
        let sum = &f + &g;
        let across = sum.clone().slice(s![1..-1, 1..-1, ..-2]) + sum.clone().slice(s![1..-1, 1..-1, 2..]);
        let down = sum.clone().slice(s![1..-1, ..-2, 1..-1]) + sum.clone().slice(s![1..-1, 2.., 1..-1]);
        let deep = sum.clone().slice(s![..-2, 1..-1, 1..-1]) + sum.clone().slice(s![2.., 1..-1, 1..-1]);
        let here = sum.slice(s![1..-1, 1..-1, 1..-1]);
        out.slice_mut(s![1..-1, 1..-1, 1..-1]).assign(across + down + deep - six_times(here))
    })
}

pub(super) fn seven_point_f32(queue: &Queue, n: usize) -> Result<Step, Failure> {
    seven_point::<f32>(queue, n, |x| 6.0 * x)
}

pub(super) fn seven_point_f64(queue: &Queue, n: usize) -> Result<Step, Failure> {
    seven_point::<f64>(queue, n, |x| 6.0 * x)
}

/// Adds up 7 x 7 neighbours with weights, where the matrix has all of them.
pub(super) fn convolution(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let ([rows, columns], host, weights) = (shape(n)?, whole::<f32>(n), whole::<f32>(EDGE * EDGE));
    let inside = [rows + 1 - EDGE, columns + 1 - EDGE];
    let expected = elements(inside[0] * inside[1], |i| {
        let first = i / inside[1] * columns + i % inside[1];
        (0..EDGE * EDGE).map(|k| weights[k] * host[first + k / EDGE * columns + k % EDGE]).sum()
    });
    let x = Array::from_slice(queue, [rows, columns], &host)?;
    into_array(Array::filled(queue, inside, -1.0)?, expected, move |out| {
        let term = |k: usize| {
            let (i, j) = (k / EDGE, k % EDGE);
            weights[k] * x.slice(s![i..i + inside[0], j..j + inside[1]])
        };
        out.assign((1..EDGE * EDGE).fold(term(0), |sum, k| sum + term(k)))
    })
}
