//! Products with triangular matrices, and updates of one half of a matrix.

use crate::{Half, Result, Scalar, Triangle};
use cl_algo::Val;
use cl_algo::ranked::{self, Triangles};
use cl_array::{ArrayExpr, ArrayOperand, ArrayViewMut};

/// Adds a product of matrices to one half of a square matrix: `C = alpha A B + beta C` in the half `half`, with the
/// diagonal. The other half is neither read nor written, so that the work is half of that of a whole product.
///
/// `C` is not read if `beta` is zero. With `a` and `a.t()`, or the conjugate transpose, this is a rank-k update.
///
/// ```
/// use cl_linalg::prelude::*;
/// use cl_linalg::{Half, add_matmul_half};
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
/// [`Error::Failed`](crate::Error::Failed) if the shapes do not fit, for deferred errors and for errors of the driver.
#[doc(alias("syrk", "herk", "gemmt", "syr2k"))]
pub fn add_matmul_half<'a, T: Scalar>(
    half: Half,
    c: ArrayViewMut<'a, T, 2>,
    alpha: T,
    a: impl ArrayOperand<'a, T, 2>,
    b: impl ArrayOperand<'a, T, 2>,
    beta: T,
) -> Result<()> {
    let halves = Triangles { output: Some(half), ..Triangles::default() };
    multiply("add_matmul_half", c, alpha, [a.into_array_expr(), b.into_array_expr()], halves, beta)
}

/// Adds the product of a triangular and a general matrix: `C = alpha A B + beta C`.
///
/// The elements of `a` outside of the part `triangle` are never used, and blocks of zeros are not multiplied: the work is
/// half of that of a whole product. `C` is not read if `beta` is zero.
///
/// ```
/// use cl_linalg::prelude::*;
/// use cl_linalg::{Triangle, add_triangular_matmul};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, f32::NAN, 3.0, 4.0])?;
/// let b = Array::from_slice(&queue, [2, 1], &[1.0_f32, 10.0])?;
/// let mut c = Array::zeros(&queue, [2, 1])?;
/// add_triangular_matmul(c.view_mut(), 1.0, &a, Triangle::LOWER, &b, 0.0)?;
/// assert_eq!(c.to_vec()?, [1.0, 43.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`add_matmul_half`].
#[doc(alias("trmm", "trmv"))]
pub fn add_triangular_matmul<'a, T: Scalar>(
    c: ArrayViewMut<'a, T, 2>,
    alpha: T,
    a: impl ArrayOperand<'a, T, 2>,
    triangle: Triangle,
    b: impl ArrayOperand<'a, T, 2>,
    beta: T,
) -> Result<()> {
    let a = triangle.of(a.into_array_expr());
    let halves = Triangles { left: Some(triangle.half), ..Triangles::default() };
    multiply("add_triangular_matmul", c, alpha, [a, b.into_array_expr()], halves, beta)
}

/// Adds the product of a general and a triangular matrix: `C = alpha A B + beta C`, with the triangular matrix `b`. See
/// [`add_triangular_matmul`].
///
/// # Errors
/// As [`add_matmul_half`].
#[doc(alias("trmm"))]
pub fn add_matmul_triangular<'a, T: Scalar>(
    c: ArrayViewMut<'a, T, 2>,
    alpha: T,
    a: impl ArrayOperand<'a, T, 2>,
    b: impl ArrayOperand<'a, T, 2>,
    triangle: Triangle,
    beta: T,
) -> Result<()> {
    let b = triangle.of(b.into_array_expr());
    let halves = Triangles { right: Some(triangle.half), ..Triangles::default() };
    multiply("add_matmul_triangular", c, alpha, [a.into_array_expr(), b], halves, beta)
}

impl Triangle {
    /// Returns the triangular matrix: zeros, and ones on a diagonal of ones, in place of the elements that are not used.
    pub fn of<T: Scalar>(self, a: ArrayExpr<'_, T, 2>) -> ArrayExpr<'_, T, 2> {
        let (shape, strict) = (a.shape(), isize::from(self.unit));
        let part = match self.half {
            Half::Lower => a.tril(-strict),
            Half::Upper => a.triu(strict),
        };
        if !self.unit {
            return part;
        }
        let one = T::from_real(crate::RealScalar::from_f64(1.0));
        ArrayExpr::from_fn(shape, |[i, j]| i.eq(j)).select(one, part)
    }
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
    let ([m, k], [rows, n]) = (a.shape(), b.shape());
    let is_square = |half: Option<Half>, [rows, columns]: [usize; 2]| half.is_none() || rows == columns;
    let squares = is_square(halves.left, [m, k]) && is_square(halves.right, [rows, n]);
    if k != rows || c.shape() != [m, n] || !squares || !is_square(halves.output, [m, n]) {
        let reason = format!(
            "shapes {:?} and {:?}, and {:?} for the product, do not fit; triangular matrices are square",
            a.shape(),
            b.shape(),
            c.shape()
        );
        return Err(cl_core::Error::invalid_input(operation, reason).into());
    }
    let (operands, target) = ([a, b].map(|operand| (operand.into_ranked(), false)), c.into_target()?);
    if beta == T::zeroed() {
        let finish = |item: Val<T>| item * alpha;
        return Ok(ranked::contract_triangles(operation, target, operands, k, halves, finish)?);
    }
    let finish = |item: Val<T>, own: Val<T>| item * alpha + own * beta;
    Ok(ranked::contract_with(operation, target, operands, k, halves, finish)?)
}
