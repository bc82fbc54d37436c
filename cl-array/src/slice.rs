//! Slices of arrays: ranges, steps, single indices and new axes, in the notation of NumPy and ndarray.

use crate::rank::sealed::Sealed;
use crate::rank::{Next, Rank};
use cl_algo::ranked::{AxisMap, MAX_RANK};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// The part of an axis that a slice takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisSlice {
    /// The elements of a range, or every n-th of them. Negative indices count from the end of the axis. A negative step
    /// goes through the range backwards, from its end.
    Range {
        /// The first index.
        start: isize,
        /// The index after the last; `None` for the end of the axis.
        end: Option<isize>,
        /// The distance of neighbouring elements of the slice.
        step: isize,
    },
    /// One index. The slice does not have the axis.
    Index(isize),
    /// An axis of length 1 that the array does not have.
    NewAxis,
}

/// A new axis of length 1 in a slice: `s![NewAxis, ..]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewAxis;

/// A range with a step: `s![1..; 2]` makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stepped<R>(
    /// The range.
    pub R,
    /// The step.
    pub isize,
);

/// The slices along axes of an array, made by [`s!`](crate::s). `I` is the number of axes that have an argument, and `O`
/// the number of axes that the slice has instead of these.
pub struct SliceInfo<I, O> {
    /// The arguments; the rest is unused.
    axes: [AxisSlice; MOST_ARGUMENTS],
    /// The number of arguments. An argument beyond the last one that has room counts, too.
    count: usize,
    /// The position in `axes` at which axes of the array that have no argument are taken as a whole.
    ellipsis: Option<usize>,
    /// `true` if there are several such positions.
    several_ellipses: bool,
    ranks: PhantomData<(I, O)>,
}

/// The largest number of arguments: an index and a new axis for each axis.
const MOST_ARGUMENTS: usize = 2 * MAX_RANK;

impl<I, O> Clone for SliceInfo<I, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I, O> Copy for SliceInfo<I, O> {}

impl<I, O> fmt::Debug for SliceInfo<I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes = &self.axes[..self.count.min(MOST_ARGUMENTS)];
        f.debug_struct("SliceInfo").field("axes", &axes).field("ellipsis", &self.ellipsis).finish()
    }
}

impl SliceInfo<Rank<0>, Rank<0>> {
    /// Returns the slice of an array without axes.
    #[must_use]
    pub fn new() -> SliceInfo<Rank<0>, Rank<0>> {
        SliceInfo::of_axes(&[])
    }
}

impl Default for SliceInfo<Rank<0>, Rank<0>> {
    fn default() -> Self {
        SliceInfo::new()
    }
}

/// The slice along one more axis: a range, a stepped range, an index or [`NewAxis`].
///
/// No other type is one, because the number of axes of a slice is part of its type:
///
/// ```compile_fail,E0277
/// use cl_array::{AxisSlice, Rank, SliceArgument};
/// struct Two;
/// impl SliceArgument<Rank<0>, Rank<0>> for Two {
///     type In = Rank<1>;
///     type Out = Rank<2>;
///     fn slice(self) -> AxisSlice {
///         AxisSlice::Index(0)
///     }
/// }
/// ```
pub trait SliceArgument<I, O>: Sealed {
    /// The rank of the array after this axis.
    type In;
    /// The rank of the slice after this axis.
    type Out;

    /// Returns the slice along the axis.
    fn slice(self) -> AxisSlice;
}

impl<I, O> SliceInfo<I, O> {
    /// Returns the slice with these parts, whose ranks the caller knows.
    pub(crate) fn of_axes(axes: &[AxisSlice]) -> SliceInfo<I, O> {
        let mut own = [AxisSlice::NewAxis; MOST_ARGUMENTS];
        own.iter_mut().zip(axes).for_each(|(own, axis)| *own = *axis);
        let (ellipsis, several_ellipses) = (None, false);
        SliceInfo { axes: own, count: axes.len(), ellipsis, several_ellipses, ranks: PhantomData }
    }

    /// Returns the slices with one along the next axis added.
    pub fn and<A: SliceArgument<I, O>>(mut self, axis: A) -> SliceInfo<A::In, A::Out> {
        let slice = axis.slice();
        if let Some(axis) = self.axes.get_mut(self.count) {
            *axis = slice;
        }
        let SliceInfo { axes, count, ellipsis, several_ellipses, .. } = self;
        SliceInfo { axes, count: count + 1, ellipsis, several_ellipses, ranks: PhantomData }
    }

    /// Returns the slices with those of all axes without an argument, which are whole, added here: `...` in
    /// [`s!`](crate::s).
    #[must_use]
    pub fn ellipsis(mut self) -> SliceInfo<I, O> {
        self.several_ellipses |= self.ellipsis.is_some();
        self.ellipsis = Some(self.count);
        self
    }

