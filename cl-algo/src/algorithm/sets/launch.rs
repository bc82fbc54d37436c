//! The launches of set operations.
//!
//! On GPUs a launch cuts the sequences into tiles, and a second one works on the tiles, with look-back. On CPUs, and for
//! items too large for local memory, each work-item cuts its chunk itself, in one launch.

use crate::algorithm::merge::tiles;
use crate::algorithm::moved::read_from;
use crate::algorithm::order::{Less, item_bytes};
use crate::codegen::look_back::{LookBack, Method};
use crate::codegen::{Fused, Parameters, Template, profile};
use crate::device::{DeviceProfile, Shape};
use crate::expr::{Expr, Item};
use crate::kernels;
use cl_core::{Access, Arg, Memory, Queue, Result};

/// The items that a set operation keeps: each flag is a number of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Parameters)]
pub(super) struct Kept {
    /// `true` for items of the first sequence without a partner in the second.
    pub(super) first: bool,
    /// `true` for items of the second sequence without a partner in the first.
    pub(super) second: bool,
    /// `true` for items of the first sequence with a partner.
    pub(super) both: bool,
}

/// The kernel `set_cuts` of `kernels/set_cuts.cl`.
static CUTS: Template<Kept> = Template {
    kernel: "set_cuts",
    definition: &kernels::SET_CUTS,
    shape: |profile, _, _| Shape {
        chunked: profile.chunked,
        group: profile.largest_group.min(CUTTERS),
        pack: 1,
        packs: 1,
        max_groups: usize::MAX,
        streams: false,
    },
};

/// The kernel `set_tiles` of `kernels/set_tiles.cl`.
static TILES: Template<Values> = Template {
    kernel: "set_tiles",
    definition: &kernels::SET_TILES,
    shape: |profile, _, values| {
        // Without a shape for tiles, another kernel is chosen.
        tile_shape(profile, values).unwrap_or_else(|| chunk_shape(profile, values.item_bytes))
    },
};

/// The kernel `set_runs` of `kernels/set_runs.cl`.
static RUNS: Template<Values> = Template {
    kernel: "set_runs",
    definition: &kernels::SET_RUNS,
    shape: |profile, _, values| chunk_shape(profile, values.item_bytes),
};

/// The parameters of the kernels that work on items.
#[derive(Clone, Copy, Parameters)]
pub(super) struct Values {
    pub(super) look_back: LookBack,
    pub(super) kept: Kept,
    pub(super) item_bytes: usize,
}

/// The number of work-items in a work-group that searches for cuts: few, so that the searches spread over the device.
const CUTTERS: usize = 64;
/// The number of bytes in local memory that the items of a chunk take at most. They stay in the first cache or the second.
const CHUNK_BYTES: usize = 32 << 10;
/// The number of 32-bit words for a count.
const WORDS: usize = 2;

/// Returns the shape of tiles: that of a merge with fewer items, if the merge's tile would leave no room for the other
/// variables. Returns `None` if not one item for each work-item of a sub-group fits into local memory.
pub(super) fn tile_shape(profile: &DeviceProfile, values: &Values) -> Option<Shape> {
    let (bytes, width) = (values.item_bytes.max(1), values.look_back.sub_groups.width);
    let mut shape = tiles(profile, bytes).within_local(usize::MAX, width, 0);
    if shape.chunked || shape.group < width || !shape.group.is_multiple_of(width) {
        return None;
    }
    // Two cuts for each work-item, a total for each sub-group, and a few other words.
    let others = shape.group * 8 + shape.group / width * 8 + 256;
    let room = profile.local_memory.saturating_sub(others) / bytes;
    while shape.group * shape.packs + 2 > room {
        shape.packs = shape.packs.checked_sub(2)?;
        if shape.packs == 0 {
            return None;
        }
    }
    Some(shape)
}

