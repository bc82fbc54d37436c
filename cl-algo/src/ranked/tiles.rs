//! Products of matrices that GPUs read where they are, tile by tile.

use super::panels::Product;
use super::triangles::Half;
use crate::codegen::matrix_units::UnitFormat;
use crate::codegen::{Parameters, Template};
use crate::device::shapes::PRODUCT;
use crate::device::{DeviceProfile, Shape};
use crate::ir::graph::Graph;
use crate::ir::indices::affine_forms;
use crate::ir::op::{Op, Type};
use crate::kernels;

/// The kernel of `kernels/contract_tiles.cl`.
pub(super) static CONTRACT_TILES: Template<Tiles> =
    Template { kernel: "contract_tiles", definition: &kernels::CONTRACT_TILES, shape };

/// The kernel of `kernels/contract_tiles.cl`, by matrix units.
pub(super) static CONTRACT_UNIT_TILES: Template<Tiles> =
    Template { kernel: "contract_tiles", definition: &kernels::CONTRACT_UNIT_TILES, shape };

fn shape(profile: &DeviceProfile, size: usize, tiles: &Tiles) -> Shape {
    let shape = profile.elementwise(size);
    // Packs are read along the lines in local memory, whose distance is a multiple of four items. Work-items with many sums have
    // no registers for packs of four. The sums of matrix units are neighbours in pairs.
    let most = if tiles.block_width > SIDE || tiles.format != ITEMS { 2 } else { 4 };
    Shape { group: tiles.group(), pack: shape.pack.min(most), packs: 1, chunked: false, ..shape }
}

/// The parameters of the kernel `contract_tiles`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Parameters)]
pub(super) struct Tiles {
    /// The number of rows of a tile, a multiple of [`SIDE`].
    pub(super) left_width: usize,
    /// The number of columns of a tile, a multiple of [`SIDE`].
    pub(super) width: usize,
    /// The number of columns of the block of a team, and of the items of each of its work-items.
    block_width: usize,
    /// The number of teams that share a block, a power of two, at most `steps`.
    slices: usize,
    /// The number of steps in a stage, a power of two.
    steps: usize,
    /// The number of the [`UnitFormat`], or [`ITEMS`].
    format: usize,
    /// `true` if the items of rows of the left matrix are neighbours in memory.
    left_along: bool,
    /// `true` if the items of columns of the right matrix are neighbours in memory.
    right_along: bool,
    /// The number of the [`Half`] of the output that is computed.
    output: usize,
}

/// The number in place of a format for items that are multiplied one by one.
const ITEMS: usize = 4;
/// The number of rows of the block of a team, and the minimal number of its columns.
const SIDE: usize = 32;
/// The number of work-items of a team.
const TEAM: usize = 32;
/// The edges of tiles, the largest first. Several groups with tiles of 64 x 64 run on a compute unit at once, so that more bytes
/// are on their way there than with one of 128 x 64. On an H200 these took 116 µs for 1024 x 1024 `f32` and 77 µs for `f64`.
const SIZES: [[usize; 2]; 3] = [[64, 64], [64, 32], [32, 32]];
/// The maximal number of operations on an element of an operand, which is computed for each tile that needs it.
const MOST_OPERATIONS: usize = 4;
/// The number of bytes of local memory that are left for the driver.
const REST: usize = 64;

