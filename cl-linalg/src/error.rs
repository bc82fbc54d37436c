//! Errors of linear algebra.

/// A result whose error is an [`Error`] of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why a factorisation or a solve failed.
///
/// ```
/// let error = cl_linalg::Error::from(cl_core::Error::invalid_input("solve", "shapes [2, 3] and [2, 1] do not fit"));
/// assert!(error.to_string().contains("[2, 3]"));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A pivot is exactly zero: the matrix is singular.
    #[error("{operation}: the matrix is singular: pivot {pivot} is zero")]
    #[non_exhaustive]
    Singular {
        /// The operation that failed.
        operation: &'static str,
        /// The index of the first pivot that is zero.
        pivot: usize,
    },
    /// A pivot of a Cholesky factorisation is not positive: the matrix is not positive definite.
    #[error("{operation}: the matrix is not positive definite: pivot {pivot} is not positive")]
    #[non_exhaustive]
    NotPositiveDefinite {
        /// The operation that failed.
        operation: &'static str,
        /// The index of the first pivot that is not positive: the leading minor of one row more is not positive.
        pivot: usize,
    },
    /// An element of the matrix is NaN or infinite, or a number overflowed.
    #[error("{operation}: an element is NaN or infinite")]
    #[non_exhaustive]
    NotFinite {
        /// The operation that failed.
        operation: &'static str,
    },
    /// An iteration did not converge.
    #[error("{operation}: no convergence after {iterations} iterations")]
    #[non_exhaustive]
    NotConverged {
        /// The operation that failed.
        operation: &'static str,
        /// The number of iterations.
        iterations: usize,
    },
    /// The factorisation or the solve failed for a matrix of a batch.
    #[error("matrix {matrix} of the batch: {error}")]
    #[non_exhaustive]
    InBatch {
        /// The index of the first matrix that failed.
        matrix: usize,
        /// The reason.
        error: Box<Error>,
    },
    /// OpenCL failed, or the input is invalid: shapes that do not fit, for example.
    #[error(transparent)]
    Failed(#[from] cl_core::Error),
}
