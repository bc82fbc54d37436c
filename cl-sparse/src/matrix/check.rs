//! Whether vectors of a device are compressed rows.

use super::build::{element, statistics};
use crate::host::InvalidMatrix;
use crate::index::Index;
use crate::plan::RowStatistics;
use cl_algo::stl::{find_if, upper_bound};
use cl_algo::{DeviceVec, zip};
use cl_core::Result;

/// Checks the parts of compressed rows, of which `values` is the number of values, on their device.
///
/// The first row that is wrong is named, as by the host.
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
    // Rows before that have ends that ascend, to no more than there are values: their columns come first.
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

/// That the columns of so many rows, which end after so many entries, exist.
fn check_columns<I: Index>(
    columns: usize,
    row_offsets: &DeviceVec<I>,
    rows: usize,
    column_indices: &DeviceVec<I>,
    entries: usize,
) -> Result<()> {
    // A number of columns that fits an index, as was checked.
    let Some(bound) = I::from_usize(columns) else { return Ok(()) };
    let Some(entry) = find_if(column_indices.slice(..entries), |column| column.ge(bound))? else {
        return Ok(());
    };
    let entry_as_index = I::from_usize(entry).unwrap_or_default();
    let row = upper_bound(row_offsets.slice(..=rows), entry_as_index)?.saturating_sub(1);
    let column = element(column_indices, entry)?;
    Err(InvalidMatrix::Column { row, column, columns }.into())
}
