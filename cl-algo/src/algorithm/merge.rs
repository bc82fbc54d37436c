//! Merges of sorted sequences.

use super::assign::assign_beside;
use super::order::{Less, ascending, item_bytes, length};
use crate::codegen::look_back::LookBack;
use crate::codegen::{Fused, Parameters, Ready, Template, profile};
use crate::device::{DeviceProfile, Shape, shapes};
use crate::element::Ordered;
use crate::expr::Item;
use crate::expr::{Expr, FARTHEST, Operand, Recorded};
use crate::ir::graph::Graph;
use crate::ir::target::Target;
use crate::kernels;
use crate::sink::Sink;
use cl_core::{Access, Arg, Error, Queue, Result};

/// The kernel `merge` of `kernels/merge.cl`.
static MERGE: Template<Values> = Template {
    kernel: "merge",
    definition: &kernels::MERGE,
    shape: |profile, _, values| tiles(profile, values.item_bytes),
};

/// The kernel `merge_cuts` of `kernels/merge_cuts.cl`.
static CUTS: Template<Values> = Template {
    kernel: "merge_cuts",
    definition: &kernels::MERGE_CUTS,
    shape: |profile, _, values| {
        let tiles = tiles(profile, values.item_bytes);
        Shape { packs: 1, group: tiles.group.min(CUTTERS), ..tiles }
    },
};

/// The parameters of the kernels that merge.
#[derive(Clone, Copy, Parameters)]
struct Values {
    item_bytes: usize,
    /// `true` if neighbouring sorted runs of one sequence are merged.
    runs: bool,
}

/// The largest number of work-items in a work-group that searches for cuts: few, so that the searches spread over the
/// device.
const CUTTERS: usize = 64;
/// The largest number of bytes in local memory that a tile takes, unless a tuning table gives the size of
/// tiles.
///
/// Every device has at least 32 KiB. A tile takes less, so that several work-groups fit into the local memory
/// of a compute unit. The tiles of a tuning table may take as much local memory as the rule allows.
const TILE_BYTES: usize = 24 << 10;
/// The number of work-groups for each compute unit, on devices whose work-groups have one work-item.
const GROUPS_OF_ONE: usize = 8;

/// Returns the shape of merges for items of `bytes` bytes. On GPUs the number of items of a work-item is odd, so that
/// the items of neighbouring work-items lie in different banks.
pub(super) fn tiles(profile: &DeviceProfile, bytes: usize) -> Shape {
    let bytes = bytes.max(1);
    let (tuning, rule) = (profile.tuning(&shapes::MERGE, bytes), profile.rule(&shapes::MERGE, bytes));
    let room = profile.local_room(if tuning.bytes.is_some() { rule.local } else { TILE_BYTES });
    let group = tuning.group.map_or(rule.group, |group| group.max(2)).min(profile.largest_group);
    let most = (room / bytes).max(1);
    let group = 1 << group.min(most).ilog2();
    // A work-group of one work-item cannot divide a tile among its work-items.
    if profile.chunked || group == 1 {
        let max_groups = tuning.max_groups(profile.compute_units, rule.groups.or(Some(GROUPS_OF_ONE)));
        return Shape { chunked: true, group: 1, pack: 1, packs: 1, max_groups, streams: false };
    }
    let items =
        tuning.bytes.map_or(rule.held_items(bytes, 1), |held| (held / bytes).clamp(1, 31)).min(most / group);
    let packs = items - (1 - items % 2);
    Shape { chunked: false, group, pack: 1, packs, max_groups: usize::MAX, streams: false }
}

/// The sequences that a merge kernel merges: the two parameters that `kernels/merge_path.cl` calls `PAIRS`.
#[derive(Clone, Copy)]
pub(super) enum Pairs {
    /// Two sequences of the given lengths.
    Two(usize, usize),
    /// Neighbouring sorted runs of length `width` in one sequence.
    Runs { length: usize, width: usize },
}

impl Pairs {
    fn total(self) -> usize {
        match self {
            Pairs::Two(a, b) => a + b,
            Pairs::Runs { length, .. } => length,
        }
    }

    fn arguments(self, ready: &Ready<'_, '_>) -> [Arg<'static>; 2] {
        match self {
            Pairs::Two(a, b) => [ready.index(a), ready.index(b)],
            Pairs::Runs { length, width } => [ready.index(length), ready.index(width)],
        }
    }

