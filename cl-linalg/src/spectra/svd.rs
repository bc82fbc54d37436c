//! Singular values and singular vectors, and the pseudo-inverse.

use super::complete::completed;
use super::eigen::reals;
use super::host::Vectors;
use super::jacobi::orthogonalise;
use super::options::{Spectra, largest_of, largest_on_device, scaled_on_host};
use crate::error::{Error, Result};
use crate::factor::identity;
use crate::scalar::{RealScalar, Scalar};
use cl_array::{Array, ArrayExpr, ArrayOperand, s};
use cl_core::Queue;

/// The singular value decomposition `A = U diag(s) Vᴴ`, by [`svd`].
#[derive(Debug)]
pub struct Svd<T: Scalar> {
    /// The left singular vectors: orthonormal columns.
    pub u: Array<T, 2>,
    /// The singular values, in descending order.
    pub s: Array<T::Real, 1>,
    /// The right singular vectors: orthonormal columns.
    pub v: Array<T, 2>,
}

/// Returns the singular value decomposition `A = U diag(s) Vᴴ` of a matrix of any shape `[m, n]`. `U` and `V` have
/// `min(m, n)` columns; [`Spectra::full`] completes them to square matrices.
///
/// The host reduces the matrix to a bidiagonal one (the crate faer). The device uses one-sided Jacobi rotations. See
/// [`Spectra::runs_on`].
///
/// After M. R. Hestenes, "Inversion of matrices by biorthogonalization and related results", J. SIAM 6 (1958), and
/// G. H. Golub and C. F. Van Loan, "Matrix Computations", 4th edition, section 8.6.
///
/// ```
/// use cl_linalg::{svd, prelude::*};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [3, 2], &[3.0_f32, 0.0, 0.0, 0.0, 0.0, -2.0])?;
/// let svd = svd(&a)?;
/// let s = svd.s.to_vec()?;
/// assert!((s[0] - 3.0).abs() < 1e-5 && (s[1] - 2.0).abs() < 1e-5);
/// let product = (&svd.u * &svd.s).matmul(svd.v.t())?;
/// assert!((&product - &a).collect()?.to_vec()?.iter().all(|x| x.abs() < 1e-5));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::NotFinite`] if an element is NaN or infinite; [`Error::NotConverged`]; [`Error::Failed`] for failures of
/// OpenCL.
#[doc(alias("gesvd", "gesdd", "gesvj", "singular_value_decomposition"))]
pub fn svd<'a, T: Scalar>(a: impl ArrayOperand<'a, T, 2>) -> Result<Svd<T>> {
    Spectra::new().svd(a)
}

/// Returns the singular values of a matrix, in descending order. See [`svd`].
///
/// # Errors
/// As [`svd`].
#[doc(alias = "svdvals")]
pub fn singular_values<'a, T: Scalar>(a: impl ArrayOperand<'a, T, 2>) -> Result<Array<T::Real, 1>> {
    Spectra::new().singular_values(a)
}

/// Returns the Moore-Penrose inverse `V diag(1/s) Uᴴ` of a matrix of shape `[m, n]`, of shape `[n, m]`. Singular values of
/// at most `max(m, n)` times the spacing of floats near the largest one count as zero.
///
/// After G. H. Golub and C. F. Van Loan, "Matrix Computations", 4th edition, section 5.5.2.
///
/// # Errors
/// As [`svd`].
#[doc(alias("pinv", "pseudoinverse"))]
pub fn pseudo_inverse<'a, T: Scalar>(a: impl ArrayOperand<'a, T, 2>) -> Result<Array<T, 2>> {
    Spectra::new().pseudo_inverse(a)
}

