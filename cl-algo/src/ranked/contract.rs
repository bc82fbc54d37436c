//! Products of matrices: sums of products along an axis that two index spaces share.

use super::assign::{RankedSink, Untyped};
use crate::codegen::{Fused, Parameters, Template};
use crate::device::{DeviceProfile, Shape, profile};
use crate::element::{Element, ElementType, Number, ScalarType};
use crate::expr::{Item, Operand, Recorded, Val, record};
use crate::ir::graph::{Graph, Replace};
use crate::ir::leaf::{Scalar, Vector};
use crate::ir::op::{NodeId, Op};
use crate::ir::rows::Affine;
use crate::ir::space::{Lowered, Space};
use crate::ir::target::{Target, TargetIndex};
use crate::kernels;
use cl_core::{Error, Memory, Queue, Result, Scratch};

/// The kernel `pack_panels` of `kernels/pack_panels.cl`.
static PACK_PANELS: Template<Packing> = Template {
    kernel: "pack_panels",
    definition: &kernels::PACK_PANELS,
    shape: |profile, size, _| Shape { packs: 1, ..profile.elementwise(size) },
};

/// The kernel `contract` of `kernels/contract.cl`.
static CONTRACT: Template<Blocks> = Template {
    kernel: "contract",
    definition: &kernels::CONTRACT,
    shape: |profile, size, values| Shape {
        group: if profile.chunked { 1 } else { values.work_across * values.work_down },
        packs: 1,
        ..profile.elementwise(size)
    },
};

/// The parameters of the kernel `pack_panels`.
#[derive(Clone, Copy, Debug, Parameters)]
struct Packing {
    /// `true` if the rows of the index space are the lines of the panels.
    along: bool,
    /// The number of lines in a panel.
    width: usize,
    /// The number of units of work in a step.
    units_of_step: usize,
}

/// The parameters of the kernel `contract`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Parameters)]
struct Blocks {
    /// The number of rows in a panel of the left matrix.
    left_width: usize,
    /// The number of columns in a panel of the right matrix.
    width: usize,
    /// The number of panels of the left matrix in a unit of work.
    block: usize,
    /// The number of items along the inner axis that are multiplied before others are read.
    depth: usize,
    /// The number of work-items of a work-group along the columns.
    work_across: usize,
    /// The number of work-items of a work-group along the rows.
    work_down: usize,
}

impl Blocks {
    /// Returns the blocks for a product of this shape on a device.
    ///
    /// CPUs: six rows of one pack of 64 bytes take 12 of the 16 vector registers of AVX2. GPUs: 256 work-items have 64
    /// sums each, or 64 work-items 16 sums each if there would be fewer work-groups than compute units.
    fn of(profile: &DeviceProfile, element: ElementType, pack: usize, shape: Product) -> Blocks {
        if profile.chunked {
            let width = if pack > 1 { pack } else { 4 };
            let left_width = if pack > 1 { 6 } else { 4 };
            return Blocks { left_width, width, block: 8, depth: 256, work_across: 1, work_down: 1 };
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
        };
        // Whole packs of 16 bytes, also of small numbers.
        let [eight, four] = [8, 4].map(|items: usize| items.max(pack));
        let large = tile(16, eight, eight.min(2 * pack), 8);
        let small = tile(8, four, four.min(2 * pack), 8);
        let fits = |blocks: &Blocks| {
            let local = 2 * blocks.depth * (blocks.left_width + blocks.width) * size;
            local <= profile.local_memory / 2
                && blocks.work_across * blocks.work_down <= profile.largest_group
        };
        let is_busy = groups([large.left_width, large.width]) >= profile.compute_units;
        if is_busy && fits(&large) {
            large
        } else if fits(&small) {
            small
        } else {
            tile(4, four, four.min(2 * pack), 2)
        }
    }
}

/// The lengths of a product of matrices.
#[derive(Clone, Copy, Debug)]
struct Product {
    batches: usize,
    rows: usize,
    columns: usize,
}

