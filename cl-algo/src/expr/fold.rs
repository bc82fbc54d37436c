//! Folds of ranges: combinations of neighbouring entries, such as the entries of a matrix's rows.
//!
//! The entries are an expression of their own, and each item of the fold reads the entries of one range. The
//! nodes of the entries are added to the graph of the fold, so that a vector that is used in both is one
//! argument of the kernel. In these nodes, [`Op::Entry`] takes the place of the index.

use super::Item;
use super::{Expr, Operand, Val, record};
use crate::element::{Element, Integer};
use crate::ir::fold::{FoldKernel, RangeKernel};
use crate::ir::graph::{Graph, Replace};
use crate::ir::leaf::Scalar;
use crate::ir::op::{Arguments, Op, Type};
use crate::vec::DeviceVec;
use cl_core::Error;

/// Ranges of entries, one for each element of the fold's result.
#[derive(Clone)]
#[allow(missing_debug_implementations)] // the expressions made of it print its fields
#[must_use = "ranges do nothing until entries are folded"]
pub struct Ranges<'a> {
    /// The graph with two roots: the first entry of each range, and the entry after its last.
    ends: Graph<'a>,
    stride: usize,
    at_once: u8,
}

/// The number of entries of a range that are loaded at once, unless [`Ranges::mostly_of`] chooses another
/// number. The other two constants are the smallest and the largest number that it may choose.
const AT_ONCE: u8 = 4;
const LEAST_AT_ONCE: usize = 2;
const MOST_AT_ONCE: usize = 8;
/// The largest stride of entries that is a constant in the source, so that compilers can optimize for it.
///
/// The heights of a sliced matrix's slices are usually below it. Larger strides, such as the number of a
/// matrix's rows, are launch values. Otherwise each matrix would compile its own kernel.
const LARGEST_CONSTANT: usize = 64;

impl<'a> Ranges<'a> {
    /// Returns ranges from each offset up to the next one. There is one range fewer than offsets.
    pub fn between<I: Integer>(offsets: &'a DeviceVec<I>) -> Ranges<'a> {
        let mut ends = Graph::default();
        let vector = offsets.as_leaf();
        let begin = ends.load(&vector);
        let own = ends.node(Op::Index, Type::Index, &[]);
        let next = ends.affine(own, 1, 1);
        let slot = ends.vector_slot(&vector);
        let end = ends.node(Op::Load(slot), I::TYPE, &[next]);
        ends.roots.extend([begin, end]);
        ends.len = Some(offsets.len().saturating_sub(1));
        Ranges { ends, stride: 1, at_once: AT_ONCE }
    }

    /// Returns ranges of every `stride`-th entry from a begin up to an end. A stride of 0 counts as 1.
    pub fn strided<I: Integer>(ends: impl Operand<'a, (I, I)>, stride: usize) -> Ranges<'a> {
        Ranges { ends: ends.into_expr().into_graph(), stride: stride.max(1), at_once: AT_ONCE }
    }

    /// Sets the number of entries that most ranges have.
    ///
    /// GPUs then load the number of entries at once that takes the fewest rounds for such a range. Affects
    /// speed only; a different number may compile another kernel. A hand-written kernel for 4 million rows of
    /// 5 `f32` on an H200: 52.5 µs with five entries at once, 59.3 µs with four.
    pub fn mostly_of(mut self, entries: usize) -> Ranges<'a> {
        let rounds = |at_once: usize| {
            let rest = entries % at_once;
            entries / at_once + rest / usize::from(AT_ONCE) + rest % usize::from(AT_ONCE)
        };
        // `min_by_key` takes the first of equals, which is the largest number.
        let best = (LEAST_AT_ONCE..=MOST_AT_ONCE).rev().min_by_key(|&at_once| rounds(at_once));
        self.at_once = best.filter(|_| entries > 1).map_or(AT_ONCE, |best| best as u8);
        self
    }
}

impl<'a, T: Item> Expr<'a, T> {
    /// Gathers the items at the given indices, as [`Expr::gather`] does, without a check on the device.
    ///
    /// The expression must have `len` items if it has a length. `operation` is the name in errors.
    ///
    /// # Safety
    /// All indices that are read must be below `len`.
    pub unsafe fn gather_unchecked<I: Integer>(
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
        let mut graph = self.into_graph().at(&indices, count, operation);
        if let Some(right) = own.filter(|&own| own != len) {
            graph.fail(Error::length_mismatch(operation, len, right));
        }
        Expr::new(graph)
    }
}

impl<'a, T: Element> Expr<'a, T> {
    /// Combines all entries of each range. An empty range gives `initial`, the operator's identity.
    ///
    /// The operator must be associative, and commutative if a `kernel` folds the ranges. An expression over the coordinates
    /// of an index space has no entries: it is a deferred error.
    ///
    /// # Safety
    /// The expression must have every entry of the ranges, and the kernel must be made for these ranges.
    ///
    /// ```
    /// use cl_algo::codegen::Ranges;
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5])?;
    /// let offsets = DeviceVec::from_slice(&queue, &[0_u32, 2, 2, 5])?;
    /// // SAFETY: the offsets ascend to the number of entries.
    /// let sums = unsafe { (&x * 10).fold_ranges(Ranges::between(&offsets), 0, |a, b| a + b, None) };
    /// assert_eq!((sums + 1).collect()?.to_vec()?, [31, 1, 121]); // one kernel
    /// # Ok(())
    /// # }
    /// ```
    pub unsafe fn fold_ranges(
        self,
        ranges: Ranges<'a>,
        initial: T,
        combine: impl FnOnce(Val<T>, Val<T>) -> Val<T>,
        kernel: Option<&'a dyn FoldKernel>,
    ) -> Expr<'a, T> {
        let combine = record::<(T, T), Val<T>>(|(a, b)| combine(a, b));
        let entries = self.into_graph();
        let len = ranges.ends.len;
        let mut graph = if entries.len == Some(0) {
            // A kernel cannot be given memory of zero bytes.
            let mut graph = Graph::scalar(Scalar::new(initial));
            graph.on = ranges.ends.shared_queue();
            graph.failure = entries.failure.or(ranges.ends.failure);
            graph
        } else {
            fold(&entries, ranges, Scalar::new(initial), &combine, T::TYPE.into(), kernel)
        };
        graph.len = len;
        Expr::new(graph)
    }
}

