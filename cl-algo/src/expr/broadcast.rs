//! Operators between vectors or complex numbers and scalars, such as `2.0 * &v` and `v / length`, in expressions and
//! closures; and between real numbers and vectors of complex numbers, such as `&k * &z`, which filters a spectrum.
//!
//! Rust allows these only type by type. [`Operand`] cannot say that a scalar stands for a vector, because then an
//! expression of scalars would not have one type.

use super::{Expr, Operand, Symbol, Val, extend};
use crate::element::{Element, Vector};
use crate::ir::op::Op;
use crate::vec::DeviceVec;
use half::f16;
use num_complex::Complex;
use std::ops::{Add, Div, Mul, Sub};

/// Returns the result of an operation on two symbolic values of different types.
fn symbols<A: Element, B: Element, R: Element>(left: Val<A>, right: Val<B>, op: Op) -> Val<R> {
    extend(|recording| {
        let arguments = [left.node(recording), right.node(recording)];
        recording.apply(op, R::TYPE, &arguments)
    })
}

/// Defines `whole ∘ scalar` for all kinds of operands, and `scalar ∘ whole` for values of the host.
macro_rules! operators {
    ([$($n:tt)*] $whole:ty, $scalar:ty) => {
        operators!(@ [$($n)*] $whole, $scalar: Add add "+", Sub sub "-", Mul mul "*", Div div "/");
    };
    (@ $n:tt $whole:ty, $scalar:ty: $($trait:ident $method:ident $symbol:literal),*) => {$(
        operators!(lazy $n $whole, $scalar, Expr<'a, $whole>: $trait $method $symbol);
        operators!(lazy $n $whole, $scalar, &Expr<'a, $whole>: $trait $method $symbol);
        operators!(lazy $n $whole, $scalar, &'a DeviceVec<$whole>: $trait $method $symbol);
        operators!(left $n $whole, $scalar, Expr<'a, $whole>: $trait $method $symbol);
        operators!(left $n $whole, $scalar, &Expr<'a, $whole>: $trait $method $symbol);
        operators!(left $n $whole, $scalar, &'a DeviceVec<$whole>: $trait $method $symbol);
        operators!(symbol $n $whole, Val<$whole>, $scalar: $trait $method);
        operators!(symbol $n $whole, Val<$whole>, Val<$scalar>: $trait $method);
        operators!(symbol $n $whole, $scalar, Val<$whole>: $trait $method);
    )*};
    (lazy $n:tt $whole:ty, $scalar:ty, $left:ty: $trait:ident $method:ident $symbol:literal) => {
        operators!(one $n $whole, $left, $scalar: $trait $method $symbol);
        operators!(one $n $whole, $left, Expr<'a, $scalar>: $trait $method $symbol);
        operators!(one $n $whole, $left, &Expr<'a, $scalar>: $trait $method $symbol);
        operators!(one $n $whole, $left, &'a DeviceVec<$scalar>: $trait $method $symbol);
    };
    (left $n:tt $whole:ty, $scalar:ty, $right:ty: $trait:ident $method:ident $symbol:literal) => {
        operators!(one $n $whole, $scalar, $right: $trait $method $symbol);
    };
    (one [$($n:tt)*] $whole:ty, $left:ty, $right:ty: $trait:ident $method:ident $symbol:literal) => {
        impl<'a, $($n)*> $trait<$right> for $left
        where
            $whole: Element,
        {
            type Output = Expr<'a, $whole>;
            fn $method(self, right: $right) -> Expr<'a, $whole> {
                self.into_expr().with([right.into_expr().into_postfix()], Op::$trait, $symbol)
            }
        }
    };
    (symbol [$($n:tt)*] $whole:ty, $left:ty, $right:ty: $trait:ident $method:ident) => {
        impl<$($n)*> $trait<$right> for $left
        where
            $whole: Element,
        {
            type Output = Val<$whole>;
            fn $method(self, right: $right) -> Val<$whole> {
                symbols(self.into_val(), right.into_val(), Op::$trait)
            }
        }
    };
}

macro_rules! vectors {
    ($($scalar:ty)*) => {$(operators!([const N: usize] Vector<$scalar, N>, $scalar);)*};
}

vectors!(i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64);
operators!([] Complex<f32>, f32);
operators!([] Complex<f64>, f64);

/// Defines operators with expressions of real numbers on the left of vectors of complex numbers, and with complex
/// numbers of the host on either side. Expressions of complex numbers stand on the left only: if they were allowed on
/// the right, the target type in `x * y.cast()` would be ambiguous.
macro_rules! reals_on_the_left {
    ($($real:ty)*) => {$(
        reals_on_the_left!(@ $real: Add add "+", Sub sub "-", Mul mul "*", Div div "/");
    )*};
    (@ $real:ty: $($trait:ident $method:ident $symbol:literal),*) => {$(
        reals_on_the_left!(each $real, Expr<'a, $real>: $trait $method $symbol);
        reals_on_the_left!(each $real, &Expr<'a, $real>: $trait $method $symbol);
        reals_on_the_left!(each $real, &'a DeviceVec<$real>: $trait $method $symbol);
        operators!(symbol [] Complex<$real>, Val<$real>, Complex<$real>: $trait $method);
        operators!(symbol [] Complex<$real>, Complex<$real>, Val<$real>: $trait $method);
    )*};
    (each $real:ty, $reals:ty: $trait:ident $method:ident $symbol:literal) => {
        operators!(one [] Complex<$real>, $reals, Complex<$real>: $trait $method $symbol);
        operators!(one [] Complex<$real>, $reals, &'a DeviceVec<Complex<$real>>: $trait $method $symbol);
        operators!(one [] Complex<$real>, Complex<$real>, $reals: $trait $method $symbol);
    };
}

reals_on_the_left!(f32 f64);

/// Defines operators with a vector, or a complex number, of the host on the left.
macro_rules! whole_on_the_left {
    ($([$($n:tt)*] $whole:ty;)*) => {$(
        whole_on_the_left!(@ [$($n)*] $whole: Add add "+", Sub sub "-", Mul mul "*", Div div "/");
    )*};
    (@ $n:tt $whole:ty: $($trait:ident $method:ident $symbol:literal),*) => {$(
        operators!(one $n $whole, $whole, Expr<'a, $whole>: $trait $method $symbol);
        operators!(one $n $whole, $whole, &Expr<'a, $whole>: $trait $method $symbol);
        operators!(one $n $whole, $whole, &'a DeviceVec<$whole>: $trait $method $symbol);
        operators!(symbol $n $whole, $whole, Val<$whole>: $trait $method);
    )*};
}

whole_on_the_left! {
    [const N: usize] Vector<i8, N>;
    [const N: usize] Vector<u8, N>;
    [const N: usize] Vector<i16, N>;
    [const N: usize] Vector<u16, N>;
    [const N: usize] Vector<i32, N>;
    [const N: usize] Vector<u32, N>;
    [const N: usize] Vector<i64, N>;
    [const N: usize] Vector<u64, N>;
    [const N: usize] Vector<f16, N>;
    [const N: usize] Vector<f32, N>;
    [const N: usize] Vector<f64, N>;
    [] Complex<f32>;
    [] Complex<f64>;
}
