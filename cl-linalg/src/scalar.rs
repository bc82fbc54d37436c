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

    /// Returns the quotient with a real number.
    #[must_use]
    fn over(self, divisor: Self::Real) -> Self;

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

            fn over(self, divisor: $real) -> $real {
                self / divisor
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

            fn over(self, divisor: $real) -> Complex<$real> {
                Complex::new(self.re / divisor, self.im / divisor)
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

/// Returns the product of numbers, of which no part overflows or underflows if the whole does not. Zero makes the product
/// zero, unless a number is NaN.
pub(crate) fn product_of<T: Scalar>(first: T, numbers: impl IntoIterator<Item = T>) -> T {
    let (mut product, mut exponent) = (first, 0_i64);
    for number in numbers {
        let bits = exponent_of(number);
        exponent += i64::from(bits);
        product *= times_power_of_two(number, -i64::from(bits));
        let bits = exponent_of(product);
        exponent += i64::from(bits);
        product = times_power_of_two(product, -i64::from(bits));
    }
    times_power_of_two(product, exponent)
}

/// Returns the exponent of two of a number, and 0 for zero, NaN and infinities.
fn exponent_of<T: Scalar>(number: T) -> i32 {
    let size = number.magnitude().to_f64();
    if size.is_normal() { size.log2().floor() as i32 } else { 0 }
}

/// Returns a number times a power of two, in steps that are in the range of every type.
fn times_power_of_two<T: Scalar>(mut number: T, mut exponent: i64) -> T {
    const MOST: i64 = 100;
    // More steps change nothing: the number is 0 or infinite.
    exponent = exponent.clamp(-40 * MOST, 40 * MOST);
    while exponent != 0 {
        let step = exponent.clamp(-MOST, MOST);
        number *= T::from_real(T::Real::from_f64((step as f64).exp2()));
        exponent -= step;
    }
    number
}

/// Returns the power of two that brings numbers up to `largest` near 1, as far as the type has it. Products with it are not
/// rounded.
pub(crate) fn scale_of<T: Scalar>(largest: f64) -> f64 {
    let most = if T::Real::UNIT_ROUNDOFF > f64::EPSILON { 126.0 } else { 1022.0 };
    if largest > 0.0 { (-largest.log2().floor()).clamp(-most, most).exp2() } else { 1.0 }
}
