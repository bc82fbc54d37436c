//! Reductions of items by their indices.

use super::assign::by_work;
use super::by_key::reduce_as;
use super::moved::StoredItems;
use super::order::{item_bytes, length};
use super::segments::chosen;
use super::sort::Sort;
use super::transform::assign_if_as;
use crate::codegen::{Fused, Parameters, Template, profile};
use crate::device::{DeviceProfile, Shape};
use crate::expr::{Expr, Item, Operand, index, record};
use crate::ir::graph::Graph;
use crate::kernels;
use crate::sink::Sink;
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Error, Queue, Result};

/// The kernel `index_tables` of `kernels/index_tables.cl`.
static TABLES: Template<Values> = Template {
    kernel: "index_tables",
    definition: &kernels::INDEX_TABLES,
    shape: |profile, size, _| alone(profile, size),
};

/// The kernel `index_totals` of `kernels/index_totals.cl`.
static TOTALS: Template<Values> = Template {
    kernel: "index_totals",
    definition: &kernels::INDEX_TOTALS,
    shape: |profile, size, _| alone(profile, size),
};

/// The parameters of both kernels.
#[derive(Clone, Copy, Parameters)]
struct Values {
    /// The number of pieces, each with a table, that a work-item reads in turn.
    pieces: usize,
    has_identity: bool,
}

/// Returns the shape: a work-item takes one item after the other.
fn alone(profile: &DeviceProfile, size: usize) -> Shape {
    Shape { group: 1, pack: 1, packs: 1, ..profile.reduction(size) }
}

/// The largest number of bytes of a table for which a work-item has several tables: all of them fit into the
/// first cache.
const SMALL_TABLE: usize = 4 << 10;
/// The number of small tables of a work-item.
const PIECES: usize = 4;
/// The largest number of bytes of a table for which there are more work-items than compute units. Larger tables
/// take longer to clear and to combine than a slow core delays the others.
const LARGE_TABLE: usize = 128 << 10;
/// The smallest number of items for which another table is worth its cost.
const GRAIN: usize = 4096;

/// The name of the function in errors.
const OPERATION: &str = "reduce_by_index";

/// Combines the values that have the same index, for each index from 0 up to the length of the output.
///
/// The operator must be associative. It need not commute: its first argument is the result of the values before the
/// second. An index without a value gives `identity`, which must be the identity of the operator. Values whose index is
/// at least the length of the output are ignored. With ones as values and an addition, this is a
/// [`histogram`](crate::stl::histogram).
///
/// On CPUs, two launches: each work-item combines a contiguous chunk of the values in a table of its own, and the tables
/// are combined ("Compiling Generalized Histograms for GPU": Henriksen, Hellfritzsch, Sadayappan and Oancea, SC 2020). On
/// GPUs, four launches and a fill besides a sort of the indices and a [reduction by key](crate::stl::reduce_by_key). The
/// result is always the same on one device. Memory is needed for the tables, or for the sorted indices.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::reduce_by_index;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let cell = DeviceVec::from_slice(&queue, &[2_u32, 0, 2, 9])?;
/// let mass = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 4.0, 8.0])?;
/// let mut sums = DeviceVec::filled(&queue, 0.0, 3)?;
/// reduce_by_index(&cell, &mass, 0.0, |a: Val<f32>, b: Val<f32>| a + b, &mut sums)?;
/// assert_eq!(sums.to_vec()?, [2.0, 0.0, 5.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign`](crate::assign); [`Error::LengthMismatch`] unless there are as many indices as values;
/// [`Error::InvalidInput`] for indices or an output without a length, for 2^32 values or more, and for an output of 2^32
/// elements or more.
#[doc(alias("bincount", "scatter_add", "index_add", "segment_sum", "unsorted_segment_reduce"))]
pub fn reduce_by_index<'a, V: Item>(
    indices: impl Operand<'a, u32>,
    values: impl Operand<'a, V>,
    identity: V,
    operator: impl FnOnce(V::Values, V::Values) -> V::Values,
    sink: impl Sink<'a, V>,
) -> Result<()> {
    let output = Fused::new(OPERATION).output::<V>("", "", sink);
    output.check()?;
    let Some(count) = output.room() else {
        if output.targets.is_empty() {
            return Ok(());
        }
        let reason = "its indices have no length: call `take` on them".to_owned();
        return Err(Error::invalid_input("output of reduce_by_index", reason));
    };
    let wanted = index::<u32>().take(count);
    let inputs = Inputs { indices: indices.into_expr(), values: values.into_expr(), count, wanted };
    inputs.reduce(Some(identity), operator, output)
}

