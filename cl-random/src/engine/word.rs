//! The words of blocks.

use cl_algo::{Element, Val, device_fn};
use std::fmt::Debug;

/// An unsigned integer of 32 or 64 bits.
pub trait Word: Element + Debug + Default + Eq + Send + Sync + sealed::Sealed {
    /// The number of bits of a word.
    const BITS: u32;

    /// Returns the lower 32 bits.
    #[doc(hidden)]
    fn low(self) -> u32;

    /// Returns the word extended to 64 bits.
    #[doc(hidden)]
    fn wide(self) -> u64;

    /// Returns the words as `u32`; 64-bit words are split in two, the lower half first.
    #[doc(hidden)]
    fn halves(words: &[Val<Self>]) -> Vec<Val<u32>>;

    /// Returns the words as `u64`; 32-bit words are joined in pairs, the lower half first.
    #[doc(hidden)]
    fn wholes(words: &[Val<Self>]) -> Vec<Val<u64>>;

    /// Returns the result of `halves` if this type is `u32`, or of `wholes` if it is `u64`.
    #[doc(hidden)]
    fn of(halves: impl FnOnce() -> Vec<Val<u32>>, wholes: impl FnOnce() -> Vec<Val<u64>>) -> Vec<Val<Self>>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
}

#[device_fn]
fn lower(x: u64) -> u32 {
    x as u32
}

#[device_fn]
fn upper(x: u64) -> u32 {
    (x >> 32) as u32
}

#[device_fn]
pub(crate) fn joined(low: u32, high: u32) -> u64 {
    low as u64 | (high as u64) << 32
}

impl Word for u32 {
    const BITS: u32 = 32;

    fn low(self) -> u32 {
        self
    }

    fn wide(self) -> u64 {
        self.into()
    }

    fn halves(words: &[Val<u32>]) -> Vec<Val<u32>> {
        words.to_vec()
    }

    fn wholes(words: &[Val<u32>]) -> Vec<Val<u64>> {
        words.chunks_exact(2).map(|pair| joined(pair[0], pair[1])).collect()
    }

    fn of(halves: impl FnOnce() -> Vec<Val<u32>>, _: impl FnOnce() -> Vec<Val<u64>>) -> Vec<Val<u32>> {
        halves()
    }
}

impl Word for u64 {
    const BITS: u32 = 64;

    fn low(self) -> u32 {
        self as u32
    }

    fn wide(self) -> u64 {
        self
    }

    fn halves(words: &[Val<u64>]) -> Vec<Val<u32>> {
        words.iter().flat_map(|&word| [lower(word), upper(word)]).collect()
    }

    fn wholes(words: &[Val<u64>]) -> Vec<Val<u64>> {
        words.to_vec()
    }

    fn of(_: impl FnOnce() -> Vec<Val<u32>>, wholes: impl FnOnce() -> Vec<Val<u64>>) -> Vec<Val<u64>> {
        wholes()
    }
}
