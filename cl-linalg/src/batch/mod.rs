//! Batches of small matrices: factorisations, solves, inverses and determinants of thousands at once.

mod factors;
mod kernels;
mod launch;

use crate::error::{Error, Result};
use crate::scalar::Scalar;
use cl_algo::Expr;
use cl_array::{Array, ArrayExpr, ArrayOperand, ArrayView};
use cl_core::Queue;
pub use factors::{BatchCholesky, BatchLu, BatchQr};
use launch::{Call, MOST_ROWS, check};

/// Small matrices in the last two axes of an array, view or expression of shape `[batch, rows, columns]`.
///
/// Each operation is one kernel for all matrices: the elements may be any expression, which is evaluated inside the
/// kernel. Matrices have at most 32 rows. The operations wait for the device, and return an error that names the first
/// matrix that failed and its pivot.
///
/// ```
/// use cl_linalg::prelude::*;
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// // Two matrices, and a right-hand side for each.
/// let a = Array::from_slice(&queue, [2, 2, 2], &[4.0_f32, 2.0, 2.0, 5.0, 1.0, 0.0, 0.0, 2.0])?;
/// let b = Array::from_slice(&queue, [2, 2], &[8.0_f32, 12.0, 3.0, 4.0])?;
/// assert_eq!(a.solve(&b)?.to_vec()?, [1.0, 2.0, 3.0, 2.0]);
/// assert_eq!(a.det()?.to_vec()?, [16.0, 2.0]);
///
/// let factors = a.cholesky()?;
/// assert_eq!(factors.factors().to_vec()?[..4], [2.0, 0.0, 1.0, 2.0]);
/// let error = (-1.0 * &a).cholesky().unwrap_err();
/// assert!(error.to_string().starts_with("matrix 0 of the batch: cholesky: the matrix is not positive definite"));
/// # Ok(())
/// # }
/// ```
pub trait MatrixBatch<T: Scalar> {
    /// Returns the matrices as an expression.
    fn matrices(&self) -> ArrayExpr<'_, T, 3>;

    /// Returns the Cholesky factors `L` of Hermitian positive definite matrices `A = L Lᴴ`. The elements above the
    /// diagonals may be read, but do not matter.
    ///
    /// After G. H. Golub and C. F. Van Loan, "Matrix Computations", 4th edition, section 4.2.
    ///
    /// # Errors
    /// [`Error::InBatch`] with the index of a matrix, and in it [`Error::NotPositiveDefinite`] or [`Error::NotFinite`];
    /// [`Error::Failed`] for matrices that are not square or have more than 32 rows, and for failures of OpenCL.
    #[doc(alias("potrf", "potrfBatched"))]
    fn cholesky(&self) -> Result<BatchCholesky<T>> {
        const OPERATION: &str = "cholesky";
        let a = self.matrices();
        let [_, n] = square(OPERATION, a.shape())?;
        let shape = a.shape();
        if a.is_empty() {
            let none = Array::filled(&queue_of(OPERATION, a)?, shape, T::zeroed())?;
            return Ok(BatchCholesky::new(none));
        }
        let (factors, info) = with_call(OPERATION, a, n, |call, items| call.cholesky(items))?;
        check(OPERATION, &info, |pivot| Error::NotPositiveDefinite { operation: OPERATION, pivot })?;
        Ok(BatchCholesky::new(Array::from_vec(factors, shape)?))
    }

    /// Stores the Cholesky factors in an array, as [`cholesky`](MatrixBatch::cholesky) returns them. New memory of hundreds
    /// of megabytes can take a CPU longer than the factors; an array that is used again saves that.
    ///
    /// ```
    /// use cl_linalg::prelude::*;
    /// # fn main() -> cl_linalg::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [1, 2, 2], &[4.0_f32, 2.0, 2.0, 5.0])?;
    /// let mut factors = Array::zeros(&queue, [1, 2, 2])?;
    /// a.cholesky_into(&mut factors)?;
    /// assert_eq!(factors.to_vec()?, [2.0, 0.0, 1.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`cholesky`](MatrixBatch::cholesky), after which the array has unspecified elements for an [`Error::InBatch`], and
    /// is unchanged for other errors; [`Error::Failed`] if the array has another shape than the matrices, or is column-major.
    #[doc(alias("potrf", "potrfBatched"))]
    fn cholesky_into(&self, factors: &mut Array<T, 3>) -> Result<()> {
        const OPERATION: &str = "cholesky_into";
        let a = self.matrices();
        let shape = a.shape();
        let [_, n] = square(OPERATION, shape)?;
        if factors.shape() != shape {
            let reason =
                format!("an array of shape {:?} for factors of matrices of shape {shape:?}", factors.shape());
            return Err(cl_core::Error::invalid_input(OPERATION, reason).into());
        }
        if a.is_empty() {
            return Ok(());
        }
        let factors = factors.flatten_mut()?;
        let info = with_call(OPERATION, a, n, |call, items| call.cholesky_into(items, factors))?;
        check(OPERATION, &info, |pivot| Error::NotPositiveDefinite { operation: OPERATION, pivot })
    }

