//! Elementwise evaluation over an index space.

use super::assign_tiles::{evaluate_tiles, gains_by_tiles};
use super::expr::load_graph;
use super::layout::{AxisMap, Layout};
use crate::algorithm::{evaluate, fused_with};
use crate::codegen::{Fused, Parameters, Template};
use crate::device::{DeviceProfile, Shape, profile};
use crate::element::{Element, ElementType};
use crate::expr::{Expr, Item, Operand};
use crate::ir::graph::Graph;
use crate::ir::indices::affine_forms;
use crate::ir::leaf::Vector;
use crate::ir::op::Op;
use crate::ir::rows::Affine;
use crate::ir::space::{InLines, Lowered, Space, StoreLine};
use crate::ir::target::{Target, TargetIndex};
use crate::kernels;
use crate::vec::DeviceVec;
use cl_core::{Error, Memory, Queue, Result};
use std::marker::PhantomData;

/// The kernel `assign_rows` of `kernels/assign_rows.cl`.
static ASSIGN_ROWS: Template<Segments> = Template {
    kernel: "assign_rows",
    definition: &kernels::ASSIGN_ROWS,
    shape: |profile, size, _| {
        let shape = profile.elementwise(size);
        Shape { packs: 1, ..shape }
    },
};

/// The kernel `assign_blocks` of `kernels/assign_blocks.cl`.
static ASSIGN_BLOCKS: Template<Blocks> = Template {
    kernel: "assign_blocks",
    definition: &kernels::ASSIGN_BLOCKS,
    shape: |profile, size, _| (ASSIGN_ROWS.shape)(profile, size, &Segments { segment: 1 }),
};

/// The parameters of the kernel `assign_rows`.
#[derive(Clone, Copy, Debug, Parameters)]
struct Segments {
    /// The number of packs in a segment of a row.
    segment: usize,
}

/// The parameters of the kernel `assign_blocks`.
#[derive(Clone, Copy, Debug, Parameters)]
struct Blocks {
    /// The number of rows in a block, and of items of each of them.
    side: usize,
    /// `true` if the kernel overwrites elements that it reads.
    in_place: bool,
}

/// The number of packs in a segment, on CPUs. Rows that are longer are divided among work-groups.
const SEGMENT: usize = 64;

/// The minimal number of packs of a row that is moved so that its packs begin at lines of memory: see
/// [`Space::lowered_in_lines`]. The items of the incomplete packs at its ends are computed one by one. On an EPYC under
/// PoCL, a stencil of seven points of `f64` that is stored past the caches in this way takes 0.81 of the time for rows of
/// 31 packs, and 1.04 of the time for rows of 15 packs.
const LONG: usize = 24;

/// The number of bytes of a row's part within a block. Shorter pieces of memory are slow to write: 64 MiB in pieces of 64
/// bytes, 256 rows of 16 KiB at a time, take 8.4 ms on a 2-core EPYC under PoCL, of 128 bytes 4.6 ms, of 256 bytes 1.7 ms.
const PIECE: usize = 256;

/// The maximal number of bytes of the blocks of all inputs, on CPUs: a part of the second cache.
const BLOCK_BYTES: usize = 64 << 10;

/// The maximal number of bytes of local memory for the blocks of all inputs, so that a compute unit has several
/// work-groups.
const LOCAL_BYTES: usize = 24 << 10;

/// The smallest side of a block. No pack is longer.
const LEAST_SIDE: usize = 16;

/// An array that an expression is stored to.
#[must_use = "a target does nothing until it is assigned to"]
#[derive(Debug)]
pub struct RankedTarget<'t, T: Element> {
    vector: &'t DeviceVec<T>,
    layout: Layout,
    /// `true` if the target borrows all elements of the vector.
    owns_gaps: bool,
    exclusive: PhantomData<&'t mut T>,
}

