//! Folds along an axis whose results the elements of the same line read.

use crate::array::Array;
use crate::expr::{ArrayExpr, ArrayOperand};
use crate::rank::{Arrays, Vectors};
use crate::reduce::itself;
use cl_algo::ranked::{self, Lines, NewVectors};
use cl_algo::{DeviceVec, Element, Expr, Item, Recorded, Val};
use cl_core::Result;

/// A lazy array with the results `S` of folds along an axis: each element knows the totals of its own line. Made by
/// [`ArrayExpr::fold_along`].
#[must_use = "nothing is computed until the results of a closure are collected, by `map`"]
#[allow(missing_debug_implementations)] // expressions print their graphs
pub struct FoldedAlong<'a, T: Item, S: Item, const N: usize> {
    folded: Result<Folded<'a, T, S>>,
    shape: [usize; N],
    axis: usize,
}

enum Folded<'a, T: Item, S: Item> {
    /// One kernel for all folds and for the results.
    Together(Box<ranked::FoldedLines<'a, T, S>>),
    /// The items with the totals of their lines, which are stored.
    Apart(Expr<'a, (T, S)>),
    /// Zero items.
    Nothing(Expr<'a, T>),
}

impl<'a, T: Item, const N: usize> ArrayExpr<'a, T, N> {
    /// Folds the values that `value` computes of the elements along an axis, by an associative and commutative operator. The
    /// elements of each line then know the total of the line: further [folds](FoldedAlong::fold) and the
    /// [results](FoldedAlong::map) may read it.
    ///
    /// All folds and the results are one kernel, which reads a line once if the line fits into the registers of a
    /// work-group. A kernel for each fold and one for the results is used where it is faster: if the elements along
    /// the axis are not neighbours in memory, and for few, long lines. The order of operations depends on the shape and the
    /// device only.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 3.0, 5.0, 9.0])?;
    /// // Each element on a scale from 0 to 1 between the least and the greatest element of its row.
    /// let scaled = a
    ///     .iter()
    ///     .fold_along(1, |x| x, Val::min)
    ///     .fold(|x, _least| x, Val::max)
    ///     .map(|x, (least, greatest)| (x - least) / (greatest - least))?;
    /// assert_eq!(scaled.to_vec()?, [0.0, 1.0, 0.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Operands of the same shape take part by [`zip`](ArrayExpr::zip): here weights, which are broadcast.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 3.0, 5.0, 5.0])?;
    /// let weights = Array::from_slice(&queue, [2], &[8.0_f32, 16.0])?;
    /// let parts = a.iter().zip(&weights).fold_along(1, |(x, _)| x, |a, b| a + b);
    /// assert_eq!(parts.map(|(x, weight), sum| weight * x / sum)?.to_vec()?, [2.0, 12.0, 4.0, 8.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("softmax", "normalize", "transform", "keepdims"))]
    pub fn fold_along<R: Recorded>(
        self,
        axis: usize,
        value: impl FnOnce(T::Values) -> R,
        operator: impl FnOnce(Val<R::Item>, Val<R::Item>) -> Val<R::Item>,
    ) -> FoldedAlong<'a, T, R::Item, N>
    where
        R::Item: Element + Item<Values = Val<R::Item>, Vectors = DeviceVec<R::Item>>,
    {
        let shape = self.shape();
        FoldedAlong { folded: self.folded_along(axis, value, operator), shape, axis }
    }

    fn folded_along<R: Recorded>(
        self,
        axis: usize,
        value: impl FnOnce(T::Values) -> R,
        operator: impl FnOnce(Val<R::Item>, Val<R::Item>) -> Val<R::Item>,
    ) -> Result<Folded<'a, T, R::Item>>
    where
        R::Item: Element + Item<Values = Val<R::Item>, Vectors = DeviceVec<R::Item>>,
    {
        const NAME: &str = "fold_along";
        self.queue(NAME)?;
        let shape = self.shape();
        if axis < N && shape.contains(&0) {
            return Ok(Folded::Nothing(self.into_inner()));
        }
        let expr = self.into_inner();
        Ok(match Lines::new(NAME, expr.clone(), (&shape, axis))? {
            Some(lines) => Folded::Together(Box::new(lines.fold(value, operator))),
            None => {
                let values = ArrayExpr::lazy(expr.clone().map(value), shape);
                Folded::Apart(expr.zip(totals(values, axis, operator)?))
            }
        })
    }
}

/// Returns the results of a fold along an axis, each for all elements of its line.
fn totals<'a, T, const N: usize>(
    values: ArrayExpr<'a, T, N>,
    axis: usize,
    operator: impl FnOnce(Val<T>, Val<T>) -> Val<T>,
) -> Result<Expr<'a, T>>
where
    T: Element + Item<Values = Val<T>, Vectors = DeviceVec<T>>,
{
    let shape = values.shape();
    let (totals, _) = values.fold_into("fold_along", &[axis], None, operator, itself)?;
    let one_each: [usize; N] = std::array::from_fn(|other| if other == axis { 1 } else { shape[other] });
    let totals = Array::from_vec(totals, one_each)?.into_array_expr();
    Ok(totals.broadcast_as("fold_along", shape).into_inner())
}

impl<'a, T: Item, S: Item, const N: usize> FoldedAlong<'a, T, S, N> {
    /// Folds the values that `value` computes of each element and of the totals of its line so far. The totals of three folds
    /// are `((first, second), third)`; there are at most three.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [1, 3], &[1.0_f32, 2.0, 6.0])?;
    /// // The distance from the mean, in units of the largest distance.
    /// let far = a
    ///     .iter()
    ///     .fold_along(1, |x| x, |a, b| a + b)
    ///     .fold(|x, sum| (x - sum / 3.0).abs(), Val::max)
    ///     .map(|x, (sum, farthest)| (x - sum / 3.0) / farthest)?;
    /// assert_eq!(far.to_vec()?, [-2.0 / 3.0, -1.0 / 3.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn fold<R: Recorded>(
        self,
        value: impl FnOnce(T::Values, S::Values) -> R,
        operator: impl FnOnce(Val<R::Item>, Val<R::Item>) -> Val<R::Item>,
    ) -> FoldedAlong<'a, T, (S, R::Item), N>
    where
        R::Item: Element + Item<Values = Val<R::Item>, Vectors = DeviceVec<R::Item>>,
    {
        let FoldedAlong { folded, shape, axis } = self;
        let folded = folded.and_then(|folded| {
            Ok(match folded {
                Folded::Together(lines) => Folded::Together(Box::new((*lines).fold(value, operator))),
                Folded::Nothing(expr) => Folded::Nothing(expr),
                Folded::Apart(expr) => {
                    let values = expr.clone().map(|(item, so_far)| value(item, so_far));
                    let more = totals(ArrayExpr::lazy(values, shape), axis, operator)?;
                    let all = expr.zip(more);
                    Folded::Apart(all.map(|((item, so_far), more)| (item, (so_far, more))))
                }
            })
        });
        FoldedAlong { folded, shape, axis }
    }

    /// Returns a new array of what `result` computes of each element and of the totals of its line; a tuple of arrays if it
    /// computes a tuple. Does not wait.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for an axis that the array does not have, or for more than three
    /// folds; as [`ArrayExpr::collect`].
    pub fn map<R: Recorded>(
        self,
        result: impl FnOnce(T::Values, S::Values) -> R,
    ) -> Result<Arrays<R::Item, N>>
    where
        <R::Item as Item>::Vectors: Vectors,
    {
        let FoldedAlong { folded, shape, .. } = self;
        let lines = match folded? {
            Folded::Together(lines) => lines,
            Folded::Apart(expr) => {
                let results = expr.map(|(item, totals)| result(item, totals));
                return ArrayExpr::lazy(results, shape).collect();
            }
            Folded::Nothing(expr) => {
                let queue = ranked::queue_of("fold_along", &expr)?;
                // SAFETY: the vectors have no elements.
                let vectors = unsafe { <R::Item as Item>::uninit(queue, 0) }?;
                return vectors.into_arrays(shape);
            }
        };
        // SAFETY: the kernel enqueued next writes every element. If it cannot be enqueued, the vectors are dropped.
        let vectors = unsafe { <R::Item as Item>::uninit(lines.queue(), ranked::count(&shape)?) }?;
        // SAFETY: nothing else knows the vectors.
        let sink = unsafe { NewVectors::<R::Item>::new(&vectors, &shape) }?;
        lines.store(sink, result)?;
        vectors.into_arrays(shape)
    }
}
