//! Sums of two matrices.

use super::entries::{Entries, are_sorted, rows_of};
use crate::host::InvalidMatrix;
use crate::index::Index;
use crate::matrix::Csr;
use cl_algo::stl::merge_by;
use cl_algo::{DeviceVec, Number, zip};
use cl_core::{Error, Result};

/// Computes `alpha A + beta B` by merging the entries of two matrices of the same size. Rows of the result are sorted,
/// each column of a row has one entry, and entries that cancel stay as zeros. Rows that are not sorted are sorted
/// first. Waits for the number of entries.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_sparse::{Csr, HostCsr};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let host: HostCsr<f32> = HostCsr::from_dense(2, 2, &[1.0, 2.0, 0.0, 0.0])?;
/// let (a, one) = (Csr::new(&queue, &host)?, Csr::new(&queue, &HostCsr::identity(2, 1.0)?)?);
/// let sum = cl_sparse::add(2.0, &a, -1.0, &one)?;
/// assert_eq!(sum.to_host()?.to_dense(), [1.0, 4.0, 0.0, -1.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::LengthMismatch`] if the matrices have different sizes, [`Error::ForeignObject`] if they have different
/// queues, [`Error::InvalidInput`] if `I` cannot count the entries of both; as [`Csr::transposed`].
pub fn add<T: Number, I: Index>(alpha: T, a: &Csr<T, I>, beta: T, b: &Csr<T, I>) -> Result<Csr<T, I>> {
    for (operation, left, right) in [
        ("rows of a sum of matrices", a.rows(), b.rows()),
        ("columns of a sum of matrices", a.columns(), b.columns()),
    ] {
        if left != right {
            return Err(Error::length_mismatch(operation, left, right));
        }
    }
    if a.queue() != b.queue() {
        let reason = "the matrices belong to different queues";
        return Err(Error::foreign_object("sum of matrices", reason));
    }
    let count = a.nonzeros().saturating_add(b.nonzeros());
    InvalidMatrix::count::<I>("values", count)?;
    let (a, b) = (Sorted::of(a)?, Sorted::of(b)?);
    let mut both = Entries::zeros(a.matrix.queue(), count)?;
    let a_entries = zip((&a.rows, a.columns(), a.values() * alpha));
    let b_entries = zip((&b.rows, b.columns(), b.values() * beta));
    merge_by(
        a_entries,
        b_entries,
        |(row, column, _), (other_row, other, _)| row.lt(other_row) | (row.eq(other_row) & column.lt(other)),
        (&mut both.rows, &mut both.columns, &mut both.values),
    )?;
    both.without_duplicates()?.into_csr(a.matrix.rows(), a.matrix.columns())
}

/// A matrix's sorted entries: its own entries if they are sorted, otherwise a copy.
struct Sorted<'m, T: Number, I: Index> {
    matrix: &'m Csr<T, I>,
    rows: DeviceVec<I>,
    copy: Option<(DeviceVec<I>, DeviceVec<T>)>,
}

impl<'m, T: Number, I: Index> Sorted<'m, T, I> {
    fn of(matrix: &'m Csr<T, I>) -> Result<Sorted<'m, T, I>> {
        let rows = rows_of(matrix)?;
        if are_sorted(&rows, matrix.column_indices())? {
            return Ok(Sorted { matrix, rows, copy: None });
        }
        let Entries { rows, columns, values } = Entries::sorted(matrix)?;
        Ok(Sorted { matrix, rows, copy: Some((columns, values)) })
    }

    fn columns(&self) -> &DeviceVec<I> {
        self.copy.as_ref().map_or(self.matrix.column_indices(), |copy| &copy.0)
    }

    fn values(&self) -> &DeviceVec<T> {
        self.copy.as_ref().map_or(self.matrix.values(), |copy| &copy.1)
    }
}