impl<'t, T: Element> RankedTarget<'t, T> {
    /// Returns the target of the elements of a vector at a layout.
    ///
    /// # Safety
    /// Nothing else may read or write these elements during `'t`.
    pub unsafe fn new(vector: &'t DeviceVec<T>, layout: Layout) -> RankedTarget<'t, T> {
        RankedTarget { vector, layout, owns_gaps: false, exclusive: PhantomData }
    }

    /// Allows [`write`](super::write) to read elements of the vector that the layout does not have, and to write them
    /// back unchanged, if this is the fastest way.
    ///
    /// # Safety
    /// Nothing else may read or write any element of the vector during `'t`.
    pub unsafe fn with_gaps(self) -> RankedTarget<'t, T> {
        RankedTarget { owns_gaps: true, ..self }
    }

    /// Returns the same elements, in row-major order, as an array of another shape. Returns `None` if the shape has another
    /// number of elements, or no layout has them in this order: see [`Layout::reshape`].
    pub fn reshape(self, shape: &[usize]) -> Option<RankedTarget<'t, T>> {
        Some(RankedTarget { layout: self.layout.reshape(shape)?, ..self })
    }

    pub(super) fn owns_gaps(&self) -> bool {
        self.owns_gaps
    }

    pub(super) fn vector(&self) -> &'t DeviceVec<T> {
        self.vector
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }
}

impl<'t, T: Element> From<(&'t mut DeviceVec<T>, Layout)> for RankedTarget<'t, T> {
    fn from((vector, layout): (&'t mut DeviceVec<T>, Layout)) -> RankedTarget<'t, T> {
        RankedTarget { vector, layout, owns_gaps: true, exclusive: PhantomData }
    }
}

mod sealed {
    /// Seals [`RankedSink`](super::RankedSink): kernels write to the memory that an implementation names.
    pub trait Sealed {}
}
use sealed::Sealed;

/// An output of an expression over an index space: a [`RankedTarget`], a vector with a [`Layout`], [`NewVectors`], or a
/// tuple of these, nested as the items are.
pub trait RankedSink<'t, T: Item>: Sealed {
    #[doc(hidden)]
    fn add_targets(self, to: &mut Vec<Untyped<'t>>);
}

/// A [`RankedTarget`] whose type is erased.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // only this crate has one
pub struct Untyped<'t> {
    memory: &'t Memory,
    queue: &'t Queue,
    element: ElementType,
    len: usize,
    layout: Layout,
}

impl<T: Element> Sealed for RankedTarget<'_, T> {}

impl<'t, T: Element> RankedSink<'t, T> for RankedTarget<'t, T> {
    fn add_targets(self, to: &mut Vec<Untyped<'t>>) {
        let RankedTarget { vector, layout, .. } = self;
        let (memory, queue, len) = (vector.memory(), vector.queue(), vector.len());
        to.push(Untyped { memory, queue, element: T::TYPE, len, layout });
    }
}

impl<T: Element> Sealed for (&mut DeviceVec<T>, Layout) {}

impl<'t, T: Element> RankedSink<'t, T> for (&'t mut DeviceVec<T>, Layout) {
    fn add_targets(self, to: &mut Vec<Untyped<'t>>) {
        RankedTarget::from(self).add_targets(to);
    }
}

/// New vectors with the elements of an array in row-major order, one vector for each element of an item.
#[must_use = "new vectors are not written until they are assigned to"]
#[allow(missing_debug_implementations)] // the vectors of any item
pub struct NewVectors<'t, T: Item> {
    vectors: &'t T::Vectors,
    layout: Layout,
}

impl<'t, T: Item> NewVectors<'t, T> {
    /// Returns vectors as the output of an array of this shape.
    ///
    /// # Safety
    /// Nothing else may read or write the vectors during `'t`.
    ///
    /// # Errors
    /// As [`count`](super::count).
    pub unsafe fn new(vectors: &'t T::Vectors, shape: &[usize]) -> Result<NewVectors<'t, T>> {
        Ok(NewVectors { vectors, layout: Layout::row_major(shape)? })
    }
}

impl<T: Item> Sealed for NewVectors<'_, T> {}

impl<'t, T: Item> RankedSink<'t, T> for NewVectors<'t, T> {
    fn add_targets(self, to: &mut Vec<Untyped<'t>>) {
        let mut targets = Vec::new();
        T::targets(self.vectors, &mut targets);
        let layout = self.layout;
        to.extend(targets.into_iter().map(|Target { memory, queue, element, len, .. }| Untyped {
            memory,
            queue,
            element,
            len,
            layout,
        }));
    }
}