/// Combines the values that have the same index, and stores the results of the wanted indices, in their order.
///
/// As [`reduce_by_index`], for indices below `count`. Without an `identity`, the result of a wanted index that has no
/// value is the item whose bytes are 0. The output may have more elements than there are wanted indices, and these keep
/// their values. If it has fewer, the next call that waits for the queue returns [`Error::IndexOutOfRange`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::reduce_by_index_at;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let cell = DeviceVec::from_slice(&queue, &[2_u32, 0, 2])?;
/// let mass = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 4.0])?;
/// let wanted = DeviceVec::from_slice(&queue, &[2_u32, 0])?;
/// let mut largest = DeviceVec::filled(&queue, 0.0, 2)?;
/// reduce_by_index_at(&cell, &mass, 3, None, |a: Val<f32>, b: Val<f32>| a.max(b), &wanted, &mut largest)?;
/// assert_eq!(largest.to_vec()?, [4.0, 2.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`reduce_by_index`].
pub fn reduce_by_index_at<'a, V: Item>(
    indices: impl Operand<'a, u32>,
    values: impl Operand<'a, V>,
    count: usize,
    identity: Option<V>,
    operator: impl FnOnce(V::Values, V::Values) -> V::Values,
    wanted: impl Operand<'a, u32>,
    sink: impl Sink<'a, V>,
) -> Result<()> {
    let output = Fused::new(OPERATION).output::<V>("", "", sink);
    let (indices, values, wanted) = (indices.into_expr(), values.into_expr(), wanted.into_expr());
    Inputs { indices, values, count, wanted }.reduce(identity, operator, output)
}

/// The inputs of a reduction by index.
struct Inputs<'a, V: Item> {
    indices: Expr<'a, u32>,
    values: Expr<'a, V>,
    /// The number of indices.
    count: usize,
    wanted: Expr<'a, u32>,
}

impl<'a, V: Item> Inputs<'a, V> {
    fn reduce(
        self,
        identity: Option<V>,
        operator: impl FnOnce(V::Values, V::Values) -> V::Values,
        output: Fused<'a>,
    ) -> Result<()> {
        let pairs = self.indices.clone().zip(self.values.clone()).into_graph();
        let len = length(&pairs, "values to reduce by index")?;
        let wanted = self.wanted.graph();
        let stored = length(&wanted, "wanted indices")?;
        output.check_with(&[&pairs, &wanted])?;
        let Some(queue) = output.targets.first().map(|target| target.queue) else { return Ok(()) };
        let refused = |what, number| {
            Err(Error::invalid_input(what, format!("there are {number}; at most {} are supported", u32::MAX)))
        };
        let Ok(count) = u32::try_from(self.count) else { return refused("indices to reduce by", self.count) };
        if u32::try_from(len).is_err() {
            return refused("values to reduce by index", len);
        }
        if stored == 0 {
            return Ok(());
        }
        // Without an identity, the initial item is the result of an index without a value.
        let zeros = vec![0; item_bytes::<V>()];
        let empty = identity.unwrap_or_else(|| V::from_bytes(&mut |element| &zeros[..element.size()]));
        if profile(queue.context())?.chunked {
            let operator = record::<(V, V), _>(|(a, b)| operator(a, b));
            return self.by_tables(
                queue,
                [len, stored],
                count,
                (empty, identity.is_some()),
                &operator,
                output,
            );
        }
        self.by_sorting(queue, [len, stored], count, empty, operator, output)
    }

