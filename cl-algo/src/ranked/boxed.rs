//! Elementwise evaluation with a faster form inside of a box, as stencils with borders have.

use super::assign::{RankedSink, RankedTarget, Untyped, evaluate_checked, evaluate_over};
use super::expr::coordinate_node;
use crate::element::Element;
use crate::expr::{Expr, Item, Operand};
use crate::ir::graph::{Graph, Replace};
use crate::ir::leaf::Scalar;
use crate::ir::op::{NodeId, Op, Type};
use crate::ir::space::Space;
use cl_core::{Error, Result};
use smallvec::SmallVec;

/// A box of an index space, and expressions over it.
#[derive(Debug)]
pub struct Boxed<E> {
    /// The items of the box: an expression, or several. Their space is the box: its first item has the coordinates 0.
    pub items: E,
    /// The coordinates of the first item of the box in the whole space.
    pub begin: Vec<usize>,
    /// The length of the box along each axis.
    pub shape: Vec<usize>,
}

/// Evaluates an expression at all coordinates of an array, in one kernel, as [`assign`](super::assign) does. `inside` has the same items,
/// in a box of the array, in a form that is faster to compute: it may read neighbours without a rule for the borders.
///
/// Devices compute packs of items whose coordinates are all in the box by `inside`, and all other items by `whole`.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::ranked::{AxisMap, Boxed, Layout, assign_boxed, load};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let (x, line) = (DeviceVec::from_slice(&queue, &[1, 2, 3, 4])?, Layout::row_major(&[4])?);
/// let mut sums = DeviceVec::filled(&queue, 0, 4)?;
/// let at = |offset| load(&x, &line).at_coordinates(&[AxisMap { offset, ..AxisMap::whole(0) }], 1);
/// // Each element and its successor, which is the first one after the last.
/// let whole = load(&x, &line) + load(&x, &line).map_axis(0, &[4], |i| (i + 1) % 4);
/// let inside = Boxed { items: at(0) + at(1), begin: vec![0], shape: vec![3] };
/// assign_boxed("sums", (&mut sums, line), whole, inside)?;
/// assert_eq!(sums.to_vec()?, [3, 5, 7, 5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign`](super::assign), for both expressions; [`Error::InvalidInput`](cl_core::Error::InvalidInput) if the box is not within the array.
pub fn assign_boxed<'t, T: Item>(
    operation: &'static str,
    sink: impl RankedSink<'t, T>,
    whole: impl Operand<'t, T>,
    inside: Boxed<Expr<'t, T>>,
) -> Result<()> {
    let mut targets = Vec::new();
    sink.add_targets(&mut targets);
    let Boxed { items, begin, shape } = inside;
    let inside = Boxed { items: items.into_graph(), begin, shape };
    evaluate_boxed(operation, whole.into_expr().into_graph(), inside, &targets)
}

/// Evaluates expressions at all coordinates of arrays, each into its own array, in one kernel: as [`assign_boxed`] does for
/// tuples. Without a box, all items are computed by `whole`.
///
/// # Errors
/// As [`assign_boxed`]; [`Error::LengthMismatch`] unless there is an expression for each array.
pub fn assign_each<'t, T: Element>(
    operation: &'static str,
    targets: Vec<RankedTarget<'t, T>>,
    whole: Vec<Expr<'t, T>>,
    inside: Option<Boxed<Vec<Expr<'t, T>>>>,
) -> Result<()> {
    let mut outputs = Vec::with_capacity(targets.len());
    targets.into_iter().for_each(|target| target.add_targets(&mut outputs));
    let together = |exprs: Vec<Expr<'t, T>>| {
        if exprs.len() != outputs.len() {
            return Err(Error::length_mismatch(operation, outputs.len(), exprs.len()));
        }
        let graphs = exprs.into_iter().map(Expr::into_graph);
        Ok(graphs.reduce(|all, next| all.zip(&next, operation)).unwrap_or_default())
    };
    let whole = together(whole)?;
    let Some(Boxed { items, begin, shape }) = inside else {
        return evaluate_over(operation, whole, &outputs, false);
    };
    evaluate_boxed(operation, whole, Boxed { items: together(items)?, begin, shape }, &outputs)
}

/// Enqueues the kernel of [`assign_boxed`].
fn evaluate_boxed<'t>(
    operation: &'static str,
    whole: Graph<'t>,
    inside: Boxed<Graph<'t>>,
    targets: &[Untyped<'t>],
) -> Result<()> {
    let (Boxed { items, begin, shape }, mut graph) = (inside, whole);
    graph.check()?;
    items.check()?;
    let Some(own) = targets.first().map(|target| *target.layout()) else { return Ok(()) };
    let is_within = |((&own, &begin), &len): ((&usize, &usize), &usize)| {
        begin.checked_add(len).is_some_and(|end| end <= own)
    };
    let own = own.shape();
    if begin.len() != own.len()
        || shape.len() != own.len()
        || !own.iter().zip(&begin).zip(&shape).all(is_within)
    {
        let reason = format!("a box of shape {shape:?} at {begin:?} is not within an array of shape {own:?}");
        return Err(Error::invalid_input(operation, reason));
    }
    if shape.contains(&0) {
        return evaluate_over(operation, graph, targets, false);
    }
    if shape == own {
        return evaluate_over(operation, items, targets, false);
    }
    let bound = Space::bound(operation, &graph, own)?.max(Space::bound(operation, &items, &shape)?);
    // The box's own coordinates, and the conditions that an item is between its ends. Axes are counted from the last one.
    let mut coordinates = Vec::with_capacity(own.len());
    let mut ends = Vec::new();
    for (axis, ((&own, &begin), &len)) in own.iter().zip(&begin).zip(&shape).rev().enumerate() {
        let coordinate = coordinate_node(&mut graph, axis);
        let [back, length, one] =
            [-(begin as i64), len as i64, 1].map(|number| graph.scalar_node(Scalar::index(number)));
        if len < own {
            ends.push(graph.node(Op::Inside, Type::BOOL, &[coordinate, back, length]));
        }
        coordinates.push(match begin {
            0 => coordinate,
            _ => graph.node(Op::Strided, Type::Index, &[back, coordinate, one]),
        });
    }
    // The nodes of the whole come first: no index that is valid everywhere is at a distance from one that is not.
    let values = std::mem::take(&mut graph.roots);
    let items = graph.absorb(&items, Replace::Coordinates(&coordinates), operation);
    graph.roots = items
        .into_iter()
        .zip(values)
        .map(|(item, value)| {
            let ty = graph.nodes[value as usize].ty;
            let arguments: SmallVec<[NodeId; 8]> =
                [item, value].into_iter().chain(ends.iter().copied()).collect();
            graph.node(Op::Within, ty, &arguments)
        })
        .collect();
    evaluate_checked(operation, graph, targets, false, Some(bound))
}
