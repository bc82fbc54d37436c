//! Index arithmetic: the graphs that compute the indices that an expression is read at.

use crate::element::{ElementType, ScalarType};
use crate::ir::graph::{Graph, Replace};
use crate::ir::leaf::Scalar;
use crate::ir::op::{Beyond, Node, NodeId, Op, Site, Type};
use cl_core::Error;

/// The largest length of an expression, and the largest index: distances between indices are signed.
pub(crate) const FARTHEST: usize = isize::MAX as usize;

/// Returns the error for a length or an index beyond [`FARTHEST`].
pub(crate) fn too_far(what: &'static str, number: impl std::fmt::Display) -> Error {
    let reason = format!("{number} exceeds {FARTHEST}, the largest length and index");
    Error::invalid_input(what, reason)
}

impl<'a> Graph<'a> {
    /// Sets the length. Records an error if it exceeds [`FARTHEST`].
    pub(crate) fn set_len(&mut self, len: usize, what: &'static str) {
        if len > FARTHEST {
            self.fail(too_far(what, format_args!("a length of {len}")));
        }
        self.len = Some(len.min(FARTHEST));
        *self = std::mem::take(self).with_lines(len);
    }

    /// Records an error if a graph without a length is read at an index beyond [`FARTHEST`].
    ///
    /// The indices are `stride * i + offset` for `i` below `len`. Without `len`, index 0 and, for strides above 1,
    /// index 1 are checked. A graph with a length, and its views, need no check: their indices are below the length.
    pub(super) fn keep_near(&mut self, stride: usize, offset: usize, len: Option<usize>, what: &'static str) {
        if self.len.is_some() {
            return;
        }
        let last = len.map_or(usize::from(stride > 1), |len| len.saturating_sub(1)) as u128;
        let here = last.saturating_mul(stride as u128).saturating_add(offset as u128);
        let lines = self.nodes.iter().filter_map(|node| match node.op {
            Op::Index => Some((1, 0)),
            Op::Offset | Op::Affine if self.nodes[node.arguments[0] as usize].op == Op::Index => {
                Some(self.line(node))
            }
            _ => None,
        });
        let there = |(stride, offset): (i64, i64)| {
            here.saturating_mul(stride.unsigned_abs().into()).saturating_add(offset.unsigned_abs().into())
        };
        if let Some(farthest) = lines.map(there).max().filter(|&farthest| farthest > FARTHEST as u128) {
            self.fail(too_far(what, format_args!("index {farthest}")));
        }
    }