    /// Returns the slice along each axis of an array of `rank` axes, which are not fewer than the arguments.
    fn of_all_axes(&self, rank: usize) -> Result<Vec<AxisSlice>, String> {
        let Some(axes) = self.axes.get(..self.count) else {
            return Err(format!(
                "the slice has {} arguments; at most {MOST_ARGUMENTS} are possible",
                self.count
            ));
        };
        if self.several_ellipses {
            return Err("the slice has several ellipses (`...`); use one of them".to_string());
        }
        let named = axes.iter().filter(|slice| **slice != AxisSlice::NewAxis).count();
        let (before, after) = axes.split_at(self.ellipsis.unwrap_or(axes.len()));
        let rest = std::iter::repeat_n(AxisSlice::from(..), rank.saturating_sub(named));
        Ok(before.iter().copied().chain(rest).chain(after.iter().copied()).collect())
    }

    /// Returns the coordinate along each axis of an array of this shape as a function of the slice's coordinates, and
    /// the shape of the slice; or the reason why the array does not have the slice.
    pub(crate) fn of(&self, shape: &[usize]) -> Result<(Vec<AxisMap>, Vec<usize>), String> {
        let (mut maps, mut sliced) = (Vec::new(), Vec::new());
        for slice in self.of_all_axes(shape.len())? {
            let axis = maps.len();
            match slice {
                AxisSlice::NewAxis => sliced.push(1),
                AxisSlice::Index(index) => {
                    let len = shape[axis];
                    let at = from_end(index, len).filter(|&at| at < len);
                    let at = at.ok_or_else(|| {
                        format!("index {index} of axis {axis}, which has length {len}: shape {shape:?}")
                    })?;
                    maps.push(AxisMap::at(at));
                }
                AxisSlice::Range { start, end, step } => {
                    let len = shape[axis];
                    let (from, to) = (from_end(start, len), end.map_or(Some(len), |end| from_end(end, len)));
                    let (Some(from), Some(to)) = (from, to) else {
                        return Err(beyond(start, end, axis, shape));
                    };
                    if from > to || to > len {
                        return Err(beyond(start, end, axis, shape));
                    }
                    if step == 0 {
                        return Err(format!(
                            "a step of 0 along axis {axis}; use a step of 1 or more, or a negative one"
                        ));
                    }
                    let count = (to - from).div_ceil(step.unsigned_abs());
                    let offset = if step < 0 && count > 0 { to - 1 } else { from };
                    // A single coordinate needs no step, which may be larger than any array.
                    let stride = if count > 1 { step } else { 1 };
                    maps.push(AxisMap { axis: Some(sliced.len()), stride, offset });
                    sliced.push(count);
                }
            }
        }
        Ok((maps, sliced))
    }
}

/// Returns an index that may count from the end of an axis.
fn from_end(index: isize, len: usize) -> Option<usize> {
    if index < 0 { len.checked_sub(index.unsigned_abs()) } else { Some(index as usize) }
}

fn beyond(start: isize, end: Option<isize>, axis: usize, shape: &[usize]) -> String {
    let end = end.map_or_else(String::new, |end| end.to_string());
    format!("range {start}..{end} of axis {axis}, which has length {}: shape {shape:?}", shape[axis])
}

/// An integer that counts along an axis; negative numbers count from its end.
pub trait AxisIndex: Copy {
    /// Returns the number.
    fn number(self) -> isize;
}

impl AxisIndex for isize {
    fn number(self) -> isize {
        self
    }
}

impl AxisIndex for usize {
    fn number(self) -> isize {
        // No axis is as long as `isize::MAX`, so larger numbers are beyond its end, too.
        isize::try_from(self).unwrap_or(isize::MAX)
    }
}

impl AxisIndex for i32 {
    fn number(self) -> isize {
        self as isize
    }
}

// There is one implementation for all integers, so that the rank of a slice is known while the type of a literal is not.
macro_rules! ranges {
    ($($range:ident: $this:ident $start:expr, $end:expr;)*) => {$(
        impl<T: AxisIndex> Sealed for $range<T> {}

        impl<I: Next, O: Next, T: AxisIndex> SliceArgument<I, O> for $range<T> {
            type In = I::Rank;
            type Out = O::Rank;
            fn slice(self) -> AxisSlice {
                self.into()
            }
        }

        impl<T: AxisIndex> From<$range<T>> for AxisSlice {
            fn from($this: $range<T>) -> AxisSlice {
                AxisSlice::Range { start: $start, end: $end, step: 1 }
            }
        }
    )*};
}

