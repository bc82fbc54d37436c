//! Common steps of conversions between forms on the device: the lengths and offsets of rows, and the row and
//! the index within its row of each entry.

use super::Csr;
use crate::index::Index;
use crate::plan::RowStatistics;
use cl_algo::stl::{inclusive_scan, number_runs};
use cl_algo::{DeviceVec, Element, Expr, iota, zip};
use cl_core::{Queue, Result};

/// The name of conversions in errors.
pub(crate) const NAME: &str = "conversion of a sparse matrix";

/// An index beyond the end of every row. Adding a row's offset to it does not overflow.
pub(crate) const BEYOND_ROW: u64 = u64::MAX >> 1;

/// Returns the column and value of the entry at index `at` of each `row`, or [`Index::NOTHING`] and zero if the row is
/// not that long.
///
/// # Safety
/// Every row must exist. If `a` has zero entries, `row` must have zero items.
pub(crate) unsafe fn entries_or_nothing<'a, T: Element, I: Index>(
    a: &'a Csr<T, I>,
    row: Expr<'a, u64>,
    at: Expr<'a, u64>,
) -> Expr<'a, (I, T)> {
    let offset = |row: Expr<'a, u64>| {
        // SAFETY: the number of offsets is the number of rows plus one.
        let offset = unsafe { a.row_offsets().iter().gather_unchecked(NAME, a.rows() + 1, row) };
        offset.cast::<u64>()
    };
    let entry = offset(row.clone()) + at;
    let there = entry.clone().lt(offset(row + 1));
    let entry = there.clone().select(entry, 0);
    // SAFETY: the entry is in the row, or it is entry 0, which exists unless `row` has zero items.
    let column = unsafe { a.column_indices().iter().gather_unchecked(NAME, a.nonzeros(), &entry) };
    // SAFETY: as above.
    let value = unsafe { a.values().iter().gather_unchecked(NAME, a.nonzeros(), &entry) };
    zip((there.clone().select(column, I::NOTHING), there.select(value, T::zeroed())))
}

/// Returns the lengths of the rows.
pub(crate) fn lengths<T: Element, I: Index>(a: &Csr<T, I>) -> Expr<'_, I> {
    a.row_offsets().slice(1..) - a.row_offsets().slice(..a.rows())
}

/// Returns the offsets of consecutive rows of these lengths, and the number of their entries. Waits.
pub(crate) fn offsets_of<'a, I: Index>(
    queue: &'a Queue,
    rows: usize,
    lengths: Expr<'a, I>,
) -> Result<(DeviceVec<I>, usize)> {
    let mut offsets = DeviceVec::filled(queue, I::default(), rows + 1)?;
    inclusive_scan(lengths.on(queue), offsets.slice_mut(1..))?;
    let entries = element(&offsets, rows)?;
    Ok((offsets, entries))
}

/// Returns the row of each entry. `entries` is the last of the `offsets`.
pub(crate) fn rows_of_entries<I: Index>(offsets: &DeviceVec<I>, entries: usize) -> Result<DeviceVec<I>> {
    // SAFETY: the numbers are stored by the next launches. If one cannot be enqueued, the vector is dropped.
    let mut rows = unsafe { DeviceVec::uninit(offsets.queue(), entries) }?;
    let count = offsets.len().saturating_sub(1);
    if entries > 0 {
        let (begins, ends) = (offsets.slice(..count), offsets.slice(1..));
        number_runs(begins.clone(), begins.lt(ends), &mut rows)?;
    }
    Ok(rows)
}

/// Returns 1 as an index.
pub(crate) fn one<I: Index>() -> I {
    I::from_usize(1).unwrap_or_default()
}

/// The offsets of compressed rows that are being built, and the row of each entry.
#[derive(Debug)]
pub(crate) struct Rows<I: Index> {
    offsets: DeviceVec<I>,
    row_of_entry: DeviceVec<I>,
}

impl<I: Index> Rows<I> {
    /// Computes rows of these lengths. Waits.
    pub(crate) fn of_lengths<'a>(queue: &'a Queue, rows: usize, lengths: Expr<'a, I>) -> Result<Rows<I>> {
        let (offsets, entries) = offsets_of(queue, rows, lengths)?;
        let row_of_entry = rows_of_entries(&offsets, entries)?;
        Ok(Rows { offsets, row_of_entry })
    }

    /// Returns the row of each entry.
    pub(crate) fn row(&self) -> Expr<'_, u64> {
        self.row_of_entry.iter().cast()
    }

    /// Returns the index of each entry within its row.
    pub(crate) fn index_in_row(&self) -> Expr<'_, u64> {
        // SAFETY: `self.row()` holds row indices.
        let begin = unsafe { self.offsets.iter().gather_unchecked(NAME, self.offsets.len(), self.row()) };
        iota(0_u64, self.row_of_entry.len()) - begin.cast::<u64>()
    }

    /// Builds the matrix from the columns and values that `entries` computes. Waits.
    pub(crate) fn filled<T: Element>(
        self,
        columns: usize,
        entries: impl for<'e> FnOnce(&'e Rows<I>) -> Result<(DeviceVec<I>, DeviceVec<T>)>,
    ) -> Result<Csr<T, I>> {
        let (indices, values) = entries(&self)?;
        let statistics = statistics(self.offsets.len() - 1, &self.offsets, values.len())?;
        Csr::of(columns, statistics, self.offsets, indices, values)
    }
}

/// Computes statistics of the rows' lengths. Waits.
pub(crate) fn statistics<I: Index>(
    rows: usize,
    row_offsets: &DeviceVec<I>,
    entries: usize,
) -> Result<RowStatistics> {
    let lengths = || row_offsets.slice(1..) - row_offsets.slice(..rows);
    let longest = lengths().reduce_max()?.map_or(0, Index::to_usize);
    // The sum of squares must fit 64 bits, so the lengths lose their lowest bits if necessary.
    let digits = u64::from((entries.max(1).ilog2() + 1).saturating_sub(32));
    let squares = lengths().cast::<u64>().map(|length| (length >> digits) * (length >> digits)).sum()?;
    Ok(RowStatistics { rows, entries, longest, squares: squares as f64 * 4_f64.powi(digits as i32) })
}

/// Reads an element as a `usize`. Waits.
pub(crate) fn element<I: Index>(of: &DeviceVec<I>, at: usize) -> Result<usize> {
    let mut element = [I::default()];
    of.buffer().read(of.queue(), at, &mut element)?;
    Ok(element[0].to_usize())
}
