//! Complex numbers, which OpenCL C does not have: two floats, with arithmetic of our own.

use super::{Component, Element, ElementType, Float, Number, Signed};
use num_complex::Complex;

/// What complex numbers consist of: `f32` or `f64`.
pub trait ComplexPart: Float + Component {}

macro_rules! elements {
    ($($part:ident)*) => {$(
        impl ComplexPart for $part {}

        // SAFETY: `Complex` is `repr(C)`: real part, imaginary part, as the device has them.
        unsafe impl Element for Complex<$part> {
            type Stored = Complex<$part>;
            const TYPE: ElementType = ElementType::Complex(<$part as Component>::SCALAR);
            fn as_stored(values: &[Self]) -> &[Self] {
                values
            }
            fn from_stored(stored: Self) -> Self {
                stored
            }
        }

        impl Number for Complex<$part> {}
        impl Signed for Complex<$part> {}
    )*};
}

elements!(f32 f64);
