//! Functions of floats and integers under one name; blending and steps.

use super::*;
use crate::element::{Float, Number, Ordered};

/// Numbers that [`abs`] takes.
pub trait Magnitude: Number {
    /// What holds the magnitude of every value: for integers the unsigned type of the same size.
    type Magnitude: Number;
}

macro_rules! magnitudes {
    ($($type:ty: $magnitude:ty;)*) => {$(impl Magnitude for $type { type Magnitude = $magnitude; })*};
}

magnitudes! {
    i8: u8; u8: u8; i16: u16; u16: u16; i32: u32; u32: u32; i64: u64; u64: u64;
    half::f16: half::f16; f32: f32; f64: f64;
}

/// The operation that goes by one name for integers and by another one for floats.
fn by_class<T: Element>(of_integers: &'static str, of_floats: &'static str) -> Op {
    Op::Call(if T::TYPE.is_float() { of_floats } else { of_integers })
}

functions! { T: Magnitude where
    /// Absolute value: of floats a float (OpenCL's `fabs`), of integers an unsigned integer, as Rust's
    /// [`unsigned_abs`](i32::unsigned_abs).
    abs(x) -> T::Magnitude = by_class::<T>("abs", "fabs");
}

functions! { T: Ordered where
    /// The smaller of x and y; of floats the other one if one is NaN (OpenCL's `fmin`).
    min(x, y: T) -> T = by_class::<T>("min", "fmin");
    /// The larger of x and y; of floats the other one if one is NaN (OpenCL's `fmax`).
    max(x, y: T) -> T = by_class::<T>("max", "fmax");
    /// x, but not below `low` and not above `high`. Where `low > high`, or where one is NaN, the result
    /// is the device's choice.
    clamp(x, low: T, high: T) -> T = Op::Call("clamp");
}

functions! { T: Float where
    /// The one of x and y with the smaller magnitude; their [`min`] if there is none.
    minmag(x, y: T) -> T = Op::Call("minmag");
    /// The one of x and y with the larger magnitude; their [`max`] if there is none.
    maxmag(x, y: T) -> T = Op::Call("maxmag");
    /// x · y + z with one rounding: OpenCL's `fma`.
    mul_add(x, y: T, z: T) -> T = Op::Call("fma");
    /// x · y + z, as fast as the device can: with one rounding, two, or less precise still.
    mad(x, y: T, z: T) -> T = Op::Call("mad");

    /// Radians as degrees. Errors up to 2 ulp.
    degrees(radians) -> T = Op::Call("degrees");
    /// Degrees as radians. Errors up to 2 ulp.
    radians(degrees) -> T = Op::Call("radians");
    /// `x + (y - x) * weight`: x where the weight is 0, y where it is 1. Errors up to 1e-3.
    mix(x, y: T, weight: T) -> T = Op::Call("mix");
    /// 1, 0, -0 or -1 like x; 0 for NaN.
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
    sign(x) -> T = Op::Call("sign");
    /// 0 where `x < edge`, else 1. Mind the order: as OpenCL has it, the edge comes first, also of the
    /// method.
    step(edge, x: T) -> T = Op::Call("step");
    /// 0 where `x <= low`, 1 where `x >= high`, and Hermite's smooth curve between them. Errors up to
    /// 1e-5. Undefined for `low >= high` and for NaN. Mind the order: x comes last, also of the method.
    smoothstep(low, high: T, x: T) -> T = Op::Call("smoothstep");
}
