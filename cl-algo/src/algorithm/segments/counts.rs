//! How often each small number occurs in each segment.

use super::Segments;
use crate::algorithm::histogram::histogram;
use crate::element::Integer;
use crate::expr::{Castable, Operand, Val, index, zip};
use crate::vec::DeviceVec;
use cl_core::{Error, Result};

impl Segments {
    /// Counts how often each of the numbers 0, 1, 2, … up to `bins - 1` occurs in each segment.
    ///
    /// The counts of segment `s` begin at `s * bins`. Keys that are negative or too large are not counted. The launches
    /// are those of [`histogram`](crate::stl::histogram) with all counts, two or three, after those of [`Segments::numbers`].
    ///
    /// ```
    /// use cl_algo::Segments;
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let lengths = DeviceVec::from_slice(&queue, &[4_u32, 2])?;
    /// let segments = Segments::from_lengths(&lengths)?;
    /// let keys = DeviceVec::from_slice(&queue, &[2_u8, 0, 2, 1, 1, 1])?;
    /// assert_eq!(segments.histogram(&keys, 3)?.to_vec()?, [1, 1, 2, 0, 2, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Segments::sum`]; [`Error::InvalidInput`] for 2^32 - 1 counts or more.
    #[doc(alias = "bincount")]
    pub fn histogram<'a, K: Integer + Castable>(
        &'a self,
        keys: impl Operand<'a, K>,
        bins: usize,
    ) -> Result<DeviceVec<u32>> {
        self.histogram_as("histogram of segments", keys, bins)
    }

    /// Returns for each segment the number of keys less than 0, 1, 2, … up to `bins - 1`: the exclusive prefix sums of
    /// the [counts](Segments::histogram).
    ///
    /// The sums of segment `s` begin at `s * bins`. They are where a counting sort of the segment stores the first item
    /// of each key, counted from the begin of the segment (Knuth, "The Art of Computer Programming", volume 3,
    /// section 5.2). Keys that are negative or too large are not counted. The launches are those of the histogram, and of
    /// a scan by key: one on GPUs, two on CPUs.
    ///
    /// ```
    /// use cl_algo::Segments;
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let lengths = DeviceVec::from_slice(&queue, &[4_u32, 2])?;
    /// let segments = Segments::from_lengths(&lengths)?;
    /// let keys = DeviceVec::from_slice(&queue, &[2_u8, 0, 2, 1, 1, 1])?;
    /// assert_eq!(segments.exclusive_counts(&keys, 3)?.to_vec()?, [0, 1, 2, 0, 0, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Segments::histogram`].
    #[doc(alias("counting_sort", "bucket_offsets"))]
    pub fn exclusive_counts<'a, K: Integer + Castable>(
        &'a self,
        keys: impl Operand<'a, K>,
        bins: usize,
    ) -> Result<DeviceVec<u32>> {
        let counts = self.histogram_as("exclusive_counts of segments", keys, bins)?;
        if counts.is_empty() {
            return Ok(counts);
        }
        // There are fewer than 2^32 counts.
        let segment = index::<u32>() / bins as u32;
        counts.iter().exclusive_scan(0).by_key(segment).collect()
    }

    fn histogram_as<'a, K: Integer + Castable>(
        &'a self,
        operation: &'static str,
        keys: impl Operand<'a, K>,
        bins: usize,
    ) -> Result<DeviceVec<u32>> {
        let keys = self.items::<K>(operation, keys)?;
        let all = self.count().checked_mul(bins).filter(|&all| all < u32::MAX as usize);
        let Some(all) = all else {
            let reason = format!("{bins} counts of {} segments are 2^32 - 1 or more", self.count());
            return Err(Error::invalid_input(operation, reason));
        };
        if self.len == 0 || all == 0 {
            return DeviceVec::filled(&self.queue, 0, all);
        }
        // SAFETY: the histogram writes every count. If it cannot be enqueued, the vector is dropped here.
        let mut counts = unsafe { DeviceVec::<u32>::uninit(&self.queue, all) }?;
        let bin = zip((self.numbers()?, keys)).map(|(segment, key): (Val<u32>, Val<K>)| {
            // A negative key becomes a large number.
            let is_counted = key.cast::<u64>().lt(bins as u64);
            is_counted.select(segment * bins as u32 + key.cast::<u32>(), u32::MAX)
        });
        histogram(bin, &mut counts)?;
        Ok(counts)
    }
}
