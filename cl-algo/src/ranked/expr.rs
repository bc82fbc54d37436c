//! Expressions over the coordinates of an index space.

use super::layout::{AxisMap, Layout, MAX_RANK};
use crate::element::{Element, Number};
use crate::expr::{Expr, Item, Recorded, Val, extend, record};
use crate::ir::graph::{Graph, Replace};
use crate::ir::leaf::{Scalar, Vector};
use crate::ir::op::{NodeId, Op, Type};
use crate::vec::DeviceVec;
use cl_core::{Error, Queue, Result};

/// Returns the element of an array at the coordinates of each item of an index space with the array's shape.
///
/// The expression has no length of its own: [`assign`](super::assign) evaluates it over an index space.
pub fn load<'a, T: Element>(vector: &'a DeviceVec<T>, layout: &Layout) -> Expr<'a, T> {
    Expr::new(load_graph(&vector.as_leaf(), vector.len(), layout))
}

/// Does the same as [`load`] for an array that moves into the expression, without a copy.
pub fn load_owned<'a, T: Element>(vector: DeviceVec<T>, layout: &Layout) -> Expr<'a, T> {
    let (len, vector) = (vector.len(), vector.into_leaf());
    let mut graph = load_graph(&vector, len, layout);
    graph.on = Some(vector.shared_queue());
    Expr::new(graph)
}

/// Does the same as [`load`] for a vector of `len` elements of any type.
pub(super) fn load_graph<'a>(vector: &Vector<'a>, len: usize, layout: &Layout) -> Graph<'a> {
    let mut graph = Graph::short();
    let index = index_node(&mut graph, layout);
    let element = vector.element;
    let slot = graph.vector_slot(vector);
    let root = graph.node(Op::Load(slot), element, &[index]);
    graph.roots.push(root);
    if let Err(error) = layout.within("array", len) {
        graph.fail(error);
    }
    graph
}

/// Adds the index in a vector of the element at the coordinates of each item, and returns its node.
pub(super) fn index_node(graph: &mut Graph<'_>, layout: &Layout) -> NodeId {
    let form = layout.affine();
    let mut arguments = vec![graph.scalar_node(Scalar::index(form.offset))];
    for (axis, (&len, stride)) in layout.shape().iter().rev().zip(form.strides).enumerate() {
        // An axis of length 1 that is broadcast needs no coordinate, because all coordinates have its only element.
        if len > 1 && stride != 0 {
            arguments.push(coordinate_node(graph, axis));
            arguments.push(graph.scalar_node(Scalar::index(stride)));
        }
    }
    graph.node(Op::Strided, Type::Index, &arguments)
}

/// Returns the coordinate of each item along an axis of a space of `rank` axes, as a number.
///
/// An axis that the space does not have is a deferred error.
pub fn coordinate<'a, T: Number>(axis: usize, rank: usize) -> Expr<'a, T> {
    let mut graph = Graph::default();
    let root = own_coordinate(&mut graph, axis, rank);
    graph.roots.push(root);
    Expr::new(graph.cast(T::TYPE))
}

/// Returns the node of the coordinate along an axis of a space of `rank` axes.
fn own_coordinate(graph: &mut Graph<'_>, axis: usize, rank: usize) -> NodeId {
    match rank.checked_sub(axis.saturating_add(1)).filter(|&from_last| from_last < MAX_RANK) {
        Some(from_last) => coordinate_node(graph, from_last),
        None => {
            let reason =
                format!("axis {axis} of a space of {rank} axes; spaces have at most {MAX_RANK} axes");
            graph.fail(Error::invalid_input("coordinate", reason));
            coordinate_node(graph, 0)
        }
    }
}

/// Returns an error if an expression over a space of this shape depends on more axes.
pub(super) fn has_axes(operation: &'static str, graph: &Graph<'_>, shape: &[usize]) -> Result<()> {
    let axis = |op: Op| if let Op::Coordinate(axis) = op { Some(axis as usize) } else { None };
    match graph.nodes.iter().filter_map(|node| axis(node.op)).max().filter(|&axis| axis >= shape.len()) {
        None => Ok(()),
        Some(axis) => {
            let reason = format!(
                "the expression has {} axes or more, and the shape {shape:?} is given for it",
                axis + 1
            );
            Err(Error::invalid_input(operation, reason))
        }
    }
}

/// Returns the node of a sum of coordinates of a space of `rank` axes.
fn sum_of_coordinates(graph: &mut Graph<'_>, maps: &[AxisMap], rank: usize) -> NodeId {
    let offset = maps.iter().try_fold(0, |sum: i64, map| sum.checked_add(i64::try_from(map.offset).ok()?));
    let offset = offset.unwrap_or_else(|| {
        let reason = format!("a coordinate is beyond {}: {maps:?}", i64::MAX);
        graph.fail(Error::invalid_input("view", reason));
        0
    });
    let mut terms = maps.iter().filter_map(|map| Some((map.axis?, map.stride))).peekable();
    if let (&[AxisMap { stride: 1, .. }], 0, Some(&(axis, _))) = (maps, offset, terms.peek()) {
        return own_coordinate(graph, axis, rank);
    }
    let offset = graph.scalar_node(Scalar::index(offset));
    if terms.peek().is_none() {
        return offset;
    }
    let mut arguments = vec![offset];
    for (axis, stride) in terms {
        arguments.push(own_coordinate(graph, axis, rank));
        arguments.push(graph.scalar_node(Scalar::index(stride as i64)));
    }
    graph.node(Op::Strided, Type::Index, &arguments)
}

