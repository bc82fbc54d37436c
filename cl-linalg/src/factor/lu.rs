//! LU factorisation with partial pivoting.

use super::algorithms::{self, Half, MATRIX, RIGHT};
use super::condition;
use super::matrix::{RightSides, Work, column_major, finite, identity, run, square};
use super::ops::{Block, BlockedOps, Form, Operand, Operands};
use super::settings::{FactorSettings, LU};
use crate::error::{Error, Result};
use crate::runs_on::RunsOn;
use crate::scalar::{RealScalar, Scalar, product_of};
use cl_algo::DeviceVec;
use cl_array::{Array, ArrayExpr, ArrayOperand, ArrayViewMut};

/// The factorisation `P A = L U` of a matrix of any shape: `L` is lower triangular with ones on its diagonal, `U` is upper
/// triangular, and `P` exchanges rows so that no element of `L` is larger than 1.
///
/// Made by [`LinearAlgebra::lu`](crate::LinearAlgebra::lu). The matrix may be singular; solves then return an error.
///
/// Golub and Van Loan, "Matrix Computations", 4th edition, section 3.4. The backward error of a solve is a few `n u` times
/// the growth of elements: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, theorem 9.4.
#[derive(Debug)]
pub struct Lu<T: Scalar> {
    factors: Array<T, 2>,
    pivots: DeviceVec<u32>,
    /// The pivots on the host: row `j` was exchanged with row `exchanges[j]`.
    exchanges: Vec<u32>,
    diagonal: Vec<T>,
    runs_on: RunsOn,
}

/// The factorisation itself.
struct Factorize {
    shape: [usize; 2],
    width: usize,
}

impl<T: Scalar> Work<T> for Factorize {
    type Output = Vec<T>;

    fn run(self, ops: &mut impl BlockedOps<T>) -> Result<Vec<T>> {
        let [rows, columns] = self.shape;
        let whole = Block::new(MATRIX, 0..rows, 0..columns);
        if !ops.is_finite(&whole, false)? {
            return Err(Error::NotFinite { operation: "lu" });
        }
        algorithms::lu(ops, self.shape, self.width)?;
        ops.diagonal(&whole)
    }
}

/// A solve with the factors.
struct Solve {
    rows: usize,
    right: usize,
    form: Form,
}

impl<T: Scalar> Work<T> for Solve {
    type Output = ();

    fn run(self, ops: &mut impl BlockedOps<T>) -> Result<()> {
        let Solve { rows, right, form } = self;
        let all = Block::new(RIGHT, 0..rows, 0..right);
        let lower = Half { rows, lower: true, unit: true, form };
        let upper = Half { rows, lower: false, unit: false, form };
        match form {
            Form::Plain => {
                ops.exchange_rows(&all, 0..rows, false)?;
                algorithms::solve_triangular(ops, lower, right)?;
                algorithms::solve_triangular(ops, upper, right)
            }
            Form::Adjoint => {
                algorithms::solve_triangular(ops, upper, right)?;
                algorithms::solve_triangular(ops, lower, right)?;
                ops.exchange_rows(&all, 0..rows, true)
            }
        }
    }
}

