//! Folds of ranges: neighbouring entries combined, as the entries of a matrix's rows are.
//!
//! What is combined is an expression of its own, of which the fold reads the items of a range. It lives in the same
//! graph, with [`Op::Entry`] in the place of the index, so that equal vectors are one argument of the kernel.

use super::graph::{Graph, Replace};
use super::leaf::{Scalar, Vector};
use super::op::{Node, NodeId, Op, Type};
use super::{Expr, Operand, Val, record};
use crate::codegen::Fused;
use crate::element::{Element, Integer, Item};
use crate::vec::DeviceVec;
use cl_core::{Error, Memory, Queue, Result};
use smallvec::SmallVec;

/// How a fold of ranges is evaluated as a kernel of its own, when it is a term of what is assigned.
///
/// Elsewhere, in a reduction for one, each range is folded by the work-item that wants its result.
pub trait FoldKernel: Sync {
    /// The offsets that it is for.
    fn offsets(&self) -> &Memory;

    /// Whether results may have so many bytes.
    fn takes(&self, bytes: usize) -> bool;

    /// Enqueues the kernel, made of these parts: the entries are the input without a name, `COMBINE` the
    /// operator on them, `INITIAL` the input whose every item is the value of an empty range, and `STORE(i, item)`
    /// takes the result of range i, does all that is done with it, and stores that.
    ///
    /// # Errors
    /// As [`Fused::compile`].
    fn run(&self, queue: &Queue, parts: Fused<'_>) -> Result<()>;
}

impl<'a, T: Item> Expr<'a, T> {
    /// The items at the given indices, as [`Expr::permute`], without a check on the device: the expression must
    /// have `len` items, where it has a length at all. `operation` is what errors call this.
    ///
    /// # Safety
    /// All indices that are read are below `len`.
    pub unsafe fn permute_unchecked<I: Integer>(
        self,
        operation: &'static str,
        len: usize,
        indices: impl Operand<'a, I>,
    ) -> Expr<'a, T> {
        let mut indices = indices.into_expr().into_graph();
        let count = indices.len;
        let root = indices.node(Op::Trusted, Type::Index, &[indices.root()]);
        indices.roots[0] = root;
        let own = self.len();
        let mut graph = self.graph().at(&indices, count, operation);
        if let Some(right) = own.filter(|&own| own != len) {
            graph.fail(Error::LengthMismatch { operation, left: len, right });
        }
        Expr::new(graph)
    }
}

impl<'a, T: Element> Expr<'a, T> {
    /// For each range of entries, all of them combined: entries `offsets[i]..offsets[i + 1]` give element i, one
    /// fewer than there are offsets. An empty range gives `initial`, the value that changes nothing.
    ///
    /// The operator must be associative, and commutative where `kernel` says how ranges are folded.
    ///
    /// # Safety
    /// The offsets never decrease, and the last one is at most the number of entries.
    pub unsafe fn fold_ranges<I: Integer>(
        self,
        offsets: &'a DeviceVec<I>,
        initial: T,
        combine: impl FnOnce(Val<T>, Val<T>) -> Val<T>,
        kernel: Option<&'a dyn FoldKernel>,
    ) -> Expr<'a, T> {
        let combine = record::<(T, T), Val<T>>(|(a, b)| combine(a, b));
        let entries = self.into_graph();
        let len = offsets.len().saturating_sub(1);
        let mut graph = if entries.len == Some(0) {
            // There is no memory of no bytes to be given to a kernel.
            let mut graph = Graph::scalar(Scalar::new(initial));
            graph.failure = entries.failure;
            graph.on = Some(offsets.queue());
            graph
        } else {
            fold(&entries, offsets, Scalar::new(initial), &combine, T::TYPE.into())
        };
        graph.len = Some(len);
        graph.kernels.extend(kernel.filter(|_| entries.len != Some(0)));
        Expr::new(graph)
    }
}

/// The graph of a fold, without its length.
fn fold<'a, I: Integer>(
    entries: &Graph<'a>,
    offsets: &'a DeviceVec<I>,
    initial: Scalar,
    combine: &Graph<'a>,
    ty: Type,
) -> Graph<'a> {
    const NAME: &str = "fold of ranges";
    let mut graph = Graph::default();
    // The first argument of the kernel, whatever else there is.
    let offsets = Vector { memory: offsets.memory(), queue: offsets.queue(), element: I::TYPE };
    let begin = graph.load(offsets);
    let own = graph.node(Op::Index, Type::Index, &[]);
    let next = graph.affine(own, 1, 1);
    let slot = graph.vector_slot(offsets);
    let end = graph.node(Op::Load(slot), I::TYPE, &[next]);
    let entry = graph.node(Op::Entry, Type::Index, &[]);
    let value = graph.absorb(entries, Replace::Index(entry), NAME)[0];
    let both = [0, 1].map(|side| graph.node(Op::Folded(side), ty, &[]));
    graph.len = None;
    let combined = graph.absorb(combine, Replace::Parameters(&both), NAME)[0];
    let initial = graph.scalar_node(initial);
    let root = graph.node(Op::Fold, ty, &[value, combined, initial, begin, end]);
    graph.roots.push(root);
    graph
}

