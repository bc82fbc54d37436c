//! Folds of the lines along an axis whose results the items of the same line read, in one kernel.

use super::assign::{NewVectors, RankedSink, Untyped};
use super::fold::{ItemSize, LEAST_ITEMS};
use super::layout::{Layout, count};
use crate::codegen::{Fused, Parameters, Template};
use crate::device::{DeviceProfile, Shape, profile};
use crate::expr::{Item, Operand, Recorded, record};
use crate::ir::graph::Graph;
use crate::ir::space::{Lowered, Space};
use crate::kernels;
use cl_core::{Error, Queue, Result};
use std::marker::PhantomData;
use std::sync::Arc;

/// The kernel `fold_lines` of `kernels/fold_lines.cl`.
static FOLD_LINES: Template<FoldLines> = Template {
    kernel: "fold_lines",
    definition: &kernels::FOLD_LINES,
    shape: |profile, size, values| {
        let group = values.lanes_of_row.max(most_lanes(profile, values.bytes).min(GROUP));
        let shape = Shape { packs: 1, ..profile.elementwise(size) };
        if profile.chunked { Shape { group: 1, ..shape } } else { Shape { group, ..shape } }
    },
};

/// The parameters of the kernel `fold_lines`.
#[derive(Clone, Copy, Debug, PartialEq, Parameters)]
struct FoldLines {
    /// The number of folds.
    folds: usize,
    /// The number of work-items that fold a row.
    lanes_of_row: usize,
    /// The number of packs of a row that a work-item keeps in registers; 0 for rows that do not fit.
    kept: usize,
    /// The size in bytes of the totals of all folds, which limits the size of a work-group.
    bytes: usize,
}

/// The largest number of folds.
const MOST_FOLDS: usize = 3;

/// The functions and operators of folds.
const VALUES: [&str; MOST_FOLDS] = ["VALUE0", "VALUE1", "VALUE2"];
const COMBINES: [&str; MOST_FOLDS] = ["COMBINE0", "COMBINE1", "COMBINE2"];

/// The number of work-items of a group of a GPU, unless a row takes more.
const GROUP: usize = 128;

/// The largest number of work-items for a row.
const MOST_LANES: usize = 512;

/// The largest number of packs of a row that a work-item keeps: half of the registers of a GPU's work-item in groups of
/// [`MOST_LANES`].
const MOST_KEPT: usize = 8;

/// The number of work-items in a compute unit that keep a GPU busy.
const BUSY: usize = 256;

/// Returns the largest number of work-items for a row, a power of two. Half of the local memory has room for their totals.
fn most_lanes(profile: &DeviceProfile, bytes: usize) -> usize {
    let room = (profile.local_memory / 2 / bytes.max(1)).clamp(1, MOST_LANES).min(profile.largest_group);
    1 << room.ilog2()
}

impl FoldLines {
    /// Returns the division of rows of `packs` packs.
    fn of(profile: &DeviceProfile, packs: usize, folds: usize, bytes: usize) -> FoldLines {
        if profile.chunked {
            // The caches keep a row.
            return FoldLines { folds, lanes_of_row: 1, kept: 0, bytes };
        }
        let lanes_of_row = packs.div_ceil(4).next_power_of_two().min(most_lanes(profile, bytes));
        let kept = match packs.div_ceil(lanes_of_row) {
            0..=4 => 4,
            5..=MOST_KEPT => MOST_KEPT,
            _ => 0,
        };
        FoldLines { folds, lanes_of_row, kept, bytes }
    }
}

/// The lines of an expression along an axis.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::ranked::{Layout, Lines, NewVectors, load};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 3.0, 2.0, 2.0])?;
/// let shares = DeviceVec::filled(&queue, 0.0_f32, 4)?;
/// let rows = load(&x, &Layout::row_major(&[2, 2])?);
/// if let Some(lines) = Lines::new("shares", rows, (&[2, 2], 1))? {
///     // SAFETY: nothing else uses the vector.
///     let sink = unsafe { NewVectors::<f32>::new(&shares, &[2, 2])? };
///     lines.fold(|x| x, |a, b| a + b).store(sink, |x, sum| x / sum)?;
///     assert_eq!(shares.to_vec()?, [0.25, 0.75, 0.5, 0.5]);
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing happens until results are stored"]
#[allow(missing_debug_implementations)] // expressions print their graphs
pub struct Lines<'t, T: Item> {
    operation: &'static str,
    lowered: Lowered<'t>,
    layout: Layout,
    queue: Queue,
    profile: Arc<DeviceProfile>,
    item: PhantomData<fn() -> T>,
}

