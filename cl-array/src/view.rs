//! Views: arrays that lie in the vector of another array.

use crate::array::Array;
use crate::expr::{ArrayExpr, ArrayOperand};
use cl_algo::ranked::{self, AxisMap, Captured, Layout, MAX_RANK, RankedTarget};
use cl_algo::{DeviceVec, Element, Recorded, Val};
use cl_core::{Error, Queue, Result};
use std::fmt;
use std::marker::PhantomData;

/// A part of an array, or the array with its axes in another order, read without a copy.
///
/// Made by [`Array::view`], [`Array::slice`] and similar methods. A view is an operand of expressions.
#[derive(Clone)]
#[must_use = "a view does nothing until it is read"]
pub struct ArrayView<'a, T: Element, const N: usize> {
    pub(crate) vector: &'a DeviceVec<T>,
    pub(crate) layout: Layout,
    /// The first deferred error.
    failure: Option<Box<Error>>,
}

impl<'a, T: Element, const N: usize> ArrayView<'a, T, N> {
    pub(crate) fn new(vector: &'a DeviceVec<T>, layout: Layout) -> ArrayView<'a, T, N> {
        ArrayView { vector, layout, failure: None }
    }

    /// Returns the length of each axis.
    #[must_use]
    pub fn shape(&self) -> [usize; N] {
        std::array::from_fn(|axis| self.layout.shape()[axis])
    }

    /// Returns the number of elements.
    #[doc(alias = "size")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.len()
    }

    /// Returns `true` if there are zero elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layout.is_empty()
    }

    /// Returns the queue on which the array's commands run.
    #[must_use]
    pub fn queue(&self) -> &'a Queue {
        self.vector.queue()
    }

    /// Returns where the elements lie in the vector.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the vector in which the elements lie, at [`layout`](ArrayView::layout).
    ///
    /// # Errors
    /// The deferred error of the view.
    #[doc(alias("data", "as_ptr"))]
    pub fn as_vec(&self) -> Result<&'a DeviceVec<T>> {
        self.check()?;
        Ok(self.vector)
    }

    pub(crate) fn at<const M: usize>(self, axes: &[AxisMap], shape: [usize; M]) -> ArrayView<'a, T, M> {
        self.at_sums(axes.iter().map(std::slice::from_ref), shape)
    }

    /// Returns a view in which several axes may move along one axis of this view. See [`Layout::view_of_sums`].
    pub(crate) fn at_sums<'m, const M: usize>(
        self,
        axes: impl IntoIterator<Item = &'m [AxisMap]>,
        shape: [usize; M],
    ) -> ArrayView<'a, T, M> {
        let (layout, failure) = viewed::<M>(self.layout.view_of_sums(axes, &shape), self.failure);
        ArrayView { vector: self.vector, layout, failure }
    }

    /// Returns the elements at a layout.
    pub(crate) fn part(&self, layout: Result<Layout>) -> ArrayView<'a, T, N> {
        let (layout, failure) = viewed::<N>(layout, self.failure.clone());
        ArrayView { vector: self.vector, layout, failure }
    }

    pub(crate) fn failed(mut self, error: Error) -> ArrayView<'a, T, N> {
        self.failure.get_or_insert_with(|| Box::new(error));
        self
    }

    /// Returns the same elements, in the same order, with another shape.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the shape has another number of elements, or if the elements would have to be copied:
    /// `collect` copies them.
    #[doc(alias("into_shape", "to_shape"))]
    pub fn reshape<const M: usize>(&self, shape: [usize; M]) -> Result<ArrayView<'a, T, M>> {
        let own = self.shape();
        self.check()?;
        let count = ranked::count(&shape)?;
        if count != self.layout.len() {
            let reason =
                format!("shape {own:?} has {} elements, and {shape:?} has {count}", self.layout.len());
            return Err(Error::invalid_input("reshape", reason));
        }
        let Some(layout) = self.layout.reshape(&shape) else {
            let reason = format!(
                "the elements of shape {own:?} do not lie in the order that {shape:?} needs; copy them first, by \
                 `collect`"
            );
            return Err(Error::invalid_input("reshape", reason));
        };
        Ok(ArrayView { vector: self.vector, layout, failure: None })
    }

    pub(crate) fn check(&self) -> Result<()> {
        self.failure.as_ref().map_or(Ok(()), |error| Err((**error).clone()))
    }

    /// Returns the view as an expression, for methods of expressions: `view.iter().sqrt()`.
    #[doc(alias = "expr")]
    pub fn iter(&self) -> ArrayExpr<'a, T, N> {
        self.clone().into()
    }

    /// Returns the results of a closure for all elements; see [`ArrayExpr::map`].
    pub fn map<R: Recorded>(&self, closure: impl FnOnce(Val<T>) -> R) -> ArrayExpr<'a, R::Item, N> {
        self.iter().map(closure)
    }

    /// Copies the elements into a new array.
    ///
    /// # Errors
    /// As [`ArrayExpr::collect`].
    #[doc(alias("copy", "ascontiguousarray", "to_owned"))]
    pub fn collect(self) -> Result<Array<T, N>> {
        ArrayExpr::from(self).collect()
    }
}

