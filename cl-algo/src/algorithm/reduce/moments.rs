//! Mean and variance in one pass.

use super::reducer::{Reducer, Values};
use crate::element::Float;
use crate::expr::{Castable, Expr, Val};
use cl_core::Result;

/// Mean and variance, in one pass; see [`Expr::variance`].
///
/// The states of two parts are merged by their means, never by sums of squares, which would cancel
/// (Chan, Golub, LeVeque: "Updating Formulae and a Pairwise Algorithm for Computing Sample Variances",
/// Stanford CS-79-773, 1979; for one element at a time this is Welford's method, Technometrics 4, 1962).
#[derive(Clone, Copy, Debug)]
pub struct Variance {
    /// What is subtracted from the number of elements.
    less: u64,
}

impl Variance {
    /// The variance of all there is: divided by the number of elements.
    #[must_use]
    pub fn population() -> Variance {
        Variance { less: 0 }
    }

    /// The variance of what the elements are a sample of: divided by their number less one (Bessel). Of
    /// one element it is NaN.
    #[must_use]
    pub fn sample() -> Variance {
        Variance { less: 1 }
    }
}

impl<T: Float + Castable> Reducer<T> for Variance {
    /// The number of elements, their mean, and the sum of squared differences from it.
    type State = (T, T, T);
    /// The mean and the variance.
    type Output = (T, T);

    fn start(&self, item: Val<T>, _: Val<u64>) -> Values<(T, T, T)> {
        (Val::known(1_u8).cast(), item, Val::known(T::zeroed()))
    }

    fn combine(&self, a: Values<(T, T, T)>, b: Values<(T, T, T)>) -> Values<(T, T, T)> {
        let ((count_a, mean_a, squares_a), (count_b, mean_b, squares_b)) = (a, b);
        let count = count_a + count_b;
        let (apart, weight) = (mean_b - mean_a, count_b / count);
        let mean = mean_a + apart * weight;
        (count, mean, squares_a + squares_b + apart * apart * (count_a * weight))
    }

    fn finish(&self, (_, mean, squares): Values<(T, T, T)>, len: Val<u64>) -> Values<(T, T)> {
        (mean, squares / (len - self.less).cast::<T>())
    }
}

impl<T: Float + Castable> Expr<'_, T> {
    /// The variance of all elements as a population; none if there are no elements. Blocks.
    ///
    /// It is computed in one pass by merging means and squared differences from them, so it is as
    /// accurate where the elements are far from 0 as where they are near; see
    /// [`Variance`](crate::reducers::Variance).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[10_001.0_f32, 10_003.0])?;
    /// assert_eq!(x.iter().variance()?, Some(1.0));
    /// assert_eq!(x.iter().sample_variance()?, Some(2.0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn variance(self) -> Result<Option<T>> {
        Ok(self.mean_and_variance()?.map(|(_, variance)| variance))
    }

    /// The variance of what the elements are a sample of; none if there are fewer than two. As
    /// [`Expr::variance`].
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn sample_variance(self) -> Result<Option<T>> {
        if self.len() == Some(1) {
            // What is wrong with it is wrong with one element, too.
            return self.graph().check().map(|()| None);
        }
        Ok(self.reduce_with(Variance::sample())?.map(|(_, variance)| variance))
    }

    /// The mean, and the variance of all elements as a population, in one pass; none if there are no
    /// elements. As [`Expr::variance`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 3.0])?;
    /// assert_eq!(x.iter().mean_and_variance()?, Some((2.0, 1.0)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn mean_and_variance(self) -> Result<Option<(T, T)>> {
        self.reduce_with(Variance::population())
    }
}
