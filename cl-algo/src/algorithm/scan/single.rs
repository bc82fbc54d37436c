//! Scans in one launch, by decoupled look-back.

use super::Parts;
use crate::algorithm::look_back::{LookBack, with_messages};
use crate::codegen::{Fused, Parameters, Template};
use crate::device_profile::{DeviceProfile, Shape, pack};
use crate::kernels;
use crate::sub_groups::SubGroups;
use crate::tuning::Tunable;
use cl_core::{Queue, Result};

/// `kernels/scan.cl`.
static TEMPLATE: Template<Values> = Template { kernel: "scan", definition: &kernels::SCAN, shape };

/// What `kernels/scan.cl` is compiled with.
#[derive(Clone, Copy, Parameters)]
pub(super) struct Values {
    pub(super) look_back: LookBack,
    pub(super) in_place: bool,
    pub(super) exclusive: bool,
    pub(super) has_initial: bool,
    /// Whether tiles are small.
    pub(super) short: bool,
    /// Elements of an item.
    pub(super) parts: usize,
}

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
    let exclusive = parts.initial.is_some();
    let values = Values {
        look_back,
        in_place: parts.in_place,
        exclusive,
        has_initial: exclusive,
        short: len < LONG,
        parts: parts.count,
    };
    let ready = fused.by(&TEMPLATE, values).compile(queue, len)?;
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
/// most 80 for each. On an H200, 2^28 `u32` take 0.646 ms by 384 work-items and 12 packs, 0.658 by 256 and 12,
/// 0.663 by 512 and 8; 2^27 `u64` take 0.641 ms by 384 and 10 packs of two, and 0.752 by 384 and 6 packs of
/// four, of which each access is to half of what lies side by side.
/// Where that makes fewer tiles than there are compute units, they are smaller.
pub(super) fn shape(profile: &DeviceProfile, size: usize, values: &Values) -> Shape {
    let &Values { look_back: LookBack { sub_groups, .. }, short, parts, .. } = values;
    let pack = pack(16, size);
    let (group, bytes) = match (sub_groups, short) {
        (SubGroups::Ptx, false) if size == 8 => (384, 160),
        (SubGroups::Ptx, false) => (384, 192),
        (SubGroups::Ptx, _) => (256, 64),
        _ => (profile.group.max(64), 32),
    };
    let what = if short { Tunable::ShortScan } else { Tunable::Scan };
    let parts = parts.max(1);
    let item = parts * size.next_power_of_two();
    // Registers have 4 bytes, also for smaller items.
    let packs = |bytes: usize| (bytes / (pack * size.max(4) * parts)).clamp(1, 16);
    // What `PUTS_ASIDE` stands for in the kernel, and an item for each sub-group.
    let aside = |bytes: usize| if sub_groups.size() > 1 && pack > 1 { packs(bytes) } else { 0 };
    let local = |group: usize, bytes| (group * aside(bytes) + group / sub_groups.size() + 2) * item + 64;
    let (group, bytes) = profile.tile(what, size, LEAST_GROUP, (group, bytes), local);
    let packs = packs(bytes);
    let shape = Shape { chunked: false, group, pack, packs, max_groups: usize::MAX, streams: false };
    // A carried item for each sub-group.
    shape.within_local(profile, sub_groups, size * parts / sub_groups.size())
}
