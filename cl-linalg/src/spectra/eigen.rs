//! Eigenvalues and eigenvectors of Hermitian matrices.

use super::jacobi::orthogonalise;
use super::operator::times;
use super::options::{Spectra, largest_of, largest_on_device, scaled_on_host};
use crate::error::{Error, Result};
use crate::scalar::{RealScalar, Scalar, scale_of};
use crate::structure::WithStructure;
use cl_algo::ranked::Half;
use cl_array::{Array, ArrayExpr, ArrayOperand};
use cl_core::Queue;

/// Eigenvalues, and eigenvectors if they were asked for.
type Pairs<T> = (Array<<T as Scalar>::Real, 1>, Option<Array<T, 2>>);

/// The eigenvalues and the eigenvectors of a Hermitian matrix, by [`eigh`].
#[derive(Debug)]
pub struct Eigh<T: Scalar> {
    /// The eigenvalues, in ascending order.
    pub values: Array<T::Real, 1>,
    /// The eigenvectors: column `i` belongs to eigenvalue `i`.
    pub vectors: Array<T, 2>,
}

/// Returns the eigenvalues and the eigenvectors of a real symmetric or complex Hermitian matrix. Only the lower triangle is
/// read. The eigenvectors are orthonormal.
///
/// The host reduces the matrix to a tridiagonal one (the crate faer). The device uses one-sided Jacobi rotations of the
/// matrix, made positive definite by a multiple of the identity; eigenvalues are Rayleigh quotients. See
/// [`Spectra::runs_on`].
///
/// After G. H. Golub and C. F. Van Loan, "Matrix Computations", 4th edition, chapter 8, and M. R. Hestenes, "Inversion of
/// matrices by biorthogonalization and related results", J. SIAM 6 (1958).
///
/// ```
/// use cl_linalg::{eigh, prelude::*};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[2.0_f32, 1.0, 1.0, 2.0])?;
/// let eigen = eigh(&a)?;
/// let values = eigen.values.to_vec()?;
/// assert!((values[0] - 1.0).abs() < 1e-5 && (values[1] - 3.0).abs() < 1e-5);
/// let product = a.matmul(&eigen.vectors)?;
/// let residual = (&product - &eigen.vectors * &eigen.values).collect()?;
/// assert!(residual.to_vec()?.iter().all(|x| x.abs() < 1e-5));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::NotFinite`] if an element is NaN or infinite; [`Error::NotConverged`]; [`Error::Failed`] for a matrix that is
/// not square, and for failures of OpenCL.
#[doc(alias("syev", "heev", "eig", "symmetric_eigen"))]
pub fn eigh<'a, T: Scalar>(a: impl ArrayOperand<'a, T, 2>) -> Result<Eigh<T>> {
    Spectra::new().eigh(a)
}

/// Returns the eigenvalues of a real symmetric or complex Hermitian matrix, in ascending order. See [`eigh`].
///
/// # Errors
/// As [`eigh`].
#[doc(alias("eigvals", "symmetric_eigenvalues"))]
pub fn eigvalsh<'a, T: Scalar>(a: impl ArrayOperand<'a, T, 2>) -> Result<Array<T::Real, 1>> {
    Spectra::new().eigvalsh(a)
}

/// Returns the solutions of `A x = λ B x` for a Hermitian matrix `A` and a Hermitian positive definite matrix `B`. Only the
/// lower triangles are read. The vectors `X` satisfy `Xᴴ B X = I`.
///
/// The problem becomes `L⁻¹ A L⁻ᴴ y = λ y` with the Cholesky factor `B = L Lᴴ`, which the host inverts: G. H. Golub and
/// C. F. Van Loan, "Matrix Computations", 4th edition, algorithm 8.7.1. The eigenvalues are accurate if `B` is well
/// conditioned.
///
/// # Errors
/// As [`eigh`]; [`Error::NotPositiveDefinite`] if `B` is not positive definite.
#[doc(alias("sygv", "hegv", "generalized_eigen"))]
pub fn eigh_generalized<'a, T: Scalar>(
    a: impl ArrayOperand<'a, T, 2>,
    b: impl ArrayOperand<'a, T, 2>,
) -> Result<Eigh<T>> {
    Spectra::new().eigh_generalized(a, b)
}

