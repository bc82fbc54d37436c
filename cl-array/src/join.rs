//! Several arrays in one.

use crate::array::Array;
use crate::expr::{ArrayExpr, ArrayOperand};
use crate::rank::{Extend, Rank};
use cl_algo::{DeviceVec, Element, ranked};
use cl_core::{Error, Queue, Result};

/// Returns the arrays one behind the other along an axis, as a new array, in one kernel for each of them.
///
/// All lengths but those along the axis must be equal.
///
/// ```
/// use cl_array::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[1, 2, 3, 4])?;
/// let b = Array::from_slice(&queue, [2, 1], &[5, 6])?;
/// let c = concatenate(&queue, 1, [&a, &b])?;
/// assert_eq!(c.shape(), [2, 3]);
/// assert_eq!(c.to_vec()?, [1, 2, 5, 3, 4, 6]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::InvalidInput`] for zero arrays, an axis that they do not have, or shapes that do not fit; as
/// [`ArrayExpr::collect`].
#[doc(alias("hstack", "vstack", "append", "cat"))]
pub fn concatenate<'a, T: Element, O: ArrayOperand<'a, T, N>, const N: usize>(
    queue: &Queue,
    axis: usize,
    arrays: impl IntoIterator<Item = O>,
) -> Result<Array<T, N>> {
    join("concatenate", queue, axis, arrays.into_iter().map(O::into_array_expr).collect())
}

/// Returns arrays of one shape as a new array with one axis more, in one kernel for each of them. Index `k` of the new
/// axis `axis` is array `k`.
///
/// ```
/// use cl_array::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2], &[1, 2])?;
/// let b = Array::from_slice(&queue, [2], &[3, 4])?;
/// assert_eq!(stack(&queue, 0, [&a, &b])?.to_vec()?, [1, 2, 3, 4]);
/// assert_eq!(stack(&queue, 1, [&a, &b])?.to_vec()?, [1, 3, 2, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::InvalidInput`] for zero arrays, an axis beyond their rank, or different shapes; as [`ArrayExpr::collect`].
pub fn stack<'a, T: Element, O: ArrayOperand<'a, T, N>, const N: usize, const M: usize>(
    queue: &Queue,
    axis: usize,
    arrays: impl IntoIterator<Item = O>,
) -> Result<Array<T, M>>
where
    Rank<N>: Extend<Of<ArrayExpr<'a, T, N>> = ArrayExpr<'a, T, M>>,
{
    let arrays: Vec<_> = arrays.into_iter().map(O::into_array_expr).collect();
    if axis > N {
        let reason = format!("axis {axis} of arrays that get {M} axes");
        return Err(Error::invalid_input("stack", reason));
    }
    check("stack", axis, &arrays, |_| false)?;
    join("stack", queue, axis, arrays.into_iter().map(|array| array.insert_axis(axis)).collect())
}

fn join<T: Element, const N: usize>(
    operation: &'static str,
    queue: &Queue,
    axis: usize,
    arrays: Vec<ArrayExpr<'_, T, N>>,
) -> Result<Array<T, N>> {
    let Some(first) = arrays.first() else {
        return Err(Error::invalid_input(operation, "zero arrays are given, and so no shape"));
    };
    if axis >= N {
        let reason = format!("axis {axis} of arrays that have {N} axes");
        return Err(Error::invalid_input(operation, reason));
    }
    check(operation, axis, &arrays, |other| other == axis)?;
    // The arrays are evaluated one after the other, so the first one would be although a later one fails.
    arrays.iter().try_for_each(ArrayExpr::check)?;
    let mut shape = first.shape();
    shape[axis] = arrays.iter().fold(0, |sum: usize, array| sum.saturating_add(array.shape()[axis]));
    // SAFETY: the kernels enqueued next write every element. If they cannot be enqueued, the vector is dropped.
    let vector = unsafe { DeviceVec::uninit(queue, ranked::count(&shape)?) }?;
    let mut joined = Array::from_vec(vector, shape)?;
    let mut rest = joined.view_mut();
    for array in arrays {
        let (part, behind) = rest.split_at(axis, array.shape()[axis])?;
        array.assign_to(operation, part.into_target()?)?;
        rest = behind;
    }
    Ok(joined)
}

/// Returns an error unless the arrays have equal lengths along all axes, except those that `may_differ`.
fn check<T: Element, const N: usize>(
    operation: &'static str,
    axis: usize,
    arrays: &[ArrayExpr<'_, T, N>],
    may_differ: impl Fn(usize) -> bool,
) -> Result<()> {
    for pair in arrays.windows(2) {
        let [a, b] = [pair[0].shape(), pair[1].shape()];
        if let Some(differing) = (0..N).find(|&k| !may_differ(k) && a[k] != b[k]) {
            let reason = format!(
                "shapes {a:?} and {b:?} have lengths {} and {} along axis {differing}; arrays that are joined along axis \
                 {axis} need equal ones",
                a[differing], b[differing]
            );
            return Err(Error::invalid_input(operation, reason));
        }
    }
    Ok(())
}
