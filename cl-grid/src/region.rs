//! Boxes of grid points: domains of formulas, regions that are evaluated, margins.

use cl_core::{Error, Result};
use std::fmt;
use std::ops::Range;

/// The distance from 0 beyond which a span counts as endless. Sums of such distances do not overflow.
const ENDLESS: i64 = i64::MAX / 4;

/// The largest distance along an axis at which a function reads another one. Sums of a million of them are not endless.
pub(crate) const FARTHEST: usize = 1 << 40;

/// The coordinates from `begin` to `end`, without `end`, along one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Span {
    pub(crate) begin: i64,
    pub(crate) end: i64,
}

impl Span {
    pub(crate) const EVERYWHERE: Span = Span { begin: -ENDLESS, end: ENDLESS };

    pub(crate) fn new(begin: i64, len: usize) -> Span {
        Span { begin, end: begin + len as i64 }
    }

    /// Returns the number of coordinates.
    pub(crate) fn len(self) -> usize {
        usize::try_from(self.end - self.begin).unwrap_or(0)
    }

    /// Returns the span moved by `distance`. Ends that are endless stay where they are.
    pub(crate) fn moved(self, distance: i64) -> Span {
        let moved = |at: i64| match at {
            at if at.abs() == ENDLESS => at,
            at => at.saturating_add(distance).clamp(-ENDLESS, ENDLESS),
        };
        Span { begin: moved(self.begin), end: moved(self.end) }
    }

    /// Returns whether `i32` holds all coordinates, and the end.
    pub(crate) fn is_short(self) -> bool {
        self.begin >= i32::MIN.into() && self.end <= i32::MAX.into()
    }

    /// Returns the coordinates in both spans.
    pub(crate) fn and(self, other: Span) -> Span {
        Span { begin: self.begin.max(other.begin), end: self.end.min(other.end) }
    }

    /// Returns the smallest span with all coordinates of both.
    pub(crate) fn hull(self, other: Span) -> Span {
        Span { begin: self.begin.min(other.begin), end: self.end.max(other.end) }
    }

    pub(crate) fn contains(self, other: Span) -> bool {
        self.begin <= other.begin && other.end <= self.end
    }
}

/// A box of grid points. The point at the coordinates 0 is the first of the grid; points beyond its borders have negative
/// coordinates, or coordinates from its size on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Region<const N: usize>(pub(crate) [Span; N]);

impl<const N: usize> Region<N> {
    pub(crate) const EVERYWHERE: Region<N> = Region([Span::EVERYWHERE; N]);

    /// Returns all points of a grid.
    pub(crate) fn of_grid(shape: [usize; N]) -> Region<N> {
        Region(shape.map(|len| Span::new(0, len)))
    }

    pub(crate) fn shape(&self) -> [usize; N] {
        self.0.map(Span::len)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.shape().contains(&0)
    }

    pub(crate) fn moved(&self, offset: [isize; N]) -> Region<N> {
        Region(std::array::from_fn(|axis| self.0[axis].moved(offset[axis] as i64)))
    }

    pub(crate) fn and(&self, other: &Region<N>) -> Region<N> {
        Region(std::array::from_fn(|axis| self.0[axis].and(other.0[axis])))
    }

    pub(crate) fn hull(&self, other: &Region<N>) -> Region<N> {
        Region(std::array::from_fn(|axis| self.0[axis].hull(other.0[axis])))
    }

    pub(crate) fn contains(&self, other: &Region<N>) -> bool {
        (0..N).all(|axis| self.0[axis].contains(other.0[axis]))
    }

    /// Returns the region with another span along an axis.
    pub(crate) fn with(mut self, axis: usize, span: Span) -> Region<N> {
        self.0[axis] = span;
        self
    }
}

impl<const N: usize> fmt::Display for Region<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (axis, span) in self.0.iter().enumerate() {
            if axis > 0 {
                f.write_str(", ")?;
            }
            match *span {
                Span::EVERYWHERE => f.write_str("..")?,
                Span { begin, end } => write!(f, "{begin}..{end}")?,
            }
        }
        f.write_str("]")
    }
}

/// The widths of the two margins along each axis, which an evaluation of the inside leaves untouched.
///
/// ```
/// use cl_grid::Margins;
///
/// let same = Margins::<3>::from(1); // one point at each of the six borders
/// let by_axis = Margins::from([1, 2]);
/// let all = Margins::from([(1, 2), (0, 3)]); // before and after, along axis 0 and axis 1
/// assert_eq!(all.widths(), [(1, 2), (0, 3)]);
/// assert_eq!(by_axis.widths(), [(1, 1), (2, 2)]);
/// assert_eq!(same.widths(), [(1, 1); 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margins<const N: usize>([(usize, usize); N]);

impl<const N: usize> Margins<N> {
    /// Returns the widths along each axis, before the inside and after it.
    #[must_use]
    pub fn widths(&self) -> [(usize, usize); N] {
        self.0
    }

    /// Returns the inside of a grid. Margins that overlap leave an empty one.
    pub(crate) fn inside(&self, shape: [usize; N]) -> Region<N> {
        Region(std::array::from_fn(|axis| {
            let (before, after) = self.0[axis];
            let begin = before.min(shape[axis]);
            Span::new(begin as i64, shape[axis].saturating_sub(after).saturating_sub(begin))
        }))
    }
}

impl<const N: usize> From<usize> for Margins<N> {
    fn from(width: usize) -> Margins<N> {
        Margins([(width, width); N])
    }
}

impl<const N: usize> From<[usize; N]> for Margins<N> {
    fn from(widths: [usize; N]) -> Margins<N> {
        Margins(widths.map(|width| (width, width)))
    }
}

impl<const N: usize> From<[(usize, usize); N]> for Margins<N> {
    fn from(widths: [(usize, usize); N]) -> Margins<N> {
        Margins(widths)
    }
}

/// Returns a box of a grid.
///
/// # Errors
/// [`Error::InvalidInput`] if a range ends before it begins or reaches beyond the grid.
pub(crate) fn part_of<const N: usize>(
    operation: &'static str,
    shape: [usize; N],
    ranges: &[Range<usize>; N],
) -> Result<Region<N>> {
    for (axis, range) in ranges.iter().enumerate() {
        if range.start > range.end || range.end > shape[axis] {
            let reason = format!("the range {range:?} of axis {axis} is not within shape {shape:?}");
            return Err(Error::invalid_input(operation, reason));
        }
    }
    Ok(Region(std::array::from_fn(|axis| Span::new(ranges[axis].start as i64, ranges[axis].len()))))
}
