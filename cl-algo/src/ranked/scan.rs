//! Scans along an axis of an index space.

use super::assign::{RankedSink, Untyped};
use super::fold::{ItemSize, LEAST_ITEMS, LEAST_ROWS, group};
use crate::algorithm::{fused_with, scan_stored};
use crate::codegen::{Fused, Parameters, Template};
use crate::device::{DeviceProfile, Shape, profile};
use crate::expr::{Expr, Item, Operand, Recorded, record};
use crate::ir::graph::{Graph, Replace};
use crate::ir::op::Op;
use crate::ir::rows::Affine;
use crate::ir::space::{Folding, Lowered, Space};
use crate::kernels;
use cl_core::{Access, Arg, Error, Queue, Result};

/// The kernel `scan_axes` of `kernels/scan_axes.cl`.
static SCAN_AXES: Template<ScanAxes> = Template {
    kernel: "scan_axes",
    definition: &kernels::SCAN_AXES,
    shape: |profile, size, values| Shape {
        group: if profile.chunked { 1 } else { group(profile, 2 * values.bytes) },
        packs: 1,
        ..profile.elementwise(size)
    },
};

/// The parameters of the kernel `scan_axes`.
#[derive(Clone, Copy, Debug, Parameters)]
struct ScanAxes {
    /// The number of the launch: 0 for the totals of chunks, 1 for the results.
    pass: u8,
    inner: bool,
    exclusive: bool,
    /// The number of work-items of a GPU that scan a row.
    lanes_of_row: usize,
    /// The number of rows that a work-item of a CPU scans side by side.
    rows_at_once: usize,
    /// The number of packs of a row that a work-item scans at once.
    segment: usize,
    /// The size of an item in bytes, which limits the size of a work-group.
    bytes: usize,
}

/// The number of rows that a work-item of a CPU scans side by side: an addition of floats takes four cycles, in which
/// the additions of the other rows begin.
const ROWS_AT_ONCE: usize = 4;

/// The number of packs that a work-item of a CPU scans at once. Scans of the columns of a matrix read this many lines of
/// memory in order before they jump to the next row.
const SEGMENT: usize = 8;

/// The minimal number of items of a row in a chunk, on CPUs.
const LEAST_CHUNK: usize = 4096;

/// The largest number of items in a pack.
const LARGEST_PACK: usize = 16;

/// The division of a scan among work-items.
#[derive(Clone, Copy, Debug)]
struct Division {
    values: ScanAxes,
    /// The number of rows, or of groups of rows that are scanned item by item.
    outputs: usize,
    /// The number of chunks in which the items along the axis are scanned.
    chunks: usize,
    /// The number of items along the axis in a chunk.
    step: usize,
}

impl Division {
    fn of(
        profile: &DeviceProfile,
        len: usize,
        rows: usize,
        folding: Folding,
        ItemSize { bytes, pack, .. }: ItemSize,
        exclusive: bool,
    ) -> Division {
        let outputs = rows / folding.rows;
        let (lanes_of_row, rows_at_once, segment) = (1, 1, 1);
        let mut values =
            ScanAxes { pass: 1, inner: folding.inner, exclusive, lanes_of_row, rows_at_once, segment, bytes };
        // The number of items along the axis, the least number of them in a chunk, and the most chunks. A chunk combines
        // the totals of all chunks before it, so there are at most as many chunks as steps in a chunk.
        let (along, least, most) = match (folding.inner, profile.chunked) {
            (true, true) => {
                values.rows_at_once = ROWS_AT_ONCE;
                (len, 1, len / LEAST_CHUNK)
            }
            (true, false) => {
                values.lanes_of_row = len.div_ceil(pack).next_power_of_two().min(group(profile, 2 * bytes));
                // Whole tiles, however long a pack of the kernel is.
                let tile = values.lanes_of_row * LARGEST_PACK;
                (len, tile, len.div_ceil(tile).isqrt())
            }
            (false, chunked) => {
                values.segment = if chunked { SEGMENT } else { 1 };
                let most = (folding.rows / LEAST_ROWS).min(folding.rows.isqrt());
                (folding.rows, 1, most)
            }
        };
        let segments = if folding.inner { 1 } else { len.div_ceil(values.segment * pack) };
        let units =
            outputs.div_ceil(values.rows_at_once).saturating_mul(segments * values.lanes_of_row).max(1);
        let (enough, wanted) = match profile.chunked {
            true => (profile.compute_units, 4 * profile.compute_units),
            false => (2048 * profile.compute_units, 2048 * profile.compute_units),
        };
        let is_long = len.saturating_mul(rows) >= LEAST_ITEMS && units < enough;
        let chunks = if is_long { (wanted / units).clamp(1, most.max(1)) } else { 1 };
        let step = along.div_ceil(chunks).next_multiple_of(least);
        Division { values, outputs, chunks: along.div_ceil(step), step }
    }
}

