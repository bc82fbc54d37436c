//! Rows padded to one length, with interleaved entries.

use super::Csr;
use super::SparseMatrix;
use super::build::{Rows, entries_or_nothing};
use crate::host::InvalidMatrix;
use crate::index::Index;
use cl_algo::codegen::Ranges;
use cl_algo::{DeviceVec, Element, Expr, Operand, Val, iota, zip};
use cl_core::{Queue, Result};
use std::fmt;

/// A sparse matrix on a device in the ELLPACK form: all rows are padded to the same number of entries. The
/// first entries of all rows are stored first, then the second entries of all rows, and so on. A product has
/// one work-item for each row, so neighbouring work-items read neighbouring entries.
///
/// Suits stencils and other matrices with rows of nearly equal lengths. `&a * &x` is a lazy
/// product, as for other forms.
pub struct Ell<T: Element, I: Index = u32> {
    rows: usize,
    columns: usize,
    nonzeros: usize,
    width: usize,
    /// The column of each stored value; [`Index::NOTHING`] in the padding after a row's last entry.
    column_indices: DeviceVec<I>,
    values: DeviceVec<T>,
}

impl<T: Element, I: Index> Ell<T, I> {
    /// Converts compressed rows to this form. The width is the length of the longest row.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) if rows times width overflows `usize`;
    /// [`Error::TooLarge`](cl_core::Error::TooLarge), [`Error::Driver`](cl_core::Error::Driver).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, Ell, generate};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let csr: Csr<f32> = Csr::new(&queue, &generate::five_point([10, 10], 4.0, -1.0)?)?;
    /// let a = Ell::new(&csr)?;
    /// assert_eq!(a.width(), 5);
    /// let x = DeviceVec::filled(&queue, 1.0, 100)?;
    /// assert_eq!((&a * &x).sum()?, 40.0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(a: &Csr<T, I>) -> Result<Ell<T, I>> {
        let width = a.statistics().longest;
        Ok(Ell { nonzeros: a.nonzeros(), ..Ell::of_first_entries(a, width)? })
    }

    /// Converts the first `width` entries of each row. The result's `nonzeros` is 0 until the caller sets it.
    pub(crate) fn of_first_entries(a: &Csr<T, I>, width: usize) -> Result<Ell<T, I>> {
        let rows = a.rows();
        let Some(stored) = rows.checked_mul(width) else {
            return Err(
                InvalidMatrix::TooManyForIndex { what: "values", count: usize::MAX, index: "usize" }.into()
            );
        };
        let index = || iota(0_u64, stored);
        // Avoids a division by zero for a matrix without rows.
        let divisor = rows.max(1) as u64;
        // SAFETY: the remainders are rows.
        let entries = unsafe { entries_or_nothing(a, index() % divisor, index() / divisor) };
        let (column_indices, values) = entries.collect_on(a.queue())?;
        Ok(Ell { rows, columns: a.columns(), nonzeros: 0, width, column_indices, values })
    }

    /// Sets the number of nonzeros.
    pub(crate) fn with_nonzeros(self, nonzeros: usize) -> Ell<T, I> {
        Ell { nonzeros, ..self }
    }

    /// Returns the same matrix as compressed rows. Waits.
    ///
    /// # Errors
    /// As [`Ell::new`].
    pub fn to_csr(&self) -> Result<Csr<T, I>> {
        let rows = Rows::of_lengths(self.queue(), self.rows, self.lengths())?;
        rows.filled(self.columns, |rows| {
            // SAFETY: each row has an entry at every index below its length.
            unsafe { self.entries(rows.row(), rows.index_in_row()) }.collect_on(self.queue())
        })
    }

    /// Returns the lengths of the rows.
    pub(crate) fn lengths(&self) -> Expr<'_, I> {
        let one = |column: Val<I>| column.ne(I::NOTHING).select(super::build::one::<I>(), I::default());
        // SAFETY: as in `times_with`.
        unsafe {
            self.column_indices.iter().map(one).fold_ranges(self.ranges(), I::default(), |a, b| a + b, None)
        }
        .on(self.queue())
    }

    /// Returns the column and value of the entry at index `index` of each `row`.
    ///
    /// # Safety
    /// Every row must exist, and `index` must be less than the width.
    pub(crate) unsafe fn entries<'a>(&'a self, row: Expr<'a, u64>, index: Expr<'a, u64>) -> Expr<'a, (I, T)> {
        let at = index * self.rows as u64 + row;
        let stored = self.values.len();
        // SAFETY: the caller guarantees that each row exists and each `index` is less than the width, so `at`
        // is less than `stored`.
        unsafe { zip((&self.column_indices, &self.values)).gather_unchecked(super::build::NAME, stored, at) }
    }

    fn ranges(&self) -> Ranges<'_> {
        let first = || iota(0_u64, self.rows);
        Ranges::strided::<u64>(zip((first(), first() + (self.rows * self.width) as u64)), self.rows)
            .mostly_of(self.width)
    }

    /// Returns the number of entries, not counting padding.
    #[must_use]
    pub fn nonzeros(&self) -> usize {
        self.nonzeros
    }

    /// Returns the number of entries that are stored for each row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }
}

impl<T: Element, I: Index> SparseMatrix<T> for Ell<T, I> {
    fn rows(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn queue(&self) -> &Queue {
        self.values.queue()
    }

    fn times_with<'a, X: Element, Y: Element>(
        &'a self,
        x: impl Operand<'a, X>,
        zero: Y,
        multiply: impl Fn(Val<T>, Val<X>) -> Val<Y>,
        add: impl Fn(Val<Y>, Val<Y>) -> Val<Y>,
    ) -> Expr<'a, Y> {
        let terms = super::terms(self.columns, &self.column_indices, &self.values, x, zero, multiply);
        // SAFETY: rows times width entries are stored.
        unsafe { terms.fold_ranges(self.ranges(), zero, add, None) }.on(self.queue())
    }

    /// Returns `true`: neighbouring work-items read neighbouring entries.
    fn is_inline(&self) -> bool {
        true
    }
}

impl<T: Element, I: Index> fmt::Debug for Ell<T, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ty = std::any::type_name::<T>();
        write!(f, "Ell<{ty}, {}>({} x {}, {} wide)", I::NAME, self.rows, self.columns, self.width)
    }
}
