//! Powers and logarithms, and what takes floats apart into significand and exponent.

use super::*;
use crate::element::{Float, Integer};

functions! { T: Float where
    /// e to the power of x. Errors up to 2, 3 and 3 ulp.
    exp(x) -> T = Op::Call("exp");
    /// 2 to the power of x. Errors up to 2, 3 and 3 ulp.
    exp2(x) -> T = Op::Call("exp2");
    /// 10 to the power of x. Errors up to 2, 3 and 3 ulp.
    exp10(x) -> T = Op::Call("exp10");
    /// e to the power of x, minus 1: precise near 0. Errors up to 2, 3 and 3 ulp.
    expm1(x) -> T = Op::Call("expm1");
    /// Natural logarithm. Errors up to 2, 3 and 3 ulp.
    log(x) -> T = Op::Call("log");
    /// Logarithm to base 2. Errors up to 2, 3 and 3 ulp.
    log2(x) -> T = Op::Call("log2");
    /// Logarithm to base 10. Errors up to 2, 3 and 3 ulp.
    log10(x) -> T = Op::Call("log10");
    /// Natural logarithm of 1 + x: precise near 0. Errors up to 2 ulp.
    log1p(x) -> T = Op::Call("log1p");

    /// x to the power of y. Errors up to 4, 16 and 16 ulp.
    pow(x, y: T) -> T = Op::Call("pow");
    /// x to the power of y, for x that are not negative. Errors up to 4, 16 and 16 ulp.
    powr(x, y: T) -> T = Op::Call("powr");
    /// x to the power of an integer. Errors up to 4, 16 and 16 ulp.
    pown(x, power: i32) -> T = Op::Call("pown");
    /// The root of x of an integer degree: x to the power of 1 / degree. Errors up to 4, 16 and 16
    /// ulp.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::math::{ilogb, rootn};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[16.0_f32, 81.0])?;
    /// let fourth = DeviceVec::from_slice(&queue, &[4, 4])?;
    /// let roots = rootn(&x, &fourth).collect()?.to_vec()?;
    /// assert!((roots[0] - 2.0).abs() < 1e-5 && (roots[1] - 3.0).abs() < 1e-5);
    /// assert_eq!(ilogb(&x).collect()?.to_vec()?, [4, 6]);
    /// # Ok(())
    /// # }
    /// ```
    rootn(x, degree: i32) -> T = Op::Call("rootn");

    /// x · 2 to the power of an integer, correctly rounded.
    ldexp(x, exponent: i32) -> T = Op::Call("ldexp");
    /// The exponent of x as an integer. What it is for 0 and NaN is the device's choice.
    ilogb(x) -> i32 = Op::Call("ilogb");
    /// The exponent of x as a float; -∞ for 0.
    logb(x) -> T = Op::Call("logb");
}

pairs! { T: Float where
    /// The significand, at least 0.5 and below 1 in magnitude, and the exponent: their
    /// [`ldexp`] is x.
    frexp(x) -> (T, i32);
}

/// Unsigned integers as wide as floats: the codes of [`nan`].
pub trait NanCode: Integer {
    /// The floating-point type of this width.
    type Float: Float;
}

impl NanCode for u16 {
    type Float = half::f16;
}

impl NanCode for u32 {
    type Float = f32;
}

impl NanCode for u64 {
    type Float = f64;
}

functions! { T: NanCode where
    /// A quiet NaN of the float type as wide as the code, which goes into the significand.
    nan(code) -> T::Float = Op::Call("nan");
}
