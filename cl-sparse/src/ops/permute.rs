//! Reordered rows and columns.

use crate::index::Index;
use crate::matrix::{Csr, rows_of_entries};
use cl_algo::stl::{find_if, inclusive_scan, scatter};
use cl_algo::{DeviceVec, Element, assign, iota, zip};
use cl_core::{Error, Result};

impl<T: Element, I: Index> Csr<T, I> {
    /// Returns the matrix with its rows reordered: row i of the result is row `order[i]`. Checks `order`, which waits.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let host: HostCsr<i32> = HostCsr::from_dense(3, 2, &[1, 2, 0, 0, 3, 0])?;
    /// let a = Csr::new(&queue, &host)?;
    /// let order = DeviceVec::from_slice(&queue, &[2, 0, 1])?;
    /// assert_eq!(a.permute_rows(&order)?.to_host()?.to_dense(), [3, 0, 1, 2, 0, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] and [`Error::InvalidInput`] if `order` is not a permutation of the rows; as
    /// [`Csr::transposed`].
    pub fn permute_rows(&self, order: &DeviceVec<I>) -> Result<Csr<T, I>> {
        inverse(order, self.rows(), "order of rows")?;
        let (rows, nonzeros, offsets) = (self.rows(), self.nonzeros(), self.row_offsets());
        let mut begins = DeviceVec::filled(self.queue(), I::default(), rows + 1)?;
        let (mut columns, mut values) = self.copies()?;
        if rows > 0 {
            // SAFETY: `order` has been checked.
            let [old_begins, old_ends] = [offsets.slice(..rows), offsets.slice(1..)]
                .map(|offsets| unsafe { offsets.gather_unchecked("permute_rows", rows, order) });
            inclusive_scan(old_ends - old_begins.clone(), begins.slice_mut(1..))?;
            let row = rows_of_entries(&begins, nonzeros)?;
            // The distance from a new entry index to the old one, for each new row. Unsigned differences may
            // wrap; the sums wrap back.
            let shifts = (old_begins - begins.slice(..rows)).collect()?;
            // SAFETY: `row` holds rows of the matrix, and the shifted indices are indices of its entries.
            let entries = unsafe {
                let sources =
                    iota(I::default(), nonzeros) + shifts.iter().gather_unchecked("permute_rows", rows, &row);
                let entries = zip((self.column_indices(), self.values()));
                entries.gather_unchecked("permute_rows", nonzeros, sources)
            };
            assign((&mut columns, &mut values), entries)?;
        }
        Csr::of(self.columns(), *self.statistics(), begins, columns, values)
    }

    /// Returns the matrix with its columns reordered: column j of the result is column `order[j]`. Entries keep their
    /// order within rows, so rows are usually not sorted any more; see [`Csr::sorted`]. Checks `order`, which waits.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let host: HostCsr<i32> = HostCsr::from_dense(2, 3, &[1, 2, 3, 4, 0, 0])?;
    /// let order = DeviceVec::from_slice(&queue, &[2, 0, 1])?;
    /// let a = Csr::new(&queue, &host)?.permute_columns(&order)?;
    /// assert_eq!(a.to_host()?.to_dense(), [3, 1, 2, 0, 4, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] and [`Error::InvalidInput`] if `order` is not a permutation of the columns; as
    /// [`Csr::transposed`].
    pub fn permute_columns(&self, order: &DeviceVec<I>) -> Result<Csr<T, I>> {
        let new_columns = inverse(order, self.columns(), "order of columns")?;
        // SAFETY: column indices are below the number of columns.
        let columns = unsafe {
            let columns = self.column_indices();
            new_columns.iter().gather_unchecked("permute_columns", self.columns(), columns).collect()?
        };
        let (_, values) = self.copies()?;
        Csr::of(self.columns(), *self.statistics(), self.row_offsets().iter().collect()?, columns, values)
    }

    /// Copies the columns and values of the entries.
    fn copies(&self) -> Result<(DeviceVec<I>, DeviceVec<T>)> {
        Ok((self.column_indices().iter().collect()?, self.values().iter().collect()?))
    }
}

/// Returns the inverse of a permutation of the numbers below `count`, or an error if it is not a permutation. Blocks.
fn inverse<I: Index>(order: &DeviceVec<I>, count: usize, what: &'static str) -> Result<DeviceVec<I>> {
    if order.len() != count {
        return Err(Error::length_mismatch(what, count, order.len()));
    }
    // A mark for numbers that have not occurred in `order`: `count`, which exceeds every valid index. `I` can
    // hold it, because it is the matrix's number of rows or columns.
    let nowhere = I::from_usize(count).unwrap_or_default();
    let mut inverse = DeviceVec::filled(order.queue(), nowhere, count)?;
    if count == 0 {
        return Ok(inverse);
    }
    let refuse = |reason: String| Err(Error::invalid_input(what, reason));
    if let Some(at) = find_if(order, |number| number.ge(nowhere))? {
        return refuse(format!("element {at} is not below {count}"));
    }
    scatter(iota(I::default(), count), order, &mut inverse)?;
    // `order` has `count` elements below `count`. If one of them occurs twice, another number is missing, and
    // `inverse` still holds `nowhere` at that number.
    match find_if(&inverse, |new| new.eq(nowhere))? {
        Some(missing) => refuse(format!("{missing} is missing, so `order` is not a permutation")),
        None => Ok(inverse),
    }
}
