//! Evaluation in place, of one vector or of several vectors: `assign_with`.

use super::assign::{evaluate, fused_with, own_elements_only};
use super::moved::items_at;
use crate::element::Element;
use crate::expr::Expr;
use crate::expr::Item;
use crate::ir::target::Target;
use crate::sink::ViewMut;
use crate::vec::DeviceVec;
use cl_core::Result;
use sealed::Sealed;

mod sealed {
    /// Seals [`InPlace`](super::InPlace): kernels rely on what an implementation says of memory, and the trait is safe
    /// to implement.
    pub trait Sealed {}
}

/// Vectors that are changed in place, by an expression of their own elements, a scan or a sort.
///
/// A `&mut DeviceVec`, a [view](ViewMut) of a vector, or a tuple of these, nested as the items are.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::{inclusive_scan_in_place, sort};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[5, 3, 4, 1])?;
/// sort(x.slice_mut(1..))?;
/// assert_eq!(x.to_vec()?, [5, 1, 3, 4]);
/// inclusive_scan_in_place(x.view_mut().rev(), |a, b| a + b)?;
/// assert_eq!(x.to_vec()?, [13, 8, 7, 4]);
/// // Two parts of one vector, side by side.
/// assign_with(x.view_mut().split_at(2), |parts| parts.map(|(a, b)| (b, a)))?;
/// assert_eq!(x.to_vec()?, [7, 4, 13, 8]);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be changed in place, as items of `{T}`",
    note = "use a `&mut DeviceVec`, a view of one (`x.slice_mut(1..)`), or a tuple of these"
)]
pub trait InPlace<'a, T: Item>: Sealed {
    /// Adds the targets that the items are read from and the new items are stored to.
    #[doc(hidden)]
    fn targets(self, into: &mut Vec<Target<'a>>);
}

impl<T: Element> Sealed for &mut DeviceVec<T> {}

impl<'a, T: Element> InPlace<'a, T> for &'a mut DeviceVec<T> {
    fn targets(self, into: &mut Vec<Target<'a>>) {
        into.push(Target::whole(self));
    }
}

impl<T: Element> Sealed for ViewMut<'_, T> {}

impl<'a, T: Element> InPlace<'a, T> for ViewMut<'a, T> {
    fn targets(self, into: &mut Vec<Target<'a>>) {
        into.push(self.into());
    }
}

/// Returns the items, and the targets that new items are stored to. `operation` is the name in errors.
///
/// From here on the vectors are shared, for as long as an expression of them can live.
pub(super) fn shared<'a, T: Item>(
    operation: &'static str,
    vectors: impl InPlace<'a, T>,
) -> (Expr<'a, T>, Vec<Target<'a>>) {
    let mut targets = Vec::new();
    vectors.targets(&mut targets);
    (Expr::new(items_at(operation, &targets)), targets)
}

/// Evaluates an expression of the vectors' own elements in place, in one kernel.
///
/// All new elements at an index are computed from the old ones before any is stored. This is [`DeviceVec::assign_with`]
/// for several vectors, such as the coordinates of a state, and for mutable views:
/// `assign_with(x.slice_mut(1..), |x| x + 1)`.
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
/// As [`assign`](crate::assign), and [`Error::InvalidInput`](cl_core::Error::InvalidInput) if the expression reads
/// other elements of the vectors, such as their neighbours.
pub fn assign_with<'a, T: Item>(
    vectors: impl InPlace<'a, T>,
    value: impl FnOnce(Expr<'a, T>) -> Expr<'a, T>,
) -> Result<()> {
    assign_with_as("assign_with", vectors, value)
}

/// Evaluates as [`assign_with`] does. `operation` is the name in errors.
pub(super) fn assign_with_as<'a, T: Item>(
    operation: &'static str,
    vectors: impl InPlace<'a, T>,
    value: impl FnOnce(Expr<'a, T>) -> Expr<'a, T>,
) -> Result<()> {
    let (items, targets) = shared(operation, vectors);
    let graph = value(items).into_graph();
    own_elements_only(&graph, &targets)?;
    evaluate(fused_with(operation, graph, targets, true))
}

macro_rules! tuples {
    ($(($($name:ident $vectors:ident $at:tt),+))+) => {$(
        impl<$($vectors: Sealed),+> Sealed for ($($vectors,)+) {}

        impl<'a, $($name: Item, $vectors: InPlace<'a, $name>),+> InPlace<'a, ($($name,)+)> for ($($vectors,)+) {
            fn targets(self, into: &mut Vec<Target<'a>>) {
                $(self.$at.targets(into);)+
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
