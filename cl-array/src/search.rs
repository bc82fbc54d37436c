//! Reductions that answer questions: where the extremes are, and whether or how often a condition is true.

use crate::array::Array;
use crate::expr::ArrayExpr;
use crate::rank::{Rank, Reduce};
use crate::reduce::{Reduced, itself};
use cl_algo::reducers::{MaxElement, MinElement, Reducer};
use cl_algo::{Ordered, Val, iota, ranked};
use cl_core::Result;

impl<'a, T: Ordered + PartialEq, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the coordinates of the smallest elements along an axis. Of equal elements it is the first one.
    ///
    /// NaN is ignored, unless all elements of a line are NaN: the coordinate is then 0.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[5, 1, 1, 2, 4, 9])?;
    /// assert_eq!(a.argmin_axis(1)?.to_vec()?, [1, 0]);
    /// assert_eq!(a.argmax_axis(1)?.to_vec()?, [0, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axis`].
    pub fn argmin_axis(self, axis: usize) -> Result<Reduced<u64, N>>
    where
        Rank<N>: Reduce,
    {
        if self.has_short_axes() {
            self.index_axis_by("argmin_axis", axis, &MinElement::<u32>::new())
        } else {
            self.index_axis_by("argmin_axis", axis, &MinElement::<u64>::new())
        }
    }

    /// Returns the coordinates of the largest elements along an axis. Of equal elements it is the first one. See
    /// [`ArrayExpr::argmin_axis`].
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axis`].
    pub fn argmax_axis(self, axis: usize) -> Result<Reduced<u64, N>>
    where
        Rank<N>: Reduce,
    {
        if self.has_short_axes() {
            self.index_axis_by("argmax_axis", axis, &MaxElement::<u32>::new())
        } else {
            self.index_axis_by("argmax_axis", axis, &MaxElement::<u64>::new())
        }
    }

    /// Returns the coordinates of the smallest element, `None` for zero elements. Of equal elements it is the first one in
    /// row-major order.
    ///
    /// NaN is ignored, unless all elements are NaN: all coordinates are then 0.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[5, 1, 1, 2, 4, 9])?;
    /// assert_eq!(a.argmin()?, Some([0, 1]));
    /// assert_eq!(a.argmax()?, Some([1, 2]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    #[doc(alias("min_element", "unravel_index"))]
    pub fn argmin(self) -> Result<Option<[usize; N]>> {
        if self.has_few_elements() {
            self.index_by("argmin", &MinElement::<u32>::new())
        } else {
            self.index_by("argmin", &MinElement::<u64>::new())
        }
    }

    /// Returns the coordinates of the largest element, `None` for zero elements. Of equal elements it is the first one in
    /// row-major order. See [`ArrayExpr::argmin`].
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    #[doc(alias("max_element", "unravel_index"))]
    pub fn argmax(self) -> Result<Option<[usize; N]>> {
        if self.has_few_elements() {
            self.index_by("argmax", &MaxElement::<u32>::new())
        } else {
            self.index_by("argmax", &MaxElement::<u64>::new())
        }
    }

    /// Returns the coordinates of the element whose number a reducer computes, as the first field of its output.
    fn index_by<R>(self, operation: &'static str, reducer: &R) -> Result<Option<[usize; N]>>
    where
        R: Reducer<T, Output = (u64, T)>,
    {
        let shape = self.shape();
        let numbers = iota(0_u64, ranked::count(&shape)?).with_shape(&shape);
        let states = self.into_inner().zip(numbers).map(|(item, number)| reducer.start(item, number));
        let number = ArrayExpr::lazy(states, shape).fold_all(
            operation,
            |a, b| reducer.combine(a, b),
            |state| reducer.finish(state, Val::known(0)).0,
        )?;
        Ok(number.map(|number| {
            let (mut rest, mut coordinates) = (number as usize, [0; N]);
            for axis in (0..N).rev() {
                coordinates[axis] = rest % shape[axis];
                rest /= shape[axis];
            }
            coordinates
        }))
    }

    /// Returns whether `u32`, which is faster, can number all elements.
    fn has_few_elements(&self) -> bool {
        u32::try_from(self.len()).is_ok()
    }

    /// Returns the indices that a reducer computes along an axis, as the first field of its output.
    fn index_axis_by<R>(self, operation: &'static str, axis: usize, reducer: &R) -> Result<Reduced<u64, N>>
    where
        R: Reducer<T, Output = (u64, T)>,
        Rank<N>: Reduce,
    {
        let shape = self.shape();
        let along = ranked::coordinate::<u64>(axis.min(N - 1), N);
        let states = self.into_inner().zip(along).map(|(item, index)| reducer.start(item, index));
        ArrayExpr::lazy(states, shape).fold_axis_following(
            operation,
            axis,
            |a, b| reducer.combine(a, b),
            |a, b| reducer.follow(a, b),
            |state| reducer.finish(state, Val::known(0)).0,
        )
    }

    /// Returns whether `u32`, which is faster, can hold all coordinates.
    fn has_short_axes(&self) -> bool {
        self.shape().iter().all(|&len| u32::try_from(len).is_ok())
    }
}

impl<'a, const N: usize> ArrayExpr<'a, bool, N> {
    /// Returns whether at least one element is true.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    pub fn any(self) -> Result<bool> {
        Ok(self.fold_all("any", |a, b| a | b, itself)?.unwrap_or(false))
    }

    /// Returns whether at least one element along an axis is true.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1, -1, 3, 4])?;
    /// assert_eq!(a.iter().lt(0).any_axis(1)?.to_vec()?, [true, false]);
    /// assert_eq!(a.iter().lt(4).all_axis(1)?.to_vec()?, [true, false]);
    /// assert_eq!(a.iter().gt(0).count_axis(1)?.to_vec()?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axis`], but along an axis of length 0 it is `false`.
    pub fn any_axis(self, axis: usize) -> Result<Reduced<bool, N>>
    where
        Rank<N>: Reduce,
    {
        self.fold_axis_with("any_axis", axis, Some(false), |a, b| a | b, itself)
    }

    /// Returns whether at least one element along several axes is true. The result has the other `M` axes.
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axes`], but along an axis of length 0 it is `false`.
    pub fn any_axes<const M: usize>(self, axes: &[usize]) -> Result<Array<bool, M>> {
        self.fold_axes_with("any_axes", axes, Some(false), |a, b| a | b, itself)
    }

    /// Returns whether all elements are true.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    pub fn all(self) -> Result<bool> {
        Ok(self.fold_all("all", |a, b| a & b, itself)?.unwrap_or(true))
    }

    /// Returns whether all elements along an axis are true. See [`ArrayExpr::any_axis`].
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axis`], but along an axis of length 0 it is `true`.
    pub fn all_axis(self, axis: usize) -> Result<Reduced<bool, N>>
    where
        Rank<N>: Reduce,
    {
        self.fold_axis_with("all_axis", axis, Some(true), |a, b| a & b, itself)
    }

    /// Returns whether all elements along several axes are true. The result has the other `M` axes.
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axes`], but along an axis of length 0 it is `true`.
    pub fn all_axes<const M: usize>(self, axes: &[usize]) -> Result<Array<bool, M>> {
        self.fold_axes_with("all_axes", axes, Some(true), |a, b| a & b, itself)
    }

    /// Returns the number of true elements.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    #[doc(alias = "count_nonzero")]
    pub fn count(self) -> Result<u64> {
        Ok(self.ones().fold_all("count", |a, b| a + b, itself)?.unwrap_or(0))
    }

    /// Returns the numbers of true elements along an axis. See [`ArrayExpr::any_axis`].
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axis`], but along an axis of length 0 it is 0.
    #[doc(alias = "count_nonzero")]
    pub fn count_axis(self, axis: usize) -> Result<Reduced<u64, N>>
    where
        Rank<N>: Reduce,
    {
        self.ones().fold_axis_with("count_axis", axis, Some(0), |a, b| a + b, itself)
    }

    /// Returns the numbers of true elements along several axes. The result has the other `M` axes.
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axes`], but along an axis of length 0 it is 0.
    #[doc(alias = "count_nonzero")]
    pub fn count_axes<const M: usize>(self, axes: &[usize]) -> Result<Array<u64, M>> {
        self.ones().fold_axes_with("count_axes", axes, Some(0), |a, b| a + b, itself)
    }

    /// Returns 1 for true and 0 for false.
    fn ones(self) -> ArrayExpr<'a, u64, N> {
        self.cast()
    }
}
