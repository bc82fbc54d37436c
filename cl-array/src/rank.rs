//! Ranks as types: the rank of a result, as a function of the ranks of the operands.

use crate::array::Array;
use crate::expr::ArrayExpr;
use cl_algo::ranked::AxisMap;
use cl_algo::{DeviceVec, Element, Expr, Item};
use cl_core::Result;

/// The number of axes of an array, as a type.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rank<const N: usize>;

pub(crate) mod sealed {
    /// Seals traits by which the numbers of axes of arrays, of their slices and of their parts are computed.
    pub trait Sealed {}

    impl<const N: usize> Sealed for super::Rank<N> {}
}
use sealed::Sealed;

/// Arrays of rank `Self` with arrays of rank `R`: the result has the larger rank.
///
/// Implemented for all pairs of ranks from 0 to 6, and for `Rank<N>` with itself: a function that is generic over `N` may
/// combine arrays of the same rank without a bound.
///
/// ```
/// use cl_array::prelude::*;
/// /// Returns the elements of `a`, or those of `b` where they are larger in magnitude.
/// fn stronger<const N: usize>(a: &Array<f32, N>, b: &Array<f32, N>) -> cl_core::Result<Array<f32, N>> {
///     let is_stronger = b.iter().abs().gt(a.iter().abs());
///     is_stronger.select(b, a).collect()
/// }
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2], &[1.0, -2.0])?;
/// let b = Array::from_slice(&queue, [2], &[-3.0, 1.0])?;
/// assert_eq!(stronger(&a, &b)?.to_vec()?, [-3.0, -2.0]);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "arrays of `{Self}` and `{R}` cannot be broadcast",
    label = "ranks go from 0 to 6",
    note = "a function that is generic over two ranks needs `where {Self}: Broadcast<{R}>`"
)]
pub trait Broadcast<R>: Sealed {
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
pub trait Reduce: Sealed {
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
pub trait Extend: Sealed {
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
pub trait AnyRank: Sealed {
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
pub trait Double: Sealed {
    /// Twice this rank.
    type Rank;
}

/// The rank after this one.
#[doc(hidden)]
pub trait Next: Sealed {
    type Rank;
}

/// Slices of arrays of rank `Self`, made by [`s!`](crate::s): the slice names `I` axes, and has `O` axes for these. The
/// axes that it does not name are whole.
///
/// Implemented for ranks from 0 to 6, unless `I` is larger than the rank.
pub trait Sliced<I, O>: Sealed {
    /// The view or expression `A` with the rank of the slice.
    type Of<A: AnyRank>;

    /// Returns a view with this shape; see [`AnyRank::at`].
    #[doc(hidden)]
    fn of<A: AnyRank>(whole: A, axes: Axes<'_>, shape: &[usize]) -> Self::Of<A>;
}

impl<I, O, R: Minus<I>> Sliced<I, O> for R
where
    O: Plus<R::Rest>,
{
    type Of<A: AnyRank> = <O as Plus<R::Rest>>::Of<A>;

    fn of<A: AnyRank>(whole: A, axes: Axes<'_>, shape: &[usize]) -> Self::Of<A> {
        <O as Plus<R::Rest>>::of(whole, axes, shape)
    }
}

/// The rank of the axes of an array that a slice does not name.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a slice with an argument for each axis of `{I}` does not fit an array of `{Self}`",
    label = "the slice has more arguments than the array has axes"
)]
pub trait Minus<I>: Sealed {
    type Rest;
}

/// The sum of two ranks.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a slice of `{Self}` with `{R}` more axes has too many axes",
    label = "arrays have at most 6 axes"
)]
pub trait Plus<R>: Sealed {
    type Of<A: AnyRank>;

    fn of<A: AnyRank>(whole: A, axes: Axes<'_>, shape: &[usize]) -> Self::Of<A>;
}

fn shape_of<const N: usize>(shape: &[usize]) -> [usize; N] {
    std::array::from_fn(|axis| shape[axis])
}

macro_rules! sums {
    ($($n:literal: $($more:literal => $sum:literal),*;)*) => {$($(
        impl Minus<Rank<$n>> for Rank<$sum> {
            type Rest = Rank<$more>;
        }

        impl Plus<Rank<$more>> for Rank<$n> {
            type Of<A: AnyRank> = A::Of<$sum>;
            fn of<A: AnyRank>(whole: A, axes: Axes<'_>, shape: &[usize]) -> A::Of<$sum> {
                whole.at(axes, shape_of(shape))
            }
        }
    )*)*};
}

sums! {
    0: 1 => 1, 2 => 2, 3 => 3, 4 => 4, 5 => 5, 6 => 6;
    1: 1 => 2, 2 => 3, 3 => 4, 4 => 5, 5 => 6;
    2: 1 => 3, 2 => 4, 3 => 5, 4 => 6;
    3: 1 => 4, 2 => 5, 3 => 6;
    4: 1 => 5, 2 => 6;
    5: 1 => 6;
}

// One implementation for all ranks, so that functions that are generic over the rank need no bound.
impl<const N: usize> Minus<Rank<N>> for Rank<N> {
    type Rest = Rank<0>;
}

impl<const N: usize> Plus<Rank<0>> for Rank<N> {
    type Of<A: AnyRank> = A::Of<N>;
    fn of<A: AnyRank>(whole: A, axes: Axes<'_>, shape: &[usize]) -> A::Of<N> {
        whole.at(axes, shape_of(shape))
    }
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
    0: 1 => 1, 2 => 2, 3 => 3, 4 => 4, 5 => 5, 6 => 6;
    1: 0 => 1, 2 => 2, 3 => 3, 4 => 4, 5 => 5, 6 => 6;
    2: 0 => 2, 1 => 2, 3 => 3, 4 => 4, 5 => 5, 6 => 6;
    3: 0 => 3, 1 => 3, 2 => 3, 4 => 4, 5 => 5, 6 => 6;
    4: 0 => 4, 1 => 4, 2 => 4, 3 => 4, 5 => 5, 6 => 6;
    5: 0 => 5, 1 => 5, 2 => 5, 3 => 5, 4 => 5, 6 => 6;
    6: 0 => 6, 1 => 6, 2 => 6, 3 => 6, 4 => 6, 5 => 6;
}

// One implementation for all ranks, so that functions that are generic over the rank need no bound.
impl<const N: usize> Broadcast<Rank<N>> for Rank<N> {
    type Array<T: Element> = Array<T, N>;
    type Rank = Rank<N>;
    type Expr<'a, T: Item> = ArrayExpr<'a, T, N>;
    fn array<T: Element>(vector: DeviceVec<T>, shape: &[usize]) -> Result<Array<T, N>> {
        Array::from_vec(vector, shape_of(shape))
    }
    fn expr<'a, T: Item>(expr: Expr<'a, T>, shape: &[usize]) -> ArrayExpr<'a, T, N> {
        ArrayExpr::lazy(expr, shape_of(shape))
    }
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
