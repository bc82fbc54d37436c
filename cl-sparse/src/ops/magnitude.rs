//! Absolute values of real and complex numbers.

use cl_algo::num_complex::Complex;
use cl_algo::{Expr, Float, Number, Ordered, Val};
use cl_core::Result;

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

    /// Returns the square root of the sum of the squares of absolute values.
    #[doc(hidden)]
    fn norm(values: Expr<'_, Self>) -> Result<Self::Real>;
}

macro_rules! magnitudes {
    ($($real:ident)*) => {$(
        impl Magnitude for $real {
            type Real = $real;

            fn magnitude(value: Val<$real>) -> Val<$real> {
                value.abs()
            }

            fn norm(values: Expr<'_, $real>) -> Result<$real> {
                values.norm_l2()
            }
        }

        impl Magnitude for Complex<$real> {
            type Real = $real;

            fn magnitude(value: Val<Complex<$real>>) -> Val<$real> {
                value.norm()
            }

            fn norm(values: Expr<'_, Complex<$real>>) -> Result<$real> {
                values.norm_l2()
            }
        }
    )*};
}

magnitudes!(f32 f64);
