//! Closures over the neighbours of an item of an index space.

use crate::element::Number;
use crate::expr::{Expr, Item, Recorded, current, parameters_of, record};
use crate::ir::graph::{Graph, Replace};
use crate::ir::op::{NodeId, Op};
use cl_core::Error;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

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
        Neighbourhood::from_parts(reads.into_inner(), graph)
    }

    /// Returns the keys of the items that the closure reads.
    #[must_use]
    pub fn reads(&self) -> &[K] {
        &self.reads
    }

    /// Returns the closure's results. `item` returns the items of a key, for each of [`reads`](Neighbourhood::reads).
    pub fn of<'a>(&self, mut item: impl FnMut(K) -> Expr<'a, T>) -> Expr<'a, R> {
        let mut composition = Composition::default();
        let items: Vec<_> = self.reads.iter().map(|&key| composition.add(item(key))).collect();
        let results = composition.apply(self, &items);
        composition.expr(&results)
    }
}

/// Expressions in construction, which share the parts that they have in common. A chain of closures that read each other's
/// results is composed in a time proportional to its length.
///
/// ```
/// use cl_algo::ranked::{Composition, Neighbourhood, coordinate};
/// let mut composition = Composition::default();
/// let mut value = composition.add(coordinate::<f32>(0, 1));
/// let square = Neighbourhood::<f32, f32, ()>::record(|at| at(()) * at(()));
/// for _ in 0..3 {
///     value = composition.apply(&square, &[value]);
/// }
/// assert_eq!(cl_algo::ranked::work(&composition.expr(&value)).operations, 4); // a cast and three products
/// ```
pub struct Composition<'a> {
    /// The number that tells it from every other composition.
    id: u64,
    graph: Graph<'a>,
}

/// An item of a [`Composition`].
pub struct Composed<T> {
    /// The composition that the item belongs to.
    of: u64,
    roots: SmallVec<[NodeId; 2]>,
    types: PhantomData<T>,
}

impl<T, R, K> Neighbourhood<T, R, K> {
    /// Returns the closure with this graph, whose parameters are the items of `reads`.
    pub(super) fn from_parts(reads: Vec<K>, graph: Graph<'static>) -> Neighbourhood<T, R, K> {
        Neighbourhood { reads, graph, types: PhantomData }
    }
}

impl Default for Composition<'_> {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Composition { id: NEXT.fetch_add(1, Ordering::Relaxed), graph: Graph::default() }
    }
}

impl<'a> Composition<'a> {
    /// Adds an expression.
    pub fn add<T: Item>(&mut self, expr: Expr<'a, T>) -> Composed<T> {
        let roots = self.graph.absorb(&expr.into_graph(), Replace::Nothing, "stencil");
        Composed { of: self.id, roots, types: PhantomData }
    }

    /// Adds the results of a closure. `items` are the items that it reads, in the order of
    /// [`reads`](Neighbourhood::reads). Missing items, and items of another composition, are a deferred error.
    pub fn apply<T: Item, R: Item, K>(
        &mut self,
        closure: &Neighbourhood<T, R, K>,
        items: &[Composed<T>],
    ) -> Composed<R> {
        let count = closure.reads.len();
        if items.len() != count {
            let reason = format!("{} items for a closure that reads {count}", items.len());
            self.graph.fail(Error::invalid_input("stencil", reason));
        } else if items.iter().any(|item| item.of != self.id) {
            self.graph.fail(of_another());
        } else {
            let items: Vec<NodeId> = items.iter().flat_map(|item| item.roots.iter().copied()).collect();
            let roots = self.graph.absorb(&closure.graph, Replace::Parameters(&items), "stencil");
            return Composed { of: self.id, roots, types: PhantomData };
        }
        Composed { of: self.id, roots: zeros::<R>(&mut self.graph), types: PhantomData }
    }

    /// Returns an item as an expression. An item of another composition is a deferred error.
    pub fn expr<T: Item>(&self, item: &Composed<T>) -> Expr<'a, T> {
        if item.of == self.id {
            return Expr::new(self.graph.only(item.roots.clone()));
        }
        let mut graph = Graph::default();
        graph.roots = zeros::<T>(&mut graph);
        graph.fail(of_another());
        Expr::new(graph)
    }
}

/// Returns the error for an item of another composition.
fn of_another() -> Error {
    let reason = "an item belongs to another composition: add its expression to this one".to_owned();
    Error::invalid_input("stencil", reason)
}

/// Adds nodes that stand for an item that cannot be computed.
fn zeros<T: Item>(graph: &mut Graph<'_>) -> SmallVec<[NodeId; 2]> {
    let mut roots = SmallVec::new();
    T::each_element(&mut |element| roots.push(graph.node(Op::Constant(0), element, &[])));
    roots
}

impl<T> Clone for Composed<T> {
    fn clone(&self) -> Self {
        Composed { of: self.of, roots: self.roots.clone(), types: PhantomData }
    }
}

impl fmt::Debug for Composition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Composition").field("nodes", &self.graph.nodes.len()).finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Composed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Composed").finish_non_exhaustive()
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
