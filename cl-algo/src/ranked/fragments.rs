//! Products of matrices of doubles, and of numbers of 19 bits or fewer, by the matrix units of GPUs.

use super::assign::Untyped;
use super::panels::{Arrangement, Panels, Product};
use super::triangles::Half;
use crate::codegen::matrix_units::UnitFormat;
use crate::codegen::{Fused, Parameters, Template};
use crate::device::{DeviceProfile, Shape};
use crate::element::Number;
use crate::expr::{Format, format_of, sixteen_bits};
use crate::ir::graph::{Graph, Replace};
use crate::ir::leaf::Scalar;
use crate::ir::rows::Affine;
use crate::ir::space::{Lowered, Space};
use crate::kernels;
use cl_core::{Access, Arg, Queue, Result};

/// The kernel of `kernels/contract_fragments.cl`, for numbers of a [`Format`].
static CONTRACT_FRAGMENTS: Template<Tiles> =
    Template { kernel: "contract_fragments", definition: &kernels::CONTRACT_FRAGMENTS, shape };

/// The kernel of `kernels/contract_fragments.cl`, for doubles.
static CONTRACT_UNITS: Template<Tiles> =
    Template { kernel: "contract_fragments", definition: &kernels::CONTRACT_UNITS, shape };

/// Returns the shape: four warps multiply, and one has fragments copied.
fn shape(profile: &DeviceProfile, size: usize, _: &Tiles) -> Shape {
    Shape { group: 160, pack: 1, packs: 1, ..profile.elementwise(size) }
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

impl InFragments<'_, '_> {
    /// Multiplies the matrices, whose elements are rounded to the format.
    pub(super) fn multiply(&self, profile: &DeviceProfile, units: UnitFormat) -> Result<()> {
        let tiles = Tiles::of(profile, self.product, units, self.output);
        match units {
            UnitFormat::Doubles => self.multiply_items::<f64, f64>(&CONTRACT_UNITS, tiles, None),
            UnitFormat::Of(Format::Tf32) => self.multiply_items::<f32, f32>(&CONTRACT_FRAGMENTS, tiles, None),
            UnitFormat::Of(format @ (Format::Bf16 | Format::F16)) => {
                self.multiply_items::<u16, f32>(&CONTRACT_FRAGMENTS, tiles, Some(&sixteen_bits(format)))
            }
        }
    }

    /// Multiplies the matrices. `bits` is the function of a number that is stored, an item of `B`, unless it is the number.
    /// The product has items of `T`.
    fn multiply_items<B: Number, T: Number>(
        &self,
        template: &'static Template<Tiles>,
        tiles: Tiles,
        bits: Option<&Graph<'static>>,
    ) -> Result<()> {
        let &InFragments { operation, queue, targets, product, operands: [left, right], .. } = self;
        let step = STEP / B::TYPE.size();
        // A stage has whole steps.
        let depth = STAGE / (STEP * (tiles.left_width + tiles.width));
        let steps = product.inner.div_ceil(step).next_multiple_of(depth);
        let packed = |(graph, shape): (&Graph<'_>, &[usize]), width, is_left| {
            let padded = steps * step;
            let arrangement = Arrangement::Fragments;
            let graph = bits.map_or_else(|| graph.clone(), |bits| graph.clone().map(bits, operation));
            Panels { operation, queue, shape, width, padded, is_left, arrangement }.packed::<B>(&graph)
        };
        let left = packed(left, tiles.left_width, true)?;
        let right = packed(right, tiles.width, false)?;
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
        let blocks = product.rows.div_ceil(tiles.left_width);
        let right_panels = product.columns.div_ceil(tiles.width);
        let chunk = 16 / B::TYPE.size();
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
        // SAFETY: the kernel reads panels that were written before it, and stores the outputs, whose indices were checked
        // when the space was lowered.
        unsafe { ready.launch(&own, groups, shape.group) }
    }
}
