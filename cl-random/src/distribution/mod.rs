//! Distributions: functions from random words to values.
//!
//! | file | distributions |
//! | --- | --- |
//! | `words` | the words themselves |
//! | `uniform` | floats of an interval |
//! | `integer` | integers of a range |
//! | `bernoulli` | `bool`s |
//! | `normal` | normal and log-normal numbers |
//! | `exponential`, `gamma`, `poisson` | the distributions of these names |
//! | `discrete` | indices with given weights |

mod bernoulli;
mod discrete;
mod exponential;
mod gamma;
mod integer;
mod normal;
mod poisson;
mod uniform;
mod words;

pub use crate::real::Real;
pub use bernoulli::Bernoulli;
pub use discrete::{Discrete, DiscreteDraws};
pub use exponential::Exponential;
pub use gamma::Gamma;
pub use integer::{RangeInteger, UniformInteger};
pub use normal::{LogNormal, Normal};
pub use poisson::Poisson;
pub use uniform::{Open01, OpenClosed01, StandardUniform, Uniform};
pub use words::Words;

use crate::engine::Word;
use cl_algo::{Element, Expr, Operand, Val, zip};
use cl_core::Error;
use std::fmt::Debug;

/// A rule that makes values from random words. It always makes the same number of values from the same number of
/// words, so that each value of a sequence is a function of its index.
///
/// Custom distributions are made of device functions, which run on the host and on devices alike:
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_random::{Distribution, Engine, Philox4x32};
///
/// /// The sum of two dice, from the halves of a word.
/// #[device_fn]
/// fn dice(word: u32) -> u32 {
///     ((word & 0xffff) * 6 >> 16) + ((word >> 16) * 6 >> 16) + 2
/// }
///
/// #[derive(Clone, Debug)]
/// struct Dice;
///
/// impl Distribution for Dice {
///     type Value = u32;
///     type Word = u32;
///     const WORDS: usize = 1;
///     const VALUES: usize = 1;
///
///     fn values(&self, words: &[Val<u32>], values: &mut Vec<Val<u32>>) {
///         values.push(dice(words[0]));
///     }
/// }
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let engine: Philox4x32 = Philox4x32::new(1);
/// let throws = engine.draws(Dice);
/// let on_device = throws.take(1000).collect_on(&queue)?.to_vec()?;
/// assert!(on_device.iter().copied().eq(throws.iter().take(1000)));
/// # Ok(())
/// # }
/// ```
pub trait Distribution: Clone + Debug {
    /// The type of the values.
    type Value: Element;
    /// The type of the words.
    type Word: Word;

    /// The number of words that are used at once: 1, 2 or 4. Together they have at most 128 bits.
    const WORDS: usize;
    /// The number of values made from these words: 1, or the number of words.
    const VALUES: usize;

    /// Appends the values made from these words.
    fn values(&self, words: &[Val<Self::Word>], values: &mut Vec<Val<Self::Value>>);

    /// Returns the values made from words of any origin, lazily. The words may come from a generator with a
    /// state, from a file, or from hardware. Leftover words at the end are ignored.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_random::{Distribution, Normal};
    ///
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let words = DeviceVec::from_slice(&queue, &[0x9e37_79b9_u32, 0x7f4a_7c15, 0xf39c_c060, 0x5ced_c834, 7])?;
    /// let noise = Normal::new(1.0_f32, 0.1)?.of_words(&words).collect()?;
    /// assert_eq!(noise.len(), 4);
    /// # Ok(())
    /// # }
    /// ```
    fn of_words<'a>(&self, words: impl Operand<'a, Self::Word>) -> Expr<'a, Self::Value> {
        let words = words.into_expr();
        let groups = words.len().map(|len| len / Self::WORDS);
        let part = |first: usize| {
            let part = words.clone().skip(first).step_by(Self::WORDS);
            groups.into_iter().fold(part, Expr::take)
        };
        let values = |words: &[Val<Self::Word>]| {
            let mut values = Vec::with_capacity(Self::VALUES);
            self.values(words, &mut values);
            values
        };
        match Self::WORDS {
            1 => words.flat_map(|a| values(&[a])),
            2 => zip((part(0), part(1))).flat_map(|(a, b)| values(&[a, b])),
            _ => zip((part(0), part(1), part(2), part(3))).flat_map(|(a, b, c, d)| values(&[a, b, c, d])),
        }
    }
}

/// Returns the error for a parameter that is not allowed.
fn invalid_input(what: &'static str, reason: String) -> Error {
    Error::invalid_input(what, reason)
}

/// Returns an error if `largest`, the largest value of a distribution with this parameter, exceeds the range of a
/// float.
fn finite<T: Real>(what: &'static str, parameter: T, largest: f64) -> cl_core::Result<()> {
    if T::nearest(largest).into().is_finite() {
        return Ok(());
    }
    let (float, limit) = (std::any::type_name::<T>(), T::nearest(f64::INFINITY).next(false));
    let reason =
        format!("{parameter:?} gives values up to {largest:e}, and the largest `{float}` is {limit:?}");
    Err(invalid_input(what, reason))
}

/// Returns a parameter, or an error unless it is finite and above zero.
fn positive<T: Real>(what: &'static str, value: T) -> cl_core::Result<f64> {
    let value: f64 = value.into();
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(invalid_input(what, format!("{value} is not finite and above zero")))
}