    /// Returns the factors `P A = L U` of square matrices, by elimination with partial pivoting.
    ///
    /// After G. H. Golub and C. F. Van Loan, "Matrix Computations", 4th edition, algorithm 3.4.1.
    ///
    /// # Errors
    /// [`Error::InBatch`] with the index of a matrix, and in it [`Error::Singular`] or [`Error::NotFinite`];
    /// [`Error::Failed`] for matrices that are not square or have more than 32 rows, and for failures of OpenCL.
    #[doc(alias("getrf", "getrfBatched"))]
    fn lu(&self) -> Result<BatchLu<T>> {
        const OPERATION: &str = "lu";
        let a = self.matrices();
        let [batch, n] = square(OPERATION, a.shape())?;
        let shape = a.shape();
        if a.is_empty() {
            let queue = queue_of(OPERATION, a)?;
            let order = Array::filled(&queue, [batch, n], 0)?;
            return Ok(BatchLu::new(Array::filled(&queue, shape, T::zeroed())?, order));
        }
        let ((factors, info), order) = with_call(OPERATION, a, n, |call, items| call.lu(items))?;
        check(OPERATION, &info, singular(OPERATION))?;
        Ok(BatchLu::new(Array::from_vec(factors, shape)?, Array::from_vec(order, [batch, n])?))
    }

    /// Returns the factors `A = Q R` of matrices with at least as many rows as columns, by Householder's reflections. `Q`
    /// has as many columns as the matrix, and they are orthonormal, also if the matrix does not have full rank.
    ///
    /// After G. H. Golub and C. F. Van Loan, "Matrix Computations", 4th edition, section 5.2.
    ///
    /// # Errors
    /// [`Error::InBatch`] with the index of a matrix, and in it [`Error::NotFinite`]; [`Error::Failed`] for matrices with
    /// more columns than rows or more than 32 rows, and for failures of OpenCL.
    #[doc(alias("geqrf", "geqrfBatched"))]
    fn qr(&self) -> Result<BatchQr<T>> {
        const OPERATION: &str = "qr";
        let a = self.matrices();
        let shape @ [batch, rows, columns] = a.shape();
        if columns > rows || rows > MOST_ROWS {
            let reason = format!(
                "matrices of shape {shape:?}; they need at most {MOST_ROWS} rows, and at least as many rows as columns"
            );
            return Err(cl_core::Error::invalid_input(OPERATION, reason).into());
        }
        let r_shape = [batch, columns, columns];
        if a.is_empty() {
            let queue = queue_of(OPERATION, a)?;
            let [q, r] = [shape, r_shape].map(|shape| Array::filled(&queue, shape, T::zeroed()));
            return Ok(BatchQr::new(q?, r?));
        }
        let ((q, info), r) = with_call(OPERATION, a, columns, |call, items| call.qr(items))?;
        // The only failure of a reflection is a number that is not finite.
        check(OPERATION, &info, |_| Error::NotFinite { operation: OPERATION })?;
        Ok(BatchQr::new(Array::from_vec(q, shape)?, Array::from_vec(r, r_shape)?))
    }

