//! Closures over the neighbours of each element.

use crate::array::Array;
use crate::arrays::ArraySink;
use crate::expr::ArrayExpr;
use crate::rank::{Arrays, Vectors};
use crate::rearrange::Pad;
use crate::view::{ArrayView, ArrayViewMut};
use cl_algo::ranked::{self, AxisMap, Boxed, Neighbourhood, NewVectors, RankedSink};
use cl_algo::{Element, Expr, Item, Recorded, Val};
use cl_core::{Error, Queue, Result};
use std::fmt;

/// A lazy array whose elements are computed from neighbours, some of which are beyond the borders of the array that is
/// read.
///
/// Made by [`ArrayExpr::stencil_padded`]. [`collect`](Bordered::collect) evaluates it fast, in one kernel: elements of the
/// inside, where all neighbours exist, are computed without a rule for the borders.
#[must_use = "a stencil is lazy: nothing is computed until it is evaluated"]
pub struct Bordered<'a, T: Item, const N: usize> {
    /// The elements whose neighbours all exist, and the coordinates of the first of these; `None` without such elements.
    inside: Option<(ArrayExpr<'a, T, N>, [usize; N])>,
    /// All elements. The neighbours are read by the rule for the border.
    whole: ArrayExpr<'a, T, N>,
}

/// The elements that a result reads: its element `i` reads the source at `i * steps + offset`, for each of `offsets`.
pub(crate) struct Reads<'r, const N: usize> {
    /// The shape of the result.
    pub(crate) shape: [usize; N],
    pub(crate) steps: [usize; N],
    pub(crate) offsets: &'r [[isize; N]],
}

impl<const N: usize> Reads<'_, N> {
    /// Returns the least and the greatest offset along an axis, and 0.
    fn range(&self, axis: usize) -> [isize; 2] {
        self.offsets
            .iter()
            .fold([0, 0], |[low, high], offset| [low.min(offset[axis]), high.max(offset[axis])])
    }

    /// Returns the coordinates of the result along an axis that read no coordinate outside of `0..len`, as their begin
    /// and end.
    fn inside(&self, axis: usize, len: usize) -> [usize; 2] {
        let ([low, high], step) = (self.range(axis), self.steps[axis]);
        let begin = low.unsigned_abs().div_ceil(step).min(self.shape[axis]);
        let room = len.checked_sub(high.unsigned_abs().saturating_add(1));
        let end = room.map_or(0, |room| room / step + 1).min(self.shape[axis]);
        [begin, end.max(begin)]
    }

    /// Returns the source at the distance `offset` from each element of a box of the result, which begins at `begin`.
    fn neighbour<'a, T: Item>(
        &self,
        source: &ArrayExpr<'a, T, N>,
        offset: [isize; N],
        begin: [usize; N],
    ) -> Expr<'a, T> {
        let axes: [AxisMap; N] = std::array::from_fn(|axis| {
            let first = (begin[axis] * self.steps[axis]).saturating_add_signed(offset[axis]);
            // A single coordinate may have a step larger than any index.
            match self.shape[axis] {
                1 => AxisMap::at(first),
                _ => AxisMap { axis: Some(axis), stride: self.steps[axis] as isize, offset: first },
            }
        });
        source.clone().into_inner().at_coordinates(&axes, N)
    }

    /// Returns what `combine` computes from the neighbours of each element whose neighbours all exist, and the
    /// coordinates of the first of these; `None` without such elements.
    fn within<'a, T: Item, R: Item>(
        &self,
        source: &ArrayExpr<'a, T, N>,
        combine: impl Fn(&dyn Fn([isize; N]) -> Expr<'a, T>) -> Expr<'a, R>,
    ) -> Option<(ArrayExpr<'a, R, N>, [usize; N])> {
        let ranges: [[usize; 2]; N] = std::array::from_fn(|axis| self.inside(axis, source.shape()[axis]));
        let (begin, shape) = (ranges.map(|[begin, _]| begin), ranges.map(|[begin, end]| end - begin));
        if shape.contains(&0) {
            return None;
        }
        let expr = combine(&|offset| self.neighbour(source, offset, begin));
        Some((ArrayExpr::lazy(expr, shape), begin))
    }

    /// Returns what `combine` computes from the neighbours of each element. Neighbours that the source does not have are
    /// read by the rule `pad`.
    pub(crate) fn padded<'a, T: Item, R: Item>(
        &self,
        source: &ArrayExpr<'a, T, N>,
        pad: Pad<T>,
        combine: impl Fn(&dyn Fn([isize; N]) -> Expr<'a, T>) -> Expr<'a, R>,
    ) -> Bordered<'a, R, N> {
        let inside = self.within(source, &combine);
        if let Some((expr, _)) = inside.as_ref().filter(|(expr, _)| expr.shape() == self.shape) {
            return Bordered { whole: expr.clone(), inside };
        }
        let widths: [(usize, usize); N] = std::array::from_fn(|axis| {
            let ([low, high], len) = (self.range(axis), source.shape()[axis]);
            let last = self.shape[axis].saturating_sub(1).saturating_mul(self.steps[axis]);
            let needed = last.saturating_add(high.unsigned_abs()).saturating_add(1);
            (low.unsigned_abs(), needed.saturating_sub(len))
        });
        let padded = source.clone().pad(widths, pad);
        let shift = |offset: [isize; N]| {
            std::array::from_fn(|axis| offset[axis].saturating_add_unsigned(widths[axis].0))
        };
        let expr = combine(&|offset| self.neighbour(&padded, shift(offset), [0; N]));
        Bordered { inside, whole: ArrayExpr::lazy(expr, self.shape) }
    }
}

