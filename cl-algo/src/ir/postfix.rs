//! An expression in postfix notation: operands, followed by the operations on them.
//!
//! Operators only append to this list. The graph is made once, when the expression is evaluated or turned into a view.
//! Making a graph for each operand, and joining graphs at every operator, took 7300 of the 16 600 instructions of a
//! call with five operators whose kernel was known. The list takes 1500, and its graph 3000.

use super::graph::{Extent, Graph, Replace};
use super::leaf::{Scalar, Vector};
use super::op::{NodeId, Op};
use crate::element::ElementType;
use cl_core::{Error, Result};
use smallvec::SmallVec;

/// The capacity for the steps of a short expression: less than 1 KiB, up to which glibc keeps freed memory for the
/// thread.
const SHORT: usize = 12;

/// The maximal number of steps. A longer expression becomes a graph, in which equal nodes exist once.
const MOST_STEPS: usize = 256;

/// An expression in postfix notation.
#[derive(Clone, Default)]
#[allow(missing_debug_implementations)] // only this crate has one
pub struct Postfix<'a> {
    steps: Vec<Step<'a>>,
    pub(crate) extent: Extent<'a>,
    /// The first deferred error, which evaluation returns.
    failure: Option<Box<Error>>,
}

#[derive(Clone)]
enum Step<'a> {
    /// An operand that is every element of a vector, in order.
    Vector(Vector<'a>),
    /// A launch value.
    Scalar(Scalar),
    /// Any other operand: a view, a tuple, a closure's result.
    Graph(Box<Graph<'a>>),
    /// An operation on the last operands. A graph counts as many operands as it has roots.
    Apply { op: Op, ty: ElementType, operands: usize },
}

impl<'a> From<Graph<'a>> for Postfix<'a> {
    fn from(mut graph: Graph<'a>) -> Postfix<'a> {
        let (extent, failure) = (graph.extent(), graph.failure.take());
        Postfix { steps: vec![Step::Graph(Box::new(graph))], extent, failure }
    }
}

// `name` is the operation that the user called, for errors.
impl<'a> Postfix<'a> {
    /// Returns an expression without steps, with the capacity for a short one.
    pub(crate) fn new() -> Postfix<'a> {
        Postfix { steps: Vec::with_capacity(SHORT), ..Postfix::default() }
    }

    /// Appends every element of a vector, in order.
    pub(crate) fn vector(&mut self, vector: Vector<'a>, len: usize, name: &'static str) {
        self.agree(Extent { len: Some(len), queue: Some(vector.shared_queue()) }, name);
        self.steps.push(Step::Vector(vector));
    }

    /// Appends a launch value.
    pub(crate) fn scalar(&mut self, scalar: Scalar) {
        self.steps.push(Step::Scalar(scalar));
    }

    /// Appends another expression.
    pub(crate) fn append(&mut self, other: Postfix<'a>, name: &'static str) {
        if self.failure.is_none() {
            self.failure = other.failure;
        }
        self.agree(other.extent, name);
        if self.steps.is_empty() {
            self.steps = other.steps;
        } else {
            self.steps.extend(other.steps);
        }
    }

    fn agree(&mut self, other: Extent<'a>, name: &'static str) {
        if let Err(error) = self.extent.agree(other, name) {
            self.failure.get_or_insert_with(|| Box::new(error));
        }
    }

    /// Applies an operation to the last operands.
    pub(crate) fn apply(&mut self, op: Op, ty: ElementType, operands: usize) {
        self.steps.push(Step::Apply { op, ty, operands });
        if self.steps.len() > MOST_STEPS {
            *self = std::mem::take(self).into_graph().into();
        }
    }

    /// Returns an operation on these operands.
    pub(crate) fn of(
        operands: impl IntoIterator<Item = Postfix<'a>>,
        op: Op,
        ty: ElementType,
        name: &'static str,
    ) -> Postfix<'a> {
        let (mut postfix, mut count) = (Postfix::default(), 0);
        for operand in operands {
            count += if let Some(Step::Graph(graph)) = operand.steps.last() { graph.roots.len() } else { 1 };
            postfix.append(operand, name);
        }
        postfix.apply(op, ty, count);
        postfix
    }

    /// Returns the first deferred error, if any. The graph may also have too many nodes, which this does not check.
    pub(crate) fn check(&self) -> Result<()> {
        self.failure.as_ref().map_or(Ok(()), |error| Err((**error).clone()))
    }

    /// Returns whether copying the expression takes no longer than copying a leaf.
    pub(crate) fn is_leaf(&self) -> bool {
        self.steps.len() == 1
    }

    /// Returns the graph of the last operand. A deferred error, such as two lengths, is kept in the graph.
    pub(crate) fn into_graph(mut self) -> Graph<'a> {
        let mut graph = match self.steps.first() {
            Some(Step::Graph(_)) => Graph::default(),
            _ => Graph::short(),
        };
        let mut roots: SmallVec<[NodeId; 8]> = SmallVec::new();
        let mut loads: SmallVec<[(Vector<'a>, NodeId); 4]> = SmallVec::new();
        for step in &mut self.steps {
            let root = match step {
                Step::Vector(vector) => {
                    let known = loads.iter().find(|(loaded, _)| loaded.is(vector));
                    let root = known.map_or_else(|| graph.load(vector), |(_, root)| *root);
                    if known.is_none() {
                        loads.push((vector.clone(), root));
                    }
                    root
                }
                Step::Scalar(scalar) => graph.scalar_node(scalar.clone()),
                Step::Graph(other) if graph.nodes.is_empty() => {
                    graph = std::mem::take(other);
                    roots.extend(std::mem::take(&mut graph.roots));
                    continue;
                }
                Step::Graph(other) => {
                    roots.extend(graph.include(other, Replace::Nothing));
                    continue;
                }
                Step::Apply { op, ty, operands } => {
                    let first = roots.len() - *operands;
                    let root = graph.node(*op, *ty, &roots[first..]);
                    roots.truncate(first);
                    root
                }
            };
            roots.push(root);
        }
        graph.len = self.extent.len;
        graph.roots = roots.into_iter().collect();
        if self.failure.is_some() {
            graph.failure = self.failure;
        }
        graph.drop_if_failed();
        graph
    }
}