impl<T: Scalar> Lu<T> {
    pub(crate) fn new(matrix: ArrayExpr<'_, T, 2>, settings: &FactorSettings) -> Result<Lu<T>> {
        let (mut vector, shape) = column_major(matrix)?;
        let queue = vector.queue().clone();
        let [rows, columns] = shape;
        let (runs_on, width) = settings.chosen::<T>(&LU, &queue, rows * columns)?;
        let steps = rows.min(columns);
        let mut pivots = DeviceVec::filled(&queue, 0, steps)?;
        let operands = Operands {
            pivots: Some(Operand::written(&mut pivots, steps)),
            ..Operands::of(Operand::written(&mut vector, rows))
        };
        let diagonal = run("lu", runs_on, operands, Factorize { shape, width })?;
        finite("lu", &diagonal)?;
        let exchanges = pivots.to_vec()?;
        Ok(Lu { factors: Array::column_major(vector, shape)?, pivots, exchanges, diagonal, runs_on })
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

    /// Returns the index of the first zero on the diagonal of `U`; `None` if there is none, as for a square matrix that
    /// can be inverted.
    #[must_use]
    pub fn zero_pivot(&self) -> Option<usize> {
        self.diagonal.iter().position(|pivot| *pivot == T::zeroed())
    }

    /// Returns `L`, of shape `[m, min(m, n)]`.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn l(&self) -> Result<Array<T, 2>> {
        let steps = self.diagonal.len() as isize;
        let below = self.factors.slice_axis(1, ..steps).iter().tril(-1);
        let one = T::from_real(T::Real::from_f64(1.0));
        let is_diagonal = ArrayExpr::from_fn(below.shape(), |[row, column]| row.eq(column));
        Ok(is_diagonal.select(one, below).collect()?)
    }

