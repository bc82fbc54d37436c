//! Radix sort in two launches for each pass: the digits of contiguous chunks are counted, and their items moved.

use super::passes::{BINS, Digit, Items, SegmentTiles, Sorted};
use crate::codegen::{Fused, Parameters, Template, profile};
use crate::device::shapes;
use crate::kernels;
use cl_core::{Access, Arg, Result};
use smallvec::SmallVec;

/// The kernel `sort_runs` of `kernels/sort_runs.cl`.
static TEMPLATE: Template<Values> = Template {
    kernel: "sort_runs",
    definition: &kernels::SORT_RUNS,
    shape: |profile, _, values| {
        let what = if values.sorted.values > 0 { &shapes::SORT_VALUES } else { &shapes::SORT };
        profile.runs(what, values.sorted.key_bytes)
    },
};

/// The parameters of `kernels/sort_runs.cl`.
#[derive(Clone, Copy, Parameters)]
struct Values {
    sorted: Sorted,
    /// The number of the launch: 0 or 1.
    pass: u8,
    /// `true` if the chunks are those of long segments.
    segmented: bool,
    /// `true` if items are stored past the caches.
    streamed: bool,
}

/// Sorts the items: all of them, or those of the chunks' segments.
pub(super) fn sort(items: &Items<'_>, chunks: Option<&SegmentTiles>) -> Result<()> {
    let (queue, len) = (items.queue, items.len);
    // On a 2-core EPYC under PoCL, 2^24 `u32` take 96 ms past the caches and 174 ms through them; with as many values,
    // 127 ms and 192 ms. `slice::sort_unstable` takes 285 ms there.
    let cache = profile(queue.context())?.cache;
    let streamed = cache > 0 && len.saturating_mul(items.bytes()) > cache;
    let fused = Fused::new(items.operation);
    let values = |sorted, pass, streamed| Values { sorted, pass, segmented: chunks.is_some(), streamed };
    let count = fused.by(&TEMPLATE, values(items.only_keys(), 0, false));
    let moves = |indices| fused.by(&TEMPLATE, values(items.all(indices), 1, streamed));
    let (first, rest) = (moves(items.indices), moves(false));
    let ready = Fused::compile_all(&[&count, &first, &rest], queue, items.compiled_len)?;
    let (count, first, rest) = (&ready[0], &ready[1], &ready[2]);
    let shape = count.shape();
    let flat = (len / shape.tile()).clamp(1, shape.max_groups);
    let groups = chunks.map_or(flat, SegmentTiles::count);
    let table: SmallVec<[Arg<'_>; 4]> = chunks
        .iter()
        .flat_map(|chunks| chunks.arguments().into_iter().chain([count.index(chunks.size)]))
        .collect();
    let counts = queue.scratch(groups * BINS * size_of::<u64>())?;
    items.each_pass(|pass| {
        let mut own = pass.arguments();
        let Digit { shift, mask } = pass.digit;
        let digit = [Arg::value(items.kind.flip), Arg::value(shift), Arg::value(mask), count.index(len)];
        let counting = [&[own[0], Arg::Memory(&counts, Access::Overwrite)], &table[..], &digit[..]].concat();
        // SAFETY: there are at most as many chunks as items, or those of the table are ranges of items; there is room for
        // the counts of each chunk.
        unsafe { count.launch(&counting, groups, 1)? };
        own.push(Arg::Memory(&counts, Access::Read));
        own.extend(table.iter().copied().chain(digit));
        let moves = if pass.number == 0 { first } else { rest };
        // SAFETY: as above. Keys and values have `len` items before, and room for as many after.
        unsafe { moves.launch(&own, groups, 1) }
    })
}
