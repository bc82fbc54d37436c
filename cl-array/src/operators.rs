//! Operators between arrays, views, expressions and scalars, with broadcasting.
//!
//! ```
//! use cl_algo::num_complex::Complex;
//! use cl_array::prelude::*;
//! # fn main() -> cl_core::Result<()> {
//! # let queue = Queue::on(&Device::first()?)?;
//! let z = Array::from_slice(&queue, [2], &[Complex::new(1.0_f32, 2.0), Complex::new(0.0, 1.0)])?;
//! let turned = (Complex::<f32>::i() * &z + 1.0).collect()?;
//! assert_eq!(turned.to_vec()?, [Complex::new(-1.0, 1.0), Complex::new(0.0, 0.0)]);
//! # Ok(())
//! # }
//! ```

use crate::array::Array;
use crate::expr::{ArrayExpr, ArrayOperand};
use crate::rank::{Broadcast, Rank};
use crate::view::ArrayView;
use cl_algo::math::Magnitude;
use cl_algo::num_complex::Complex;
use cl_algo::{Bits, Element, Expr, Float, Integer, Number, Operand, Ordered, Signed};
use half::f16;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

/// Defines the operators of one left operand with every kind of right operand. `$life` is the lifetime of the result if
/// the right operand borrows nothing.
macro_rules! left {
    ($trait:ident $method:ident $symbol:literal $class:ident $life:lifetime $left:ty) => {
        left!(@ $trait $method $symbol $class ['a] 'a $left, ArrayExpr<'a, T, M>);
        left!(@ $trait $method $symbol $class ['a] 'a $left, &ArrayExpr<'a, T, M>);
        left!(@ $trait $method $symbol $class ['a] 'a $left, ArrayView<'a, T, M>);
        left!(@ $trait $method $symbol $class ['a] 'a $left, &ArrayView<'a, T, M>);
        left!(@ $trait $method $symbol $class ['a] 'a $left, &'a Array<T, M>);
        left!(@ $trait $method $symbol $class [$life] $life $left, Array<T, M>);

        impl<'a, T: $class, const N: usize> $trait<T> for $left {
            type Output = ArrayExpr<$life, T, N>;
            fn $method(self, right: T) -> Self::Output {
                let left: ArrayExpr<$life, T, N> = self.into_array_expr();
                let shape = left.shape();
                ArrayExpr::lazy(left.into_inner().$method(right), shape)
            }
        }
    };
    (@ $trait:ident $method:ident $symbol:literal $class:ident [$declared:lifetime] $life:lifetime $left:ty, $right:ty) => {
        impl<'a, T: $class, const N: usize, const M: usize> $trait<$right> for $left
        where
            Rank<N>: Broadcast<Rank<M>>,
        {
            type Output = <Rank<N> as Broadcast<Rank<M>>>::Expr<$life, T>;
            fn $method(self, right: $right) -> Self::Output {
                let left: ArrayExpr<$life, T, N> = self.into_array_expr();
                left.join(right.into_array_expr(), $symbol, |a, b| a.$method(b))
            }
        }
    };
}

/// Defines operators with a scalar on the left, which Rust allows only type by type.
macro_rules! scalars {
    ($trait:ident $method:ident: $($scalar:ty)*) => {$(
        scalars!(@ $trait $method $scalar, 'a ArrayExpr<'a, $scalar, N>);
        scalars!(@ $trait $method $scalar, 'a &ArrayExpr<'a, $scalar, N>);
        scalars!(@ $trait $method $scalar, 'a ArrayView<'a, $scalar, N>);
        scalars!(@ $trait $method $scalar, 'a &ArrayView<'a, $scalar, N>);
        scalars!(@ $trait $method $scalar, 'a &'a Array<$scalar, N>);
        scalars!(@ $trait $method $scalar, 'static Array<$scalar, N>);
    )*};
    (@ $trait:ident $method:ident $scalar:ty, $life:lifetime $right:ty) => {
        impl<'a, const N: usize> $trait<$right> for $scalar {
            type Output = ArrayExpr<$life, $scalar, N>;
            fn $method(self, right: $right) -> Self::Output {
                let right: ArrayExpr<$life, $scalar, N> = right.into_array_expr();
                let shape = right.shape();
                let left: Expr<$life, $scalar> = Operand::into_expr(self);
                ArrayExpr::lazy(left.$method(right.into_inner()), shape)
            }
        }
    };
}

macro_rules! operators {
    ($($trait:ident $method:ident $symbol:literal $class:ident: $($scalar:ty)*;)*) => {$(
        left!($trait $method $symbol $class 'a ArrayExpr<'a, T, N>);
        left!($trait $method $symbol $class 'a &ArrayExpr<'a, T, N>);
        left!($trait $method $symbol $class 'a ArrayView<'a, T, N>);
        left!($trait $method $symbol $class 'a &ArrayView<'a, T, N>);
        left!($trait $method $symbol $class 'a &'a Array<T, N>);
        left!($trait $method $symbol $class 'static Array<T, N>);
        scalars!($trait $method: $($scalar)*);
    )*};
}

operators! {
    Add add "+" Number: i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 Complex<f32> Complex<f64>;
    Sub sub "-" Number: i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 Complex<f32> Complex<f64>;
    Mul mul "*" Number: i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 Complex<f32> Complex<f64>;
    Div div "/" Number: i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 Complex<f32> Complex<f64>;
    Rem rem "%" Number: i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64;
    BitAnd bitand "&" Bits: i8 u8 i16 u16 i32 u32 i64 u64 bool;
    BitOr bitor "|" Bits: i8 u8 i16 u16 i32 u32 i64 u64 bool;
    BitXor bitxor "^" Bits: i8 u8 i16 u16 i32 u32 i64 u64 bool;
    Shl shl "<<" Integer: i8 u8 i16 u16 i32 u32 i64 u64;
    Shr shr ">>" Integer: i8 u8 i16 u16 i32 u32 i64 u64;
}

/// Defines operators between arrays of complex numbers and real numbers of the host.
macro_rules! reals {
    ($($real:ty)*) => {$(
        reals!(@ $real: Add add, Sub sub, Mul mul, Div div);
    )*};
    (@ $real:ty: $($trait:ident $method:ident),*) => {$(
        reals!(@ $real, $trait $method, 'a ArrayExpr<'a, Complex<$real>, N>);
        reals!(@ $real, $trait $method, 'a &ArrayExpr<'a, Complex<$real>, N>);
        reals!(@ $real, $trait $method, 'a ArrayView<'a, Complex<$real>, N>);
        reals!(@ $real, $trait $method, 'a &ArrayView<'a, Complex<$real>, N>);
        reals!(@ $real, $trait $method, 'a &'a Array<Complex<$real>, N>);
        reals!(@ $real, $trait $method, 'static Array<Complex<$real>, N>);
    )*};
    (@ $real:ty, $trait:ident $method:ident, $life:lifetime $operand:ty) => {
        impl<'a, const N: usize> $trait<$real> for $operand {
            type Output = ArrayExpr<$life, Complex<$real>, N>;
            fn $method(self, right: $real) -> Self::Output {
                let left: ArrayExpr<$life, Complex<$real>, N> = self.into_array_expr();
                let shape = left.shape();
                ArrayExpr::lazy(left.into_inner().$method(right), shape)
            }
        }

        impl<'a, const N: usize> $trait<$operand> for $real {
            type Output = ArrayExpr<$life, Complex<$real>, N>;
            fn $method(self, right: $operand) -> Self::Output {
                let right: ArrayExpr<$life, Complex<$real>, N> = right.into_array_expr();
                let shape = right.shape();
                ArrayExpr::lazy(self.$method(right.into_inner()), shape)
            }
        }
    };
}

reals!(f32 f64);

macro_rules! prefix_operators {
    ($($trait:ident $method:ident $class:ident;)*) => {$(
        prefix_operators!(@ $trait $method $class 'a ArrayExpr<'a, T, N>);
        prefix_operators!(@ $trait $method $class 'a &ArrayExpr<'a, T, N>);
        prefix_operators!(@ $trait $method $class 'a ArrayView<'a, T, N>);
        prefix_operators!(@ $trait $method $class 'a &ArrayView<'a, T, N>);
        prefix_operators!(@ $trait $method $class 'a &'a Array<T, N>);
        prefix_operators!(@ $trait $method $class 'static Array<T, N>);
    )*};
    (@ $trait:ident $method:ident $class:ident $life:lifetime $operand:ty) => {
        impl<'a, T: $class, const N: usize> $trait for $operand {
            type Output = ArrayExpr<$life, T, N>;
            fn $method(self) -> Self::Output {
                let expr: ArrayExpr<$life, T, N> = self.into_array_expr();
                let shape = expr.shape();
                ArrayExpr::lazy(expr.into_inner().$method(), shape)
            }
        }
    };
}

prefix_operators! {
    Neg neg Signed;
    Not not Bits;
}

/// Defines methods that apply the method of the same name of [`Expr`] to each element, or pair of elements.
macro_rules! methods {
    ($(where $class:ident $(+ $more:ident)? { $($(#[$doc:meta])* $name:ident($($other:ident)?) -> $result:ty;)* })*) => {$(
        impl<'a, T: $class $(+ $more)?, const N: usize> ArrayExpr<'a, T, N> {
            $(methods!(@ $(#[$doc])* $name($($other)?) -> $result);)*
        }
    )*};
    (@ $(#[$doc:meta])* $name:ident() -> $result:ty) => {
        $(#[$doc])*
        pub fn $name(self) -> ArrayExpr<'a, $result, N> {
            let shape = self.shape();
            ArrayExpr::lazy(self.into_inner().$name(), shape)
        }
    };
    (@ $(#[$doc:meta])* $name:ident($other:ident) -> $result:ty) => {
        $(#[$doc])*
        pub fn $name<const M: usize>(
            self,
            $other: impl ArrayOperand<'a, T, M>,
        ) -> <Rank<N> as Broadcast<Rank<M>>>::Expr<'a, $result>
        where
            Rank<N>: Broadcast<Rank<M>>,
        {
            self.join($other.into_array_expr(), stringify!($name), |a, b| a.$name(b))
        }
    };
}

methods! {
    where Float {
        /// Returns the square root.
        sqrt() -> T;
        /// Returns the reciprocal of the square root.
        rsqrt() -> T;
        /// Returns e to the power of each element.
        exp() -> T;
        /// Returns the natural logarithm.
        #[doc(alias = "log")]
        ln() -> T;
        /// Returns the logarithm to base 2.
        log2() -> T;
        /// Returns the logarithm to base 10.
        log10() -> T;
        /// Returns the sine.
        sin() -> T;
        /// Returns the cosine.
        cos() -> T;
        /// Returns the tangent.
        tan() -> T;
        /// Returns the inverse tangent.
        #[doc(alias = "arctan")]
        atan() -> T;
        /// Returns the hyperbolic tangent.
        tanh() -> T;
        /// Returns the largest integer that is not above each element.
        floor() -> T;
        /// Returns the smallest integer that is not below each element.
        ceil() -> T;
        /// Returns the nearest integer; halves are rounded away from zero.
        round() -> T;
        /// Returns the power with the exponent `exponent`.
        #[doc(alias("power", "powf", "powi"))]
        pow(exponent) -> T;
        /// Returns the angle of the point with this ordinate and the abscissa `x`.
        #[doc(alias = "arctan2")]
        atan2(x) -> T;
        /// Returns the length of the hypotenuse.
        hypot(other) -> T;
    }
    where Magnitude {
        /// Returns the absolute value: a float for floats, an unsigned integer for integers.
        #[doc(alias = "absolute")]
        abs() -> T::Magnitude;
    }
    where Ordered {
        /// Returns the smaller of two elements. Of a number and NaN it is the number.
        #[doc(alias = "minimum")]
        min(other) -> T;
        /// Returns the larger of two elements. Of a number and NaN it is the number.
        #[doc(alias = "maximum")]
        max(other) -> T;
        /// Returns whether each element is less than another.
        #[doc(alias = "less")]
        lt(other) -> bool;
        /// Returns whether each element is at most another.
        #[doc(alias = "less_equal")]
        le(other) -> bool;
        /// Returns whether each element is greater than another.
        #[doc(alias = "greater")]
        gt(other) -> bool;
        /// Returns whether each element is at least another.
        #[doc(alias = "greater_equal")]
        ge(other) -> bool;
    }
    where Element + PartialEq {
        /// Returns whether each element equals another.
        #[doc(alias = "equal")]
        eq(other) -> bool;
        /// Returns whether each element differs from another.
        #[doc(alias = "not_equal")]
        ne(other) -> bool;
    }
}
