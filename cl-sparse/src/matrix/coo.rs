//! Entries in any order.

use super::Csr;
use super::SparseMatrix;
use super::build::statistics;
use crate::host::InvalidMatrix;
use crate::index::Index;
use crate::product::Groups;
use cl_algo::stl::{find_if, lower_bounds, reduce_by_key_with};
use cl_algo::{DeviceVec, Element, Expr, Number, Operand, Sort, Val, iota};
use cl_core::{Error, Queue, Result};
use std::fmt;
use std::sync::OnceLock;

/// A sparse matrix on a device as a list of entries in any order, each with its row and its column. Several entries
/// may have the same row and column; the element of the matrix is their sum.
///
/// Use this form to build a matrix. `&a * &x` is a lazy product, as for other forms. The first product sorts
/// the entries by row and waits; the matrix keeps the sorted order for later products. For repeated products
/// convert to compressed rows, which store the entries of a row one after the other: see [`Coo::to_csr`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_sparse::Coo;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let rows = DeviceVec::from_slice(&queue, &[1_u32, 0, 1])?;
/// let columns = DeviceVec::from_slice(&queue, &[0_u32, 1, 0])?;
/// let values = DeviceVec::from_slice(&queue, &[3.0_f32, 1.0, 0.5])?;
/// let a = Coo::new(2, 2, rows, columns, values)?;
/// let x = DeviceVec::from_slice(&queue, &[2.0, 10.0])?;
/// assert_eq!((1.0 + &a * &x).collect()?.to_vec()?, [11.0, 8.0]);
/// # Ok(())
/// # }
/// ```
pub struct Coo<T: Element, I: Index = u32> {
    rows: usize,
    columns: usize,
    row_indices: DeviceVec<I>,
    column_indices: DeviceVec<I>,
    values: DeviceVec<T>,
    /// The entries of each row; computed on first use.
    entries_of_rows: OnceLock<Box<Groups<I>>>,
}

