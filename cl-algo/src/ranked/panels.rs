//! Panels: the operands of products of matrices, copied into the order in which they are read.

use crate::codegen::{Fused, Parameters, Ready, Template};
use crate::device::Shape;
use crate::element::Number;
use crate::ir::graph::Graph;
use crate::ir::leaf::Scalar;
use crate::ir::space::{Lowered, Space};
use crate::ir::target::{Target, TargetIndex};
use crate::kernels;
use cl_core::{Error, Queue, Result, Scratch};

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

impl Product {
    /// Returns the lengths of the product of matrices in the last two axes of these shapes, and for each operand whether it has the
    /// axes in front of the output's matrices.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] unless the shapes fit.
    pub(super) fn of(
        operation: &'static str,
        operands: [&[usize]; 2],
        output: &[usize],
    ) -> Result<(Product, [bool; 2])> {
        let &[ref axes @ .., rows, columns] = output else {
            let reason = format!(
                "the output of a product of matrices has shape {output:?}; it needs two axes or more"
            );
            return Err(Error::invalid_input(operation, reason));
        };
        let matrix = |shape: &[usize]| match *shape {
            [ref own @ .., rows, columns] if own.is_empty() || own == axes => Some([rows, columns]),
            _ => None,
        };
        match operands.map(matrix) {
            [Some([left_rows, inner]), Some([right_rows, right_columns])]
                if (left_rows, right_rows, right_columns) == (rows, inner, columns) =>
            {
                let product = Product { batches: axes.iter().product(), rows, columns, inner };
                Ok((product, operands.map(|shape| shape.len() > 2)))
            }
            _ => {
                let reason = format!(
                    "operands of shapes {:?} and {:?} do not fit an output of shape {output:?}: these are [.., m, k], \
                     [.., k, n] and [.., m, n], and an operand has all axes of the output in front of its matrices, or none",
                    operands[0], operands[1]
                );
                Err(Error::invalid_input(operation, reason))
            }
        }
    }

    /// Returns the lengths of the transposed product.
    pub(super) fn turned(self) -> Product {
        Product { rows: self.columns, columns: self.rows, ..self }
    }
}

/// Room for a matrix, or for a matrix for each of a product's batches, in panels.
pub(super) struct Room<'q> {
    pub(super) memory: Scratch<'q>,
    /// The number of items.
    pub(super) items: usize,
    /// The number of items from one matrix to the next, 0 if there is one matrix.
    pub(super) batch: usize,
    /// The number of matrices.
    pub(super) batches: usize,
    /// The number of panels of a matrix.
    pub(super) panels: usize,
}

/// Matrices that are copied into panels.
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
}

impl<'q> Panels<'_, 'q> {
    /// Returns the numbers of lines and of items of each line of a matrix.
    fn lines(&self) -> (usize, usize) {
        let matrix = &self.shape[self.shape.len() - 2..];
        if self.is_left { (matrix[0], matrix[1]) } else { (matrix[1], matrix[0]) }
    }

    /// Returns room for items of `size` bytes.
    pub(super) fn room(&self, size: usize) -> Result<Room<'q>> {
        let &Panels { queue, shape, width, padded, .. } = self;
        let axes = &shape[..shape.len() - 2];
        let batches: usize = axes.iter().product();
        let panels = self.lines().0.div_ceil(width);
        let count =
            |numbers: &[usize]| numbers.iter().fold(1, |product: u128, &n| product.saturating_mul(n as u128));
        let bytes = count(&[batches, panels, width, padded, size]);
        if bytes >= isize::MAX as u128 {
            return Err(Error::too_large(bytes, queue.device()));
        }
        let matrix = panels * width * padded;
        let memory = queue.scratch((bytes as usize).max(1))?;
        let batch = if axes.is_empty() { 0 } else { matrix };
        Ok(Room { memory, items: matrix * batches, batch, batches, panels })
    }

    /// Returns the copy into room for it; `None` without items.
    pub(super) fn copy<'m, T: Number>(
        &self,
        graph: &Graph<'m>,
        room: &'m Room<'_>,
    ) -> Result<Option<PanelCopy<'m>>>
    where
        'q: 'm,
    {
        let &Panels { operation, queue, shape, width, padded, is_left } = self;
        if room.items == 0 {
            return Ok(None);
        }
        let (Lowered { graph, rows, reach, .. }, turned) = Space::matrices(operation, graph, shape)?;
        let mut fused = Fused::new(operation).with_input("", graph);
        fused.read("ZERO", Graph::scalar(Scalar::new(T::zeroed())));
        fused.rows = rows;
        fused.graph.len = None;
        let items_of = fused.graph.parameters::<T>();
        let target = Target {
            memory: &room.memory,
            queue,
            element: T::TYPE,
            len: room.items,
            elements: room.items,
            index: TargetIndex::Line { stride: 1, offset: 0 },
            failure: None,
        };
        let (lines, inner) = self.lines();
        Ok(Some(PanelCopy {
            fused: fused.with_targets("", "", items_of, [target], false),
            packing: Packing { along: is_left != turned, width, steps: STEPS },
            numbers: [lines, inner, padded, room.panels, room.batches],
            reach: room.items.max(reach),
        }))
    }
}

/// A copy of matrices into panels, which is not enqueued yet. The host prepares all kernels of a product before it enqueues the
/// first one, so that the device does not wait for the next one.
pub(super) struct PanelCopy<'m> {
    fused: Fused<'m>,
    packing: Packing,
    /// The numbers of lines, of items of each line, of those in panels, of panels and of matrices.
    numbers: [usize; 5],
    reach: usize,
}

impl<'m> PanelCopy<'m> {
    pub(super) fn compile<'f>(&'f self, queue: &'f Queue) -> Result<Ready<'f, 'm>> {
        self.fused.by(&PACK_PANELS, self.packing).compile(queue, self.reach)
    }

    /// Enqueues the kernel.
    pub(super) fn launch(&self, ready: &Ready<'_, '_>) -> Result<()> {
        let ([.., padded, panels, batches], Packing { along, width, .. }) = (self.numbers, self.packing);
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
        let mut own: Vec<_> = self.numbers.into_iter().map(|number| ready.index(number)).collect();
        own.extend(ready.division(panels));
        own.push(ready.index(steps));
        own.extend(ready.division(steps));
        let units = batches * panels * steps * units_of_step;
        let groups = units.div_ceil(shape.group).clamp(1, shape.max_groups);
        // SAFETY: the kernel reads items of the matrices, whose indices were checked when the space was lowered, and
        // writes the panels, for which there is room.
        unsafe { ready.launch(&own, groups, shape.group) }
    }
}