    /// Adds the inputs and the comparator to a kernel.
    fn fill<'a, T: Item>(self, fused: Fused<'a>, a: Expr<'a, T>, b: Expr<'a, T>, less: &Less) -> Fused<'a> {
        fused.input("A", a).input("B", b).with_operator("LESS", "A", &less.0, Less::elements::<T>())
    }

    /// Merges the sequences. `output` is a kernel with one output, whose items have the type of the input
    /// `A`.
    pub(super) fn merge<'a, T: Item>(
        self,
        queue: &Queue,
        (a, b): (Expr<'a, T>, Expr<'a, T>),
        less: &Less,
        output: Fused<'a>,
    ) -> Result<()> {
        let total = self.total();
        let profile = profile(queue.context())?;
        let values = Values { item_bytes: item_bytes::<T>(), runs: matches!(self, Pairs::Runs { .. }) };
        let shape = tiles(&profile, values.item_bytes);
        let tiles = total.div_ceil(shape.tile());
        let cut = self.fill(Fused::new(output.operation), a.clone(), b.clone(), less);
        let merge = self.fill(output, a, b, less);
        let ready = merge.by(&MERGE, values).compile(queue, total)?;
        let pair = self.arguments(&ready);
        if shape.chunked {
            // SAFETY: the kernel reads items of the two sequences, or sorted runs, and writes as many items as they
            // have together, at indices below that number.
            return unsafe { ready.launch(&pair, shape.groups(total), shape.group) };
        }
        let cut = cut.by(&CUTS, values).compile(queue, total)?;
        let group = cut.shape().group;
        let cuts = queue.scratch(tiles * size_of::<u64>())?;
        // The first message of the queue is the epoch if cuts contradict each other.
        LookBack::ALONE.with_messages(queue, 1, 1, |[contradiction, _, _, epoch]| {
            let [first, second] = self.arguments(&cut);
            let (piece, count) = (cut.index(shape.tile()), cut.index(tiles));
            let own =
                [first, second, piece, count, Arg::Memory(&cuts, Access::Overwrite), contradiction, epoch];
            // SAFETY: the kernel reads items of the two sequences, and writes a cut for each of `tiles` tiles, and a
            // message. A group searches for one cut more than it writes.
            unsafe { cut.launch(&own, tiles.div_ceil(group - 1), group)? };
            let [first, second] = pair;
            let own = [first, second, Arg::Memory(&cuts, Access::Read), contradiction, epoch];
            // SAFETY: as above. There is a work-group for each tile, and the cuts of the tiles were just written.
            unsafe { ready.launch(&own, tiles, shape.group) }
        })
    }
}

/// Returns the queue of an algorithm's output, or `None` if the output drops its items.
///
/// Returns an error unless the output takes `len` items and belongs to the same queue as all inputs, the
/// inputs of `output` and `others`.
pub(super) fn output_queue<'a>(
    output: &Fused<'a>,
    others: &[&Graph<'_>],
    len: usize,
) -> Result<Option<&'a Queue>> {
    output.check_with(others)?;
    let takes = |target: &Target<'_>| target.len == len || target.len == usize::MAX;
    match output.targets.iter().find(|target| !takes(target)) {
        Some(target) => Err(Error::length_mismatch(output.operation, target.len, len)),
        None => Ok(output.targets.first().map(|target| target.queue)),
    }
}

/// Merges two sequences in ascending order into one: `merge(&a, &b, &mut both)`.
///
/// The merge is stable: of equal elements, the elements of `a` come first, and the elements of each sequence keep their
/// order. Floats are in the order of [`sort()`](crate::stl::sort()); see [Orders](crate#orders). If a sequence is not
/// sorted, neither is the result, but it has all elements.
///
/// The sequences are searched before they are merged (merge path: Green, McColl and Bader, ICS 2012), so a lazy
/// expression is computed slightly more often than it has elements.
///
/// # Errors
/// As [`assign`](crate::assign); [`Error::LengthMismatch`] unless the output has as many elements as both sequences
/// together; [`Error::InvalidInput`] for a sequence of scalars only, which has no length.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = DeviceVec::from_slice(&queue, &[1, 4, 9])?;
/// let b = DeviceVec::from_slice(&queue, &[2, 3])?;
/// let mut both = DeviceVec::filled(&queue, 0, 5)?;
/// cl_algo::stl::merge(&a, &b, &mut both)?;
/// assert_eq!(both.to_vec()?, [1, 2, 3, 4, 9]);
/// cl_algo::stl::merge(&a, 2 * &b, both.view_mut())?; // any expression into any sink
/// assert_eq!(both.to_vec()?, [1, 4, 4, 6, 9]);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "DeviceMerge")]
pub fn merge<'t, T: Ordered + PartialEq>(
    a: impl Operand<'t, T>,
    b: impl Operand<'t, T>,
    output: impl Sink<'t, T>,
) -> Result<()> {
    merge_as("merge", a, b, ascending, output)
}

/// Merges two sequences that are sorted by a comparator: `less(a, b)` returns whether `a` goes before `b`.
///
/// Items may be tuples. The comparator should be a strict weak order, as [`slice::sort_by`] requires: `less(a, b)` and
/// `less(b, a)` are never both true, and two items that are equal to a third are equal. With any other comparator, and
/// for sequences that are not sorted by it, the order of the result is unspecified. The result still has each item of
/// both sequences once.
///
/// # Errors
/// As [`merge`].
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a = DeviceVec::from_slice(&queue, &[9, 4, 1])?;
/// let b = DeviceVec::from_slice(&queue, &[3, 2])?;
/// let mut both = DeviceVec::filled(&queue, 0, 5)?;
/// cl_algo::stl::merge_by(&a, &b, |a, b| a.gt(b), &mut both)?;
/// assert_eq!(both.to_vec()?, [9, 4, 3, 2, 1]);
/// # Ok(())
/// # }
/// ```
pub fn merge_by<'t, T: Item, R: Recorded<Item = bool>>(
    a: impl Operand<'t, T>,
    b: impl Operand<'t, T>,
    less: impl FnOnce(T::Values, T::Values) -> R,
    output: impl Sink<'t, T>,
) -> Result<()> {
    merge_as("merge_by", a, b, less, output)
}

