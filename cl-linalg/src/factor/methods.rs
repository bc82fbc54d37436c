//! The methods of arrays, views and expressions of two axes.

use super::cholesky::Cholesky;
use super::lu::Lu;
use super::matrix::square;
use super::qr::Qr;
use super::qr_pivoted::PivotedQr;
use super::settings::FactorSettings;
use crate::error::Result;
use crate::scalar::{RealScalar, Scalar};
use cl_array::{Array, ArrayExpr, ArrayOperand, ArrayView};

/// Factorisations of matrices, and what follows from them. Implemented for arrays, views and expressions of two axes.
///
/// The matrix is copied once, into the factors. It is never changed.
///
/// ```
/// use cl_linalg::prelude::*;
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[2.0_f64, 1.0, 1.0, 3.0])?;
/// let b = Array::from_slice(&queue, [2], &[3.0, 4.0])?;
/// assert_eq!(a.solve(&b)?.to_vec()?, [1.0, 1.0]);
/// assert_eq!(a.t().det()?, 5.0);
/// let twice = (2.0 * &a).cholesky()?; // of an expression
/// assert!((twice.det() - 20.0).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
pub trait LinearAlgebra<'a, T: Scalar>: ArrayOperand<'a, T, 2> + Sized {
    /// Returns the factorisation `P A = L U` of a matrix of any shape.
    ///
    /// # Errors
    /// [`Error::NotFinite`](crate::Error::NotFinite) for a matrix with NaN or infinities;
    /// [`Error::Failed`](crate::Error::Failed) for errors of the expression or of the device.
    #[doc(alias("getrf", "lu_factor"))]
    fn lu(self) -> Result<Lu<T>> {
        self.lu_with(&FactorSettings::new())
    }

    /// Does the same as [`lu`](LinearAlgebra::lu), with settings.
    ///
    /// # Errors
    /// As [`lu`](LinearAlgebra::lu).
    fn lu_with(self, settings: &FactorSettings) -> Result<Lu<T>> {
        Lu::new(self.into_array_expr(), settings)
    }

    /// Returns the factorisation `A = L Lᴴ` of a Hermitian positive definite matrix. Only the lower half of the matrix is
    /// used.
    ///
    /// # Errors
    /// [`Error::NotPositiveDefinite`](crate::Error::NotPositiveDefinite) with the first pivot that is not positive;
    /// [`Error::NotFinite`](crate::Error::NotFinite) for NaN or infinities in the lower half;
    /// [`Error::Failed`](crate::Error::Failed) unless the matrix is square, and for errors of the expression or of the
    /// device.
    #[doc(alias = "potrf")]
    fn cholesky(self) -> Result<Cholesky<T>> {
        self.cholesky_with(&FactorSettings::new())
    }

    /// Does the same as [`cholesky`](LinearAlgebra::cholesky), with settings.
    ///
    /// # Errors
    /// As [`cholesky`](LinearAlgebra::cholesky).
    fn cholesky_with(self, settings: &FactorSettings) -> Result<Cholesky<T>> {
        Cholesky::new(self.into_array_expr(), settings)
    }

    /// Returns the factorisation `A = Q R` of a matrix of any shape.
    ///
    /// ```
    /// use cl_linalg::prelude::*;
    /// # fn main() -> cl_linalg::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [3, 2], &[3.0_f64, 1.0, 0.0, 2.0, 4.0, 3.0])?;
    /// let qr = a.qr()?;
    /// assert_eq!((qr.q()?.shape(), qr.r()?.shape()), ([3, 2], [2, 2]));
    /// assert!((qr.r()?.get([0, 0])?.abs() - 5.0).abs() < 1e-14);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`lu`](LinearAlgebra::lu).
    #[doc(alias = "geqrf")]
    fn qr(self) -> Result<Qr<T>> {
        self.qr_with(&FactorSettings::new())
    }

    /// Does the same as [`qr`](LinearAlgebra::qr), with settings.
    ///
    /// # Errors
    /// As [`lu`](LinearAlgebra::lu).
    fn qr_with(self, settings: &FactorSettings) -> Result<Qr<T>> {
        Qr::new(self.into_array_expr(), settings)
    }

    /// Returns the factorisation `A P = Q R` of a matrix of any shape, with column pivoting.
    ///
    /// # Errors
    /// As [`lu`](LinearAlgebra::lu).
    #[doc(alias = "geqp3")]
    fn qr_pivoted(self) -> Result<PivotedQr<T>> {
        PivotedQr::new(self.into_array_expr(), &FactorSettings::new())
    }

