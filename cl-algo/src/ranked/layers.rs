//! Elementwise evaluation with the items of another expression kept for neighbours, in the caches of a CPU.

use super::assign::{RankedSink, Untyped, long_rows};
use super::expr::{coordinate_node, has_axes};
use super::layout::{Layout, count};
use crate::codegen::{Fused, Template};
use crate::device::{DeviceProfile, Shape, profile};
use crate::element::Element;
use crate::expr::{Expr, Item, Operand};
use crate::ir::graph::{Graph, Replace};
use crate::ir::indices::affine_forms;
use crate::ir::leaf::{Scalar, Vector};
use crate::ir::op::{Node, Op, Type};
use crate::ir::rows::{Affine, MOST_AXES};
use crate::ir::space::{Space, Together};
use crate::kernels;
use cl_core::{Error, Queue, Result, Scratch};
use std::marker::PhantomData;

/// The kernel `assign_layers` of `kernels/assign_layers.cl`.
static ASSIGN_LAYERS: Template = Template {
    kernel: "assign_layers",
    definition: &kernels::ASSIGN_LAYERS,
    shape: |profile, size, ()| Shape { packs: 1, ..profile.elementwise(size) },
};

/// The number of elements that divides all strides of a slab, as in the kernel.
const LINE: usize = 16;

/// The axis of the index that moves all loads of a slab, counted from the last one. Spaces with layers do not have it.
const SHIFT: usize = MOST_AXES - 1;

/// The maximal number of axes of a space.
const MOST: usize = 3;

/// The number of work-groups for each compute unit. Each has a slab of its own.
const GROUPS: usize = 4;

/// The minimal number of items of a row in a block, where rows are divided.
const LEAST_WIDTH: usize = 256;

/// The maximal number of layers in a block.
const DEEPEST: usize = 256;

/// The items of an expression that a kernel keeps while other items read them: a work-group computes them for a block of the
/// index space, layer by layer, and keeps the layers that it needs next in a slab of memory of its own. Slabs stay in the
/// caches of a CPU.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::ranked::{AxisMap, Layers, Layout, coordinate};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// // The sums of two neighbouring squares, each of which is computed once.
/// let (mut sums, line) = (DeviceVec::filled(&queue, 0.0_f32, 3)?, Layout::row_major(&[3])?);
/// if let Some(layers) = Layers::<f32>::new(&queue, &[4], &line, 64 << 10)? {
///     let square = coordinate::<f32>(0, 1) * coordinate::<f32>(0, 1);
///     let next = AxisMap { offset: 1, ..AxisMap::whole(0) };
///     let pair = layers.items() + layers.items().at_coordinates(&[next], 1);
///     layers.assign("pairs", (&mut sums, line), square, pair)?;
///     assert_eq!(sums.to_vec()?, [1.0, 5.0, 13.0]);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Layers<'q, T: Element> {
    queue: &'q Queue,
    memory: Scratch<'q>,
    /// The shapes of the kept expression and of the space.
    shapes: [Vec<usize>; 2],
    blocks: Blocks,
    types: PhantomData<T>,
}

