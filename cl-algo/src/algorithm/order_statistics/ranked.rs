//! The launches that find the key of a rank, or the items up to a rank.

use super::digits::{digits_of, key_of};
use crate::algorithm::moved::Targets;
use crate::algorithm::order::length;
use crate::algorithm::sort::{Digits, ScalarKey};
use crate::codegen::{AnyFilled, Fused, Parameters, Ready, Template};
use crate::device::{DeviceProfile, Shape, SubGroups, profile};
use crate::expr::{Expr, Val};
use crate::ir::graph::Graph;
use crate::ir::target::{Target, TargetIndex};
use crate::kernels;
use crate::sink::mapped;
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Error, Memory, Queue, Result, Scratch};
use std::borrow::Cow;

/// The kernels of `kernels/radix_select.cl`.
static RADIX_SELECT: Template<Values> = Template {
    kernel: "radix_select",
    definition: &kernels::RADIX_SELECT,
    shape: |profile, size, values| {
        let shape = shape(profile, size);
        // The first stage is one work-group.
        let most = if values.stage == Stage::Sample { SAMPLING_GROUP } else { GROUP };
        in_groups(profile, shape, most, values.sub_groups)
    },
};

/// The kernel of `kernels/radix_candidates.cl`.
static RADIX_CANDIDATES: Template<Candidates> = Template {
    kernel: "radix_candidates",
    definition: &kernels::RADIX_CANDIDATES,
    shape: |profile, size, _| shape(profile, size),
};

/// Returns the shape of a launch that reads all items.
pub(super) fn shape(profile: &DeviceProfile, size: usize) -> Shape {
    let shape = profile.reduction(size);
    let group = shape.group.min(GROUP);
    // As many work-items as a reduction has.
    Shape { group, max_groups: shape.max_groups.saturating_mul(shape.group / group), ..shape }
}

/// Returns the shape with the largest work-groups of at most `most` work-items in which sums can be computed.
pub(super) fn in_groups(profile: &DeviceProfile, shape: Shape, most: usize, sub_groups: SubGroups) -> Shape {
    let group = if shape.chunked { shape.group } else { profile.largest_group.min(most) };
    let width = sub_groups.width;
    Shape { group: if width > 1 { group.min(width * width) } else { group }, ..shape }
}

/// The parameters of `kernels/radix_select.cl`.
#[derive(Clone, Copy, Parameters)]
struct Values {
    stage: Stage,
    sub_groups: SubGroups,
    /// The number of tables of a work-group.
    copies: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Parameters)]
enum Stage {
    Sample = 0,
    Narrow = 1,
    StoreKey = 2,
    CountEqual = 3,
    StoreItems = 4,
}

/// The parameters of `kernels/radix_candidates.cl`.
#[derive(Clone, Copy, Parameters)]
struct Candidates {
    /// `true` if candidates have indices and no lower bound.
    indices: bool,
}

/// The largest number of tables of a CPU's work-group.
const COPIES: usize = 4;

/// The largest number of work-items in a work-group.
pub(super) const GROUP: usize = 256;
/// The largest number of work-items in the work-group that takes the sample.
const SAMPLING_GROUP: usize = 512;
/// The number of bits of a digit: `DIGIT_BITS` of the kernel.
const DIGIT_BITS: u32 = 11;
/// The number of counts of a digit: `BINS` of the kernel.
const BINS: usize = 1 << DIGIT_BITS;
/// The number of items in the largest sample: `SAMPLE` of the kernel.
const SAMPLE: usize = 16 << 10;
/// The number of items in the smallest sample.
const LEAST_SAMPLE: usize = 2 << 10;
/// The number of items of the sample that take as long as a candidate. On two cores an item of the sample takes 20 ns, and
/// a lone candidate 80, for which its neighbours are searched.
const CANDIDATE_COST: f64 = 4.0;
/// The greatest number of candidates with the same key whose indices are listed: `LISTED` of the kernel.
const LISTED: usize = 1024;
/// The number of counts before the tables.
const COUNTS: usize = 8;
/// The flags of the argument `how`.
const SAMPLED: u32 = 256;
const OPEN: u32 = 512;

/// Keys from which one is selected by its rank.
pub(super) struct Keys<'a> {
    pub(super) operation: &'static str,
    pub(super) digits: Graph<'a>,
    pub(super) queue: Cow<'a, Queue>,
    pub(super) len: usize,
    bits: u32,
    descending: bool,
}

/// The ranks in the sample between whose keys the key of a rank lies, except in one of ten thousand samples of items in
/// random order. `u32::MAX` stands for the end of all keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bracket {
    lower: u32,
    upper: u32,
    /// The number of items of the sample by which the kernel may widen the bracket on either side.
    enough: u32,
    /// The number of items in the sample, a power of two.
    sample: usize,
}