impl<T: Element, I: Index> Coo<T, I> {
    /// Creates a matrix from vectors on a device: entry i has the row, the column and the value at index i. A check on
    /// the device validates the vectors, so this call waits.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] with the first entry whose row or column does not exist; [`Error::LengthMismatch`] if
    /// the vectors have different lengths; [`Error::InvalidInput`] if rows times columns is 2^64 or more;
    /// [`Error::ForeignObject`] if the vectors have different queues; [`Error::Driver`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::Coo;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let rows = DeviceVec::from_slice(&queue, &[1_u32, 0, 1])?;
    /// let columns = DeviceVec::from_slice(&queue, &[2_u32, 0, 2])?;
    /// let values = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
    /// let a = Coo::new(2, 3, rows, columns, values)?.to_csr()?;
    /// assert_eq!(a.to_host()?.to_dense(), [2.0, 0.0, 0.0, 0.0, 0.0, 4.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(
        rows: usize,
        columns: usize,
        row_indices: DeviceVec<I>,
        column_indices: DeviceVec<I>,
        values: DeviceVec<T>,
    ) -> Result<Coo<T, I>> {
        let queue = values.queue();
        if row_indices.queue() != queue || column_indices.queue() != queue {
            let reason = "the vectors belong to different queues";
            return Err(Error::foreign_object("matrix from its entries", reason));
        }
        for (operation, right) in
            [("rows of entries", row_indices.len()), ("columns of entries", column_indices.len())]
        {
            if right != values.len() {
                return Err(Error::length_mismatch(operation, values.len(), right));
            }
        }
        for (what, count) in [("rows", rows), ("columns", columns), ("values", values.len())] {
            InvalidMatrix::count::<I>(what, count)?;
        }
        let coo = Coo::of(rows, columns, row_indices, column_indices, values)?;
        coo.check()?;
        Ok(coo)
    }

    /// Creates a matrix from entries whose rows and columns have been validated.
    fn of(
        rows: usize,
        columns: usize,
        row_indices: DeviceVec<I>,
        column_indices: DeviceVec<I>,
        values: DeviceVec<T>,
    ) -> Result<Coo<T, I>> {
        if (rows as u64).checked_mul(columns as u64).is_none() {
            let reason = format!("it has {rows} x {columns} elements; a matrix needs fewer than 2^64");
            return Err(Error::invalid_input("sparse matrix", reason));
        }
        Ok(Coo { rows, columns, row_indices, column_indices, values, entries_of_rows: OnceLock::new() })
    }

    /// Returns an error unless each entry's row and column exist.
    fn check(&self) -> Result<()> {
        let beyond = |indices: &DeviceVec<I>, bound: usize| {
            let bound = I::from_usize(bound).unwrap_or(I::NOTHING);
            find_if(indices, |index: Val<I>| index.ge(bound))
        };
        if let Some(entry) = beyond(&self.row_indices, self.rows)? {
            let row = super::build::element(&self.row_indices, entry)?;
            return Err(InvalidMatrix::Row { entry, row, rows: self.rows }.into());
        }
        if let Some(entry) = beyond(&self.column_indices, self.columns)? {
            let row = super::build::element(&self.row_indices, entry)?;
            let column = super::build::element(&self.column_indices, entry)?;
            return Err(InvalidMatrix::Column { row, column, columns: self.columns }.into());
        }
        Ok(())
    }

    /// Returns the index of each entry in a dense matrix, stored row by row.
    fn dense_indices(&self) -> Expr<'_, u64> {
        self.row_indices.iter().cast::<u64>() * self.columns as u64 + self.column_indices.iter().cast::<u64>()
    }

    /// Returns the same matrix as compressed rows, sorted by column. Entries with the same row and column are combined
    /// by an associative operator; its first argument is the earlier value. Waits.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::Coo;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let [rows, columns] = [[0_u32, 1, 0], [1_u32, 0, 1]].map(|indices| DeviceVec::from_slice(&queue, &indices));
    /// let values = DeviceVec::from_slice(&queue, &[3.0_f32, 1.0, 2.0])?;
    /// let edges = Coo::new(2, 2, rows?, columns?, values)?;
    /// // Of two edges between the same places, the shorter one.
    /// let shortest = edges.to_csr_with(|a, b| a.min(b))?;
    /// assert_eq!(shortest.to_host()?.to_dense(), [0.0, 2.0, 1.0, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Driver`].
    pub fn to_csr_with(&self, combine: impl FnOnce(Val<T>, Val<T>) -> Val<T>) -> Result<Csr<T, I>> {
        let queue = self.queue();
        // Does not overflow, see `of`.
        let elements = self.rows as u64 * self.columns as u64;
        let mut keys = self.dense_indices().collect_on(queue)?;
        let mut sorted = self.values.iter().collect_on(queue)?;
        let bits = u64::BITS - elements.saturating_sub(1).leading_zeros();
        Sort::new().bits(..bits).by_key(&mut keys, &mut sorted)?;
        let (mut unique, mut values) = (
            DeviceVec::filled(queue, 0_u64, keys.len())?,
            DeviceVec::filled(queue, T::zeroed(), keys.len())?,
        );
        let same = |a: Val<u64>, b: Val<u64>| a.eq(b);
        let count = reduce_by_key_with(&keys, &sorted, same, combine, &mut unique, &mut values)?.get()?;
        let count = count as usize;
        drop((keys, sorted));
        let mut offsets = DeviceVec::filled(queue, I::default(), self.rows + 1)?;
        let columns = self.columns as u64;
        lower_bounds(unique.slice(..count), iota(0_u64, self.rows + 1) * columns, &mut offsets)?;
        let column_indices = (unique.slice(..count) % columns.max(1)).cast::<I>().collect_on(queue)?;
        let values = if count == values.len() { values } else { values.slice(..count).collect_on(queue)? };
        let statistics = statistics(self.rows, &offsets, count)?;
        Csr::of(self.columns, statistics, offsets, column_indices, values)
    }

    /// Returns the entries of each row. The first call computes them and waits.
    fn entries_of_rows(&self) -> Result<&Groups<I>> {
        if let Some(rows) = self.entries_of_rows.get() {
            return Ok(rows);
        }
        let [rows, columns] = [&self.row_indices, &self.column_indices].map(|of| of.iter().collect());
        // Two threads may compute the same result.
        let rows = Box::new(Groups::of::<T>(self.rows, rows?, columns?)?);
        Ok(self.entries_of_rows.get_or_init(|| rows))
    }

    /// Returns the number of stored entries, including duplicates.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.values.len()
    }

    /// Returns the row of each entry.
    #[must_use]
    pub fn row_indices(&self) -> &DeviceVec<I> {
        &self.row_indices
    }

    /// Returns the column of each entry.
    #[must_use]
    pub fn column_indices(&self) -> &DeviceVec<I> {
        &self.column_indices
    }

    /// Returns the value of each entry.
    #[must_use]
    pub fn values(&self) -> &DeviceVec<T> {
        &self.values
    }
}

