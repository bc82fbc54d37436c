//! The upper halves of products, in device functions.

/// Integers with a method for the upper half of their product, on the host and in a [`#[device_fn]`](crate::device_fn):
/// one instruction on most devices.
///
/// ```
/// use cl_algo::function::MulHi;
/// use cl_algo::prelude::*;
///
/// /// A number below `bound`, about as likely as any other if all `x` are.
/// #[device_fn]
/// fn below(x: u32, bound: u32) -> u32 {
///     x.mul_hi(bound)
/// }
///
/// # fn main() -> cl_core::Result<()> {
/// assert_eq!(below(u32::MAX, 6), 5);
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[0_u32, 1 << 31, u32::MAX])?;
/// assert_eq!(below(&x, 6).collect()?.to_vec()?, [0, 3, 5]);
/// # Ok(())
/// # }
/// ```
pub trait MulHi {
    /// Returns the upper half of the bits of `self * other`.
    #[must_use]
    fn mul_hi(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($of:ty, $wide:ty;)*) => {$(
        impl MulHi for $of {
            #[inline]
            fn mul_hi(self, other: $of) -> $of {
                ((<$wide>::from(self) * <$wide>::from(other)) >> <$of>::BITS) as $of
            }
        }
    )*};
}

integers! {
    u8, u16;
    u16, u32;
    u32, u64;
    u64, u128;
    i8, i16;
    i16, i32;
    i32, i64;
    i64, i128;
}
