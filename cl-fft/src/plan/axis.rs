//! The passes along one axis.

use super::limits::DeviceLimits;
use super::numbers::{divisors, is_prime, is_smooth, smooth_from};
use super::pass::{Convolution, Digit, Location, Pass, Phases, Table};
use super::recipe::{Recipe, Turns};
use super::shape::{Shape, Wanted, choose};
use super::turns::turns;

/// The input and the output of the passes along one axis.
#[derive(Clone, Debug)]
pub(crate) struct AxisEnds {
    pub(crate) length: usize,
    pub(crate) strides: [usize; 2],
    /// The digits of the line numbers, for all lines along the axis.
    pub(crate) digits: Vec<Digit>,
    pub(crate) from: Location,
    /// The memory of the result. The number of a `Location::Scratch` is ignored: the passes choose the
    /// number.
    pub(crate) to: Location,
    /// The number of points that the input has, if not all: the other points are 0.
    pub(crate) given: Option<usize>,
    /// The number of points that are stored, if not all.
    pub(crate) stored: Option<usize>,
    /// `true` if the input is half of a spectrum, whose other half is its mirror image.
    pub(crate) mirror: bool,
    /// `true` if the input is real.
    pub(crate) real: bool,
    /// `true` if each point is a pair of real numbers, and the result is half of the spectrum of all real numbers.
    pub(crate) split: bool,
}

/// The additional work of a transform of smooth length when it loads and stores points. A length is smooth if
/// it has no prime factors beyond 13.
#[derive(Clone, Copy, Debug, Default)]
struct Extras {
    load_by: Option<Table>,
    store_by: Option<Table>,
    stored: Option<usize>,
    swaps: [u8; 2],
    pairs: [bool; 2],
    /// `true` if the last of several passes turns the spectrum of pairs into half of the spectrum of all numbers.
    split: bool,
}

/// Adds the passes of an axis to the recipe, and returns the location of the result. `room` is the number of
/// points of the result, for which scratch memory is requested if the result is stored there.
///
/// The passes are first planned for all lines at once. If [`turns`] divides the lines into turns, the passes
/// are planned again, for the lines of one turn.
pub(crate) fn along(
    recipe: &mut Recipe,
    ends: AxisEnds,
    size: usize,
    limits: &DeviceLimits,
    room: usize,
) -> Location {
    let begin = recipe.passes.len();
    let mut all = recipe.clone();
    let place = Passes { recipe: &mut all, size, limits }.along(ends.clone(), room);
    match turns(&all, begin, &ends, size, limits) {
        Some((digit, at_once)) => {
            let mut part = ends.clone();
            part.digits[digit].count = at_once;
            Passes { recipe, size, limits }.along(part, room);
            let passes = begin..recipe.passes.len();
            let Digit { count: units, strides, .. } = ends.digits[digit];
            recipe.passes[passes.start].turn[0] = strides[0];
            recipe.passes[passes.end - 1].turn[1] = strides[1];
            recipe.turns.push(Turns { passes, units, at_once });
        }
        None => *recipe = all,
    }
    place
}

struct Passes<'r> {
    recipe: &'r mut Recipe,
    size: usize,
    limits: &'r DeviceLimits,
}

