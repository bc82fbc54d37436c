//! Algorithms by key on devices that give each work-item a contiguous chunk.

use super::Inputs;
use crate::codegen::look_back::LookBack;
use crate::codegen::{Fused, Parameters, Template};
use crate::device::Shape;
use crate::kernels;
use cl_core::{Access, Arg, Memory, Queue, Result};

/// The kernel `scan_by_key_runs` of `kernels/scan_by_key_runs.cl`.
static SCAN: Template<Scan> = Template {
    kernel: "scan_by_key_runs",
    definition: &kernels::SCAN_BY_KEY_RUNS,
    // A work-item takes one item after the other.
    shape: |profile, size, _| Shape { group: 1, pack: 1, packs: 1, ..profile.reduction(size) },
};

/// The parameters of `kernels/scan_by_key_runs.cl`.
#[derive(Clone, Copy, Parameters)]
struct Scan {
    /// The number of the launch: 0 or 1.
    pass: u8,
    has_initial: bool,
}

/// The kernel `reduce_by_key_runs` of `kernels/reduce_by_key_runs.cl`.
static REDUCE: Template<Reduce> = Template {
    kernel: "reduce_by_key_runs",
    definition: &kernels::REDUCE_BY_KEY_RUNS,
    shape: |profile, size, values| {
        let packs = TILE_BYTES / values.item_bytes.max(1);
        Shape { group: 1, pack: 1, packs: packs.max(1), max_groups: usize::MAX, ..profile.reduction(size) }
    },
};

/// The parameters of `kernels/reduce_by_key_runs.cl`.
#[derive(Clone, Copy, Parameters)]
struct Reduce {
    look_back: LookBack,
    /// The number of bytes of a key and an item.
    item_bytes: usize,
}

/// The smallest number of items for which another work-item is worth its cost.
const GRAIN: usize = 4096;
/// The number of bytes of the keys and values in a tile, and of a work-item's results for its runs. Both fit into
/// caches.
const TILE_BYTES: usize = 64 << 10;

pub(super) fn scan(queue: &Queue, inputs: &Inputs<'_>, fused: Fused<'_>, len: usize) -> Result<()> {
    let has_initial = inputs.initial.is_some();
    let totals = inputs.fill();
    let totals = totals.by(&SCAN, Scan { pass: 0, has_initial });
    let results = fused.by(&SCAN, Scan { pass: 1, has_initial });
    let ready = Fused::compile_all(&[&totals, &results], queue, len)?;
    let (first, second) = (&ready[0], &ready[1]);
    let groups = (len / GRAIN).clamp(1, first.shape().max_groups);

    let room = queue.scratch(groups * inputs.room.words * size_of::<u32>())?;
    // SAFETY: there are at most as many chunks as items, and there is room for the total of each chunk. The inputs have
    // `len` items.
    unsafe { first.launch(&[Arg::Memory(&room, Access::Overwrite), first.index(len)], groups, 1)? };
    // SAFETY: as above, and the outputs have `len` items.
    unsafe { second.launch(&[Arg::Memory(&room, Access::Read), second.index(len)], groups, 1) }
}

pub(super) fn reduce(
    queue: &Queue,
    inputs: &Inputs<'_>,
    fused: Fused<'_>,
    len: usize,
    count: &Memory,
    look_back: LookBack,
) -> Result<()> {
    let values = Reduce { look_back, item_bytes: inputs.room.local };
    let ready = fused.by(&REDUCE, values).compile(queue, len)?;
    let tiles = len.div_ceil(ready.shape().tile());
    let words = inputs.room.words;
    look_back.with_messages(queue, tiles, words, |[totals, blocks, tickets, epoch]| {
        let own = [totals, blocks, tickets, epoch, ready.index(len), Arg::Memory(count, Access::Overwrite)];
        // SAFETY: there is a group for each tile of `len` items, and room for the messages of all groups. The messages'
        // epoch differs from earlier ones. The inputs have `len` items, and there are at most `len` runs.
        unsafe { ready.launch(&own, tiles, 1) }
    })
}
