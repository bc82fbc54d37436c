//! Elements at computed coordinates along an axis, and differences along an axis.

use crate::array::Array;
use crate::expr::{ArrayExpr, ArrayOperand};
use crate::slice::AxisSlice;
use crate::view::ArrayViewMut;
use cl_algo::{Element, Integer, Item, Number, ranked};
use cl_core::{Error, Result};

impl<'a, T: Item, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the elements at the given coordinates along an axis, one coordinate for each element of the result:
    /// element `[i, j]` for axis 1 is `self[i, indices[i, j]]`.
    ///
    /// The result has the length of `indices` along the axis. Along the other axes, `self` and `indices` are broadcast.
    /// An index out of range, or a negative index, reads the last element instead, and the next call that waits for the
    /// queue returns an error that names the first such index. Other wrong shapes are deferred errors, as are indices
    /// along an axis of length 0.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let at = Array::from_slice(&queue, [2, 1], &[2_u32, 0])?;
    /// assert_eq!(a.iter().take_along_axis(1, &at).to_vec()?, [3, 4]);
    /// let largest = a.argmax_axis(1)?; // the coordinates of the largest elements
    /// assert_eq!(a.iter().take_along_axis(1, largest.iter().insert_axis(1)).to_vec()?, [3, 6]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("gather", "batched_gather"))]
    pub fn take_along_axis<I: Integer>(
        self,
        axis: usize,
        indices: impl ArrayOperand<'a, I, N>,
    ) -> ArrayExpr<'a, T, N> {
        let indices = indices.into_array_expr();
        let (own, at) = (self.shape(), indices.shape());
        if axis >= N {
            return self.without_axis("take_along_axis", axis);
        }
        let fits = |k: usize| k == axis || own[k] == at[k] || own[k] == 1 || at[k] == 1;
        if !(0..N).all(fits) {
            let reason = format!(
                "shape {own:?} and indices of shape {at:?} along axis {axis}: along the other axes, lengths must be \
                 equal, or one of them 1"
            );
            return self.failed(Error::invalid_input("take_along_axis", reason));
        }
        let result: [usize; N] =
            std::array::from_fn(|k| if k == axis || own[k] == 1 { at[k] } else { own[k] });
        let mut source = result;
        source[axis] = own[axis];
        let (expr, indices) = (
            self.broadcast_as("take_along_axis", source).into_inner(),
            indices.broadcast_as("take_along_axis", result).into_inner(),
        );
        // Nothing is read for a result without elements.
        let expr = match result.contains(&0) {
            true => expr,
            false => expr.gather_along_axis(axis, &source, indices),
        };
        ArrayExpr::lazy(expr, result)
    }
}

impl<'a, T: Number, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the differences of neighbours along an axis: element `i` is `self[i + 1] - self[i]`. The result has one
    /// coordinate less along the axis, or none if the axis has length 0.
    ///
    /// An axis that the array does not have is a deferred error.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[1, 4, 9, 16, 25, 36])?;
    /// assert_eq!(a.iter().diff(1).to_vec()?, [3, 5, 9, 11]);
    /// assert_eq!(a.iter().diff(0).to_vec()?, [15, 21, 27]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("ediff1d", "differences"))]
    pub fn diff(self, axis: usize) -> ArrayExpr<'a, T, N> {
        let Some(&len) = self.shape().get(axis) else { return self.without_axis("diff", axis) };
        let part = |start: usize, end: usize| AxisSlice::Range {
            start: start as isize,
            end: Some(end as isize),
            step: 1,
        };
        let upper = self.clone().slice_axis(axis, part(len.min(1), len));
        let lower = self.slice_axis(axis, part(0, len.saturating_sub(1)));
        let shape = lower.shape();
        ArrayExpr::lazy(upper.into_inner() - lower.into_inner(), shape)
    }
}

impl<'a, T: Element, const N: usize> ArrayViewMut<'a, T, N> {
    /// Assigns values to the elements at the given coordinates along an axis, in one kernel: for axis 1, element
    /// `[i, indices[i, j]]` becomes `values[i, j]`.
    ///
    /// `values` are broadcast to the shape of the view with the length of `indices` along the axis, and so are
    /// `indices`. If an element is named several times, an unspecified one of its values is kept. An index out of range,
    /// or a negative index, assigns nothing, and the next call that waits for the queue returns an error that names the
    /// first such index.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut a = Array::filled(&queue, [2, 3], 0)?;
    /// let at = Array::from_slice(&queue, [2, 2], &[2_u32, 0, 1, 2])?;
    /// let values = Array::from_slice(&queue, [2, 2], &[1, 2, 3, 4])?;
    /// a.put_along_axis(1, &at, &values)?;
    /// assert_eq!(a.to_vec()?, [2, 0, 1, 0, 3, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an axis that the view does not have, shapes that do not fit, or an axis of length 0
    /// that values would be assigned to; as [`ArrayViewMut::assign`].
    #[doc(alias("scatter", "scatter_axis", "index_put"))]
    pub fn put_along_axis<I: Integer, const M: usize>(
        self,
        axis: usize,
        indices: impl ArrayOperand<'a, I, N>,
        values: impl ArrayOperand<'a, T, M>,
    ) -> Result<()> {
        let operation = "put_along_axis";
        let indices = indices.into_array_expr();
        let mut shape = self.shape();
        let (Some(len), Some(&count)) = (shape.get_mut(axis), indices.shape().get(axis)) else {
            let reason = format!("axis {axis} of an array that has {N} axes");
            return Err(Error::invalid_input(operation, reason));
        };
        *len = count;
        let indices = indices.broadcast_as(operation, shape).into_inner();
        let values = values.into_array_expr().broadcast_as(operation, shape).into_inner();
        ranked::scatter(operation, self.into_target()?, (axis, count), indices, values)
    }
}

impl<T: Element, const N: usize> Array<T, N> {
    /// Assigns values to the elements at the given coordinates along an axis; see [`ArrayViewMut::put_along_axis`].
    ///
    /// # Errors
    /// As there.
    pub fn put_along_axis<'a, I: Integer, const M: usize>(
        &'a mut self,
        axis: usize,
        indices: impl ArrayOperand<'a, I, N>,
        values: impl ArrayOperand<'a, T, M>,
    ) -> Result<()> {
        self.view_mut().put_along_axis(axis, indices, values)
    }
}
