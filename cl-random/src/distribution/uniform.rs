//! Floats of an interval.

use super::{Distribution, Real, invalid_input};
use cl_algo::Val;
use cl_core::Result;
use std::marker::PhantomData;

macro_rules! unit_intervals {
    ($($(#[$doc:meta])* $name:ident = $function:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name<T: Real>(PhantomData<T>);

        impl<T: Real> $name<T> {
            /// Returns the distribution, which has no parameters.
            #[must_use]
            pub const fn new() -> $name<T> {
                $name(PhantomData)
            }
        }

        impl<T: Real> Distribution for $name<T> {
            type Value = T;
            type Word = T::Word;
            const WORDS: usize = 1;
            const VALUES: usize = 1;

            fn values(&self, words: &[Val<T::Word>], values: &mut Vec<Val<T>>) {
                values.push(T::$function(words[0]));
            }
        }
    )*};
}

unit_intervals! {
    /// The uniform distribution on [0, 1): multiples of 2^-24 for `f32`, of 2^-53 for `f64`, all with
    /// the same probability.
    StandardUniform = below_one;
    /// The uniform distribution on (0, 1]: multiples of 2^-24 for `f32`, of 2^-53 for `f64`.
    OpenClosed01 = above_zero;
    /// The uniform distribution on (0, 1): odd multiples of 2^-24 for `f32`, of 2^-53 for `f64`.
    Open01 = between;
}

/// The uniform distribution on an interval of floats.
///
/// ```
/// use cl_random::{Engine, Philox4x32, Uniform};
///
/// # fn main() -> cl_core::Result<()> {
/// let engine: Philox4x32 = Philox4x32::new(1);
/// let angles = engine.draws(Uniform::new(-3.0_f32, 3.0)?);
/// assert!(angles.iter().take(1000).all(|angle| (-3.0..3.0).contains(&angle)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uniform<T: Real> {
    /// `true` to scale numbers in (0, 1) instead of [0, 1).
    open: bool,
    /// The argument of `Real::scaled`: the width, the lower end, the least and the largest value.
    range: [T; 4],
}

impl<T: Real> Uniform<T> {
    /// Returns the distribution on [low, high).
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) unless `low < high`, and both and
    /// `high - low` are finite.
    pub fn new(low: T, high: T) -> Result<Uniform<T>> {
        Uniform::with(false, low, high, low)
    }

    /// Returns the distribution on (low, high).
    ///
    /// # Errors
    /// As [`Uniform::new`], and if the interval contains no number.
    pub fn open(low: T, high: T) -> Result<Uniform<T>> {
        let least = low.next(true);
        if least >= high {
            return Err(invalid_input("interval", format!("no number lies between {low} and {high}")));
        }
        Uniform::with(true, low, high, least)
    }

    /// Returns the distribution on [low, high), or on (low, high) if `open`. `least` is the least value.
    fn with(open: bool, low: T, high: T, least: T) -> Result<Uniform<T>> {
        let (from, to): (f64, f64) = (low.into(), high.into());
        let width = T::nearest(to - from);
        // `false` for NaN, too.
        let is_interval = low < high && from.is_finite() && to.is_finite() && width.into().is_finite();
        if !is_interval {
            return Err(invalid_input("interval", format!("from {low} to {high} is empty or too wide")));
        }
        // The largest value is the number before `high`, because a rounded value might reach `high`.
        Ok(Uniform { open, range: [width, low, least, high.next(false)] })
    }
}

impl<T: Real> Distribution for Uniform<T> {
    type Value = T;
    type Word = T::Word;
    const WORDS: usize = 1;
    const VALUES: usize = 1;

    fn values(&self, words: &[Val<T::Word>], values: &mut Vec<Val<T>>) {
        let unit = if self.open { T::between(words[0]) } else { T::below_one(words[0]) };
        values.push(T::scaled(unit, self.range));
    }
}
