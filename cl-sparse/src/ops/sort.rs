//! Sorted rows, and rows without duplicates.

use super::entries::{Entries, are_sorted, rows_of};
use crate::index::Index;
use crate::matrix::Csr;
use cl_algo::{Element, Number};
use cl_core::Result;

impl<T: Element, I: Index> Csr<T, I> {
    /// Whether the columns of each row ascend. Blocks.
    ///
    /// # Errors
    /// [`Error::Driver`](cl_core::Error::Driver), [`Error::Build`](cl_core::Error::Build).
    pub fn rows_are_sorted(&self) -> Result<bool> {
        are_sorted(&rows_of(self)?, self.column_indices())
    }

    /// The matrix with the entries of each row in the order of their columns; those of one place keep their order.
    ///
    /// # Errors
    /// As [`Csr::transposed`].
    pub fn sorted(&self) -> Result<Csr<T, I>> {
        Entries::sorted(self)?.into_csr(self.rows(), self.columns())
    }

    /// The matrix with sorted rows, and entries of one place added.
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
    /// A copy of a matrix's entries, sorted by row and column.
    pub(super) fn sorted(matrix: &Csr<T, I>) -> Result<Entries<T, I>> {
        let mut entries = Entries::of(matrix)?;
        if !are_sorted(&entries.rows, &entries.columns)? {
            entries.sort_by_column(matrix.columns())?;
            entries.sort_by_row(matrix.rows())?;
        }
        Ok(entries)
    }
}
