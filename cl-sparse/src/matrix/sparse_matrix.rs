//! The trait of all forms of sparse matrices.

use cl_algo::{DeviceVec, Element, Expr, Number, Operand, Sink, Val, assign};
use cl_core::{Queue, Result};

/// A sparse matrix on a device, in any form.
///
/// Each form also has these methods as inherent methods, so a caller need not import this trait. Functions
/// that take a matrix of any form are generic in this trait.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_sparse::{Coo, Csr, Ell, SparseMatrix, generate};
///
/// fn residual(a: &impl SparseMatrix<f32>, x: &DeviceVec<f32>, b: &DeviceVec<f32>) -> cl_core::Result<f32> {
///     (b - a.times(x)).map(|r: Val<f32>| r * r).sum()
/// }
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a: Csr<f32> = Csr::new(&queue, &generate::five_point([10, 10], 4.0, -1.0)?)?;
/// let x = DeviceVec::filled(&queue, 1.0, 100)?;
/// let b = a.multiply(&x)?;
/// assert_eq!(residual(&a, &x, &b)?, 0.0);
/// assert_eq!(residual(&Ell::new(&a)?, &x, &b)?, 0.0);
/// # Ok(())
/// # }
/// ```
pub trait SparseMatrix<T: Element> {
    /// Returns the number of rows.
    fn rows(&self) -> usize;

    /// Returns the number of columns.
    fn columns(&self) -> usize;

    /// Returns the queue that works on the matrix.
    fn queue(&self) -> &Queue;

    /// Returns the product with a vector over another semiring, as an expression: element i is
    /// `add(multiply(a[i][j], x[j]), ...)` over the entries of row i, and `zero` if the row has no entries.
    ///
    /// `add` must be associative and commutative, and `zero` its neutral element. Types may differ: the entries of a
    /// graph can be truth values, and the propagated values numbers.
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
    fn times_with<'a, X: Element, Y: Element>(
        &'a self,
        x: impl Operand<'a, X>,
        zero: Y,
        multiply: impl Fn(Val<T>, Val<X>) -> Val<Y>,
        add: impl Fn(Val<Y>, Val<Y>) -> Val<Y>,
    ) -> Expr<'a, Y>;

    /// Returns `true` if solvers should compute the product inside their own kernels, where one work-item goes through
    /// a whole row. Otherwise the matrix's own kernel computes it.
    fn is_inline(&self) -> bool {
        false
    }

    /// Returns the product with a vector, as an expression; `&a * &x` is the same.
    ///
    /// An assignment of the product, alone or within a larger expression, takes one kernel, or two for
    /// compressed rows of very different lengths. All other operations of the expression are part of the same
    /// kernel: `r.assign(&f - &a * &u)`, `y.add_assign(42.0 * (&a * &x))`. The vector may be any expression.
    /// An element of the expression is computed again for each matrix entry that uses it. So do not multiply
    /// a product directly: for `A (B x)`, store `B x` in a vector first.
    ///
    /// If the vector's length is not the number of columns, the expression keeps a deferred error, which its evaluation
    /// returns.
    fn times<'a>(&'a self, x: impl Operand<'a, T>) -> Expr<'a, T>
    where
        T: Number,
    {
        self.times_with(x, T::zeroed(), |a, x| a * x, |sum, term| sum + term)
    }

    /// Computes the product with a vector in a new vector.
    ///
    /// # Errors
    /// [`LengthMismatch`](cl_core::Error::LengthMismatch) if the vector's length is not the number of columns; as
    /// [`Expr::collect`].
    fn multiply<'a>(&'a self, x: impl Operand<'a, T>) -> Result<DeviceVec<T>>
    where
        T: Number,
    {
        self.times(x).collect_on(self.queue())
    }

    /// Computes the product with a vector in a sink.
    ///
    /// # Errors
    /// As [`multiply`](Self::multiply); [`LengthMismatch`](cl_core::Error::LengthMismatch) if the sink's length is not
    /// the number of rows.
    fn multiply_into<'a>(&'a self, sink: impl Sink<'a, T>, x: impl Operand<'a, T>) -> Result<()>
    where
        T: Number,
    {
        assign(sink, self.times(x))
    }
}
