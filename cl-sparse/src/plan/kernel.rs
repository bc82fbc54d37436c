//! The choice of the kernel for the rows of a matrix.

use super::{DeviceLimits, RowStatistics};
use cl_core::{Error, Result};

/// The division of a matrix's rows and entries among work-items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kernel {
    /// Each work-item has contiguous rows: for CPUs.
    Chunks {
        /// The number of work-items, each a work-group.
        chunks: usize,
    },
    /// Each work-item has one row, and a work-group loads the entries of its rows together: for short rows.
    Staged {
        /// The number of work-items in a work-group.
        group: usize,
        /// The number of entries that each work-item loads at once.
        per_item: usize,
    },
    /// Several work-items share a row, and a work-group loads the entries of its rows together: for longer rows.
    Shared {
        /// The number of work-items in a work-group.
        group: usize,
        /// The number of work-items that share a row, a power of two.
        items_per_row: usize,
    },
    /// Work-groups have equal shares of rows and entries, wherever rows end: for rows of very different lengths.
    Merge {
        /// The number of work-items in a work-group.
        group: usize,
        /// The number of row ends and entries for each work-item.
        per_item: usize,
    },
}

/// The least number of rows and entries, added, for each work-item on a CPU.
const CHUNK: usize = 1 << 12;
/// The number of work-items for each compute unit of a CPU. More than one, so one slow core does not delay the rest.
const CHUNKS: usize = 8;
/// The largest number of work-items on a CPU. It is limited because the first row of each work-item is stored
/// in memory.
const MOST_CHUNKS: usize = 1 << 20;
/// The work-group size on GPUs.
const GROUP: usize = 256;
/// The largest mean length at which each row has a single work-item.
const SHORT: f64 = 12.0;
/// The approximate number of a row's entries for each work-item, if several work-items share the row. A
/// work-item loads this number of entries at once: `STEPS` of `kernels/lanes.cl`.
const ENTRIES_PER_ITEM: f64 = 4.0;
/// The largest number of work-items that share a row: the usual size of a sub-group.
const MOST_ITEMS_PER_ROW: usize = 32;
/// Rows count as even while the longest is at most this many times the mean.
const LONGEST: f64 = 16.0;
/// The number of row ends and entries for each work-item, if work-groups share them evenly. Rows of `f64` by a power law on
/// an H200: 285 us with 4, 279 with 5, 280 with 6, 293 with 7, 283 with 8; of `f32` 260, 258, 257, 256, 257.
const MERGED: usize = 6;
/// A row in which each work-item that shares it has more entries is left to the whole group: `MOST_STEPS` of
/// `kernels/merge.cl`.
const MOST_STEPS: usize = 16;
/// The largest size in bytes of an item that the kernels for rows accept.
pub(crate) const LARGEST_ITEM: usize = 16;

impl Kernel {
    /// Returns the kernel for rows with these statistics and values of `bytes` bytes.
    ///
    /// ```
    /// use cl_sparse::plan::{DeviceLimits, Kernel, RowStatistics};
    ///
    /// let gpu = DeviceLimits { cpu: false, compute_units: 132, local_memory: 48 << 10, largest_group: 1024 };
    /// let stencil = RowStatistics::of([5; 1000]);
    /// assert_eq!(Kernel::of(&stencil, 4, &gpu), Kernel::Staged { group: 256, per_item: 5 });
    /// ```
    #[must_use]
    pub fn of(rows: &RowStatistics, bytes: usize, device: &DeviceLimits) -> Kernel {
        if device.cpu {
            let worth = rows.rows.saturating_add(rows.entries).div_ceil(CHUNK);
            return Kernel::Chunks {
                chunks: worth.clamp(1, CHUNKS.saturating_mul(device.compute_units).clamp(1, MOST_CHUNKS)),
            };
        }
        let group = device.largest_group.min(GROUP);
        let (mean, longest) = (rows.mean(), rows.longest as f64);
        let even = rows.variation() < 1.0;
        let even = even && longest <= LONGEST * mean.max(ENTRIES_PER_ITEM);
        if even && mean <= SHORT {
            // A work-group loads `group * per_item` entries at once. In most work-groups these are the entries of
            // all rows.
            let per_item = if longest <= mean.ceil() { mean } else { 1.25 * mean };
            return Kernel::Staged { group, per_item: (per_item.ceil() as usize).max(1) }
                .within(bytes, device);
        }
        let items_per_row = (mean / ENTRIES_PER_ITEM).ceil().max(2.0) as usize;
        let items_per_row = items_per_row.next_power_of_two().min(MOST_ITEMS_PER_ROW).min(group);
        if even {
            return Kernel::Shared { group, items_per_row }.within(bytes, device);
        }
        Kernel::Merge { group, per_item: MERGED }.within(LARGEST_ITEM, device)
    }

