//! Integers: saturation, halves of products, bits.

use super::*;
use crate::element::{Bits, Integer};
use crate::ir::graph::Graph;

/// The integers that all integer functions take.
pub trait AnyInteger: Integer + Bits + Magnitude {}

impl<T: Integer + Bits + Magnitude> AnyInteger for T {}

functions! { T: AnyInteger where
    /// Returns |x - y|, without overflow.
    abs_diff(x, y: T) -> T::Magnitude = Op::Call("abs_diff");
}

functions! { T: Integer where
    /// Returns x + y, limited to the range of the type.
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
    #[doc(alias = "saturating_add")]
    add_sat(x, y: T) -> T = Op::Call("add_sat");
    /// Returns x - y, limited to the range of the type.
    #[doc(alias = "saturating_sub")]
    sub_sat(x, y: T) -> T = Op::Call("sub_sat");
    /// Returns x · y + z, limited to the range of the type.
    mad_sat(x, y: T, z: T) -> T = Op::Call("mad_sat");
    /// Returns (x + y) / 2 rounded down, without overflow.
    #[doc(alias = "midpoint")]
    hadd(x, y: T) -> T = Op::Call("hadd");
    /// Returns (x + y) / 2 rounded up, without overflow.
    rhadd(x, y: T) -> T = Op::Call("rhadd");
    /// Returns the upper half of the bits of x · y.
    mul_hi(x, y: T) -> T = Op::Call("mul_hi");

    /// Rotates the bits of x to the left by `count` positions, as Rust's [`rotate_left`](i32::rotate_left) does.
    #[doc(alias = "rotate_left")]
    rotate(x, count: T) -> T = Op::Call("rotate");
    /// Returns the number of zero bits above the highest 1; the number of all bits for x = 0.
    #[doc(alias = "leading_zeros")]
    clz(x) -> T = Op::Call("clz");
    /// Returns the number of bits that are 1.
    #[doc(alias = "count_ones")]
    popcount(x) -> T = Op::Call("popcount");
}

/// Returns the upper half of the bits of x · y, plus z: OpenCL's `mad_hi`. The sum wraps, as all sums here do.
pub fn mad_hi<'a, T: Integer>(
    x: impl Operand<'a, T>,
    y: impl Operand<'a, T>,
    z: impl Operand<'a, T>,
) -> Expr<'a, T> {
    mul_hi(x, y) + z.into_expr()
}

/// Returns the number of zero bits below the lowest 1; the number of all bits for x = 0.
///
/// OpenCL C has this function only since 2.0. Here it is the [`popcount`] of the bits below the lowest 1.
#[doc(alias = "trailing_zeros")]
pub fn ctz<'a, T: AnyInteger>(x: impl Operand<'a, T>) -> Expr<'a, T> {
    let x = x.into_expr();
    popcount(!&x & (x - one()))
}

/// Returns the constant 1, as part of the kernel's source.
fn one<'a, T: Integer>() -> Expr<'a, T> {
    Expr::new(Graph::leaf(Op::Constant(1), T::TYPE))
}

impl<'a, T: Integer> Expr<'a, T> {
    /// Returns the upper half of the bits of x · y, plus z; see [`mad_hi`].
    pub fn mad_hi(self, y: impl Operand<'a, T>, z: impl Operand<'a, T>) -> Expr<'a, T> {
        mad_hi(self, y, z)
    }

    /// Returns the number of zero bits below the lowest 1; see [`ctz`].
    pub fn ctz(self) -> Expr<'a, T>
    where
        T: AnyInteger,
    {
        ctz(self)
    }
}

impl<T: Integer> Val<T> {
    /// Returns the upper half of the bits of x · y, plus z; see [`mad_hi`].
    #[must_use]
    pub fn mad_hi(self, y: impl Symbol<T>, z: impl Symbol<T>) -> Val<T> {
        self.mul_hi(y) + z.into_val()
    }

    /// Returns the number of zero bits below the lowest 1; see [`ctz`].
    #[must_use]
    pub fn ctz(self) -> Val<T>
    where
        T: AnyInteger,
    {
        let one = extend(|recording| recording.apply(Op::Constant(1), T::TYPE, &[]));
        (!self & (self - one)).popcount()
    }
}

/// Integers that can be halves of an integer of twice the size: see [`upsample`].
pub trait Upsample: Integer {
    /// The type of the lower half: the unsigned type of the same size.
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
    /// Returns the integer of twice the size with upper half x and lower half `low`.
    upsample(x, low: T::Low) -> T::Wide = Op::Call("upsample");
}

/// The integers that [`mul24`] and [`mad24`] take: integers of 32 bits.
pub trait Factor24: Integer {}

impl Factor24 for i32 {}
impl Factor24 for u32 {}

functions! { T: Factor24 where
    /// Returns x · y for factors of 24 bits: -2²³ to 2²³ - 1, or 0 to 2²⁴ - 1.
    ///
    /// Some devices compute this faster. For larger factors the device chooses the result.
    mul24(x, y: T) -> T = Op::Call("mul24");
    /// Returns x · y + z, with the product of [`mul24`].
    mad24(x, y: T, z: T) -> T = Op::Call("mad24");
}
