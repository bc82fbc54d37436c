//! Rounding to integers, remainders, neighbouring floats: all exact.

use super::*;
use crate::element::Float;

functions! { T: Float where
    /// Returns the largest integer not above x.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::math::{floor, rint, round};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[2.5_f32, -2.5])?;
    /// let (down, even, away) = zip((floor(&x), rint(&x), round(&x))).collect()?;
    /// assert_eq!(down.to_vec()?, [2.0, -3.0]);
    /// assert_eq!(even.to_vec()?, [2.0, -2.0]);
    /// assert_eq!(away.to_vec()?, [3.0, -3.0]);
    /// # Ok(())
    /// # }
    /// ```
    floor(x) -> T = Op::Call("floor");
    /// Returns the smallest integer not below x.
    ceil(x) -> T = Op::Call("ceil");
    /// Returns the integer part of x: x rounded towards zero.
    trunc(x) -> T = Op::Call("trunc");
    /// Returns the nearest integer, ties away from zero.
    round(x) -> T = Op::Call("round");
    /// Returns the nearest integer, ties to the even integer.
    #[doc(alias = "round_ties_even")]
    rint(x) -> T = Op::Call("rint");

    /// Returns the remainder of x / y with the quotient rounded towards zero: `x % y`.
    fmod(x, y: T) -> T = Op::Rem;
    /// Returns the remainder of x / y with the quotient rounded to nearest, ties to even.
    remainder(x, y: T) -> T = Op::Call("remainder");
    /// Returns x - y where it is positive, else 0.
    fdim(x, y: T) -> T = Op::Call("fdim");

    /// Returns the next float after x in the direction of y.
    nextafter(x, y: T) -> T = Op::Call("nextafter");
    /// Returns the magnitude of x with the sign of y.
    copysign(x, y: T) -> T = Op::Call("copysign");
}

pairs! { T: Float where
    /// Returns x minus its [`floor`], limited to below 1, and the floor.
    fract(x) -> (T, T);
    /// Returns the fraction and the integer part, both with the sign of x.
    modf(x) -> (T, T);
    /// Returns the [`remainder`] of x / y and the quotient: its sign and at least the last seven bits of its magnitude.
    ///
    /// If the remainder is NaN, the device chooses the quotient.
    remquo(x, y: T) -> (T, i32);
}
