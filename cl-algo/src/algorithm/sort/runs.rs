//! Radix sort in two launches for each pass: the digits of contiguous chunks are counted, and their items moved.
//!
//! Many keys of 64 bits are sorted by their highest bits first, because these tell most keys apart. On a 2-core EPYC under
//! PoCL, 10^6 random `u64` take 13 ms of processor time so, and 47 ms by all bits and through the caches.

use super::passes::{BINS, Digit, Items, Pass, SegmentTiles, Sorted};
use crate::codegen::{AnyFilled, Fused, Parameters, Template, profile};
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
    /// The number of the launch: 0 or 1, or if the device chooses the digits up to 3.
    pass: u8,
    /// The number of passes by the highest bits that differ, if the device chooses the digits; otherwise 0. It is even, so
    /// that the items are at home afterwards.
    planned: usize,
    /// `true` if the chunks are those of long segments.
    segmented: bool,
    /// `true` if items are stored past the caches.
    streamed: bool,
}

/// The number of passes by all bits, if the highest ones do not tell most keys apart.
const ALL_PASSES: usize = 8;
/// The least number of keys for which the device chooses the digits. The launches that then do nothing take a few percent
/// of the time.
const LEAST_PLANNED: usize = 1 << 16;

/// Returns the number of passes by the highest bits that differ, or 0 if all bits are sorted.
fn top_passes(items: &Items<'_>) -> usize {
    let most = if items.len > 1 << 24 { 6 } else { 4 };
    let suited = items.keys.size == size_of::<u64>() && items.bits.len() > 8 * most;
    if suited && items.len >= LEAST_PLANNED { most } else { 0 }
}

/// Sorts the items: all of them, or those of the chunks' segments.
pub(super) fn sort(items: &Items<'_>, chunks: Option<&SegmentTiles>) -> Result<()> {
    let (queue, len) = (items.queue, items.len);
    // On a 2-core EPYC under PoCL, 2^24 `u32` take 96 ms past the caches and 174 ms through them; with as many values,
    // 127 ms and 192 ms. 10^6 `u64` take 13 and 18 ms, 3 * 10^5 take 4.7 and 7.7. The last cache has 32 MiB, and the one
    // before it 1 MiB.
    let cache = profile(queue.context())?.cache / 32;
    let streamed = cache > 0 && len.saturating_mul(items.bytes()) > cache;
    let fused = Fused::new(items.operation);
    let planned = if chunks.is_none() { top_passes(items) } else { 0 };
    let segmented = chunks.is_some();
    let values = |sorted, pass, streamed| Values { sorted, pass, planned, segmented, streamed };
    let count = fused.by(&TEMPLATE, values(items.only_keys(), 0, false));
    let moves = |indices| fused.by(&TEMPLATE, values(items.all(indices), 1, streamed));
    let (first, rest) = (moves(items.indices), moves(false));
    let spread = fused.by(&TEMPLATE, values(items.only_keys(), 2, false));
    let ties = fused.by(&TEMPLATE, values(items.all(false), 3, false));
    let kernels: [&dyn AnyFilled<'_, '_>; 5] = [&count, &first, &rest, &spread, &ties];
    let kernels = if planned > 0 { &kernels[..] } else { &kernels[..3] };
    let ready = Fused::compile_all(kernels, queue, items.compiled_len)?;
    let (count, first, rest) = (&ready[0], &ready[1], &ready[2]);
    let shape = count.shape();
    let flat = (len / shape.tile()).clamp(1, shape.max_groups);
    let groups = chunks.map_or(flat, SegmentTiles::count);
    let table: SmallVec<[Arg<'_>; 4]> = chunks
        .iter()
        .flat_map(|chunks| chunks.arguments().into_iter().chain([count.index(chunks.size)]))
        .collect();
    let counts = queue.scratch(groups * BINS * size_of::<u64>())?;
    let launch = |pass: &Pass<'_>, digit: &[Arg<'_>]| {
        let mut own = pass.arguments();
        // Without a digit, a pass keeps what is there.
        let may_keep = planned > 0 && pass.number >= 2;
        for argument in own.iter_mut().filter(|_| may_keep) {
            if let Arg::Memory(_, access @ Access::Overwrite) = argument {
                *access = Access::Write;
            }
        }
        let digit = [&[Arg::value(items.kind.flip)], digit, &[count.index(len)]].concat();
        let counting = [&[own[0], Arg::Memory(&counts, Access::Overwrite)], &table[..], &digit].concat();
        // SAFETY: there are at most as many chunks as items, or those of the table are ranges of items; there is room for
        // the counts of each chunk. Kernels of digits that the device chooses do the same, or nothing.
        unsafe { count.launch(&counting, groups, 1)? };
        own.push(Arg::Memory(&counts, Access::Read));
        own.extend(table.iter().copied().chain(digit));
        let moves = if pass.number == 0 { first } else { rest };
        // SAFETY: as above. Keys and values have `len` items before, and room for as many after.
        unsafe { moves.launch(&own, groups, 1) }
    };
    let [_, _, _, spread, ties] = &ready[..] else {
        return items.each_pass(|pass| {
            let Digit { shift, mask } = pass.digit;
            launch(pass, &[Arg::value(shift), Arg::value(mask)])
        });
    };
    let (flip, within) = (Arg::value(items.kind.flip), Arg::value(items.key_mask()));
    let bits = queue.scratch(groups * 2 * size_of::<u64>())?;
    let unsorted = queue.scratch(size_of::<u32>())?;
    let own = [
        Arg::Memory(items.keys.first, Access::Read),
        Arg::Memory(&bits, Access::Overwrite),
        Arg::Memory(&unsorted, Access::Overwrite),
        flip,
        count.index(len),
    ];
    // SAFETY: there is room for two words for each chunk.
    unsafe { spread.launch(&own, groups, 1)? };
    let bits = Arg::Memory(&bits, Access::Read);
    let chosen = std::iter::repeat_n(Digit { shift: 0, mask: 0 }, planned + ALL_PASSES);
    items.pass_by(chosen, |pass| {
        if pass.number == planned {
            let homes = std::iter::once(&items.keys).chain(&items.values).map(|column| column.home);
            let mut own: SmallVec<[Arg<'_>; 16]> =
                homes.map(|home| Arg::Memory(home, Access::Write)).collect();
            own.extend([bits, Arg::Memory(&unsorted, Access::Write), flip, within]);
            own.push(Arg::value(groups as u32));
            for (at_cuts, groups) in [(0_u32, groups), (1, 1)] {
                let own = [&own[..], &[Arg::value(at_cuts), count.index(len)]].concat();
                // SAFETY: the passes so far have moved all items home. The first launch keeps to the items of each chunk,
                // and the second one is a single work-item.
                unsafe { ties.launch(&own, groups, 1)? };
            }
        }
        launch(pass, &[bits, Arg::Memory(&unsorted, Access::Read), within, Arg::value(pass.number as u32)])
    })
}
