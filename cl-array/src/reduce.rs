//! Reductions: of whole arrays, and along one axis.

use crate::array::Array;
use crate::expr::ArrayExpr;
use crate::rank::{Rank, Reduce};
use cl_algo::ranked::{self, Layout, RankedTarget};
use cl_algo::{Castable, DeviceVec, Element, Float, Item, Number, Ordered, Recorded, Val};
use cl_core::{Error, Queue, Result};

/// The reduced array of elements of `T`: an array with one axis less.
type Reduced<T, const N: usize> = <Rank<N> as Reduce>::Array<T>;

impl<'a, T: Item, const N: usize> ArrayExpr<'a, T, N> {
    /// Combines all items along an axis with an associative and commutative operator, in one or two kernels.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(a.iter().fold_axis(0, |x, y| x * y)?.to_vec()?, [4, 10, 18]);
    /// assert_eq!(a.iter().fold_axis(1, |x, y| x * y)?.to_vec()?, [6, 120]);
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
        T: Element,
        Rank<N>: Reduce,
        T::Values: Recorded<Item = T>,
    {
        self.fold_axis_with("fold_axis", axis, operator, |result| result)
    }

    /// Combines all items along an axis, and stores what `finish` computes of each result.
    fn fold_axis_with<R: Recorded>(
        self,
        operation: &'static str,
        axis: usize,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
        finish: impl FnOnce(T::Values) -> R,
    ) -> Result<Reduced<R::Item, N>>
    where
        R::Item: Element,
        Rank<N>: Reduce,
    {
        let shape = self.shape();
        if axis >= N {
            let reason = format!("axis {axis} of an array that has {N} axes");
            return Err(Error::invalid_input(operation, reason));
        }
        let results: Vec<usize> = (0..N).filter(|&k| k != axis).map(|k| shape[k]).collect();
        let vector = self.fold_into(operation, &[axis], &results, operator, finish)?;
        <Rank<N> as Reduce>::array(vector, &results)
    }

    fn fold_into<R: Recorded>(
        self,
        operation: &'static str,
        axes: &[usize],
        results: &[usize],
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
        finish: impl FnOnce(T::Values) -> R,
    ) -> Result<DeviceVec<R::Item>>
    where
        R::Item: Element,
    {
        let shape = self.shape();
        let expr = self.into_inner();
        let queue: &Queue = ranked::queue_of(operation, &expr)?;
        let layout = Layout::row_major(results)?;
        // SAFETY: the kernels enqueued next write every element. If they cannot be enqueued, the vector is dropped.
        let vector = unsafe { DeviceVec::<R::Item>::uninit(queue, layout.len()) }?;
        // SAFETY: nothing else knows the vector.
        let target = unsafe { RankedTarget::new(&vector, layout) };
        ranked::fold::<T, R>(operation, target, expr, (&shape, axes), operator, finish)?;
        Ok(vector)
    }

    /// Combines all items into one value.
    fn fold_all<R: Recorded>(
        self,
        operation: &'static str,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
        finish: impl FnOnce(T::Values) -> R,
    ) -> Result<Option<R::Item>>
    where
        R::Item: Element,
    {
        if self.shape().contains(&0) {
            ranked::queue_of(operation, &self.into_inner())?;
            return Ok(None);
        }
        let axes: [usize; N] = std::array::from_fn(|axis| axis);
        let results = self.fold_into(operation, &axes, &[], operator, finish)?;
        Ok(results.to_vec()?.into_iter().next())
    }
}