impl Passes<'_> {
    fn along(&mut self, mut ends: AxisEnds, room: usize) -> Location {
        let length = ends.length;
        if ends.to != Location::User {
            ends.to = Location::Scratch(self.scratch(&[ends.from], room));
        }
        let to = ends.to;
        if length.is_multiple_of(2) && is_smooth(length) && self.pairs(&ends) {
            return to;
        }
        if is_smooth(length) {
            let extras = Extras { stored: ends.stored, ..Extras::default() };
            self.smooth(ends, extras);
            return to;
        }
        if let Some(pass) = self.convolution(&ends) {
            self.recipe.passes.push(pass);
            return to;
        }
        self.chirped(ends);
        to
    }

    /// Adds the passes of a transform between real numbers and half of their spectrum, which treats two real
    /// numbers as one complex number. `ends.length` is even. Returns `false`, without passes added, if `ends`
    /// has no real numbers, or if neither one nor two passes can compute the forward transform.
    fn pairs(&mut self, ends: &AxisEnds) -> bool {
        let length = ends.length / 2;
        let table = Some(Table::Halves { numbers: ends.length });
        if ends.mirror {
            let strides = [ends.strides[0], 2 * ends.strides[1]];
            let extras =
                Extras { load_by: table, stored: ends.stored, pairs: [false, true], ..Extras::default() };
            self.smooth(AxisEnds { length, strides, ..ends.clone() }, extras);
            return true;
        }
        if !ends.real {
            return false;
        }
        let strides = [2 * ends.strides[0], ends.strides[1]];
        let packed = AxisEnds { length, strides, stored: None, split: true, ..ends.clone() };
        let single = self.pass(&packed, length, None);
        let few = single.as_ref().is_some_and(|pass| self.leaves_components_idle(pass));
        if let (Some(pass), false) = (single, few) {
            self.recipe.passes.push(Pass { store_by: table, ..pass });
            return true;
        }
        // The last of two passes transforms lines in pairs: a line, and the line with the mirror images of
        // its points.
        let lengths = self.split(length, few);
        let two = lengths.len() == 2 && lengths.iter().all(|&part| part > 1);
        if two {
            let pairs = [true, false];
            let extras = Extras { stored: ends.stored, pairs, split: true, ..Extras::default() };
            self.steps(&AxisEnds { stored: ends.stored, split: false, ..packed }, &lengths, extras, length);
        }
        two
    }

    /// Returns the number of a scratch memory that is not in `taken`, and makes it large enough.
    fn scratch(&mut self, taken: &[Location], room: usize) -> usize {
        let number = (0..).find(|&number| !taken.contains(&Location::Scratch(number))).unwrap_or(0);
        if self.recipe.scratch.len() <= number {
            self.recipe.scratch.resize(number + 1, 0);
        }
        self.recipe.scratch[number] = self.recipe.scratch[number].max(room);
        number
    }

    /// Returns one pass of a smooth length, or of a convolution of a smooth length; `None` if it does not fit.
    fn pass(&self, ends: &AxisEnds, length: usize, convolution: Option<Convolution>) -> Option<Pass> {
        let mut pass = Pass {
            length,
            radices: Vec::new(),
            gaps: Vec::new(),
            shape: Shape::Lines { lines: 1 },
            convolution,
            from: ends.from,
            to: ends.to,
            strides: ends.strides,
            steps: [1, 1],
            whole: ends.length,
            digits: ends.digits.clone(),
            phases: None,
            load_by: None,
            store_by: None,
            given: ends.given,
            stored: ends.stored,
            mirror: ends.mirror,
            pairs: [ends.split, false],
            split: ends.split,
            swaps: [0, 0],
            turn: [0, 0],
        };
        self.shape(&mut pass)?;
        Some(pass)
    }

    fn shape(&self, pass: &mut Pass) -> Option<()> {
        let columns = pass.columns();
        let wanted = Wanted {
            length: pass.length,
            size: self.size,
            lines: pass.lines(),
            columns,
            split: pass.split,
            transforms_pairs_of_lines: pass.transforms_pairs_of_lines(),
        };
        (pass.radices, pass.shape) = choose(self.limits, wanted)?;
        pass.gaps = pass.shape.set_local_layout(self.limits, wanted, &pass.radices);
        Some(())
    }

    /// Returns one pass for a length with large prime factors; `None` if it does not fit.
    fn convolution(&self, ends: &AxisEnds) -> Option<Pass> {
        let points = ends.length;
        // The inverse transform within the convolution exchanges real and imaginary parts before it begins.
        // Bit 0 of the output's swaps exchanges them back.
        let swaps = [0, 1];
        if is_prime(points) && is_smooth(points - 1) {
            let pass = self.pass(ends, points - 1, Some(Convolution::Rader { prime: points }));
            if let Some(pass) = pass {
                return Some(Pass { swaps, ..pass });
            }
        }
        let pass = self.pass(ends, padded(points), Some(Convolution::Bluestein { points }))?;
        let chirp = Some(Table::Chirp { points });
        let (given, stored) = (Some(ends.given.unwrap_or(points)), Some(ends.stored.unwrap_or(points)));
        Some(Pass { load_by: chirp, store_by: chirp, given, stored, swaps, ..pass })
    }

    /// Adds the passes of a convolution with a chirp, for a length with large prime factors: a forward
    /// transform and an inverse transform of a longer, smooth length.
    fn chirped(&mut self, ends: AxisEnds) {
        let points = ends.length;
        let length = padded(points);
        let lines: usize = ends.digits.iter().map(|digit| digit.count).product();
        let middle = Location::Scratch(self.scratch(&[ends.from, ends.to], lines * length));
        let chirp = Some(Table::Chirp { points });
        let filter = Some(Table::Filter { points, length });
        // The digits' strides in scratch memory.
        let inner = dense(&ends.digits, length);
        let there = AxisEnds {
            length,
            strides: [ends.strides[0], 1],
            digits: with_strides(&ends.digits, 1, &inner),
            from: ends.from,
            to: middle,
            given: Some(ends.given.unwrap_or(points)),
            stored: None,
            mirror: ends.mirror,
            real: ends.real,
            split: false,
        };
        let extras = Extras { load_by: chirp, store_by: filter, ..Extras::default() };
        self.smooth_with_spectrum_length(there, extras, points);
        let back = AxisEnds {
            length,
            strides: [1, ends.strides[1]],
            digits: with_strides(&ends.digits, 0, &inner),
            from: middle,
            to: ends.to,
            given: None,
            stored: None,
            mirror: false,
            real: false,
            split: false,
        };
        let stored = Some(ends.stored.unwrap_or(points));
        let extras = Extras { store_by: chirp, stored, swaps: [2, 1], ..Extras::default() };
        self.smooth(back, extras);
    }

    fn smooth(&mut self, ends: AxisEnds, extras: Extras) {
        let whole = ends.length;
        self.smooth_with_spectrum_length(ends, extras, whole);
    }

    /// Adds the passes of a smooth length. `whole` is the length of the spectrum, if the input is half of a
    /// spectrum. It is less than `ends.length` if a convolution pads the input.
    fn smooth_with_spectrum_length(&mut self, ends: AxisEnds, extras: Extras, whole: usize) {
        let length = ends.length;
        let single = self.pass(&ends, length, None);
        let few = self.limits.cpu && single.as_ref().is_some_and(|pass| self.leaves_components_idle(pass));
        if let (Some(pass), false) = (single, few) {
            let Extras { load_by, store_by, stored, swaps, pairs, .. } = extras;
            self.recipe.passes.push(Pass { load_by, store_by, stored, swaps, pairs, whole, ..pass });
            return;
        }
        let lengths = self.split(length, few);
        self.steps(&ends, &lengths, extras, whole);
    }

    /// Returns `true` if the pass has fewer lines than a vector register has components, and its lines are so
    /// long that several passes of more and shorter lines are faster.
    fn leaves_components_idle(&self, pass: &Pass) -> bool {
        let Shape::Lines { lines } = pass.shape else { return false };
        let widest = (self.limits.vector_bytes / self.size).clamp(2, 16);
        lines < widest && pass.length >= 4 * widest * widest
    }

    /// Splits a length into factors that fit into one pass each. `fits_one_pass` is `true` if the length itself fits
    /// into one pass.
    fn split(&self, length: usize, fits_one_pass: bool) -> Vec<usize> {
        let fits = |n: usize| {
            let wanted = Wanted {
                length: n,
                size: self.size,
                lines: 1 << 20,
                columns: [true, true],
                split: false,
                transforms_pairs_of_lines: false,
            };
            choose(self.limits, wanted).is_some()
        };
        // Take the most even split into two factors that fit. Otherwise take a fitting factor near the cube root,
        // and split the rest in the same way.
        let divisors = divisors(length);
        let even = divisors.iter().filter(|&&d| d * d <= length && fits(d) && fits(length / d)).max();
        if let Some(&small) = even.filter(|&&small| small > 1 || fits_one_pass) {
            return vec![length / small, small];
        }
        let wanted = (length as f64).cbrt() as usize + 1;
        let part = divisors
            .iter()
            .copied()
            .filter(|&d| d > 1 && d < length && fits(d))
            .min_by_key(|d| d.abs_diff(wanted));
        match part {
            Some(part) => [vec![part], self.split(length / part, false)].concat(),
            None => vec![length],
        }
    }

    /// Adds a transform of several passes over memory: D. H. Bailey, "FFTs in external or hierarchical memory"
    /// (1990).
    fn steps(&mut self, ends: &AxisEnds, lengths: &[usize], extras: Extras, whole: usize) {
        let length = ends.length;
        let outer = &ends.digits;
        let lines: usize = outer.iter().map(|digit| digit.count).product();
        let between = Location::Scratch(self.scratch(&[ends.from, ends.to], lines * length));
        // Lines that are neighbours in the input are also neighbours in scratch memory.
        let beside = outer[0].count > 1 && outer[0].strides[0] < ends.strides[0];
        let unit = if beside { outer[0].count } else { 1 };
        let inner = if beside {
            [&[1], &dense(&outer[1..], unit * length)[..]].concat()
        } else {
            dense(outer, length)
        };
        let mut rest = length;
        // Each pass so far determines one digit of the result's index: the digit's count, which is the length
        // of the pass, and the digit's stride in scratch memory.
        let mut known: Vec<(usize, usize)> = Vec::new();
        for (at, &part) in lengths.iter().enumerate() {
            let (first, last) = (at == 0, at + 1 == lengths.len());
            let before = rest;
            rest /= part;
            let scale = |side: usize| if [first, last][side] { ends.strides[side] } else { unit };
            // The digits, and `true` for the digit that the phases depend on.
            let mut digits: Vec<(Digit, bool)> = Vec::new();
            let splits = last && extras.split;
            let mut weight = 1;
            for &(count, stride) in &known {
                let (out, step) = if last { (weight * scale(1), weight) } else { (stride * unit, 0) };
                weight *= count;
                // If lines are transformed in pairs, the digit counts only the first line of each pair.
                let count = if splits { count / 2 + 1 } else { count };
                digits.push((Digit { count, strides: [stride * unit, out], steps: [0, step] }, splits));
            }
            for (digit, &dense) in outer.iter().zip(&inner).filter(|(digit, _)| digit.count > 1) {
                let strides = [
                    if first { digit.strides[0] } else { dense },
                    if last { digit.strides[1] } else { dense },
                ];
                digits.push((Digit::outer(digit.count, strides), false));
            }
            if !last {
                digits.push((Digit { count: rest, strides: [scale(0), unit], steps: [1, 0] }, true));
            }
            // Neighbours in memory come first.
            digits.sort_by_key(|(digit, _)| (digit.strides[0].min(digit.strides[1]), digit.strides[0]));
            let order = if splits { 2 * length } else { before };
            let phases = digits.iter().position(|&(_, by)| by).map(|digit| Phases { order, digit });
            let out_stride = if last { weight * scale(1) } else { rest * unit };
            let mut pass = Pass {
                length: part,
                radices: Vec::new(),
                gaps: Vec::new(),
                shape: Shape::Lines { lines: 1 },
                convolution: None,
                from: if first { ends.from } else { between },
                to: if last { ends.to } else { between },
                strides: [rest * scale(0), out_stride],
                steps: [rest, if last { weight } else { 1 }],
                whole,
                digits: digits.into_iter().map(|(digit, _)| digit).collect(),
                phases,
                load_by: extras.load_by.filter(|_| first),
                store_by: extras.store_by.filter(|_| last),
                given: ends.given.filter(|_| first),
                stored: extras.stored.filter(|_| last),
                mirror: ends.mirror && first,
                pairs: [extras.pairs[0] && first, extras.pairs[1] && last],
                split: splits,
                swaps: [if first { extras.swaps[0] } else { 0 }, if last { extras.swaps[1] } else { 0 }],
                turn: [0, 0],
            };
            // `split` has chosen factors that fit.
            let fitted = self.shape(&mut pass);
            debug_assert!(fitted.is_some(), "{pass:?}");
            known.push((part, rest));
            self.recipe.passes.push(pass);
        }
    }
}

/// Returns the strides of lines of `length` points that lie one after the other.
fn dense(digits: &[Digit], length: usize) -> Vec<usize> {
    let mut stride = length;
    digits
        .iter()
        .map(|digit| {
            let own = stride;
            stride *= digit.count;
            own
        })
        .collect()
}

/// Returns the digits with other strides on one side.
fn with_strides(digits: &[Digit], side: usize, strides: &[usize]) -> Vec<Digit> {
    let with = |(digit, &stride): (&Digit, &usize)| {
        let mut digit = *digit;
        digit.strides[side] = stride;
        digit
    };
    digits.iter().zip(strides).map(with).collect()
}

/// Returns the smallest smooth length that fits a chirp's convolution.
fn padded(points: usize) -> usize {
    smooth_from(2 * points - 1)
}