    /// Returns the bytes of local memory that a work-group needs for values of `bytes` bytes.
    #[must_use]
    pub fn local_memory(&self, bytes: usize) -> usize {
        match *self {
            Kernel::Chunks { .. } => 0,
            Kernel::Staged { group, per_item } => group.saturating_mul(per_item).saturating_mul(bytes),
            Kernel::Shared { group, .. } => {
                let items = group.saturating_mul(ENTRIES_PER_ITEM as usize + 1).saturating_add(group / 32);
                items.saturating_mul(bytes)
            }
            // The values and the sums of rows, the sums of work-items, the ends of rows, and the list of long rows.
            Kernel::Merge { group, per_item } => {
                let tile = group.saturating_mul(per_item);
                let sums = group.saturating_add(group / 32).saturating_add(1);
                let ends = tile.saturating_add(tile / MOST_STEPS).saturating_mul(2).saturating_add(8);
                tile.saturating_add(sums).saturating_mul(bytes).saturating_add(ends)
            }
        }
    }

    /// Returns an error unless the kernel's numbers are valid on the device, for values of any size.
    pub(crate) fn check(&self, device: &DeviceLimits) -> Result<()> {
        let (group, is_valid, limit) = match *self {
            Kernel::Chunks { chunks } => {
                (1, (1..=MOST_CHUNKS).contains(&chunks), "`chunks` must be from 1 to 2^20")
            }
            Kernel::Staged { group, per_item } => {
                (group, (1..=64).contains(&per_item), "`per_item` must be from 1 to 64")
            }
            Kernel::Shared { group, items_per_row } => {
                let is_valid = items_per_row.is_power_of_two() && items_per_row <= group;
                (group, is_valid, "`items_per_row` must be a power of two, and at most `group`")
            }
            // Ends of rows are stored in 16 bits.
            Kernel::Merge { group, per_item } => {
                let is_valid = per_item > 0 && group.saturating_mul(per_item) < 1 << 16;
                (group, is_valid, "`per_item` must be at least 1, and `group * per_item` less than 2^16")
            }
        };
        let (largest, bytes) = (device.largest_group, self.local_memory(LARGEST_ITEM));
        let limit = if !is_valid {
            limit.to_owned()
        } else if !group.is_power_of_two() || group > largest {
            format!("on this device `group` must be a power of two, and at most {largest}")
        } else if bytes > device.local_memory {
            let available = device.local_memory;
            format!(
                "it needs {bytes} bytes of local memory, and the device has {available}: use a smaller `group`"
            )
        } else {
            return Ok(());
        };
        Err(Error::invalid_input("kernel for rows", format!("{self:?}: {limit}")))
    }

    /// Returns the same kernel with work-groups that are small enough for local memory.
    fn within(mut self, bytes: usize, device: &DeviceLimits) -> Kernel {
        // Leaves 256 bytes for the kernel's other variables.
        while self.local_memory(bytes) + 256 > device.local_memory {
            match &mut self {
                Kernel::Staged { group, .. } | Kernel::Merge { group, .. } if *group > 1 => *group /= 2,
                Kernel::Shared { group, items_per_row } if *group > *items_per_row => *group /= 2,
                _ => break,
            }
        }
        self
    }
}
