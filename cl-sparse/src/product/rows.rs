//! The kernel for the rows of a matrix, and its launches.

use super::template::compile;
use crate::index::Index;
use crate::plan::{Kernel, LARGEST_ITEM};
use cl_algo::codegen::{FoldKernel, Fused};
use cl_algo::stl::upper_bounds;
use cl_algo::{DeviceVec, iota};
use cl_core::{Access, Arg, Error, Queue, Result};

/// The offsets of a matrix's rows, and the kernel that processes them.
#[derive(Debug)]
pub(crate) struct RowKernel<I: Index> {
    pub(crate) offsets: DeviceVec<I>,
    pub(crate) kernel: Kernel,
    entries: usize,
    /// The first row of each work-group, and the number of rows at the end. `None` for kernels whose groups
    /// do not share rows and entries evenly. The first row of a group is the number of rows that end before
    /// the group.
    cuts: Option<DeviceVec<u64>>,
    /// A lower bound of the length for which the kernel is compiled. Tests set it to `WIDE`, for 64-bit
    /// indices.
    least_len: usize,
}

impl<I: Index> RowKernel<I> {
    /// Creates the kernel, and enqueues the computation of the work-groups' shares. `entries` is the last of the
    /// `offsets`.
    pub(crate) fn new(offsets: DeviceVec<I>, entries: usize, kernel: Kernel) -> Result<RowKernel<I>> {
        let mut rows = RowKernel { offsets, kernel, entries, cuts: None, least_len: 0 };
        rows.cuts = rows.cut()?;
        Ok(rows)
    }

    /// Returns the same rows with another kernel.
    pub(crate) fn with_kernel(mut self, kernel: Kernel) -> Result<RowKernel<I>> {
        self.kernel = kernel;
        self.cuts = self.cut()?;
        Ok(self)
    }

    /// Returns the first row of each work-group, if the groups share rows and entries evenly.
    pub(crate) fn cuts(&self) -> Option<&DeviceVec<u64>> {
        self.cuts.as_ref()
    }

    /// Returns the same kernel with indices as wide as for a very large matrix.
    #[cfg(test)]
    pub(crate) fn wide(self) -> RowKernel<I> {
        RowKernel { least_len: WIDE, ..self }
    }

    pub(crate) fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the number of items in the merged list of row ends and entries: see `kernels/merge.cl`.
    fn items(&self) -> usize {
        self.rows() + self.entries
    }

    fn cut(&self) -> Result<Option<DeviceVec<u64>>> {
        let items = self.items();
        let first_items: Vec<u64> = match self.kernel {
            _ if self.rows() == 0 => return Ok(None),
            Kernel::Chunks { chunks } => {
                (0..=chunks).map(|chunk| (items as u128 * chunk as u128 / chunks as u128) as u64).collect()
            }
            Kernel::Merge { group, per_item } => {
                let tile_items = group * per_item;
                (0..=items.div_ceil(tile_items)).map(|tile| (tile * tile_items) as u64).collect()
            }
            Kernel::Staged { .. } | Kernel::Shared { .. } => return Ok(None),
        };
        let queue = self.offsets.queue();
        let first_items = DeviceVec::from_slice(queue, &first_items)?;
        let mut cuts = DeviceVec::filled(queue, 0_u64, first_items.len())?;
        // The index of each row's end among the merged items, plus 1.
        let ends = self.offsets.slice(1..).cast::<u64>() + iota(1_u64, self.rows());
        upper_bounds(ends, &first_items, &mut cuts)?;
        Ok(Some(cuts))
    }

    /// Returns the number of items in the merged list for each work-group.
    fn items_per_group(&self) -> usize {
        match self.kernel {
            Kernel::Merge { group, per_item } => group * per_item,
            _ => self.items().max(1),
        }
    }

    /// Returns the number of work-groups, and of work-items in each.
    fn sizes(&self) -> (usize, usize) {
        match self.kernel {
            Kernel::Chunks { chunks } => (chunks, 1),
            Kernel::Staged { group, .. } => (self.rows().div_ceil(group), group),
            Kernel::Shared { group, items_per_row } => (self.rows().div_ceil(group / items_per_row), group),
            Kernel::Merge { group, .. } => (self.items().div_ceil(self.items_per_group()), group),
        }
    }
}

/// The largest group size of the launch that completes rows that cross tiles.
const FINAL_GROUP: usize = 64;

/// A length that requires 64-bit indices. CPUs always use 64-bit indices: 32-bit sums may wrap around, so the compiler
/// could not assume that neighbouring indices have neighbouring addresses.
pub(super) const WIDE: usize = usize::MAX / 2;

impl<I: Index> FoldKernel for RowKernel<I> {
    fn takes(&self, bytes: usize) -> bool {
        bytes <= LARGEST_ITEM
    }

    fn run(&self, queue: &Queue, parts: Fused<'_>, len: usize) -> Result<()> {
        if len != self.rows() {
            return Err(Error::length_mismatch("rows of a matrix", self.rows(), len));
        }
        let (groups, group) = self.sizes();
        let wide_offsets = size_of::<I>() == 8;
        // The last work-group computes indices beyond the last row and the last entry. `group * 64` covers
        // these for `per_item` up to 64.
        let compiled_len = match self.kernel {
            Kernel::Chunks { .. } => WIDE,
            _ => self.items().saturating_add(group * 64).max(self.least_len),
        };
        let ready = compile(&parts, queue, (self.kernel, wide_offsets), false, compiled_len)?;
        let offsets = Arg::Memory(self.offsets.buffer().memory(), Access::Read);
        let cuts = self.cuts.as_ref().map(|cuts| Arg::Memory(cuts.buffer().memory(), Access::Read));
        let mut own = vec![offsets];
        own.extend(cuts);
        let Kernel::Merge { per_item, .. } = self.kernel else {
            if !matches!(self.kernel, Kernel::Chunks { .. }) {
                own.push(ready.index(self.rows()));
            }
            // SAFETY: the kernels load only entries within the offsets, and store each row once; `STORE` has room for
            // all rows.
            return unsafe { ready.launch(&own, groups, group) };
        };
        let partials = queue.scratch(2 * groups * LARGEST_ITEM)?;
        own.extend([Arg::Memory(&partials, Access::Write)]);
        own.extend([ready.index(self.rows()), ready.index(self.entries)]);
        // SAFETY: as above; but the first row that ends in each work-group is stored by the next launch.
        unsafe { ready.launch(&own, groups, group)? };
        let last = group.min(FINAL_GROUP);
        let kernel = Kernel::Merge { group: last, per_item };
        let ready = compile(&parts, queue, (kernel, wide_offsets), true, compiled_len)?;
        let mut own = vec![offsets];
        own.extend(cuts);
        own.extend([Arg::Memory(&partials, Access::Read), ready.index(groups)]);
        own.push(ready.index(self.items_per_group()));
        // SAFETY: one work-item for each work-group of the first launch, which has written two values for each of its
        // groups.
        unsafe { ready.launch(&own, groups.div_ceil(last), last) }
    }
}