/// Multiplies the matrices in the last two axes of two index spaces, and stores what `finish` computes of each item of
/// the product.
///
/// The left matrices have the shape `[.., m, k]`, the right ones `[.., k, n]`, and the products `[.., m, n]`, which is
/// the output's shape. `left` and `right` are expressions over these spaces. The axes in front of the matrices are those
/// of the output, or an operand has none of them: `inner` is `k`, and `batched` tells for each operand whether it has
/// these axes. `with` is an expression over the output's space, whose items `finish` gets as its second argument.
///
/// Floats are multiplied and added with one rounding. The order of additions depends on the shape and the device only.
/// Both operands are copied into the order in which they are read, so that each of their items is computed once.
///
/// # Errors
/// As [`assign`](super::assign) and [`count`](super::count); [`Error::InvalidInput`] for an output of fewer than two
/// axes.
pub fn contract<'t, T: Number, E: Item, R: Recorded>(
    operation: &'static str,
    sink: impl RankedSink<'t, R::Item>,
    operands: [(crate::Expr<'t, T>, bool); 2],
    inner: usize,
    with: impl Operand<'t, E>,
    finish: impl FnOnce(Val<T>, E::Values) -> R,
) -> Result<()> {
    let mut targets = Vec::new();
    sink.add_targets(&mut targets);
    let Some(first) = targets.first() else { return Ok(()) };
    let queue = first.queue();
    let shape = first.shape().to_vec();
    let &[ref batch_axes @ .., rows, columns] = &shape[..] else {
        let reason =
            format!("the output of a product of matrices has shape {shape:?}; it needs two axes or more");
        return Err(Error::invalid_input(operation, reason));
    };
    for target in &targets {
        target.check(operation, &shape)?;
    }
    let [left, right] = operands.map(|(expr, batched)| (expr.into_graph(), batched));
    // What is computed of the product, as a graph of its own.
    let mut results = with.into_expr().into_graph();
    results.len = None;
    for graph in [&left.0, &right.0, &results] {
        graph.check()?;
    }
    let others = std::mem::take(&mut results.roots);
    let items: Vec<NodeId> = results.parameters::<T>().into_iter().chain(others).collect();
    let finish = record::<(T, E), R>(|(item, other)| finish(item, other));
    results.roots = results.absorb(&finish, Replace::Parameters(&items), operation);
    let batches: usize = batch_axes.iter().product();
    let product = Product { batches, rows, columns };
    let operand_shape = |batched: bool, matrix: [usize; 2]| -> Vec<usize> {
        batch_axes.iter().filter(|_| batched).copied().chain(matrix).collect()
    };
    let (left_shape, right_shape) =
        (operand_shape(left.1, [rows, inner]), operand_shape(right.1, [inner, columns]));
    for shape in [&left_shape, &right_shape] {
        super::layout::count(shape)?;
    }
    let fused = Fused::new(operation);
    fused.check_with(&[&left.0, &right.0, &results])?;
    if batches * rows * columns == 0 {
        return Ok(());
    }
    let profile = profile(queue.context())?;
    let pack = if T::TYPE.scalar().is_some() { profile.elementwise(T::TYPE.size()).pack } else { 1 };
    let blocks = Blocks::of(&profile, T::TYPE, pack, product);
    let padded = if profile.chunked { inner } else { inner.next_multiple_of(blocks.depth) };
    let panels = |graph: &Graph<'t>, shape: &[usize], width: usize, is_left: bool| {
        Panels { operation, queue, shape, width, padded, is_left }.packed::<T>(graph)
    };
    let left = panels(&left.0, &left_shape, blocks.left_width, true)?;
    let right = panels(&right.0, &right_shape, blocks.width, false)?;

    let forms: Vec<Affine> = targets.iter().map(Untyped::affine).collect();
    let (Lowered { graph, stores, rows: space, reach, .. }, _) =
        Space::matrices(operation, &results, &forms, &shape, false)?;
    let mut fused = Fused::new(operation).with_input("", items_of::<T>(&right.memory, queue));
    fused.read("LEFT", items_of::<T>(&left.memory, queue));
    fused.read("ZERO", Graph::scalar(Scalar::new(T::zeroed())));
    fused = fused.with_operator("STEP", "", &step::<T>(), 3);
    fused.graph.len = None;
    let mut graph = graph;
    graph.len = None;
    let roots = fused.graph.absorb(&graph, Replace::Nothing, operation);
    let count = targets.iter().map(Untyped::len).max().unwrap_or_default();
    let targets = targets.iter().zip(&stores).map(|(target, store)| target.with_index(*store, count));
    fused = fused.with_targets("", "", roots, targets, false);
    fused.rows = space;
    let reach = reach.max(left.items).max(right.items);
    let ready = fused.by(&CONTRACT, blocks).compile(queue, reach)?;
    let shape = ready.shape();
    let row_blocks = rows.div_ceil(blocks.left_width * blocks.block);
    let right_panels = columns.div_ceil(blocks.width);
    let numbers = [rows, columns, padded, batches, left.batch, right.batch];
    let mut own: Vec<_> = numbers.into_iter().map(|number| ready.index(number)).collect();
    for count in [row_blocks, right_panels] {
        own.push(ready.index(count));
        own.extend(ready.division(count));
    }
    let groups = (batches * row_blocks * right_panels).clamp(1, shape.max_groups);
    // SAFETY: the kernel reads panels that were written before it, and stores the outputs, whose indices were checked
    // when the space was lowered.
    unsafe { ready.launch(&own, groups, shape.group) }
}

