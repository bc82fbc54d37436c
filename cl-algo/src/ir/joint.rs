//! How operands come together in one graph.

use super::graph::{Graph, Replace};
use super::leaf::{Scalar, Vector};
use super::op::{Op, Type};

/// The least number of nodes of a graph that keeps its numbers when it is absorbed by a shorter one. Shorter graphs are
/// put together from left to right, so the numbers of their leaves are in the order of the expression.
const LONG: usize = 256;

/// A graph, and the nodes of it that an operation is applied to.
///
/// Most operands are vectors and scalars. Each in a graph of its own, put together afterwards, they took
/// 0.3 of the 1.1 µs of building an expression of five nodes.
#[allow(missing_debug_implementations)] // it lives within one call
pub struct Joint<'g, 'a> {
    /// Its roots are the nodes.
    graph: &'g mut Graph<'a>,
    /// The operation as the user knows it, for errors.
    name: &'static str,
}

impl<'g, 'a> Joint<'g, 'a> {
    /// Begins with the roots that the graph has.
    pub(crate) fn new(graph: &'g mut Graph<'a>, name: &'static str) -> Joint<'g, 'a> {
        Joint { graph, name }
    }

    /// Adds another graph's nodes and leaves, and its roots.
    pub(crate) fn absorb(&mut self, other: &Graph<'a>) {
        let roots = if other.nodes.len() >= LONG && other.nodes.len() > 2 * self.graph.nodes.len() {
            self.graph.absorb_before(other, self.name)
        } else {
            self.graph.absorb(other, Replace::Nothing, self.name)
        };
        self.graph.roots.extend(roots);
    }

    /// Adds every element of a vector, in order.
    pub(crate) fn vector(&mut self, vector: Vector<'a>, len: usize) {
        self.graph.agree(Some(len), Some(vector.queue), self.name);
        let root = self.graph.load(vector);
        self.graph.roots.push(root);
    }

    /// Adds a value given at launch.
    pub(crate) fn scalar(&mut self, scalar: Scalar) {
        let root = self.graph.scalar_node(scalar);
        self.graph.roots.push(root);
    }

    /// Applies an operation to all of them: the graph's new root.
    pub(crate) fn apply(self, op: Op, ty: impl Into<Type>) {
        let arguments = std::mem::take(&mut self.graph.roots);
        let root = self.graph.node(op, ty, &arguments);
        self.graph.roots.push(root);
        self.graph.drop_if_failed();
    }
}
