//! Evaluation in place, of one vector or of several at once: `assign_with`.

use super::assign::{evaluate, fused_with, own_elements_only};
use crate::element::{Element, Item};
use crate::expr::graph::Graph;
use crate::expr::{Expr, Operand};
use crate::sink::Target;
use crate::vec::DeviceVec;
use cl_core::Result;

/// Vectors that an expression of their own elements can be assigned to: a `&mut DeviceVec`, or a
/// tuple of these, nested as the items are.
pub trait InPlace<'a, T: Item> {
    /// The vectors' items, and where new ones go: from here on the vectors are shared, for as long
    /// as an expression of them can live. Errors name `operation`.
    #[doc(hidden)]
    fn share(self, operation: &'static str, targets: &mut Vec<Target<'a>>) -> Expr<'a, T>;
}

impl<'a, T: Element> InPlace<'a, T> for &'a mut DeviceVec<T> {
    fn share(self, _: &'static str, targets: &mut Vec<Target<'a>>) -> Expr<'a, T> {
        let this: &'a DeviceVec<T> = self;
        targets.push(Target::whole(this));
        this.into_expr()
    }
}

/// Evaluates an expression of the vectors' own elements in place, in one kernel: all of the new
/// elements at an index are computed from the old ones before any is stored. What
/// [`DeviceVec::assign_with`] does for one vector this does for several, such as the coordinates of
/// a state.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[1.0_f32, 0.0])?;
/// let mut y = DeviceVec::from_slice(&queue, &[0.0_f32, 2.0])?;
/// // A quarter turn.
/// assign_with((&mut x, &mut y), |points| points.map(|(x, y)| (-y, x)))?;
/// assert_eq!(x.to_vec()?, [0.0, -2.0]);
/// assert_eq!(y.to_vec()?, [1.0, 0.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign`](crate::assign), and [`Error::InvalidInput`](cl_core::Error::InvalidInput) when the
/// expression reads other elements of the vectors, such as their neighbours.
pub fn assign_with<'a, T: Item>(
    vectors: impl InPlace<'a, T>,
    value: impl FnOnce(Expr<'a, T>) -> Expr<'a, T>,
) -> Result<()> {
    assign_with_as("assign_with", vectors, value)
}

/// [`assign_with`] by the name of the function that the user called.
pub(super) fn assign_with_as<'a, T: Item>(
    operation: &'static str,
    vectors: impl InPlace<'a, T>,
    value: impl FnOnce(Expr<'a, T>) -> Expr<'a, T>,
) -> Result<()> {
    let mut targets = Vec::new();
    let items = vectors.share(operation, &mut targets);
    let graph = value(items).into_graph();
    for target in &targets {
        own_elements_only(&graph, target.memory)?;
    }
    evaluate(fused_with::<T>(graph, targets, true).called(operation))
}

macro_rules! tuples {
    ($(($($name:ident $vectors:ident $at:tt),+))+) => {$(
        impl<'a, $($name: Item, $vectors: InPlace<'a, $name>),+> InPlace<'a, ($($name,)+)> for ($($vectors,)+) {
            fn share(self, operation: &'static str, targets: &mut Vec<Target<'a>>) -> Expr<'a, ($($name,)+)> {
                let mut graph = Graph::default();
                $(graph = graph.zip(self.$at.share(operation, targets).graph(), operation);)+
                Expr::new(graph)
            }
        }
    )+};
}

tuples! {
    (A X 0, B Y 1)
    (A X 0, B Y 1, C Z 2)
    (A X 0, B Y 1, C Z 2, D W 3)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5, G S 6)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5, G S 6, H R 7)
}
