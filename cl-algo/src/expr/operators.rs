//! `+ - * /` and negation, between expressions, vectors and scalars in any order.

use super::graph::Op;
use super::{Expr, Operand};
use crate::element::{Number, Signed};
use crate::vec::DeviceVec;
use std::ops::{Add, Div, Mul, Neg, Sub};

fn binary<'a, T: Number>(
    left: impl Operand<'a, T>,
    right: impl Operand<'a, T>,
    op: Op,
    name: &'static str,
) -> Expr<'a, T> {
    let right = right.into_expr().into_graph();
    Expr::new(left.into_expr().into_graph().apply(op, T::TYPE, [right], name))
}

macro_rules! operators {
    ($($trait:ident $method:ident $symbol:literal;)*) => {$(
        impl<'a, T: Number, R: Operand<'a, T>> $trait<R> for Expr<'a, T> {
            type Output = Expr<'a, T>;
            fn $method(self, right: R) -> Expr<'a, T> {
                binary(self, right, Op::$trait, $symbol)
            }
        }

        impl<'a, T: Number, R: Operand<'a, T>> $trait<R> for &Expr<'a, T> {
            type Output = Expr<'a, T>;
            fn $method(self, right: R) -> Expr<'a, T> {
                binary(self, right, Op::$trait, $symbol)
            }
        }

        impl<'a, T: Number, R: Operand<'a, T>> $trait<R> for &'a DeviceVec<T> {
            type Output = Expr<'a, T>;
            fn $method(self, right: R) -> Expr<'a, T> {
                binary(self, right, Op::$trait, $symbol)
            }
        }
        scalar_operators!($trait $method $symbol: i8 u8 i16 u16 i32 u32 i64 u64 half::f16 f32 f64);
    )*};
}

/// A scalar on the left: Rust allows these only type by type.
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
    )*};
}

operators! {
    Add add "+";
    Sub sub "-";
    Mul mul "*";
    Div div "/";
}

impl<'a, T: Signed> Neg for Expr<'a, T> {
    type Output = Expr<'a, T>;
    fn neg(self) -> Expr<'a, T> {
        Expr::new(self.into_graph().apply(Op::Neg, T::TYPE, [], "negation"))
    }
}

impl<'a, T: Signed> Neg for &Expr<'a, T> {
    type Output = Expr<'a, T>;
    fn neg(self) -> Expr<'a, T> {
        -self.clone()
    }
}

impl<'a, T: Signed> Neg for &'a DeviceVec<T> {
    type Output = Expr<'a, T>;
    fn neg(self) -> Expr<'a, T> {
        -self.into_expr()
    }
}
