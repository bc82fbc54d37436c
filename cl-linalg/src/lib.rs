//! Dense linear algebra on any OpenCL device, on the arrays and views of `cl-array`.
//!
//! | file | concept |
//! | --- | --- |
//! | `scalar` | the types of elements: `f32`, `f64` and complex numbers of both |
//! | `error` | errors: singular and indefinite matrices, NaN |
//! | `products` | products with triangular matrices, updates of one half |
//! | `triangular` | solutions of triangular systems |
//! | `spectra` | eigenvalues and singular values; power iteration, Lanczos' method, randomised decompositions |
//! | `batch` | batches of small matrices |

mod batch;
mod error;
mod products;
mod scalar;
mod triangular;

pub use cl_algo::ranked::Half;
mod spectra;

pub use batch::{BatchCholesky, BatchLu, BatchQr, MatrixBatch};
pub use error::{Error, Result};
pub use products::{add_matmul_half, add_matmul_triangular, add_triangular_matmul};
pub use scalar::{RealScalar, Scalar};
pub use triangular::{Triangle, solve_triangular, solve_triangular_right};
pub use spectra::{
    Dominant, Eigh, Lanczos, Operator, PowerIteration, RandomizedSvd, RitzPairs, RunsOn, Spectra, Svd,
    Wanted, eigh, eigh_generalized, eigvalsh, pseudo_inverse, singular_values, svd,
};

/// The names that most programs use.
pub mod prelude {
    pub use crate::{MatrixBatch, Scalar};
    pub use cl_array::prelude::*;
}
