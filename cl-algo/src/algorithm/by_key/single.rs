//! Algorithms by key in one launch, by decoupled look-back.

use super::Inputs;
use crate::codegen::look_back::LookBack;
use crate::codegen::{Fused, Parameters, Template};
use crate::device::{DeviceProfile, Shape, SubGroups, Tunable, pack, shapes};
use crate::kernels;
use cl_core::{Access, Arg, Memory, Queue, Result};

/// The kernel `scan_by_key` of `kernels/scan_by_key.cl`.
static SCAN: Template<Scan> = Template {
    kernel: "scan_by_key",
    definition: &kernels::SCAN_BY_KEY,
    shape: |profile, size, values| {
        shape(profile, size, &values.tile, [&shapes::SCAN_BY_KEY, &shapes::SHORT_SCAN_BY_KEY], usize::MAX)
    },
};

/// The kernel `reduce_by_key` of `kernels/reduce_by_key.cl`.
static REDUCE: Template<Reduce> = Template {
    kernel: "reduce_by_key",
    definition: &kernels::REDUCE_BY_KEY,
    shape: |profile, size, values| {
        let (local, tile) = (values.local_bytes.max(1), &values.tile);
        let room = LOCAL_BYTES.min(profile.local_memory.saturating_sub(LOCAL_REST));
        // Each sub-group passes a value and its index to the next one.
        let is_alone = tile.look_back.sub_groups == SubGroups::NONE;
        let carried = if is_alone { local + CARRIED_INDEX } else { 0 };
        shape(
            profile,
            size,
            tile,
            [&shapes::REDUCE_BY_KEY, &shapes::SHORT_REDUCE_BY_KEY],
            room / (local + carried),
        )
    },
};

/// The parameters that divide the work of kernels by key.
#[derive(Clone, Copy, Parameters)]
struct Tile {
    look_back: LookBack,
    /// `true` for small tiles.
    short: bool,
    /// The number of bytes in registers that a key and an item take.
    item_bytes: usize,
}

/// The parameters of `kernels/scan_by_key.cl`.
#[derive(Clone, Copy, Parameters)]
struct Scan {
    tile: Tile,
    has_initial: bool,
}

/// The parameters of `kernels/reduce_by_key.cl`.
#[derive(Clone, Copy, Parameters)]
struct Reduce {
    tile: Tile,
    /// The number of bytes in local memory that a key and an item take.
    local_bytes: usize,
}

/// The smallest number of items for which tiles are large.
const LONG: usize = 1 << 22;
/// The largest number of bytes in local memory that a tile's keys and values take. NVIDIA's devices have 48 KiB for a
/// work-group, other devices at least 32 KiB.
const LOCAL_BYTES: usize = 40 << 10;
/// The number of bytes of local memory that kernels need for other variables.
const LOCAL_REST: usize = 8 << 10;
/// The number of bytes of the index that goes along with a carried value, with its alignment.
const CARRIED_INDEX: usize = 16;

pub(super) fn scan(
    queue: &Queue,
    inputs: &Inputs<'_>,
    fused: Fused<'_>,
    len: usize,
    look_back: LookBack,
) -> Result<()> {
    let tile = Tile { look_back, short: len < LONG, item_bytes: inputs.room.registers };
    let values = Scan { tile, has_initial: inputs.initial.is_some() };
    let ready = fused.by(&SCAN, values).compile(queue, len)?;
    let shape = ready.shape();
    let (tiles, words) = (len.div_ceil(shape.tile()), inputs.room.words);
    look_back.with_messages(queue, tiles, words, |[totals, blocks, tickets, epoch]| {
        let own = [totals, blocks, tickets, epoch, ready.index(len)];
        // SAFETY: there is a group for each tile of `len` items, and room for the messages of all groups. The messages'
        // epoch differs from earlier ones. The inputs and outputs have `len` items.
        unsafe { ready.launch(&own, tiles, shape.group) }
    })
}

pub(super) fn reduce(
    queue: &Queue,
    inputs: &Inputs<'_>,
    fused: Fused<'_>,
    len: usize,
    count: &Memory,
    look_back: LookBack,
) -> Result<()> {
    let tile = Tile { look_back, short: len < LONG, item_bytes: inputs.room.registers };
    let values = Reduce { tile, local_bytes: inputs.room.local };
    let ready = fused.by(&REDUCE, values).compile(queue, len)?;
    let shape = ready.shape();
    // The end of the last run, at index `len`, is in a tile, too.
    let (tiles, words) = (len / shape.tile() + 1, inputs.room.words);
    look_back.with_messages(queue, tiles, words, |[totals, blocks, tickets, epoch]| {
        let own = [totals, blocks, tickets, epoch, ready.index(len), Arg::Memory(count, Access::Overwrite)];
        // SAFETY: there is a group for each tile of the `len` items and the index after them, and room for the messages
        // of all groups. The messages' epoch differs from earlier ones. The inputs have `len` items, and there are at
        // most `len` runs.
        unsafe { ready.launch(&own, tiles, shape.group) }
    })
}

/// Returns the shape for tiles of at most `most` items, by the rules for long or for short inputs.
fn shape(profile: &DeviceProfile, size: usize, tile: &Tile, whats: [&Tunable; 2], most: usize) -> Shape {
    let &Tile { look_back: LookBack { sub_groups, .. }, short, item_bytes } = tile;
    let (what, width) = (whats[usize::from(short)], sub_groups.width);
    let bytes = item_bytes.max(1);
    // `within_local` below accounts for local memory.
    let (mut group, room) = profile.tile(what, size, sub_groups.groups(), |_, _| 0);
    let mut pack = pack(16, size);
    // Local memory has room for fewer large items.
    while group * pack > most && group > width {
        if pack > 1 { pack /= 2 } else { group = (group / 2).next_multiple_of(width) }
    }
    let packs = (room / (pack * bytes)).clamp(1, 16).min((most / (group * pack)).max(1));
    let shape = Shape { chunked: false, group, pack, packs, max_groups: usize::MAX, streams: false };
    // Local memory also holds a carried value for each sub-group.
    let room = profile.local_room(profile.tile_rule(what, size).local);
    shape.within_local(room, width, (bytes + CARRIED_INDEX) / width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::profile::tests::profile;

    #[test]
    fn groups_are_no_larger_than_the_device_has_them() {
        for (largest, group) in [(1024, [384, 256]), (256, [256, 256]), (100, [96, 96]), (64, [64, 64])] {
            let profile = DeviceProfile { largest_group: largest, ..profile(false, "") };
            let look_back = LookBack { sub_groups: SubGroups::WARPS, ..LookBack::ALONE };
            let of = |short| {
                let whats = [&shapes::SCAN_BY_KEY, &shapes::SHORT_SCAN_BY_KEY];
                shape(&profile, 4, &Tile { look_back, short, item_bytes: 8 }, whats, 1 << 20).group
            };
            assert_eq!([of(false), of(true)], group, "{largest}");
        }
    }
}
