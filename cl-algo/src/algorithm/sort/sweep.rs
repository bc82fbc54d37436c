//! Radix sort in one launch for each pass, by decoupled look-back. Before the passes, the keys are read once to count
//! the digits of all passes.

use super::passes::{BINS, Digit, Items, SegmentTiles, Sorted};
use crate::algorithm::assign::{evaluate, fused_with};
use crate::algorithm::moved::targets_in;
use crate::codegen::look_back::{LookBack, room};
use crate::codegen::{AnyFilled, Fused, Parameters, Ready, Template, profile};
use crate::device::sub_groups::Backend;
use crate::device::{DeviceFence, DeviceProfile, Shape, shapes};
use crate::element::Element;
use crate::expr::constant;
use crate::kernels;
use cl_core::{Access, Arg, Buffer, Memory, Result, Scratch};
use std::sync::{Mutex, PoisonError};

/// The kernel `sort_totals` of `kernels/sort_totals.cl`.
static TOTALS: Template<Totals> = Template {
    kernel: "sort_totals",
    definition: &kernels::SORT_TOTALS,
    shape: |profile, _, values| {
        let size = values.sorted.key_bytes;
        let rule = profile.in_packs(profile.tile_rule(&shapes::SORT_COUNTS, size), size, 1);
        let shape = profile.tuned(&shapes::SORT_COUNTS, size, profile.largest_group, rule);
        // The group that sums up needs a work-item for each digit.
        let least = if values.fence.is_some() { BINS } else { 1 };
        Shape { group: shape.group.max(least), ..shape }
    },
};

/// The parameters of `kernels/sort_totals.cl`.
#[derive(Clone, Copy, Parameters)]
struct Totals {
    sorted: Sorted,
    /// The number of the launch: 0 or 1. With a fence there is only the first one.
    stage: u8,
    /// The number of counters of a digit for each work-group.
    copies: usize,
    /// `true` if the tiles are those of long segments.
    segmented: bool,
    /// The fence by which the work-group that counts last sees all counts, which it then sums up.
    fence: Option<DeviceFence>,
}

/// The kernel `sort_sweep` of `kernels/sort_sweep.cl`.
static SWEEP: Template<Sweep> = Template { kernel: "sort_sweep", definition: &kernels::SORT_SWEEP, shape };

/// The parameters of `kernels/sort_sweep.cl`.
#[derive(Clone, Copy, Parameters)]
struct Sweep {
    sorted: Sorted,
    look_back: LookBack,
    /// `true` if the tiles are those of long segments.
    segmented: bool,
    /// The size in bytes of the largest word that goes through local memory.
    largest: usize,
}

/// The smallest number of work-items in a work-group: each looks back for one digit.
pub(super) const LEAST_GROUP: usize = BINS;
/// The smallest local memory of a device in bytes. The smallest shape takes 26 KiB for the largest items.
pub(super) const LEAST_LOCAL: usize = 32 << 10;
/// The number of work-items that rank their items together: `TEAM` of `kernels/sort_sweep.cl`.
const TEAM: usize = 32;
/// The number of passes whose digits are counted in one launch.
const PASSES_AT_ONCE: usize = 4;

/// The memory that a queue keeps between sorts. Launches that use it are executed one after the other, also on an
/// out-of-order queue, because each of them writes to it.
#[derive(Default)]
struct Kept(Mutex<State>);

#[derive(Default)]
struct State {
    /// The messages of tiles: the number of items of each digit in a tile, alone or with the tiles before it.
    messages: Option<Buffer<u64>>,
    /// The number of the next tile to begin, or of the work-groups that have counted; 0 between launches.
    tickets: Option<Buffer<u32>>,
    /// The numbers of occurrences of digits; 0 between sorts.
    counts: Option<Buffer<u32>>,
    /// The epoch of the last launch. The states in its messages are the epoch plus 1 or 2.
    epoch: u64,
}

/// The distance between the epochs of two launches.
const STEP: u64 = 4;
/// The last epoch whose states fit into a message, which has 24 bits for a state.
const LAST_EPOCH: u64 = (1 << 24) - 2 * STEP;

