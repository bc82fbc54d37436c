//! Parts of elements, and elements made of parts: components of vectors, fields of structs.

use super::record::sealed::Sealed;
use super::{Expr, Operand, Recording, Symbol, Val, extend};
use crate::element::{Component, Element, Vector};
use crate::ir::op::{NodeId, Op};
use crate::ir::postfix::Postfix;
use crate::vec::DeviceVec;
use cl_core::Error;
use std::fmt;

/// Where values of `T` can be taken apart: expressions of them, references to device vectors, and
/// symbolic values. What `#[derive(Element)]` writes is generic over it, so that `bodies.mass()`
/// means the same everywhere.
pub trait Whole<T: Element>: Sized {
    /// A part of each value: an expression where this is one, a symbolic value where this is one.
    type Part<R: Element>;

    /// The part of the given number.
    #[doc(hidden)]
    fn part<R: Element>(self, which: Which) -> Self::Part<R>;
}

/// Which part is meant.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Which(Op);

impl Which {
    /// A struct's field, by its number.
    #[must_use]
    pub const fn field(number: u32) -> Which {
        Which(Op::Field(number))
    }

    /// A vector's component, or a part of a complex number.
    pub(super) const fn component(number: u32) -> Which {
        Which(Op::Component(number))
    }
}

impl<'a, T: Element> Whole<T> for Expr<'a, T> {
    type Part<R: Element> = Expr<'a, R>;

    fn part<R: Element>(self, which: Which) -> Expr<'a, R> {
        self.with([], which.0, "part")
    }
}

impl<'a, T: Element> Whole<T> for &Expr<'a, T> {
    type Part<R: Element> = Expr<'a, R>;

    fn part<R: Element>(self, which: Which) -> Expr<'a, R> {
        self.clone().part(which)
    }
}

impl<'a, T: Element> Whole<T> for &'a DeviceVec<T> {
    type Part<R: Element> = Expr<'a, R>;

    fn part<R: Element>(self, which: Which) -> Expr<'a, R> {
        self.into_expr().part(which)
    }
}

impl<T: Element> Whole<T> for Val<T> {
    type Part<R: Element> = Val<R>;

    fn part<R: Element>(self, which: Which) -> Val<R> {
        extend(|recording| {
            let whole = self.node(recording);
            recording.apply(which.0, R::TYPE, &[whole])
        })
    }
}

/// An expression of whatever type, on its way into a struct.
#[doc(hidden)]
pub struct AnyExpr<'a>(Postfix<'a>);

impl fmt::Debug for AnyExpr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyExpr")
    }
}

impl<'a> AnyExpr<'a> {
    /// The expression without its type.
    #[must_use]
    pub fn of<T: Element>(operand: impl Operand<'a, T>) -> AnyExpr<'a> {
        AnyExpr(operand.into_expr().into_postfix())
    }
}

/// A symbolic value of whatever type, on its way into a struct.
#[doc(hidden)]
pub trait AnyVal: Sealed {
    /// Its node in the recording under way.
    fn any_node(&self, recording: &mut Recording) -> NodeId;
}

impl<T: Element> AnyVal for Val<T> {
    fn any_node(&self, recording: &mut Recording) -> NodeId {
        self.node(recording)
    }
}

impl<'a, T: Element> Expr<'a, T> {
    /// Elements of their parts, which are of the right types, in order.
    #[doc(hidden)]
    pub fn made_of(parts: impl IntoIterator<Item = AnyExpr<'a>>) -> Expr<'a, T> {
        let parts = parts.into_iter().map(|part| part.0);
        Expr::new(Postfix::of(parts, Op::Make, T::TYPE, "the parts of an element"))
    }
}

impl<T: Element> Val<T> {
    /// An element of its parts, which are of the right types, in order.
    #[doc(hidden)]
    #[must_use]
    pub fn made_of(parts: &[&dyn AnyVal]) -> Val<T> {
        extend(|recording| {
            let nodes: Vec<NodeId> = parts.iter().map(|part| part.any_node(recording)).collect();
            recording.apply(Op::Make, T::TYPE, &nodes)
        })
    }
}

/// The components of `N` that make a lazy vector: a tuple of operands, or an array of them.
pub trait IntoComponents<'a, T: Component, const N: usize> {
    /// The components as expressions.
    fn into_components(self) -> [Expr<'a, T>; N];
}

/// The components that make a symbolic vector: a tuple of symbolic values and constants, or an array.
pub trait IntoSymbols<T: Component, const N: usize> {
    /// The components as symbolic values.
    fn into_symbols(self) -> [Val<T>; N];
}

impl<'a, T: Component, E: Operand<'a, T>, const N: usize> IntoComponents<'a, T, N> for [E; N] {
    fn into_components(self) -> [Expr<'a, T>; N] {
        self.map(Operand::into_expr)
    }
}

impl<T: Component, S: Symbol<T>, const N: usize> IntoSymbols<T, N> for [S; N] {
    fn into_symbols(self) -> [Val<T>; N] {
        self.map(Symbol::into_val)
    }
}

macro_rules! tuples {
    ($($n:literal: $($name:ident $at:tt),+;)+) => {$(
        impl<'a, T: Component, $($name: Operand<'a, T>),+> IntoComponents<'a, T, $n> for ($($name,)+) {
            fn into_components(self) -> [Expr<'a, T>; $n] {
                [$(self.$at.into_expr()),+]
            }
        }

        impl<T: Component, $($name: Symbol<T>),+> IntoSymbols<T, $n> for ($($name,)+) {
            fn into_symbols(self) -> [Val<T>; $n] {
                [$(self.$at.into_val()),+]
            }
        }
    )+};
}

