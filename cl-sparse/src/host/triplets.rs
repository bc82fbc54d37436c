//! Matrices that are built entry by entry.

use super::counted::counted;
use super::{HostCsr, InvalidMatrix};
use crate::index::Index;
use std::ops::Add;

/// A matrix that is built entry by entry, in any order: row, column and value of each.
///
/// ```
/// use cl_sparse::{HostCsr, Triplets};
///
/// let mut triplets = Triplets::new(2, 2);
/// triplets.push(1, 0, 3.0)?;
/// triplets.push(0, 1, 1.0)?;
/// triplets.push(1, 0, 0.5)?; // the same place: the sum counts
/// let a: HostCsr<f64> = triplets.to_csr()?;
/// assert_eq!(a.to_dense(), [0.0, 1.0, 3.5, 0.0]);
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Triplets<T> {
    rows: usize,
    columns: usize,
    entries: Vec<(usize, usize, T)>,
}

impl<T> Triplets<T> {
    /// Creates a matrix without entries.
    #[must_use]
    pub fn new(rows: usize, columns: usize) -> Triplets<T> {
        Triplets { rows, columns, entries: Vec::new() }
    }

    /// Creates a matrix without entries and reserves memory for `entries` of them.
    ///
    /// # Panics
    /// If there is not enough memory.
    #[must_use]
    pub fn with_capacity(rows: usize, columns: usize, entries: usize) -> Triplets<T> {
        Triplets { rows, columns, entries: Vec::with_capacity(entries) }
    }

    /// Reserves memory for `entries` more entries. An error calls the entries `what`.
    pub(super) fn reserve(&mut self, what: &'static str, entries: usize) -> Result<(), InvalidMatrix> {
        InvalidMatrix::reserve(what, &mut self.entries, entries)
    }

    /// Adds `value` to the entry in this row and column.
    ///
    /// # Errors
    /// If the row or column does not exist. Earlier entries are kept.
    pub fn push(&mut self, row: usize, column: usize, value: T) -> Result<(), InvalidMatrix> {
        if row >= self.rows {
            return Err(InvalidMatrix::Row { entry: self.entries.len(), row, rows: self.rows });
        }
        if column >= self.columns {
            return Err(InvalidMatrix::Column { row, column, columns: self.columns });
        }
        self.entries.push((row, column, value));
        Ok(())
    }

    /// Adds each value to the entry in its row and column.
    ///
    /// # Errors
    /// At the first entry whose row or column does not exist. Earlier entries are kept.
    pub fn extend(
        &mut self,
        entries: impl IntoIterator<Item = (usize, usize, T)>,
    ) -> Result<(), InvalidMatrix> {
        entries.into_iter().try_for_each(|(row, column, value)| self.push(row, column, value))
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns row, column and value of each entry, in the order of insertion.
    #[must_use]
    pub fn entries(&self) -> &[(usize, usize, T)] {
        &self.entries
    }

    /// Returns compressed rows, sorted by column. Values with the same row and column are added in the order of
    /// insertion, so the same entries give the same bits.
    ///
    /// # Errors
    /// If `I` cannot count the rows, the columns or the entries, or there is not enough memory for an offset for each
    /// row; [`InvalidMatrix::Sum`] if integer values with the same row and column overflow when they are added.
    pub fn to_csr<I: Index>(&self) -> Result<HostCsr<T, I>, InvalidMatrix>
    where
        T: Copy + Add<Output = T> + 'static,
    {
        InvalidMatrix::count::<I>("values", self.entries.len())?;
        // `empty` allocates an offset for each row. It returns an error if memory is too small, because the
        // number of rows may come from a file and be arbitrarily large. No other allocation depends on it.
        let mut matrix = HostCsr::<T, I>::empty(self.rows, self.columns)?;
        let order = counted(&mut matrix.row_offsets, self.entries.iter().map(|&(row, ..)| row))?;
        matrix.column_indices.reserve_exact(order.len());
        matrix.values.reserve_exact(order.len());
        for at in order {
            let (_, column, value) = self.entries[at];
            matrix.column_indices.push(InvalidMatrix::count("columns", column)?);
            matrix.values.push(value);
        }
        matrix.try_sum_duplicates()?;
        Ok(matrix)
    }
}
