//! Exponential numbers.

use super::{Distribution, Real, positive};
use cl_algo::Val;
use cl_core::Result;

/// The exponential distribution: times between events that happen at a constant rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential<T: Real> {
    mean: T,
}

impl<T: Real> Exponential<T> {
    /// With this rate, the reciprocal of the mean.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) unless the rate is finite and above 0, and so is
    /// its reciprocal.
    pub fn new(rate: T) -> Result<Exponential<T>> {
        let mean = T::nearest(1.0 / positive("rate", rate)?);
        positive("reciprocal of the rate", mean)?;
        Ok(Exponential { mean })
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
