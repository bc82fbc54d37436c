//! Sorts of few items on GPUs, in one or two launches: tiles are sorted in local memory, and each item is then stored at
//! its rank among the items of all tiles.

use super::key::Keys;
use super::passes::Items;
use crate::algorithm::merge::tiles;
use crate::algorithm::moved::{items_at, scratch_for, targets_in};
use crate::algorithm::order::{Less, bytes_of};
use crate::codegen::look_back::Method;
use crate::codegen::{Fused, Parameters, Template, profile};
use crate::device::{DeviceProfile, Shape};
use crate::element::{Element, ElementType};
use crate::expr::{Operand, index};
use crate::ir::graph::Graph;
use crate::ir::target::Target;
use crate::kernels;
use cl_core::{Memory, Queue, Result};

/// The kernel `sort_blocks` of `kernels/sort_blocks.cl`.
static BLOCKS: Template<Values> = Template {
    kernel: "sort_blocks",
    definition: &kernels::SORT_BLOCKS,
    shape: |profile, _, values| blocks(profile, values.item_bytes),
};

/// The kernel `merge_ranks` of `kernels/merge_ranks.cl`.
static RANKS: Template<Values> = Template {
    kernel: "merge_ranks",
    definition: &kernels::MERGE_RANKS,
    shape: |profile, _, values| {
        let tiles = blocks(profile, values.item_bytes);
        Shape { packs: 1, group: tiles.group.min(RANKERS), ..tiles }
    },
};

/// The parameters of both kernels.
#[derive(Clone, Copy, Parameters)]
struct Values {
    item_bytes: usize,
    /// The number of items of a sorted tile.
    width: usize,
    /// The largest number of tiles.
    most_tiles: usize,
}

/// The largest number of work-items in a work-group that ranks items. It divides the number of items of a tile.
const RANKERS: usize = 128;
/// The largest number of items of a work-item in a tile. It is odd, as in merges.
const PACKS: usize = 11;
/// The largest number of tiles that are merged at once.
const MOST_TILES: usize = 24;
/// The largest number of items. Keys of up to two bytes take only two passes.
///
/// On an H200, 2^16 `u32` take 40 us, and 76 to 89 by a pass for each digit; 2^17 take 75, and 66 to 70. With another form of
/// the search for ranks, 2^15 and 2^16 `u16` took 41 and 64 us, and 49 and 52 by passes.
const MOST: usize = 1 << 16;
/// The largest number of items whose keys have up to two bytes.
const MOST_NARROW: usize = 1 << 15;
/// The largest size in bytes of an item, which moves as a whole.
const MOST_BYTES: usize = 16;

/// Returns the shape of the tiles: those of a merge sort, with fewer items for each work-item, so that more compute units
/// have a tile.
fn blocks(profile: &DeviceProfile, bytes: usize) -> Shape {
    let shape = tiles(profile, bytes);
    Shape { packs: shape.packs.min(PACKS), ..shape }
}

/// Returns the number of items of a tile, for items of `bytes` bytes.
#[cfg(test)]
pub(super) fn tile(profile: &DeviceProfile, bytes: usize) -> usize {
    blocks(profile, bytes).tile()
}

/// Returns the types of an item's elements, first its key, or `None` if the items cannot be sorted here.
fn elements(items: &Items<'_>) -> Option<Vec<ElementType>> {
    let word = |size| {
        Some(match size {
            1 => u8::TYPE,
            2 => u16::TYPE,
            4 => u32::TYPE,
            8 => u64::TYPE,
            _ => return None,
        })
    };
    let values = items.values.iter().map(|column| word(column.size));
    std::iter::once(Some(items.kind.element)).chain(values).collect()
}

/// Returns whether the items are few enough, and small.
pub(super) fn is_suited(items: &Items<'_>, method: Method, profile: &DeviceProfile) -> bool {
    let Items { len, bits, keys, kind, within, .. } = items;
    let most = if keys.size <= 2 { MOST_NARROW } else { MOST };
    let is_whole = !matches!(kind.keys, Keys::Truths) && *bits == (0..8 * keys.size as u32);
    matches!(method, Method::ByDevice)
        && !profile.chunked
        && is_whole
        && within.is_none()
        && elements(items).is_some_and(|elements| {
            let bytes = bytes_of(elements);
            let shape = blocks(profile, bytes.max(1));
            bytes <= MOST_BYTES && !shape.chunked && *len <= most.min(MOST_TILES * shape.tile())
        })
}

