//! `any` and `all` of OpenCL vectors.
//!
//! They have a module of their own, because their names are too common to be imported with the other functions. The
//! methods need no import.
//!
//! ```
//! use cl_algo::prelude::*;
//! use cl_algo::I32x2;
//! # fn main() -> cl_core::Result<()> {
//! # let queue = Queue::on(&Device::first()?)?;
//! let x = DeviceVec::from_slice(&queue, &[I32x2::from([1, -1]), I32x2::from([-1, -1])])?;
//! assert_eq!(x.iter().any().collect()?.to_vec()?, [true, true]);
//! assert_eq!(x.iter().all().collect()?.to_vec()?, [false, true]);
//! # Ok(())
//! # }
//! ```

use super::*;
use crate::element::{Component, Integer, Signed, Vector};

/// The vectors that [`any`] and [`all`] take: vectors of signed integers, as OpenCL's comparisons return.
pub trait Signs: Element {}

macro_rules! signs {
    ($($n:literal)*) => {$(impl<T: Component + Signed + Integer> Signs for Vector<T, $n> {})*};
}

signs!(2 3 4 8 16);

functions! { T: Signs where
    /// Returns whether any component is negative.
    any(x) -> bool = Op::Test("any");
    /// Returns whether all components are negative.
    all(x) -> bool = Op::Test("all");
}
