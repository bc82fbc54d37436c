//! Order and duplicates within rows.

use super::{HostCsr, InvalidMatrix, sum};
use crate::index::Index;
use std::convert::Infallible;
use std::ops::Add;

impl<T, I: Index> HostCsr<T, I> {
    /// Returns whether the columns of each row are in ascending order. Duplicates are allowed.
    #[must_use]
    pub fn rows_are_sorted(&self) -> bool {
        (0..self.rows).all(|row| self.row(row).0.is_sorted())
    }

    /// Returns whether each row has at most one value in each column. Rows need not be sorted.
    #[must_use]
    pub fn has_no_duplicates(&self) -> bool {
        // Sorts copies of the rows. An array that marks the columns of a row would be faster, but memory may
        // be too small for a mark for each column.
        let increases = |columns: &[I]| columns.is_sorted_by(|a, b| a < b);
        let mut sorted = Vec::new();
        (0..self.rows).all(|row| {
            let columns = self.row(row).0;
            increases(columns) || {
                sorted.clear();
                sorted.extend_from_slice(columns);
                sorted.sort_unstable();
                increases(&sorted)
            }
        })
    }

    /// Sorts each row by column. Duplicates keep their order.
    pub fn sort_rows(&mut self)
    where
        T: Copy,
    {
        let mut sorted = Vec::new();
        for row in 0..self.rows {
            let range = self.row_offsets[row].to_usize()..self.row_offsets[row + 1].to_usize();
            let (columns, values) = (&mut self.column_indices[range.clone()], &mut self.values[range]);
            if columns.is_sorted() {
                continue;
            }
            sorted.clear();
            sorted.extend(columns.iter().copied().zip(values.iter().copied()));
            sorted.sort_by_key(|&(column, _)| column);
            for (at, &(column, value)) in sorted.iter().enumerate() {
                (columns[at], values[at]) = (column, value);
            }
        }
    }

    /// Sorts each row by column, and adds the values of a row that have the same column, in storage order.
    ///
    /// Integer sums that overflow wrap around, in debug builds too; [`Triplets::to_csr`](crate::Triplets::to_csr)
    /// returns an error instead.
    pub fn sum_duplicates(&mut self)
    where
        T: Copy + Add<Output = T> + 'static,
    {
        let Ok(()) =
            self.merge_duplicates(|_, _, before, value| Ok::<T, Infallible>(sum::wrapping(before, value)));
    }

    /// Sorts each row by column, and adds the values of a row that have the same column. Returns an error for
    /// the first integer sum that overflows; the matrix must not be used after an error.
    pub(crate) fn try_sum_duplicates(&mut self) -> Result<(), InvalidMatrix>
    where
        T: Copy + Add<Output = T> + 'static,
    {
        self.merge_duplicates(|row, column, before, value| {
            let wanted = std::any::type_name::<T>();
            sum::checked(before, value).ok_or(InvalidMatrix::Sum { row, column, wanted })
        })
    }

    /// Sorts each row by column, and merges values of the same column. `merge` gets the row, the column, the value
    /// merged so far, and the next value. After an error of `merge` the matrix must not be used.
    pub(crate) fn merge_duplicates<E>(
        &mut self,
        mut merge: impl FnMut(usize, usize, T, T) -> Result<T, E>,
    ) -> Result<(), E>
    where
        T: Copy,
    {
        self.sort_rows();
        let (mut read, mut write) = (0, 0);
        for row in 0..self.rows {
            let (begin, end) = (write, self.row_offsets[row + 1].to_usize());
            while read < end {
                let (column, value) = (self.column_indices[read], self.values[read]);
                if write > begin && self.column_indices[write - 1] == column {
                    self.values[write - 1] = merge(row, column.to_usize(), self.values[write - 1], value)?;
                } else {
                    (self.column_indices[write], self.values[write]) = (column, value);
                    write += 1;
                }
                read += 1;
            }
            // `write` is at most the offset that it replaces, so it fits `I`.
            self.row_offsets[row + 1] = I::from_usize(write).unwrap_or_default();
        }
        self.column_indices.truncate(write);
        self.values.truncate(write);
        Ok(())
    }
}
