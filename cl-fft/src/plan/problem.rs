//! The description of a transform.

use super::numbers::is_smooth;
use cl_core::{Error, Result};

/// The kind of numbers that a transform reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// From complex numbers to complex numbers.
    Complex,
    /// From real numbers to half of their spectrum.
    RealToHalf,
    /// From half of a spectrum to real numbers.
    HalfToReal,
}

/// The lengths of a transform, and the layout of its points.
///
/// By default, points lie in row-major order, one transform after the other. Strides and distances give other layouts.
/// Both count points, as in FFTW's advanced interface.
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
    /// Describes a transform of these lengths along all axes.
    pub fn new(lengths: impl AsRef<[usize]>) -> Problem {
        let lengths = lengths.as_ref().to_vec();
        Problem { lengths, axes: None, batch: 1, input: None, output: None, given: None, kept: None }
    }

    /// Restricts the transform to these axes, numbered from 0.
    pub fn axes(self, axes: impl AsRef<[usize]>) -> Problem {
        Problem { axes: Some(axes.as_ref().to_vec()), ..self }
    }

    /// Sets the number of transforms.
    pub fn batch(self, count: usize) -> Problem {
        Problem { batch: count, ..self }
    }

    /// Sets the distances between neighbouring points of the input along each axis, and between neighbouring
    /// transforms. For transforms of real numbers, in both directions, `input` describes the real numbers and
    /// `output` the spectrum. Distances of the real numbers count real numbers, and distances of the spectrum
    /// count complex numbers.
    ///
    /// Several points of the input may lie at the same index, as in overlapping frames. A transform of real
    /// numbers with such an input has no inverse.
    pub fn input(self, strides: impl AsRef<[usize]>, distance: usize) -> Problem {
        Problem { input: Some((strides.as_ref().to_vec(), distance)), ..self }
    }

    /// Sets an input of rows of real numbers, each with room for its half of a spectrum: `2 (n / 2 + 1)`
    /// numbers along the last axis, of which the transform uses the first `n`. A spectrum thus fits into the
    /// memory of its real numbers, as in FFTW and cuFFT: see
    /// [`RealFft::forward_in_place`](crate::RealFft::forward_in_place).
    pub fn padded_rows(self) -> Problem {
        // Saturation is enough: strides beyond any address are refused when the strides are checked.
        let mut stride = 1_usize;
        let mut strides = vec![1; self.lengths.len()];
        for (axis, &length) in self.lengths.iter().enumerate().rev() {
            let room = if axis + 1 == strides.len() { (length / 2 + 1).saturating_mul(2) } else { length };
            strides[axis] = stride;
            stride = stride.saturating_mul(room);
        }
        self.input(strides, stride)
    }

    /// Sets the number of points that the input has along each axis. Further points are 0, and take no time.
    pub fn padded_from(self, lengths: impl AsRef<[usize]>) -> Problem {
        Problem { given: Some(lengths.as_ref().to_vec()), ..self }
    }

    /// Sets the number of points of the result to store along each axis. Only the first points are stored.
    pub fn cropped_to(self, lengths: impl AsRef<[usize]>) -> Problem {
        Problem { kept: Some(lengths.as_ref().to_vec()), ..self }
    }

    /// Sets the distances between neighbouring points of the output along each axis, and between neighbouring
    /// transforms. Plans return an error if two points have the same index.
    pub fn output(self, strides: impl AsRef<[usize]>, distance: usize) -> Problem {
        Problem { output: Some((strides.as_ref().to_vec(), distance)), ..self }
    }
}

impl Problem {
    /// Returns the problem of the inverse: input and output are swapped.
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

/// The layout of the input or of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) lengths: Vec<usize>,
    pub(crate) strides: Vec<usize>,
    pub(crate) distance: usize,
    /// The least length of a vector with all points.
    pub(crate) extent: usize,
    /// `true` if the points have the default layout: row-major order, one transform after the other.
    pub(crate) dense: bool,
    /// `true` if the side is written and has no gaps between its points.
    pub(crate) gapless: bool,
    /// A description of the stride or distance that gives several points the same index; `None` if all
    /// indices differ. An output always has `None`.
    pub(crate) shared: Option<String>,
}

/// A checked problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checked {
    pub(crate) kind: Kind,
    /// The lengths of the transform. They count real numbers if there are any.
    pub(crate) lengths: Vec<usize>,
    /// The axes to transform along, in order. The last one is the axis of the real numbers.
    pub(crate) axes: Vec<usize>,
    pub(crate) batch: usize,
    pub(crate) input: Side,
    pub(crate) output: Side,
}

/// The longest transform: indices within it have 32 bits.
pub(crate) const LONGEST: usize = 1 << 31;
/// The longest transform of a length with large prime factors: its convolution is more than twice as long.
const LONGEST_CHIRP: usize = 1 << 29;

/// Returns the number of points along each axis that the input has, or that the output keeps.
fn partial_lengths(
    wanted: &Option<Vec<usize>>,
    what: &'static str,
    lengths: &[usize],
    axes: &[usize],
) -> Result<Vec<usize>> {
    let Some(wanted) = wanted else { return Ok(lengths.to_vec()) };
    if wanted.len() != lengths.len() {
        return error(what, format!("there are {} lengths, but {} axes", wanted.len(), lengths.len()));
    }
    for (axis, (&part, &length)) in wanted.iter().zip(lengths).enumerate() {
        if part > length {
            return error(what, format!("{part} is more than the {length} points of axis {axis}"));
        }
        if part == 0 && length > 0 {
            return error(what, format!("axis {axis} must keep at least one point"));
        }
        if part != length && !axes.contains(&axis) {
            return error(
                what,
                format!("axis {axis} is not transformed, so it must keep its {length} points"),
            );
        }
    }
    Ok(wanted.clone())
}

