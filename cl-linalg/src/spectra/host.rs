//! Decompositions on the host, by the crate faer.

use cl_algo::Number;
use cl_array::ArrayExpr;
use faer::linalg::triangular_inverse::invert_lower_triangular;
use faer::{MatRef, Par, Side, prelude::*};
use num_complex::Complex;

/// The vectors of a singular value decomposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    None,
    Thin,
    Full,
}

/// A decomposition: real numbers, and the columns of one or two matrices, in row-major order.
pub(crate) type Decomposed<T> = (Vec<f64>, Vec<T>, Vec<T>);

/// Decompositions on the host, for each type of elements. Matrices are in row-major order.
pub trait HostSpectra: Copy + Sized {
    /// The type of absolute values.
    type Part: Number;

    /// The smallest normal real number.
    const SMALLEST: f64;

    /// Returns the eigenvalues of a Hermitian matrix in ascending order, and its eigenvectors if `vectors` is `true`;
    /// `None` without convergence. Only the lower triangle is read.
    fn host_eigh(n: usize, a: &[Self], vectors: bool) -> Option<(Vec<f64>, Vec<Self>)>;

    /// Returns the singular values in descending order, and the left and the right singular vectors; `None` without
    /// convergence.
    fn host_svd(shape: [usize; 2], a: &[Self], vectors: Vectors) -> Option<Decomposed<Self>>;

    /// Returns the inverse of the Cholesky factor of a matrix, or the index of the first pivot that is not positive.
    fn host_inverse_of_cholesky(n: usize, a: &[Self]) -> Result<Vec<Self>, usize>;

    /// Returns a real number as `f64`.
    fn part_to_f64(part: Self::Part) -> f64;

    /// Returns the real parts of a lazy array.
    fn real_parts<const N: usize>(array: ArrayExpr<'_, Self, N>) -> ArrayExpr<'_, Self::Part, N>
    where
        Self: cl_algo::Element;

    /// Returns the imaginary parts of a lazy array.
    fn imaginary_parts<const N: usize>(array: ArrayExpr<'_, Self, N>) -> ArrayExpr<'_, Self::Part, N>
    where
        Self: cl_algo::Element;

    /// Returns the largest absolute value of a lazy array, 0 of an empty one.
    fn largest_part<const N: usize>(array: ArrayExpr<'_, Self::Part, N>) -> cl_core::Result<f64>;

    /// Returns the squares of the absolute values of a lazy array.
    fn squares<const N: usize>(array: ArrayExpr<'_, Self, N>) -> ArrayExpr<'_, Self::Part, N>
    where
        Self: cl_algo::Element;
}

/// Returns the elements of a matrix in row-major order.
fn row_major<T: Copy>(matrix: MatRef<'_, T>) -> Vec<T> {
    (0..matrix.nrows()).flat_map(|i| (0..matrix.ncols()).map(move |j| matrix[(i, j)])).collect()
}

/// Returns the imaginary parts of real numbers.
fn nothing<T: Number, const N: usize>(array: ArrayExpr<'_, T, N>) -> ArrayExpr<'_, T, N> {
    array.map(|item| item * cl_algo::Val::known(T::zeroed()))
}

/// Returns the squares of real numbers.
fn square<T: Number, const N: usize>(array: ArrayExpr<'_, T, N>) -> ArrayExpr<'_, T, N> {
    array.map(|item| item * item)
}

macro_rules! host {
    ($($scalar:ty, $part:ty, $re:expr, $real_parts:expr, $imaginary_parts:expr, $squares:expr;)*) => {$(
        impl HostSpectra for $scalar {
            type Part = $part;
            const SMALLEST: f64 = <$part>::MIN_POSITIVE as f64;

            fn host_eigh(n: usize, a: &[$scalar], vectors: bool) -> Option<(Vec<f64>, Vec<$scalar>)> {
                let a = MatRef::from_row_major_slice(a, n, n);
                if !vectors {
                    let values = a.self_adjoint_eigenvalues(Side::Lower).ok()?;
                    return Some((values.into_iter().map(f64::from).collect(), Vec::new()));
                }
                let decomposed = a.self_adjoint_eigen(Side::Lower).ok()?;
                let values = decomposed.S().column_vector().iter().map($re).map(f64::from).collect();
                Some((values, row_major(decomposed.U())))
            }

            fn host_svd([m, n]: [usize; 2], a: &[$scalar], vectors: Vectors) -> Option<Decomposed<$scalar>> {
                let a = MatRef::from_row_major_slice(a, m, n);
                if vectors == Vectors::None {
                    let values = a.singular_values().ok()?;
                    return Some((values.into_iter().map(f64::from).collect(), Vec::new(), Vec::new()));
                }
                let decomposed = if vectors == Vectors::Full { a.svd() } else { a.thin_svd() }.ok()?;
                let values = decomposed.S().column_vector().iter().map($re).map(f64::from).collect();
                Some((values, row_major(decomposed.U()), row_major(decomposed.V())))
            }

            fn host_inverse_of_cholesky(n: usize, a: &[$scalar]) -> Result<Vec<$scalar>, usize> {
                use faer::linalg::cholesky::llt::factor::LltError;
                let factor = MatRef::from_row_major_slice(a, n, n).llt(Side::Lower);
                let factor = factor.map_err(|LltError::NonPositivePivot { index }| index)?;
                let mut inverse = Mat::zeros(n, n);
                invert_lower_triangular(inverse.as_mut(), factor.L(), Par::Seq);
                Ok(row_major(inverse.as_ref()))
            }

            fn part_to_f64(part: $part) -> f64 {
                f64::from(part)
            }

            fn real_parts<const N: usize>(array: ArrayExpr<'_, $scalar, N>) -> ArrayExpr<'_, $part, N> {
                $real_parts(array)
            }

            fn imaginary_parts<const N: usize>(array: ArrayExpr<'_, $scalar, N>) -> ArrayExpr<'_, $part, N> {
                $imaginary_parts(array)
            }

            fn largest_part<const N: usize>(array: ArrayExpr<'_, $part, N>) -> cl_core::Result<f64> {
                Ok(array.abs().reduce_max()?.map_or(0.0, f64::from))
            }

            fn squares<const N: usize>(array: ArrayExpr<'_, $scalar, N>) -> ArrayExpr<'_, $part, N> {
                $squares(array)
            }
        }
    )*};
}

host! {
    f32, f32, |value| *value, std::convert::identity, nothing, square;
    f64, f64, |value| *value, std::convert::identity, nothing, square;
    Complex<f32>, f32, |value| value.re, ArrayExpr::<Complex<f32>, N>::re,
        ArrayExpr::<Complex<f32>, N>::im, ArrayExpr::<Complex<f32>, N>::norm_sqr;
    Complex<f64>, f64, |value| value.re, ArrayExpr::<Complex<f64>, N>::re,
        ArrayExpr::<Complex<f64>, N>::im, ArrayExpr::<Complex<f64>, N>::norm_sqr;
}
