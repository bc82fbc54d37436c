//! Running results of each segment.

use super::Segments;
use crate::algorithm::fluent::Scan;
use crate::element::Number;
use crate::expr::{Item, Operand};
use cl_core::Result;

impl Segments {
    /// Returns the lazy scan of running sums, which begin anew with each segment.
    ///
    /// It is [`Expr::inclusive_scan`](crate::Expr::inclusive_scan) by the segments' numbers: one launch on GPUs, two on
    /// CPUs.
    ///
    /// # Errors
    /// As [`Expr::collect`](crate::Expr::collect); [`Error::LengthMismatch`](cl_core::Error::LengthMismatch) unless
    /// there are as many items as the segments have.
    #[doc(alias = "cumsum")]
    pub fn inclusive_scan<'a, T: Number>(&'a self, items: impl Operand<'a, T>) -> Result<Scan<'a, T>> {
        let items = self.items("inclusive_scan of segments", items)?;
        Ok(items.inclusive_scan().by_key(self.numbers()?))
    }

    /// Returns the lazy scan of the sums before each item of its segment; each segment begins with `initial`.
    ///
    /// ```
    /// use cl_algo::Segments;
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let lengths = DeviceVec::from_slice(&queue, &[2_u32, 3])?;
    /// let segments = Segments::from_lengths(&lengths)?;
    /// let places = segments.exclusive_scan(1, 0)?.collect()?;
    /// assert_eq!(places.to_vec()?, [0, 1, 0, 1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Segments::inclusive_scan`].
    pub fn exclusive_scan<'a, T: Number>(
        &'a self,
        items: impl Operand<'a, T>,
        initial: impl Operand<'a, T>,
    ) -> Result<Scan<'a, T>> {
        let items = self.items("exclusive_scan of segments", items)?;
        Ok(items.exclusive_scan(initial).by_key(self.numbers()?))
    }

    /// Returns the lazy scan by an associative operator, which need not commute; see [`Segments::inclusive_scan`].
    ///
    /// # Errors
    /// As [`Segments::inclusive_scan`].
    pub fn inclusive_scan_with<'a, T: Item>(
        &'a self,
        items: impl Operand<'a, T>,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    ) -> Result<Scan<'a, T>> {
        let items = self.items("inclusive_scan_with of segments", items)?;
        Ok(items.inclusive_scan_with(operator).by_key(self.numbers()?))
    }

    /// Returns the lazy scan by an associative operator before each item; see [`Segments::exclusive_scan`].
    ///
    /// # Errors
    /// As [`Segments::inclusive_scan`].
    pub fn exclusive_scan_with<'a, T: Item>(
        &'a self,
        items: impl Operand<'a, T>,
        initial: impl Operand<'a, T>,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    ) -> Result<Scan<'a, T>> {
        let items = self.items("exclusive_scan_with of segments", items)?;
        Ok(items.exclusive_scan_with(initial, operator).by_key(self.numbers()?))
    }
}