/// How many of a fold's arguments are functions of its entries.
const OF_ENTRIES: usize = 3;

impl Node {
    /// How many of the arguments are computed elsewhere: for entries, not for the item.
    pub(crate) fn of_entries(&self) -> usize {
        if self.op == Op::Fold { OF_ENTRIES } else { 0 }
    }
}

/// A fold that is a term of these nodes, and the kernel for it.
pub(crate) fn with_kernel<'a>(graph: &Graph<'a>, roots: &[NodeId]) -> Option<(NodeId, &'a dyn FoldKernel)> {
    if graph.kernels.is_empty() {
        return None;
    }
    let terms = graph.terms(roots, |_, _| false).0;
    let folds = graph.nodes.iter().enumerate().filter(|(id, node)| node.op == Op::Fold && terms[*id]);
    let kernel = |node: &Node| {
        let size = node.ty.element()?.size();
        kernel_of(graph, node.arguments[OF_ENTRIES]).filter(|kernel| kernel.takes(size))
    };
    folds.filter_map(|(id, node)| Some((id as NodeId, kernel(node)?))).next()
}

/// The kernel for offsets that are read at the item's own index.
fn kernel_of<'a>(graph: &Graph<'a>, begin: NodeId) -> Option<&'a dyn FoldKernel> {
    let begin = &graph.nodes[begin as usize];
    let Op::Load(slot) = begin.op else { return None };
    if graph.nodes[begin.arguments[0] as usize].op != Op::Index {
        return None;
    }
    let memory = graph.vectors[slot as usize].memory;
    graph.kernels.iter().copied().find(|kernel| std::ptr::eq(kernel.offsets(), memory))
}

/// A graph of its own of what a fold is made of: the roots are the value of the entry at the index, two values, which
/// are parameters, combined, and the value of an empty range.
pub(crate) fn parts<'a>(graph: &Graph<'a>, fold: NodeId) -> Graph<'a> {
    let mut parts = Graph::default();
    let own = parts.node(Op::Index, Type::Index, &[]);
    let of = &graph.nodes[fold as usize];
    let both = [0, 1].map(|side| parts.node(Op::Parameter(side), of.ty, &[]));
    parts.roots = parts.copied(graph, &of.arguments[..OF_ENTRIES], |_, op| match op {
        Op::Entry => Some(own),
        Op::Folded(side) => Some(both[side as usize]),
        _ => None,
    });
    parts
}

impl<'a> Graph<'a> {
    /// Which nodes these need for an item, and which for the entries of folds. What is `known` needs nothing.
    fn terms(&self, roots: &[NodeId], known: impl Fn(NodeId, Op) -> bool) -> (Vec<bool>, Vec<bool>) {
        let (mut own, mut of_entries) = (vec![false; self.nodes.len()], vec![false; self.nodes.len()]);
        roots.iter().for_each(|&root| own[root as usize] = true);
        // Arguments come before what they are arguments of.
        for (id, node) in self.nodes.iter().enumerate().rev() {
            if own[id] && !known(id as NodeId, node.op) {
                let (entries, item) = node.arguments.split_at(node.of_entries());
                entries.iter().for_each(|&argument| of_entries[argument as usize] = true);
                item.iter().for_each(|&argument| own[argument as usize] = true);
            }
            if of_entries[id] {
                node.arguments.iter().for_each(|&argument| of_entries[argument as usize] = true);
            }
        }
        (own, of_entries)
    }

    /// Adds what these nodes of another graph need, with nodes of this graph where `instead` says so; returns where
    /// they are now. What folds compute for their entries stays as it is: its entry is another.
    pub(crate) fn copied(
        &mut self,
        other: &Graph<'a>,
        roots: &[NodeId],
        instead: impl Fn(NodeId, Op) -> Option<NodeId>,
    ) -> SmallVec<[NodeId; 2]> {
        let (own, of_entries) = other.terms(roots, |id, op| instead(id, op).is_some());
        let mut moved = vec![0; other.nodes.len()];
        let mut moved_of_entries = vec![0; other.nodes.len()];
        for (id, node) in other.nodes.iter().enumerate() {
            if of_entries[id] {
                moved_of_entries[id] = self.adopt(other, node, &moved_of_entries, Replace::Nothing);
            }
            if own[id] {
                moved[id] = instead(id as NodeId, node.op).unwrap_or_else(|| {
                    if node.of_entries() == 0 {
                        return self.adopt(other, node, &moved, Replace::Nothing);
                    }
                    let mut places = moved.clone();
                    for &argument in &node.arguments[..node.of_entries()] {
                        places[argument as usize] = moved_of_entries[argument as usize];
                    }
                    self.adopt(other, node, &places, Replace::Nothing)
                });
            }
        }
        roots.iter().map(|&root| moved[root as usize]).collect()
    }
}
