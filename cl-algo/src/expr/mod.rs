//! The expression language: lazy values that become one kernel.
//!
//! | file | concept |
//! | --- | --- |
//! | `graph` | the untyped, hash-consed representation |
//! | `operand` | what can stand in an expression: expressions, vectors, scalars |
//! | `operators` | `+ - * /` and negation |
//! | `math` | functions by their OpenCL names |
//! | `print` | an expression as text |

pub(crate) mod graph;
pub mod math;
mod operand;
mod operators;
mod print;

pub use operand::Operand;
pub(crate) use print::text;

use crate::element::Element;
use graph::Graph;
use std::fmt;
use std::marker::PhantomData;

/// A lazy vector of `T`: what to compute for each element, not yet computed.
///
/// Evaluate it with [`collect`](Expr::collect), [`DeviceVec::assign`](crate::DeviceVec::assign) or
/// [`sum`](Expr::sum); each is one kernel over all elements, however long the expression is. It
/// borrows the vectors that it reads. A mistake in building it, such as vectors of different
/// lengths, is reported by the evaluation.
#[must_use = "expressions are lazy: nothing is computed until they are evaluated"]
pub struct Expr<'a, T: Element> {
    graph: Graph<'a>,
    element: PhantomData<T>,
}

impl<'a, T: Element> Expr<'a, T> {
    pub(crate) fn new(graph: Graph<'a>) -> Expr<'a, T> {
        Expr { graph, element: PhantomData }
    }

    pub(crate) fn graph(&self) -> &Graph<'a> {
        &self.graph
    }

    pub(crate) fn into_graph(self) -> Graph<'a> {
        self.graph
    }

    /// Number of elements; none if the expression is made of scalars only.
    #[must_use]
    pub fn len(&self) -> Option<usize> {
        self.graph.len
    }

    /// Whether the expression is known to have no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.graph.len == Some(0)
    }
}

impl<T: Element> Clone for Expr<'_, T> {
    fn clone(&self) -> Self {
        Expr::new(self.graph.clone())
    }
}

impl<T: Element> fmt::Debug for Expr<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expr<{}>({self})", std::any::type_name::<T>())
    }
}
