//! Solutions of systems of equations with structured matrices.

use super::triangular::Triangle;
use super::{DiagonalMatrix, Structure, Structured, StructuredArray};
use crate::factor::triangular_inverse;
use crate::{Error, Half, LinearAlgebra, Result, Scalar};
use cl_algo::{Val, ranked};
use cl_array::{Array, ArrayExpr, ArrayOperand, ArrayViewMut};

impl<'a, T: Scalar> Structured<'a, T> {
    /// Solves `A X = B` for a vector or the columns of a matrix: triangular matrices by substitution, diagonal ones by
    /// division, and all others by LU. See [`solve_in_place`](Structured::solve_in_place).
    ///
    /// # Errors
    /// As [`solve_in_place`](Structured::solve_in_place).
    #[doc(alias("trsm", "trsv", "trtrs"))]
    pub fn solve<'b, const M: usize>(&self, right: impl ArrayOperand<'b, T, M>) -> Result<Array<T, M>> {
        const { assert!(M == 1 || M == 2, "right-hand sides are a vector or a matrix") }
        let right = right.into_array_expr();
        let (shape, columns) = (right.shape(), right.shape()[1..].iter().product());
        let mut x = Array::from_vec(right.collect()?.into_vec(), [shape[0], columns])?;
        self.solve_in_place(super::one(), x.view_mut())?;
        Ok(Array::from_vec(x.into_vec(), shape)?)
    }

    /// Solves `A X = alpha B` in place: `B`, of shape `[n, m]`, is replaced by `X`. The solution of `X A = alpha B` is that
    /// with `A` and `B` transposed: `a.t().solve_in_place(alpha, b.t())`. With `alpha` zero, `X` is zero, and neither the elements
    /// of `A` nor those of `B` matter.
    ///
    /// Triangular matrices are solved by recursive halving: diagonal blocks by substitution, and the rest are products
    /// of matrices. No block is inverted, so that each column has a backward error of a few `n u`. See N. J. Higham,
    /// "Accuracy and Stability of Numerical Algorithms", chapter 8, and F. G. Gustavson, "Recursion leads to automatic
    /// variable blocking for dense linear-algebra algorithms", IBM J. Res. Dev. 41 (1997).
    ///
    /// ```
    /// use cl_linalg::prelude::*;
    /// # fn main() -> cl_linalg::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[2.0_f32, f32::NAN, 1.0, 4.0])?;
    /// let mut b = Array::from_slice(&queue, [2, 1], &[2.0_f32, 9.0])?;
    /// a.lower().solve_in_place(1.0, b.view_mut())?;
    /// assert_eq!(b.to_vec()?, [1.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Singular`] if an element of the diagonal of a triangular or diagonal matrix is zero. To find it, one
    /// reduction over the diagonal runs, and the host waits for it, unless the diagonal is one by definition.
    /// [`Error::Failed`] if the shapes do not fit, for deferred errors and for errors of the device. Of general and
    /// symmetric matrices, the errors of [`Lu::solve`](crate::Lu::solve).
    #[doc(alias("trsm", "trsv", "trtrs"))]
    pub fn solve_in_place(&self, alpha: T, b: ArrayViewMut<'_, T, 2>) -> Result<()> {
        let ([rows, columns], sides) = (self.shape(), b.shape());
        ranked::check(&self.stored.clone().into_ranked())?;
        if rows != columns || columns != sides[0] {
            let reason = format!(
                "a matrix of shape {:?} and right-hand sides of shape {sides:?}: the matrix must be square, with as many \
                 rows as the right-hand sides",
                self.shape()
            );
            return Err(cl_core::Error::invalid_input("solve", reason).into());
        }
        if alpha == T::zeroed() {
            return Ok(b.assign_with(|own| own.map(|_| Val::known(alpha)))?);
        }
        let stored = self.stored.clone();
        match self.structure {
            Structure::Triangular { half, unit } => {
                if !unit {
                    has_no_zero("solve", stored.clone().diagonal())?;
                }
                let most = ranked::substitution_rows::<T>(b.queue())?;
                Ok(Triangle { stored, half, unit }.solve(alpha, b, most)?)
            }
            Structure::Diagonal => {
                let diagonal = stored.diagonal();
                has_no_zero("solve", diagonal.clone())?;
                let factors = diagonal.insert_axis(1);
                Ok(b.assign_with(|own| own.map(|item| item * Val::known(alpha)) / factors)?)
            }
            Structure::General | Structure::Symmetric(_) | Structure::Hermitian(_) => {
                let x = self.dense().lu()?.solve(b.view())?;
                Ok(b.assign(x.map(|item| item * Val::known(alpha)))?)
            }
        }
    }

    /// Returns the inverse: of triangular matrices by substitution, of diagonal ones by division, with their structure. Of
    /// all others it is a general matrix, by LU.
    ///
    /// ```
    /// use cl_linalg::{Structure, prelude::*};
    /// # fn main() -> cl_linalg::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[2.0_f64, f64::NAN, 1.0, 4.0])?;
    /// let inverse = a.lower().inverse()?;
    /// assert_eq!(inverse.structure(), Structure::LOWER);
    /// assert_eq!(inverse.array().to_vec()?, [0.5, 0.0, -0.125, 0.25]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`solve_in_place`](Structured::solve_in_place).
    #[doc(alias = "trtri")]
    pub fn inverse(&self) -> Result<StructuredArray<T>> {
        match self.structure {
            Structure::Triangular { half, unit } => {
                let form = [half == Half::Lower, unit];
                let array = triangular_inverse("inverse", self.stored.clone(), form)?;
                Ok(StructuredArray { array, structure: self.structure })
            }
            Structure::Diagonal => {
                let diagonal = self.stored.clone().diagonal();
                has_no_zero("inverse", diagonal.clone())?;
                diagonal.map(|item| Val::known(super::one::<T>()) / item).diagonal_matrix().collect()
            }
            Structure::General | Structure::Symmetric(_) | Structure::Hermitian(_) => {
                let array = self.dense().lu()?.inverse()?;
                Ok(StructuredArray { array, structure: Structure::General })
            }
        }
    }
}

/// Returns an error if a diagonal has a zero. Waits for the device.
fn has_no_zero<T: Scalar>(operation: &'static str, diagonal: ArrayExpr<'_, T, 1>) -> Result<()> {
    if diagonal.is_empty() {
        return Ok(());
    }
    match diagonal.with_items(|items| items.eq(T::zeroed()).position())? {
        Some(pivot) => Err(Error::Singular { operation, pivot }),
        None => Ok(()),
    }
}
