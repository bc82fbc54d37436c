//! Uniform integers of a range.

use super::{Distribution, invalid_input};
use crate::engine::{Word, scrambled};
use cl_algo::function::MulHi;
use cl_algo::{Element, Val, device_fn};
use cl_core::Result;
use std::fmt::{Debug, Display};
use std::ops::{Bound, RangeBounds};

/// The uniform distribution of the integers of a range.
///
/// A random word with at least twice as many bits as `T` is multiplied by the size of the range (Lemire,
/// "Fast random integer generation in an interval", 2019). The few words that would make some numbers
/// likelier are rejected and drawn again, which happens at most once in 2^32 values. After four rejected
/// words, the fifth word is taken even if it should be rejected, so that every value takes a bounded time. A
/// fifth such word comes at most once in 2^160 values.
///
/// ```
/// use cl_random::{Engine, Philox4x32, UniformInteger};
///
/// # fn main() -> cl_core::Result<()> {
/// let engine: Philox4x32 = Philox4x32::new(1);
/// let dice = engine.draws(UniformInteger::new(1..=6)?);
/// assert!(dice.iter().take(1000).all(|dots| (1..=6).contains(&dots)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniformInteger<T: RangeInteger> {
    low: T,
    /// The number of integers; 0 for 2^64.
    count: u64,
    /// The number of possible words (2^64, or 2^128 for 64-bit integers), modulo the count. A word is
    /// rejected if the lower bits of its product with the count, as many as the word has, are below this
    /// number.
    reject_below: u64,
}

impl<T: RangeInteger> UniformInteger<T> {
    /// Returns the distribution of the integers of a range: `0..n`, `1..=6`, `..`.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for an empty range.
    pub fn new(range: impl RangeBounds<T>) -> Result<UniformInteger<T>> {
        let low = match range.start_bound() {
            Bound::Included(&low) => Some(low),
            Bound::Excluded(&before) => before.next(),
            Bound::Unbounded => Some(T::LEAST),
        };
        let high = match range.end_bound() {
            Bound::Included(&last) => Some(last),
            Bound::Excluded(&end) => end.previous(),
            Bound::Unbounded => Some(T::MOST),
        };
        match low.zip(high) {
            Some((low, high)) if low <= high => {
                let count = high.distance(low).wrapping_add(1);
                let reject_below = if count == 0 { 0 } else { T::reject_below(count) };
                Ok(UniformInteger { low, count, reject_below })
            }
            _ => {
                let text = |bound: Bound<&T>, unbounded: T| match bound {
                    Bound::Included(number) => number.to_string(),
                    Bound::Excluded(number) => format!("{number} (excluded)"),
                    Bound::Unbounded => unbounded.to_string(),
                };
                let first = text(range.start_bound(), T::LEAST);
                let last = text(range.end_bound(), T::MOST);
                let reason = format!("from {first} to {last}; it must contain at least one integer");
                Err(invalid_input("range of integers", reason))
            }
        }
    }
}

impl<T: RangeInteger> Distribution for UniformInteger<T> {
    type Value = T;
    type Word = T::Word;
    const WORDS: usize = T::WORDS;
    const VALUES: usize = 1;

    fn values(&self, words: &[Val<T::Word>], values: &mut Vec<Val<T>>) {
        values.push(T::of_range(words, self.low, self.count, self.reject_below));
    }
}

/// An integer type with uniform distributions on ranges.
pub trait RangeInteger: Element + Debug + Display + Ord + sealed::Sealed {
    /// The type of the words that a value is made from.
    #[doc(hidden)]
    type Word: Word;
    /// The number of words that a value is made from.
    #[doc(hidden)]
    const WORDS: usize;
    /// The least value.
    #[doc(hidden)]
    const LEAST: Self;
    /// The largest value.
    #[doc(hidden)]
    const MOST: Self;

