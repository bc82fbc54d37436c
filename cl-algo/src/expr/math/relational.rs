//! Tests of floats, choice by bits.

use super::*;
use crate::element::{Float, Number};

functions! { T: Float where
    /// x = y; false if one is NaN.
    isequal(x, y: T) -> bool = Op::Test("isequal");
    /// x ≠ y; true if one is NaN.
    isnotequal(x, y: T) -> bool = Op::Test("isnotequal");
    /// x > y.
    isgreater(x, y: T) -> bool = Op::Test("isgreater");
    /// x ≥ y.
    isgreaterequal(x, y: T) -> bool = Op::Test("isgreaterequal");
    /// x < y.
    isless(x, y: T) -> bool = Op::Test("isless");
    /// x ≤ y.
    islessequal(x, y: T) -> bool = Op::Test("islessequal");
    /// x < y or x > y; false if one is NaN.
    islessgreater(x, y: T) -> bool = Op::Test("islessgreater");
    /// Neither is NaN.
    isordered(x, y: T) -> bool = Op::Test("isordered");
    /// One is NaN.
    isunordered(x, y: T) -> bool = Op::Test("isunordered");

    /// Neither infinite nor NaN.
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
    isfinite(x) -> bool = Op::Test("isfinite");
    /// Infinite, of either sign.
    isinf(x) -> bool = Op::Test("isinf");
    /// Not a number.
    isnan(x) -> bool = Op::Test("isnan");
    /// Neither zero, subnormal, infinite nor NaN.
    isnormal(x) -> bool = Op::Test("isnormal");
    /// Whether the sign bit is set: also of -0 and of NaN.
    signbit(x) -> bool = Op::Test("signbit");
}

functions! { T: Number where
    /// Bit by bit, that of x where the bit of `by` is 0, and that of y where it is 1.
    bitselect(x, y: T, by: T) -> T = Op::Call("bitselect");
}