    /// Returns the graph of the index of the element that is computed.
    pub(crate) fn identity() -> Graph<'a> {
        Graph::leaf(Op::Index, Type::Index)
    }

    /// Returns the graph of `stride * i + offset`.
    pub(crate) fn line_at(stride: i64, offset: i64) -> Graph<'a> {
        let mut graph = Graph::identity();
        let root = graph.affine(graph.root(), stride, offset);
        graph.roots[0] = root;
        graph
    }

    /// Returns the graph of the index `i + offset` in a vector of `len` elements.
    pub(crate) fn neighbour(offset: i64, len: usize, beyond: Beyond) -> Graph<'a> {
        Graph::identity().with_range(Op::Neighbour(beyond), Type::Index, offset, len)
    }

    /// Returns the graph of whether the index `i + offset` lies in a vector of `len` elements.
    pub(crate) fn inside(offset: i64, len: usize) -> Graph<'a> {
        Graph::identity().with_range(Op::Inside, ElementType::BOOL.into(), offset, len)
    }

    fn with_range(mut self, op: Op, ty: Type, offset: i64, len: usize) -> Graph<'a> {
        let offset = self.scalar_node(Scalar::index(offset));
        let len = self.scalar_node(Scalar::index(len as i64));
        let root = self.node(op, ty, &[self.root(), offset, len]);
        self.roots[0] = root;
        self
    }

    /// Records an error unless the value is an integer: `Integer` can be implemented for any element.
    pub(crate) fn require_integer(&mut self, operation: &'static str) {
        let ty = self.nodes.get(self.root() as usize).map(|node| node.ty);
        let scalar = ty.and_then(Type::scalar);
        let integer = scalar.is_some_and(|scalar| !scalar.is_float() && scalar != ScalarType::Bool);
        if !integer && ty != Some(Type::Index) {
            let name = ty.and_then(Type::element).map_or_else(String::new, |of| of.c_name().into_owned());
            let reason = format!("the indices are `{name}` on the device, and only integers can be indices");
            self.fail(Error::invalid_input(operation, reason));
        }
    }

    /// Returns this graph's value, an integer, as a checked index of a vector of `len` elements.
    pub(crate) fn checked(mut self, site: Site, len: usize) -> Graph<'a> {
        let len = self.scalar_node(Scalar::index(len as i64));
        let root = self.node(Op::Checked(site), Type::Index, &[self.root(), len]);
        self.roots[0] = root;
        self
    }

    /// Returns the value of this graph, an index, as a value of the type `to`.
    pub(crate) fn cast(mut self, to: ElementType) -> Graph<'a> {
        let root = self.node(Op::Cast, to, &[self.root()]);
        self.roots[0] = root;
        self
    }

    /// Returns this graph's elements at the `len` indices that `index` computes.
    pub(crate) fn at(&self, index: &Graph<'a>, len: Option<usize>, name: &'static str) -> Graph<'a> {
        let mut graph = Graph::default();
        let by = graph.absorb(index, Replace::Nothing, name)[0];
        graph.roots = graph.absorb(self, Replace::Index(by), name);
        graph.len = len;
        graph.pruned()
    }

    /// Returns the node of `stride * index + offset`; if `index` is a line itself, the node of one combined line.
    pub(crate) fn affine(&mut self, index: NodeId, stride: i64, offset: i64) -> NodeId {
        let node = &self.nodes[index as usize];
        if let Op::Offset | Op::Mirror | Op::Affine = node.op {
            let inner = node.arguments[0];
            let (first_stride, first_offset) = self.line(node);
            let (stride, offset) =
                (stride.wrapping_mul(first_stride), stride.wrapping_mul(first_offset).wrapping_add(offset));
            return self.affine(inner, stride, offset);
        }
        match (stride, offset) {
            (1, 0) => index,
            (1, offset) => {
                let offset = self.scalar_node(Scalar::index(offset));
                self.node(Op::Offset, Type::Index, &[index, offset])
            }
            (-1, offset) => {
                let offset = self.scalar_node(Scalar::index(offset));
                self.node(Op::Mirror, Type::Index, &[index, offset])
            }
            (stride, offset) => {
                let stride = self.scalar_node(Scalar::index(stride));
                let offset = self.scalar_node(Scalar::index(offset));
                self.node(Op::Affine, Type::Index, &[index, stride, offset])
            }
        }
    }

    /// Returns an upper bound of the values of a line, for item indices below `len`; 0 for other nodes.
    ///
    /// An index that reads elements is below the length of a vector. An expression may also use an index as a
    /// number, and then the index may have any size.
    #[inline]
    pub(crate) fn reach(&self, node: &Node, len: usize) -> i128 {
        if let Op::Offset | Op::Mirror | Op::Affine = node.op { self.reach_of_line(node, len) } else { 0 }
    }

    fn reach_of_line(&self, node: &Node, len: usize) -> i128 {
        let inner = &self.nodes[node.arguments[0] as usize];
        let bound = match inner.op {
            Op::Checked(_) => self.launched(inner.arguments[1]).into(),
            Op::Neighbour(_) => self.launched(inner.arguments[2]).into(),
            _ => len as i128,
        };
        let (stride, offset) = self.line(node);
        i128::from(offset) + i128::from(stride).max(0) * (bound - 1).max(0)
    }

    /// Returns stride and offset of an index that is a line of the element's own index.
    pub(crate) fn line_of(&self, index: NodeId) -> Option<(i64, i64)> {
        let node = &self.nodes[index as usize];
        match node.op {
            Op::Index => Some((1, 0)),
            Op::Offset | Op::Mirror | Op::Affine
                if self.nodes[node.arguments[0] as usize].op == Op::Index =>
            {
                Some(self.line(node))
            }
            _ => None,
        }
    }

    /// Returns stride and offset of an [`Op::Offset`], [`Op::Mirror`] or [`Op::Affine`].
    pub(crate) fn line(&self, node: &Node) -> (i64, i64) {
        let value = |at: usize| self.launched(node.arguments[at]);
        match node.op {
            Op::Offset => (1, value(1)),
            Op::Mirror => (-1, value(1)),
            _ => (value(1), value(2)),
        }
    }

    /// Returns the value of an index, or of a distance between two indices, that is a launch value.
    pub(super) fn launched(&self, node: NodeId) -> i64 {
        match self.nodes[node as usize].op {
            Op::Scalar(slot) => self.scalars[slot as usize].value(),
            _ => 0, // other nodes are never built here
        }
    }
}
