//! Arrays and views to the host and back.

use crate::array::Array;
use crate::view::{ArrayView, ArrayViewMut};
use cl_algo::Element;
use cl_algo::ranked::{self, Layout, TransferStrategy};
use cl_core::{Error, Result};
use std::any::TypeId;

impl<T: Element, const N: usize> Array<T, N> {
    /// Copies the elements to the host, in row-major order. Waits for the device.
    ///
    /// # Errors
    /// As [`ArrayView::read_into`].
    #[doc(alias("tolist", "from_matrix_cl"))]
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.view().to_vec()
    }

    /// Copies the elements to a slice of the host, in row-major order; see [`ArrayView::read_into`].
    ///
    /// # Errors
    /// As [`ArrayView::read_into`].
    pub fn read_into(&self, into: &mut [T]) -> Result<()> {
        self.view().read_into(into)
    }

    /// Copies elements of the host, in row-major order, to the array; see [`ArrayViewMut::write`].
    ///
    /// # Errors
    /// As [`ArrayViewMut::write`].
    #[doc(alias("copy_from_slice", "enqueue_write"))]
    pub fn write(&mut self, elements: &[T]) -> Result<()> {
        self.view_mut().write(elements)
    }
}

impl<T: Element, const N: usize> ArrayView<'_, T, N> {
    /// Copies the elements to the host, in row-major order. Waits for the device.
    ///
    /// # Errors
    /// As [`read_into`](ArrayView::read_into); [`Error::InvalidInput`](cl_core::Error::InvalidInput) for a view with more elements
    /// than the host has memory for, which repeats elements.
    #[doc(alias = "tolist")]
    pub fn to_vec(self) -> Result<Vec<T>> {
        self.check()?;
        let mut stored = room::<T>("to_vec", &self.layout, self.vector.len())?;
        ranked::read("to_vec", self.vector, &self.layout, None, &mut stored)?;
        Ok(stored.into_iter().map(T::from_stored).collect())
    }

    /// Copies the elements to a slice of the host, in row-major order. Waits for the device.
    ///
    /// The elements cross by the fastest of several ways: boxes, rows, the smallest contiguous block with all elements, or
    /// packed by a kernel first. See [`TransferStrategy`].
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_fn(&queue, [4, 4], |[i, j]| 10 * i + j)?;
    /// let mut corners = [0; 4];
    /// a.slice(s![..; 3, ..; 3]).read_into(&mut corners)?;
    /// assert_eq!(corners, [0, 3, 30, 33]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The deferred error of the view; [`Error::LengthMismatch`](cl_core::Error::LengthMismatch) unless the slice has as
    /// many elements as the view; [`Error::IndexOutOfRange`](cl_core::Error::IndexOutOfRange) if a kernel met an index
    /// out of range; [`Error::Driver`](cl_core::Error::Driver).
    pub fn read_into(&self, into: &mut [T]) -> Result<()> {
        self.read_into_as(None, into)
    }

    /// Does the same as [`read_into`](ArrayView::read_into) by a strategy that the caller chooses.
    ///
    /// # Errors
    /// As [`read_into`](ArrayView::read_into), and [`Error::InvalidInput`](cl_core::Error::InvalidInput) if the strategy
    /// cannot be used: boxes of an array that is broadcast.
    pub fn read_into_by(&self, strategy: TransferStrategy, into: &mut [T]) -> Result<()> {
        self.read_into_as(Some(strategy), into)
    }

    fn read_into_as(&self, strategy: Option<TransferStrategy>, into: &mut [T]) -> Result<()> {
        self.check()?;
        if let Some(into) = stored_mut(into) {
            return ranked::read("read_into", self.vector, &self.layout, strategy, into);
        }
        let mut stored = vec![stored_zero::<T>(); into.len()];
        ranked::read("read_into", self.vector, &self.layout, strategy, &mut stored)?;
        for (to, stored) in into.iter_mut().zip(stored) {
            *to = T::from_stored(stored);
        }
        Ok(())
    }
}

impl<T: Element, const N: usize> ArrayViewMut<'_, T, N> {
    /// Copies elements of the host, in row-major order, to the view. Blocks until the slice may be changed again.
    ///
    /// The elements cross by the fastest of several ways; see [`ArrayView::read_into`]. Elements of the array outside the
    /// view keep their values. Where they have to be read and written back, this happens only if no other view of the
    /// array exists.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut a = Array::filled(&queue, [3, 3], 0)?;
    /// a.slice_mut(s![..; 2, ..; 2]).write(&[1, 2, 3, 4])?;
    /// assert_eq!(a.to_vec()?, [1, 0, 2, 0, 0, 0, 3, 0, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayView::read_into`], and [`Error::InvalidInput`](cl_core::Error::InvalidInput) if several coordinates have
    /// the same element.
    #[doc(alias("copy_from_slice", "to_matrix_cl"))]
    pub fn write(self, elements: &[T]) -> Result<()> {
        ranked::write("write", self.into_target()?, None, T::as_stored(elements))
    }

    /// Does the same as [`write`](ArrayViewMut::write) by a strategy that the caller chooses.
    ///
    /// # Errors
    /// As [`write`](ArrayViewMut::write), and [`Error::InvalidInput`](cl_core::Error::InvalidInput) if the strategy cannot
    /// be used: it would read elements between those of the view and write them back, and the view was made by dividing
    /// another one, as by `split_at`.
    pub fn write_by(self, strategy: TransferStrategy, elements: &[T]) -> Result<()> {
        ranked::write("write", self.into_target()?, Some(strategy), T::as_stored(elements))
    }
}

/// Returns elements in the form in which they are stored, if this is their own form.
fn stored_mut<T: Element>(elements: &mut [T]) -> Option<&mut [T::Stored]> {
    (TypeId::of::<T>() == TypeId::of::<T::Stored>()).then(|| {
        let (pointer, len) = (elements.as_mut_ptr().cast(), elements.len());
        // SAFETY: both are the same type.
        unsafe { std::slice::from_raw_parts_mut(pointer, len) }
    })
}

/// Returns memory of the host for the elements of a layout in a vector of `len` elements.
fn room<T: Element>(operation: &'static str, layout: &Layout, len: usize) -> Result<Vec<T::Stored>> {
    let (zero, count) = (stored_zero::<T>(), layout.len());
    if count <= len {
        return Ok(vec![zero; count]);
    }
    let mut room = Vec::new();
    room.try_reserve_exact(count).map_err(|_| {
        let (shape, bytes) = (layout.shape(), count as u128 * size_of::<T::Stored>() as u128);
        let reason =
            format!("the view of shape {shape:?} takes {bytes} bytes, more than the host's memory has");
        Error::invalid_input(operation, reason)
    })?;
    room.resize(count, zero);
    Ok(room)
}

fn stored_zero<T: Element>() -> T::Stored {
    T::as_stored(&[T::zeroed()])[0]
}
