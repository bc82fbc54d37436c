//! Numbers of gamma distributions.

use super::{Distribution, Real, finite, positive};
use cl_algo::Val;
use cl_core::Result;

/// The gamma distribution, by the method of Marsaglia and Tsang ("A simple method for generating gamma
/// variables", 2000). At most one candidate in 20 is rejected. If 32 candidates are rejected, the value is
/// `shape - 1/3` (for shapes below 1 the number made from `shape + 2/3`), times the scale.
///
/// With `f32`, rounding distorts shapes beyond 10^5: use `f64`. Values below the smallest normal number are 0: for
/// shape 0.01 and scale 1, two in five values with `f32`, and one in a thousand with `f64`.
///
/// ```
/// use cl_random::{Engine, Gamma, Philox4x32};
/// # fn main() -> cl_core::Result<()> {
/// let engine: Philox4x32 = Philox4x32::new(1);
/// let numbers = engine.draws(Gamma::new(3.0_f64, 2.0)?);
/// let mean = numbers.iter().take(10_000).sum::<f64>() / 10_000.0;
/// assert!((mean - 6.0).abs() < 0.2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gamma<T: Real> {
    /// The second argument of `Real::gamma`.
    parameters: [T; 5],
}

impl<T: Real> Gamma<T> {
    /// Returns the distribution with this shape and this scale. The mean is their product.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) unless both are finite and above 0, and all values are
    /// finite.
    pub fn new(shape: T, scale: T) -> Result<Gamma<T>> {
        let shape = positive("shape", shape)?;
        let unit = positive("scale", scale)?;
        // A value of a shape below 1 is computed from a value of the shape plus 1. The exponent is limited to
        // 1e38, which an `f32` can hold. With that exponent, powers of numbers up to 1 - 2^-24 are 0 already.
        let (larger, power) =
            if shape < 1.0 { (shape + 1.0, 1e38_f64.min(1.0 / shape)) } else { (shape, 0.0) };
        let d = larger - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        // A scale above 1 becomes part of the power: its logarithm, `lift`, is added to the power's
        // logarithm. The rounding of the sum can make values a little larger, which `slack` allows for.
        let (lift, rest) = if shape < 1.0 && unit > 1.0 { (unit.ln(), 1.0) } else { (0.0, unit) };
        let slack = if lift > 0.0 { 1.0001 } else { 1.0 };
        finite("scale", scale, d * (1.0 + c * T::REACH).powi(3) * unit.max(1.0) * slack)?;
        Ok(Gamma { parameters: [d, c, power, lift, rest].map(T::nearest) })
    }
}

impl<T: Real> Distribution for Gamma<T> {
    type Value = T;
    type Word = u32;
    const WORDS: usize = 4;
    const VALUES: usize = 1;

    fn values(&self, words: &[Val<u32>], values: &mut Vec<Val<T>>) {
        values.push(T::gamma([words[0], words[1], words[2], words[3]], self.parameters));
    }
}
