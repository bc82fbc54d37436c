//! Products of matrices of doubles, and of numbers of 19 bits or fewer, by the matrix units of GPUs.

use super::assign::Untyped;
use super::panels::{Panels, Product, Room};
use super::triangles::Half;
use crate::codegen::matrix_units::UnitFormat;
use crate::codegen::{Fused, Parameters, Ready, Template};
use crate::device::{DeviceProfile, Shape};
use crate::element::Number;
use crate::expr::{Format, format_of};
use crate::ir::graph::{Graph, Replace};
use crate::ir::leaf::Scalar;
use crate::ir::rows::Affine;
use crate::ir::space::{Lowered, Space, Together};
use crate::kernels;
use cl_core::{Access, Arg, Queue, Result};

/// The kernel of `kernels/contract_fragments.cl`, for numbers of a [`Format`].
static CONTRACT_FRAGMENTS: Template<Tiles> =
    Template { kernel: "contract_fragments", definition: &kernels::CONTRACT_FRAGMENTS, shape };

/// The kernel of `kernels/contract_fragments.cl`, for doubles.
static CONTRACT_UNITS: Template<Tiles> =
    Template { kernel: "contract_fragments", definition: &kernels::CONTRACT_UNITS, shape };

/// The kernel of `kernels/pack_fragments.cl`.
static PACK_FRAGMENTS: Template<Packing> = Template {
    kernel: "pack_fragments",
    definition: &kernels::PACK_FRAGMENTS,
    shape: |profile, size, values| {
        let shape = profile.elementwise(size);
        // Packs of numbers divide a chunk. Chunks of doubles are made item by item.
        let pack = if values.format == DOUBLES { 1 } else { shape.pack.min(4) };
        Shape { chunked: false, group: 256, pack, packs: 1, ..shape }
    },
};

/// The parameters of the kernel `pack_fragments`.
#[derive(Clone, Copy, Debug, Parameters)]
struct Packing {
    /// `true` if the rows of the left matrix's index space are the lines of its panels.
    left_along: bool,
    /// `true` if the rows of the right matrix's index space are the lines of its panels.
    right_along: bool,
    /// The number of lines in a panel of the left matrix.
    left_width: usize,
    /// The number of lines in a panel of the right matrix.
    width: usize,
    /// The number of the [`UnitFormat`].
    format: usize,
}

impl Packing {
    /// Returns the number of items of each line that a work-group copies at once: `ITEMS` in the kernel.
    fn items(self, chunk: usize) -> usize {
        if self.format == DOUBLES { 32 } else { 8 * chunk }
    }
}

/// The number of doubles as a [`UnitFormat`].
const DOUBLES: usize = 3;

/// Returns the shape: four warps multiply, and one has fragments copied. A pack is what a work-item stores at once.
///
/// On an H200, BF16, the kernel that multiplies took 40.3 µs at 2048 with stores of single items, 30.5 of two, 29.2 of four, and
/// 248, 225 and 217 at 4096.
fn shape(profile: &DeviceProfile, size: usize, tiles: &Tiles) -> Shape {
    let shape = profile.elementwise(size);
    let most = if tiles.format == DOUBLES { 2 } else { 4 };
    Shape { group: 160, pack: shape.pack.min(most), packs: 1, ..shape }
}

/// The number of bytes of each line in a step: two chunks of `kernels/pack_fragments.cl`.
const STEP: usize = 32;

/// The number of bytes in a stage: `STAGE` chunks of `kernels/contract_fragments.cl`.
const STAGE: usize = 8192;

/// The parameters of the kernel `contract_fragments`.
#[derive(Clone, Copy, Debug, Parameters)]
struct Tiles {
    /// The number of rows of a work-group.
    left_width: usize,
    /// The number of columns of a work-group.
    width: usize,
    /// The number of the [`Format`], or 3 for doubles.
    format: usize,
    /// The number of the [`Half`] that is computed.
    output: usize,
}

