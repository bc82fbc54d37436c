//! Random numbers that a seed repeats.

/// A generator of random numbers: SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// Returns the generator of a stream of a seed.
    #[must_use]
    pub(crate) fn new(seed: u64, stream: u64) -> Dice {
        let mut dice = Dice(seed ^ 0x5DEE_CE66_D1CE_4E5B);
        let mixed = dice.next() ^ stream.wrapping_mul(0xD134_2543_DE82_EF95);
        let mut dice = Dice(mixed);
        dice.next();
        dice
    }

    /// Returns the next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number below `bound`; 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % (bound.max(1) as u64)) as usize
    }

    /// Returns true once in `times`.
    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Returns one of the choices.
    ///
    /// # Panics
    /// When `choices` is empty.
    pub(crate) fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// Returns a small value, or any value.
    pub(crate) fn value(&mut self) -> i32 {
        if self.one_in(4) { self.next() as i32 } else { self.below(41) as i32 - 20 }
    }

    /// Returns a length: often 0, 1, 2, or near the edge of a pack or a group.
    pub(crate) fn len(&mut self) -> usize {
        match self.below(8) {
            0 => self.below(4),
            1 => self.pick(&[7, 8, 9, 15, 16, 17, 31, 32, 33]),
            2 => self.pick(&[63, 64, 65, 127, 128, 255, 256, 257]),
            3 => 1000 + self.below(4000),
            _ => self.below(400),
        }
    }
}
