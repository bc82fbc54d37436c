//! The transpose.

use super::counted::counted;
use super::{HostCsr, InvalidMatrix};
use crate::index::Index;

impl<T: Copy, I: Index> HostCsr<T, I> {
    /// Returns the matrix with rows and columns exchanged. Rows of the result are sorted; duplicates keep their order.
    ///
    /// # Panics
    /// If there is not enough memory for an offset for each column; a matrix of few entries can have any number of
    /// columns. [`try_transposed`](HostCsr::try_transposed) returns an error in that case.
    #[must_use]
    #[track_caller]
    pub fn transposed(&self) -> HostCsr<T, I> {
        self.try_transposed().unwrap_or_else(|error| panic!("the transpose cannot be built: {error}"))
    }

    /// Returns the transpose as [`transposed`](HostCsr::transposed) does, for matrices that may have very many columns.
    ///
    /// ```
    /// use cl_sparse::HostCsr;
    ///
    /// let a: HostCsr<f32, u64> = HostCsr::new(1, 1 << 60, vec![0, 1], vec![1 << 59], vec![2.0])?;
    /// assert!(a.try_transposed().is_err());
    /// # Ok::<(), cl_sparse::InvalidMatrix>(())
    /// ```
    ///
    /// # Errors
    /// If there is not enough memory for an offset for each column.
    pub fn try_transposed(&self) -> Result<HostCsr<T, I>, InvalidMatrix> {
        let mut transposed = HostCsr::empty(self.columns, self.rows)?;
        let columns = self.column_indices.iter().map(|column| column.to_usize());
        let order = counted(&mut transposed.row_offsets, columns)?;
        let mut row_of_entry = Vec::with_capacity(self.nonzeros());
        for row in 0..self.rows {
            let row_as_index: I = InvalidMatrix::count("rows", row)?;
            row_of_entry.extend(std::iter::repeat_n(row_as_index, self.row(row).0.len()));
        }
        transposed.column_indices = order.iter().map(|&at| row_of_entry[at]).collect();
        transposed.values = order.iter().map(|&at| self.values[at]).collect();
        Ok(transposed)
    }
}
