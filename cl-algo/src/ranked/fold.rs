//! Reductions along axes of an index space.

use super::assign::{RankedSink, Untyped};
use crate::codegen::{Fused, Parameters, Template};
use crate::device::{DeviceProfile, Shape, profile};
use crate::element::ElementType;
use crate::expr::{Item, Operand, Recorded, record};
use crate::ir::graph::{Graph, Replace};
use crate::ir::rows::{Affine, MOST_AXES};
use crate::ir::space::{Folding, Lowered, Space};
use crate::kernels;
use cl_core::{Access, Arg, Error, Queue, Result};

/// The kernel `fold_axes` of `kernels/fold_axes.cl`.
static FOLD_AXES: Template<FoldAxes> = Template {
    kernel: "fold_axes",
    definition: &kernels::FOLD_AXES,
    shape: |profile, size, values| Shape {
        group: if profile.chunked { 1 } else { group(profile, values.bytes) },
        packs: 1,
        ..profile.elementwise(size)
    },
};

/// The kernel `fold_parts` of `kernels/fold_parts.cl`.
static FOLD_PARTS: Template<FoldParts> = Template {
    kernel: "fold_parts",
    definition: &kernels::FOLD_PARTS,
    shape: |profile, size, values| {
        let shape = Shape { pack: 1, packs: 1, ..profile.elementwise(size) };
        if profile.chunked { shape } else { Shape { group: group(profile, values.bytes), ..shape } }
    },
};

/// The parameters of the kernel `fold_parts`.
#[derive(Clone, Copy, Debug, Parameters)]
struct FoldParts {
    /// The number of work-items of a GPU that combine the parts of an item.
    lanes: usize,
    /// The size of an item in bytes, which limits the size of a work-group.
    bytes: usize,
}

impl FoldParts {
    fn of(profile: &DeviceProfile, chunks: usize, bytes: usize) -> FoldParts {
        let lanes = if profile.chunked { 1 } else { (chunks / 4).clamp(1, group(profile, bytes)) };
        FoldParts { lanes: 1 << lanes.ilog2(), bytes }
    }
}

/// The parameters of the kernel `fold_axes`.
#[derive(Clone, Copy, Debug, Parameters)]
struct FoldAxes {
    inner: bool,
    split: bool,
    /// `true` if units that compute partial results of one output take different rows, and not different parts of each row.
    by_rows: bool,
    /// `true` if the kernel has `FOLLOW`: see [`fold_in_order`].
    follows: bool,
    /// The number of work-items that fold a row.
    lanes_of_row: usize,
    /// The number of packs of a row that a work-item folds at once.
    segment: usize,
    /// The number of neighbouring outputs that a work-item computes at once, if they share elements of an input.
    outputs_at_once: usize,
    /// The size of an item in bytes, which limits the size of a work-group.
    bytes: usize,
}

/// The maximal number of bytes of the totals of a work-item of a CPU that folds rows item by item: half of the first
/// cache. The sums of the columns of a matrix read this many bytes of a row in order, and in 4 rows at once. On an EPYC
/// under PoCL, 4096 x 4096 `f32` in pieces of 16 KiB take 2.5 ms, of 4 KiB 2.8 ms, of 1 KiB 4.7 ms; row by row in pieces of
/// 512 bytes they take 7.9 ms.
const TOTALS: usize = 16 << 10;

/// The number of outputs that a work-item computes at once in products of matrices. With packs of 64 bytes their results
/// take 12 of the 16 vector registers of AVX2.
const AT_ONCE: usize = 6;

/// The minimal number of packs in a part of a row.
const LEAST_PACKS: usize = 64;

/// The minimal number of items for which outputs are computed in parts. Parts need a second kernel.
pub(super) const LEAST_ITEMS: usize = 1 << 16;

/// The minimal number of rows in a part of a column.
pub(super) const LEAST_ROWS: usize = 16;

/// Returns the number of work-items in a work-group of a GPU, a power of two. Half of the local memory has room for an
/// item of each work-item.
pub(super) fn group(profile: &DeviceProfile, bytes: usize) -> usize {
    let room = (profile.local_memory / 2 / bytes.max(1)).clamp(1, 128).min(profile.largest_group);
    1 << room.ilog2()
}

