//! Compressed rows.

use super::SparseMatrix;
use super::check::check;
use crate::host::HostCsr;
use crate::index::Index;
use crate::plan::{DeviceLimits, Kernel, RowStatistics};
use crate::product::{Groups, RowKernel, columns_of};
use cl_algo::codegen::{Ranges, profile};
use cl_algo::{DeviceVec, Element, Expr, Operand, Val, ViewMut, zip};
use cl_core::{Error, Queue, Result};
use std::fmt;
use std::sync::OnceLock;

/// The largest coefficient of variation of the rows' lengths at which work-groups with equal numbers of rows have about
/// equal work.
const EVEN: f64 = 0.5;

/// A sparse matrix on a device in compressed rows: the values row by row, the column of each value, and the offset at
/// which each row begins.
///
/// `&a * &x` is a lazy product: see [`Csr::times`]. Values may be any elements; only
/// products need numbers. Indices are `u32`, or `u64` if `u32` is too small.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_sparse::{Csr, generate};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a: Csr<f32> = Csr::new(&queue, &generate::five_point([2, 2], 4.0, -1.0)?)?;
/// let u = DeviceVec::from_slice(&queue, &[1.0, 2.0, 3.0, 4.0])?;
/// let f = DeviceVec::filled(&queue, 1.0, 4)?;
/// let r = (&f - &a * &u).collect()?; // one kernel
/// assert_eq!(r.to_vec()?, [2.0, -2.0, -6.0, -10.0]);
/// # Ok(())
/// # }
/// ```
pub struct Csr<T: Element, I: Index = u32> {
    columns: usize,
    statistics: RowStatistics,
    rows: RowKernel<I>,
    column_indices: DeviceVec<I>,
    values: DeviceVec<T>,
    /// The largest work-group size of the device.
    group: usize,
    /// The entries of each column; computed on first use.
    entries_of_columns: OnceLock<Box<Groups<I>>>,
}