impl State {
    fn next_epoch(&mut self) -> u64 {
        if self.epoch >= LAST_EPOCH {
            // New messages, because old states would be mistaken for new ones.
            *self = State { tickets: self.tickets.take(), counts: self.counts.take(), ..State::default() };
        }
        self.epoch += STEP;
        self.epoch
    }
}

/// Returns the tiles of long segments, of the given number of items.
type LongTiles<'t> = &'t dyn Fn(usize) -> Result<SegmentTiles>;

/// Sorts the items: all of them, or those of long segments.
pub(super) fn sort(items: &Items<'_>, look_back: LookBack, long: Option<LongTiles<'_>>) -> Result<()> {
    let kept = items.queue.attachment::<Kept>();
    let mut state = kept.0.lock().unwrap_or_else(PoisonError::into_inner);
    let result = sort_with(items, look_back, long, &mut state);
    if result.is_err() {
        // A launch that resets the memory may not have been enqueued.
        *state = State::default();
    }
    result
}

fn sort_with(
    items: &Items<'_>,
    look_back: LookBack,
    long: Option<LongTiles<'_>>,
    state: &mut State,
) -> Result<()> {
    let (queue, len) = (items.queue, items.len);
    let digits: Vec<Digit> = items.digits().collect();
    let profile = profile(queue.context())?;
    let copies = copies(&profile, items.keys.size);
    let fused = Fused::new(items.operation);
    let segmented = long.is_some();
    let fence = profile.fence.filter(|_| !segmented);
    let total = |stage, fence| {
        fused.by(&TOTALS, Totals { sorted: items.only_keys(), stage, copies, segmented, fence })
    };
    let largest = largest(items);
    let sweep =
        |indices| fused.by(&SWEEP, Sweep { sorted: items.all(indices), look_back, segmented, largest });
    let (count, sum, first, rest) = (total(0, fence), total(1, None), sweep(items.indices), sweep(false));
    let kernels: [&dyn AnyFilled<'_, '_>; 4] = [&count, &first, &rest, &sum];
    // With a fence the last work-group sums up, so the last kernel is not needed.
    let ready = Fused::compile_all(&kernels[..4 - usize::from(fence.is_some())], queue, items.compiled_len)?;
    let (count, first, rest, sum) = (&ready[0], &ready[1], &ready[2], ready.get(3));
    let shape = rest.shape();
    let long = long.map(|tiles| tiles(shape.tile())).transpose()?;
    let tiles = long.as_ref().map_or(len.div_ceil(shape.tile()), SegmentTiles::count);
    let begins = match &long {
        Some(long) => count_long(items, &digits, (count, sum), long)?,
        None => {
            let begins = queue.scratch(digits.len() * BINS * size_of::<u64>())?;
            let counts = room(queue, &mut state.counts, 2 * digits.len() * BINS)?;
            let arrived = room(queue, &mut state.tickets, 1)?;
            count_all(items, &digits, (count, sum), [counts.memory(), &begins, arrived.memory()])?;
            begins
        }
    };
    items.each_pass(|pass| {
        let epoch = state.next_epoch();
        let messages = room(queue, &mut state.messages, tiles * BINS)?;
        let tickets = room(queue, &mut state.tickets, 1)?;
        let mut own = pass.arguments();
        if let Some(long) = &long {
            own.extend(long.arguments());
            own.push(Arg::value(digits.len() as u32));
        }
        own.extend([
            Arg::Memory(&begins, Access::Read),
            Arg::Memory(messages.memory(), Access::Overwrite),
            Arg::Memory(tickets.memory(), Access::Overwrite),
            Arg::value(epoch),
            Arg::value(pass.number as u32),
            Arg::value(items.kind.flip),
            Arg::value(pass.digit.shift),
            Arg::value(pass.digit.mask),
            rest.index(len),
        ]);
        let kernel = if pass.number == 0 { first } else { rest };
        // SAFETY: there is a group for each tile of `len` items or of the long segments, and room for the messages of all
        // groups. The messages' epoch differs from earlier ones. Keys and values have `len` items before, and room for
        // as many after.
        unsafe { kernel.launch(&own, tiles, shape.group) }
    })
}