/// Combines each item with the items before it along an axis, with an associative operator, and stores the results of
/// `finish`.
///
/// The operator need not commute: its first argument is the result of the items before the second. With an initial
/// item, which must be a value that does not depend on an array, result `i` is that of the initial item and the first
/// `i` items. `shape` is the shape of the index space and of the output. `operation` is the name in errors.
///
/// # Errors
/// As [`assign`](super::assign), and [`Error::InvalidInput`] for an axis that the space does not have, or an initial
/// item that reads an array.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::ranked::{Layout, load, scan};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5, 6])?;
/// let mut sums = DeviceVec::filled(&queue, 0, 6)?;
/// let matrix = Layout::row_major(&[2, 3])?;
/// let sum = |a: Val<i32>, b: Val<i32>| a + b;
/// scan::<i32, _>("sums", (&mut sums, matrix), load(&x, &matrix), (&[2, 3], 1), None, sum, |sum| sum)?;
/// assert_eq!(sums.to_vec()?, [1, 3, 6, 4, 9, 15]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("cumsum", "cumprod", "accumulate"))]
pub fn scan<'t, T: Item, R: Recorded>(
    operation: &'static str,
    sink: impl RankedSink<'t, R::Item>,
    value: impl Operand<'t, T>,
    (shape, axis): (&[usize], usize),
    initial: Option<Expr<'t, T>>,
    operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    finish: impl FnOnce(T::Values) -> R,
) -> Result<()> {
    let len = super::layout::count(shape)?;
    let mut targets = Vec::new();
    sink.add_targets(&mut targets);
    let graph = value.into_expr().into_graph();
    graph.check()?;
    let initial = initial.map(Expr::into_graph);
    check(operation, shape, axis, initial.as_ref())?;
    let Some(queue) = targets.first().map(Untyped::queue) else { return Ok(()) };
    for target in &targets {
        target.check(operation, shape)?;
    }
    if len == 0 {
        return fused_with(operation, graph, Vec::new(), false).check_on(queue);
    }
    let forms: Vec<Affine> = targets.iter().map(Untyped::affine).collect();
    let from_last = shape.len() - 1 - axis;
    let is_line = shape[axis] == len && forms[0].strides[from_last] > 0;
    let (Lowered { graph, stores, rows, len, reach, .. }, folding) = if is_line {
        let folding = Folding { inner: true, rows: 1, shares: false, in_order: true };
        (Space::lowered(operation, &graph, &forms, shape, false)?, folding)
    } else {
        Space::scanned(operation, &graph, &forms, shape, from_last)?
    };
    let operator = record::<(T, T), _>(|(a, b)| operator(a, b));
    let finish = record::<T, R>(finish);
    let targets = targets.iter().zip(&stores).map(|(target, store)| target.with_index(*store, target.len()));
    let store = |mut fused: Fused<'t>| {
        let items = fused.graph.parameters::<T>();
        let roots = fused.graph.absorb(&finish, Replace::Parameters(&items), operation);
        fused.with_targets("", "", roots, targets, false)
    };
    let Some(rows) = rows else {
        return scan_stored::<T>(operation, graph, initial, operator, store);
    };
    let profile = profile(queue.context())?;
    let size = ItemSize::of::<T>(&profile);
    let division = Division::of(&profile, rows.len, rows.count(), folding, size, initial.is_some());
    let filled = |graph: Graph<'t>| {
        let mut fused = Fused::new(operation).with_input("", graph);
        fused.rows = Some(rows.clone());
        fused
    };
    let combined = |fused: Fused<'t>| fused.with_operator("COMBINE", "", &operator, 2 * T::count());
    let totals = (division.chunks > 1).then(|| combined(filled(graph.clone())));
    let mut results = filled(graph);
    if let Some(initial) = initial {
        results = results.with_input("INITIAL", initial);
    }
    launch(totals.as_ref(), &store(combined(results)), queue, (division, folding), size.words, len.max(reach))
}

