//! What is to be transformed.

use super::numbers::is_smooth;
use cl_core::{Error, Result};

/// What a transform makes of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Complex numbers of complex numbers.
    Complex,
    /// Half of a spectrum of real numbers.
    RealToHalf,
    /// Real numbers of half of a spectrum.
    HalfToReal,
}

/// The lengths of a transform, and where its points lie.
///
/// Points lie in rows, the last axis fastest, one transform after the other, unless strides and distances
/// say otherwise; both count points, as FFTW's advanced interface has them.
///
/// ```
/// use cl_fft::Problem;
/// let rows = Problem::new([256]).batch(1000); // 1000 transforms, one after the other
/// let image = Problem::new([480, 640]); // two axes
/// let columns = Problem::new([480, 640]).axes([0]); // 640 transforms of 480 points
/// let interleaved = Problem::new([256]).batch(3).input([3], 1); // point j of transform b at 3 j + b
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use = "a problem does nothing until it is planned"]
pub struct Problem {
    pub(crate) lengths: Vec<usize>,
    pub(crate) axes: Option<Vec<usize>>,
    pub(crate) batch: usize,
    pub(crate) input: Option<(Vec<usize>, usize)>,
    pub(crate) output: Option<(Vec<usize>, usize)>,
    pub(crate) given: Option<Vec<usize>>,
    pub(crate) kept: Option<Vec<usize>>,
}

impl Problem {
    /// A transform of these lengths along all axes.
    pub fn new(lengths: impl AsRef<[usize]>) -> Problem {
        let lengths = lengths.as_ref().to_vec();
        Problem { lengths, axes: None, batch: 1, input: None, output: None, given: None, kept: None }
    }

    /// Along these axes only, numbered from 0.
    pub fn axes(self, axes: impl AsRef<[usize]>) -> Problem {
        Problem { axes: Some(axes.as_ref().to_vec()), ..self }
    }

    /// So many transforms.
    pub fn batch(self, count: usize) -> Problem {
        Problem { batch: count, ..self }
    }

    /// The distances of neighbouring points of the input along each axis, and of neighbouring transforms. For transforms
    /// of real numbers the input is these, forward and back, and the output the spectrum; each counts its own numbers.
    /// Points may share places, as those of overlapping frames do; then real numbers have no way back.
    pub fn input(self, strides: impl AsRef<[usize]>, distance: usize) -> Problem {
        Problem { input: Some((strides.as_ref().to_vec(), distance)), ..self }
    }

    /// The input is rows of real numbers, each with room for its half of a spectrum: `2 (n / 2 + 1)` numbers along the
    /// last axis, of which the first `n` count. Then a spectrum may take the place of its numbers, as FFTW and cuFFT
    /// have it: [`RealFft::forward_in_place`](crate::RealFft::forward_in_place).
    pub fn padded_rows(self) -> Problem {
        // What goes beyond any address is refused when the strides are looked at.
        let mut stride = 1_usize;
        let mut strides = vec![1; self.lengths.len()];
        for (axis, &length) in self.lengths.iter().enumerate().rev() {
            let room = if axis + 1 == strides.len() { (length / 2 + 1).saturating_mul(2) } else { length };
            strides[axis] = stride;
            stride = stride.saturating_mul(room);
        }
        self.input(strides, stride)
    }

    /// There are only so many points along each axis; the others are 0, and cost nothing.
    pub fn padded_from(self, lengths: impl AsRef<[usize]>) -> Problem {
        Problem { given: Some(lengths.as_ref().to_vec()), ..self }
    }

    /// Only the first so many points of the result along each axis are wanted.
    pub fn cropped_to(self, lengths: impl AsRef<[usize]>) -> Problem {
        Problem { kept: Some(lengths.as_ref().to_vec()), ..self }
    }

    /// The distances of neighbouring points of the output along each axis, and of neighbouring transforms. Points that
    /// would share a place are refused.
    pub fn output(self, strides: impl AsRef<[usize]>, distance: usize) -> Problem {
        Problem { output: Some((strides.as_ref().to_vec(), distance)), ..self }
    }
}

impl Problem {
    /// The way back: input and output change places.
    pub(crate) fn turned(self) -> Problem {
        Problem { input: self.output, output: self.input, given: self.kept, kept: self.given, ..self }
    }
}

impl<const N: usize> From<[usize; N]> for Problem {
    fn from(lengths: [usize; N]) -> Problem {
        Problem::new(lengths)
    }
}

impl<const N: usize> From<&[usize; N]> for Problem {
    fn from(lengths: &[usize; N]) -> Problem {
        Problem::new(lengths)
    }
}

impl From<Vec<usize>> for Problem {
    fn from(lengths: Vec<usize>) -> Problem {
        Problem::new(lengths)
    }
}

impl From<&Vec<usize>> for Problem {
    fn from(lengths: &Vec<usize>) -> Problem {
        Problem::new(lengths)
    }
}

