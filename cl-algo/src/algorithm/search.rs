//! Binary searches in sorted sequences.

use super::assign::assign_beside;
use super::merge::output_queue;
use super::order::{Less, ascending, holds, item_bytes, length};
use crate::codegen::{Fused, Parameters, Template, profile};
use crate::device::{DeviceProfile, Shape, shapes};
use crate::element::{Element, ElementType, Integer, Ordered};
use crate::expr::Item;
use crate::expr::{Castable, Expr, Operand, Recorded, Val, extend, index, record, zip};
use crate::ir::graph::Graph;
use crate::ir::op::{Op, Type};
use crate::ir::target::{Target, TargetIndex};
use crate::kernels;
use crate::sink::{Sink, mapped};
use cl_core::{Access, Arg, Error, Queue, Result};
use std::ops::Range;

/// The kernel `search` of `kernels/search.cl`.
static SEARCH: Template<Values> = Template {
    kernel: "search",
    definition: &kernels::SEARCH,
    shape: |profile, _, values| shape(profile, values.item_bytes),
};

/// The kernel `search_index` of `kernels/search_index.cl`.
static INDEX: Template = Template {
    kernel: "search_index",
    definition: &kernels::SEARCH_INDEX,
    shape: |profile, size, ()| Shape { pack: 1, packs: 1, ..profile.reduction(size) },
};

/// The parameters of `kernels/search.cl`.
#[derive(Clone, Copy, Parameters)]
struct Values {
    wanted: Wanted,
    /// `true` if the kernel knows where the items of each bucket begin.
    indexed: bool,
    item_bytes: usize,
}

fn shape(profile: &DeviceProfile, size: usize) -> Shape {
    let rule = profile.in_packs(profile.rule(&shapes::SEARCH, size), size, 1);
    profile.tuned(&shapes::SEARCH, size, profile.largest_group, rule)
}

/// The positions that are searched for.
#[derive(Clone, Copy, Parameters)]
struct Wanted {
    lower: bool,
    upper: bool,
}

const LOWER: Wanted = Wanted { lower: true, upper: false };
const UPPER: Wanted = Wanted { lower: false, upper: true };
const BOTH: Wanted = Wanted { lower: true, upper: true };

/// Stores the begin and the end of each needle's equal range in the sink.
fn store_equal_ranges<'t, T: Item, R: Recorded<Item = bool>>(
    operation: &'static str,
    haystack: impl Operand<'t, T>,
    needles: impl Operand<'t, T>,
    less: impl FnOnce(T::Values, T::Values) -> R,
    wanted: Wanted,
    number: Option<Graph<'static>>,
    ranges: impl Sink<'t, (u64, u64)>,
) -> Result<()> {
    let (haystack, needles) = (haystack.into_expr(), needles.into_expr());
    let (len, count) =
        (length(&haystack.graph(), "sequence to search in")?, length(&needles.graph(), "needles")?);
    if len == 0 {
        let none = zip::<(u64, u64)>((0, 0)).take(count);
        return assign_beside(operation, ranges, none, &[&haystack.graph(), &needles.graph()]);
    }
    let output = Fused::new(operation).output("", "PLACE", ranges);
    match output_queue(&output, &[&haystack.graph(), &needles.graph()], count)? {
        Some(queue) if count > 0 => {
            let less = Less::new::<T, R>(less);
            match number.filter(|_| has_index::<T>(&haystack, len, count)) {
                Some(number) if len >= LEAST_INDEXED_ON_GPUS || profile(queue.context())?.chunked => {
                    launch_indexed(queue, (haystack, needles), &less, wanted, &number, output)
                }
                _ => launch(queue, (haystack, needles), &less, wanted, output),
            }
        }
        _ => Ok(()),
    }
}

/// Returns an error unless the output type can hold every position from 0 to `len`.
fn check_position_type<P: Integer, T: Item>(haystack: &Expr<'_, T>) -> Result<()> {
    let len = length(&haystack.graph(), "sequence to search in")?;
    holds::<P>(len as u128 + 1, "type of the positions", &format!("the positions in {len} elements"))
}

