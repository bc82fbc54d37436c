//! The untyped intermediate representation: a hash-consed graph of operations.
//!
//! Equal nodes exist once, so a common subexpression is computed once and a buffer that occurs
//! twice is one kernel argument and one load. Leaves are numbered in the order in which they first
//! occur; the node list is therefore the same for every expression of the same structure, whatever
//! its buffers and scalar values are, and serves as the key of compiled kernels.

use crate::element::ElementType;
use cl_core::{Error, Memory, Queue};
use hashbrown::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Index of a node in its graph.
pub(crate) type NodeId = u32;

/// An operation, or a kind of leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    /// The index of the element that is computed.
    Index,
    /// Element of a vector: argument 0 is the vector's slot, argument 1 the node of the index.
    Load,
    /// A value given at launch: argument 0 is the scalar's slot.
    Scalar,
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    /// A built-in function of OpenCL C, and how many arguments it takes.
    Call(&'static str, u8),
}

impl Op {
    /// How many earlier nodes it works on.
    pub(crate) fn arity(self) -> usize {
        match self {
            Op::Index | Op::Load | Op::Scalar => 0,
            Op::Neg => 1,
            Op::Add | Op::Sub | Op::Mul | Op::Div => 2,
            Op::Call(_, arity) => usize::from(arity),
        }
    }
}

/// One operation on earlier nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) element: ElementType,
    pub(crate) arguments: [NodeId; 3],
}

/// A vector that an expression reads.
#[derive(Clone, Copy)]
pub(crate) struct Vector<'a> {
    pub(crate) memory: &'a Memory,
    pub(crate) queue: &'a Queue,
}

/// A value that becomes a kernel argument. Its id, not its value, tells it from others: another
/// value must not be another kernel.
#[derive(Clone, Copy)]
pub(crate) struct Scalar {
    id: u64,
    pub(crate) bytes: [u8; 16],
    pub(crate) element: ElementType,
}

static NEXT_SCALAR: AtomicU64 = AtomicU64::new(0);

impl Scalar {
    pub(crate) fn new(bytes: &[u8], element: ElementType) -> Scalar {
        let mut padded = [0; 16];
        padded[..bytes.len()].copy_from_slice(bytes);
        Scalar { id: NEXT_SCALAR.fetch_add(1, Ordering::Relaxed), bytes: padded, element }
    }
}

/// From how many nodes on equal ones are found through a hash table. Below, comparing is faster.
const INDEXED_FROM: usize = 32;

/// A graph under construction: nodes in evaluation order, and the leaves that they name.
#[derive(Clone, Default)]
pub(crate) struct Graph<'a> {
    pub(crate) nodes: Vec<Node>,
    pub(crate) vectors: Vec<Vector<'a>>,
    pub(crate) scalars: Vec<Scalar>,
    pub(crate) root: NodeId,
    /// Number of elements; none when there are only scalars.
    pub(crate) len: Option<usize>,
    /// The first mistake made while building; reported on evaluation.
    pub(crate) failure: Option<Box<Error>>,
    /// Node to id, once there are many. Boxed, because graphs are moved a lot and few have one.
    index: Option<Box<HashMap<Node, NodeId>>>,
}

impl<'a> Graph<'a> {
    /// Every element of a vector, in order.
    pub(crate) fn vector(vector: Vector<'a>, element: ElementType, len: usize) -> Graph<'a> {
        let mut graph = Graph { len: Some(len), ..Graph::default() };
        let slot = graph.vector_slot(vector);
        let index = graph.intern(Op::Index, ElementType::U64, &[]);
        graph.root = graph.intern(Op::Load, element, &[slot, index]);
        graph
    }

    /// The same value for every element.
    pub(crate) fn scalar(scalar: Scalar) -> Graph<'a> {
        let mut graph = Graph::default();
        let slot = graph.scalar_slot(scalar);
        graph.root = graph.intern(Op::Scalar, scalar.element, &[slot]);
        graph
    }

