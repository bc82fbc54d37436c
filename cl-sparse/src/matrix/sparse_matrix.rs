//! A sparse matrix, whatever its form.

use cl_algo::{DeviceVec, Element, Expr, Number, Operand, Sink, Val, assign};
use cl_core::{Queue, Result};

/// A sparse matrix on a device, whatever its form: rows that are folded.
///
/// The methods are those of each form, which can be called without this trait in scope. Functions for matrices of any
/// form are generic in it.
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
    /// Number of rows.
    fn rows(&self) -> usize;

    /// Number of columns.
    fn columns(&self) -> usize;

    /// The queue that works on the matrix.
    fn queue(&self) -> &Queue;

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
    fn times_with<'a, X: Element, Y: Element>(
        &'a self,
        x: impl Operand<'a, X>,
        zero: Y,
        multiply: impl Fn(Val<T>, Val<X>) -> Val<Y>,
        add: impl Fn(Val<Y>, Val<Y>) -> Val<Y>,
    ) -> Expr<'a, Y>;

    /// Whether solvers are to compute the product inside their own kernels, where a work-item goes through a whole row.
    /// Otherwise it goes by the matrix's own kernel.
    fn is_inline(&self) -> bool {
        false
    }

    /// The product with a vector, as an expression; `&a * &x` is the same.
    ///
    /// Assigned, alone or as part of a larger expression, it is one kernel, or two for compressed rows of very different
    /// lengths, and all that is done with the product happens in it: `r.assign(&f - &a * &u)`,
    /// `y.add_assign(42.0 * (&a * &x))`. The vector is any expression, which is computed once for each entry that needs
    /// it: give products of products a vector of their own.
    ///
    /// A vector of another length than the matrix has columns is a mistake, which the evaluation reports.
    fn times<'a>(&'a self, x: impl Operand<'a, T>) -> Expr<'a, T>
    where
        T: Number,
    {
        self.times_with(x, T::zeroed(), |a, x| a * x, |sum, term| sum + term)
    }

    /// The product with a vector, in a new vector.
    ///
    /// # Errors
    /// [`LengthMismatch`](cl_core::Error::LengthMismatch) where the vector has not as many elements as the matrix has
    /// columns; as [`Expr::collect`].
    fn multiply<'a>(&'a self, x: impl Operand<'a, T>) -> Result<DeviceVec<T>>
    where
        T: Number,
    {
        self.times(x).collect_on(self.queue())
    }

    /// The product with a vector, in a sink.
    ///
    /// # Errors
    /// As [`multiply`](Self::multiply); [`LengthMismatch`](cl_core::Error::LengthMismatch) where the sink has not as many
    /// elements as the matrix has rows.
    fn multiply_into<'a>(&'a self, sink: impl Sink<'a, T>, x: impl Operand<'a, T>) -> Result<()>
    where
        T: Number,
    {
        assign(sink, self.times(x))
    }
}
