//! Sorts by comparison: merge sorts, for any item and any order.

use super::assign::{evaluate, fused_with};
use super::merge::{Pairs, output_queue, tiles};
use super::moved::{elements, part_of, read_from, scratch, targets_in};
use super::order::{Less, holds, item_bytes, length};
use super::update_all::{InPlace, shared};
use crate::codegen::{Fused, Parameters, Template, profile};
use crate::device::{DeviceProfile, Shape, shapes};
use crate::element::Integer;
use crate::expr::Item;
use crate::expr::{Expr, Operand, Recorded, index};
use crate::ir::target::Target;
use crate::kernels;
use crate::sink::{Discard, Sink};
use cl_core::{Error, Memory, Queue, Result};

/// The kernel `sort_blocks` of `kernels/sort_blocks.cl`.
static SORT_BLOCKS: Template<Values> = Template {
    kernel: "sort_blocks",
    definition: &kernels::SORT_BLOCKS,
    shape: |profile, _, values| blocks(profile, values.item_bytes),
};

/// The parameters of `kernels/sort_blocks.cl`.
#[derive(Clone, Copy, Parameters)]
struct Values {
    item_bytes: usize,
}

/// Returns the shape that sorts blocks before they are merged. A block is a tile of the merge. For work-groups of one
/// work-item it is larger.
fn blocks(profile: &DeviceProfile, bytes: usize) -> Shape {
    let shape = tiles(profile, bytes);
    if !shape.chunked {
        return shape;
    }
    let bytes = bytes.max(1);
    let rule = profile.rule_for(&shapes::MERGE_BLOCKS, bytes, true).held_bytes(bytes, 1);
    let held = profile.tuning(&shapes::MERGE_BLOCKS, bytes).bytes.unwrap_or(rule);
    // A block and its copy, and a few other words.
    let items = held.min(profile.local_memory.saturating_sub(64) / 2) / bytes;
    Shape { packs: 1 << items.clamp(1, 4096).ilog2(), ..shape }
}

/// Sorts vectors with a comparator, in buffer and stably: `less(a, b)` returns whether `a` goes before `b`.
///
/// Several vectors are sorted together, row by row: the comparator gets tuples. The comparator should be a strict weak
/// order, as [`slice::sort_by`] requires: `less(a, b)` and `less(b, a)` are never both true, and two items that are
/// equal to a third are equal. (`a < b` is not an order of floats with NaN; `a.total_lt(b)` is one.) With any other
/// comparator the order afterwards is unspecified, but each item is still there once.
///
/// The algorithm is a merge sort: blocks are sorted in local memory, then merged pairwise. It takes scratch memory as
/// large as the vectors. Mutable views are sorted, too: `sort_by(x.slice_mut(1..), ..)`. Views cost no additional pass,
/// but twice the scratch memory, unless they are the first elements of a vector in order.
///
/// # Errors
/// As [`assign_with`](crate::assign_with). After an error, vectors have all their items in an unspecified order, and
/// views are unchanged.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[3, -4, 1, -1])?;
/// cl_algo::stl::sort_by(&mut x, |a, b| (a * a).lt(b * b))?;
/// assert_eq!(x.to_vec()?, [1, -1, 3, -4]);
///
/// let mut y = DeviceVec::from_slice(&queue, &[0, 1, 0, 1])?;
/// cl_algo::stl::sort_by((&mut y, &mut x), |(a, x), (b, y)| a.lt(b) | (a.eq(b) & x.lt(y)))?;
/// assert_eq!(y.to_vec()?, [0, 0, 1, 1]);
/// assert_eq!(x.to_vec()?, [1, 3, -4, -1]);
/// cl_algo::stl::sort_by(x.slice_mut(1..), |a, b| a.lt(b))?;
/// assert_eq!(x.to_vec()?, [1, -4, -1, 3]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("merge_sort", "DeviceMergeSort", "stable_sort"))]
pub fn sort_by<'a, T: Item, R: Recorded<Item = bool>>(
    vectors: impl InPlace<'a, T>,
    less: impl FnOnce(T::Values, T::Values) -> R,
) -> Result<()> {
    sort_by_as("sort_by", vectors, less)
}

/// Sorts as [`sort_by`] does. `operation` is the name in errors.
fn sort_by_as<'a, T: Item, R: Recorded<Item = bool>>(
    operation: &'static str,
    vectors: impl InPlace<'a, T>,
    less: impl FnOnce(T::Values, T::Values) -> R,
) -> Result<()> {
    let (items, targets) = shared(operation, vectors);
    // Views other than the first elements of vectors are read once and written once, with scratch memory in between.
    let in_order = targets.iter().all(Target::is_in_order);
    let own: Vec<&Memory> =
        if in_order { targets.iter().map(|target| target.memory).collect() } else { Vec::new() };
    let mut output = Fused::new(operation);
    let roots = output.graph.parameters::<T>();
    let output = output.with_targets("", "A", roots, targets, true);
    merge_sort(items, &Less::new::<T, R>(less), &own, output)
}