tuples! {
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
}

/// Vectors of their components: `vector((&x, &y, 0.0))`, or an array of 2, 3, 4, 8 or 16 operands.
/// In closures it is [`Val::vector`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::F32x3;
/// use cl_algo::F32x3;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0])?;
/// let points = vector((&x, 0.0, &x * &x)).collect()?;
/// assert_eq!(points.to_vec()?, [F32x3::from([1.0, 0.0, 1.0]), F32x3::from([2.0, 0.0, 4.0])]);
/// assert_eq!((2.0 * &points).z().sum()?, 10.0);
/// # Ok(())
/// # }
/// ```
pub fn vector<'a, T: Component, const N: usize>(
    components: impl IntoComponents<'a, T, N>,
) -> Expr<'a, Vector<T, N>>
where
    Vector<T, N>: Element,
{
    Expr::made_of(components.into_components().map(AnyExpr::of::<T>))
}

impl<T: Component> Val<T> {
    /// A vector of its components: `Val::vector((x, y, 0.0))`, or an array of 2, 3, 4, 8 or 16.
    #[must_use]
    pub fn vector<const N: usize>(components: impl IntoSymbols<T, N>) -> Val<Vector<T, N>>
    where
        Vector<T, N>: Element,
    {
        let components = components.into_symbols();
        Val::made_of(&components.each_ref().map(|component| component as &dyn AnyVal))
    }
}

/// The methods of expressions of vectors and of symbolic vectors.
macro_rules! vector_methods {
    ($of:ident [$($a:lifetime)?] $(#[$must_use:meta])?) => {
        impl<$($a,)? T: Component, const N: usize> $of<$($a,)? Vector<T, N>>
        where
            Vector<T, N>: Element,
        {
            /// A component, by its number. A vector that does not have so many is a mistake, which
            /// the evaluation reports.
            $(#[$must_use])?
            pub fn component(self, number: usize) -> $of<$($a,)? T> {
                if number < N {
                    return self.part(Which::component(number as u32));
                }
                let reason = format!("{number} of a vector of {N}");
                self.part(Which::component(0)).failed(Error::InvalidInput { what: "component", reason })
            }

            /// The first component.
            $(#[$must_use])?
            pub fn x(self) -> $of<$($a,)? T> {
                self.part(Which::component(0))
            }

            /// The second component.
            $(#[$must_use])?
            pub fn y(self) -> $of<$($a,)? T> {
                self.part(Which::component(1))
            }

            /// The third component, where there are three.
            $(#[$must_use])?
            pub fn z(self) -> $of<$($a,)? T> {
                const { assert!(N > 2, "a vector of two has no z") }
                self.part(Which::component(2))
            }

            /// The fourth component, where there are four.
            $(#[$must_use])?
            pub fn w(self) -> $of<$($a,)? T> {
                const { assert!(N > 3, "a vector of two or three has no w") }
                self.part(Which::component(3))
            }

            /// All components.
            $(#[$must_use])?
            pub fn components(self) -> [$of<$($a,)? T>; N] {
                std::array::from_fn(|component| self.clone().part(Which::component(component as u32)))
            }

            /// The components of these numbers, as a vector: `v.swizzle([2, 1, 0])`.
            $(#[$must_use])?
            pub fn swizzle<const M: usize>(self, components: [usize; M]) -> $of<$($a,)? Vector<T, M>>
            where
                Vector<T, M>: Element,
            {
                $of::joined(components.map(|component| self.clone().component(component)))
            }

            /// Each component as another type, as Rust's `as` does it.
            $(#[$must_use])?
            pub fn cast_components<R: Component>(self) -> $of<$($a,)? Vector<R, N>>
            where
                Vector<R, N>: Element,
            {
                self.part(Which(Op::Cast))
            }
        }

        impl<$($a,)? T: Component> $of<$($a,)? T> {
            /// The vector all of whose components are this number.
            $(#[$must_use])?
            pub fn splat<const N: usize>(self) -> $of<$($a,)? Vector<T, N>>
            where
                Vector<T, N>: Element,
            {
                self.part(Which(Op::Cast))
            }
        }
    };
}

vector_methods!(Expr ['a]);
vector_methods!(Val [] #[must_use]);

impl<'a, T: Component, const N: usize> Expr<'a, Vector<T, N>>
where
    Vector<T, N>: Element,
{
    /// The vectors of what the closure makes of each component: `v.map_components(|x| x.sqrt())`.
    pub fn map_components<R: Component>(self, closure: impl FnMut(Val<T>) -> Val<R>) -> Expr<'a, Vector<R, N>>
    where
        Vector<R, N>: Element,
    {
        self.map(|v| v.map_components(closure))
    }

    fn joined(components: [Expr<'a, T>; N]) -> Self {
        vector(components)
    }
}

impl<T: Component, const N: usize> Val<Vector<T, N>>
where
    Vector<T, N>: Element,
{
    /// The vector of what the closure makes of each component.
    #[must_use]
    pub fn map_components<R: Component>(self, closure: impl FnMut(Val<T>) -> Val<R>) -> Val<Vector<R, N>>
    where
        Vector<R, N>: Element,
    {
        Val::vector(self.components().map(closure))
    }

    fn joined(components: [Val<T>; N]) -> Self {
        Val::vector(components)
    }
}

impl<T: Element> Val<T> {
    fn failed(self, error: Error) -> Self {
        extend(|recording| recording.fail(error, T::TYPE))
    }
}
