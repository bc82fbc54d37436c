//! Scans in one launch, by decoupled look-back.

use super::Parts;
use crate::algorithm::look_back::{LookBack, with_messages};
use crate::codegen::{Fused, Template};
use crate::device_profile::{DeviceProfile, Shape, pack};
use crate::sub_groups::SubGroups;
use crate::tuning::Tunable;
use cl_core::{Queue, Result};

/// `kernels/scan.cl`.
pub(super) static TEMPLATE: Template = Template {
    kernel: "scan",
    text: concat!(
        "#define CARRIED ITEM\n#define CARRY(a, b) COMBINE(a, b)\n\n",
        include_str!("../../kernels/subgroup.cl"),
        include_str!("../../kernels/group_scan.cl"),
        include_str!("../../kernels/message.cl"),
        include_str!("../../kernels/look_back.cl"),
        include_str!("../../kernels/scan.cl"),
    ),
    values: &[
        "SUBGROUP_BY",
        "TICKETS",
        "SPINS",
        "STALLED",
        "IN_PLACE",
        "EXCLUSIVE",
        "HAS_INITIAL",
        "SHORT",
        "PARTS",
    ],
    shape,
    options: |options, _| options,
};

/// Work-items of a group, at least: a sub-group.
const LEAST_GROUP: usize = 32;
/// From here on tiles are large.
const LONG: usize = 1 << 23;

pub(super) fn scan(
    queue: &Queue,
    parts: &Parts<'_>,
    fused: Fused<'_>,
    len: usize,
    look_back: LookBack,
) -> Result<()> {
    let exclusive = i64::from(parts.initial.is_some());
    let own = [i64::from(parts.in_place), exclusive, exclusive, i64::from(len < LONG), parts.count as i64];
    let fused = fused.by(&TEMPLATE, &[&look_back.values()[..], &own[..]].concat());
    let ready = fused.compile(queue, len)?;
    let shape = ready.shape();
    let tiles = len.div_ceil(shape.tile());
    with_messages(
        queue,
        tiles,
        look_back.sub_groups.size(),
        parts.words,
        |[totals, blocks, tickets, epoch]| {
            let own = [totals, blocks, tickets, epoch, ready.index(len)];
            // SAFETY: a group for each tile of `len` items, messages for all of them, of another epoch than
            // what lies there; what the kernel reads and writes beside them has `len` items.
            unsafe { ready.launch(&own, tiles, shape.group) }
        },
    )
}

/// As much in registers as leaves room for 768 work-items at once on a compute unit of 65536 registers: at
/// most 80 for each. By register count, not timed yet: NVIDIA's compiler (NVVM and ptxas 12.9 for `sm_90`)
/// gives the kernel 79 for `u32` and 78 for `f32` by 384 work-items and 12 packs, 80 for `u64` by 256 and 6
/// packs of four, and none is spilled. By 256 and 12 it is 78 for `u32`, but `f32` is squeezed into 64, with
/// 18 spilled; `u64` by 256 and 8 takes 112. By hand the same algorithm takes 80 for `u32` by 384 and 12, and
/// 0.637 ms for 2^28 on an H200; 2^27 `u64` in packs of two were slower than in packs of four, 0.842 to 0.734.
/// Where that makes fewer tiles than there are compute units, they are smaller.
fn shape(profile: &DeviceProfile, size: usize, values: &[i64]) -> Shape {
    let [sub_groups, .., short, parts] = values else { return profile.reduction(size) };
    let pack = if size == 8 { 4 } else { pack(16, size) };
    let sub_groups = SubGroups::of(*sub_groups);
    let (group, bytes) = match (sub_groups, *short) {
        (SubGroups::Ptx, 0) if size == 8 => (256, 192),
        (SubGroups::Ptx, 0) => (384, 192),
        (SubGroups::Ptx, _) => (256, 64),
        _ => (profile.group.max(64).min(profile.largest_group), 32),
    };
    let what = if *short == 1 { Tunable::ShortScan } else { Tunable::Scan };
    let parts = (*parts).max(1) as usize;
    let item = parts * size.next_power_of_two();
    let local = |group: usize, _| (group / sub_groups.size() + 2) * item + 64;
    let (group, bytes) = profile.tile(what, size, LEAST_GROUP, (group, bytes), local);
    // Registers have 4 bytes, also for smaller items.
    let room = bytes / (pack * size.max(4) * parts);
    let packs = room.clamp(1, 16);
    let shape = Shape { chunked: false, group, pack, packs, max_groups: usize::MAX, streams: false };
    // A carried item for each sub-group.
    shape.within_local(sub_groups, size * parts / sub_groups.size())
}
