//! Panels: the operands of products of matrices, copied into the order in which they are read.

use crate::codegen::{Fused, Parameters, Template};
use crate::device::Shape;
use crate::element::Number;
use crate::ir::graph::Graph;
use crate::ir::leaf::Scalar;
use crate::ir::space::{Lowered, Space};
use crate::ir::target::{Target, TargetIndex};
use crate::kernels;
use cl_core::{Access, Arg, Error, Queue, Result, Scratch};

/// The kernel `pack_panels` of `kernels/pack_panels.cl`.
static PACK_PANELS: Template<Packing> = Template {
    kernel: "pack_panels",
    definition: &kernels::PACK_PANELS,
    shape: |profile, size, _| Shape { packs: 1, ..profile.elementwise(size) },
};

/// The parameters of the kernel `pack_panels`.
#[derive(Clone, Copy, Debug, Parameters)]
struct Packing {
    /// `true` if the rows of the index space are the lines of the panels.
    along: bool,
    /// The number of lines in a panel.
    width: usize,
    /// The number of items of each line that a work-item of a CPU copies at once, if lines are not rows.
    steps: usize,
}

/// The kernel `pack_fragments` of `kernels/pack_fragments.cl`.
static PACK_FRAGMENTS: Template<Fragments> = Template {
    kernel: "pack_fragments",
    definition: &kernels::PACK_FRAGMENTS,
    shape: |profile, size, _| Shape { group: 256, pack: 1, packs: 1, ..profile.elementwise(size) },
};

/// The parameters of the kernel `pack_fragments`.
#[derive(Clone, Copy, Debug, Parameters)]
struct Fragments {
    /// `true` if the rows of the index space are the lines of the panels.
    along: bool,
    /// The number of lines in a panel.
    width: usize,
    /// The number of items in a chunk.
    chunk: usize,
}

impl Fragments {
    /// Returns the number of lines, and of items of each line, that a work-group copies at once: `LINES` and `ITEMS`.
    fn at_once(self) -> (usize, usize) {
        (self.width.min(64), if self.chunk == 2 { 32 } else { 64 })
    }
}

/// The order of the items of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrangement {
    /// The items of all lines with the same index are neighbours.
    Items,
    /// The order of `kernels/pack_fragments.cl`. `padded` is a multiple of the items of a line in a step, and the number of lines
    /// is 32 or a multiple of 64.
    Fragments,
}

/// The number of items of each line that a work-item of a CPU copies at once, if lines are not rows of the index space.
const STEPS: usize = 16;

/// The lengths of a product of matrices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    pub(super) batches: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) inner: usize,
}

/// A matrix, or a matrix for each of a product's batches, in panels.
pub(super) struct Packed<'q> {
    pub(super) memory: Scratch<'q>,
    /// The number of items.
    pub(super) items: usize,
    /// The number of items from one matrix to the next, 0 if there is one matrix.
    pub(super) batch: usize,
}

/// The copy of matrices into panels.
pub(super) struct Panels<'s, 'q> {
    pub(super) operation: &'static str,
    pub(super) queue: &'q Queue,
    pub(super) shape: &'s [usize],
    /// The number of lines in a panel.
    pub(super) width: usize,
    /// The number of items in a line.
    pub(super) padded: usize,
    /// `true` if the lines of panels are the rows of the matrix.
    pub(super) is_left: bool,
    pub(super) arrangement: Arrangement,
}

impl<'q> Panels<'_, 'q> {
    pub(super) fn packed<T: Number>(&self, graph: &Graph<'_>) -> Result<Packed<'q>> {
        let &Panels { operation, queue, shape, width, padded, is_left, arrangement } = self;
        let (axes, matrix) = shape.split_at(shape.len() - 2);
        let (lines, inner) = if is_left { (matrix[0], matrix[1]) } else { (matrix[1], matrix[0]) };
        let batches: usize = axes.iter().product();
        let panels = lines.div_ceil(width);
        let count =
            |numbers: &[usize]| numbers.iter().fold(1, |product: u128, &n| product.saturating_mul(n as u128));
        let bytes = count(&[batches, panels, width, padded, T::TYPE.size()]);
        if bytes >= isize::MAX as u128 {
            return Err(Error::too_large(bytes, queue.device()));
        }
        let matrix = panels * width * padded;
        let items = matrix * batches;
        let bytes = bytes as usize;
        let memory = queue.scratch(bytes.max(1))?;
        let packed = Packed { memory, items, batch: if axes.is_empty() { 0 } else { matrix } };
        if items == 0 {
            return Ok(packed);
        }
        let (Lowered { graph, rows, reach, .. }, turned) = Space::matrices(operation, graph, shape)?;
        let along = is_left != turned;
        let mut fused = Fused::new(operation).with_input("", graph);
        fused.read("ZERO", Graph::scalar(Scalar::new(T::zeroed())));
        fused.rows = rows;
        fused.graph.len = None;
        if arrangement == Arrangement::Fragments {
            let chunk = 16 / T::TYPE.size();
            let steps = padded / (2 * chunk);
            let fragments = Fragments { along, width, chunk };
            let ready = fused.by(&PACK_FRAGMENTS, fragments).compile(queue, items.max(reach))?;
            let mut own = vec![Arg::Memory(&packed.memory, Access::Overwrite)];
            own.extend([lines, inner, batches, panels, steps].map(|number| ready.index(number)));
            let (lines_at_once, items_at_once) = fragments.at_once();
            let units = batches * panels * (width / lines_at_once) * padded.div_ceil(items_at_once);
            let groups = units.clamp(1, ready.shape().max_groups);
            // SAFETY: as below.
            unsafe { ready.launch(&own, groups, ready.shape().group)? };
            return Ok(packed);
        }
        let items_of = fused.graph.parameters::<T>();
        let target = Target {
            memory: &packed.memory,
            queue,
            element: T::TYPE,
            len: items,
            elements: items,
            index: TargetIndex::Line { stride: 1, offset: 0 },
            failure: None,
        };
        fused = fused.with_targets("", "", items_of, [target], false);
        let packing = Packing { along, width, steps: STEPS };
        let ready = fused.by(&PACK_PANELS, packing).compile(queue, items.max(reach))?;
        let shape = ready.shape();
        // As in the kernel. Its packs are shorter than those of the product if they are computed item by item.
        let units_of_step = match along {
            _ if shape.chunked => 1,
            true => width,
            false if width.is_multiple_of(shape.pack) => width / shape.pack,
            false => 1,
        };
        let steps = match along {
            true => padded.div_ceil(shape.pack),
            false if shape.chunked => padded.div_ceil(STEPS),
            false => padded,
        };
        let mut own: Vec<_> =
            [lines, inner, padded, panels, batches].into_iter().map(|number| ready.index(number)).collect();
        own.extend(ready.division(panels));
        own.push(ready.index(steps));
        own.extend(ready.division(steps));
        let units = batches * panels * steps * units_of_step;
        let groups = units.div_ceil(shape.group).clamp(1, shape.max_groups);
        // SAFETY: the kernel reads items of the matrices, whose indices were checked when the space was lowered, and
        // writes the panels, for which there is room.
        unsafe { ready.launch(&own, groups, shape.group)? };
        Ok(packed)
    }
}
