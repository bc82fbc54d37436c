//! More functions of each element: those of OpenCL C that few programs need, blending and bounds, integers and bits,
//! complex numbers; and comparison within tolerances.
//!
//! All are methods of symbolic values too, for closures: `a.map(|x| x.erf())`.

use crate::array::Array;
use crate::broadcast::Joint;
use crate::expr::{ArrayExpr, ArrayOperand};
use crate::rank::{Broadcast, Rank};
use cl_algo::math::AnyInteger;
use cl_algo::num_complex::Complex;
use cl_algo::{Castable, ComplexPart, Element, Float, Format, Ordered, Val};
use cl_core::Result;

/// Defines methods that apply the method of the same name of [`Expr`](cl_algo::Expr) to each element.
macro_rules! methods {
    ($(where $item:ident: $class:ident {
        $($(#[$doc:meta])* $name:ident($($more:ident: $more_type:ty),*) -> $result:ty;)*
    })*) => {$($(
        methods!(@ $item, $class, $(#[$doc])* $name($($more: $more_type),*) -> $result);
    )*)*};
    (@ $item:ident, $class:ident, $(#[$doc:meta])* $name:ident() -> $result:ty) => {
        impl<'a, $item: $class, const N: usize> ArrayExpr<'a, $item, N> {
            $(#[$doc])*
            pub fn $name(self) -> ArrayExpr<'a, $result, N> {
                let shape = self.shape();
                ArrayExpr::lazy(self.into_inner().$name(), shape)
            }
        }
    };
    (@ $item:ident, $class:ident, $(#[$doc:meta])* $name:ident($b:ident: $b_type:ty) -> $result:ty) => {
        impl<'a, $item: $class, const N: usize> ArrayExpr<'a, $item, N> {
            $(#[$doc])*
            pub fn $name<const M: usize>(
                self,
                $b: impl ArrayOperand<'a, $b_type, M>,
            ) -> <Rank<N> as Broadcast<Rank<M>>>::Expr<'a, $result>
            where
                Rank<N>: Broadcast<Rank<M>>,
            {
                self.join($b.into_array_expr(), stringify!($name), |a, b| a.$name(b))
            }
        }
    };
    (@ $item:ident, $class:ident, $(#[$doc:meta])*
        $name:ident($b:ident: $b_type:ty, $c:ident: $c_type:ty) -> $result:ty
    ) => {
        impl<'a, $item: $class, const N: usize> ArrayExpr<'a, $item, N> {
            $(#[$doc])*
            pub fn $name<const A: usize, const B: usize>(
                self,
                $b: impl ArrayOperand<'a, $b_type, A>,
                $c: impl ArrayOperand<'a, $c_type, B>,
            ) -> <Joint<N, A> as Broadcast<Rank<B>>>::Expr<'a, $result>
            where
                Rank<N>: Broadcast<Rank<A>>,
                Joint<N, A>: Broadcast<Rank<B>>,
            {
                self.join_three(
                    $b.into_array_expr(),
                    $c.into_array_expr(),
                    stringify!($name),
                    |a, b, c| a.$name(b, c),
                )
            }
        }
    };
}

impl<'a, const N: usize> ArrayExpr<'a, f32, N> {
    /// Rounds each element to the nearest number of a shorter format, ties to even. Products of matrices that are both rounded to
    /// the same format may be computed by matrix units: see [`Expr::round_to`](cl_algo::Expr::round_to).
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// use cl_array::Format;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [1, 2], &[0.1_f32, 2.0])?;
    /// let b = Array::from_slice(&queue, [2, 1], &[1.0_f32, 3.0])?;
    /// // 0.1 is rounded to 0.099975586.
    /// let product = a.iter().round_to(Format::F16).matmul(b.iter().round_to(Format::F16))?;
    /// assert_eq!(product.to_vec()?, [6.099_975_6]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("bfloat16", "half", "tensor cores", "allow_tf32"))]
    pub fn round_to(self, format: Format) -> ArrayExpr<'a, f32, N> {
        let shape = self.shape();
        ArrayExpr::lazy(self.into_inner().round_to(format), shape)
    }
}

methods! {
    where T: Float {
        /// Returns the cube root.
        cbrt() -> T;
        /// Returns 2 to the power of each element.
        exp2() -> T;
        /// Returns 10 to the power of each element.
        exp10() -> T;
        /// Returns e to the power of each element, minus 1; precise for small elements.
        #[doc(alias = "exp_m1")]
        expm1() -> T;
        /// Returns the natural logarithm of 1 plus each element; precise for small elements.
        #[doc(alias = "ln_1p")]
        log1p() -> T;
        /// Returns 1 / (1 + e^-x).
        #[doc(alias("expit", "logistic"))]
        sigmoid() -> T;
        /// Returns ln(x / (1 - x)), the inverse of [`sigmoid`](ArrayExpr::sigmoid).
        logit() -> T;
        /// Returns ln(1 + e^x).
        softplus() -> T;
        /// Returns ln(1 / (1 + e^-x)).
        log_sigmoid() -> T;
        /// Returns each element, or 0 if it is below 0; NaN for NaN.
        relu() -> T;
        /// Returns x times the [`sigmoid`](ArrayExpr::sigmoid) of x.
        #[doc(alias = "swish")]
        silu() -> T;
        /// Returns x times the probability that a number of the standard normal distribution is below x.
        gelu() -> T;
        /// Returns ln(e^x + e^y), in which no power overflows.
        #[doc(alias = "logaddexp")]
        log_add_exp(other: T) -> T;
        /// Returns the inverse sine.
        #[doc(alias = "arcsin")]
        asin() -> T;
        /// Returns the inverse cosine.
        #[doc(alias = "arccos")]
        acos() -> T;
        /// Returns the hyperbolic sine.
        sinh() -> T;
        /// Returns the hyperbolic cosine.
        cosh() -> T;
        /// Returns the inverse hyperbolic sine.
        #[doc(alias = "arcsinh")]
        asinh() -> T;
        /// Returns the inverse hyperbolic cosine.
        #[doc(alias = "arccosh")]
        acosh() -> T;
        /// Returns the inverse hyperbolic tangent.
        #[doc(alias = "arctanh")]
        atanh() -> T;
        /// Returns the integer next to each element towards zero.
        #[doc(alias = "fix")]
        trunc() -> T;
        /// Returns the nearest integer; halves are rounded to the even integer, as by NumPy's `round`.
        #[doc(alias = "round_ties_even")]
        rint() -> T;
        /// Returns the error function.
        erf() -> T;
        /// Returns 1 minus the error function.
        erfc() -> T;
        /// Returns the gamma function.
        #[doc(alias = "gamma")]
        tgamma() -> T;
        /// Returns the natural logarithm of the absolute value of the gamma function.
        #[doc(alias = "gammaln")]
        lgamma() -> T;
        /// Returns -1, 0 or 1, and 0 for NaN.
        #[doc(alias = "signum")]
        sign() -> T;
        /// Returns angles in radians as degrees.
        #[doc(alias("rad2deg", "to_degrees"))]
        degrees() -> T;
        /// Returns angles in degrees as radians.
        #[doc(alias("deg2rad", "to_radians"))]
        radians() -> T;
        /// Returns whether each element is NaN.
        #[doc(alias = "is_nan")]
        isnan() -> bool;
        /// Returns whether each element is infinite.
        #[doc(alias = "is_infinite")]
        isinf() -> bool;
        /// Returns whether each element is neither NaN nor infinite.
        #[doc(alias = "is_finite")]
        isfinite() -> bool;
        /// Returns whether the sign is negative, also that of -0.0.
        #[doc(alias = "is_sign_negative")]
        signbit() -> bool;
        /// Returns the power with an integer exponent.
        #[doc(alias = "pown")]
        powi(exponent: i32) -> T;
        /// Returns the remainder of the division by `divisor`, with the sign of the dividend.
        fmod(divisor: T) -> T;
        /// Returns the element minus the multiple of `divisor` that is nearest to it.
        remainder(divisor: T) -> T;
        /// Returns the magnitude of each element with the sign of `sign`.
        copysign(sign: T) -> T;
        /// Returns the next float towards `to`.
        nextafter(to: T) -> T;
        /// Returns each element times 2 to the power of `exponent`.
        ldexp(exponent: i32) -> T;
        /// Returns `self * factor + summand`, rounded once.
        #[doc(alias = "fma")]
        mul_add(factor: T, summand: T) -> T;
        /// Returns `self + (other - self) * weight`.
        #[doc(alias("lerp", "interp"))]
        mix(other: T, weight: T) -> T;
    }
    where T: Ordered {
        /// Returns each element, or the bound that it is beyond.
        ///
        /// ```
        /// use cl_array::prelude::*;
        /// # fn main() -> cl_core::Result<()> {
        /// # let queue = Queue::on(&Device::first()?)?;
        /// let a = Array::from_slice(&queue, [2, 2], &[-5, 1, 2, 9])?;
        /// assert_eq!(a.iter().clamp(0, 3).to_vec()?, [0, 1, 2, 3]);
        /// # Ok(())
        /// # }
        /// ```
        #[doc(alias = "clip")]
        clamp(low: T, high: T) -> T;
    }
    where T: AnyInteger {
        /// Returns the absolute value of the difference.
        abs_diff(other: T) -> T::Magnitude;
        /// Returns the sum, or the end of the type's range that it is beyond.
        #[doc(alias = "saturating_add")]
        add_sat(other: T) -> T;
        /// Returns the difference, or the end of the type's range that it is beyond.
        #[doc(alias = "saturating_sub")]
        sub_sat(other: T) -> T;
        /// Returns the number of bits that are 1.
        #[doc(alias("count_ones", "bitwise_count"))]
        popcount() -> T;
        /// Returns the number of leading bits that are 0.
        #[doc(alias = "leading_zeros")]
        clz() -> T;
    }
}

/// Defines methods of complex numbers, which apply the method of the same name of [`Expr`](cl_algo::Expr).
macro_rules! complex_methods {
    ($($(#[$doc:meta])* $name:ident $result:ty;)*) => {
        impl<'a, T: ComplexPart, const N: usize> ArrayExpr<'a, Complex<T>, N>
        where
            Complex<T>: Element,
        {$(
            $(#[$doc])*
            pub fn $name(self) -> ArrayExpr<'a, $result, N> {
                let shape = self.shape();
                ArrayExpr::lazy(self.into_inner().$name(), shape)
            }
        )*}
    };
}

complex_methods! {
    /// Returns the real part.
    #[doc(alias = "real")]
    re T;
    /// Returns the imaginary part.
    #[doc(alias = "imag")]
    im T;
    /// Returns the complex conjugate.
    #[doc(alias = "conjugate")]
    conj Complex<T>;
    /// Returns the square of the distance from 0.
    #[doc(alias = "abs2")]
    norm_sqr T;
    /// Returns the angle, from -π to π.
    #[doc(alias = "angle")]
    arg T;
}

impl<'a, T: Float + Castable, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns whether all elements are close to those of another array: `|a - b| <= absolute + relative * |b|`.
    ///
    /// The other array is broadcast to the shape of this one. Equal infinities are close, and NaN is not close to
    /// anything. NumPy's tolerances are 1e-5 (relative) and 1e-8 (absolute).
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?;
    /// assert!((&a * 3.0 / 3.0).all_close(&a, 1e-5, 1e-8)?);
    /// assert!(!a.all_close(2.0, 1e-5, 1e-8)?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) if the other array's shape does not fit; as
    /// [`ArrayExpr::collect`].
    #[doc(alias("allclose", "isclose", "abs_diff_eq"))]
    pub fn all_close<const M: usize>(
        self,
        other: impl ArrayOperand<'a, T, M>,
        relative: T,
        absolute: T,
    ) -> Result<bool> {
        let shape = self.shape();
        let other = other.into_array_expr().broadcast_as("all_close", shape);
        let pairs = ArrayExpr::lazy(self.into_inner().zip(other.into_inner()), shape);
        let is_close = pairs.map(|(a, b): (Val<T>, Val<T>)| {
            let distance = (a - b).max(b - a);
            let limit = Val::known(absolute) + Val::known(relative) * b.max(-b);
            a.eq(b) | (distance.le(limit) & distance.isfinite())
        });
        is_close.all()
    }
}

impl<T: Float + Castable, const N: usize> Array<T, N> {
    /// Returns whether all elements are close to those of another array; see [`ArrayExpr::all_close`].
    ///
    /// # Errors
    /// As [`ArrayExpr::all_close`].
    #[doc(alias("allclose", "isclose", "abs_diff_eq"))]
    pub fn all_close<'a, const M: usize>(
        &'a self,
        other: impl ArrayOperand<'a, T, M>,
        relative: T,
        absolute: T,
    ) -> Result<bool> {
        self.iter().all_close(other, relative, absolute)
    }
}
