//! Lengths of runs, and items that are repeated.

use crate::algorithm::by_key::reduce_as;
use crate::algorithm::moved::{Targets, read_from, scratch_for, targets_in};
use crate::algorithm::order::{holds, length};
use crate::algorithm::scan::{exclusive_scan, inclusive_scan_in_place};
use crate::algorithm::transform::{assign_if_as, assign_if_into};
use crate::codegen::Fused;
use crate::device_scalar::DeviceScalar;
use crate::element::{Element, Integer, Number, Ordered};
use crate::expr::{Castable, Expr, Item, Operand, Val, constant, index};
use crate::sink::Sink;
use crate::vec::DeviceVec;
use cl_core::{Error, Queue, Result};

/// Stores the first element of each run of equal neighbours, and the number of elements of the run.
///
/// Returns the number of runs as a [`DeviceScalar`]. It is [`reduce_by_key`](crate::stl::reduce_by_key) with a value of 1
/// for each element: one launch. A count that the type of the counts cannot hold is stored modulo 2^bits: a run of 300
/// elements has a count of 44 in a `u8`.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::{run_length_decode, run_length_encode};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, b"aabccc")?;
/// let (mut values, mut counts) = (DeviceVec::filled(&queue, 0_u8, 6)?, DeviceVec::filled(&queue, 0_u32, 6)?);
/// assert_eq!(run_length_encode(&x, &mut values, &mut counts)?.get()?, 3);
/// assert_eq!(values.to_vec()?[..3], *b"abc");
/// assert_eq!(counts.to_vec()?[..3], [2, 1, 3]);
///
/// let mut again = DeviceVec::filled(&queue, b'.', 8)?;
/// assert_eq!(run_length_decode(values.slice(..3), counts.slice(..3), &mut again)?.get()?, 6);
/// assert_eq!(again.to_vec()?, *b"aabccc..");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`reduce_by_key`](crate::stl::reduce_by_key).
#[doc(alias("DeviceRunLengthEncode", "rle"))]
pub fn run_length_encode<'a, T: Element + PartialEq, C: Number + Castable>(
    value: impl Operand<'a, T>,
    values: impl Sink<'a, T>,
    counts: impl Sink<'a, C>,
) -> Result<DeviceScalar<u64>> {
    let one = constant(1_u32).cast::<C>();
    reduce_as("run_length_encode", value.into_expr(), one, |a: Val<C>, b: Val<C>| a + b, values, counts)
}

/// Stores each item as often as its count says, one after the other: the inverse of [`run_length_encode`].
///
/// Returns the sum of the counts, the number of items that there are to store, as a [`DeviceScalar`]. Items beyond the
/// end of the output are dropped, and the rest of a longer output keeps its values. Counts may be 0, and must not be
/// negative. The output is a vector, a view, or a tuple of these.
///
/// Five launches of other algorithms on GPUs, seven on CPUs, whose time depends on the length of the output and not on how
/// long the runs are: the index of each item is scattered to where its run begins, and a scan passes it on. As a method that returns a new
/// vector: [`Expr::repeat_each`].
///
/// # Errors
/// As [`exclusive_scan`] and [`assign_if`](crate::stl::assign_if); [`Error::LengthMismatch`] unless there are as many
/// counts as items.
#[doc(alias("expand", "repeat", "repeat_interleave"))]
pub fn run_length_decode<'a, T: Item, C: Integer + Castable + Number>(
    values: impl Operand<'a, T>,
    counts: impl Operand<'a, C>,
    output: impl Sink<'a, T>,
) -> Result<DeviceScalar<u64>> {
    decode("run_length_decode", values.into_expr(), counts.into_expr().cast::<u64>(), output, None)
}

/// Returns the counts of `len` items. A number is the count of each of them.
fn of_length(counts: Expr<'_, u64>, len: usize) -> Expr<'_, u64> {
    if counts.len().is_some() { counts } else { counts.take(len) }
}

/// Stores each item as often as its count says. `total` is the sum of the counts, if it is known; `operation` is the name
/// in errors.
pub(in crate::algorithm) fn decode<'a, T: Item>(
    operation: &'static str,
    values: Expr<'a, T>,
    counts: Expr<'a, u64>,
    output: impl Sink<'a, T>,
    total: Option<DeviceScalar<u64>>,
) -> Result<DeviceScalar<u64>> {
    let pairs = values.clone().zip(counts.clone());
    let len = length(&pairs.graph(), "items and counts")?;
    let counts = of_length(counts, len);
    let fused = Fused::new(operation).output::<T>("", "", output);
    fused.check_with(&[&pairs.graph()])?;
    let queue = fused.targets.first().map(|target| target.queue.clone());
    let Some(queue) = queue.or_else(|| pairs.shared_queue().map(std::borrow::Cow::into_owned)) else {
        let reason = "neither they nor the output have a queue: use `on`".to_owned();
        return Err(Error::invalid_input("items and counts", reason));
    };
    if len == 0 {
        return DeviceScalar::from_value(&queue, 0);
    }
    if fused.room().is_none() && !fused.targets.is_empty() {
        let reason = "its indices have no length: call `take` on them".to_owned();
        return Err(Error::invalid_input("output", reason));
    }
    let total = match total {
        Some(total) => total,
        None => counts.clone().on(&queue).sum_on_device()?,
    };
    match fused.room() {
        Some(room) if room > 0 && u32::try_from(len).is_ok() => {
            expand::<T, u32>(&queue, fused, values, counts, room, &total)?;
        }
        Some(room) if room > 0 => expand::<T, u64>(&queue, fused, values, counts, room, &total)?,
        _ => {}
    }
    Ok(total)
}

