//! Folds along an axis in the order of the items.

use super::assign::{RankedSink, Untyped, evaluate_over};
use super::fold::over_all_axes;
use super::layout::count;
use super::scan;
use crate::codegen::{Fused, Parameters, Template};
use crate::device::Shape;
use crate::expr::{Expr, Item, Operand, Recorded, record};
use crate::ir::graph::Replace;
use crate::ir::rows::Affine;
use crate::ir::space::{Lowered, Space};
use crate::kernels;
use cl_core::Result;

/// The kernel `fold_left` of `kernels/fold_left.cl`.
static FOLD_LEFT: Template<FoldLeft> = Template {
    kernel: "fold_left",
    definition: &kernels::FOLD_LEFT,
    shape: |profile, size, _| Shape { packs: 1, ..profile.elementwise(size) },
};

/// The parameters of the kernel `fold_left`.
#[derive(Clone, Copy, Debug, Parameters)]
struct FoldLeft {
    inner: bool,
}

/// Folds the items along an axis one after the other, in the order of their coordinates, from an initial value on, which must
/// be a value that does not depend on an array. Stores what `finish` computes of each result.
///
/// `step` is called with the result so far and the next item, as that of [`Iterator::fold`], and may be any function.
/// `shape` is the shape of the index space; the results do not have the axis `axis`. `operation` is the name in errors. Each
/// work-item computes whole results: [`fold`](super::fold) is faster for operators that are associative and commutative.
///
/// # Errors
/// As [`scan`](super::scan()), and if the output's shape is not that of the other axes.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::ranked::{Layout, fold_left, from_coordinates, load};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let digits = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5, 6])?;
/// let mut numbers = DeviceVec::filled(&queue, 0, 2)?;
/// let sink = (&mut numbers, Layout::row_major(&[2])?);
/// let rows = load(&digits, &Layout::row_major(&[2, 3])?);
/// let zero = from_coordinates(|[]| Val::known(0));
/// fold_left::<i32, i32, _>("numbers", sink, rows, (&[2, 3], 1), zero, |number, digit| 10 * number + digit, |x| x)?;
/// assert_eq!(numbers.to_vec()?, [123, 456]);
/// # Ok(())
/// # }
/// ```
pub fn fold_left<'t, T: Item, S: Item, R: Recorded>(
    operation: &'static str,
    sink: impl RankedSink<'t, R::Item>,
    value: impl Operand<'t, T>,
    (shape, axis): (&[usize], usize),
    initial: Expr<'t, S>,
    step: impl FnOnce(S::Values, T::Values) -> S::Values,
    finish: impl FnOnce(S::Values) -> R,
) -> Result<()> {
    count(shape)?;
    let mut targets = Vec::new();
    sink.add_targets(&mut targets);
    let graph = value.into_expr().into_graph();
    graph.check()?;
    let initial = initial.into_graph();
    scan::check(operation, shape, axis, Some(&initial))?;
    let Some(queue) = targets.first().map(Untyped::queue) else { return Ok(()) };
    let kept: Vec<usize> = (0..shape.len()).filter(|&other| other != axis).collect();
    let results: Vec<usize> = kept.iter().map(|&axis| shape[axis]).collect();
    for target in &targets {
        target.check(operation, &results)?;
    }
    let finish = record::<S, R>(finish);
    if shape[axis] == 0 {
        return evaluate_over(operation, initial.map(&finish, operation), &targets, false);
    }
    let mut fused = Fused::new(operation);
    if results.contains(&0) {
        return fused.with_input("", graph).check_on(queue);
    }
    let forms: Vec<Affine> =
        targets.iter().map(|target| over_all_axes(target.affine(), &kept, shape.len())).collect();
    let (Lowered { graph, stores, rows, len, reach, .. }, folding) =
        Space::scanned(operation, &graph, &forms, shape, shape.len() - 1 - axis)?;
    let Some(rows) = rows else { return Ok(()) };
    fused = fused.with_input("", graph).with_input("INITIAL", initial);
    let step = record::<(S, T), _>(|(total, item)| step(total, item));
    fused = fused.with_function("STEP", &["INITIAL", ""], &step);
    let totals = fused.graph.parameters::<S>();
    let roots = fused.graph.absorb(&finish, Replace::Parameters(&totals), operation);
    let room = targets.iter().map(Untyped::len).max().unwrap_or_default();
    let targets = targets.iter().zip(&stores).map(|(target, store)| target.with_index(*store, room));
    fused = fused.with_targets("", "INITIAL", roots, targets, false);
    let (length, outputs) = (rows.len, rows.count() / folding.rows);
    fused.rows = Some(rows);
    let kernel = fused.by(&FOLD_LEFT, FoldLeft { inner: folding.inner }).compile(queue, len.max(reach))?;
    let shape = kernel.shape();
    let segments = if folding.inner { 1 } else { length.div_ceil(shape.pack) };
    let sizes = [length, folding.rows, outputs, segments];
    let mut own: Vec<_> = sizes.into_iter().map(|size| kernel.index(size)).collect();
    own.extend(kernel.division(segments));
    let groups = (outputs * segments).div_ceil(shape.group).clamp(1, shape.max_groups);
    // SAFETY: the kernel reads the items of the rows and stores the outputs, whose indices were checked when the space was
    // lowered.
    unsafe { kernel.launch(&own, groups, shape.group) }
}
