//! Philox: a Feistel-like network of wide multiplications (Salmon, Moraes, Dror and Shaw, "Parallel random
//! numbers: as easy as 1, 2, 3", SC'11).

use cl_algo::device_fn;
use cl_algo::function::MulHi;

/// The numbers that are added to the words of the key in each round: the fractions of the golden ratio and of
/// the square root of 3, times 2^32 or 2^64.
const GOLDEN_32: u32 = 0x9E37_79B9;
const ROOT_32: u32 = 0xBB67_AE85;
const GOLDEN_64: u64 = 0x9E37_79B9_7F4A_7C15;
const ROOT_64: u64 = 0xBB67_AE85_84CA_A73B;

/// The largest number of rounds of an engine.
pub(super) const MOST: u32 = 16;

/// Returns the upper and the lower half of a product. Most devices compute both with one instruction.
#[device_fn]
fn product32(x: u32, multiplier: u32) -> (u32, u32) {
    let product = (x as u64).wrapping_mul(multiplier as u64);
    ((product >> 32) as u32, product as u32)
}

/// Does the same as [`product32`] for words of 64 bits, whose product does not fit into one integer.
#[device_fn]
fn product64(x: u64, multiplier: u64) -> (u64, u64) {
    (x.mul_hi(multiplier), x.wrapping_mul(multiplier))
}

/// Defines the functions of two and of four words. Each round is written out, in an `if` whose condition is
/// constant for the compiler, because a loop might not be unrolled.
macro_rules! philox {
    ($two:ident, $four:ident, $product:ident, $word:ty, $golden:ident, $root:ident, $m:literal, $m0:literal, $m1:literal,
     [$($round:literal)*]) => {
        #[device_fn]
        pub(super) fn $two<const ROUNDS: u32>(c0: $word, c1: $word, k0: $word) -> ($word, $word) {
            let mut x0 = c0;
            let mut x1 = c1;
            $(if ROUNDS > $round {
                let key = k0.wrapping_add($golden.wrapping_mul($round));
                let (high, low) = $product(x0, $m);
                x0 = high ^ key ^ x1;
                x1 = low;
            })*
            (x0, x1)
        }

        #[device_fn]
        pub(crate) fn $four<const ROUNDS: u32>(
            c0: $word, c1: $word, c2: $word, c3: $word, k0: $word, k1: $word
        ) -> ($word, $word, $word, $word) {
            let mut x0 = c0;
            let mut x1 = c1;
            let mut x2 = c2;
            let mut x3 = c3;
            $(if ROUNDS > $round {
                let key0 = k0.wrapping_add($golden.wrapping_mul($round));
                let key1 = k1.wrapping_add($root.wrapping_mul($round));
                let (high0, low0) = $product(x0, $m0);
                let (high1, low1) = $product(x2, $m1);
                x0 = high1 ^ x1 ^ key0;
                x1 = low1;
                x2 = high0 ^ x3 ^ key1;
                x3 = low0;
            })*
            (x0, x1, x2, x3)
        }
    };
}

philox! {
    philox2x32, philox4x32, product32, u32, GOLDEN_32, ROOT_32, 0xD256_D193, 0xD251_1F53, 0xCD9E_8D57,
    [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]
}
philox! {
    philox2x64, philox4x64, product64, u64, GOLDEN_64, ROOT_64,
    0xD2B7_4407_B1CE_6E93, 0xD2E7_470E_E14C_6C93, 0xCA5A_8263_9512_1157,
    [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]
}

/// Returns the words of Philox 4x32 with ten rounds, computed in a loop. Distributions get further words from
/// this function if a value needs more words than [`Distribution::WORDS`](crate::Distribution::WORDS). The
/// words of the value then serve as key and counter.
#[device_fn]
pub(crate) fn scrambled(c0: u32, c1: u32, c2: u32, c3: u32, k0: u32, k1: u32) -> (u32, u32, u32, u32) {
    let mut x0 = c0;
    let mut x1 = c1;
    let mut x2 = c2;
    let mut x3 = c3;
    let mut key0 = k0;
    let mut key1 = k1;
    for _round in 0..10 {
        let (high0, low0) = product32(x0, 0xD251_1F53);
        let (high1, low1) = product32(x2, 0xCD9E_8D57);
        x0 = high1 ^ x1 ^ key0;
        x1 = low1;
        x2 = high0 ^ x3 ^ key1;
        x3 = low0;
        key0 = key0.wrapping_add(GOLDEN_32);
        key1 = key1.wrapping_add(ROOT_32);
    }
    (x0, x1, x2, x3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_is_the_engine() {
        let (a, b) = (scrambled(1, 2, 3, 4, 5, 6), philox4x32::<10, _, _, _, _, _, _>(1, 2, 3, 4, 5, 6));
        assert_eq!(a, b);
    }
}
