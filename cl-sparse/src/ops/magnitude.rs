//! Absolute values of real and complex numbers.

use cl_algo::num_complex::Complex;
use cl_algo::{Float, Number, Ordered, Val};

mod sealed {
    use super::Complex;

    /// The types that have kernels.
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
    impl Sealed for Complex<f32> {}
    impl Sealed for Complex<f64> {}
}

/// Numbers that have an absolute value: `f32`, `f64` and complex numbers of them.
pub trait Magnitude: Number + sealed::Sealed {
    /// The type of absolute values.
    type Real: Float + Ordered + PartialEq + Into<f64>;

    /// Returns the absolute value.
    #[doc(hidden)]
    fn magnitude(value: Val<Self>) -> Val<Self::Real>;

    /// Returns the square of the absolute value.
    #[doc(hidden)]
    fn square(value: Val<Self>) -> Val<Self::Real>;

    /// Returns the square root, on the host.
    #[doc(hidden)]
    fn root(value: Self::Real) -> Self::Real;
}

macro_rules! magnitudes {
    ($($real:ident)*) => {$(
        impl Magnitude for $real {
            type Real = $real;

            fn magnitude(value: Val<$real>) -> Val<$real> {
                value.abs()
            }

            fn square(value: Val<$real>) -> Val<$real> {
                value * value
            }

            fn root(value: $real) -> $real {
                value.sqrt()
            }
        }

        impl Magnitude for Complex<$real> {
            type Real = $real;

            fn magnitude(value: Val<Complex<$real>>) -> Val<$real> {
                value.norm()
            }

            fn square(value: Val<Complex<$real>>) -> Val<$real> {
                value.norm_sqr()
            }

            fn root(value: $real) -> $real {
                value.sqrt()
            }
        }
    )*};
}

magnitudes!(f32 f64);
