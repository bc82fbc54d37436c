//! Dense linear algebra on any OpenCL device, on the arrays and views of `cl-array`.
//!
//! | file | concept |
//! | --- | --- |
//! | `scalar` | the types of elements: `f32`, `f64` and complex numbers of both |
//! | `error` | errors: singular and indefinite matrices, NaN |
//! | `spectra` | eigenvalues and singular values; power iteration, Lanczos' method, randomised decompositions |
//! | `batch` | batches of small matrices |

mod batch;
mod error;
mod scalar;
mod spectra;

pub use batch::{BatchCholesky, BatchLu, BatchQr, MatrixBatch};
pub use error::{Error, Result};
pub use scalar::{RealScalar, Scalar};
pub use spectra::{
    Dominant, Eigh, Lanczos, Operator, PowerIteration, RandomizedSvd, RitzPairs, RunsOn, Spectra, Svd,
    Wanted, eigh, eigh_generalized, eigvalsh, pseudo_inverse, singular_values, svd,
};

/// The names that most programs use.
pub mod prelude {
    pub use crate::{MatrixBatch, Scalar};
    pub use cl_array::prelude::*;
}
