//! The engines. Each engine is a key and a counter for a function of `philox` or `threefry`.

use super::Engine;
use super::counter::{self, Counter};
use super::{philox, threefry};
use cl_algo::{Expr, Item, Val, index};

/// Defines engines. The arguments are, in this order: the name and the word type; the function of the blocks
/// and the function that adds to the counter; the names, indices and number of the words of the counter and
/// of the key; the least, the default and the largest number of rounds; a closure from a seed to the key and
/// the counter; names for the words of a block; and one `_` for each inferred type parameter of the function.
macro_rules! engines {
    ($(
        $(#[$doc:meta])*
        $name:ident: $word:ident, $function:ident of $module:ident, $plus:ident,
        counter [$($c:ident $at:tt),*] $words:literal, key [$($k:ident $key_at:tt),*] $key_words:literal,
        rounds $least:literal $default:literal $most:path, seed $seed:expr, values ($($value:ident),*), ($($any:tt)*);
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name<const ROUNDS: u32 = $default> {
            key: [$word; $key_words],
            counter: [$word; $words],
        }

        impl<const ROUNDS: u32> $name<ROUNDS> {
            /// Returns the engine of a seed. Different seeds give different engines.
            #[must_use]
            pub fn new(seed: u64) -> Self {
                let seeded: fn(u64) -> ([$word; $key_words], [$word; $words]) = $seed;
                let (key, counter) = seeded(seed);
                Self::with_key(key).with_counter(counter)
            }

            /// Returns the engine with this key and counter 0. The lowest word of the key comes first.
            #[must_use]
            pub fn with_key(key: [$word; $key_words]) -> Self {
                const {
                    assert!(ROUNDS >= $least, "fewer rounds than pass the tests of TestU01");
                    assert!(ROUNDS <= $most, "more rounds than the function is defined for");
                }
                Self { key, counter: [0; $words] }
            }

            /// Returns the engine with the same key and this counter for block 0. The counter's lowest word
            /// comes first.
            #[must_use]
            pub fn with_counter(self, counter: [$word; $words]) -> Self {
                Self { counter, ..self }
            }

            /// Returns the key.
            #[must_use]
            pub fn key(&self) -> [$word; $key_words] {
                self.key
            }

            /// Returns the counter of block 0.
            #[must_use]
            pub fn counter(&self) -> [$word; $words] {
                self.counter
            }
        }

        impl<const ROUNDS: u32> Engine for $name<ROUNDS> {
            type Word = $word;
            type Block = [$word; $words];
            type Item = engines!(@tuple $word $($value)*);

            const WORDS: usize = $words;

            #[inline]
            fn block(&self, at: u64) -> [$word; $words] {
                let counter = self.counter.plus(at.into(), 0);
                let ($($value,)*) =
                    $module::$function::<ROUNDS, $($any)*>($(counter[$at],)* $(self.key[$key_at],)*);
                [$($value),*]
            }

            fn blocks<'a>(&self, first: u64, count: usize) -> Expr<'a, Self::Item> {
                let counter = self.counter.plus(first.into(), 0);
                let [$($c),*] = counter;
                let [$($k),*] = self.key;
                // If a carry cannot leave the lowest word, the other words are the same for all blocks.
                let carry_stays_in_lowest_word = u128::from(counter[0]) + count as u128 <= u128::from($word::MAX) + 1;
                let blocks = if carry_stays_in_lowest_word {
                    engines!(@lowest_word $module $function ROUNDS ($($any)*) $word ($($c)*) ($($k)*))
                } else {
                    let ($($c,)*) = counter::$plus(index::<u64>(), $($c),*).unzip();
                    $module::$function::<ROUNDS, $($any)*>($($c,)* $($k),*)
                };
                blocks.take(count)
            }

            fn words(block: <Self::Item as Item>::Values) -> Vec<Val<$word>> {
                let ($($value,)*) = block;
                vec![$($value),*]
            }

            fn jump(&self, by: u128) -> Self {
                self.with_counter(self.counter.plus(by, 0))
            }

            fn stream(&self, number: u64) -> Self {
                self.with_counter(self.counter.plus(number.into(), $word::BITS * $words / 4 * 3))
            }

            fn substream(&self, number: u64) -> Self {
                self.with_counter(self.counter.plus(number.into(), $word::BITS * $words / 2))
            }
        }
    )*};
    (@tuple $word:ident $($value:ident)*) => { ($(engines!(@word $word $value),)*) };
    (@word $word:ident $value:ident) => { $word };
    (@lowest_word $module:ident $function:ident $rounds:ident ($($any:tt)*) $word:ident
     ($first:ident $($rest:ident)*) ($($k:ident)*)) => {
        $module::$function::<$rounds, $($any)*>(index::<$word>() + $first, $($rest,)* $($k),*)
    };
}

/// Returns the halves of a seed, the lower half first.
fn halves(seed: u64) -> [u32; 2] {
    [seed as u32, (seed >> 32) as u32]
}

engines! {
    /// Philox with two words of 32 bits. Its period is the shortest, 2^64 blocks. The upper half of a seed
    /// goes into the counter, because the key has only 32 bits. Engines whose seeds have the same lower half
    /// are therefore sub-streams of one key.
    Philox2x32: u32, philox2x32 of philox, plus2x32, counter [c0 0, c1 1] 2, key [k0 0] 1,
    rounds 7 10 philox::MOST, seed |seed| ([halves(seed)[0]], [0, halves(seed)[1]]), values (a, b), (_, _, _);

    /// Philox with four words of 32 bits: the recommended engine, and the fastest on most devices.
    Philox4x32: u32, philox4x32 of philox, plus4x32, counter [c0 0, c1 1, c2 2, c3 3] 4, key [k0 0, k1 1] 2,
    rounds 7 10 philox::MOST, seed |seed| (halves(seed), [0; 4]), values (a, b, c, d), (_, _, _, _, _, _);

    /// Philox with two words of 64 bits, for devices with fast 64-bit multiplication.
    Philox2x64: u64, philox2x64 of philox, plus2x64, counter [c0 0, c1 1] 2, key [k0 0] 1,
    rounds 6 10 philox::MOST, seed |seed| ([seed], [0; 2]), values (a, b), (_, _, _);

    /// Philox with four words of 64 bits: the longest period, 2^256 blocks.
    Philox4x64: u64, philox4x64 of philox, plus4x64, counter [c0 0, c1 1, c2 2, c3 3] 4, key [k0 0, k1 1] 2,
    rounds 7 10 philox::MOST, seed |seed| ([seed, 0], [0; 4]), values (a, b, c, d), (_, _, _, _, _, _);

    /// Threefry with two words of 32 bits.
    Threefry2x32: u32, threefry2x32 of threefry, plus2x32, counter [c0 0, c1 1] 2, key [k0 0, k1 1] 2,
    rounds 13 20 threefry::MOST_OF_TWO, seed |seed| (halves(seed), [0; 2]), values (a, b), (_, _, _, _);

    /// Threefry with four words of 32 bits, for devices that multiply slowly.
    Threefry4x32: u32, threefry4x32 of threefry, plus4x32, counter [c0 0, c1 1, c2 2, c3 3] 4,
    key [k0 0, k1 1, k2 2, k3 3] 4, rounds 12 20 threefry::MOST_OF_FOUR,
    seed |seed| ([halves(seed)[0], halves(seed)[1], 0, 0], [0; 4]), values (a, b, c, d), (_, _, _, _, _, _, _, _);

    /// Threefry with two words of 64 bits, for CPUs.
    Threefry2x64: u64, threefry2x64 of threefry, plus2x64, counter [c0 0, c1 1] 2, key [k0 0, k1 1] 2,
    rounds 13 20 threefry::MOST_OF_TWO, seed |seed| ([seed, 0], [0; 2]), values (a, b), (_, _, _, _);

    /// Threefry with four words of 64 bits, for CPUs: the longest period and the longest key.
    Threefry4x64: u64, threefry4x64 of threefry, plus4x64, counter [c0 0, c1 1, c2 2, c3 3] 4,
    key [k0 0, k1 1, k2 2, k3 3] 4, rounds 12 20 threefry::MOST_OF_FOUR,
    seed |seed| ([seed, 0, 0, 0], [0; 4]), values (a, b, c, d), (_, _, _, _, _, _, _, _);
}
