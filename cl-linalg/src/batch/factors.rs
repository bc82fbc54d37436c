//! Factors of batches, and solutions with them.

use super::launch::{Triangle, check};
use super::{columns_of, singular, with_call};
use crate::error::Result;
use crate::scalar::Scalar;
use cl_array::{Array, ArrayExpr, ArrayOperand};

const SOLVE: &str = "solve";

/// The Cholesky factors of small matrices, by [`MatrixBatch::cholesky`](super::MatrixBatch::cholesky).
#[derive(Debug)]
pub struct BatchCholesky<T: Scalar> {
    factors: Array<T, 3>,
}

impl<T: Scalar> BatchCholesky<T> {
    pub(super) fn new(factors: Array<T, 3>) -> BatchCholesky<T> {
        BatchCholesky { factors }
    }

    /// Returns the factors `L`, of shape `[batch, n, n]`, with zeros above the diagonal.
    #[must_use]
    pub fn factors(&self) -> &Array<T, 3> {
        &self.factors
    }

    /// Returns the factors, without a copy.
    #[must_use]
    pub fn into_factors(self) -> Array<T, 3> {
        self.factors
    }

    /// Returns the solutions of `A X = B` for each matrix, by two triangular solves. `right` has shape `[batch, n]` for one
    /// right-hand side, or `[batch, n, columns]`.
    ///
    /// # Errors
    /// [`Error::Failed`](crate::Error::Failed) if the shape of `right` does not fit, and for failures of OpenCL.
    #[doc(alias = "potrs")]
    pub fn solve<'b, const M: usize>(&self, right: impl ArrayOperand<'b, T, M>) -> Result<Array<T, M>> {
        let lower = Triangle { is_lower: true, is_unit: false, is_adjoint: false };
        let half = substitute(&self.factors, lower, right.into_array_expr(), None)?;
        substitute(&self.factors, Triangle { is_adjoint: true, ..lower }, half.iter(), None)
    }
}

/// The factors `P A = L U` of small matrices, by [`MatrixBatch::lu`](super::MatrixBatch::lu).
#[derive(Debug)]
pub struct BatchLu<T: Scalar> {
    factors: Array<T, 3>,
    order: Array<u32, 2>,
}

impl<T: Scalar> BatchLu<T> {
    pub(super) fn new(factors: Array<T, 3>, order: Array<u32, 2>) -> BatchLu<T> {
        BatchLu { factors, order }
    }

    /// Returns `L` below the diagonals, where `L` itself is 1, and `U` on and above the diagonals.
    #[must_use]
    pub fn factors(&self) -> &Array<T, 3> {
        &self.factors
    }

    /// Returns the rows of each matrix in the order of `P A`, of shape `[batch, n]`.
    #[must_use]
    pub fn permutation(&self) -> &Array<u32, 2> {
        &self.order
    }

    /// Returns the solutions of `A X = B` for each matrix, by two triangular solves. `right` has shape `[batch, n]` for one
    /// right-hand side, or `[batch, n, columns]`.
    ///
    /// # Errors
    /// [`Error::Failed`](crate::Error::Failed) if the shape of `right` does not fit, and for failures of OpenCL.
    #[doc(alias = "getrs")]
    pub fn solve<'b, const M: usize>(&self, right: impl ArrayOperand<'b, T, M>) -> Result<Array<T, M>> {
        let lower = Triangle { is_lower: true, is_unit: true, is_adjoint: false };
        let half = substitute(&self.factors, lower, right.into_array_expr(), Some(&self.order))?;
        let upper = Triangle { is_lower: false, is_unit: false, is_adjoint: false };
        substitute(&self.factors, upper, half.iter(), None)
    }
}

/// The factors `A = Q R` of small matrices, by [`MatrixBatch::qr`](super::MatrixBatch::qr).
#[derive(Debug)]
pub struct BatchQr<T: Scalar> {
    q: Array<T, 3>,
    r: Array<T, 3>,
}

impl<T: Scalar> BatchQr<T> {
    pub(super) fn new(q: Array<T, 3>, r: Array<T, 3>) -> BatchQr<T> {
        BatchQr { q, r }
    }

    /// Returns the matrices `Q` with orthonormal columns, of shape `[batch, rows, columns]`.
    #[must_use]
    pub fn q(&self) -> &Array<T, 3> {
        &self.q
    }

    /// Returns the upper triangular matrices `R`, of shape `[batch, columns, columns]`. Their diagonals are real.
    #[must_use]
    pub fn r(&self) -> &Array<T, 3> {
        &self.r
    }

    /// Returns the least squares solutions `R⁻¹ Qᴴ B` for right-hand sides of shape `[batch, rows, columns]`.
    ///
    /// # Errors
    /// [`Error::InBatch`](crate::Error::InBatch) for a matrix without full rank: a diagonal element of `R` is zero;
    /// [`Error::Failed`](crate::Error::Failed) if the shape of `right` does not fit, and for failures of OpenCL.
    #[doc(alias("lstsq", "gels"))]
    pub fn solve<'b>(&'b self, right: impl ArrayOperand<'b, T, 3>) -> Result<Array<T, 3>> {
        let adjoint = T::conjugates(self.q.permute_axes([0, 2, 1]).iter());
        let projected = adjoint.matmul(right.into_array_expr())?;
        let upper = Triangle { is_lower: false, is_unit: false, is_adjoint: false };
        substitute(&self.r, upper, projected.iter(), None)
    }
}

/// Returns the solutions of triangular systems, one or several for each matrix.
fn substitute<T: Scalar, const M: usize>(
    a: &Array<T, 3>,
    triangle: Triangle,
    right: ArrayExpr<'_, T, M>,
    order: Option<&Array<u32, 2>>,
) -> Result<Array<T, M>> {
    let (shape, columns) = (right.shape(), columns_of(SOLVE, a.shape(), &right.shape())?);
    if right.is_empty() {
        return Ok(Array::filled(a.queue(), shape, T::zeroed())?);
    }
    let (solutions, info) = with_call(SOLVE, a.iter(), columns, |call, items| {
        right.with_items(|right| call.triangular(triangle, items, right, order.map(Array::as_vec)))
    })?;
    check(SOLVE, &info, singular(SOLVE))?;
    Ok(Array::from_vec(solutions, shape)?)
}