/// Defines a reduction of the whole array and one along an axis.
macro_rules! reductions {
    ($(where $($class:path),+ { $(
        $(#[$doc:meta])*
        $name:ident $axis_name:ident -> $result:ty: $map:expr, $operator:expr, $finish:expr;
    )* })*) => {$(
        impl<'a, T: $($class +)+, const N: usize> ArrayExpr<'a, T, N> {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// As [`ArrayExpr::collect`].
            pub fn $name(self) -> Result<Option<$result>> {
                $map(self).fold_all(stringify!($name), $operator, $finish)
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
                $map(self).fold_axis_with(stringify!($axis_name), axis, $operator, $finish)
            }
        )*}

        impl<T: $($class +)+, const N: usize> Array<T, N> {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// As [`ArrayExpr::collect`].
            pub fn $name(&self) -> Result<Option<$result>> {
                self.iter().$name()
            }

            $(#[$doc])*
            ///
            /// One result for each line along the axis.
            ///
            /// # Errors
            /// As [`ArrayExpr::fold_axis`].
            pub fn $axis_name(&self, axis: usize) -> Result<Reduced<$result, N>>
            where
                Rank<N>: Reduce,
            {
                self.iter().$axis_name(axis)
            }
        )*}
    )*};
}

fn itself<E>(expr: E) -> E {
    expr
}

reductions! {
    where Number {
        /// Returns the product of the elements; integers wrap around.
        #[doc(alias = "prod")]
        product product_axis -> T: itself, |a: Val<T>, b: Val<T>| a * b, itself;
    }
    where Ordered {
        /// Returns the smallest element.
        #[doc(alias("min", "amin"))]
        reduce_min min_axis -> T: itself, |a: Val<T>, b: Val<T>| a.min(b), itself;
        /// Returns the largest element.
        #[doc(alias("max", "amax"))]
        reduce_max max_axis -> T: itself, |a: Val<T>, b: Val<T>| a.max(b), itself;
    }
}

impl<'a, T: Number, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the sum of all elements, 0 for zero elements; integers wrap around.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    pub fn sum(self) -> Result<T> {
        Ok(self.fold_all("sum", |a, b| a + b, |sum| sum)?.unwrap_or(T::zeroed()))
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
    /// # Errors
    /// As [`ArrayExpr::fold_axis`], but the sum along an axis of length 0 is 0.
    pub fn sum_axis(self, axis: usize) -> Result<Reduced<T, N>>
    where
        Rank<N>: Reduce,
    {
        let shape = self.shape();
        if axis < N && shape[axis] == 0 {
            let results: Vec<usize> = (0..N).filter(|&k| k != axis).map(|k| shape[k]).collect();
            let queue = ranked::queue_of("sum_axis", &self.into_inner())?;
            let zeros = DeviceVec::filled(queue, T::zeroed(), ranked::count(&results)?)?;
            return <Rank<N> as Reduce>::array(zeros, &results);
        }
        self.fold_axis_with("sum_axis", axis, |a, b| a + b, |sum| sum)
    }
}

impl<T: Number, const N: usize> Array<T, N> {
    /// Returns the sum of all elements; see [`ArrayExpr::sum`].
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    pub fn sum(&self) -> Result<T> {
        self.iter().sum()
    }

    /// Adds the elements along an axis; see [`ArrayExpr::sum_axis`].
    ///
    /// # Errors
    /// As [`ArrayExpr::sum_axis`].
    pub fn sum_axis(&self, axis: usize) -> Result<Reduced<T, N>>
    where
        Rank<N>: Reduce,
    {
        self.iter().sum_axis(axis)
    }
}

impl<'a, T: Float + Castable, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the mean of all elements, `None` for zero elements.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    #[doc(alias("average", "avg"))]
    pub fn mean(self) -> Result<Option<T>> {
        let count = self.shape().iter().product::<usize>();
        self.fold_all("mean", |a, b| a + b, |sum| sum / Val::known(count as u64).cast::<T>())
    }

    /// Returns the means along an axis.
    ///
    /// # Errors
    /// As [`ArrayExpr::fold_axis`].
    pub fn mean_axis(self, axis: usize) -> Result<Reduced<T, N>>
    where
        Rank<N>: Reduce,
    {
        let count = self.shape().get(axis).copied().unwrap_or(1);
        self.fold_axis_with("mean_axis", axis, |a, b| a + b, |sum| sum / Val::known(count as u64).cast::<T>())
    }
}
