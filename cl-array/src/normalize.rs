//! Softmax, its logarithms, and normalization along an axis.

use crate::array::Array;
use crate::expr::ArrayExpr;
use crate::moments::{magnitude, number};
use crate::rank::{Rank, Reduce};
use crate::reduce::Reduced;
use cl_algo::{Castable, Float, Val};
use cl_core::Result;

impl<'a, T: Float + Castable, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the exponentials of the elements, divided by their sum along an axis: positive numbers whose sum is 1 in each
    /// line. See [`fold_along`](ArrayExpr::fold_along) for the number of kernels.
    ///
    /// The largest element of a line is subtracted first, so that no exponential overflows. A line with NaN or +∞, or of -∞
    /// alone, is NaN.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1000.0_f32, 1000.0, 0.0, f32::NEG_INFINITY])?;
    /// assert_eq!(a.softmax(1)?.to_vec()?, [0.5, 0.5, 1.0, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for an axis that the array does not have; as
    /// [`ArrayExpr::collect`].
    pub fn softmax(self, axis: usize) -> Result<Array<T, N>> {
        let folded = self.fold_along(axis, |x| x, Val::max).fold(power::<T>, |a, b| a + b);
        folded.map(|x, (greatest, sum)| power(x, greatest) / sum)
    }

    /// Returns the natural logarithms of the [softmax](ArrayExpr::softmax) along an axis, which are precise where the softmax
    /// is near 0 or is too small for a float.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [1, 2], &[1000.0_f32, 0.0])?;
    /// assert_eq!(a.log_softmax(1)?.to_vec()?, [0.0, -1000.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::softmax`].
    pub fn log_softmax(self, axis: usize) -> Result<Array<T, N>> {
        let folded = self.fold_along(axis, |x| x, Val::max).fold(power::<T>, |a, b| a + b);
        folded.map(|x, (greatest, sum)| (x - greatest) - sum.log())
    }

    /// Returns the elements minus the mean of their line along an axis, divided by the square root of the line's variance plus
    /// `epsilon`. The variance is that of a population, and is computed from the differences, so that a mean far from zero
    /// does not cancel it.
    ///
    /// Weights and a bias belong into the same kernel: see [`fold_along`](ArrayExpr::fold_along).
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 3.0, 10_001.0, 10_005.0])?;
    /// assert_eq!(a.layer_norm(1, 0.0)?.to_vec()?, [-1.0, 1.0, -1.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::softmax`].
    #[doc(alias("zscore", "standardize", "normalize"))]
    pub fn layer_norm(self, axis: usize, epsilon: T) -> Result<Array<T, N>> {
        let count = self.len_along(axis);
        let square = |x: Val<T>, sum: Val<T>| {
            let difference = x - sum / number(count);
            difference * difference
        };
        let folded = self.fold_along(axis, |x| x, |a, b| a + b).fold(square, |a, b| a + b);
        folded.map(|x, (sum, squares): (Val<T>, Val<T>)| {
            (x - sum / number(count)) / (squares / number(count) + epsilon).sqrt()
        })
    }

    /// Returns the natural logarithm of the sum of the exponentials of all elements; -∞ for zero elements. No exponential
    /// overflows.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1000.0_f32, 1000.0, 0.0, 0.0])?;
    /// assert_eq!(a.logsumexp()?, 1000.0 + 2.0_f32.ln());
    /// assert_eq!(a.logsumexp_axis(1)?.to_vec()?, [1000.0 + 2.0_f32.ln(), 2.0_f32.ln()]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    pub fn logsumexp(self) -> Result<T> {
        let sum = self.map(powers::<T>).fold_all("logsumexp", added::<T>, logarithm::<T>)?;
        Ok(sum.unwrap_or(nothing()))
    }

    /// Returns the natural logarithms of the sums of the exponentials along an axis; -∞ for an axis of length 0. No
    /// exponential overflows.
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axis`], but the result along an axis of length 0 is -∞.
    pub fn logsumexp_axis(self, axis: usize) -> Result<Reduced<T, N>>
    where
        Rank<N>: Reduce,
    {
        let empty = Some(nothing());
        self.map(powers::<T>).fold_axis_with("logsumexp_axis", axis, empty, added::<T>, logarithm::<T>)
    }

    /// Returns the natural logarithms of the sums of the exponentials along several axes. The result has the other `M` axes.
    /// See [`ArrayExpr::logsumexp_axis`].
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axes`], but the result along an axis of length 0 is -∞.
    pub fn logsumexp_axes<const M: usize>(self, axes: &[usize]) -> Result<Array<T, M>> {
        let empty = Some(nothing());
        self.map(powers::<T>).fold_axes_with("logsumexp_axes", axes, empty, added::<T>, logarithm::<T>)
    }
}

fn power<T: Float>(x: Val<T>, greatest: Val<T>) -> Val<T> {
    (x - greatest).exp()
}

/// A sum of exponentials: the greatest exponent, and the sum divided by its exponential.
type Powers<T> = (Val<T>, Val<T>);

fn powers<T: Float + Castable>(x: Val<T>) -> Powers<T> {
    (x, number(1))
}

fn added<T: Float + Castable>(a: Powers<T>, b: Powers<T>) -> Powers<T> {
    let is_first = a.0.ge(b.0);
    // Equal infinities have no difference.
    let distance = a.0.eq(b.0).select(number::<T>(0), magnitude(a.0 - b.0));
    let factor = (-distance).exp();
    let (more, less) = (is_first.select(a.1, b.1), is_first.select(b.1, a.1));
    (is_first.select(a.0, b.0), more + less * factor)
}

fn logarithm<T: Float>((greatest, sum): Powers<T>) -> Val<T> {
    greatest + sum.log()
}

/// Returns the logarithm of 0.
fn nothing<T: Float>() -> T {
    -T::INFINITY
}