impl Tiles {
    /// Returns the largest tiles of which there are enough for all compute units.
    ///
    /// On an H200, BF16, 4096 x 4096, products by CUDA: tiles of 128 x 128 by one warp group 0.248 ms, by two 0.273, of 64 x 256
    /// 0.278, of 256 x 128 0.335. Two work-groups share a compute unit, and one multiplies while the other waits. Doubles: tiles
    /// of 64 x 64 2.44 ms, of 128 x 64 with eight warps 2.52; larger ones do not fit into registers.
    fn of(profile: &DeviceProfile, product: Product, units: UnitFormat, output: Option<Half>) -> Tiles {
        let format = units.number();
        let output = Half::number(output);
        let sizes = match units {
            UnitFormat::Doubles => [64, 32],
            UnitFormat::Of(_) => [128, 64],
        };
        let halves = if output == 0 { 1 } else { 2 };
        let is_busy = |tiles: &Tiles| {
            let blocks =
                product.rows.div_ceil(tiles.left_width).saturating_mul(product.columns.div_ceil(tiles.width));
            product.batches.saturating_mul(blocks) / halves >= profile.compute_units.saturating_mul(3) / 4
        };
        let [large, small] = sizes.map(|width| Tiles { left_width: width, width, format, output });
        if is_busy(&large) { large } else { small }
    }
}

/// Returns the format that both operands are rounded to, if matrix units multiply numbers of this format.
pub(super) fn common_format(left: &Graph<'_>, right: &Graph<'_>) -> Option<Format> {
    format_of(left).filter(|format| format_of(right) == Some(*format))
}

