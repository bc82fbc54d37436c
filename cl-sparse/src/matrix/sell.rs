//! Rows in slices, optionally sorted by length. The entries of the rows of a slice are interleaved.

use super::Csr;
use super::SparseMatrix;
use super::build::{BEYOND_ROW, NAME, Rows, entries_or_nothing, offsets_of};
use crate::index::Index;
use crate::product::{LARGEST_ITEM, SELL, Slices};
use cl_algo::codegen::profile;
use cl_algo::codegen::{FoldKernel, Fused, Ranges};
use cl_algo::stl::scatter;
use cl_algo::{DeviceVec, Element, Operand, Sort, Val, constant, iota, zip};
use cl_core::{Access, Arg, Error, Queue, Result};
use std::fmt;

/// A sparse matrix on a device in slices of `height` rows. Each slice is padded to the length of its longest
/// row. It stores the first entries of all its rows, then their second entries, and so on. Rows may be sorted
/// by length within windows, so that rows of a slice have similar lengths. This is SELL-C-σ of M. Kreutzer et
/// al., "A unified sparse matrix data format for efficient general sparse matrix-vector multiplication on
/// modern processors with wide SIMD units" (2014), with C rows in a slice and σ rows in a window.
///
/// The results of products are in the original order of the rows. `&a * &x` is a lazy product, as for other
/// forms.
pub struct Sell<T: Element, I: Index = u32> {
    rows: usize,
    columns: usize,
    nonzeros: usize,
    height: usize,
    /// The work-group size for products.
    group: usize,
    slice_offsets: DeviceVec<u64>,
    /// The column of each stored value; [`Index::NOTHING`] in the padding after a row's last entry.
    column_indices: DeviceVec<I>,
    values: DeviceVec<T>,
    /// The order of the rows, if they are sorted.
    order: Option<Order<I>>,
}

/// An order of rows.
struct Order<I: Index> {
    /// The index of each row in the sorted order.
    sorted_index: DeviceVec<I>,
    /// The row at each index of the sorted order.
    rows: DeviceVec<I>,
}

impl<T: Element, I: Index> Sell<T, I> {
    /// Converts compressed rows to slices of `height` rows. With a `window` of more than one row, the rows are sorted
    /// by length within windows of `window` rows. Waits.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a height or a window of 0 rows, for a height of 2^29 rows or more, or for a window
    /// of more than `u32::MAX` rows; [`Error::TooLarge`], [`Error::Driver`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, Sell, generate};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let csr: Csr<f32> = Csr::new(&queue, &generate::five_point([10, 10], 4.0, -1.0)?)?;
    /// let a = Sell::new(&csr, 32, 64)?;
    /// let x = DeviceVec::filled(&queue, 1.0, 100)?;
    /// assert_eq!((&a * &x).collect()?.to_vec()?, (&csr * &x).collect()?.to_vec()?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(a: &Csr<T, I>, height: usize, window: usize) -> Result<Sell<T, I>> {
        let (queue, rows) = (a.queue(), a.rows());
        let sizes = [("height of slices", height, LARGEST_HEIGHT), ("window of rows", window, u32::MAX)];
        for (what, number, largest) in sizes {
            if number == 0 || number > largest as usize {
                let reason = format!("it is {number}; it must be from 1 to {largest} rows");
                return Err(Error::invalid_input(what, reason));
            }
        }
        let order = if window > 1 { Some(Order::sorted_by_length(a, window)?) } else { None };
        let slices = rows.div_ceil(height);
        let lengths = super::build::lengths(a);
        let lengths = match &order {
            // SAFETY: `order.rows` holds row indices.
            Some(order) => unsafe { lengths.gather_unchecked(NAME, rows, &order.rows) },
            None => lengths,
        };
        let first = || iota(0_u64, slices) * height as u64;
        let ends = zip((first(), (first() + height as u64).min(rows as u64)));
        // SAFETY: no slice ends after the last row.
        let widths = unsafe {
            let ranges = Ranges::strided::<u64>(ends, 1);
            lengths.fold_ranges(ranges, I::default(), |a, b| a.gt(b).select(a, b), None)
        };
        let (slice_offsets, stored) = offsets_of(queue, slices, widths.cast::<u64>() * height as u64)?;
        let slice = super::build::rows_of_entries(&slice_offsets, stored)?;
        // SAFETY: `slice` holds slice indices.
        let begin = unsafe { slice_offsets.iter().gather_unchecked(NAME, slices + 1, &slice) };
        let within = iota(0_u64, stored) - begin;
        let sorted_index = slice.iter() * height as u64 + within.clone() % height as u64;
        let beyond = sorted_index.clone().ge(rows as u64);
        let known = beyond.clone().select(0, sorted_index);
        let row = match &order {
            // SAFETY: `known` is less than the number of rows.
            Some(order) => unsafe { order.rows.iter().gather_unchecked(NAME, rows, known) }.cast(),
            None => known,
        };
        let at = beyond.select(BEYOND_ROW, within / height as u64);
        // SAFETY: `row` holds row indices.
        let (column_indices, values) = unsafe { entries_or_nothing(a, row, at) }.collect_on(queue)?;
        let (columns, nonzeros) = (a.columns(), a.nonzeros());
        let group = profile(queue.context())?.largest_group.min(GROUP);
        Ok(Sell { group, rows, columns, nonzeros, height, slice_offsets, column_indices, values, order })
    }
}

