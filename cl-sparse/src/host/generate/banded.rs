//! Band matrices.

use crate::host::{HostCsr, InvalidMatrix};
use crate::index::Index;

/// Returns the matrix whose entries are at most `below` columns before the diagonal and `above` columns after it.
/// `value(row, column)` computes the values.
///
/// ```
/// use cl_sparse::{HostCsr, generate};
///
/// let a: HostCsr<i32> = generate::banded(3, 3, 1, 0, |row, column| if row == column { 2 } else { 1 })?;
/// assert_eq!(a.to_dense(), [2, 0, 0, 1, 2, 0, 0, 1, 2]);
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
///
/// # Errors
/// If `I` cannot count the rows, columns or values.
pub fn banded<T, I: Index>(
    rows: usize,
    columns: usize,
    below: usize,
    above: usize,
    mut value: impl FnMut(usize, usize) -> T,
) -> Result<HostCsr<T, I>, InvalidMatrix> {
    let mut matrix = HostCsr::empty(rows, columns)?;
    for row in 0..rows {
        let end = row.saturating_add(above).saturating_add(1).min(columns);
        let begin = row.saturating_sub(below);
        let length = end.saturating_sub(begin);
        InvalidMatrix::reserve("values of a row", &mut matrix.column_indices, length)?;
        InvalidMatrix::reserve("values of a row", &mut matrix.values, length)?;
        for column in begin..end {
            matrix.column_indices.push(InvalidMatrix::count("columns", column)?);
            matrix.values.push(value(row, column));
        }
        matrix.row_offsets[row + 1] = InvalidMatrix::count("values", matrix.values.len())?;
    }
    Ok(matrix)
}