/// The room that items take in a kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct ItemSize {
    /// The number of bytes, with the padding of structs.
    pub(super) bytes: usize,
    /// The number of items in a pack.
    pub(super) pack: usize,
    /// The number of words of a partial result.
    pub(super) words: usize,
}

impl ItemSize {
    pub(super) fn of<T: Item>(profile: &DeviceProfile) -> ItemSize {
        let (mut largest, mut packed) = (1, true);
        T::each_element(&mut |element: ElementType| {
            largest = largest.max(element.size());
            packed &= element.scalar().is_some();
        });
        let bytes = T::count() * largest.next_power_of_two();
        let pack = if packed { profile.elementwise(largest).pack } else { 1 };
        ItemSize { bytes, pack, words: bytes.div_ceil(size_of::<u32>()).next_multiple_of(4).max(4) }
    }
}

/// The division of a fold among work-items.
#[derive(Clone, Copy, Debug)]
struct Division {
    values: FoldAxes,
    /// The number of results, or of rows of results.
    outputs: usize,
    /// The number of parts in which each output is computed.
    chunks: usize,
}

impl Division {
    fn of(
        profile: &DeviceProfile,
        len: usize,
        rows: usize,
        folding: Folding,
        follows: bool,
        ItemSize { bytes, pack, .. }: ItemSize,
    ) -> Division {
        let outputs = rows / folding.rows;
        let packs = (len / pack).max(1);
        // The number of work-items that keep the device busy. More parts take longer to combine: on an H200, sums of the
        // columns of 4096 x 4096 `f32` take 29 µs with 64 parts, and 32 µs with 256.
        let wanted = match (profile.chunked, folding.inner) {
            (true, _) => 4,
            (false, true) => 1024,
            (false, false) => 512,
        } * profile.compute_units;
        let mut values = FoldAxes {
            inner: folding.inner,
            split: false,
            by_rows: folding.inner && folding.rows > (packs / LEAST_PACKS).max(1),
            follows,
            lanes_of_row: 1,
            segment: 1,
            outputs_at_once: 1,
            bytes,
        };
        let mut segments = 1;
        let most = match (folding.inner, values.by_rows) {
            (true, false) => packs / LEAST_PACKS,
            (true, true) => (folding.rows * packs / LEAST_PACKS).min(folding.rows),
            (false, _) => folding.rows / LEAST_ROWS,
        };
        if folding.shares && outputs >= AT_ONCE {
            values.outputs_at_once = AT_ONCE;
        } else if profile.chunked {
            values.segment = if folding.inner { 1 } else { (TOTALS / (bytes * pack).max(1)).max(1) };
        } else if folding.inner {
            let lanes = packs.div_ceil(4).min(group(profile, bytes)).max(1);
            values.lanes_of_row = 1 << lanes.ilog2();
        }
        if !folding.inner {
            segments = len.div_ceil(values.segment * pack);
        }
        let units = outputs
            .div_ceil(values.outputs_at_once)
            .saturating_mul(segments)
            .saturating_mul(values.lanes_of_row)
            .max(1);
        let is_long = len.saturating_mul(rows) >= LEAST_ITEMS;
        let chunks = if is_long { (wanted / units).clamp(1, most.max(1)) } else { 1 };
        values.split = chunks > 1;
        Division { values, outputs, chunks }
    }
}

/// Combines the items along axes with an associative and commutative operator, and stores the results of `finish`.
///
/// `shape` is the shape of the index space. The results do not have the axes `axes`, which must not have the length 0
/// unless the output is empty. `operation` is the name in errors.
///
/// # Errors
/// As [`assign`](super::assign) and [`count`](super::count), and [`Error::InvalidInput`] for an axis that the shape does not
/// have, and if the output's shape is not that of the other axes.
pub fn fold<'t, T: Item, R: Recorded>(
    operation: &'static str,
    sink: impl RankedSink<'t, R::Item>,
    value: impl Operand<'t, T>,
    (shape, axes): (&[usize], &[usize]),
    operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    finish: impl FnOnce(T::Values) -> R,
) -> Result<()> {
    let operators = (record::<(T, T), _>(|(a, b)| operator(a, b)), None);
    fold_by(operation, sink, value, (shape, axes), operators, finish)
}