/// The largest number of rows in a slice. `kernels/sell.cl` computes four times this number as an `int`.
const LARGEST_HEIGHT: u32 = (1 << 29) - 1;
/// The largest work-group size for products.
const GROUP: usize = 128;

impl<I: Index> Order<I> {
    /// Sorts the rows of each window, the longest first.
    fn sorted_by_length<T: Element>(a: &Csr<T, I>, window: usize) -> Result<Order<I>> {
        let (queue, rows, longest) = (a.queue(), a.rows(), a.statistics().longest);
        let of_length = bits(longest);
        let of_window = bits(rows / window);
        let lengths = super::build::lengths(a);
        let windows = iota(0_u64, rows) / window as u64;
        let keys = windows << u64::from(of_length) | (longest as u64 - lengths.cast::<u64>());
        let mut keys = keys.collect_on(queue)?;
        let mut at = iota(I::default(), rows).collect_on(queue)?;
        Sort::new().bits(..of_length + of_window).by_key(&mut keys, &mut at)?;
        let mut sorted_index = DeviceVec::filled(queue, I::default(), rows)?;
        scatter(iota(I::default(), rows), &at, &mut sorted_index)?;
        Ok(Order { sorted_index, rows: at })
    }
}

/// Returns the number of bits of `number`.
fn bits(number: usize) -> u32 {
    number.checked_ilog2().map_or(0, |highest| highest + 1)
}

impl<T: Element, I: Index> Sell<T, I> {
    /// Returns the same matrix as compressed rows. Waits.
    ///
    /// # Errors
    /// As [`Sell::new`].
    pub fn to_csr(&self) -> Result<Csr<T, I>> {
        let one = |column: Val<I>| column.ne(I::NOTHING).select(super::build::one::<I>(), I::default());
        // SAFETY: as in `times_with`.
        let lengths = unsafe {
            let ones = self.column_indices.iter().map(one);
            ones.fold_ranges(self.ranges(), I::default(), |a, b| a + b, None)
        };
        let rows = Rows::of_lengths(self.queue(), self.rows, lengths)?;
        rows.filled(self.columns, |rows| {
            let sorted_index = match &self.order {
                Some(order) => {
                    // SAFETY: `rows.row()` holds row indices.
                    unsafe { order.sorted_index.iter().gather_unchecked(NAME, self.rows, rows.row()) }.cast()
                }
                None => rows.row(),
            };
            let height = self.height as u64;
            let slice = sorted_index.clone() / height;
            // SAFETY: `slice` holds slice indices.
            let begin =
                unsafe { self.slice_offsets.iter().gather_unchecked(NAME, self.slice_offsets.len(), slice) };
            let at = begin + sorted_index % height + rows.index_in_row() * height;
            let stored = self.values.len();
            // SAFETY: each row has an entry at every index below its length.
            let entries = unsafe {
                zip((&self.column_indices, &self.values)).gather_unchecked::<u64>(NAME, stored, at)
            };
            entries.collect_on(self.queue())
        })
    }

