//! Stream compaction on devices that give each work-item a contiguous chunk.

use super::{Inputs, Rejects};
use crate::codegen::look_back::LookBack;
use crate::codegen::{Fused, Parameters, Template};
use crate::device::{Shape, shapes};
use crate::kernels;
use cl_core::{Access, Arg, Memory, Queue, Result};
use smallvec::SmallVec;

/// The kernel `select_runs` of `kernels/select_runs.cl`.
static TEMPLATE: Template<Values> = Template {
    kernel: "select_runs",
    definition: &kernels::SELECT_RUNS,
    shape: |profile, size, _| {
        let shape = profile.runs(&shapes::SELECT, size);
        let packs = shape.packs.clamp(LEAST_ITEMS, MOST_ITEMS);
        Shape { packs, max_groups: usize::MAX, ..shape }
    },
};

/// The smallest number of items in a tile: a block of the kernel.
const LEAST_ITEMS: usize = 64;
/// The largest number of items in a tile: each item takes a byte of the stack.
const MOST_ITEMS: usize = 16 << 10;

/// The parameters of `kernels/select_runs.cl`.
#[derive(Clone, Copy, Parameters)]
struct Values {
    look_back: LookBack,
    by_neighbour: bool,
    rejects: Rejects,
}

/// Selects items.
pub(super) fn select(
    queue: &Queue,
    inputs: &Inputs<'_>,
    fused: Fused<'_>,
    len: usize,
    count: &Memory,
    look_back: LookBack,
) -> Result<()> {
    let &Inputs { by_neighbour, rejects, .. } = inputs;
    let ready = fused.by(&TEMPLATE, Values { look_back, by_neighbour, rejects }).compile(queue, len)?;
    let tiles = len.div_ceil(ready.shape().tile());
    let pass = |access, pass: Option<u32>| {
        look_back.with_messages(queue, tiles, super::WORDS, |[totals, blocks, tickets, epoch]| {
            let own = [totals, blocks, tickets, epoch, ready.index(len), Arg::Memory(count, access)];
            let own: SmallVec<[Arg<'_>; 7]> = own.into_iter().chain(pass.map(Arg::value)).collect();
            // SAFETY: there is a group for each tile of `len` items, and room for the messages of all groups. The
            // messages' epoch differs from earlier ones. The inputs have `len` items, and at most `len` are stored.
            unsafe { ready.launch(&own, tiles, 1) }
        })
    };
    if rejects != Rejects::Behind {
        return pass(Access::Overwrite, None);
    }
    pass(Access::Overwrite, Some(0))?;
    pass(Access::Read, Some(1))
}
