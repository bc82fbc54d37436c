//! The templates of the kernels for rows, and their parameters.

use crate::kernels;
use crate::plan::Kernel;
use cl_algo::codegen::{Fused, Parameters, Ready, Template};
use cl_algo::{DeviceProfile, Shape};
use cl_core::{Queue, Result};

/// The template of `kernels/chunks.cl`.
static CHUNKS: Template<Chunks> =
    Template { kernel: "row_chunks", definition: &kernels::CHUNKS, shape: single };

#[derive(Clone, Copy, Parameters)]
struct Chunks {
    wide_offsets: bool,
}

/// The template of `kernels/staged.cl`.
static STAGED: Template<Staged> =
    Template { kernel: "row_staged", definition: &kernels::STAGED, shape: single };

#[derive(Clone, Copy, Parameters)]
struct Staged {
    wide_offsets: bool,
    group_items: usize,
    /// The number of entries that a work-item loads at once.
    per: usize,
}

/// The template of `kernels/lanes.cl`.
static LANES: Template<Lanes> = Template { kernel: "row_lanes", definition: &kernels::LANES, shape: single };

#[derive(Clone, Copy, Parameters)]
struct Lanes {
    wide_offsets: bool,
    group_items: usize,
    /// The number of work-items that share a row.
    lanes_of_row: usize,
}

/// The template of `kernels/merge.cl`.
static MERGE: Template<Merge> = Template { kernel: "row_merge", definition: &kernels::MERGE, shape: single };

#[derive(Clone, Copy, Parameters)]
struct Merge {
    wide_offsets: bool,
    group_items: usize,
    /// The number of entries and row ends of a work-item.
    per: usize,
    /// `true` for the kernel that completes rows that cross tiles.
    r#final: bool,
}

/// The template of `kernels/sell.cl`.
pub(crate) static SELL: Template<Slices> =
    Template { kernel: "row_sell", definition: &kernels::SELL, shape: single };

#[derive(Clone, Copy, Parameters)]
pub(crate) struct Slices {
    pub(crate) wide_offsets: bool,
    pub(crate) group_items: usize,
    /// The number of rows in a slice.
    pub(crate) height: usize,
}

/// The template of `kernels/many.cl`.
pub(crate) static MANY: Template<Many> = Template {
    kernel: "row_many",
    definition: &kernels::MANY,
    shape: |profile, size, values| Shape { chunked: values.of_chunks, ..single(profile, size, values) },
};

#[derive(Clone, Copy, Parameters)]
pub(crate) struct Many {
    pub(crate) wide_offsets: bool,
    pub(crate) group_items: usize,
    /// `true` if each work-item has contiguous rows.
    pub(crate) of_chunks: bool,
}

/// Returns a shape that loads items one by one. The kernels divide the work themselves.
fn single<P>(profile: &DeviceProfile, _: usize, _: &P) -> Shape {
    Shape { chunked: profile.chunked, group: 1, pack: 1, packs: 1, max_groups: usize::MAX, streams: false }
}

/// Returns the kernel of a product: the last of its kernels if `final` is set, otherwise the first.
pub(crate) fn compile<'f, 'a>(
    parts: &'f Fused<'a>,
    queue: &'f Queue,
    (kernel, wide_offsets): (Kernel, bool),
    r#final: bool,
    len: usize,
) -> Result<Ready<'f, 'a>> {
    match kernel {
        Kernel::Chunks { .. } => parts.by(&CHUNKS, Chunks { wide_offsets }).compile(queue, len),
        Kernel::Staged { group, per_item } => {
            parts.by(&STAGED, Staged { wide_offsets, group_items: group, per: per_item }).compile(queue, len)
        }
        Kernel::Shared { group, items_per_row } => {
            let shared = Lanes { wide_offsets, group_items: group, lanes_of_row: items_per_row };
            parts.by(&LANES, shared).compile(queue, len)
        }
        Kernel::Merge { group, per_item } => {
            let merge = Merge { wide_offsets, group_items: group, per: per_item, r#final };
            parts.by(&MERGE, merge).compile(queue, len)
        }
    }
}
