//! Fresh random data for each measurement.

use rayon::prelude::*;
use std::cell::Cell;
use std::hash::{BuildHasher, RandomState};

thread_local! {
    /// The seed of the next source. `None` for a random one.
    static NEXT: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Sets the seed from which this thread's next sources take theirs, or lets each be random.
pub(crate) fn seed(seed: Option<u64>) {
    NEXT.set(seed);
}

/// A small generator (Steele, Lea and Flood, OOPSLA 2014: SplitMix64) with a random seed. Its numbers are
/// random enough that caches, compression and branch prediction gain nothing from them. Each number is a
/// function of its index, so that all of the host's threads can fill a vector.
pub(crate) struct Source(u64);

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Source {
    /// Creates a source with a random seed, or with the next of the seeds that [`seed`] has begun.
    pub(crate) fn fresh() -> Source {
        let next = NEXT.get().map(|seed| mix(seed.wrapping_add(STEP)));
        NEXT.set(next);
        // Each `RandomState` has different keys.
        Source(next.map_or_else(|| RandomState::new().hash_one(()), mix))
    }

    pub(crate) fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// Converts the next `n` numbers into values.
    fn take<T: Send>(&mut self, n: usize, value: impl Fn(u64) -> T + Sync) -> Vec<T> {
        let start = self.0;
        let at = |index: usize| start.wrapping_add((index as u64 + 1).wrapping_mul(STEP));
        self.0 = at(n).wrapping_sub(STEP);
        (0..n).into_par_iter().map(|index| value(mix(at(index)))).collect()
    }

    /// Returns `n` values in [0, 1).
    pub(crate) fn f32s(&mut self, n: usize) -> Vec<f32> {
        self.take(n, |bits| (bits >> 40) as f32 / (1 << 24) as f32)
    }

    /// Returns `n` values in [0, 1).
    pub(crate) fn f64s(&mut self, n: usize) -> Vec<f64> {
        self.take(n, |bits| (bits >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// Returns `n` values of which every bit is random.
    pub(crate) fn u8s(&mut self, n: usize) -> Vec<u8> {
        self.take(n, |bits| (bits >> 56) as u8)
    }

    /// Returns `n` mostly small values: random bytes, each shifted right by a random number of bits from 0 to 7.
    pub(crate) fn skewed_bytes(&mut self, n: usize) -> Vec<u8> {
        self.take(n, |bits| (bits >> 56) as u8 >> (bits & 7))
    }

    /// Returns `n` values of which every bit is random.
    pub(crate) fn u16s(&mut self, n: usize) -> Vec<u16> {
        self.take(n, |bits| (bits >> 48) as u16)
    }

    /// Returns `n` values of which every bit is random.
    pub(crate) fn i32s(&mut self, n: usize) -> Vec<i32> {
        self.take(n, |bits| (bits >> 32) as i32)
    }

    /// Returns `n` values below 16.
    pub(crate) fn few(&mut self, n: usize) -> Vec<u32> {
        self.take(n, |bits| (bits & 15) as u32)
    }

    /// Returns `n` mostly small values: random words, each shifted right by a random number of bits from 0 to
    /// 31.
    pub(crate) fn skewed(&mut self, n: usize) -> Vec<u32> {
        self.take(n, |bits| (bits >> 32) as u32 >> (bits & 31))
    }

    /// Returns `n` values of which every bit is random.
    pub(crate) fn u32s(&mut self, n: usize) -> Vec<u32> {
        self.take(n, |bits| (bits >> 32) as u32)
    }

    /// Returns `n` values of which every bit is random.
    pub(crate) fn u64s(&mut self, n: usize) -> Vec<u64> {
        self.take(n, |bits| bits)
    }

    /// Returns `n` numbers in ascending order.
    pub(crate) fn ascending(&mut self, n: usize) -> Vec<u32> {
        let mut values = self.u32s(n);
        values.par_sort_unstable();
        values
    }

    /// Returns `n` numbers in runs of equal numbers. `length` is the mean length of a run, and each run's
    /// number is one more than the last.
    pub(crate) fn runs(&mut self, n: usize, length: u64) -> Vec<u32> {
        let mut run = 0;
        let begins = self.take(n, |bits| u32::from(bits.is_multiple_of(length)));
        let number = |begin| {
            run += begin;
            run
        };
        begins.into_iter().map(number).collect()
    }

    /// Returns the numbers below `n` in random order: each number gets a random key, and the keys are sorted.
    pub(crate) fn permutation(&mut self, n: usize) -> Vec<u32> {
        let mut order: Vec<(u64, u32)> = self.u64s(n).into_iter().zip(0..).collect();
        order.par_sort_unstable();
        order.into_iter().map(|(_, index)| index).collect()
    }
}

pub(crate) fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_what_one_draws_one_by_one() {
        let (mut whole, mut single) = (Source(7), Source(7));
        let values = [whole.u64s(3), whole.u64s(2)].concat();
        let expected: Vec<u64> = (0..5).map(|_| single.next_u64()).collect();
        assert_eq!(values, expected);
    }

    #[test]
    fn what_is_ordered_and_what_is_not() {
        let mut order = Source::fresh().permutation(1000);
        assert!(!order.is_sorted());
        order.sort_unstable();
        assert!(order.into_iter().eq(0..1000));
        assert!(Source::fresh().ascending(1000).is_sorted());
        assert!(Source::fresh().few(1000).iter().all(|x| *x < 16));
        let small = Source::fresh().skewed(10_000).into_iter().filter(|x| *x < 1 << 16).count();
        assert!((4_000..6_500).contains(&small), "{small}");
        let runs = Source::fresh().runs(100_000, 10);
        assert!(runs.is_sorted() && (9_000..11_000).contains(&runs[99_999]), "{}", runs[99_999]);
    }
}
