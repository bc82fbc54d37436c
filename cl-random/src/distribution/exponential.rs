//! Exponential numbers.

use super::{Distribution, Real, finite, positive};
use cl_algo::Val;
use cl_core::Result;

/// The exponential distribution: the times between events that happen at a constant rate.
///
/// ```
/// use cl_random::{Engine, Exponential, Philox4x32};
/// # fn main() -> cl_core::Result<()> {
/// let engine: Philox4x32 = Philox4x32::new(1);
/// let waiting = engine.draws(Exponential::new(0.5_f64)?);
/// let mean = waiting.iter().take(10_000).sum::<f64>() / 10_000.0;
/// assert!((mean - 2.0).abs() < 0.1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential<T: Real> {
    mean: T,
}

impl<T: Real> Exponential<T> {
    /// Returns the distribution with this rate, the reciprocal of the mean.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) unless the rate is finite and above 0; also if
    /// the mean, the rate's reciprocal, is 0 after rounding, or so large that values would be infinite.
    pub fn new(rate: T) -> Result<Exponential<T>> {
        let mean = 1.0 / positive("rate", rate)?;
        finite("rate", rate, mean * T::REACH * T::REACH / 2.0)?;
        positive("reciprocal of the rate", T::nearest(mean))?;
        Ok(Exponential { mean: T::nearest(mean) })
    }
}

impl<T: Real> Distribution for Exponential<T> {
    type Value = T;
    type Word = T::Word;
    const WORDS: usize = 1;
    const VALUES: usize = 1;

    fn values(&self, words: &[Val<T::Word>], values: &mut Vec<Val<T>>) {
        values.push(T::exponential(words[0], self.mean));
    }
}
