//! Functions of floats and integers with one name; blending and steps.

use super::*;
use crate::element::{Float, Number, Ordered};

/// The numbers that [`abs`] takes.
pub trait Magnitude: Number {
    /// The type of the magnitude: the unsigned type of the same size for integers, the same type for floats.
    type Magnitude: Number;
}

macro_rules! magnitudes {
    ($($type:ty: $magnitude:ty;)*) => {$(impl Magnitude for $type { type Magnitude = $magnitude; })*};
}

magnitudes! {
    i8: u8; u8: u8; i16: u16; u16: u16; i32: u32; u32: u32; i64: u64; u64: u64;
    half::f16: half::f16; f32: f32; f64: f64;
}

/// Returns the operation that has one name for integers and another for floats.
fn by_class<T: Element>(of_integers: &'static str, of_floats: &'static str) -> Op {
    Op::Call(if T::TYPE.is_float() { of_floats } else { of_integers })
}

functions! { T: Magnitude where
    /// Returns the absolute value: a float for floats (OpenCL's `fabs`), an unsigned integer for integers, as Rust's
    /// [`unsigned_abs`](i32::unsigned_abs).
    #[doc(alias("fabs", "absolute", "unsigned_abs"))]
    abs(x) -> T::Magnitude = by_class::<T>("abs", "fabs");
}

functions! { T: Ordered where
    /// Returns the smaller of x and y; if one float is NaN, the other one (OpenCL's `fmin`).
    #[doc(alias("fmin", "minimum"))]
    min(x, y: T) -> T = by_class::<T>("min", "fmin");
    /// Returns the larger of x and y; if one float is NaN, the other one (OpenCL's `fmax`).
    #[doc(alias("fmax", "maximum"))]
    max(x, y: T) -> T = by_class::<T>("max", "fmax");
    /// Limits x to the range from `low` to `high`. If `low > high`, or if one value is NaN, the device chooses the
    /// result.
    #[doc(alias = "clip")]
    clamp(x, low: T, high: T) -> T = Op::Call("clamp");
}

functions! { T: Float where
    /// Returns x or y, whichever has the smaller magnitude; [`min`] of both if the magnitudes are equal.
    minmag(x, y: T) -> T = Op::Call("minmag");
    /// Returns x or y, whichever has the larger magnitude; [`max`] of both if the magnitudes are equal.
    maxmag(x, y: T) -> T = Op::Call("maxmag");
    /// Returns x · y + z with one rounding: OpenCL's `fma`.
    #[doc(alias = "fma")]
    mul_add(x, y: T, z: T) -> T = Op::Call("fma");
    /// Returns x · y + z, as fast as the device can: with one rounding, with two, or less precisely.
    mad(x, y: T, z: T) -> T = Op::Call("mad");

    /// Converts radians to degrees. Errors up to 2 ulp.
    #[doc(alias("to_degrees", "rad2deg"))]
    degrees(radians) -> T = Op::Call("degrees");
    /// Converts degrees to radians. Errors up to 2 ulp.
    #[doc(alias("to_radians", "deg2rad"))]
    radians(degrees) -> T = Op::Call("radians");
    /// Returns `x + (y - x) * weight`: x for weight 0, y for weight 1. Errors up to 1e-3.
    #[doc(alias = "lerp")]
    mix(x, y: T, weight: T) -> T = Op::Call("mix");
    /// Returns 1, 0, -0 or -1 with the sign of x; 0 for NaN.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::math::{abs, clamp, sign, step};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[-2.0_f32, 0.5, 7.0])?;
    /// let (sign, limited, step) = zip((sign(&x), clamp(&x, -1.0, 1.0), step(0.5, &x))).collect()?;
    /// assert_eq!(sign.to_vec()?, [-1.0, 1.0, 1.0]);
    /// assert_eq!(limited.to_vec()?, [-1.0, 0.5, 1.0]);
    /// assert_eq!(step.to_vec()?, [0.0, 1.0, 1.0]);
    /// let spans = DeviceVec::from_slice(&queue, &[i32::MIN, -1, 1])?;
    /// assert_eq!(abs(&spans).collect()?.to_vec()?, [1_u32 << 31, 1, 1]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "signum")]
    sign(x) -> T = Op::Call("sign");
    /// Returns 0 where `x < edge`, else 1. As in OpenCL, the edge comes first, also in the method.
    step(edge, x: T) -> T = Op::Call("step");
    /// Returns 0 where `x <= low`, 1 where `x >= high`, and Hermite's smooth curve between them. Errors up to 1e-5.
    ///
    /// Undefined for `low >= high` and for NaN. As in OpenCL, x comes last, also in the method.
    smoothstep(low, high: T, x: T) -> T = Op::Call("smoothstep");
}
