//! Which kernel goes through the rows of a matrix.

use super::{Facts, RowStatistics};
use cl_core::{Error, Result};

/// How the rows of a matrix, and their entries, are divided among work-items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// A work-item goes through contiguous rows: for CPUs.
    Chunks {
        /// How many work-items there are, each a work-group.
        chunks: usize,
    },
    /// A work-item has a row, and a work-group loads the entries of its rows together: for short rows.
    Staged {
        /// Work-items of a work-group.
        group: usize,
        /// Entries that each of them loads at once.
        per: usize,
    },
    /// Several work-items have a row, and a work-group loads the entries of its rows together: for longer rows.
    Lanes {
        /// Work-items of a work-group.
        group: usize,
        /// Work-items of a row, a power of two.
        lanes: usize,
    },
    /// Work-items have equal shares of rows and entries, wherever rows end: for rows of very different lengths.
    Merge {
        /// Work-items of a work-group.
        group: usize,
        /// Rows and entries of each of them.
        per: usize,
    },
}

/// Rows and entries that are worth a work-item of a CPU.
const CHUNK: usize = 1 << 12;
/// Work-items of a CPU for each of its compute units, so that one slow core does not hold up the rest.
const CHUNKS: usize = 8;
/// Work-items of a CPU at most: where each begins is a number in memory.
const MOST_CHUNKS: usize = 1 << 20;
/// Work-items of a GPU's work-group.
const GROUP: usize = 256;
/// The mean length up to which a row is a single work-item's.
const SHORT: f64 = 12.0;
/// Entries that a work-item of a row goes through, about, and loads at once: `STEPS` of `kernels/lanes.cl`.
const ENTRIES_OF_LANE: f64 = 4.0;
/// Work-items that a row has at most: a sub-group.
const MOST_LANES: usize = 32;
/// How often the mean length the longest of even rows is at most.
const LONGEST: f64 = 16.0;
/// Rows and entries of a work-item that merges. Odd, so that neighbours read from different banks of local memory.
const MERGED: usize = 7;
/// Bytes of an item of any type that kernels for rows are made for.
pub(crate) const LARGEST_ITEM: usize = 16;

impl Kernel {
    /// The kernel for rows like these, whose values have so many bytes.
    ///
    /// ```
    /// use cl_sparse::plan::{Facts, Kernel, RowStatistics};
    ///
    /// let gpu = Facts { cpu: false, compute_units: 132, local_memory: 48 << 10, largest_group: 1024 };
    /// let stencil = RowStatistics::of([5; 1000]);
    /// assert_eq!(Kernel::of(&stencil, 4, &gpu), Kernel::Staged { group: 256, per: 5 });
    /// ```
    #[must_use]
    pub fn of(rows: &RowStatistics, bytes: usize, device: &Facts) -> Kernel {
        if device.cpu {
            let worth = rows.rows.saturating_add(rows.entries).div_ceil(CHUNK);
            return Kernel::Chunks {
                chunks: worth.clamp(1, CHUNKS.saturating_mul(device.compute_units).clamp(1, MOST_CHUNKS)),
            };
        }
        let group = device.largest_group.min(GROUP);
        let (mean, longest) = (rows.mean(), rows.longest as f64);
        let even = rows.variation() < 1.0;
        let even = even && longest <= LONGEST * mean.max(ENTRIES_OF_LANE);
        if even && mean <= SHORT {
            // Mostly all entries of a group's rows at once.
            let per = if longest <= mean.ceil() { mean } else { 1.25 * mean };
            return Kernel::Staged { group, per: (per.ceil() as usize).max(1) }.within(bytes, device);
        }
        let lanes = (mean / ENTRIES_OF_LANE).ceil().max(2.0) as usize;
        let lanes = lanes.next_power_of_two().min(MOST_LANES).min(group);
        if even {
            return Kernel::Lanes { group, lanes }.within(bytes, device);
        }
        Kernel::Merge { group, per: MERGED }.within(LARGEST_ITEM, device)
    }

    /// Bytes of local memory that a work-group takes, for values of so many bytes.
    #[must_use]
    pub fn local_memory(&self, bytes: usize) -> usize {
        match *self {
            Kernel::Chunks { .. } => 0,
            Kernel::Staged { group, per } => group.saturating_mul(per).saturating_mul(bytes),
            Kernel::Lanes { group, .. } => {
                let items = group.saturating_mul(ENTRIES_OF_LANE as usize + 1).saturating_add(group / 32);
                items.saturating_mul(bytes)
            }
            // Values, ends of rows, and what is open at the ends of work-items.
            Kernel::Merge { group, per } => {
                let (item, end) = (bytes.saturating_add(2), bytes.saturating_add(1));
                let ends = group.saturating_mul(2).saturating_mul(end);
                group.saturating_mul(per).saturating_mul(item).saturating_add(ends)
            }
        }
    }

    /// That numbers make sense on a device, for values of any size.
    pub(crate) fn check(&self, device: &Facts) -> Result<()> {
        let (group, numbers) = match *self {
            Kernel::Chunks { chunks } => (1, (1..=MOST_CHUNKS).contains(&chunks)),
            Kernel::Staged { group, per } => (group, (1..=64).contains(&per)),
            Kernel::Lanes { group, lanes } => (group, lanes.is_power_of_two() && lanes <= group),
            // Ends of rows are numbers of 16 bits.
            Kernel::Merge { group, per } => (group, per > 0 && group.saturating_mul(per) < 1 << 16),
        };
        let fits = numbers && group.is_power_of_two() && group <= device.largest_group;
        if fits && self.local_memory(LARGEST_ITEM) <= device.local_memory {
            return Ok(());
        }
        Err(Error::InvalidInput {
            what: "kernel for rows",
            reason: format!("{self:?} does not fit the device"),
        })
    }

    /// The same in work-groups that are small enough for local memory.
    fn within(mut self, bytes: usize, device: &Facts) -> Kernel {
        // Kernels have small things besides.
        while self.local_memory(bytes) + 256 > device.local_memory {
            match &mut self {
                Kernel::Staged { group, .. } | Kernel::Merge { group, .. } if *group > 1 => *group /= 2,
                Kernel::Lanes { group, lanes } if *group > *lanes => *group /= 2,
                _ => break,
            }
        }
        self
    }
}
