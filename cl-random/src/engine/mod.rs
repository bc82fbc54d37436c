//! Engines: functions from a key and a counter to a block of random words, the same on the host and on devices.
//!
//! | file | concept |
//! | --- | --- |
//! | `word` | the words of blocks |
//! | `counter` | counters of several words |
//! | `philox`, `threefry` | the functions |
//! | `family` | the engines: a function with its key and its counter |

mod counter;
mod family;
mod philox;
mod threefry;
mod word;

pub use family::{
    Philox2x32, Philox2x64, Philox4x32, Philox4x64, Threefry2x32, Threefry2x64, Threefry4x32, Threefry4x64,
};
pub(crate) use philox::{philox4x32, scrambled};
pub use word::Word;
pub(crate) use word::joined;

use crate::distribution::{Distribution, Normal, Real, StandardUniform, Words};
use crate::{CounterRng, Draws};
use cl_algo::{Expr, Item, Val};
use std::fmt::Debug;

/// A pure function from a position to a block of random words.
///
/// An engine is a key and a counter, and never changes. It can be cloned, sent to other threads, and asked for
/// blocks in any order. Block `at` is a function of the key and of the counter plus `at`. It is therefore the
/// same on every device and on the host, and needs no memory.
///
/// Two sequences drawn from one engine use the same words, so that they depend on each other. Give each
/// sequence its own [`stream`](Engine::stream) or [`substream`](Engine::substream):
///
/// ```
/// use cl_random::{Engine, Philox4x32};
///
/// let engine: Philox4x32 = Philox4x32::new(2026);
/// let (sizes, angles) = (engine.stream(0).normal::<f32>(), engine.stream(1).uniform::<f32>());
/// assert_ne!(engine.stream(0).block(0), engine.stream(1).block(0));
/// assert_ne!(sizes.get(0), angles.get(0));
/// ```
///
/// Other functions of the position, such as low-discrepancy sequences, can be engines as well. Implement the
/// trait with a device function, which runs on both host and device.
pub trait Engine: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// The type of the words of a block.
    type Word: Word;
    /// A block on the host: an array of words.
    type Block: AsRef<[Self::Word]> + AsMut<[Self::Word]> + Copy + Default + Debug + PartialEq + Send + Sync;
    /// A block on the device: a tuple of words.
    type Item: Item;

    /// The number of words in a block: a power of two.
    const WORDS: usize;

    /// Returns the block at a position, computed on the host.
    fn block(&self, at: u64) -> Self::Block;

    /// Returns the `count` blocks at `first`, `first + 1`…, lazily.
    fn blocks<'a>(&self, first: u64, count: usize) -> Expr<'a, Self::Item>;

    /// Returns the words of a block as a list.
    fn words(block: <Self::Item as Item>::Values) -> Vec<Val<Self::Word>>;

    /// Returns the engine whose block 0 is block `by` of this engine.
    #[must_use]
    fn jump(&self, by: u128) -> Self;

    /// Returns stream `number`. For a counter of n bits, it is the engine whose counter is larger by
    /// `number` * 2^(3n/4). The table of [the crate](crate#streams) has the number of streams; larger numbers
    /// wrap around.
    #[must_use]
    fn stream(&self, number: u64) -> Self;

    /// Returns sub-stream `number`. For a counter of n bits, it is the engine whose counter is larger by
    /// `number` * 2^(n/2).
    #[must_use]
    fn substream(&self, number: u64) -> Self;

    /// Returns the values that a distribution makes from this engine's words.
    fn draws<D: Distribution>(&self, distribution: D) -> Draws<Self, D> {
        Draws::new(self.clone(), distribution)
    }

    /// Returns the words themselves, as `u32` or `u64` for every engine: 64-bit words are split into halves,
    /// the lower half first, and 32-bit words are joined in pairs.
    fn bits<T: Word>(&self) -> Draws<Self, Words<T>> {
        self.draws(Words::new())
    }

    /// Returns floats in [0, 1).
    fn uniform<T: Real>(&self) -> Draws<Self, StandardUniform<T>> {
        self.draws(StandardUniform::new())
    }

    /// Returns floats of the normal distribution with mean 0 and standard deviation 1.
    fn normal<T: Real>(&self) -> Draws<Self, Normal<T>> {
        self.draws(Normal::standard())
    }

    /// Returns a generator for the host with the traits of `rand_core`, at position 0.
    #[must_use]
    fn rng(&self) -> CounterRng<Self> {
        CounterRng::new(self.clone())
    }
}
