//! Square roots of numbers that are known to need no special case, in device functions.

/// Numbers whose square roots cost less if zeros, infinities and other special cases are ruled out, on the host and in
/// a [`#[device_fn]`](crate::device_fn).
///
/// ```
/// use cl_algo::function::SqrtNormal;
/// use cl_algo::prelude::*;
///
/// /// How long the hypotenuse is.
/// #[device_fn]
/// fn long(a: f32, b: f32) -> f32 {
///     (a * a + b * b).sqrt_normal()
/// }
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = DeviceVec::from_slice(&queue, &[3.0_f32, 5.0])?;
/// assert_eq!(long(&a, &a + 1.0).collect()?.to_vec()?[0], long(3.0, 4.0));
/// # Ok(())
/// # }
/// ```
pub trait SqrtNormal {
    /// Returns the square root of a number between 2^-100 and 2^127, rounded as `sqrt` rounds. For other numbers a
    /// device may return any number, or NaN.
    #[must_use]
    fn sqrt_normal(self) -> Self;
}

impl SqrtNormal for f32 {
    #[inline]
    fn sqrt_normal(self) -> f32 {
        self.sqrt()
    }
}
