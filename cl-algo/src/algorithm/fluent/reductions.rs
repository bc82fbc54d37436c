//! Reductions of a whole device vector, by the methods of its expression.

use crate::device_scalar::DeviceScalar;
use crate::element::{Float, Number, Ordered};
use crate::expr::{Castable, Operand};
use crate::vec::DeviceVec;
use cl_core::Result;

/// Defines methods that call the expression's method of the same name.
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
        #[doc(alias("DeviceReduce", "reduce", "accumulate"))]
        sum -> T;
        /// Computes the sum of all elements and leaves it on the device; see
        /// [`Expr::sum_on_device`](crate::Expr::sum_on_device).
        ///
        /// ```
        /// use cl_algo::prelude::*;
        /// # fn main() -> cl_core::Result<()> {
        /// # let queue = Queue::on(&Device::first()?)?;
        /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 3.0])?;
        /// let sum = x.sum_on_device()?;
        /// assert_eq!((&x / &sum).collect()?.to_vec()?, [0.25, 0.75]);
        /// # Ok(())
        /// # }
        /// ```
        sum_on_device -> DeviceScalar<T>;
    }
    where Float, Castable {
        /// Returns the mean of all elements, `None` for zero elements; see [`Expr::mean`](crate::Expr::mean).
        #[doc(alias("average", "avg"))]
        mean -> Option<T>;
        /// Returns the variance of all elements; see [`Expr::variance`](crate::Expr::variance).
        #[doc(alias = "var")]
        variance -> Option<T>;
    }
    where Ordered {
        /// Returns the smallest element; see [`Expr::reduce_min`](crate::Expr::reduce_min).
        #[doc(alias("min", "amin"))]
        reduce_min -> Option<T>;
        /// Returns the largest element; see [`Expr::reduce_max`](crate::Expr::reduce_max).
        #[doc(alias("max", "amax"))]
        reduce_max -> Option<T>;
    }
    where Ordered, PartialEq {
        /// Returns the smallest element and its index; see [`Expr::min_element`](crate::Expr::min_element).
        #[doc(alias = "argmin")]
        min_element -> Option<(usize, T)>;
        /// Returns the largest element and its index; see [`Expr::max_element`](crate::Expr::max_element).
        #[doc(alias = "argmax")]
        max_element -> Option<(usize, T)>;
    }
}
