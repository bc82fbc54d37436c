//! The launches that find the key of a rank, or the items up to a rank.

use super::digits::{digits_of, key_of};
use crate::algorithm::order::length;
use crate::algorithm::sort::{Digits, SortKey};
use crate::codegen::{Fused, Parameters, Ready, Template};
use crate::device::{Shape, profile};
use crate::expr::{Expr, Val};
use crate::ir::graph::Graph;
use crate::kernels;
use crate::sink::{Sink, mapped};
use cl_core::{Access, Arg, Error, Memory, Queue, Result, Scratch};
use std::borrow::Cow;

/// The kernels of `kernels/radix_select.cl`.
static RADIX_SELECT: Template<Values> = Template {
    kernel: "radix_select",
    definition: &kernels::RADIX_SELECT,
    shape: |profile, size, _| {
        let shape = profile.reduction(size);
        let group = shape.group.min(GROUP);
        // As many work-items as a reduction has.
        Shape { group, max_groups: shape.max_groups.saturating_mul(shape.group / group), ..shape }
    },
};

/// The parameters of `kernels/radix_select.cl`.
#[derive(Clone, Copy, Parameters)]
struct Values {
    stage: u8,
    /// The number of tables of a work-group.
    copies: usize,
}

/// The largest number of tables of a CPU's work-group.
const COPIES: usize = 4;

/// The largest number of work-items in a work-group.
const GROUP: usize = 256;
/// The largest number of bits of a digit: `DIGIT_BITS` of the kernel.
const DIGIT_BITS: u32 = 11;
/// The number of counts of a digit: `BINS` of the kernel.
const BINS: usize = 1 << DIGIT_BITS;
/// The number of items in the sample: `SAMPLE` of the kernel.
const SAMPLE: usize = 2048;
/// The number of counts before the tables.
const COUNTS: usize = 4;
/// The smallest number of items for which a sample is taken.
const LONG: usize = 16 * SAMPLE;

/// Keys from which one is selected by its rank.
pub(super) struct Keys<'a> {
    operation: &'static str,
    digits: Graph<'a>,
    pub(super) queue: Cow<'a, Queue>,
    pub(super) len: usize,
    bits: u32,
    descending: bool,
}

/// A digit of a key, or of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Digit {
    by_index: bool,
    shift: u32,
    width: u32,
}

/// Returns the digits of a number of `bits` bits, from the highest to the lowest.
fn digits(bits: u32, by_index: bool) -> impl Iterator<Item = Digit> {
    let count = bits.div_ceil(DIGIT_BITS);
    let edge = move |at: u32| bits * at / count;
    (0..count).rev().map(move |at| Digit { by_index, shift: edge(at), width: edge(at + 1) - edge(at) })
}

/// Returns the ranks in the sample between which the key of a rank lies, except in one of a million samples of items
/// in random order.
fn bracket(rank: usize, len: usize, one_sided: bool) -> (u32, u32) {
    let (expected, sample) = (rank as f64 / len as f64 * SAMPLE as f64, SAMPLE as f64);
    let margin = 5.0 * (expected * (sample - expected).max(0.0) / sample).sqrt() + 4.0;
    let lower = (expected - margin).floor();
    let upper = (expected + margin).ceil();
    let end = u32::MAX;
    (
        if one_sided || lower < 0.0 { end } else { lower as u32 },
        if upper >= sample { end } else { upper as u32 },
    )
}

/// The memory of a selection.
struct Room<'q> {
    numbers: Scratch<'q>,
    counts: Scratch<'q>,
    keys: Scratch<'q>,
    indices: Scratch<'q>,
    /// The number of candidates that there is room for.
    candidates: usize,
}

