//! One kernel launch of a transform: many lines of one length.

use super::banks::Gap;
use super::shape::Shape;

/// A launch that computes the same transform for each of its lines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pass {
    /// The length of a transform, without prime factors beyond 13.
    pub length: usize,
    /// The radices of the stages. Their product is the length.
    pub radices: Vec<usize>,
    /// The gaps in local memory after each exchange between the stages of a work-group.
    pub gaps: Vec<Gap>,
    /// The division of the work.
    pub shape: Shape,
    /// The convolution that computes lines of another length by transforms of this length.
    pub convolution: Option<Convolution>,
    /// The memory that the points are loaded from.
    pub from: Location,
    /// The memory that the points are stored to.
    pub to: Location,
    /// The distances between neighbouring points of a line in memory; in and out.
    pub strides: [usize; 2],
    /// The distances between the indices of neighbouring points within the whole transform; in and out.
    pub steps: [usize; 2],
    /// The number of points of the whole transform.
    pub whole: usize,
    /// The digits of the line numbers; the first digit varies fastest.
    pub digits: Vec<Digit>,
    /// The factors between the passes of a long transform. If `split` is `true`, the factors between the
    /// spectrum of pairs and the spectrum of all numbers.
    pub phases: Option<Phases>,
    /// The table that the points are multiplied by when they are loaded.
    pub load_by: Option<Table>,
    /// The table that the points are multiplied by when they are stored.
    pub store_by: Option<Table>,
    /// The number of points of the whole transform that the input has, if not all: the other points are 0.
    pub given: Option<usize>,
    /// The number of points of the whole transform that are stored, if not all.
    pub stored: Option<usize>,
    /// `true` if the input is half of a spectrum, whose other half is its mirror image.
    pub mirror: bool,
    /// `true` if two real numbers are taken as one complex number; in and out.
    pub pairs: [bool; 2],
    /// `true` if the pass turns the spectrum of pairs into half of the spectrum of all numbers.
    pub split: bool,
    /// The exchanges of real and imaginary parts; in and out. Bit 0 stands for an exchange before the
    /// multiplication by `load_by` or `store_by`, bit 1 for an exchange after it.
    pub swaps: [u8; 2],
    /// The distance in memory between neighbouring units of [`Turns`](super::Turns), or 0 without turns; in
    /// and out.
    pub turn: [usize; 2],
}

/// The factors of a line's points: point k is multiplied by power c k of a root of unity, where c is a digit of the
/// line number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Phases {
    /// The order of the root.
    pub order: usize,
    /// The index of the digit c.
    pub digit: usize,
}

/// A transform of a length with large prime factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convolution {
    /// A prime length, by permutations: C. M. Rader, "Discrete Fourier transforms when the number of data samples is
    /// prime" (1968).
    Rader {
        /// The length.
        prime: usize,
    },
    /// Any length, by chirps: L. I. Bluestein, "A linear filtering approach to the computation of discrete Fourier
    /// transform" (1970).
    Bluestein {
        /// The length.
        points: usize,
    },
}

/// A table of numbers that points are multiplied by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// e^(-πi k² / n), for k below n. Points beyond n are 0.
    Chirp {
        /// The length.
        points: usize,
    },
    /// e^(-2πi k / n), for k up to n / 2: the factors between the spectrum of pairs and that of all numbers.
    Halves {
        /// The length.
        numbers: usize,
    },
    /// The transform of the conjugate chirp, padded to a longer length, and divided by the longer length.
    Filter {
        /// The chirp's length.
        points: usize,
        /// The longer length.
        length: usize,
    },
}

impl Table {
    /// Returns the number of complex numbers in the table.
    pub(crate) fn numbers(self) -> usize {
        match self {
            Table::Chirp { points } => points,
            Table::Halves { numbers } => numbers / 2 + 1,
            Table::Filter { length, .. } => length,
        }
    }
}

/// The memory that points are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// The transform's input or output.
    User,
    /// Scratch memory, by number.
    Scratch(usize),
}

/// One digit of the line numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digit {
    /// The number of values of the digit.
    pub count: usize,
    /// The distances in memory between the first points of neighbouring lines; in and out.
    pub strides: [usize; 2],
    /// The distances between the indices of the first points of neighbouring lines; in and out.
    pub steps: [usize; 2],
}

impl Digit {
    pub(crate) fn outer(count: usize, strides: [usize; 2]) -> Digit {
        Digit { count, strides, steps: [0, 0] }
    }
}

impl Pass {
    /// Returns the number of lines.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.digits.iter().map(|digit| digit.count).product()
    }

    /// Returns `true` if lines are transformed in pairs. The lines of a pair differ in the digit that the
    /// phases depend on: it is c in one line, and n - c in the other line, where n is the number of values of
    /// the digit. [`Digit::count`] then counts only the first line of each pair.
    #[must_use]
    pub fn transforms_pairs_of_lines(&self) -> bool {
        self.split && self.phases.is_some()
    }

    /// Returns the number of points of a line. It may be smaller than the length of its convolution.
    #[must_use]
    pub fn points(&self) -> usize {
        match self.convolution {
            Some(Convolution::Rader { prime: points } | Convolution::Bluestein { points }) => points,
            None => self.length,
        }
    }

    /// Returns `true` if pairs of numbers on a side begin at even indices and are neighbours in memory.
    pub(crate) fn pairs_are_contiguous(&self, side: usize) -> bool {
        let even = |digit: &Digit| digit.strides[side].is_multiple_of(2);
        self.strides[side] == 2 * self.steps[side]
            && self.turn[side].is_multiple_of(2)
            && self.digits.iter().all(even)
    }

    /// Returns, for each side, `true` if neighbouring lines, instead of neighbouring points, are neighbours
    /// in memory; in and out.
    #[must_use]
    pub fn columns(&self) -> [bool; 2] {
        let first = self.digits.first();
        [0, 1].map(|side| {
            first.is_some_and(|digit| digit.count > 1 && digit.strides[side] < self.strides[side])
        })
    }
}