/// Returns an error unless the space has the axis and the initial item is a value.
pub(super) fn check(
    operation: &'static str,
    shape: &[usize],
    axis: usize,
    initial: Option<&Graph<'_>>,
) -> Result<()> {
    if axis >= shape.len() {
        let reason = format!("axis {axis} of shape {shape:?}, which has {} axes", shape.len());
        return Err(Error::invalid_input(operation, reason));
    }
    let Some(initial) = initial else { return Ok(()) };
    initial.check()?;
    let depends = |op: Op| matches!(op, Op::Load(_) | Op::Coordinate(_) | Op::Index);
    if initial.len.is_some() || initial.nodes.iter().any(|node| depends(node.op)) {
        let reason = "the initial item reads an array or depends on coordinates; pass a value";
        return Err(Error::invalid_input(operation, reason));
    }
    Ok(())
}

/// Enqueues the kernel of the totals, if there are several chunks, and the kernel of the results.
fn launch(
    totals: Option<&Fused<'_>>,
    results: &Fused<'_>,
    queue: &Queue,
    (division, folding): (Division, Folding),
    words: usize,
    reach: usize,
) -> Result<()> {
    let Division { values, outputs, chunks, step } = division;
    let Some(rows) = &results.rows else { return Ok(()) };
    let results = results.by(&SCAN_AXES, values);
    let first = totals.map(|totals| totals.by(&SCAN_AXES, ScanAxes { pass: 0, ..values }));
    let kernels = match &first {
        Some(first) => Fused::compile_all(&[first, &results], queue, reach)?,
        None => vec![results.compile(queue, reach)?],
    };
    // Each row that is scanned item by item has as many totals as items. The kernel has the parameter for totals also if
    // there are none.
    let width = if folding.inner { 1 } else { rows.len };
    let room = if chunks > 1 { outputs * chunks * width * words } else { 1 };
    let memory = &queue.scratch(room * size_of::<u32>())?;
    for kernel in &kernels {
        let shape = kernel.shape();
        let number = |value: usize| kernel.index(value);
        // Packs are smaller than those of the items if an output is larger than an item.
        let segments = rows.len.div_ceil(values.segment * shape.pack);
        let mut own = vec![number(rows.len)];
        if !folding.inner {
            own.push(number(folding.rows));
        }
        own.extend([number(outputs), number(chunks), number(step)]);
        let units = if folding.inner {
            own.extend(kernel.division(chunks));
            outputs.div_ceil(values.rows_at_once) * chunks
        } else {
            own.push(number(segments));
            own.extend(kernel.division(segments));
            own.extend(kernel.division(chunks));
            outputs * chunks * segments
        };
        own.push(Arg::Memory(memory, Access::Write));
        let groups = (units * values.lanes_of_row).div_ceil(shape.group).clamp(1, shape.max_groups);
        // SAFETY: the kernels read the items of the rows and store the outputs, whose indices were checked when the space
        // was lowered. There is room for the totals of all chunks, and the first kernel has written them.
        unsafe { kernel.launch(&own, groups, shape.group)? };
    }
    Ok(())
}
