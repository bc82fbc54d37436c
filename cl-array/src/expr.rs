//! Lazy arrays.

use crate::broadcast::Joint;
use crate::rank::{Arrays, Broadcast, Rank, Vectors};
use cl_algo::ranked::{self, AxisMap, Layout, NewVectors, RankedSink, RankedTarget};
use cl_algo::{Castable, DeviceVec, Element, Expr, Item, Number, Operand, Recorded, Val};
use cl_core::{Error, Queue, Result};
use std::fmt;

/// A lazy array of `T` with `N` axes: the computation of each element, not yet evaluated.
///
/// Made by operators and methods of [`Array`](crate::Array)s and views. [`collect`](ArrayExpr::collect),
/// [`Array::assign`](crate::Array::assign) and reductions evaluate it, each in one kernel. Operands of different shapes are broadcast by
/// NumPy's rules. Shapes that do not fit are a deferred error, which the evaluation returns.
#[must_use = "expressions are lazy: nothing is computed until they are evaluated"]
pub struct ArrayExpr<'a, T: Item, const N: usize> {
    /// The element at the coordinates of each item. It has no length: the shape is here.
    expr: Expr<'a, T>,
    shape: [usize; N],
}

/// An operand of expressions: an array by reference or by value, a view, an expression, or a scalar, which has no axes.
///
/// An array by value moves into the expression, without a copy, and its memory is released with the expression. So an
/// expression of such arrays borrows nothing, and a function can return it.
///
/// ```
/// use cl_array::prelude::*;
/// /// Returns the elements minus the mean of their row.
/// fn centred(a: Array<f32, 2>) -> cl_core::Result<ArrayExpr<'static, f32, 2>> {
///     let means = a.mean_axis(1)?.into_array_expr().insert_axis(1);
///     Ok(a - means)
/// }
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[1.0, 3.0, 5.0, 9.0])?;
/// assert_eq!((2.0 * centred(a)?).to_vec()?, [-2.0, 2.0, -4.0, 4.0]);
/// # Ok(())
/// # }
/// ```
///
/// An array that is borrowed mutably is not an operand:
///
/// ```compile_fail,E0502
/// use cl_array::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut a = Array::filled(&queue, [3], 1)?;
/// let row = Array::filled(&queue, [3], 1)?;
/// a.assign(&a - row)?; // `a.assign_with(|a| a - row)`
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand of arrays of `{T}`",
    note = "use an `Array` by value or as `&a`, a view, an expression, or a scalar",
    note = "operands have one type: write `1.0` for `1` beside floats, `1.0_f32` beside `f32`; \
            `b.iter().cast::<{T}>()` converts an array",
    note = "a `DeviceVec` becomes an array by `Array::from_vec(vector, shape)`, a slice of the host by \
            `Array::from_slice(&queue, shape, &slice)`"
)]
pub trait ArrayOperand<'a, T: Item, const N: usize> {
    /// Returns the operand as an expression.
    fn into_array_expr(self) -> ArrayExpr<'a, T, N>;
}

impl<'a, T: Item, const N: usize> ArrayOperand<'a, T, N> for ArrayExpr<'a, T, N> {
    fn into_array_expr(self) -> ArrayExpr<'a, T, N> {
        self
    }
}

impl<'a, T: Item, const N: usize> ArrayOperand<'a, T, N> for &ArrayExpr<'a, T, N> {
    fn into_array_expr(self) -> ArrayExpr<'a, T, N> {
        self.clone()
    }
}

impl<'a, T: Element> ArrayOperand<'a, T, 0> for T {
    fn into_array_expr(self) -> ArrayExpr<'a, T, 0> {
        ArrayExpr::lazy(cl_algo::zip(self), [])
    }
}

