//! One kernel launch of a transform: many lines of one length.

use super::banks::Gap;
use super::shape::Shape;

/// What a launch does: the same transform of each of many lines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pass {
    /// Points of a transform, without prime factors beyond 13.
    pub length: usize,
    /// The radices of its stages, whose product is the length.
    pub radices: Vec<usize>,
    /// Between the stages of work-groups, the places that are left free in local memory.
    pub gaps: Vec<Gap>,
    /// How the work is divided.
    pub shape: Shape,
    /// Lines of another length, by way of a cyclic convolution of this one.
    pub convolution: Option<Convolution>,
    /// Where the points come from.
    pub from: Place,
    /// Where they go.
    pub to: Place,
    /// The distances of neighbouring points of a line, in and out.
    pub strides: [usize; 2],
    /// The distances of their indices within the whole transform.
    pub steps: [usize; 2],
    /// Points of the whole transform.
    pub whole: usize,
    /// The lines; the first digit of their numbers runs fastest.
    pub digits: Vec<Digit>,
    /// What stands between the passes of a long transform; of a last pass that splits, what stands between the spectra
    /// of pairs and of all numbers.
    pub phases: Option<Phases>,
    /// What the points are multiplied by on their way in.
    pub load_by: Option<Table>,
    /// What they are multiplied by on their way out.
    pub store_by: Option<Table>,
    /// How many points of the whole transform there are, if not all: the others are 0.
    pub given: Option<usize>,
    /// How many points of the whole transform are stored, if not all.
    pub stored: Option<usize>,
    /// Whether there is half a spectrum only, whose other half is its mirror image.
    pub mirror: bool,
    /// Whether real numbers are taken for the parts of half as many complex ones, in and out.
    pub pairs: [bool; 2],
    /// Whether the spectrum of pairs becomes half of that of all numbers.
    pub split: bool,
    /// Where real and imaginary parts are exchanged: bit 0 before the table, bit 1 after it; in and out.
    pub swaps: [u8; 2],
    /// How far the points move, in and out, for each unit of the recipe's turns.
    pub turn: [usize; 2],
}

/// Factors of the points of a line: point k is multiplied by the power c k of a root of unity, where c is a digit of
/// the line's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Phases {
    /// Of which order the root is.
    pub order: usize,
    /// Which digit.
    pub digit: usize,
}

/// A transform of a length with large prime factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convolution {
    /// Of a prime length, by permutations: C. M. Rader, "Discrete Fourier transforms when the number of data
    /// samples is prime" (1968).
    Rader {
        /// The length.
        prime: usize,
    },
    /// Of any length, by chirps: L. I. Bluestein, "A linear filtering approach to the computation of discrete
    /// Fourier transform" (1970).
    Bluestein {
        /// The length.
        points: usize,
    },
}

/// Numbers that points are multiplied by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// e^(-πi k² / n), for k below n; points beyond are 0.
    Chirp {
        /// The length.
        points: usize,
    },
    /// e^(-2πi k / n), for k up to n / 2: what is between the spectra of pairs and of all numbers.
    Halves {
        /// The length.
        numbers: usize,
    },
    /// The transform of the inverse chirp, of a longer length, divided by that.
    Filter {
        /// The chirp's length.
        points: usize,
        /// The longer one.
        length: usize,
    },
}

impl Table {
    /// The complex numbers that the table has.
    pub(crate) fn numbers(self) -> usize {
        match self {
            Table::Chirp { points } => points,
            Table::Halves { numbers } => numbers / 2 + 1,
            Table::Filter { length, .. } => length,
        }
    }
}

/// Where points are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The transform's input or output.
    User,
    /// Scratch memory, by its number.
    Scratch(usize),
}

/// One digit of the numbers of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digit {
    /// How many values it has.
    pub count: usize,
    /// How far apart neighbouring lines begin, in and out.
    pub strides: [usize; 2],
    /// The same of the indices of their first points.
    pub steps: [usize; 2],
}

impl Digit {
    pub(crate) fn outer(count: usize, strides: [usize; 2]) -> Digit {
        Digit { count, strides, steps: [0, 0] }
    }
}

impl Pass {
    /// How many lines there are.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.digits.iter().map(|digit| digit.count).product()
    }

    /// Whether lines are done in pairs: of those whose digit of the phases is c, and the number of such lines less c.
    /// There are only half as many of that digit, then.
    #[must_use]
    pub fn meets(&self) -> bool {
        self.split && self.phases.is_some()
    }

    /// Points of a line, of which there may be fewer than its convolution has.
    #[must_use]
    pub fn points(&self) -> usize {
        match self.convolution {
            Some(Convolution::Rader { prime: points } | Convolution::Bluestein { points }) => points,
            None => self.length,
        }
    }

    /// Whether points of a side that are pairs of numbers begin at even places, and lie one beside the other.
    pub(crate) fn beside(&self, side: usize) -> bool {
        let even = |digit: &Digit| digit.strides[side].is_multiple_of(2);
        self.strides[side] == 2 * self.steps[side]
            && self.turn[side].is_multiple_of(2)
            && self.digits.iter().all(even)
    }

    /// Whether neighbouring lines, and not neighbouring points, are neighbours in memory; in and out.
    #[must_use]
    pub fn columns(&self) -> [bool; 2] {
        let first = self.digits.first();
        [0, 1].map(|side| {
            first.is_some_and(|digit| digit.count > 1 && digit.strides[side] < self.strides[side])
        })
    }
}
