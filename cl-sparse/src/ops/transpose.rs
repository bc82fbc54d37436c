//! The transpose.

use super::entries::Entries;
use crate::index::Index;
use crate::matrix::Csr;
use cl_algo::Element;
use cl_core::Result;

impl<T: Element, I: Index> Csr<T, I> {
    /// Returns the matrix with rows and columns exchanged, by a stable sort of its entries by column. Rows of the
    /// result are sorted, and duplicates keep their order. Waits for the statistics that choose the kernel for
    /// products.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let host: HostCsr<f32> = HostCsr::from_dense(2, 3, &[1.0, 0.0, 2.0, 3.0, 0.0, 0.0])?;
    /// let transposed = Csr::new(&queue, &host)?.transposed()?;
    /// assert_eq!(transposed.to_host()?, host.transposed());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`](cl_core::Error::TooLarge) or [`Error::Driver`](cl_core::Error::Driver) if there is not
    /// enough memory for the result and for sorting; [`Error::Build`](cl_core::Error::Build).
    pub fn transposed(&self) -> Result<Csr<T, I>> {
        let mut entries = Entries::of(self)?;
        entries.sort_by_column(self.columns())?;
        let Entries { rows, columns, values } = entries;
        Entries { rows: columns, columns: rows, values }.into_csr(self.columns(), self.rows())
    }
}
