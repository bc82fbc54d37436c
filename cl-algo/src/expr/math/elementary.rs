//! Roots, angles and hyperbolic functions.

use super::*;
use crate::element::Float;

// Errors in ulp: f16, f32, f64.
functions! { T: Float where
    /// Square root. Errors up to 0, 3 (0 where the device can) and 0 ulp.
    sqrt(x) -> T = Op::Call("sqrt");
    /// One over the square root. Errors up to 1, 2 and 2 ulp.
    rsqrt(x) -> T = Op::Call("rsqrt");
    /// Cube root. Errors up to 2 ulp.
    cbrt(x) -> T = Op::Call("cbrt");
    /// The square root of x² + y², without undue overflow. Errors up to 2, 4 and 4 ulp.
    hypot(x, y: T) -> T = Op::Call("hypot");

    /// Sine of an angle in radians. Errors up to 2, 4 and 4 ulp.
    sin(x) -> T = Op::Call("sin");
    /// Cosine of an angle in radians. Errors up to 2, 4 and 4 ulp.
    cos(x) -> T = Op::Call("cos");
    /// Tangent of an angle in radians. Errors up to 2, 5 and 5 ulp.
    tan(x) -> T = Op::Call("tan");
    /// Sine of π · x. Errors up to 2, 4 and 4 ulp.
    sinpi(x) -> T = Op::Call("sinpi");
    /// Cosine of π · x. Errors up to 2, 4 and 4 ulp.
    cospi(x) -> T = Op::Call("cospi");
    /// Tangent of π · x. Errors up to 2, 6 and 6 ulp.
    tanpi(x) -> T = Op::Call("tanpi");

    /// Arc sine in radians. Errors up to 2, 4 and 4 ulp.
    asin(x) -> T = Op::Call("asin");
    /// Arc cosine in radians. Errors up to 2, 4 and 4 ulp.
    acos(x) -> T = Op::Call("acos");
    /// Arc tangent in radians. Errors up to 2, 5 and 5 ulp.
    atan(x) -> T = Op::Call("atan");
    /// The angle of the point (x, y) in radians: `atan2(y, x)`. Errors up to 2, 6 and 6 ulp.
    atan2(y, x: T) -> T = Op::Call("atan2");
    /// Arc sine divided by π. Errors up to 2, 5 and 5 ulp.
    asinpi(x) -> T = Op::Call("asinpi");
    /// Arc cosine divided by π. Errors up to 2, 5 and 5 ulp.
    acospi(x) -> T = Op::Call("acospi");
    /// Arc tangent divided by π. Errors up to 2, 5 and 5 ulp.
    atanpi(x) -> T = Op::Call("atanpi");
    /// The angle of the point (x, y) divided by π: `atan2pi(y, x)`. Errors up to 2, 6 and 6 ulp.
    atan2pi(y, x: T) -> T = Op::Call("atan2pi");

    /// Hyperbolic sine. Errors up to 2, 4 and 4 ulp.
    sinh(x) -> T = Op::Call("sinh");
    /// Hyperbolic cosine. Errors up to 2, 4 and 4 ulp.
    cosh(x) -> T = Op::Call("cosh");
    /// Hyperbolic tangent. Errors up to 2, 5 and 5 ulp.
    tanh(x) -> T = Op::Call("tanh");
    /// Inverse of the hyperbolic sine. Errors up to 2, 4 and 4 ulp.
    asinh(x) -> T = Op::Call("asinh");
    /// Inverse of the hyperbolic cosine. Errors up to 2, 4 and 4 ulp.
    acosh(x) -> T = Op::Call("acosh");
    /// Inverse of the hyperbolic tangent. Errors up to 2, 5 and 5 ulp.
    atanh(x) -> T = Op::Call("atanh");
}

pairs! { T: Float where
    /// Sine and cosine of an angle in radians. Errors up to 2, 4 and 4 ulp.
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
    sincos(x) -> (T, T);
}
