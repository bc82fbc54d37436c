//! To integers, remainders, neighbouring floats: all exact.

use super::*;
use crate::element::Float;

functions! { T: Float where
    /// The largest integer not above x.
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
    /// The smallest integer not below x.
    ceil(x) -> T = Op::Call("ceil");
    /// The integer towards zero.
    trunc(x) -> T = Op::Call("trunc");
    /// The nearest integer, ties away from zero.
    round(x) -> T = Op::Call("round");
    /// The nearest integer, ties to the even one.
    rint(x) -> T = Op::Call("rint");

    /// The remainder of x / y with the quotient towards zero: `x % y`.
    fmod(x, y: T) -> T = Op::Rem;
    /// The remainder of x / y with the quotient to nearest, ties to even.
    remainder(x, y: T) -> T = Op::Call("remainder");
    /// x - y where that is positive, else 0.
    fdim(x, y: T) -> T = Op::Call("fdim");

    /// The next float after x towards y.
    nextafter(x, y: T) -> T = Op::Call("nextafter");
    /// The magnitude of x with the sign of y.
    copysign(x, y: T) -> T = Op::Call("copysign");
}

pairs! { T: Float where
    /// x minus its [`floor`], but below 1, and the floor.
    fract(x) -> (T, T);
    /// The fraction and the integer towards zero, both with the sign of x.
    modf(x) -> (T, T);
    /// The [`remainder`] of x / y, and the quotient: its sign, and the last seven bits of its
    /// magnitude at least. What the quotient is where the remainder is NaN is the device's choice.
    remquo(x, y: T) -> (T, i32);
}