    /// Returns the range of stored entries of each row.
    fn ranges(&self) -> Ranges<'_> {
        // A constant in the source, because dividing by a launch value is slow.
        let height = || constant(self.height as u64);
        let sorted_index = match &self.order {
            Some(order) => order.sorted_index.iter().cast::<u64>(),
            None => iota(0_u64, self.rows),
        };
        let slice = sorted_index.clone() / height();
        let offset = |slice| {
            // SAFETY: the number of offsets is the number of slices plus one.
            unsafe {
                self.slice_offsets.iter().gather_unchecked::<u64>(NAME, self.slice_offsets.len(), slice)
            }
        };
        let begin = offset(slice.clone()) + sorted_index % height();
        Ranges::strided::<u64>(zip((begin, offset(slice + 1))), self.height).mostly_of(self.width())
    }

    /// Returns the number of entries, not counting padding.
    #[must_use]
    pub fn nonzeros(&self) -> usize {
        self.nonzeros
    }

    /// Returns the number of stored values, including padding.
    #[must_use]
    pub fn stored(&self) -> usize {
        self.values.len()
    }

    /// Returns the mean number of stored values of a row.
    fn width(&self) -> usize {
        (self.values.len() as f64 / self.rows.max(1) as f64).round() as usize
    }

    /// Returns the number of rows in a slice.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }
}

/// Work-items process the rows in sorted order, so neighbours read neighbouring entries.
impl<T: Element, I: Index> FoldKernel for Sell<T, I> {
    fn takes(&self, bytes: usize) -> bool {
        self.order.is_some() && bytes <= LARGEST_ITEM
    }

    fn run(&self, queue: &Queue, parts: Fused<'_>, len: usize) -> Result<()> {
        let Some(order) = &self.order else {
            let reason = "rows that are not sorted have no kernel of their own".to_owned();
            return Err(Error::invalid_input("slices of rows", reason));
        };
        if len != self.rows {
            return Err(Error::length_mismatch("rows of a matrix", self.rows, len));
        }
        let slices =
            Slices { wide_offsets: size_of::<I>() == 8, group_items: self.group, height: self.height };
        // The kernel computes indices beyond the last row, by at most a work-group, and beyond the last
        // entry, by at most four times the height.
        let compiled_len = self.values.len().saturating_add(self.group + 4 * self.height);
        let ready = parts.by(&SELL, slices).compile(queue, compiled_len)?;
        let own = [
            Arg::Memory(self.slice_offsets.buffer().memory(), Access::Read),
            Arg::Memory(order.rows.buffer().memory(), Access::Read),
            ready.index(self.rows),
        ];
        // SAFETY: the kernel loads entries of slices, and stores each row once; `STORE` has room for `self.rows` rows.
        unsafe { ready.launch(&own, self.rows.div_ceil(self.group), self.group) }
    }
}

impl<T: Element, I: Index> SparseMatrix<T> for Sell<T, I> {
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
    ) -> cl_algo::Expr<'a, Y> {
        let terms = super::terms(self.columns, &self.column_indices, &self.values, x, zero, multiply);
        let kernel = self.order.is_some().then_some(self as &dyn FoldKernel);
        // SAFETY: the slices end at or before the number of stored values.
        unsafe { terms.fold_ranges(self.ranges(), zero, add, kernel) }.on(self.queue())
    }

    /// Returns `false` if the rows are sorted and the items fit the kernel for sorted rows.
    fn is_inline(&self) -> bool {
        !self.takes(T::TYPE.size())
    }
}

impl<T: Element, I: Index> fmt::Debug for Sell<T, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ty, sorted) = (std::any::type_name::<T>(), if self.order.is_some() { ", sorted" } else { "" });
        let (rows, columns, height) = (self.rows, self.columns, self.height);
        write!(f, "Sell<{ty}, {}>({rows} x {columns}, slices of {height} rows{sorted})", I::NAME)
    }
}
