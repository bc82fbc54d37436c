//! Compressed rows in host memory.

use crate::index::Index;
use cl_core::{Error, Result};

/// A sparse matrix in host memory, as compressed rows.
#[derive(Clone, Debug, PartialEq)]
pub struct HostCsr<T, I = u32> {
    rows: usize,
    columns: usize,
    row_offsets: Vec<I>,
    column_indices: Vec<I>,
    values: Vec<T>,
}

impl<T, I: Index> HostCsr<T, I> {
    /// A matrix of these parts, which are checked.
    ///
    /// # Errors
    /// [`Error::InvalidInput`], with the first row that is wrong.
    pub fn new(
        rows: usize,
        columns: usize,
        row_offsets: Vec<I>,
        column_indices: Vec<I>,
        values: Vec<T>,
    ) -> Result<Self> {
        let refuse = |reason: String| Err(Error::InvalidInput { what: "matrix", reason });
        if row_offsets.len().checked_sub(1) != Some(rows) || column_indices.len() != values.len() {
            return refuse("lengths".to_owned());
        }
        if row_offsets[0].to_usize() != 0 || row_offsets[rows].to_usize() != values.len() {
            return refuse("ends".to_owned());
        }
        for row in 0..rows {
            let (begin, end) = (row_offsets[row].to_usize(), row_offsets[row + 1].to_usize());
            let bad = begin > end
                || end > values.len()
                || column_indices[begin..end].iter().any(|column| column.to_usize() >= columns);
            if bad {
                return refuse(format!("row {row}"));
            }
        }
        Ok(HostCsr { rows, columns, row_offsets, column_indices, values })
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Where each row begins, and the last one ends.
    #[must_use]
    pub fn row_offsets(&self) -> &[I] {
        &self.row_offsets
    }

    /// The column of each stored value.
    #[must_use]
    pub fn column_indices(&self) -> &[I] {
        &self.column_indices
    }

    /// The stored values.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Number of stored values.
    #[must_use]
    pub fn nonzeros(&self) -> usize {
        self.values.len()
    }
}