impl Tiles {
    /// Returns the tiles of a product of items of `size` bytes, unless another kernel is better on this device. `along` tells
    /// which matrices have neighbours along the inner axis. `output` is the half that is computed.
    pub(super) fn of(
        profile: &DeviceProfile,
        product: Product,
        (size, format): (usize, Option<UnitFormat>),
        along: [bool; 2],
        output: Option<Half>,
    ) -> Option<Tiles> {
        let Product { batches, rows, columns, inner } = product;
        let (rule, tuning) = (profile.tile_rule(&PRODUCT, size), profile.tuning(&PRODUCT, size));
        // Matrix units are so fast that copies into fragments pay earlier. On an H200, 1024 x 1024 in BF16, TF32 and `f64`: 31, 33
        // and 65 µs with copies, 37, 48 and 75 without; 512 x 512 in `f64` 34 and 21.
        let usual = rule.held_items(size, 1) * if format.is_some() { 3 } else { 4 } / 4;
        let edge = tuning.bytes.map_or(usual, |bytes| bytes / size).min(MOST_EDGE);
        let cube = |edge: usize| edge.saturating_mul(edge).saturating_mul(edge);
        if profile.chunked || inner == 0 || rows.saturating_mul(columns).saturating_mul(inner) > cube(edge) {
            return None;
        }
        let units = profile.compute_units;
        let count = |tiles: &Tiles| {
            let tiles = rows.div_ceil(tiles.left_width).saturating_mul(columns.div_ceil(tiles.width));
            batches.saturating_mul(tiles) / if output.is_some() { 2 } else { 1 }
        };
        let [left_along, right_along] = along;
        let format = format.map_or(ITEMS, UnitFormat::number);
        let mut fitting = SIZES.into_iter().filter_map(|[left_width, width]| {
            // More sums for each item that is read, unless they do not fit into registers.
            let block_width = if format == ITEMS && size <= 4 { width } else { SIDE };
            let tiles = [4, 2, 1].map(|steps| Tiles {
                left_width,
                width,
                block_width,
                slices: 1,
                steps,
                format,
                left_along,
                right_along,
                output: Half::number(output),
            });
            let sliced = |tiles: Tiles| {
                // Compute units with one group each need more work-items in it.
                let has_several = count(&tiles) >= units.saturating_mul(3) / 2;
                let group = tuning.group.unwrap_or(if has_several { rule.group / 2 } else { rule.group });
                let slices = (group.min(profile.largest_group) / tiles.group()).clamp(1, 4.min(tiles.steps));
                Tiles { slices: 1 << slices.ilog2(), ..tiles }
            };
            tiles.into_iter().map(sliced).find(|tiles| tiles.fits(profile, size))
        });
        let enough = tuning.groups.map_or(units.saturating_mul(3) / 4, |groups| units.saturating_mul(groups));
        let is_busy = |tiles: &Tiles| count(tiles) >= enough;
        let first = fitting.next()?;
        if is_busy(&first) {
            return Some(first);
        }
        let smaller: Vec<Tiles> = fitting.collect();
        smaller.iter().copied().find(is_busy).or(smaller.last().copied()).or(Some(first))
    }

    /// Returns the number of work-items of a work-group.
    fn group(&self) -> usize {
        self.left_width / SIDE * (self.width / self.block_width) * self.slices * TEAM
    }

    fn fits(&self, profile: &DeviceProfile, size: usize) -> bool {
        let line = match self.format {
            ITEMS => (8 * self.steps + 4) * size,
            _ => 32 * self.steps + 32,
        };
        let stages = 2 * (self.left_width + self.width) * line;
        let sums = self.slices / 2 * self.left_width * self.width * size;
        stages.max(sums) <= profile.local_memory.saturating_sub(REST) && self.group() <= profile.largest_group
    }
}

/// The maximal edge of products that are read where they are: the number of products of items is a `usize`.
const MOST_EDGE: usize = 1 << 16;

/// Returns whether the operand of a product may be computed several times: it loads at affine indices, and does little with
/// what it loads.
pub(super) fn is_cheap(graph: &Graph<'_>) -> bool {
    let counts = |op: Op| !matches!(op, Op::Load(_) | Op::Scalar(_) | Op::Constant(_));
    let operations = graph.nodes.iter().filter(|node| node.ty != Type::Index && counts(node.op));
    let is_simple = |op: Op| !matches!(op, Op::Checked(_) | Op::Fold { .. } | Op::Function(_));
    operations.count() <= MOST_OPERATIONS && graph.nodes.iter().all(|node| is_simple(node.op))
}