/// Sorts the first `len` items of some blocks of memory, one for each of an item's elements.
pub(super) fn sort_in<T: Item>(
    operation: &'static str,
    queue: &Queue,
    memory: &[&Memory],
    len: usize,
    less: &Less,
) -> Result<()> {
    let mut output = Fused::new(operation);
    let targets = targets_in(queue, memory, len, elements::<T>());
    let roots = output.graph.parameters::<T>();
    let output = output.with_targets("", "A", roots, targets, true);
    merge_sort(read_from::<T>(queue, memory, len), less, memory, output)
}

/// Sorts keys with a comparator, in buffer and stably, and values along with them.
///
/// It is [`sort_by`] with a comparator that reads only the keys.
///
/// # Errors
/// As [`sort_by`].
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut keys = DeviceVec::from_slice(&queue, &[1.5_f32, 4.0, 2.5])?;
/// let mut values = DeviceVec::from_slice(&queue, b"abc")?;
/// cl_algo::stl::sort_by_key_by(&mut keys, &mut values, |a, b| a.gt(b))?;
/// assert_eq!(keys.to_vec()?, [4.0, 2.5, 1.5]);
/// assert_eq!(values.to_vec()?, *b"bca");
/// # Ok(())
/// # }
/// ```
#[doc(alias("DeviceMergeSort", "stable_sort_by_key"))]
pub fn sort_by_key_by<'a, K: Item, V: Item, R: Recorded<Item = bool>>(
    keys: impl InPlace<'a, K>,
    values: impl InPlace<'a, V>,
    less: impl FnOnce(K::Values, K::Values) -> R,
) -> Result<()> {
    sort_by_as::<(K, V), R>("sort_by_key_by", (keys, values), |(a, _), (b, _)| less(a, b))
}

/// Stores the indices that sort the keys, stably: `order[0]` is the index of the key that goes first.
///
/// The keys may be any expression, and are not changed. `x.iter().gather(&order)` reads another vector `x` in
/// the order of the keys.
///
/// # Errors
/// As [`assign`](crate::assign); [`Error::InvalidInput`] for keys that read no vector, and for an integer type that
/// cannot hold the indices.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, -4, 1])?;
/// let mut order = DeviceVec::filled(&queue, 0_u32, 3)?;
/// cl_algo::stl::argsort_by(&x * &x, |a, b| a.lt(b), &mut order)?;
/// assert_eq!(order.to_vec()?, [2, 0, 1]);
/// # Ok(())
/// # }
/// ```
pub fn argsort_by<'t, T: Item, I: Integer, R: Recorded<Item = bool>>(
    keys: impl Operand<'t, T>,
    less: impl FnOnce(T::Values, T::Values) -> R,
    order: impl Sink<'t, I>,
) -> Result<()> {
    let keys = keys.into_expr();
    let len = length(&keys.graph(), "keys to sort")?;
    holds::<I>(len as u128, "type of the order", &format!("the indices of {len} keys"))?;
    let less = Less::new::<(T, I), R>(|(a, _), (b, _)| less(a, b));
    let output = Fused::new("argsort_by").output::<(T, I)>("", "A", (Discard, order));
    merge_sort(keys.zip(index::<I>()), &less, &[], output)
}

/// Sorts the input into `output`, a kernel with one output, whose items have the type of the input `A`. If
/// the input is read from the output's vectors, `own` is the memory of these vectors; otherwise `own` is
/// empty.
///
/// The passes go back and forth between two buffers, the vectors themselves or scratch memory, so that the last pass
/// stores to the output.
pub(super) fn merge_sort<'a, T: Item>(
    input: Expr<'a, T>,
    less: &Less,
    own: &[&'a Memory],
    output: Fused<'a>,
) -> Result<()> {
    let len = length(&input.graph(), "sequence to sort")?;
    let Some(queue) = input.shared_queue() else {
        let reason = "it reads no vector, and so has no queue: use `on`".to_owned();
        return Err(Error::invalid_input("sequence to sort", reason));
    };
    let queue = &*queue;
    if output_queue(&output, &[&input.graph()], len)?.is_none() || len == 0 {
        return Ok(());
    }
    let block = blocks(&*profile(queue.context())?, item_bytes::<T>()).tile();
    let passes = len.div_ceil(block).next_power_of_two().ilog2() as usize;
    if passes == 0 {
        return sort_blocks(queue, input, less, output);
    }
    // `even` holds the items while an even number of passes remains, `odd` while an odd number remains.
    let odd = scratch::<T>(queue, len)?;
    let even = if own.is_empty() && passes > 1 { scratch::<T>(queue, len)? } else { Vec::new() };
    let even = if own.is_empty() { even.iter().map(|one| &**one).collect() } else { own.to_vec() };
    let buffers: [Vec<&Memory>; 2] = [even, odd.iter().map(|one| &**one).collect()];

    let buffer = &buffers[passes % 2];
    sort_blocks(queue, input, less, stored_in::<T>(output.operation, queue, buffer, len))?;
    let mut runs = read_from::<T>(queue, buffer, len);
    for pass in 1..passes {
        let buffer = &buffers[(passes - pass) % 2];
        let pairs = Pairs::Runs { length: len, width: block << (pass - 1) };
        pairs.merge(
            queue,
            (runs.clone(), runs),
            less,
            stored_in::<T>(output.operation, queue, buffer, len),
        )?;
        runs = read_from::<T>(queue, buffer, len);
    }
    let pairs = Pairs::Runs { length: len, width: block << (passes - 1) };
    pairs.merge(queue, (runs.clone(), runs), less, output)
}

