//! Dense linear algebra on any OpenCL device, on the arrays and views of `cl-array`.
//!
//! | file | concept |
//! | --- | --- |
//! | `scalar` | the types of elements: `f32`, `f64` and complex numbers of both |
//! | `error` | errors: singular and indefinite matrices, NaN |

mod error;
mod scalar;

pub use error::{Error, Result};
pub use scalar::{RealScalar, Scalar};

/// The names that most programs use.
pub mod prelude {
    pub use crate::Scalar;
    pub use cl_array::prelude::*;
}
