//! Order and duplicates within rows.

use super::HostCsr;
use crate::index::Index;
use std::ops::Add;

impl<T, I: Index> HostCsr<T, I> {
    /// Whether the columns of each row increase, duplicates side by side.
    #[must_use]
    pub fn rows_are_sorted(&self) -> bool {
        (0..self.rows).all(|row| self.row(row).0.is_sorted())
    }

    /// Whether no place of the matrix has two values. Rows need not be sorted.
    #[must_use]
    pub fn has_no_duplicates(&self) -> bool {
        // The last row that had an entry in each column, from 1.
        let mut seen = vec![0_usize; self.columns];
        self.entries().all(|(row, column, _)| std::mem::replace(&mut seen[column], row + 1) != row + 1)
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

    /// Sorts each row by column, and adds the values at one place in the order in which they are stored.
    pub fn sum_duplicates(&mut self)
    where
        T: Copy + Add<Output = T>,
    {
        self.sort_rows();
        let (mut read, mut write) = (0, 0);
        for row in 0..self.rows {
            let (begin, end) = (write, self.row_offsets[row + 1].to_usize());
            while read < end {
                let (column, value) = (self.column_indices[read], self.values[read]);
                if write > begin && self.column_indices[write - 1] == column {
                    self.values[write - 1] = self.values[write - 1] + value;
                } else {
                    (self.column_indices[write], self.values[write]) = (column, value);
                    write += 1;
                }
                read += 1;
            }
            // Never more than the offset was, so it fits.
            self.row_offsets[row + 1] = I::from_usize(write).unwrap_or_default();
        }
        self.column_indices.truncate(write);
        self.values.truncate(write);
    }
}
