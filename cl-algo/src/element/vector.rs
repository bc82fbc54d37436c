//! OpenCL's vectors of 2, 3, 4, 8 and 16 numbers, as host values.

use super::{Bits, Element, ElementType, Number, ScalarType, Signed};
use bytemuck::{Pod, Zeroable};
use half::f16;
use std::ops::{
    Add, AddAssign, Div, DivAssign, Index, IndexMut, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

/// An OpenCL vector of 2, 3, 4, 8 or 16 numbers. For example, `float4` is [`F32x4`].
///
/// In memory a vector is its numbers one after the other, on the host and on the device. A vector of three takes the
/// space of three numbers, and each vector is aligned as its numbers are.
///
/// Arithmetic works component by component and gives the results that it gives on the device: integers wrap around, and
/// dividing an integer by zero gives zero. A scalar on either side is applied to every component.
///
/// ```
/// use cl_algo::{F32x4, I32x2};
///
/// let v = F32x4::from([1.0, 2.0, 3.0, 4.0]);
/// assert_eq!(2.0 * v + v, F32x4::from([3.0, 6.0, 9.0, 12.0]));
/// assert_eq!(v[2], 3.0);
/// assert_eq!(I32x2::from([i32::MAX, 7]) + 1, I32x2::from([i32::MIN, 8]));
/// ```
///
/// In expressions, [`vector`](crate::vector) makes a vector of its components.
/// [`component`](crate::Expr::component), `x` to `w` and [`components`](crate::Expr::components) return
/// components, and [`map_components`](crate::Expr::map_components) applies a function to each of them. `eq`
/// and `ne` compare whole vectors. Vectors cannot be compared by order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Vector<T, const N: usize>([T; N]);

// SAFETY: `Vector` is `repr(transparent)` over `[T; N]`, and an array of zeroed `T` is a valid array.
unsafe impl<T: Zeroable, const N: usize> Zeroable for Vector<T, N> {}
// SAFETY: `Vector` is `repr(transparent)` over `[T; N]`, and an array of plain old data is plain old data.
unsafe impl<T: Pod, const N: usize> Pod for Vector<T, N> {}

/// The numbers that can be components of OpenCL vectors: all integers and floats. Sealed.
pub trait Component: Number + Pod + PartialEq + sealed::Arithmetic {
    /// The type on the device.
    const SCALAR: ScalarType;
}

mod sealed {
    /// The device's arithmetic, computed on the host: see [`Number`](super::Number).
    pub trait Arithmetic: Sized {
        fn sum(self, other: Self) -> Self;
        fn difference(self, other: Self) -> Self;
        fn product(self, other: Self) -> Self;
        fn quotient(self, other: Self) -> Self;
        fn remainder(self, other: Self) -> Self;
        fn negative(self) -> Self;
    }
}

macro_rules! integers {
    ($($type:ident $scalar:ident)*) => {$(
        impl Component for $type {
            const SCALAR: ScalarType = ScalarType::$scalar;
        }

        impl sealed::Arithmetic for $type {
            fn sum(self, other: $type) -> $type {
                self.wrapping_add(other)
            }
            fn difference(self, other: $type) -> $type {
                self.wrapping_sub(other)
            }
            fn product(self, other: $type) -> $type {
                self.wrapping_mul(other)
            }
            fn quotient(self, other: $type) -> $type {
                if other == 0 { 0 } else { self.wrapping_div(other) }
            }
            fn remainder(self, other: $type) -> $type {
                if other == 0 { self } else { self.wrapping_rem(other) }
            }
            fn negative(self) -> $type {
                self.wrapping_neg()
            }
        }
    )*};
}

macro_rules! floats {
    ($($type:ident $scalar:ident)*) => {$(
        impl Component for $type {
            const SCALAR: ScalarType = ScalarType::$scalar;
        }

        impl sealed::Arithmetic for $type {
            fn sum(self, other: $type) -> $type {
                self + other
            }
            fn difference(self, other: $type) -> $type {
                self - other
            }
            fn product(self, other: $type) -> $type {
                self * other
            }
            fn quotient(self, other: $type) -> $type {
                self / other
            }
            fn remainder(self, other: $type) -> $type {
                self % other
            }
            fn negative(self) -> $type {
                -self
            }
        }
    )*};
}

integers!(i8 I8 u8 U8 i16 I16 u16 U16 i32 I32 u32 U32 i64 I64 u64 U64);
floats!(f16 F16 f32 F32 f64 F64);

macro_rules! elements {
    ($($n:literal)*) => {$(
        // SAFETY: the bytes of an OpenCL vector of `$n` numbers are the bytes of the numbers, one after the
        // other. A vector of three is stored without a gap.
        unsafe impl<T: Component> Element for Vector<T, $n> {
            type Stored = Vector<T, $n>;
            const TYPE: ElementType = ElementType::Vector(T::SCALAR, $n);
            fn as_stored(values: &[Self]) -> &[Self] {
                values
            }
            fn from_stored(stored: Self) -> Self {
                stored
            }
        }
    )*};
}

elements!(2 3 4 8 16);

impl<T: Component, const N: usize> Number for Vector<T, N> where Vector<T, N>: Element {}
impl<T: Component + Signed, const N: usize> Signed for Vector<T, N> where Vector<T, N>: Element {}
impl<T: Component + Bits, const N: usize> Bits for Vector<T, N> where Vector<T, N>: Element {}

impl<T: Copy, const N: usize> Vector<T, N> {
    /// Returns the vector of these components.
    #[must_use]
    pub const fn new(components: [T; N]) -> Vector<T, N> {
        Vector(components)
    }

    /// Returns the vector whose components all equal `value`.
    #[must_use]
    pub const fn splat(value: T) -> Vector<T, N> {
        Vector([value; N])
    }

    /// Returns the components.
    #[must_use]
    pub const fn to_array(self) -> [T; N] {
        self.0
    }

    /// Applies `f` to each component, and returns the vector of the results.
    #[must_use]
    pub fn map<R>(self, f: impl FnMut(T) -> R) -> Vector<R, N> {
        Vector(self.0.map(f))
    }

    fn combine(self, other: Self, f: impl Fn(T, T) -> T) -> Self {
        Vector(std::array::from_fn(|at| f(self.0[at], other.0[at])))
    }
}

impl<T: Component, const N: usize> Default for Vector<T, N> {
    fn default() -> Self {
        Zeroable::zeroed()
    }
}

impl<T, const N: usize> From<[T; N]> for Vector<T, N> {
    fn from(components: [T; N]) -> Self {
        Vector(components)
    }
}

impl<T, const N: usize> From<Vector<T, N>> for [T; N] {
    fn from(vector: Vector<T, N>) -> [T; N] {
        vector.0
    }
}

impl<T, const N: usize> Index<usize> for Vector<T, N> {
    type Output = T;
    fn index(&self, at: usize) -> &T {
        &self.0[at]
    }
}

impl<T, const N: usize> IndexMut<usize> for Vector<T, N> {
    fn index_mut(&mut self, at: usize) -> &mut T {
        &mut self.0[at]
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $of:ident;)*) => {$(
        impl<T: Component, const N: usize> $trait for Vector<T, N> {
            type Output = Vector<T, N>;
            fn $method(self, other: Self) -> Self {
                self.combine(other, sealed::Arithmetic::$of)
            }
        }

        impl<T: Component, const N: usize> $trait<T> for Vector<T, N> {
            type Output = Vector<T, N>;
            fn $method(self, other: T) -> Self {
                self.map(|component| component.$of(other))
            }
        }

        impl<T: Component, const N: usize> $assign for Vector<T, N> {
            fn $assign_method(&mut self, other: Self) {
                *self = $trait::$method(*self, other);
            }
        }

        impl<T: Component, const N: usize> $assign<T> for Vector<T, N> {
            fn $assign_method(&mut self, other: T) {
                *self = $trait::$method(*self, other);
            }
        }

        scalars_on_the_left!($trait $method $of: i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64);
    )*};
}

