//! Radix sorts of segments: one launch sorts all segments but long ones; the passes of a flat sort, on tiles that do not
//! cross segments, sort the long ones.

use super::passes::{Column, Items, SegmentTiles, Sorted, Within};
use super::{runs, sweep};
use crate::algorithm::merge::tiles;
use crate::algorithm::search::{lower_bounds, upper_bounds};
use crate::codegen::look_back::Method;
use crate::codegen::{Fused, Parameters, Template, profile};
use crate::device::{DeviceProfile, Shape, shapes};
use crate::expr::{Val, index, zip};
use crate::kernels;
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Memory, Result, Scratch};
use smallvec::SmallVec;

/// The kernel `sort_segments` of `kernels/sort_segments.cl`.
static TEMPLATE: Template<Values> = Template {
    kernel: "sort_segments",
    definition: &kernels::SORT_SEGMENTS,
    shape: |profile, _, values| shape(profile, values),
};

/// The parameters of `kernels/sort_segments.cl`.
#[derive(Clone, Copy, Parameters)]
struct Values {
    sorted: Sorted,
    /// `true` if each work-item sorts tiles alone.
    alone: bool,
    /// The largest number of items of a segment that a work-item sorts in registers; 0 to merge.
    few: usize,
    /// The size of an item of a tile.
    item_bytes: usize,
    /// 0: no line is written past the caches.
    streamed: bool,
}

/// The largest number of bytes of a tile that a work-item sorts alone. The tile and its copy stay in the second cache.
///
/// Segments of 3000 items on average, 2^24 `u32` on a 2-core EPYC under PoCL, by the flat sort's time: with 16 KiB 1.24,
/// by key 1.42.
const ALONE_BYTES: usize = 64 << 10;
/// The largest number of bytes of a tile in local memory, and of items of a work-item. Larger tiles have more segments
/// that are not long. Other sizes were not measured on GPUs.
const TILED_BYTES: usize = 40 << 10;
const MOST_PACKS: usize = 15;
/// The largest number of items of the longest segment for which work-items sort segments in registers on GPUs.
const FEW: usize = 16;
/// The part of a tile that short segments may exceed a cell by.
const REST: usize = 4;

/// Returns the shape of a tile of segments.
fn shape(profile: &DeviceProfile, values: &Values) -> Shape {
    let bytes = values.item_bytes.max(1);
    if !values.alone {
        let merge = tiles(profile, bytes);
        let packs = (profile.local_room(TILED_BYTES) / (bytes * merge.group)).clamp(1, MOST_PACKS);
        // An odd number, so that the items of neighbouring work-items lie in different banks.
        return Shape { packs: packs - (1 - packs % 2), ..merge };
    }
    let Shape { max_groups, .. } = profile.runs(&shapes::SORT, values.sorted.key_bytes);
    // A tile and its copy.
    let held = ALONE_BYTES.min(profile.local_memory.saturating_sub(64) / 2);
    let packs = 1 << (held / bytes).clamp(1, 1 << 15).ilog2();
    Shape { chunked: true, group: 1, pack: 1, packs, max_groups, streams: false }
}

/// Sorts the items of each segment.
pub(super) fn sort(items: &Items<'_>, within: Within<'_>, method: Method) -> Result<()> {
    let profile = profile(items.queue.context())?;
    let long = sort_tiles(items, within, &profile, matches!(method, Method::Runs))?;
    if within.longest <= long {
        return Ok(());
    }
    match method {
        Method::LookBack(look_back) => {
            sweep::sort(items, look_back, Some(&|size| long_tiles(items, within, long, size)))
        }
        _ => {
            let size = chunk(items, &profile);
            runs::sort(items, Some(&long_tiles(items, within, long, size)?))
        }
    }
}

/// Returns the number of items of a chunk that a work-item sorts alone.
fn chunk(items: &Items<'_>, profile: &DeviceProfile) -> usize {
    let shape = profile.runs(&shapes::SORT, items.keys.size);
    items.len.div_ceil((items.len / shape.tile()).clamp(1, shape.max_groups))
}

/// Returns the largest number of items of a segment that a work-item sorts in registers; 0 if work-groups sort tiles by
/// merges. A work-item reads only its group's tile, so no segment may exceed it.
fn few(longest: usize, shape: &Shape) -> usize {
    let is_few = !shape.chunked && longest <= FEW.min(shape.tile());
    if is_few { longest.next_power_of_two().max(4) } else { 0 }
}

