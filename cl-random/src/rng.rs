//! Random number generators for the host, with the traits of `rand_core`.

use crate::engine::{Engine, Word};
use crate::{
    Philox2x32, Philox2x64, Philox4x32, Philox4x64, Threefry2x32, Threefry2x64, Threefry4x32, Threefry4x64,
};
use rand_core::{Infallible, SeedableRng, TryRng};

/// The words of an engine one after the other, through the traits of `rand_core`. Host programs can use it to
/// draw the same numbers as their kernels.
///
/// ```
/// use cl_random::{CounterRng, Engine, Philox4x32};
/// use rand_core::Rng;
///
/// let engine: Philox4x32 = Philox4x32::new(42);
/// let mut rng = engine.rng();
/// let (first, second) = (rng.next_u32(), rng.next_u64());
/// assert_eq!(first, engine.bits::<u32>().get(0));
/// assert_eq!(second as u32, engine.bits::<u32>().get(1)); // the lower half comes first
///
/// let mut elsewhere = engine.rng();
/// elsewhere.set_position(3); // in words
/// assert_eq!(elsewhere.next_u32(), rng.next_u32());
/// ```
#[derive(Clone, Debug)]
pub struct CounterRng<E: Engine> {
    engine: E,
    /// The position, in words.
    position: u128,
    /// The block that contains the position. If the position is a block's first word, `next` has yet to load
    /// the block.
    block: E::Block,
}

impl<E: Engine> CounterRng<E> {
    /// Returns a generator at position 0.
    #[must_use]
    pub fn new(engine: E) -> CounterRng<E> {
        CounterRng { engine, position: 0, block: E::Block::default() }
    }

    /// Returns the engine.
    #[must_use]
    pub fn engine(&self) -> E {
        self.engine.clone()
    }

    /// Returns the number of words drawn so far.
    #[must_use]
    pub fn position(&self) -> u128 {
        self.position
    }

    /// Sets the position, counted in words.
    pub fn set_position(&mut self, position: u128) {
        self.position = position;
        if !position.is_multiple_of(E::WORDS as u128) {
            self.load_block();
        }
    }

    /// Loads the block that contains the position.
    fn load_block(&mut self) {
        self.block = self.engine.jump(self.position / E::WORDS as u128).block(0);
    }

    /// Returns the word at the position, and moves the position behind it.
    fn next(&mut self) -> E::Word {
        let at = (self.position % E::WORDS as u128) as usize;
        if at == 0 {
            self.load_block();
        }
        self.position = self.position.wrapping_add(1);
        self.block.as_ref()[at]
    }
}

/// Two generators are equal if they return the same numbers from here on.
impl<E: Engine> PartialEq for CounterRng<E> {
    fn eq(&self, other: &CounterRng<E>) -> bool {
        self.engine == other.engine && self.position == other.position
    }
}

impl<E: Engine> TryRng for CounterRng<E> {
    type Error = Infallible;

    /// Returns one word, or the lower half of a 64-bit word.
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next().low())
    }

    /// Returns one 64-bit word, or two 32-bit words, the lower half first.
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let low = self.next();
        Ok(if E::Word::BITS == 64 { low.wide() } else { low.wide() | self.next().wide() << 32 })
    }

    /// Fills `bytes` with words, the lowest bytes first. Unused bytes of the last word are dropped.
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for some in bytes.chunks_mut(E::Word::BITS as usize / 8) {
            let word = self.next().wide().to_le_bytes();
            some.copy_from_slice(&word[..some.len()]);
        }
        Ok(())
    }
}

macro_rules! seedable {
    ($($name:ident: $word:ident, $key:literal words, $bytes:literal bytes;)*) => {$(
        impl<const ROUNDS: u32> SeedableRng for CounterRng<$name<ROUNDS>> {
            /// The key, its lowest bytes first.
            type Seed = [u8; $bytes];

            fn from_seed(seed: [u8; $bytes]) -> Self {
                let mut key = [0; $key];
                for (word, bytes) in key.iter_mut().zip(seed.chunks_exact($bytes / $key)) {
                    let mut wide = [0; 8];
                    wide[..bytes.len()].copy_from_slice(bytes);
                    *word = u64::from_le_bytes(wide) as $word;
                }
                CounterRng::new($name::with_key(key))
            }

            /// Seeds like the engine's `new`, so that kernels with the same seed draw the same numbers.
            fn seed_from_u64(seed: u64) -> Self {
                CounterRng::new($name::new(seed))
            }
        }
    )*};
}

seedable! {
    Philox2x32: u32, 1 words, 4 bytes;
    Philox4x32: u32, 2 words, 8 bytes;
    Philox2x64: u64, 1 words, 8 bytes;
    Philox4x64: u64, 2 words, 16 bytes;
    Threefry2x32: u32, 2 words, 8 bytes;
    Threefry4x32: u32, 4 words, 16 bytes;
    Threefry2x64: u64, 2 words, 16 bytes;
    Threefry4x64: u64, 4 words, 32 bytes;
}
