//! Reductions of functions: of all points, or of those without margins.

use crate::evaluate::Inside;
use crate::formula::{Formula, GridNumber};
use cl_algo::{Float, Ordered};
use cl_core::Result;

macro_rules! reductions {
    ($($(#[$doc:meta])* where T: $($class:ident)?, $name:ident() -> $result:ty;)*) => {$(
        impl<T: GridNumber $(+ $class)?, const N: usize> Inside<'_, T, N> {
            $(#[$doc])*
            ///
            /// The function is evaluated inside the reduction, and not stored. Waits for the device.
            ///
            /// # Errors
            /// As [`Formula::collect`].
            pub fn $name(&self) -> Result<$result> {
                self.with_values(stringify!($name), |values, queue| values.into_expr().on(queue).$name())
            }
        }

        impl<T: GridNumber $(+ $class)?, const N: usize> Formula<'_, T, N> {
            $(#[$doc])*
            ///
            /// The function is evaluated inside the reduction, and not stored. Waits for the device.
            ///
            /// # Errors
            /// As [`Formula::collect`].
            pub fn $name(&self) -> Result<$result> {
                self.inside(0).$name()
            }
        }
    )*};
}

reductions! {
    /// Returns the sum of the values at all points.
    where T: , sum() -> T;
    /// Returns the smallest value; `None` without points.
    where T: Ordered, reduce_min() -> Option<T>;
    /// Returns the largest value; `None` without points.
    where T: Ordered, reduce_max() -> Option<T>;
    /// Returns the square root of the sum of the squares, which neither overflow nor lose digits.
    where T: Float, norm() -> T;
    /// Returns the sum of the absolute values.
    where T: Float, norm_l1() -> T;
    /// Returns the largest absolute value; 0 without points.
    where T: Float, norm_max() -> T;
}
