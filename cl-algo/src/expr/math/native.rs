//! `half_` and `native_`: faster and less precise, for `f32`.

use super::*;
use crate::element::Float;

/// The floats that have `half_` and `native_` functions: `f32`.
pub trait Single: Float {}

impl Single for f32 {}

functions! { T: Single where
    /// [`cos`](super::cos) within 8192 ulp, for |x| ≤ 65536.
    half_cos(x) -> T = Op::Call("half_cos");
    /// x / y within 8192 ulp.
    half_divide(x, y: T) -> T = Op::Call("half_divide");
    /// [`exp`](super::exp) within 8192 ulp.
    half_exp(x) -> T = Op::Call("half_exp");
    /// [`exp2`](super::exp2) within 8192 ulp.
    half_exp2(x) -> T = Op::Call("half_exp2");
    /// [`exp10`](super::exp10) within 8192 ulp.
    half_exp10(x) -> T = Op::Call("half_exp10");
    /// [`log`](super::log) within 8192 ulp.
    half_log(x) -> T = Op::Call("half_log");
    /// [`log2`](super::log2) within 8192 ulp.
    half_log2(x) -> T = Op::Call("half_log2");
    /// [`log10`](super::log10) within 8192 ulp.
    half_log10(x) -> T = Op::Call("half_log10");
    /// [`powr`](super::powr) within 8192 ulp.
    half_powr(x, y: T) -> T = Op::Call("half_powr");
    /// 1 / x within 8192 ulp.
    half_recip(x) -> T = Op::Call("half_recip");
    /// [`rsqrt`](super::rsqrt) within 8192 ulp.
    half_rsqrt(x) -> T = Op::Call("half_rsqrt");
    /// [`sin`](super::sin) within 8192 ulp, for |x| ≤ 65536.
    half_sin(x) -> T = Op::Call("half_sin");
    /// [`sqrt`](super::sqrt) within 8192 ulp.
    half_sqrt(x) -> T = Op::Call("half_sqrt");
    /// [`tan`](super::tan) within 8192 ulp, for |x| ≤ 65536.
    half_tan(x) -> T = Op::Call("half_tan");

    /// [`cos`](super::cos) with an error and for arguments of the device's choice.
    native_cos(x) -> T = Op::Call("native_cos");
    /// x / y with an error and for arguments of the device's choice.
    native_divide(x, y: T) -> T = Op::Call("native_divide");
    /// [`exp`](super::exp) with an error and for arguments of the device's choice.
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
    /// [`exp2`](super::exp2) with an error and for arguments of the device's choice.
    native_exp2(x) -> T = Op::Call("native_exp2");
    /// [`exp10`](super::exp10) with an error and for arguments of the device's choice.
    native_exp10(x) -> T = Op::Call("native_exp10");
    /// [`log`](super::log) with an error and for arguments of the device's choice.
    native_log(x) -> T = Op::Call("native_log");
    /// [`log2`](super::log2) with an error and for arguments of the device's choice.
    native_log2(x) -> T = Op::Call("native_log2");
    /// [`log10`](super::log10) with an error and for arguments of the device's choice.
    native_log10(x) -> T = Op::Call("native_log10");
    /// [`powr`](super::powr) with an error and for arguments of the device's choice.
    native_powr(x, y: T) -> T = Op::Call("native_powr");
    /// 1 / x with an error and for arguments of the device's choice.
    native_recip(x) -> T = Op::Call("native_recip");
    /// [`rsqrt`](super::rsqrt) with an error and for arguments of the device's choice.
    native_rsqrt(x) -> T = Op::Call("native_rsqrt");
    /// [`sin`](super::sin) with an error and for arguments of the device's choice.
    native_sin(x) -> T = Op::Call("native_sin");
    /// [`sqrt`](super::sqrt) with an error and for arguments of the device's choice.
    native_sqrt(x) -> T = Op::Call("native_sqrt");
    /// [`tan`](super::tan) with an error and for arguments of the device's choice.
    native_tan(x) -> T = Op::Call("native_tan");
}
