//! The numbers that transforms are made of.

use cl_algo::{Castable, ComplexPart, Element, Number};
use std::ops::{Div, Mul};

mod sealed {
    /// Kernels exist for these.
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// `f32`, or `f64` on devices that have it.
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
    /// The nearest number.
    #[doc(hidden)]
    fn rounded(value: f64) -> Self;

    /// Bytes of a number.
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
