//! Reductions of a whole device vector, as those of its expression.

use crate::element::{Float, Number, Ordered};
use crate::expr::{Castable, Operand};
use crate::vec::DeviceVec;
use cl_core::Result;

/// Methods that call the expression's method of the same name.
macro_rules! reductions {
    ($(where $($class:path),+ { $($(#[$doc:meta])* $name:ident -> $result:ty;)* })*) => {$(
        impl<T: $($class +)+> DeviceVec<T> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// As the method of [`Expr`](crate::Expr) of this name.
                pub fn $name(&self) -> Result<$result> {
                    self.into_expr().$name()
                }
            )*
        }
    )*};
}

reductions! {
    where Number {
        /// Returns the sum of all elements; see [`Expr::sum`](crate::Expr::sum).
        ///
        /// ```
        /// use cl_algo::prelude::*;
        /// # fn main() -> cl_core::Result<()> {
        /// # let queue = Queue::on(&Device::first()?)?;
        /// let x = DeviceVec::from_slice(&queue, &[1.5_f32, 2.5])?;
        /// assert_eq!((x.sum()?, x.mean()?, x.reduce_max()?), (4.0, Some(2.0), Some(2.5)));
        /// # Ok(())
        /// # }
        /// ```
        sum -> T;
    }
    where Float, Castable {
        /// Returns the mean of all elements; `None` without elements. See [`Expr::mean`](crate::Expr::mean).
        mean -> Option<T>;
        /// Returns the variance of all elements; see [`Expr::variance`](crate::Expr::variance).
        variance -> Option<T>;
    }
    where Ordered {
        /// Returns the smallest element; see [`Expr::reduce_min`](crate::Expr::reduce_min).
        reduce_min -> Option<T>;
        /// Returns the largest element; see [`Expr::reduce_max`](crate::Expr::reduce_max).
        reduce_max -> Option<T>;
    }
    where Ordered, PartialEq {
        /// Returns the smallest element and its index; see [`Expr::min_element`](crate::Expr::min_element).
        min_element -> Option<(usize, T)>;
        /// Returns the largest element and its index; see [`Expr::max_element`](crate::Expr::max_element).
        max_element -> Option<(usize, T)>;
    }
}
