//! Products of structured matrices, and updates of a matrix by products.

use super::{MatrixOperand, Structure, Structured, StructuredArray, one};
use crate::{Half, Result, Scalar};
use cl_algo::Val;
use cl_algo::ranked::{self, Triangles};
use cl_array::{Array, ArrayExpr, ArrayOperand, ArrayViewMut};

impl<'a, T: Scalar> Structured<'a, T> {
    /// Returns the product with another matrix, which is structured or general, with the structure that follows: the
    /// product of two lower triangular matrices is lower triangular, and only that half is computed.
    ///
    /// A product with a triangular matrix does not multiply its blocks of zeros. A product with a diagonal matrix is
    /// [`scale_rows`](Structured::scale_rows) or [`scale_columns`](Structured::scale_columns). A product with a symmetric
    /// matrix reads one half of it.
    ///
    /// # Errors
    /// [`Error::Failed`](crate::Error::Failed) if the shapes do not fit, for deferred errors and for errors of the device.
    #[doc(alias("trmm", "symm", "hemm"))]
    pub fn matmul(self, other: impl MatrixOperand<'a, T>) -> Result<StructuredArray<T>> {
        use Structure::{Diagonal, General, Triangular};
        let other = other.into_structured();
        fits("matmul", &self, &other, None)?;
        let structure = match (self.structure, other.structure) {
            (Diagonal, _) => return other.scale_rows(self.stored.diagonal()).collect(),
            (_, Diagonal) => return self.scale_columns(other.stored.diagonal()).collect(),
            (Triangular { half, unit }, Triangular { half: same, unit: too }) if half == same => {
                Triangular { half, unit: unit && too }
            }
            _ => General,
        };
        let halves = Triangles {
            left: self.structure.half(),
            right: other.structure.half(),
            output: structure.half(),
        };
        let operands = [self.dense(), other.dense()];
        if halves == Triangles::default() {
            let [left, right] = operands;
            return Ok(StructuredArray { array: left.matmul(right)?, structure });
        }
        let [[rows, _], [_, columns]] = operands.each_ref().map(ArrayExpr::shape);
        let both = operands[0].clone().into_ranked() * operands[1].clone().into_ranked();
        let queue = ranked::queue_of("matmul", &both)?;
        let mut array = Array::zeros(queue, [rows, columns])?;
        multiply("matmul", array.view_mut(), one(), operands, halves, T::zeroed())?;
        Ok(StructuredArray { array, structure })
    }

    /// Returns the product with a vector.
    ///
    /// A symmetric matrix is the sum of a triangular one and a transposed one: each is read row by row or column by column
    /// where it lies.
    ///
    /// # Errors
    /// As [`matmul`](Structured::matmul).
    #[doc(alias("trmv", "symv", "hemv"))]
    pub fn matvec(self, vector: impl ArrayOperand<'a, T, 1>) -> Result<Array<T, 1>> {
        let vector = vector.into_array_expr();
        let own = self.with_diagonal();
        match self.structure {
            Structure::Diagonal if self.shape()[1] == vector.shape()[0] => {
                Ok((own.diagonal() * vector).collect()?)
            }
            Structure::Symmetric(half) | Structure::Hermitian(half) => {
                let (near, far) = match half {
                    Half::Lower => (own.clone().tril(0), own.tril(-1)),
                    Half::Upper => (own.clone().triu(0), own.triu(1)),
                };
                let is_hermitian = matches!(self.structure, Structure::Hermitian(_));
                let far = if is_hermitian { T::conjugates(far.t()) } else { far.t() };
                let mut product = near.matvec(vector.clone())?;
                product.add_assign(&far.matvec(vector)?)?;
                Ok(product)
            }
            _ => Ok(self.dense().matvec(vector)?),
        }
    }
}

/// Adds a product of matrices: `C = alpha A B + beta C`. The operands are structured or general: blocks of zeros of
/// triangular matrices are not multiplied, and of symmetric matrices one half is read. `C` is not read if `beta` is zero.
///
/// ```
/// use cl_linalg::{add_matmul, prelude::*};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, f32::NAN, 3.0, 4.0])?;
/// let b = Array::from_slice(&queue, [2, 1], &[1.0_f32, 10.0])?;
/// let mut c = Array::zeros(&queue, [2, 1])?;
/// add_matmul(c.view_mut(), 1.0, a.lower(), &b, 0.0)?;
/// assert_eq!(c.to_vec()?, [1.0, 43.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::Failed`](crate::Error::Failed) if the shapes do not fit, for deferred errors and for errors of the device.
#[doc(alias("gemm", "trmm", "symm", "hemm"))]
pub fn add_matmul<'a, T: Scalar>(
    c: ArrayViewMut<'a, T, 2>,
    alpha: T,
    a: impl MatrixOperand<'a, T>,
    b: impl MatrixOperand<'a, T>,
    beta: T,
) -> Result<()> {
    add("add_matmul", None, c, alpha, [a.into_structured(), b.into_structured()], beta)
}