impl Bracket {
    /// Returns the bracket of the sample with which a selection takes the least time.
    fn of(rank: usize, len: usize, is_open: bool) -> Bracket {
        let expected = |bracket: &Bracket| bracket.width() as f64 / bracket.sample as f64 * len as f64;
        let cost = |bracket: &Bracket| bracket.sample as f64 + CANDIDATE_COST * expected(bracket);
        let sizes = (LEAST_SAMPLE.ilog2()..SAMPLE.ilog2()).rev().map(|bits| 1 << bits);
        let largest = Bracket::in_sample(SAMPLE, rank, len, is_open);
        sizes.fold(largest, |best, size| {
            let other = Bracket::in_sample(size, rank, len, is_open);
            if cost(&other) < cost(&best) { other } else { best }
        })
    }

    /// Returns the bracket in a sample of `size` items.
    fn in_sample(size: usize, rank: usize, len: usize, is_open: bool) -> Bracket {
        let sample = size as f64;
        let expected = rank as f64 / len as f64 * sample;
        let margin = 4.0 * (expected * (sample - expected).max(0.0) / sample).sqrt() + 4.0;
        let lower = (expected - margin).floor();
        let upper = (expected + margin).ceil();
        let end = u32::MAX;
        let lower = if is_open || lower < 0.0 { end } else { lower as u32 };
        let upper = if upper >= sample { end } else { upper as u32 };
        let bracket = Bracket { lower, upper, enough: 0, sample: size };
        Bracket { enough: bracket.width() as u32 / 16, ..bracket }
    }

    /// Returns the number of items of the sample in the bracket.
    fn width(self) -> usize {
        let lower = if self.lower == u32::MAX { 0 } else { self.lower as usize };
        self.sample.min(self.upper as usize) + 2 * self.enough as usize - lower
    }

    /// Returns the number of items between the keys, except in one of a million samples.
    fn candidates(self, len: usize) -> usize {
        let width = self.width() as f64;
        ((width + 5.0 * width.sqrt() + 16.0) / self.sample as f64 * len as f64) as usize
    }
}

/// A launch that copies the candidates of a selection.
pub(super) type Copying<'c> = &'c dyn Fn(&Room<'_>) -> Result<()>;

/// The memory of a selection.
pub(super) struct Room<'q> {
    /// The keys of the sample, then the ranges of keys.
    pub(super) numbers: Scratch<'q>,
    pub(super) counts: Scratch<'q>,
    /// The candidates.
    pub(super) keys: Scratch<'q>,
    /// The candidates' indices, if they have any.
    indices: Option<Scratch<'q>>,
    /// The number of candidates that there is room for.
    pub(super) candidates: usize,
    /// The number of passes that narrow the range.
    passes: usize,
    how: u32,
}

impl<'a> Keys<'a> {
    /// Returns the keys of an expression, the smallest first, or the largest first if `descending`.
    pub(super) fn of<K: ScalarKey>(
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

    /// Returns whether a sample is taken, and the items between two of its keys are candidates.
    pub(super) fn is_sampled(&self) -> bool {
        self.len > SAMPLE && self.bits > DIGIT_BITS
    }

    /// Returns the number of tables of counts for which a work-group has local memory.
    fn copies(&self) -> Result<usize> {
        let profile = profile(self.queue.context())?;
        let fitting = profile.local_room(usize::MAX) / (BINS * size_of::<u32>());
        Ok(if profile.chunked { 1 << fitting.clamp(1, COPIES).ilog2() } else { 1 })
    }

    /// Returns the sub-groups of the kernels.
    pub(super) fn sub_groups(&self) -> Result<SubGroups> {
        let is_chunked = profile(self.queue.context())?.chunked;
        if is_chunked { Ok(SubGroups::NONE) } else { SubGroups::on(&self.queue) }
    }

    /// Stores the key of a rank, which must be below the length, as an element of a vector.
    pub(super) fn store_nth<K: ScalarKey>(&self, rank: usize, found: &DeviceVec<K>, at: usize) -> Result<()> {
        self.store_nth_by::<K>(rank, found, at, None).map(drop)
    }

    /// Stores the key of a rank. `split` copies the candidates, if there are any.
    pub(super) fn store_nth_by<K: ScalarKey>(
        &self,
        rank: usize,
        found: &DeviceVec<K>,
        at: usize,
        split: Option<Copying<'_>>,
    ) -> Result<Room<'_>> {
        let index = TargetIndex::Line { stride: 1, offset: at as i64 };
        let sink = Targets(vec![Target { index, len: 1, ..Target::whole(found) }]);
        let fused = Fused::new(self.operation).with_input("", self.digits.clone());
        let stored = Fused::new(self.operation).with_input("", self.digits.clone());
        let descending = self.descending;
        let sink =
            mapped::<K::Digits, _, _, _>(sink, move |digits: Val<K::Digits>| key_of::<K>(digits, descending));
        let stored = stored.output::<K::Digits>("", "", sink);
        let (copies, sub_groups) = (self.copies()?, self.sub_groups()?);
        let values = |stage| Values { stage, sub_groups, copies };
        let (sample, narrow) = (Stage::Sample, Stage::Narrow);
        let [sample, narrow] = [sample, narrow].map(|stage| fused.by(&RADIX_SELECT, values(stage)));
        let last = stored.by(&RADIX_SELECT, values(Stage::StoreKey));
        let copy = fused.by(&RADIX_CANDIDATES, Candidates { indices: false });
        // The kernel that splits units copies the candidates.
        let kernels: [&dyn AnyFilled<'_, '_>; 4] = [&sample, &narrow, &last, &copy];
        let used = if split.is_some() { &kernels[..3] } else { &kernels[..] };
        let ready = Fused::compile_all(used, &self.queue, self.len)?;
        let stages = [&ready[0], &ready[1]];
        let room = match split {
            Some(split) => self.find::<K::Digits>(stages, rank, false, split)?,
            None => self.find::<K::Digits>(stages, rank, false, |room| self.copy(&ready[3], room))?,
        };
        let last = &ready[2];
        let own = [
            Arg::Memory(&room.numbers, Access::Read),
            Arg::Memory(&room.counts, Access::Read),
            Arg::value(room.candidates as u32),
            Arg::value(rank as u32),
            Arg::value(room.how),
            Arg::value(room.passes as u32),
            last.index(self.len),
        ];
        // SAFETY: one work-group reads what the launches before it have written, and stores one item.
        unsafe { last.launch(&own, 1, last.shape().group)? };
        Ok(room)
    }