/// Returns the shifts and masks of some digits, in a byte each.
fn packed(digits: &[Digit]) -> u64 {
    let packed = |packed, digit: &Digit| packed << 16 | u64::from(digit.mask) << 8 | u64::from(digit.shift);
    digits.iter().rev().fold(0, packed)
}

/// Counts the digits of all passes in each long segment, and computes where the items of each digit begin.
fn count_long<'q>(
    items: &Items<'q>,
    digits: &[Digit],
    (count, sum): (&Ready<'_, '_>, Option<&Ready<'_, '_>>),
    tiles: &SegmentTiles,
) -> Result<Scratch<'q>> {
    let (queue, passes) = (items.queue, digits.len() as u32);
    let len = tiles.count() * digits.len() * BINS;
    let begins = queue.scratch(len * size_of::<u32>())?;
    let zeros = constant(0_u32).take(len).into_graph();
    evaluate(fused_with(items.operation, zeros, targets_in(queue, &[&begins], len, [u32::TYPE]), false))?;
    for (at, some) in digits.chunks(PASSES_AT_ONCE).enumerate() {
        let mut own = vec![
            Arg::Memory(items.keys.first, Access::Read),
            Arg::Memory(&begins, Access::Write),
            Arg::value(items.kind.flip),
            Arg::value(packed(some)),
            Arg::value((at * PASSES_AT_ONCE) as u32),
            Arg::value(some.len() as u32),
        ];
        own.extend(tiles.arguments());
        own.extend([Arg::value(tiles.size as u32), Arg::value(passes), count.index(items.len)]);
        // SAFETY: the tiles are ranges of items, and there is a word for each digit of each tile's passes.
        unsafe { count.launch(&own, tiles.count(), count.shape().group)? };
    }
    let mut own = vec![Arg::Memory(&begins, Access::Write)];
    own.extend(tiles.arguments());
    own.push(Arg::value(passes));
    if let Some(sum) = sum {
        // SAFETY: as above.
        unsafe { sum.launch(&own, tiles.count(), BINS)? };
    }
    Ok(begins)
}

/// Counts the digits of all passes, and computes where the items of each digit begin: the last work-group does so, or
/// the kernel `sum`.
fn count_all(
    items: &Items<'_>,
    digits: &[Digit],
    (count, sum): (&Ready<'_, '_>, Option<&Ready<'_, '_>>),
    [counts, begins, arrived]: [&Memory; 3],
) -> Result<()> {
    let (len, shape) = (items.len, count.shape());
    for (at, some) in digits.chunks(PASSES_AT_ONCE).enumerate() {
        let mut own =
            vec![Arg::Memory(items.keys.first, Access::Read), Arg::Memory(counts, Access::Overwrite)];
        if sum.is_none() {
            own.extend([Arg::Memory(begins, Access::Write), Arg::Memory(arrived, Access::Overwrite)]);
        }
        own.extend([
            Arg::value(items.kind.flip),
            Arg::value(packed(some)),
            Arg::value((at * PASSES_AT_ONCE) as u32),
            Arg::value(some.len() as u32),
            count.index(len),
        ]);
        // SAFETY: the keys have `len` items, and there are two words for each digit of each pass, and room for its sum.
        unsafe { count.launch(&own, shape.groups(len), shape.group)? };
    }
    let Some(sum) = sum else { return Ok(()) };
    let own = [Arg::Memory(counts, Access::Overwrite), Arg::Memory(begins, Access::Overwrite)];
    // SAFETY: there is a group for each pass, and room for the sums of each pass.
    unsafe { sum.launch(&own, digits.len(), BINS) }
}

/// Returns the number of counters of a digit for each work-group.
///
/// A table has a counter for each digit of [`PASSES_AT_ONCE`] passes. A work-group has as many tables as fit
/// into local memory.
fn copies(profile: &DeviceProfile, key_bytes: usize) -> usize {
    let table = PASSES_AT_ONCE * BINS * size_of::<u32>();
    (profile.tile_rule(&shapes::SORT_COUNTS, key_bytes).local.min(profile.local_memory) / table).max(1)
}

/// Returns the size in bytes of the largest word that goes through local memory. Values of more than 8 bytes,
/// or of a size that is not a power of two, do not go through local memory.
fn largest(items: &Items<'_>) -> usize {
    let values = items.values.iter().map(|column| column.size);
    let gathered = values.filter(|size| size.is_power_of_two() && *size <= 8);
    gathered.fold(items.keys.size, usize::max)
}

