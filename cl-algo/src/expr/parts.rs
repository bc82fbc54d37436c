//! Components of vectors and fields of structs, and vectors and structs made of them.

use super::record::sealed::Sealed;
use super::{Expr, Operand, Recording, Symbol, Val, extend};
use crate::element::{Component, Element, Vector};
use crate::ir::op::{NodeId, Op};
use crate::ir::postfix::Postfix;
use crate::vec::DeviceVec;
use cl_core::Error;
use std::fmt;

/// Values of `T` whose components or fields can be accessed: expressions, references to device vectors, and symbolic
/// values.
///
/// The code that `#[derive(Element)]` writes is generic over it, so that `bodies.mass()` works for all of them.
pub trait Composite<T: Element>: Sized {
    /// A component or field of each value: an expression for expressions and vectors, a symbolic value for symbolic
    /// values.
    type Part<R: Element>;

    /// Applies the operation to each value: usually, reads one component or field.
    #[doc(hidden)]
    fn part<R: Element>(self, which: PartOp) -> Self::Part<R>;
}

/// The operation that reads one component or field of a value, or converts the value.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct PartOp(Op);

impl PartOp {
    /// Returns the operation that reads the field with the given number of a struct.
    #[must_use]
    pub const fn field(number: u32) -> PartOp {
        PartOp(Op::Field(number))
    }

    /// Returns the operation that reads a component of a vector, or the real or imaginary part of a complex
    /// number.
    pub(super) const fn component(number: u32) -> PartOp {
        PartOp(Op::Component(number))
    }
}

impl<'a, T: Element> Composite<T> for Expr<'a, T> {
    type Part<R: Element> = Expr<'a, R>;

    fn part<R: Element>(self, which: PartOp) -> Expr<'a, R> {
        self.with([], which.0, "part")
    }
}

impl<'a, T: Element> Composite<T> for &Expr<'a, T> {
    type Part<R: Element> = Expr<'a, R>;

    fn part<R: Element>(self, which: PartOp) -> Expr<'a, R> {
        self.clone().part(which)
    }
}

impl<'a, T: Element> Composite<T> for &'a DeviceVec<T> {
    type Part<R: Element> = Expr<'a, R>;

    fn part<R: Element>(self, which: PartOp) -> Expr<'a, R> {
        self.into_expr().part(which)
    }
}

impl<T: Element> Composite<T> for Val<T> {
    type Part<R: Element> = Val<R>;

    fn part<R: Element>(self, which: PartOp) -> Val<R> {
        extend(|recording| {
            let whole = self.node(recording);
            recording.apply(which.0, R::TYPE, &[whole])
        })
    }
}

/// An expression of any type, to be a field or component of an element.
#[doc(hidden)]
pub struct AnyExpr<'a>(Postfix<'a>);

impl fmt::Debug for AnyExpr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyExpr")
    }
}

