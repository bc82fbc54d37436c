//! Validation of compressed rows on a device.

use super::build::{element, statistics};
use crate::host::InvalidMatrix;
use crate::index::Index;
use crate::plan::RowStatistics;
use cl_algo::stl::{find_if, upper_bound};
use cl_algo::{DeviceVec, zip};
use cl_core::Result;

/// Checks the vectors of compressed rows on their device. `values` is the number of values.
///
/// The error names the first wrong row, as on the host.
pub(crate) fn check<I: Index>(
    columns: usize,
    row_offsets: &DeviceVec<I>,
    column_indices: &DeviceVec<I>,
    values: usize,
) -> Result<RowStatistics> {
    let Some(rows) = row_offsets.len().checked_sub(1) else {
        return Err(InvalidMatrix::OffsetCount { rows: 0, given: 0 }.into());
    };
    for (what, count) in [("rows", rows), ("columns", columns), ("values", values)] {
        InvalidMatrix::count::<I>(what, count)?;
    }
    if column_indices.len() != values {
        return Err(InvalidMatrix::ValueCount { column_indices: column_indices.len(), values }.into());
    }
    let first = element(row_offsets, 0)?;
    if first != 0 {
        return Err(InvalidMatrix::FirstOffset { first }.into());
    }
    let bound = I::from_usize(values).unwrap_or_default();
    let ends = zip((row_offsets.slice(..rows), row_offsets.slice(1..)));
    let wrong_end = find_if(ends, |(begin, end)| end.lt(begin) | end.gt(bound))?;
    // The offsets of the first `sound` rows ascend, and do not exceed the number of values. The columns of
    // these rows are checked before the offset of the next row, so that the error names the first wrong row.
    let sound = wrong_end.unwrap_or(rows);
    let entries = element(row_offsets, sound)?;
    check_columns(columns, row_offsets, sound, column_indices, entries)?;
    if let Some(row) = wrong_end {
        let (begin, end) = (entries, element(row_offsets, row + 1)?);
        return Err(match end < begin {
            true => InvalidMatrix::DecreasingOffset { row, begin, end },
            false => InvalidMatrix::OffsetBeyondValues { row, end, values },
        }
        .into());
    }
    if entries != values {
        return Err(InvalidMatrix::LastOffset { last: entries, values }.into());
    }
    statistics(rows, row_offsets, values)
}

/// Returns an error unless the columns of the first `rows` rows, which have `entries` entries, exist.
fn check_columns<I: Index>(
    columns: usize,
    row_offsets: &DeviceVec<I>,
    rows: usize,
    column_indices: &DeviceVec<I>,
    entries: usize,
) -> Result<()> {
    // Always fits: the caller has checked it.
    let Some(bound) = I::from_usize(columns) else { return Ok(()) };
    let Some(entry) = find_if(column_indices.slice(..entries), |column| column.ge(bound))? else {
        return Ok(());
    };
    let entry_as_index = I::from_usize(entry).unwrap_or_default();
    let row = upper_bound(row_offsets.slice(..=rows), entry_as_index)?.saturating_sub(1);
    let column = element(column_indices, entry)?;
    Err(InvalidMatrix::Column { row, column, columns }.into())
}