/// Combines the items along one axis as [`fold`] does. `follow` is a simpler operator for two operands of which the second
/// only consists of items that come after those of the first along the axis. It must give what `operator` gives there.
/// Kernels that combine items in this order use it.
///
/// # Errors
/// As [`fold`].
pub fn fold_in_order<'t, T: Item, R: Recorded>(
    operation: &'static str,
    sink: impl RankedSink<'t, R::Item>,
    value: impl Operand<'t, T>,
    (shape, axis): (&[usize], usize),
    operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    follow: impl FnOnce(T::Values, T::Values) -> T::Values,
    finish: impl FnOnce(T::Values) -> R,
) -> Result<()> {
    let follow = record::<(T, T), _>(|(a, b)| follow(a, b));
    let operators = (record::<(T, T), _>(|(a, b)| operator(a, b)), Some(follow));
    fold_by(operation, sink, value, (shape, &[axis]), operators, finish)
}

fn fold_by<'t, T: Item, R: Recorded>(
    operation: &'static str,
    sink: impl RankedSink<'t, R::Item>,
    value: impl Operand<'t, T>,
    (shape, axes): (&[usize], &[usize]),
    (operator, follow): (Graph<'static>, Option<Graph<'static>>),
    finish: impl FnOnce(T::Values) -> R,
) -> Result<()> {
    super::layout::count(shape)?;
    if let Some(axis) = axes.iter().find(|&&axis| axis >= shape.len()) {
        let reason = format!("axis {axis} of shape {shape:?}, which has {} axes", shape.len());
        return Err(Error::invalid_input(operation, reason));
    }
    let mut targets = Vec::new();
    sink.add_targets(&mut targets);
    let graph = value.into_expr().into_graph();
    graph.check()?;
    let Some(queue) = targets.first().map(Untyped::queue) else { return Ok(()) };
    let kept: Vec<usize> = (0..shape.len()).filter(|axis| !axes.contains(axis)).collect();
    let results: Vec<usize> = kept.iter().map(|&axis| shape[axis]).collect();
    let mut forms = Vec::new();
    for target in &targets {
        target.check(operation, &results)?;
        forms.push(over_all_axes(target.affine(), &kept, shape.len()));
    }
    if results.contains(&0) {
        return Ok(());
    }
    if shape.contains(&0) {
        let reason = format!("an axis of shape {shape:?} along which nothing can be combined has length 0");
        return Err(Error::invalid_input(operation, reason));
    }
    let last = shape.len().wrapping_sub(1);
    let is_folded = |axis: usize| axes.contains(&(last - axis));
    let (Lowered { graph, stores, rows, len, reach, .. }, folding) =
        Space::folded(operation, &graph, &forms, shape, is_folded)?;
    let mut fused = Fused::new(operation).with_input("", graph);
    fused = fused.with_operator("COMBINE", "", &operator, 2 * T::count());
    let follow = follow.filter(|_| folding.in_order);
    if let Some(follow) = &follow {
        fused = fused.with_operator("FOLLOW", "", follow, 2 * T::count());
    }
    let items = fused.graph.parameters::<T>();
    let finish = record::<T, R>(finish);
    let roots = fused.graph.absorb(&finish, Replace::Parameters(&items), operation);
    let count = targets.iter().map(Untyped::len).max().unwrap_or_default();
    let targets = targets.iter().zip(&stores).map(|(target, store)| target.with_index(*store, count));
    fused = fused.with_targets("", "", roots, targets, false);
    fused.rows = rows;
    launch::<T>(&fused, queue, folding, follow.is_some(), len.max(reach))
}

/// Returns the index of an output as a function of the coordinates along all `rank` axes. The strides of `form` belong
/// to the axes in `kept`.
pub(super) fn over_all_axes(form: Affine, kept: &[usize], rank: usize) -> Affine {
    let mut all = Affine { offset: form.offset, strides: [0; MOST_AXES] };
    for (&axis, stride) in kept.iter().rev().zip(form.strides) {
        all.strides[rank - 1 - axis] = stride;
    }
    all
}