/// Returns whether more loads of matrices of this shape have their neighbours in memory along axis `axis`, counted from the
/// last one, than along the other axis.
pub(super) fn lies_along(graph: &Graph<'_>, shape: &[usize], axis: usize) -> bool {
    let forms = affine_forms(graph, shape);
    let mut counts = [0, 0];
    for node in graph.nodes.iter().filter(|node| matches!(node.op, Op::Load(_))) {
        if let Some(form) = node.arguments.first().and_then(|&index| forms[index as usize]) {
            (0..2).filter(|&axis| form.strides[axis].abs() == 1).for_each(|axis| counts[axis] += 1);
        }
    }
    counts[axis] >= counts[1 - axis] && (counts[axis] > 0 || axis == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::profile::tests::profile;

    fn h200(table: &str) -> DeviceProfile {
        DeviceProfile { compute_units: 132, ..profile(false, table) }
    }

    /// Returns the rows, the columns and the slices of the tiles of a product of square matrices.
    fn tiles(
        profile: &DeviceProfile,
        edge: usize,
        size: usize,
        format: Option<UnitFormat>,
    ) -> Option<[usize; 3]> {
        let product = Product { batches: 1, rows: edge, columns: edge, inner: edge };
        let tiles = Tiles::of(profile, product, (size, format), [true, false], None)?;
        assert!(tiles.fits(profile, size), "{tiles:?}");
        Some([tiles.left_width, tiles.width, tiles.slices])
    }

    #[test]
    fn tiles_are_large_if_there_are_enough_of_them() {
        let tiles = |edge| tiles(&h200(""), edge, 4, None);
        assert_eq!(tiles(1025), None, "copied");
        assert_eq!(tiles(1024), Some([64, 64, 2]));
        assert_eq!(tiles(700), Some([64, 64, 4]));
        assert_eq!(tiles(512), Some([64, 32, 4]));
        assert_eq!(tiles(100), Some([32, 32, 4]));
        for format in [UnitFormat::Doubles, UnitFormat::Of(crate::expr::Format::Tf32)] {
            let is_copied = |edge| self::tiles(&h200(""), edge, 4, Some(format)).is_none();
            assert_eq!([768, 769].map(is_copied), [false, true], "{format:?}");
        }
        let stack = Product { batches: 100, rows: 100, columns: 100, inner: 50 };
        let tiles = Tiles::of(&h200(""), stack, (4, None), [false, true], None).unwrap();
        assert_eq!((tiles.left_width, tiles.width), (64, 64), "of all products");
    }

    #[test]
    fn tiles_fit_into_local_memory() {
        let mut profile = h200("");
        for local in [4 << 10, 16 << 10, 32 << 10, 48 << 10, 64 << 10] {
            profile.local_memory = local;
            for size in [1, 2, 4, 8] {
                for edge in [33, 300, 512, 1024] {
                    tiles(&profile, edge, size, None);
                }
            }
            for (format, size) in [(UnitFormat::Doubles, 8), (UnitFormat::Of(crate::expr::Format::Bf16), 4)] {
                tiles(&profile, 512, size, Some(format));
            }
        }
        profile.local_memory = 1 << 10;
        assert_eq!(tiles(&profile, 300, 4, None), None);
        profile.local_memory = 48 << 10;
        profile.largest_group = 64;
        assert_eq!(tiles(&profile, 512, 4, None), Some([64, 32, 1]));
        assert_eq!(tiles(&profile, 1024, 4, None), Some([64, 64, 1]));
        profile.largest_group = 16;
        assert_eq!(tiles(&profile, 512, 4, None), None);
    }

    #[test]
    fn rows_choose_tiles() {
        let of = |numbers: &str| {
            let profile = h200(&format!("-\t{PRODUCT}\t4\t{}\n", numbers.replace(' ', "\t")));
            tiles(&profile, 512, 4, None)
        };
        assert_eq!(of("- 2044 -"), None, "511 items");
        assert_eq!(of("- - 1"), Some([32, 32, 4]));
        assert_eq!(of("64 - -"), Some([64, 32, 1]));
        assert_eq!(of("0 - 0"), Some([64, 64, 1]));
        assert!(of("1000000 1000000 1000000").is_some());
    }
}
