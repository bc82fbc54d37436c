//! Powers, logarithms, and the significand and exponent of floats.

use super::*;
use crate::element::{Float, Integer};

functions! { T: Float where
    /// Returns e to the power of x. Errors up to 2, 3 and 3 ulp.
    exp(x) -> T = Op::Call("exp");
    /// Returns 2 to the power of x. Errors up to 2, 3 and 3 ulp.
    exp2(x) -> T = Op::Call("exp2");
    /// Returns 10 to the power of x. Errors up to 2, 3 and 3 ulp.
    exp10(x) -> T = Op::Call("exp10");
    /// Returns e to the power of x, minus 1: precise near 0. Errors up to 2, 3 and 3 ulp.
    #[doc(alias = "exp_m1")]
    expm1(x) -> T = Op::Call("expm1");
    /// Returns the natural logarithm. Errors up to 2, 3 and 3 ulp.
    log(x) -> T = Op::Call("log");
    /// Returns the logarithm to base 2. Errors up to 2, 3 and 3 ulp.
    log2(x) -> T = Op::Call("log2");
    /// Returns the logarithm to base 10. Errors up to 2, 3 and 3 ulp.
    log10(x) -> T = Op::Call("log10");
    /// Returns the natural logarithm of 1 + x: precise near 0. Errors up to 2 ulp.
    #[doc(alias = "ln_1p")]
    log1p(x) -> T = Op::Call("log1p");

    /// Returns x to the power of y. Errors up to 4, 16 and 16 ulp.
    #[doc(alias = "power")]
    pow(x, y: T) -> T = Op::Call("pow");
    /// Returns x to the power of y, for x ≥ 0. Errors up to 4, 16 and 16 ulp.
    powr(x, y: T) -> T = Op::Call("powr");
    /// Returns x to the power of an integer. Errors up to 4, 16 and 16 ulp.
    pown(x, power: i32) -> T = Op::Call("pown");
    /// Returns the root of x of an integer degree: x to the power of 1 / degree. Errors up to 4, 16 and 16 ulp.
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

    /// Returns x · 2 to the power of an integer, correctly rounded.
    ldexp(x, exponent: i32) -> T = Op::Call("ldexp");
    /// Returns the exponent of x as an integer. For 0 and NaN the device chooses the result.
    ilogb(x) -> i32 = Op::Call("ilogb");
    /// Returns the exponent of x as a float; -∞ for 0.
    logb(x) -> T = Op::Call("logb");
}

pairs! { T: Float where
    /// Returns the significand and the exponent, whose [`ldexp`] is x. The significand's magnitude is at least 0.5 and
    /// below 1.
    frexp(x) -> (T, i32);
}

/// Unsigned integers of the size of a float type: the codes of [`nan`].
pub trait NanCode: Integer {
    /// The floating-point type of this size.
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
    /// Returns a quiet NaN of the float type of the code's size. The code goes into the significand.
    nan(code) -> T::Float = Op::Call("nan");
}
