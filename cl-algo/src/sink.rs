//! Sinks: the outputs that the values of an expression are stored to.

use crate::element::{Element, Integer};
use crate::expr::Item;
use crate::expr::{Operand, Recorded, record};
use crate::ir::graph::{Graph, Replace};
use crate::ir::op::NodeId;
use crate::ir::target::{Stores, Target, TargetIndex};
use crate::vec::DeviceVec;
use cl_core::{Error, Memory, Queue};
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};

pub(crate) mod sealed {
    /// Seals [`Sink`](super::Sink). Kernels write to the memory that an implementation names, but `Sink` is
    /// not an `unsafe` trait, so other crates must not implement it.
    pub trait Sealed {}
}
use sealed::Sealed;

/// An output that the items of an expression can be stored to.
///
/// A `&mut DeviceVec`, a mutable view of a vector, a scatter into a vector, [`Discard`], or a tuple of sinks for a
/// tuple of values. For each index, all values are computed before any of them is stored.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
/// let mut sum = DeviceVec::filled(&queue, 0.0_f32, 3)?;
/// let mut square = DeviceVec::filled(&queue, 0.0_f32, 3)?;
/// assign((&mut sum, square.view_mut().rev()), (&x + 1.0, &x * &x))?; // one kernel
/// assert_eq!(sum.to_vec()?, [2.0, 3.0, 4.0]);
/// assert_eq!(square.to_vec()?, [9.0, 4.0, 1.0]);
/// # Ok(())
/// # }
/// ```
pub trait Sink<'t, T: Item>: Sealed {
    /// Adds a target for each of the values, which are the nodes `roots`.
    #[doc(hidden)]
    fn add_targets(self, roots: &[NodeId], into: &mut Stores<'_, 't>);
}

impl<'t> Target<'t> {
    /// Returns the target of a whole vector, in order.
    pub(crate) fn whole<T: Element>(vector: &'t DeviceVec<T>) -> Target<'t> {
        Target {
            memory: vector.memory(),
            queue: vector.queue(),
            element: T::TYPE,
            len: vector.len(),
            elements: vector.len(),
            index: TargetIndex::Line { stride: 1, offset: 0 },
            failure: None,
        }
    }
}

impl<T: Element> Sealed for &mut DeviceVec<T> {}

impl<'t, T: Element> Sink<'t, T> for &'t mut DeviceVec<T> {
    fn add_targets(self, roots: &[NodeId], into: &mut Stores<'_, 't>) {
        into.put(roots[0], Target::whole(self));
    }
}

/// A part of a device vector that can be assigned to: a range, every n-th element, or either reversed.
///
/// Made by [`DeviceVec::view_mut`] and [`DeviceVec::slice_mut`].
#[must_use = "a view does nothing until it is assigned to"]
pub struct ViewMut<'t, T: Element> {
    memory: &'t Memory,
    queue: &'t Queue,
    stride: i64,
    offset: i64,
    len: usize,
    /// The number of the vector's elements.
    elements: usize,
    /// The first deferred error, which the assignment reports.
    failure: Option<Error>,
    element: PhantomData<&'t mut T>,
}

