//! Conversions from and to the matrices of the crate faer.

use super::{columns, columns_of};
use crate::array::Array;
use crate::view::ArrayView;
use cl_algo::{DeviceVec, Element};
use cl_core::{Queue, Result};
use faer::{Mat, MatRef};

/// Conversions from and to matrices of the crate faer, with the feature `faer`.
impl<T: Element> Array<T, 2> {
    /// Copies a matrix or a view of the crate faer to the device, as a column-major array. The columns are put together
    /// on the host, because faer leaves gaps between them.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let host = faer::mat![[1.0_f32, 2.0], [3.0, 4.0]];
    /// let a = Array::from_faer(&queue, host.as_ref())?;
    /// let transposed = Array::from_faer(&queue, host.transpose())?;
    /// assert_eq!((&a - &transposed).to_vec()?, [0.0, -1.0, 1.0, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Array::from_slice`].
    pub fn from_faer(queue: &Queue, matrix: MatRef<'_, T>) -> Result<Array<T, 2>> {
        let shape = [matrix.nrows(), matrix.ncols()];
        let mut elements = Vec::with_capacity(shape[0] * shape[1]);
        for column in matrix.col_iter() {
            match column.try_as_col_major() {
                Some(column) => elements.extend_from_slice(column.as_slice()),
                None => elements.extend(column.iter()),
            }
        }
        Array::column_major(DeviceVec::from_slice(queue, &elements)?, shape)
    }

    /// Copies the elements to the host, into a matrix of the crate faer.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[1.0_f64, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// assert_eq!(a.to_faer()?, faer::mat![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Array::to_vec`].
    pub fn to_faer(&self) -> Result<Mat<T>> {
        Ok(matrix(self.shape(), &columns(self)?))
    }
}

/// Conversions to matrices of the crate faer, with the feature `faer`.
impl<T: Element> ArrayView<'_, T, 2> {
    /// Copies the elements to the host; see [`Array::to_faer`].
    ///
    /// # Errors
    /// As [`ArrayView::to_vec`].
    pub fn to_faer(&self) -> Result<Mat<T>> {
        Ok(matrix(self.shape(), &columns_of(self)?))
    }
}

/// Returns the matrix with these elements, column by column.
fn matrix<T: Element>([rows, columns]: [usize; 2], elements: &[T]) -> Mat<T> {
    Mat::from_fn(rows, columns, |row, column| elements[column * rows + row])
}
