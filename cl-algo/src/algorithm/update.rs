//! Compound assignment in place, such as `x += value`.

use super::update_all::assign_with_as;
use crate::element::{Bits, Integer, Number};
use crate::expr::{Expr, Operand};
use crate::vec::DeviceVec;
use cl_core::Result;

macro_rules! updates {
    ($($(#[$doc:meta])* $name:ident $symbol:tt $class:ident;)*) => {$(
        impl<T: $class> DeviceVec<T> {
            $(#[$doc])*
            ///
            /// # Errors
            /// As [`DeviceVec::assign_with`].
            pub fn $name<'a>(&'a mut self, value: impl Operand<'a, T>) -> Result<()> {
                assign_with_as(stringify!($name), self, |this: Expr<'a, T>| this $symbol value.into_expr())
            }
        }
    )*};
}

updates! {
    /// Adds a value to each element: `x += value`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0])?;
    /// let mut y = DeviceVec::filled(&queue, 10.0_f32, 2)?;
    /// y.add_assign(&x * &x)?;
    /// assert_eq!(y.to_vec()?, [11.0, 14.0]);
    /// # Ok(())
    /// # }
    /// ```
    add_assign + Number;
    /// Subtracts a value from each element: `x -= value`.
    sub_assign - Number;
    /// Multiplies each element by a value: `x *= value`.
    mul_assign * Number;
    /// Divides each element by a value: `x /= value`.
    div_assign / Number;
    /// Replaces each element by the remainder of its division by a value: `x %= value`.
    rem_assign % Number;
    /// Computes `x &= value` for each element.
    bitand_assign & Bits;
    /// Computes `x |= value` for each element.
    bitor_assign | Bits;
    /// Computes `x ^= value` for each element.
    bitxor_assign ^ Bits;
    /// Computes `x <<= value` for each element.
    shl_assign << Integer;
    /// Computes `x >>= value` for each element.
    shr_assign >> Integer;
}
