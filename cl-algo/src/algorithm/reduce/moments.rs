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
    /// The number of elements, their mean, and the sum of squared differences from the mean. Beside each is what
    /// has to be subtracted from it: what roundings have added, and for the mean of few elements the distance of the
    /// first element from the mean. The number and the mean subtract it from the next term (Kahan, "Further remarks
    /// on reducing truncation errors", Comm. ACM 8, 1965), the squares at the end, so that an infinite sum stays one.
    type State = ((T, T), (T, T), (T, T));
    /// The mean and the variance.
    type Output = (T, T);

    fn start(&self, item: Val<T>, _: Val<u64>) -> Values<Self::State> {
        ((Val::constant(1_u8).cast(), zero()), (item, zero()), (zero(), zero()))
    }

    fn combine(&self, a: Values<Self::State>, b: Values<Self::State>) -> Values<Self::State> {
        let ((count_a, mean_a, squares_a), (count_b, mean_b, squares_b)) = (a, b);
        let count = plus(count_a, count_b.0 - count_b.1);
        let apart = (mean_b.0 - mean_a.0) - (mean_b.1 - mean_a.1);
        let step = apart * (count_b.0 / count.0);
        // All of this is positive, so the rounding of what is added matters little; that of the total adds up.
        let added = squares_b.0 + apart * step * count_a.0;
        let squares = squares_a.0 + added;
        let excess = ((squares - squares_a.0) - added) + (squares_a.1 + squares_b.1);
        (count, plus(mean_a, step), (squares, excess))
    }

    /// Keeps the mean of `a` and changes what is subtracted from it only: that is small, and so are its roundings. The
    /// count of few items is exact, and the squares are all positive.
    fn combine_few(&self, a: Values<Self::State>, b: Values<Self::State>) -> Values<Self::State> {
        let (((count_a, _), mean_a, (squares_a, _)), ((count_b, _), mean_b, (squares_b, _))) = (a, b);
        let count = count_a + count_b;
        let apart = (mean_b.0 - mean_a.0) - (mean_b.1 - mean_a.1);
        let weight = count_b / count;
        let squares = squares_a + squares_b + apart * apart * (count_a * weight);
        ((count, zero()), (mean_a.0, mean_a.1 - apart * weight), (squares, zero()))
    }

    fn is_easier_for_few(&self) -> bool {
        true
    }

    fn finish(&self, (_, mean, squares): Values<Self::State>, len: Val<u64>) -> Values<(T, T)> {
        (settled(mean), settled(squares) / (len - self.less).cast::<T>())
    }
}

/// Returns zero as a part of the kernel's source: then compilers leave out additions of it.
fn zero<T: Float>() -> Val<T> {
    Val::constant(T::zeroed())
}

/// A total, corrected, and another term. What rounding adds to the new total is exact where the term is the smaller one.
fn plus<T: Float>((total, excess): (Val<T>, Val<T>), term: Val<T>) -> (Val<T>, Val<T>) {
    let term = term - excess;
    let sum = total + term;
    (sum, (sum - total) - term)
}

/// A total without what roundings have added. Once a total is infinite or NaN, that is not a number.
fn settled<T: Float + Castable>((total, excess): (Val<T>, Val<T>)) -> Val<T> {
    excess.eq(excess).select(total - excess, total)
}

impl<T: Float + Castable> Expr<'_, T> {
    /// The variance of all elements as a population; none if there are no elements. Blocks.
    ///
    /// It is computed in one pass, by merging means and squared differences from them. What roundings lose from one
    /// tile of elements to the next is carried along; see [`Variance`](crate::reducers::Variance). Of `f32` with a
    /// mean of up to 10^4 deviations it is off by at most 2e-6 of itself, for 10^9 elements, too.
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
        Ok(self.reduce_as("variance", Variance::population())?.map(|(_, variance)| variance))
    }

    /// The variance of what the elements are a sample of; none if there are fewer than two. As
    /// [`Expr::variance`].
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn sample_variance(self) -> Result<Option<T>> {
        if self.len() == Some(1) {
            // What is wrong with it is wrong with one element, too.
            return self.check().map(|()| None);
        }
        Ok(self.reduce_as("sample_variance", Variance::sample())?.map(|(_, variance)| variance))
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
        self.reduce_as("mean_and_variance", Variance::population())
    }
}