impl<'q, T: Element> Layers<'q, T> {
    /// Returns the memory for an evaluation into an output of the layout `output` that reads an expression over a space of
    /// the shape `kept`: at the coordinates of each item, plus 0 to `kept[axis] - output.shape()[axis]` along each axis. Rows
    /// lie along the axis with the smallest stride of the output, and layers along that with the largest. A slab has at most
    /// `bytes` bytes. Returns `None` if the device is not a CPU, for spaces that do not have one to three axes, if slabs
    /// of that size are too small for the shape, and for spaces with more items than can be counted.
    ///
    /// # Errors
    /// [`Error::Driver`] if there is no memory left.
    pub fn new(
        queue: &'q Queue,
        kept: &[usize],
        output: &Layout,
        bytes: usize,
    ) -> Result<Option<Layers<'q, T>>> {
        let profile = profile(queue.context())?;
        let Some(blocks) = Blocks::of(&profile, kept, output, T::TYPE.size(), bytes) else { return Ok(None) };
        let memory = queue.scratch(blocks.groups * blocks.strides[2] * T::TYPE.size())?;
        let shapes = [kept.to_vec(), output.shape().to_vec()];
        Ok(Some(Layers { queue, memory, shapes, blocks, types: PhantomData }))
    }

    /// Returns the number of kept items that are computed, divided by the number of those that there are: items near the
    /// sides of blocks are computed for both blocks. Returns `None` as [`Layers::new`].
    ///
    /// # Errors
    /// As [`profile`](crate::codegen::profile).
    pub fn overlap(queue: &Queue, kept: &[usize], output: &Layout, bytes: usize) -> Result<Option<f64>> {
        let blocks = Blocks::of(&*profile(queue.context())?, kept, output, T::TYPE.size(), bytes);
        Ok(blocks.map(|blocks| blocks.overlap()))
    }

    /// Returns how many times as long an evaluation takes because some compute units have no block: their number divided by
    /// that of the blocks, at least 1. Returns `None` as [`Layers::new`].
    ///
    /// # Errors
    /// As [`profile`](crate::codegen::profile).
    pub fn idle(queue: &Queue, kept: &[usize], output: &Layout, bytes: usize) -> Result<Option<f64>> {
        let profile = profile(queue.context())?;
        let blocks = Blocks::of(&profile, kept, output, T::TYPE.size(), bytes);
        Ok(blocks.map(|blocks| blocks.idle(profile.compute_units)))
    }

    /// Returns the kept items, as an expression over the space of the shape `kept`. Only [`Layers::assign`] can evaluate it.
    pub fn items(&self) -> Expr<'_, T> {
        let mut graph = Graph::default();
        let form = self.blocks.form();
        let mut arguments = vec![graph.scalar_node(Scalar::index(0))];
        for (axis, &stride) in form.strides.iter().enumerate().filter(|(_, stride)| **stride != 0) {
            arguments.push(coordinate_node(&mut graph, axis));
            arguments.push(graph.scalar_node(Scalar::index(stride)));
        }
        let index = graph.node(Op::Strided, Type::Index, &arguments);
        // Without elements, so that no other evaluation can read them.
        let slot = graph.vector_slot(&Vector::new(&self.memory, self.queue, T::TYPE).of_len(0));
        let root = graph.node(Op::Load(slot), T::TYPE, &[index]);
        graph.roots.push(root);
        Expr::new(graph)
    }

    /// Evaluates an expression at all coordinates of an array, in one kernel. `kept` are the items that
    /// [`items`](Layers::items) stands for in `value`. `operation` is the name in errors.
    ///
    /// # Errors
    /// As [`assign`](super::assign); [`Error::InvalidInput`] if the target has another shape than [`Layers::new`] was given,
    /// and if `value` reads kept items at coordinates that are not kept.
    pub fn assign<'t, R: Item>(
        &'t self,
        operation: &'static str,
        sink: impl RankedSink<'t, R>,
        kept: impl Operand<'t, T>,
        value: impl Operand<'t, R>,
    ) -> Result<()> {
        self.assign_after(operation, sink, kept, value, || Ok(()))
    }

    /// Does the same as [`assign`](Layers::assign). Calls `before` when the kernel is compiled and all input has been checked,
    /// and enqueues the kernel if that returns no error. An error of the input or of the compilation therefore comes before
    /// anything is enqueued.
    ///
    /// # Errors
    /// As [`assign`](Layers::assign), and those of `before`.
    pub fn assign_after<'t, R: Item>(
        &'t self,
        operation: &'static str,
        sink: impl RankedSink<'t, R>,
        kept: impl Operand<'t, T>,
        value: impl Operand<'t, R>,
        before: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let mut targets = Vec::new();
        sink.add_targets(&mut targets);
        let (mut kept, mut graph) = (kept.into_expr().into_graph(), value.into_expr().into_graph());
        kept.check()?;
        graph.check()?;
        let [kept_shape, shape] = &self.shapes;
        for target in &targets {
            target.check(operation, shape)?;
        }
        has_axes(operation, &graph, shape)?;
        has_axes(operation, &kept, kept_shape)?;
        self.admit(operation, &kept, &mut graph)?;
        let mut slab = self.blocks.form();
        slab.strides[SHIFT] = LINE as i64;
        let forms: Vec<Affine> = targets.iter().map(Untyped::affine).collect();
        let long = long_rows(&*profile(self.queue.context())?, &targets);
        let slab = [slab];
        let parts = [(&graph, &forms[..], &shape[..]), (&kept, &slab[..], &kept_shape[..])];
        let Together { graphs, stores, rows, begin, reach } =
            Space::together(operation, parts, &self.blocks.axes, long)?;
        let len: usize = kept_shape.iter().product();
        [graph, kept] = graphs;
        (graph.len, kept.len) = (None, None);
        let mut fused = Fused::new(operation).with_input("", graph);
        fused.read("INNER", kept);
        let roots = fused.graph.parameters_of(targets.iter().map(Untyped::element));
        let [stores, slab_stores] = stores;
        let own = targets.iter().zip(&stores).map(|(target, store)| target.with_index(*store, len));
        fused = fused.with_targets("", "", roots, own, false);
        let items = fused.graph.parameters::<T>();
        let slabs = slab_stores.iter().map(|store| self.slabs().with_index(*store, len));
        // The kernel reads the slabs that it writes.
        fused = fused.with_targets("INNER", "INNER", items, slabs, true);
        fused.rows = Some(rows);
        self.launch(&fused, begin, len.max(reach), before)
    }

    /// Lets a graph read the slabs wherever it reads items that are kept: all loads of slabs move along [`SHIFT`].
    fn admit(&self, operation: &'static str, kept: &Graph<'_>, graph: &mut Graph<'_>) -> Result<()> {
        let is_slab = |vector: &Vector<'_>| std::ptr::eq(vector.memory(), &*self.memory);
        let slab = graph.vectors.iter().position(is_slab);
        let forms = affine_forms(graph, &self.shapes[1]);
        let is_kept = |node: &Node| match node.op {
            Op::Load(slot) if Some(slot as usize) == slab => {
                forms[node.arguments[0] as usize].is_some_and(|form| self.blocks.has(form))
            }
            Op::Vector(slot) => Some(slot as usize) != slab,
            _ => true,
        };
        if !graph.nodes.iter().all(is_kept) || kept.vectors.iter().any(is_slab) {
            let reason = "it reads kept items at coordinates that are not kept";
            return Err(Error::invalid_input(operation, reason));
        }
        let Some(slab) = slab else { return Ok(()) };
        // Slabs have room for few items. The loads were checked above, and all items that they read are stored before.
        graph.vectors[slab].bytes = usize::MAX;
        let own = std::mem::take(graph);
        (graph.len, graph.on, graph.failure) = (own.len, own.on.clone(), own.failure.clone());
        let shift = [coordinate_node(graph, SHIFT), graph.scalar_node(Scalar::index(1))];
        let mut moved = Vec::with_capacity(own.nodes.len());
        for node in &own.nodes {
            moved.push(match node.op {
                Op::Load(slot) if slot as usize == slab => {
                    let place = moved[node.arguments[0] as usize];
                    let index = graph.node(Op::Strided, Type::Index, &[place, shift[0], shift[1]]);
                    let slot = graph.vector_slot(&own.vectors[slab]);
                    graph.node(Op::Load(slot), node.ty, &[index])
                }
                _ => graph.adopt(&own, node, &moved, Replace::Nothing),
            });
        }
        graph.roots = own.roots.iter().map(|&root| moved[root as usize]).collect();
        Ok(())
    }

    /// Returns the memory of the slabs as a target.
    fn slabs(&self) -> Untyped<'_> {
        let layout = Layout::scalar();
        // SAFETY: only the kernel that this value launches uses the memory.
        unsafe { Untyped::of_memory(&self.memory, self.queue, (T::TYPE, self.blocks.strides[2]), layout) }
    }

    /// Compiles the kernel, calls `before`, and enqueues the kernel. Rows begin at the item `begin`.
    fn launch(
        &self,
        fused: &Fused<'_>,
        begin: usize,
        reach: usize,
        before: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let Blocks { shape: [items, rows, layers], more, block, strides: [row, layer, slab], .. } =
            self.blocks;
        let length = begin + items;
        let [across, down, parts] = self.blocks.counts(begin);
        let units = across * down * parts;
        let ready = fused.by(&ASSIGN_LAYERS, ()).compile(self.queue, reach.max(self.blocks.groups * slab))?;
        let lengths = [begin, length, items + more[0], rows, layers];
        let strides = [row, layer, slab].map(|stride| stride / LINE);
        let mut own: Vec<_> =
            lengths.into_iter().chain(block).chain(more).chain(strides).map(|n| ready.index(n)).collect();
        for count in [across, down] {
            own.push(ready.index(count));
            own.extend(ready.division(count));
        }
        own.push(ready.index(units));
        let shape = ready.shape();
        let groups = self.blocks.groups.min(units).min(shape.max_groups).max(1);
        before()?;
        // SAFETY: all indices of vectors were checked when the spaces were lowered. A work-group stores and reads items of
        // its own slab only.
        unsafe { ready.launch(&own, groups, shape.group) }
    }
}

