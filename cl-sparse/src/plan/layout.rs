//! Which form of a matrix is the fastest.

use super::{Facts, RowStatistics};

/// A form of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Compressed rows: CPUs have nothing better.
    Csr,
    /// Slices of rows, with entries side by side: for rows that differ little.
    Sell {
        /// Rows of a slice.
        height: usize,
        /// Rows that are sorted by their lengths together; 1 where they are not sorted.
        window: usize,
    },
    /// Rows of one length, and what is left of longer ones: for rows of which few are very long.
    Hybrid,
}

/// Rows of a slice: a sub-group.
const HEIGHT: usize = 32;
/// Rows that are sorted together: few enough for what they read and write to stay in a cache.
const WINDOW: usize = 1024;
/// How much more than the entries may be stored without sorting.
const FILLED_UP: f64 = 1.1;
/// Up to which variation rows differ little.
const EVEN: f64 = 1.0;

impl Layout {
    /// The form for rows like these.
    ///
    /// ```
    /// use cl_sparse::plan::{Facts, Layout, RowStatistics};
    ///
    /// let gpu = Facts { cpu: false, compute_units: 132, local_memory: 48 << 10, largest_group: 1024 };
    /// let stencil = RowStatistics::of([5; 1000]);
    /// assert_eq!(Layout::of(&stencil, &gpu), Layout::Sell { height: 32, window: 1 });
    /// ```
    #[must_use]
    pub fn of(rows: &RowStatistics, device: &Facts) -> Layout {
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
