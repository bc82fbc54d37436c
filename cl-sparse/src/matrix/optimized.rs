//! The form in which products are fastest.

use super::{Csr, Hybrid, Sell, SparseMatrix};
use crate::index::Index;
use crate::plan::{Facts, Layout};
use cl_algo::codegen::profile;
use cl_algo::{Element, Expr, Operand, Val};
use cl_core::{Queue, Result};

/// A sparse matrix on a device in the form in which its products are fastest there: what [`Csr::optimize`] gives.
///
/// References to it are factors of lazy products.
#[derive(Debug)]
pub enum Optimized<T: Element, I: Index = u32> {
    /// As it was.
    Csr(Csr<T, I>),
    /// Slices of rows side by side.
    Sell(Sell<T, I>),
    /// Rows of one length, and what is left of longer ones.
    Hybrid(Box<Hybrid<T, I>>),
}

/// Which part of the entries may be behind the usual width at most: they take kernels of their own. On an H200 rows by a
/// power law, with more than half of the entries there, take 284 us as a hybrid and 259 as they were.
const LARGEST_REST: usize = 8;

impl<T: Element, I: Index> Csr<T, I> {
    /// The same matrix in the form in which products are fastest on its device: [`Layout::of`] says which one, but that
    /// it stays as it was where a hybrid would leave much behind. Worth it for a few dozen products. Waits.
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
        let facts = Facts::of(&*profile(self.queue().context())?);
        Ok(match Layout::of(self.statistics(), &facts) {
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

/// What the matrix inside gives.
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
    /// The same matrix as compressed rows. Waits.
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

    /// Number of entries.
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