    /// Returns the solutions of `A X = B` for each matrix, by elimination with partial pivoting in one kernel. `right` has
    /// shape `[batch, n]` for one right-hand side, or `[batch, n, columns]`.
    ///
    /// # Errors
    /// As [`lu`](MatrixBatch::lu); [`Error::Failed`] if the shape of `right` does not fit.
    #[doc(alias("gesv", "getrsBatched"))]
    fn solve<'b, const M: usize>(&self, right: impl ArrayOperand<'b, T, M>) -> Result<Array<T, M>> {
        const OPERATION: &str = "solve";
        let (a, right) = (self.matrices(), right.into_array_expr());
        let (shape, columns) = (right.shape(), columns_of(OPERATION, a.shape(), &right.shape())?);
        square(OPERATION, a.shape())?;
        if right.is_empty() {
            return Ok(Array::filled(&queue_of(OPERATION, right)?, shape, T::zeroed())?);
        }
        let (solutions, info) = with_call(OPERATION, a, columns, |call, items| {
            right.with_items(|right| call.solutions(items, right))
        })?;
        check(OPERATION, &info, singular(OPERATION))?;
        Ok(Array::from_vec(solutions, shape)?)
    }

    /// Returns the inverses of square matrices. [`solve`](MatrixBatch::solve) is faster and more accurate than a product
    /// with an inverse.
    ///
    /// # Errors
    /// As [`lu`](MatrixBatch::lu).
    #[doc(alias("inv", "getri", "getriBatched"))]
    fn inverse(&self) -> Result<Array<T, 3>> {
        const OPERATION: &str = "inverse";
        let a = self.matrices();
        let [_, n] = square(OPERATION, a.shape())?;
        let shape = a.shape();
        if a.is_empty() {
            return Ok(Array::filled(&queue_of(OPERATION, a)?, shape, T::zeroed())?);
        }
        let (inverses, info) = with_call(OPERATION, a, n, |call, items| call.inverses(items))?;
        check(OPERATION, &info, singular(OPERATION))?;
        Ok(Array::from_vec(inverses, shape)?)
    }

    /// Returns the determinants of square matrices, which may be singular: the products of their pivots. The determinant
    /// of a matrix without rows is 1.
    ///
    /// # Errors
    /// [`Error::InBatch`] with the index of a matrix, and in it [`Error::NotFinite`]; [`Error::Failed`] for matrices that
    /// are not square or have more than 32 rows, and for failures of OpenCL.
    #[doc(alias = "determinant")]
    fn det(&self) -> Result<Array<T, 1>> {
        const OPERATION: &str = "det";
        let a = self.matrices();
        let [batch, n] = square(OPERATION, a.shape())?;
        if a.is_empty() {
            let one = T::from_real(crate::RealScalar::from_f64(1.0));
            return Ok(Array::filled(&queue_of(OPERATION, a)?, [batch], one)?);
        }
        let (determinants, info) = with_call(OPERATION, a, n, |call, items| call.determinants(items))?;
        let is_finite = info.iter().lt(launch::NOT_FINITE).all()?;
        if !is_finite {
            check(OPERATION, &info, |_| Error::NotFinite { operation: OPERATION })?;
        }
        Ok(Array::from_vec(determinants, [batch])?)
    }
}

macro_rules! batches {
    ($($batch:ty),*) => {$(
        impl<T: Scalar> MatrixBatch<T> for $batch {
            fn matrices(&self) -> ArrayExpr<'_, T, 3> {
                self.into_array_expr()
            }
        }
    )*};
}

batches!(Array<T, 3>, ArrayView<'_, T, 3>, ArrayExpr<'_, T, 3>);

/// Returns the function that makes an error of a zero pivot.
fn singular(operation: &'static str) -> impl FnOnce(usize) -> Error {
    move |pivot| Error::Singular { operation, pivot }
}

/// Returns the number of matrices and of their rows, or an error unless the matrices are square and small.
fn square(operation: &'static str, shape: [usize; 3]) -> Result<[usize; 2]> {
    let [batch, rows, columns] = shape;
    if rows != columns || rows > MOST_ROWS {
        let reason =
            format!("matrices of shape {shape:?}; they must be square, with at most {MOST_ROWS} rows");
        return Err(cl_core::Error::invalid_input(operation, reason).into());
    }
    Ok([batch, rows])
}

/// Returns the number of right-hand sides for each matrix.
fn columns_of(operation: &'static str, a: [usize; 3], right: &[usize]) -> Result<usize> {
    let [batch, rows, _] = a;
    match *right {
        [count, len] if [count, len] == [batch, rows] => Ok(1),
        [count, len, columns] if [count, len] == [batch, rows] => Ok(columns),
        _ => {
            let reason = format!(
                "the matrices have shape {a:?}, and the right-hand sides {right:?}; [{batch}, {rows}] or [{batch}, \
                 {rows}, columns] is needed"
            );
            Err(cl_core::Error::invalid_input(operation, reason).into())
        }
    }
}

/// Returns the queue of an expression.
fn queue_of<T: Scalar, const N: usize>(operation: &'static str, a: ArrayExpr<'_, T, N>) -> Result<Queue> {
    Ok(a.with_items(|items| cl_algo::ranked::queue_of(operation, &items).cloned())?)
}

/// Calls `run` with the elements of matrices, in the order of memory. `columns` is that of [`Call`].
fn with_call<T: Scalar, R>(
    operation: &'static str,
    a: ArrayExpr<'_, T, 3>,
    columns: usize,
    run: impl FnOnce(Call<'_>, Expr<'_, T>) -> cl_core::Result<R>,
) -> Result<R> {
    let [count, rows, _] = a.shape();
    Ok(a.with_items(|items| {
        let queue = cl_algo::ranked::queue_of(operation, &items)?.clone();
        run(Call { operation, queue: &queue, count, rows, columns }, items)
    })?)
}