impl<'a> AnyExpr<'a> {
    /// Returns the expression without its type.
    #[must_use]
    pub fn of<T: Element>(operand: impl Operand<'a, T>) -> AnyExpr<'a> {
        AnyExpr(operand.into_expr().into_postfix())
    }
}

/// A symbolic value of any type, to be a field or component of an element.
#[doc(hidden)]
pub trait AnyVal: Sealed {
    /// Returns the value's node in the current recording.
    fn any_node(&self, recording: &mut Recording) -> NodeId;
}

impl<T: Element> AnyVal for Val<T> {
    fn any_node(&self, recording: &mut Recording) -> NodeId {
        self.node(recording)
    }
}

impl<'a, T: Element> Expr<'a, T> {
    /// Returns elements made of their fields or components, which must have the right types, in order.
    #[doc(hidden)]
    pub fn made_of(parts: impl IntoIterator<Item = AnyExpr<'a>>) -> Expr<'a, T> {
        let parts = parts.into_iter().map(|part| part.0);
        Expr::new(Postfix::of(parts, Op::Make, T::TYPE, "the parts of an element"))
    }
}

impl<T: Element> Val<T> {
    /// Returns an element made of its fields or components, which must have the right types, in order.
    #[doc(hidden)]
    #[must_use]
    pub fn made_of(parts: &[&dyn AnyVal]) -> Val<T> {
        extend(|recording| {
            let nodes: Vec<NodeId> = parts.iter().map(|part| part.any_node(recording)).collect();
            recording.apply(Op::Make, T::TYPE, &nodes)
        })
    }
}

/// `N` components that make a lazy vector: a tuple of operands, or an array of them.
pub trait IntoComponents<'a, T: Component, const N: usize> {
    /// Returns the components as expressions.
    fn into_components(self) -> [Expr<'a, T>; N];
}

/// `N` components that make a symbolic vector: a tuple of symbolic values and constants, or an array of them.
pub trait IntoSymbols<T: Component, const N: usize> {
    /// Returns the components as symbolic values.
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

/// Returns OpenCL vectors made of their components: `vector((&x, &y, 0.0))`, or an array of 2, 3, 4, 8 or 16 operands.
///
/// In closures, use [`Val::vector`].
///
/// ```
/// use cl_algo::prelude::*;
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
    /// Returns a vector made of its components: `Val::vector((x, y, 0.0))`, or an array of 2, 3, 4, 8 or 16.
    #[must_use]
    pub fn vector<const N: usize>(components: impl IntoSymbols<T, N>) -> Val<Vector<T, N>>
    where
        Vector<T, N>: Element,
    {
        let components = components.into_symbols();
        Val::made_of(&components.each_ref().map(|component| component as &dyn AnyVal))
    }
}

/// Defines the methods of expressions of vectors, or of symbolic vectors.
macro_rules! vector_methods {
    ($of:ident [$($a:lifetime)?] $(#[$must_use:meta])?) => {
        impl<$($a,)? T: Component, const N: usize> $of<$($a,)? Vector<T, N>>
        where
            Vector<T, N>: Element,
        {
            /// Returns a component, by its number.
            ///
            /// A number that the vector does not have is a deferred error, which the evaluation reports.
            $(#[$must_use])?
            pub fn component(self, number: usize) -> $of<$($a,)? T> {
                if number < N {
                    return self.part(PartOp::component(number as u32));
                }
                let reason = format!("{number} is not the index of a component: the vector has {N}");
                self.part(PartOp::component(0)).failed(Error::invalid_input("component", reason))
            }

            /// Returns the first component.
            $(#[$must_use])?
            pub fn x(self) -> $of<$($a,)? T> {
                self.part(PartOp::component(0))
            }

            /// Returns the second component.
            $(#[$must_use])?
            pub fn y(self) -> $of<$($a,)? T> {
                self.part(PartOp::component(1))
            }

            /// Returns the third component, of vectors of three or more.
            $(#[$must_use])?
            pub fn z(self) -> $of<$($a,)? T> {
                const { assert!(N > 2, "a vector of two has no z") }
                self.part(PartOp::component(2))
            }

            /// Returns the fourth component, of vectors of four or more.
            $(#[$must_use])?
            pub fn w(self) -> $of<$($a,)? T> {
                const { assert!(N > 3, "a vector of two or three has no w") }
                self.part(PartOp::component(3))
            }

            /// Returns all components.
            $(#[$must_use])?
            pub fn components(self) -> [$of<$($a,)? T>; N] {
                std::array::from_fn(|component| self.clone().part(PartOp::component(component as u32)))
            }

            /// Returns the components with the given numbers as a vector: `v.swizzle([2, 1, 0])`.
            $(#[$must_use])?
            pub fn swizzle<const M: usize>(self, components: [usize; M]) -> $of<$($a,)? Vector<T, M>>
            where
                Vector<T, M>: Element,
            {
                $of::joined(components.map(|component| self.clone().component(component)))
            }

            /// Converts each component to another type, as Rust's `as` does.
            $(#[$must_use])?
            pub fn cast_components<R: Component>(self) -> $of<$($a,)? Vector<R, N>>
            where
                Vector<R, N>: Element,
            {
                self.part(PartOp(Op::Cast))
            }
        }

        impl<$($a,)? T: Component> $of<$($a,)? T> {
            /// Returns the vector whose components all equal this number.
            $(#[$must_use])?
            pub fn splat<const N: usize>(self) -> $of<$($a,)? Vector<T, N>>
            where
                Vector<T, N>: Element,
            {
                self.part(PartOp(Op::Cast))
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
    /// Applies the closure to each component, and returns vectors of the results:
    /// `v.map_components(|x| x.sqrt())`.
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
    /// Applies the closure to each component, and returns the vector of the results.
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