/// The division of an index space into blocks, and the slab of a block. Each array has items, rows and layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Blocks {
    /// The axes of items, rows and layers, counted from the last one, and [`SHIFT`]. Axes of length 1 stand for rows and
    /// layers of which there is one.
    axes: [usize; MOST + 1],
    /// The number of axes along which kept items differ.
    rank: usize,
    /// The extents of the space.
    shape: [usize; 3],
    /// The extents that the kept expression has more.
    more: [usize; 3],
    /// The extents of a block.
    block: [usize; 3],
    /// The number of elements in a row, a layer and the whole of a slab.
    strides: [usize; 3],
    /// The number of slabs.
    groups: usize,
}

impl Blocks {
    /// Returns the blocks for a kept expression of the shape `kept` and elements of `size` bytes. Returns `None` as
    /// [`Layers::new`].
    fn of(
        profile: &DeviceProfile,
        kept: &[usize],
        output: &Layout,
        size: usize,
        bytes: usize,
    ) -> Option<Blocks> {
        let shape = output.shape();
        let rank = shape.len();
        let is_larger =
            kept.len() == rank && kept.iter().zip(shape).all(|(kept, own)| kept >= own && *own > 0);
        let fits = is_larger && count(kept).is_ok();
        if !profile.chunked || !(1..=MOST).contains(&rank) || !fits {
            return None;
        }
        let extent = |of: &[usize], axis: usize| of.iter().rev().nth(axis).copied().unwrap_or(1);
        let (mut axes, single): (Vec<usize>, Vec<usize>) =
            (0..SHIFT).partition(|&axis| extent(kept, axis) > 1);
        let rank = axes.len();
        // The axes with more than one item come first, in the order of the output's strides.
        axes.sort_by_key(|&axis| extent(shape, axis) == 1);
        let several = axes.iter().filter(|&&axis| extent(shape, axis) > 1).count();
        output.affine().sort(&mut axes[..several]);
        axes.extend(single);
        if rank == 2 {
            axes.swap(1, 2);
        }
        let axes = [axes[0], axes[1], axes[2], SHIFT];
        let extents = |of: &[usize]| std::array::from_fn(|part| extent(of, axes[part]));
        let (shape, kept): ([usize; MOST], [usize; MOST]) = (extents(shape), extents(kept));
        let more: [usize; 3] = std::array::from_fn(|axis| kept[axis] - shape[axis]);
        let (elements, layers) = (bytes / size.max(1), 2 * more[2] + 1);
        // Blocks of eight rows and more compute few items twice.
        let widest = elements / layers / (more[1] + shape[1].min(8));
        // An output may begin up to one line in front of its rows.
        let [whole, whole_row] = [shape[0], kept[0]].map(|len| (len + LINE).next_multiple_of(LINE));
        let (width, row) = if whole_row <= widest {
            (whole, whole_row)
        } else {
            let width = widest.checked_sub(more[0] + 2 * LINE)? / LINE * LINE;
            if width < LEAST_WIDTH.max(4 * more[0]) {
                return None;
            }
            (width, (width + more[0] + LINE).next_multiple_of(LINE))
        };
        let tallest = (elements / layers / row).checked_sub(more[1])?;
        if tallest < shape[1].min(more[1].max(1)) {
            return None;
        }
        let even = |len: usize, most: usize| len.div_ceil(len.div_ceil(most));
        let tall = even(shape[1], tallest.min(shape[1]));
        let groups = GROUPS * profile.compute_units.max(1);
        // Two blocks for each slab, unless they would be so thin that many layers are computed twice.
        let columns = shape[0].div_ceil(width) * shape[1].div_ceil(tall);
        let thinnest = 8 * (more[2] + 1);
        let deep = (shape[2] * columns).div_ceil(2 * groups).clamp(thinnest, DEEPEST.max(thinnest));
        let deep = even(shape[2], deep.min(shape[2]));
        let layer = row * (tall + more[1]);
        let mut blocks = Blocks {
            axes,
            rank,
            shape,
            more,
            block: [width, tall, deep],
            strides: [row, layer, layer * layers],
            groups,
        };
        blocks.groups = groups.min(blocks.counts(LINE).iter().product());
        Some(blocks)
    }