impl<'a, T: Item, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns what a closure computes from the neighbours of each element, for the elements whose neighbours all exist:
    /// the inside of the array.
    ///
    /// `at([i, j])` is the neighbour at the distance `i` along axis 0 and `j` along axis 1; `at([0, 0])` is the element
    /// itself. The closure is recorded once, as that of [`map`](ArrayExpr::map), and so its reach is known. An array of
    /// `n` coordinates along an axis whose stencil reaches from -1 to 2 has a result of `n - 3` coordinates. Element 0
    /// of this result belongs to element 1 of the array.
    ///
    /// A stencil that reaches further than the array is long is a deferred error.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [5], &[0.0_f32, 1.0, 4.0, 9.0, 16.0])?;
    /// let second = a.iter().stencil(|at| at([-1]) - 2.0 * at([0]) + at([1]));
    /// assert_eq!(second.to_vec()?, [2.0, 2.0, 2.0]);
    /// // Several arrays at once, each neighbour a tuple.
    /// let b = Array::filled(&queue, [5], 10.0_f32)?;
    /// let c = a.iter().zip(&b).stencil(|at| at([1]).0 + at([-1]).1);
    /// assert_eq!(c.to_vec()?, [14.0, 19.0, 26.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("shifted", "neighbours", "laplacian", "finite_difference", "generic_filter"))]
    pub fn stencil<R: Recorded>(
        self,
        closure: impl FnOnce(&dyn Fn([isize; N]) -> T::Values) -> R,
    ) -> ArrayExpr<'a, R::Item, N> {
        let closure = Neighbourhood::<T, R::Item, [isize; N]>::record(closure);
        let shape = self.shape();
        let reads = Reads { shape, steps: [1; N], offsets: closure.reads() };
        if let Some((inside, _)) = reads.within(&self, |at| closure.of(at)) {
            return inside;
        }
        let reach = |axis: usize| reads.range(axis).map(isize::unsigned_abs);
        let too_short = (0..N).find(|&axis| {
            let [back, ahead] = reach(axis);
            back.max(ahead) > 0 && shape[axis] <= back.saturating_add(ahead)
        });
        let inside = std::array::from_fn(|axis| {
            let [back, ahead] = reach(axis);
            shape[axis].saturating_sub(back).saturating_sub(ahead)
        });
        let expr = ArrayExpr::lazy(closure.of(|_| self.clone().into_inner()), inside);
        let Some(axis) = too_short else { return expr }; // it has no elements
        let reason = format!(
            "it reaches {} back and {} ahead along axis {axis}, and the array has shape {shape:?}; `stencil_padded` \
             reads beyond the borders by a rule",
            reach(axis)[0],
            reach(axis)[1]
        );
        expr.failed(Error::invalid_input("stencil", reason))
    }
}