impl<'a, T: Item, const N: usize> ArrayExpr<'a, T, N> {
    pub(crate) fn lazy(expr: Expr<'a, T>, shape: [usize; N]) -> ArrayExpr<'a, T, N> {
        let expr = match ranked::count(&shape) {
            Ok(_) => expr,
            Err(error) => expr.failed(error),
        };
        ArrayExpr { expr, shape }
    }

    /// Returns the lazy array whose elements a closure computes from their coordinates, one number for each axis.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::filled(&queue, [2, 2], 1_u64)?;
    /// let checks = ArrayExpr::from_fn([2, 2], |[i, j]| (i + j) % 2);
    /// assert_eq!((&a + checks).to_vec()?, [1, 2, 2, 1]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("fromfunction", "indices", "arange", "meshgrid"))]
    pub fn from_fn<R: Recorded<Item = T>>(
        shape: [usize; N],
        element: impl FnOnce([Val<u64>; N]) -> R,
    ) -> ArrayExpr<'static, T, N>
    where
        T: Element,
    {
        ArrayExpr::lazy(ranked::from_coordinates(element), shape)
    }

    /// Returns the items of a vector as a lazy array of this shape, in row-major order: random numbers of `cl-random`,
    /// products of `cl-sparse`, or any other expression of `cl-algo`.
    ///
    /// A shape with another number of elements is a deferred error.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// use cl_random::{Engine, Philox4x32};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let squares = ArrayExpr::from_expr(iota(0, 12).map(|i| i * i), [3, 4]);
    /// assert_eq!(squares.row(2).on(&queue).to_vec()?, [64, 81, 100, 121]);
    ///
    /// let noise = <Philox4x32>::new(7).normal::<f32>();
    /// let a = ArrayExpr::from_expr(noise.take(12), [3, 4]).collect_on(&queue)?;
    /// assert_eq!(a.as_vec().to_vec()?, noise.take(12).on(&queue).collect()?.to_vec()?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("reshape", "from_iter"))]
    pub fn from_expr(items: impl Operand<'a, T>, shape: [usize; N]) -> ArrayExpr<'a, T, N> {
        ArrayExpr::lazy(items.into_expr().with_shape(&shape), shape)
    }

    /// Returns the elements as an expression over a vector, in row-major order, without a copy: for algorithms of
    /// `cl-algo` and other crates that work on vectors.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[3_i32, 1, 2, 6, 5, 4])?;
    /// let items = a.map(|x| 10 * x).flatten()?;
    /// assert_eq!(items.inclusive_scan().collect()?.to_vec()?, [30, 40, 60, 120, 170, 210]);
    /// assert!(a.t().iter().flatten().is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Deferred errors; [`Error::InvalidInput`] if the elements of an operand lie in another order, or are broadcast:
    /// `collect` copies them.
    #[doc(alias("ravel", "flat"))]
    pub fn flatten(self) -> Result<Expr<'a, T>> {
        let shape = self.shape;
        self.expr.flattened(&shape)?.ok_or_else(|| {
            let reason = format!(
                "an operand's elements do not lie in the order of shape {shape:?}; copy them first, by `collect`"
            );
            Error::invalid_input("flatten", reason)
        })
    }

    /// Calls a closure with the elements as an expression over a vector, in row-major order. If
    /// [`flatten`](ArrayExpr::flatten) is not possible, the elements are copied first.
    ///
    /// For crates whose functions take vectors.
    ///
    /// # Errors
    /// As [`collect`](ArrayExpr::collect); errors of the closure.
    pub fn with_items<R>(self, run: impl FnOnce(Expr<'_, T>) -> Result<R>) -> Result<R>
    where
        T: Element,
    {
        if let Ok(items) = self.clone().flatten() {
            return run(items);
        }
        let queue = ranked::queue_of("collect", &self.expr)?;
        let layout = Layout::row_major(&self.shape)?;
        // SAFETY: the kernel enqueued next writes every element. If it cannot be enqueued, the vector is dropped.
        let vector = unsafe { DeviceVec::<T>::uninit(queue, layout.len()) }?;
        // SAFETY: nothing else knows the vector.
        ranked::assign("collect", unsafe { RankedTarget::new(&vector, layout) }, self.expr)?;
        run(vector.iter())
    }

    /// Returns the length of each axis.
    #[must_use]
    pub fn shape(&self) -> [usize; N] {
        self.shape
    }

    /// Returns the number of elements.
    #[doc(alias = "size")]
    #[must_use]
    pub fn len(&self) -> usize {
        // A shape with more elements than can be counted is a deferred error.
        ranked::count(&self.shape).unwrap_or(usize::MAX)
    }

    /// Returns `true` if there are zero elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Returns the queue of the arrays that are read. `operation` is the name in errors.
    ///
    /// # Errors
    /// The first deferred error; [`Error::InvalidInput`] if no array is read.
    pub(crate) fn queue(&self, operation: &'static str) -> Result<&Queue> {
        ranked::queue_of(operation, &self.expr)
    }

    pub(crate) fn into_inner(self) -> Expr<'a, T> {
        self.expr
    }

    /// Returns the computation of each element from its coordinates, as functions of [`cl_algo::ranked`] take it, for
    /// crates that build on this one.
    pub fn into_ranked(self) -> Expr<'a, T> {
        self.expr
    }

    /// Returns the lazy array of this shape with a computation of each element from its coordinates, the inverse of
    /// [`into_ranked`](ArrayExpr::into_ranked), for crates that build on this one.
    pub fn from_ranked(expr: Expr<'a, T>, shape: [usize; N]) -> ArrayExpr<'a, T, N> {
        ArrayExpr::lazy(expr, shape)
    }

    pub(crate) fn at<const M: usize>(self, axes: &[AxisMap], shape: [usize; M]) -> ArrayExpr<'a, T, M> {
        ArrayExpr::lazy(self.expr.at_coordinates(axes, M), shape)
    }

    /// Returns an error if the expression has a deferred error.
    pub(crate) fn check(&self) -> Result<()> {
        ranked::check(&self.expr)
    }

    /// Returns a view in which several axes may move along one axis of this expression.
    pub(crate) fn at_sums<'m, const M: usize>(
        self,
        axes: impl IntoIterator<Item = &'m [AxisMap]>,
        shape: [usize; M],
    ) -> ArrayExpr<'a, T, M> {
        ArrayExpr::lazy(self.expr.at_sums_of_coordinates(axes, M), shape)
    }

    pub(crate) fn failed(self, error: Error) -> ArrayExpr<'a, T, N> {
        ArrayExpr { expr: self.expr.failed(error), ..self }
    }

    /// Returns the expression, to be evaluated on `queue`; needed if it reads no array.
    pub fn on(self, queue: &'a Queue) -> ArrayExpr<'a, T, N> {
        ArrayExpr { expr: self.expr.on(queue), ..self }
    }

    /// Returns the results of a closure for all elements. The closure is recorded once, as those of
    /// [`Expr::map`](cl_algo::Expr::map) are.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?;
    /// assert_eq!(a.map(|x| x * x + 1.0).to_vec()?, [2.0, 5.0, 10.0, 17.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("vectorize", "mapv"))]
    pub fn map<R: Recorded>(self, closure: impl FnOnce(T::Values) -> R) -> ArrayExpr<'a, R::Item, N> {
        ArrayExpr { expr: self.expr.map(closure), shape: self.shape }
    }

    /// Returns pairs of the elements of two arrays, which are broadcast.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1, 2, 3, 4])?;
    /// let row = Array::from_slice(&queue, [2], &[10, 20])?;
    /// let sums = a.iter().zip(&row).zip(100).map(|((a, b), c)| a + b + c);
    /// assert_eq!(sums.to_vec()?, [111, 122, 113, 124]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "Zip")]
    pub fn zip<U: Item, const M: usize>(
        self,
        other: impl ArrayOperand<'a, U, M>,
    ) -> <Rank<N> as Broadcast<Rank<M>>>::Expr<'a, (T, U)>
    where
        Rank<N>: Broadcast<Rank<M>>,
    {
        self.join(other.into_array_expr(), "zip", Expr::zip)
    }

    pub(crate) fn assign_to(self, operation: &'static str, sink: impl RankedSink<'a, T>) -> Result<()> {
        ranked::assign(operation, sink, self.expr)
    }
}