    /// Copies the items between the keys of the sample.
    fn copy(&self, copy: &Ready<'_, '_>, room: &Room<'_>) -> Result<()> {
        let shape = copy.shape();
        let mut own = vec![
            Arg::Memory(&room.numbers, Access::Read),
            Arg::Memory(&room.counts, Access::Write),
            Arg::Memory(&room.keys, Access::Overwrite),
        ];
        own.extend(room.indices.as_deref().map(|indices| Arg::Memory(indices, Access::Overwrite)));
        own.extend([Arg::value(room.candidates as u32), copy.index(self.len)]);
        // SAFETY: the kernel reads items below `len`, and stores candidates where there is room.
        unsafe { copy.launch(&own, shape.groups(self.len), shape.group) }
    }

    /// Stores the keys and the indices of the items of the ranks 0 to `rank`, in any order. There must be room for
    /// `rank + 1` of them.
    pub(super) fn store_first<D: Digits>(&self, rank: usize, keys: &Memory, indices: &Memory) -> Result<()> {
        let fused = Fused::new(self.operation).with_input("", self.digits.clone());
        let (copies, sub_groups) = (self.copies()?, self.sub_groups()?);
        let stages = [Stage::Sample, Stage::Narrow, Stage::CountEqual, Stage::StoreItems];
        let [sample, narrow, count, store] =
            stages.map(|stage| fused.by(&RADIX_SELECT, Values { stage, sub_groups, copies }));
        let copy = fused.by(&RADIX_CANDIDATES, Candidates { indices: true });
        let kernels: [&dyn AnyFilled<'_, '_>; 5] = [&sample, &copy, &narrow, &count, &store];
        let ready = Fused::compile_all(&kernels, &self.queue, self.len)?;
        let room = self.find::<D>([&ready[0], &ready[2]], rank, true, |room| self.copy(&ready[1], room))?;
        let (count, store) = (&ready[3], &ready[4]);
        let shape = count.shape();
        let groups = shape.groups(self.len);
        let equal = self.queue.scratch((groups + LISTED) * size_of::<u32>())?;
        // No kernel reads the indices of candidates if there are none.
        let candidates = room.indices.as_deref().unwrap_or(&room.keys);
        let own = [
            Arg::Memory(&room.numbers, Access::Write),
            Arg::Memory(&room.counts, Access::Write),
            Arg::Memory(&room.keys, Access::Read),
            Arg::Memory(candidates, Access::Read),
            Arg::value(room.candidates as u32),
            Arg::value(rank as u32),
            Arg::value(room.how),
            Arg::value(room.passes as u32),
            Arg::Memory(&equal, Access::Overwrite),
            count.index(self.len),
        ];
        // SAFETY: the kernel reads items below `len` and candidates, and writes the numbers of a pass, a count for each
        // work-group, and at most `LISTED` indices.
        unsafe { count.launch(&own, groups, shape.group)? };
        let own = [
            Arg::Memory(&room.numbers, Access::Read),
            Arg::Memory(&room.counts, Access::Write),
            Arg::Memory(&room.keys, Access::Read),
            Arg::Memory(candidates, Access::Read),
            Arg::value(rank as u32),
            Arg::value(room.passes as u32),
            Arg::Memory(&equal, Access::Read),
            Arg::Memory(keys, Access::Overwrite),
            Arg::Memory(indices, Access::Overwrite),
            store.index(self.len),
        ];
        // SAFETY: the kernel reads items below `len` and candidates, and stores at most `rank + 1` keys and indices. It
        // has the work-groups of the launch that has counted for each of them.
        unsafe { store.launch(&own, groups, shape.group) }
    }