impl Spectra {
    /// Returns the eigenvalues and the eigenvectors of a Hermitian matrix; see [`eigh`].
    ///
    /// # Errors
    /// As [`eigh`].
    pub fn eigh<'a, T: Scalar>(&self, a: impl ArrayOperand<'a, T, 2>) -> Result<Eigh<T>> {
        let (values, vectors) = self.hermitian("eigh", a.into_array_expr(), true)?;
        let shape = [values.len(); 2];
        // Vectors were asked for.
        let vectors = vectors.map_or_else(|| Array::filled(values.queue(), shape, T::zeroed()), Ok)?;
        Ok(Eigh { values, vectors })
    }

    /// Returns the eigenvalues of a Hermitian matrix; see [`eigvalsh`].
    ///
    /// # Errors
    /// As [`eigh`].
    pub fn eigvalsh<'a, T: Scalar>(&self, a: impl ArrayOperand<'a, T, 2>) -> Result<Array<T::Real, 1>> {
        Ok(self.hermitian("eigvalsh", a.into_array_expr(), false)?.0)
    }

    /// Returns the solutions of `A x = λ B x`; see [`eigh_generalized`].
    ///
    /// # Errors
    /// As [`eigh_generalized`].
    pub fn eigh_generalized<'a, T: Scalar>(
        &self,
        a: impl ArrayOperand<'a, T, 2>,
        b: impl ArrayOperand<'a, T, 2>,
    ) -> Result<Eigh<T>> {
        const OPERATION: &str = "eigh_generalized";
        let (a, b) = (a.into_array_expr(), b.into_array_expr());
        let n = side(OPERATION, a.shape())?;
        if b.shape() != a.shape() {
            let reason = format!("shapes {:?} and {:?}; they must be equal", a.shape(), b.shape());
            return Err(cl_core::Error::invalid_input(OPERATION, reason).into());
        }
        let b = b.collect()?;
        let queue = b.queue();
        let host = with_real_diagonal(b.to_vec()?, n);
        largest_of(OPERATION, lower(&host, n))?;
        let inverse = T::host_inverse_of_cholesky(n, &host)
            .map_err(|pivot| Error::NotPositiveDefinite { operation: OPERATION, pivot })?;
        let inverse = Array::from_slice(queue, [n, n], &inverse)?;
        let adjoint = T::conjugates(inverse.t().iter()).collect()?;
        if n == 0 {
            return self.eigh(&b);
        }
        let reduced = inverse.iter().matmul(a.hermitian(Half::Lower).dense().matmul(&adjoint)?.iter())?;
        let Eigh { values, vectors } = self.eigh(&reduced)?;
        let vectors = adjoint.iter().matmul(&vectors)?;
        Ok(Eigh { values, vectors })
    }

    fn hermitian<T: Scalar>(
        &self,
        operation: &'static str,
        a: ArrayExpr<'_, T, 2>,
        vectors: bool,
    ) -> Result<Pairs<T>> {
        let n = side(operation, a.shape())?;
        let a = a.collect()?;
        let queue = a.queue();
        if n == 0 || self.is_on_host::<T>(queue, n)? {
            let host = with_real_diagonal(a.to_vec()?, n);
            let largest = largest_of(operation, lower(&host, n))?;
            if n == 0 {
                return Ok((reals::<T>(queue, &[])?, Some(a)));
            }
            let (host, scale) = scaled_on_host(host, largest);
            let (mut values, columns) = T::host_eigh(n, &host, vectors)
                .ok_or(Error::NotConverged { operation, iterations: HOST_ITERATIONS * n })?;
            values.iter_mut().for_each(|value| *value /= scale);
            let columns = vectors.then(|| Array::from_slice(queue, [n, n], &columns)).transpose()?;
            return Ok((reals::<T>(queue, &values)?, columns));
        }
        on_device(operation, queue, a.hermitian(Half::Lower).collect()?.array())
    }
}