impl<'a, T: Item, const N: usize> ArrayExpr<'a, T, N>
where
    T::Vectors: Vectors,
{
    /// Evaluates the expression into a new array, in one kernel. Does not wait. An expression of tuples makes a tuple of
    /// arrays, also in one kernel.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1, 2, 3, 4])?;
    /// let (squares, negated) = a.map(|x| (x * x, -x)).collect()?;
    /// assert_eq!(squares.to_vec()?, [1, 4, 9, 16]);
    /// assert_eq!(negated.to_vec()?, [-1, -2, -3, -4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Deferred errors; [`Error::InvalidInput`] for an expression that reads no array;
    /// [`Error::TooLarge`], [`Error::Driver`], [`Error::Build`].
    #[doc(alias("eval", "evaluate", "materialize"))]
    pub fn collect(self) -> Result<Arrays<T, N>> {
        let queue = ranked::queue_of("collect", &self.expr)?.clone();
        self.collect_on(&queue)
    }

    /// Evaluates the expression on `queue`, for expressions that read no array. See [`collect`](ArrayExpr::collect).
    ///
    /// # Errors
    /// As [`collect`](ArrayExpr::collect).
    pub fn collect_on(self, queue: &Queue) -> Result<Arrays<T, N>> {
        let expr = self.expr.on(queue);
        // Returns deferred errors before memory is allocated.
        ranked::queue_of("collect", &expr)?;
        let len = ranked::count(&self.shape)?;
        // SAFETY: the kernel enqueued next writes every element. If it cannot be enqueued, the vectors are dropped.
        let vectors = unsafe { T::uninit(queue, len) }?;
        // SAFETY: nothing else knows the vectors.
        let sink = unsafe { NewVectors::<T>::new(&vectors, &self.shape) }?;
        ranked::assign("collect", sink, expr)?;
        vectors.into_arrays(self.shape)
    }
}

