//! The expression language: lazy values that become one kernel.
//!
//! | file | concept |
//! | --- | --- |
//! | `item` | the type of an expression's items: an element, or a tuple of items |
//! | `index` | index arithmetic: the indices that a vector is read at |
//! | `line` | gathers by indices that lie on a line |
//! | `operand` | operands: expressions, vectors, scalars, tuples |
//! | `record` | closures over symbolic values, recorded |
//! | `operators` | `+ - * / % & \| ^ ! << >>` |
//! | `broadcast` | the same between vectors or complex numbers and scalars |
//! | `compare` | comparisons, `select`, casts |
//! | `adapters` | `map`, `zip`, `rev`, `gather` and similar methods |
//! | `flat_map` | several elements of each item, one after the other |
//! | `fold` | combinations of neighbouring entries, such as the entries of a matrix's rows |
//! | `parts` | components of vectors and fields of structs, and the vectors and structs made of them |
//! | `round_to` | numbers rounded to shorter formats |
//! | `complex` | complex numbers |
//! | `math` | functions by their OpenCL names |
//! | `print`, `graphviz` | an expression as text and as a graph |

mod adapters;
mod broadcast;
mod compare;
mod complex;
mod flat_map;
pub(crate) mod fold;
mod graphviz;
mod index;
mod item;
mod line;
pub mod math;
mod operand;
mod operators;
mod parts;
mod print;
mod record;
mod round_to;
mod total;
mod wide;

pub use crate::ir::fold::FoldKernel;
pub use crate::ir::format::Format;
pub use crate::ir::op::Rounding;
pub use adapters::Border;
pub use compare::Castable;
pub use complex::{complex, from_polar};
pub use fold::Ranges;
pub(crate) use index::FARTHEST;
pub use item::Item;
pub use operand::{Operand, constant, index, iota, zip};
pub(crate) use operators::binary;
pub use parts::{AnyExpr, AnyVal, Composite, IntoComponents, IntoSymbols, PartOp, vector};
pub(crate) use print::text;
pub use record::{Handle, Recorded, Recording, Symbol, Val};
pub(crate) use record::{current, extend, parameters_of, record};
pub(crate) use round_to::format_of;

use crate::element::Element;
use crate::ir::graph::Graph;
use crate::ir::op::Op;
use crate::ir::postfix::Postfix;
use cl_core::{Queue, Result};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A lazy vector of `T`: the computation of each item, not yet evaluated.
///
/// Evaluate it with [`collect`](Expr::collect), [`assign`](crate::assign) or [`sum`](Expr::sum). Each is one kernel
/// over all elements, however long the expression is. The expression borrows the vectors that it reads.
///
/// The evaluation reports deferred errors, such as vectors of different lengths. A length or an index of an item of
/// 2^63 or more, as in `iota(0, usize::MAX)`, is a deferred error; for [`shifted`](Expr::shifted), a length above 2^62.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::math::sqrt;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 4.0, 9.0])?;
/// let expression = sqrt(&x) + 0.5; // nothing is computed yet
/// assert_eq!(expression.len(), Some(3));
/// assert_eq!(expression.to_string(), "(sqrt(x0) + s0)");
/// let y = expression.collect()?; // now
/// assert_eq!(y.to_vec()?, [1.5, 2.5, 3.5]);
/// # Ok(())
/// # }
/// ```
#[must_use = "expressions are lazy: nothing is computed until they are evaluated"]
pub struct Expr<'a, T: Item> {
    postfix: Postfix<'a>,
    item: PhantomData<T>,
}

impl<'a, T: Item> Expr<'a, T> {
    pub(crate) fn new(postfix: impl Into<Postfix<'a>>) -> Expr<'a, T> {
        Expr { postfix: postfix.into(), item: PhantomData }
    }

    pub(crate) fn graph(&self) -> Graph<'a> {
        self.postfix.clone().into_graph()
    }

    pub(crate) fn into_graph(self) -> Graph<'a> {
        self.postfix.into_graph()
    }

    pub(crate) fn into_postfix(self) -> Postfix<'a> {
        self.postfix
    }

    /// Returns the queue of the vectors, or the queue that the expression is to be evaluated on.
    pub(crate) fn queue(&self) -> Option<&Queue> {
        self.postfix.extent.queue.as_deref()
    }

    /// Returns the same queue as [`Expr::queue`], for values that may outlive this expression.
    pub(crate) fn shared_queue(&self) -> Option<Cow<'a, Queue>> {
        self.postfix.extent.queue.clone()
    }

    /// Returns the first deferred error, if any.
    pub(crate) fn check(&self) -> Result<()> {
        self.postfix.check()
    }

    /// Returns the result of an operation on this and others. `name` is the operation's public name, for errors.
    pub(crate) fn with<R: Element>(
        self,
        others: impl IntoIterator<Item = Postfix<'a>>,
        op: Op,
        name: &'static str,
    ) -> Expr<'a, R> {
        Expr::new(Postfix::of(std::iter::once(self.postfix).chain(others), op, R::TYPE, name))
    }

    /// Returns the number of items; `None` if the expression consists of scalars only.
    #[must_use]
    pub fn len(&self) -> Option<usize> {
        self.postfix.extent.len
    }

    /// Returns `true` if the expression is known to have zero items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.postfix.extent.len == Some(0)
    }
}

impl<T: Item> Clone for Expr<'_, T> {
    fn clone(&self) -> Self {
        // A clone of the graph: a part that was cloned before is in it only once, so clones of clones do not grow.
        if self.postfix.is_leaf() { Expr::new(self.postfix.clone()) } else { Expr::new(self.graph()) }
    }
}

impl<T: Item> fmt::Debug for Expr<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expr<{}>({self})", std::any::type_name::<T>())
    }
}