impl<'a, T: Item, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns what a closure computes from the neighbours of each element. Neighbours beyond the borders are those that
    /// [`pad`](ArrayExpr::pad) would add. The result has the shape of the array.
    ///
    /// See [`stencil`](ArrayExpr::stencil) for the closure. [`Bordered::collect`], [`Bordered::collect_into`] and
    /// [`Bordered::assign_to`] evaluate the result in one kernel, also that of several arrays with several results.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let sums = a.iter().stencil_padded(Pad::Constant(0), |at| at([0, -1]) + at([0, 0]) + at([0, 1]));
    /// assert_eq!(sums.collect()?.to_vec()?, [3, 6, 5, 9, 15, 11]);
    /// // Two functions on a ring, each of which reads the neighbours of both.
    /// let (u, v) = (Array::from_slice(&queue, [3], &[1, 2, 4])?, Array::from_slice(&queue, [3], &[10, 20, 40])?);
    /// let (mut next_u, mut next_v) = (Array::zeros(&queue, [3])?, Array::zeros(&queue, [3])?);
    /// let step = u.iter().zip(&v).stencil_padded(Pad::Wrap, |at| {
    ///     let ((u, _), (ahead, v)) = (at([-1]), at([1]));
    ///     (u + ahead, u - v)
    /// });
    /// step.collect_into((&mut next_u, &mut next_v))?;
    /// assert_eq!((next_u.to_vec()?, next_v.to_vec()?), (vec![6, 5, 3], vec![-16, -39, -8]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// An axis of length 0 can only have the border [`Pad::Constant`]. Otherwise this is a deferred error.
    #[doc(alias("shifted", "neighbours", "laplacian", "generic_filter"))]
    pub fn stencil_padded<R: Recorded>(
        self,
        pad: Pad<T>,
        closure: impl FnOnce(&dyn Fn([isize; N]) -> T::Values) -> R,
    ) -> Bordered<'a, R::Item, N> {
        let closure = Neighbourhood::<T, R::Item, [isize; N]>::record(closure);
        let reads = Reads { shape: self.shape(), steps: [1; N], offsets: closure.reads() };
        reads.padded(&self, pad, |at| closure.of(at))
    }
}

impl<'a, T: Item, const N: usize> Bordered<'a, T, N> {
    /// Returns the lazy array of the elements `whole`. `inside` is a part of them that is faster to evaluate, and the
    /// coordinates of its first element. For crates that build on this one.
    pub fn from_parts(
        inside: Option<(ArrayExpr<'a, T, N>, [usize; N])>,
        whole: ArrayExpr<'a, T, N>,
    ) -> Bordered<'a, T, N> {
        Bordered { inside, whole }
    }

    /// Returns the length of each axis.
    #[must_use]
    pub fn shape(&self) -> [usize; N] {
        self.whole.shape()
    }

    /// Returns the array as an expression, for use in other expressions.
    ///
    /// There each element finds its neighbours by the rule for the border: [`collect`](Bordered::collect) is faster.
    pub fn into_expr(self) -> ArrayExpr<'a, T, N> {
        self.whole
    }
}