/// The number of steps for each eigenvalue after which faer gives up.
const HOST_ITERATIONS: usize = 30;

/// Returns the number of rows, or an error unless the matrix is square.
pub(super) fn side(operation: &'static str, shape: [usize; 2]) -> Result<usize> {
    let [rows, columns] = shape;
    if rows != columns {
        let reason = format!("a matrix of shape {shape:?}; it must be square");
        return Err(cl_core::Error::invalid_input(operation, reason).into());
    }
    Ok(rows)
}

/// Returns a Hermitian matrix without the imaginary parts of its diagonal, which are not used.
fn with_real_diagonal<T: Scalar>(mut host: Vec<T>, n: usize) -> Vec<T> {
    host.iter_mut().step_by(n + 1).for_each(|item| *item = T::from_real(item.re()));
    host
}

/// Returns the elements of the lower triangle.
fn lower<T: Copy>(host: &[T], n: usize) -> impl Iterator<Item = T> {
    (0..n).flat_map(move |i| host[i * n..=i * n + i].iter().copied())
}

/// Returns real numbers as an array on the device.
pub(super) fn reals<T: Scalar>(queue: &Queue, values: &[f64]) -> Result<Array<T::Real, 1>> {
    let values: Vec<T::Real> = values.iter().map(|&value| T::Real::from_f64(value)).collect();
    Ok(Array::from_slice(queue, [values.len()], &values)?)
}

/// Returns the eigenvalues and the eigenvectors, computed on the device.
fn on_device<T: Scalar>(operation: &'static str, queue: &Queue, a: &Array<T, 2>) -> Result<Pairs<T>> {
    let [n, _] = a.shape();
    let largest = largest_on_device(operation, a)?;
    // The matrix, divided by its largest element, has no eigenvalue beyond its Frobenius norm: with one tenth more, the
    // sum is positive definite with a condition of at most 21.
    let most = scale_of::<T>(f64::MIN_POSITIVE);
    let scale = if largest > 0.0 { (1.0 / largest).min(most) } else { 1.0 };
    let scaled = times(a, T::from_real(T::Real::from_f64(scale))).collect()?;
    let square = T::part_to_f64(T::squares(scaled.iter()).sum()?);
    let shift = T::from_real(T::Real::from_f64(if square > 0.0 { 1.1 * square.sqrt() } else { 1.0 }));
    let diagonal = ArrayExpr::from_fn([n, n], |[i, j]| i.eq(j)).select(shift, T::zeroed());
    // The rows of the transpose are the columns of the matrix.
    let transpose = scaled.t().iter() + diagonal;
    let orthogonal = orthogonalise(operation, queue, transpose, shift.magnitude().to_f64(), false)?;
    // The rows are the eigenvectors, because the matrix is positive definite. Their products with the matrix that was not
    // shifted are more accurate than the norms less the shift.
    let products = orthogonal.rows.iter().matmul(scaled.t())?;
    let quotients = T::real_parts(T::conjugates(orthogonal.rows.iter()) * &products).sum_axis(1)?;
    let quotients: Vec<f64> =
        quotients.to_vec()?.into_iter().map(|quotient| T::part_to_f64(quotient)).collect();
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by(|&a, &b| quotients[a as usize].total_cmp(&quotients[b as usize]));
    let values: Vec<f64> = order.iter().map(|&row| quotients[row as usize] / scale).collect();
    let order = Array::from_slice(queue, [n], &order)?;
    let vectors = orthogonal.rows.iter().take(0, &order).t().collect()?;
    Ok((reals::<T>(queue, &values)?, Some(vectors)))
}
