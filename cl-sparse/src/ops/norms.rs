//! Norms.

use super::Magnitude;
use crate::index::Index;
use crate::matrix::Csr;
use cl_algo::stl::reduce;
use cl_algo::{Element, Expr, Val};
use cl_core::Result;

/// Norms of matrices without duplicates. The norms take the absolute value of each entry, also of
/// entries with the same row and column, and do not add such entries first; see
/// [`without_duplicates`](Csr::without_duplicates). A NaN entry makes each norm NaN. All norms block.
impl<T: Magnitude, I: Index> Csr<T, I> {
    /// Returns the largest sum of absolute values in a column.
    ///
    /// # Errors
    /// As [`Csr::column_sums`].
    pub fn norm_one(&self) -> Result<T::Real> {
        let zero = T::Real::zeroed();
        let magnitude = |entry, _: Val<T::Real>| T::magnitude(entry);
        largest::<T>(self.times_transposed_with(zero, zero, magnitude, |sum, entry| sum + entry)?)
    }

    /// Returns the largest sum of absolute values in a row.
    ///
    /// # Errors
    /// [`Error::Driver`](cl_core::Error::Driver), [`Error::Build`](cl_core::Error::Build).
    pub fn norm_infinity(&self) -> Result<T::Real> {
        largest::<T>(self.sum_rows(self.values().iter().map(T::magnitude)))
    }

    /// Returns the square root of the sum of the squares of absolute values. The squares neither overflow nor lose
    /// digits: see [`Norm`](cl_algo::reducers::Norm).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a: Csr<f32> = Csr::new(&queue, &HostCsr::from_dense(2, 2, &[3.0, -4.0, 0.0, 12.0])?)?;
    /// assert_eq!((a.norm_one()?, a.norm_infinity()?, a.norm_frobenius()?), (16.0, 12.0, 13.0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Csr::norm_infinity`].
    pub fn norm_frobenius(&self) -> Result<T::Real> {
        T::norm(self.values().iter())
    }
}

/// Returns the largest of `sums`, or 0 if `sums` is empty. NaN counts as larger than all numbers.
fn largest<T: Magnitude>(sums: Expr<'_, T::Real>) -> Result<T::Real> {
    let larger = |a: Val<T::Real>, b: Val<T::Real>| (a.ge(b) | a.ne(a)).select(a, b);
    reduce(sums, T::Real::zeroed(), larger)
}