impl Spectra {
    /// Returns the singular value decomposition of a matrix; see [`svd`].
    ///
    /// # Errors
    /// As [`svd`].
    pub fn svd<'a, T: Scalar>(&self, a: impl ArrayOperand<'a, T, 2>) -> Result<Svd<T>> {
        let vectors = if self.full { Vectors::Full } else { Vectors::Thin };
        self.decompose("svd", a.into_array_expr(), vectors)
    }

    /// Returns the singular values of a matrix; see [`singular_values`].
    ///
    /// # Errors
    /// As [`svd`].
    pub fn singular_values<'a, T: Scalar>(
        &self,
        a: impl ArrayOperand<'a, T, 2>,
    ) -> Result<Array<T::Real, 1>> {
        Ok(self.decompose("singular_values", a.into_array_expr(), Vectors::None)?.s)
    }

    /// Returns the Moore-Penrose inverse of a matrix; see [`pseudo_inverse`].
    ///
    /// # Errors
    /// As [`svd`].
    pub fn pseudo_inverse<'a, T: Scalar>(&self, a: impl ArrayOperand<'a, T, 2>) -> Result<Array<T, 2>> {
        let a = a.into_array_expr();
        let [m, n] = a.shape();
        let Svd { u, s, v } = self.decompose("pseudo_inverse", a, Vectors::Thin)?;
        if m * n == 0 {
            return Ok(Array::filled(u.queue(), [n, m], T::zeroed())?);
        }
        let values: Vec<f64> = s.to_vec()?.into_iter().map(RealScalar::to_f64).collect();
        let least = values[0] * m.max(n) as f64 * 2.0 * T::Real::UNIT_ROUNDOFF;
        let inverses =
            values.iter().map(|&s| T::from_real(T::Real::from_f64(if s > least { 1.0 / s } else { 0.0 })));
        let inverses = Array::from_slice(u.queue(), [values.len()], &inverses.collect::<Vec<T>>())?;
        Ok((&v * &inverses).matmul(T::conjugates(u.t().iter()))?)
    }

    fn decompose<T: Scalar>(
        &self,
        operation: &'static str,
        a: ArrayExpr<'_, T, 2>,
        vectors: Vectors,
    ) -> Result<Svd<T>> {
        let shape @ [m, n] = a.shape();
        let a = a.collect()?;
        let queue = a.queue();
        let [u_columns, v_columns] = match vectors {
            Vectors::None => [0, 0],
            Vectors::Thin => [m.min(n); 2],
            Vectors::Full => shape,
        };
        if m * n == 0 {
            let u = identity::<T>([m, u_columns]).on(queue).collect()?;
            let v = identity::<T>([n, v_columns]).on(queue).collect()?;
            return Ok(Svd { u, s: reals::<T>(queue, &[])?, v });
        }
        if self.is_on_host::<T>(queue, m.min(n))? {
            let host = a.to_vec()?;
            let largest = largest_of(operation, host.iter().copied())?;
            let (host, scale) = scaled_on_host(host, largest);
            let (mut values, u, v) = T::host_svd(shape, &host, vectors)
                .ok_or(Error::NotConverged { operation, iterations: HOST_ITERATIONS * m.min(n) })?;
            values.iter_mut().for_each(|value| *value /= scale);
            let u = Array::from_slice(queue, [m, u_columns], &u)?;
            let v = Array::from_slice(queue, [n, v_columns], &v)?;
            return Ok(Svd { u, s: reals::<T>(queue, &values)?, v });
        }
        // Rotations are products with a matrix of the smaller side.
        if m < n {
            let Svd { u, s, v } =
                on_device(operation, queue, &T::conjugates(a.t().iter()).collect()?, vectors)?;
            return Ok(Svd { u: v, s, v: u });
        }
        on_device(operation, queue, &a, vectors)
    }
}

/// The number of steps for each singular value after which faer gives up.
const HOST_ITERATIONS: usize = 30;

/// Returns the decomposition of a matrix with at least as many rows as columns, computed on the device.
fn on_device<T: Scalar>(
    operation: &'static str,
    queue: &Queue,
    a: &Array<T, 2>,
    vectors: Vectors,
) -> Result<Svd<T>> {
    let [m, n] = a.shape();
    let largest = largest_on_device(operation, a)?;
    let wanted = vectors != Vectors::None;
    let orthogonal = orthogonalise(operation, queue, a.t().iter(), largest, wanted)?;
    let s = reals::<T>(queue, &orthogonal.norms)?;
    if !wanted {
        let empty = |rows| Array::filled(queue, [rows, 0], T::zeroed());
        return Ok(Svd { u: empty(m)?, s, v: empty(n)? });
    }
    // Columns that are so short that their squares underflow were not rotated: `LEAST_SQUARE` of the kernel.
    let least = largest * T::SMALLEST.sqrt() * 4096.0;
    let rank = orthogonal.norms.iter().take_while(|&&norm| norm > least).count();
    let columns = if vectors == Vectors::Full { m } else { n };
    let known = orthogonal.rows.slice(s![..rank, ..]).t().collect()?;
    let u = completed(&known, columns)?;
    // A V = U S, where the rows are those of the transposes: the rotations are those of the columns of V.
    let v = orthogonal.rotations.t().collect()?;
    Ok(Svd { u, s, v })
}
