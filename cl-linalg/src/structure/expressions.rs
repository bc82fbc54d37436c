//! Structured matrices in expressions: transposition, scaling, sums.

use super::{MatrixOperand, Structure, Structured};
use crate::Scalar;
use cl_algo::Val;
use cl_array::{ArrayExpr, ArrayOperand};
use std::ops::Add;

impl<'a, T: Scalar> Structured<'a, T> {
    /// Returns the transposed matrix: of a lower triangular matrix an upper one.
    pub fn t(self) -> Structured<'a, T> {
        Structured { structure: self.structure.transposed(), stored: self.stored.t() }
    }

    /// Returns the conjugate transposed matrix.
    #[doc(alias("adjoint", "conjugate_transpose"))]
    pub fn h(self) -> Structured<'a, T> {
        let transposed = self.t();
        Structured { stored: T::conjugates(transposed.stored), ..transposed }
    }

    /// Returns the matrix times a number. A diagonal of ones becomes a stored one; a Hermitian matrix times a number
    /// that is not real is a general matrix.
    #[doc(alias = "scal")]
    pub fn scale(self, factor: T) -> Structured<'a, T> {
        let scaled = |matrix: ArrayExpr<'a, T, 2>| matrix.map(|item| item * Val::known(factor));
        match self.structure {
            Structure::Hermitian(_) if factor.conjugate() != factor => general(scaled(self.dense())),
            structure => {
                Structured { stored: scaled(self.with_diagonal()), structure: without_unit(structure) }
            }
        }
    }

    /// Returns the matrix with each row multiplied by an element of a vector, lazily: the product of a diagonal matrix
    /// and this one. A vector of another length than the number of rows is a deferred error.
    ///
    /// ```
    /// use cl_linalg::{Structure, prelude::*};
    /// # fn main() -> cl_linalg::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, f32::NAN, 3.0, 4.0])?;
    /// let d = Array::from_slice(&queue, [2], &[2.0_f32, 10.0])?;
    /// let scaled = a.lower().scale_rows(&d);
    /// assert_eq!(scaled.structure(), Structure::LOWER);
    /// assert_eq!(scaled.dense().to_vec()?, [2.0, 0.0, 30.0, 40.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn scale_rows(self, factors: impl ArrayOperand<'a, T, 1>) -> Structured<'a, T> {
        self.scale_lines(factors.into_array_expr(), 0)
    }

    /// Returns the matrix with each column multiplied by an element of a vector, lazily: the product of this matrix and
    /// a diagonal one. A vector of another length than the number of columns is a deferred error.
    pub fn scale_columns(self, factors: impl ArrayOperand<'a, T, 1>) -> Structured<'a, T> {
        self.scale_lines(factors.into_array_expr(), 1)
    }

    /// Multiplies the rows, for axis 0, or the columns by elements of a vector.
    fn scale_lines(self, factors: ArrayExpr<'a, T, 1>, axis: usize) -> Structured<'a, T> {
        let (shape, len) = (self.shape(), factors.shape()[0]);
        if len != shape[axis] {
            let reason = format!("{len} factors for axis {axis} of a matrix of shape {shape:?}");
            return self.failed("scale", reason);
        }
        let factors = factors.insert_axis(1 - axis);
        match self.structure {
            Structure::Symmetric(_) | Structure::Hermitian(_) => general(factors * self.dense()),
            structure => {
                Structured { stored: factors * self.with_diagonal(), structure: without_unit(structure) }
            }
        }
    }
}

/// Adds two matrices, lazily. The sum has the structure that both have: the sum of lower triangular or diagonal matrices
/// is lower triangular, of symmetric or real diagonal matrices symmetric. Different shapes are a deferred error.
///
/// ```
/// use cl_linalg::{Structure, prelude::*};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, f32::NAN, 3.0, 4.0])?;
/// let sum = a.lower() + a.diagonal().diagonal_matrix();
/// assert_eq!(sum.structure(), Structure::LOWER);
/// assert_eq!(sum.dense().to_vec()?, [2.0, 0.0, 3.0, 8.0]);
/// # Ok(())
/// # }
/// ```
impl<'a, T: Scalar, B: MatrixOperand<'a, T>> Add<B> for Structured<'a, T> {
    type Output = Structured<'a, T>;

    fn add(self, other: B) -> Structured<'a, T> {
        use Structure::{Diagonal, Hermitian, Symmetric, Triangular};
        let other = other.into_structured();
        let shapes = [self.shape(), other.shape()];
        if shapes[0] != shapes[1] {
            return self.failed("add", format!("shapes {:?} and {:?} must be equal", shapes[0], shapes[1]));
        }
        let structure = match (self.structure, other.structure) {
            (Diagonal, Diagonal) => Diagonal,
            (Triangular { half, .. }, Triangular { half: same, .. }) if half == same => {
                Triangular { half, unit: false }
            }
            (Triangular { half, .. }, Diagonal) | (Diagonal, Triangular { half, .. }) => {
                Triangular { half, unit: false }
            }
            (Symmetric(half), Symmetric(_) | Diagonal) | (Diagonal, Symmetric(half)) => Symmetric(half),
            (Hermitian(half), Hermitian(_)) => Hermitian(half),
            _ => Structure::General,
        };
        // Stored elements outside of the common structure may be anything.
        let part = |matrix: Structured<'a, T>| match (matrix.structure, structure) {
            (Diagonal, Diagonal) | (Triangular { .. }, Triangular { .. }) => matrix.with_diagonal(),
            (Symmetric(own), Symmetric(half)) | (Hermitian(own), Hermitian(half)) if own == half => {
                matrix.stored
            }
            _ => matrix.dense(),
        };
        Structured { stored: part(self) + part(other), structure }
    }
}

fn general<T: Scalar>(stored: ArrayExpr<'_, T, 2>) -> Structured<'_, T> {
    Structured { stored, structure: Structure::General }
}

/// Returns the structure of a matrix whose diagonal is stored.
fn without_unit(structure: Structure) -> Structure {
    match structure {
        Structure::Triangular { half, .. } => Structure::Triangular { half, unit: false },
        other => other,
    }
}
