//! Roots, angles and hyperbolic functions.

use super::*;
use crate::element::Float;

// Errors in ulp: f16, f32, f64.
functions! { T: Float where
    /// Returns the square root. Errors up to 0, 3 (0 where the device can) and 0 ulp.
    sqrt(x) -> T = Op::Call("sqrt");
    /// Returns one over the square root. Errors up to 1, 2 and 2 ulp.
    rsqrt(x) -> T = Op::Call("rsqrt");
    /// Returns the cube root. Errors up to 2 ulp.
    cbrt(x) -> T = Op::Call("cbrt");
    /// Returns the square root of x² + y², without undue overflow. Errors up to 2, 4 and 4 ulp.
    hypot(x, y: T) -> T = Op::Call("hypot");

    /// Returns the sine of an angle in radians. Errors up to 2, 4 and 4 ulp.
    sin(x) -> T = Op::Call("sin");
    /// Returns the cosine of an angle in radians. Errors up to 2, 4 and 4 ulp.
    cos(x) -> T = Op::Call("cos");
    /// Returns the tangent of an angle in radians. Errors up to 2, 5 and 5 ulp.
    tan(x) -> T = Op::Call("tan");
    /// Returns the sine of π · x. Errors up to 2, 4 and 4 ulp.
    sinpi(x) -> T = Op::Call("sinpi");
    /// Returns the cosine of π · x. Errors up to 2, 4 and 4 ulp.
    cospi(x) -> T = Op::Call("cospi");
    /// Returns the tangent of π · x. Errors up to 2, 6 and 6 ulp.
    tanpi(x) -> T = Op::Call("tanpi");

    /// Returns the arc sine in radians. Errors up to 2, 4 and 4 ulp.
    #[doc(alias = "arcsin")]
    asin(x) -> T = Op::Call("asin");
    /// Returns the arc cosine in radians. Errors up to 2, 4 and 4 ulp.
    #[doc(alias = "arccos")]
    acos(x) -> T = Op::Call("acos");
    /// Returns the arc tangent in radians. Errors up to 2, 5 and 5 ulp.
    #[doc(alias = "arctan")]
    atan(x) -> T = Op::Call("atan");
    /// Returns the angle of the point (x, y) in radians: `atan2(y, x)`. Errors up to 2, 6 and 6 ulp.
    #[doc(alias = "arctan2")]
    atan2(y, x: T) -> T = Op::Call("atan2");
    /// Returns the arc sine divided by π. Errors up to 2, 5 and 5 ulp.
    asinpi(x) -> T = Op::Call("asinpi");
    /// Returns the arc cosine divided by π. Errors up to 2, 5 and 5 ulp.
    acospi(x) -> T = Op::Call("acospi");
    /// Returns the arc tangent divided by π. Errors up to 2, 5 and 5 ulp.
    atanpi(x) -> T = Op::Call("atanpi");
    /// Returns the angle of the point (x, y) divided by π: `atan2pi(y, x)`. Errors up to 2, 6 and 6 ulp.
    atan2pi(y, x: T) -> T = Op::Call("atan2pi");

    /// Returns the hyperbolic sine. Errors up to 2, 4 and 4 ulp.
    sinh(x) -> T = Op::Call("sinh");
    /// Returns the hyperbolic cosine. Errors up to 2, 4 and 4 ulp.
    cosh(x) -> T = Op::Call("cosh");
    /// Returns the hyperbolic tangent. Errors up to 2, 5 and 5 ulp.
    tanh(x) -> T = Op::Call("tanh");
    /// Returns the inverse hyperbolic sine. Errors up to 2, 4 and 4 ulp.
    #[doc(alias = "arcsinh")]
    asinh(x) -> T = Op::Call("asinh");
    /// Returns the inverse hyperbolic cosine. Errors up to 2, 4 and 4 ulp.
    #[doc(alias = "arccosh")]
    acosh(x) -> T = Op::Call("acosh");
    /// Returns the inverse hyperbolic tangent. Errors up to 2, 5 and 5 ulp.
    #[doc(alias = "arctanh")]
    atanh(x) -> T = Op::Call("atanh");
}

pairs! { T: Float where
    /// Returns sine and cosine of an angle in radians. Errors up to 2, 4 and 4 ulp.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::math::sincos;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let angle = DeviceVec::from_slice(&queue, &[0.0_f32, 0.0, 0.0])?;
    /// let (sine, cosine) = sincos(&angle).collect()?; // one kernel, two vectors
    /// assert_eq!(sine.to_vec()?, [0.0; 3]);
    /// assert_eq!(cosine.to_vec()?, [1.0; 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "sin_cos")]
    sincos(x) -> (T, T);
}
