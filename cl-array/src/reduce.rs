//! Reductions: of whole arrays, and along axes.

use crate::array::Array;
use crate::expr::{ArrayExpr, ArrayOperand};
use crate::rank::{Arrays, Extend, Rank, Reduce, Vectors};
use cl_algo::ranked::{self, NewVectors};
use cl_algo::{Castable, DeviceVec, Element, Expr, Item, Number, Ordered, Recorded, Val};
use cl_core::{Error, Queue, Result};

/// The reduced array of elements of `T`, with one axis less, or a tuple of arrays for a tuple.
pub(crate) type Reduced<T, const N: usize> = <Rank<N> as Reduce>::Array<T>;

impl<'a, T: Item, const N: usize> ArrayExpr<'a, T, N> {
    /// Combines all items along an axis with an associative and commutative operator, in one or two kernels. Tuples make
    /// a tuple of arrays, so that one kernel computes several results.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(a.iter().fold_axis(0, |x, y| x * y)?.to_vec()?, [4, 10, 18]);
    /// assert_eq!(a.iter().fold_axis(1, |x, y| x * y)?.to_vec()?, [6, 120]);
    /// let pairs = a.map(|x| (x, x)); // each element as the least and as the greatest
    /// let (least, greatest) = pairs.fold_axis(1, |a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    /// assert_eq!(least.to_vec()?, [1, 4]);
    /// assert_eq!(greatest.to_vec()?, [3, 6]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an axis that the array does not have or that has length 0; as
    /// [`ArrayExpr::collect`].
    pub fn fold_axis(
        self,
        axis: usize,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    ) -> Result<Reduced<T, N>>
    where
        T::Vectors: Vectors,
        Rank<N>: Reduce,
    {
        self.fold_axis_with("fold_axis", axis, None, operator, itself)
    }

    /// Folds the items along an axis one after the other, in the order of their coordinates, from an initial value on: for
    /// functions that are neither associative nor commutative. `step` is called with the result so far and the next item,
    /// as that of [`Iterator::fold`]. Each work-item computes whole results, so [`fold_axis`](ArrayExpr::fold_axis) is faster
    /// where it is possible.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let digits = Array::from_slice(&queue, [2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let numbers = digits.iter().fold_axis_in_order(1, 0, |number, digit| 10 * number + digit)?;
    /// assert_eq!(numbers.to_vec()?, [123, 456]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an axis that the array does not have; as [`ArrayExpr::collect`]. The result along an axis
    /// of length 0 is the initial value.
    #[doc(alias("fold_left", "foldl", "reduce"))]
    pub fn fold_axis_in_order<S: Item>(
        self,
        axis: usize,
        initial: S,
        step: impl FnOnce(S::Values, T::Values) -> S::Values,
    ) -> Result<Reduced<S, N>>
    where
        S::Vectors: Vectors,
        Rank<N>: Reduce,
    {
        const NAME: &str = "fold_axis_in_order";
        let (vectors, shape) = self.fold_into_by::<S::Values>(NAME, &[axis], None, |sink, expr, shape| {
            let initial = ranked::from_coordinates(|[]| initial.known());
            ranked::fold_left::<T, S, S::Values>(NAME, sink, expr, (shape, axis), initial, step, itself)
        })?;
        <Rank<N> as Reduce>::array::<S>(vectors, &shape)
    }

    /// Combines all items along several axes with an associative and commutative operator, in one or two kernels. The
    /// result has the other `M` axes.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 1, 3], &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(a.iter().fold_axes::<1>(&[0, 1], |x, y| x * y)?.to_vec()?, [4, 10, 18]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] unless `M` is the number of the other axes; for an axis that the array does not have, is
    /// given twice, or has length 0; as [`ArrayExpr::collect`].
    pub fn fold_axes<const M: usize>(
        self,
        axes: &[usize],
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    ) -> Result<Arrays<T, M>>
    where
        T::Vectors: Vectors,
    {
        self.fold_axes_with("fold_axes", axes, None, operator, itself)
    }

