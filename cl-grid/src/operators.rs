//! Arithmetic of formulas, and functions of their values.

use crate::formula::{Formula, GridNumber, IntoFormula};
use cl_algo::math::Magnitude;
use cl_algo::{Float, Ordered, Signed, Val};
use cl_array::{Array, ArrayExpr, ArrayView};
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// Returns an operation on the values of two formulas at the same point.
fn binary<'a, T: GridNumber, const N: usize>(
    operation: &'static str,
    left: Formula<'a, T, N>,
    right: Formula<'a, T, N>,
    apply: impl FnOnce(Val<T>, Val<T>) -> Val<T>,
) -> Formula<'a, T, N> {
    Formula::stencil(operation, vec![left, right], |at| apply(at((0, [0; N])), at((1, [0; N]))))
}

macro_rules! operators {
    ($($trait:ident $method:ident $symbol:tt;)*) => {$(
        impl<'a, T: GridNumber, R: IntoFormula<'a, T, N>, const N: usize> $trait<R> for Formula<'a, T, N> {
            type Output = Formula<'a, T, N>;

            fn $method(self, right: R) -> Self::Output {
                binary(stringify!($symbol), self, right.into_formula(), |x, y| x $symbol y)
            }
        }

        impl<'a, T: GridNumber, R: IntoFormula<'a, T, N>, const N: usize> $trait<R> for &Formula<'a, T, N> {
            type Output = Formula<'a, T, N>;

            fn $method(self, right: R) -> Self::Output {
                self.clone().$method(right)
            }
        }

        operators!(@left $trait $method (Array<T, N>) (&'a Array<T, N>) (ArrayView<'a, T, N>) (ArrayExpr<'a, T, N>));
        operators!(@number $trait $method i8 u8 i16 u16 i32 u32 i64 u64 f32 f64);
    )*};
    (@left $trait:ident $method:ident $(($type:ty))*) => {$(
        impl<'a, T: GridNumber, const N: usize> $trait<Formula<'a, T, N>> for $type {
            type Output = Formula<'a, T, N>;

            fn $method(self, right: Formula<'a, T, N>) -> Self::Output {
                self.into_formula().$method(right)
            }
        }

        impl<'a, T: GridNumber, const N: usize> $trait<&Formula<'a, T, N>> for $type {
            type Output = Formula<'a, T, N>;

            fn $method(self, right: &Formula<'a, T, N>) -> Self::Output {
                self.into_formula().$method(right)
            }
        }
    )*};
    (@number $trait:ident $method:ident $($type:ty)*) => {$(
        impl<'a, const N: usize> $trait<Formula<'a, $type, N>> for $type {
            type Output = Formula<'a, $type, N>;

            fn $method(self, right: Formula<'a, $type, N>) -> Self::Output {
                Formula::number(self).$method(right)
            }
        }

        impl<'a, const N: usize> $trait<&Formula<'a, $type, N>> for $type {
            type Output = Formula<'a, $type, N>;

            fn $method(self, right: &Formula<'a, $type, N>) -> Self::Output {
                Formula::number(self).$method(right)
            }
        }
    )*};
}

operators! {
    Add add +;
    Sub sub -;
    Mul mul *;
    Div div /;
    Rem rem %;
}

impl<'a, T: GridNumber + Signed, const N: usize> Neg for Formula<'a, T, N> {
    type Output = Formula<'a, T, N>;

    fn neg(self) -> Self::Output {
        self.map(|x| -x)
    }
}

impl<'a, T: GridNumber + Signed, const N: usize> Neg for &Formula<'a, T, N> {
    type Output = Formula<'a, T, N>;

    fn neg(self) -> Self::Output {
        -self.clone()
    }
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        impl<'a, T: GridNumber + Float, const N: usize> Formula<'a, T, N> {
            $(#[$doc])*
            pub fn $name(self) -> Formula<'a, T, N> {
                self.map(|x| x.$name())
            }
        }
    )*};
}

functions! {
    /// Returns the square roots.
    sqrt;
    /// Returns e to the power of each value.
    exp;
    /// Returns the natural logarithms.
    #[doc(alias = "log")]
    ln;
    /// Returns the sines. The values are in radians.
    sin;
    /// Returns the cosines. The values are in radians.
    cos;
    /// Returns the hyperbolic tangents.
    tanh;
}

impl<'a, T: GridNumber + Magnitude<Magnitude = T>, const N: usize> Formula<'a, T, N> {
    /// Returns the absolute values.
    pub fn abs(self) -> Formula<'a, T, N> {
        self.map(Val::abs)
    }
}

impl<'a, T: GridNumber + Ordered, const N: usize> Formula<'a, T, N> {
    /// Returns the smaller of two values at each point.
    pub fn min(self, other: impl IntoFormula<'a, T, N>) -> Formula<'a, T, N> {
        binary("min", self, other.into_formula(), Val::min)
    }

    /// Returns the larger of two values at each point.
    pub fn max(self, other: impl IntoFormula<'a, T, N>) -> Formula<'a, T, N> {
        binary("max", self, other.into_formula(), Val::max)
    }
}
