//! The methods of [`SparseMatrix`] as inherent methods of each form, and products by `*`.

use crate::index::Index;
use crate::matrix::{SparseMatrix, formats};
use cl_algo::{DeviceVec, Element, Expr, Number, Operand, Sink, Val};
use cl_core::{Queue, Result};
use std::ops::Mul;

macro_rules! methods {
    ($($matrix:ident)*) => {$(
        impl<T: Element, I: Index> crate::$matrix<T, I> {
            /// Returns the number of rows.
            #[must_use]
            pub fn rows(&self) -> usize {
                SparseMatrix::rows(self)
            }

            /// Returns the number of columns.
            #[must_use]
            pub fn columns(&self) -> usize {
                SparseMatrix::columns(self)
            }

            /// Returns the queue that works on the matrix.
            #[must_use]
            pub fn queue(&self) -> &Queue {
                SparseMatrix::queue(self)
            }

            /// Returns the product with a vector over another semiring, as an expression; see
            /// [`SparseMatrix::times_with`].
            pub fn times_with<'a, X: Element, Y: Element>(
                &'a self,
                x: impl Operand<'a, X>,
                zero: Y,
                multiply: impl Fn(Val<T>, Val<X>) -> Val<Y>,
                add: impl Fn(Val<Y>, Val<Y>) -> Val<Y>,
            ) -> Expr<'a, Y> {
                SparseMatrix::times_with(self, x, zero, multiply, add)
            }
        }

        impl<T: Number, I: Index> crate::$matrix<T, I> {
            /// Returns the product with a vector, as an expression; `&a * &x` is the same. See [`SparseMatrix::times`].
            pub fn times<'a>(&'a self, x: impl Operand<'a, T>) -> Expr<'a, T> {
                SparseMatrix::times(self, x)
            }

            /// Computes the product with a vector in a new vector.
            ///
            /// # Errors
            /// As [`SparseMatrix::multiply`].
            pub fn multiply<'a>(&'a self, x: impl Operand<'a, T>) -> Result<DeviceVec<T>> {
                SparseMatrix::multiply(self, x)
            }

            /// Computes the product with a vector in a sink.
            ///
            /// # Errors
            /// As [`SparseMatrix::multiply_into`].
            pub fn multiply_into<'a>(&'a self, sink: impl Sink<'a, T>, x: impl Operand<'a, T>) -> Result<()> {
                SparseMatrix::multiply_into(self, sink, x)
            }
        }

        impl<'a, T: Number, I: Index, X: Operand<'a, T>> Mul<X> for &'a crate::$matrix<T, I> {
            type Output = Expr<'a, T>;

            fn mul(self, x: X) -> Expr<'a, T> {
                self.times(x)
            }
        }
    )*};
}

formats!(methods);
