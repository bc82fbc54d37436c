//! Stores at computed coordinates along an axis.

use super::assign::{RankedSink, RankedTarget, evaluate_rows};
use super::expr::coordinate_node;
use crate::algorithm::{evaluate, fused_with};
use crate::element::{Element, Integer};
use crate::expr::Operand;
use crate::ir::graph::{Graph, Replace};
use crate::ir::leaf::Scalar;
use crate::ir::op::{NodeId, Op, Type};
use crate::ir::space::{Lowered, Space};
use crate::ir::target::TargetIndex;
use cl_core::{Error, Result};
use smallvec::smallvec;

/// Stores items at computed coordinates along an axis of an array: item `[.., i, ..]` goes to coordinate
/// `indices[.., i, ..]` along the axis, in one kernel.
///
/// `count` is the number of items along the axis. Along the other axes, the space has the lengths of the array. Both
/// `indices` and `value` are expressions over this space. If several items go to the same element, an unspecified one of
/// them is stored. An item whose index is out of range is dropped, and the next call that waits for the queue returns an
/// error that names the first such index. `operation` is the name in errors.
///
/// # Errors
/// As [`assign`](super::assign), and [`Error::InvalidInput`] for an axis that the array does not have.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::ranked::{Layout, load, scatter};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let matrix = Layout::row_major(&[2, 3])?;
/// let column = Layout::row_major(&[2, 1])?;
/// let mut x = DeviceVec::filled(&queue, 0, 6)?;
/// let at = DeviceVec::from_slice(&queue, &[2_u32, 1])?;
/// scatter("put", (&mut x, matrix).into(), (1, 1), load(&at, &column), 7)?;
/// assert_eq!(x.to_vec()?, [0, 0, 7, 0, 7, 0]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("put_along_axis", "scatter_", "tensor_scatter"))]
pub fn scatter<'t, T: Element, I: Integer>(
    operation: &'static str,
    target: RankedTarget<'t, T>,
    (axis, count): (usize, usize),
    indices: impl Operand<'t, I>,
    value: impl Operand<'t, T>,
) -> Result<()> {
    let mut untyped = Vec::new();
    RankedSink::<T>::add_targets(target, &mut untyped);
    let Some(target) = untyped.pop() else { return Ok(()) };
    let layout = *target.layout();
    target.check(operation, layout.shape())?;
    let Some(&bound) = layout.shape().get(axis) else {
        let reason = format!("axis {axis} of an array of shape {:?}", layout.shape());
        return Err(Error::invalid_input(operation, reason));
    };
    let mut shape = layout.shape().to_vec();
    shape[axis] = count;
    let len = super::layout::count(&shape)?;

    let mut indices = indices.into_expr().into_graph();
    indices.require_integer(operation);
    let mut graph = value.into_expr().into_graph();
    let index = graph.absorb(&indices, Replace::Nothing, operation)[0];
    let place = place(&mut graph, &layout, axis, index);
    graph.roots.extend([index, place]);
    graph.check()?;
    if len == 0 || bound == 0 {
        let (queue, graph) = (target.queue(), graph.only(smallvec![graph.roots[0]]));
        fused_with(operation, graph, Vec::new(), false).check_on(queue)?;
        return if len == 0 { Ok(()) } else { Err(nothing_to_write(operation, axis, layout.shape())) };
    }
    let Lowered { graph, rows, len, reach, .. } = Space::lowered(operation, &graph, &[], &shape, false)?;
    let (value, indices) =
        (graph.only(smallvec![graph.roots[0]]), graph.only(smallvec![graph.roots[1], graph.roots[2]]));
    let index = TargetIndex::Scatter { indices: Box::new(indices), bound, reach: layout.reach() };
    let mut fused = fused_with(operation, value, vec![target.at(index, len)], false);
    fused.rows = rows;
    if fused.rows.is_none() {
        return evaluate(fused);
    }
    evaluate_rows(&fused, target.queue(), 0, len.max(reach))
}

/// Returns the node of the index in the vector, given the index along the axis.
fn place(graph: &mut Graph<'_>, layout: &super::Layout, axis: usize, index: NodeId) -> NodeId {
    let form = layout.affine();
    let rank = layout.shape().len();
    // The part that is an affine function of the other coordinates is one index, so that these axes can be merged.
    let mut arguments = vec![graph.scalar_node(Scalar::index(form.offset))];
    for (from_last, &stride) in form.strides[..rank].iter().enumerate() {
        if from_last != rank - 1 - axis {
            arguments.push(coordinate_node(graph, from_last));
            arguments.push(graph.scalar_node(Scalar::index(stride)));
        }
    }
    let begin = graph.node(Op::Strided, Type::Index, &arguments);
    // The kernel compares the index with the length before it stores there.
    let along = graph.node(Op::Trusted, Type::Index, &[index]);
    let stride = graph.scalar_node(Scalar::index(form.strides[rank - 1 - axis]));
    let place = graph.node(Op::Strided, Type::Index, &[begin, along, stride]);
    graph.node(Op::Cast, u64::TYPE, &[place])
}

fn nothing_to_write(operation: &'static str, axis: usize, shape: &[usize]) -> Error {
    let reason = format!("axis {axis} of shape {shape:?} has zero coordinates to write to");
    Error::invalid_input(operation, reason)
}