impl<'t, T: Element> ViewMut<'t, T> {
    pub(crate) fn whole(vector: &'t mut DeviceVec<T>) -> ViewMut<'t, T> {
        let (memory, queue, len) = (vector.memory(), vector.queue(), vector.len());
        ViewMut {
            memory,
            queue,
            stride: 1,
            offset: 0,
            len,
            elements: len,
            failure: None,
            element: PhantomData,
        }
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the view has zero elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Reverses the view: its first element is the last one of `self`.
    #[doc(alias("flip", "reverse"))]
    pub fn rev(self) -> Self {
        let len = self.len;
        self.along(-1, len as i64 - 1, len)
    }

    /// Keeps every element whose index is a multiple of `step`.
    ///
    /// A step of 0 is a deferred error, which the assignment reports.
    pub fn step_by(mut self, step: usize) -> Self {
        if step == 0 {
            let reason = "it is 0; use a step of 1 or more".to_owned();
            self.failure.get_or_insert(Error::invalid_input("step", reason));
        }
        let len = self.len.div_ceil(step.max(1));
        self.along(step as i64, 0, len)
    }

    /// Keeps the elements of a range of indices.
    ///
    /// A range that goes beyond the end is a deferred error, which the assignment reports.
    pub fn slice(mut self, range: impl RangeBounds<usize>) -> Self {
        let (begin, given_end) = ends(&range);
        let end = given_end.unwrap_or(self.len);
        if begin <= end && end <= self.len {
            return self.along(1, begin as i64, end - begin);
        }
        self.failure.get_or_insert(invalid_range(begin, given_end, Some(self.len)));
        self.along(1, 0, 0)
    }

    /// Divides the view into the elements before `middle` and the elements from `middle` on.
    ///
    /// A `middle` beyond the end is a deferred error, which the assignment to either half reports.
    pub fn split_at(self, middle: usize) -> (Self, Self) {
        // The two halves have no element in common, so both may be written.
        let left = ViewMut { failure: self.failure.clone(), ..self };
        let right = ViewMut { failure: self.failure, ..left };
        (left.slice(..middle), right.slice(middle..))
    }

    /// Returns the view of the elements at `stride * i + offset`.
    fn along(self, stride: i64, offset: i64, len: usize) -> Self {
        let offset = self.stride * offset + self.offset;
        // With fewer than two elements the stride does not matter. With more, the product does not overflow,
        // because every index lies in the vector.
        let stride = if len < 2 { 1 } else { self.stride * stride };
        ViewMut { stride, offset, len, ..self }
    }
}

/// The view of a whole vector, so that functions that take a view also take vectors.
impl<'t, T: Element> From<&'t mut DeviceVec<T>> for ViewMut<'t, T> {
    fn from(vector: &'t mut DeviceVec<T>) -> ViewMut<'t, T> {
        ViewMut::whole(vector)
    }
}

impl<'t, T: Element> From<ViewMut<'t, T>> for Target<'t> {
    fn from(view: ViewMut<'t, T>) -> Target<'t> {
        let ViewMut { memory, queue, stride, offset, len, elements, failure, .. } = view;
        Target {
            memory,
            queue,
            element: T::TYPE,
            len,
            elements,
            index: TargetIndex::Line { stride, offset },
            failure: failure.map(Box::new),
        }
    }
}

impl<T: Element> Sealed for ViewMut<'_, T> {}

impl<'t, T: Element> Sink<'t, T> for ViewMut<'t, T> {
    fn add_targets(self, roots: &[NodeId], into: &mut Stores<'_, 't>) {
        into.put(roots[0], self.into());
    }
}

/// A sink that scatters: item `i` goes to index `indices[i]` of a device vector. Made by [`DeviceVec::scatter_mut`].
#[must_use = "a scatter does nothing until it is assigned to"]
pub struct Scatter<'t, T: Element> {
    vector: &'t DeviceVec<T>,
    indices: Graph<'t>,
}

impl<T: Element> Sealed for Scatter<'_, T> {}

impl<'t, T: Element> Sink<'t, T> for Scatter<'t, T> {
    fn add_targets(self, roots: &[NodeId], into: &mut Stores<'_, 't>) {
        let Scatter { vector, indices } = self;
        let whole = Target::whole(vector);
        // Indices without a length, such as `index() * 2`, are as many as the values.
        let len = indices.len.unwrap_or(usize::MAX);
        let bound = vector.len();
        let index = TargetIndex::Scatter { indices: Box::new(indices), bound, reach: bound };
        into.put(roots[0], Target { len, index, ..whole });
    }
}

impl<T: Element> DeviceVec<T> {
    /// Returns a view of the whole vector. The methods of the view select a part, or another order of
    /// elements: `x.view_mut().rev()`.
    pub fn view_mut(&mut self) -> ViewMut<'_, T> {
        ViewMut::whole(self)
    }

    /// Returns the elements of a range of indices as a sink; see [`ViewMut::slice`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::filled(&queue, 0, 5)?;
    /// assign(x.slice_mut(1..3), 7)?;
    /// assert_eq!(x.to_vec()?, [0, 7, 7, 0, 0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> ViewMut<'_, T> {
        self.view_mut().slice(range)
    }

    /// Returns a sink that scatters: item `i` goes to index `indices[i]` of the vector.
    ///
    /// If several items go to the same index, an unspecified one of them is stored. An item whose index is out of range
    /// is dropped, and the next call that waits for the queue returns an error that names the first such index.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[10, 20, 30])?;
    /// let order = DeviceVec::from_slice(&queue, &[2_u32, 0, 1])?;
    /// let mut y = DeviceVec::filled(&queue, 0, 3)?;
    /// assign(y.scatter_mut(&order), &x)?; // y[order[i]] = x[i]
    /// assert_eq!(y.to_vec()?, [20, 30, 10]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("scatter", "put", "permutation_iterator"))]
    pub fn scatter_mut<'t, I: Integer>(&'t mut self, indices: impl Operand<'t, I>) -> Scatter<'t, T> {
        let mut indices = indices.into_expr().into_graph();
        indices.require_integer("scatter_mut");
        Scatter { vector: self, indices }
    }
}

