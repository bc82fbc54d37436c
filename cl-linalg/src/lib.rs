//! Dense linear algebra on any OpenCL device, on the arrays and views of `cl-array`.
//!
//! | file | concept |
//! | --- | --- |
//! | `scalar` | the types of elements: `f32`, `f64` and complex numbers of both |
//! | `factor` | LU, Cholesky and QR, on the host, the device and both |
//! | `error` | errors: singular and indefinite matrices, NaN |
//! | `triangular` | solutions of triangular systems |

mod error;
mod factor;
mod scalar;
mod triangular;

pub use cl_algo::ranked::Half;
pub use error::{Error, Result};
pub use factor::{
    CHOLESKY, Cholesky, FactorSettings, LU, LinearAlgebra, Lu, PivotedQr, Place, QR, Qr, SolveRefined,
};
pub use scalar::{RealScalar, Scalar};
pub use triangular::{Triangle, solve_triangular, solve_triangular_right};

/// The names that most programs use.
pub mod prelude {
    pub use crate::{LinearAlgebra, Scalar, SolveRefined};
    pub use cl_array::prelude::*;
}
