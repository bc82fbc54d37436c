//! Lengths and products of OpenCL vectors.
//!
//! In the bounds, n is the number of components, and m is the largest magnitude of a component.

use super::*;
use crate::element::{Component, Float, Vector};

/// The vectors that geometric functions take: two, three or four floats.
pub trait Geometric: Element {
    /// The type of a component.
    type Component: Float;
}

/// Geometric vectors that have a vector product: three floats, or four floats of which the last is 0.
pub trait Spatial: Geometric {}

/// Geometric vectors that have `fast_` functions: vectors of `f32`.
pub trait SingleGeometric: Geometric {}

macro_rules! geometric {
    ($($n:literal)*) => {$(
        impl<T: Component + Float> Geometric for Vector<T, $n> {
            type Component = T;
        }

        impl SingleGeometric for Vector<f32, $n> {}
    )*};
}

geometric!(2 3 4);
impl<T: Component + Float> Spatial for Vector<T, 3> {}
impl<T: Component + Float> Spatial for Vector<T, 4> {}

functions! { T: Geometric where
    /// Returns the scalar product, with an error of up to m² · (2n - 1) · ε.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::math::{cross, dot, length};
    /// use cl_algo::F32x3;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = DeviceVec::from_slice(&queue, &[F32x3::from([3.0, 4.0, 0.0])])?;
    /// let b = DeviceVec::from_slice(&queue, &[F32x3::from([0.0, 2.0, 0.0])])?;
    /// assert_eq!(dot(&a, &b).collect()?.to_vec()?, [8.0]);
    /// assert_eq!(length(&a).collect()?.to_vec()?, [5.0]);
    /// assert_eq!(cross(&a, &b).collect()?.to_vec()?, [F32x3::from([0.0, 0.0, 6.0])]);
    /// # Ok(())
    /// # }
    /// ```
    dot(x, y: T) -> T::Component = Op::Call("dot");
    /// Returns the length of x - y, with an error of up to 5.5 + 2n ulp.
    distance(x, y: T) -> T::Component = Op::Call("distance");
    /// Returns the length, with an error of up to 5.5 + n ulp, without undue overflow.
    #[doc(alias = "norm")]
    length(x) -> T::Component = Op::Call("length");
    /// Returns the vector of length 1 in the same direction, with errors of up to 4.5 + n ulp; the zero vector for the
    /// zero vector.
    normalize(x) -> T = Op::Call("normalize");
}

functions! { T: Spatial where
    /// Returns the vector product of the first three components, with errors of up to 3m² · ε. A fourth component is 0.
    cross(x, y: T) -> T = Op::Call("cross");
}

functions! { T: SingleGeometric where
    /// Returns the [`distance`], with an error of up to 8191.5 + 2n ulp.
    fast_distance(x, y: T) -> T::Component = Op::Call("fast_distance");
    /// Returns the [`length`], with an error of up to 8191.5 + n ulp.
    fast_length(x) -> T::Component = Op::Call("fast_length");
    /// Returns the vector of length 1 in the same direction, as [`normalize`] does, with errors of up to 8192 + n ulp.
    fast_normalize(x) -> T = Op::Call("fast_normalize");
}
