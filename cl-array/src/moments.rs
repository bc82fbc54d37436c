//! Means, variances, standard deviations and norms.

use crate::array::Array;
use crate::expr::ArrayExpr;
use crate::rank::{Rank, Reduce};
use crate::reduce::{Reduced, itself};
use cl_algo::reducers::{Norm, Reducer, Values, Variance};
use cl_algo::{Castable, Float, Val, ranked};
use cl_core::Result;

/// The number of elements, their mean, and their squared differences from it, each with its rounding error.
type Moments<T> = <Variance as Reducer<T>>::State;
type Squares<T> = <Norm as Reducer<T>>::State;

impl<'a, T: Float + Castable, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the mean of all elements, `None` for zero elements.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    #[doc(alias("average", "avg"))]
    pub fn mean(self) -> Result<Option<T>> {
        let count = ranked::count(&self.shape())?;
        self.fold_all("mean", |a, b| a + b, |sum| sum / number(count))
    }

    /// Returns the means along an axis.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 3.0, 5.0, 9.0])?;
    /// assert_eq!(a.mean_axis(1)?.to_vec()?, [2.0, 7.0]);
    /// assert_eq!(a.mean()?, Some(4.5));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axis`].
    pub fn mean_axis(self, axis: usize) -> Result<Reduced<T, N>>
    where
        Rank<N>: Reduce,
    {
        let count = self.len_along(axis);
        self.fold_axis_with("mean_axis", axis, None, |a, b| a + b, |sum| sum / number(count))
    }

    /// Returns the means along several axes. The result has the other `M` axes.
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axes`].
    pub fn mean_axes<const M: usize>(self, axes: &[usize]) -> Result<Array<T, M>> {
        let count = self.len_of(axes);
        self.fold_axes_with("mean_axes", axes, None, |a, b| a + b, |sum| sum / number(count))
    }

    /// Returns the variance of all elements, `None` for zero elements: the sum of the squared differences from the mean,
    /// divided by the number of elements minus `ddof`. It is not finite if that divisor is not positive.
    ///
    /// Read once, and computed as [`Expr::variance`](cl_algo::Expr::variance) is: a mean far from zero does not
    /// cancel the variance.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    #[doc(alias = "var")]
    pub fn variance(self, ddof: usize) -> Result<Option<T>> {
        let count = ranked::count(&self.shape())?;
        self.moments().fold_all("variance", combined::<T>, divided_by::<T>(count, ddof))
    }

    /// Returns the variances along an axis: the sums of the squared differences from the mean, divided by the length of
    /// the axis minus `ddof`. See [`ArrayExpr::variance`].
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 3.0, 10_001.0, 10_005.0])?;
    /// assert_eq!(a.variance_axis(1, 0)?.to_vec()?, [1.0, 4.0]); // of populations
    /// assert_eq!(a.variance_axis(1, 1)?.to_vec()?, [2.0, 8.0]); // of samples
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axis`].
    #[doc(alias = "var_axis")]
    pub fn variance_axis(self, axis: usize, ddof: usize) -> Result<Reduced<T, N>>
    where
        Rank<N>: Reduce,
    {
        let count = self.len_along(axis);
        self.moments().fold_axis_with(
            "variance_axis",
            axis,
            None,
            combined::<T>,
            divided_by::<T>(count, ddof),
        )
    }

    /// Returns the variances along several axes. The result has the other `M` axes. See [`ArrayExpr::variance`].
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axes`].
    pub fn variance_axes<const M: usize>(self, axes: &[usize], ddof: usize) -> Result<Array<T, M>> {
        let finish = divided_by::<T>(self.len_of(axes), ddof);
        self.moments().fold_axes_with("variance_axes", axes, None, combined::<T>, finish)
    }

    /// Returns the standard deviation of all elements, `None` for zero elements: the square root of the
    /// [`variance`](ArrayExpr::variance) with the same `ddof`.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    #[doc(alias = "standard_deviation")]
    pub fn std(self, ddof: usize) -> Result<Option<T>> {
        let finish = divided_by::<T>(ranked::count(&self.shape())?, ddof);
        self.moments().fold_all("std", combined::<T>, |moments| finish(moments).sqrt())
    }

    /// Returns the standard deviations along an axis: the square roots of the [variances](ArrayExpr::variance_axis).
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 3.0, 10_001.0, 10_005.0])?;
    /// assert_eq!(a.std_axis(1, 0)?.to_vec()?, [1.0, 2.0]);
    /// let standard = ((&a - a.mean_axis(1)?.insert_axis(1)) / a.std_axis(1, 0)?.insert_axis(1)).collect()?;
    /// assert_eq!(standard.to_vec()?, [-1.0, 1.0, -1.0, 1.0]);
    /// assert_eq!(a.std_axes::<0>(&[0, 1], 0)?.to_vec()?, [a.std(0)?.unwrap_or(0.0)]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axis`].
    pub fn std_axis(self, axis: usize, ddof: usize) -> Result<Reduced<T, N>>
    where
        Rank<N>: Reduce,
    {
        let finish = divided_by::<T>(self.len_along(axis), ddof);
        let root = |moments| finish(moments).sqrt();
        self.moments().fold_axis_with("std_axis", axis, None, combined::<T>, root)
    }

    /// Returns the standard deviations along several axes. The result has the other `M` axes. See [`ArrayExpr::std`].
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axes`].
    pub fn std_axes<const M: usize>(self, axes: &[usize], ddof: usize) -> Result<Array<T, M>> {
        let finish = divided_by::<T>(self.len_of(axes), ddof);
        let root = |moments| finish(moments).sqrt();
        self.moments().fold_axes_with("std_axes", axes, None, combined::<T>, root)
    }

    /// Returns the square root of the sum of the squares of all elements, 0 for zero elements. The squares neither overflow
    /// nor lose digits: see [`Norm`].
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    #[doc(alias("norm_l2", "length", "frobenius"))]
    pub fn norm(self) -> Result<T> {
        let norm = self.sums_of_squares().fold_all("norm", added::<T>, root::<T>)?;
        Ok(norm.unwrap_or(T::zeroed()))
    }

    /// Returns the square roots of the sums of the squares along an axis. See [`ArrayExpr::norm`].
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[3.0_f32, 4.0, 6.0, 8.0])?;
    /// assert_eq!(a.norm_axis(1)?.to_vec()?, [5.0, 10.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axis`], but the norm along an axis of length 0 is 0.
    pub fn norm_axis(self, axis: usize) -> Result<Reduced<T, N>>
    where
        Rank<N>: Reduce,
    {
        let zero = Some(T::zeroed());
        self.sums_of_squares().fold_axis_with("norm_axis", axis, zero, added::<T>, root::<T>)
    }

    /// Returns the sum of the absolute values of all elements, 0 for zero elements.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    pub fn norm_l1(self) -> Result<T> {
        let norm = self.map(magnitude).fold_all("norm_l1", |a, b| a + b, itself)?;
        Ok(norm.unwrap_or(T::zeroed()))
    }

    /// Returns the sums of the absolute values along an axis.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[3.0_f32, -4.0, -6.0, 8.0])?;
    /// assert_eq!(a.norm_l1_axis(1)?.to_vec()?, [7.0, 14.0]);
    /// assert_eq!(a.norm_max_axis(1)?.to_vec()?, [4.0, 8.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::norm_axis`].
    pub fn norm_l1_axis(self, axis: usize) -> Result<Reduced<T, N>>
    where
        Rank<N>: Reduce,
    {
        let zero = Some(T::zeroed());
        self.map(magnitude).fold_axis_with("norm_l1_axis", axis, zero, |a, b| a + b, itself)
    }

    /// Returns the largest absolute value, 0 for zero elements. NaN is ignored, unless all elements are NaN.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    #[doc(alias("norm_inf", "norm_infinity"))]
    pub fn norm_max(self) -> Result<T> {
        let norm = self.map(magnitude).fold_all("norm_max", Val::max, itself)?;
        Ok(norm.unwrap_or(T::zeroed()))
    }

    /// Returns the largest absolute values along an axis. See [`ArrayExpr::norm_max`].
    ///
    /// # Errors
    /// As [`ArrayExpr::norm_axis`].
    #[doc(alias("norm_inf", "norm_infinity"))]
    pub fn norm_max_axis(self, axis: usize) -> Result<Reduced<T, N>>
    where
        Rank<N>: Reduce,
    {
        let zero = Some(T::zeroed());
        self.map(magnitude).fold_axis_with("norm_max_axis", axis, zero, Val::max, itself)
    }

    fn sums_of_squares(self) -> ArrayExpr<'a, Squares<T>, N> {
        self.map(|x: Val<T>| Reducer::<T>::start(&Norm, x, Val::known(0)))
    }

    fn moments(self) -> ArrayExpr<'a, Moments<T>, N> {
        self.map(|x: Val<T>| Reducer::<T>::start(&Variance::population(), x, Val::known(0)))
    }

    pub(crate) fn len_along(&self, axis: usize) -> usize {
        // The fold returns an error for an axis that the array does not have.
        self.shape().get(axis).copied().unwrap_or(1)
    }

    /// Returns the number of elements along several axes.
    fn len_of(&self, axes: &[usize]) -> usize {
        // The fold returns an error for an axis that is given twice.
        axes.iter().map(|&axis| self.len_along(axis)).fold(1, usize::saturating_mul)
    }
}