/// A product of matrices in fragments.
pub(super) struct InFragments<'c, 't> {
    pub(super) operation: &'static str,
    pub(super) queue: &'t Queue,
    pub(super) targets: &'c [Untyped<'t>],
    pub(super) product: Product,
    /// The half of the output that is computed.
    pub(super) output: Option<Half>,
    /// The operands, each with the shape of its index space.
    pub(super) operands: [(&'c Graph<'t>, &'c [usize]); 2],
    /// The results, as functions of an item of the product, a parameter.
    pub(super) results: &'c Graph<'t>,
    /// `true` if the results read elements of the targets.
    pub(super) in_place: bool,
}

impl<'t> InFragments<'_, 't> {
    /// Multiplies the matrices, whose elements are rounded to the format.
    pub(super) fn multiply(&self, profile: &DeviceProfile, units: UnitFormat) -> Result<()> {
        let tiles = Tiles::of(profile, self.product, units, self.output);
        match units {
            UnitFormat::Doubles => self.multiply_items::<f64>(&CONTRACT_UNITS, tiles, 8),
            UnitFormat::Of(Format::Tf32) => self.multiply_items::<f32>(&CONTRACT_FRAGMENTS, tiles, 4),
            UnitFormat::Of(Format::Bf16 | Format::F16) => {
                self.multiply_items::<f32>(&CONTRACT_FRAGMENTS, tiles, 2)
            }
        }
    }

    /// Multiplies the matrices, whose items are stored in `size` bytes each. The product has items of `T`.
    fn multiply_items<T: Number>(
        &self,
        template: &'static Template<Tiles>,
        tiles: Tiles,
        size: usize,
    ) -> Result<()> {
        let &InFragments { operation, queue, targets, product, operands: [left, right], .. } = self;
        let step = STEP / size;
        // A stage has whole steps.
        let depth = STAGE / (STEP * (tiles.left_width + tiles.width));
        let steps = product.inner.div_ceil(step).next_multiple_of(depth);
        let padded = steps * step;
        let rooms = [(left.1, tiles.left_width, true), (right.1, tiles.width, false)]
            .map(|(shape, width, is_left)| Panels { operation, queue, shape, width, padded, is_left });
        let (left, right) = (rooms[0].room(size)?, rooms[1].room(size)?);
        let copy = self.copy(tiles, [&left, &right], steps, size)?;
        let copying = copy.compile(queue)?;
        let Some(first) = targets.first() else { return Ok(()) };
        let forms: Vec<Affine> = targets.iter().map(Untyped::affine).collect();
        let Lowered { graph: mut results, stores, rows: space, reach, .. } =
            Space::in_order(operation, self.results, &forms, first.shape(), 1)?;
        results.len = None;
        let mut fused = Fused::new(operation).with_input("", Graph::scalar(Scalar::new(T::zeroed())));
        let roots = fused.graph.absorb(&results, Replace::Nothing, operation);
        let count = targets.iter().map(Untyped::len).max().unwrap_or_default();
        let own = targets.iter().zip(&stores).map(|(target, store)| target.with_index(*store, count));
        fused = fused.with_targets("", "", roots, own, self.in_place);
        fused.rows = space;
        let reach = reach.max(left.items).max(right.items);
        let ready = fused.by(template, tiles).compile(queue, reach)?;
        let shape = ready.shape();
        let (blocks, right_panels) = (left.panels, right.panels);
        let chunk = 16 / size;
        let numbers = [
            product.rows,
            product.columns,
            steps,
            product.batches,
            left.batch / chunk,
            right.batch / chunk,
            blocks,
            right_panels,
        ];
        let mut own = vec![Arg::Memory(&left.memory, Access::Read), Arg::Memory(&right.memory, Access::Read)];
        own.extend(numbers.into_iter().map(|number| ready.index(number)));
        let groups = (product.batches * blocks * right_panels).clamp(1, shape.max_groups);
        // Both kernels are ready before the first one is enqueued, so that the device does not wait for the second one.
        copy.launch(&copying, [&left, &right])?;
        // SAFETY: the kernel reads panels that were written before it, and stores the outputs, whose indices were checked
        // when the space was lowered.
        unsafe { ready.launch(&own, groups, shape.group) }
    }

    /// Returns the copy of both operands into fragments.
    fn copy(&self, tiles: Tiles, rooms: [&Room<'_>; 2], steps: usize, size: usize) -> Result<Copies<'t>> {
        let &InFragments { operation, product, operands, .. } = self;
        let mut graphs = operands.map(|(graph, _)| graph.clone());
        if tiles.format != DOUBLES {
            // The kernel rounds the numbers.
            graphs.iter_mut().for_each(Graph::replace_root_by_argument);
        }
        let parts = [(&graphs[0], operands[0].1), (&graphs[1], operands[1].1)];
        let (together, turned) = Space::both_matrices(operation, parts)?;
        let Together { graphs: [mut left, mut right], rows, reach, .. } = together;
        (left.len, right.len) = (None, None);
        let mut fused = Fused::new(operation).with_input("", right);
        fused.read("LEFT", left);
        fused.rows = Some(rows);
        let Tiles { left_width, width, format, .. } = tiles;
        let (left_along, right_along) = (!turned[0], turned[1]);
        let packing = Packing { left_along, right_along, left_width, width, format };
        let pieces = [(rooms[0], left_width), (rooms[1], width)]
            .map(|(room, width)| (room.panels * (width / width.min(64)), room.batches));
        let across = (steps * (STEP / size)).div_ceil(packing.items(16 / size));
        let [left_units, right_units] = pieces.map(|(pieces, batches)| pieces * batches * across);
        let numbers = [
            product.rows,
            product.columns,
            product.inner,
            steps,
            pieces[0].0,
            pieces[1].0,
            left_units,
            left_units + right_units,
        ];
        Ok(Copies { fused, packing, numbers, reach: reach.max(rooms[0].items).max(rooms[1].items) })
    }
}

/// The copy of both operands, which is not enqueued yet.
struct Copies<'t> {
    fused: Fused<'t>,
    packing: Packing,
    /// The kernel's numbers, of which the last one is that of its units of work.
    numbers: [usize; 8],
    reach: usize,
}

impl<'t> Copies<'t> {
    fn compile<'f>(&'f self, queue: &'f Queue) -> Result<Ready<'f, 't>> {
        self.fused.by(&PACK_FRAGMENTS, self.packing).compile(queue, self.reach)
    }

    /// Enqueues the kernel.
    fn launch(&self, ready: &Ready<'_, '_>, rooms: [&Room<'_>; 2]) -> Result<()> {
        let mut own: Vec<_> = rooms.map(|room| Arg::Memory(&room.memory, Access::Overwrite)).into();
        own.extend(self.numbers.into_iter().map(|number| ready.index(number)));
        let [.., units] = self.numbers;
        let shape = ready.shape();
        // SAFETY: the kernel reads items of the matrices, whose indices were checked when the space was lowered, and
        // writes the panels, for which there is room.
        unsafe { ready.launch(&own, units.clamp(1, shape.max_groups), shape.group) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::Element;
    use crate::expr::Expr;
    use crate::ir::leaf::Vector;
    use crate::ranked::{AxisMap, Layout, load};
    use crate::vec::DeviceVec;

    /// Returns item `k` of line `line` of matrix `batch`.
    fn item(batch: usize, line: usize, k: usize) -> f64 {
        (batch * 1_000_000 + line * 1000 + k + 1) as f64
    }

    /// Returns an operand of this shape, and its items in an order in which the last axis, or the one before it, has neighbours.
    fn operand(queue: &Queue, shape: &[usize], is_left: bool, turned: bool) -> DeviceVec<f64> {
        let (batches, [rows, columns]) = match *shape {
            [batches, rows, columns] => (batches, [rows, columns]),
            [rows, columns] => (1, [rows, columns]),
            _ => unreachable!(),
        };
        let at = |row, column| if is_left { (row, column) } else { (column, row) };
        let [outer, inner] = if turned { [columns, rows] } else { [rows, columns] };
        let mut items = Vec::new();
        for batch in 0..batches {
            for first in 0..outer {
                for second in 0..inner {
                    let (line, k) = if turned { at(second, first) } else { at(first, second) };
                    items.push(item(batch, line, k));
                }
            }
        }
        DeviceVec::from_slice(queue, &items).unwrap()
    }

    /// Returns the items of the fragments of doubles of `batches` matrices.
    fn fragments(batches: usize, lines: usize, inner: usize, width: usize, steps: usize) -> Vec<f64> {
        let mut items = Vec::new();
        for batch in 0..batches {
            for panel in 0..lines.div_ceil(width) {
                for at in 0..steps * 2 * width {
                    let (step, chunk) = (at / (2 * width), at % (2 * width));
                    let (line, k) = (panel * width + chunk / 32 * 16 + chunk % 32 / 4, step * 4 + chunk % 4);
                    let padded = |line| if line < lines && k < inner { item(batch, line, k) } else { 0.0 };
                    items.extend([padded(line), padded(line + 8)]);
                }
            }
        }
        items
    }

    #[test]
    fn both_operands_are_copied_into_fragments() {
        cl_test::each_device(|device| {
            if !device.has_fp64().unwrap() {
                return;
            }
            let queue = &Queue::on(device).unwrap();
            let cases = [[1, 70, 37, 50], [3, 64, 32, 128], [2, 33, 5, 31]];
            for (case, turned) in cases.into_iter().flat_map(|case| (0..4).map(move |turned| (case, turned)))
            {
                let [batches, rows, inner, columns] = case;
                let shapes = [
                    vec![rows, inner],
                    if batches > 1 { vec![batches, inner, columns] } else { vec![inner, columns] },
                ];
                let turned = [turned % 2 == 1, turned / 2 == 1];
                let vectors = [0, 1].map(|side| operand(queue, &shapes[side], side == 0, turned[side]));
                let graphs = [0, 1].map(|side| {
                    let rank = shapes[side].len();
                    let mut stored = shapes[side].clone();
                    let mut maps: Vec<_> = (0..rank).map(AxisMap::whole).collect();
                    if turned[side] {
                        stored.swap(rank - 2, rank - 1);
                        maps.swap(rank - 2, rank - 1);
                    }
                    load(&vectors[side], &Layout::row_major(&stored).unwrap())
                        .at_coordinates(&maps, rank)
                        .into_graph()
                });
                for width in [64, 32] {
                    let tiles = Tiles { left_width: width, width, format: DOUBLES, output: 0 };
                    let steps = inner.div_ceil(4).next_multiple_of(128 / width);
                    let rooms = [0, 1].map(|side| {
                        let (shape, padded, is_left) = (&shapes[side][..], steps * 4, side == 0);
                        Panels { operation: "test", queue, shape, width, padded, is_left }.room(8).unwrap()
                    });
                    let results = Graph::default();
                    let product = Product { batches, rows, columns, inner };
                    let operands = [(&graphs[0], &shapes[0][..]), (&graphs[1], &shapes[1][..])];
                    let call = InFragments {
                        operation: "test",
                        queue,
                        targets: &[],
                        product,
                        output: None,
                        operands,
                        results: &results,
                        in_place: false,
                    };
                    let copy = call.copy(tiles, [&rooms[0], &rooms[1]], steps, 8).unwrap();
                    copy.launch(&copy.compile(queue).unwrap(), [&rooms[0], &rooms[1]]).unwrap();
                    for (side, lines) in [rows, columns].into_iter().enumerate() {
                        let room = &rooms[side];
                        let vector = Vector::new(&room.memory, queue, f64::TYPE);
                        let copied = Expr::<f64>::new(Graph::vector(vector, room.items)).collect().unwrap();
                        let expected = fragments(room.batches, lines, inner, width, steps);
                        assert_eq!(copied.to_vec().unwrap(), expected, "{case:?} {turned:?} {width} {side}");
                    }
                }
            }
        });
    }
}