/// Returns the shape of chunks.
fn chunk_shape(profile: &DeviceProfile, bytes: usize) -> Shape {
    let bytes = bytes.max(1);
    let room = CHUNK_BYTES.min(profile.local_memory / 2);
    // A small buffer on the chunk's end for two more items.
    let packs = (room / bytes).clamp(3, 8192) - 2;
    Shape { chunked: true, group: 1, pack: 1, packs, max_groups: usize::MAX, streams: false }
}

/// The two sequences of a set operation, and how their items are compared.
pub(super) struct Sequences<'a, T: Item> {
    pub(super) a: Expr<'a, T>,
    pub(super) b: Expr<'a, T>,
    pub(super) lengths: [usize; 2],
    pub(super) less: Less,
}

impl<'a, T: Item> Sequences<'a, T> {
    /// Adds the inputs and the comparator to a kernel.
    fn fill(&self, fused: Fused<'a>) -> Fused<'a> {
        let fused = fused.input("A", self.a.clone()).input("B", self.b.clone());
        fused.with_operator("LESS", "A", &self.less.0, Less::elements::<T>())
    }

    /// Stores the kept items in `output`, a kernel with one output, at most `limit` of them, and their number in `count`.
    pub(super) fn keep(
        &self,
        queue: &Queue,
        kept: Kept,
        output: Fused<'a>,
        limit: usize,
        count: &Memory,
        method: Method,
    ) -> Result<()> {
        let [a_len, b_len] = self.lengths;
        let total = a_len + b_len;
        let item_bytes = item_bytes::<T>();
        let device = profile(queue.context())?;
        let tiled = match method.on(queue)? {
            Method::LookBack(look_back) => {
                let values = Values { look_back, kept, item_bytes };
                tile_shape(&device, &values).map(|shape| (values, shape))
            }
            _ => None,
        };
        let Some((values, shape)) = tiled else {
            let values = Values { look_back: LookBack::ALONE, kept, item_bytes };
            let fused = self.fill(output).input("A_LENGTH", a_len as u64).input("B_LENGTH", b_len as u64);
            let ready = fused.by(&RUNS, values).compile(queue, total)?;
            let tiles = total.div_ceil(ready.shape().tile());
            return values.look_back.with_messages(
                queue,
                tiles,
                WORDS,
                |[totals, blocks, tickets, epoch]| {
                    let count = Arg::Memory(count, Access::Overwrite);
                    let own = [totals, blocks, tickets, epoch, ready.index(tiles), ready.index(limit), count];
                    // SAFETY: there is a group for each tile, and room for the messages of all groups. The messages' epoch
                    // differs from earlier ones. The kernel reads items below the lengths, and stores at most `limit` items.
                    unsafe { ready.launch(&own, tiles, 1) }
                },
            );
        };
        let tiles = total.div_ceil(shape.tile());
        let memory = queue.scratch((tiles + 1) * 2 * size_of::<u64>())?;
        let fused = self.fill(Fused::new(output.operation));
        let cut = fused.by(&CUTS, kept).compile(queue, total)?;
        let own = [
            cut.index(a_len),
            cut.index(b_len),
            cut.index(shape.tile()),
            cut.index(tiles + 1),
            Arg::Memory(&memory, Access::Overwrite),
        ];
        let group = cut.shape().group;
        // SAFETY: the kernel reads items below the lengths, and writes two numbers for each of `tiles + 1` cuts.
        unsafe { cut.launch(&own, (tiles + 1).div_ceil(group), group)? };
        let cuts = [&*memory];
        let cuts = read_from::<u64>(queue, &cuts, 2 * (tiles + 1));
        let fused = self.fill(output).input("CUT", cuts);
        let ready = fused.by(&TILES, values).compile(queue, total)?;
        values.look_back.with_messages(queue, tiles, WORDS, |[totals, blocks, tickets, epoch]| {
            let count = Arg::Memory(count, Access::Overwrite);
            let own = [totals, blocks, tickets, epoch, ready.index(tiles), ready.index(limit), count];
            // SAFETY: as above. The cuts of all tiles and of the end were just written, and lie in the sequences.
            unsafe { ready.launch(&own, tiles, shape.group) }
        })
    }
}
