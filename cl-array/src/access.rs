//! Single elements, parts along an axis one after the other, and views as methods of arrays.

use crate::array::Array;
use crate::rank::{Extend, Rank, Reduce};
use crate::slice::AxisSlice;
use crate::view::{ArrayView, ArrayViewMut};
use cl_algo::Element;
use cl_algo::ranked::{AxisMap, Layout};
use cl_core::{Error, Result};

/// A view with one axis fewer than the array.
type IndexedView<'a, T, const N: usize> = <Rank<N> as Reduce>::Of<ArrayView<'a, T, N>>;

/// A mutable view with one axis fewer than the array.
type IndexedViewMut<'a, T, const N: usize> = <Rank<N> as Reduce>::Of<ArrayViewMut<'a, T, N>>;

/// Returns where the element at some coordinates lies in the vector of a layout.
fn index_of<const N: usize>(
    operation: &'static str,
    layout: &Layout,
    coordinates: [usize; N],
) -> Result<usize> {
    layout.index(&coordinates).ok_or_else(|| {
        let shape = layout.shape();
        let axis = (0..N).find(|&axis| coordinates[axis] >= shape[axis]).unwrap_or_default();
        let reason =
            format!("coordinates {coordinates:?} of shape {shape:?}: axis {axis} has length {}", shape[axis]);
        Error::invalid_input(operation, reason)
    })
}

impl<T: Element, const N: usize> ArrayView<'_, T, N> {
    /// Copies one element to the host. Waits for the device.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(a.t().get([2, 1])?, 6);
    /// assert_eq!(a.row(1).flip(0).get([0])?, 6);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The deferred error of the view; [`Error::InvalidInput`] for coordinates that it does not have; [`Error::Driver`].
    #[doc(alias("item", "index"))]
    pub fn get(&self, coordinates: [usize; N]) -> Result<T> {
        self.as_vec()?.get(index_of("get", self.layout(), coordinates)?)
    }
}

impl<T: Element, const N: usize> Array<T, N> {
    /// Copies one element to the host. Waits for the device. Use [`Array::to_vec`] for several elements.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut a = Array::from_slice(&queue, [2, 2], &[1, 2, 3, 4])?;
    /// a.set([1, 0], 7)?;
    /// assert_eq!(a.get([1, 0])?, 7);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for coordinates that the array does not have; [`Error::Driver`].
    #[doc(alias("item", "index"))]
    pub fn get(&self, coordinates: [usize; N]) -> Result<T> {
        self.as_vec().get(self.index("get", coordinates)?)
    }

    /// Copies one element to the device.
    ///
    /// # Errors
    /// As [`Array::get`].
    #[doc(alias("itemset", "index_mut"))]
    pub fn set(&mut self, coordinates: [usize; N], value: T) -> Result<()> {
        let index = self.index("set", coordinates)?;
        self.as_vec_mut().set(index, value)
    }

    fn index(&self, operation: &'static str, coordinates: [usize; N]) -> Result<usize> {
        index_of(operation, self.layout(), coordinates)
    }

    /// Returns the array at one coordinate along an axis, without that axis.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 1, 2], &[1, 2, 3, 4])?;
    /// assert_eq!(a.index_axis(2, 1).to_vec()?, [2, 4]);
    /// assert_eq!(a.remove_axis(1).shape(), [2, 2]);
    /// assert_eq!(a.insert_axis(0).shape(), [1, 2, 1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// An axis or a coordinate that the array does not have is a deferred error.
    #[doc(alias("select", "take"))]
    pub fn index_axis(&self, axis: usize, index: usize) -> IndexedView<'_, T, N>
    where
        Rank<N>: Reduce,
    {
        self.view().index_axis(axis, index)
    }

    /// Returns the array at one coordinate along an axis, without that axis, as a target of assignments. See
    /// [`Array::index_axis`].
    pub fn index_axis_mut(&mut self, axis: usize, index: usize) -> IndexedViewMut<'_, T, N>
    where
        Rank<N>: Reduce,
    {
        self.view_mut().index_axis(axis, index)
    }

    /// Returns the array with an additional axis of length 1; see [`ArrayView::insert_axis`].
    #[doc(alias("expand_dims", "unsqueeze", "newaxis"))]
    pub fn insert_axis(&self, axis: usize) -> <Rank<N> as Extend>::Of<ArrayView<'_, T, N>>
    where
        Rank<N>: Extend,
    {
        self.view().insert_axis(axis)
    }

