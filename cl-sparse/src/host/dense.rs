//! Conversions from and to dense matrices, and the products that device results are compared with.

use super::{HostCsr, InvalidMatrix, sum};
use crate::index::Index;
use cl_core::{Error, Result};
use std::ops::{Add, Mul};

/// [`Default`] must be zero, as for all numbers.
impl<T: Copy + Default + Add<Output = T>, I: Index> HostCsr<T, I> {
    /// Returns the dense matrix, row by row. Values with the same row and column are added in storage order, as by
    /// [`sum_duplicates`](HostCsr::sum_duplicates).
    ///
    /// # Panics
    /// If there is not enough memory.
    #[must_use]
    pub fn to_dense(&self) -> Vec<T>
    where
        T: 'static,
    {
        let mut dense = vec![T::default(); self.rows.saturating_mul(self.columns)];
        for (row, column, &value) in self.entries() {
            let place = &mut dense[row * self.columns + column];
            *place = sum::wrapping(*place, value);
        }
        dense
    }

    /// Creates a matrix of the nonzero elements of a dense matrix, which is given row by row.
    ///
    /// ```
    /// use cl_sparse::HostCsr;
    ///
    /// let a: HostCsr<f64> = HostCsr::from_dense(2, 2, &[1.0, 0.0, 3.0, 4.0])?;
    /// assert_eq!(a.values(), [1.0, 3.0, 4.0]);
    /// assert_eq!(a.column_indices(), [0, 0, 1]);
    /// # Ok::<(), cl_sparse::InvalidMatrix>(())
    /// ```
    ///
    /// # Errors
    /// If the number of values is not `rows * columns`, or `I` cannot count the rows, columns or values.
    pub fn from_dense(rows: usize, columns: usize, dense: &[T]) -> Result<HostCsr<T, I>, InvalidMatrix>
    where
        T: PartialEq,
    {
        if rows.checked_mul(columns) != Some(dense.len()) {
            let reason = format!("are {} and not the product of {rows} and {columns}", dense.len());
            return Err(InvalidMatrix::parameter("values", reason));
        }
        let mut matrix = HostCsr::empty(rows, columns)?;
        for row in 0..rows {
            let values = dense[row * columns..(row + 1) * columns].iter().enumerate();
            for (column, &value) in values.filter(|&(_, value)| *value != T::default()) {
                matrix.column_indices.push(InvalidMatrix::count("columns", column)?);
                matrix.values.push(value);
            }
            matrix.row_offsets[row + 1] = InvalidMatrix::count("values", matrix.values.len())?;
        }
        Ok(matrix)
    }

    /// Returns the product with a vector. Each row is summed in storage order.
    ///
    /// ```
    /// use cl_sparse::HostCsr;
    ///
    /// let a: HostCsr<f64> = HostCsr::from_dense(2, 2, &[1.0, 0.0, 3.0, 4.0])?;
    /// assert_eq!(a.multiply(&[1.0, 10.0])?, [1.0, 43.0]);
    /// # Ok::<(), cl_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the vector's length is not the number of columns.
    ///
    /// # Panics
    /// If `*` or `+` of `T` panics: for integers that overflow, in programs with overflow checks.
    pub fn multiply(&self, x: &[T]) -> Result<Vec<T>>
    where
        T: Mul<Output = T>,
    {
        if x.len() != self.columns {
            let operation = "the product of a sparse matrix and a vector";
            return Err(Error::length_mismatch(operation, self.columns, x.len()));
        }
        let product = |row| {
            let (columns, values) = self.row(row);
            let terms = columns.iter().zip(values).map(|(column, &value)| value * x[column.to_usize()]);
            terms.fold(T::default(), |sum, term| sum + term)
        };
        Ok((0..self.rows).map(product).collect())
    }
}