/// The lines of an expression along an axis, with their totals `S`: the results of the folds so far.
#[must_use = "nothing happens until results are stored"]
#[allow(missing_debug_implementations)] // expressions print their graphs
pub struct FoldedLines<'t, T: Item, S: Item> {
    lines: Lines<'t, T>,
    folds: Vec<Fold>,
    totals: PhantomData<fn() -> S>,
}

/// A recorded fold.
struct Fold {
    value: Graph<'static>,
    operator: Graph<'static>,
    /// The number of elements of a total.
    elements: usize,
    bytes: usize,
}

impl Fold {
    fn record<V: Item, R: Recorded>(
        value: impl FnOnce(V::Values) -> R,
        operator: impl FnOnce(Totals<R>, Totals<R>) -> Totals<R>,
    ) -> Fold {
        let mut bytes = 0;
        R::Item::each_element(&mut |element| bytes += element.size().next_power_of_two());
        Fold {
            value: record::<V, R>(value),
            operator: record::<(R::Item, R::Item), _>(|(a, b)| operator(a, b)),
            elements: <R::Item as Item>::count(),
            bytes,
        }
    }
}

/// The symbolic values of a total.
type Totals<R> = <<R as Recorded>::Item as Item>::Values;

impl<'t, T: Item> Lines<'t, T> {
    /// Returns the lines of an expression over a space of this shape, which has at least one item, along an axis. Returns
    /// `None` if a kernel for each fold is faster than one for all: if the items of a line are not neighbours in memory, or
    /// there are few and long lines. `operation` is the name in errors.
    ///
    /// # Errors
    /// Deferred errors of the expression; [`Error::InvalidInput`] for an expression that reads no vector, an axis that the
    /// space does not have, or a length of 0; as [`assign`](super::assign).
    pub fn new(
        operation: &'static str,
        value: impl Operand<'t, T>,
        (shape, axis): (&[usize], usize),
    ) -> Result<Option<Lines<'t, T>>> {
        let graph = value.into_expr().into_graph();
        graph.check()?;
        if axis >= shape.len() || count(shape)? == 0 {
            let reason = format!("the lines along axis {axis} of shape {shape:?} have no items");
            return Err(Error::invalid_input(operation, reason));
        }
        let Some(queue) = graph.queue().cloned() else {
            let reason = "the expression reads no array; say where to evaluate it, by `on(&queue)`";
            return Err(Error::invalid_input(operation, reason));
        };
        let profile = profile(queue.context())?;
        let layout = Layout::row_major(shape)?;
        let from_last = shape.len() - 1 - axis;
        let (lowered, folding) = Space::scanned(operation, &graph, &[layout.affine()], shape, from_last)?;
        let Some(rows) = &lowered.rows else { return Ok(None) };
        let (count, size) = (rows.count(), ItemSize::of::<T>(&profile));
        let values = FoldLines::of(&profile, rows.len / size.pack, MOST_FOLDS, size.bytes);
        let is_divided = match profile.chunked {
            true => count >= profile.compute_units || rows.len.saturating_mul(count) < LEAST_ITEMS,
            false => {
                values.kept > 0 || count.saturating_mul(values.lanes_of_row) >= BUSY * profile.compute_units
            }
        };
        let lines = Lines { operation, lowered, layout, queue, profile, item: PhantomData };
        Ok((folding.inner && is_divided).then_some(lines))
    }

    /// Folds the values that `value` computes of the items of each line, by an associative and commutative operator.
    pub fn fold<R: Recorded>(
        self,
        value: impl FnOnce(T::Values) -> R,
        operator: impl FnOnce(Totals<R>, Totals<R>) -> Totals<R>,
    ) -> FoldedLines<'t, T, R::Item> {
        FoldedLines { lines: self, folds: vec![Fold::record::<T, R>(value, operator)], totals: PhantomData }
    }
}

