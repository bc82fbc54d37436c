//! The entries of a matrix as three vectors: sorting them, adding duplicates, and building compressed rows
//! from them.

use crate::index::Index;
use crate::matrix::{Csr, rows_of_entries, statistics};
use cl_algo::stl::{adjacent_find_by, lower_bounds, reduce_by_key_with};
use cl_algo::{DeviceVec, Element, Number, Operand, Sort, iota, zip};
use cl_core::{Queue, Result};

/// A matrix as rows, columns and values of its entries. All three vectors have the same length.
pub(super) struct Entries<T: Element, I: Index> {
    pub(super) rows: DeviceVec<I>,
    pub(super) columns: DeviceVec<I>,
    pub(super) values: DeviceVec<T>,
}

impl<T: Element, I: Index> Entries<T, I> {
    /// Copies a matrix's entries in their order.
    pub(super) fn of(matrix: &Csr<T, I>) -> Result<Entries<T, I>> {
        Ok(Entries {
            rows: rows_of(matrix)?,
            columns: matrix.column_indices().iter().collect()?,
            values: matrix.values().iter().collect()?,
        })
    }

    /// Creates `count` entries that are zeros.
    pub(super) fn zeros(queue: &Queue, count: usize) -> Result<Entries<T, I>> {
        Ok(Entries {
            rows: DeviceVec::filled(queue, I::default(), count)?,
            columns: DeviceVec::filled(queue, I::default(), count)?,
            values: DeviceVec::filled(queue, T::zeroed(), count)?,
        })
    }

    /// Sorts by column. Entries of the same column keep their order.
    pub(super) fn sort_by_column(&mut self, columns: usize) -> Result<()> {
        Sort::new().bits(..digits(columns)).by_key(&mut self.columns, (&mut self.rows, &mut self.values))
    }

    /// Sorts by row. Entries of the same row keep their order.
    pub(super) fn sort_by_row(&mut self, rows: usize) -> Result<()> {
        Sort::new().bits(..digits(rows)).by_key(&mut self.rows, (&mut self.columns, &mut self.values))
    }

    /// Adds entries with the same row and column. The entries must be sorted by row and column.
    pub(super) fn without_duplicates(self) -> Result<Entries<T, I>>
    where
        T: Number,
    {
        let queue = self.rows.queue().clone();
        let mut summed = Entries::zeros(&queue, self.rows.len())?;
        let count = reduce_by_key_with(
            zip((&self.rows, &self.columns)),
            &self.values,
            |(row, column), (next_row, next_column)| row.eq(next_row) & column.eq(next_column),
            |sum, value| sum + value,
            (&mut summed.rows, &mut summed.columns),
            &mut summed.values,
        )?;
        // Adding duplicates leaves at most as many entries as before.
        let count = usize::try_from(count.get()?).unwrap_or(usize::MAX).min(summed.rows.len());
        if count == summed.rows.len() {
            return Ok(summed);
        }
        Ok(Entries {
            rows: summed.rows.slice(..count).collect()?,
            columns: summed.columns.slice(..count).collect()?,
            values: summed.values.slice(..count).collect()?,
        })
    }

    /// Builds a matrix from entries that are sorted by row. Their rows and columns must exist, and `I` must be able to
    /// count the entries.
    pub(super) fn into_csr(self, rows: usize, columns: usize) -> Result<Csr<T, I>> {
        let offsets = begins(&self.rows, rows)?;
        let statistics = statistics(rows, &offsets, self.values.len())?;
        Csr::of(columns, statistics, offsets, self.columns, self.values)
    }
}

/// Returns the row of each entry of a matrix.
pub(super) fn rows_of<T: Element, I: Index>(matrix: &Csr<T, I>) -> Result<DeviceVec<I>> {
    rows_of_entries(matrix.row_offsets(), matrix.nonzeros())
}

/// Returns the offsets at which each of `count` rows begins, and the end of the last row. `rows` must be in ascending
/// order.
pub(super) fn begins<I: Index>(rows: &DeviceVec<I>, count: usize) -> Result<DeviceVec<I>> {
    let mut begins = DeviceVec::filled(rows.queue(), I::default(), count + 1)?;
    if !rows.is_empty() {
        lower_bounds(rows, iota(I::default(), count + 1), &mut begins)?;
    }
    Ok(begins)
}

/// Returns whether the columns of each row are in ascending order. Blocks.
pub(super) fn are_sorted<'a, I: Index>(
    rows: impl Operand<'a, I>,
    columns: impl Operand<'a, I>,
) -> Result<bool> {
    let places = zip((rows, columns));
    let wrong =
        adjacent_find_by(places, |(row, column), (next_row, next)| row.eq(next_row) & next.lt(column));
    Ok(wrong?.is_none())
}

/// Returns the number of bits of the numbers below a bound.
fn digits(bound: usize) -> u32 {
    bound.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1)
}
