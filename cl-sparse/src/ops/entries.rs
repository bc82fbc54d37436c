//! The rows of entries, sorted entries, and rows made of them.

use crate::index::Index;
use crate::matrix::{Csr, rows_of_entries, statistics};
use cl_algo::stl::{adjacent_find_by, lower_bounds, reduce_by_key_with};
use cl_algo::{DeviceVec, Element, Number, Operand, Sort, iota, zip};
use cl_core::{Queue, Result};

/// A matrix as rows, columns and values of its entries. All three are as long.
pub(super) struct Entries<T: Element, I: Index> {
    pub(super) rows: DeviceVec<I>,
    pub(super) columns: DeviceVec<I>,
    pub(super) values: DeviceVec<T>,
}

impl<T: Element, I: Index> Entries<T, I> {
    /// A copy of a matrix's entries, in their order.
    pub(super) fn of(matrix: &Csr<T, I>) -> Result<Entries<T, I>> {
        Ok(Entries {
            rows: rows_of(matrix)?,
            columns: matrix.column_indices().iter().collect()?,
            values: matrix.values().iter().collect()?,
        })
    }

    /// Memory for some entries: zeros.
    pub(super) fn zeros(queue: &Queue, count: usize) -> Result<Entries<T, I>> {
        Ok(Entries {
            rows: DeviceVec::filled(queue, I::default(), count)?,
            columns: DeviceVec::filled(queue, I::default(), count)?,
            values: DeviceVec::filled(queue, T::zeroed(), count)?,
        })
    }

    /// Sorts by column; entries of a column stay in their order.
    pub(super) fn sort_by_column(&mut self, columns: usize) -> Result<()> {
        Sort::new().bits(..digits(columns)).by_key(&mut self.columns, (&mut self.rows, &mut self.values))
    }

    /// Sorts by row; entries of a row stay in their order.
    pub(super) fn sort_by_row(&mut self, rows: usize) -> Result<()> {
        Sort::new().bits(..digits(rows)).by_key(&mut self.rows, (&mut self.columns, &mut self.values))
    }

    /// The entries, which are sorted by row and column, with those at one place added.
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
        // Never more than there were.
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

    /// The matrix of entries that are sorted by row, each in a row and a column that there is, no more than `I` can
    /// count.
    pub(super) fn into_csr(self, rows: usize, columns: usize) -> Result<Csr<T, I>> {
        let offsets = begins(&self.rows, rows)?;
        let statistics = statistics(rows, &offsets, self.values.len())?;
        Csr::of(columns, statistics, offsets, self.columns, self.values)
    }
}

/// The row of each entry of a matrix.
pub(super) fn rows_of<T: Element, I: Index>(matrix: &Csr<T, I>) -> Result<DeviceVec<I>> {
    rows_of_entries(matrix.row_offsets(), matrix.nonzeros())
}

/// Where each of `count` rows begins, and the last one ends, in a vector of rows in ascending order.
pub(super) fn begins<I: Index>(rows: &DeviceVec<I>, count: usize) -> Result<DeviceVec<I>> {
    let mut begins = DeviceVec::filled(rows.queue(), I::default(), count + 1)?;
    if !rows.is_empty() {
        lower_bounds(rows, iota(I::default(), count + 1), &mut begins)?;
    }
    Ok(begins)
}

/// Whether neighbouring entries of a row are never in the wrong order. Blocks.
pub(super) fn are_sorted<'a, I: Index>(
    rows: impl Operand<'a, I>,
    columns: impl Operand<'a, I>,
) -> Result<bool> {
    let places = zip((rows, columns));
    let wrong =
        adjacent_find_by(places, |(row, column), (next_row, next)| row.eq(next_row) & next.lt(column));
    Ok(wrong?.is_none())
}

/// Binary digits of the numbers below a bound.
fn digits(bound: usize) -> u32 {
    bound.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1)
}
