//! Ranks as types: the rank of a result, as a function of the ranks of the operands.

use crate::array::Array;
use crate::expr::ArrayExpr;
use cl_algo::{Element, Expr, Item};

/// The number of axes of an array, as a type.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rank<const N: usize>;

/// Arrays of rank `Self` with arrays of rank `R`: the result has the larger rank.
///
/// Implemented for all pairs of ranks from 0 to 6.
pub trait Broadcast<R> {
    /// The lazy result, of items of type `T`.
    type Expr<'a, T: Item>;

    /// Returns the lazy result with this shape.
    #[doc(hidden)]
    fn expr<'a, T: Item>(expr: Expr<'a, T>, shape: &[usize]) -> Self::Expr<'a, T>;
}

/// The results of reductions along an axis, which have one axis fewer than the array.
///
/// Implemented for ranks from 1 to 6.
pub trait Reduce {
    /// The evaluated result.
    type Array<T: Element>;
    /// The lazy result.
    type Expr<'a, T: Item>;

    /// Returns the result.
    #[doc(hidden)]
    fn array<T: Element>(vector: cl_algo::DeviceVec<T>, shape: &[usize]) -> cl_core::Result<Self::Array<T>>;

    /// Returns the lazy result with this shape.
    #[doc(hidden)]
    fn expr<'a, T: Item>(expr: Expr<'a, T>, shape: &[usize]) -> Self::Expr<'a, T>;
}

/// The results of operations that add an axis.
///
/// Implemented for ranks from 0 to 5.
pub trait Extend {
    /// The lazy result.
    type Expr<'a, T: Item>;

    /// Returns the lazy result with this shape.
    #[doc(hidden)]
    fn expr<'a, T: Item>(expr: Expr<'a, T>, shape: &[usize]) -> Self::Expr<'a, T>;
}

/// The rank of windows, which have each axis of the array twice.
///
/// Implemented for ranks from 1 to 3.
pub trait Double {
    /// Twice this rank.
    type Rank;
}

/// The rank after this one.
#[doc(hidden)]
pub trait Next {
    type Rank;
}

fn shape_of<const N: usize>(shape: &[usize]) -> [usize; N] {
    std::array::from_fn(|axis| shape[axis])
}

macro_rules! broadcast {
    ($($n:literal: $($m:literal => $max:literal),*;)*) => {$($(
        impl Broadcast<Rank<$m>> for Rank<$n> {
            type Expr<'a, T: Item> = ArrayExpr<'a, T, $max>;
            fn expr<'a, T: Item>(expr: Expr<'a, T>, shape: &[usize]) -> ArrayExpr<'a, T, $max> {
                ArrayExpr::lazy(expr, shape_of(shape))
            }
        }
    )*)*};
}

broadcast! {
    0: 0 => 0, 1 => 1, 2 => 2, 3 => 3, 4 => 4, 5 => 5, 6 => 6;
    1: 0 => 1, 1 => 1, 2 => 2, 3 => 3, 4 => 4, 5 => 5, 6 => 6;
    2: 0 => 2, 1 => 2, 2 => 2, 3 => 3, 4 => 4, 5 => 5, 6 => 6;
    3: 0 => 3, 1 => 3, 2 => 3, 3 => 3, 4 => 4, 5 => 5, 6 => 6;
    4: 0 => 4, 1 => 4, 2 => 4, 3 => 4, 4 => 4, 5 => 5, 6 => 6;
    5: 0 => 5, 1 => 5, 2 => 5, 3 => 5, 4 => 5, 5 => 5, 6 => 6;
    6: 0 => 6, 1 => 6, 2 => 6, 3 => 6, 4 => 6, 5 => 6, 6 => 6;
}

macro_rules! neighbours {
    ($($n:literal $next:literal),*) => {$(
        impl Reduce for Rank<$next> {
            type Array<T: Element> = Array<T, $n>;
            type Expr<'a, T: Item> = ArrayExpr<'a, T, $n>;
            fn array<T: Element>(vector: cl_algo::DeviceVec<T>, shape: &[usize]) -> cl_core::Result<Array<T, $n>> {
                Array::from_vec(vector, shape_of(shape))
            }
            fn expr<'a, T: Item>(expr: Expr<'a, T>, shape: &[usize]) -> ArrayExpr<'a, T, $n> {
                ArrayExpr::lazy(expr, shape_of(shape))
            }
        }

        impl Extend for Rank<$n> {
            type Expr<'a, T: Item> = ArrayExpr<'a, T, $next>;
            fn expr<'a, T: Item>(expr: Expr<'a, T>, shape: &[usize]) -> ArrayExpr<'a, T, $next> {
                ArrayExpr::lazy(expr, shape_of(shape))
            }
        }

        impl Next for Rank<$n> {
            type Rank = Rank<$next>;
        }
    )*};
}

macro_rules! doubles {
    ($($n:literal $double:literal),*) => {$(
        impl Double for Rank<$n> {
            type Rank = Rank<$double>;
        }
    )*};
}

doubles!(1 2, 2 4, 3 6);

neighbours!(0 1, 1 2, 2 3, 3 4, 4 5, 5 6);
