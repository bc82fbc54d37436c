//! Segments from offsets, from lengths and from equal keys, checked.

use super::Segments;
use crate::algorithm::assign::assign;
use crate::algorithm::order::length;
use crate::algorithm::stl::{inclusive_scan_with, number_runs};
use crate::element::{Element, Integer};
use crate::expr::{Castable, Expr, Operand, Val, constant, zip};
use crate::vec::DeviceVec;
use cl_core::{Error, Queue, Result};
use std::sync::OnceLock;

/// The largest number of items of all segments together, and of segments.
const MOST: u64 = u32::MAX as u64;

impl Segments {
    /// Returns the segments between neighbouring offsets: segment `i` has the items from `offsets[i]` up to
    /// `offsets[i + 1]`.
    ///
    /// Waits for the device, which checks the offsets. An expression that is not a vector is evaluated once, in one more
    /// launch.
    ///
    /// # Errors
    /// As [`Expr::collect`]; [`Error::InvalidInput`] unless the first offset is 0, the offsets ascend, and the last one
    /// is below 2^32; [`Error::InvalidInput`] for 2^32 segments or more.
    #[doc(alias("row_splits", "indptr"))]
    pub fn from_offsets<'a, I: Integer + Castable>(offsets: impl Operand<'a, I>) -> Result<Segments> {
        let offsets = offsets.into_expr();
        let queue = queue_of(&offsets)?;
        let given = length(&offsets.graph(), "offsets of segments")?;
        let Some(count) = given.checked_sub(1) else {
            return Err(refused("there are zero: begin with 0 and end with the number of items".to_owned()));
        };
        check_count("offsets of segments", count)?;
        let offsets = in_memory(offsets, &queue)?;
        // As `u64`, negative offsets exceed every length.
        let wide = offsets.clone().cast::<u64>();
        let (begins, ends) = (wide.clone().slice(..count), wide.clone().slice(1..));
        let lengths = zip((begins.clone(), ends.clone())).map(|(begin, end): (Val<u64>, Val<u64>)| {
            let wrong = begin.gt(end) | end.gt(MOST);
            (end - begin, end - begin, end, wrong.cast::<u32>())
        });
        let found =
            lengths.reduce(|(a, b, c, d): Four, (e, f, g, h): Four| (a.max(e), b.min(f), c.max(g), d | h))?;
        let first: u64 = wide.slice(..1).sum()?;
        if first != 0 {
            let first =
                if first > i64::MAX.unsigned_abs() { "negative".to_owned() } else { first.to_string() };
            return Err(refused(format!("the first one is {first}, and must be 0")));
        }
        let (longest, shortest, len, wrong) = found.unwrap_or((0, 1, 0, 0));
        if wrong != 0 {
            let wrong =
                zip((begins, ends)).map(|(begin, end): (Val<u64>, Val<u64>)| begin.gt(end) | end.gt(MOST));
            let at = wrong.position()?.unwrap_or_default();
            let reason =
                format!("the offset at index {} is less than the one before it, or exceeds {MOST}", at + 1);
            return Err(refused(reason));
        }
        let offsets = offsets.cast::<u32>().collect()?;
        Ok(Segments::new(queue, offsets, [len, longest], shortest == 0))
    }

    /// Returns the segments between neighbouring offsets, which are not checked. The host does not wait.
    ///
    /// `len` is the number of items of all segments, and `longest` that of the longest segment.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] unless there is an offset, and `len` and the number of segments are below 2^32.
    ///
    /// # Safety
    /// The first offset must be 0, the offsets must ascend, and the last one must be `len`. No segment may have more than
    /// `longest` items. Otherwise the device accesses memory outside the items.
    ///
    /// ```
    /// use cl_algo::Segments;
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let offsets = DeviceVec::from_slice(&queue, &[0_u32, 2, 5])?;
    /// // SAFETY: the segments have 2 and 3 items.
    /// let segments = unsafe { Segments::from_offsets_unchecked(offsets, 5, 3) }?;
    /// let mut x = DeviceVec::from_slice(&queue, &[2, 1, 5, 4, 3])?;
    /// segments.sort(&mut x)?;
    /// assert_eq!(x.to_vec()?, [1, 2, 3, 4, 5]);
    /// # Ok(())
    /// # }
    /// ```
    pub unsafe fn from_offsets_unchecked(
        offsets: DeviceVec<u32>,
        len: usize,
        longest: usize,
    ) -> Result<Segments> {
        if offsets.is_empty() {
            return Err(refused("there are zero: begin with 0 and end with the number of items".to_owned()));
        }
        check_count("offsets of segments", offsets.len() - 1)?;
        if len as u64 > MOST {
            return Err(refused(format!("there are {len} items; at most {MOST} can be in segments")));
        }
        let queue = offsets.queue().clone();
        Ok(Segments::new(queue, offsets, [len as u64, longest.min(len) as u64], true))
    }

    /// Returns segments of the given lengths, one after the other.
    ///
    /// Waits for the device, which checks the lengths. An expression that is not a vector is evaluated once, in one more
    /// launch.
    ///
    /// # Errors
    /// As [`Expr::collect`]; [`Error::InvalidInput`] for a negative length, for 2^32 segments or more, and for 2^32 items
    /// or more in all segments together.
    ///
    /// ```
    /// use cl_algo::Segments;
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let lengths = DeviceVec::from_slice(&queue, &[2, 0, 3])?;
    /// let segments = Segments::from_lengths(&lengths)?;
    /// assert_eq!(segments.offsets().to_vec()?, [0, 2, 2, 5]);
    /// assert_eq!(segments.numbers()?.to_vec()?, [0, 0, 2, 2, 2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_lengths<'a, I: Integer + Castable>(lengths: impl Operand<'a, I>) -> Result<Segments> {
        let lengths = lengths.into_expr();
        let queue = queue_of(&lengths)?;
        let count = length(&lengths.graph(), "lengths of segments")?;
        // With more segments, the sum of the lengths might wrap around.
        check_count("lengths of segments", count)?;
        let lengths = in_memory(lengths, &queue)?;
        let wide = lengths.clone().cast::<u64>();
        let states = wide.clone().map(|len: Val<u64>| (len, len, len.min(MOST)));
        let found = states.reduce(|(a, b, c): Three, (d, e, f): Three| (a.max(d), b.min(e), c + f))?;
        let (longest, shortest, len) = found.unwrap_or((0, 1, 0));
        if longest > MOST {
            let at = wide.gt(MOST).position()?.unwrap_or_default();
            let reason = format!("the length at index {at} is negative, or exceeds {MOST}");
            return Err(Error::invalid_input("lengths of segments", reason));
        }
        if len > MOST {
            let reason = format!("together they are {len}, more than {MOST}");
            return Err(Error::invalid_input("lengths of segments", reason));
        }
        // SAFETY: the two launches below write every element. If one cannot be enqueued, the vector is dropped.
        let mut offsets = unsafe { DeviceVec::<u32>::uninit(&queue, count + 1) }?;
        assign(offsets.slice_mut(..1), 0_u32)?;
        if count > 0 {
            inclusive_scan_with(lengths.cast::<u32>(), |a, b| a + b, offsets.slice_mut(1..))?;
        }
        Ok(Segments::new(queue, offsets, [len, longest], shortest == 0))
    }

    /// Returns the segments of equal neighbouring keys. Waits for their number.
    ///
    /// A NaN equals nothing, so it is a segment of its own.
    ///
    /// ```
    /// use cl_algo::Segments;
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let days = DeviceVec::from_slice(&queue, &[3, 3, 4, 9, 9, 9])?;
    /// let segments = Segments::from_keys(&days)?;
    /// assert_eq!(segments.lengths().to_vec()?, [2, 1, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Segments::from_lengths`] and [`Expr::sum_by_key`].
    #[doc(alias("groupby", "run_length_encode"))]
    pub fn from_keys<'a, K: Element + PartialEq>(keys: impl Operand<'a, K>) -> Result<Segments> {
        let keys = keys.into_expr();
        let len = length(&keys.graph(), "keys of segments")? as u64;
        if len > MOST {
            return Err(refused(format!("there are {len} items; at most {MOST} can be in segments")));
        }
        let (_, lengths) = constant(1_u32).sum_by_key(keys)?;
        Segments::from_lengths(&lengths)
    }

    fn new(queue: Queue, offsets: DeviceVec<u32>, [len, longest]: [u64; 2], has_empty: bool) -> Segments {
        let (len, longest) = (len as usize, longest as usize);
        Segments {
            queue,
            offsets,
            len,
            longest,
            has_empty,
            numbers: OnceLock::new(),
            filled_before: OnceLock::new(),
            filled_offsets: OnceLock::new(),
            cells: OnceLock::new(),
        }
    }

    /// Computes the number of each item's segment.
    pub(super) fn make_numbers(&self) -> Result<DeviceVec<u32>> {
        // SAFETY: the numbers are stored by the next launches. If one cannot be enqueued, the vector is dropped.
        let mut numbers = unsafe { DeviceVec::<u32>::uninit(&self.queue, self.len) }?;
        number_runs(self.offsets.slice(..self.count()), self.lengths().gt(0), &mut numbers)?;
        Ok(numbers)
    }

    /// Computes for each segment the number of segments before it that are not empty.
    pub(super) fn make_filled_before(&self) -> Result<DeviceVec<u32>> {
        self.lengths().gt(0).cast::<u32>().exclusive_scan(0_u32).collect()
    }
}

