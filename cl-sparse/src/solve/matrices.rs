//! Matrices as operators.

use super::LinearOperator;
use super::operator::fits;
use crate::index::Index;
use crate::matrix::{Coo, Csr, Ell, Hybrid, Optimized, Sell};
use crate::plan::Kernel;
use cl_algo::codegen::FoldKernel;
use cl_algo::{DeviceVec, Expr, Number};
use cl_core::Result;

/// By how much the lengths of rows may differ, relative to the mean, for work-groups that have as many rows each to
/// have about as much to do.
const EVEN: f64 = 0.5;

/// Whether solvers are to compute a matrix's product inside their own kernels, where a work-item goes through a whole
/// row. Otherwise it goes by the matrix's own kernel.
trait Inline {
    fn is_inline(&self) -> bool;
}

impl<T: Number, I: Index> Inline for Csr<T, I> {
    /// On CPUs, where rows are about as long as each other. GPUs have kernels that are much faster than work-items
    /// whose entries are not side by side.
    fn is_inline(&self) -> bool {
        matches!(self.kernel(), Kernel::Chunks { .. }) && self.statistics().variation() <= EVEN
    }
}

impl<T: Number, I: Index> Inline for Coo<T, I> {
    /// Entries of a row are anywhere.
    fn is_inline(&self) -> bool {
        false
    }
}

impl<T: Number, I: Index> Inline for Ell<T, I> {
    fn is_inline(&self) -> bool {
        true
    }
}

impl<T: Number, I: Index> Inline for Sell<T, I> {
    /// Unless the rows have another order, for which there is a kernel.
    fn is_inline(&self) -> bool {
        !self.takes(T::TYPE.size())
    }
}

impl<T: Number, I: Index> Inline for Hybrid<T, I> {
    fn is_inline(&self) -> bool {
        self.rest().nonzeros() == 0
    }
}

impl<T: Number, I: Index> Inline for Optimized<T, I> {
    fn is_inline(&self) -> bool {
        match self {
            Optimized::Csr(a) => a.is_inline(),
            Optimized::Sell(a) => a.is_inline(),
            Optimized::Hybrid(a) => a.is_inline(),
        }
    }
}

macro_rules! operators {
    ($($matrix:ident)*) => {$(
        impl<T: Number, I: Index> LinearOperator<T> for $matrix<T, I> {
            fn rows(&self) -> usize {
                self.rows()
            }

            fn columns(&self) -> usize {
                self.columns()
            }

            fn apply(&self, x: &DeviceVec<T>, y: &mut DeviceVec<T>) -> Result<()> {
                fits("apply", self.columns(), x.len())?;
                fits("apply", self.rows(), y.len())?;
                self.multiply_into(y, x)
            }

            /// Where a work-item that goes through a row is as fast as the matrix's own kernel.
            fn product<'a>(&'a self, x: &'a DeviceVec<T>) -> Option<Expr<'a, T>> {
                self.is_inline().then(|| self.times(x))
            }
        }
    )*};
}

operators!(Coo Csr Ell Sell Hybrid Optimized);
