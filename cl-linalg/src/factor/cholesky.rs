//! Cholesky factorisation.

use super::algorithms::{self, Half, MATRIX};
use super::condition;
use super::matrix::{RightSides, Work, column_major, identity, run, square};
use super::ops::{Block, BlockedOps, Form, Operand, Operands, is_finite};
use super::settings::{CHOLESKY, FactorSettings};
use crate::error::{Error, Result};
use crate::runs_on::RunsOn;
use crate::scalar::{RealScalar, Scalar, product_of};
use cl_array::{Array, ArrayExpr, ArrayOperand, ArrayViewMut};

/// The name of the operation in errors.
const OPERATION: &str = "cholesky";

/// The factorisation `A = L Lᴴ` of a Hermitian positive definite matrix, with a lower triangular `L`. Only the lower half
/// of the matrix is used.
///
/// Made by [`LinearAlgebra::cholesky`](crate::LinearAlgebra::cholesky). Golub and Van Loan, "Matrix Computations", 4th
/// edition, section 4.2; Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, chapter 10.
#[derive(Debug)]
pub struct Cholesky<T: Scalar> {
    factors: Array<T, 2>,
    diagonal: Vec<T>,
    runs_on: RunsOn,
}

/// The factorisation itself.
struct Factorize {
    rows: usize,
    width: usize,
}

impl<T: Scalar> Work<T> for Factorize {
    type Output = Vec<T>;

    fn run(self, ops: &mut impl BlockedOps<T>) -> Result<Vec<T>> {
        // The imaginary parts of pivots are not read. Any other number that is not finite makes the pivot of its row NaN or
        // infinite.
        if T::IS_COMPLEX && !(IsFinite { rows: self.rows }).run(ops)? {
            return Err(Error::NotFinite { operation: OPERATION });
        }
        algorithms::cholesky(ops, self.rows, self.width)?;
        let diagonal = ops.diagonal(&Block::new(MATRIX, 0..self.rows, 0..self.rows))?;
        // A device goes on after a pivot that is not positive. What it computes from there on is not used.
        let is_bad = |pivot: &T| pivot.re().to_f64() <= 0.0 || !is_finite(*pivot);
        match diagonal.iter().position(is_bad) {
            Some(pivot) => Err(Error::NotPositiveDefinite { operation: OPERATION, pivot }),
            None => Ok(diagonal),
        }
    }
}

/// The check of the lower half for NaN and infinities.
struct IsFinite {
    rows: usize,
}

impl<T: Scalar> Work<T> for IsFinite {
    type Output = bool;

    fn run(self, ops: &mut impl BlockedOps<T>) -> Result<bool> {
        ops.is_finite(&Block::new(MATRIX, 0..self.rows, 0..self.rows), true)
    }
}

/// A solve with the factors.
struct Solve {
    rows: usize,
    right: usize,
}

impl<T: Scalar> Work<T> for Solve {
    type Output = ();

    fn run(self, ops: &mut impl BlockedOps<T>) -> Result<()> {
        for form in [Form::Plain, Form::Adjoint] {
            let half = Half { rows: self.rows, lower: true, unit: false, form };
            algorithms::solve_triangular(ops, half, self.right)?;
        }
        Ok(())
    }
}

impl<T: Scalar> Cholesky<T> {
    pub(crate) fn new(matrix: ArrayExpr<'_, T, 2>, settings: &FactorSettings) -> Result<Cholesky<T>> {
        let rows = square(OPERATION, matrix.shape())?;
        let original = matrix.clone();
        let (mut vector, shape) = column_major(matrix)?;
        let queue = vector.queue().clone();
        let (runs_on, width) = settings.chosen::<T>(&CHOLESKY, &queue, rows * rows)?;
        let operands = Operands::of(Operand::written(&mut vector, rows));
        let diagonal = match run(OPERATION, runs_on, operands, Factorize { rows, width }) {
            Err(error @ Error::NotPositiveDefinite { .. }) => {
                drop(vector); // the copy may need its memory
                let (mut copy, _) = column_major(original)?;
                let operands = Operands::of(Operand::written(&mut copy, rows));
                let is_finite = run(OPERATION, runs_on, operands, IsFinite { rows })?;
                return Err(if is_finite { error } else { Error::NotFinite { operation: OPERATION } });
            }
            result => result?,
        };
        Ok(Cholesky { factors: Array::column_major(vector, shape)?, diagonal, runs_on })
    }

