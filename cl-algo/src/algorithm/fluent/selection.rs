//! Selections as methods of expressions.

use super::new_vectors::{NewVectors, extent, shortened};
use crate::algorithm::select::{self, Inputs};
use crate::device_scalar::DeviceScalar;
use crate::element::{Element, Float, Number};
use crate::expr::{Castable, Expr, Item, Recorded, Val};
use crate::sink::Sink;
use cl_core::Result;
use std::fmt;
use std::marker::PhantomData;

/// A selection of items that is not evaluated yet: made by [`Expr::filter`] and [`Expr::dedup`].
#[must_use = "selections are lazy: nothing is computed until `collect`, `collect_into` or `count`"]
pub struct Selection<'a, T: Item> {
    inputs: Inputs<'a>,
    item: PhantomData<T>,
}

impl<'a, T: Item> Expr<'a, T> {
    /// Keeps the items for which `keep` is true, in their order.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3, -1, 4, -1, 5])?;
    /// let positive = x.iter().filter(|x| x.gt(0)).collect()?;
    /// assert_eq!(positive.to_vec()?, [3, 4, 5]);
    /// let (at, _) = x.iter().enumerate().filter(|(_, x)| x.lt(0)).collect()?; // the positions of the negative ones
    /// assert_eq!(at.to_vec()?, [1, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// By a mask, or by other vectors than those that are kept, with [`Selection::map`]:
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3, -1, 4])?;
    /// let mask = DeviceVec::from_slice(&queue, &[true, true, false])?;
    /// let kept = zip((&x, &mask)).filter(|(_, keep)| keep).map(|(x, _)| x);
    /// assert_eq!(kept.collect()?.to_vec()?, [3, -1]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("copy_if", "compress", "compact", "nonzero", "mask", "DeviceSelect"))]
    pub fn filter<R: Recorded<Item = bool>>(self, keep: impl FnOnce(T::Values) -> R) -> Selection<'a, T> {
        Selection { inputs: Inputs::keeping::<T, _>("filter", self, keep), item: PhantomData }
    }

    /// Keeps the first item of each run of neighbours that are `equal`, as [`Vec::dedup_by`] does.
    ///
    /// The second argument of `equal` is the item after the first argument.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[10, 11, 19, 25, 26])?;
    /// let first = x.iter().dedup_by(|a, b| (a / 10).eq(b / 10)).collect()?;
    /// assert_eq!(first.to_vec()?, [10, 25]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("unique_by", "DeviceSelect"))]
    pub fn dedup_by<R: Recorded<Item = bool>>(
        self,
        equal: impl FnOnce(T::Values, T::Values) -> R,
    ) -> Selection<'a, T> {
        Selection { inputs: Inputs::dropping_duplicates::<T, _>("dedup_by", self, equal), item: PhantomData }
    }

    /// Divides the items into the items for which `first` is true and the other items, each in their order.
    ///
    /// Waits for the number of the former.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5])?;
    /// let (odd, even) = x.iter().partition(|x| (x & 1).eq(1))?;
    /// assert_eq!(odd.to_vec()?, [1, 3, 5]);
    /// assert_eq!(even.to_vec()?, [2, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias("partition_copy", "stable_partition", "DevicePartition"))]
    pub fn partition<R: Recorded<Item = bool>>(
        self,
        first: impl FnOnce(T::Values) -> R,
    ) -> Result<(T::Vectors, T::Vectors)> {
        let inputs = Inputs::keeping::<T, _>("partition", self, first);
        let (queue, len) = extent(inputs.operation(), &[inputs.items()])?;
        // SAFETY: nothing reads the elements behind the ones that the selection stores.
        let (yes, no) = unsafe { (T::uninit(&queue, len)?, T::uninit(&queue, len)?) };
        let count =
            select::partition_into::<T>(inputs, NewVectors::<T>(&yes), NewVectors::<T>(&no))?.get()? as usize;
        Ok((shortened::<T>(&queue, yes, len, count)?, shortened::<T>(&queue, no, len, len - count)?))
    }
}

