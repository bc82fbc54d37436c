//! Histograms: the numbers of occurrences of values.

mod levels;

pub use levels::Levels;

use super::assign::{evaluate, fused_with};
use super::merge::output_queue;
use super::order::length;
use crate::codegen::{Fused, Parameters, Template, profile};
use crate::device::{DeviceProfile, Shape, shapes};
use crate::element::{Element, ElementType, Integer};
use crate::expr::{Castable, Expr, Operand, Val, index};
use crate::ir::graph::Graph;
use crate::ir::target::{Target, TargetIndex};
use crate::kernels;
use crate::sink::{Sink, mapped};
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Error, Memory, Queue, Result};
use levels::{NO_BIN, bin_of_integer};
use std::ops::Range;

/// The kernel `histogram` of `kernels/histogram.cl`.
static HISTOGRAM: Template<Values> = Template {
    kernel: "histogram",
    definition: &kernels::HISTOGRAM,
    shape: |profile, _, values| shape(profile, values.item_bytes),
};

/// The parameters of `kernels/histogram.cl`.
#[derive(Clone, Copy, Parameters)]
struct Values {
    tables: Tables,
    /// The size in bytes of a value that is counted.
    item_bytes: usize,
}

/// The kernel `histogram_total` of `kernels/histogram_total.cl`.
static TOTAL: Template = Template {
    kernel: "histogram_total",
    definition: &kernels::HISTOGRAM_TOTAL,
    shape: |profile, size, ()| profile.reduction(size),
};

/// Returns the shape. It has at least as many work-groups as the rule: with fewer, 32-bit counters could overflow.
fn shape(profile: &DeviceProfile, size: usize) -> Shape {
    let rule = profile.by_rule(&shapes::HISTOGRAM, size);
    let shape = profile.tuned(&shapes::HISTOGRAM, size, profile.largest_group, rule);
    Shape { max_groups: shape.max_groups.max(rule.max_groups), ..shape }
}

/// The largest number of bins that are counted in local memory.
const COUNTERS: usize = 4096;
/// The largest number of counters for a bin: the number of banks of local memory.
const BANKS: usize = 32;
/// The largest number of counters for a bin on CPUs: the number of additions that a processor executes at once.
///
/// On a 2-core EPYC under PoCL, 2^24 equal bytes take 10.6 ms of processor time with 4 counters, and 7.9 ms with 8.
const CPU_COPIES: usize = 8;

/// Counts how often each of the numbers 0, 1, 2, … occurs: `histogram(&bytes, &mut counts)` with 256 counts for bytes.
///
/// There are as many bins as the output has elements. Values that are negative or too large are not counted. A count
/// that the type of the counts cannot hold is stored modulo 2^bits: 300 equal values are 44 in a `u8`.
///
/// Up to 4096 bins are counted in local memory. The algorithm is two launches, and on GPUs three with more bins. Its result is
/// always the same.
///
/// # Errors
/// As [`assign`](crate::assign); [`Error::InvalidInput`] for values or an output without a length, and for 2^32 - 1
/// bins or more.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, b"abracadabra")?;
/// let mut counts = DeviceVec::filled(&queue, 0_u32, 4)?;
/// cl_algo::stl::histogram(&x - b'a', &mut counts)?;
/// assert_eq!(counts.to_vec()?, [5, 2, 1, 1]); // the two r are not counted
/// # Ok(())
/// # }
/// ```
#[doc(alias("bincount", "DeviceHistogram"))]
pub fn histogram<'t, T: Integer + Castable, C: Integer + Castable>(
    values: impl Operand<'t, T>,
    counts: impl Sink<'t, C>,
) -> Result<()> {
    let values = values.into_expr();
    count("histogram", values, bin_of_integer, counts)
}

/// Counts how often each byte occurs. `operation` is the name in errors.
pub(super) fn count_bytes<'t>(
    operation: &'static str,
    bytes: Expr<'t, u8>,
    counts: &'t mut DeviceVec<u64>,
) -> Result<()> {
    count(operation, bytes, bin_of_integer, counts)
}