fn error<T>(what: &'static str, reason: String) -> Result<T> {
    Err(Error::invalid_input(what, reason))
}

impl Problem {
    /// Returns the checked problem, or an error if something is wrong with it.
    pub(crate) fn check(&self, kind: Kind) -> Result<Checked> {
        let rank = self.lengths.len();
        if rank == 0 {
            return error("lengths", "a transform needs at least one length".to_owned());
        }
        for (axis, &length) in self.lengths.iter().enumerate() {
            let most = if is_smooth(length) { LONGEST } else { LONGEST_CHIRP };
            if length > most {
                return error("length", format!("{length} along axis {axis} is more than {most}"));
            }
        }
        let axes = match &self.axes {
            None => (0..rank).collect(),
            Some(axes) => {
                if let Some(axis) = axes.iter().find(|&&axis| axis >= rank) {
                    return error(
                        "axis",
                        format!("{axis} is not one of the {rank} axes, which are numbered from 0"),
                    );
                }
                if let Some(axis) = axes.iter().find(|&&axis| axes.iter().filter(|&&a| a == axis).count() > 1)
                {
                    return error("axis", format!("{axis} occurs more than once"));
                }
                if axes.is_empty() {
                    return error("axes", "a transform needs at least one axis".to_owned());
                }
                axes.clone()
            }
        };
        let [mut given, mut kept] = [
            partial_lengths(&self.given, "padded_from", &self.lengths, &axes)?,
            partial_lengths(&self.kept, "cropped_to", &self.lengths, &axes)?,
        ];
        // The axis of real numbers is the last one given.
        let last = axes[axes.len() - 1];
        let half = match kind {
            Kind::Complex => None,
            Kind::RealToHalf => Some((&mut kept, "cropped_to")),
            Kind::HalfToReal => Some((&mut given, "padded_from")),
        };
        if let Some((half, what)) = half {
            let length = self.lengths[last];
            if half[last] != length {
                let reason =
                    format!("half of a spectrum can be neither padded nor cropped, along axis {last}");
                return error(what, reason);
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
            Error::invalid_input("lengths", reason)
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
            let reason = format!("{name} has {} strides, but the transform has {rank} axes", strides.len());
            return error("strides", reason);
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
        // Written points need different indices. Going from the smallest stride up, each stride must lead beyond all
        // indices that the smaller strides reach.
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
            return error("strides", format!("{why}: several points would be stored at the same index"));
        }
        // Points with different indices leave no gaps if their number equals the extent.
        let points = lengths.iter().fold(self.batch, |product, &length| product.saturating_mul(length));
        let (dense, gapless) = (given.is_none(), written && points == extent);
        Ok(Side { lengths: lengths.to_vec(), strides, distance, extent, dense, gapless, shared })
    }
}

impl Side {
    /// Returns the number of points of a new vector for this side.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if strides leave gaps.
    pub(crate) fn full(&self) -> Result<usize> {
        if self.gapless {
            return Ok(self.extent);
        }
        let reason =
            "they leave gaps, which a new vector cannot have: write into an existing vector".to_owned();
        Err(Error::invalid_input("strides of the output", reason))
    }
}

impl Checked {
    /// Returns an error unless the output has the same layout as the input.
    pub(crate) fn same_places(&self) -> Result<()> {
        if (&self.input.strides, self.input.distance) == (&self.output.strides, self.output.distance) {
            return Ok(());
        }
        let reason = format!(
            "in place, {:?} and distance {} of the input must equal {:?} and distance {} of the output",
            self.input.strides, self.input.distance, self.output.strides, self.output.distance
        );
        Err(Error::invalid_input("strides", reason))
    }

    /// Returns an error unless each spectrum lies in the memory of its real numbers: a complex number takes the room of
    /// two real ones.
    pub(crate) fn same_rows(&self) -> Result<()> {
        let (reals, half) = (&self.input, &self.output);
        let real_axis = self.axes[self.axes.len() - 1];
        let error = |what: String, real: usize, complex: usize, wanted: &str| {
            let reason = format!(
                "{what} is {real} of real numbers and {complex} of complex numbers; in place, {wanted}"
            );
            error("strides", reason)
        };
        for (axis, (&real, &complex)) in reals.strides.iter().zip(&half.strides).enumerate() {
            if axis == real_axis && (real, complex) != (1, 1) {
                return error(format!("the stride of axis {axis}"), real, complex, "both are 1");
            }
            if axis != real_axis && self.lengths[axis] > 1 && real != 2 * complex {
                return error(
                    format!("the stride of axis {axis}"),
                    real,
                    complex,
                    "one must be twice the other",
                );
            }
        }
        if self.batch > 1 && reals.distance != 2 * half.distance {
            let what = "the distance of transforms".to_owned();
            return error(what, reals.distance, half.distance, "one must be twice the other");
        }
        Ok(())
    }

    /// Returns `true` if the problem has no points.
    pub(crate) fn is_empty(&self) -> bool {
        self.batch == 0 || self.lengths.contains(&0)
    }

    /// Returns the number of points of one transform, for normalisation.
    pub(crate) fn points(&self) -> f64 {
        self.axes.iter().map(|&axis| self.lengths[axis] as f64).product()
    }
}
