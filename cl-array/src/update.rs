//! Updates in place: an array or a part of it, by an expression of its own elements.

use crate::array::Array;
use crate::arrays::assign_with_as;
use crate::expr::{ArrayExpr, ArrayOperand};
use crate::view::ArrayViewMut;
use cl_algo::{Bits, Element, Integer, Number};
use cl_core::Result;

impl<T: Element, const N: usize> Array<T, N> {
    /// Evaluates an expression of the array's own elements in place, in one kernel: `y.assign_with(|y| a * &x + y)`.
    ///
    /// The expression may read other arrays at any coordinates, but of this array only the element that it replaces.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?;
    /// let row = Array::from_slice(&queue, [2], &[10.0_f32, 20.0])?;
    /// a.assign_with(|a| 2.0 * a + &row)?;
    /// assert_eq!(a.to_vec()?, [12.0, 24.0, 16.0, 28.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Array::assign`], and [`Error::InvalidInput`](cl_core::Error::InvalidInput) if the expression reads elements
    /// of the array at other coordinates, such as their neighbours.
    #[doc(alias("map_inplace", "mapv_inplace", "zip_mut_with"))]
    pub fn assign_with<'a>(
        &'a mut self,
        value: impl FnOnce(ArrayExpr<'a, T, N>) -> ArrayExpr<'a, T, N>,
    ) -> Result<()> {
        assign_with_as("assign_with", self, value)
    }
}

impl<'a, T: Element, const N: usize> ArrayViewMut<'a, T, N> {
    /// Evaluates an expression of the view's own elements in place, in one kernel; see [`Array::assign_with`].
    ///
    /// # Errors
    /// As [`Array::assign_with`].
    #[doc(alias("map_inplace", "mapv_inplace", "zip_mut_with"))]
    pub fn assign_with(self, value: impl FnOnce(ArrayExpr<'a, T, N>) -> ArrayExpr<'a, T, N>) -> Result<()> {
        assign_with_as("assign_with", self, value)
    }
}

macro_rules! updates {
    ($($(#[$doc:meta])* $name:ident $symbol:tt $class:ident;)*) => {$(
        impl<T: $class, const N: usize> Array<T, N> {
            $(#[$doc])*
            ///
            /// # Errors
            /// As [`Array::assign_with`].
            pub fn $name<'a, const M: usize>(&'a mut self, value: impl ArrayOperand<'a, T, M>) -> Result<()> {
                self.view_mut().$name(value)
            }
        }

        impl<'a, T: $class, const N: usize> ArrayViewMut<'a, T, N> {
            $(#[$doc])*
            ///
            /// # Errors
            /// As [`Array::assign_with`].
            pub fn $name<const M: usize>(self, value: impl ArrayOperand<'a, T, M>) -> Result<()> {
                let shape = self.shape();
                let value = value.into_array_expr().broadcast_as(stringify!($name), shape).into_inner();
                assign_with_as(stringify!($name), self, |own: ArrayExpr<'a, T, N>| {
                    ArrayExpr::lazy(own.into_inner() $symbol value, shape)
                })
            }
        }
    )*};
}

updates! {
    /// Adds a value to each element: `a += value`. The value is broadcast.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut a = Array::from_slice(&queue, [2, 2], &[1, 2, 3, 4])?;
    /// let row = Array::from_slice(&queue, [2], &[10, 20])?;
    /// a.add_assign(&row)?;
    /// a.column_mut(0).add_assign(100)?;
    /// assert_eq!(a.to_vec()?, [111, 22, 113, 24]);
    /// # Ok(())
    /// # }
    /// ```
    add_assign + Number;
    /// Subtracts a value from each element: `a -= value`. The value is broadcast.
    sub_assign - Number;
    /// Multiplies each element by a value: `a *= value`. The value is broadcast.
    mul_assign * Number;
    /// Divides each element by a value: `a /= value`. The value is broadcast.
    div_assign / Number;
    /// Replaces each element by the remainder of its division by a value: `a %= value`. The value is broadcast.
    rem_assign % Number;
    /// Computes `a &= value` for each element. The value is broadcast.
    bitand_assign & Bits;
    /// Computes `a |= value` for each element. The value is broadcast.
    bitor_assign | Bits;
    /// Computes `a ^= value` for each element. The value is broadcast.
    bitxor_assign ^ Bits;
    /// Computes `a <<= value` for each element. The value is broadcast.
    shl_assign << Integer;
    /// Computes `a >>= value` for each element. The value is broadcast.
    shr_assign >> Integer;
}
