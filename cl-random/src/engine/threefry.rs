//! Threefry: additions, rotations and exclusive ors (Salmon, Moraes, Dror and Shaw, "Parallel random numbers:
//! as easy as 1, 2, 3", SC'11; after the cipher Threefish). The key is added every four rounds.

use cl_algo::device_fn;

/// The constant of the key's additional word, which is the exclusive or of the constant and all words of the
/// key.
const PARITY_32: u32 = 0x1BD1_1BDA;
const PARITY_64: u64 = 0x1BD1_1BDA_A9FC_1A22;

/// The largest numbers of rounds of engines of two and of four words.
pub(super) const MOST_OF_TWO: u32 = 32;
pub(super) const MOST_OF_FOUR: u32 = 72;

/// Defines the functions of two and of four words.
///
/// The rotations repeat every eight rounds, so that eight rounds are one iteration of a loop. The last
/// `ROUNDS % 8` rounds follow the loop, each in an `if` whose condition is constant for the compiler. The
/// words of the key rotate through the variables `key0`, `key1`, ..., because an array would be placed in
/// memory.
macro_rules! threefry {
    ($two:ident, $four:ident, $mix:ident, $word:ty, $parity:ident,
     [$($a0:literal)*] [$($b0:literal)*] [$($a:literal)*] [$($b:literal)*]) => {
        /// Computes one round of one pair of words.
        #[device_fn]
        fn $mix(x: $word, y: $word, by: u32) -> ($word, $word) {
            let sum = x.wrapping_add(y);
            (sum, y.rotate_left(by) ^ sum)
        }

        threefry! { two $two, $mix, $word, $parity, [$($a0)*] [$($b0)*] }
        threefry! { four $four, $mix, $word, $parity, [$($a)*] [$($b)*] }
    };
    (two $name:ident, $mix:ident, $word:ty, $parity:ident,
     [$a0:literal $a1:literal $a2:literal $a3:literal] [$b0:literal $b1:literal $b2:literal $b3:literal]) => {
        #[device_fn]
        pub(super) fn $name<const ROUNDS: u32>(
            c0: $word, c1: $word, k0: $word, k1: $word
        ) -> ($word, $word) {
            let mut x = (c0.wrapping_add(k0), c1.wrapping_add(k1));
            let mut key0 = k1;
            let mut key1 = k0 ^ k1 ^ $parity;
            let mut key2 = k0;
            let mut count = 0;
            for _eight in 0..ROUNDS / 8 {
                x = $mix(x.0, x.1, $a0);
                x = $mix(x.0, x.1, $a1);
                x = $mix(x.0, x.1, $a2);
                x = $mix(x.0, x.1, $a3);
                x = (x.0.wrapping_add(key0), x.1.wrapping_add(key1).wrapping_add(count + 1));
                x = $mix(x.0, x.1, $b0);
                x = $mix(x.0, x.1, $b1);
                x = $mix(x.0, x.1, $b2);
                x = $mix(x.0, x.1, $b3);
                count = count + 2;
                x = (x.0.wrapping_add(key1), x.1.wrapping_add(key2).wrapping_add(count));
                let first = key0;
                key0 = key2;
                key2 = key1;
                key1 = first;
            }
            if ROUNDS % 8 > 0 {
                x = $mix(x.0, x.1, $a0);
            }
            if ROUNDS % 8 > 1 {
                x = $mix(x.0, x.1, $a1);
            }
            if ROUNDS % 8 > 2 {
                x = $mix(x.0, x.1, $a2);
            }
            if ROUNDS % 8 > 3 {
                x = $mix(x.0, x.1, $a3);
                x = (x.0.wrapping_add(key0), x.1.wrapping_add(key1).wrapping_add(count + 1));
            }
            if ROUNDS % 8 > 4 {
                x = $mix(x.0, x.1, $b0);
            }
            if ROUNDS % 8 > 5 {
                x = $mix(x.0, x.1, $b1);
            }
            if ROUNDS % 8 > 6 {
                x = $mix(x.0, x.1, $b2);
            }
            x
        }
    };
    (four $name:ident, $mix:ident, $word:ty, $parity:ident,
     [$a0:literal $a1:literal $a2:literal $a3:literal $a4:literal $a5:literal $a6:literal $a7:literal]
     [$b0:literal $b1:literal $b2:literal $b3:literal $b4:literal $b5:literal $b6:literal $b7:literal]) => {
        #[allow(clippy::too_many_arguments)] // the words of counter and key
        #[device_fn]
        pub(super) fn $name<const ROUNDS: u32>(
            c0: $word, c1: $word, c2: $word, c3: $word, k0: $word, k1: $word, k2: $word, k3: $word
        ) -> ($word, $word, $word, $word) {
            // The pairs that are mixed: 0 with 1 and 2 with 3 in even rounds, 0 with 3 and 2 with 1 in odd
            // rounds.
            let mut x = (c0.wrapping_add(k0), c1.wrapping_add(k1));
            let mut y = (c2.wrapping_add(k2), c3.wrapping_add(k3));
            let mut key0 = k1;
            let mut key1 = k2;
            let mut key2 = k3;
            let mut key3 = k0 ^ k1 ^ k2 ^ k3 ^ $parity;
            let mut key4 = k0;
            let mut count = 0;
            for _eight in 0..ROUNDS / 8 {
                x = $mix(x.0, x.1, $a0);
                y = $mix(y.0, y.1, $a1);
                let odd = $mix(x.0, y.1, $a2);
                let other = $mix(y.0, x.1, $a3);
                x = $mix(odd.0, other.1, $a4);
                y = $mix(other.0, odd.1, $a5);
                let odd = $mix(x.0, y.1, $a6);
                let other = $mix(y.0, x.1, $a7);
                x = (odd.0.wrapping_add(key0), other.1.wrapping_add(key1));
                y = (other.0.wrapping_add(key2), odd.1.wrapping_add(key3).wrapping_add(count + 1));
                x = $mix(x.0, x.1, $b0);
                y = $mix(y.0, y.1, $b1);
                let odd = $mix(x.0, y.1, $b2);
                let other = $mix(y.0, x.1, $b3);
                x = $mix(odd.0, other.1, $b4);
                y = $mix(other.0, odd.1, $b5);
                let odd = $mix(x.0, y.1, $b6);
                let other = $mix(y.0, x.1, $b7);
                count = count + 2;
                x = (odd.0.wrapping_add(key1), other.1.wrapping_add(key2));
                y = (other.0.wrapping_add(key3), odd.1.wrapping_add(key4).wrapping_add(count));
                let first = key0;
                let second = key1;
                key0 = key2;
                key1 = key3;
                key2 = key4;
                key3 = first;
                key4 = second;
            }
            if ROUNDS % 8 > 0 {
                x = $mix(x.0, x.1, $a0);
                y = $mix(y.0, y.1, $a1);
            }
            if ROUNDS % 8 > 1 {
                let odd = $mix(x.0, y.1, $a2);
                let other = $mix(y.0, x.1, $a3);
                x = (odd.0, other.1);
                y = (other.0, odd.1);
            }
            if ROUNDS % 8 > 2 {
                x = $mix(x.0, x.1, $a4);
                y = $mix(y.0, y.1, $a5);
            }
            if ROUNDS % 8 > 3 {
                let odd = $mix(x.0, y.1, $a6);
                let other = $mix(y.0, x.1, $a7);
                x = (odd.0.wrapping_add(key0), other.1.wrapping_add(key1));
                y = (other.0.wrapping_add(key2), odd.1.wrapping_add(key3).wrapping_add(count + 1));
            }
            if ROUNDS % 8 > 4 {
                x = $mix(x.0, x.1, $b0);
                y = $mix(y.0, y.1, $b1);
            }
            if ROUNDS % 8 > 5 {
                let odd = $mix(x.0, y.1, $b2);
                let other = $mix(y.0, x.1, $b3);
                x = (odd.0, other.1);
                y = (other.0, odd.1);
            }
            if ROUNDS % 8 > 6 {
                x = $mix(x.0, x.1, $b4);
                y = $mix(y.0, y.1, $b5);
            }
            (x.0, x.1, y.0, y.1)
        }
    };
}

threefry! {
    threefry2x32, threefry4x32, mix_32, u32, PARITY_32,
    [13 15 26 6] [17 29 16 24]
    [10 26 11 21 13 27 23 5] [6 20 17 11 25 10 18 20]
}
threefry! {
    threefry2x64, threefry4x64, mix_64, u64, PARITY_64,
    [16 42 12 31] [16 32 24 21]
    [14 16 52 57 23 40 5 37] [25 33 46 12 58 22 32 32]
}
