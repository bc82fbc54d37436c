//! Changes of a whole device vector.

use crate::algorithm::sort::SortKey;
use crate::algorithm::{Sort, stl};
use crate::element::Element;
use crate::expr::{Expr, Operand, Recorded, Val};
use crate::sink::Sink;
use crate::vec::DeviceVec;
use cl_core::{Error, Result};

impl<T: SortKey> DeviceVec<T> {
    /// Sorts the elements in ascending order; see [Orders](crate#orders).
    ///
    /// For other orders and for keys with values, see [`Sort`] and [`sort_by`](DeviceVec::sort_by).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::from_slice(&queue, &[3.0_f32, -1.0, 2.0])?;
    /// x.sort()?;
    /// assert_eq!(x.to_vec()?, [-1.0, 2.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias("DeviceRadixSort", "radix_sort", "stable_sort"))]
    pub fn sort(&mut self) -> Result<()> {
        stl::sort(self)
    }

    /// Sorts in descending order; see [`sort`](DeviceVec::sort).
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn sort_descending(&mut self) -> Result<()> {
        stl::sort_descending(self)
    }
}

impl<'a, T: SortKey> Expr<'a, T> {
    /// Returns the indices that sort the items: `keys.iter().gather(&order)` is in ascending order.
    ///
    /// Equal keys keep their order. [`Sort::argsort`] has other orders.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let keys = DeviceVec::from_slice(&queue, &[20, 30, -10])?;
    /// assert_eq!(keys.iter().argsort()?.to_vec()?, [2, 0, 1]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias("sort_permutation", "sequence_sort"))]
    pub fn argsort(self) -> Result<DeviceVec<u32>> {
        Sort::new().argsort(self)
    }
}

impl<T: Element> DeviceVec<T> {
    /// Sorts the elements with a comparator, which returns whether its first item goes before its second.
    ///
    /// Equal items keep their order. The vector keeps every item, even if the comparator contradicts itself.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::from_slice(&queue, &[3, -4, 1])?;
    /// x.sort_by(|a, b| (a * a).lt(b * b))?;
    /// assert_eq!(x.to_vec()?, [1, 3, -4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias("merge_sort", "DeviceMergeSort", "stable_sort"))]
    pub fn sort_by<R: Recorded<Item = bool>>(
        &mut self,
        less: impl FnOnce(Val<T>, Val<T>) -> R,
    ) -> Result<()> {
        stl::sort_by(self, less)
    }

    /// Keeps the items for which `keep` is true, in their order, as [`Vec::retain`] does. Waits for the
    /// number of kept items.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::from_slice(&queue, &[3, -1, 4])?;
    /// x.retain(|x| x.gt(0))?;
    /// assert_eq!(x.to_vec()?, [3, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`]. After an error the vector is as it was.
    #[doc(alias = "remove_if")]
    pub fn retain(&mut self, keep: impl FnOnce(Val<T>) -> Val<bool>) -> Result<()> {
        *self = self.iter().filter(keep).collect()?;
        Ok(())
    }

    /// Reverses the order of the items.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias = "flip")]
    pub fn reverse(&mut self) -> Result<()> {
        *self = self.iter().rev().collect()?;
        Ok(())
    }

    /// Moves the first `count` items to the end, as [`slice::rotate_left`] does.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4])?;
    /// x.rotate_left(1)?;
    /// assert_eq!(x.to_vec()?, [2, 3, 4, 1]);
    /// x.rotate_right(2)?;
    /// assert_eq!(x.to_vec()?, [4, 1, 2, 3]);
    /// x.reverse()?;
    /// assert_eq!(x.to_vec()?, [3, 2, 1, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`], and [`Error::OutOfBounds`] if `count` exceeds the length.
    #[doc(alias = "roll")]
    pub fn rotate_left(&mut self, count: usize) -> Result<()> {
        let len = self.len();
        if count > len {
            return Err(Error::out_of_bounds("rotate_left", 0, count, len));
        }
        *self = DeviceVec::concat(self.queue(), [self.slice(count..), self.slice(..count)])?;
        Ok(())
    }

    /// Moves the last `count` items to the front; see [`rotate_left`](DeviceVec::rotate_left).
    ///
    /// # Errors
    /// As [`rotate_left`](DeviceVec::rotate_left).
    #[doc(alias = "roll")]
    pub fn rotate_right(&mut self, count: usize) -> Result<()> {
        let len = self.len();
        let Some(rest) = len.checked_sub(count) else {
            return Err(Error::out_of_bounds("rotate_right", 0, count, len));
        };
        self.rotate_left(rest)
    }

    /// Returns a new vector of the items of all operands, one operand after the other.
    ///
    /// An operand without a length is an error.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let (x, y) = (DeviceVec::from_slice(&queue, &[1, 2])?, DeviceVec::from_slice(&queue, &[3])?);
    /// assert_eq!(DeviceVec::concat(&queue, [&x, &y, &x])?.to_vec()?, [1, 2, 3, 1, 2]);
    /// assert_eq!(DeviceVec::concat(&queue, [x.iter().rev(), 2 * &y])?.to_vec()?, [2, 1, 6]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect_on`].
    #[doc(alias = "concatenate")]
    pub fn concat<'a, O: Operand<'a, T>>(
        queue: &'a cl_core::Queue,
        operands: impl IntoIterator<Item = O>,
    ) -> Result<DeviceVec<T>> {
        let operands: Vec<Expr<'a, T>> =
            operands.into_iter().map(|operand| operand.into_expr().on(queue)).collect();
        let mut len = 0_usize;
        for operand in &operands {
            operand.check()?;
            let Some(more) = operand.len() else {
                let reason = "an operand consists of scalars, so there is no length: use `take`".to_owned();
                return Err(Error::invalid_input("concat", reason));
            };
            len = len.saturating_add(more);
        }
        // SAFETY: the copies below write every element, each its own range. After an error the vector is dropped.
        let mut all = unsafe { DeviceVec::uninit(queue, len) }?;
        let mut begin = 0;
        for operand in operands {
            let end = begin + operand.len().unwrap_or_default();
            operand.collect_into(all.slice_mut(begin..end))?;
            begin = end;
        }
        Ok(all)
    }
}

impl<T: Element + PartialEq> DeviceVec<T> {
    /// Keeps the first item of each run of equal neighbours, as [`Vec::dedup`] does. Waits for the number of
    /// runs.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::from_slice(&queue, &[2, 1, 2, 1])?;
    /// x.sort()?;
    /// x.dedup()?;
    /// assert_eq!(x.to_vec()?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`]. After an error the vector is as it was.
    #[doc(alias = "unique")]
    pub fn dedup(&mut self) -> Result<()> {
        *self = self.iter().dedup().collect()?;
        Ok(())
    }
}

impl<'a, T: crate::expr::Item> Expr<'a, T> {
    /// Evaluates the expression into an output, in one kernel: [`assign`](crate::assign) as a method.
    ///
    /// # Errors
    /// As [`assign`](crate::assign).
    pub fn collect_into(self, output: impl Sink<'a, T>) -> Result<()> {
        crate::algorithm::assign(output, self)
    }
}

impl<T: Element> Expr<'_, T> {
    /// Evaluates the expression and returns its items on the host: `x.slice(3..6).to_vec()`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4])?;
    /// assert_eq!(x.slice(1..3).to_vec()?, [2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`] and [`DeviceVec::to_vec`].
    pub fn to_vec(self) -> Result<Vec<T>> {
        self.collect()?.to_vec()
    }
}
