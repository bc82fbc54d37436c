//! Conversions from and to the matrices of `sprs`.

use super::from_parts;
use crate::host::{HostCsr, InvalidMatrix, Triplets};
use crate::index::Index;
use ::sprs::{CsMatBase, CsMatI, SpIndex, TriMatBase};
use std::ops::{Add, Deref};

/// Copies a matrix or a view, with compressed rows or columns and any type of index.
///
/// ```
/// use cl_sparse::HostCsr;
///
/// let columns = sprs::CsMat::new_csc((2, 3), vec![0, 1, 1, 2], vec![1, 0], vec![5.0, 7.0]);
/// let a: HostCsr<f64> = HostCsr::try_from(&columns)?;
/// assert_eq!(a.to_dense(), [0.0, 0.0, 7.0, 5.0, 0.0, 0.0]);
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
///
/// # Errors
/// If `I` cannot count the rows, columns or values.
impl<T, I, S, P, PS, SS, TS> TryFrom<&CsMatBase<T, S, PS, SS, TS, P>> for HostCsr<T, I>
where
    T: Copy,
    I: Index,
    S: SpIndex,
    P: SpIndex,
    PS: Deref<Target = [P]>,
    SS: Deref<Target = [S]>,
    TS: Deref<Target = [T]>,
{
    type Error = InvalidMatrix;

    fn try_from(matrix: &CsMatBase<T, S, PS, SS, TS, P>) -> Result<HostCsr<T, I>, InvalidMatrix> {
        let offsets = matrix.proper_indptr(); // offsets of a view need not begin with 0
        let offsets = offsets.iter().map(|offset| offset.index());
        let inner = matrix.indices().iter().map(|index| index.index());
        from_parts([matrix.rows(), matrix.cols()], matrix.is_csr(), offsets, inner, matrix.data())
    }
}

/// Copies entries in any order, or a view of them, as sorted rows. Values with the same row and column are added in the
/// order of insertion.
///
/// ```
/// use cl_sparse::HostCsr;
///
/// let mut entries = sprs::TriMat::new((2, 2));
/// entries.add_triplet(1, 0, 3.0);
/// entries.add_triplet(1, 0, 0.5);
/// let a: HostCsr<f64> = HostCsr::try_from(&entries)?;
/// assert_eq!(a.to_dense(), [0.0, 0.0, 3.5, 0.0]);
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
///
/// # Errors
/// If `I` cannot count the rows, columns or values.
impl<T, I, S, SS, TS> TryFrom<&TriMatBase<SS, TS>> for HostCsr<T, I>
where
    T: Copy + Add<Output = T> + 'static,
    I: Index,
    S: SpIndex,
    SS: Deref<Target = [S]>,
    TS: Deref<Target = [T]>,
{
    type Error = InvalidMatrix;

    fn try_from(matrix: &TriMatBase<SS, TS>) -> Result<HostCsr<T, I>, InvalidMatrix> {
        let mut triplets = Triplets::with_capacity(matrix.rows(), matrix.cols(), matrix.nnz());
        let places = matrix.row_inds().iter().zip(matrix.col_inds());
        let entries =
            places.zip(matrix.data()).map(|((row, column), &value)| (row.index(), column.index(), value));
        triplets.extend(entries)?;
        triplets.to_csr()
    }
}

/// Copies a matrix as sorted rows. Values with the same row and column are added, because `sprs` cannot hold
/// duplicates.
///
/// ```
/// use cl_sparse::HostCsr;
///
/// let a = HostCsr::new(2, 2, vec![0_u32, 2, 3], vec![1, 1, 0], vec![1.0, 2.0, 4.0])?;
/// let b = sprs::CsMat::try_from(&a)?;
/// assert_eq!((b.nnz(), b.get(0, 1)), (2, Some(&3.0)));
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
///
/// # Errors
/// If `S` or `P` cannot count the columns or values.
impl<T, I, S, P> TryFrom<&HostCsr<T, I>> for CsMatI<T, S, P>
where
    T: Copy + Add<Output = T> + 'static,
    I: Index,
    S: SpIndex,
    P: SpIndex,
{
    type Error = InvalidMatrix;

    fn try_from(matrix: &HostCsr<T, I>) -> Result<CsMatI<T, S, P>, InvalidMatrix> {
        let shape = (matrix.rows(), matrix.columns());
        let mut summed = matrix.clone();
        summed.sum_duplicates();
        let (offsets, columns, values) = summed.into_parts();
        let offsets = indices::<P, I>("values", &offsets)?;
        let columns = indices::<S, I>("columns", &columns)?;
        CsMatI::try_new(shape, offsets, columns, values)
            .map_err(|(.., error)| InvalidMatrix::parameter("for sprs the matrix", error.to_string()))
    }
}

/// Converts indices to an index type of `sprs`. Errors call the indices `what`.
fn indices<S: SpIndex, I: Index>(what: &'static str, indices: &[I]) -> Result<Vec<S>, InvalidMatrix> {
    let convert = |index: &I| {
        let count = index.to_usize();
        let error = InvalidMatrix::TooManyForIndex { what, count, index: std::any::type_name::<S>() };
        S::try_from_usize(count).ok_or(error)
    };
    indices.iter().map(convert).collect()
}
