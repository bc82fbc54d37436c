//! Closures over the neighbours of an item of an index space.

use crate::element::Number;
use crate::expr::{Expr, Item, Recorded, current, parameters_of, record};
use crate::ir::graph::{Graph, Replace};
use crate::ir::op::Op;
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;

/// A recorded closure that computes an item of `R` from items of `T`.
///
/// A key of `K` says which item the closure reads: a distance along each axis, as `[isize; N]`, for the neighbours of an
/// item.
pub struct Neighbourhood<T, R, K> {
    /// The keys of the items that the closure reads, in the order of its first reads.
    pub(super) reads: Vec<K>,
    /// The closure's results. The items that are read are its parameters.
    pub(super) graph: Graph<'static>,
    types: PhantomData<(T, R)>,
}

impl<T: Item, R: Item, K: Copy + PartialEq> Neighbourhood<T, R, K> {
    /// Records a closure. The closure gets a function that returns the item of a key.
    pub fn record<V: Recorded<Item = R>>(
        closure: impl FnOnce(&dyn Fn(K) -> T::Values) -> V,
    ) -> Neighbourhood<T, R, K> {
        let reads = RefCell::new(Vec::new());
        let graph = record::<T, V>(|_| {
            let recording = current();
            closure(&|key| {
                let mut reads = reads.borrow_mut();
                let known = reads.iter().position(|other| *other == key);
                let at = known.unwrap_or_else(|| {
                    reads.push(key);
                    reads.len() - 1
                });
                parameters_of::<T>(recording, (at * T::count()) as u32)
            })
        });
        Neighbourhood { reads: reads.into_inner(), graph, types: PhantomData }
    }

    /// Returns the keys of the items that the closure reads.
    #[must_use]
    pub fn reads(&self) -> &[K] {
        &self.reads
    }

    /// Returns the number of operations for one result. Reads and constants are not operations.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.graph.nodes.iter().filter(|node| !node.arguments.is_empty()).count()
    }

    /// Returns the closure's results. `item` returns the items of a key, for each of [`reads`](Neighbourhood::reads).
    pub fn of<'a>(&self, mut item: impl FnMut(K) -> Expr<'a, T>) -> Expr<'a, R> {
        let mut graph = Graph::default();
        let mut items = Vec::new();
        for &key in &self.reads {
            let read = item(key).into_graph();
            graph.on = graph.on.or_else(|| read.on.clone());
            items.extend(graph.absorb(&read, Replace::Nothing, "stencil"));
        }
        graph.roots = graph.absorb(&self.graph, Replace::Parameters(&items), "stencil");
        Expr::new(graph.pruned())
    }
}

/// Returns `a * b + c`. Floats are rounded once, as by OpenCL's `fma`.
pub fn multiply_add<'a, T: Number>(a: Expr<'a, T>, b: Expr<'a, T>, c: Expr<'a, T>) -> Expr<'a, T> {
    if T::TYPE.is_float() {
        return a.with([b.into_postfix(), c.into_postfix()], Op::Call("fma"), "multiply_add");
    }
    a * b + c
}

impl<T, R, K: fmt::Debug> fmt::Debug for Neighbourhood<T, R, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Neighbourhood").field("reads", &self.reads).finish_non_exhaustive()
    }
}
