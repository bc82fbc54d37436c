//! Random `bool`s.

use super::{Distribution, invalid_input};
use cl_algo::{Val, device_fn};
use cl_core::Result;

/// The distribution of `bool`s that are `true` with a given probability. The probability is exact to 2^-64.
///
/// ```
/// use cl_random::{Bernoulli, Engine, Philox4x32};
/// # fn main() -> cl_core::Result<()> {
/// let engine: Philox4x32 = Philox4x32::new(1);
/// let coins = engine.draws(Bernoulli::new(0.5)?); // on the device by `take`, `fill`, ...
/// let heads = coins.iter().take(1000).filter(|head| *head).count(); // on the host the same
/// assert!((400..600).contains(&heads));
/// assert!(Bernoulli::new(1.5).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bernoulli {
    /// The largest word that gives `true`; `None` if no word does.
    last: Option<u64>,
}

impl Bernoulli {
    /// Returns the distribution with this probability of `true`, from 0 to 1.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) unless it lies between 0 and 1.
    pub fn new(probability: f64) -> Result<Bernoulli> {
        if !(0.0..=1.0).contains(&probability) {
            return Err(invalid_input("probability", format!("{probability} does not lie between 0 and 1")));
        }
        // The number of words that give `true`. The product is exact, because the factor is a power of two.
        // It fits into 128 bits, and the conversion drops fractions of a word.
        let words = (probability * 18_446_744_073_709_551_616.0) as u128;
        Ok(Bernoulli { last: words.checked_sub(1).map(|last| last as u64) })
    }
}

/// Returns `true` if `word` is at most `last`; always `false` unless `ever`.
#[device_fn]
fn up_to(word: u64, last: u64, ever: bool) -> bool {
    ever && word <= last
}

impl Distribution for Bernoulli {
    type Value = bool;
    type Word = u64;
    const WORDS: usize = 1;
    const VALUES: usize = 1;

    fn values(&self, words: &[Val<u64>], values: &mut Vec<Val<bool>>) {
        values.push(up_to(words[0], self.last.unwrap_or(0), self.last.is_some()));
    }
}