    /// Returns the array without an axis of length 1; see [`ArrayView::remove_axis`].
    #[doc(alias = "squeeze")]
    pub fn remove_axis(&self, axis: usize) -> IndexedView<'_, T, N>
    where
        Rank<N>: Reduce,
    {
        self.view().remove_axis(axis)
    }

    /// Returns the array with two axes exchanged; see [`ArrayView::swap_axes`].
    #[doc(alias = "swapaxes")]
    pub fn swap_axes(&self, a: usize, b: usize) -> ArrayView<'_, T, N> {
        self.view().swap_axes(a, b)
    }

    /// Returns the array with the coordinates along an axis in reverse order; see [`ArrayView::flip`].
    #[doc(alias("reverse", "invert_axis"))]
    pub fn flip(&self, axis: usize) -> ArrayView<'_, T, N> {
        self.view().flip(axis)
    }

    /// Returns the array with this shape, by NumPy's rules; see [`ArrayView::broadcast`].
    #[doc(alias("broadcast_to", "expand"))]
    pub fn broadcast<const M: usize>(&self, shape: [usize; M]) -> ArrayView<'_, T, M> {
        self.view().broadcast(shape)
    }

    /// Returns the part of one axis, a range; see [`ArrayView::slice_axis`].
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(a.slice_axis(1, -2..).to_vec()?, [2, 3, 5, 6]);
    /// assert_eq!(a.slice_axis(1, cl_array::Stepped(.., 2)).to_vec()?, [1, 3, 4, 6]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn slice_axis(&self, axis: usize, part: impl Into<AxisSlice>) -> ArrayView<'_, T, N> {
        self.view().slice_axis(axis, part)
    }

    /// Returns the views of the array at each coordinate along an axis; see [`ArrayView::axis_iter`].
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// for (row, sum) in a.axis_iter(0)?.zip([6, 15]) {
    ///     assert_eq!(row.sum()?, sum);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayView::axis_iter`].
    #[doc(alias("outer_iter", "rows", "columns", "lanes"))]
    pub fn axis_iter(
        &self,
        axis: usize,
    ) -> Result<impl ExactSizeIterator<Item = IndexedView<'_, T, N>> + DoubleEndedIterator>
    where
        Rank<N>: Reduce,
    {
        self.view().axis_iter(axis)
    }

    /// Returns the mutable views of the array at each coordinate along an axis; see [`ArrayView::axis_iter`].
    ///
    /// # Errors
    /// As [`ArrayView::axis_iter`].
    #[doc(alias("outer_iter_mut", "rows_mut", "columns_mut"))]
    pub fn axis_iter_mut(
        &mut self,
        axis: usize,
    ) -> Result<impl ExactSizeIterator<Item = IndexedViewMut<'_, T, N>> + DoubleEndedIterator>
    where
        Rank<N>: Reduce,
    {
        self.view_mut().axis_iter(axis)
    }

    /// Returns the views of `len` coordinates along an axis after the other; see [`ArrayView::axis_chunks_iter`].
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [5], &[1, 2, 3, 4, 5])?;
    /// let sums: Vec<i32> = a.axis_chunks_iter(0, 2)?.map(|part| part.sum()).collect::<Result<_, _>>()?;
    /// assert_eq!(sums, [3, 7, 5]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayView::axis_chunks_iter`].
    pub fn axis_chunks_iter(
        &self,
        axis: usize,
        len: usize,
    ) -> Result<impl ExactSizeIterator<Item = ArrayView<'_, T, N>> + DoubleEndedIterator> {
        self.view().axis_chunks_iter(axis, len)
    }

    /// Returns the parts before and from `index` on along an axis; see [`ArrayView::split_at`].
    ///
    /// # Errors
    /// As [`ArrayView::split_at`].
    #[doc(alias("split", "array_split"))]
    pub fn split_at(&self, axis: usize, index: usize) -> Result<(ArrayView<'_, T, N>, ArrayView<'_, T, N>)> {
        self.view().split_at(axis, index)
    }
}