/// Returns the absolute value.
pub(crate) fn magnitude<T: Float + Castable>(x: Val<T>) -> Val<T> {
    x.max(-x)
}

fn added<T: Float + Castable>(a: Values<Squares<T>>, b: Values<Squares<T>>) -> Values<Squares<T>> {
    Reducer::<T>::combine(&Norm, a, b)
}

/// Returns the norm of sums of squares.
fn root<T: Float + Castable>(sums: Values<Squares<T>>) -> Val<T> {
    Reducer::<T>::finish(&Norm, sums, Val::known(0))
}

/// Returns a count as a symbolic value of the closure that is being recorded.
pub(crate) fn number<T: Float + Castable>(count: usize) -> Val<T> {
    Val::known(count as u64).cast()
}

fn combined<T: Float + Castable>(a: Values<Moments<T>>, b: Values<Moments<T>>) -> Values<Moments<T>> {
    Reducer::<T>::combine(&Variance::population(), a, b)
}

/// Returns the function from moments of `count` elements to the variance with `ddof` degrees of freedom less.
fn divided_by<T: Float + Castable>(count: usize, ddof: usize) -> impl FnOnce(Values<Moments<T>>) -> Val<T> {
    let divisor = Val::known(count.saturating_sub(ddof) as u64);
    move |moments| Reducer::<T>::finish(&Variance::population(), moments, divisor).1
}