/// Counts the values in each of the equal bins of a range: `histogram_even(&x, 0.0..1.0, &mut counts)`.
///
/// There are as many bins as the output has elements. Each bin includes its lower end and excludes its upper end.
/// Values outside of the range, and NaN, are not counted. Counts are stored as by [`histogram`].
///
/// The bin of an integer x in `lo..hi` is `(x - lo) * bins / (hi - lo)`, exactly. The bin of a float is `(x -
/// lo) * scale`, where `scale` is `bins / (hi - lo)`. Both results are rounded. A float that lies within a
/// few rounding errors of the boundary between two bins may therefore be counted in the wrong one of the two.
///
/// The ends of a range of 64-bit integers are `i128`, so that the range can include all values: `0..1 << 64`
/// for `u64`. A range of all values needs a power of two as the number of bins.
///
/// # Errors
/// As [`histogram`]; [`Error::InvalidInput`] for a range that is empty, infinite, too wide for 64-bit arithmetic,
/// or so narrow that the number of bins divided by its width is infinite.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[0.0_f32, 0.3, 0.5, 0.9, 1.0, f32::NAN])?;
/// let mut counts = DeviceVec::filled(&queue, 0_u64, 2)?;
/// cl_algo::stl::histogram_even(&x, 0.0..1.0, &mut counts)?;
/// assert_eq!(counts.to_vec()?, [2, 2]);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "DeviceHistogram")]
pub fn histogram_even<'t, T: Levels, C: Integer + Castable>(
    values: impl Operand<'t, T>,
    range: Range<T::Level>,
    counts: impl Sink<'t, C>,
) -> Result<()> {
    let bins_of = |values, bins: u32, _: &_| Ok(T::bins(values, range, bins.max(1))?.into_graph());
    count("histogram_even", values.into_expr(), bins_of, counts)
}

/// Counts the bins that `bin` returns.
fn count<'t, T: Element, C: Integer + Castable>(
    operation: &'static str,
    values: Expr<'t, T>,
    bin: impl FnOnce(Expr<'t, T>, u32, &Queue) -> Result<Graph<'t>>,
    counts: impl Sink<'t, C>,
) -> Result<()> {
    let len = length(&values.graph(), "values to count")?;
    let counts = mapped(counts, |count: Val<u64>| count.cast::<C>());
    let total = Fused::new(operation).input("", index::<u64>()).output::<u64>("", "", counts);
    // Targets without a length of their own do not determine the number of bins.
    let sized = total.targets.iter().map(|target| target.len).find(|&len| len != usize::MAX);
    let Some(queue) = output_queue(&total, &[&values.graph()], sized.unwrap_or(usize::MAX))? else {
        return Ok(());
    };
    let refused = |reason: String| Err(Error::invalid_input("output of a histogram", reason));
    let Some(len_of_output) = sized else {
        return refused("its indices have no length: call `take` on them".to_owned());
    };
    let Some(bins) = u32::try_from(len_of_output).ok().filter(|&bins| bins < NO_BIN) else {
        return refused(format!(
            "it has {len_of_output} elements, and a histogram at most {} bins",
            NO_BIN - 1
        ));
    };
    // Deferred errors of the values are reported here, before a kernel is launched, and also for zero bins.
    let bins_of = bin(values, bins, queue)?;
    let fused = Fused::new(operation).with_input("", bins_of);
    fused.graph.check()?;
    if bins == 0 {
        return Ok(());
    }
    let profile = profile(queue.context())?;
    let local = Tables::new(&profile, bins as usize);
    let values = Values { tables: local, item_bytes: T::TYPE.size() };
    let ready = fused.by(&HISTOGRAM, values).compile(queue, len)?;
    let shape = ready.shape();
    let (groups, tables) = local.groups_and_tables(&profile, shape.groups(len), len, bins as usize);
    let memory = queue.scratch(tables.saturating_mul(bins as usize).saturating_mul(size_of::<u32>()))?;
    if local.capacity == 0 && !profile.chunked && len > 0 {
        clear(operation, queue, &memory, tables * bins as usize)?;
    }
    let (bin_count, table_count) = (Arg::value(bins), Arg::value(tables as u32));
    if len > 0 {
        let own = [Arg::Memory(&memory, Access::Overwrite), ready.index(len), bin_count, table_count];
        // SAFETY: the kernel reads items below `len`, and counts the bins below `bins` in its table, which has as many
        // counters.
        unsafe { ready.launch(&own, groups, shape.group)? };
    }
    let ready = total.by(&TOTAL, ()).compile(queue, bins as usize)?;
    let shape = ready.shape();
    let groups = if shape.chunked {
        shape.groups(bins as usize)
    } else {
        (bins as usize).div_ceil(shape.group.min(16))
    };
    let own = [
        Arg::Memory(&memory, Access::Read),
        bin_count,
        if len > 0 { table_count } else { Arg::value(0_u32) },
    ];
    // SAFETY: the kernel reads the tables that the first kernel has written, and stores a number for each bin.
    unsafe { ready.launch(&own, groups, shape.group) }
}

