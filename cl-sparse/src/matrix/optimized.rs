//! The form with the fastest products.

use super::{Csr, Hybrid, Sell, SparseMatrix};
use crate::index::Index;
use crate::plan::{DeviceLimits, Layout};
use cl_algo::codegen::profile;
use cl_algo::{Element, Expr, Operand, Val};
use cl_core::{Queue, Result};

/// A sparse matrix in the form with the fastest products on its device: the result of [`Csr::optimize`].
///
/// `&a * &x` is a lazy product, as for other forms.
#[derive(Debug)]
#[non_exhaustive]
pub enum Optimized<T: Element, I: Index = u32> {
    /// Compressed rows, unchanged.
    Csr(Csr<T, I>),
    /// Slices of rows, with interleaved entries.
    Sell(Sell<T, I>),
    /// Rows padded to one length, and the remaining entries of longer rows.
    Hybrid(Box<Hybrid<T, I>>),
}

/// The smallest ratio of all entries to the entries in a hybrid's `rest`. Below this ratio, `optimize` keeps
/// compressed rows, because the entries in `rest` take kernels of their own. On an H200, with rows by a power
/// law and more than half of the entries in `rest`, a product takes 284 us by a hybrid and 259 us by
/// compressed rows.
const LARGEST_REST: usize = 8;

impl<T: Element, I: Index> Csr<T, I> {
    /// Converts the matrix to the form with the fastest products on its device. [`Layout::of`] chooses the
    /// form. If it chooses a hybrid that would have many entries beyond its width, the matrix stays as it is.
    /// The conversion pays off after a few dozen products. Waits.
    ///
    /// # Errors
    /// [`Error::TooLarge`](cl_core::Error::TooLarge), [`Error::Driver`](cl_core::Error::Driver).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::{Csr, generate};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a: Csr<f32> = Csr::new(&queue, &generate::five_point([10, 10], 4.0, -1.0)?)?;
    /// let a = a.optimize()?;
    /// let x = DeviceVec::filled(&queue, 1.0, 100)?;
    /// assert_eq!(a.multiply(&x)?.sum()?, 40.0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn optimize(self) -> Result<Optimized<T, I>> {
        let limits = DeviceLimits::of(&*profile(self.queue().context())?);
        Ok(match Layout::of(self.statistics(), &limits) {
            Layout::Csr => Optimized::Csr(self),
            Layout::Sell { height, window } => Optimized::Sell(Sell::new(&self, height, window)?),
            Layout::Hybrid => {
                let hybrid = Hybrid::with_usual_width(&self)?;
                if hybrid.rest().nonzeros() > self.nonzeros() / LARGEST_REST {
                    return Ok(Optimized::Csr(self));
                }
                Optimized::Hybrid(Box::new(hybrid))
            }
        })
    }
}

/// Calls a method of the matrix inside.
macro_rules! inside {
    ($self:ident.$method:ident($($argument:expr),*)) => {
        match $self {
            Optimized::Csr(a) => a.$method($($argument),*),
            Optimized::Sell(a) => a.$method($($argument),*),
            Optimized::Hybrid(a) => a.$method($($argument),*),
        }
    };
}

impl<T: Element, I: Index> Optimized<T, I> {
    /// Returns the same matrix as compressed rows. Waits.
    ///
    /// # Errors
    /// As [`Csr::optimize`].
    pub fn into_csr(self) -> Result<Csr<T, I>> {
        match self {
            Optimized::Csr(a) => Ok(a),
            Optimized::Sell(a) => a.to_csr(),
            Optimized::Hybrid(a) => a.to_csr(),
        }
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn nonzeros(&self) -> usize {
        inside!(self.nonzeros())
    }
}

impl<T: Element, I: Index> SparseMatrix<T> for Optimized<T, I> {
    fn rows(&self) -> usize {
        inside!(self.rows())
    }

    fn columns(&self) -> usize {
        inside!(self.columns())
    }

    fn queue(&self) -> &Queue {
        inside!(self.queue())
    }

    fn times_with<'a, X: Element, Y: Element>(
        &'a self,
        x: impl Operand<'a, X>,
        zero: Y,
        multiply: impl Fn(Val<T>, Val<X>) -> Val<Y>,
        add: impl Fn(Val<Y>, Val<Y>) -> Val<Y>,
    ) -> Expr<'a, Y> {
        inside!(self.times_with(x, zero, multiply, add))
    }

    fn is_inline(&self) -> bool {
        inside!(self.is_inline())
    }
}
