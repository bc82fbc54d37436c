//! Stream compaction in one launch, by decoupled look-back.

use super::{Inputs, Rejects};
use crate::codegen::look_back::LookBack;
use crate::codegen::{Fused, Parameters, Template};
use crate::device::{DeviceProfile, Shape, pack, shapes};
use crate::kernels;
use cl_core::{Access, Arg, Memory, Queue, Result};

/// The kernel `select_items` of `kernels/select.cl`.
static TEMPLATE: Template<Values> = Template { kernel: "select_items", definition: &kernels::SELECT, shape };

/// The parameters of `kernels/select.cl`.
#[derive(Clone, Copy, Parameters)]
pub(super) struct Values {
    pub(super) look_back: LookBack,
    pub(super) by_neighbour: bool,
    pub(super) rejects: Rejects,
    /// `true` for small tiles.
    pub(super) short: bool,
    /// The number of elements of an item.
    pub(super) elements: usize,
}

/// The smallest number of items for which tiles are large.
const LONG: usize = 1 << 22;

pub(super) fn select(
    queue: &Queue,
    inputs: &Inputs<'_>,
    fused: Fused<'_>,
    len: usize,
    count: &Memory,
    look_back: LookBack,
) -> Result<()> {
    let Inputs { by_neighbour, rejects, elements_per_item: elements, .. } = *inputs;
    let values = Values { look_back, by_neighbour, rejects, short: len < LONG, elements };
    let ready = fused.by(&TEMPLATE, values).compile(queue, len)?;
    let shape = ready.shape();
    let tiles = len.div_ceil(shape.tile());
    look_back.with_messages(queue, tiles, super::WORDS, |[totals, blocks, tickets, epoch]| {
        let access = if rejects == Rejects::Behind { Access::Read } else { Access::Overwrite };
        let own = [totals, blocks, tickets, epoch, ready.index(len), Arg::Memory(count, access)];
        // SAFETY: there is a group for each tile of `len` items, and room for the messages of all groups. The messages'
        // epoch differs from earlier ones. The inputs have `len` items, and at most `len` are stored.
        unsafe { ready.launch(&own, tiles, shape.group) }
    })
}

/// Returns the shape of a tile, whose items must also fit into local memory.
pub(super) fn shape(profile: &DeviceProfile, size: usize, values: &Values) -> Shape {
    let &Values { look_back: LookBack { sub_groups, .. }, short, elements, .. } = values;
    let pack = pack(16, size);
    let what = if short { &shapes::SHORT_SELECT } else { &shapes::SELECT };
    let elements = elements.max(1);
    let packs = |bytes: usize| (bytes / (pack * size.max(4) * elements)).clamp(1, 16);
    let item = elements * size.next_power_of_two();
    // All items of the tile; a count for each sub-group, which may be a single work-item; and some words.
    let local = |group: usize, bytes| group * (packs(bytes) * pack * item + 8) + 64;
    let (group, bytes) = profile.tile(what, size, sub_groups.groups(), local);
    let packs = packs(bytes);
    let shape = Shape { chunked: false, group, pack, packs, max_groups: usize::MAX, streams: false };
    let room = profile.local_room(profile.tile_rule(what, size).local);
    shape.within_local(room, sub_groups.width, packs * pack * size * elements)
}
