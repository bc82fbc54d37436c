//! Elementwise evaluation over an index space.

use super::layout::Layout;
use crate::algorithm::{evaluate, fused_with};
use crate::codegen::{Fused, Parameters, Template};
use crate::device::{DeviceProfile, Shape, profile};
use crate::element::{Element, ElementType};
use crate::expr::{Item, Operand};
use crate::ir::rows::Affine;
use crate::ir::space::{Lowered, Space, StoreLine};
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
}

/// The number of packs in a segment, on CPUs. Rows that are longer are divided among work-groups.
const SEGMENT: usize = 64;

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
    exclusive: PhantomData<&'t mut T>,
}

impl<'t, T: Element> RankedTarget<'t, T> {
    /// Returns the target of the elements of a vector at a layout.
    ///
    /// # Safety
    /// Nothing else may read or write these elements during `'t`.
    pub unsafe fn new(vector: &'t DeviceVec<T>, layout: Layout) -> RankedTarget<'t, T> {
        RankedTarget { vector, layout, exclusive: PhantomData }
    }
}

impl<'t, T: Element> From<(&'t mut DeviceVec<T>, Layout)> for RankedTarget<'t, T> {
    fn from((vector, layout): (&'t mut DeviceVec<T>, Layout)) -> RankedTarget<'t, T> {
        RankedTarget { vector, layout, exclusive: PhantomData }
    }
}

mod sealed {
    /// Seals [`RankedSink`](super::RankedSink): kernels write to the memory that an implementation names.
    pub trait Sealed {}
}
use sealed::Sealed;

/// An output of an expression over an index space: a [`RankedTarget`], a vector with a [`Layout`], or a tuple of
/// these for a tuple of values.
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

macro_rules! tuples {
    ($(($($name:ident $sink:ident $at:tt),+))+) => {$(
        impl<$($sink: Element),+> Sealed for ($(RankedTarget<'_, $sink>,)+) {}

        impl<'t, $($name: Element),+> RankedSink<'t, ($($name,)+)> for ($(RankedTarget<'t, $name>,)+) {
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
    let graph = value.into_expr().into_graph();
    graph.check()?;
    let Some(first) = targets.first() else { return Ok(()) };
    let (queue, layout) = (first.queue, first.layout);
    for target in &targets {
        target.check(operation, layout.shape())?;
    }
    let forms: Vec<Affine> = targets.iter().map(|target| target.layout.affine()).collect();
    if layout.is_empty() {
        return fused_with(operation, graph, Vec::new(), false).check_on(queue);
    }
    let mut lowered = Space::lowered(operation, &graph, &forms, layout.shape(), true)?;
    let mut blocks = None;
    if lowered.crosses {
        let output = targets.iter().map(|target| target.element.size()).max().unwrap_or(1);
        blocks = self::blocks(&lowered.graph.crossing_sizes(), output, &*profile(queue.context())?);
        if blocks.is_none() {
            lowered = Space::lowered(operation, &graph, &forms, layout.shape(), false)?;
        }
    }
    let Lowered { graph, stores, rows, len, reach, .. } = lowered;
    let targets = targets.iter().zip(&stores).map(|(target, store)| target.with_index(*store, len)).collect();
    let mut fused = fused_with(operation, graph, targets, false);
    fused.rows = rows;
    match blocks {
        Some(blocks) => evaluate_blocks(&fused, blocks, queue, len.max(reach)),
        None if fused.rows.is_some() => evaluate_rows(&fused, queue, len.max(reach)),
        None => evaluate(fused),
    }
}

/// Enqueues the kernel over the rows of a space. The indices of the space are at most `reach`.
fn evaluate_rows(fused: &Fused<'_>, queue: &Queue, reach: usize) -> Result<()> {
    let Some(rows) = &fused.rows else { return Ok(()) };
    let segment = if profile(queue.context())?.chunked { SEGMENT } else { 1 };
    let ready = fused.by(&ASSIGN_ROWS, Segments { segment }).compile(queue, reach)?;
    let shape = ready.shape();
    let segments = rows.len.div_ceil(segment * shape.pack);
    let [upper, shift] = ready.division(segments);
    let own = [ready.index(rows.len), ready.index(rows.count()), ready.index(segments), upper, shift];
    let groups = (rows.count() * segments).div_ceil(shape.group).clamp(1, shape.max_groups);
    // SAFETY: the kernel reads and writes the items of the rows. Their indices were checked when the space was lowered.
    unsafe { ready.launch(&own, groups, shape.group) }
}

/// Returns the parameters of the kernel over blocks of rows. Returns `None` if nothing is read in blocks, or the blocks do
/// not fit into local memory.
/// `inputs` are the sizes of their elements, `output` is the largest size of an output's element.
fn blocks(inputs: &[usize], output: usize, profile: &DeviceProfile) -> Option<Blocks> {
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
    (profile.chunked || fits(side, profile.local_room(usize::MAX))).then_some(Blocks { side })
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
    pub(super) fn queue(&self) -> &'t Queue {
        self.queue
    }

    pub(super) fn len(&self) -> usize {
        self.layout.len()
    }

    pub(super) fn affine(&self) -> Affine {
        self.layout.affine()
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
        if layout.reach() > *len {
            return Err(Error::out_of_bounds(operation, layout.offset(), layout.reach(), *len));
        }
        Ok(())
    }

    pub(super) fn with_index(&self, store: StoreLine, len: usize) -> Target<'t> {
        let &Untyped { memory, queue, element, .. } = self;
        let index = match store {
            StoreLine::Vector { stride, offset } => TargetIndex::Line { stride, offset },
            StoreLine::Row { stride, begin } => TargetIndex::Row { stride, begin },
        };
        Target { memory, queue, element, len, index, failure: None }
    }
}

#[cfg(test)]
mod tests {
    use super::blocks;
    use crate::device::profile::tests::profile;

    #[test]
    fn blocks_have_pieces_of_256_bytes_unless_memory_is_short() {
        let side = |chunked: bool, local_memory: usize, inputs: &[usize], output: usize| {
            let mut profile = profile(chunked, "");
            profile.local_memory = local_memory << 10;
            blocks(inputs, output, &profile).map(|blocks| blocks.side)
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
