//! Normal and log-normal numbers.

use super::{Distribution, Real, finite, invalid_input, positive};
use cl_algo::Val;
use cl_core::Result;

/// The normal distribution, by the method of Box and Muller: values 2i and 2i + 1 are made from the same two
/// words. All values are finite. In units of the standard deviation, values of `f32` are below 6.8 in magnitude,
/// values of `f64` below 9.5.
///
/// ```
/// use cl_random::{Engine, Normal, Philox4x32};
/// # fn main() -> cl_core::Result<()> {
/// let engine: Philox4x32 = Philox4x32::new(1);
/// let heights = engine.draws(Normal::new(175.0_f64, 7.0)?);
/// let mean = heights.iter().take(10_000).sum::<f64>() / 10_000.0;
/// assert!((mean - 175.0).abs() < 0.5);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal<T: Real> {
    mean: T,
    deviation: T,
}

impl<T: Real> Normal<T> {
    /// Returns the distribution with this mean and this standard deviation.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) unless both are finite, the deviation is above 0, and
    /// all values are finite.
    pub fn new(mean: T, deviation: T) -> Result<Normal<T>> {
        let spread = positive("standard deviation", deviation)?;
        let center: f64 = mean.into();
        if !center.is_finite() {
            return Err(invalid_input("mean", format!("{mean} is not finite")));
        }
        finite("standard deviation", deviation, center.abs() + T::REACH * spread)?;
        Ok(Normal { mean, deviation })
    }

    /// Returns the distribution with mean 0 and standard deviation 1.
    #[must_use]
    pub fn standard() -> Normal<T> {
        Normal { mean: T::nearest(0.0), deviation: T::nearest(1.0) }
    }
}

impl<T: Real> Distribution for Normal<T> {
    type Value = T;
    type Word = T::Word;
    const WORDS: usize = 2;
    const VALUES: usize = 2;

    fn values(&self, words: &[Val<T::Word>], values: &mut Vec<Val<T>>) {
        let (a, b) = T::normals(words[0], words[1]);
        let is_standard = *self == Normal::standard();
        let scaled = |value| if is_standard { value } else { T::affine(value, self.deviation, self.mean) };
        values.extend([a, b].map(scaled));
    }
}

/// The distribution of numbers whose logarithms are normal. Values beyond the range of a float are infinite,
/// values below the normal floats are 0.
///
/// ```
/// use cl_random::{Engine, LogNormal, Philox4x32};
/// # fn main() -> cl_core::Result<()> {
/// let engine: Philox4x32 = Philox4x32::new(1);
/// let incomes = engine.draws(LogNormal::new(0.0_f64, 0.5)?);
/// assert!(incomes.iter().take(1000).all(|income| income > 0.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogNormal<T: Real> {
    logarithm: Normal<T>,
}

impl<T: Real> LogNormal<T> {
    /// Returns the distribution with this mean and this standard deviation of the natural logarithm.
    ///
    /// # Errors
    /// As [`Normal::new`].
    pub fn new(mean: T, deviation: T) -> Result<LogNormal<T>> {
        Ok(LogNormal { logarithm: Normal::new(mean, deviation)? })
    }
}

impl<T: Real> Distribution for LogNormal<T> {
    type Value = T;
    type Word = T::Word;
    const WORDS: usize = 2;
    const VALUES: usize = 2;

    fn values(&self, words: &[Val<T::Word>], values: &mut Vec<Val<T>>) {
        let first = values.len();
        self.logarithm.values(words, values);
        values[first..].iter_mut().for_each(|value| *value = T::exp(*value));
    }
}