impl<'a, T: Element, const N: usize> From<ArrayView<'a, T, N>> for ArrayExpr<'a, T, N> {
    fn from(view: ArrayView<'a, T, N>) -> ArrayExpr<'a, T, N> {
        let shape = view.shape();
        let expr = ranked::load(view.vector, &view.layout);
        let expr = match view.failure {
            Some(error) => expr.failed(*error),
            None => expr,
        };
        ArrayExpr::lazy(expr.on(view.vector.queue()), shape)
    }
}

impl<'a, T: Element, const N: usize> ArrayOperand<'a, T, N> for ArrayView<'a, T, N> {
    fn into_array_expr(self) -> ArrayExpr<'a, T, N> {
        self.into()
    }
}

impl<'a, T: Element, const N: usize> ArrayOperand<'a, T, N> for &ArrayView<'a, T, N> {
    fn into_array_expr(self) -> ArrayExpr<'a, T, N> {
        self.clone().into()
    }
}

impl<T: Element, const N: usize> fmt::Debug for ArrayView<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArrayView<{}, {N}>(shape {:?})", std::any::type_name::<T>(), self.layout.shape())
    }
}

/// Returns the layout of a view and its first deferred error. A view that its array does not have is an error, and has no
/// elements.
fn viewed<const M: usize>(
    layout: Result<Layout>,
    failure: Option<Box<Error>>,
) -> (Layout, Option<Box<Error>>) {
    const { assert!(M <= MAX_RANK, "arrays have at most 6 axes") }
    match layout {
        Ok(layout) => (layout, failure),
        Err(error) => {
            let nothing = Layout::row_major(&[0; M]).unwrap_or_else(|_| Layout::scalar());
            (nothing, failure.or_else(|| Some(Box::new(error))))
        }
    }
}

/// A part of an array, or the array with its axes in another order, as a target of assignments.
///
/// Made by [`Array::view_mut`], [`Array::slice_mut`] and similar methods. Methods that assign use the view up:
/// [`ArrayViewMut::view_mut`] keeps it. An array that is read cannot be assigned to at the same time:
///
/// ```compile_fail,E0502
/// use cl_array::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut a = Array::filled(&queue, [3, 3], 1)?;
/// a.slice_mut(s![1.., ..]).assign(a.slice(s![..-1, ..]))?; // collect the part first
/// # Ok(())
/// # }
/// ```
#[must_use = "a view does nothing until it is assigned to"]
pub struct ArrayViewMut<'a, T: Element, const N: usize> {
    vector: &'a DeviceVec<T>,
    layout: Layout,
    failure: Option<Box<Error>>,
    /// `true` if no other view of the vector exists. The views that a view is divided into exist together.
    is_only_view: bool,
    exclusive: PhantomData<&'a mut T>,
}

impl<'a, T: Element, const N: usize> ArrayViewMut<'a, T, N> {
    pub(crate) fn new(vector: &'a mut DeviceVec<T>, layout: Layout) -> ArrayViewMut<'a, T, N> {
        ArrayViewMut { vector, layout, failure: None, is_only_view: true, exclusive: PhantomData }
    }

    /// Returns the length of each axis.
    #[must_use]
    pub fn shape(&self) -> [usize; N] {
        std::array::from_fn(|axis| self.layout.shape()[axis])
    }

    pub(crate) fn at<const M: usize>(self, axes: &[AxisMap], shape: [usize; M]) -> ArrayViewMut<'a, T, M> {
        let ArrayViewMut { vector, layout, failure, is_only_view, .. } = self;
        let (layout, failure) = viewed::<M>(layout.view(axes, &shape), failure);
        ArrayViewMut { vector, layout, failure, is_only_view, exclusive: PhantomData }
    }

