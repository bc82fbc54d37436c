//! Dense linear algebra on any OpenCL device, on the arrays and views of `cl-array`.
//!
//! ```
//! use cl_linalg::prelude::*;
//! # fn main() -> cl_linalg::Result<()> {
//! let queue = Queue::on(&Device::first()?)?;
//! let a = Array::from_slice(&queue, [2, 2], &[4.0_f32, 1.0, 1.0, 3.0])?;
//! let x = a.solve(&Array::from_slice(&queue, [2], &[6.0, 7.0])?)?; // by LU
//! assert!((x.get([0])? - 1.0).abs() < 1e-5 && (x.get([1])? - 2.0).abs() < 1e-5);
//! # Ok(())
//! # }
//! ```

// | file | concept |
// | --- | --- |
// | `scalar` | the types of elements: `f32`, `f64` and complex numbers of both |
// | `error` | errors: singular and indefinite matrices, NaN |
// | `runs_on` | the processors that compute a decomposition |
// | `structure` | triangular, diagonal, symmetric and Hermitian matrices: their products, solves and updates |
// | `factor` | LU, Cholesky and QR, on the host, the device and both |
// | `spectra` | eigenvalues and singular values; power iteration, Lanczos' method, randomised decompositions |
// | `batch` | batches of small matrices |

mod batch;
mod error;
mod factor;
mod runs_on;
mod scalar;
mod spectra;
mod structure;

pub use batch::{BatchCholesky, BatchLu, BatchQr, MatrixBatch};
pub use cl_algo::ranked::Half;
pub use error::{Error, Result};
pub use factor::{
    CHOLESKY, Cholesky, FactorSettings, LU, LinearAlgebra, Lu, PivotedQr, QR, Qr, SolveRefined,
};
pub use runs_on::RunsOn;
pub use scalar::{RealScalar, Scalar};
pub use spectra::{
    Dominant, Eigh, Lanczos, Operator, PowerIteration, RandomizedSvd, RitzPairs, Spectra, Svd, Wanted, eigh,
    eigh_generalized, eigvalsh, pseudo_inverse, singular_values, svd,
};
pub use structure::{
    DiagonalMatrix, MatrixOperand, Structure, Structured, StructuredArray, WithStructure, add_matmul,
    add_matmul_half, add_outer, add_outer_half,
};

/// The names that most programs use.
pub mod prelude {
    pub use crate::{DiagonalMatrix, LinearAlgebra, MatrixBatch, Scalar, SolveRefined, WithStructure};
    pub use cl_array::prelude::*;
}