impl From<&[usize]> for Problem {
    fn from(lengths: &[usize]) -> Problem {
        Problem::new(lengths)
    }
}

impl From<usize> for Problem {
    fn from(length: usize) -> Problem {
        Problem::new([length])
    }
}

/// Where the points of one side lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) lengths: Vec<usize>,
    pub(crate) strides: Vec<usize>,
    pub(crate) distance: usize,
    /// Up to where addresses go.
    pub(crate) extent: usize,
    /// Whether the points lie in rows, one transform after the other, because nothing else was said.
    pub(crate) dense: bool,
    /// Whether there is nothing between the points of what is written.
    pub(crate) gapless: bool,
    /// Which stride or distance makes points share places, as only those that are read may.
    pub(crate) shared: Option<String>,
}

/// A problem without mistakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checked {
    pub(crate) kind: Kind,
    /// Of the transform, which is that of the real numbers where there are any.
    pub(crate) lengths: Vec<usize>,
    /// The axes to transform along, in order, of which the last one is that of the real numbers.
    pub(crate) axes: Vec<usize>,
    pub(crate) batch: usize,
    pub(crate) input: Side,
    pub(crate) output: Side,
}

/// The longest transform: indices within it have 32 bits.
pub(crate) const LONGEST: usize = 1 << 31;
/// The same of lengths with large prime factors, which take a convolution of more than twice the length.
const LONGEST_CHIRP: usize = 1 << 29;

/// How many points there are along each axis, of those that a transform has.
fn part(
    wanted: &Option<Vec<usize>>,
    what: &'static str,
    lengths: &[usize],
    axes: &[usize],
) -> Result<Vec<usize>> {
    let Some(wanted) = wanted else { return Ok(lengths.to_vec()) };
    if wanted.len() != lengths.len() {
        return mistake(what, format!("there are {} lengths, and {} axes", wanted.len(), lengths.len()));
    }
    for (axis, (&part, &length)) in wanted.iter().zip(lengths).enumerate() {
        if part > length {
            return mistake(what, format!("{part} is more than the {length} points of axis {axis}"));
        }
        if part == 0 && length > 0 {
            return mistake(what, format!("nothing is left of axis {axis}"));
        }
        if part != length && !axes.contains(&axis) {
            return mistake(
                what,
                format!("axis {axis} is not transformed, and so keeps its {length} points"),
            );
        }
    }
    Ok(wanted.clone())
}

fn mistake<T>(what: &'static str, reason: String) -> Result<T> {
    Err(Error::InvalidInput { what, reason })
}

impl Problem {
    /// The problem of a kind, if there is nothing wrong with it.
    pub(crate) fn check(&self, kind: Kind) -> Result<Checked> {
        let rank = self.lengths.len();
        if rank == 0 {
            return mistake("lengths", "there are none".to_owned());
        }
        for (axis, &length) in self.lengths.iter().enumerate() {
            let most = if is_smooth(length) { LONGEST } else { LONGEST_CHIRP };
            if length > most {
                return mistake("length", format!("{length}, of axis {axis}, is more than {most}"));
            }
        }
        let axes = match &self.axes {
            None => (0..rank).collect(),
            Some(axes) => {
                if let Some(axis) = axes.iter().find(|&&axis| axis >= rank) {
                    return mistake("axis", format!("{axis} is none of the {rank} axes, which begin with 0"));
                }
                if let Some(axis) = axes.iter().find(|&&axis| axes.iter().filter(|&&a| a == axis).count() > 1)
                {
                    return mistake("axis", format!("{axis} occurs more than once"));
                }
                if axes.is_empty() {
                    return mistake("axes", "there are none".to_owned());
                }
                axes.clone()
            }
        };
        let [mut given, mut kept] = [
            part(&self.given, "padded_from", &self.lengths, &axes)?,
            part(&self.kept, "cropped_to", &self.lengths, &axes)?,
        ];
        // The axis of real numbers is the last one named.
        let last = axes[axes.len() - 1];
        let half = match kind {
            Kind::Complex => None,
            Kind::RealToHalf => Some((&mut kept, "cropped_to")),
            Kind::HalfToReal => Some((&mut given, "padded_from")),
        };
        if let Some((half, what)) = half {
            let length = self.lengths[last];
            if half[last] != length {
                let reason = format!("half of a spectrum, along axis {last}, is neither padded nor cropped");
                return mistake(what, reason);
            }
            half[last] = if length == 0 { 0 } else { length / 2 + 1 };
        }
        Ok(Checked {
            kind,
            axes,
            batch: self.batch,
            input: self.side("input", &self.input, &given, false)?,
            output: self.side("output", &self.output, &kept, true)?,
            lengths: self.lengths.clone(),
        })
    }

