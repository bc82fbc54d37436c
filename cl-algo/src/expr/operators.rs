//! `+ - * / % & | ^ ! << >>` and negation, between expressions, vectors and scalars in any order,
//! and between symbolic values and scalars.

use super::{Expr, Operand, Symbol, Val, extend};
use crate::device_scalar::DeviceScalar;
use crate::element::{Bits, Element, Integer, Number, Signed};
use crate::ir::op::Op;
use crate::vec::DeviceVec;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

/// Returns the result of an operation on two expressions of one type. `name` is the operation's public name, for
/// errors.
pub(crate) fn binary<'a, T: Element, R: Element>(
    left: impl Operand<'a, T>,
    right: impl Operand<'a, T>,
    op: Op,
    name: &'static str,
) -> Expr<'a, R> {
    let mut postfix = left.into_expr().into_postfix();
    right.append_to(&mut postfix, name);
    postfix.apply(op, R::TYPE, 2);
    Expr::new(postfix)
}

/// Returns the result of an operation on two symbolic values.
pub(super) fn symbolic<T: Element, R: Element>(
    left: impl Symbol<T>,
    right: impl Symbol<T>,
    op: Op,
) -> Val<R> {
    // Before the recording is borrowed: a user's `into_val` may record nodes itself.
    let (left, right) = (left.into_val(), right.into_val());
    extend(|recording| {
        let arguments = [left.node(recording), right.node(recording)];
        recording.apply(op, R::TYPE, &arguments)
    })
}

macro_rules! operators {
    ($($trait:ident $method:ident $symbol:literal $class:ident: $($scalar:ty)*;)*) => {$(
        impl<'a, T: $class, R: Operand<'a, T>> $trait<R> for Expr<'a, T> {
            type Output = Expr<'a, T>;
            fn $method(self, right: R) -> Expr<'a, T> {
                binary(self, right, Op::$trait, $symbol)
            }
        }

        impl<'a, T: $class, R: Operand<'a, T>> $trait<R> for &Expr<'a, T> {
            type Output = Expr<'a, T>;
            fn $method(self, right: R) -> Expr<'a, T> {
                binary(self, right, Op::$trait, $symbol)
            }
        }

        impl<'a, T: $class, R: Operand<'a, T>> $trait<R> for &'a DeviceVec<T> {
            type Output = Expr<'a, T>;
            fn $method(self, right: R) -> Expr<'a, T> {
                binary(self, right, Op::$trait, $symbol)
            }
        }

        impl<'a, T: $class, R: Operand<'a, T>> $trait<R> for &'a DeviceScalar<T> {
            type Output = Expr<'a, T>;
            fn $method(self, right: R) -> Expr<'a, T> {
                binary(self, right, Op::$trait, $symbol)
            }
        }

        impl<T: $class, R: Symbol<T>> $trait<R> for Val<T> {
            type Output = Val<T>;
            fn $method(self, right: R) -> Val<T> {
                symbolic(self, right, Op::$trait)
            }
        }
        scalar_operators!($trait $method $symbol: $($scalar)*);
    )*};
}

/// Defines operators with a scalar on the left, which Rust allows only type by type.
macro_rules! scalar_operators {
    ($trait:ident $method:ident $symbol:literal: $($type:ty)*) => {$(
        impl<'a> $trait<Expr<'a, $type>> for $type {
            type Output = Expr<'a, $type>;
            fn $method(self, right: Expr<'a, $type>) -> Expr<'a, $type> {
                binary(self, right, Op::$trait, $symbol)
            }
        }

        impl<'a> $trait<&Expr<'a, $type>> for $type {
            type Output = Expr<'a, $type>;
            fn $method(self, right: &Expr<'a, $type>) -> Expr<'a, $type> {
                binary(self, right, Op::$trait, $symbol)
            }
        }

        impl<'a> $trait<&'a DeviceVec<$type>> for $type {
            type Output = Expr<'a, $type>;
            fn $method(self, right: &'a DeviceVec<$type>) -> Expr<'a, $type> {
                binary(self, right, Op::$trait, $symbol)
            }
        }

        impl<'a> $trait<&'a DeviceScalar<$type>> for $type {
            type Output = Expr<'a, $type>;
            fn $method(self, right: &'a DeviceScalar<$type>) -> Expr<'a, $type> {
                binary(self, right, Op::$trait, $symbol)
            }
        }

        impl $trait<Val<$type>> for $type {
            type Output = Val<$type>;
            fn $method(self, right: Val<$type>) -> Val<$type> {
                symbolic(self, right, Op::$trait)
            }
        }
    )*};
}

operators! {
    Add add "+" Number: i8 u8 i16 u16 i32 u32 i64 u64 half::f16 f32 f64;
    Sub sub "-" Number: i8 u8 i16 u16 i32 u32 i64 u64 half::f16 f32 f64;
    Mul mul "*" Number: i8 u8 i16 u16 i32 u32 i64 u64 half::f16 f32 f64;
    Div div "/" Number: i8 u8 i16 u16 i32 u32 i64 u64 half::f16 f32 f64;
    Rem rem "%" Number: i8 u8 i16 u16 i32 u32 i64 u64 half::f16 f32 f64;
    BitAnd bitand "&" Bits: i8 u8 i16 u16 i32 u32 i64 u64 bool;
    BitOr bitor "|" Bits: i8 u8 i16 u16 i32 u32 i64 u64 bool;
    BitXor bitxor "^" Bits: i8 u8 i16 u16 i32 u32 i64 u64 bool;
    Shl shl "<<" Integer: i8 u8 i16 u16 i32 u32 i64 u64;
    Shr shr ">>" Integer: i8 u8 i16 u16 i32 u32 i64 u64;
}

macro_rules! prefix_operators {
    ($($trait:ident $method:ident $name:literal $class:ident;)*) => {$(
        impl<'a, T: $class> $trait for Expr<'a, T> {
            type Output = Expr<'a, T>;
            fn $method(self) -> Expr<'a, T> {
                self.with([], Op::$trait, $name)
            }
        }

        impl<'a, T: $class> $trait for &Expr<'a, T> {
            type Output = Expr<'a, T>;
            fn $method(self) -> Expr<'a, T> {
                self.clone().$method()
            }
        }

        impl<'a, T: $class> $trait for &'a DeviceVec<T> {
            type Output = Expr<'a, T>;
            fn $method(self) -> Expr<'a, T> {
                self.into_expr().$method()
            }
        }

        impl<'a, T: $class> $trait for &'a DeviceScalar<T> {
            type Output = Expr<'a, T>;
            fn $method(self) -> Expr<'a, T> {
                self.into_expr().$method()
            }
        }

        impl<T: $class> $trait for Val<T> {
            type Output = Val<T>;
            fn $method(self) -> Val<T> {
                extend(|recording| {
                    let argument = self.node(recording);
                    recording.apply(Op::$trait, T::TYPE, &[argument])
                })
            }
        }
    )*};
}

prefix_operators! {
    Neg neg "negation" Signed;
    Not not "!" Bits;
}
