//! By key on devices that give each work-item a contiguous piece.

use super::Parts;
use crate::codegen::look_back::LookBack;
use crate::codegen::{Fused, Parameters, Template};
use crate::device::Shape;
use crate::kernels;
use cl_core::{Access, Arg, Memory, Queue, Result};

/// `kernels/scan_by_key_runs.cl`.
static SCAN: Template<Scan> = Template {
    kernel: "scan_by_key_runs",
    definition: &kernels::SCAN_BY_KEY_RUNS,
    // One item after the other.
    shape: |profile, size, _| Shape { group: 1, pack: 1, packs: 1, ..profile.reduction(size) },
};

/// What `kernels/scan_by_key_runs.cl` is compiled with.
#[derive(Clone, Copy, Parameters)]
struct Scan {
    /// The launch: 0 or 1.
    pass: u8,
    has_initial: bool,
}

/// `kernels/reduce_by_key_runs.cl`.
static REDUCE: Template<Reduce> = Template {
    kernel: "reduce_by_key_runs",
    definition: &kernels::REDUCE_BY_KEY_RUNS,
    shape: |profile, size, values| {
        let packs = TILE_BYTES / values.item_bytes.max(1);
        Shape { group: 1, pack: 1, packs: packs.max(1), max_groups: usize::MAX, ..profile.reduction(size) }
    },
};

/// What `kernels/reduce_by_key_runs.cl` is compiled with.
#[derive(Clone, Copy, Parameters)]
struct Reduce {
    look_back: LookBack,
    /// Bytes of a key and an item.
    item_bytes: usize,
}

/// Items that are worth a work-item of their own.
const GRAIN: usize = 4096;
/// Bytes of keys and values in a tile, and of what a work-item keeps of its runs: both fit into its caches.
const TILE_BYTES: usize = 64 << 10;

pub(super) fn scan(queue: &Queue, parts: &Parts<'_>, fused: Fused<'_>, len: usize) -> Result<()> {
    let has_initial = parts.initial.is_some();
    let totals = parts.fill();
    let totals = totals.by(&SCAN, Scan { pass: 0, has_initial });
    let results = fused.by(&SCAN, Scan { pass: 1, has_initial });
    let ready = Fused::compile_all(&[&totals, &results], queue, len)?;
    let (first, second) = (&ready[0], &ready[1]);
    let groups = (len / GRAIN).clamp(1, first.shape().max_groups);

    let room = queue.scratch(groups * parts.room.words * size_of::<u32>())?;
    // SAFETY: there are no more pieces than items, and room for the total of each; the inputs have `len`
    // items.
    unsafe { first.launch(&[Arg::Memory(&room, Access::Overwrite), first.index(len)], groups, 1)? };
    // SAFETY: as above, and the outputs have `len` items.
    unsafe { second.launch(&[Arg::Memory(&room, Access::Read), second.index(len)], groups, 1) }
}

pub(super) fn reduce(
    queue: &Queue,
    parts: &Parts<'_>,
    fused: Fused<'_>,
    len: usize,
    count: &Memory,
    look_back: LookBack,
) -> Result<()> {
    let values = Reduce { look_back, item_bytes: parts.room.local };
    let ready = fused.by(&REDUCE, values).compile(queue, len)?;
    let tiles = len.div_ceil(ready.shape().tile());
    let words = parts.room.words;
    look_back.with_messages(queue, tiles, words, |[totals, blocks, tickets, epoch]| {
        let own = [totals, blocks, tickets, epoch, ready.index(len), Arg::Memory(count, Access::Overwrite)];
        // SAFETY: a group for each tile of `len` items, messages for all of them, of another epoch than
        // what lies there; the inputs have `len` items, and there are no more runs than that.
        unsafe { ready.launch(&own, tiles, 1) }
    })
}
