//! Comparisons in the total order of floats.

use super::op::Op;
use super::operators::symbolic;
use super::{Expr, Operand, Symbol, Val};
use crate::element::{Ordered, ScalarType};

/// Compares two values in the total order: floats as signed integers with their bits in the same order.
fn total<T: Ordered>(left: Val<T>, right: impl Symbol<T>, op: Op) -> Val<bool> {
    let right = right.into_val();
    match T::TYPE.scalar() {
        Some(ScalarType::F16) => {
            let key = |x: Val<T>| -> Val<i16> {
                let bits: Val<i16> = x.changed(Op::Bitcast);
                bits ^ ((bits >> 15_i16) & i16::MAX)
            };
            symbolic(key(left), key(right), op)
        }
        Some(ScalarType::F32) => {
            let key = |x: Val<T>| -> Val<i32> {
                let bits: Val<i32> = x.changed(Op::Bitcast);
                bits ^ ((bits >> 31) & i32::MAX)
            };
            symbolic(key(left), key(right), op)
        }
        Some(ScalarType::F64) => {
            let key = |x: Val<T>| -> Val<i64> {
                let bits: Val<i64> = x.changed(Op::Bitcast);
                bits ^ ((bits >> 63_i64) & i64::MAX)
            };
            symbolic(key(left), key(right), op)
        }
        _ => symbolic(left, right, op),
    }
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident $op:ident;)*) => {
        impl<'a, T: Ordered> Expr<'a, T> {
            $(
                $(#[$doc])*
                pub fn $name(self, other: impl Operand<'a, T>) -> Expr<'a, bool> {
                    let pairs = self.into_graph().zip(other.into_expr().graph(), stringify!($name));
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
    /// Whether `self` comes before `other` in the total order; see [Orders](crate#orders). Of integers, as `lt`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
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
    /// Whether `self` comes before `other` in the total order, or has the same bits.
    total_le Le;
    /// Whether `self` comes after `other` in the total order.
    total_gt Gt;
    /// Whether `self` comes after `other` in the total order, or has the same bits.
    total_ge Ge;
}