/// Returns the graph of a fold, without its length.
fn fold<'a>(
    entries: &Graph<'a>,
    ranges: Ranges<'a>,
    initial: Scalar,
    combine: &Graph<'a>,
    ty: Type,
    kernel: Option<&'a dyn FoldKernel>,
) -> Graph<'a> {
    const NAME: &str = "fold of ranges";
    let mut graph = ranges.ends;
    let kernel =
        kernel.zip(graph.len).map(|(kernel, ranges)| graph.kernel_slot(RangeKernel { kernel, ranges }));
    let ends = std::mem::take(&mut graph.roots);
    let entry = graph.node(Op::Entry, Type::Index, &[]);
    let value = graph.absorb(entries, Replace::Index(entry), NAME)[0];
    let both = [0, 1].map(|side| graph.node(Op::Folded(side), ty, &[]));
    if entries.nodes.iter().any(|node| matches!(node.op, Op::Coordinate(_))) {
        // Kernels would take the coordinates of the item for those of an entry.
        let reason = "the entries are an expression over the coordinates of an index space, and have no numbers: use \
                      `flattened`, or `flatten` of an array";
        graph.fail(Error::invalid_input(NAME, reason));
    }
    graph.len = None;
    let combined = graph.absorb(combine, Replace::Parameters(&both), NAME)[0];
    let initial = graph.scalar_node(initial);
    let own = graph.node(Op::Index, Type::Index, &[]);
    let mut arguments = Arguments::from_slice(&[value, combined, initial, own]);
    arguments.extend(ends);
    if ranges.stride > 1 {
        arguments.push(match ranges.stride {
            stride @ ..=LARGEST_CONSTANT => graph.node(Op::Constant(stride as u64), Type::Index, &[]),
            stride => graph.scalar_node(Scalar::index(stride as i64)),
        });
    }
    let root = graph.node(Op::Fold { at_once: ranges.at_once, kernel }, ty, &arguments);
    graph.roots.push(root);
    graph
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_few() {
        let at_once = |entries: usize| {
            let ends = crate::zip((crate::iota(0_u32, 1), crate::iota(0_u32, 1)));
            Ranges::strided::<u32>(ends, 2).mostly_of(entries).at_once
        };
        // Rows of stencils take one round. Longer rows take rounds of eight, unless these leave many entries over.
        assert_eq!([1, 2, 5, 7, 8, 32].map(at_once), [4, 2, 5, 7, 8, 8]);
        assert_eq!([9, 10, 27].map(at_once), [8, 6, 8]);
    }
}
