//! Scans in one launch, by decoupled look-back.

use super::Inputs;
use crate::codegen::look_back::LookBack;
use crate::codegen::{Fused, Parameters, Template};
use crate::device::{DeviceProfile, Shape, pack, shapes};
use crate::kernels;
use cl_core::{Queue, Result};

/// The kernel `scan` of `kernels/scan.cl`.
static TEMPLATE: Template<Values> = Template { kernel: "scan", definition: &kernels::SCAN, shape };

/// The parameters of `kernels/scan.cl`.
#[derive(Clone, Copy, Parameters)]
pub(super) struct Values {
    pub(super) look_back: LookBack,
    pub(super) in_place: bool,
    pub(super) exclusive: bool,
    pub(super) has_initial: bool,
    /// `true` for small tiles.
    pub(super) short: bool,
    /// The number of elements of an item.
    pub(super) elements: usize,
}

/// The smallest number of items for which tiles are large.
const LONG: usize = 1 << 23;

pub(super) fn scan(
    queue: &Queue,
    inputs: &Inputs<'_>,
    fused: Fused<'_>,
    len: usize,
    look_back: LookBack,
) -> Result<()> {
    let exclusive = inputs.initial.is_some();
    let values = Values {
        look_back,
        in_place: inputs.in_place,
        exclusive,
        has_initial: exclusive,
        short: len < LONG,
        elements: inputs.elements_per_item,
    };
    let ready = fused.by(&TEMPLATE, values).compile(queue, len)?;
    let shape = ready.shape();
    let tiles = len.div_ceil(shape.tile());
    look_back.with_messages(queue, tiles, inputs.words, |[totals, blocks, tickets, epoch]| {
        let own = [totals, blocks, tickets, epoch, ready.index(len)];
        // SAFETY: there is a group for each tile of `len` items, and room for the messages of all groups. The messages'
        // epoch differs from earlier ones. The inputs and outputs have `len` items.
        unsafe { ready.launch(&own, tiles, shape.group) }
    })
}

/// Returns the shape of a tile. Tiles are smaller if there were fewer large tiles than compute units.
pub(super) fn shape(profile: &DeviceProfile, size: usize, values: &Values) -> Shape {
    let &Values { look_back: LookBack { sub_groups, .. }, short, elements, .. } = values;
    let pack = pack(16, size);
    let (what, width) = (if short { &shapes::SHORT_SCAN } else { &shapes::SCAN }, sub_groups.width);
    let elements = elements.max(1);
    let item = elements * size.next_power_of_two();
    // Registers have 4 bytes, also for smaller elements.
    let packs = |bytes: usize| (bytes / (pack * size.max(4) * elements)).clamp(1, 16);
    // The number of packs that the kernel puts aside if `PUTS_ASIDE`, besides an item for each sub-group.
    let aside = |bytes: usize| if width > 1 && pack > 1 { packs(bytes) } else { 0 };
    let local = |group: usize, bytes| (group * aside(bytes) + group / width + 2) * item + 64;
    let (group, bytes) = profile.tile(what, size, sub_groups.groups(), local);
    let packs = packs(bytes);
    let shape = Shape { chunked: false, group, pack, packs, max_groups: usize::MAX, streams: false };
    // Local memory also holds a carried item for each sub-group.
    let room = profile.local_room(profile.tile_rule(what, size).local);
    shape.within_local(room, width, size * elements / width)
}
