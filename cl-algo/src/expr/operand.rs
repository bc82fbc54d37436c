//! What can stand in an expression.

use super::Expr;
use super::graph::{Graph, Scalar, Vector};
use crate::element::Element;
use crate::vec::DeviceVec;

/// A value of `T` for each element: an expression, a reference to a device vector, or a scalar,
/// which is the same for all elements and becomes a kernel argument.
pub trait Operand<'a, T: Element> {
    /// The operand as an expression.
    fn into_expr(self) -> Expr<'a, T>;
}

impl<'a, T: Element> Operand<'a, T> for Expr<'a, T> {
    fn into_expr(self) -> Expr<'a, T> {
        self
    }
}

impl<'a, T: Element> Operand<'a, T> for &Expr<'a, T> {
    fn into_expr(self) -> Expr<'a, T> {
        self.clone()
    }
}

impl<'a, T: Element> Operand<'a, T> for &'a DeviceVec<T> {
    fn into_expr(self) -> Expr<'a, T> {
        let vector = Vector { memory: self.memory(), queue: self.queue() };
        Expr::new(Graph::vector(vector, T::TYPE, self.len()))
    }
}

impl<'a, T: Element> Operand<'a, T> for T {
    fn into_expr(self) -> Expr<'a, T> {
        Expr::new(Graph::scalar(Scalar::new(bytemuck::bytes_of(&self), T::TYPE)))
    }
}
