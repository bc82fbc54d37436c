//! Matrices as operators.

use super::LinearOperator;
use super::operator::fits;
use crate::index::Index;
use crate::matrix::{SparseMatrix, formats};
use cl_algo::{DeviceVec, Expr, Number};
use cl_core::Result;

macro_rules! operators {
    ($($matrix:ident)*) => {$(
        impl<T: Number, I: Index> LinearOperator<T> for crate::$matrix<T, I> {
            fn rows(&self) -> usize {
                self.rows()
            }

            fn columns(&self) -> usize {
                self.columns()
            }

            fn apply(&self, x: &DeviceVec<T>, y: &mut DeviceVec<T>) -> Result<()> {
                fits("apply: columns and `x`", self.columns(), x.len())?;
                fits("apply: rows and `y`", self.rows(), y.len())?;
                self.multiply_into(y, x)
            }

            /// Returns the product as an expression if a work-item per row is as fast as the matrix's own kernel.
            fn product<'a>(&'a self, x: &'a DeviceVec<T>) -> Option<Expr<'a, T>> {
                self.is_inline().then(|| self.times(x))
            }
        }
    )*};
}

formats!(operators);