/// Sorts the segments that are not long, in one launch. Returns the length of the longest of them, at least: longer
/// segments are long.
fn sort_tiles(
    items: &Items<'_>,
    within: Within<'_>,
    profile: &DeviceProfile,
    chunked: bool,
) -> Result<usize> {
    let (queue, len) = (items.queue, items.len);
    let item_bytes = if items.keys.size > 4 { 16 } else { 8 };
    let alone = chunked || tiles(profile, item_bytes).chunked;
    let fused = Fused::new(items.operation);
    let sorted = items.all(items.indices);
    let mut values = Values { sorted, alone, few: 0, item_bytes, streamed: false };
    values.few = few(within.longest, &shape(profile, &values));
    if values.few > 0 && items.values.is_empty() {
        // There are no tags beside the keys.
        values.item_bytes = items.keys.size;
    }
    let ready = fused.by(&TEMPLATE, values).compile(queue, items.compiled_len)?;
    let shape = ready.shape();
    let (cell, long) = if alone {
        // A longer segment than a cell would keep a work-item busy while the others have finished.
        let cell = chunk(items, profile);
        (cell, cell.max(shape.tile()))
    } else {
        // All segments that begin in a cell are one tile, unless they are longer than a part of the tile.
        let most = within.longest.min(shape.tile() / REST).max(1);
        (shape.tile() + 1 - most, shape.tile())
    };
    let groups = len.div_ceil(cell);
    let begins = within.offsets.slice(..within.offsets.len() - 1);
    // SAFETY: the search writes every element. If it cannot be enqueued, the vector is dropped.
    let mut cells = unsafe { DeviceVec::<u32>::uninit(queue, groups + 1) }?;
    let edges = index::<u64>().take(groups + 1) * cell as u64;
    lower_bounds(begins, edges.map(|edge: Val<u64>| edge.min(len as u64).cast::<u32>()), &mut cells)?;

    let columns = || std::iter::once(&items.keys).chain(&items.values);
    let spare: SmallVec<[Scratch<'_>; 3]> =
        columns().map(|column| queue.scratch(len * column.size)).collect::<Result<_>>()?;
    let mut own: SmallVec<[Arg<'_>; 16]> = SmallVec::new();
    for (Column { first, home, .. }, spare) in columns().zip(&spare) {
        own.extend([Arg::Memory(first, Access::Read), Arg::Memory(home, Access::Write)]);
        own.push(Arg::Memory(spare as &Memory, Access::Overwrite));
    }
    own.extend([within.offsets.memory(), cells.memory()].map(|one| Arg::Memory(one, Access::Read)));
    own.extend([Arg::value(items.kind.flip), ready.index(long)]);
    // SAFETY: the cells have indices of offsets, and the offsets are indices of items. Keys and values have `len` items.
    unsafe { ready.launch(&own, groups, shape.group) }?;
    Ok(long)
}

/// Returns the tiles of all segments of more than `long` items.
///
/// Of the long segments, at most one begins in each cell of `long` items. It is the last segment that begins there.
fn long_tiles(items: &Items<'_>, within: Within<'_>, long: usize, size: usize) -> Result<SegmentTiles> {
    let (queue, len, offsets) = (items.queue, items.len, within.offsets);
    let (cells, count) = (len.div_ceil(long), offsets.len() - 1);
    let most = len / size + count.min(len / long);
    // SAFETY: the searches write every element. If one cannot be enqueued, its vector is dropped.
    let (mut after, mut cell_of) =
        unsafe { (DeviceVec::<u32>::uninit(queue, cells)?, DeviceVec::<u32>::uninit(queue, most)?) };
    let edges = (index::<u64>().take(cells) + 1) * long as u64;
    let edges = edges.map(|edge: Val<u64>| edge.min(len as u64).cast::<u32>());
    lower_bounds(offsets.slice(..count), edges, &mut after)?;
    let operation = items.operation;
    let offsets_at = |at| {
        // SAFETY: at least one segment begins before the end of the first cell, and at most `count` do.
        unsafe { offsets.iter().gather_unchecked(operation, count + 1, at) }
    };
    let segment = zip((index::<u32>(), offsets_at(after.iter() - 1), offsets_at(after.iter())));
    let (long, size) = (long as u32, size as u32);
    let tiles = segment.map(|(cell, begin, end): (Val<u32>, Val<u32>, Val<u32>)| {
        let is_long = (end - begin).gt(long) & begin.ge(cell * long);
        is_long.select((end - begin - 1) / size + 1, 0)
    });
    let ends = tiles.take(cells).inclusive_scan().collect()?;
    upper_bounds(&ends, index::<u32>().take(most), &mut cell_of)?;
    let tile = || index::<u32>().take(most);
    let at = || cell_of.iter().map(|cell: Val<u32>| cell.min((cells - 1) as u32));
    // SAFETY: `at` is below the number of cells.
    let (after_at, end_before) = unsafe {
        let before = at().map(|cell: Val<u32>| cell.max(1) - 1);
        (
            after.iter().gather_unchecked(operation, cells, at()),
            ends.iter().gather_unchecked(operation, cells, before),
        )
    };
    let (begin, end) = (offsets_at(after_at.clone() - 1), offsets_at(after_at));
    let all = zip((tile(), cell_of.iter(), begin, end, end_before));
    let table = all.map(|(tile, cell, begin, end, before): Five| {
        let exists = cell.lt(cells as u32);
        let head = cell.eq(0).select(0, before);
        (exists.select(begin, 0), exists.select(end, 0), exists.select(head, tile))
    });
    let (begins, ends, heads) = table.collect_on(queue)?;
    Ok(SegmentTiles { begins, ends, heads, size: size as usize })
}

/// The symbolic values of a tuple.
type Five = (Val<u32>, Val<u32>, Val<u32>, Val<u32>, Val<u32>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_that_exceed_a_tile_are_not_sorted_in_registers() {
        let tiles = |packs| Shape {
            chunked: false,
            group: 1,
            pack: 1,
            packs,
            max_groups: usize::MAX,
            streams: false,
        };
        assert_eq!([1, 3, 5, 16, 17].map(|longest| few(longest, &tiles(64))), [4, 4, 8, 16, 0]);
        assert_eq!([15, 16].map(|longest| few(longest, &tiles(15))), [16, 0]);
        assert_eq!(few(4, &Shape { chunked: true, ..tiles(64) }), 0);
    }
}