/// Scalars on the left-hand side. Rust allows these impls only type by type.
macro_rules! scalars_on_the_left {
    ($trait:ident $method:ident $of:ident: $($type:ident)*) => {$(
        impl<const N: usize> $trait<Vector<$type, N>> for $type {
            type Output = Vector<$type, N>;
            fn $method(self, other: Vector<$type, N>) -> Vector<$type, N> {
                other.map(|component| sealed::Arithmetic::$of(self, component))
            }
        }
    )*};
}

operators! {
    Add add AddAssign add_assign sum;
    Sub sub SubAssign sub_assign difference;
    Mul mul MulAssign mul_assign product;
    Div div DivAssign div_assign quotient;
    Rem rem RemAssign rem_assign remainder;
}

impl<T: Component + Signed, const N: usize> Neg for Vector<T, N> {
    type Output = Vector<T, N>;
    fn neg(self) -> Self {
        self.map(sealed::Arithmetic::negative)
    }
}

macro_rules! names {
    ($($scalar:ident $c_name:literal: $($name:ident $n:literal)*;)*) => {$($(
        #[doc = concat!("`", $c_name, stringify!($n), "` of OpenCL C: ", stringify!($n), " `", stringify!($scalar), "`.")]
        pub type $name = Vector<$scalar, $n>;
    )*)*};
}

names! {
    i8 "char": I8x2 2 I8x3 3 I8x4 4 I8x8 8 I8x16 16;
    u8 "uchar": U8x2 2 U8x3 3 U8x4 4 U8x8 8 U8x16 16;
    i16 "short": I16x2 2 I16x3 3 I16x4 4 I16x8 8 I16x16 16;
    u16 "ushort": U16x2 2 U16x3 3 U16x4 4 U16x8 8 U16x16 16;
    i32 "int": I32x2 2 I32x3 3 I32x4 4 I32x8 8 I32x16 16;
    u32 "uint": U32x2 2 U32x3 3 U32x4 4 U32x8 8 U32x16 16;
    i64 "long": I64x2 2 I64x3 3 I64x4 4 I64x8 8 I64x16 16;
    u64 "ulong": U64x2 2 U64x3 3 U64x4 4 U64x8 8 U64x16 16;
    f16 "half": F16x2 2 F16x3 3 F16x4 4 F16x8 8 F16x16 16;
    f32 "float": F32x2 2 F32x3 3 F32x4 4 F32x8 8 F32x16 16;
    f64 "double": F64x2 2 F64x3 3 F64x4 4 F64x8 8 F64x16 16;
}