/// The symbolic values of a tuple.
type Three = (Val<u64>, Val<u64>, Val<u64>);
type Four = (Val<u64>, Val<u64>, Val<u64>, Val<u32>);

/// Returns an error unless segments can be numbered by `u32`.
fn check_count(what: &'static str, count: usize) -> Result<()> {
    if count as u64 > MOST {
        let reason = format!("there are {count} segments; at most {MOST} are supported");
        return Err(Error::invalid_input(what, reason));
    }
    Ok(())
}

fn refused(reason: String) -> Error {
    Error::invalid_input("offsets of segments", reason)
}

/// Returns the values in memory. Several kernels read them, and each kernel may round computed values differently: the sums
/// that were checked would not be those of the offsets.
fn in_memory<'a, I: Integer>(values: Expr<'a, I>, queue: &Queue) -> Result<Expr<'a, I>> {
    if values.graph().as_vector().is_some() {
        return Ok(values);
    }
    Ok(values.collect_on(queue)?.into_expr())
}

/// Returns the queue of an expression.
fn queue_of<T: Element>(expr: &Expr<'_, T>) -> Result<Queue> {
    expr.check()?;
    expr.queue().cloned().ok_or_else(|| {
        let reason = "the expression reads no vector, and so has no queue: call `on` first";
        Error::invalid_input("segments", reason)
    })
}