    /// Applies an operation to this graph's root and the roots of `others`, and makes the result
    /// the new root. `name` is the operation as the user knows it, for errors.
    pub(crate) fn apply(
        mut self,
        op: Op,
        element: ElementType,
        others: impl IntoIterator<Item = Graph<'a>>,
        name: &'static str,
    ) -> Graph<'a> {
        let mut arguments = [self.root; 3];
        let mut count = 1;
        for other in others {
            arguments[count] = self.absorb(other, name);
            count += 1;
        }
        self.root = self.intern(op, element, &arguments[..count]);
        self
    }

    /// Adds another graph's nodes and leaves; returns where its root is now.
    fn absorb(&mut self, other: Graph<'a>, name: &'static str) -> NodeId {
        self.failure = self.failure.take().or(other.failure);
        match (self.len, other.len) {
            (Some(left), Some(right)) if left != right => {
                self.fail(Error::LengthMismatch { operation: name, left, right });
            }
            (None, len) => self.len = len,
            _ => {}
        }
        if let (Some(mine), Some(theirs)) = (self.vectors.first(), other.vectors.first())
            && mine.queue != theirs.queue
        {
            let reason = "the vectors belong to different queues";
            self.fail(Error::ForeignObject { operation: name, reason });
        }
        let mut moved: Vec<NodeId> = Vec::with_capacity(other.nodes.len());
        self.nodes.reserve(other.nodes.len() + 1);
        for node in &other.nodes {
            let [first, second, third] = node.arguments;
            let at = |id: NodeId| moved.get(id as usize).copied().unwrap_or_default();
            let id = match node.op {
                Op::Index => self.intern(node.op, node.element, &[]),
                Op::Load => {
                    let slot = self.vector_slot(other.vectors[first as usize]);
                    self.intern(node.op, node.element, &[slot, at(second)])
                }
                Op::Scalar => {
                    let slot = self.scalar_slot(other.scalars[first as usize]);
                    self.intern(node.op, node.element, &[slot])
                }
                // Unused arguments repeat the first one, see `intern`.
                _ => self.intern(node.op, node.element, &[at(first), at(second), at(third)]),
            };
            moved.push(id);
        }
        moved[other.root as usize]
    }

    /// The id of this node, which is added if it is new. Missing arguments repeat the first.
    fn intern(&mut self, op: Op, element: ElementType, given: &[NodeId]) -> NodeId {
        let first = given.first().copied().unwrap_or_default();
        let mut arguments = [first; 3];
        arguments[..given.len()].copy_from_slice(given);
        let node = Node { op, element, arguments };
        let next = self.nodes.len() as NodeId;
        let known = if self.nodes.len() < INDEXED_FROM {
            self.nodes.iter().position(|other| *other == node).map(|at| at as NodeId)
        } else {
            self.index().get(&node).copied()
        };
        known.unwrap_or_else(|| {
            self.nodes.push(node);
            if let Some(index) = &mut self.index {
                index.insert(node, next);
            }
            next
        })
    }

    fn index(&mut self) -> &HashMap<Node, NodeId> {
        self.index.get_or_insert_with(|| {
            Box::new(self.nodes.iter().enumerate().map(|(at, node)| (*node, at as NodeId)).collect())
        })
    }

    fn vector_slot(&mut self, vector: Vector<'a>) -> u32 {
        let known = self.vectors.iter().position(|other| std::ptr::eq(other.memory, vector.memory));
        known.unwrap_or_else(|| {
            self.vectors.push(vector);
            self.vectors.len() - 1
        }) as u32
    }

    fn scalar_slot(&mut self, scalar: Scalar) -> u32 {
        let known = self.scalars.iter().position(|other| other.id == scalar.id);
        known.unwrap_or_else(|| {
            self.scalars.push(scalar);
            self.scalars.len() - 1
        }) as u32
    }

    fn fail(&mut self, error: Error) {
        self.failure.get_or_insert_with(|| Box::new(error));
    }

    /// The first mistake made while building, if any.
    pub(crate) fn check(&self) -> cl_core::Result<()> {
        self.failure.as_ref().map_or(Ok(()), |error| Err((**error).clone()))
    }
}
