//! Expressions over an index space, read at computed coordinates along an axis.

use super::expr::coordinate_node;
use super::layout::MAX_RANK;
use super::triangles::Half;
use crate::element::{Element, Integer};
use crate::expr::{Expr, Item, Operand, Val, record};
use crate::ir::graph::{Graph, Replace};
use crate::ir::leaf::Scalar;
use crate::ir::op::{Beyond, NodeId, Op, Site, Type};
use cl_core::Error;

/// The space that an index is a function of the coordinates of.
#[derive(Clone, Copy)]
enum Indices {
    /// The axis of the index alone.
    OfAxis,
    /// All axes of the result.
    OfSpace,
}

impl<'a, T: Item> Expr<'a, T> {
    /// Gathers along an axis of an index space: coordinate `i` of the result is coordinate `indices[i]` of `self`.
    ///
    /// `shape` is the shape of the space that `self` is over. `indices` is an expression over a space of one axis, or a
    /// vector. An index out of range is reported as by [`Expr::gather`]. An axis of length 0 is a deferred error.
    pub fn gather_axis<I: Integer>(
        self,
        axis: usize,
        shape: &[usize],
        indices: impl Operand<'a, I>,
    ) -> Expr<'a, T> {
        let mut indices = indices.into_expr().into_graph();
        indices.require_integer("gather_axis");
        let len = length(axis, shape);
        self.at_index("gather_axis", axis, shape, &indices.checked(Site::Gather, len), Indices::OfAxis)
    }

    /// Does the same as [`gather_axis`](Expr::gather_axis), but takes the last coordinate in place of one beyond the axis,
    /// without a report. The indices must not be negative.
    pub fn gather_axis_clamped<I: Integer>(
        self,
        axis: usize,
        shape: &[usize],
        indices: impl Operand<'a, I>,
    ) -> Expr<'a, T> {
        let mut indices = indices.into_expr().into_graph();
        let own = indices.root();
        indices.roots = [clamped(&mut indices, own, length(axis, shape))].into_iter().collect();
        self.at_index("gather_axis_clamped", axis, shape, &indices, Indices::OfAxis)
    }

    /// Gathers along an axis of an index space with an index for each item: the result at `[.., i, ..]` is `self` at
    /// `[.., indices[.., i, ..], ..]`.
    ///
    /// `shape` is the shape of the space that `self` is over. `indices` is an expression over the space of the result.
    /// An index out of range is reported as by [`Expr::gather`]. An axis of length 0 is a deferred error.
    pub fn gather_along_axis<I: Integer>(
        self,
        axis: usize,
        shape: &[usize],
        indices: impl Operand<'a, I>,
    ) -> Expr<'a, T> {
        let mut indices = indices.into_expr().into_graph();
        indices.require_integer("gather_along_axis");
        let len = length(axis, shape);
        self.at_index("gather_along_axis", axis, shape, &indices.checked(Site::Gather, len), Indices::OfSpace)
    }

    /// Reads an expression over an index space at the coordinates along an axis that a closure computes from the
    /// result's coordinates.
    ///
    /// `shape` is the shape of the space that `self` is over. A coordinate beyond the axis becomes the last one. An axis
    /// of length 0 is a deferred error.
    pub fn map_axis(
        self,
        axis: usize,
        shape: &[usize],
        coordinate: impl FnOnce(Val<u64>) -> Val<u64>,
    ) -> Expr<'a, T> {
        let mut graph = Graph::default();
        let own = coordinate_node(&mut graph, 0);
        let own = graph.node(Op::Cast, u64::TYPE, &[own]);
        let computed = record::<u64, Val<u64>>(coordinate);
        let computed = graph.absorb(&computed, Replace::Parameters(&[own]), "map_axis")[0];
        let root = clamped(&mut graph, computed, length(axis, shape));
        graph.roots.push(root);
        self.at_index("map_axis", axis, shape, &graph, Indices::OfAxis)
    }

    /// Reads an expression over matrices of `rows` rows and columns, in the last two axes, in one half only: an element
    /// of the other half is the element at the transposed coordinates.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::ranked::{Half, Layout, assign, load};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let square = Layout::row_major(&[2, 2])?;
    /// let a = DeviceVec::from_slice(&queue, &[1.0_f32, f32::NAN, 2.0, 3.0])?;
    /// let mut whole = DeviceVec::filled(&queue, 0.0_f32, 4)?;
    /// assign("mirror", (&mut whole, square.clone()), load(&a, &square).mirrored(Half::Lower, 2))?;
    /// assert_eq!(whole.to_vec()?, [1.0, 2.0, 2.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn mirrored(self, half: Half, rows: usize) -> Expr<'a, T> {
        if rows == 0 {
            return self;
        }
        let mut graph = Graph::default();
        // Axes are counted from the last one, which is that of the columns.
        let own = [0, 1].map(|axis| {
            let own = coordinate_node(&mut graph, axis);
            graph.node(Op::Cast, u64::TYPE, &[own])
        });
        let ordered = record::<(u64, u64), _>(|(column, row): (Val<u64>, Val<u64>)| match half {
            Half::Lower => (column.min(row), column.max(row)),
            Half::Upper => (column.max(row), column.min(row)),
        });
        let ordered = graph.absorb(&ordered, Replace::Parameters(&own), "mirrored");
        let mut nodes: Vec<NodeId> = ordered.iter().map(|&at| clamped(&mut graph, at, rows)).collect();
        nodes.extend((2..MAX_RANK).map(|axis| coordinate_node(&mut graph, axis)));
        graph.roots = graph.absorb(&self.into_graph(), Replace::Coordinates(&nodes), "mirrored");
        Expr::new(graph.pruned())
    }

    /// Reads the expression at an index along an axis.
    fn at_index(
        self,
        operation: &'static str,
        axis: usize,
        shape: &[usize],
        index: &Graph<'a>,
        indices: Indices,
    ) -> Expr<'a, T> {
        if length(axis, shape) == 0 {
            let reason = match axis < shape.len() {
                true => format!("axis {axis} of shape {shape:?} has zero coordinates to read at"),
                false => format!("axis {axis} of shape {shape:?}, which has {} axes", shape.len()),
            };
            return self.failed(Error::invalid_input(operation, reason));
        }
        let mut graph = Graph::default();
        let mut nodes: Vec<NodeId> = (0..shape.len()).map(|axis| coordinate_node(&mut graph, axis)).collect();
        let at = shape.len() - 1 - axis;
        let own = [nodes[at]];
        // A vector's index is the coordinate.
        let replace = match indices {
            Indices::OfAxis if index.len.is_some() => Replace::Index(own[0]),
            Indices::OfAxis => Replace::Coordinates(&own),
            Indices::OfSpace => Replace::Nothing,
        };
        nodes[at] = graph.absorb(index, replace, operation)[0];
        graph.roots = graph.absorb(&self.into_graph(), Replace::Coordinates(&nodes), operation);
        Expr::new(graph.pruned())
    }
}

/// Returns a computed coordinate along an axis of length `len`. A coordinate beyond the axis becomes the last one.
fn clamped(graph: &mut Graph<'_>, computed: NodeId, len: usize) -> NodeId {
    // No more than a safeguard: a check on the device would add the record of faults to every kernel.
    let index = graph.node(Op::Trusted, Type::Index, &[computed]);
    let limits = [0, len].map(|limit| graph.scalar_node(Scalar::index(limit as i64)));
    graph.node(Op::Neighbour(Beyond::Clamp), Type::Index, &[index, limits[0], limits[1]])
}

/// Returns the length of an axis, 0 for an axis that the shape does not have.
fn length(axis: usize, shape: &[usize]) -> usize {
    shape.get(axis).copied().unwrap_or(0)
}