pub(super) fn coordinate_node(graph: &mut Graph<'_>, axis: usize) -> NodeId {
    graph.node(Op::Coordinate(axis as u32), Type::Index, &[])
}

impl<'a, T: Item> Expr<'a, T> {
    /// Returns a view of an expression over an index space. `axes` gives the coordinate along each axis of the
    /// expression, as a function of the coordinates of the view, which has `rank` axes. An axis without a map, and a map with an
    /// axis that the view does not have, are deferred errors.
    pub fn at_coordinates(self, axes: &[AxisMap], rank: usize) -> Expr<'a, T> {
        let is_same =
            axes.len() == rank && axes.iter().enumerate().all(|(axis, map)| *map == AxisMap::whole(axis));
        if is_same && rank <= MAX_RANK {
            return self;
        }
        self.at_sums_of_coordinates(axes.iter().map(std::slice::from_ref), rank)
    }

    /// Returns a view of an expression in which several axes may move along one axis of the expression, as in windows.
    /// The coordinate along each axis of the expression is the sum of its maps in `axes`.
    pub fn at_sums_of_coordinates<'m>(
        self,
        axes: impl IntoIterator<Item = &'m [AxisMap]>,
        rank: usize,
    ) -> Expr<'a, T> {
        let old = self.into_graph();
        let mut graph = Graph::short();
        graph.on.clone_from(&old.on);
        let mut nodes: Vec<NodeId> =
            axes.into_iter().map(|maps| sum_of_coordinates(&mut graph, maps, rank)).collect();
        nodes.reverse();
        graph.roots = graph.absorb(&old, Replace::Coordinates(&nodes), "view");
        Expr::new(graph)
    }
}

/// Returns the values that a closure computes from the coordinates of each item of a space of `N` axes.
pub fn from_coordinates<const N: usize, R: Recorded>(
    closure: impl FnOnce([Val<u64>; N]) -> R,
) -> Expr<'static, R::Item> {
    let coordinate = |axis: usize| {
        extend(|recording| {
            let own = own_coordinate(recording.graph(), axis, N);
            recording.apply(Op::Cast, u64::TYPE, &[own])
        })
    };
    // A recording has at least one parameter. This one is not used, so it is pruned.
    let graph = record::<u64, R>(|_| closure(std::array::from_fn(coordinate)));
    Expr::new(graph.pruned())
}

/// Returns the same item at all coordinates.
pub fn repeated<T: Item>(item: T) -> Expr<'static, T> {
    // A recording has at least one parameter. This one is not used, so it is pruned.
    Expr::new(record::<u64, T::Values>(|_| item.known()).pruned())
}

/// Returns the items of `yes` where a condition is true, and the items of `no` elsewhere: [`Expr::select`] for tuples.
pub fn select_items<'a, T: Item>(
    condition: Expr<'a, bool>,
    yes: Expr<'a, T>,
    no: Expr<'a, T>,
) -> Expr<'a, T> {
    let mut graph = condition.into_graph();
    let condition = std::mem::take(&mut graph.roots);
    let [yes, no] = [yes, no].map(|items| graph.absorb(&items.into_graph(), Replace::Nothing, "select"));
    for (yes, no) in yes.into_iter().zip(no) {
        let ty = graph.nodes[yes as usize].ty;
        let root = graph.node(Op::Select, ty, &[condition[0], yes, no]);
        graph.roots.push(root);
    }
    graph.drop_if_failed();
    Expr::new(graph)
}

/// Returns the queue of an expression's vectors. `operation` is the name in errors.
///
/// # Errors
/// The first deferred error; [`Error::InvalidInput`] if the expression reads no vector.
pub fn queue_of<'e, T: Item>(operation: &'static str, expr: &'e Expr<'_, T>) -> Result<&'e Queue> {
    expr.check()?;
    expr.queue().ok_or_else(|| {
        let reason = "the expression reads no array, and so has no queue: give it one with `on`";
        Error::invalid_input(operation, reason)
    })
}

/// Returns the first deferred error of an expression.
///
/// # Errors
/// The first deferred error.
pub fn check<T: Item>(expr: &Expr<'_, T>) -> Result<()> {
    expr.check()
}

/// The work of an expression for one item, as [`work`] counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The number of vectors that are read.
    pub vectors: usize,
    /// The number of loads.
    pub loads: usize,
    /// The number of operations on values. The arithmetic of indices does not count.
    pub operations: usize,
}

/// Returns the work of an expression for one item. Common subexpressions count once.
pub fn work<T: Item>(expr: &Expr<'_, T>) -> Work {
    let graph = expr.clone().into_graph().pruned();
    let mut work = Work { vectors: graph.vectors.len(), ..Work::default() };
    for node in &graph.nodes {
        match node.op {
            Op::Load(_) => work.loads += 1,
            _ if node.ty != Type::Index && !node.arguments.is_empty() => work.operations += 1,
            _ => {}
        }
    }
    work
}

/// Returns `value` with the queue and the deferred error of an expression that is not read.
pub fn in_place_of<'a, T: Item, U: Item>(unread: &Expr<'a, T>, value: Expr<'a, U>) -> Expr<'a, U> {
    let value = match unread.shared_queue() {
        Some(queue) => value.on_shared(queue),
        None => value,
    };
    match unread.check() {
        Ok(()) => value,
        Err(error) => value.failed(error),
    }
}
