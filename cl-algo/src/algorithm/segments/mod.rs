//! Segments: contiguous parts of a sequence, on which algorithms work one by one.
//!
//! | file | concept |
//! | --- | --- |
//! | `build` | segments from offsets, from lengths and from equal keys, checked |
//! | `counts` | how often each small number occurs in each segment |
//! | `reduce` | one result for each segment |
//! | `scan` | running results of each segment |
//! | `sort` | the items of each segment in order, and the first of them |
//! | `tiles` | reductions by tiles of items: GPUs |

mod build;
mod counts;
mod reduce;
mod scan;
mod sort;
mod tiles;

pub(super) use reduce::chosen;

use crate::expr::{Expr, Item, Operand};
use crate::vec::DeviceVec;
use cl_core::{Error, Queue, Result};
use std::fmt;
use std::sync::OnceLock;

/// Contiguous parts of a sequence, one after the other, for algorithms on each part.
///
/// Segments may have any lengths, also 0. They are given by [offsets](Segments::from_offsets), by
/// [lengths](Segments::from_lengths), or by [equal keys](Segments::from_keys). Their operations take any expression
/// with as many items as all segments together.
///
/// The segments are checked when they are made. This is the only time that the host waits: it learns how many items
/// there are, and how many the longest segment has. The operations then choose their kernels.
///
/// ```
/// use cl_algo::Segments;
/// use cl_algo::prelude::*;
/// use cl_algo::reducers::{Max, MinElement};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[5, 2, 7, 1, 9])?;
/// let offsets = DeviceVec::from_slice(&queue, &[0_u32, 2, 2, 5])?;
/// let segments = Segments::from_offsets(&offsets)?; // 5 2 | (empty) | 7 1 9
/// assert_eq!(segments.sum(&x)?.to_vec()?, [7, 0, 17]);
/// assert_eq!(segments.reduce_with(&x, Max, -1)?.to_vec()?, [5, -1, 9]);
/// let (at, _) = segments.reduce_with(&x, MinElement::<u32>::new(), (0, 0))?;
/// assert_eq!(at.to_vec()?, [1, 0, 1]); // indices in the segments
/// assert_eq!(segments.inclusive_scan(&x)?.collect()?.to_vec()?, [5, 7, 7, 8, 17]);
/// segments.sort(&mut x)?;
/// assert_eq!(x.to_vec()?, [2, 5, 1, 7, 9]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("DeviceSegmentedReduce", "DeviceSegmentedSort", "DeviceSegmentedRadixSort", "ragged"))]
pub struct Segments {
    queue: Queue,
    /// The begin of each segment, and the end of the last one.
    offsets: DeviceVec<u32>,
    len: usize,
    longest: usize,
    has_empty: bool,
    /// The number of the segment of each item.
    numbers: OnceLock<DeviceVec<u32>>,
    /// For each segment, the number of segments before it that are not empty.
    filled_before: OnceLock<DeviceVec<u32>>,
    /// The offsets of the segments that are not empty, if others are.
    filled_offsets: OnceLock<DeviceVec<u32>>,
    /// The numbers, among the segments that are not empty, of the segments of some items.
    cells: OnceLock<DeviceVec<u32>>,
}

impl Segments {
    /// Returns the number of segments.
    #[must_use]
    pub fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the number of items of all segments together.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if all segments together have zero items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of items of the longest segment.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Returns the index at which each segment begins, and the index at which the last one ends.
    #[must_use]
    pub fn offsets(&self) -> &DeviceVec<u32> {
        &self.offsets
    }

    /// Returns the length of each segment, as a lazy expression.
    pub fn lengths(&self) -> Expr<'_, u32> {
        self.offsets.slice(1..) - self.offsets.slice(..self.count())
    }

    /// Returns the number of each item's segment, as a lazy expression: 0 for the items of the first segment.
    ///
    /// The numbers are computed when an operation first needs them, and kept: two launches on GPUs, three on
    /// CPUs.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn numbers(&self) -> Result<Expr<'_, u32>> {
        if let Some(numbers) = self.numbers.get() {
            return Ok(numbers.iter());
        }
        let numbers = self.make_numbers()?;
        Ok(self.numbers.get_or_init(|| numbers).iter())
    }

    /// Returns an operand as an expression of all segments' items, or an error if it has another length or queue.
    fn items<'a, T: Item>(&self, operation: &'static str, items: impl Operand<'a, T>) -> Result<Expr<'a, T>> {
        let items = items.into_expr();
        items.check()?;
        if items.shared_queue().is_some_and(|queue| *queue != self.queue) {
            let reason = "the items and the segments belong to different queues";
            return Err(Error::foreign_object(operation, reason));
        }
        match items.len() {
            None => Ok(items.take(self.len)),
            Some(len) if len == self.len => Ok(items),
            Some(len) => Err(Error::length_mismatch(operation, self.len, len)),
        }
    }
}

impl fmt::Debug for Segments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Segments { len, longest, .. } = self;
        write!(f, "Segments({} of {len} items, the longest has {longest})", self.count())
    }
}