ranges! {
    Range: this this.start.number(), Some(this.end.number());
    RangeFrom: this this.start.number(), None;
    RangeTo: this 0, Some(this.end.number());
    RangeInclusive: this this.start().number(), after(this.end().number());
    RangeToInclusive: this 0, after(this.end.number());
}

/// Returns the end of a range that includes `last`; -1 is the last index of the axis.
fn after(last: isize) -> Option<isize> {
    if last == -1 { None } else { Some(last.saturating_add(1)) }
}

impl Sealed for RangeFull {}
impl<T: AxisIndex> Sealed for T {}
impl Sealed for NewAxis {}
impl<R: Sealed> Sealed for Stepped<R> {}

impl<I: Next, O: Next> SliceArgument<I, O> for RangeFull {
    type In = I::Rank;
    type Out = O::Rank;
    fn slice(self) -> AxisSlice {
        self.into()
    }
}

impl From<RangeFull> for AxisSlice {
    fn from(_: RangeFull) -> AxisSlice {
        AxisSlice::Range { start: 0, end: None, step: 1 }
    }
}

impl<I: Next, O, T: AxisIndex> SliceArgument<I, O> for T {
    type In = I::Rank;
    type Out = O;
    fn slice(self) -> AxisSlice {
        AxisSlice::Index(self.number())
    }
}

impl<I, O: Next> SliceArgument<I, O> for NewAxis {
    type In = I;
    type Out = O::Rank;
    fn slice(self) -> AxisSlice {
        AxisSlice::NewAxis
    }
}

impl<I: Next, O: Next, R: SliceArgument<I, O>> SliceArgument<I, O> for Stepped<R> {
    type In = I::Rank;
    type Out = O::Rank;
    fn slice(self) -> AxisSlice {
        stepped(self.0.slice(), self.1)
    }
}

impl<R: Into<AxisSlice>> From<Stepped<R>> for AxisSlice {
    fn from(part: Stepped<R>) -> AxisSlice {
        stepped(part.0.into(), part.1)
    }
}

/// Returns a range with another step. Indices and new axes have no step.
fn stepped(part: AxisSlice, step: isize) -> AxisSlice {
    match part {
        AxisSlice::Range { start, end, .. } => AxisSlice::Range { start, end, step },
        other => other,
    }
}

/// Makes the slice of an array, with one argument for each axis.
///
/// An argument is a range, a range with a step after a semicolon, an index, or [`NewAxis`]. Negative indices count from
/// the end of the axis. A negative step goes through the range backwards, from its end.
///
/// Axes without an argument are whole: the last axes, or those at an ellipsis, `...`, as in NumPy. Several ellipses are a
/// deferred error.
///
/// ```
/// use cl_array::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [3, 4], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])?;
/// assert_eq!(a.slice(s![1, ..]).to_vec()?, [4, 5, 6, 7]);
/// assert_eq!(a.slice(s![.., 1..; 2]).to_vec()?, [1, 3, 5, 7, 9, 11]);
/// assert_eq!(a.slice(s![1.., -2..]).to_vec()?, [6, 7, 10, 11]);
/// assert_eq!(a.slice(s![..; -1, 0]).to_vec()?, [8, 4, 0]);
/// assert_eq!(a.slice(s![1]).to_vec()?, [4, 5, 6, 7]); // all of the last axis
/// assert_eq!(a.slice(s![..., 1]).to_vec()?, [1, 5, 9]); // all of the axes before the last one
/// # Ok(())
/// # }
/// ```
///
/// More arguments than the array has axes do not compile:
///
/// ```compile_fail,E0277
/// use cl_array::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::filled(&queue, [3, 3], 1)?;
/// a.slice(s![1, .., 2]).to_vec()?;
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! s {
    (@ $info:expr;) => { $info };
    (@ $info:expr; ...) => { $info.ellipsis() };
    (@ $info:expr; ..., $($rest:tt)*) => { $crate::s!(@ $info.ellipsis(); $($rest)*) };
    (@ $info:expr; $axis:expr; $step:expr) => { $info.and($crate::Stepped($axis, $step)) };
    (@ $info:expr; $axis:expr; $step:expr, $($rest:tt)*) => {
        $crate::s!(@ $info.and($crate::Stepped($axis, $step)); $($rest)*)
    };
    (@ $info:expr; $axis:expr) => { $info.and($axis) };
    (@ $info:expr; $axis:expr, $($rest:tt)*) => { $crate::s!(@ $info.and($axis); $($rest)*) };
    ($($axes:tt)*) => {{
        // To clippy, a range from the begin to an index that counts from the end is empty.
        #[allow(clippy::reversed_empty_ranges)]
        let slice = $crate::s!(@ $crate::SliceInfo::new(); $($axes)*);
        slice
    }};
}
