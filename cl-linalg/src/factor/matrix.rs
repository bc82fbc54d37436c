//! Inputs as matrices in column-major order, and the processors that work on them.

use super::device::DeviceOps;
use super::host::HostOps;
use super::hybrid::HybridOps;
use super::ops::{BlockedOps, Operand, Operands, is_finite};
use crate::error::{Error, Result};
use crate::runs_on::RunsOn;
use crate::scalar::{RealScalar, Scalar};
use cl_algo::DeviceVec;
use cl_array::{Array, ArrayExpr, ArrayOperand};

/// Work on the operands, on any processor.
pub(crate) trait Work<T: Scalar> {
    type Output;

    fn run(self, ops: &mut impl BlockedOps<T>) -> Result<Self::Output>;
}

/// Runs work on a processor, and makes its results visible to other users of the operands.
pub(crate) fn run<T: Scalar, W: Work<T>>(
    operation: &'static str,
    runs_on: RunsOn,
    operands: Operands<'_, T>,
    work: W,
) -> Result<W::Output> {
    fn finished<T: Scalar, W: Work<T>>(mut ops: impl BlockedOps<T>, work: W) -> Result<W::Output> {
        let result = work.run(&mut ops);
        ops.finish()?;
        result
    }
    match runs_on {
        RunsOn::Host => finished(HostOps::new(operation, operands)?, work),
        RunsOn::Device => finished(DeviceOps::new(operation, operands)?, work),
        RunsOn::Hybrid => finished(HybridOps::new(operation, operands)?, work),
    }
}

/// Copies a matrix into column-major order.
pub(crate) fn column_major<T: Scalar>(matrix: ArrayExpr<'_, T, 2>) -> Result<(DeviceVec<T>, [usize; 2])> {
    let shape = matrix.shape();
    Ok((matrix.t().collect()?.into_vec(), shape))
}

/// Right-hand sides: a vector, or the columns of a matrix, in column-major order.
pub(crate) struct RightSides<T: Scalar, const M: usize> {
    pub(crate) vector: DeviceVec<T>,
    /// The numbers of rows and of right-hand sides.
    pub(crate) sizes: [usize; 2],
    shape: [usize; M],
}

impl<T: Scalar, const M: usize> RightSides<T, M> {
    /// Copies right-hand sides of a matrix of shape `of`, which must have `rows` rows.
    pub(crate) fn new<'a>(
        operation: &'static str,
        right: impl ArrayOperand<'a, T, M>,
        of: [usize; 2],
        rows: usize,
    ) -> Result<RightSides<T, M>> {
        const { assert!(M == 1 || M == 2, "right-hand sides are a vector or a matrix") }
        let right = right.into_array_expr();
        let shape = right.shape();
        if shape[0] != rows {
            let reason = format!(
                "a matrix of shape {of:?} and right-hand sides of shape {shape:?}: {rows} rows of right-hand sides are \
                 needed"
            );
            return Err(cl_core::Error::invalid_input(operation, reason).into());
        }
        let sizes = [rows, shape.get(1).copied().unwrap_or(1)];
        Ok(RightSides { vector: right.t().collect()?.into_vec(), sizes, shape })
    }

    pub(crate) fn operand(&mut self) -> Operand<'_, T> {
        Operand::written(&mut self.vector, self.sizes[0])
    }

    /// Returns the right-hand sides as an array.
    pub(crate) fn into_array(self) -> Result<Array<T, M>> {
        Ok(Array::column_major(self.vector, self.shape)?)
    }

    /// Returns other elements as an array: `rows` for each right-hand side, in column-major order.
    pub(crate) fn with_elements(self, rows: usize, elements: &[T]) -> Result<Array<T, M>> {
        let RightSides { vector, mut shape, .. } = self;
        shape[0] = rows;
        Ok(Array::column_major(DeviceVec::from_slice(vector.queue(), elements)?, shape)?)
    }

    /// Returns the first rows as an array.
    pub(crate) fn first_rows(self, rows: usize) -> Result<Array<T, M>> {
        let all = self.into_array()?;
        Ok(all.slice_axis(0, ..rows as isize).iter().collect()?)
    }
}

/// Returns an error unless a matrix is square.
pub(crate) fn square(operation: &'static str, shape: [usize; 2]) -> Result<usize> {
    let [rows, columns] = shape;
    if rows != columns {
        let reason = format!("the matrix has shape {shape:?}; a square matrix is needed");
        return Err(cl_core::Error::invalid_input(operation, reason).into());
    }
    Ok(rows)
}

/// Returns an error unless all numbers are finite.
pub(crate) fn finite<T: Scalar>(operation: &'static str, numbers: &[T]) -> Result<()> {
    if numbers.iter().all(|number| is_finite(*number)) { Ok(()) } else { Err(Error::NotFinite { operation }) }
}

/// Returns the columns of the identity matrix.
pub(crate) fn identity<'a, T: Scalar>(shape: [usize; 2]) -> ArrayExpr<'a, T, 2> {
    let [one, zero] = [1.0, 0.0].map(|value| T::from_real(T::Real::from_f64(value)));
    ArrayExpr::from_fn(shape, |[row, column]| row.eq(column)).select(one, zero)
}
