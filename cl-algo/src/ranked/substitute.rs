//! Solutions of small triangular systems: the diagonal blocks of larger ones.

use super::assign::RankedSink;
use super::contract::over_inner_axis;
use super::expr::{coordinate_node, has_axes};
use crate::codegen::{Fused, Parameters, Template};
use crate::device::{DeviceProfile, Shape, profile};
use crate::element::{Element, Number};
use crate::expr::{Expr, Val, record};
use crate::ir::graph::{Graph, Replace};
use crate::ir::leaf::Scalar;
use crate::ir::op::{NodeId, Op};
use crate::ir::rows::{Affine, MOST_AXES};
use crate::ir::space::{Lowered, Space};
use crate::kernels;
use cl_core::{Error, Queue, Result};

/// The kernel `substitute` of `kernels/substitute.cl`.
static SUBSTITUTE: Template<Triangle> = Template {
    kernel: "substitute",
    definition: &kernels::SUBSTITUTE,
    shape: |profile, size, _| {
        let shape = profile.elementwise(size);
        match profile.chunked {
            true => Shape { group: 1, packs: 1, ..shape },
            false => Shape { group: profile.largest_group.min(GROUP), pack: 1, packs: 1, ..shape },
        }
    },
};

/// The parameters of the kernel `substitute`.
#[derive(Clone, Copy, Debug, Parameters)]
struct Triangle {
    /// `true` if the diagonal is one.
    unit: bool,
    /// The maximal number of rows, a multiple of 4.
    side: usize,
}

/// The number of work-items in a work-group of a GPU, each with a column.
const GROUP: usize = 64;

/// Returns the maximal number of rows of the triangular matrices that [`substitute`] takes, for elements of `T` on the
/// device of `queue`.
///
/// CPUs: the matrix takes half of a first cache of 32 KiB. GPUs: a column is in registers.
///
/// # Errors
/// As [`DeviceProfile::of`].
pub fn substitution_rows<T: Element>(queue: &Queue) -> Result<usize> {
    Ok(side(&*profile(queue.context())?, T::TYPE.size()))
}

fn side(profile: &DeviceProfile, bytes: usize) -> usize {
    let (most, room) = if profile.chunked { (64, 32 << 10) } else { (32, profile.local_memory / 2) };
    (8..=most).rev().step_by(8).find(|side| side * side * bytes <= room).unwrap_or(4)
}

