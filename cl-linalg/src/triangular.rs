//! Solutions of triangular systems, in place.

use crate::{Error, Result, Scalar};
use cl_algo::ranked::{self, Half};
use cl_array::{ArrayExpr, ArrayOperand, ArrayViewMut, s};

/// The part of a matrix that is a triangular matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Triangle {
    /// The half of the matrix that is not zero. The elements outside of it are never used.
    pub half: Half,
    /// `true` if the diagonal is one. The elements on the diagonal are then never used.
    pub unit: bool,
}

impl Triangle {
    /// The lower half with the diagonal.
    pub const LOWER: Triangle = Triangle { half: Half::Lower, unit: false };
    /// The upper half with the diagonal.
    pub const UPPER: Triangle = Triangle { half: Half::Upper, unit: false };
    /// The lower half, and a diagonal of ones.
    pub const UNIT_LOWER: Triangle = Triangle { half: Half::Lower, unit: true };
    /// The upper half, and a diagonal of ones.
    pub const UNIT_UPPER: Triangle = Triangle { half: Half::Upper, unit: true };

    /// Returns the part in which the same elements lie after a transposition.
    #[must_use]
    pub fn transposed(self) -> Triangle {
        Triangle { half: self.half.other(), ..self }
    }
}

/// Solves `A X = alpha B` with a triangular matrix `A` in place: `B`, of shape `[n, m]`, is replaced by `X`.
///
/// `a` is any expression of shape `[n, n]`, of which the part `triangle` is used. The transposed matrix is `a.t()`, with
/// the part [`transposed`](Triangle::transposed).
///
/// Diagonal blocks are solved by substitution, and the rest are products of matrices, by recursive halving. No block
/// is inverted, so that each column has a backward error of a few `n u`. See N. J. Higham, "Accuracy and Stability of
/// Numerical Algorithms", chapter 8, and F. G. Gustavson, "Recursion leads to automatic variable blocking for dense
/// linear-algebra algorithms", IBM J. Res. Dev. 41 (1997).
///
/// ```
/// use cl_linalg::prelude::*;
/// use cl_linalg::{Triangle, solve_triangular};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = Array::from_slice(&queue, [2, 2], &[2.0_f32, f32::NAN, 1.0, 4.0])?;
/// let mut b = Array::from_slice(&queue, [2, 1], &[2.0_f32, 9.0])?;
/// solve_triangular(1.0, &a, Triangle::LOWER, b.view_mut())?;
/// assert_eq!(b.to_vec()?, [1.0, 2.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::Singular`] if an element of the diagonal is zero. To find it, one reduction over the diagonal runs, and the
/// host waits for it, unless the diagonal is one by definition. [`Error::Failed`] if the shapes do not fit, for deferred
/// errors and for errors of the driver.
#[doc(alias("trsm", "trsv", "trtrs"))]
pub fn solve_triangular<'a, T: Scalar>(
    alpha: T,
    a: impl ArrayOperand<'a, T, 2>,
    triangle: Triangle,
    b: ArrayViewMut<'a, T, 2>,
) -> Result<()> {
    let a = a.into_array_expr();
    fits(a.shape(), b.shape())?;
    check_diagonal("solve_triangular", &a, triangle)?;
    solve_nonsingular(alpha, a, triangle, b)
}

/// Solves `X A = alpha B` with a triangular matrix `A` in place; see [`solve_triangular`]. `B` has the shape `[m, n]`.
///
/// # Errors
/// As [`solve_triangular`].
#[doc(alias("trsm"))]
pub fn solve_triangular_right<'a, T: Scalar>(
    alpha: T,
    b: ArrayViewMut<'a, T, 2>,
    a: impl ArrayOperand<'a, T, 2>,
    triangle: Triangle,
) -> Result<()> {
    solve_triangular(alpha, a.into_array_expr().t(), triangle.transposed(), b.t())
}

/// Does the same as [`solve_triangular`] for a matrix whose diagonal is known to have no zero. Does not wait.
pub(crate) fn solve_nonsingular<'a, T: Scalar>(
    alpha: T,
    a: ArrayExpr<'a, T, 2>,
    triangle: Triangle,
    b: ArrayViewMut<'a, T, 2>,
) -> Result<()> {
    fits(a.shape(), b.shape())?;
    let rows = ranked::substitution_rows::<T>(b.queue())?;
    Ok(halves(alpha, a, triangle, b, rows)?)
}

/// Returns an error unless a matrix is square and has as many rows as the right-hand sides.
fn fits(shape: [usize; 2], sides: [usize; 2]) -> Result<()> {
    if shape[0] != shape[1] || shape[1] != sides[0] {
        let reason = format!(
            "a matrix of shape {shape:?} and right-hand sides of shape {sides:?}: the matrix must be square, with as \
             many rows as the right-hand sides"
        );
        return Err(cl_core::Error::invalid_input("solve_triangular", reason).into());
    }
    Ok(())
}

/// Solves by halving, until there are at most `rows` rows.
fn halves<'a, T: Scalar>(
    alpha: T,
    a: ArrayExpr<'a, T, 2>,
    triangle: Triangle,
    b: ArrayViewMut<'a, T, 2>,
    rows: usize,
) -> cl_core::Result<()> {
    let n = a.shape()[0];
    if n <= rows {
        return block(alpha, a, triangle, b);
    }
    let (at, one) = ((n / 2).next_multiple_of(rows), T::from_real(crate::RealScalar::from_f64(1.0)));
    let part = |rows: std::ops::Range<usize>, columns: std::ops::Range<usize>| {
        let [rows, columns] = [rows, columns].map(|range| range.start as isize..range.end as isize);
        a.clone().slice(s![rows, columns])
    };
    let (mut upper, mut lower) = b.split_at(0, at)?;
    match triangle.half {
        Half::Lower => {
            halves(alpha, part(0..at, 0..at), triangle, upper.view_mut(), rows)?;
            lower.view_mut().add_matmul(-one, part(at..n, 0..at), upper.view(), alpha)?;
            halves(one, part(at..n, at..n), triangle, lower, rows)
        }
        Half::Upper => {
            halves(alpha, part(at..n, at..n), triangle, lower.view_mut(), rows)?;
            upper.view_mut().add_matmul(-one, part(0..at, at..n), lower.view(), alpha)?;
            halves(one, part(0..at, 0..at), triangle, upper, rows)
        }
    }
}

/// Solves a system of few rows. An upper triangular matrix is a lower one if both of its axes are reversed.
fn block<'a, T: Scalar>(
    alpha: T,
    a: ArrayExpr<'a, T, 2>,
    triangle: Triangle,
    b: ArrayViewMut<'a, T, 2>,
) -> cl_core::Result<()> {
    let (a, b) = match triangle.half {
        Half::Lower => (a, b),
        Half::Upper => (a.flip(0).flip(1), b.flip(0)),
    };
    let lower = (a.into_ranked(), false);
    ranked::substitute("solve_triangular", b.into_target()?, lower, triangle.unit, alpha)
}

/// Returns an error if the diagonal of a triangular matrix has a zero. Waits for the device.
pub(crate) fn check_diagonal<T: Scalar>(
    operation: &'static str,
    a: &ArrayExpr<'_, T, 2>,
    triangle: Triangle,
) -> Result<()> {
    if triangle.unit || a.is_empty() {
        return Ok(());
    }
    let zero = a.clone().diagonal().with_items(|items| items.eq(T::zeroed()).position())?;
    match zero {
        Some(pivot) => Err(Error::Singular { operation, pivot }),
        None => Ok(()),
    }
}