    /// Finds a range of keys with the item of a rank, which the next launch narrows once more. With `is_open`, all
    /// items less than the key are candidates, and candidates have indices. `copy` copies the candidates.
    fn find<D: Digits>(
        &self,
        [sample, narrow]: [&Ready<'_, '_>; 2],
        rank: usize,
        is_open: bool,
        copy: impl FnOnce(&Room<'_>) -> Result<()>,
    ) -> Result<Room<'_>> {
        let (queue, len) = (&*self.queue, self.len);
        let is_whole = len <= SAMPLE;
        let is_sampled = self.is_sampled();
        let bracket = Bracket::of(rank, len, is_open);
        let candidates = if is_sampled { bracket.candidates(len).min(len) } else { 0 };
        // The first launch finds the key in a whole sample.
        let passes = if is_whole { 1 } else { self.bits.div_ceil(DIGIT_BITS) as usize };
        let counts = COUNTS + passes * BINS;
        let indices = (is_open && is_sampled).then(|| queue.scratch(candidates * size_of::<u32>()));
        let room = Room {
            numbers: queue.scratch((2 + 6 * (passes + 1)) * size_of::<u64>())?,
            counts: queue.scratch(counts * size_of::<u32>())?,
            keys: queue.scratch(candidates.max(SAMPLE) * D::TYPE.size())?,
            indices: indices.transpose()?,
            candidates,
            passes,
            how: self.bits | if is_sampled { SAMPLED } else { 0 } | if is_open { OPEN } else { 0 },
        };
        let own = [
            Arg::Memory(&room.numbers, Access::Overwrite),
            Arg::Memory(&room.counts, Access::Overwrite),
            Arg::Memory(&room.keys, Access::Overwrite),
            Arg::value(counts as u32),
            Arg::value(bracket.lower),
            Arg::value(bracket.upper),
            Arg::value(bracket.enough),
            Arg::value(rank as u32),
            Arg::value(bracket.sample.ilog2()),
            sample.index(if is_whole || is_sampled { len } else { 0 }),
        ];
        // SAFETY: the kernel clears the counts, reads items below `len`, keeps at most `SAMPLE` of them, and writes the
        // numbers of at most one pass.
        unsafe { sample.launch(&own, 1, sample.shape().group)? };
        if is_whole {
            return Ok(room);
        }
        let common = [Arg::value(room.candidates as u32), Arg::value(rank as u32), Arg::value(room.how)];
        if is_sampled {
            copy(&room)?;
        }
        let shape = narrow.shape();
        for pass in 0..passes {
            let [room_for, rank, how] = common;
            let own = [
                Arg::Memory(&room.numbers, Access::Write),
                Arg::Memory(&room.counts, Access::Write),
                Arg::Memory(&room.keys, Access::Read),
                room_for,
                rank,
                how,
                Arg::value(pass as u32),
                narrow.index(len),
            ];
            // SAFETY: the kernel reads items below `len` or candidates, writes the numbers of its pass, and counts in
            // the table of its pass.
            unsafe { narrow.launch(&own, shape.groups(len), shape.group)? };
        }
        Ok(room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_contain_their_rank() {
        let len = 1 << 24;
        let first = Bracket { lower: u32::MAX, upper: 6, enough: 0, sample: SAMPLE };
        assert_eq!(Bracket::of(99, len, true), first);
        assert!(Bracket::of(99, 1 << 18, true).sample < SAMPLE);
        let Bracket { lower, upper, enough, sample } = Bracket::of(len / 2, len, false);
        assert_eq!(sample, SAMPLE);
        assert!(
            lower < 8192 && upper > 8192 && upper - lower < 530 && enough < 34,
            "{lower} {upper} {enough}"
        );
        assert_eq!(Bracket::of(0, len, false).lower, u32::MAX);
        assert_eq!(Bracket::of(len - 1, len, false).upper, u32::MAX);
        for rank in [0, 1, len / 4, len / 2, len - 1] {
            let candidates = Bracket::of(rank, len, true).candidates(len);
            assert!(candidates > rank, "{rank} {candidates}");
        }
    }
}