/// Merges as [`merge_by`] does. `operation` is the name in errors.
pub(super) fn merge_as<'t, T: Item, R: Recorded<Item = bool>>(
    operation: &'static str,
    a: impl Operand<'t, T>,
    b: impl Operand<'t, T>,
    less: impl FnOnce(T::Values, T::Values) -> R,
    output: impl Sink<'t, T>,
) -> Result<()> {
    let (a, b) = (a.into_expr(), b.into_expr());
    let (a_len, b_len) = (length(&a.graph(), "sequence to merge")?, length(&b.graph(), "sequence to merge")?);
    // With an empty sequence, the other one is copied, without a search.
    if a_len == 0 {
        return assign_beside(operation, output, b, &[&a.graph()]);
    }
    if b_len == 0 {
        return assign_beside(operation, output, a, &[&b.graph()]);
    }
    let Some(total) = a_len.checked_add(b_len).filter(|&total| total <= FARTHEST) else {
        let reason = format!("{a_len} and {b_len} elements are more than {FARTHEST}, the largest length");
        return Err(Error::invalid_input("sequences to merge", reason));
    };
    let output = Fused::new(operation).output("", "A", output);
    let Some(queue) = output_queue(&output, &[&a.graph(), &b.graph()], total)? else { return Ok(()) };
    Pairs::Two(a_len, b_len).merge(queue, (a, b), &Less::new::<T, R>(less), output)
}

/// Merges two sequences of keys in ascending order, and the values that belong to them.
///
/// `merge_by_key((&keys, &values), (&more_keys, &more_values), (&mut all_keys, &mut all_values))` is [`merge_by`] with
/// a comparator that reads only the keys.
///
/// # Errors
/// As [`merge`].
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let (years, more_years) = (iota(1643, 2), DeviceVec::from_slice(&queue, &[1642, 1643])?);
/// let (names, more_names) = (DeviceVec::from_slice(&queue, b"ab")?, DeviceVec::from_slice(&queue, b"cd")?);
/// let (mut keys, mut values) = (DeviceVec::filled(&queue, 0, 4)?, DeviceVec::filled(&queue, 0_u8, 4)?);
/// cl_algo::stl::merge_by_key((years, &names), (&more_years, &more_names), (&mut keys, &mut values))?;
/// assert_eq!(keys.to_vec()?, [1642, 1643, 1643, 1644]);
/// assert_eq!(values.to_vec()?, *b"cadb");
/// # Ok(())
/// # }
/// ```
pub fn merge_by_key<'t, K: Ordered + PartialEq, V: Item>(
    a: (impl Operand<'t, K>, impl Operand<'t, V>),
    b: (impl Operand<'t, K>, impl Operand<'t, V>),
    (keys, values): (impl Sink<'t, K>, impl Sink<'t, V>),
) -> Result<()> {
    let name = "merge_by_key";
    let a = Expr::<(K, V)>::new(a.0.into_expr().into_graph().zip(&a.1.into_expr().into_graph(), name));
    let b = Expr::<(K, V)>::new(b.0.into_expr().into_graph().zip(&b.1.into_expr().into_graph(), name));
    merge_as(name, a, b, |(a, _), (b, _)| ascending(a, b), (keys, values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::profile::tests::{profile, row};
    use cl_core::{Architecture, Vendor};

    #[test]
    fn tuning_rows_are_limited_by_a_tile() {
        let shape = |numbers| {
            let shape = tiles(&profile(false, &row(&shapes::MERGE, numbers)), 4);
            (shape.group, shape.packs)
        };
        assert_eq!(shape("- - -"), (256, 23));
        let other =
            DeviceProfile { architecture: Architecture::new(Vendor::Intel, false, ""), ..profile(false, "") };
        assert_eq!((tiles(&other, 4).group, tiles(&other, 4).packs), (256, 15));
        let of_bytes = |bytes| tiles(&profile(false, &row(&shapes::MERGE, "- - -")), bytes).packs;
        assert_eq!([1, 8, 16, 4096].map(of_bytes), [23, 11, 5, 1]);
        assert_eq!(shape("128 76 -"), (128, 19));
        assert_eq!(shape("512 48 -"), (512, 11), "an odd number");
        assert_eq!(shape("0 0 -"), (2, 1));
        let (group, packs) = shape("100000 100000 -");
        assert!(
            group == 1024
                && group * packs * 4 <= shapes::MERGE.rule(&profile(false, "").architecture, false, 4).local,
            "{group} {packs}"
        );
    }
}