impl<T: Element> Array<T, 2> {
    /// Returns a row as a target of assignments. A row that the array does not have is a deferred error.
    pub fn row_mut(&mut self, row: usize) -> ArrayViewMut<'_, T, 1> {
        self.view_mut().row(row)
    }

    /// Returns a column as a target of assignments. A column that the array does not have is a deferred error.
    #[doc(alias = "col_mut")]
    pub fn column_mut(&mut self, column: usize) -> ArrayViewMut<'_, T, 1> {
        self.view_mut().column(column)
    }

    /// Returns the elements whose two coordinates are equal.
    #[doc(alias("diag", "trace"))]
    pub fn diagonal(&self) -> ArrayView<'_, T, 1> {
        self.view().diagonal()
    }

    /// Returns the elements whose two coordinates are equal as a target of assignments.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut a = Array::from_slice(&queue, [2, 2], &[1, 2, 3, 4])?;
    /// a.diagonal_mut().add_assign(10)?;
    /// assert_eq!(a.to_vec()?, [11, 2, 3, 14]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("diag_mut", "fill_diagonal"))]
    pub fn diagonal_mut(&mut self) -> ArrayViewMut<'_, T, 1> {
        self.view_mut().diagonal()
    }
}

/// Defines the methods that return several views.
macro_rules! several {
    ($type:ident) => {
        impl<'a, T: Element, const N: usize> $type<'a, T, N> {
            /// Returns the views of the array at each coordinate along an axis, without that axis: the rows of a matrix
            /// along the axis 0, and its columns along the axis 1.
            ///
            /// Views of one array after the other are for a few large parts: each assignment or reduction of a view is a
            /// kernel. Reductions along an axis and broadcasting do all parts at once.
            ///
            /// # Errors
            /// [`Error::InvalidInput`] for an axis that the array does not have; the first deferred error.
            #[doc(alias("outer_iter", "rows", "columns", "lanes"))]
            pub fn axis_iter(
                self,
                axis: usize,
            ) -> Result<
                impl ExactSizeIterator<Item = <Rank<N> as Reduce>::Of<$type<'a, T, N>>> + DoubleEndedIterator,
            >
            where
                Rank<N>: Reduce,
            {
                let parts = self.parts("axis_iter", axis, 1)?;
                Ok(parts.map(move |part| part.index_axis(axis, 0)))
            }

            /// Returns the views of `len` coordinates along an axis after the other. The last view has fewer if `len`
            /// does not divide the length of the axis.
            ///
            /// # Errors
            /// [`Error::InvalidInput`] for an axis that the array does not have, or a `len` of 0; the first deferred
            /// error.
            #[doc(alias("chunks", "array_split"))]
            pub fn axis_chunks_iter(
                self,
                axis: usize,
                len: usize,
            ) -> Result<impl ExactSizeIterator<Item = $type<'a, T, N>> + DoubleEndedIterator> {
                self.parts("axis_chunks_iter", axis, len)
            }

            /// Returns the parts before and from `index` on along an axis.
            ///
            /// # Errors
            /// [`Error::InvalidInput`] unless the array has the axis, and at least `index` coordinates along it; the first
            /// deferred error.
            #[doc(alias("split", "array_split"))]
            pub fn split_at(self, axis: usize, index: usize) -> Result<($type<'a, T, N>, $type<'a, T, N>)> {
                self.check()?;
                let shape = self.shape();
                if axis >= N || index > shape[axis] {
                    let reason = format!("index {index} of axis {axis}: shape {shape:?}");
                    return Err(Error::invalid_input("split_at", reason));
                }
                Ok((self.range(axis, 0, index), self.range(axis, index, shape[axis])))
            }

            fn parts(
                self,
                operation: &'static str,
                axis: usize,
                len: usize,
            ) -> Result<impl ExactSizeIterator<Item = $type<'a, T, N>> + DoubleEndedIterator + use<'a, T, N>>
            {
                self.check()?;
                let shape = self.shape();
                let Some(&whole) = shape.get(axis) else {
                    let reason = format!("axis {axis} of an array that has {N} axes");
                    return Err(Error::invalid_input(operation, reason));
                };
                if len == 0 {
                    let reason = "views of 0 coordinates along the axis; use 1 or more";
                    return Err(Error::invalid_input(operation, reason));
                }
                let part =
                    move |at: usize| self.range(axis, at * len, whole.min((at + 1).saturating_mul(len)));
                Ok((0..whole.div_ceil(len)).map(part))
            }

            /// Returns the elements with the coordinates from `begin` to before `end` along an axis that the array has.
            /// Views of ranges without a common coordinate have no element in common.
            fn range(&self, axis: usize, begin: usize, end: usize) -> $type<'a, T, N> {
                let mut shape = self.shape();
                shape[axis] = end - begin;
                let mut axes: [AxisMap; N] = std::array::from_fn(AxisMap::whole);
                axes[axis].offset = begin;
                self.part(self.layout().view(&axes, &shape))
            }
        }
    };
}

several!(ArrayView);
several!(ArrayViewMut);
