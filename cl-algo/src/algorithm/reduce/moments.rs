//! Mean and variance in one pass.

use super::reducer::{Reducer, Values};
use crate::element::Float;
use crate::expr::{Castable, Expr, Val};
use cl_core::Result;

/// A reducer for mean and variance; see [`Expr::variance`].
///
/// The states of two groups of elements are merged by their means, never by sums of squares, which would cancel (Chan,
/// Golub, LeVeque: "Updating Formulae and a Pairwise Algorithm for Computing Sample Variances", Stanford CS-79-773,
/// 1979; for one element at a time this is Welford's method, Technometrics 4, 1962).
#[derive(Clone, Copy, Debug)]
pub struct Variance {
    /// The number that is subtracted from the number of elements to get the divisor.
    less: u64,
}

impl Variance {
    /// Returns the reducer for the variance of a population: divided by the number of elements.
    #[must_use]
    pub fn population() -> Variance {
        Variance { less: 0 }
    }

    /// Returns the reducer for the variance of a sample: divided by the number of elements minus 1 (Bessel). The
    /// variance of one element is NaN.
    #[doc(alias = "ddof")]
    #[must_use]
    pub fn sample() -> Variance {
        Variance { less: 1 }
    }
}

impl<T: Float + Castable> Reducer<T> for Variance {
    /// The number of elements, their mean, and the sum of squared differences from the mean, each with its excess.
    ///
    /// The excess must be subtracted from the value. It is the sum of the roundings; for the mean of few elements, also
    /// the distance of the first element from the mean. The number and the mean subtract it from the next term (Kahan,
    /// "Further remarks on reducing truncation errors", Comm. ACM 8, 1965), the squares at the end, so that an infinite
    /// sum stays infinite.
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
        // All terms are positive, so the rounding of `added` matters little. The roundings of the total add up.
        let added = squares_b.0 + apart * step * count_a.0;
        let squares = squares_a.0 + added;
        let excess = ((squares - squares_a.0) - added) + (squares_a.1 + squares_b.1);
        (count, plus(mean_a, step), (squares, excess))
    }

    /// Keeps the mean of `a` and changes only its excess, which is small, as its roundings are. The count of few items
    /// is exact, and the squares are all positive.
    fn combine_few(&self, a: Values<Self::State>, b: Values<Self::State>) -> Values<Self::State> {
        let (((count_a, _), mean_a, (squares_a, _)), ((count_b, _), mean_b, (squares_b, _))) = (a, b);
        let count = count_a + count_b;
        let apart = (mean_b.0 - mean_a.0) - (mean_b.1 - mean_a.1);
        let weight = count_b / count;
        let squares = squares_a + squares_b + apart * apart * (count_a * weight);
        ((count, zero()), (mean_a.0, mean_a.1 - apart * weight), (squares, zero()))
    }

    fn has_cheaper_combine_few(&self) -> bool {
        true
    }

    fn finish(&self, (_, mean, squares): Values<Self::State>, len: Val<u64>) -> Values<(T, T)> {
        (settled(mean), settled(squares) / (len - self.less).cast::<T>())
    }
}

/// Returns zero as part of the kernel's source, so that compilers leave out additions of it.
fn zero<T: Float>() -> Val<T> {
    Val::constant(T::zeroed())
}

/// Adds a term to a total with an excess. The new excess is exact if the term is smaller than the total.
fn plus<T: Float>((total, excess): (Val<T>, Val<T>), term: Val<T>) -> (Val<T>, Val<T>) {
    let term = term - excess;
    let sum = total + term;
    (sum, (sum - total) - term)
}

/// Returns the total minus its excess. If the total is infinite or NaN, the excess is NaN and is ignored.
fn settled<T: Float + Castable>((total, excess): (Val<T>, Val<T>)) -> Val<T> {
    excess.eq(excess).select(total - excess, total)
}

impl<T: Float + Castable> Expr<'_, T> {
    /// Returns the variance of all elements as a population; `None` for zero elements. Blocks.
    ///
    /// It is computed in one pass, by merging means and squared differences from them. Rounding errors are carried
    /// along from one tile of elements to the next; see [`Variance`](crate::reducers::Variance). For `f32` with a mean
    /// of up to 10^4 deviations, the relative error is at most 2e-6, also for 10^9 elements.
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
    #[doc(alias = "var")]
    pub fn variance(self) -> Result<Option<T>> {
        Ok(self.reduce_as("variance", Variance::population())?.map(|(_, variance)| variance))
    }

    /// Returns the variance of all elements as a sample; `None` for fewer than two elements. See [`Expr::variance`].
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias = "ddof")]
    pub fn sample_variance(self) -> Result<Option<T>> {
        if self.len() == Some(1) {
            // An expression of one element can have a deferred error, too.
            return self.check().map(|()| None);
        }
        Ok(self.reduce_as("sample_variance", Variance::sample())?.map(|(_, variance)| variance))
    }

    /// Returns the mean and the variance of all elements as a population, in one pass; `None` for zero elements. See
    /// [`Expr::variance`].
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