    /// Combines all items with an associative and commutative operator, in one or two kernels. The result is an array
    /// without axes, or a tuple of these, which stays on the device.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[1_i32, 2, 3, 4, 5, 6])?;
    /// let pairs = a.map(|x| (x, x));
    /// let (least, greatest) = pairs.fold(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    /// let scaled = (&a - &least) * 100 / (&greatest - &least); // broadcast back
    /// assert_eq!(scaled.to_vec()?, [0, 20, 40, 60, 80, 100]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for zero items; as [`ArrayExpr::collect`].
    #[doc(alias = "reduce")]
    pub fn fold(self, operator: impl FnOnce(T::Values, T::Values) -> T::Values) -> Result<Arrays<T, 0>>
    where
        T::Vectors: Vectors,
    {
        let axes: [usize; N] = std::array::from_fn(|axis| axis);
        self.fold_axes_with("fold", &axes, None, operator, itself)
    }

    /// Combines all items along axes, and stores what `finish` computes of each result. The result of zero items is
    /// `empty`.
    pub(crate) fn fold_axes_with<R: Recorded, const M: usize>(
        self,
        operation: &'static str,
        axes: &[usize],
        empty: Option<R::Item>,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
        finish: impl FnOnce(T::Values) -> R,
    ) -> Result<Arrays<R::Item, M>>
    where
        <R::Item as Item>::Vectors: Vectors,
    {
        if axes.len().checked_add(M) != Some(N) {
            let reason = format!("{} of {N} axes are folded; the result does not have {M} axes", axes.len());
            return Err(Error::invalid_input(operation, reason));
        }
        let (vectors, shape) = self.fold_into(operation, axes, empty, operator, finish)?;
        vectors.into_arrays(std::array::from_fn(|axis| shape[axis]))
    }

    /// Does the same as [`fold_axes_with`](ArrayExpr::fold_axes_with) along one axis.
    pub(crate) fn fold_axis_with<R: Recorded>(
        self,
        operation: &'static str,
        axis: usize,
        empty: Option<R::Item>,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
        finish: impl FnOnce(T::Values) -> R,
    ) -> Result<Reduced<R::Item, N>>
    where
        <R::Item as Item>::Vectors: Vectors,
        Rank<N>: Reduce,
    {
        let (vectors, shape) = self.fold_into(operation, &[axis], empty, operator, finish)?;
        <Rank<N> as Reduce>::array::<R::Item>(vectors, &shape)
    }

    /// Folds one axis by the commutative `operator`. `follow` gives the same if all items of its second operand come after those of the
    /// first.
    pub(crate) fn fold_axis_following<R: Recorded>(
        self,
        operation: &'static str,
        axis: usize,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
        follow: impl FnOnce(T::Values, T::Values) -> T::Values,
        finish: impl FnOnce(T::Values) -> R,
    ) -> Result<Reduced<R::Item, N>>
    where
        <R::Item as Item>::Vectors: Vectors,
        Rank<N>: Reduce,
    {
        let (vectors, shape) = self.fold_into_by::<R>(operation, &[axis], None, |sink, expr, shape| {
            ranked::fold_in_order::<T, R>(operation, sink, expr, (shape, axis), operator, follow, finish)
        })?;
        <Rank<N> as Reduce>::array::<R::Item>(vectors, &shape)
    }

    /// Returns the results of a fold along axes, and their shape.
    pub(crate) fn fold_into<R: Recorded>(
        self,
        operation: &'static str,
        axes: &[usize],
        empty: Option<R::Item>,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
        finish: impl FnOnce(T::Values) -> R,
    ) -> Result<(<R::Item as Item>::Vectors, Vec<usize>)> {
        self.fold_into_by::<R>(operation, axes, empty, |sink, expr, shape| {
            ranked::fold::<T, R>(operation, sink, expr, (shape, axes), operator, finish)
        })
    }

