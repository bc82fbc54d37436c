//! Integers: saturation, halves of products, bits.

use super::*;
use crate::element::{Bits, Integer};
use crate::ir::graph::Graph;

/// Integers with all that is here.
pub trait AnyInteger: Integer + Bits + Magnitude {}

impl<T: Integer + Bits + Magnitude> AnyInteger for T {}

functions! { T: AnyInteger where
    /// |x - y|, without overflow.
    abs_diff(x, y: T) -> T::Magnitude = Op::Call("abs_diff");
}

functions! { T: Integer where
    /// x + y, but not beyond the ends of the type's range.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::math::{add_sat, popcount, upsample};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[250_u8, 12])?;
    /// assert_eq!(add_sat(&x, 10).collect()?.to_vec()?, [255, 22]);
    /// assert_eq!(popcount(&x).collect()?.to_vec()?, [6, 2]);
    /// assert_eq!(upsample(&x, 1).collect()?.to_vec()?, [0xfa01_u16, 0x0c01]);
    /// # Ok(())
    /// # }
    /// ```
    add_sat(x, y: T) -> T = Op::Call("add_sat");
    /// x - y, but not beyond the ends of the type's range.
    sub_sat(x, y: T) -> T = Op::Call("sub_sat");
    /// x · y + z, but not beyond the ends of the type's range.
    mad_sat(x, y: T, z: T) -> T = Op::Call("mad_sat");
    /// (x + y) / 2 rounded down, without overflow.
    hadd(x, y: T) -> T = Op::Call("hadd");
    /// (x + y) / 2 rounded up, without overflow.
    rhadd(x, y: T) -> T = Op::Call("rhadd");
    /// The upper half of the bits of x · y.
    mul_hi(x, y: T) -> T = Op::Call("mul_hi");

    /// The bits of x moved `count` places to the left, around the end. Rust's
    /// [`rotate_left`](i32::rotate_left).
    rotate(x, count: T) -> T = Op::Call("rotate");
    /// How many bits are 0 before the first 1; all of x = 0.
    clz(x) -> T = Op::Call("clz");
    /// How many bits are 1.
    popcount(x) -> T = Op::Call("popcount");
}

/// The upper half of the bits of x · y, plus z: OpenCL's `mad_hi`, wrapping as all sums here do.
pub fn mad_hi<'a, T: Integer>(
    x: impl Operand<'a, T>,
    y: impl Operand<'a, T>,
    z: impl Operand<'a, T>,
) -> Expr<'a, T> {
    mul_hi(x, y) + z.into_expr()
}

/// How many bits are 0 after the last 1; all of x = 0. (OpenCL C has had this since 2.0 only; here it
/// is the [`popcount`] of the bits after the last 1.)
pub fn ctz<'a, T: AnyInteger>(x: impl Operand<'a, T>) -> Expr<'a, T> {
    let x = x.into_expr();
    popcount(!&x & (x - one()))
}

/// 1, in the kernel's source.
fn one<'a, T: Integer>() -> Expr<'a, T> {
    Expr::new(Graph::leaf(Op::Constant(1), T::TYPE))
}

impl<'a, T: Integer> Expr<'a, T> {
    /// As [`mad_hi`].
    pub fn mad_hi(self, y: impl Operand<'a, T>, z: impl Operand<'a, T>) -> Expr<'a, T> {
        mad_hi(self, y, z)
    }

    /// As [`ctz`].
    pub fn ctz(self) -> Expr<'a, T>
    where
        T: AnyInteger,
    {
        ctz(self)
    }
}

impl<T: Integer> Val<T> {
    /// As [`mad_hi`].
    #[must_use]
    pub fn mad_hi(self, y: impl Symbol<T>, z: impl Symbol<T>) -> Val<T> {
        self.mul_hi(y) + z.into_val()
    }

    /// As [`ctz`].
    #[must_use]
    pub fn ctz(self) -> Val<T>
    where
        T: AnyInteger,
    {
        let one = extend(|recording| recording.apply(Op::Constant(1), T::TYPE, &[]));
        (!self & (self - one)).popcount()
    }
}

/// Integers of which two make one of twice the size: see [`upsample`].
pub trait Upsample: Integer {
    /// The unsigned type of the same size: the lower half.
    type Low: Integer;
    /// The type of twice the size.
    type Wide: Integer;
}

macro_rules! upsample {
    ($($type:ty: $low:ty, $wide:ty;)*) => {
        $(impl Upsample for $type { type Low = $low; type Wide = $wide; })*
    };
}

upsample! {
    i8: u8, i16; u8: u8, u16; i16: u16, i32; u16: u16, u32; i32: u32, i64; u32: u32, u64;
}

functions! { T: Upsample where
    /// The integer of twice the size whose halves are x and `low`.
    upsample(x, low: T::Low) -> T::Wide = Op::Call("upsample");
}

/// Integers that [`mul24`] and [`mad24`] take: those of 32 bits.
pub trait Factor24: Integer {}

impl Factor24 for i32 {}
impl Factor24 for u32 {}

functions! { T: Factor24 where
    /// x · y, which some devices have faster, for factors that fit into 24 bits: -2²³ to 2²³ - 1, or 0
    /// to 2²⁴ - 1. For others the result is the device's choice.
    mul24(x, y: T) -> T = Op::Call("mul24");
    /// x · y + z, as [`mul24`] multiplies.
    mad24(x, y: T, z: T) -> T = Op::Call("mad24");
}