fn launch<T: Item>(
    fused: &Fused<'_>,
    queue: &Queue,
    folding: Folding,
    follows: bool,
    reach: usize,
) -> Result<()> {
    let Some(rows) = &fused.rows else { return Ok(()) };
    let profile = profile(queue.context())?;
    let size = ItemSize::of::<T>(&profile);
    let Division { values, outputs, chunks } =
        Division::of(&profile, rows.len, rows.count(), folding, follows, size);
    let combine = FoldParts::of(&profile, chunks, size.bytes);
    let (fold, parts) = (fused.by(&FOLD_AXES, values), fused.by(&FOLD_PARTS, combine));
    let (fold, parts) = if values.split {
        let mut ready = Fused::compile_all(&[&fold, &parts], queue, reach)?;
        let parts = ready.pop();
        (ready.pop(), parts)
    } else {
        (Some(fold.compile(queue, reach)?), None)
    };
    let Some(fold) = fold else { return Ok(()) };
    // If rows are folded item by item, each result is a row.
    let width = if folding.inner { 1 } else { rows.len };
    // The kernel has the parameter for parts also if there are none.
    let room = if values.split { outputs * chunks * width * size.words } else { 1 };
    let memory = &queue.scratch(room * size_of::<u32>())?;
    let shape = fold.shape();
    let number = |value: usize| fold.index(value);
    let mut own = vec![number(rows.len), number(folding.rows), number(outputs), number(chunks)];
    // Packs are smaller than those of the items if an output is larger than an item.
    let segments = rows.len.div_ceil(values.segment * shape.pack);
    let units = if folding.inner {
        own.extend(fold.division(chunks));
        outputs * chunks
    } else {
        own.push(number(segments));
        own.extend(fold.division(segments));
        own.extend(fold.division(chunks));
        outputs.div_ceil(values.outputs_at_once) * chunks * segments
    };
    own.push(Arg::Memory(memory, Access::Overwrite));
    let groups = (units * values.lanes_of_row).div_ceil(shape.group).clamp(1, shape.max_groups);
    // SAFETY: the kernel reads the items of the rows and stores the outputs, whose indices were checked when the space
    // was lowered. There is room for all parts.
    unsafe { fold.launch(&own, groups, shape.group)? };
    let Some(parts) = parts else { return Ok(()) };
    let shape = parts.shape();
    let number = |value: usize| parts.index(value);
    let [upper, shift] = parts.division(width);
    let own = [
        number(width),
        number(folding.rows),
        number(outputs),
        number(chunks),
        upper,
        shift,
        Arg::Memory(memory, Access::Read),
    ];
    let groups = (outputs * width * combine.lanes).div_ceil(shape.group).clamp(1, shape.max_groups);
    // SAFETY: as above. The first kernel has written all parts.
    unsafe { parts.launch(&own, groups, shape.group) }
}

#[cfg(test)]
mod tests {
    use super::{Division, Folding, ItemSize};
    use crate::device::profile::tests::profile;

    #[test]
    fn one_output_keeps_the_device_busy() {
        let size = ItemSize { bytes: 4, pack: 4, words: 4 };
        let division = |chunked: bool, len: usize, rows: usize| {
            let folding = Folding { inner: true, rows, in_order: false, shares: false };
            let division = Division::of(&profile(chunked, ""), len, rows, folding, false, size);
            (division.values.by_rows, division.chunks)
        };
        let units = profile(true, "").compute_units;
        for chunked in [true, false] {
            let least = if chunked { 4 } else { 8 } * units;
            // The inside of a grid, and few long rows.
            let (by_rows, chunks) = division(chunked, 254, 254 * 254);
            assert!(by_rows && chunks >= least, "{chunked}: {chunks}");
            let (by_rows, chunks) = division(chunked, 1 << 22, 4);
            assert!(!by_rows && chunks >= least, "{chunked}: {chunks}");
            // No unit would have enough to do.
            assert_eq!(division(chunked, 20, 4).1, 1);
        }
    }
}
