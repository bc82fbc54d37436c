//! Sorts along an axis, by the stable sorts of vectors.

use crate::array::Array;
use crate::expr::ArrayExpr;
use cl_algo::{Castable, DeviceVec, Element, Integer, Sort, SortKey};
use cl_core::{Error, Result};

impl<'a, K: SortKey, const N: usize> ArrayExpr<'a, K, N> {
    /// Returns a new array of the same shape, with the elements of each line along an axis in ascending order.
    ///
    /// Floats are in IEEE 754's total order, as by [`Sort`]: -0.0 comes before +0.0, and NaNs whose sign bit is not set
    /// come last. Several lines are sorted at once, by two stable sorts of all elements: by their value, and by the
    /// number of their line. An axis other than the last one also costs two transpositions.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[3.0_f32, 1.0, 2.0, 0.0, 5.0, -1.0])?;
    /// assert_eq!(a.sort_axis(1)?.to_vec()?, [1.0, 2.0, 3.0, -1.0, 0.0, 5.0]);
    /// assert_eq!(a.sort_axis(0)?.to_vec()?, [0.0, 1.0, -1.0, 3.0, 5.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an axis that the array does not have; as [`ArrayExpr::collect`] and [`Sort::keys`].
    #[doc(alias("sort", "sorted"))]
    pub fn sort_axis(self, axis: usize) -> Result<Array<K, N>> {
        Lines::of("sort_axis", self, axis, Sort::new())?.sorted()
    }

    /// Does the same as [`sort_axis`](ArrayExpr::sort_axis) in descending order: NaNs whose sign bit is not set come first.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[30, 10, 20, 5, 5, 1])?;
    /// assert_eq!(a.sort_axis_descending(1)?.to_vec()?, [30, 20, 10, 5, 5, 1]);
    /// assert_eq!(a.argsort_axis_descending(1)?.to_vec()?, [0, 2, 1, 0, 1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::sort_axis`].
    pub fn sort_axis_descending(self, axis: usize) -> Result<Array<K, N>> {
        Lines::of("sort_axis_descending", self, axis, Sort::new().descending())?.sorted()
    }

    /// Returns the coordinates that sort each line along an axis: element `i` of a line of the sorted array is element
    /// `order[i]` of the line, as [`ArrayExpr::take_along_axis`] reads it.
    ///
    /// The sort is stable: coordinates of equal elements are in ascending order. See [`ArrayExpr::sort_axis`].
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[30, 10, 20, 5, 5, 1])?;
    /// let order = a.argsort_axis(1)?;
    /// assert_eq!(order.to_vec()?, [1, 2, 0, 2, 0, 1]);
    /// assert_eq!(a.iter().take_along_axis(1, &order).to_vec()?, [10, 20, 30, 1, 5, 5]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::sort_axis`].
    #[doc(alias = "argsort")]
    pub fn argsort_axis(self, axis: usize) -> Result<Array<u64, N>> {
        Lines::of("argsort_axis", self, axis, Sort::new())?.argsorted()
    }

    /// Returns the coordinates that sort each line along an axis in descending order. See [`ArrayExpr::argsort_axis`].
    ///
    /// The sort is stable: coordinates of equal elements are in ascending order.
    ///
    /// # Errors
    /// As [`ArrayExpr::sort_axis`].
    pub fn argsort_axis_descending(self, axis: usize) -> Result<Array<u64, N>> {
        Lines::of("argsort_axis_descending", self, axis, Sort::new().descending())?.argsorted()
    }

    /// Returns the `k` largest elements of each line along an axis, in descending order, and their coordinates along the
    /// axis. Of equal elements the first ones are taken.
    ///
    /// Sorts each line, and evaluates the expression once more for the results. The order is that of
    /// [`ArrayExpr::sort_axis_descending`].
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 4], &[1, 7, 3, 7, 4, 2, 6, 5])?;
    /// let (values, coordinates) = a.top_k_axis(1, 2)?;
    /// assert_eq!(values.to_vec()?, [7, 7, 6, 5]);
    /// assert_eq!(coordinates.to_vec()?, [1, 3, 2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayExpr::sort_axis`]; [`Error::InvalidInput`] if `k` is larger than the length of the axis.
    #[doc(alias("topk", "argpartition", "largest"))]
    pub fn top_k_axis(self, axis: usize, k: usize) -> Result<(Array<K, N>, Array<u64, N>)> {
        if let Some(&len) = self.shape().get(axis).filter(|&&len| len < k) {
            let reason = format!("{k} elements along axis {axis}, which has length {len}");
            return Err(Error::invalid_input("top_k_axis", reason));
        }
        let order = Lines::of("top_k_axis", self.clone(), axis, Sort::new().descending())?.argsorted()?;
        let coordinates = order.slice_axis(axis, ..k).collect()?;
        let values = self.take_along_axis(axis, &coordinates).collect()?;
        Ok((values, coordinates))
    }
}

