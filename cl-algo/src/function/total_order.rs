//! Comparisons in the total order of floats, in device functions.

use half::f16;

/// Numbers in a total order, on the host and in a [`#[device_fn]`](crate::device_fn). The order of floats is that of
/// [`total_cmp`](f32::total_cmp). See [Orders](crate#orders).
///
/// ```
/// use cl_algo::function::TotalOrder;
/// use cl_algo::prelude::*;
///
/// #[device_fn]
/// fn first(a: f32, b: f32) -> f32 {
///     if b.total_lt(a) { b } else { a }
/// }
///
/// # fn main() -> cl_core::Result<()> {
/// assert!(first(0.0, -0.0).is_sign_negative());
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[f32::NAN, 0.0])?;
/// let y = first(&x, -0.0_f32).collect()?.to_vec()?;
/// assert!(y.iter().all(|y| *y == 0.0 && y.is_sign_negative()));
/// # Ok(())
/// # }
/// ```
pub trait TotalOrder: Copy {
    /// Returns whether `self` comes before `other`.
    #[must_use]
    fn total_lt(self, other: Self) -> bool;
    /// Returns whether `self` comes before `other` or equals it.
    #[must_use]
    fn total_le(self, other: Self) -> bool;
    /// Returns whether `self` comes after `other`.
    #[must_use]
    fn total_gt(self, other: Self) -> bool;
    /// Returns whether `self` comes after `other` or equals it.
    #[must_use]
    fn total_ge(self, other: Self) -> bool;
}

macro_rules! total_orders {
    ($compare:ident: $($type:ty)*) => {$(
        impl TotalOrder for $type {
            #[inline]
            fn total_lt(self, other: $type) -> bool {
                self.$compare(&other).is_lt()
            }

            #[inline]
            fn total_le(self, other: $type) -> bool {
                self.$compare(&other).is_le()
            }

            #[inline]
            fn total_gt(self, other: $type) -> bool {
                self.$compare(&other).is_gt()
            }

            #[inline]
            fn total_ge(self, other: $type) -> bool {
                self.$compare(&other).is_ge()
            }
        }
    )*};
}

total_orders!(total_cmp: f16 f32 f64);
total_orders!(cmp: i8 u8 i16 u16 i32 u32 i64 u64);
