//! The untyped intermediate representation: a hash-consed graph of operations.
//!
//! Equal nodes exist once, so a common subexpression is computed once, and a buffer that occurs twice is one kernel
//! argument and one load. Leaves are numbered in the order in which they first occur. So all expressions of the same
//! structure have the same list of nodes, whatever their buffers and launch values are, and the list is the key of
//! compiled kernels.
//!
//! A load has an index, which is a node like any other. Views, gathers and neighbours are loads at other indices, made
//! by substituting another graph for [`Op::Index`].

use super::fold::RangeKernel;
use super::function::Function;
use super::leaf::{Scalar, Vector};
use super::op::{Arguments, FunctionRef, Node, NodeId, Op, Type};
use super::rows::RowBegin;
use crate::element::ElementType;
use cl_core::{Error, Queue, Result};
use hashbrown::HashTable;
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;

/// The number of nodes from which on equal ones are found through a hash table. Below it, comparing is faster.
const TABLE_FROM: usize = 32;

/// The maximal number of nodes of a graph, and so of a kernel. PoCL 3.1 compiles 16 000 operations in a row
/// in 4 s on an EPYC, sums of 20 000 in 6 s, and does not finish 10^5 within minutes. If each step of a
/// program clones an expression to extend it, each step copies the graph. All these copies take seconds up to
/// this number of nodes.
const MOST_NODES: usize = 1 << 14;

/// The maximal number of nodes up to which the call of a device function without loops is replaced by the
/// function's own nodes. In a larger graph the call is one node. So a chain of many calls stays within
/// [`MOST_NODES`], and compilers read the function once.
const MOST_WITH_FUNCTIONS: usize = 1 << 11;

/// The capacity for the nodes of a short expression: less than 1 KiB, up to which glibc keeps freed memory for the
/// thread.
const SHORT: usize = 12;

/// The capacity for the leaves of each kind in a short expression.
const FEW: usize = 4;

/// A graph under construction: nodes in evaluation order, and the leaves that they name.
#[derive(Clone, Default)]
pub(crate) struct Graph<'a> {
    pub(crate) nodes: Vec<Node>,
    pub(crate) vectors: Vec<Vector<'a>>,
    pub(crate) scalars: Vec<Scalar>,
    /// The results: one value, or one for each item of a tuple.
    pub(crate) roots: SmallVec<[NodeId; 2]>,
    /// The number of items; `None` if there are only launch values.
    pub(crate) len: Option<usize>,
    /// The queue on which the user asked to evaluate the expression; needed for an expression that reads no vector.
    pub(crate) on: Option<Cow<'a, Queue>>,
    /// The kernels of its folds, by their slots.
    pub(crate) kernels: Vec<RangeKernel<'a>>,
    /// The first deferred error, which evaluation returns.
    pub(crate) failure: Option<Box<Error>>,
    /// The table of the nodes, once there are many. Boxed, because graphs are moved often and few have one.
    table: Option<Box<NodeTable>>,
}

/// The numbers of a graph's nodes, found by the nodes' hashes. It contains no nodes, so cloning it clones none.
#[derive(Clone, Default)]
struct NodeTable(HashTable<NodeId>);

impl NodeTable {
    fn of(nodes: &[Node]) -> NodeTable {
        let mut table = NodeTable::default();
        (0..nodes.len()).for_each(|id| table.insert(nodes, id as NodeId));
        table
    }

    /// Adds the number of one of the nodes, which must be new.
    fn insert(&mut self, nodes: &[Node], id: NodeId) {
        let hash = |&id: &NodeId| nodes[id as usize].hash();
        self.0.insert_unique(hash(&id), id, hash);
    }
}

/// The length and the queue that the operands of an operation share.
#[derive(Clone, Default)]
pub(crate) struct Extent<'a> {
    /// The number of items; `None` if there are only launch values.
    pub(crate) len: Option<usize>,
    pub(crate) queue: Option<Cow<'a, Queue>>,
}

impl<'a> Extent<'a> {
    /// Adds another operand. `name` is the operation that the user called, for errors.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::ForeignObject`].
    #[inline]
    pub(crate) fn agree(&mut self, other: Extent<'a>, name: &'static str) -> Result<()> {
        let len = self.len;
        self.len = len.or(other.len);
        let same_queue = match (&self.queue, &other.queue) {
            (Some(mine), Some(theirs)) => mine == theirs,
            _ => true,
        };
        if self.queue.is_none() {
            self.queue = other.queue;
        }
        match (len, other.len) {
            (Some(left), Some(right)) if left != right => {
                return Err(Error::length_mismatch(name, left, right));
            }
            _ => {}
        }
        if !same_queue {
            let reason = "the vectors belong to different queues";
            return Err(Error::foreign_object(name, reason));
        }
        Ok(())
    }
}