    /// Returns the results that `fold` stores for the axes in `axes`, and their shape.
    fn fold_into_by<R: Recorded>(
        self,
        operation: &'static str,
        axes: &[usize],
        empty: Option<R::Item>,
        fold: impl FnOnce(NewVectors<'_, R::Item>, Expr<'_, T>, &[usize]) -> Result<()>,
    ) -> Result<(<R::Item as Item>::Vectors, Vec<usize>)> {
        let shape = self.shape();
        for (at, &axis) in axes.iter().enumerate() {
            if axis >= N || axes[..at].contains(&axis) {
                let reason = format!("axis {axis} among {axes:?}, of an array that has {N} axes");
                return Err(Error::invalid_input(operation, reason));
            }
        }
        let results: Vec<usize> =
            (0..N).filter(|axis| !axes.contains(axis)).map(|axis| shape[axis]).collect();
        let expr = self.into_inner();
        let queue: &Queue = ranked::queue_of(operation, &expr)?;
        let len = ranked::count(&results)?;
        // SAFETY: the kernels enqueued next write every element. If they cannot be enqueued, the vectors are dropped.
        let vectors = unsafe { <R::Item as Item>::uninit(queue, len) }?;
        // SAFETY: nothing else knows the vectors.
        let sink = unsafe { NewVectors::<R::Item>::new(&vectors, &results) }?;
        match empty {
            Some(empty) if axes.iter().any(|&axis| shape[axis] == 0) => {
                ranked::assign(operation, sink, ranked::from_coordinates(|[]| empty.known()))?;
            }
            _ => fold(sink, expr, &shape)?,
        }
        Ok((vectors, results))
    }

    /// Combines all items into one value.
    pub(crate) fn fold_all<R: Recorded>(
        self,
        operation: &'static str,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
        finish: impl FnOnce(T::Values) -> R,
    ) -> Result<Option<R::Item>>
    where
        R::Item: Element + Item<Vectors = DeviceVec<R::Item>>,
    {
        if self.shape().contains(&0) {
            ranked::queue_of(operation, &self.into_inner())?;
            return Ok(None);
        }
        let axes: [usize; N] = std::array::from_fn(|axis| axis);
        let (result, _) = self.fold_into(operation, &axes, None, operator, finish)?;
        Ok(result.to_vec()?.into_iter().next())
    }
}