/// Adds a product of matrices to one half of a square matrix: `C = alpha A B + beta C` in the half `half`, with the
/// diagonal. The other half is neither read nor written, so that the work is half of that of a whole product.
///
/// With `a` and `a.t()`, or the conjugate transpose, this is a rank-k update. See [`add_matmul`].
///
/// ```
/// use cl_linalg::{Half, add_matmul_half, prelude::*};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?;
/// let mut c = Array::from_slice(&queue, [2, 2], &[10.0_f32, f32::INFINITY, 10.0, 10.0])?;
/// add_matmul_half(Half::Lower, c.view_mut(), -1.0, &a, a.t(), 1.0)?;
/// assert_eq!(c.to_vec()?, [5.0, f32::INFINITY, -1.0, -15.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`add_matmul`].
#[doc(alias("syrk", "herk", "gemmt", "syr2k"))]
pub fn add_matmul_half<'a, T: Scalar>(
    half: Half,
    c: ArrayViewMut<'a, T, 2>,
    alpha: T,
    a: impl MatrixOperand<'a, T>,
    b: impl MatrixOperand<'a, T>,
    beta: T,
) -> Result<()> {
    add("add_matmul_half", Some(half), c, alpha, [a.into_structured(), b.into_structured()], beta)
}

/// Adds the products of each element of a vector with each of another one, a rank-1 update: `C += alpha x yᵀ`. Complex
/// elements of `y` are not conjugated: `y.conj()` is.
///
/// # Errors
/// As [`add_matmul`].
#[doc(alias("ger", "geru", "gerc"))]
pub fn add_outer<'a, T: Scalar>(
    c: ArrayViewMut<'a, T, 2>,
    alpha: T,
    x: impl ArrayOperand<'a, T, 1>,
    y: impl ArrayOperand<'a, T, 1>,
) -> Result<()> {
    let product = x.into_array_expr().map(|item| item * Val::known(alpha)).outer(y);
    if product.shape() != c.shape() {
        let reason = format!("a product of shape {:?} does not fit {:?}", product.shape(), c.shape());
        return Err(cl_core::Error::invalid_input("add_outer", reason).into());
    }
    Ok(c.add_assign(product)?)
}

/// Adds a rank-1 update to one half of a square matrix: `C += alpha x yᵀ` in the half `half`, with the diagonal. The
/// other half is neither read nor written. See [`add_outer`].
///
/// ```
/// use cl_linalg::{Half, add_outer_half, prelude::*};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = Array::from_slice(&queue, [2], &[1.0_f32, 2.0])?;
/// let mut c = Array::from_slice(&queue, [2, 2], &[1.0_f32, f32::INFINITY, 1.0, 1.0])?;
/// add_outer_half(Half::Lower, c.view_mut(), 10.0, &x, &x)?;
/// assert_eq!(c.to_vec()?, [11.0, f32::INFINITY, 21.0, 41.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`add_matmul`].
#[doc(alias("syr", "her"))]
pub fn add_outer_half<'a, T: Scalar>(
    half: Half,
    c: ArrayViewMut<'a, T, 2>,
    alpha: T,
    x: impl ArrayOperand<'a, T, 1>,
    y: impl ArrayOperand<'a, T, 1>,
) -> Result<()> {
    let (column, row) = (x.into_array_expr().insert_axis(1), y.into_array_expr().insert_axis(0));
    let operands = [column, row].map(MatrixOperand::into_structured);
    add("add_outer_half", Some(half), c, alpha, operands, one())
}

fn add<'a, T: Scalar>(
    operation: &'static str,
    half: Option<Half>,
    c: ArrayViewMut<'a, T, 2>,
    alpha: T,
    [a, b]: [Structured<'a, T>; 2],
    beta: T,
) -> Result<()> {
    fits(operation, &a, &b, Some((c.shape(), half)))?;
    let halves = Triangles { left: a.structure.half(), right: b.structure.half(), output: half };
    multiply(operation, c, alpha, [a.dense(), b.dense()], halves, beta)
}

/// Returns an error unless two matrices can be multiplied, and the product has the output's shape. An output of which
/// a half is computed is square.
fn fits<T: Scalar>(
    operation: &'static str,
    a: &Structured<'_, T>,
    b: &Structured<'_, T>,
    output: Option<([usize; 2], Option<Half>)>,
) -> Result<()> {
    for matrix in [a, b] {
        ranked::check(&matrix.stored.clone().into_ranked())?;
    }
    let ([m, k], [rows, n]) = (a.shape(), b.shape());
    let (shape, half) = output.unwrap_or(([m, n], None));
    if k != rows || shape != [m, n] || (half.is_some() && m != n) {
        let square = if half.is_some() { "; a matrix of which a half is computed is square" } else { "" };
        let reason = format!(
            "shapes {:?} and {:?}, and {shape:?} for the product, do not fit{square}",
            a.shape(),
            b.shape()
        );
        return Err(cl_core::Error::invalid_input(operation, reason).into());
    }
    Ok(())
}

/// Computes `C = alpha A B + beta C` with halves that are zero, or not computed.
fn multiply<'a, T: Scalar>(
    operation: &'static str,
    c: ArrayViewMut<'a, T, 2>,
    alpha: T,
    [a, b]: [ArrayExpr<'a, T, 2>; 2],
    halves: Triangles,
    beta: T,
) -> Result<()> {
    let (shapes, target) = ([a.shape(), b.shape()], c.into_target()?);
    let operands = [(a.into_ranked(), &shapes[0][..]), (b.into_ranked(), &shapes[1][..])];
    // A factor of zero leaves out its numbers, which may be NaN, as in the BLAS.
    let product = |item: Val<T>| if alpha == T::zeroed() { Val::known(alpha) } else { item * alpha };
    if beta == T::zeroed() {
        return Ok(ranked::contract_triangles(operation, target, operands, halves, product)?);
    }
    let finish = |item: Val<T>, own: Val<T>| product(item) + own * beta;
    Ok(ranked::contract_with(operation, target, operands, halves, finish)?)
}
