//! Products with the transpose.

use crate::index::Index;
use crate::matrix::{Csr, rows_of_entries, statistics};
use crate::plan::{Facts, Kernel};
use crate::product::RowKernel;
use cl_algo::codegen::Ranges;
use cl_algo::{DeviceProfile, DeviceVec, Element, Expr, Number, Operand, Sort, Val, iota, lower_bounds, zip};
use cl_core::Result;

/// Where the entries of each column are: what a transpose would be, but for the values, which stay in the matrix.
#[derive(Debug)]
pub(crate) struct Columns<I: Index> {
    kernel: RowKernel<I>,
    /// The entries, column by column.
    entries: DeviceVec<I>,
    /// Their rows.
    rows: DeviceVec<I>,
}

impl<I: Index> Columns<I> {
    /// Sorts the entries by their columns. Waits.
    pub(crate) fn of<T: Element>(a: &Csr<T, I>) -> Result<Columns<I>> {
        let (queue, count) = (a.queue(), a.nonzeros());
        let mut columns = a.column_indices().expr().collect()?;
        let mut entries = iota(I::default(), count).collect_on(queue)?;
        let mut rows = rows_of_entries(a.row_offsets(), count)?;
        let bits = a.columns().saturating_sub(1).checked_ilog2().map_or(0, |highest| highest + 1);
        Sort::new().bits(..bits).by_key(&mut columns, (&mut entries, &mut rows))?;
        let mut offsets = DeviceVec::filled(queue, I::default(), a.columns() + 1)?;
        lower_bounds(&columns, iota(I::default(), a.columns() + 1), &mut offsets)?;
        let statistics = statistics(a.columns(), &offsets, count)?;
        let facts = Facts::of(&DeviceProfile::of(queue.device())?);
        let kernel = Kernel::of(&statistics, T::TYPE.size(), &facts);
        Ok(Columns { kernel: RowKernel::new(offsets, count, kernel)?, entries, rows })
    }
}

impl<T: Number, I: Index> Csr<T, I> {
    /// The product of the transpose with a vector, as an expression, as [`Csr::times`] is one of the matrix.
    ///
    /// The transpose is not made: where the entries of each column are is found by the first call, which waits, and kept.
    /// A transpose of its own, which has its values side by side, has the faster products.
    ///
    /// # Errors
    /// [`Error::TooLarge`](cl_core::Error::TooLarge), [`Error::Driver`](cl_core::Error::Driver) of the first call. A
    /// vector of another length than the matrix has rows is a mistake that the evaluation reports.
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
    /// The product of the transpose with a vector over another semiring, as an expression; see [`Csr::times_with`].
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
        const NAME: &str = "transposed matrix * vector";
        let columns = self.entries_of_columns()?;
        // SAFETY: these are entries and their rows.
        let (a, x) = unsafe {
            (
                self.values().expr().permute_unchecked(NAME, self.nonzeros(), &columns.entries),
                x.into_expr().permute_unchecked(NAME, self.rows(), &columns.rows),
            )
        };
        let terms = zip((a, x)).map(|(a, x)| multiply(a, x));
        // SAFETY: the offsets ascend to the number of entries.
        Ok(unsafe {
            terms.fold_ranges(Ranges::between(&columns.kernel.offsets), zero, add, Some(&columns.kernel))
        })
    }
}
