//! Tuples of equal parts, one part after the other.

use super::Expr;
use super::graph::{Graph, Replace};
use super::op::{Op, Type};
use crate::element::Element;

impl<'a> Graph<'a> {
    /// The parts, which are of one type, in turn: part i % n of what is at i / n.
    fn flattened(&self) -> Graph<'a> {
        let count = self.roots.len();
        let mut graph = Graph::identity();
        let index = graph.root();
        let place = graph.node(Op::Quotient(count as u32), Type::Index, &[index]);
        let mut arguments = graph.absorb(self, Replace::Index(place), "flatten");
        let ty = graph.nodes[arguments[0] as usize].ty;
        arguments.push(index);
        let root = graph.node(Op::Interleave, ty, &arguments);
        graph.roots = [root].into_iter().collect();
        graph.len = self.len.map(|len| len.saturating_mul(count));
        graph.pruned()
    }
}

macro_rules! tuples {
    ($($count:literal: ($($t:ident),+);)+) => {$(
        impl<'a, T: Element> Expr<'a, ($($t,)+)> {
            #[doc = concat!("The parts one after the other, ", $count, " times as many elements as there are tuples.")]
            ///
            /// Each tuple is computed once for all of its parts where they lie in one pack of the kernel,
            /// which is so when the result is evaluated as a whole: how to say that neighbours share work.
            ///
            /// ```
            /// use cl_algo::prelude::*;
            /// # fn main() -> cl_core::Result<()> {
            /// # let queue = Queue::on(&Device::first()?)?;
            /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
            /// let pairs = x.iter().map(|x| (x, x * x)).flatten();
            /// assert_eq!(pairs.collect()?.to_vec()?, [1.0, 1.0, 2.0, 4.0, 3.0, 9.0]);
            /// # Ok(())
            /// # }
            /// ```
            pub fn flatten(self) -> Expr<'a, T> {
                Expr::new(self.graph().flattened())
            }
        }
    )+};
}

tuples! {
    "two": (T, T);
    "three": (T, T, T);
    "four": (T, T, T, T);
    "five": (T, T, T, T, T);
    "six": (T, T, T, T, T, T);
    "seven": (T, T, T, T, T, T, T);
    "eight": (T, T, T, T, T, T, T, T);
}