/// Returns the begin and the end of one needle's equal range. Blocks.
fn equal_range_of_one<'t, T: Element, R: Recorded<Item = bool>>(
    operation: &'static str,
    haystack: impl Operand<'t, T>,
    needle: T,
    less: impl FnOnce(Val<T>, Val<T>) -> R,
    wanted: Wanted,
) -> Result<Range<usize>> {
    let haystack = haystack.into_expr();
    let len = length(&haystack.graph(), "sequence to search in")?;
    let Some(queue) = haystack.shared_queue() else {
        let reason = "it reads no vector, and so has no queue: use `on`".to_owned();
        return Err(Error::invalid_input("sequence to search in", reason));
    };
    let queue = &*queue;
    if len == 0 {
        return Ok(0..0);
    }
    let memory = queue.scratch(size_of::<[u64; 2]>())?;
    let mut output = Fused::new(operation);
    let nodes = output.graph.parameters::<(u64, u64)>();
    let target = |offset| {
        let index = TargetIndex::Line { stride: 2, offset };
        Target {
            memory: &memory,
            queue,
            element: ElementType::U64,
            len: 1,
            elements: 2,
            index,
            failure: None,
        }
    };
    let output = output.with_targets("", "PLACE", nodes, [target(0), target(1)], false);
    launch(queue, (haystack, needle.into_expr().take(1)), &Less::new::<T, R>(less), wanted, output)?;
    // SAFETY: the kernel has written both positions.
    let [begin, end]: [u64; 2] = unsafe { memory.read_first()? };
    Ok(begin as usize..end as usize)
}

/// The smallest length of a sequence for which its buckets are found first. A shorter one stays in the first cache.
const LEAST_INDEXED: usize = 4096;
/// The same on GPUs, whose first caches hold more of the items that all searches read. Smaller lengths were not measured.
const LEAST_INDEXED_ON_GPUS: usize = 1 << 18;
/// The largest number of items for each needle for which the buckets are found.
const ITEMS_FOR_EACH: usize = 4;
/// The mean number of items of a bucket, as log2, if they are evenly distributed.
const LOG2_ITEMS: u32 = 2;
/// The same on GPUs: the items of a bucket are few cache lines, and the begins of all buckets stay in the cache for longer
/// sequences.
const LOG2_ITEMS_ON_GPUS: u32 = 5;

/// Returns whether buckets pay off: for many needles, and a sequence of scalars that is a vector.
fn has_index<T: Item>(haystack: &Expr<'_, T>, len: usize, count: usize) -> bool {
    len >= LEAST_INDEXED
        && len / ITEMS_FOR_EACH <= count
        && u32::try_from(len).is_ok()
        && haystack.graph().as_vector().is_some()
}

/// Returns a scalar as an unsigned number in the same order.
fn number<T: Ordered>(item: Val<T>) -> Val<u64> {
    extend(|recording| {
        let item = item.node(recording);
        let graph = recording.graph();
        let ordered = graph.total_key(item).unwrap_or(item);
        let signed = graph.ty(ordered).scalar().filter(|scalar| scalar.is_signed());
        // A number of the same size first, so that the sign is not extended.
        let unsigned = match signed {
            Some(scalar) => graph.node(Op::Bitcast, Type::from(scalar.unsigned()), &[ordered]),
            None => ordered,
        };
        let wide = graph.converted(unsigned, u64::TYPE.into()).unwrap_or(unsigned);
        let sign = if signed.is_some() { 1 << (8 * T::TYPE.size() - 1) } else { 0 };
        let sign = graph.node(Op::Constant(sign), u64::TYPE, &[]);
        graph.node(Op::BitXor, u64::TYPE, &[wide, sign])
    })
}

/// Returns the kernel `search` without its parameters.
fn searches<'a, T: Item>(
    (haystack, needles): (Expr<'a, T>, Expr<'a, T>),
    less: &Less,
    output: Fused<'a>,
) -> Fused<'a> {
    output
        .input("HAYSTACK", haystack)
        .input("NEEDLE", needles)
        .input::<(u64, u64)>("PLACE", (index(), index()))
        .with_operator("LESS", "HAYSTACK", &less.0, Less::elements::<T>())
}

