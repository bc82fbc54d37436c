//! Arrays that own their elements.

use crate::expr::{ArrayExpr, ArrayOperand};
use crate::rank::{Rank, Sliced};
use crate::slice::SliceInfo;
use crate::view::{ArrayView, ArrayViewMut};
use cl_algo::ranked::{self, Layout};
use cl_algo::{DeviceVec, Element, Recorded, Val, ViewMut};
use cl_core::{Error, Queue, Result};
use std::fmt;

/// An array with `N` axes in device memory.
///
/// The elements lie in a [`DeviceVec`], in row-major order: neighbours along the last axis are neighbours in memory.
/// [`Array::column_major`] makes an array of the other order.
///
/// ```
/// use cl_array::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 3], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let b = (2.0 * a.t() + 1.0).collect()?; // one kernel
/// assert_eq!(b.shape(), [3, 2]);
/// assert_eq!(b.to_vec()?, [3.0, 9.0, 5.0, 11.0, 7.0, 13.0]);
/// # Ok(())
/// # }
/// ```
pub struct Array<T: Element, const N: usize> {
    vector: DeviceVec<T>,
    layout: Layout,
}

impl<T: Element, const N: usize> Array<T, N> {
    /// Returns a new array with these elements, in row-major order.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] unless there are as many elements as the shape has; [`Error::TooLarge`],
    /// [`Error::Driver`].
    #[doc(alias("array", "asarray", "from_shape_vec"))]
    pub fn from_slice(queue: &Queue, shape: [usize; N], elements: &[T]) -> Result<Array<T, N>> {
        check_count(&shape, elements.len())?;
        Array::from_vec(DeviceVec::from_slice(queue, elements)?, shape)
    }

    /// Returns a new array with one value everywhere.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the shape has too many axes or elements; [`Error::TooLarge`], [`Error::Driver`].
    #[doc(alias("full", "full_like", "from_elem"))]
    pub fn filled(queue: &Queue, shape: [usize; N], value: T) -> Result<Array<T, N>> {
        Array::from_vec(DeviceVec::filled(queue, value, ranked::count(&shape)?)?, shape)
    }

    /// Returns the elements of a vector, in row-major order, as an array, without a copy.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] unless there are as many elements as the shape has.
    #[doc(alias = "from_shape_vec")]
    pub fn from_vec(vector: DeviceVec<T>, shape: [usize; N]) -> Result<Array<T, N>> {
        check_count(&shape, vector.len())?;
        Ok(Array { vector, layout: Layout::row_major(&shape)? })
    }

    /// Returns the elements of a vector, in column-major order as in Fortran, as an array, without a copy.
    ///
    /// # Errors
    /// As [`Array::from_vec`].
    #[doc(alias("fortran", "f", "asfortranarray"))]
    pub fn column_major(vector: DeviceVec<T>, shape: [usize; N]) -> Result<Array<T, N>> {
        check_count(&shape, vector.len())?;
        Ok(Array { vector, layout: Layout::column_major(&shape)? })
    }

    /// Returns an array whose elements a closure computes on the device from their coordinates, one number for each
    /// axis.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let table = Array::from_fn(&queue, [2, 3], |[i, j]| 10 * i + j)?;
    /// assert_eq!(table.to_vec()?, [0, 1, 2, 10, 11, 12]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Array::filled`] and [`ArrayExpr::collect`].
    #[doc(alias("fromfunction", "indices", "arange", "from_shape_fn"))]
    pub fn from_fn<R: Recorded<Item = T>>(
        queue: &Queue,
        shape: [usize; N],
        element: impl FnOnce([Val<u64>; N]) -> R,
    ) -> Result<Array<T, N>> {
        ArrayExpr::from_fn(shape, element).collect_on(queue)
    }

    /// Copies the array on the device. Does not wait.
    ///
    /// # Errors
    /// As [`Array::filled`].
    #[doc(alias("clone", "copy"))]
    pub fn try_clone(&self) -> Result<Array<T, N>> {
        Ok(Array { vector: self.vector.try_clone()?, layout: self.layout })
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
        self.vector.len()
    }