    /// Solves `A X = B` by LU, for a vector or the columns of a matrix.
    ///
    /// # Errors
    /// As [`lu`](LinearAlgebra::lu) and [`Lu::solve`].
    #[doc(alias = "gesv")]
    fn solve<'b, const M: usize>(self, right: impl ArrayOperand<'b, T, M>) -> Result<Array<T, M>> {
        self.lu()?.solve(right)
    }

    /// Returns the `X` of the least norm among those that minimise the norm of each column of `A X - B`, by QR, for a
    /// matrix of full rank. [`PivotedQr::least_squares`] is for matrices of any rank.
    ///
    /// # Errors
    /// As [`qr`](LinearAlgebra::qr) and [`Qr::least_squares`].
    #[doc(alias("lstsq", "gels"))]
    fn least_squares<'b, const M: usize>(self, right: impl ArrayOperand<'b, T, M>) -> Result<Array<T, M>> {
        let matrix = self.into_array_expr();
        let [rows, columns] = matrix.shape();
        let settings = FactorSettings::new();
        if rows >= columns {
            Qr::new(matrix, &settings)?.least_squares(right)
        } else {
            // The adjoint is Q R, so A is Rᴴ Qᴴ.
            Qr::new(T::conjugates(matrix.t()), &settings)?.least_norm(right, [rows, columns])
        }
    }

    /// Returns the inverse, by LU.
    ///
    /// # Errors
    /// As [`lu`](LinearAlgebra::lu) and [`Lu::inverse`].
    #[doc(alias("inv", "getri"))]
    fn inverse(self) -> Result<Array<T, 2>> {
        self.lu()?.inverse()
    }

    /// Returns the determinant of a square matrix, by LU.
    ///
    /// # Errors
    /// As [`lu`](LinearAlgebra::lu); [`Error::Failed`](crate::Error::Failed) unless the matrix is square.
    #[doc(alias = "determinant")]
    fn det(self) -> Result<T> {
        let matrix = self.into_array_expr();
        square("det", matrix.shape())?;
        Ok(Lu::new(matrix, &FactorSettings::new())?.det())
    }

    /// Returns a number of absolute value 1 and the logarithm of the absolute value of the determinant. See
    /// [`Lu::log_det`].
    ///
    /// # Errors
    /// As [`det`](LinearAlgebra::det).
    #[doc(alias = "slogdet")]
    fn log_det(self) -> Result<(T, T::Real)> {
        let matrix = self.into_array_expr();
        square("log_det", matrix.shape())?;
        Ok(Lu::new(matrix, &FactorSettings::new())?.log_det())
    }

    /// Returns the rank to rounding, by QR with column pivoting. See [`PivotedQr::rank`].
    ///
    /// # Errors
    /// As [`lu`](LinearAlgebra::lu).
    #[doc(alias = "matrix_rank")]
    fn rank(self) -> Result<usize> {
        Ok(self.qr_pivoted()?.rank())
    }

    /// Returns an estimate of the condition number in the 1-norm. See [`Lu::condition`].
    ///
    /// # Errors
    /// As [`lu`](LinearAlgebra::lu); [`Error::Failed`](crate::Error::Failed) unless the matrix is square.
    #[doc(alias("cond", "rcond", "gecon"))]
    fn condition(self) -> Result<T::Real> {
        let matrix = self.into_array_expr();
        let rows = square("condition", matrix.shape())?;
        if rows == 0 {
            return Ok(T::Real::from_f64(0.0));
        }
        let sums = T::magnitudes(matrix.clone()).sum_axis(0)?.to_vec()?;
        let norm = sums.into_iter().map(RealScalar::to_f64).fold(0.0, f64::max);
        Lu::new(matrix, &FactorSettings::new())?.condition(T::Real::from_f64(norm))
    }
}

// Not implemented for `Array` itself, so that `a.lu()` borrows `a`.
impl<'a, T: Scalar> LinearAlgebra<'a, T> for &'a Array<T, 2> {}
impl<'a, T: Scalar> LinearAlgebra<'a, T> for ArrayView<'a, T, 2> {}
impl<'a, T: Scalar> LinearAlgebra<'a, T> for &ArrayView<'a, T, 2> {}
impl<'a, T: Scalar> LinearAlgebra<'a, T> for ArrayExpr<'a, T, 2> {}
impl<'a, T: Scalar> LinearAlgebra<'a, T> for &ArrayExpr<'a, T, 2> {}
