//! Scans along an axis: running sums, and running results of any associative operator.

use crate::array::Array;
use crate::expr::ArrayExpr;
use crate::reduce::itself;
use cl_algo::ranked::{self, Layout, RankedTarget};
use cl_algo::{DeviceVec, Element, Expr, Item, Number, Ordered, Recorded, Val};
use cl_core::Result;

impl<'a, T: Item, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns running results along an axis, as a new array of the same shape: element `i` of a line is the combination
    /// of the elements 0 to `i`.
    ///
    /// The operator must be associative. It need not commute: its first argument is the result of the elements before
    /// the second. It is recorded once, as the closures of [`ArrayExpr::map`] are. The elements of the expression are
    /// not stored. The scan is one kernel, or two if there are few lines. The order of operations depends on the shape
    /// and the device only.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[3, 1, 4, 1, 5, 9])?;
    /// let largest = a.iter().inclusive_scan_axis(1, |x, y| x.max(y))?;
    /// assert_eq!(largest.to_vec()?, [3, 3, 4, 1, 5, 9]);
    /// assert_eq!(a.iter().inclusive_scan_axis(0, |x, y| x + y)?.to_vec()?, [3, 1, 4, 4, 6, 13]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for an axis that the array does not have; as
    /// [`ArrayExpr::collect`].
    #[doc(alias("accumulate", "accumulate_axis_inplace", "prefix_sum"))]
    pub fn inclusive_scan_axis(
        self,
        axis: usize,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    ) -> Result<Array<T, N>>
    where
        T: Element,
        T::Values: Recorded<Item = T>,
    {
        self.scan_into("inclusive_scan_axis", axis, None, operator, itself)
    }

    /// Computes running results of items of any kind along an axis, such as tuples, and returns what `finish` computes of
    /// each result. See [`ArrayExpr::inclusive_scan_axis`].
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// // A recursive filter of each row: y[i] = y[i - 1] / 2 + x[i]. The items are the functions y -> a y + b.
    /// let x = Array::from_slice(&queue, [2, 3], &[4.0_f32, 0.0, 0.0, 0.0, 8.0, 1.0])?;
    /// type Step = (Val<f32>, Val<f32>);
    /// let y = x.map(|x| (Val::known(0.5_f32), x)).inclusive_scan_axis_with(
    ///     1,
    ///     |(a, b): Step, (c, d): Step| (a * c, b * c + d),
    ///     |(_, b): Step| b,
    /// )?;
    /// assert_eq!(y.to_vec()?, [4.0, 2.0, 1.0, 0.0, 8.0, 5.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::inclusive_scan_axis`].
    #[doc(alias("lfilter", "recurrence"))]
    pub fn inclusive_scan_axis_with<R: Recorded>(
        self,
        axis: usize,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
        finish: impl FnOnce(T::Values) -> R,
    ) -> Result<Array<R::Item, N>>
    where
        R::Item: Element,
    {
        self.scan_into("inclusive_scan_axis_with", axis, None, operator, finish)
    }

    /// Returns the results before each element along an axis, as a new array of the same shape: element `i` of a line is
    /// the combination of `initial` and the elements 0 to `i - 1`. See [`ArrayExpr::inclusive_scan_axis`].
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let lengths = Array::from_slice(&queue, [2, 3], &[3, 1, 4, 1, 5, 9])?;
    /// let begins = lengths.iter().exclusive_scan_axis(1, 10, |x, y| x + y)?;
    /// assert_eq!(begins.to_vec()?, [10, 13, 14, 10, 11, 16]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::inclusive_scan_axis`].
    #[doc(alias("prefix_sum"))]
    pub fn exclusive_scan_axis(
        self,
        axis: usize,
        initial: T,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    ) -> Result<Array<T, N>>
    where
        T: Element,
        T::Values: Recorded<Item = T>,
    {
        self.scan_into("exclusive_scan_axis", axis, Some(cl_algo::zip(initial)), operator, itself)
    }

    fn scan_into<R: Recorded>(
        self,
        operation: &'static str,
        axis: usize,
        initial: Option<Expr<'a, T>>,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
        finish: impl FnOnce(T::Values) -> R,
    ) -> Result<Array<R::Item, N>>
    where
        R::Item: Element,
    {
        let shape = self.shape();
        let expr = self.into_inner();
        let queue = ranked::queue_of(operation, &expr)?;
        let layout = Layout::row_major(&shape)?;
        // SAFETY: the kernels enqueued next write every element. If they cannot be enqueued, the vector is dropped.
        let vector = unsafe { DeviceVec::<R::Item>::uninit(queue, layout.len()) }?;
        // SAFETY: nothing else knows the vector.
        let target = unsafe { RankedTarget::new(&vector, layout) };
        ranked::scan::<T, R>(operation, target, expr, (&shape, axis), initial, operator, finish)?;
        Array::from_vec(vector, shape)
    }
}

impl<'a, T: Number, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the running sums along an axis; integers wrap around.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(a.cumulative_sum(1)?.to_vec()?, [1, 3, 6, 4, 9, 15]);
    /// assert_eq!(a.map(|x| x * x).cumulative_sum(0)?.to_vec()?, [1, 4, 9, 17, 29, 45]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::inclusive_scan_axis`].
    #[doc(alias("cumsum", "inclusive_scan"))]
    pub fn cumulative_sum(self, axis: usize) -> Result<Array<T, N>> {
        self.scan_into("cumulative_sum", axis, None, |a, b| a + b, itself)
    }

    /// Returns the running products along an axis; integers wrap around. See [`ArrayExpr::cumulative_sum`].
    ///
    /// # Errors
    /// As [`ArrayExpr::inclusive_scan_axis`].
    #[doc(alias("cumprod", "cumulative_prod"))]
    pub fn cumulative_product(self, axis: usize) -> Result<Array<T, N>> {
        self.scan_into("cumulative_product", axis, None, |a, b| a * b, itself)
    }
}

impl<'a, T: Ordered, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the smallest elements so far along an axis. NaN is ignored, as by
    /// [`ArrayExpr::min_axis`](ArrayExpr::min_axis).
    ///
    /// # Errors
    /// As [`ArrayExpr::inclusive_scan_axis`].
    #[doc(alias("cummin", "minimum.accumulate"))]
    pub fn cumulative_min(self, axis: usize) -> Result<Array<T, N>> {
        self.scan_into("cumulative_min", axis, None, Val::min, itself)
    }

    /// Returns the largest elements so far along an axis. NaN is ignored, as by
    /// [`ArrayExpr::max_axis`](ArrayExpr::max_axis).
    ///
    /// # Errors
    /// As [`ArrayExpr::inclusive_scan_axis`].
    #[doc(alias("cummax", "maximum.accumulate"))]
    pub fn cumulative_max(self, axis: usize) -> Result<Array<T, N>> {
        self.scan_into("cumulative_max", axis, None, Val::max, itself)
    }
}
