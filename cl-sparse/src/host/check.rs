//! Validation of compressed rows.

use super::InvalidMatrix;
use crate::index::Index;

/// Checks the arrays of compressed rows. `values` is the number of values.
///
/// Checks the lengths first, then the rows one by one, so that the error names the first wrong row. The numbers of
/// rows, columns and values must each fit `I`, even if all indices in the arrays do: the indices of the
/// transpose are as large as the number of rows.
pub(crate) fn check<I: Index>(
    rows: usize,
    columns: usize,
    row_offsets: &[I],
    column_indices: &[I],
    values: usize,
) -> Result<(), InvalidMatrix> {
    for (what, count) in [("rows", rows), ("columns", columns), ("values", values)] {
        InvalidMatrix::count::<I>(what, count)?;
    }
    let Some((&first, ends)) = row_offsets.split_first().filter(|(_, ends)| ends.len() == rows) else {
        return Err(InvalidMatrix::OffsetCount { rows, given: row_offsets.len() });
    };
    if column_indices.len() != values {
        return Err(InvalidMatrix::ValueCount { column_indices: column_indices.len(), values });
    }
    if first.to_usize() != 0 {
        return Err(InvalidMatrix::FirstOffset { first: first.to_usize() });
    }
    let mut begin = 0;
    for (row, end) in ends.iter().map(|end| end.to_usize()).enumerate() {
        if end < begin {
            return Err(InvalidMatrix::DecreasingOffset { row, begin, end });
        }
        let Some(indices) = column_indices.get(begin..end) else {
            return Err(InvalidMatrix::OffsetBeyondValues { row, end, values });
        };
        if let Some(column) = indices.iter().map(|index| index.to_usize()).find(|&column| column >= columns) {
            return Err(InvalidMatrix::Column { row, column, columns });
        }
        begin = end;
    }
    if begin != values {
        return Err(InvalidMatrix::LastOffset { last: begin, values });
    }
    Ok(())
}
