//! Inverses of triangular matrices.

use super::algorithms::{self, Half, MATRIX};
use super::matrix::{RightSides, Work, column_major, identity, run, square};
use super::ops::{Block, BlockedOps, Form, Operand, Operands};
use super::settings::{FactorSettings, LU};
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use cl_array::{Array, ArrayExpr};

/// A solve with one half of the matrix.
struct Solve {
    operation: &'static str,
    rows: usize,
    lower: bool,
    unit: bool,
}

impl<T: Scalar> Work<T> for Solve {
    type Output = ();

    fn run(self, ops: &mut impl BlockedOps<T>) -> Result<()> {
        let Solve { operation, rows, lower, unit } = self;
        let zero = T::zeroed();
        if !unit {
            let diagonal = ops.diagonal(&Block::new(MATRIX, 0..rows, 0..rows))?;
            if let Some(pivot) = diagonal.iter().position(|pivot| *pivot == zero) {
                return Err(Error::Singular { operation, pivot });
            }
        }
        algorithms::solve_triangular(ops, Half { rows, lower, unit, form: Form::Plain }, rows)
    }
}

/// Returns the inverse of one half of a matrix. With `unit`, its diagonal is one.
pub(crate) fn triangular_inverse<T: Scalar>(
    operation: &'static str,
    matrix: ArrayExpr<'_, T, 2>,
    [lower, unit]: [bool; 2],
) -> Result<Array<T, 2>> {
    let rows = square(operation, matrix.shape())?;
    let (vector, shape) = column_major(matrix)?;
    let (runs_on, _) = FactorSettings::new().chosen::<T>(&LU, vector.queue(), rows * rows)?;
    let mut right = RightSides::new(operation, identity(shape).on(vector.queue()), shape, rows)?;
    let operands = Operands { right: Some(right.operand()), ..Operands::of(Operand::read(&vector, rows)) };
    run(operation, runs_on, operands, Solve { operation, rows, lower, unit })?;
    right.into_array()
}
