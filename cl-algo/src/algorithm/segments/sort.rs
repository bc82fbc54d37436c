//! The items of each segment in order.

use super::Segments;
use crate::algorithm::merge_sort::sort_segments;
use crate::algorithm::order::Less;
use crate::algorithm::sort::SortKey;
use crate::algorithm::update_all::{InPlace, shared};
use crate::element::Ordered;
use crate::expr::{Item, Val};
use cl_core::Result;

impl Segments {
    /// Sorts the items of each segment in ascending order, stably.
    ///
    /// Floats are in their total order: see [Orders](crate#orders). The algorithm is a merge sort that ends as soon as
    /// the sorted runs are twice as long as the longest segment. One more merge, of the halves of neighbouring runs,
    /// sorts the segments that lie in two runs. For segments of up to 1000 items of 4 bytes, this is one launch that
    /// sorts blocks, a merge (on GPUs two launches) and a copy of one block.
    ///
    /// # Errors
    /// As [`sort_by`](crate::stl::sort_by); [`Error::LengthMismatch`] unless there are as many items as the segments
    /// have.
    #[doc(alias("DeviceSegmentedSort", "DeviceSegmentedRadixSort"))]
    pub fn sort<'a, K: SortKey + Ordered>(&'a self, keys: impl InPlace<'a, K>) -> Result<()> {
        self.sort_as::<K>("sort of segments", keys, |a, b| a.total_lt(b))
    }

    /// Sorts the items of each segment in descending order, stably; see [`Segments::sort`].
    ///
    /// # Errors
    /// As [`Segments::sort`].
    pub fn sort_descending<'a, K: SortKey + Ordered>(&'a self, keys: impl InPlace<'a, K>) -> Result<()> {
        self.sort_as::<K>("sort_descending of segments", keys, |a, b| b.total_lt(a))
    }

    /// Sorts the keys of each segment in ascending order, stably, and moves the values along.
    ///
    /// ```
    /// use cl_algo::Segments;
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let lengths = DeviceVec::from_slice(&queue, &[2_u32, 3])?;
    /// let segments = Segments::from_lengths(&lengths)?;
    /// let mut keys = DeviceVec::from_slice(&queue, &[7, 5, 3, 1, 2])?;
    /// let mut names = DeviceVec::from_slice(&queue, b"abcde")?;
    /// segments.sort_by_key(&mut keys, &mut names)?;
    /// assert_eq!(keys.to_vec()?, [5, 7, 1, 2, 3]);
    /// assert_eq!(names.to_vec()?, *b"badec");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Segments::sort`].
    #[doc(alias = "sort_pairs")]
    pub fn sort_by_key<'a, K: SortKey + Ordered, V: Item>(
        &'a self,
        keys: impl InPlace<'a, K>,
        values: impl InPlace<'a, V>,
    ) -> Result<()> {
        self.sort_as::<(K, V)>("sort_by_key of segments", (keys, values), |(a, _), (b, _)| a.total_lt(b))
    }

    /// Sorts the items of each segment with a comparator, stably: `less(a, b)` returns whether `a` goes before `b`. See
    /// [`sort_by`](crate::stl::sort_by) and [`Segments::sort`].
    ///
    /// # Errors
    /// As [`Segments::sort`].
    pub fn sort_by<'a, T: Item>(
        &'a self,
        vectors: impl InPlace<'a, T>,
        less: impl FnOnce(T::Values, T::Values) -> Val<bool>,
    ) -> Result<()> {
        self.sort_as::<T>("sort_by of segments", vectors, less)
    }

    /// Sorts as [`Segments::sort_by`] does. `operation` is the name in errors.
    fn sort_as<'a, T: Item>(
        &'a self,
        operation: &'static str,
        vectors: impl InPlace<'a, T>,
        less: impl FnOnce(T::Values, T::Values) -> Val<bool>,
    ) -> Result<()> {
        let (items, targets) = shared::<T>(operation, vectors);
        let items = self.items(operation, items)?;
        if self.longest < 2 {
            return Ok(());
        }
        let less =
            Less::new::<(u32, T), _>(|(s, a): (Val<u32>, T::Values), (t, b): (Val<u32>, T::Values)| {
                s.lt(t) | (s.eq(t) & less(a, b))
            });
        sort_segments::<T>(operation, (self.numbers()?, items), &less, self.longest, targets)
    }
}