impl<'a, T: Item, const N: usize> Bordered<'a, T, N> {
    /// Evaluates the elements into arrays, in one kernel. A tuple of arrays stores tuples of values.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the arrays have other shapes; as [`ArrayExpr::collect`].
    #[doc(alias("out", "assign_to", "copyto"))]
    pub fn collect_into(self, arrays: impl ArraySink<'a, T, N>) -> Result<()> {
        let (shape, wanted) = (self.shape(), arrays.shape());
        if shape != wanted {
            let reason = format!("a stencil of shape {shape:?} is assigned to a view of shape {wanted:?}");
            return Err(Error::invalid_input("stencil", reason));
        }
        self.store_to(arrays.into_sink()?)
    }

    fn store_to(self, sink: impl RankedSink<'a, T>) -> Result<()> {
        let whole = self.whole.into_ranked();
        let Some((inside, begin)) = self.inside else { return ranked::assign("stencil", sink, whole) };
        let (begin, shape) = (begin.to_vec(), inside.shape().to_vec());
        ranked::assign_boxed("stencil", sink, whole, Boxed { items: inside.into_ranked(), begin, shape })
    }
}

impl<T: Item, const N: usize> Bordered<'_, T, N>
where
    T::Vectors: Vectors,
{
    /// Evaluates the array into a new one, in one kernel. Does not wait. A stencil of tuples makes a tuple of arrays.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    pub fn collect(self) -> Result<Arrays<T, N>> {
        let queue = self.whole.queue("stencil")?.clone();
        self.collect_on(&queue)
    }

    /// Evaluates the array on `queue`, for stencils that read no array. See [`collect`](Bordered::collect).
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    pub fn collect_on(self, queue: &Queue) -> Result<Arrays<T, N>> {
        let shape = self.shape();
        self.whole.check()?;
        // SAFETY: the kernel enqueued next writes every element. If it cannot be enqueued, the vectors are dropped.
        let vectors = unsafe { T::uninit(queue, ranked::count(&shape)?) }?;
        // SAFETY: nothing else knows the vectors.
        let sink = unsafe { NewVectors::<T>::new(&vectors, &shape) }?;
        self.store_to(sink)?;
        vectors.into_arrays(shape)
    }
}

impl<T: Element, const N: usize> Bordered<'_, T, N> {
    /// Evaluates the array into a view of the same shape, in one kernel.
    ///
    /// # Errors
    /// As [`collect_into`](Bordered::collect_into).
    pub fn assign_to(self, target: ArrayViewMut<'_, T, N>) -> Result<()> {
        self.collect_into(target)
    }

    /// Evaluates the array and copies the elements to the host, in row-major order. Waits for the device.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    pub fn to_vec(self) -> Result<Vec<T>> {
        self.collect()?.to_vec()
    }
}

macro_rules! forward {
    ($type:ty, $($life:lifetime)?) => {
        impl<$($life,)? T: Element, const N: usize> $type {
            /// Returns what a closure computes from the neighbours of each element of the inside. See
            /// [`ArrayExpr::stencil`].
            #[doc(alias("neighbours", "laplacian", "generic_filter"))]
            pub fn stencil<R: Recorded>(
                &self,
                closure: impl FnOnce(&dyn Fn([isize; N]) -> Val<T>) -> R,
            ) -> ArrayExpr<'_, R::Item, N> {
                self.iter().stencil(closure)
            }

            /// Returns what a closure computes from the neighbours of each element. See
            /// [`ArrayExpr::stencil_padded`].
            #[doc(alias("neighbours", "laplacian", "generic_filter"))]
            pub fn stencil_padded<R: Recorded>(
                &self,
                pad: Pad<T>,
                closure: impl FnOnce(&dyn Fn([isize; N]) -> Val<T>) -> R,
            ) -> Bordered<'_, R::Item, N> {
                self.iter().stencil_padded(pad, closure)
            }
        }
    };
}

forward!(Array<T, N>,);
forward!(ArrayView<'a, T, N>, 'a);

impl<T: Item, const N: usize> fmt::Debug for Bordered<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bordered({:?})", self.whole)
    }
}