    /// Returns the numbers of rows and columns of the matrix.
    #[must_use]
    pub fn shape(&self) -> [usize; 2] {
        self.factors.shape()
    }

    /// Returns the processor that factorised the matrix.
    #[must_use]
    pub fn ran_on(&self) -> RunsOn {
        self.runs_on
    }

    /// Returns `L`, with zeros above its diagonal.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn l(&self) -> Result<Array<T, 2>> {
        Ok(self.factors.iter().tril(0).collect()?)
    }

    /// Solves `A X = B`, for a vector or the columns of a matrix.
    ///
    /// ```
    /// use cl_linalg::prelude::*;
    /// # fn main() -> cl_linalg::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[4.0_f64, 2.0, 2.0, 5.0])?;
    /// let cholesky = a.cholesky()?;
    /// assert_eq!(cholesky.l()?.to_vec()?, [2.0, 0.0, 1.0, 2.0]);
    /// let x = cholesky.solve(&Array::from_slice(&queue, [2], &[8.0, 12.0])?)?;
    /// assert_eq!(x.to_vec()?, [1.0, 2.0]);
    /// assert!((cholesky.log_det() - 16.0_f64.ln()).abs() < 1e-15);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Failed`] unless `right` has as many rows as the matrix; errors of the device.
    pub fn solve<'b, const M: usize>(&self, right: impl ArrayOperand<'b, T, M>) -> Result<Array<T, M>> {
        let [rows, _] = self.shape();
        let mut right = RightSides::new("solve", right, self.shape(), rows)?;
        let columns = right.sizes[1];
        let operands = Operands {
            right: Some(right.operand()),
            ..Operands::of(Operand::read(self.factors.as_vec(), rows))
        };
        run("solve", self.runs_on, operands, Solve { rows, right: columns })?;
        right.into_array()
    }

    /// Replaces right-hand sides by the solution. See [`solve`](Cholesky::solve).
    ///
    /// # Errors
    /// As [`solve`](Cholesky::solve).
    pub fn solve_in_place<const M: usize>(&self, mut right: ArrayViewMut<'_, T, M>) -> Result<()> {
        let solution = self.solve(right.view_mut().view())?;
        Ok(right.assign(&solution)?)
    }

    /// Returns the inverse.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn inverse(&self) -> Result<Array<T, 2>> {
        let identity = identity(self.shape());
        self.solve(identity.on(self.factors.queue()))
    }

    /// Returns the determinant: 1 for an empty matrix.
    #[must_use]
    #[doc(alias = "determinant")]
    pub fn det(&self) -> T::Real {
        product_of(T::Real::from_f64(1.0), self.diagonal.iter().flat_map(|pivot| [pivot.re(); 2]))
    }

    /// Returns the natural logarithm of the determinant.
    #[must_use]
    #[doc(alias = "slogdet")]
    pub fn log_det(&self) -> T::Real {
        let sum: f64 = self.diagonal.iter().map(|pivot| pivot.re().to_f64().ln()).sum();
        T::Real::from_f64(2.0 * sum)
    }

    /// Returns an estimate of the condition number in the 1-norm, given the 1-norm of the matrix. See
    /// [`Lu::condition`](crate::Lu::condition).
    ///
    /// # Errors
    /// Errors of the device.
    pub fn condition(&self, norm: T::Real) -> Result<T::Real> {
        let [rows, _] = self.shape();
        let queue = self.factors.queue();
        let inverse = condition::one_norm::<T>(rows, |vector, _| {
            Ok(self.solve(&Array::from_slice(queue, [rows], vector)?)?.to_vec()?)
        })?;
        Ok(norm * inverse)
    }
}
