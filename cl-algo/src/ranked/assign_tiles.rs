//! Elementwise evaluation of stencils on GPUs, by tiles of rows.
//!
//! Each line of an array is needed by several rows of the output. If work-groups take rows in their order, these rows are
//! computed on different compute units, and each of them reads the line from the second cache. The work-groups of tiles find
//! most of these lines in their own first cache.

use crate::codegen::{Fused, Parameters, Template};
use crate::device::{DeviceProfile, Shape, profile};
use crate::ir::graph::Graph;
use crate::kernels;
use cl_core::{Queue, Result};

/// The kernel `assign_tiles` of `kernels/assign_tiles.cl`.
static ASSIGN_TILES: Template<Tiles> = Template {
    kernel: "assign_tiles",
    definition: &kernels::ASSIGN_TILES,
    shape: |profile, size, tiles| {
        let shape = profile.elementwise(size);
        Shape { packs: 1, group: (shape.group / tiles.width * tiles.width).max(tiles.width), ..shape }
    },
};

/// The parameters of the kernel `assign_tiles`.
#[derive(Clone, Copy, Debug, Parameters)]
struct Tiles {
    /// The number of work-items along a row.
    width: usize,
}

/// The number of work-items of a tile along a row, and of layers that a work-group with tiles walks through. On an H200, the
/// 7-point operator of the sum of two arrays of 2^28 `f32` takes 1.26 ms by rows, and 0.894, 0.899 and 0.981 by tiles of 4, 8
/// and 32 layers. For 2^27 `f64` the times are 1.15, 0.878, 0.881 and 0.970 ms.
const WIDTH: usize = 32;
const DEEP: usize = 4;

/// The minimal number of loads of an expression that is evaluated by tiles. On an H200, two operators of seven and eight loads
/// of 2^23 `f64`, one after the other, take 0.108 ms by rows and 0.138 ms by tiles.
const LEAST_LOADS: usize = 12;

/// The maximal number of items that a work-item loads from all rows. On an H200, a stencil of a stencil, which reads 18 rows,
/// takes 0.134 ms by rows and 0.104 ms by tiles for 2^23 `f64` in packs of two, and 0.144 and 0.184 ms for 2^24 `f32` in packs
/// of four.
const MOST_ITEMS: usize = 64;

/// The number of work-groups for each compute unit from which on work-groups with tiles walk through more layers.
const GROUPS: usize = 16;

/// Returns whether an expression of neighbours in several rows is evaluated faster by tiles.
pub(super) fn gains_by_tiles(graph: &Graph<'_>, profile: &DeviceProfile) -> bool {
    let sizes = graph.vectors.iter().map(|vector| vector.element.size());
    let pack = profile.elementwise(sizes.max().unwrap_or(1)).pack;
    let [loads, bases] = graph.loads_and_bases();
    loads >= LEAST_LOADS && bases * pack <= MOST_ITEMS && profile.largest_group >= WIDTH
}

/// Enqueues the kernel over tiles of rows, from item `begin` of each row on.
pub(super) fn evaluate_tiles(fused: &Fused<'_>, queue: &Queue, begin: usize, reach: usize) -> Result<()> {
    let Some(rows) = &fused.rows else { return Ok(()) };
    let [tall, layers] = [rows.extents[0], rows.extents[1]];
    let ready = fused.by(&ASSIGN_TILES, Tiles { width: WIDTH }).compile(queue, reach)?;
    let shape = ready.shape();
    let across = rows.len.div_ceil(WIDTH * shape.pack);
    let down = tall.div_ceil(shape.group / WIDTH);
    let columns = across * down * (rows.count() / (tall * layers));
    // Short walks, rather than idle compute units.
    let enough = GROUPS * profile(queue.context())?.compute_units;
    let mut deep = DEEP;
    while deep > 1 && columns * layers.div_ceil(deep) < enough {
        deep /= 2;
    }
    let back = layers.div_ceil(deep);
    let sizes = [begin, rows.len, tall, layers, deep];
    let mut own: Vec<_> = sizes.into_iter().map(|size| ready.index(size)).collect();
    for count in [across, down, back] {
        own.push(ready.index(count));
        own.extend(ready.division(count));
    }
    let units = columns * back;
    own.push(ready.index(units));
    // SAFETY: the kernel reads and writes the items of the rows. Their indices were checked when the space was lowered.
    unsafe { ready.launch(&own, units.clamp(1, shape.max_groups), shape.group) }
}
