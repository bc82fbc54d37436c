//! Fresh data for each run: never zeros, never the same twice.

use std::hash::{BuildHasher, RandomState};

/// A small generator (xorshift64*, Vigna 2016), seeded at random: good enough to keep caches,
/// compressors and predictors honest.
pub(crate) struct Source(u64);

impl Source {
    pub(crate) fn fresh() -> Source {
        // Each `RandomState` has other keys. Zero is the one state that the generator never leaves.
        Source(RandomState::new().hash_one(()) | 1)
    }

    pub(crate) fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// `n` values in [0, 1).
    pub(crate) fn f32s(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| (self.next_u64() >> 40) as f32 / (1 << 24) as f32).collect()
    }

    /// `n` values in [0, 1).
    pub(crate) fn f64s(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64).collect()
    }

    /// The numbers below `n` in random order (Fisher and Yates; Durstenfeld, CACM 7, 1964).
    pub(crate) fn permutation(&mut self, n: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n as u32).collect();
        for at in (1..n).rev() {
            order.swap(at, (self.next_u64() % (at as u64 + 1)) as usize);
        }
        order
    }

    /// `n` values of all bits.
    pub(crate) fn u32s(&mut self, n: usize) -> Vec<u32> {
        (0..n).map(|_| (self.next_u64() >> 32) as u32).collect()
    }
}