/// Sorts items by their numbers, which ascend, and by a comparator among equal numbers, into `targets`. `less` compares
/// numbers and items. At most `longest` items have the same number.
///
/// The numbers stay where they are, so they are read and not moved. As soon as a sorted run is twice as long as the
/// longest segment, each segment lies in one run or in the neighbouring halves of two runs. One more merge, of such
/// halves, sorts the latter.
pub(super) fn sort_segments<'a, T: Item>(
    operation: &'static str,
    (numbers, items): (Expr<'a, u32>, Expr<'a, T>),
    less: &Less,
    longest: usize,
    targets: Vec<Target<'a>>,
) -> Result<()> {
    let len = length(&items.graph(), operation)?;
    let both = numbers.clone().zip(items);
    both.check()?;
    let Some(queue) = both.shared_queue().filter(|_| len > 1) else { return Ok(()) };
    let queue = &*queue;
    let mut width = blocks(&*profile(queue.context())?, item_bytes::<(u32, T)>()).tile();
    if len <= width {
        return sort_blocks(queue, both, less, beside_numbers::<T>(operation, targets, true));
    }
    let (first, second) = (scratch::<T>(queue, len)?, scratch::<T>(queue, len)?);
    let mut from: Vec<&Memory> = first.iter().map(|one| &**one).collect();
    let mut to: Vec<&Memory> = second.iter().map(|one| &**one).collect();
    sort_blocks(
        queue,
        both,
        less,
        beside_numbers::<T>(operation, targets_in(queue, &from, len, elements::<T>()), false),
    )?;
    while width < len && width / 2 < longest {
        let runs = numbers.clone().zip(read_from::<T>(queue, &from, len));
        let output = beside_numbers::<T>(operation, targets_in(queue, &to, len, elements::<T>()), false);
        Pairs::Runs { length: len, width }.merge(queue, (runs.clone(), runs), less, output)?;
        std::mem::swap(&mut from, &mut to);
        width *= 2;
    }
    let sorted = read_from::<T>(queue, &from, len);
    let half = (width / 2).min(len);
    let in_one_run = if width < len { half } else { len };
    if width < len {
        // The merge comes before the copy, which is the less likely one to fail.
        let halves = numbers.zip(sorted.clone()).slice(half..);
        let output = beside_numbers::<T>(operation, part_of(&targets, half, len - half, false)?, false);
        let pairs = Pairs::Runs { length: len - half, width: half };
        pairs.merge(queue, (halves.clone(), halves), less, output)?;
    }
    let copied = part_of(&targets, 0, in_one_run, false)?;
    evaluate(fused_with(operation, sorted.slice(..in_one_run).into_graph(), copied, false))
}

/// Returns a kernel with an output that stores items and not the numbers in front of them.
fn beside_numbers<'m, T: Item>(
    operation: &'static str,
    targets: Vec<Target<'m>>,
    in_place: bool,
) -> Fused<'m> {
    let mut fused = Fused::new(operation);
    let roots = fused.graph.parameters::<(u32, T)>();
    fused.with_targets("", "A", roots.into_iter().skip(1).collect(), targets, in_place)
}

/// Sorts each block of the input.
fn sort_blocks<'a, T: Item>(queue: &Queue, input: Expr<'a, T>, less: &Less, output: Fused<'a>) -> Result<()> {
    let len = length(&input.graph(), "sequence to sort")?;
    let fused = output.input("A", input);
    let fused = fused.with_operator("LESS", "A", &less.0, Less::elements::<T>());
    let values = Values { item_bytes: item_bytes::<T>() };
    let ready = fused.by(&SORT_BLOCKS, values).compile(queue, len)?;
    let shape = ready.shape();
    // SAFETY: the kernel reads items below `len`, and stores the items of a block to the indices of the block.
    unsafe { ready.launch(&[ready.index(len)], shape.groups(len), shape.group) }
}

/// Returns a kernel with an output that stores items in `memory`.
fn stored_in<'m, T: Item>(
    operation: &'static str,
    queue: &'m Queue,
    memory: &[&'m Memory],
    len: usize,
) -> Fused<'m> {
    let mut fused = Fused::new(operation);
    let targets = targets_in(queue, memory, len, elements::<T>());
    let roots = fused.graph.parameters::<T>();
    fused.with_targets("", "A", roots, targets, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::profile::tests::profile;

    #[test]
    fn lone_work_items_sort_blocks_of_many_items() {
        let lone = DeviceProfile { largest_group: 1, ..profile(false, "") };
        assert_eq!((blocks(&lone, 4).group, blocks(&lone, 4).tile()), (1, 4096));
    }
}