    /// Returns the number of blocks along each axis, for outputs that begin `begin` items in front of their rows.
    fn counts(&self, begin: usize) -> [usize; 3] {
        let lens = [self.shape[0] + begin, self.shape[1], self.shape[2]];
        std::array::from_fn(|axis| lens[axis].div_ceil(self.block[axis]))
    }

    /// Returns the index of a kept item in a slab as a function of its coordinates.
    fn form(&self) -> Affine {
        let mut form = Affine::default();
        let [items, rows, layers, _] = self.axes;
        form.strides[items] = 1;
        if self.rank > 1 {
            form.strides[layers] = self.strides[1] as i64;
        }
        if self.rank > 2 {
            form.strides[rows] = self.strides[0] as i64;
        }
        form
    }

    /// Returns the number of kept items that are computed, divided by the number of those that there are.
    fn overlap(&self) -> f64 {
        let counts = self.counts(0);
        let along = |axis: usize| {
            let (len, more) = (self.shape[axis], self.more[axis]);
            (len + more * counts[axis]) as f64 / (len + more) as f64
        };
        (0..3).map(along).product()
    }

    /// Returns the number of compute units divided by that of the blocks, at least 1.
    fn idle(&self, compute_units: usize) -> f64 {
        let blocks: usize = self.counts(0).iter().product();
        (compute_units as f64 / blocks as f64).max(1.0)
    }

