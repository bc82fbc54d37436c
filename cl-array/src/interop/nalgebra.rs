//! Conversions from and to the matrices of the crate nalgebra.

use super::{columns, columns_of};
use crate::array::Array;
use crate::view::ArrayView;
use cl_algo::{DeviceVec, Element};
use cl_core::{Queue, Result};
use nalgebra::{DMatrix, Dim, Matrix, RawStorage, Scalar};

/// Conversions from and to matrices of the crate nalgebra, with the feature `nalgebra`.
impl<T: Element> Array<T, 2> {
    /// Copies a matrix, a vector or a view of the crate nalgebra to the device, as a column-major array.
    ///
    /// A matrix without gaps between its columns is not copied on the host. A vector becomes an array with one column.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let host = nalgebra::Matrix2x3::new(1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0);
    /// let a = Array::from_nalgebra(&queue, &host)?;
    /// let first = Array::from_nalgebra(&queue, &host.columns(0, 1))?;
    /// assert_eq!((&a - &first).to_vec()?, [0.0, 1.0, 2.0, 0.0, 1.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Array::from_slice`].
    pub fn from_nalgebra<R: Dim, C: Dim>(
        queue: &Queue,
        matrix: &Matrix<T, R, C, impl RawStorage<T, R, C>>,
    ) -> Result<Array<T, 2>> {
        let (rows, columns) = matrix.shape();
        let vector = if matrix.data.is_contiguous() {
            // SAFETY: the elements are contiguous, and the reference keeps them from being written.
            DeviceVec::from_slice(queue, unsafe { matrix.data.as_slice_unchecked() })
        } else {
            DeviceVec::from_slice(queue, &matrix.iter().copied().collect::<Vec<T>>())
        };
        Array::column_major(vector?, [rows, columns])
    }

    /// Copies the elements to the host, into a matrix of the crate nalgebra.
    ///
    /// A column-major array is copied as it is. The elements of other arrays are put in order on the device.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(a.to_nalgebra()?, nalgebra::Matrix2x3::new(1, 2, 3, 4, 5, 6));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Array::to_vec`].
    pub fn to_nalgebra(&self) -> Result<DMatrix<T>>
    where
        T: Scalar,
    {
        let [height, width] = self.shape();
        Ok(DMatrix::from_vec(height, width, columns(self)?))
    }
}

/// Conversions to matrices of the crate nalgebra, with the feature `nalgebra`.
impl<T: Element + Scalar> ArrayView<'_, T, 2> {
    /// Copies the elements to the host; see [`Array::to_nalgebra`].
    ///
    /// # Errors
    /// As [`ArrayView::to_vec`].
    pub fn to_nalgebra(&self) -> Result<DMatrix<T>> {
        let [height, width] = self.shape();
        Ok(DMatrix::from_vec(height, width, columns_of(self)?))
    }
}