/// Stores the items in the output of `output`, which has room for `room` items. `I` is the type of their indices.
fn expand<'a, T: Item, I: Integer + Castable + Ordered>(
    queue: &Queue,
    output: Fused<'a>,
    values: Expr<'a, T>,
    counts: Expr<'a, u64>,
    room: usize,
    total: &DeviceScalar<u64>,
) -> Result<()> {
    let operation = output.operation;
    let len = length(&counts.graph(), "counts")?;
    let begins = scratch_for(queue, len, [u64::TYPE])?;
    let begins = [&*begins[0]];
    exclusive_scan(counts.clone(), 0_u64, Targets(targets_in(queue, &begins, len, [u64::TYPE])))?;
    let begins = read_from::<u64>(queue, &begins, len);
    // SAFETY: the next launches write every element.
    let mut sources = unsafe { DeviceVec::<I>::in_scratch(queue, room) }?;
    let begins_here = counts.gt(0_u64) & begins.clone().lt(room as u64);
    number_runs_as(operation, begins, begins_here, &mut sources)?;
    // SAFETY: each source is the index of an item, or 0.
    let items = unsafe { values.gather_unchecked(operation, len, &sources) };
    let stored = assign_if_into(output, index::<u64>().lt(total).into_graph(), items.into_graph(), room);
    // SAFETY: the vector was made in scratch memory, and has not grown.
    unsafe { sources.into_scratch() };
    stored
}

/// Stores for each element the number of the run that it belongs to. `begins` has the index at which each run begins, in
/// ascending order, and `is_filled` whether the run has elements.
///
/// Each run that has elements stores its number at its begin. A scan then takes the largest number so far. Elements in
/// front of all runs get 0. One launch stores the numbers, and the scan is one launch on GPUs, two on CPUs.
/// [`Segments::numbers`](crate::Segments::numbers) are such numbers.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let begins = DeviceVec::from_slice(&queue, &[0, 2, 2])?; // the second run is empty
/// let is_filled = DeviceVec::from_slice(&queue, &[true, false, true])?;
/// let mut numbers = DeviceVec::filled(&queue, 7_u32, 5)?;
/// cl_algo::stl::number_runs(&begins, &is_filled, &mut numbers)?;
/// assert_eq!(numbers.to_vec()?, [0, 0, 2, 2, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`scatter_if`](crate::stl::scatter_if); [`Error::InvalidInput`] for runs without a length, and for an integer type
/// that cannot hold the number of each run.
#[doc(alias("expand", "row_indices"))]
pub fn number_runs<'t, B: Integer, N: Integer + Castable>(
    begins: impl Operand<'t, B>,
    is_filled: impl Operand<'t, bool>,
    numbers: &mut DeviceVec<N>,
) -> Result<()> {
    number_runs_as("number_runs", begins.into_expr(), is_filled.into_expr(), numbers)
}

/// Numbers the elements as [`number_runs`] does. `operation` is the name in errors.
fn number_runs_as<B: Integer, N: Integer + Castable>(
    operation: &'static str,
    begins: Expr<'_, B>,
    is_filled: Expr<'_, bool>,
    numbers: &mut DeviceVec<N>,
) -> Result<()> {
    let runs = length(&begins.clone().zip(is_filled.clone()).graph(), "begins of runs")?;
    holds::<N>(runs as u128, "type of the numbers", &format!("the numbers of {runs} runs"))?;
    if numbers.is_empty() {
        return Ok(());
    }
    let queue = numbers.queue().clone();
    numbers.buffer_mut().fill(&queue, bytemuck::Zeroable::zeroed())?;
    assign_if_as(operation, numbers.scatter_mut(begins), is_filled, index::<N>())?;
    inclusive_scan_in_place(numbers, |a: Val<N>, b: Val<N>| a.max(b))
}

impl<'a, T: Item> Expr<'a, T> {
    /// Returns new vectors with each item as often as its count says, as `flat_map` with `repeat_n` does. Waits for the sum
    /// of the counts.
    ///
    /// See [`run_length_decode`](crate::stl::run_length_decode).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, b"abc")?;
    /// let counts = DeviceVec::from_slice(&queue, &[2, 0, 3])?;
    /// assert_eq!(x.iter().repeat_each(&counts)?.to_vec()?, *b"aaccc");
    /// assert_eq!(x.iter().repeat_each(2)?.to_vec()?, *b"aabbcc");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`run_length_decode`](crate::stl::run_length_decode); [`Error::TooLarge`] for more items than memory holds.
    #[doc(alias("expand", "repeat", "repeat_interleave", "repeat_n"))]
    pub fn repeat_each<C: Integer + Castable + Number>(
        self,
        counts: impl Operand<'a, C>,
    ) -> Result<T::Vectors> {
        let counts = counts.into_expr().cast::<u64>();
        let pairs = self.clone().zip(counts.clone());
        let counts = of_length(counts, length(&pairs.graph(), "items and counts")?);
        let Some(queue) = pairs.shared_queue() else {
            let reason = "they read no vector, so there is no queue: use `on`".to_owned();
            return Err(Error::invalid_input("items and counts", reason));
        };
        let total = counts.clone().on_shared(queue.clone()).sum_on_device()?;
        let len = usize::try_from(total.get()?).unwrap_or(usize::MAX);
        // SAFETY: all items are stored below. After an error the vectors are dropped.
        let vectors = unsafe { T::uninit(&queue, len) }?;
        decode(
            "repeat_each",
            self,
            counts,
            crate::algorithm::fluent::NewVectors::<T>(&vectors),
            Some(total),
        )?;
        Ok(vectors)
    }
}
