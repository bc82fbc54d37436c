//! Stream compaction in two launches: counts of contiguous runs, and the runs themselves.

use super::Parts;
use crate::codegen::{Fused, Template};
use crate::tuning::Tunable;
use cl_core::{Access, Arg, Memory, Queue, Result};

/// `kernels/select_runs.cl`.
static TEMPLATE: Template = Template {
    kernel: "select_runs",
    text: concat!(include_str!("../../kernels/kept.cl"), include_str!("../../kernels/select_runs.cl")),
    values: &["PASS", "BY_NEIGHBOUR", "REJECTS"],
    shape: |profile, size, _| profile.runs(Tunable::Select, size, GRAIN),
    options: |options, _| options,
};

/// Items that are worth a work-item of their own.
const GRAIN: usize = 4096;

pub(super) fn select(
    queue: &Queue,
    parts: &Parts<'_>,
    fused: Fused<'_>,
    len: usize,
    count: &Memory,
) -> Result<()> {
    let by_neighbour = i64::from(parts.by_neighbour);
    let counts = parts.fill(&TEMPLATE).by(&TEMPLATE, &[0, by_neighbour, 0]);
    let items = fused.by(&TEMPLATE, &[1, by_neighbour, parts.rejects as i64]);
    let ready = Fused::compile_all(&[&counts, &items], queue, len)?;
    let (first, second) = (&ready[0], &ready[1]);
    let shape = first.shape();
    let groups = (len / shape.tile()).clamp(1, shape.max_groups);

    let room = queue.scratch(groups * size_of::<u64>())?;
    // SAFETY: room for the count of each run; the flags have `len` items.
    unsafe { first.launch(&[Arg::Memory(&room, Access::Overwrite), first.index(len)], groups, 1)? };
    let own = [Arg::Memory(&room, Access::Read), second.index(len), Arg::Memory(count, Access::Overwrite)];
    // SAFETY: as above; no more items are stored than there are.
    unsafe { second.launch(&own, groups, 1) }
}