impl<'a, T: Element, const N: usize> ArrayExpr<'a, T, N> {
    /// Evaluates the expression and copies the elements to the host, in row-major order. Waits for the device.
    ///
    /// # Errors
    /// As [`collect`](ArrayExpr::collect).
    pub fn to_vec(self) -> Result<Vec<T>> {
        self.collect()?.to_vec()
    }
}

impl<'a, const N: usize> ArrayExpr<'a, bool, N> {
    /// Returns `yes` where this is true, else `no`. The three arrays are broadcast to one shape, as by NumPy's `where`.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, -2.0, -3.0, 4.0])?;
    /// assert_eq!(a.iter().gt(0.0).select(&a, 0.0).to_vec()?, [1.0, 0.0, 0.0, 4.0]);
    /// let is_kept = Array::from_slice(&queue, [2], &[true, false])?; // of the columns
    /// assert_eq!(is_kept.iter().select(&a, 0.0).to_vec()?, [1.0, 0.0, -3.0, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("where", "if_else", "choose"))]
    pub fn select<T: Element, const A: usize, const B: usize>(
        self,
        yes: impl ArrayOperand<'a, T, A>,
        no: impl ArrayOperand<'a, T, B>,
    ) -> <Joint<N, A> as Broadcast<Rank<B>>>::Expr<'a, T>
    where
        Rank<N>: Broadcast<Rank<A>>,
        Joint<N, A>: Broadcast<Rank<B>>,
    {
        self.join_three(yes.into_array_expr(), no.into_array_expr(), "select", Expr::select)
    }

    /// Does the same as [`select`](ArrayExpr::select) for any rank, with `yes` of the shape of this array.
    pub(crate) fn select_or<T: Element>(self, yes: ArrayExpr<'a, T, N>, no: T) -> ArrayExpr<'a, T, N> {
        ArrayExpr { expr: self.expr.select(yes.expr, no), shape: self.shape }
    }
}

impl<'a, T: Castable, const N: usize> ArrayExpr<'a, T, N> {
    /// Converts the elements as Rust's `as` does; `true` becomes 1.
    #[doc(alias("astype", "convert"))]
    pub fn cast<R: Castable + Number>(self) -> ArrayExpr<'a, R, N> {
        ArrayExpr { expr: self.expr.cast(), shape: self.shape }
    }
}

impl<T: Item, const N: usize> Clone for ArrayExpr<'_, T, N> {
    fn clone(&self) -> Self {
        ArrayExpr { expr: self.expr.clone(), shape: self.shape }
    }
}

impl<T: Item, const N: usize> fmt::Debug for ArrayExpr<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArrayExpr(shape {:?}, {})", self.shape, self.expr)
    }
}