/// The elements of an array, in which the lines along an axis lie one behind the other.
struct Lines<K: Element, const N: usize> {
    elements: DeviceVec<K>,
    /// The shape of the array with the axis behind all others.
    shape: [usize; N],
    /// The axis of the lines in the original array.
    axis: usize,
    /// The sort by the elements.
    sort: Sort,
}

impl<K: SortKey, const N: usize> Lines<K, N> {
    fn of(
        operation: &'static str,
        array: ArrayExpr<'_, K, N>,
        axis: usize,
        sort: Sort,
    ) -> Result<Lines<K, N>> {
        if axis >= N {
            let reason = format!("axis {axis} of an array that has {N} axes");
            return Err(Error::invalid_input(operation, reason));
        }
        let mut order: [usize; N] = std::array::from_fn(|axis| axis);
        order[axis..].rotate_left(1);
        let moved = array.permute_axes(order);
        Ok(Lines { shape: moved.shape(), elements: moved.collect()?.into_vec(), axis, sort })
    }

    /// Returns the number of elements of a line.
    fn len(&self) -> usize {
        self.shape.last().copied().unwrap_or(1)
    }

    /// Returns the number of lines, 0 if they have no elements.
    fn count(&self) -> usize {
        self.elements.len() / self.len().max(1)
    }

    /// Returns whether `u32`, which is faster, can hold the numbers of all lines and the coordinates in them.
    fn has_short_indices(&self) -> bool {
        u32::try_from(self.elements.len()).is_ok()
    }

    /// Returns the sort by the numbers of the lines, of which there are several.
    fn by_line(&self) -> Sort {
        Sort::new().bits(..(self.count() - 1).ilog2() + 1)
    }

    /// Returns the number of the line of each element.
    fn numbers<I: Integer + Castable>(&self) -> Result<DeviceVec<I>> {
        let shape = [self.count(), self.len()];
        Ok(Array::from_fn(self.elements.queue(), shape, |[line, _]| line.cast::<I>())?.into_vec())
    }

    fn sorted(mut self) -> Result<Array<K, N>> {
        if self.count() < 2 {
            self.sort.clone().keys(&mut self.elements)?;
        } else if self.has_short_indices() {
            self.sort_each::<u32>()?;
        } else {
            self.sort_each::<u64>()?;
        }
        let order = self.order_of_axes();
        let sorted = Array::from_vec(self.elements, self.shape)?;
        if self.axis + 1 == N { Ok(sorted) } else { sorted.permute_axes(order).collect() }
    }

    fn argsorted(self) -> Result<Array<u64, N>> {
        if self.has_short_indices() { self.argsort_each::<u32>() } else { self.argsort_each::<u64>() }
    }

    fn sort_each<I: Integer + Castable + SortKey>(&mut self) -> Result<()> {
        let mut lines = self.numbers::<I>()?;
        self.sort.clone().by_key(&mut self.elements, &mut lines)?;
        self.by_line().by_key(&mut lines, &mut self.elements)
    }

    fn argsort_each<I: Integer + Castable + SortKey>(mut self) -> Result<Array<u64, N>> {
        let shape = [self.count(), self.len()];
        let coordinates = Array::from_fn(self.elements.queue(), shape, |[_, at]| at.cast::<I>())?;
        let mut coordinates = coordinates.into_vec();
        if self.count() < 2 {
            self.sort.clone().by_key(&mut self.elements, &mut coordinates)?;
        } else {
            let mut lines = self.numbers::<I>()?;
            self.sort.clone().by_key(&mut self.elements, (&mut lines, &mut coordinates))?;
            self.by_line().by_key(&mut lines, &mut coordinates)?;
        }
        let coordinates = Array::from_vec(coordinates, self.shape)?;
        coordinates.iter().cast::<u64>().permute_axes(self.order_of_axes()).collect()
    }

    /// Returns the order of the axes in which the axis of the lines is at its place.
    fn order_of_axes(&self) -> [usize; N] {
        let mut order: [usize; N] = std::array::from_fn(|axis| axis);
        order[self.axis..].rotate_right(1);
        order
    }
}