impl<T: Element, I: Index> Csr<T, I> {
    /// Copies a matrix from the host.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the device does not support the type; [`Error::TooLarge`], [`Error::Driver`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let host = HostCsr::new(2, 3, vec![0, 2, 3], vec![0, 2, 1], vec![1.0_f32, 2.0, 3.0])?;
    /// let a: Csr<f32> = Csr::new(&queue, &host)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0, 10.0, 100.0])?;
    /// assert_eq!(a.multiply(&x)?.to_vec()?, [201.0, 30.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(queue: &Queue, matrix: &HostCsr<T, I>) -> Result<Csr<T, I>> {
        let ends = matrix.row_offsets().windows(2);
        let statistics = RowStatistics::of(ends.map(|ends| ends[1].to_usize() - ends[0].to_usize()));
        Csr::of(
            matrix.columns(),
            statistics,
            DeviceVec::from_slice(queue, matrix.row_offsets())?,
            DeviceVec::from_slice(queue, matrix.column_indices())?,
            DeviceVec::from_slice(queue, matrix.values())?,
        )
    }

    /// Creates a matrix from vectors on a device: row i has the values and columns from `row_offsets[i]` up to
    /// `row_offsets[i + 1]`. A check on the device validates the vectors; it reads results back, so this call waits.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::Csr;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let offsets = DeviceVec::from_slice(&queue, &[0_u32, 1, 2])?;
    /// let columns = DeviceVec::from_slice(&queue, &[1_u32, 0])?;
    /// let values = DeviceVec::from_slice(&queue, &[2.0_f32, 3.0])?;
    /// let a = Csr::from_parts(2, offsets, columns, values)?;
    /// assert_eq!(a.to_host()?.to_dense(), [0.0, 2.0, 3.0, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] with the first wrong row: if the offsets do not begin with 0, descend, or do not end
    /// with the number of values, or if a column does not exist. [`Error::ForeignObject`] if the vectors have different
    /// queues; [`Error::Driver`].
    pub fn from_parts(
        columns: usize,
        row_offsets: DeviceVec<I>,
        column_indices: DeviceVec<I>,
        values: DeviceVec<T>,
    ) -> Result<Csr<T, I>> {
        let queue = row_offsets.queue();
        if column_indices.queue() != queue || values.queue() != queue {
            let reason = "the vectors belong to different queues";
            return Err(Error::foreign_object("matrix from its parts", reason));
        }
        let statistics = check(columns, &row_offsets, &column_indices, values.len())?;
        Csr::of(columns, statistics, row_offsets, column_indices, values)
    }

    /// Creates a matrix from vectors that have been validated.
    pub(crate) fn of(
        columns: usize,
        statistics: RowStatistics,
        row_offsets: DeviceVec<I>,
        column_indices: DeviceVec<I>,
        values: DeviceVec<T>,
    ) -> Result<Csr<T, I>> {
        let profile = profile(row_offsets.queue().context())?;
        profile.require(T::TYPE)?;
        let kernel = Kernel::of(&statistics, T::TYPE.size(), &DeviceLimits::of(&profile));
        let rows = RowKernel::new(row_offsets, values.len(), kernel)?;
        let (group, entries_of_columns) = (profile.largest_group, OnceLock::new());
        Ok(Csr { columns, statistics, rows, column_indices, values, group, entries_of_columns })
    }

    /// Returns the same matrix with another kernel for its products, for measurements.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the kernel's numbers are invalid or exceed the limits of the device.
    pub fn with_kernel(self, kernel: Kernel) -> Result<Csr<T, I>> {
        kernel.check(&DeviceLimits::of(&*profile(self.queue().context())?))?;
        Ok(Csr { rows: self.rows.with_kernel(kernel)?, ..self })
    }

    /// Returns the same matrix with indices as wide as for a very large matrix.
    #[cfg(test)]
    pub(crate) fn wide(self) -> Csr<T, I> {
        Csr { rows: self.rows.wide(), ..self }
    }

    /// Returns the number of stored entries, including zeros.
    #[must_use]
    pub fn nonzeros(&self) -> usize {
        self.values.len()
    }

    /// Returns the offsets at which the rows begin, and the offset at which the last row ends.
    #[must_use]
    pub fn row_offsets(&self) -> &DeviceVec<I> {
        &self.rows.offsets
    }

    /// Returns the column of each entry.
    #[must_use]
    pub fn column_indices(&self) -> &DeviceVec<I> {
        &self.column_indices
    }

    /// Returns the values of the entries.
    #[must_use]
    pub fn values(&self) -> &DeviceVec<T> {
        &self.values
    }

    /// Returns the values of the entries for assignment. The columns do not change, so the matrix also keeps
    /// the entries of each column that it has computed for products with its transpose.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut a: Csr<f32> = Csr::new(&queue, &HostCsr::from_dense(2, 2, &[1.0, 2.0, 0.0, 3.0])?)?;
    /// let new = DeviceVec::from_slice(&queue, &[1.0_f32, 5.0, 7.0])?;
    /// assign(a.values_mut(), 2.0 * &new)?;
    /// assert_eq!(a.to_host()?.to_dense(), [2.0, 10.0, 0.0, 14.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn values_mut(&mut self) -> ViewMut<'_, T> {
        self.values.view_mut()
    }

    /// Returns the row offsets, the columns and the values.
    #[must_use]
    pub fn into_parts(self) -> (DeviceVec<I>, DeviceVec<I>, DeviceVec<T>) {
        (self.rows.offsets, self.column_indices, self.values)
    }

    /// Returns statistics of the rows' lengths.
    #[must_use]
    pub fn statistics(&self) -> &RowStatistics {
        &self.statistics
    }

    /// Returns the kernel for products of the matrix.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        self.rows.kernel
    }

    /// Returns the column of each entry, and mutable values.
    pub(crate) fn columns_and_values_mut(&mut self) -> (&DeviceVec<I>, &mut DeviceVec<T>) {
        (&self.column_indices, &mut self.values)
    }

    /// Returns the largest work-group size of the device.
    pub(crate) fn group(&self) -> usize {
        self.group
    }

    /// Returns the entries of each column. The first call computes them and waits.
    pub(crate) fn entries_of_columns(&self) -> Result<&Groups<I>> {
        if let Some(columns) = self.entries_of_columns.get() {
            return Ok(columns);
        }
        // Two threads may compute the same result.
        let columns = Box::new(columns_of(self)?);
        Ok(self.entries_of_columns.get_or_init(|| columns))
    }

    /// Returns a copy with its own vectors.
    pub(crate) fn copied(&self) -> Result<Csr<T, I>> {
        let offsets = self.row_offsets().iter().collect()?;
        let (columns, values) = (self.column_indices.iter().collect()?, self.values.iter().collect()?);
        Csr::of(self.columns, self.statistics, offsets, columns, values)
    }

    pub(crate) fn row_kernel(&self) -> &RowKernel<I> {
        &self.rows
    }

    /// Copies the matrix to the host, after everything enqueued so far. Blocks.
    ///
    /// # Errors
    /// [`Error::Driver`] if this or an earlier command failed.
    pub fn to_host(&self) -> Result<HostCsr<T, I>> {
        let (offsets, columns) = (self.row_offsets().to_vec()?, self.column_indices.to_vec()?);
        Ok(HostCsr::new(self.rows(), self.columns, offsets, columns, self.values.to_vec()?)?)
    }
}

impl<T: Element, I: Index> SparseMatrix<T> for Csr<T, I> {
    fn rows(&self) -> usize {
        self.rows.rows()
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
        // SAFETY: column indices are below the number of columns.
        let x = unsafe {
            x.into_expr().gather_unchecked("matrix * vector", self.columns(), self.column_indices())
        };
        let terms = zip((self.values(), x)).map(|(a, x)| multiply(a, x));
        // SAFETY: the offsets ascend to the number of entries.
        unsafe { terms.fold_ranges(Ranges::between(self.row_offsets()), zero, add, Some(self.row_kernel())) }
    }

    /// Returns `true` on CPUs if the rows have about equal lengths. Returns `false` on GPUs: with one
    /// work-item per row, neighbouring work-items would not read neighbouring entries, so the matrix's own
    /// kernel is much faster.
    fn is_inline(&self) -> bool {
        matches!(self.kernel(), Kernel::Chunks { .. }) && self.statistics().variation() <= EVEN
    }
}

impl<T: Element, I: Index> fmt::Debug for Csr<T, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns, nonzeros) = (self.rows(), self.columns, self.nonzeros());
        let ty = std::any::type_name::<T>();
        write!(f, "Csr<{ty}, {}>({rows} x {columns}, {nonzeros} entries, {:?})", I::NAME, self.kernel())
    }
}