/// Returns the graph of the items in memory, in order.
fn items_of<'m, T: Element>(memory: &'m Memory, queue: &'m Queue) -> Graph<'m> {
    let mut graph = Graph::vector(Vector { memory, queue, element: T::TYPE }, 0);
    graph.len = None;
    graph
}

/// Returns the operator `total + a b` of the arguments `(total, a, b)`. Floats are rounded once.
fn step<T: Number>() -> Graph<'static> {
    let is_float = matches!(T::TYPE.scalar(), Some(ScalarType::F16 | ScalarType::F32 | ScalarType::F64));
    let mut graph = Graph::default();
    let [total, a, b] = [0, 1, 2].map(|k| graph.node(Op::Parameter(k), T::TYPE, &[]));
    let sum = if is_float {
        graph.node(Op::Call("fma"), T::TYPE, &[a, b, total])
    } else {
        let product = graph.node(Op::Mul, T::TYPE, &[a, b]);
        graph.node(Op::Add, T::TYPE, &[total, product])
    };
    graph.roots.push(sum);
    graph
}

/// A matrix, or a matrix for each of a product's batches, in panels.
struct Packed<'q> {
    memory: Scratch<'q>,
    /// The number of items.
    items: usize,
    /// The number of items from one matrix to the next, 0 if there is one matrix.
    batch: usize,
}

/// The copy of matrices into panels.
struct Panels<'s, 'q> {
    operation: &'static str,
    queue: &'q Queue,
    shape: &'s [usize],
    /// The number of lines in a panel.
    width: usize,
    /// The number of items in a line.
    padded: usize,
    /// `true` if the lines of panels are the rows of the matrix.
    is_left: bool,
}

impl<'q> Panels<'_, 'q> {
    fn packed<T: Number>(&self, graph: &Graph<'_>) -> Result<Packed<'q>> {
        let &Panels { operation, queue, shape, width, padded, is_left } = self;
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
        let (Lowered { graph, rows, reach, .. }, turned) =
            Space::matrices(operation, graph, &[], shape, true)?;
        let along = is_left != turned;
        let mut fused = Fused::new(operation).with_input("", graph);
        fused.read("ZERO", Graph::scalar(Scalar::new(T::zeroed())));
        let items_of = fused.graph.parameters::<T>();
        let target = Target {
            memory: &packed.memory,
            queue,
            element: T::TYPE,
            len: items,
            index: TargetIndex::Line { stride: 1, offset: 0 },
            failure: None,
        };
        fused.graph.len = None;
        fused = fused.with_targets("", "", items_of, [target], false);
        fused.rows = rows;
        let profile = profile(queue.context())?;
        let pack = if T::TYPE.scalar().is_some() { profile.elementwise(T::TYPE.size()).pack } else { 1 };
        let units_of_step = match along {
            true => width,
            false if width.is_multiple_of(pack) => width / pack,
            false => 1,
        };
        let ready = fused
            .by(&PACK_PANELS, Packing { along, width, units_of_step })
            .compile(queue, items.max(reach))?;
        let shape = ready.shape();
        let steps = if along { padded.div_ceil(shape.pack) } else { padded };
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