    #[doc(hidden)]
    fn next(self) -> Option<Self>;
    #[doc(hidden)]
    fn previous(self) -> Option<Self>;
    /// Returns `self - low`. `low` is not larger than `self`.
    #[doc(hidden)]
    fn distance(self, low: Self) -> u64;
    /// Returns the number of possible words, 2^64 or 2^128, modulo the count.
    #[doc(hidden)]
    fn reject_below(count: u64) -> u64 {
        match Self::WORDS {
            1 => count.wrapping_neg() % count,
            _ => (u128::from(count).wrapping_neg() % u128::from(count)) as u64,
        }
    }
    #[doc(hidden)]
    fn of_range(words: &[Val<Self::Word>], low: Self, count: u64, reject_below: u64) -> Val<Self>;
}

mod sealed {
    pub trait Sealed {}
}

/// The number of times that a word may be drawn again.
const AGAIN: u32 = 4;

/// Returns a number below `count`, which is at most 2^32.
#[device_fn]
fn below(word: u64, count: u64, refused: u64) -> u64 {
    let mut x = word;
    if x.wrapping_mul(count) < refused {
        for again in 0..AGAIN {
            let more = scrambled(again, 0, 0, 0, word as u32, (word >> 32) as u32);
            x = more.0 as u64 | (more.1 as u64) << 32;
            if x.wrapping_mul(count) >= refused {
                break;
            }
        }
    }
    x.mul_hi(count)
}

/// Returns a number below `count`, or any number if `count` is 0. The product of 128 random bits and `count`
/// has 192 bits, of which the upper 64 are the result. A product is rejected if its lowest 128 bits are below
/// `refused`. `refused` has 64 bits, so that bits 64 to 127 of a rejected product, `middle`, are 0.
#[device_fn]
fn below_long(low: u64, high: u64, count: u64, refused: u64) -> u64 {
    if count == 0 {
        return high;
    }
    let mut x0 = low;
    let mut x1 = high;
    let mut result = 0;
    for again in 0..AGAIN + 1 {
        if again > 0 {
            let more = scrambled(again, 0, low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32);
            x0 = more.0 as u64 | (more.1 as u64) << 32;
            x1 = more.2 as u64 | (more.3 as u64) << 32;
        }
        let middle = x1.wrapping_mul(count).wrapping_add(x0.mul_hi(count));
        let carry = if middle < x0.mul_hi(count) { 1 } else { 0 };
        result = x1.mul_hi(count).wrapping_add(carry);
        if middle != 0 || x0.wrapping_mul(count) >= refused {
            break;
        }
    }
    result
}

macro_rules! integers {
    ($($integer:ident, $unsigned:ident, $word:ident $words:literal, $function:ident: $body:expr;)*) => {$(
        impl sealed::Sealed for $integer {}

        #[device_fn]
        fn $function(number: u64, low: $integer) -> $integer {
            low.wrapping_add(number as $integer)
        }

        impl RangeInteger for $integer {
            type Word = $word;
            const WORDS: usize = $words;
            const LEAST: $integer = $integer::MIN;
            const MOST: $integer = $integer::MAX;

            fn next(self) -> Option<$integer> {
                self.checked_add(1)
            }

            fn previous(self) -> Option<$integer> {
                self.checked_sub(1)
            }

            fn distance(self, low: $integer) -> u64 {
                (self.wrapping_sub(low) as $unsigned).into()
            }

            fn of_range(words: &[Val<$word>], low: $integer, count: u64, reject_below: u64) -> Val<$integer> {
                let number: fn(&[Val<$word>], u64, u64) -> Val<u64> = $body;
                $function(number(words, count, reject_below), low)
            }
        }
    )*};
}

integers! {
    u8, u8, u64 1, from_u8: |words, count, reject_below| below(words[0], count, reject_below);
    i8, u8, u64 1, from_i8: |words, count, reject_below| below(words[0], count, reject_below);
    u16, u16, u64 1, from_u16: |words, count, reject_below| below(words[0], count, reject_below);
    i16, u16, u64 1, from_i16: |words, count, reject_below| below(words[0], count, reject_below);
    u32, u32, u64 1, from_u32: |words, count, reject_below| below(words[0], count, reject_below);
    i32, u32, u64 1, from_i32: |words, count, reject_below| below(words[0], count, reject_below);
    u64, u64, u64 2, from_u64: |words, count, reject_below| below_long(words[0], words[1], count, reject_below);
    i64, u64, u64 2, from_i64: |words, count, reject_below| below_long(words[0], words[1], count, reject_below);
}
