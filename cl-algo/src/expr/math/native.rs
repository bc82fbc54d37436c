//! `half_` and `native_`: faster and less precise, for `f32`.

use super::*;
use crate::element::Float;

/// The floats that have `half_` and `native_` functions: `f32`.
pub trait Single: Float {}

impl Single for f32 {}

functions! { T: Single where
    /// Returns [`cos`](super::cos) within 8192 ulp, for |x| ≤ 65536.
    half_cos(x) -> T = Op::Call("half_cos");
    /// Returns x / y within 8192 ulp.
    half_divide(x, y: T) -> T = Op::Call("half_divide");
    /// Returns [`exp`](super::exp) within 8192 ulp.
    half_exp(x) -> T = Op::Call("half_exp");
    /// Returns [`exp2`](super::exp2) within 8192 ulp.
    half_exp2(x) -> T = Op::Call("half_exp2");
    /// Returns [`exp10`](super::exp10) within 8192 ulp.
    half_exp10(x) -> T = Op::Call("half_exp10");
    /// Returns [`log`](super::log) within 8192 ulp.
    half_log(x) -> T = Op::Call("half_log");
    /// Returns [`log2`](super::log2) within 8192 ulp.
    half_log2(x) -> T = Op::Call("half_log2");
    /// Returns [`log10`](super::log10) within 8192 ulp.
    half_log10(x) -> T = Op::Call("half_log10");
    /// Returns [`powr`](super::powr) within 8192 ulp.
    half_powr(x, y: T) -> T = Op::Call("half_powr");
    /// Returns 1 / x within 8192 ulp.
    half_recip(x) -> T = Op::Call("half_recip");
    /// Returns [`rsqrt`](super::rsqrt) within 8192 ulp.
    half_rsqrt(x) -> T = Op::Call("half_rsqrt");
    /// Returns [`sin`](super::sin) within 8192 ulp, for |x| ≤ 65536.
    half_sin(x) -> T = Op::Call("half_sin");
    /// Returns [`sqrt`](super::sqrt) within 8192 ulp.
    half_sqrt(x) -> T = Op::Call("half_sqrt");
    /// Returns [`tan`](super::tan) within 8192 ulp, for |x| ≤ 65536.
    half_tan(x) -> T = Op::Call("half_tan");

    /// Returns [`cos`](super::cos). The device chooses the error and the range of arguments.
    native_cos(x) -> T = Op::Call("native_cos");
    /// Returns x / y. The device chooses the error and the range of arguments.
    native_divide(x, y: T) -> T = Op::Call("native_divide");
    /// Returns [`exp`](super::exp). The device chooses the error and the range of arguments.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::math::{exp, native_exp};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[-1.0_f32, 0.0, 1.0])?;
    /// let error = (native_exp(&x) / exp(&x) - 1.0).collect()?.to_vec()?;
    /// assert!(error.iter().all(|error| error.abs() < 1e-3));
    /// # Ok(())
    /// # }
    /// ```
    native_exp(x) -> T = Op::Call("native_exp");
    /// Returns [`exp2`](super::exp2). The device chooses the error and the range of arguments.
    native_exp2(x) -> T = Op::Call("native_exp2");
    /// Returns [`exp10`](super::exp10). The device chooses the error and the range of arguments.
    native_exp10(x) -> T = Op::Call("native_exp10");
    /// Returns [`log`](super::log). The device chooses the error and the range of arguments.
    native_log(x) -> T = Op::Call("native_log");
    /// Returns [`log2`](super::log2). The device chooses the error and the range of arguments.
    native_log2(x) -> T = Op::Call("native_log2");
    /// Returns [`log10`](super::log10). The device chooses the error and the range of arguments.
    native_log10(x) -> T = Op::Call("native_log10");
    /// Returns [`powr`](super::powr). The device chooses the error and the range of arguments.
    native_powr(x, y: T) -> T = Op::Call("native_powr");
    /// Returns 1 / x. The device chooses the error and the range of arguments.
    native_recip(x) -> T = Op::Call("native_recip");
    /// Returns [`rsqrt`](super::rsqrt). The device chooses the error and the range of arguments.
    native_rsqrt(x) -> T = Op::Call("native_rsqrt");
    /// Returns [`sin`](super::sin). The device chooses the error and the range of arguments.
    native_sin(x) -> T = Op::Call("native_sin");
    /// Returns [`sqrt`](super::sqrt). The device chooses the error and the range of arguments.
    native_sqrt(x) -> T = Op::Call("native_sqrt");
    /// Returns [`tan`](super::tan). The device chooses the error and the range of arguments.
    native_tan(x) -> T = Op::Call("native_tan");
}