/// Solves `L X = scale B` by forward substitution, in one kernel: `B` is replaced by `X`.
///
/// `B` is the output, of shape `[.., m, n]`. `lower` is an expression, whose elements above the diagonal are not used, with the
/// shape of its space: `[.., m, m]`, or `[m, m]` if all systems have the same matrix. With `unit`, the diagonal is one, and its elements are not used either. `m` is at most
/// [`substitution_rows`]. A zero on the diagonal makes infinities and NaN.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::ranked::{Layout, load, substitute};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let lower = DeviceVec::from_slice(&queue, &[2.0_f32, f32::NAN, 3.0, 4.0])?;
/// let mut b = DeviceVec::from_slice(&queue, &[2.0_f32, 11.0])?;
/// let lower = load(&lower, &Layout::row_major(&[2, 2])?);
/// substitute("solve", (&mut b, Layout::row_major(&[2, 1])?), (lower, &[2, 2]), false, 1.0)?;
/// assert_eq!(b.to_vec()?, [1.0, 2.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign`](super::assign); [`Error::InvalidInput`] for an output of fewer than two axes or more than
/// [`substitution_rows`] rows, and for a matrix of another shape.
pub fn substitute<'t, T: Number>(
    operation: &'static str,
    sink: impl RankedSink<'t, T>,
    (lower, lower_shape): (Expr<'t, T>, &[usize]),
    unit: bool,
    scale: T,
) -> Result<()> {
    let mut targets = Vec::new();
    sink.add_targets(&mut targets);
    let Some(target) = targets.pop() else { return Ok(()) };
    let (queue, shape) = (target.queue(), target.shape().to_vec());
    target.check(operation, &shape)?;
    let lower = lower.into_graph();
    lower.check()?;
    let own = target.own_elements().map(&record::<T, _>(|own: Val<T>| own * scale), operation);
    Fused::new(operation).check_with(&[&lower, &own])?;
    let profile = profile(queue.context())?;
    let side = side(&profile, T::TYPE.size());
    let &[ref batch_axes @ .., rows, columns] = &shape[..] else {
        let reason = format!("the right-hand sides have shape {shape:?}; they need two axes or more");
        return Err(Error::invalid_input(operation, reason));
    };
    if rows > side || batch_axes.len() + 3 > MOST_AXES {
        let reason = format!(
            "right-hand sides of shape {shape:?}: at most {side} rows and {} axes are solved at once",
            MOST_AXES - 1
        );
        return Err(Error::invalid_input(operation, reason));
    }
    let has_batches = lower_shape.len() > 2;
    let wanted = if has_batches { [batch_axes, &[rows, rows]].concat() } else { vec![rows, rows] };
    if lower_shape != wanted {
        let reason = format!(
            "a matrix of shape {lower_shape:?} for right-hand sides of shape {shape:?}: it must be {wanted:?}"
        );
        return Err(Error::invalid_input(operation, reason));
    }
    has_axes(operation, &lower, lower_shape)?;
    let batches: usize = batch_axes.iter().product();
    if batches * rows * columns == 0 {
        return Ok(());
    }
    // The axes of the space are those of the output, with those of the matrix's columns in front of the last one.
    let mut graph = Graph::default();
    for (part, matrix, batched) in [(&lower, [1, 2], has_batches), (&own, [0, 2], true)] {
        let batch = (3..MOST_AXES).filter(|_| batched);
        let nodes: Vec<NodeId> =
            matrix.into_iter().chain(batch).map(|axis| coordinate_node(&mut graph, axis)).collect();
        let roots = graph.include(part, Replace::Coordinates(&nodes));
        graph.roots.extend(roots);
    }
    let space: Vec<usize> = batch_axes.iter().copied().chain([rows, rows, columns]).collect();
    let forms: [Affine; 1] = [over_inner_axis(target.affine())];
    let Lowered { graph, stores, rows: space, reach, .. } =
        Space::in_order(operation, &graph, &forms, &space, 2)?;
    let [mut lower, mut own] = [0, 1].map(|at| graph.only(graph.roots[at..=at].into()));
    (lower.len, own.len) = (None, None);
    let mut fused = Fused::new(operation).with_input("", own);
    fused.read("LEFT", lower);
    fused.read("ZERO", Graph::scalar(Scalar::new(T::zeroed())));
    fused = fused.with_operator("LESS_PRODUCT", "", &less_product::<T>(), 3);
    fused = fused.operator("QUOTIENT", "", |(x, by): (Val<T>, Val<T>)| x / by);
    let items = fused.graph.parameters::<T>();
    let target = target.with_index(stores[0], target.len());
    fused = fused.with_targets("", "", items, [target], true);
    fused.rows = space;
    let ready = fused.by(&SUBSTITUTE, Triangle { unit, side }).compile(queue, reach)?;
    let shape = ready.shape();
    let packs = columns.div_ceil(if profile.chunked { shape.pack } else { shape.group });
    let mut own: Vec<_> = [rows, columns, batches, packs].into_iter().map(|n| ready.index(n)).collect();
    own.extend(ready.division(packs));
    // A work-group of a CPU copies the matrix: several units share the copy.
    let most = if profile.chunked { 4 * profile.compute_units } else { shape.max_groups };
    let groups = (batches * packs).clamp(1, most);
    // SAFETY: the kernel reads items of the matrices and of the output, and stores the output. All indices were checked
    // when the space was lowered, and there are at most `side` rows.
    unsafe { ready.launch(&own, groups, shape.group) }
}

/// Returns the operator `total - a b` of the arguments `(total, a, b)`. Floats are rounded once.
fn less_product<T: Number>() -> Graph<'static> {
    let mut graph = Graph::default();
    let [total, a, b] = [0, 1, 2].map(|k| graph.node(Op::Parameter(k), T::TYPE, &[]));
    let result = if T::TYPE.is_float() {
        let negated = graph.node(Op::Neg, T::TYPE, &[a]);
        graph.node(Op::Call("fma"), T::TYPE, &[negated, b, total])
    } else {
        let product = graph.node(Op::Mul, T::TYPE, &[a, b]);
        graph.node(Op::Sub, T::TYPE, &[total, product])
    };
    graph.roots.push(result);
    graph
}