/// Defines a reduction of the whole array, one along an axis and one along several axes.
macro_rules! reductions {
    ($(where $($class:path),+ { $(
        $(#[$doc:meta])*
        $name:ident $axis_name:ident $axes_name:ident -> $result:ty: $operator:expr;
    )* })*) => {$(
        impl<'a, T: $($class +)+, const N: usize> ArrayExpr<'a, T, N> {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// As [`ArrayExpr::collect`].
            pub fn $name(self) -> Result<Option<$result>> {
                self.fold_all(stringify!($name), $operator, itself)
            }

            $(#[$doc])*
            ///
            /// One result for each line along the axis.
            ///
            /// # Errors
            /// As [`ArrayExpr::fold_axis`].
            pub fn $axis_name(self, axis: usize) -> Result<Reduced<$result, N>>
            where
                Rank<N>: Reduce,
            {
                self.fold_axis_with(stringify!($axis_name), axis, None, $operator, itself)
            }

            $(#[$doc])*
            ///
            /// One result for each tuple of coordinates along the other `M` axes.
            ///
            /// # Errors
            /// As [`ArrayExpr::fold_axes`].
            pub fn $axes_name<const M: usize>(self, axes: &[usize]) -> Result<Array<$result, M>> {
                self.fold_axes_with(stringify!($axes_name), axes, None, $operator, itself)
            }
        )*}
    )*};
}

/// Returns its argument.
pub(crate) fn itself<E>(expr: E) -> E {
    expr
}

reductions! {
    where Number {
        /// Returns the product of the elements; integers wrap around.
        #[doc(alias = "prod")]
        product product_axis product_axes -> T: |a: Val<T>, b: Val<T>| a * b;
    }
    where Ordered {
        /// Returns the smallest element. NaN is ignored, as by [`ArrayExpr::min`], unless all elements are NaN.
        #[doc(alias("min", "amin"))]
        reduce_min min_axis min_axes -> T: |a: Val<T>, b: Val<T>| a.min(b);
        /// Returns the largest element. NaN is ignored, as by [`ArrayExpr::max`], unless all elements are NaN.
        #[doc(alias("max", "amax"))]
        reduce_max max_axis max_axes -> T: |a: Val<T>, b: Val<T>| a.max(b);
    }
}

impl<'a, T: Number, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the sum of all elements, 0 for zero elements; integers wrap around.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    pub fn sum(self) -> Result<T> {
        Ok(self.fold_all("sum", |a, b| a + b, itself)?.unwrap_or(T::zeroed()))
    }

    /// Adds the elements along an axis; integers wrap around.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[3.0_f32, 4.0, 6.0, 8.0])?;
    /// let lengths = a.map(|x| x * x).sum_axis(1)?; // the squares are not stored
    /// let unit = (&a / lengths.iter().sqrt().insert_axis(1)).collect()?;
    /// assert_eq!(unit.to_vec()?, [0.6, 0.8, 0.6, 0.8]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The result of any reduction along an axis is broadcast along that axis again by `insert_axis`, or by
    /// [`keepdims`](Array::keepdims), which takes the array.
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axis`], but the sum along an axis of length 0 is 0.
    pub fn sum_axis(self, axis: usize) -> Result<Reduced<T, N>>
    where
        Rank<N>: Reduce,
    {
        self.fold_axis_with("sum_axis", axis, Some(T::zeroed()), |a, b| a + b, itself)
    }

    /// Adds the elements along several axes; integers wrap around. The result has the other `M` axes.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_fn(&queue, [2, 3, 4], |[i, j, k]| i + j + k)?;
    /// let sums: Array<u64, 1> = a.iter().sum_axes(&[0, 2])?;
    /// assert_eq!(sums.to_vec()?, [16, 24, 32]);
    /// let kept = sums.insert_axis(0).insert_axis(2); // `keepdims`: the axes in ascending order
    /// assert_eq!(kept.shape(), [1, 3, 1]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axes`], but the sum along an axis of length 0 is 0.
    pub fn sum_axes<const M: usize>(self, axes: &[usize]) -> Result<Array<T, M>> {
        self.fold_axes_with("sum_axes", axes, Some(T::zeroed()), |a, b| a + b, itself)
    }
}

impl<'a, T: Castable, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the sum of all elements in a wider type, which holds every element exactly; see
    /// [`Expr::sum_as`](cl_algo::Expr::sum_as).
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::filled(&queue, [2, 500], 200_u8)?;
    /// assert_eq!(a.iter().sum_as::<u64>()?, 200_000);
    /// assert_eq!(a.iter().sum_axis_as::<u32>(1)?.to_vec()?, [100_000, 100_000]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    pub fn sum_as<R: Castable + Number + From<T>>(self) -> Result<R> {
        self.cast::<R>().sum()
    }

    /// Adds the elements along an axis in a wider type. See [`ArrayExpr::sum_as`].
    ///
    /// # Errors
    /// As [`ArrayExpr::sum_axis`].
    pub fn sum_axis_as<R: Castable + Number + From<T>>(self, axis: usize) -> Result<Reduced<R, N>>
    where
        Rank<N>: Reduce,
    {
        self.cast::<R>().sum_axis(axis)
    }
}

impl<T: Element, const N: usize> Array<T, N> {
    /// Returns the array as an expression with an additional axis of length 1, which is broadcast along it: NumPy's
    /// `keepdims` for the result of any reduction along the axis. The expression owns the array.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 3.0, 5.0, 9.0])?;
    /// let means = a.mean_axis(1)?.keepdims(1); // [2, 1]
    /// assert_eq!((&a - means).to_vec()?, [-1.0, 1.0, -2.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// An axis beyond the rank is a deferred error.
    #[doc(alias("keep_dims", "expand_dims", "insert_axis"))]
    pub fn keepdims(self, axis: usize) -> <Rank<N> as Extend>::Of<ArrayExpr<'static, T, N>>
    where
        Rank<N>: Extend,
    {
        self.into_array_expr().insert_axis(axis)
    }
}
