//! Arrays and expressions whose rank is known at run time only.

use cl_array::prelude::*;
use cl_array::{Broadcast, Rank, Reduce};
use cl_core::Result;

/// An expression of any rank.
#[derive(Clone)]
pub(super) enum Lazy<'a> {
    R0(ArrayExpr<'a, i32, 0>),
    R1(ArrayExpr<'a, i32, 1>),
    R2(ArrayExpr<'a, i32, 2>),
    R3(ArrayExpr<'a, i32, 3>),
    R4(ArrayExpr<'a, i32, 4>),
    R5(ArrayExpr<'a, i32, 5>),
}

/// An array of any rank.
pub(super) enum Stored<T: Element> {
    R0(Array<T, 0>),
    R1(Array<T, 1>),
    R2(Array<T, 2>),
    R3(Array<T, 3>),
    R4(Array<T, 4>),
    R5(Array<T, 5>),
}

/// Evaluates an expression for each rank: `any_rank!(Lazy, lazy, expr => expr.shape().to_vec())`.
macro_rules! any_rank {
    ($type:ident, $value:expr, $name:ident => $body:expr) => {
        match $value {
            $type::R0($name) => $body,
            $type::R1($name) => $body,
            $type::R2($name) => $body,
            $type::R3($name) => $body,
            $type::R4($name) => $body,
            $type::R5($name) => $body,
        }
    };
}
pub(super) use any_rank;

macro_rules! conversions {
    ($($rank:ident $n:literal),*) => {$(
        impl<'a> From<ArrayExpr<'a, i32, $n>> for Lazy<'a> {
            fn from(expr: ArrayExpr<'a, i32, $n>) -> Lazy<'a> {
                Lazy::$rank(expr)
            }
        }

        impl<T: Element> From<Array<T, $n>> for Stored<T> {
            fn from(array: Array<T, $n>) -> Stored<T> {
                Stored::$rank(array)
            }
        }
    )*};
}

conversions!(R0 0, R1 1, R2 2, R3 3, R4 4, R5 5);

pub(super) fn shape_of<const N: usize>(shape: &[usize]) -> [usize; N] {
    assert_eq!(shape.len(), N);
    std::array::from_fn(|axis| shape[axis])
}

impl<T: Element> Stored<T> {
    pub(super) fn new(queue: &Queue, shape: &[usize], elements: &[T]) -> Stored<T> {
        macro_rules! of {
            ($($n:literal),*) => {
                match shape.len() {
                    $($n => Array::<T, $n>::from_slice(queue, shape_of(shape), elements).unwrap().into(),)*
                    rank => panic!("rank {rank}"),
                }
            };
        }
        of!(0, 1, 2, 3, 4, 5)
    }

    pub(super) fn shape(&self) -> Vec<usize> {
        any_rank!(Stored, self, array => array.shape().to_vec())
    }

    pub(super) fn to_vec(&self) -> Vec<T> {
        any_rank!(Stored, self, array => array.to_vec().unwrap())
    }
}

/// A function of two operands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Both {
    Add,
    Sub,
    Mul,
    Xor,
    Min,
    /// The first operand plus 1 where it is less than the second, and 7 elsewhere.
    Less,
    /// `3 * a - b`, by a closure.
    Zip,
}

impl Both {
    pub(super) const ALL: [Both; 7] =
        [Both::Add, Both::Sub, Both::Mul, Both::Xor, Both::Min, Both::Less, Both::Zip];

    pub(super) fn on_host(self, a: i32, b: i32) -> i32 {
        match self {
            Both::Add => a.wrapping_add(b),
            Both::Sub => a.wrapping_sub(b),
            Both::Mul => a.wrapping_mul(b),
            Both::Xor => a ^ b,
            Both::Min => a.min(b),
            Both::Less => i32::from(a < b),
            Both::Zip => a.wrapping_mul(3).wrapping_sub(b),
        }
    }

    /// Returns the result of the functions that are operators.
    fn operator<'a, const N: usize, const M: usize>(
        self,
        a: ArrayExpr<'a, i32, N>,
        b: ArrayExpr<'a, i32, M>,
    ) -> <Rank<N> as Broadcast<Rank<M>>>::Expr<'a, i32>
    where
        Rank<N>: Broadcast<Rank<M>>,
    {
        match self {
            Both::Add => a + b,
            Both::Sub => a - b,
            Both::Mul => a * b,
            Both::Xor => a ^ b,
            _ => a.min(b),
        }
    }

    pub(super) fn of<'a>(self, a: Lazy<'a>, b: Lazy<'a>) -> Lazy<'a> {
        macro_rules! pairs {
            ($($a:ident: $($b:ident => $result:ident),*;)*) => {
                match (a, b) {$($(
                    (Lazy::$a(a), Lazy::$b(b)) => Lazy::$result(match self {
                        Both::Less => a.lt(b).map(|less| less.select(1, 0)),
                        Both::Zip => a.zip(b).map(|(a, b)| a * 3 - b),
                        _ => self.operator(a, b),
                    }),
                )*)*}
            };
        }
        pairs! {
            R0: R0 => R0, R1 => R1, R2 => R2, R3 => R3, R4 => R4, R5 => R5;
            R1: R0 => R1, R1 => R1, R2 => R2, R3 => R3, R4 => R4, R5 => R5;
            R2: R0 => R2, R1 => R2, R2 => R2, R3 => R3, R4 => R4, R5 => R5;
            R3: R0 => R3, R1 => R3, R2 => R3, R3 => R3, R4 => R4, R5 => R5;
            R4: R0 => R4, R1 => R4, R2 => R4, R3 => R4, R4 => R4, R5 => R5;
            R5: R0 => R5, R1 => R5, R2 => R5, R3 => R5, R4 => R5, R5 => R5;
        }
    }
}

/// A reduction along an axis.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fold {
    Sum,
    Product,
    Min,
    Max,
    Xor,
}

impl Fold {
    pub(super) const ALL: [Fold; 5] = [Fold::Sum, Fold::Product, Fold::Min, Fold::Max, Fold::Xor];

    pub(super) fn on_host(self, line: &[i32]) -> i32 {
        let line = line.iter().copied();
        match self {
            Fold::Sum => line.fold(0, i32::wrapping_add),
            Fold::Product => line.fold(1, i32::wrapping_mul),
            Fold::Min => line.min().unwrap(),
            Fold::Max => line.max().unwrap(),
            Fold::Xor => line.fold(0, |a, b| a ^ b),
        }
    }

    pub(super) fn along<const N: usize>(
        self,
        expr: ArrayExpr<'_, i32, N>,
        axis: usize,
    ) -> Result<<Rank<N> as Reduce>::Array<i32>>
    where
        Rank<N>: Reduce,
    {
        match self {
            Fold::Sum => expr.sum_axis(axis),
            Fold::Product => expr.product_axis(axis),
            Fold::Min => expr.min_axis(axis),
            Fold::Max => expr.max_axis(axis),
            Fold::Xor => expr.fold_axis(axis, |a, b| a ^ b),
        }
    }
}

impl<'a> Lazy<'a> {
    pub(super) fn on(self, queue: &'a Queue) -> Lazy<'a> {
        any_rank!(Lazy, self, expr => expr.on(queue).into())
    }

    pub(super) fn shape(&self) -> Vec<usize> {
        any_rank!(Lazy, self, expr => expr.shape().to_vec())
    }

    pub(super) fn insert_axis(self, axis: usize) -> Lazy<'a> {
        match self {
            Lazy::R0(expr) => expr.insert_axis(axis).into(),
            Lazy::R1(expr) => expr.insert_axis(axis).into(),
            Lazy::R2(expr) => expr.insert_axis(axis).into(),
            Lazy::R3(expr) => expr.insert_axis(axis).into(),
            Lazy::R4(expr) => expr.insert_axis(axis).into(),
            Lazy::R5(_) => panic!("rank 6"),
        }
    }

    pub(super) fn index_axis(self, axis: usize, index: usize) -> Lazy<'a> {
        match self {
            Lazy::R0(_) => panic!("rank 0"),
            Lazy::R1(expr) => expr.index_axis(axis, index).into(),
            Lazy::R2(expr) => expr.index_axis(axis, index).into(),
            Lazy::R3(expr) => expr.index_axis(axis, index).into(),
            Lazy::R4(expr) => expr.index_axis(axis, index).into(),
            Lazy::R5(expr) => expr.index_axis(axis, index).into(),
        }
    }

    pub(super) fn broadcast(self, shape: &[usize]) -> Lazy<'a> {
        macro_rules! of {
            ($($n:literal),*) => {
                match shape.len() {
                    $($n => any_rank!(Lazy, self, expr => expr.broadcast::<$n>(shape_of(shape)).into()),)*
                    rank => panic!("rank {rank}"),
                }
            };
        }
        of!(0, 1, 2, 3, 4, 5)
    }

    /// Reduces along several axes: a sum, or a maximum by a closure.
    pub(super) fn fold_axes(self, fold: Fold, axes: &[usize]) -> Result<Stored<i32>> {
        macro_rules! of {
            ($($n:ident: $($m:literal)*;)*) => {
                match self {$(
                    Lazy::$n(expr) => match expr.shape().len() - axes.len() {
                        $($m => Ok(match fold {
                            Fold::Sum => expr.sum_axes::<$m>(axes)?.into(),
                            _ => expr.fold_axes::<$m>(axes, Val::max)?.into(),
                        }),)*
                        rank => panic!("rank {rank}"),
                    },
                )*}
            };
        }
        of! {
            R0: 0;
            R1: 0 1;
            R2: 0 1 2;
            R3: 0 1 2 3;
            R4: 0 1 2 3 4;
            R5: 0 1 2 3 4 5;
        }
    }
}