/// A sink that drops its items, for results that are not wanted.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[7, 8, 9])?;
/// let mut tens = DeviceVec::filled(&queue, 0, 3)?;
/// assign((&mut tens, Discard), x.iter().map(|x| (x * 10, x + 1)))?;
/// assert_eq!(tens.to_vec()?, [70, 80, 90]);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "discard_iterator")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Discard;

impl Sealed for Discard {}

impl<'t, T: Item> Sink<'t, T> for Discard {
    fn add_targets(self, _: &[NodeId], _: &mut Stores<'_, 't>) {}
}

/// A sink that stores the results of a closure. Made by [`mapped`].
#[allow(missing_debug_implementations)] // closures cannot be shown
#[must_use = "a sink does nothing until it is assigned to"]
pub struct Mapped<S, T, F> {
    sink: S,
    closure: F,
    item: PhantomData<T>,
}

/// Returns a sink that passes each item through a closure and stores the result in `sink`.
///
/// It does for outputs what [`Expr::map`](crate::Expr::map) does for inputs.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::inclusive_scan;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0])?;
/// let mut halves = DeviceVec::filled(&queue, 0.0_f32, 2)?;
/// inclusive_scan(&x, mapped(&mut halves, |sum: Val<f32>| 0.5 * sum))?; // of the results
/// assert_eq!(halves.to_vec()?, [0.5, 1.5]);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "transform_output_iterator")]
pub fn mapped<'t, T: Item, R: Recorded, S: Sink<'t, R::Item>, F: FnOnce(T::Values) -> R>(
    sink: S,
    closure: F,
) -> Mapped<S, T, F> {
    Mapped { sink, closure, item: PhantomData }
}

impl<S: Sealed, T, F> Sealed for Mapped<S, T, F> {}

impl<'t, T: Item, R: Recorded, S: Sink<'t, R::Item>, F: FnOnce(T::Values) -> R> Sink<'t, T>
    for Mapped<S, T, F>
{
    fn add_targets(self, roots: &[NodeId], into: &mut Stores<'_, 't>) {
        let operator = record::<T, R>(self.closure);
        let roots = into.values.absorb(&operator, Replace::Parameters(roots), "mapped");
        self.sink.add_targets(&roots, into);
    }
}

macro_rules! tuples {
    ($(($($name:ident $sink:ident $at:tt),+))+) => {$(
        impl<$($sink: Sealed),+> Sealed for ($($sink,)+) {}

        impl<'t, $($name: Item, $sink: Sink<'t, $name>),+> Sink<'t, ($($name,)+)> for ($($sink,)+) {
            fn add_targets(self, roots: &[NodeId], into: &mut Stores<'_, 't>) {
                let mut rest = roots;
                $({
                    let (mine, others) = rest.split_at($name::count());
                    self.$at.add_targets(mine, into);
                    rest = others;
                })+
                let _ = rest;
            }
        }
    )+};
}

tuples! {
    (A X 0, B Y 1)
    (A X 0, B Y 1, C Z 2)
    (A X 0, B Y 1, C Z 2, D W 3)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5, G S 6)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5, G S 6, H R 7)
}

/// Returns the begin of a range and, unless the range is open, its end.
pub(crate) fn ends(range: &impl RangeBounds<usize>) -> (usize, Option<usize>) {
    let begin = match range.start_bound() {
        Bound::Included(&begin) => begin,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => Some(last.saturating_add(1)),
        Bound::Excluded(&end) => Some(end),
        Bound::Unbounded => None,
    };
    (begin, end)
}

/// Returns a range as the user wrote it: `7..` if it is open.
pub(crate) fn written(begin: usize, end: Option<usize>) -> String {
    end.map_or_else(|| format!("{begin}.."), |end| format!("{begin}..{end}"))
}

/// Returns the error for a range that goes beyond the end, or ends before it begins. An expression of `len` `None` has
/// no end.
pub(crate) fn invalid_range(begin: usize, end: Option<usize>, len: Option<usize>) -> Error {
    let range = written(begin, end);
    let reason = match len {
        Some(len) => format!("{range} is not a range of {len} elements"),
        None => format!("{range} ends before it begins"),
    };
    Error::invalid_input("range", reason)
}

impl<T: Element> std::fmt::Debug for ViewMut<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ViewMut({} elements from {} on, every {})", self.len, self.offset, self.stride)
    }
}

impl<T: Element> std::fmt::Debug for Scatter<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Scatter into {:?}", self.vector)
    }
}
