//! An expression as it was written: leaves, and operations on what is before them.
//!
//! Operators only append to a program. The graph of it is made once, when the expression is evaluated, or viewed in
//! another way: nodes are looked up once and copied never, where graphs of operands would be put together at every
//! operator.

use super::graph::{Extent, Graph, Replace};
use super::leaf::{Scalar, Vector};
use super::op::{NodeId, Op};
use crate::element::ElementType;
use cl_core::Memory;
use smallvec::SmallVec;

/// Room for the steps of a short expression: less than 1 KiB, up to which glibc keeps freed memory for the thread.
const SHORT: usize = 12;

/// The most steps of a program. A longer one becomes a graph, in which what is written several times exists once.
const MOST_STEPS: usize = 256;

/// An expression in reverse Polish notation.
#[derive(Clone, Default)]
#[allow(missing_debug_implementations)] // nobody outside of this crate has one
pub struct Program<'a> {
    steps: Vec<Step<'a>>,
    /// Number of elements; none when there are only scalars.
    pub(crate) len: Option<usize>,
}

#[derive(Clone)]
enum Step<'a> {
    /// Every element of a vector, in order, and how many there are.
    Vector(Vector<'a>, usize),
    /// A value given at launch.
    Scalar(Scalar),
    /// What is no operation on elements of the same index: a view, a tuple, a closure's result.
    Graph(Box<Graph<'a>>),
    /// An operation on the last operands, of which a graph is as many as it has roots. `name` is the operation as the
    /// user knows it, for errors.
    Apply { op: Op, ty: ElementType, operands: usize, name: &'static str },
}

impl<'a> From<Graph<'a>> for Program<'a> {
    fn from(graph: Graph<'a>) -> Program<'a> {
        Program { len: graph.len, steps: vec![Step::Graph(Box::new(graph))] }
    }
}

impl<'a> Program<'a> {
    /// A program without steps, with room for a short expression.
    pub(crate) fn new() -> Program<'a> {
        Program { steps: Vec::with_capacity(SHORT), len: None }
    }

    /// Appends every element of a vector, in order.
    pub(crate) fn vector(&mut self, vector: Vector<'a>, len: usize) {
        self.len.get_or_insert(len);
        self.steps.push(Step::Vector(vector, len));
    }

    /// Appends a value given at launch.
    pub(crate) fn scalar(&mut self, scalar: Scalar) {
        self.steps.push(Step::Scalar(scalar));
    }

    /// Appends another program.
    pub(crate) fn append(&mut self, other: Program<'a>) {
        self.len = self.len.or(other.len);
        if self.steps.is_empty() {
            self.steps = other.steps;
        } else {
            self.steps.extend(other.steps);
        }
    }

    /// Applies an operation to the last operands.
    pub(crate) fn apply(&mut self, op: Op, ty: ElementType, operands: usize, name: &'static str) {
        self.steps.push(Step::Apply { op, ty, operands, name });
        if self.steps.len() > MOST_STEPS {
            let steps = std::mem::take(&mut self.steps);
            *self = Program { steps, ..*self }.into_graph().into();
        }
    }

    /// Applies an operation to these.
    pub(crate) fn of(
        operands: impl IntoIterator<Item = Program<'a>>,
        op: Op,
        ty: ElementType,
        name: &'static str,
    ) -> Program<'a> {
        let (mut program, mut count) = (Program::default(), 0);
        for operand in operands {
            count += if let Some(Step::Graph(graph)) = operand.steps.last() { graph.roots.len() } else { 1 };
            program.append(operand);
        }
        program.apply(op, ty, count, name);
        program
    }

    /// Returns whether a copy takes no longer than one of its leaves.
    pub(crate) fn is_leaf(&self) -> bool {
        self.steps.len() == 1
    }

    /// Returns the graph of the last operand. A mistake, such as two lengths, is kept in the graph.
    pub(crate) fn into_graph(mut self) -> Graph<'a> {
        if let [Step::Graph(_)] = &self.steps[..]
            && let Some(Step::Graph(graph)) = self.steps.pop()
        {
            return *graph;
        }
        let mut graph = Graph::short();
        // What operations are applied to: nodes, and what is known of each.
        let mut roots: SmallVec<[NodeId; 8]> = SmallVec::new();
        let mut extents: SmallVec<[Extent<'a>; 8]> = SmallVec::new();
        let mut loads: SmallVec<[(&Memory, NodeId); 4]> = SmallVec::new();
        for step in &mut self.steps {
            let (root, extent) = match step {
                Step::Vector(vector, len) => {
                    let known = loads.iter().find(|(memory, _)| std::ptr::eq(*memory, vector.memory));
                    let root = known.map_or_else(|| graph.load(*vector), |(_, root)| *root);
                    if known.is_none() {
                        loads.push((vector.memory, root));
                    }
                    (root, Extent { len: Some(*len), queue: Some(vector.queue) })
                }
                Step::Scalar(scalar) => (graph.scalar_node(scalar.clone()), Extent::default()),
                Step::Graph(other) => {
                    let extent = other.extent();
                    let others = if graph.nodes.is_empty() {
                        graph = std::mem::take(other);
                        std::mem::take(&mut graph.roots)
                    } else {
                        graph.include(other, Replace::Nothing)
                    };
                    extents.extend(others.iter().map(|_| extent));
                    roots.extend(others);
                    continue;
                }
                Step::Apply { op, ty, operands, name } => {
                    let first = roots.len() - *operands;
                    let root = graph.node(*op, *ty, &roots[first..]);
                    let mut extent = extents.get(first).copied().unwrap_or_default();
                    for &other in extents.iter().skip(first + 1) {
                        if let Err(mistake) = extent.agree(other, name) {
                            graph.fail(mistake);
                        }
                    }
                    roots.truncate(first);
                    extents.truncate(first);
                    (root, extent)
                }
            };
            roots.push(root);
            extents.push(extent);
        }
        graph.len = self.len;
        graph.roots = roots.into_iter().collect();
        graph.drop_if_failed();
        graph
    }
}