impl<'a> Keys<'a> {
    /// Returns the keys of an expression, the smallest first, or the largest first if `descending`.
    pub(super) fn of<K: SortKey>(
        operation: &'static str,
        keys: Expr<'a, K>,
        descending: bool,
    ) -> Result<Keys<'a>> {
        let queue = keys.shared_queue();
        let digits = keys.map(|key| digits_of(key, descending)).into_graph();
        let len = length(&digits, operation)?;
        let Some(queue) = queue else {
            let reason = "the expression reads no vector, and so has no queue: call `on` first".to_owned();
            return Err(Error::invalid_input(operation, reason));
        };
        if u32::try_from(len).is_err() {
            let reason = format!("there are {len} elements; at most {} can be selected from", u32::MAX);
            return Err(Error::invalid_input(operation, reason));
        }
        Ok(Keys { operation, digits, queue, len, bits: K::BITS, descending })
    }

    /// Returns an error unless there is an element of the rank.
    pub(super) fn check_rank(&self, rank: usize) -> Result<()> {
        if rank < self.len {
            return Ok(());
        }
        Err(Error::out_of_bounds(self.operation, rank, rank.saturating_add(1), self.len))
    }

    /// Returns the number of tables of counts for which a work-group has local memory.
    fn copies(&self) -> Result<usize> {
        let profile = profile(self.queue.context())?;
        let fitting = profile.local_room(usize::MAX) / (BINS * size_of::<u32>());
        Ok(if profile.chunked { 1 << fitting.clamp(1, COPIES).ilog2() } else { 1 })
    }

    /// Stores the key of a rank, which must be below the length.
    pub(super) fn store_nth<K: SortKey>(&self, rank: usize, sink: impl Sink<'a, K>) -> Result<()> {
        let fused = Fused::new(self.operation).with_input("", self.digits.clone());
        let stored = Fused::new(self.operation).with_input("", self.digits.clone());
        let descending = self.descending;
        let sink =
            mapped::<K::Digits, _, _, _>(sink, move |digits: Val<K::Digits>| key_of::<K>(digits, descending));
        let stored = stored.output::<K::Digits>("", "", sink);
        let copies = self.copies()?;
        let kernels = [0, 1, 2].map(|stage| fused.by(&RADIX_SELECT, Values { stage, copies }));
        let last = stored.by(&RADIX_SELECT, Values { stage: 3, copies });
        let [a, b, c] = &kernels;
        let ready = Fused::compile_all(&[a, b, c, &last], &self.queue, self.len)?;
        let passes: Vec<Digit> = digits(self.bits, false).collect();
        let room = self.find::<K::Digits>([&ready[0], &ready[1], &ready[2]], rank, &passes, false)?;
        let own = [
            Arg::Memory(&room.numbers, Access::Read),
            Arg::Memory(&room.counts, Access::Read),
            Arg::value(room.candidates as u32),
            Arg::value(rank as u32),
            Arg::value(passes.len() as u32),
            Arg::value(passes.last().map_or(0, |digit| digit.shift)),
        ];
        let last = &ready[3];
        // SAFETY: one work-group reads what the launches before it have written, and stores one item.
        unsafe { last.launch(&own, 1, last.shape().group) }
    }

    /// Stores the keys and the indices of the items of the ranks 0 to `rank`, in any order. There must be room for
    /// `rank + 1` of them.
    pub(super) fn store_first<D: Digits>(&self, rank: usize, keys: &Memory, indices: &Memory) -> Result<()> {
        let fused = Fused::new(self.operation).with_input("", self.digits.clone());
        let copies = self.copies()?;
        let kernels = [0, 1, 2, 4].map(|stage| fused.by(&RADIX_SELECT, Values { stage, copies }));
        let [a, b, c, d] = &kernels;
        let ready = Fused::compile_all(&[a, b, c, d], &self.queue, self.len)?;
        let index_bits = self.len.next_power_of_two().ilog2().max(1);
        let passes: Vec<Digit> = digits(self.bits, false).chain(digits(index_bits, true)).collect();
        let room = self.find::<D>([&ready[0], &ready[1], &ready[2]], rank, &passes, true)?;
        let last = &ready[3];
        let own = [
            Arg::Memory(&room.numbers, Access::Read),
            Arg::Memory(&room.counts, Access::Write),
            Arg::Memory(&room.keys, Access::Read),
            Arg::Memory(&room.indices, Access::Read),
            Arg::value(room.candidates as u32),
            Arg::value(rank as u32),
            Arg::value(passes.len() as u32),
            Arg::value(passes.last().map_or(0, |digit| digit.shift)),
            Arg::Memory(keys, Access::Overwrite),
            Arg::Memory(indices, Access::Overwrite),
            last.index(self.len),
        ];
        let shape = last.shape();
        // SAFETY: the kernel reads items below `len` and candidates, and stores at most `rank + 1` keys and indices.
        unsafe { last.launch(&own, shape.groups(self.len), shape.group) }
    }

    /// Finds the digits of the item of a rank, up to the last of `passes`, which the next launch reads.
    fn find<D: Digits>(
        &self,
        [sample, copy, count]: [&Ready<'_, '_>; 3],
        rank: usize,
        passes: &[Digit],
        one_sided: bool,
    ) -> Result<Room<'_>> {
        let (queue, len) = (&*self.queue, self.len);
        let sampled = len >= LONG && self.bits > DIGIT_BITS;
        let candidates = if sampled { len / 4 } else { 0 };
        let counts = COUNTS + passes.len() * BINS;
        let room = Room {
            numbers: queue.scratch((2 + 4 * passes.len()) * size_of::<u64>())?,
            counts: queue.scratch(counts * size_of::<u32>())?,
            // One more: see the kernel.
            keys: queue.scratch((candidates + 1) * D::TYPE.size())?,
            indices: queue.scratch((candidates + 1) * size_of::<u32>())?,
            candidates,
        };
        let (lower, upper) = bracket(rank, len, one_sided);
        let shape = sample.shape();
        let own = [
            Arg::Memory(&room.numbers, Access::Overwrite),
            Arg::Memory(&room.counts, Access::Overwrite),
            Arg::value(counts as u32),
            Arg::value(lower),
            Arg::value(upper),
            sample.index(if sampled { len } else { 0 }),
        ];
        // Each work-group reads the whole sample, so there are few of them.
        let groups = (SAMPLE / shape.group.max(GROUP)).clamp(1, shape.max_groups);
        // SAFETY: the kernel clears the counts, reads items below `len`, and writes two numbers.
        unsafe { sample.launch(&own, groups, shape.group)? };
        if sampled {
            let shape = copy.shape();
            let own = [
                Arg::Memory(&room.numbers, Access::Read),
                Arg::Memory(&room.counts, Access::Write),
                Arg::Memory(&room.keys, Access::Overwrite),
                Arg::Memory(&room.indices, Access::Overwrite),
                Arg::value(candidates as u32),
                copy.index(len),
            ];
            // SAFETY: the kernel reads items below `len`, and stores candidates where there is room.
            unsafe { copy.launch(&own, shape.groups(len), shape.group)? };
        }
        let shape = count.shape();
        let (mut known, mut known_index) = (0_u64, 0_u32);
        let mut before = Digit { by_index: false, shift: 0, width: 0 };
        for (pass, &digit) in passes.iter().enumerate() {
            let mask = (1_u32 << digit.width) - 1;
            let own = [
                Arg::Memory(&room.numbers, Access::Write),
                Arg::Memory(&room.counts, Access::Write),
                Arg::Memory(&room.keys, Access::Read),
                Arg::Memory(&room.indices, Access::Read),
                Arg::value(candidates as u32),
                Arg::value(rank as u32),
                Arg::value(pass as u32),
                Arg::value(before.shift),
                Arg::value(u32::from(before.by_index)),
                Arg::value(digit.shift),
                Arg::value(mask),
                Arg::value(u32::from(digit.by_index)),
                Arg::value(known),
                Arg::value(known_index),
                count.index(len),
            ];
            // SAFETY: the kernel reads items below `len` or candidates, writes the numbers of its pass, and counts in
            // the table of its pass.
            unsafe { count.launch(&own, shape.groups(len), shape.group)? };
            if digit.by_index {
                known_index |= mask << digit.shift;
            } else {
                known |= u64::from(mask) << digit.shift;
            }
            before = digit;
        }
        Ok(room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_cover_the_bits_once() {
        for bits in [1, 8, 16, 31, 32, 64] {
            let mut next = bits;
            for digit in digits(bits, false) {
                assert!(digit.width > 0 && digit.width <= DIGIT_BITS, "{digit:?}");
                assert_eq!(digit.shift + digit.width, next);
                next = digit.shift;
            }
            assert_eq!(next, 0);
        }
    }

    #[test]
    fn brackets_contain_their_rank() {
        let len = 1 << 24;
        assert_eq!(bracket(99, len, true), (u32::MAX, 5));
        let (lower, upper) = bracket(len / 2, len, false);
        assert!(lower < 1024 && upper > 1024 && upper - lower < 256, "{lower} {upper}");
        assert_eq!(bracket(0, len, false).0, u32::MAX);
        assert_eq!(bracket(len - 1, len, false).1, u32::MAX);
    }
}
