//! Products with dense matrices, arrays of `cl-array`.

use crate::index::Index;
use crate::matrix::Csr;
use cl_algo::Number;
use cl_array::{Array, ArrayOperand};
use cl_core::{Error, Result};

impl<T: Number, I: Index> Csr<T, I> {
    /// Computes the product with a dense matrix, an array whose columns are several vectors, with the feature `array`.
    /// Each entry of the sparse matrix is read once for many columns.
    ///
    /// An array, and an expression of arrays in row-major order, is read by the kernel of the product. Others are copied
    /// first. For a single vector, `&a * x.as_vec()` is lazy.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// use cl_sparse::{Csr, HostCsr};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a: Csr<f32> = Csr::new(&queue, &HostCsr::from_dense(2, 2, &[1.0, 2.0, 0.0, 3.0])?)?;
    /// let x = Array::from_slice(&queue, [2, 3], &[1.0, 2.0, 3.0, 10.0, 20.0, 30.0])?;
    /// assert_eq!(a.matmul(&x)?.to_string(), "[[21, 42, 63],\n [30, 60, 90]]");
    /// assert_eq!(a.matmul(2.0 * x.slice(s![.., 1..2]))?.to_vec()?, [84.0, 120.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] unless the array has as many rows as the matrix has columns; deferred errors of the
    /// expression; as [`Csr::multiply_many`].
    #[doc(alias("dot", "spmm", "multiply_array"))]
    pub fn matmul<'a>(&'a self, x: impl ArrayOperand<'a, T, 2>) -> Result<Array<T, 2>> {
        let x = x.into_array_expr();
        let [rows, vectors] = x.shape();
        if rows != self.columns() {
            let own = [self.rows(), self.columns()];
            let reason = format!(
                "a matrix of shape {own:?} times an array of shape {:?}: the array needs {} rows",
                x.shape(),
                own[1]
            );
            return Err(Error::invalid_input("matmul", reason));
        }
        let products = x.on(self.queue()).with_items(|items| self.multiply_many(vectors, items))?;
        Array::from_vec(products, [self.rows(), vectors])
    }
}
