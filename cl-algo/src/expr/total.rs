//! Comparisons in the total order of floats.

use super::{Expr, Operand, Symbol, Val, extend};
use crate::element::{ElementType, Ordered};
use crate::ir::op::Op;

/// Returns the comparison of two values in the total order.
fn total<T: Ordered>(left: Val<T>, right: impl Symbol<T>, op: Op) -> Val<bool> {
    // Before the recording is borrowed: a user's `into_val` may record nodes itself.
    let right = right.into_val();
    extend(|recording| {
        let nodes = [left.node(recording), right.node(recording)];
        let keys = nodes.map(|node| recording.graph().total_key(node).unwrap_or(node));
        recording.apply(op, ElementType::BOOL, &keys)
    })
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident $op:ident;)*) => {
        impl<'a, T: Ordered> Expr<'a, T> {
            $(
                $(#[$doc])*
                pub fn $name(self, other: impl Operand<'a, T>) -> Expr<'a, bool> {
                    let pairs = self.into_graph().zip(&other.into_expr().into_graph(), stringify!($name));
                    Expr::<(T, T)>::new(pairs).map(|(a, b)| a.$name(b))
                }
            )*
        }

        impl<T: Ordered> Val<T> {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(self, other: impl Symbol<T>) -> Val<bool> {
                    total(self, other, Op::$op)
                }
            )*
        }
    };
}

comparisons! {
    /// Returns whether `self` comes before `other` in the total order; see [Orders](crate#orders). The same as `lt` for
    /// integers.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::stl::sort_by;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::from_slice(&queue, &[2.0_f32, f32::NAN, -1.0])?;
    /// sort_by(&mut x, |a, b| b.total_lt(a))?; // the largest first
    /// let x = x.to_vec()?;
    /// assert!(x[0].is_nan() && x[1..] == [2.0, -1.0]);
    /// # Ok(())
    /// # }
    /// ```
    total_lt Lt;
    /// Returns whether `self` comes before `other` in the total order, or has the same bits.
    total_le Le;
    /// Returns whether `self` comes after `other` in the total order.
    total_gt Gt;
    /// Returns whether `self` comes after `other` in the total order, or has the same bits.
    total_ge Ge;
}