/// The nodes that are substituted for others when a graph is added to another one.
#[derive(Clone, Copy)]
pub(crate) enum Replace<'r> {
    Nothing,
    /// This node for every [`Op::Index`].
    Index(NodeId),
    /// For every [`Op::Coordinate`], the node of its number. A coordinate without a node is a failure.
    Coordinates(&'r [NodeId]),
    /// For every [`Op::Parameter`], the node of its number.
    Parameters(&'r [NodeId]),
}

impl<'a> Graph<'a> {
    /// Returns a graph of one node without arguments.
    pub(crate) fn leaf(op: Op, ty: impl Into<Type>) -> Graph<'a> {
        let mut graph = Graph::default();
        let root = graph.node(op, ty, &[]);
        graph.roots.push(root);
        graph
    }

    /// Returns an empty graph, with the capacity for a short expression.
    pub(crate) fn short() -> Graph<'a> {
        Graph {
            nodes: Vec::with_capacity(SHORT),
            vectors: Vec::with_capacity(FEW),
            scalars: Vec::with_capacity(FEW),
            ..Graph::default()
        }
    }

    /// Returns every element of a vector, in order.
    pub(crate) fn vector(vector: Vector<'a>, len: usize) -> Graph<'a> {
        let mut graph = Graph { len: Some(len), ..Graph::short() };
        let root = graph.load(&vector);
        graph.roots.push(root);
        graph
    }

    /// Adds the element of a vector at the item's own index, and returns its node.
    pub(crate) fn load(&mut self, vector: &Vector<'a>) -> NodeId {
        let element = vector.element;
        let slot = self.vector_slot(vector);
        let index = self.node(Op::Index, Type::Index, &[]);
        self.node(Op::Load(slot), element, &[index])
    }

    /// Returns the first element of a vector, for every item.
    pub(crate) fn first_of(vector: Vector<'a>) -> Graph<'a> {
        let mut graph = Graph::short();
        let element = vector.element;
        let slot = graph.vector_slot(&vector);
        let index = graph.node(Op::Constant(0), Type::Index, &[]);
        let root = graph.node(Op::Load(slot), element, &[index]);
        graph.roots.push(root);
        graph
    }

    /// Returns the same value for every item.
    pub(crate) fn scalar(scalar: Scalar) -> Graph<'a> {
        let mut graph = Graph::short();
        let root = graph.scalar_node(scalar);
        graph.roots.push(root);
        graph
    }

    /// Returns the queue on which the user asked to evaluate the expression, otherwise the queue of its vectors.
    pub(crate) fn queue(&self) -> Option<&Queue> {
        self.on.as_deref().or_else(|| self.vectors.first().map(Vector::queue))
    }

    /// Returns the same queue as [`Graph::queue`], for an expression that may outlive this one.
    pub(crate) fn shared_queue(&self) -> Option<Cow<'a, Queue>> {
        self.on.clone().or_else(|| self.vectors.first().map(Vector::shared_queue))
    }

    /// Returns the first root.
    pub(crate) fn root(&self) -> NodeId {
        self.roots.first().copied().unwrap_or_default()
    }

    /// Returns the root, an [`Op::Pair`], and its second result as roots.
    pub(crate) fn with_second(mut self, ty: ElementType) -> Graph<'a> {
        let second = self.node(Op::Second, ty, &[self.root()]);
        self.roots.push(second);
        self
    }

    /// Returns the roots of both graphs, one after the other. `name` is the function that the user called, for errors.
    pub(crate) fn zip(mut self, other: &Graph<'a>, name: &'static str) -> Graph<'a> {
        let more = self.absorb(other, Replace::Nothing, name);
        self.roots.extend(more);
        self
    }

    /// Returns the results of a recorded operator for the graph's values.
    pub(crate) fn map(mut self, operator: &Graph<'a>, name: &'static str) -> Graph<'a> {
        let roots = std::mem::take(&mut self.roots);
        self.roots = self.absorb(operator, Replace::Parameters(&roots), name);
        self.drop_if_failed();
        self
    }

    /// Adds another graph's nodes and leaves; returns the new numbers of its roots.
    pub(crate) fn absorb(
        &mut self,
        other: &Graph<'a>,
        replace: Replace<'_>,
        name: &'static str,
    ) -> SmallVec<[NodeId; 2]> {
        let mut extent = self.extent();
        // An expression that is read at other indices has a length of its own.
        let len = if matches!(replace, Replace::Index(_)) { None } else { other.len };
        let agreed = extent.agree(Extent { len, ..other.extent() }, name);
        self.len = extent.len;
        let roots = self.include(other, replace);
        if let Err(error) = agreed {
            self.fail(error);
        }
        roots
    }

    /// Does the same as [`Graph::absorb`] without comparing lengths and queues.
    pub(crate) fn include(&mut self, other: &Graph<'a>, replace: Replace<'_>) -> SmallVec<[NodeId; 2]> {
        if self.failure.is_none() {
            self.failure.clone_from(&other.failure);
        }
        if self.on.is_none() {
            self.on.clone_from(&other.on);
        }
        self.nodes.reserve(other.nodes.len());
        let mut moved: SmallVec<[NodeId; 16]> = SmallVec::with_capacity(other.nodes.len());
        for node in &other.nodes {
            let id = self.adopt(other, node, &moved, replace);
            moved.push(id);
        }
        other.roots.iter().map(|&root| moved[root as usize]).collect()
    }

    /// Returns the length and the queue.
    pub(crate) fn extent(&self) -> Extent<'a> {
        Extent { len: self.len, queue: self.shared_queue() }
    }

    /// Adds one node of another graph; `moved` are the new numbers of its earlier nodes.
    pub(crate) fn adopt(
        &mut self,
        other: &Graph<'a>,
        node: &Node,
        moved: &[NodeId],
        replace: Replace<'_>,
    ) -> NodeId {
        let op = match (node.op, replace) {
            (Op::Index, Replace::Index(by)) => return by,
            (Op::Coordinate(axis), Replace::Coordinates(by)) => match by.get(axis as usize) {
                Some(&by) => return by,
                None => {
                    let reason = format!(
                        "an expression over {} axes or more is read at {} coordinates: it needs one for each axis",
                        axis + 1,
                        by.len()
                    );
                    self.fail(Error::invalid_input("view", reason));
                    node.op
                }
            },
            (Op::Parameter(number), Replace::Parameters(by)) if (number as usize) < by.len() => {
                return by[number as usize];
            }
            (Op::Offset | Op::Mirror | Op::Affine, Replace::Index(_)) => {
                let (stride, offset) = other.line(node);
                return self.affine(moved[node.arguments[0] as usize], stride, offset);
            }
            (Op::Scalar(slot), _) => return self.scalar_node(other.scalars[slot as usize].clone()),
            (Op::Load(slot), _) => Op::Load(self.vector_slot(&other.vectors[slot as usize])),
            (Op::Vector(slot), _) => Op::Vector(self.vector_slot(&other.vectors[slot as usize])),
            (Op::Fold { at_once, kernel: Some(slot) }, _) => {
                Op::Fold { at_once, kernel: Some(self.kernel_slot(other.kernels[slot as usize])) }
            }
            (op, _) => op,
        };
        let mut arguments = Arguments::from_slice(&node.arguments);
        arguments.iter_mut().for_each(|id| *id = moved[*id as usize]);
        self.intern(op, node.ty, &arguments)
    }

    /// Returns, for each node, whether the roots need it.
    pub(crate) fn needed(&self, roots: &[NodeId]) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        for &root in roots {
            needed[root as usize] = true;
        }
        // Arguments come before the nodes that use them.
        for id in (0..self.nodes.len()).rev() {
            if needed[id] {
                self.nodes[id].arguments.iter().for_each(|&argument| needed[argument as usize] = true);
            }
        }
        needed
    }

    /// Returns the graph of these roots alone.
    pub(crate) fn only(&self, roots: SmallVec<[NodeId; 2]>) -> Graph<'a> {
        let mut graph =
            Graph { len: self.len, on: self.on.clone(), failure: self.failure.clone(), ..Graph::short() };
        let needed = self.needed(&roots);
        let mut moved = Vec::with_capacity(self.nodes.len());
        for (node, needed) in self.nodes.iter().zip(needed) {
            moved.push(if needed { graph.adopt(self, node, &moved, Replace::Nothing) } else { 0 });
        }
        graph.roots = roots.iter().map(|&root| moved[root as usize]).collect();
        graph
    }

    /// Replaces the root, an operation on one value, by this value.
    pub(crate) fn replace_root_by_argument(&mut self) {
        let root = self.root();
        let Some(&argument) = self.nodes.get(root as usize).and_then(|node| node.arguments.first()) else {
            return;
        };
        self.roots = smallvec![argument];
        if root as usize + 1 == self.nodes.len() && self.table.is_none() {
            self.nodes.pop();
        }
    }

    /// Returns the graph without the nodes and leaves that no root needs.
    pub(crate) fn pruned(self) -> Graph<'a> {
        // Each leaf was added with a node.
        if self.needed(&self.roots).into_iter().all(|needed| needed) {
            return self;
        }
        self.only(self.roots.clone())
    }

    /// Returns the node of this operation, which is added if it is new. A field of a value that is made of its fields
    /// is that field itself, and the call of a function without loops is replaced by the function's graph.
    #[inline]
    pub(crate) fn node(&mut self, op: Op, ty: impl Into<Type>, arguments: &[NodeId]) -> NodeId {
        let simpler = match op {
            Op::Field(_) | Op::Component(_) | Op::Function(_) => self.simpler(op, arguments),
            _ => None,
        };
        simpler.unwrap_or_else(|| self.intern(op, ty.into(), arguments))
    }

    #[inline(never)]
    fn simpler(&mut self, op: Op, arguments: &[NodeId]) -> Option<NodeId> {
        match (op, arguments) {
            (Op::Field(at) | Op::Component(at), &[whole]) => {
                let node = &self.nodes[whole as usize];
                if node.op == Op::Make { node.arguments.get(at as usize).copied() } else { None }
            }
            (Op::Function(FunctionRef(Function { straight: Some(straight), .. })), _)
                if self.nodes.len() + straight.nodes.len() <= MOST_WITH_FUNCTIONS =>
            {
                Some(self.absorb(straight, Replace::Parameters(arguments), "call of a device function")[0])
            }
            _ => None,
        }
    }

    /// Adds the parameters of an operator on an item of these elements.
    pub(crate) fn parameters_of(
        &mut self,
        elements: impl Iterator<Item = ElementType>,
    ) -> SmallVec<[NodeId; 2]> {
        elements.enumerate().map(|(k, element)| self.node(Op::Parameter(k as u32), element, &[])).collect()
    }

    /// Returns the vector if this graph is exactly the vector's elements in order, from the first on.
    pub(crate) fn as_vector(&self) -> Option<&Vector<'a>> {
        let [Node { op: Op::Index, .. }, Node { op: Op::Load(0), ty, .. }] = &self.nodes[..] else {
            return None;
        };
        let ([vector], &[1]) = (&self.vectors[..], &self.roots[..]) else { return None };
        (*ty == vector.element.into()).then_some(vector)
    }

    /// Returns the node of a launch value.
    pub(crate) fn scalar_node(&mut self, scalar: Scalar) -> NodeId {
        let ty = scalar.ty;
        let known = self.scalars.iter().position(|other| other.is(&scalar));
        let slot = known.unwrap_or_else(|| {
            self.scalars.push(scalar);
            self.scalars.len() - 1
        });
        self.node(Op::Scalar(slot as u32), ty, &[])
    }

    /// Returns the number of a node, which is added if the graph does not have it. No other function adds nodes, so no
    /// graph has more than [`MOST_NODES`]. One more node makes the graph fail, and the first node's number is returned.
    fn intern(&mut self, op: Op, ty: Type, arguments: &[NodeId]) -> NodeId {
        let node = Node::new(op, ty, arguments);
        let next = self.nodes.len();
        if next >= TABLE_FROM {
            return self.intern_in_table(node);
        }
        if let Some(known) = self.nodes.iter().position(|other| *other == node) {
            return known as NodeId;
        }
        self.nodes.push(node);
        next as NodeId
    }

    #[inline(never)]
    fn intern_in_table(&mut self, node: Node) -> NodeId {
        let table = self.table.get_or_insert_with(|| Box::new(NodeTable::of(&self.nodes)));
        if let Some(&known) = table.0.find(node.hash(), |&id| self.nodes[id as usize] == node) {
            return known;
        }
        if self.nodes.len() == MOST_NODES {
            let reason = format!(
                "it has more than {MOST_NODES} operations, too many for one kernel: evaluate parts of it with \
                 `collect`, and go on with the vectors"
            );
            self.fail(Error::invalid_input("expression", reason));
            return 0;
        }
        let next = self.nodes.len() as NodeId;
        self.nodes.push(node);
        table.insert(&self.nodes, next);
        next
    }

    /// Drops the nodes of a failed graph, which is never evaluated. Otherwise each later operation would copy them.
    pub(crate) fn drop_if_failed(&mut self) {
        if self.failure.is_some() {
            // The first node has no arguments, and its leaf, if it has one, is the first leaf.
            self.nodes.truncate(1);
            self.vectors.truncate(1);
            self.scalars.truncate(1);
            self.roots.fill(0);
            self.table = None;
        }
    }

    /// Returns the slot of a vector, which is added if it is new.
    pub(crate) fn vector_slot(&mut self, vector: &Vector<'a>) -> u32 {
        let known = self.vectors.iter().position(|other| other.is(vector));
        known.unwrap_or_else(|| {
            self.vectors.push(vector.clone());
            self.vectors.len() - 1
        }) as u32
    }

    pub(crate) fn fail(&mut self, error: Error) {
        self.failure.get_or_insert_with(|| Box::new(error));
    }

    /// Returns the number of loads whose packs may begin within a pack of memory: those of neighbours, and of rows that
    /// begin anywhere. Neighbours that are made of aligned packs do not count: see [`Rows::tiled`](super::rows::Rows::tiled).
    pub(crate) fn loose_loads(&self) -> usize {
        let is_loose = |load: &&Node| {
            let Some(&index) = load.arguments.first() else { return false };
            let at = &self.nodes[index as usize];
            let of = |argument: usize| at.arguments.get(argument).map(|&of| self.nodes[of as usize].op);
            // Packs of small numbers are loaded as words, which have no components.
            let has_parts = || {
                let of_words = load.ty.element().is_some_and(|element| element.size() >= 4);
                of_words && self.tiled_row(at.arguments[0]).is_some()
            };
            match at.op {
                Op::Near(_) => matches!(of(0), Some(Op::Index | Op::Offset)) && !has_parts(),
                Op::Offset => {
                    matches!((of(0), of(1)), (Some(Op::Index), Some(Op::Row(begin))) if !begin.aligned)
                }
                _ => false,
            }
        };
        self.pack_nodes().filter(|node| matches!(node.op, Op::Load(_))).filter(is_loose).count()
    }

    /// Returns the number of loads, and the number of indices that the indices of all loads are near to.
    pub(crate) fn loads_and_bases(&self) -> [usize; 2] {
        let mut bases: SmallVec<[(Op, NodeId); 16]> = SmallVec::new();
        let mut count = 0;
        for load in self.pack_nodes().filter(|node| matches!(node.op, Op::Load(_))) {
            count += 1;
            let at = load.arguments[0];
            let index = &self.nodes[at as usize];
            let base = if matches!(index.op, Op::Near(_)) { index.arguments[0] } else { at };
            if !bases.contains(&(load.op, base)) {
                bases.push((load.op, base));
            }
        }
        [count, bases.len()]
    }

    /// Returns the nodes that packs compute: all but those that only the items outside of boxes need. See [`Op::Within`].
    fn pack_nodes(&self) -> impl Iterator<Item = &Node> {
        let is_boxed = self.nodes.iter().any(|node| node.op == Op::Within);
        // Nodes that no node uses are results.
        let mut needed = vec![true; if is_boxed { self.nodes.len() } else { 0 }];
        if is_boxed {
            let uses = || self.nodes.iter().flat_map(|node| node.arguments.iter());
            uses().for_each(|&argument| needed[argument as usize] = false);
            for (id, node) in self.nodes.iter().enumerate().rev() {
                let seen = if node.op == Op::Within { 1 } else { node.arguments.len() };
                if needed[id] {
                    node.arguments[..seen].iter().for_each(|&argument| needed[argument as usize] = true);
                }
            }
        }
        let is_needed = move |id: usize| needed.get(id).is_none_or(|needed| *needed);
        self.nodes.iter().enumerate().filter(move |(id, _)| is_needed(*id)).map(|(_, node)| node)
    }

    /// Returns the begin of the rows whose aligned packs the neighbours of this index are made of, if any.
    pub(crate) fn tiled_row(&self, index: NodeId) -> Option<RowBegin> {
        let index = &self.nodes[index as usize];
        let (Op::Offset, &[own, row]) = (index.op, &index.arguments[..]) else { return None };
        match (self.nodes[own as usize].op, self.nodes[row as usize].op) {
            (Op::Index, Op::Row(begin)) => begin.tiled.then_some(begin),
            _ => None,
        }
    }

    /// Returns the first deferred error, if any.
    pub(crate) fn check(&self) -> Result<()> {
        self.failure.as_ref().map_or(Ok(()), |error| Err((**error).clone()))
    }
}
