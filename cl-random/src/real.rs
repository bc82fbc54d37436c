//! The floating-point operations of distributions, for `f32` and `f64`.

use crate::box_muller::{normals_f32, normals_f64, square_of_radius_f32, square_of_radius_f64};
use crate::engine::{Word, joined, philox4x32, scrambled};
use crate::math::{exp_f32, exp_f64, ln_f32, ln_f64};
use cl_algo::{Element, Val, device_fn};
use std::fmt::{Debug, Display};

/// A floating-point type: `f32` or `f64`.
pub trait Real: Element + Debug + Display + PartialOrd + Into<f64> + sealed::Sealed {
    /// The word type with enough bits for one number.
    type Word: Word;

    /// An upper bound of the magnitudes that `normals` returns. Half of its square is an upper bound of the
    /// numbers that `exponential` returns for mean 1.
    #[doc(hidden)]
    const REACH: f64;

    /// Returns the nearest number of this type.
    #[doc(hidden)]
    fn nearest(value: f64) -> Self;
    /// Returns the next larger or the next smaller number.
    #[doc(hidden)]
    fn next(self, up: bool) -> Self;
    /// Returns a number in [0, 1).
    #[doc(hidden)]
    fn below_one(word: Val<Self::Word>) -> Val<Self>;
    /// Returns a number in (0, 1].
    #[doc(hidden)]
    fn above_zero(word: Val<Self::Word>) -> Val<Self>;
    /// Returns a number in (0, 1).
    #[doc(hidden)]
    fn between(word: Val<Self::Word>) -> Val<Self>;
    /// Returns `unit * width + low`, clamped to the range from `least` to `most`. `range` is
    /// `[width, low, least, most]`.
    #[doc(hidden)]
    fn scaled(unit: Val<Self>, range: [Self; 4]) -> Val<Self>;
    /// Returns two numbers of the standard normal distribution.
    #[doc(hidden)]
    fn normals(a: Val<Self::Word>, b: Val<Self::Word>) -> (Val<Self>, Val<Self>);
    /// Returns `value * factor + offset`, rounded once.
    #[doc(hidden)]
    fn affine(value: Val<Self>, factor: Self, offset: Self) -> Val<Self>;
    /// Returns e^value.
    #[doc(hidden)]
    fn exp(value: Val<Self>) -> Val<Self>;
    /// Returns a number of the exponential distribution with this mean.
    #[doc(hidden)]
    fn exponential(word: Val<Self::Word>, mean: Self) -> Val<Self>;
    /// Returns a number of a gamma distribution. `parameters` is `[d, c, power, lift, scale]`: `d` and `c` of
    /// Marsaglia and Tsang's method; the reciprocal of the shape if the shape is below 1, and 0 otherwise;
    /// and the scale as a product of two factors, `e^lift * scale`.
    #[doc(hidden)]
    fn gamma(words: [Val<u32>; 4], parameters: [Self; 5]) -> Val<Self>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// The largest number of candidates for one value. The limit bounds the time of a value. A candidate is
/// accepted with probability 0.95 or more, so that all 32 candidates are rejected once in 10^41 values.
const TRIALS: u32 = 32;

macro_rules! reals {
    ($real:ident, $word:ident, $ln:ident, $exp:ident, $square:ident,
     $lost:literal, $unit:literal, $reach:literal,
     [$below:ident $above:ident $between:ident $scaled:ident $normals:ident $affine:ident $expo:ident
      $exponential:ident $candidate:ident $powered:ident $first:ident $rest:ident],
     $first_words:ident, $words:ident) => {
        #[device_fn]
        pub(crate) fn $below(word: $word) -> $real {
            (word >> $lost) as $real * $unit
        }

        #[device_fn]
        fn $above(word: $word) -> $real {
            ((word >> $lost) + 1) as $real * $unit
        }

        /// Returns an odd multiple of `$unit`: the middle of one of equal intervals that divide [0, 1]. The
        /// function uses one bit fewer than `$below` and `$above`, because the middles of their shorter
        /// intervals would not all be different floats.
        #[device_fn]
        fn $between(word: $word) -> $real {
            ((word >> $lost) | 1) as $real * $unit
        }

        #[device_fn]
        fn $scaled(unit: $real, width: $real, low: $real, least: $real, most: $real) -> $real {
            let x = unit.mul_add(width, low);
            if x < least {
                least
            } else if x > most {
                most
            } else {
                x
            }
        }

        #[device_fn]
        fn $affine(value: $real, factor: $real, offset: $real) -> $real {
            value.mul_add(factor, offset)
        }

        #[device_fn]
        fn $expo(value: $real) -> $real {
            $exp(value)
        }

        #[device_fn]
        fn $exponential(word: $word, mean: $real) -> $real {
            0.5 * $square(word) * mean
        }

        /// Returns a candidate of the method of Marsaglia and Tsang ("A simple method for generating gamma
        /// variables", 2000), and `true` if it is accepted. The function has no branches, so that CPUs
        /// compute several candidates at once.
        #[device_fn]
        fn $candidate(normal: $real, word: $word, shape: $real, factor: $real) -> ($real, bool) {
            let root = normal.mul_add(factor, 1.0);
            let cube = root * root * root;
            let bound = (0.5 * normal).mul_add(normal, shape * (1.0 - cube + $ln(cube)));
            // The logarithm of a number that is not positive is arbitrary.
            (shape * cube, (root > 0.0) & ($ln($above(word)) < bound))
        }

        /// Returns the value times the scale `e^lift * scale`. If the shape is below 1, `power` is above 0,
        /// `value` belongs to the shape plus 1, and is also multiplied by a uniform number to the power of
        /// `power`.
        ///
        /// `root` is the square root of this power times `e^lift`. `value` is multiplied by `root` twice,
        /// because the square alone may be too small for a float.
        #[device_fn]
        fn $powered(value: $real, spare: $word, power: $real, lift: $real, scale: $real) -> $real {
            let root = if power > 0.0 { $exp(0.5 * (power * $ln($above(spare)) + lift)) } else { 1.0 };
            value * root * root * scale
        }

        /// Returns the first candidate, and `true` if it is accepted.
        #[allow(clippy::too_many_arguments)] // four words and five parameters
        #[device_fn]
        fn $first(
            a: $word,
            b: $word,
            c: $word,
            d: $word,
            shape: $real,
            factor: $real,
            power: $real,
            lift: $real,
            scale: $real,
        ) -> ($real, bool) {
            let normals = $normals(a, b);
            let candidate = $candidate(normals.0, c, shape, factor);
            ($powered(candidate.0, d, power, lift, scale), candidate.1)
        }

        /// Returns the value that a later candidate gives, after the first candidate was rejected.
        #[allow(clippy::too_many_arguments)] // as above
        #[device_fn]
        fn $rest(
            a: u32,
            b: u32,
            c: u32,
            d: u32,
            shape: $real,
            factor: $real,
            power: $real,
            lift: $real,
            scale: $real,
        ) -> $real {
            let mut value = shape;
            let mut spare = 0;
            for trial in 1..TRIALS {
                let words = $words(a, b, c, d, trial);
                let normals = $normals(words.0, words.1);
                let candidate = $candidate(normals.0, words.2, shape, factor);
                spare = words.3;
                if candidate.1 {
                    value = candidate.0;
                    break;
                }
            }
            $powered(value, spare, power, lift, scale)
        }

        impl Real for $real {
            type Word = $word;
            const REACH: f64 = $reach;

            fn nearest(value: f64) -> $real {
                value as $real
            }

            fn next(self, up: bool) -> $real {
                if up { self.next_up() } else { self.next_down() }
            }

            fn below_one(word: Val<$word>) -> Val<$real> {
                $below(word)
            }

            fn above_zero(word: Val<$word>) -> Val<$real> {
                $above(word)
            }

            fn between(word: Val<$word>) -> Val<$real> {
                $between(word)
            }

            fn scaled(unit: Val<$real>, [width, low, least, most]: [$real; 4]) -> Val<$real> {
                $scaled(unit, width, low, least, most)
            }

            fn normals(a: Val<$word>, b: Val<$word>) -> (Val<$real>, Val<$real>) {
                $normals(a, b)
            }

            fn affine(value: Val<$real>, factor: $real, offset: $real) -> Val<$real> {
                $affine(value, factor, offset)
            }

            fn exp(value: Val<$real>) -> Val<$real> {
                $expo(value)
            }

            fn exponential(word: Val<$word>, mean: $real) -> Val<$real> {
                $exponential(word, mean)
            }

            fn gamma(
                [a, b, c, d]: [Val<u32>; 4],
                [shape, factor, power, lift, scale]: [$real; 5],
            ) -> Val<$real> {
                let [i, j, k, l] = $first_words([a, b, c, d]);
                let (value, is_accepted) = $first(i, j, k, l, shape, factor, power, lift, scale);
                is_accepted.select_or_else(value, || $rest(a, b, c, d, shape, factor, power, lift, scale))
            }
        }
    };
}

/// Returns the words of the first trial: the words of the value, unchanged.
fn words_of_value(words: [Val<u32>; 4]) -> [Val<u32>; 4] {
    words
}

/// Returns four words of 64 bits for the first trial: two made of the words of the value, and two more.
fn long_words_of_value([a, b, c, d]: [Val<u32>; 4]) -> [Val<u64>; 4] {
    let more = philox4x32::<10, _, _, _, _, _, _>(c, d, 0, 0, a, b);
    [joined(a, b), joined(c, d), joined(more.0, more.1), joined(more.2, more.3)]
}

/// Returns the words of a later trial.
#[device_fn]
fn words_of_trial(a: u32, b: u32, c: u32, d: u32, trial: u32) -> (u32, u32, u32, u32) {
    scrambled(c, d, trial, 0, a, b)
}

/// Returns four words of 64 bits for a later trial.
#[device_fn]
fn long_words_of_trial(a: u32, b: u32, c: u32, d: u32, trial: u32) -> (u64, u64, u64, u64) {
    let x = scrambled(c, d, trial, 0, a, b);
    let y = scrambled(c, d, trial, 1, a, b);
    (
        x.0 as u64 | (x.1 as u64) << 32,
        x.2 as u64 | (x.3 as u64) << 32,
        y.0 as u64 | (y.1 as u64) << 32,
        y.2 as u64 | (y.3 as u64) << 32,
    )
}

// The first literal is the number of a word's bits that do not fit into the mantissa. The second is the unit
// in the last place of numbers below 1: 2^-24 for `f32`, 2^-53 for `f64`. The third is `Real::REACH`.
reals! { f32, u32, ln_f32, exp_f32, square_of_radius_f32,
    8, 5.960_464_5e-8, 6.8,
    [below_one_f32 above_zero_f32 between_f32 scaled_f32 normals_f32 affine_f32 expo_f32 exponential_f32
     candidate_f32 powered_f32 first_f32 rest_f32],
    words_of_value, words_of_trial
}
reals! { f64, u64, ln_f64, exp_f64, square_of_radius_f64,
    11, 1.110_223_024_625_156_5e-16, 9.5,
    [below_one_f64 above_zero_f64 between_f64 scaled_f64 normals_f64 affine_f64 expo_f64 exponential_f64
     candidate_f64 powered_f64 first_f64 rest_f64],
    long_words_of_value, long_words_of_trial
}
