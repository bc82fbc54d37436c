//! The blocks of products of matrices in panels.

use super::panels::Product;
use crate::codegen::{Parameters, Template};
use crate::device::{DeviceProfile, Shape};
use crate::element::ElementType;
use crate::kernels;

/// The kernel `contract` of `kernels/contract.cl`.
pub(super) static CONTRACT: Template<Blocks> = Template {
    kernel: "contract",
    definition: &kernels::CONTRACT,
    shape: |profile, size, values| Shape {
        group: if profile.chunked { 1 } else { values.work_across * values.work_down },
        packs: 1,
        ..profile.elementwise(size)
    },
};

/// The parameters of the kernel `contract`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Parameters)]
pub(super) struct Blocks {
    /// The number of rows in a panel of the left matrix.
    pub(super) left_width: usize,
    /// The number of columns in a panel of the right matrix.
    pub(super) width: usize,
    /// The number of panels of the left matrix in a unit of work.
    pub(super) block: usize,
    /// The number of items along the inner axis that are multiplied before others are read.
    pub(super) depth: usize,
    /// The number of work-items of a work-group along the columns.
    work_across: usize,
    /// The number of work-items of a work-group along the rows.
    work_down: usize,
    /// The number of steps along the inner axis that are written one after the other, on CPUs.
    steps_at_once: usize,
    /// `true` if CPUs ask for the items of the right panel that they will need next.
    prefetches: bool,
}

impl Blocks {
    /// Returns the blocks for a product of this shape on a device.
    ///
    /// CPUs: six rows of one pack of 64 bytes take 12 of the 16 vector registers of AVX2. Blocks of 16 panels read the
    /// right matrix half as often as blocks of 8, and are 4 to 14 % faster at 2048 x 2048 on an EPYC under PoCL.
    ///
    /// GPUs: 256 work-items have 64 sums each; if that were too few work-groups, 64 work-items have 64 or 16 sums each.
    /// Measured on an H200, `f32`: a product of 1536 takes 275 µs with 256 work-items and 216 µs with 64 of 64 sums, of
    /// 1024 78 µs with 16 sums and 66 µs with 64, of 768 42 µs and 51 µs.
    pub(super) fn of(profile: &DeviceProfile, element: ElementType, pack: usize, shape: Product) -> Blocks {
        if profile.chunked {
            let width = if pack > 1 { pack } else { 4 };
            let left_width = if pack > 1 { 6 } else { 4 };
            // Oclgrind, which does not know the instruction, reports no cache.
            let prefetches = profile.cache > 0;
            // Compilers take seconds to repeat the longer steps of other types.
            let steps_at_once = if element.is_float() && pack > 1 { 4 } else { 1 };
            return Blocks {
                left_width,
                width,
                block: 16,
                depth: 256,
                work_across: 1,
                work_down: 1,
                steps_at_once,
                prefetches,
            };
        }
        let size = element.size();
        let groups = |[rows, columns]: [usize; 2]| {
            shape
                .batches
                .saturating_mul(shape.rows.div_ceil(rows))
                .saturating_mul(shape.columns.div_ceil(columns))
        };
        let tile = |side: usize, rows: usize, columns: usize, depth: usize| Blocks {
            left_width: side * rows,
            width: side * columns,
            block: 1,
            depth,
            work_across: side,
            work_down: side,
            steps_at_once: 1,
            prefetches: false,
        };
        // Whole packs of 16 bytes, also of small numbers.
        let [eight, four] = [8, 4].map(|items: usize| items.max(pack));
        let large = tile(16, eight, eight.min(2 * pack), 8);
        let medium = tile(8, eight, eight.min(2 * pack), 8);
        let small = tile(8, four, four.min(2 * pack), 8);
        let fits = |blocks: &Blocks| {
            let local = 2 * blocks.depth * (blocks.left_width + blocks.width) * size;
            local <= profile.local_memory / 2
                && blocks.work_across * blocks.work_down <= profile.largest_group
        };
        let is_busy = |blocks: &Blocks| {
            groups([blocks.left_width, blocks.width]) >= profile.compute_units.saturating_mul(3) / 2
        };
        if let Some(busy) = [large, medium].into_iter().find(|blocks| is_busy(blocks) && fits(blocks)) {
            busy
        } else if fits(&small) {
            small
        } else {
            tile(4, four, four.min(2 * pack), 2)
        }
    }
}