    pub(crate) fn failed(mut self, error: Error) -> ArrayViewMut<'a, T, N> {
        self.failure.get_or_insert_with(|| Box::new(error));
        self
    }

    /// Evaluates an expression into the view, in one kernel. The expression is broadcast to the view's shape. As in NumPy,
    /// it may have more axes than the view if the first of them have length 1.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut a = Array::filled(&queue, [2, 3], 0)?;
    /// let row = Array::from_slice(&queue, [1, 3], &[1, 2, 3])?;
    /// a.row_mut(1).assign(&row)?;
    /// assert_eq!(a.to_vec()?, [0, 0, 0, 1, 2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the expression's shape does not fit; as [`ArrayExpr::collect`].
    #[doc(alias("copyto", "fill"))]
    pub fn assign<const M: usize>(self, value: impl ArrayOperand<'a, T, M>) -> Result<()> {
        let shape = self.shape();
        let value = value.into_array_expr().broadcast_into("assign", shape);
        value.assign_to("assign", self.into_target()?)
    }

    /// Returns the number of elements.
    #[doc(alias = "size")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.len()
    }

    /// Returns `true` if there are zero elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layout.is_empty()
    }

    /// Returns the queue on which the array's commands run.
    #[must_use]
    pub fn queue(&self) -> &'a Queue {
        self.vector.queue()
    }

    /// Returns where the elements lie in the vector.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the same elements, to be read.
    pub fn view(&self) -> ArrayView<'_, T, N> {
        ArrayView { vector: self.vector, layout: self.layout, failure: self.failure.clone() }
    }

    /// Returns the same elements, to be assigned to, for several assignments to one view.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut a = Array::from_slice(&queue, [2, 2], &[1, 2, 3, 4])?;
    /// let mut row = a.row_mut(0);
    /// row.view_mut().mul_assign(10)?;
    /// row.view_mut().add_assign(5)?;
    /// assert_eq!(row.view().to_vec()?, [15, 25]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn view_mut(&mut self) -> ArrayViewMut<'_, T, N> {
        ArrayViewMut { is_only_view: self.is_only_view, ..self.part(Ok(self.layout)) }
    }

    /// Returns the elements at a layout, as one of several views. The caller makes sure that all views that exist together have no element in
    /// common.
    pub(crate) fn part(&self, layout: Result<Layout>) -> ArrayViewMut<'a, T, N> {
        let (layout, failure) = viewed::<N>(layout, self.failure.clone());
        ArrayViewMut { vector: self.vector, layout, failure, is_only_view: false, exclusive: PhantomData }
    }

    pub(crate) fn check(&self) -> Result<()> {
        self.failure.as_ref().map_or(Ok(()), |error| Err((**error).clone()))
    }

    /// Returns the elements of this view and of `other`, a view of the same array with the same shape and strides, as one
    /// output, whose first axis is the number of the view.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for views of different arrays, shapes or strides; the first deferred error.
    pub(crate) fn with(self, other: ArrayViewMut<'a, T, N>) -> Result<RankedTarget<'a, T>> {
        self.check()?;
        other.check()?;
        let layout = Layout::stacked(&self.layout, &other.layout)?;
        if !std::ptr::eq(self.vector, other.vector) {
            let reason = "views of different arrays do not make one output";
            return Err(Error::invalid_input("view", reason));
        }
        // SAFETY: the views borrow these elements mutably.
        Ok(unsafe { RankedTarget::new(self.vector, layout) })
    }

    /// Calls a closure that evaluates expressions of `inputs` into the view, and captures the kernels that it enqueues: see
    /// [`Captured`](cl_algo::ranked::Captured). For crates that build on this one.
    ///
    /// # Errors
    /// The deferred error of the view; the error of the closure.
    ///
    /// # Safety
    /// As for [`Captured::of`](cl_algo::ranked::Captured::of).
    pub unsafe fn captured(
        self,
        inputs: &[&DeviceVec<T>],
        run: impl FnOnce(ArrayViewMut<'a, T, N>) -> Result<()>,
    ) -> Result<Option<Captured<T>>> {
        let ArrayViewMut { vector, layout, is_only_view, .. } = self;
        // The view takes the place of the output.
        let again = ArrayViewMut { vector, layout, failure: None, is_only_view, exclusive: PhantomData };
        // SAFETY: by the caller's promise.
        unsafe { Captured::of(inputs, self.into_target()?, |_| run(again)) }
    }

    /// Returns the elements as an output of [`cl_algo::ranked`], for crates that build on this one.
    ///
    /// # Errors
    /// The deferred error of the view.
    pub fn into_target(self) -> Result<RankedTarget<'a, T>> {
        if let Some(error) = self.failure {
            return Err(*error);
        }
        // SAFETY: the view borrows these elements mutably, and views of one array that exist together have no element
        // in common.
        let target = unsafe { RankedTarget::new(self.vector, self.layout) };
        // SAFETY: the view borrows the vector mutably.
        Ok(if self.is_only_view { unsafe { target.with_gaps() } } else { target })
    }
}

impl<T: Element, const N: usize> fmt::Debug for ArrayViewMut<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArrayViewMut<{}, {N}>(shape {:?})", std::any::type_name::<T>(), self.layout.shape())
    }
}
