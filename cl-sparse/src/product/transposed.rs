//! Products with the transpose.

use super::Groups;
use crate::index::Index;
use crate::matrix::{Csr, rows_of_entries};
use cl_algo::{Element, Expr, Number, Operand, Val};
use cl_core::Result;

/// Groups the indices of the entries by column. The values are not copied. Waits.
pub(crate) fn columns_of<T: Element, I: Index>(a: &Csr<T, I>) -> Result<Groups<I>> {
    let rows = rows_of_entries(a.row_offsets(), a.nonzeros())?;
    Groups::of::<T>(a.columns(), a.column_indices().iter().collect()?, rows)
}

impl<T: Number, I: Index> Csr<T, I> {
    /// Returns the product of the transpose with a vector, as an expression, like [`Csr::times`].
    ///
    /// Does not build the transpose. The first call groups the indices of the entries by column and waits;
    /// the matrix keeps the groups for later calls. Products with a separate transpose are faster, because a
    /// transpose stores the values of each of its rows one after the other.
    ///
    /// # Errors
    /// [`Error::TooLarge`](cl_core::Error::TooLarge), [`Error::Driver`](cl_core::Error::Driver) of the first call. If
    /// the vector's length is not the number of rows, the expression keeps a deferred error, which its evaluation
    /// returns.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a: Csr<f32> = Csr::new(&queue, &HostCsr::from_dense(2, 3, &[1.0, 2.0, 0.0, 0.0, 3.0, 4.0])?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0, 10.0])?;
    /// assert_eq!(a.times_transposed(&x)?.collect()?.to_vec()?, [1.0, 32.0, 40.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn times_transposed<'a>(&'a self, x: impl Operand<'a, T>) -> Result<Expr<'a, T>> {
        self.times_transposed_with(x, T::zeroed(), |a, x| a * x, |sum, term| sum + term)
    }
}

impl<T: Element, I: Index> Csr<T, I> {
    /// Returns the product of the transpose with a vector over another semiring, as an expression; see
    /// [`Csr::times_with`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::num_complex::Complex;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let i = Complex::new(0.0_f32, 1.0);
    /// let a = Csr::new(&queue, &HostCsr::<_, u32>::from_dense(1, 2, &[i, 2.0 * i])?)?;
    /// let x = DeviceVec::from_slice(&queue, &[i])?;
    /// // The conjugate transpose.
    /// let y = a.times_transposed_with(&x, 0.0 * i, |a, x| a.conj() * x, |sum, term| sum + term)?;
    /// assert_eq!(y.collect()?.to_vec()?, [Complex::from(1.0), Complex::from(2.0)]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Csr::times_transposed`].
    pub fn times_transposed_with<'a, X: Element, Y: Element>(
        &'a self,
        x: impl Operand<'a, X>,
        zero: Y,
        multiply: impl FnOnce(Val<T>, Val<X>) -> Val<Y>,
        add: impl FnOnce(Val<Y>, Val<Y>) -> Val<Y>,
    ) -> Result<Expr<'a, Y>> {
        let columns = self.entries_of_columns()?;
        // SAFETY: the groups were built from these entries and their rows.
        let pairs = unsafe { columns.pairs("transposed matrix * vector", self.values(), self.rows(), x) };
        Ok(columns.fold(pairs.map(|(a, x)| multiply(a, x)), zero, add))
    }
}
