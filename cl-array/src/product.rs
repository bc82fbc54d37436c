//! Products of matrices and vectors: folds of broadcast products, in one kernel.

use crate::array::Array;
use crate::expr::{ArrayExpr, ArrayOperand};
use cl_algo::Number;
use cl_algo::ranked::AxisMap;
use cl_core::{Error, Result};

impl<'a, T: Number> ArrayExpr<'a, T, 2> {
    /// Returns the product of two matrices, of shapes `[m, k]` and `[k, n]`. The operands are evaluated inside the
    /// product: nothing is stored but the result.
    ///
    /// A float is the sum of rounded products, which are added in an order that depends on the shape and the device only.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?;
    /// let b = Array::from_slice(&queue, [2, 3], &[1.0_f32, 0.0, 2.0, 0.0, 1.0, 1.0])?;
    /// assert_eq!(a.matmul(&b)?.to_vec()?, [1.0, 2.0, 4.0, 3.0, 4.0, 10.0]);
    /// assert_eq!((2.0 * a.t()).matmul(&b)?.to_vec()?, [2.0, 6.0, 10.0, 4.0, 8.0, 16.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] unless the first matrix has as many columns as the second has rows; as
    /// [`ArrayExpr::collect`].
    #[doc(alias("dot", "gemm", "product"))]
    pub fn matmul(self, other: impl ArrayOperand<'a, T, 2>) -> Result<Array<T, 2>> {
        let other = other.into_array_expr();
        let ([m, k], [rows, n]) = (self.shape(), other.shape());
        fits("matmul", k, rows, &self.shape(), &other.shape())?;
        let left = self.into_inner().at_coordinates(&[AxisMap::whole(0), AxisMap::whole(1)], 3);
        let right = other.into_inner().at_coordinates(&[AxisMap::whole(1), AxisMap::whole(2)], 3);
        ArrayExpr::lazy(left * right, [m, k, n]).sum_axis(1)
    }

    /// Returns the product of a matrix of shape `[m, k]` and a vector of length `k`.
    ///
    /// # Errors
    /// As [`matmul`](ArrayExpr::matmul).
    #[doc(alias("dot", "gemv"))]
    pub fn matvec(self, vector: impl ArrayOperand<'a, T, 1>) -> Result<Array<T, 1>> {
        let vector = vector.into_array_expr();
        let ([m, k], [len]) = (self.shape(), vector.shape());
        fits("matvec", k, len, &self.shape(), &vector.shape())?;
        let vector = vector.into_inner().at_coordinates(&[AxisMap::whole(1)], 2);
        ArrayExpr::lazy(self.into_inner() * vector, [m, k]).sum_axis(1)
    }
}

/// Returns an error unless the two lengths that a product adds over are equal.
fn fits(operation: &'static str, left: usize, right: usize, shape: &[usize], other: &[usize]) -> Result<()> {
    if left != right {
        let reason = format!(
            "shapes {shape:?} and {other:?}: the last axis of the first has length {left}, and the first axis of the \
             second length {right}; they must be equal"
        );
        return Err(Error::invalid_input(operation, reason));
    }
    Ok(())
}

impl<T: Number> Array<T, 2> {
    /// Returns the product of two matrices; see [`ArrayExpr::matmul`].
    ///
    /// # Errors
    /// As [`ArrayExpr::matmul`].
    #[doc(alias("dot", "gemm", "product"))]
    pub fn matmul<'a>(&'a self, other: impl ArrayOperand<'a, T, 2>) -> Result<Array<T, 2>> {
        self.iter().matmul(other)
    }

    /// Returns the product of a matrix and a vector; see [`ArrayExpr::matvec`].
    ///
    /// # Errors
    /// As [`ArrayExpr::matmul`].
    #[doc(alias("dot", "gemv"))]
    pub fn matvec<'a>(&'a self, vector: impl ArrayOperand<'a, T, 1>) -> Result<Array<T, 1>> {
        self.iter().matvec(vector)
    }
}