impl<T: Number, I: Index> Coo<T, I> {
    /// Returns the same matrix as compressed rows, sorted by column. Entries with the same row and column are added.
    /// Waits.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Driver`].
    pub fn to_csr(&self) -> Result<Csr<T, I>> {
        self.to_csr_with(|a, b| a + b)
    }
}

impl<T: Element, I: Index> Csr<T, I> {
    /// Returns the same matrix as a list of entries.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, generate};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a: Csr<f32> = Csr::new(&queue, &generate::five_point([1, 2], 4.0, -1.0)?)?;
    /// let entries = a.to_coo()?;
    /// assert_eq!(entries.row_indices().to_vec()?, [0, 0, 1, 1]);
    /// assert_eq!(entries.column_indices().to_vec()?, [0, 1, 0, 1]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if rows times columns is 2^64 or more; [`Error::TooLarge`], [`Error::Driver`].
    pub fn to_coo(&self) -> Result<Coo<T, I>> {
        Coo::of(
            self.rows(),
            self.columns(),
            super::build::rows_of_entries(self.row_offsets(), self.nonzeros())?,
            self.column_indices().iter().collect()?,
            self.values().iter().collect()?,
        )
    }
}

impl<T: Element, I: Index> SparseMatrix<T> for Coo<T, I> {
    fn rows(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn queue(&self) -> &Queue {
        self.values.queue()
    }

    /// Waits if the entries of the rows have not been computed. If computing them fails, the evaluation returns the
    /// error.
    fn times_with<'a, X: Element, Y: Element>(
        &'a self,
        x: impl Operand<'a, X>,
        zero: Y,
        multiply: impl Fn(Val<T>, Val<X>) -> Val<Y>,
        add: impl Fn(Val<Y>, Val<Y>) -> Val<Y>,
    ) -> Expr<'a, Y> {
        match self.entries_of_rows() {
            Ok(rows) => {
                // SAFETY: `rows` was made from the entries of this matrix, so each entry has a value. Its
                // factors are the column indices, which are below `self.columns`.
                let pairs = unsafe { rows.pairs("matrix * vector", &self.values, self.columns, x) };
                rows.fold(pairs.map(|(a, x)| multiply(a, x)), zero, add)
            }
            Err(error) => zero.into_expr().take(self.rows).on(self.queue()).failed(error),
        }
    }

    /// Returns `false`: the entries of a row are not neighbours in memory.
    fn is_inline(&self) -> bool {
        false
    }
}

impl<T: Element, I: Index> fmt::Debug for Coo<T, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ty = std::any::type_name::<T>();
        write!(f, "Coo<{ty}, {}>({} x {}, {} entries)", I::NAME, self.rows, self.columns, self.entries())
    }
}