/// Returns the shape of a tile, whose items and tables are in local memory.
fn shape(profile: &DeviceProfile, _: usize, values: &Sweep) -> Shape {
    let largest = values.largest.max(1);
    let what = if values.sorted.values > 0 { &shapes::SORT_VALUES } else { &shapes::SORT };
    let sub_groups = values.look_back.sub_groups;
    // With PTX, lanes with the same digit are found by votes, otherwise by a second table.
    let tables = if sub_groups.backend == Backend::Ptx { 1 } else { 2 };
    let packs = |bytes: usize| (bytes / largest.max(4)).clamp(1, 32);
    // Tables of all digits for each team, and the items. The other variables take less than `rest`.
    let rest = 1536;
    let local = |group: usize, bytes| {
        group * (tables * BINS * size_of::<u32>() / TEAM + packs(bytes) * largest) + rest
    };
    let (group, bytes) = profile.tile(what, largest, (TEAM.max(sub_groups.width), LEAST_GROUP), local);
    let packs = packs(bytes);
    Shape { chunked: false, group, pack: 1, packs, max_groups: usize::MAX, streams: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::SubGroups;
    use crate::device::profile::tests::{profile, row};
    use cl_core::Queue;

    #[test]
    fn epochs_begin_anew_with_new_messages() {
        cl_test::each_device(|device| {
            let queue = Queue::on(device).unwrap();
            let mut state = State { epoch: LAST_EPOCH - STEP, ..State::default() };
            room(&queue, &mut state.messages, 1).unwrap();
            assert_eq!(state.next_epoch(), LAST_EPOCH);
            assert!(state.messages.is_some());
            assert_eq!(state.next_epoch(), STEP);
            assert!(state.messages.is_none());
        });
    }

    #[test]
    fn tuning_rows_are_limited_by_local_memory() {
        let shape = |numbers| {
            let look_back = LookBack { sub_groups: SubGroups::WARPS, ..LookBack::ALONE };
            let values = Sweep { sorted: Sorted::of_integers(4), look_back, segmented: false, largest: 4 };
            let shape = shape(&profile(false, &row(&shapes::SORT, numbers)), 4, &values);
            (shape.group, shape.packs)
        };
        let rule = shape("- - -");
        assert_eq!(rule, (384, 23));
        assert_eq!(shape("384 92 -"), (384, 23), "just 48 KiB");
        assert_eq!(shape("512 48 -"), (512, 12));
        assert_eq!(shape("300 0 -"), (288, 1));
        assert_eq!(shape("1 64 -"), (LEAST_GROUP, 16), "each digit has a work-item");
        assert_eq!(shape("1024 20 -"), rule, "32 KiB of tables, 20 KiB of items");
        assert_eq!(shape("512 128 -"), rule, "64 KiB of items");
    }

    /// Checks that a group that sums up has a work-item for each digit, whatever a tuning table asks for.
    #[test]
    fn groups_that_sum_up_have_all_digits() {
        let group = |fence| {
            let row = profile(false, &row(&shapes::SORT_COUNTS, "32 16 1"));
            let totals =
                Totals { sorted: Sorted::of_integers(4), stage: 0, copies: 1, segmented: false, fence };
            (TOTALS.shape)(&row, 4, &totals).group
        };
        assert_eq!((group(None), group(Some(DeviceFence::Ptx))), (32, BINS));
    }

    /// Checks the rules without PTX, where a second table takes as much local memory as the first one.
    #[test]
    fn rules_are_held_to_local_memory() {
        for (values, largest) in [(0, 4), (0, 8), (1, 4), (1, 8)] {
            let mut sorted = Sorted::of_integers(4);
            sorted.values = values;
            let values = Sweep { sorted, look_back: LookBack::ALONE, segmented: false, largest };
            let Shape { group, packs, .. } = shape(&profile(false, ""), largest, &values);
            assert!(
                packs > 0 && group * (2 * BINS * 4 / TEAM + packs * largest) + 1536 <= 48 << 10,
                "{group} {packs}"
            );
        }
    }
}
