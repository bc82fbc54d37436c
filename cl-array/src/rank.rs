//! Ranks as types: the rank of a result, as a function of the ranks of the operands.

use crate::array::Array;
use crate::expr::ArrayExpr;
use cl_algo::ranked::AxisMap;
use cl_algo::{DeviceVec, Element, Expr, Item};
use cl_core::Result;

/// The number of axes of an array, as a type.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rank<const N: usize>;

/// Arrays of rank `Self` with arrays of rank `R`: the result has the larger rank.
///
/// Implemented for all pairs of ranks from 0 to 6.
#[diagnostic::on_unimplemented(
    message = "arrays of `{Self}` and `{R}` cannot be broadcast",
    label = "ranks go from 0 to 6",
    note = "a function that is generic over ranks needs `where {Self}: Broadcast<{R}>`"
)]
pub trait Broadcast<R> {
    /// The evaluated result.
    type Array<T: Element>;
    /// The larger rank.
    type Rank;
    /// The lazy result, of items of type `T`.
    type Expr<'a, T: Item>;

    /// Returns the result with this shape.
    #[doc(hidden)]
    fn array<T: Element>(vector: DeviceVec<T>, shape: &[usize]) -> Result<Self::Array<T>>;

    /// Returns the lazy result with this shape.
    #[doc(hidden)]
    fn expr<'a, T: Item>(expr: Expr<'a, T>, shape: &[usize]) -> Self::Expr<'a, T>;
}

/// The results of reductions along an axis, which have one axis fewer than the array.
///
/// Implemented for ranks from 1 to 6.
#[diagnostic::on_unimplemented(
    message = "an array of `{Self}` has no axis to reduce or to index",
    label = "this needs a rank from 1 to 6",
    note = "a function that is generic over ranks needs `where {Self}: Reduce`"
)]
pub trait Reduce {
    /// The evaluated result: an array for elements, a tuple of arrays for tuples.
    type Array<T: Item<Vectors: Vectors>>;
    /// The view or expression `A` with one axis fewer.
    type Of<A: AnyRank>;

    /// Returns the result.
    #[doc(hidden)]
    fn array<T: Item<Vectors: Vectors>>(vectors: T::Vectors, shape: &[usize]) -> Result<Self::Array<T>>;

    /// Returns a view with this shape; see [`AnyRank::at`].
    #[doc(hidden)]
    fn of<A: AnyRank>(whole: A, axes: Axes<'_>, shape: &[usize]) -> Self::Of<A>;
}

/// The results of operations that add an axis.
///
/// Implemented for ranks from 0 to 5.
#[diagnostic::on_unimplemented(
    message = "an array of `{Self}` cannot have one more axis",
    label = "this needs a rank from 0 to 5: arrays have at most 6 axes",
    note = "a function that is generic over ranks needs `where {Self}: Extend`"
)]
pub trait Extend {
    /// The view or expression `A` with one more axis.
    type Of<A: AnyRank>;

    /// Returns a view with this shape; see [`AnyRank::at`].
    #[doc(hidden)]
    fn of<A: AnyRank>(whole: A, axes: Axes<'_>, shape: &[usize]) -> Self::Of<A>;
}

/// The coordinate along each axis of an array, as a function of the coordinates of a view. Only this crate makes these,
/// because a view must stay inside its array.
#[derive(Clone, Copy, Debug)]
pub struct Axes<'x>(pub(crate) &'x [AxisMap]);

/// A view or an expression, as a family of types: the same with any other rank.
pub trait AnyRank {
    /// The view or expression with `M` axes.
    type Of<const M: usize>;

    /// Returns the view with this shape. `axes` gives the coordinate along each axis of `self`.
    #[doc(hidden)]
    fn at<const M: usize>(self, axes: Axes<'_>, shape: [usize; M]) -> Self::Of<M>;
}

/// New vectors of the items of an array, which become one array each: a [`DeviceVec`], or a tuple of these.
pub trait Vectors {
    /// The arrays with `N` axes: an [`Array`], or a tuple of these.
    type Arrays<const N: usize>;

    /// Returns the elements, in row-major order, as arrays.
    #[doc(hidden)]
    fn into_arrays<const N: usize>(self, shape: [usize; N]) -> Result<Self::Arrays<N>>;
}

impl<T: Element> Vectors for DeviceVec<T> {
    type Arrays<const N: usize> = Array<T, N>;

    fn into_arrays<const N: usize>(self, shape: [usize; N]) -> Result<Array<T, N>> {
        Array::from_vec(self, shape)
    }
}

/// The arrays with `N` axes that store items of `T`: an [`Array`] for elements, a tuple of arrays for tuples.
pub type Arrays<T, const N: usize> = <<T as Item>::Vectors as Vectors>::Arrays<N>;

macro_rules! tuples {
    ($(($($name:ident $at:tt),+))+) => {$(
        impl<$($name: Vectors),+> Vectors for ($($name,)+) {
            type Arrays<const N: usize> = ($($name::Arrays<N>,)+);

            fn into_arrays<const N: usize>(self, shape: [usize; N]) -> Result<Self::Arrays<N>> {
                Ok(($(self.$at.into_arrays(shape)?,)+))
            }
        }
    )+};
}

tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
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
            type Array<T: Element> = Array<T, $max>;
            type Rank = Rank<$max>;
            type Expr<'a, T: Item> = ArrayExpr<'a, T, $max>;
            fn array<T: Element>(vector: DeviceVec<T>, shape: &[usize]) -> Result<Array<T, $max>> {
                Array::from_vec(vector, shape_of(shape))
            }
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
            type Array<T: Item<Vectors: Vectors>> = Arrays<T, $n>;
            type Of<A: AnyRank> = A::Of<$n>;
            fn array<T: Item<Vectors: Vectors>>(
                vectors: T::Vectors,
                shape: &[usize],
            ) -> Result<Arrays<T, $n>> {
                vectors.into_arrays(shape_of(shape))
            }
            fn of<A: AnyRank>(whole: A, axes: Axes<'_>, shape: &[usize]) -> A::Of<$n> {
                whole.at(axes, shape_of(shape))
            }
        }

        impl Extend for Rank<$n> {
            type Of<A: AnyRank> = A::Of<$next>;
            fn of<A: AnyRank>(whole: A, axes: Axes<'_>, shape: &[usize]) -> A::Of<$next> {
                whole.at(axes, shape_of(shape))
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
