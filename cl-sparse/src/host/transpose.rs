//! The transpose, by counting.

use super::HostCsr;
use crate::index::Index;

impl<T: Copy, I: Index> HostCsr<T, I> {
    /// The matrix with rows and columns exchanged. Its rows are sorted; duplicates keep their order.
    #[must_use]
    pub fn transposed(&self) -> HostCsr<T, I> {
        // What comes before each column, counted two places further: scattering moves it one place ahead.
        let mut offsets = vec![0_usize; self.columns + 2];
        for column in &self.column_indices {
            offsets[column.to_usize() + 2] += 1;
        }
        for column in 2..offsets.len() {
            offsets[column] += offsets[column - 1];
        }
        let mut order = vec![(0_usize, 0_usize); self.nonzeros()];
        let columns = self.column_indices.iter().map(|column| column.to_usize());
        let rows = (0..self.rows).flat_map(|row| std::iter::repeat_n(row, self.row(row).0.len()));
        for (at, (column, row)) in columns.zip(rows).enumerate() {
            order[offsets[column + 1]] = (row, at);
            offsets[column + 1] += 1;
        }
        // Rows, columns and values fit an index: it was checked when the matrix was made.
        let index = |count: usize| I::from_usize(count).unwrap_or_default();
        HostCsr {
            rows: self.columns,
            columns: self.rows,
            row_offsets: offsets[..=self.columns].iter().map(|&offset| index(offset)).collect(),
            column_indices: order.iter().map(|&(row, _)| index(row)).collect(),
            values: order.iter().map(|&(_, at)| self.values[at]).collect(),
        }
    }
}