impl<'a, T: Element + PartialEq> Expr<'a, T> {
    /// Keeps the first item of each run of equal neighbours, as [`Vec::dedup`] does. A NaN equals nothing and stays.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 1, 2, 2, 2, 1])?;
    /// assert_eq!(x.iter().dedup().collect()?.to_vec()?, [1, 2, 1]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "unique")]
    pub fn dedup(self) -> Selection<'a, T> {
        let inputs = Inputs::dropping_duplicates::<T, _>("dedup", self, |a: Val<T>, b: Val<T>| a.eq(b));
        Selection { inputs, item: PhantomData }
    }
}

impl<'a, T: Item> Selection<'a, T> {
    /// Returns the results of a closure for the selected items. The results are computed where they are stored, in the
    /// kernel that selects.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let price = DeviceVec::from_slice(&queue, &[2.0_f32, 3.0, 4.0])?;
    /// let count = DeviceVec::from_slice(&queue, &[1_u32, 0, 5])?;
    /// let sold = zip((&price, &count)).filter(|(_, count)| count.gt(0));
    /// assert_eq!(sold.map(|(price, count)| price * count.cast::<f32>()).sum()?, 22.0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn map<R: Recorded>(mut self, closure: impl FnOnce(T::Values) -> R) -> Selection<'a, R::Item> {
        self.inputs.map::<T, R>(closure);
        Selection { inputs: self.inputs, item: PhantomData }
    }

    /// Evaluates the selection into new vectors of exactly the needed length. Waits for the number of items.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn collect(self) -> Result<T::Vectors> {
        let (queue, len) = extent(self.inputs.operation(), &[self.inputs.items()])?;
        // SAFETY: nothing reads the elements after the ones that the selection stores.
        let vectors = unsafe { T::uninit(&queue, len) }?;
        let count = self.collect_into(NewVectors::<T>(&vectors))?.get()? as usize;
        shortened::<T>(&queue, vectors, len, count)
    }

    /// Evaluates the selection into the front of an output, and returns the number of items as a [`DeviceScalar`].
    ///
    /// The rest of the output keeps its values. The host does not wait for the number until it asks for it. A vector or
    /// a slice may have less room than there are items: see [`stl::copy_if`](crate::stl::copy_if).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3, -1, 4])?;
    /// let mut positive = DeviceVec::filled(&queue, 0, 3)?;
    /// let count = x.iter().filter(|x| x.gt(0)).collect_into(&mut positive)?; // does not wait
    /// assert_eq!(count.get()?, 2);
    /// assert_eq!(positive.to_vec()?, [3, 4, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`collect`](Selection::collect), and as [`stl::copy_if`](crate::stl::copy_if) if the output is shorter than the
    /// input.
    pub fn collect_into(self, output: impl Sink<'a, T>) -> Result<DeviceScalar<u64>> {
        select::select_into::<T>(self.inputs, output)
    }

    /// Returns the number of selected items.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3, -1, 4])?;
    /// assert_eq!(x.iter().filter(|x| x.gt(0)).count()?, 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`collect`](Selection::collect).
    #[doc(alias = "count_nonzero")]
    pub fn count(self) -> Result<usize> {
        select::count::<T>(self.inputs)
    }
}

impl<T: Number> Selection<'_, T> {
    /// Returns the sum of the selected items; see [`Expr::sum`]. The items are not stored.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3, -1, 4])?;
    /// assert_eq!(x.iter().filter(|x| x.gt(0)).sum()?, 7);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`collect`](Selection::collect).
    pub fn sum(self) -> Result<T> {
        match self.inputs.with_rejected_replaced(T::zeroed()) {
            Some(items) => items.sum(),
            None => self.collect()?.sum(),
        }
    }
}

impl<T: Float + Castable> Selection<'_, T> {
    /// Returns the mean of the selected items: their [`sum`](Selection::sum) divided by their number. `None` for zero
    /// items.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3.0_f32, -1.0, 4.0])?;
    /// assert_eq!(x.iter().filter(|x| x.gt(0.0)).mean()?, Some(3.5));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`collect`](Selection::collect).
    #[doc(alias("average", "avg"))]
    pub fn mean(self) -> Result<Option<T>> {
        self.collect()?.mean()
    }
}

impl<T: Item> fmt::Debug for Selection<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Selection<{}>({})", std::any::type_name::<T>(), self.inputs.operation())
    }
}