    /// Returns `true` if there are zero elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.vector.is_empty()
    }

    /// Returns the queue on which the array's commands run.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        self.vector.queue()
    }

    /// Returns the vector of all elements, in the order in which they lie in memory.
    #[doc(alias("flat", "data"))]
    #[must_use]
    pub fn as_vec(&self) -> &DeviceVec<T> {
        &self.vector
    }

    pub(crate) fn as_vec_mut(&mut self) -> &mut DeviceVec<T> {
        &mut self.vector
    }

    /// Returns the vector of all elements, in the order in which they lie in memory, without a copy.
    #[doc(alias("flatten", "ravel", "into_raw_vec"))]
    #[must_use]
    pub fn into_vec(self) -> DeviceVec<T> {
        self.vector
    }

    /// Returns all elements, in row-major order, as an output of algorithms that work on vectors.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut a = Array::filled(&queue, [2, 2], 0)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4])?;
    /// x.iter().inclusive_scan().collect_into(a.flatten_mut()?)?;
    /// assert_eq!(a.to_vec()?, [1, 3, 6, 10]);
    /// assert!(Array::column_major(x, [2, 2])?.flatten_mut().is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an array whose elements lie in another order.
    #[doc(alias("as_slice_mut", "flat", "data_mut"))]
    pub fn flatten_mut(&mut self) -> Result<ViewMut<'_, T>> {
        if !self.layout.is_contiguous() {
            let reason = format!(
                "the elements of shape {:?} do not lie in row-major order; assign the result to the array",
                self.shape()
            );
            return Err(Error::invalid_input("flatten_mut", reason));
        }
        Ok(self.vector.slice_mut(..))
    }

    /// Returns where the elements lie in the vector.
    #[doc(alias = "strides")]
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the whole array as a view.
    pub fn view(&self) -> ArrayView<'_, T, N> {
        ArrayView::new(&self.vector, self.layout)
    }

    /// Returns the whole array as an expression, for methods of expressions: `a.iter().sqrt()`.
    #[doc(alias = "expr")]
    pub fn iter(&self) -> ArrayExpr<'_, T, N> {
        self.view().into()
    }

    /// Returns the whole array as a target of assignments.
    pub fn view_mut(&mut self) -> ArrayViewMut<'_, T, N> {
        ArrayViewMut::new(&mut self.vector, self.layout)
    }

    /// Returns the part that [`s!`](crate::s) describes. A part that the array does not have is a deferred error.
    pub fn slice<I, O>(&self, slice: SliceInfo<I, O>) -> <Rank<N> as Sliced<I, O>>::Of<ArrayView<'_, T, N>>
    where
        Rank<N>: Sliced<I, O>,
    {
        self.view().slice(slice)
    }

    /// Returns the part that [`s!`](crate::s) describes as a target of assignments. A part that the array does not have
    /// is a deferred error.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut a = Array::filled(&queue, [3, 3], 0)?;
    /// a.slice_mut(s![1, ..]).assign(7)?;
    /// a.slice_mut(s![.., ..; 2]).assign(&a_row(&queue)?)?;
    /// assert_eq!(a.to_vec()?, [1, 0, 2, 1, 7, 2, 1, 0, 2]);
    /// # Ok(())
    /// # }
    /// # fn a_row(queue: &Queue) -> cl_core::Result<Array<i32, 1>> {
    /// #     Array::from_slice(queue, [2], &[1, 2])
    /// # }
    /// ```
    pub fn slice_mut<I, O>(
        &mut self,
        slice: SliceInfo<I, O>,
    ) -> <Rank<N> as Sliced<I, O>>::Of<ArrayViewMut<'_, T, N>>
    where
        Rank<N>: Sliced<I, O>,
    {
        self.view_mut().slice(slice)
    }

    /// Returns the transposed array: its axes in reverse order.
    #[doc(alias("transpose", "reversed_axes"))]
    pub fn t(&self) -> ArrayView<'_, T, N> {
        self.view().t()
    }

    /// Returns the array with its axes in another order; see [`ArrayView::permute_axes`].
    #[doc(alias("transpose", "moveaxis", "permuted_axes"))]
    pub fn permute_axes(&self, axes: [usize; N]) -> ArrayView<'_, T, N> {
        self.view().permute_axes(axes)
    }

    /// Returns the same elements, in the same order, with another shape, without a copy; see [`ArrayView::reshape`].
    ///
    /// # Errors
    /// As [`ArrayView::reshape`].
    #[doc(alias("into_shape", "to_shape"))]
    pub fn reshape<const M: usize>(&self, shape: [usize; M]) -> Result<ArrayView<'_, T, M>> {
        self.view().reshape(shape)
    }

    /// Evaluates an expression into the array, in one kernel. The expression is broadcast to the array's shape; see
    /// [`ArrayViewMut::assign`].
    ///
    /// # Errors
    /// As [`ArrayViewMut::assign`].
    #[doc(alias("copyto", "fill"))]
    pub fn assign<'a, const M: usize>(&'a mut self, value: impl ArrayOperand<'a, T, M>) -> Result<()> {
        self.view_mut().assign(value)
    }

    /// Returns the results of a closure for all elements; see [`ArrayExpr::map`].
    #[doc(alias("vectorize", "mapv"))]
    pub fn map<R: Recorded>(&self, closure: impl FnOnce(Val<T>) -> R) -> ArrayExpr<'_, R::Item, N> {
        self.iter().map(closure)
    }
}

impl<T: Element> Array<T, 2> {
    /// Returns a row. A row that the array does not have is a deferred error.
    pub fn row(&self, row: usize) -> ArrayView<'_, T, 1> {
        self.view().row(row)
    }

    /// Returns a column. A column that the array does not have is a deferred error.
    #[doc(alias = "col")]
    pub fn column(&self, column: usize) -> ArrayView<'_, T, 1> {
        self.view().column(column)
    }
}

/// Returns an error unless a shape has `count` elements.
fn check_count(shape: &[usize], count: usize) -> Result<()> {
    let wanted = ranked::count(shape)?;
    if wanted != count {
        let reason = format!("{shape:?} has {wanted} elements, {count} are given");
        return Err(Error::invalid_input("shape", reason));
    }
    Ok(())
}

impl<'a, T: Element, const N: usize> ArrayOperand<'a, T, N> for &'a Array<T, N> {
    fn into_array_expr(self) -> ArrayExpr<'a, T, N> {
        self.iter()
    }
}

impl<'a, T: Element, const N: usize> ArrayOperand<'a, T, N> for Array<T, N> {
    fn into_array_expr(self) -> ArrayExpr<'a, T, N> {
        let shape = self.shape();
        let Array { vector, layout } = self;
        ArrayExpr::lazy(ranked::load_owned(vector, &layout), shape)
    }
}

impl<T: Element, const N: usize> fmt::Debug for Array<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array<{}, {N}>(shape {:?})", std::any::type_name::<T>(), self.layout.shape())
    }
}
