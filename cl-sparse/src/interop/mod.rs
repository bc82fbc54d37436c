//! Conversions from and to the matrices of other crates, each behind the feature with the crate's name.

#[cfg(feature = "nalgebra")]
mod nalgebra;
#[cfg(feature = "sprs")]
mod sprs;

use crate::host::{HostCsr, InvalidMatrix};
use crate::index::Index;

/// Converts sizes to indices.
fn indices<I: Index>(
    what: &'static str,
    sizes: impl IntoIterator<Item = usize>,
) -> Result<Vec<I>, InvalidMatrix> {
    sizes.into_iter().map(|size| InvalidMatrix::count(what, size)).collect()
}

/// Builds a matrix from the arrays of compressed rows or, if `are_rows` is `false`, of compressed columns.
/// Compressed columns are the compressed rows of the transpose. `inner` holds the column indices of
/// compressed rows, or the row indices of compressed columns.
fn from_parts<T: Copy, I: Index>(
    [rows, columns]: [usize; 2],
    are_rows: bool,
    offsets: impl IntoIterator<Item = usize>,
    inner: impl IntoIterator<Item = usize>,
    values: &[T],
) -> Result<HostCsr<T, I>, InvalidMatrix> {
    // Checks the sizes before the transpose is built, so that errors count rows and columns of the matrix
    // itself.
    for (what, count) in [("rows", rows), ("columns", columns)] {
        InvalidMatrix::count::<I>(what, count)?;
    }
    let (outer, length, what) = if are_rows { (rows, columns, "columns") } else { (columns, rows, "rows") };
    let (offsets, inner) = (indices("values", offsets)?, indices(what, inner)?);
    let matrix = HostCsr::new(outer, length, offsets, inner, values.to_vec())?;
    if are_rows { Ok(matrix) } else { matrix.try_transposed() }
}
