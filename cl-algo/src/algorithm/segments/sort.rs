//! The items of each segment in order.

use super::Segments;
use crate::algorithm::merge_sort::sort_segments;
use crate::algorithm::moved::{elements, scratch, targets_in};
use crate::algorithm::order::Less;
use crate::algorithm::sort::{MOST_VALUES, Sort, SortKey, Within};
use crate::algorithm::update_all::{InPlace, shared};
use crate::element::Ordered;
use crate::expr::{Expr, Item, Operand, Val, index, zip};
use crate::ir::target::Target;
use crate::vec::DeviceVec;
use cl_core::{Error, Memory, Result};

/// The direction of a sort.
#[derive(Clone, Copy)]
enum Direction {
    Ascending,
    Descending,
}

impl Direction {
    fn sort(self) -> Sort {
        match self {
            Direction::Ascending => Sort::new(),
            Direction::Descending => Sort::new().descending(),
        }
    }

    fn goes_before<K: Ordered>(self, a: Val<K>, b: Val<K>) -> Val<bool> {
        match self {
            Direction::Ascending => a.total_lt(b),
            Direction::Descending => b.total_lt(a),
        }
    }
}

/// Returns whether segments of these keys are sorted by comparisons: kernels of segments have no digits of keys of 128 bits.
const fn is_compared<K: SortKey>() -> bool {
    K::TYPE.size() > 8
}

