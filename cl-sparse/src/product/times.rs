//! Products as expressions.

use crate::index::Index;
use crate::matrix::{Coo, Csr, Ell, Hybrid, Optimized, Sell};
use cl_algo::codegen::Ranges;
use cl_algo::{DeviceVec, Element, Expr, Number, Operand, Sink, Val, assign, zip};
use cl_core::Result;
use std::ops::Mul;

/// The products of a kind of matrix, which are all made of `times_with`.
macro_rules! products {
    ($($matrix:ident)*) => {$(
        impl<T: Number, I: Index> $matrix<T, I> {
            /// The product with a vector, as an expression; `&a * &x` is the same.
            ///
            /// Assigned, alone or as part of a larger expression, it is one kernel, or two for compressed rows of very
            /// different lengths, and all that is done with the product happens in it: `r.assign(&f - &a * &u)`,
            /// `y.add_assign(42.0 * (&a * &x))`. The vector is any expression, which is computed once for each entry
            /// that needs it: give products of products a vector of their own.
            ///
            /// A vector of another length than the matrix has columns is a mistake, which the evaluation reports.
            pub fn times<'a>(&'a self, x: impl Operand<'a, T>) -> Expr<'a, T> {
                self.times_with(x, T::zeroed(), |a, x| a * x, |sum, term| sum + term)
            }

            /// The product with a vector, in a new vector.
            ///
            /// # Errors
            /// [`LengthMismatch`](cl_core::Error::LengthMismatch) where the vector has not as many elements as the
            /// matrix has columns; as [`Expr::collect`].
            pub fn multiply<'a>(&'a self, x: impl Operand<'a, T>) -> Result<DeviceVec<T>> {
                self.times(x).collect_on(self.queue())
            }

            /// The product with a vector, in a sink.
            ///
            /// # Errors
            /// As [`multiply`](Self::multiply); [`LengthMismatch`](cl_core::Error::LengthMismatch) where the sink has
            /// not as many elements as the matrix has rows.
            pub fn multiply_into<'a>(&'a self, sink: impl Sink<'a, T>, x: impl Operand<'a, T>) -> Result<()> {
                assign(sink, self.times(x))
            }
        }

        impl<'a, T: Number, I: Index, X: Operand<'a, T>> Mul<X> for &'a $matrix<T, I> {
            type Output = Expr<'a, T>;

            fn mul(self, x: X) -> Expr<'a, T> {
                self.times(x)
            }
        }
    )*};
}

products!(Coo Csr Ell Sell Hybrid Optimized);

impl<T: Element, I: Index> Csr<T, I> {
    /// The product with a vector over another semiring, as an expression: element i is
    /// `add(multiply(a[i][j], x[j]), ...)` over the entries of row i, and `zero` where there are none.
    ///
    /// `add` must be associative and commutative, and `zero` change nothing when it is added. Types may differ: the
    /// entries of a graph can be truth values, and what is propagated numbers.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// // Edges 0 -> 1 of length 5, and 0 -> 2 -> 1 of lengths 1 and 2; in rows where they lead to.
    /// let edges = HostCsr::new(3, 3, vec![0, 0, 2, 3], vec![0, 2, 0], vec![5.0_f32, 2.0, 1.0])?;
    /// let edges: Csr<f32> = Csr::new(&queue, &edges)?;
    /// let mut distance = DeviceVec::from_slice(&queue, &[0.0, f32::INFINITY, f32::INFINITY])?;
    /// for _ in 0..2 {
    ///     let by_one_more = edges.times_with(&distance, f32::INFINITY, |w, d| w + d, |a, b| a.min(b));
    ///     distance = by_one_more.min(&distance).collect()?;
    /// }
    /// assert_eq!(distance.to_vec()?, [0.0, 3.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn times_with<'a, X: Element, Y: Element>(
        &'a self,
        x: impl Operand<'a, X>,
        zero: Y,
        multiply: impl FnOnce(Val<T>, Val<X>) -> Val<Y>,
        add: impl FnOnce(Val<Y>, Val<Y>) -> Val<Y>,
    ) -> Expr<'a, Y> {
        // SAFETY: column indices are below the number of columns.
        let x = unsafe {
            x.into_expr().permute_unchecked("matrix * vector", self.columns(), self.column_indices())
        };
        let terms = zip((self.values(), x)).map(|(a, x)| multiply(a, x));
        // SAFETY: the offsets ascend to the number of entries.
        unsafe { terms.fold_ranges(Ranges::between(self.row_offsets()), zero, add, Some(self.row_kernel())) }
    }
}
