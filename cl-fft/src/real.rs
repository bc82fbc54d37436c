//! The types of real numbers that transforms support.

use cl_algo::{Castable, ComplexPart, Element, Number};
use std::ops::{Div, Mul};

mod sealed {
    /// The types that have kernels.
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// The type of real numbers and of the parts of complex numbers: `f32`, or `f64` on devices that support it.
pub trait Real:
    ComplexPart
    + Number
    + Castable
    + Element<Stored = Self>
    + Copy
    + PartialOrd
    + Div<Output = Self>
    + Mul<Output = Self>
    + sealed::Sealed
{
    /// Returns the nearest number of this type.
    #[doc(hidden)]
    fn rounded(value: f64) -> Self;

    /// The size of a number in bytes.
    #[doc(hidden)]
    const BYTES: usize = size_of::<Self>();
}

impl Real for f32 {
    fn rounded(value: f64) -> f32 {
        value as f32
    }
}

impl Real for f64 {
    fn rounded(value: f64) -> f64 {
        value
    }
}
