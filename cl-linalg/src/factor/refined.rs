//! Solves in `f64` by factors in `f32`.

use super::lu::Lu;
use super::matrix::square;
use super::settings::FactorSettings;
use crate::error::{Error, Result};
use cl_array::{Array, ArrayExpr, ArrayOperand, ArrayView};

/// The maximal number of refinements, as in LAPACK.
const MOST: usize = 30;

/// The backward error that ends refinements. Solves in `f64` of 40 to 200 rows have 0.02 to 0.06 of `f64::EPSILON`, the last
/// refinement leaves 0.01 to 0.05. LAPACK's bound, `EPSILON * sqrt(rows)`, let 3.6 pass at a condition of 10^6 and 64 rows.
const TARGET: f64 = f64::EPSILON / 8.0;

/// Solves of `f64` that do most of their work in `f32`. Implemented for arrays, views and expressions of two axes.
pub trait SolveRefined<'a>: ArrayOperand<'a, f64, 2> + Sized {
    /// Solves `A X = B` with factors of `A` in `f32`, and refines the solution in `f64` until the residual of each column is
    /// at most an eighth of `f64::EPSILON` times the norms of the matrix and of the column, or no longer falls: that is the
    /// backward error of a solve in `f64`. LAPACK's `dsgesv` ends earlier, at the square root of the number of rows times as much. A matrix
    /// whose condition number is above about `10^7` does not reach LAPACK's bound; it is factorised again in `f64`.
    ///
    /// Faster than [`solve`](crate::LinearAlgebra::solve) on devices that are several times as fast in `f32`.
    ///
    /// Langou et al., "Exploiting the Performance of 32 bit Floating Point Arithmetic in Obtaining 64 bit Accuracy",
    /// LAPACK Working Note 175, 2006; Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, chapter 12.
    ///
    /// ```
    /// use cl_linalg::prelude::*;
    /// # fn main() -> cl_linalg::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[3.0_f64, 1.0, 1.0, 3.0])?;
    /// let x = a.solve_refined(&Array::from_slice(&queue, [2], &[1.0, 1.0])?)?.to_vec()?;
    /// assert!((x[0] - 0.25).abs() < 1e-15 && (x[1] - 0.25).abs() < 1e-15);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`LinearAlgebra::solve`](crate::LinearAlgebra::solve).
    #[doc(alias = "dsgesv")]
    fn solve_refined<'b, const M: usize>(
        self,
        right: impl ArrayOperand<'b, f64, M>,
    ) -> Result<Array<f64, M>> {
        let operation = "solve_refined";
        let a = self.into_array_expr();
        let rows = square(operation, a.shape())?;
        let right = right.into_array_expr();
        let shape = right.shape();
        let flat = [shape[0], shape[1..].iter().product()];
        if flat[0] != rows {
            let reason = format!(
                "a matrix of shape {:?} and right-hand sides of shape {shape:?}: {rows} rows of right-hand sides are \
                 needed",
                a.shape()
            );
            return Err(cl_core::Error::invalid_input(operation, reason).into());
        }
        let a = a.collect()?;
        let right = Array::from_vec(right.collect()?.into_vec(), flat)?;
        let solution = match refine(&a, &right)? {
            Some(solution) => solution,
            None => Lu::new(a.iter(), &FactorSettings::new())?.solve(&right)?.iter().collect()?,
        };
        Ok(Array::from_vec(solution.into_vec(), shape)?)
    }
}

// Not implemented for `Array` itself, so that `a.solve_refined(b)` borrows `a`.
impl<'a> SolveRefined<'a> for &'a Array<f64, 2> {}
impl<'a> SolveRefined<'a> for ArrayView<'a, f64, 2> {}
impl<'a> SolveRefined<'a> for &ArrayView<'a, f64, 2> {}
impl<'a> SolveRefined<'a> for ArrayExpr<'a, f64, 2> {}
impl<'a> SolveRefined<'a> for &ArrayExpr<'a, f64, 2> {}

/// Returns the refined solution in row-major order; `None` if it does not converge.
fn refine(a: &Array<f64, 2>, right: &Array<f64, 2>) -> Result<Option<Array<f64, 2>>> {
    let [rows, columns] = right.shape();
    if rows == 0 || columns == 0 {
        return Ok(Some(right.try_clone()?));
    }
    let lu = match Lu::<f32>::new(a.iter().cast(), &FactorSettings::new()) {
        Ok(lu) if lu.zero_pivot().is_none() => lu,
        // Too large, or singular, in `f32`.
        Ok(_) | Err(Error::NotFinite { .. }) => return Ok(None),
        Err(other) => return Err(other),
    };
    let sums = a.iter().abs().sum_axis(1)?.to_vec()?;
    let norm = sums.into_iter().fold(0.0, f64::max);
    let mut solution = lu.solve(right.iter().cast::<f32>())?.iter().cast::<f64>().collect()?;
    // The bound of LAPACK: a solution with a larger error has not converged.
    let enough = f64::EPSILON * (rows as f64).sqrt();
    let mut best: Option<(f64, Array<f64, 2>)> = None;
    for _ in 0..MOST {
        let residual = residual(a, &solution, right)?;
        let sizes = [&residual, &solution].map(|array| array.iter().abs().max_axis(0));
        let [residuals, solutions] = sizes.map(|sizes| -> Result<Vec<f64>> { Ok(sizes?.to_vec()?) });
        let (residuals, solutions) = (residuals?, solutions?);
        // The backward error of each column.
        let errors = residuals
            .iter()
            .zip(&solutions)
            .map(|(residual, solution)| if *residual == 0.0 { 0.0 } else { residual / (norm * solution) });
        let error = errors.fold(0.0, |worst: f64, item: f64| if item <= worst { worst } else { item });
        let last = best.as_ref().map_or(f64::INFINITY, |(error, _)| *error);
        // NaN, or slower than a factor of 2.
        let is_last = error.is_nan() || error > last / 2.0;
        // Residuals are scaled, so that small ones do not underflow in `f32`.
        let scale = residuals.iter().fold(0.0, |largest: f64, item| largest.max(*item));
        let next = if is_last || error <= TARGET {
            None
        } else {
            let scaled: ArrayExpr<'_, f64, 2> = residual.iter() / scale;
            let step = lu.solve(scaled.cast::<f32>())?;
            Some((step.iter().cast::<f64>() * scale + &solution).collect()?)
        };
        if error < last {
            best = Some((error, solution));
        }
        match next {
            Some(next) => solution = next,
            None => break,
        }
    }
    Ok(best.filter(|(error, _)| *error <= enough).map(|(_, solution)| solution))
}

/// Returns `B - A X`.
fn residual(a: &Array<f64, 2>, x: &Array<f64, 2>, b: &Array<f64, 2>) -> Result<Array<f64, 2>> {
    Ok((b - a.matmul(x)?).collect()?)
}