    /// Returns `U`, of shape `[min(m, n), n]`.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn u(&self) -> Result<Array<T, 2>> {
        let steps = self.diagonal.len() as isize;
        Ok(self.factors.slice_axis(0, ..steps).iter().triu(0).collect()?)
    }

    /// Returns the permutation: row `i` of `P A` is row `permutation[i]` of `A`.
    #[must_use]
    pub fn permutation(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..self.shape()[0]).collect();
        for (row, &other) in self.exchanges.iter().enumerate() {
            rows.swap(row, other as usize);
        }
        rows
    }

    /// Returns `P`, of shape `[m, m]`, with ones and zeros.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn p(&self) -> Result<Array<T, 2>> {
        let rows = self.shape()[0];
        let mut elements = vec![T::zeroed(); rows * rows];
        for (row, column) in self.permutation().into_iter().enumerate() {
            elements[row * rows + column] = T::from_real(T::Real::from_f64(1.0));
        }
        Ok(Array::from_slice(self.factors.queue(), [rows, rows], &elements)?)
    }

    /// Solves `A X = B`, for a vector or the columns of a matrix.
    ///
    /// ```
    /// use cl_linalg::prelude::*;
    /// # fn main() -> cl_linalg::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[0.0_f64, 2.0, 4.0, 2.0])?;
    /// let lu = a.lu()?;
    /// assert_eq!(lu.permutation(), [1, 0]);
    /// let x = lu.solve(&Array::from_slice(&queue, [2], &[2.0, 6.0])?)?;
    /// assert_eq!(x.to_vec()?, [1.0, 1.0]);
    /// assert_eq!(lu.det(), -8.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Singular`] with the first pivot that is zero; [`Error::Failed`] unless the matrix is square and has as
    /// many rows as `right`.
    pub fn solve<'b, const M: usize>(&self, right: impl ArrayOperand<'b, T, M>) -> Result<Array<T, M>> {
        self.solved("solve", right, Form::Plain)?.into_array()
    }

    /// Solves `Aᴴ X = B` with the conjugate transpose. See [`solve`](Lu::solve).
    ///
    /// # Errors
    /// As [`solve`](Lu::solve).
    pub fn solve_adjoint<'b, const M: usize>(
        &self,
        right: impl ArrayOperand<'b, T, M>,
    ) -> Result<Array<T, M>> {
        self.solved("solve_adjoint", right, Form::Adjoint)?.into_array()
    }

    /// Replaces right-hand sides by the solution. See [`solve`](Lu::solve).
    ///
    /// # Errors
    /// As [`solve`](Lu::solve).
    pub fn solve_in_place<const M: usize>(&self, mut right: ArrayViewMut<'_, T, M>) -> Result<()> {
        let solution = self.solve(right.view_mut().view())?;
        Ok(right.assign(&solution)?)
    }

    fn solved<'b, const M: usize>(
        &self,
        operation: &'static str,
        right: impl ArrayOperand<'b, T, M>,
        form: Form,
    ) -> Result<RightSides<T, M>> {
        let rows = square(operation, self.shape())?;
        let mut right = RightSides::new(operation, right, self.shape(), rows)?;
        self.solve_sides(operation, &mut right, form)?;
        Ok(right)
    }

    fn solve_sides<const M: usize>(
        &self,
        operation: &'static str,
        right: &mut RightSides<T, M>,
        form: Form,
    ) -> Result<()> {
        if let Some(pivot) = self.zero_pivot() {
            return Err(Error::Singular { operation, pivot });
        }
        let [rows, columns] = right.sizes;
        let operands = Operands {
            right: Some(right.operand()),
            pivots: Some(Operand::read(&self.pivots, rows)),
            ..Operands::of(Operand::read(self.factors.as_vec(), rows))
        };
        run(operation, self.runs_on, operands, Solve { rows, right: columns, form })
    }

    /// Returns the inverse.
    ///
    /// # Errors
    /// As [`solve`](Lu::solve).
    pub fn inverse(&self) -> Result<Array<T, 2>> {
        let rows = square("inverse", self.shape())?;
        let identity = identity([rows, rows]);
        self.solved("inverse", identity.on(self.factors.queue()), Form::Plain)?.into_array()
    }

    /// Returns the determinant of a square matrix: 1 for an empty one, and 0 for a singular one. A determinant that overflows is
    /// infinite; [`log_det`](Lu::log_det) is not. For other matrices, the product of the elements on the diagonal of `U` and the
    /// sign of the permutation.
    #[must_use]
    #[doc(alias = "determinant")]
    pub fn det(&self) -> T {
        product_of(self.sign(), self.diagonal.iter().copied())
    }

    /// Returns a number of absolute value 1, and the natural logarithm of the absolute value of the determinant: their
    /// determinant is the number times the exponential of the logarithm. For a singular matrix the number is 0 and the
    /// logarithm negative infinity.
    #[must_use]
    #[doc(alias = "slogdet")]
    pub fn log_det(&self) -> (T, T::Real) {
        let zero = T::Real::from_f64(0.0);
        let mut sign = self.sign();
        let mut log = 0.0;
        for &pivot in &self.diagonal {
            let size = pivot.magnitude();
            if size == zero {
                return (T::from_real(zero), T::Real::from_f64(f64::NEG_INFINITY));
            }
            sign *= pivot.over(size);
            log += size.to_f64().ln();
        }
        (sign, T::Real::from_f64(log))
    }

    /// Returns the determinant of `P`.
    fn sign(&self) -> T {
        let exchanges = self.exchanges.iter().enumerate().filter(|&(row, &other)| row != other as usize);
        T::from_real(T::Real::from_f64(if exchanges.count() % 2 == 0 { 1.0 } else { -1.0 }))
    }

    /// Returns an estimate of the condition number in the 1-norm, `‖A‖ ‖A⁻¹‖`, given the 1-norm of `A`: infinity for a
    /// singular matrix. The estimate is a lower bound, and usually within a factor of 3.
    ///
    /// Higham, "FORTRAN Codes for Estimating the One-Norm of a Real or Complex Matrix", ACM Trans. Math. Softw. 14, 1988.
    ///
    /// # Errors
    /// [`Error::Failed`] unless the matrix is square; errors of the device.
    pub fn condition(&self, norm: T::Real) -> Result<T::Real> {
        let rows = square("condition", self.shape())?;
        if self.zero_pivot().is_some() {
            return Ok(T::Real::from_f64(f64::INFINITY));
        }
        let queue = self.factors.queue();
        let inverse = condition::one_norm::<T>(rows, |vector, adjoint| {
            let right = Array::from_slice(queue, [rows], vector)?;
            let form = if adjoint { Form::Adjoint } else { Form::Plain };
            Ok(self.solved("condition", &right, form)?.into_array()?.to_vec()?)
        })?;
        Ok(norm * inverse)
    }
}
