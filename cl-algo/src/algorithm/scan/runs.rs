//! Scans in two launches: the totals of contiguous runs, and the runs themselves.

use super::Parts;
use crate::codegen::{Fused, Parameters, Template};
use crate::device::shapes;
use crate::kernels;
use cl_core::{Access, Arg, Queue, Result};

/// `kernels/scan_runs.cl`.
static TEMPLATE: Template<Values> = Template {
    kernel: "scan_runs",
    definition: &kernels::SCAN_RUNS,
    shape: |profile, size, _| profile.runs(&shapes::SCAN, size),
};

/// What `kernels/scan_runs.cl` is compiled with.
#[derive(Clone, Copy, Parameters)]
struct Values {
    /// The launch: 0 or 1.
    pass: u8,
    exclusive: bool,
    has_initial: bool,
}

pub(super) fn scan(queue: &Queue, parts: &Parts<'_>, fused: Fused<'_>, len: usize) -> Result<()> {
    let exclusive = parts.initial.is_some();
    let totals = parts.fill(false);
    let totals = totals.by(&TEMPLATE, Values { pass: 0, exclusive: false, has_initial: false });
    let results = fused.by(&TEMPLATE, Values { pass: 1, exclusive, has_initial: exclusive });
    let ready = Fused::compile_all(&[&totals, &results], queue, len)?;
    let (first, second) = (&ready[0], &ready[1]);
    let shape = first.shape();
    let groups = (len / shape.tile()).clamp(1, shape.max_groups);

    let room = queue.scratch(groups * parts.words * size_of::<u32>())?;
    // SAFETY: there are no more runs than items, and room for the total of each; the inputs have `len`
    // items.
    unsafe { first.launch(&[Arg::Memory(&room, Access::Overwrite), first.index(len)], groups, 1)? };
    // SAFETY: as above, and the outputs have `len` items.
    unsafe { second.launch(&[Arg::Memory(&room, Access::Read), second.index(len)], groups, 1) }
}
