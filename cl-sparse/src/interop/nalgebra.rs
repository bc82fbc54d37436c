//! Conversions from and to the matrices of `nalgebra-sparse`.

use super::from_parts;
use crate::host::{HostCsr, InvalidMatrix, Triplets};
use crate::index::Index;
use nalgebra_sparse::{CooMatrix, CscMatrix, CsrMatrix};
use std::ops::Add;

/// Copies a matrix of compressed rows.
///
/// ```
/// use cl_sparse::HostCsr;
/// use nalgebra_sparse::CsrMatrix;
///
/// let a: HostCsr<f64> = HostCsr::try_from(&CsrMatrix::identity(2))?;
/// assert_eq!(a.to_dense(), [1.0, 0.0, 0.0, 1.0]);
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
///
/// # Errors
/// If `I` cannot count the rows, columns or values.
impl<T: Copy, I: Index> TryFrom<&CsrMatrix<T>> for HostCsr<T, I> {
    type Error = InvalidMatrix;

    fn try_from(matrix: &CsrMatrix<T>) -> Result<HostCsr<T, I>, InvalidMatrix> {
        let (offsets, inner, values) = matrix.csr_data();
        let shape = [matrix.nrows(), matrix.ncols()];
        from_parts(shape, true, offsets.iter().copied(), inner.iter().copied(), values)
    }
}

/// Copies a matrix of compressed columns.
///
/// # Errors
/// If `I` cannot count the rows, columns or values.
impl<T: Copy, I: Index> TryFrom<&CscMatrix<T>> for HostCsr<T, I> {
    type Error = InvalidMatrix;

    fn try_from(matrix: &CscMatrix<T>) -> Result<HostCsr<T, I>, InvalidMatrix> {
        let (offsets, inner, values) = matrix.csc_data();
        let shape = [matrix.nrows(), matrix.ncols()];
        from_parts(shape, false, offsets.iter().copied(), inner.iter().copied(), values)
    }
}

/// Copies entries in any order as sorted rows. Values with the same row and column are added in the order of insertion.
///
/// ```
/// use cl_sparse::HostCsr;
/// use nalgebra_sparse::CooMatrix;
///
/// let mut entries = CooMatrix::new(2, 2);
/// entries.push(1, 0, 3.0);
/// entries.push(1, 0, 0.5);
/// let a: HostCsr<f64> = HostCsr::try_from(&entries)?;
/// assert_eq!(a.to_dense(), [0.0, 0.0, 3.5, 0.0]);
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
///
/// # Errors
/// If `I` cannot count the rows, columns or values.
impl<T: Copy + Add<Output = T> + 'static, I: Index> TryFrom<&CooMatrix<T>> for HostCsr<T, I> {
    type Error = InvalidMatrix;

    fn try_from(matrix: &CooMatrix<T>) -> Result<HostCsr<T, I>, InvalidMatrix> {
        let mut triplets = Triplets::with_capacity(matrix.nrows(), matrix.ncols(), matrix.nnz());
        triplets.extend(matrix.triplet_iter().map(|(row, column, &value)| (row, column, value)))?;
        triplets.to_csr()
    }
}

/// Copies a matrix as sorted rows. Values with the same row and column are added, because compressed rows of
/// `nalgebra-sparse` cannot hold duplicates.
///
/// ```
/// use cl_sparse::HostCsr;
/// use nalgebra_sparse::CsrMatrix;
///
/// let a: HostCsr<f64> = HostCsr::identity(3, 2.0)?;
/// assert_eq!(CsrMatrix::from(&a), 2.0 * CsrMatrix::identity(3));
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
impl<T, I> From<&HostCsr<T, I>> for CsrMatrix<T>
where
    T: Copy,
    I: Index,
    CsrMatrix<T>: for<'a> From<&'a CooMatrix<T>>,
{
    fn from(matrix: &HostCsr<T, I>) -> CsrMatrix<T> {
        // Converts through coordinates, because `nalgebra-sparse` would validate compressed rows again.
        let mut coordinates = CooMatrix::zeros(matrix.rows(), matrix.columns());
        for (row, column, &value) in matrix.entries() {
            coordinates.push(row, column, value);
        }
        CsrMatrix::from(&coordinates)
    }
}
