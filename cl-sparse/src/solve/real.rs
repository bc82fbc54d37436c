//! The types of numbers that solvers support.

use cl_algo::{Castable, Element, Float, Ordered};
use std::fmt::Debug;

mod sealed {
    /// The types that have kernels.
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// The numbers of solvers: `f32`, or `f64` on devices that support it.
pub trait Real:
    Element<Stored = Self> + Float + Castable + Ordered + PartialOrd + Debug + sealed::Sealed
{
    /// The distance from 1 to the next number.
    #[doc(hidden)]
    const EPSILON: f64;

    /// Returns the nearest number of this type.
    #[doc(hidden)]
    fn rounded(value: f64) -> Self;

    /// Converts the number to `f64`, exactly.
    #[doc(hidden)]
    fn widened(self) -> f64;
}

impl Real for f32 {
    const EPSILON: f64 = f32::EPSILON as f64;

    fn rounded(value: f64) -> f32 {
        value as f32
    }

    fn widened(self) -> f64 {
        self.into()
    }
}

impl Real for f64 {
    const EPSILON: f64 = f64::EPSILON;

    fn rounded(value: f64) -> f64 {
        value
    }

    fn widened(self) -> f64 {
        self
    }
}
