//! Compressed rows in host memory.

use super::InvalidMatrix;
use super::check::check;
use crate::index::Index;

/// A sparse matrix in host memory, in compressed rows: the values row by row, the column of each value, and the offset
/// at which each row begins.
///
/// The entries of a row may be in any order; [`sort_rows`](HostCsr::sort_rows) sorts them. Several values may
/// have the same row and column; the element of the matrix is their sum.
/// [`sum_duplicates`](HostCsr::sum_duplicates) replaces such values by their sum.
///
/// ```
/// use cl_sparse::{HostCsr, InvalidMatrix};
///
/// // 1 . 2
/// // . . .
/// let a: HostCsr<f32> = HostCsr::new(2, 3, vec![0, 2, 2], vec![0, 2], vec![1.0, 2.0])?;
/// assert_eq!(a.row(0), (&[0, 2][..], &[1.0, 2.0][..]));
///
/// let error = HostCsr::new(2, 3, vec![0_u32, 1, 2], vec![0, 3], vec![1.0, 2.0]).unwrap_err();
/// assert_eq!(error, InvalidMatrix::Column { row: 1, column: 3, columns: 3 });
/// # Ok::<(), InvalidMatrix>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostCsr<T, I = u32> {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) row_offsets: Vec<I>,
    pub(super) column_indices: Vec<I>,
    pub(super) values: Vec<T>,
}

impl<T, I: Index> HostCsr<T, I> {
    /// Creates a matrix from its arrays. `row_offsets` has one offset for each row, and a last offset for the
    /// end of the last row. `column_indices` and `values` have the same length.
    ///
    /// # Errors
    /// If the arrays do not fit together, an index is out of range, or `I` cannot count the rows, columns or values.
    /// The error names the first wrong row.
    pub fn new(
        rows: usize,
        columns: usize,
        row_offsets: Vec<I>,
        column_indices: Vec<I>,
        values: Vec<T>,
    ) -> Result<HostCsr<T, I>, InvalidMatrix> {
        check(rows, columns, &row_offsets, &column_indices, values.len())?;
        Ok(HostCsr { rows, columns, row_offsets, column_indices, values })
    }

    /// Creates a matrix without entries.
    ///
    /// # Errors
    /// If `I` cannot count the rows or columns, or memory cannot hold an offset for each row.
    pub fn empty(rows: usize, columns: usize) -> Result<HostCsr<T, I>, InvalidMatrix> {
        for (what, count) in [("rows", rows), ("columns", columns)] {
            InvalidMatrix::count::<I>(what, count)?;
        }
        // The number of rows may come from a file and be arbitrarily large.
        let mut row_offsets = Vec::new();
        if row_offsets.try_reserve_exact(rows.saturating_add(1)).is_err() {
            return Err(InvalidMatrix::parameter("rows", format!("are {rows}, more than memory can hold")));
        }
        row_offsets.resize(rows + 1, I::default());
        Ok(HostCsr { rows, columns, row_offsets, column_indices: Vec::new(), values: Vec::new() })
    }

    /// Creates the identity matrix: `one` on the diagonal.
    ///
    /// # Errors
    /// If `I` cannot count the rows, or memory cannot hold them.
    pub fn identity(size: usize, one: T) -> Result<HostCsr<T, I>, InvalidMatrix>
    where
        T: Clone,
    {
        let mut identity = HostCsr::empty(size, size)?;
        for (row, offset) in identity.row_offsets.iter_mut().enumerate() {
            *offset = InvalidMatrix::count("values", row)?;
        }
        InvalidMatrix::reserve("columns", &mut identity.column_indices, size)?;
        identity.column_indices.extend_from_slice(&identity.row_offsets[..size]);
        InvalidMatrix::reserve("values", &mut identity.values, size)?;
        identity.values.resize(size, one);
        Ok(identity)
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

    /// Returns the number of stored values, including zeros and duplicates.
    #[must_use]
    pub fn nonzeros(&self) -> usize {
        self.values.len()
    }

    /// Returns the offsets at which the rows begin, and the offset at which the last row ends.
    #[must_use]
    pub fn row_offsets(&self) -> &[I] {
        &self.row_offsets
    }

    /// Returns the column of each stored value.
    #[must_use]
    pub fn column_indices(&self) -> &[I] {
        &self.column_indices
    }

    /// Returns the stored values, row by row.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Returns the stored values as a mutable slice.
    #[must_use]
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// Returns the row offsets, column indices and values.
    #[must_use]
    pub fn into_parts(self) -> (Vec<I>, Vec<I>, Vec<T>) {
        (self.row_offsets, self.column_indices, self.values)
    }

    /// Returns the columns and values of a row.
    ///
    /// # Panics
    /// If `row` is not less than the number of rows.
    #[must_use]
    pub fn row(&self, row: usize) -> (&[I], &[T]) {
        let range = self.row_offsets[row].to_usize()..self.row_offsets[row + 1].to_usize();
        (&self.column_indices[range.clone()], &self.values[range])
    }

    /// Iterates over row, column and value of each entry, in storage order.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, &T)> {
        (0..self.rows).flat_map(move |row| {
            let (columns, values) = self.row(row);
            columns.iter().zip(values).map(move |(column, value)| (row, column.to_usize(), value))
        })
    }

    /// Returns a matrix with the same entries and converted values, for instance in another precision.
    ///
    /// ```
    /// # use cl_sparse::HostCsr;
    /// let a: HostCsr<f64> = HostCsr::identity(3, 1.0)?;
    /// let single: HostCsr<f32> = a.map(|value| *value as f32);
    /// # Ok::<(), cl_sparse::InvalidMatrix>(())
    /// ```
    #[must_use]
    pub fn map<U>(&self, value: impl FnMut(&T) -> U) -> HostCsr<U, I> {
        HostCsr {
            rows: self.rows,
            columns: self.columns,
            row_offsets: self.row_offsets.clone(),
            column_indices: self.column_indices.clone(),
            values: self.values.iter().map(value).collect(),
        }
    }

    /// Returns the same matrix with another index type.
    ///
    /// ```
    /// # use cl_sparse::HostCsr;
    /// let a: HostCsr<f32, u32> = HostCsr::identity(3, 1.0)?;
    /// let wide: HostCsr<f32, u64> = a.clone().with_indices()?;
    /// assert_eq!(wide.row_offsets(), [0, 1, 2, 3]);
    /// assert_eq!(wide.with_indices::<u32>()?, a);
    /// # Ok::<(), cl_sparse::InvalidMatrix>(())
    /// ```
    ///
    /// # Errors
    /// If `J` cannot count the rows, columns or values.
    pub fn with_indices<J: Index>(self) -> Result<HostCsr<T, J>, InvalidMatrix> {
        let HostCsr { rows, columns, row_offsets, column_indices, values } = self;
        for (what, count) in [("rows", rows), ("columns", columns), ("values", values.len())] {
            InvalidMatrix::count::<J>(what, count)?;
        }
        let convert = |what, indices: Vec<I>| -> Result<Vec<J>, InvalidMatrix> {
            indices.into_iter().map(|index| InvalidMatrix::count(what, index.to_usize())).collect()
        };
        let (row_offsets, column_indices) =
            (convert("values", row_offsets)?, convert("columns", column_indices)?);
        Ok(HostCsr { rows, columns, row_offsets, column_indices, values })
    }
}
