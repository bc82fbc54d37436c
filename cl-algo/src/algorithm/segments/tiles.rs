//! Reductions of segments on GPUs, by tiles of items: `kernels/reduce_segments.cl`.

use super::Segments;
use crate::algorithm::moved::Targets;
use crate::algorithm::order::item_bytes;
use crate::algorithm::search::upper_bounds;
use crate::algorithm::stl::copy_if;
use crate::codegen::{Fused, Parameters, Template, profile};
use crate::device::{DeviceProfile, Shape, SubGroups, pack, shapes};
use crate::expr::{Expr, Item, Val, index, record, zip};
use crate::kernels;
use crate::sink::mapped;
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Result};

/// The kernel `reduce_segments` of `kernels/reduce_segments.cl`.
static TEMPLATE: Template<Values> =
    Template { kernel: "reduce_segments", definition: &kernels::REDUCE_SEGMENTS, shape };

/// The parameters of `kernels/reduce_segments.cl`.
#[derive(Clone, Copy, Parameters)]
struct Values {
    sub_groups: SubGroups,
    /// `true` for the launch that combines the parts of segments.
    joins: bool,
    /// For this launch, the number of items of a tile.
    joined: usize,
    /// The largest number of items between two items whose segment is known.
    cell_items: usize,
    /// The size in bytes of an item.
    item_bytes: usize,
}

/// The number of items between two items whose segment is known, in tiles that have as many. Smaller tiles know the segment of
/// their first item only.
const CELL: usize = 256;
/// The largest number of items of a work-item: the bits of a word.
const MOST_ITEMS: usize = 32;
/// The number of work-items that combine the parts of a segment.
const JOINERS: usize = 64;
/// The number of bytes in local memory, beside an item, for each sub-group.
const CARRIED: usize = 16;

fn shape(profile: &DeviceProfile, size: usize, values: &Values) -> Shape {
    let &Values { sub_groups, joins, item_bytes, .. } = values;
    let what = &shapes::REDUCE_SEGMENTS;
    let room = profile.local_room(profile.tile_rule(what, size).local);
    let (group, bytes) = profile.tile(what, size, sub_groups.groups(), |_, _| 0);
    // Powers of two, so that tiles have whole cells.
    let items = 1 << (bytes / item_bytes.max(1)).clamp(1, MOST_ITEMS).ilog2();
    let pack = pack(16, size).min(items);
    let (packs, max_groups) = (items / pack, usize::MAX);
    let shape = Shape { chunked: false, group, pack, packs, max_groups, streams: false };
    if joins {
        return Shape { group: JOINERS.min(profile.largest_group), pack: 1, packs: 1, ..shape }
            .within_local(room, 1, item_bytes);
    }
    let mut shape = shape.within_local(room, sub_groups.width, (item_bytes + CARRIED) / sub_groups.width);
    shape.group = 1 << shape.group.ilog2();
    shape
}

impl Segments {
    /// Returns whether reductions are computed by tiles.
    pub(super) fn is_tiled(&self) -> Result<bool> {
        Ok(self.len > 0 && !profile(self.queue.context())?.chunked)
    }

    /// Combines the items of each segment that has items, in two launches. Stores the results one after the other. There
    /// must be items.
    pub(super) fn reduce_tiles<'b, 'a: 'b, S: Item>(
        &'a self,
        operation: &'static str,
        items: Expr<'a, S>,
        operator: impl FnOnce(S::Values, S::Values) -> S::Values,
        results: Targets<'b>,
    ) -> Result<()> {
        let queue = &self.queue;
        let operator = record::<(S, S), _>(|(a, b)| operator(a, b));
        let fused = Fused::new(operation).with_input("", items.into_graph());
        let fused = fused.with_operator("COMBINE", "", &operator, 2 * S::count());
        let fused = fused.output::<S>("", "", results).keeping();
        let sub_groups = SubGroups::on(queue)?;
        let values =
            Values { sub_groups, joins: false, joined: 0, cell_items: CELL, item_bytes: item_bytes::<S>() };
        let ready = fused.by(&TEMPLATE, values).compile(queue, self.len)?;
        let (shape, span) = (ready.shape(), ready.shape().tile());
        let tiles = self.len.div_ceil(span);
        let small;
        let cells = if span < CELL {
            small = self.make_cells(span)?;
            &small
        } else {
            self.cells()?
        };
        let offsets = self.filled_offsets()?;
        let parts = queue.scratch(2 * tiles * values.item_bytes)?;
        let memory = [offsets.memory(), cells.memory()].map(|one| Arg::Memory(one, Access::Read));
        let own = [Arg::Memory(&parts, Access::Overwrite), memory[0], memory[1], ready.index(self.len)];
        // SAFETY: the kernel reads items below the length, has a work-group for each tile of them, and writes a result for
        // each segment that has items, or one of two parts for each tile.
        unsafe { ready.launch(&own, tiles, shape.group)? };
        let values = Values { joins: true, joined: span, ..values };
        let ready = fused.by(&TEMPLATE, values).compile(queue, self.len)?;
        let own = [Arg::Memory(&parts, Access::Read), memory[0], memory[1], ready.index(self.len)];
        // SAFETY: the launch before has written the parts that this one reads.
        unsafe { ready.launch(&own, tiles, ready.shape().group) }
    }

    /// Returns the begin of each segment that has items, followed by the number of all items, which may be repeated.
    fn filled_offsets(&self) -> Result<&DeviceVec<u32>> {
        if !self.has_empty {
            return Ok(&self.offsets);
        }
        if let Some(offsets) = self.filled_offsets.get() {
            return Ok(offsets);
        }
        let mut offsets = DeviceVec::filled(&self.queue, self.len as u32, self.count() + 1)?;
        let ranges = zip((self.offsets.slice(..self.count()), self.offsets.slice(1..)));
        let begin = |(begin, _): (Val<u32>, Val<u32>)| begin;
        copy_if(ranges, |(begin, end)| begin.lt(end), mapped(&mut offsets, begin))?;
        Ok(self.filled_offsets.get_or_init(|| offsets))
    }

    /// Returns the cells of `CELL` items.
    fn cells(&self) -> Result<&DeviceVec<u32>> {
        if let Some(cells) = self.cells.get() {
            return Ok(cells);
        }
        let cells = self.make_cells(CELL)?;
        Ok(self.cells.get_or_init(|| cells))
    }

    /// Computes the number of the segment of each item whose index is a multiple of `cell`, and of the last item, among the
    /// segments that have items.
    fn make_cells(&self, cell: usize) -> Result<DeviceVec<u32>> {
        let begins = self.filled_offsets()?.slice(..self.count());
        let count = self.len.div_ceil(cell) + 1;
        // SAFETY: the search writes every element. If it cannot be enqueued, the vector is dropped.
        let mut cells = unsafe { DeviceVec::<u32>::uninit(&self.queue, count) }?;
        let last = (self.len - 1) as u64;
        let items = index::<u64>().take(count) * cell as u64;
        let items = items.map(|item: Val<u64>| item.min(last).cast::<u32>());
        upper_bounds::<u32, u32>(begins, items, mapped(&mut cells, |after: Val<u32>| after - 1))?;
        Ok(cells)
    }
}
