//! Several elements for each item, one after the other.

use super::Item;
use super::record::sealed::Sealed;
use super::{Expr, Recorded, Recording, Val, record};
use crate::element::Element;
use crate::ir::graph::{Graph, Replace};
use crate::ir::op::{NodeId, Op, Type};
use cl_core::Error;

impl<'a, T: Item> Expr<'a, T> {
    /// Returns the closure's values for each item, one after the other.
    ///
    /// If the closure returns `n` values, the result has `n` times as many elements as there are items. The closure
    /// runs once, on symbolic values. Returning zero values is a deferred error, which the evaluation reports.
    ///
    /// Use this to share work between neighbouring elements: a value that the closure computes is computed once for all
    /// elements of an item that lie in one pack of the kernel. All of them do if the result is evaluated as a whole and
    /// `n` is a small power of two.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
    /// let powers = x.iter().flat_map(|x| [x, x * x]);
    /// assert_eq!(powers.collect()?.to_vec()?, [1.0, 1.0, 2.0, 4.0, 3.0, 9.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("repeat", "repeat_interleave"))]
    pub fn flat_map<R: Element, V: IntoIterator<Item = Val<R>>>(
        self,
        closure: impl FnOnce(T::Values) -> V,
    ) -> Expr<'a, R> {
        let operator = record::<T, Flat<R>>(|item| Flat(closure(item).into_iter().collect()));
        let mut graph = self.into_graph();
        let roots = std::mem::take(&mut graph.roots);
        graph.roots = graph.absorb(&operator, Replace::Parameters(&roots), "flat_map");
        if graph.roots.is_empty() {
            let reason = "the closure gives no values".to_owned();
            graph.fail(Error::invalid_input("flat_map", reason));
            let nothing = graph.node(Op::Constant(0), R::TYPE, &[]);
            graph.roots.push(nothing);
        }
        Expr::new(if graph.roots.len() == 1 { graph } else { graph.flat() })
    }
}

/// The values of one type that a closure of [`Expr::flat_map`] returns.
struct Flat<R: Element>(Vec<Val<R>>);

impl<R: Element> Sealed for Flat<R> {}

impl<R: Element> Recorded for Flat<R> {
    type Item = R;

    fn roots(self, recording: &mut Recording, into: &mut Vec<NodeId>) {
        into.extend(self.0.into_iter().map(|value| value.node(recording)));
    }
}

impl<'a> Graph<'a> {
    /// Returns the graph of the `n` roots in turn: its element `i` is root `i % n` at index `i / n`. All roots have one
    /// type.
    fn flat(&self) -> Graph<'a> {
        let count = self.roots.len();
        let mut graph = Graph::identity();
        let index = graph.root();
        let place = graph.node(Op::Quotient(count as u32), Type::Index, &[index]);
        let mut arguments = graph.absorb(self, Replace::Index(place), "flat_map");
        let ty = graph.nodes[arguments[0] as usize].ty;
        arguments.push(index);
        let root = graph.node(Op::Interleave, ty, &arguments);
        graph.roots[0] = root;
        if let Some(len) = self.len {
            graph.set_len(len.saturating_mul(count), "flat_map");
        }
        graph.pruned()
    }
}
