//! Rows padded to one length, and the remaining entries of longer rows.

use super::build::{NAME, Rows};
use super::{Csr, Ell, SparseMatrix};
use crate::index::Index;
use cl_algo::stl::sort_descending;
use cl_algo::{Element, Expr, Operand, Val, zip};
use cl_core::{Queue, Result};
use std::fmt;

/// A sparse matrix on a device with the first entries of each row as [`Ell`], and the remaining entries of longer rows
/// as compressed rows. Suits matrices in which most rows have nearly equal lengths. A product takes one kernel or two.
///
/// `&a * &x` is a lazy product, as for other forms.
pub struct Hybrid<T: Element, I: Index = u32> {
    even: Ell<T, I>,
    rest: Csr<T, I>,
}

impl<T: Element, I: Index> Hybrid<T, I> {
    /// Converts compressed rows to this form, with the first `width` entries of each row as [`Ell`]. Waits.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, Hybrid, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// // Rows of one, one, and three entries.
    /// let host = HostCsr::new(3, 3, vec![0, 1, 2, 5], vec![0, 1, 0, 1, 2], vec![1.0_f32, 2.0, 3.0, 4.0, 5.0])?;
    /// let a: Hybrid<f32> = Hybrid::new(&Csr::new(&queue, &host)?, 1)?;
    /// assert_eq!((a.even().nonzeros(), a.rest().nonzeros()), (3, 2));
    /// let x = DeviceVec::filled(&queue, 1.0, 3)?;
    /// assert_eq!((&a * &x).collect()?.to_vec()?, [1.0, 2.0, 12.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Ell::new`].
    pub fn new(a: &Csr<T, I>, width: usize) -> Result<Hybrid<T, I>> {
        let width = width.min(a.statistics().longest);
        // `width` is at most the number of entries, which an index can count.
        let own = I::from_usize(width).unwrap_or(I::NOTHING);
        let left = move |length: Val<I>| length.gt(own).select(length - own, I::default());
        let rest = Rows::of_lengths(a.queue(), a.rows(), super::build::lengths(a).map(left))?;
        let rest = rest.filled(a.columns(), |rows| {
            // SAFETY: `rows.row()` holds row indices.
            let begin = unsafe { a.row_offsets().iter().gather_unchecked(NAME, a.rows() + 1, rows.row()) };
            let entry = begin.cast::<u64>() + width as u64 + rows.index_in_row();
            let entries = zip((a.column_indices(), a.values()));
            // SAFETY: the entries follow the first `width` ones of the same row.
            unsafe { entries.gather_unchecked(NAME, a.nonzeros(), entry) }.collect_on(a.queue())
        })?;
        let even = Ell::of_first_entries(a, width)?.with_nonzeros(a.nonzeros() - rest.nonzeros());
        Ok(Hybrid { even, rest })
    }

    /// Converts compressed rows to this form. The width is the largest number of entries that at least a
    /// third of the rows have.
    ///
    /// # Errors
    /// As [`Hybrid::new`].
    pub fn with_usual_width(a: &Csr<T, I>) -> Result<Hybrid<T, I>> {
        if a.rows() == 0 {
            return Hybrid::new(a, 0);
        }
        let mut lengths = super::build::lengths(a).cast::<u64>().collect()?;
        sort_descending(&mut lengths)?;
        let width = super::build::element(&lengths, a.rows() / 3)?;
        Hybrid::new(a, width)
    }

    /// Returns the same matrix as compressed rows. Waits.
    ///
    /// # Errors
    /// As [`Hybrid::new`].
    pub fn to_csr(&self) -> Result<Csr<T, I>> {
        let (even, rest) = (&self.even, &self.rest);
        if rest.nonzeros() == 0 {
            return even.to_csr();
        }
        if even.width() == 0 {
            return rest.copied();
        }
        let lengths = even.lengths() + super::build::lengths(rest);
        let rows = Rows::of_lengths(self.queue(), self.rows(), lengths)?;
        rows.filled(self.columns(), |rows| {
            let width = even.width() as u64;
            let is_even = rows.index_in_row().lt(width);
            // SAFETY: `rows.row()` holds row indices; entries before the width exist, and the others are replaced by
            // index 0.
            let of_even = unsafe { even.entries(rows.row(), is_even.clone().select(rows.index_in_row(), 0)) };
            // SAFETY: as above.
            let begin =
                unsafe { rest.row_offsets().iter().gather_unchecked(NAME, self.rows() + 1, rows.row()) };
            let entry = is_even.clone().select(0, begin.cast::<u64>() + rows.index_in_row() - width);
            // SAFETY: each index is an entry of the row, or 0.
            let of_rest = unsafe {
                zip((rest.column_indices(), rest.values())).gather_unchecked(NAME, rest.nonzeros(), entry)
            };
            let (even_column, even_value) = of_even.unzip();
            let (rest_column, rest_value) = of_rest.unzip();
            let column = is_even.clone().select(even_column, rest_column);
            zip((column, is_even.select(even_value, rest_value))).collect_on(self.queue())
        })
    }

    /// Returns the number of entries, not counting padding.
    #[must_use]
    pub fn nonzeros(&self) -> usize {
        self.even.nonzeros() + self.rest.nonzeros()
    }

    /// Returns the first entries of each row.
    #[must_use]
    pub fn even(&self) -> &Ell<T, I> {
        &self.even
    }

    /// Returns the remaining entries of longer rows.
    #[must_use]
    pub fn rest(&self) -> &Csr<T, I> {
        &self.rest
    }
}

impl<T: Element, I: Index> SparseMatrix<T> for Hybrid<T, I> {
    fn rows(&self) -> usize {
        self.rest.rows()
    }

    fn columns(&self) -> usize {
        self.rest.columns()
    }

    fn queue(&self) -> &Queue {
        self.rest.queue()
    }

    fn times_with<'a, X: Element, Y: Element>(
        &'a self,
        x: impl Operand<'a, X>,
        zero: Y,
        multiply: impl Fn(Val<T>, Val<X>) -> Val<Y>,
        add: impl Fn(Val<Y>, Val<Y>) -> Val<Y>,
    ) -> Expr<'a, Y> {
        let x = x.into_expr();
        if self.rest.nonzeros() == 0 {
            return self.even.times_with(x, zero, multiply, add);
        }
        let even = self.even.times_with(&x, zero, &multiply, &add);
        let rest = self.rest.times_with(x, zero, multiply, &add);
        zip((even, rest)).map(|(even, rest)| add(even, rest))
    }

    fn is_inline(&self) -> bool {
        self.rest().nonzeros() == 0
    }
}

impl<T: Element, I: Index> fmt::Debug for Hybrid<T, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hybrid({:?}, {:?})", self.even, self.rest)
    }
}