/// The tables in which work-groups count.
#[derive(Clone, Copy, Parameters)]
struct Tables {
    /// The number of counters of a table in local memory; 0 if the tables are in global memory.
    capacity: usize,
    /// The number of tables of a work-group, or of counters of a bin.
    copies: usize,
}

impl Tables {
    fn new(profile: &DeviceProfile, bins: usize) -> Tables {
        // The kernel has some other words in local memory.
        let room = profile.local_memory.saturating_sub(1024) / size_of::<u32>();
        let room = room.checked_ilog2().map_or(0, |bits| 1 << bits);
        if bins > COUNTERS.min(room) {
            return Tables { capacity: 0, copies: 1 };
        }
        // Powers of two, because otherwise every number of bins would need another kernel.
        let capacity = bins.next_power_of_two().max(64);
        let counters = profile.rule(&shapes::HISTOGRAM, 1).local / size_of::<u32>();
        let most = if profile.chunked { CPU_COPIES } else { BANKS };
        Tables { capacity, copies: (counters.min(room) / capacity).clamp(1, most) }
    }

    /// Returns the number of work-groups that count, and the number of tables in global memory.
    fn groups_and_tables(
        &self,
        profile: &DeviceProfile,
        groups: usize,
        len: usize,
        bins: usize,
    ) -> (usize, usize) {
        if self.capacity > 0 {
            return (groups, groups);
        }
        if profile.chunked {
            // Limits the tables, so that all of them together are not larger than the input.
            let groups = groups.min(len / bins).max(1);
            return (groups, groups);
        }
        // Enough tables that a 32-bit counter does not overflow.
        (groups, (len >> 31) + 1)
    }
}

/// Sets the first `len` numbers of a block to 0.
fn clear(operation: &'static str, queue: &Queue, memory: &Memory, len: usize) -> Result<()> {
    let index = TargetIndex::Line { stride: 1, offset: 0 };
    let target =
        Target { memory, queue, element: ElementType::U32, len, elements: len, index, failure: None };
    evaluate(fused_with(operation, 0_u32.into_expr().into_graph(), vec![target], false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::profile::tests::{profile, row};

    #[test]
    fn rows_cannot_ask_for_fewer_groups() {
        let of = |numbers| shape(&profile(false, &row(&shapes::HISTOGRAM, numbers)), 4);
        assert_eq!(of("256 32 1").max_groups, of("- - -").max_groups);
        assert_eq!(of("256 32 64").max_groups, 640);
        assert_eq!((of("128 32 1").group, of("128 32 1").packs), (128, 2));
    }
}
