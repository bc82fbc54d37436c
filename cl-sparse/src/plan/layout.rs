//! The choice of the fastest form of a matrix.

use super::{DeviceLimits, RowStatistics};

/// The form of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layout {
    /// Compressed rows: the fastest form on CPUs.
    Csr,
    /// Slices of rows, with interleaved entries: for rows of similar lengths.
    Sell {
        /// The number of rows in a slice.
        height: usize,
        /// The number of rows that are sorted by length together; 1 if rows are not sorted.
        window: usize,
    },
    /// Rows padded to one length, and the remaining entries of longer rows: for matrices with few very long rows.
    Hybrid,
}

/// The number of rows in a slice: the usual number of work-items in a sub-group.
const HEIGHT: usize = 32;
/// The number of rows that are sorted by length together. It is so small that the elements of the vectors
/// which these rows read and write stay in a cache.
const WINDOW: usize = 1024;
/// The largest ratio of stored values, padding included, to entries at which rows are not sorted by length.
const FILLED_UP: f64 = 1.1;
/// The largest coefficient of variation of the rows' lengths for [`Layout::Sell`]. Above it, the form is
/// [`Layout::Hybrid`].
const EVEN: f64 = 1.0;

impl Layout {
    /// Returns the form for rows with these statistics.
    ///
    /// ```
    /// use cl_sparse::plan::{DeviceLimits, Layout, RowStatistics};
    ///
    /// let gpu = DeviceLimits { cpu: false, compute_units: 132, local_memory: 48 << 10, largest_group: 1024 };
    /// let stencil = RowStatistics::of([5; 1000]);
    /// assert_eq!(Layout::of(&stencil, &gpu), Layout::Sell { height: 32, window: 1 });
    /// ```
    #[must_use]
    pub fn of(rows: &RowStatistics, device: &DeviceLimits) -> Layout {
        if device.cpu {
            return Layout::Csr;
        }
        if rows.variation() > EVEN {
            return Layout::Hybrid;
        }
        let even = rows.longest as f64 * rows.rows as f64 <= FILLED_UP * rows.entries as f64;
        Layout::Sell { height: HEIGHT, window: if even { 1 } else { WINDOW } }
    }
}
