//! Complex numbers, which OpenCL C does not have: two floats, with this crate's own arithmetic.

use super::{Component, Element, ElementType, Float, Number, Signed};
use num_complex::Complex;

/// The type of the real and imaginary parts of a complex number: `f32` or `f64`.
pub trait ComplexPart: Float + Component {}

macro_rules! elements {
    ($($part:ident)*) => {$(
        impl ComplexPart for $part {}

        // SAFETY: `Complex` is `repr(C)`: the real part, then the imaginary part, as on the device.
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