    /// Returns whether a load of a slab at this index reads items that are kept.
    fn has(&self, form: Affine) -> bool {
        let Ok(offset) = usize::try_from(form.offset) else { return false };
        let [row, layer, _] = self.strides;
        let at = [offset % row, offset % layer / row, offset / layer];
        let wanted = self.form();
        let mut axes = self.axes.into_iter().enumerate();
        // All coordinates along an axis of length 1 are 0.
        let agrees = |(part, axis): (usize, usize)| {
            form.strides[axis] == wanted.strides[axis] || self.shape.get(part) == Some(&1)
        };
        axes.all(agrees) && at.iter().zip(self.more).all(|(&at, more)| at <= more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::profile::tests::profile;
    use crate::ranked::layout::AxisMap;

    fn blocks(kept: &[usize], shape: &[usize], bytes: usize) -> Option<Blocks> {
        let mut profile = profile(true, "");
        profile.compute_units = 2;
        Blocks::of(&profile, kept, &Layout::row_major(shape).unwrap(), 4, bytes)
    }

    #[test]
    fn rows_lie_along_the_smallest_stride_and_layers_along_the_largest() {
        let profile = profile(true, "");
        let of = |kept: &[usize], output: Layout| {
            let blocks = Blocks::of(&profile, kept, &output, 4, 192 << 10).unwrap();
            (blocks.axes, blocks.shape, blocks.more)
        };
        let (kept, shape) = ([22, 33, 44], [20, 30, 40]);
        let rows = Layout::row_major(&shape).unwrap();
        assert_eq!(of(&kept, rows), ([0, 1, 2, SHIFT], [40, 30, 20], [4, 3, 2]));
        let columns = Layout::column_major(&shape).unwrap();
        assert_eq!(of(&kept, columns), ([2, 1, 0, SHIFT], [20, 30, 40], [2, 3, 4]));
        let axes = [AxisMap::whole(1), AxisMap::whole(0), AxisMap::whole(2)];
        let turned = Layout::row_major(&[30, 20, 40]).unwrap().view(&axes, &shape).unwrap();
        assert_eq!(of(&kept, turned), ([0, 2, 1, SHIFT], [40, 20, 30], [4, 2, 3]));
        // Axes with one kept item take no part; those with one item of the output come last.
        let columns = |shape: &[usize]| Layout::column_major(shape).unwrap();
        assert_eq!(of(&[1, 33, 44], columns(&[1, 30, 40])), ([1, 2, 0, SHIFT], [30, 1, 40], [3, 0, 4]));
        assert_eq!(of(&[3, 33, 44], columns(&[1, 30, 40])), ([1, 0, 2, SHIFT], [30, 40, 1], [3, 4, 2]));
        assert_eq!(of(&[1, 1], columns(&[1, 1])), ([0, 1, 2, SHIFT], [1; 3], [0; 3]));
    }

    #[test]
    fn slabs_have_the_room_that_they_are_given() {
        for (kept, shape) in [
            (&[254, 254, 254][..], &[252, 252, 252][..]),
            (&[1000, 1000], &[996, 999]),
            (&[12, 9, 100_000], &[9, 9, 99_990]),
            (&[1_000_001], &[1_000_000]),
            (&[3, 3, 3], &[1, 1, 1]),
        ] {
            let blocks = blocks(kept, shape, 192 << 10).unwrap();
            assert!(blocks.strides[2] * 4 <= 192 << 10, "{blocks:?}");
            assert!(blocks.strides.iter().all(|stride| stride % LINE == 0), "{blocks:?}");
            let counts = blocks.counts(LINE - 1);
            assert!(
                counts.iter().zip(blocks.block).zip(blocks.shape).all(|((n, b), s)| n * b >= s),
                "{blocks:?}"
            );
            assert!((1.0..1.6).contains(&blocks.overlap()), "{blocks:?} {}", blocks.overlap());
        }
    }

    #[test]
    fn few_blocks_leave_compute_units_idle() {
        let small = blocks(&[66, 66, 66], &[64, 64, 64], 384 << 10).unwrap();
        let count: usize = small.counts(0).iter().product();
        assert_eq!(small.idle(64), 64.0 / count as f64);
        assert_eq!(small.idle(1), 1.0);
    }

    #[test]
    fn shapes_without_layers_have_no_blocks() {
        assert_eq!(blocks(&[4, 4, 4, 4], &[4, 4, 4, 4], 192 << 10), None);
        assert_eq!(blocks(&[3], &[4], 192 << 10), None);
        assert_eq!(blocks(&[4, 2], &[4, 0], 192 << 10), None);
        // Forty rows of a hundred thousand items before and behind.
        assert_eq!(blocks(&[140, 140, 100_000], &[60, 60, 100_000], 192 << 10), None);
        let gpu = profile(false, "");
        assert_eq!(Blocks::of(&gpu, &[40, 40], &Layout::row_major(&[38, 38]).unwrap(), 4, 192 << 10), None);
    }

    #[test]
    fn loads_of_slabs_are_those_of_kept_items() {
        let blocks = blocks(&[40, 40, 40], &[38, 38, 38], 192 << 10).unwrap();
        let [row, layer, _] = blocks.strides;
        let at = |offset: usize| Affine { offset: offset as i64, ..blocks.form() };
        for kept in [0, 2, row, 2 * layer + 2 * row + 2] {
            assert!(blocks.has(at(kept)), "{kept}");
        }
        for other in [3, 3 * row, 3 * layer, 2 * layer + 2 * row + 3] {
            assert!(!blocks.has(at(other)), "{other}");
        }
        let mut turned = at(0);
        turned.strides.swap(0, 1);
        assert!(!blocks.has(turned));
        assert!(!blocks.has(Affine { offset: -1, ..at(0) }));
    }
}
