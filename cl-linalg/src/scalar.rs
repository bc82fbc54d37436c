//! The types of elements.

use cl_algo::{Castable, Float, Number, Signed, Val};
use cl_array::ArrayExpr;
use num_complex::Complex;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

mod sealed {
    pub trait Sealed: crate::factor::HostScalar + crate::spectra::host::HostSpectra {}
}

/// An element of matrices: `f32`, `f64`, or a complex number of these.
pub trait Scalar:
    Number
    + Signed
    + PartialEq
    + std::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + sealed::Sealed
{
    /// The type of absolute values, norms, eigenvalues of Hermitian matrices and singular values.
    type Real: RealScalar;

    /// `true` for complex numbers.
    const IS_COMPLEX: bool;

    /// Returns a real number as an element.
    fn from_real(real: Self::Real) -> Self;

    /// Returns the real part.
    fn re(self) -> Self::Real;

    /// Returns the complex conjugate.
    #[must_use]
    fn conjugate(self) -> Self;

    /// Returns the absolute value, without intermediate overflow.
    fn magnitude(self) -> Self::Real;

    /// Returns the complex conjugates of the elements of a lazy array: real arrays are returned as they are.
    fn conjugates<const N: usize>(array: ArrayExpr<'_, Self, N>) -> ArrayExpr<'_, Self, N>;

    /// Returns the elements of a lazy array without their imaginary parts, which are not used.
    fn without_imaginary<const N: usize>(array: ArrayExpr<'_, Self, N>) -> ArrayExpr<'_, Self, N>;

    /// Returns the absolute values of the elements of a lazy array.
    fn magnitudes<const N: usize>(array: ArrayExpr<'_, Self, N>) -> ArrayExpr<'_, Self::Real, N>;
}

/// A real [`Scalar`]: `f32` or `f64`.
pub trait RealScalar: Scalar<Real = Self> + Float + Castable + PartialOrd {
    /// The unit roundoff `u`: the largest relative error of one rounding.
    const UNIT_ROUNDOFF: f64;

    /// Returns the nearest number of this type.
    fn from_f64(value: f64) -> Self;

    /// Returns the number as `f64`.
    fn to_f64(self) -> f64;

    /// Returns the square root.
    #[must_use]
    fn square_root(self) -> Self;
}

macro_rules! scalars {
    ($($real:ident)*) => {$(
        impl sealed::Sealed for $real {}
        impl sealed::Sealed for Complex<$real> {}

        impl Scalar for $real {
            type Real = $real;
            const IS_COMPLEX: bool = false;

            fn from_real(real: $real) -> $real {
                real
            }

            fn re(self) -> $real {
                self
            }

            fn conjugate(self) -> $real {
                self
            }

            fn magnitude(self) -> $real {
                self.abs()
            }

            fn conjugates<const N: usize>(array: ArrayExpr<'_, $real, N>) -> ArrayExpr<'_, $real, N> {
                array
            }

            fn without_imaginary<const N: usize>(array: ArrayExpr<'_, $real, N>) -> ArrayExpr<'_, $real, N> {
                array
            }

            fn magnitudes<const N: usize>(array: ArrayExpr<'_, $real, N>) -> ArrayExpr<'_, $real, N> {
                array.abs()
            }
        }

        impl Scalar for Complex<$real> {
            type Real = $real;
            const IS_COMPLEX: bool = true;

            fn from_real(real: $real) -> Complex<$real> {
                Complex::new(real, 0.0)
            }

            fn re(self) -> $real {
                self.re
            }

            fn conjugate(self) -> Complex<$real> {
                self.conj()
            }

            fn magnitude(self) -> $real {
                self.norm()
            }

            fn conjugates<const N: usize>(
                array: ArrayExpr<'_, Complex<$real>, N>,
            ) -> ArrayExpr<'_, Complex<$real>, N> {
                array.conj()
            }

            fn without_imaginary<const N: usize>(
                array: ArrayExpr<'_, Complex<$real>, N>,
            ) -> ArrayExpr<'_, Complex<$real>, N> {
                array.map(|item| Val::complex(item.re(), Val::known(0.0)))
            }

            fn magnitudes<const N: usize>(
                array: ArrayExpr<'_, Complex<$real>, N>,
            ) -> ArrayExpr<'_, $real, N> {
                array.map(|item| item.norm())
            }
        }

        impl RealScalar for $real {
            const UNIT_ROUNDOFF: f64 = $real::EPSILON as f64 / 2.0;

            fn from_f64(value: f64) -> $real {
                value as $real
            }

            fn to_f64(self) -> f64 {
                f64::from(self)
            }

            fn square_root(self) -> $real {
                self.sqrt()
            }
        }
    )*};
}

scalars!(f32 f64);