impl Segments {
    /// Sorts the items of each segment in ascending order, stably.
    ///
    /// Floats are in their total order: see [Orders](crate#orders). The first of two launches searches for the segments of
    /// each work-group, and the second one sorts them. Neighbouring short segments are sorted together, so the time
    /// hardly depends on the lengths; on GPUs, work-items sort segments in registers if the longest one has at most 16 items.
    /// Segments that exceed what a work-group sorts alone are left to the passes of
    /// [`sort()`](crate::stl::sort()), with digits that are counted for each segment. Four more launches, on CPUs five,
    /// list their tiles. On CPUs such a segment has more than a work-group's share of all items, which is an eighth of a
    /// core's; on GPUs it has more items than a tile, some thousands. Keys of 128 bits are sorted as by [`Segments::sort_by`].
    ///
    /// # Errors
    /// As [`sort()`](crate::stl::sort()); [`Error::LengthMismatch`] unless there are as many items as the segments have.
    #[doc(alias("DeviceSegmentedSort", "DeviceSegmentedRadixSort"))]
    pub fn sort<'a, K: SortKey + Ordered>(&'a self, keys: impl InPlace<'a, K>) -> Result<()> {
        self.sort_keys::<K>("sort of segments", keys, Direction::Ascending)
    }

    /// Sorts the items of each segment in descending order, stably; see [`Segments::sort`].
    ///
    /// # Errors
    /// As [`Segments::sort`].
    pub fn sort_descending<'a, K: SortKey + Ordered>(&'a self, keys: impl InPlace<'a, K>) -> Result<()> {
        self.sort_keys::<K>("sort_descending of segments", keys, Direction::Descending)
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
        let operation = "sort_by_key of segments";
        if V::count() > MOST_VALUES || is_compared::<K>() {
            return self.sort_as::<(K, V)>(operation, (keys, values), |(a, _), (b, _)| a.total_lt(b));
        }
        let mut targets = Vec::with_capacity(2);
        keys.targets(&mut targets);
        values.targets(&mut targets);
        self.sort_targets::<K>(operation, targets, Direction::Ascending)
    }

    /// Sorts the items of each segment with a comparator, stably: `less(a, b)` returns whether `a` goes before `b`. See
    /// [`sort_by`](crate::stl::sort_by).
    ///
    /// The algorithm is a merge sort that ends as soon as the sorted runs are twice as long as the longest segment. One
    /// more merge, of the halves of neighbouring runs, sorts the segments that lie in two runs. For segments of up to
    /// 1000 items of 4 bytes, this is one launch that sorts blocks, a merge (on GPUs two launches) and a copy of one
    /// block.
    ///
    /// # Errors
    /// As [`sort_by`](crate::stl::sort_by); [`Error::LengthMismatch`] unless there are as many items as the segments
    /// have. After an error of the driver, items are unchanged, unless it refused the last copy: then items may be missing.
    pub fn sort_by<'a, T: Item>(
        &'a self,
        vectors: impl InPlace<'a, T>,
        less: impl FnOnce(T::Values, T::Values) -> Val<bool>,
    ) -> Result<()> {
        self.sort_as::<T>("sort_by of segments", vectors, less)
    }

    /// Returns the indices that sort the keys of each segment in ascending order, stably:
    /// `keys.iter().gather(&order)` is sorted as by [`Segments::sort`].
    ///
    /// # Errors
    /// As [`Segments::sort`].
    pub fn argsort<'a, K: SortKey + Ordered>(&'a self, keys: impl Operand<'a, K>) -> Result<DeviceVec<u32>> {
        self.order::<K>("argsort of segments", keys, Direction::Ascending)
    }

    /// Returns the `k` largest elements of each segment, the largest first, and their indices in the segment.
    ///
    /// The elements of segment `s` begin at `s * k`. Of equal elements, the elements of the lowest indices come first.
    /// Where a segment has fewer elements, the element is `missing`, and its index is `u32::MAX`. The launches are
    /// those of [`Segments::argsort`], and one.
    ///
    /// ```
    /// use cl_algo::Segments;
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let lengths = DeviceVec::from_slice(&queue, &[3_u32, 1])?;
    /// let segments = Segments::from_lengths(&lengths)?;
    /// let x = DeviceVec::from_slice(&queue, &[5, 9, 7, 2])?;
    /// let (largest, at) = segments.top_k(&x, 2, 0)?;
    /// assert_eq!(largest.to_vec()?, [9, 7, 2, 0]);
    /// assert_eq!(at.to_vec()?, [1, 2, 0, u32::MAX]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Segments::sort`]; [`Error::InvalidInput`] for 2^32 elements or more.
    pub fn top_k<'a, K: SortKey + Ordered>(
        &'a self,
        elements: impl Operand<'a, K>,
        k: usize,
        missing: K,
    ) -> Result<(DeviceVec<K>, DeviceVec<u32>)> {
        self.first_k("top_k of segments", elements, k, missing, Direction::Descending)
    }

    /// Returns the `k` smallest elements of each segment, the smallest first; see [`Segments::top_k`].
    ///
    /// # Errors
    /// As [`Segments::top_k`].
    pub fn bottom_k<'a, K: SortKey + Ordered>(
        &'a self,
        elements: impl Operand<'a, K>,
        k: usize,
        missing: K,
    ) -> Result<(DeviceVec<K>, DeviceVec<u32>)> {
        self.first_k("bottom_k of segments", elements, k, missing, Direction::Ascending)
    }

    fn first_k<'a, K: SortKey + Ordered>(
        &'a self,
        operation: &'static str,
        elements: impl Operand<'a, K>,
        k: usize,
        missing: K,
        direction: Direction,
    ) -> Result<(DeviceVec<K>, DeviceVec<u32>)> {
        let elements = self.items::<K>(operation, elements)?;
        let count = self.count().checked_mul(k).filter(|&count| u32::try_from(count).is_ok());
        let Some(count) = count else {
            let reason = format!("{k} elements of {} segments are too many: 2^32 or more", self.count());
            return Err(Error::invalid_input(operation, reason));
        };
        if self.len == 0 || count == 0 {
            let none = index::<u8>().take(count).map(|_| (missing.known(), u32::MAX.known()));
            return none.collect_on(&self.queue);
        }
        let order = self.order::<K>(operation, elements.clone(), direction)?;
        let (k, last) = (k as u32, (self.len - 1) as u32);
        let segment = || index::<u32>().take(count) / k;
        let offsets_at = |at: Expr<'a, u32>| {
            // SAFETY: there is one offset more than segments, and `at` is at most the number of segments.
            unsafe { self.offsets.iter().gather_unchecked(operation, self.count() + 1, at) }
        };
        let (begin, end) = (offsets_at(segment()), offsets_at(segment() + 1));
        let (rank, len) = (index::<u32>() % k, end - begin.clone());
        let place = begin.clone() + rank.clone().min(len.clone());
        // SAFETY: the place is at most that of the last item.
        let at = unsafe { order.iter().gather_unchecked(operation, self.len, place.min(last)) };
        // SAFETY: the order has indices of items.
        let element = unsafe { elements.gather_unchecked(operation, self.len, at.clone()) };
        let all = zip((rank.lt(len), element, at - begin));
        let chosen = all.map(|(exists, element, at): (Val<bool>, Val<K>, Val<u32>)| {
            (exists.select(element, missing), exists.select(at, u32::MAX))
        });
        chosen.collect_on(&self.queue)
    }

    /// Returns the indices that sort the keys of each segment.
    fn order<'a, K: SortKey + Ordered>(
        &'a self,
        operation: &'static str,
        keys: impl Operand<'a, K>,
        direction: Direction,
    ) -> Result<DeviceVec<u32>> {
        let keys = self.items::<K>(operation, keys)?;
        if self.longest < 2 {
            return index::<u32>().take(self.len).collect_on(&self.queue);
        }
        if !is_compared::<K>() {
            return direction.sort().order(operation, keys.on(&self.queue), Some(self.within()));
        }
        // SAFETY: the sort writes every element. If it cannot be enqueued, the vector is dropped here.
        let order = unsafe { DeviceVec::<u32>::uninit(&self.queue, self.len) }?;
        let room = scratch::<K>(&self.queue, self.len)?;
        let memory: Vec<&Memory> = room.iter().map(|block| &**block).collect();
        let mut targets = targets_in(&self.queue, &memory, self.len, elements::<K>());
        targets.push(Target::whole(&order));
        self.sort_onto::<(K, u32)>(operation, keys.zip(index::<u32>()), targets, |(a, _), (b, _)| {
            direction.goes_before(a, b)
        })?;
        Ok(order)
    }

    fn sort_keys<'a, K: SortKey + Ordered>(
        &'a self,
        operation: &'static str,
        keys: impl InPlace<'a, K>,
        direction: Direction,
    ) -> Result<()> {
        if is_compared::<K>() {
            return self.sort_as::<K>(operation, keys, |a, b| direction.goes_before(a, b));
        }
        let mut targets = Vec::with_capacity(1);
        keys.targets(&mut targets);
        self.sort_targets::<K>(operation, targets, direction)
    }

    /// Sorts the first of the targets, which are keys, and moves the others along.
    fn sort_targets<K: SortKey>(
        &self,
        operation: &'static str,
        targets: Vec<Target<'_>>,
        direction: Direction,
    ) -> Result<()> {
        let valid = targets.iter().find(|target| target.failure.is_none());
        if let Some(keys) = valid.filter(|keys| keys.len != self.len) {
            return Err(Error::length_mismatch(operation, self.len, keys.len));
        }
        direction.sort().in_place::<K>(operation, targets, Some(self.within()))
    }

    fn within(&self) -> Within<'_> {
        Within { offsets: &self.offsets, longest: self.longest }
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
        self.sort_onto::<T>(operation, items, targets, less)
    }

    fn sort_onto<'b, T: Item>(
        &'b self,
        operation: &'static str,
        items: Expr<'b, T>,
        targets: Vec<Target<'b>>,
        less: impl FnOnce(T::Values, T::Values) -> Val<bool>,
    ) -> Result<()> {
        let less =
            Less::new::<(u32, T), _>(|(s, a): (Val<u32>, T::Values), (t, b): (Val<u32>, T::Values)| {
                s.lt(t) | (s.eq(t) & less(a, b))
            });
        sort_segments::<T>(operation, (self.numbers()?, items), &less, self.longest, targets)
    }
}
