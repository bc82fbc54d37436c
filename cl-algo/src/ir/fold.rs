//! Folds of ranges in a graph. Some arguments of a fold are computed for each entry, the others for the item.

use super::fused::Fused;
use super::graph::{Graph, Replace};
use super::op::{Node, NodeId, Op};
use super::types::Type;
use cl_core::{Queue, Result};
use smallvec::SmallVec;

/// A kernel that evaluates a fold of ranges in an assigned expression.
///
/// The kernel is used only if the expression has as many items as there are ranges, and item `i` needs range `i`.
/// Otherwise each range is folded by the work-item that needs its result: for example in a reduction, and in an
/// expression that was shortened, reversed or gathered.
pub trait FoldKernel: Sync {
    /// Returns whether the kernel can fold to results of `bytes` bytes.
    fn takes(&self, bytes: usize) -> bool;

    /// Enqueues the kernel, made of `parts`. The entries are the input without a name. `COMBINE` is the operator on
    /// them. `INITIAL` is an input whose items all are the value of an empty range. `STORE(i, item)` takes the result
    /// of range i, does the remaining computations of the expression, and stores the outcome. `STORE` has room for
    /// indices below `len`, the number of ranges that the fold was made with.
    ///
    /// # Errors
    /// As [`Filled::compile`](crate::codegen::Filled::compile);
    /// [`Error::LengthMismatch`](cl_core::Error::LengthMismatch) if the kernel is for another number of ranges.
    fn run(&self, queue: &Queue, parts: Fused<'_>, len: usize) -> Result<()>;
}

/// A kernel, and the number of ranges that it folds.
#[derive(Clone, Copy)]
pub(crate) struct RangeKernel<'a> {
    pub(crate) kernel: &'a dyn FoldKernel,
    pub(crate) ranges: usize,
}

impl RangeKernel<'_> {
    fn is(&self, other: &RangeKernel<'_>) -> bool {
        std::ptr::addr_eq(self.kernel, other.kernel) && self.ranges == other.ranges
    }
}

/// The number of a fold's arguments that are computed for its entries; they are its first arguments.
const OF_ENTRIES: usize = 3;
/// The index of the argument that is the number of the range.
const RANGE: usize = OF_ENTRIES;
/// The index of the argument that is the beginning of the range. The next argument is the end.
pub(crate) const ENDS: usize = RANGE + 1;

impl Node {
    /// Returns the number of arguments that are computed for entries instead of for the item.
    pub(crate) fn of_entries(&self) -> usize {
        if matches!(self.op, Op::Fold { .. }) { OF_ENTRIES } else { 0 }
    }
}

/// Returns a fold that `roots` need, and its kernel, if the fold has `len` ranges, and each of `len` items needs the
/// range of its own index.
///
/// The number of the range is an argument of the fold: [`Op::Index`] unless a view reads the fold at another index.
pub(crate) fn with_kernel<'a>(
    graph: &Graph<'a>,
    roots: &[NodeId],
    len: usize,
) -> Option<(NodeId, &'a dyn FoldKernel)> {
    if graph.kernels.is_empty() {
        return None;
    }
    let terms = graph.terms(roots, |_, _| false).0;
    let kernel = |(id, node): (usize, &Node)| {
        let Op::Fold { kernel: Some(slot), .. } = node.op else { return None };
        let RangeKernel { kernel, ranges } = graph.kernels[slot as usize];
        let in_order = graph.nodes[node.arguments[RANGE] as usize].op == Op::Index;
        let fits = in_order && ranges == len && kernel.takes(node.ty.element()?.size());
        fits.then_some((id as NodeId, kernel))
    };
    graph.nodes.iter().enumerate().filter(|(id, _)| terms[*id]).filter_map(kernel).next()
}

/// Returns the parts of a fold as a graph of its own. Its roots are the value of the entry at the index, the
/// combination of two values (which are parameters), and the value of an empty range.
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
    /// Returns the slot of a kernel, which is added if it is new.
    pub(crate) fn kernel_slot(&mut self, kernel: RangeKernel<'a>) -> u32 {
        let known = self.kernels.iter().position(|other| other.is(&kernel));
        known.unwrap_or_else(|| {
            self.kernels.push(kernel);
            self.kernels.len() - 1
        }) as u32
    }

    /// Returns two flags for each node: whether `roots` need it for an item, and whether they need it for the entries
    /// of folds. A node for which `known` returns true needs no other nodes.
    fn terms(&self, roots: &[NodeId], known: impl Fn(NodeId, Op) -> bool) -> (Vec<bool>, Vec<bool>) {
        let (mut own, mut of_entries) = (vec![false; self.nodes.len()], vec![false; self.nodes.len()]);
        roots.iter().for_each(|&root| own[root as usize] = true);
        // Arguments come before the nodes that use them.
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

    /// Copies the nodes that `roots` of another graph need to this graph. If `instead` returns a node of this graph, it
    /// replaces the copy. Nodes that folds compute for their entries are not replaced, because an entry is not the
    /// item. Returns the new numbers of `roots`.
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