macro_rules! tuples {
    ($(($($name:ident $sink:ident $at:tt),+))+) => {$(
        impl<$($sink: Sealed),+> Sealed for ($($sink,)+) {}

        impl<'t, $($name: Item, $sink: RankedSink<'t, $name>),+> RankedSink<'t, ($($name,)+)> for ($($sink,)+) {
            fn add_targets(self, to: &mut Vec<Untyped<'t>>) {
                $(self.$at.add_targets(to);)+
            }
        }
    )+};
}

tuples! {
    (A X 0, B Y 1)
    (A X 0, B Y 1, C Z 2)
    (A X 0, B Y 1, C Z 2, D W 3)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5, G S 6)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5, G S 6, H R 7)
}

/// Evaluates an expression at all coordinates of an array, in one kernel. `operation` is the name in errors.
///
/// # Errors
/// [`Error::InvalidInput`] if targets of different shapes are given, or a target in which several coordinates have the
/// same element; [`Error::OutOfBounds`] if an array is read or written beyond its vector; deferred errors of the
/// expression; [`Error::ForeignObject`] if the vectors belong to different queues; [`Error::Driver`].
pub fn assign<'t, T: Item>(
    operation: &'static str,
    sink: impl RankedSink<'t, T>,
    value: impl Operand<'t, T>,
) -> Result<()> {
    let mut targets = Vec::new();
    sink.add_targets(&mut targets);
    evaluate_over(operation, value.into_expr().into_graph(), &targets, false)
}

/// Evaluates an expression of the outputs' own elements in place, in one kernel. `operation` is the name in errors.
///
/// All new elements at the same coordinates are computed from the old ones before any is stored.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::ranked::{AxisMap, Layout, assign_with};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut table = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5, 6])?;
/// let second_column = Layout::row_major(&[3, 2])?.view(&[AxisMap::whole(0), AxisMap::at(1)], &[3])?;
/// assign_with("tenfold", (&mut table, second_column), |x: Expr<'_, i32>| 10 * x)?;
/// assert_eq!(table.to_vec()?, [1, 20, 3, 40, 5, 60]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign`], and [`Error::InvalidInput`] if the expression reads other elements of the vectors, such as their
/// neighbours.
pub fn assign_with<'t, T: Item>(
    operation: &'static str,
    sink: impl RankedSink<'t, T>,
    value: impl FnOnce(Expr<'t, T>) -> Expr<'t, T>,
) -> Result<()> {
    let mut targets = Vec::new();
    sink.add_targets(&mut targets);
    let own = targets.iter().map(Untyped::own_elements).reduce(|all, next| all.zip(&next, operation));
    let graph = value(Expr::new(own.unwrap_or_default())).into_graph();
    // An expression with a deferred error, such as an invalid view, returns this error, not the error below.
    graph.check()?;
    own_elements_only(operation, &graph, &targets)?;
    evaluate_over(operation, graph, &targets, true)
}

