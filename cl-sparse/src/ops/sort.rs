//! Sorted rows, and rows without duplicates.

use super::entries::{Entries, are_sorted, rows_of};
use crate::index::Index;
use crate::matrix::Csr;
use cl_algo::{Element, Number};
use cl_core::Result;

impl<T: Element, I: Index> Csr<T, I> {
    /// Returns whether the columns of each row are in ascending order. Blocks.
    ///
    /// # Errors
    /// [`Error::Driver`](cl_core::Error::Driver), [`Error::Build`](cl_core::Error::Build).
    pub fn rows_are_sorted(&self) -> Result<bool> {
        are_sorted(&rows_of(self)?, self.column_indices())
    }

    /// Returns the matrix with the entries of each row sorted by column. Duplicates keep their order.
    ///
    /// # Errors
    /// As [`Csr::transposed`].
    pub fn sorted(&self) -> Result<Csr<T, I>> {
        Entries::sorted(self)?.into_csr(self.rows(), self.columns())
    }

    /// Returns the matrix with sorted rows, and entries with the same row and column added.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let host = HostCsr::new(1, 3, vec![0, 3], vec![2, 0, 2], vec![1.0_f32, 5.0, 0.5])?;
    /// let a: Csr<f32> = Csr::new(&queue, &host)?.without_duplicates()?;
    /// assert_eq!(a.column_indices().to_vec()?, [0, 2]);
    /// assert_eq!(a.values().to_vec()?, [5.0, 1.5]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Csr::transposed`].
    pub fn without_duplicates(&self) -> Result<Csr<T, I>>
    where
        T: Number,
    {
        Entries::sorted(self)?.without_duplicates()?.into_csr(self.rows(), self.columns())
    }
}

impl<T: Element, I: Index> Entries<T, I> {
    /// Copies a matrix's entries, sorted by row and column.
    pub(super) fn sorted(matrix: &Csr<T, I>) -> Result<Entries<T, I>> {
        let mut entries = Entries::of(matrix)?;
        if !are_sorted(&entries.rows, &entries.columns)? {
            entries.sort_by_column(matrix.columns())?;
            entries.sort_by_row(matrix.rows())?;
        }
        Ok(entries)
    }
}
