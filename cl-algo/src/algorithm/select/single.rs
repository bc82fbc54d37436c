//! Stream compaction in one launch, by decoupled look-back.

use super::Parts;
use crate::algorithm::look_back::{LookBack, with_messages};
use crate::codegen::{Fused, Template};
use crate::device_profile::{DeviceProfile, Shape, pack};
use crate::sub_groups::SubGroups;
use crate::tuning::Tunable;
use cl_core::{Access, Arg, Memory, Queue, Result};

/// `kernels/select.cl`.
pub(super) static TEMPLATE: Template = Template {
    kernel: "select_items",
    text: concat!(
        "#define CARRIED INDEX\n#define CARRY(a, b) ((a) + (b))\n#define IN_PLACE 0\n\n",
        include_str!("../../kernels/subgroup.cl"),
        include_str!("../../kernels/group_scan.cl"),
        include_str!("../../kernels/message.cl"),
        include_str!("../../kernels/look_back.cl"),
        include_str!("../../kernels/row_counts.cl"),
        include_str!("../../kernels/kept.cl"),
        include_str!("../../kernels/select.cl"),
    ),
    values: &["SUBGROUP_BY", "TICKETS", "SPINS", "STALLED", "BY_NEIGHBOUR", "REJECTS", "SHORT", "PARTS"],
    shape,
    options: |options, _| options,
};

/// Words of 32 bits that a count takes, at most.
const WORDS: usize = 2;
/// Work-items of a group, at least: a sub-group.
const LEAST_GROUP: usize = 32;
/// From here on tiles are large.
const LONG: usize = 1 << 22;

pub(super) fn select(
    queue: &Queue,
    parts: &Parts<'_>,
    fused: Fused<'_>,
    len: usize,
    count: &Memory,
    look_back: LookBack,
) -> Result<()> {
    let own =
        [i64::from(parts.by_neighbour), parts.rejects as i64, i64::from(len < LONG), parts.count as i64];
    let fused = fused.by(&TEMPLATE, &[&look_back.values()[..], &own[..]].concat());
    let ready = fused.compile(queue, len)?;
    let shape = ready.shape();
    let tiles = len.div_ceil(shape.tile());
    with_messages(queue, tiles, look_back.sub_groups.size(), WORDS, |[totals, blocks, tickets, epoch]| {
        let own = [totals, blocks, tickets, epoch, ready.index(len), Arg::Memory(count, Access::Overwrite)];
        // SAFETY: a group for each tile of `len` items, messages for all of them, of another epoch than
        // what lies there; the inputs have `len` items, and no more than that are stored.
        unsafe { ready.launch(&own, tiles, shape.group) }
    })
}

/// 144 bytes of items a work-item, which local memory holds as well. On an NVIDIA H200, ms for half of
/// 2^28 `u32` by work-items and packs: 256 and 9 0.537, 256 and 10 or 8 0.565, 128 and 12 0.581.
fn shape(profile: &DeviceProfile, size: usize, values: &[i64]) -> Shape {
    let [sub_groups, .., short, parts] = values else { return profile.reduction(size) };
    let pack = pack(16, size);
    let sub_groups = SubGroups::of(*sub_groups);
    let (group, bytes) = match (sub_groups, *short) {
        (SubGroups::Ptx, 0) => (256, 144),
        (SubGroups::Ptx, _) => (256, 64),
        _ => (profile.group.max(64), 32),
    };
    let what = if *short == 1 { Tunable::ShortSelect } else { Tunable::Select };
    let parts = (*parts).max(1) as usize;
    let packs = |bytes: usize| (bytes / (pack * size.max(4) * parts)).clamp(1, 16);
    let item = parts * size.next_power_of_two();
    // All items of the tile, a count for each sub-group, of one work-item at the worst, and some words.
    let local = |group: usize, bytes| group * (packs(bytes) * pack * item + 8) + 64;
    let (group, bytes) = profile.tile(what, size, LEAST_GROUP, (group, bytes), local);
    let packs = packs(bytes);
    let shape = Shape { chunked: false, group, pack, packs, max_groups: usize::MAX, streams: false };
    shape.within_local(profile, sub_groups, packs * pack * size * parts)
}