/// Enqueues the kernel, for a sequence and needles that are not empty.
fn launch<'a, T: Item>(
    queue: &Queue,
    (haystack, needles): (Expr<'a, T>, Expr<'a, T>),
    less: &Less,
    wanted: Wanted,
    output: Fused<'a>,
) -> Result<()> {
    let (len, count) =
        (length(&haystack.graph(), "sequence to search in")?, length(&needles.graph(), "needles")?);
    let fused = searches((haystack, needles), less, output);
    let values = Values { wanted, indexed: false, item_bytes: item_bytes::<T>() };
    let ready = fused.by(&SEARCH, values).compile(queue, len.max(count))?;
    let shape = ready.shape();
    // SAFETY: the kernel reads needles below `count` and items below `len`, and writes two positions for each needle.
    unsafe { ready.launch(&[ready.index(len), ready.index(count)], shape.groups(count), shape.group) }
}

/// Enqueues a kernel that finds the buckets of the sequence, and one that searches for each needle in its bucket.
///
/// On a 2-core EPYC under PoCL, 10^7 lower bounds of random `u32` in 10^6 take 173 ms of processor time; 286 without buckets.
fn launch_indexed<'a, T: Item>(
    queue: &Queue,
    (haystack, needles): (Expr<'a, T>, Expr<'a, T>),
    less: &Less,
    wanted: Wanted,
    number: &Graph<'static>,
    output: Fused<'a>,
) -> Result<()> {
    let (len, count) =
        (length(&haystack.graph(), "sequence to search in")?, length(&needles.graph(), "needles")?);
    let find = Fused::new(output.operation).input("HAYSTACK", haystack.clone());
    let find = find.with_operator("NUMBER", "HAYSTACK", number, 1);
    let search = searches((haystack, needles), less, output).with_operator("NUMBER", "HAYSTACK", number, 1);
    let values = Values { wanted, indexed: true, item_bytes: item_bytes::<T>() };
    let (find, search) = (find.by(&INDEX, ()), search.by(&SEARCH, values));
    let ready = Fused::compile_all(&[&find, &search], queue, len.max(count))?;
    let (find, search) = (&ready[0], &ready[1]);
    let is_chunked = profile(queue.context())?.chunked;
    let bits = len.ilog2().saturating_sub(if is_chunked { LOG2_ITEMS } else { LOG2_ITEMS_ON_GPUS });
    let buckets = 1_usize << bits;
    let begins = queue.scratch((buckets + 1) * size_of::<u32>())?;
    let own = [Arg::Memory(&begins, Access::Overwrite), find.index(len), Arg::value(bits)];
    let Shape { group, max_groups, .. } = find.shape();
    let groups = (buckets / if is_chunked { GRAIN } else { group }).clamp(1, max_groups);
    // SAFETY: the kernel reads items below `len`, and writes a begin for each bucket, and one more.
    unsafe { find.launch(&own, groups, group)? };
    let own = [search.index(len), search.index(count), Arg::Memory(&begins, Access::Read), Arg::value(bits)];
    let shape = search.shape();
    // SAFETY: as in `launch`, and the begins are those of the buckets.
    unsafe { search.launch(&own, shape.groups(count), shape.group) }
}

/// The smallest number of buckets for which another work-item is worth its cost.
const GRAIN: usize = 1024;

/// Returns the index of the first item for which a predicate is false, in a sequence in which no item with a true one
/// follows. Blocks.
///
/// A binary search in one launch: the predicate is computed for few items. If the sequence is not partitioned, the result
/// is an unspecified index. [`is_partitioned`](crate::stl::is_partitioned) tells whether it is.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::partition_point;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, 1, 7, 4, 8])?;
/// assert_eq!(partition_point(&x, |x| (x % 2).eq(1))?, 3);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`lower_bound`].
pub fn partition_point<'t, T: Item>(
    value: impl Operand<'t, T>,
    first: impl FnOnce(T::Values) -> Val<bool>,
) -> Result<usize> {
    partition_point_as("partition_point", value.into_expr().map(first))
}

/// Returns the index of the first flag that is false. `operation` is the name in errors.
pub(super) fn partition_point_as(operation: &'static str, flags: Expr<'_, bool>) -> Result<usize> {
    // Flags that are true go first.
    equal_range_of_one(operation, flags, false, |a, b| a & !b, LOWER).map(|found| found.start)
}