impl<'t, T: Item, S: Item> FoldedLines<'t, T, S> {
    /// Folds the values that `value` computes of each item and of the totals of its line. There are at most three folds.
    pub fn fold<R: Recorded>(
        mut self,
        value: impl FnOnce(T::Values, S::Values) -> R,
        operator: impl FnOnce(Totals<R>, Totals<R>) -> Totals<R>,
    ) -> FoldedLines<'t, T, (S, R::Item)> {
        self.folds.push(Fold::record::<(T, S), R>(|(item, totals)| value(item, totals), operator));
        FoldedLines { lines: self.lines, folds: self.folds, totals: PhantomData }
    }

    /// Returns the queue of the vectors that are read.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        &self.lines.queue
    }

    /// Stores what `result` computes of each item and of the totals of its line. Enqueues one kernel.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for outputs of another shape, or more than three folds; [`Error::ForeignObject`] for outputs
    /// of another queue; [`Error::Driver`], [`Error::Build`].
    pub fn store<R: Recorded>(
        self,
        sink: NewVectors<'t, R::Item>,
        result: impl FnOnce(T::Values, S::Values) -> R,
    ) -> Result<()> {
        let FoldedLines { lines: Lines { operation, lowered, layout, profile, .. }, folds, .. } = self;
        if folds.len() > MOST_FOLDS {
            let reason =
                format!("{} folds of the same lines; one kernel has at most {MOST_FOLDS}", folds.len());
            return Err(Error::invalid_input(operation, reason));
        }
        let mut targets = Vec::new();
        sink.add_targets(&mut targets);
        let Some(queue) = targets.first().map(Untyped::queue) else { return Ok(()) };
        for target in &targets {
            target.check(operation, layout.shape())?;
        }
        let Lowered { graph, stores, rows, len, reach, .. } = lowered;
        let Some(rows) = rows else { return Ok(()) };
        let mut fused = Fused::new(operation).with_input("", graph);
        let mut of = vec![""];
        for (fold, (value, combine)) in folds.iter().zip(VALUES.into_iter().zip(COMBINES)) {
            fused = fused.with_function(value, &of, &fold.value).with_operator(
                combine,
                value,
                &fold.operator,
                2 * fold.elements,
            );
            of.push(value);
        }
        let result = record::<(T, S), R>(|(item, totals)| result(item, totals));
        fused = fused.with_function("RESULT", &of, &result);
        let roots = fused.graph.parameters::<R::Item>();
        // All targets have the same layout.
        let targets = targets.iter().filter_map(|target| Some(target.with_index(*stores.first()?, len)));
        fused = fused.with_targets("", "RESULT", roots, targets, false);
        let (length, count) = (rows.len, rows.count());
        fused.rows = Some(rows);
        let bytes = folds.iter().map(|fold| fold.bytes).sum();
        let division = |pack: usize| FoldLines::of(&profile, length / pack, folds.len(), bytes);
        let values = division(ItemSize::of::<T>(&profile).pack);
        let mut kernel = fused.by(&FOLD_LINES, values).compile(queue, len.max(reach))?;
        // Packs are smaller than those of the items if another value is larger than an item.
        let needed = division(kernel.shape().pack);
        if needed != values {
            kernel = fused.by(&FOLD_LINES, needed).compile(queue, len.max(reach))?;
        }
        let shape = kernel.shape();
        let own = [kernel.index(length), kernel.index(count)];
        let groups = (count * needed.lanes_of_row).div_ceil(shape.group).clamp(1, shape.max_groups);
        // SAFETY: the kernel reads the items of the rows and stores the outputs, whose indices were checked when the space
        // was lowered. The packs that work-items keep are all packs of a row.
        unsafe { kernel.launch(&own, groups, shape.group) }
    }
}