    fn side(
        &self,
        name: &'static str,
        given: &Option<(Vec<usize>, usize)>,
        lengths: &[usize],
        written: bool,
    ) -> Result<Side> {
        let rank = lengths.len();
        let too_large = || {
            let reason = format!("addresses of the {name} go beyond what a size can express");
            Error::InvalidInput { what: "lengths", reason }
        };
        let (strides, distance) = match given {
            Some((strides, distance)) => (strides.clone(), *distance),
            None => {
                let mut strides = vec![1_usize; rank];
                for axis in (0..rank - 1).rev() {
                    strides[axis] = strides[axis + 1].checked_mul(lengths[axis + 1]).ok_or_else(too_large)?;
                }
                let distance = strides[0].checked_mul(lengths[0]).ok_or_else(too_large)?;
                (strides, distance)
            }
        };
        if strides.len() != rank {
            let reason = format!("{name} has {} strides, and the transform {rank} axes", strides.len());
            return mistake("strides", reason);
        }
        let empty = self.batch == 0 || lengths.contains(&0);
        let mut moves: Vec<(String, usize, usize)> = lengths
            .iter()
            .zip(&strides)
            .enumerate()
            .map(|(axis, (&length, &stride))| {
                (format!("stride {stride} of {name} axis {axis}"), length, stride)
            })
            .collect();
        moves.push((format!("distance {distance} of {name} transforms"), self.batch, distance));
        let mut extent = usize::from(!empty);
        for (_, count, stride) in &moves {
            let reach = count.saturating_sub(1).checked_mul(*stride).ok_or_else(too_large)?;
            extent = if empty { 0 } else { extent.checked_add(reach).ok_or_else(too_large)? };
        }
        // What is written must have places of its own: from the smallest stride on, each leads beyond all
        // places before it.
        let mut shared = None;
        if !empty {
            moves.retain(|(_, count, _)| *count > 1);
            moves.sort_by_key(|(_, _, stride)| *stride);
            let mut reach = 0;
            for (what, count, stride) in moves {
                if stride <= reach {
                    shared = Some(format!("{what} is too small"));
                    break;
                }
                reach += (count - 1) * stride;
            }
        }
        if let Some(why) = shared.as_ref().filter(|_| written) {
            return mistake("strides", format!("{why}: points would be stored in the same places"));
        }
        // Points that all have places of their own leave no gaps where there are as many as places.
        let points = lengths.iter().fold(self.batch, |product, &length| product.saturating_mul(length));
        let (dense, gapless) = (given.is_none(), written && points == extent);
        Ok(Side { lengths: lengths.to_vec(), strides, distance, extent, dense, gapless, shared })
    }
}

impl Side {
    /// How many points a vector has that is written as a whole.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] where strides leave gaps.
    pub(crate) fn full(&self) -> Result<usize> {
        if self.gapless {
            return Ok(self.extent);
        }
        let reason = "they leave gaps, and a new vector has none: give a vector to write to".to_owned();
        Err(Error::InvalidInput { what: "strides of the output", reason })
    }
}

impl Checked {
    /// That the output goes where the input was.
    pub(crate) fn same_places(&self) -> Result<()> {
        if (&self.input.strides, self.input.distance) == (&self.output.strides, self.output.distance) {
            return Ok(());
        }
        let reason = format!(
            "{:?} and distance {} of the input are not {:?} and distance {} of the output, as they must be in place",
            self.input.strides, self.input.distance, self.output.strides, self.output.distance
        );
        Err(Error::InvalidInput { what: "strides", reason })
    }

    /// That each spectrum goes where its real numbers were: a row of complex numbers has room for two real ones each.
    pub(crate) fn same_rows(&self) -> Result<()> {
        let (reals, half) = (&self.input, &self.output);
        let real_axis = self.axes[self.axes.len() - 1];
        let mistake = |what: String, real: usize, complex: usize, wanted: &str| {
            let reason =
                format!("{what} is {real} of real numbers and {complex} of complex ones; in place {wanted}");
            mistake("strides", reason)
        };
        for (axis, (&real, &complex)) in reals.strides.iter().zip(&half.strides).enumerate() {
            if axis == real_axis && (real, complex) != (1, 1) {
                return mistake(format!("the stride of axis {axis}"), real, complex, "both are 1");
            }
            if axis != real_axis && self.lengths[axis] > 1 && real != 2 * complex {
                return mistake(format!("the stride of axis {axis}"), real, complex, "it is twice as many");
            }
        }
        if self.batch > 1 && reals.distance != 2 * half.distance {
            let what = "the distance of transforms".to_owned();
            return mistake(what, reals.distance, half.distance, "it is twice as many");
        }
        Ok(())
    }

    /// Whether there is nothing to transform.
    pub(crate) fn is_empty(&self) -> bool {
        self.batch == 0 || self.lengths.contains(&0)
    }

    /// Points that a transform's sums have: what normalisation goes by.
    pub(crate) fn points(&self) -> f64 {
        self.axes.iter().map(|&axis| self.lengths[axis] as f64).product()
    }
}
