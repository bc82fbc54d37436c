//! The diagonal, and sums of rows and of columns.

use super::entries::rows_of;
use crate::index::Index;
use crate::matrix::Csr;
use cl_algo::codegen::Ranges;
use cl_algo::{DeviceVec, Expr, Number, Val, zip};
use cl_core::Result;

impl<T: Number, I: Index> Csr<T, I> {
    /// Returns the sum of each row, as an expression.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, generate};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a: Csr<f32> = Csr::new(&queue, &generate::five_point([1, 4], 4.0, -1.0)?)?;
    /// assert_eq!((a.row_sums() * 10.0).collect()?.to_vec()?, [30.0, 20.0, 20.0, 30.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn row_sums(&self) -> Expr<'_, T> {
        self.sum_rows(self.values().iter())
    }

    /// Returns the sum of each column, as an expression. The first call for a matrix waits, as with
    /// [`Csr::times_transposed`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a: Csr<f32> = Csr::new(&queue, &HostCsr::from_dense(2, 2, &[1.0, 2.0, 3.0, 0.0])?)?;
    /// assert_eq!(a.column_sums()?.collect()?.to_vec()?, [4.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Csr::times_transposed`].
    pub fn column_sums(&self) -> Result<Expr<'_, T>> {
        self.times_transposed_with(
            T::zeroed(),
            T::zeroed(),
            |entry, _: Val<T>| entry,
            |sum, entry| sum + entry,
        )
    }

    /// Returns the diagonal. Its length is the number of rows or the number of columns, whichever is smaller.
    /// An element without an entry is zero; duplicates are added.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, generate};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a: Csr<f32> = Csr::new(&queue, &generate::five_point([2, 2], 4.0, -1.0)?)?;
    /// assert_eq!(a.diagonal()?.to_vec()?, [4.0; 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`](cl_core::Error::TooLarge), [`Error::Driver`](cl_core::Error::Driver),
    /// [`Error::Build`](cl_core::Error::Build).
    pub fn diagonal(&self) -> Result<DeviceVec<T>> {
        let rows = rows_of(self)?;
        let entries = zip((&rows, self.column_indices(), self.values()));
        let on_it = entries.map(|(row, column, value)| row.eq(column).select(value, T::zeroed()));
        let diagonal = self.sum_rows(on_it).collect()?;
        if self.rows() <= self.columns() { Ok(diagonal) } else { diagonal.slice(..self.columns()).collect() }
    }

    /// Sums `entries` over each row.
    pub(super) fn sum_rows<'a, R: Number>(&'a self, entries: Expr<'a, R>) -> Expr<'a, R> {
        let (rows, kernel) = (Ranges::between(self.row_offsets()), self.row_kernel());
        // SAFETY: the offsets ascend to the number of entries.
        unsafe { entries.fold_ranges(rows, R::zeroed(), |sum, entry| sum + entry, Some(kernel)) }
    }
}
