//! Stream compaction in two launches: counts of contiguous runs, and the runs themselves.

use super::{Parts, Rejects};
use crate::codegen::{Fused, Parameters, Template};
use crate::device::shapes;
use crate::kernels;
use cl_core::{Access, Arg, Memory, Queue, Result};

/// `kernels/select_runs.cl`.
static TEMPLATE: Template<Values> = Template {
    kernel: "select_runs",
    definition: &kernels::SELECT_RUNS,
    shape: |profile, size, _| profile.runs(&shapes::SELECT, size),
};

/// What `kernels/select_runs.cl` is compiled with.
#[derive(Clone, Copy, Parameters)]
struct Values {
    /// The launch: 0 or 1.
    pass: u8,
    by_neighbour: bool,
    rejects: Rejects,
}

pub(super) fn select(
    queue: &Queue,
    parts: &Parts<'_>,
    fused: Fused<'_>,
    len: usize,
    count: &Memory,
) -> Result<()> {
    let Parts { by_neighbour, rejects, .. } = *parts;
    let counts = parts.fill();
    let counts = counts.by(&TEMPLATE, Values { pass: 0, by_neighbour, rejects: Rejects::Dropped });
    let items = fused.by(&TEMPLATE, Values { pass: 1, by_neighbour, rejects });
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
