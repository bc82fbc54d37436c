//! Whether vectors of a device are compressed rows.

use super::build::{element, statistics};
use crate::host::InvalidMatrix;
use crate::index::Index;
use crate::plan::RowStatistics;
use cl_algo::{DeviceVec, find_if, upper_bound, zip};
use cl_core::Result;

/// Checks the parts of compressed rows, of which `values` is the number of values, on their device.
///
/// Offsets come before columns; of each, the first row that is wrong is named.
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
    check_ends(rows, row_offsets, values)?;
    // A number of columns that fits an index, as was checked.
    if let Some(bound) = I::from_usize(columns)
        && let Some(entry) = find_if(column_indices, |column| column.ge(bound))?
    {
        let row = upper_bound(row_offsets, I::from_usize(entry).unwrap_or_default())?.saturating_sub(1);
        let column = element(column_indices, entry)?;
        return Err(InvalidMatrix::Column { row, column, columns }.into());
    }
    statistics(rows, row_offsets, values)
}

/// That offsets ascend, to the number of values.
fn check_ends<I: Index>(rows: usize, row_offsets: &DeviceVec<I>, values: usize) -> Result<()> {
    let last = element(row_offsets, rows)?;
    let bound = I::from_usize(values).unwrap_or_default();
    let ends = zip((row_offsets.slice(..rows), row_offsets.slice(1..)));
    if let Some(row) = find_if(ends, |(begin, end)| end.lt(begin) | end.gt(bound))? {
        let (begin, end) = (element(row_offsets, row)?, element(row_offsets, row + 1)?);
        return Err(match end < begin {
            true => InvalidMatrix::DecreasingOffset { row, begin, end },
            false => InvalidMatrix::OffsetBeyondValues { row, end, values },
        }
        .into());
    }
    if last == values { Ok(()) } else { Err(InvalidMatrix::LastOffset { last, values }.into()) }
}