macro_rules! searches {
    ($(
        $(#[$doc:meta])*
        $many:ident $many_by:ident ($($position:ident: $class:ident + $too:ident)?) -> $stored:ty
            = $wanted:ident $found:expr;
        $(#[$one_doc:meta])*
        $one:ident $one_by:ident -> $result:ty = $of:expr;
    )*) => {$(
        $(#[$one_doc])*
        ///
        /// Blocks until the result is there. The sequence is any expression in the order of
        /// [`sort()`](crate::stl::sort()); see [Orders](crate#orders). If the sequence is not sorted, the result is an
        /// unspecified position.
        ///
        /// # Errors
        /// As [`Expr::sum`].
        pub fn $one<'t, T: Ordered + PartialEq>(haystack: impl Operand<'t, T>, needle: T) -> Result<$result> {
            equal_range_of_one(stringify!($one), haystack, needle, ascending, $wanted).map($of)
        }

        #[doc = concat!("Searches as [`", stringify!($one), "`] does, in a sequence that is sorted by a comparator.")]
        ///
        /// `less(a, b)` returns whether `a` goes before `b`.
        ///
        /// # Errors
        #[doc = concat!("As [`", stringify!($one), "`].")]
        pub fn $one_by<'t, T: Element, R: Recorded<Item = bool>>(
            haystack: impl Operand<'t, T>,
            needle: T,
            less: impl FnOnce(Val<T>, Val<T>) -> R,
        ) -> Result<$result> {
            equal_range_of_one(stringify!($one_by), haystack, needle, less, $wanted).map($of)
        }

        $(#[$doc])*
        ///
        /// One launch, or two, if the sequence is a vector of 4096 elements or more, on GPUs of 2^18 or more, and of at most four times as
        /// many as there are needles: the first one finds where the elements of each of many equal ranges of values
        /// begin, and each needle is searched for in its range. The sequence and the needles are any expressions, the
        /// sequence in the order of [`sort()`](crate::stl::sort()); see [Orders](crate#orders). If the sequence is not sorted,
        /// the results are unspecified positions.
        ///
        /// # Errors
        /// As [`assign`](crate::assign); [`Error::LengthMismatch`] unless the output has as many elements as there are
        /// needles; [`Error::InvalidInput`] for a sequence or needles without a length, and for positions of an integer
        /// type that cannot hold the length of the sequence.
        pub fn $many<'t, T: Ordered + PartialEq $(, $position: $class + $too)?>(
            haystack: impl Operand<'t, T>,
            needles: impl Operand<'t, T>,
            output: impl Sink<'t, $stored>,
        ) -> Result<()> {
            let haystack = haystack.into_expr();
            $(check_position_type::<$position, T>(&haystack)?;)?
            let output = mapped::<(u64, u64), _, _, _>(output, $found);
            let number = T::TYPE.scalar().map(|_| record::<T, Val<u64>>(number));
            store_equal_ranges(stringify!($many), haystack, needles, ascending, $wanted, number, output)
        }

        #[doc = concat!("Searches as [`", stringify!($many), "`] does, in a sequence that is sorted by a comparator.")]
        ///
        /// `less(a, b)` returns whether `a` goes before `b`. Items may be tuples.
        ///
        /// # Errors
        #[doc = concat!("As [`", stringify!($many), "`].")]
        pub fn $many_by<'t, T: Item, R: Recorded<Item = bool> $(, $position: $class + $too)?>(
            haystack: impl Operand<'t, T>,
            needles: impl Operand<'t, T>,
            less: impl FnOnce(T::Values, T::Values) -> R,
            output: impl Sink<'t, $stored>,
        ) -> Result<()> {
            let haystack = haystack.into_expr();
            $(check_position_type::<$position, T>(&haystack)?;)?
            let output = mapped::<(u64, u64), _, _, _>(output, $found);
            store_equal_ranges(stringify!($many_by), haystack, needles, less, $wanted, None, output)
        }
    )*};
}