    /// Reduces in tables. `empty` is the result of an index without a value, and whether it is the identity.
    fn by_tables(
        self,
        queue: &Queue,
        [len, stored]: [usize; 2],
        count: u32,
        (empty, has_identity): (V, bool),
        operator: &Graph<'static>,
        output: Fused<'a>,
    ) -> Result<()> {
        let (bytes, profile) = (item_bytes::<V>(), profile(queue.context())?);
        let table = (count as usize).saturating_mul(bytes);
        let pieces = if table <= SMALL_TABLE { PIECES } else { 1 };
        let values = Values { pieces, has_identity };
        let empty = || index::<u8>().take(1).map(|_| empty.known());
        let combine = |fused: Fused<'a>| fused.with_operator("COMBINE", "", operator, 2 * V::count());
        let tables = Fused::new(OPERATION).input("AT", self.indices).input("", self.values);
        let tables = combine(tables.input("INITIAL", empty()));
        let totals = combine(output.input("", empty()).input("WANTED", self.wanted));
        let mut totals = totals.keeping();
        totals.graph.len = Some(stored);
        let totals = totals.fitting();
        let (tables, totals) = (tables.by(&TABLES, values), totals.by(&TOTALS, values));
        let ready = Fused::compile_all(&[&tables, &totals], queue, len.max(stored))?;
        let (tables, totals) = (&ready[0], &ready[1]);

        // All tables together are at most about as large as the input.
        let most = (len / (count as usize).max(GRAIN)).max(1) / pieces;
        let units = if table > LARGE_TABLE { profile.compute_units } else { tables.shape().max_groups };
        let groups = if len == 0 { 0 } else { units.min(most).max(1) };
        let table_count = groups * pieces;
        let entries = table_count * count as usize;
        let room = queue.scratch(entries.saturating_mul(bytes).max(1))?;
        let used = queue.scratch(if has_identity { 1 } else { entries.max(1) })?;
        if groups > 0 && count > 0 {
            let (room, used) = (Arg::Memory(&room, Access::Overwrite), Arg::Memory(&used, Access::Overwrite));
            // SAFETY: there is a table of `count` entries for each piece. The inputs have `len` items.
            unsafe { tables.launch(&[room, used, tables.index(len), Arg::value(count)], groups, 1)? };
        }
        let own = [
            Arg::Memory(&room, Access::Read),
            Arg::Memory(&used, Access::Read),
            totals.index(stored),
            Arg::value(count),
            Arg::value(table_count as u32),
        ];
        let groups = (stored / GRAIN).clamp(1, totals.shape().max_groups);
        // SAFETY: the kernel reads the entries that the first one has written, `stored` wanted indices, and stores as
        // many results, at places that the output has or that it checks.
        unsafe { totals.launch(&own, groups, 1) }
    }

    /// Sorts the indices and reduces the runs of equal ones.
    fn by_sorting(
        self,
        queue: &Queue,
        [len, stored]: [usize; 2],
        count: u32,
        empty: V,
        operator: impl FnOnce(V::Values, V::Values) -> V::Values,
        output: Fused<'a>,
    ) -> Result<()> {
        if len == 0 {
            return store_empty(queue, empty, stored, output);
        }
        // Indices that are too large become the same one.
        let mut sorted = self.indices.take(len).map(|index| index.min(count)).collect_on(queue)?;
        let mut order = index::<u32>().take(len).collect_on(queue)?;
        Sort::new().bits(..(u32::BITS - count.leading_zeros()).max(1)).by_key(&mut sorted, &mut order)?;
        // The largest number of runs of equal indices.
        let runs = len.min(count as usize + 1);
        // SAFETY: the elements that the reduction does not store are not read.
        let (mut run_indices, mut results) =
            unsafe { (DeviceVec::<u32>::uninit(queue, runs)?, StoredItems::<V>::uninit(queue, runs)?) };
        // SAFETY: the order is a permutation of `len` numbers.
        let values = unsafe { self.values.take(len).gather_unchecked(OPERATION, len, &order) };
        let found = reduce_as(OPERATION, sorted.iter(), values, operator, &mut run_indices, results.sink())?;
        // For each index the number of its run plus one, or 0.
        let mut numbers = DeviceVec::filled(queue, 0_u32, count as usize + 1)?;
        let there = index::<u64>().take(runs).lt(&found);
        assign_if_as(OPERATION, numbers.scatter_mut(&run_indices), there, index::<u32>().take(runs) + 1)?;
        let wanted = self.wanted.map(|index| index.min(count));
        // SAFETY: there is one more number than indices.
        let number =
            unsafe { numbers.iter().gather_unchecked(OPERATION, count as usize + 1, wanted.clone()) };
        let exists = number.clone().gt(0_u32) & wanted.lt(count);
        // SAFETY: each number that is not 0 is that of a run plus one, and there is a run.
        let results = unsafe { results.iter().gather_unchecked(OPERATION, runs, number.max(1_u32) - 1) };
        let empty = index::<u8>().take(stored).map(|_| empty.known());
        store(queue, chosen::<V>(OPERATION, exists, results, empty), stored, output)
    }
}

/// Stores the result of an index without a value for each wanted index.
fn store_empty<V: Item>(queue: &Queue, empty: V, stored: usize, output: Fused<'_>) -> Result<()> {
    store(queue, index::<u8>().take(stored).map(|_| empty.known()), stored, output)
}

/// Stores the results of the wanted indices.
fn store<'b, V: Item>(queue: &Queue, items: Expr<'b, V>, stored: usize, output: Fused<'b>) -> Result<()> {
    let mut fused = output.with_input("", items.into_graph()).keeping();
    fused.graph.len = Some(stored);
    let fused = fused.fitting();
    let ready = fused.by(by_work(&fused), ()).compile(queue, stored)?;
    let shape = ready.shape();
    // SAFETY: the kernel reads items below `stored`, and stores them at places that the output has or that it checks.
    unsafe { ready.launch(&[ready.index(stored)], shape.groups(stored), shape.group) }
}
