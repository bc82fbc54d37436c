//! Products with numbers and diagonal matrices.

use super::entries::rows_of;
use crate::index::Index;
use crate::matrix::Csr;
use cl_algo::{Number, Operand};
use cl_core::{Error, Result};

impl<T: Number, I: Index> Csr<T, I> {
    /// Multiplies the matrix by a number: `A = alpha A`.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Build`].
    pub fn scale(&mut self, alpha: T) -> Result<()> {
        let (_, values) = self.columns_and_values_mut();
        values.mul_assign(alpha)
    }

    /// Multiplies each row by its number: `A = diag(d) A`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, generate};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut a: Csr<f32> = Csr::new(&queue, &generate::five_point([3, 3], 4.0, -1.0)?)?;
    /// let diagonal = a.diagonal()?;
    /// a.scale_rows(1.0 / &diagonal)?;
    /// assert_eq!(a.diagonal()?.to_vec()?, [1.0; 9]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] unless there is one number for each row; [`Error::Driver`], [`Error::Build`].
    pub fn scale_rows<'a>(&mut self, numbers: impl Operand<'a, T>) -> Result<()> {
        let (numbers, count) = (numbers.into_expr(), self.rows());
        // Checked before the rows of the entries are computed.
        if let Some(right) = numbers.len().filter(|&len| len != count) {
            return Err(Error::length_mismatch("scale_rows", count, right));
        }
        let rows = rows_of(self)?;
        // SAFETY: `rows` holds rows of the matrix.
        let factors = unsafe { numbers.gather_unchecked("scale_rows", count, &rows) };
        let (_, values) = self.columns_and_values_mut();
        values.mul_assign(factors)
    }

    /// Multiplies each column by its number: `A = A diag(d)`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut a: Csr<i32> = Csr::new(&queue, &HostCsr::from_dense(2, 2, &[1, 2, 3, 4])?)?;
    /// a.scale_columns(&DeviceVec::from_slice(&queue, &[10, -1])?)?;
    /// assert_eq!(a.to_host()?.to_dense(), [10, -2, 30, -4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] unless there is one number for each column; [`Error::Driver`], [`Error::Build`].
    pub fn scale_columns<'a>(&mut self, numbers: impl Operand<'a, T>) -> Result<()> {
        let count = self.columns();
        let (columns, values) = self.columns_and_values_mut();
        // SAFETY: each column index is less than the number of columns.
        let factors = unsafe { numbers.into_expr().gather_unchecked("scale_columns", count, columns) };
        values.mul_assign(factors)
    }
}