/// The kernels of a sort: the types of an item's elements, and the comparator of such items.
struct Kernels<'a> {
    operation: &'static str,
    queue: &'a Queue,
    len: usize,
    elements: Vec<ElementType>,
    less: Less,
}

impl<'a> Kernels<'a> {
    /// Returns the items that blocks of memory hold.
    fn read<'m>(&self, memory: &[&'m Memory]) -> Graph<'m>
    where
        'a: 'm,
    {
        items_at(self.operation, &self.targets(memory))
    }

    fn targets<'m>(&self, memory: &[&'m Memory]) -> Vec<Target<'m>>
    where
        'a: 'm,
    {
        targets_in(self.queue, memory, self.len, self.elements.iter().copied())
    }

    /// Returns a kernel that reads the items of `graph` and stores them in other order in `memory`.
    fn moving<'m>(&self, graph: Graph<'m>, memory: &[&'m Memory], in_place: bool) -> Fused<'m>
    where
        'a: 'm,
    {
        let mut output = Fused::new(self.operation);
        let roots = output.graph.parameters_of(self.elements.iter().copied());
        let both = 2 * self.elements.len();
        output
            .with_targets("", "A", roots, self.targets(memory), in_place)
            .with_input("A", graph)
            .with_operator("LESS", "A", &self.less.0, both)
    }
}

/// Returns the numbers of the items, as an element of the type of `order`.
fn numbers(order: ElementType) -> Graph<'static> {
    if order == u64::TYPE {
        index::<u64>().into_expr().into_graph()
    } else {
        index::<u32>().into_expr().into_graph()
    }
}

/// Sorts the items.
pub(super) fn sort(items: &Items<'_>) -> Result<()> {
    let &Items { operation, queue, len, .. } = items;
    let Some(elements) = elements(items) else { return Ok(()) };
    let item_bytes = bytes_of(elements.iter().copied());
    let shape = blocks(&*profile(queue.context())?, item_bytes);
    let width = shape.tile();
    let values = Values { item_bytes, width, most_tiles: MOST_TILES };
    let less = (items.kind.less)().on_first_bits(1, &elements);
    let kernels = Kernels { operation, queue, len, elements, less };
    let columns = || std::iter::once(&items.keys).chain(&items.values);
    let first: Vec<&Memory> = columns().map(|column| column.first).collect();
    let home: Vec<&Memory> = columns().map(|column| column.home).collect();
    let unsorted = match kernels.elements[..] {
        [_, order] if items.indices => kernels.read(&first[..1]).zip(&numbers(order), operation),
        _ => kernels.read(&first),
    };
    if len <= width {
        let fused = kernels.moving(unsorted, &home, true);
        let ready = fused.by(&BLOCKS, values).compile(queue, items.compiled_len)?;
        // SAFETY: the kernel reads items below `len`, and stores the items of a tile at the indices of the tile.
        return unsafe { ready.launch(&[ready.index(len)], 1, shape.group) };
    }
    let spare = scratch_for(queue, len, kernels.elements.iter().copied())?;
    let spare: Vec<&Memory> = spare.iter().map(|block| &**block).collect();
    let blocks = kernels.moving(unsorted, &spare, false);
    let ranks = kernels.moving(kernels.read(&spare), &home, false);
    let (blocks, ranks) = (blocks.by(&BLOCKS, values), ranks.by(&RANKS, values));
    let ready = Fused::compile_all(&[&blocks, &ranks], queue, items.compiled_len)?;
    let (blocks, ranks) = (&ready[0], &ready[1]);
    // SAFETY: as above.
    unsafe { blocks.launch(&[blocks.index(len)], len.div_ceil(width), shape.group)? };
    // SAFETY: the ranks are different numbers below `len`, because the comparator is an order.
    unsafe { ranks.launch(&[ranks.index(len)], len.div_ceil(ranks.shape().group), ranks.shape().group) }
}