/// Returns an error if a graph reads elements of the targets at other coordinates than those it is evaluated at.
fn own_elements_only(operation: &'static str, graph: &Graph<'_>, targets: &[Untyped<'_>]) -> Result<()> {
    let shape = targets.first().map_or(&[][..], Untyped::shape);
    let forms = affine_forms(graph, shape);
    let reads_others = |slot: u32, form: Option<Affine>| {
        let memory = graph.vectors[slot as usize].memory();
        let mut of = targets.iter().filter(|target| std::ptr::eq(target.memory, memory)).peekable();
        of.peek().is_some() && !of.any(|target| form.is_some_and(|form| target.is_read_by(form)))
    };
    let others = graph.nodes.iter().any(|node| match node.op {
        Op::Load(slot) => reads_others(slot, forms[node.arguments[0] as usize]),
        Op::Vector(slot) => reads_others(slot, None),
        _ => false,
    });
    if others {
        let reason = "the expression reads elements of the array at other coordinates than the one that it replaces: \
                      one work-item may overwrite an element before another reads it. Assign to another array";
        return Err(Error::invalid_input(operation, reason));
    }
    Ok(())
}

/// Enqueues the kernel that stores each root of a graph to its own target. `in_place` is true if the graph reads
/// elements of the targets.
pub(super) fn evaluate_over<'t>(
    operation: &'static str,
    graph: Graph<'t>,
    targets: &[Untyped<'t>],
    in_place: bool,
) -> Result<()> {
    evaluate_checked(operation, graph, targets, in_place, None)
}

/// Does the same as [`evaluate_over`]. `bound` is the bound that [`Space::bound`] returned for the parts of a graph whose
/// loads are checked already.
pub(super) fn evaluate_checked<'t>(
    operation: &'static str,
    graph: Graph<'t>,
    targets: &[Untyped<'t>],
    in_place: bool,
    bound: Option<i128>,
) -> Result<()> {
    graph.check()?;
    let Some(first) = targets.first() else { return Ok(()) };
    let (queue, layout) = (first.queue, first.layout);
    for target in targets {
        target.check(operation, layout.shape())?;
    }
    let forms: Vec<Affine> = targets.iter().map(|target| target.layout.affine()).collect();
    if layout.is_empty() {
        return fused_with(operation, graph, Vec::new(), false).check_on(queue);
    }
    let mut lines = InLines { bound, ..in_lines(&*profile(queue.context())?, targets, in_place) };
    // A block holds the items of whole rows, and boxes have fewer.
    let may_cross = bound.is_none();
    let mut lowered = Space::lowered_in_lines(operation, &graph, &forms, layout.shape(), may_cross, lines)?;
    if lowered.tiled && !gains_by_tiles(&lowered.graph, &*profile(queue.context())?) {
        lines.tiles = false;
        lowered = Space::lowered_in_lines(operation, &graph, &forms, layout.shape(), may_cross, lines)?;
    }
    let mut side = None;
    if lowered.crosses {
        let output = targets.iter().map(|target| target.element.size()).max().unwrap_or(1);
        side = side_of_blocks(&lowered.graph.crossing_sizes(), output, &*profile(queue.context())?);
        if side.is_none() {
            lowered = Space::lowered_in_lines(operation, &graph, &forms, layout.shape(), false, lines)?;
        }
    }
    let Lowered { graph, stores, rows, len, begin, reach, tiled, .. } = lowered;
    let targets = targets.iter().zip(&stores).map(|(target, store)| target.with_index(*store, len)).collect();
    let mut fused = fused_with(operation, graph, targets, in_place);
    fused.rows = rows;
    match side {
        Some(side) => evaluate_blocks(&fused, Blocks { side, in_place }, queue, len.max(reach)),
        None if tiled => evaluate_tiles(&fused, queue, begin, len.max(reach)),
        None if fused.rows.is_some() => evaluate_rows(&fused, queue, begin, len.max(reach)),
        None => evaluate(fused),
    }
}

/// Returns the rows that a device prefers for targets.
fn in_lines(profile: &DeviceProfile, targets: &[Untyped<'_>], in_place: bool) -> InLines {
    InLines {
        long: if in_place { usize::MAX } else { long_rows(profile, targets) },
        tiles: !profile.chunked && !in_place,
        bound: None,
    }
}

/// Returns the minimal length of rows that are moved so that their packs are stored to whole lines of memory. CPUs store
/// long outputs past their caches, and can store only whole lines there.
pub(super) fn long_rows(profile: &DeviceProfile, targets: &[Untyped<'_>]) -> usize {
    let bytes = targets.iter().map(|target| target.element.size()).sum::<usize>();
    let len = targets.iter().map(Untyped::len).max().unwrap_or_default();
    let streams = profile.chunked && profile.cache > 0 && len.saturating_mul(bytes) > profile.cache;
    if streams { LONG * profile.elementwise(bytes).pack } else { usize::MAX }
}

/// Enqueues the kernel over the rows of a space, from item `begin` of each row on. The indices of the space are at most
/// `reach`.
pub(super) fn evaluate_rows(fused: &Fused<'_>, queue: &Queue, begin: usize, reach: usize) -> Result<()> {
    let Some(rows) = &fused.rows else { return Ok(()) };
    let segment = if profile(queue.context())?.chunked { SEGMENT } else { 1 };
    let ready = fused.by(&ASSIGN_ROWS, Segments { segment }).compile(queue, reach)?;
    let shape = ready.shape();
    let segments = rows.len.div_ceil(segment * shape.pack);
    let [upper, shift] = ready.division(segments);
    let sizes = [begin, rows.len, rows.count(), segments];
    let mut own: Vec<_> = sizes.into_iter().map(|size| ready.index(size)).collect();
    own.extend([upper, shift]);
    let groups = (rows.count() * segments).div_ceil(shape.group).clamp(1, shape.max_groups);
    // SAFETY: the kernel reads and writes the items of the rows. Their indices were checked when the space was lowered.
    unsafe { ready.launch(&own, groups, shape.group) }
}

/// Returns the side of the blocks. Returns `None` if nothing is read in blocks, or the blocks do not fit into local memory.
/// `inputs` are the sizes of their elements, `output` is the largest size of an output's element.
fn side_of_blocks(inputs: &[usize], output: usize, profile: &DeviceProfile) -> Option<usize> {
    let largest = inputs.iter().copied().fold(output.max(1), usize::max);
    let bytes: usize = inputs.iter().sum();
    if bytes == 0 {
        return None;
    }
    let (most, room) = match profile.chunked {
        true => (128, BLOCK_BYTES),
        false => (64, profile.local_room(LOCAL_BYTES)),
    };
    let fits = |side: usize, room: usize| bytes.saturating_mul(side * (side + 1)) <= room;
    let mut side = (PIECE / largest).clamp(LEAST_SIDE, most);
    while side > LEAST_SIDE && !fits(side, room) {
        side /= 2;
    }
    (profile.chunked || fits(side, profile.local_room(usize::MAX))).then_some(side)
}

/// Enqueues the kernel over blocks of rows.
fn evaluate_blocks(fused: &Fused<'_>, blocks: Blocks, queue: &Queue, reach: usize) -> Result<()> {
    let Some(rows) = &fused.rows else { return Ok(()) };
    let ready = fused.by(&ASSIGN_BLOCKS, blocks).compile(queue, reach)?;
    let shape = ready.shape();
    let across = rows.extents[0];
    let (blocks_across, blocks_along) = (across.div_ceil(blocks.side), rows.len.div_ceil(blocks.side));
    let sizes = [rows.len, rows.count(), across, blocks_across, blocks_along];
    let mut own: Vec<_> = sizes.into_iter().map(|size| ready.index(size)).collect();
    own.extend(ready.division(blocks_across));
    own.extend(ready.division(blocks_along));
    let groups = (rows.count() / across * blocks_across * blocks_along).clamp(1, shape.max_groups);
    // SAFETY: as for `evaluate_rows`. Blocks are filled with items of the rows only.
    unsafe { ready.launch(&own, groups, shape.group) }
}

impl<'t> Untyped<'t> {
    /// Returns the elements of a block of memory at a layout as a target.
    ///
    /// # Safety
    /// Nothing else may read or write these elements during `'t`. The block has room for `len` elements.
    pub(super) unsafe fn of_memory(
        memory: &'t Memory,
        queue: &'t Queue,
        (element, len): (ElementType, usize),
        layout: Layout,
    ) -> Untyped<'t> {
        Untyped { memory, queue, element, len, layout }
    }

    pub(super) fn queue(&self) -> &'t Queue {
        self.queue
    }

    pub(super) fn element(&self) -> ElementType {
        self.element
    }

    pub(super) fn len(&self) -> usize {
        self.layout.len()
    }

    pub(super) fn shape(&self) -> &[usize] {
        self.layout.shape()
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the target with its last two axes exchanged.
    pub(super) fn turned(&self) -> Result<Untyped<'t>> {
        let &Untyped { memory, queue, element, len, layout } = self;
        let rank = layout.shape().len();
        let (mut axes, mut shape): (Vec<AxisMap>, Vec<usize>) =
            ((0..rank).map(AxisMap::whole).collect(), layout.shape().to_vec());
        if rank > 1 {
            axes.swap(rank - 2, rank - 1);
            shape.swap(rank - 2, rank - 1);
        }
        Ok(Untyped { memory, queue, element, len, layout: layout.view(&axes, &shape)? })
    }

    pub(super) fn affine(&self) -> Affine {
        self.layout.affine()
    }

    /// Returns the element at the coordinates of each item.
    pub(super) fn own_elements(&self) -> Graph<'t> {
        let &Untyped { memory, queue, element, len, layout } = self;
        load_graph(&Vector::new(memory, queue, element), len, &layout)
    }

    /// Returns whether a load at an affine index reads the element that is stored at the same coordinates.
    fn is_read_by(&self, form: Affine) -> bool {
        let own = self.affine();
        let strides = own.strides.iter().zip(form.strides).zip(self.layout.shape().iter().rev());
        form.offset == own.offset && strides.into_iter().all(|((&own, other), &len)| len < 2 || own == other)
    }

    pub(super) fn check(&self, operation: &'static str, shape: &[usize]) -> Result<()> {
        let Untyped { layout, len, .. } = self;
        if layout.shape() != shape {
            let reason = format!("an output has shape {:?}, and {shape:?} is needed", layout.shape());
            return Err(Error::invalid_input(operation, reason));
        }
        if layout.repeats() {
            let reason = "several coordinates of the output have the same element: assign to an array that is not \
                          broadcast";
            return Err(Error::invalid_input(operation, reason));
        }
        layout.within(operation, *len)
    }

    pub(super) fn with_index(&self, store: StoreLine, len: usize) -> Target<'t> {
        let index = match store {
            StoreLine::Vector { stride, offset } => TargetIndex::Line { stride, offset },
            StoreLine::Row { stride, begin } => TargetIndex::Row { stride, begin },
        };
        self.at(index, len)
    }

    pub(super) fn at(&self, index: TargetIndex<'t>, len: usize) -> Target<'t> {
        let &Untyped { memory, queue, element, len: elements, .. } = self;
        Target { memory, queue, element, len, elements, index, failure: None }
    }
}

#[cfg(test)]
mod tests {
    use super::side_of_blocks;
    use crate::device::profile::tests::profile;

    #[test]
    fn blocks_have_pieces_of_256_bytes_unless_memory_is_short() {
        let side = |chunked: bool, local_memory: usize, inputs: &[usize], output: usize| {
            let mut profile = profile(chunked, "");
            profile.local_memory = local_memory << 10;
            side_of_blocks(inputs, output, &profile)
        };
        for (inputs, output, cpu, gpu, small_gpu) in [
            (&[4][..], 4, Some(64), Some(64), Some(32)),
            (&[1], 1, Some(128), Some(64), Some(64)),
            (&[1], 8, Some(32), Some(32), Some(32)),
            (&[8, 8], 4, Some(32), Some(32), Some(16)),
            (&[8; 20], 8, Some(16), Some(16), None),
            (&[8; 40], 8, Some(16), None, None),
            (&[], 4, None, None, None),
        ] {
            assert_eq!(side(true, 48, inputs, output), cpu, "CPU, {inputs:?}");
            assert_eq!(side(false, 64, inputs, output), gpu, "GPU, {inputs:?}");
            assert_eq!(side(false, 16, inputs, output), small_gpu, "small GPU, {inputs:?}");
        }
    }
}