searches! {
    /// Stores for each needle the number of elements before it: the first index where it could be inserted.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 3, 3, 7])?;
    /// let needles = DeviceVec::from_slice(&queue, &[3, 0, 9])?;
    /// let mut positions = DeviceVec::filled(&queue, 0_u32, 3)?;
    /// cl_algo::stl::lower_bounds(&x, &needles, &mut positions)?;
    /// assert_eq!(positions.to_vec()?, [1, 0, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("searchsorted", "digitize"))]
    lower_bounds lower_bounds_by (P: Integer + Castable) -> P = LOWER |(begin, _)| begin.cast::<P>();
    /// Returns the number of elements less than the needle: the first index where it could be inserted.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 3, 3, 7])?;
    /// assert_eq!(cl_algo::stl::lower_bound(&x, 3)?, 1);
    /// assert_eq!(cl_algo::stl::upper_bound(&x, 3)?, 3);
    /// assert_eq!(cl_algo::stl::equal_range(&x, 3)?, 1..3);
    /// assert_eq!(cl_algo::stl::binary_search(&x, 3)?, Some(1));
    /// assert_eq!(cl_algo::stl::binary_search(&x, 4)?, None);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("searchsorted", "partition_point", "bisect_left"))]
    lower_bound lower_bound_by -> usize = |found| found.start;

    /// Stores for each needle the number of elements that are not greater: the last index where it could be inserted.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::stl::upper_bounds;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 3, 3, 7])?;
    /// let needles = DeviceVec::from_slice(&queue, &[3, 0, 9])?;
    /// let mut positions = DeviceVec::filled(&queue, 0_u32, 3)?;
    /// upper_bounds(&x, &needles, &mut positions)?;
    /// assert_eq!(positions.to_vec()?, [3, 0, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("searchsorted", "digitize"))]
    upper_bounds upper_bounds_by (P: Integer + Castable) -> P = UPPER |(_, end)| end.cast::<P>();
    /// Returns the number of elements not greater than the needle: the last index where it could be inserted.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::stl::upper_bound;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 3, 3, 7])?;
    /// assert_eq!(upper_bound(&x, 3)?, 3);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("searchsorted", "bisect_right"))]
    upper_bound upper_bound_by -> usize = |found| found.end;

    /// Stores for each needle the begin and the end of the range of elements that are equal to it.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 3, 3, 7])?;
    /// let needles = DeviceVec::from_slice(&queue, &[3, 0, 9])?;
    /// let (mut begin, mut end) = (DeviceVec::filled(&queue, 0_u32, 3)?, DeviceVec::filled(&queue, 0_u32, 3)?);
    /// cl_algo::stl::equal_ranges(&x, &needles, (&mut begin, &mut end))?;
    /// assert_eq!(begin.to_vec()?, [1, 0, 4]);
    /// assert_eq!(end.to_vec()?, [3, 0, 4]);
    /// # Ok(())
    /// # }
    /// ```
    equal_ranges equal_ranges_by (P: Integer + Castable) -> (P, P) = BOTH
        |(begin, end)| (begin.cast::<P>(), end.cast::<P>());
    /// Returns the range of the elements equal to the needle.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 3, 3, 7])?;
    /// assert_eq!(cl_algo::stl::equal_range(&x, 3)?, 1..3);
    /// # Ok(())
    /// # }
    /// ```
    equal_range equal_range_by -> Range<usize> = |found| found;

    /// Stores for each needle whether an element equals it.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 3, 3, 7])?;
    /// let needles = DeviceVec::from_slice(&queue, &[3, 0, 9])?;
    /// let mut found = DeviceVec::filled(&queue, false, 3)?;
    /// cl_algo::stl::binary_searches(&x, &needles, &mut found)?;
    /// assert_eq!(found.to_vec()?, [true, false, false]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("isin", "in1d"))]
    binary_searches binary_searches_by () -> bool = BOTH |(begin, end)| begin.lt(end);
    /// Returns the index of the first element equal to the needle, if any.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::stl::binary_search;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 3, 3, 7])?;
    /// assert_eq!(binary_search(&x, 7)?, Some(3));
    /// assert_eq!(binary_search(&x, 4)?, None);
    /// # Ok(())
    /// # }
    /// ```
    binary_search binary_search_by -> Option<usize> = |found| (!found.is_empty()).then_some(found.start);
}
