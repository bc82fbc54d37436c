//! Tests of floats, selection by bits.

use super::*;
use crate::element::{Float, Number};

functions! { T: Float where
    /// Returns whether x = y; `false` if one is NaN.
    isequal(x, y: T) -> bool = Op::Test("isequal");
    /// Returns whether x ≠ y; `true` if one is NaN.
    isnotequal(x, y: T) -> bool = Op::Test("isnotequal");
    /// Returns whether x > y.
    isgreater(x, y: T) -> bool = Op::Test("isgreater");
    /// Returns whether x ≥ y.
    isgreaterequal(x, y: T) -> bool = Op::Test("isgreaterequal");
    /// Returns whether x < y.
    isless(x, y: T) -> bool = Op::Test("isless");
    /// Returns whether x ≤ y.
    islessequal(x, y: T) -> bool = Op::Test("islessequal");
    /// Returns whether x < y or x > y; `false` if one is NaN.
    islessgreater(x, y: T) -> bool = Op::Test("islessgreater");
    /// Returns whether neither x nor y is NaN.
    isordered(x, y: T) -> bool = Op::Test("isordered");
    /// Returns whether x or y is NaN.
    isunordered(x, y: T) -> bool = Op::Test("isunordered");

    /// Returns whether x is neither infinite nor NaN.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::math::{isfinite, isnan};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, f32::INFINITY, f32::NAN])?;
    /// assert_eq!(isfinite(&x).collect()?.to_vec()?, [true, false, false]);
    /// let repaired = isnan(&x).select(0.0, &x).collect()?;
    /// assert_eq!(repaired.to_vec()?, [1.0, f32::INFINITY, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "is_finite")]
    isfinite(x) -> bool = Op::Test("isfinite");
    /// Returns whether x is infinite, of either sign.
    #[doc(alias = "is_infinite")]
    isinf(x) -> bool = Op::Test("isinf");
    /// Returns whether x is NaN.
    #[doc(alias = "is_nan")]
    isnan(x) -> bool = Op::Test("isnan");
    /// Returns whether x is neither zero, subnormal, infinite nor NaN.
    #[doc(alias = "is_normal")]
    isnormal(x) -> bool = Op::Test("isnormal");
    /// Returns whether the sign bit is set, also the sign bit of -0 and of NaN.
    #[doc(alias = "is_sign_negative")]
    signbit(x) -> bool = Op::Test("signbit");
}

functions! { T: Number where
    /// Returns, bit by bit, the bit of x where the bit of `by` is 0, and the bit of y where it is 1.
    bitselect(x, y: T, by: T) -> T = Op::Call("bitselect");
}
