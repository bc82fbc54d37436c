//! Closures over the neighbours of an item of an index space.

use crate::element::Number;
use crate::expr::{Expr, Item, Recorded, current, parameters_of, record};
use crate::ir::graph::{Graph, Replace};
use crate::ir::op::Op;
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;

/// A recorded closure that computes an item of `R` from an item of `T` and its neighbours in a space of `N` axes.
pub struct Neighbourhood<T, R, const N: usize> {
    /// The distances of the neighbours that the closure reads, in the order of its first reads.
    offsets: Vec<[isize; N]>,
    /// The closure's results. The items of the neighbours are its parameters.
    graph: Graph<'static>,
    types: PhantomData<(T, R)>,
}

impl<T: Item, R: Item, const N: usize> Neighbourhood<T, R, N> {
    /// Records a closure. The closure gets a function that returns the neighbour at a distance along each axis.
    pub fn record<V: Recorded<Item = R>>(
        closure: impl FnOnce(&dyn Fn([isize; N]) -> T::Values) -> V,
    ) -> Neighbourhood<T, R, N> {
        let offsets = RefCell::new(Vec::new());
        let graph = record::<T, V>(|_| {
            let recording = current();
            closure(&|offset| {
                let mut offsets = offsets.borrow_mut();
                let known = offsets.iter().position(|other| *other == offset);
                let at = known.unwrap_or_else(|| {
                    offsets.push(offset);
                    offsets.len() - 1
                });
                parameters_of::<T>(recording, (at * T::count()) as u32)
            })
        });
        Neighbourhood { offsets: offsets.into_inner(), graph, types: PhantomData }
    }

    /// Returns the distances of the neighbours that the closure reads.
    #[must_use]
    pub fn offsets(&self) -> &[[isize; N]] {
        &self.offsets
    }

    /// Returns the closure's results. `neighbour` returns the items at a distance, for each of
    /// [`offsets`](Neighbourhood::offsets).
    pub fn of<'a>(&self, mut neighbour: impl FnMut([isize; N]) -> Expr<'a, T>) -> Expr<'a, R> {
        let mut graph = Graph::default();
        let mut items = Vec::new();
        for &offset in &self.offsets {
            let neighbour = neighbour(offset).into_graph();
            graph.on = graph.on.or_else(|| neighbour.on.clone());
            items.extend(graph.absorb(&neighbour, Replace::Nothing, "stencil"));
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

impl<T, R, const N: usize> fmt::Debug for Neighbourhood<T, R, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Neighbourhood").field("offsets", &self.offsets).finish_non_exhaustive()
    }
}
