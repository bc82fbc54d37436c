//! The parts that all methods of sorting share: items in columns, which the passes move to and fro.

use super::key::{KeyKind, Keys};
use crate::codegen::Parameters;
use crate::ir::target::Target;
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Memory, Queue, Result, Scratch};
use smallvec::SmallVec;
use std::ops::Range;

/// The largest number of bits of a digit.
const DIGIT: u32 = 8;
/// The largest number of vectors of values.
pub(in crate::algorithm) const MOST_VALUES: usize = 8;
/// The number of different digits.
pub(super) const BINS: usize = 1 << DIGIT;

/// The keys, or one vector of values.
#[derive(Clone, Copy)]
pub(super) struct Column<'a> {
    /// The memory that the first pass reads the items from.
    pub(super) first: &'a Memory,
    /// The memory that every second pass stores the items to, including the last pass.
    pub(super) home: &'a Memory,
    /// The size of an item in bytes.
    pub(super) size: usize,
}

/// The items to sort, and how to sort them.
pub(super) struct Items<'a> {
    /// The name of the public function, for errors.
    pub(super) operation: &'static str,
    pub(super) queue: &'a Queue,
    pub(super) len: usize,
    /// The length that kernels are compiled for: `len`, or more in tests.
    pub(super) compiled_len: usize,
    pub(super) kind: KeyKind,
    /// The bits to sort by, from the lowest bit of the keys' order on.
    pub(super) bits: Range<u32>,
    pub(super) keys: Column<'a>,
    pub(super) values: Vec<Column<'a>>,
    /// `true` if the only values are indices, which the first pass makes.
    pub(super) indices: bool,
    /// The segments, if each is sorted by itself.
    pub(super) within: Option<Within<'a>>,
}

/// A pass: the digit that it sorts by, and the memory of keys and values before and after it.
pub(super) struct Pass<'p> {
    pub(super) number: usize,
    pub(super) digit: Digit,
    columns: SmallVec<[[&'p Memory; 2]; 3]>,
}

/// Some neighbouring bits of the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digit {
    pub(super) shift: u32,
    pub(super) mask: u32,
}

impl<'a> Column<'a> {
    /// Returns the column of items that are sorted in place.
    pub(super) fn in_place(target: &Target<'a>) -> Column<'a> {
        Column { first: target.memory, home: target.memory, size: target.element.size() }
    }

    /// Returns the memory that a pass reads the items from, and the memory that it stores them to.
    fn ends<'p>(&self, pass: usize, spare: &'p Memory) -> [&'p Memory; 2]
    where
        'a: 'p,
    {
        match pass {
            0 => [self.first, spare],
            _ if pass.is_multiple_of(2) => [self.home, spare],
            _ => [spare, self.home],
        }
    }
}

impl Pass<'_> {
    /// Returns the keys before and after the pass, then each of the values before and after.
    pub(super) fn arguments(&self) -> SmallVec<[Arg<'_>; 16]> {
        let both =
            |&[from, to]: &[_; 2]| [Arg::Memory(from, Access::Read), Arg::Memory(to, Access::Overwrite)];
        self.columns.iter().flat_map(both).collect()
    }
}

impl Items<'_> {
    /// Returns the digits from the lowest to the highest.
    ///
    /// Their number is even, because every second pass stores the items to `home`. One more pass costs as much as a
    /// copy would, and makes the digits smaller.
    pub(super) fn digits(&self) -> impl Iterator<Item = Digit> + use<> {
        let (begin, count) = (self.bits.start, self.bits.end - self.bits.start);
        let passes = 2 * count.div_ceil(2 * DIGIT).max(1);
        let edge = move |pass: u32| begin + count * pass / passes;
        // An empty digit needs a shift below the number of bits, too.
        let highest = 8 * self.keys.size as u32 - 1;
        (0..passes).map(move |pass| Digit {
            shift: edge(pass).min(highest),
            mask: (1 << (edge(pass + 1) - edge(pass))) - 1,
        })
    }

    /// Returns the bits to sort by, of keys of 64 bits.
    pub(super) fn key_mask(&self) -> u64 {
        (u64::MAX >> (u64::BITS - (self.bits.end - self.bits.start))) << self.bits.start
    }

    /// Calls `run` for each pass.
    pub(super) fn each_pass(&self, run: impl FnMut(&Pass<'_>) -> Result<()>) -> Result<()> {
        self.pass_by(self.digits(), run)
    }

    /// Calls `run` for a pass by each digit.
    pub(super) fn pass_by(
        &self,
        digits: impl Iterator<Item = Digit>,
        mut run: impl FnMut(&Pass<'_>) -> Result<()>,
    ) -> Result<()> {
        let columns = || std::iter::once(&self.keys).chain(&self.values);
        let spare: SmallVec<[Scratch<'_>; 3]> =
            columns().map(|column| self.queue.scratch(self.len * column.size)).collect::<Result<_>>()?;
        for (number, digit) in digits.enumerate() {
            let ends = columns().zip(&spare).map(|(column, spare)| column.ends(number, spare));
            run(&Pass { number, digit, columns: ends.collect() })?;
        }
        Ok(())
    }

    /// Returns the size in bytes of an item's key and values.
    pub(super) fn bytes(&self) -> usize {
        self.keys.size + self.values.iter().map(|column| column.size).sum::<usize>()
    }

    /// Returns the parameters of `kernels/sort_items.cl` for a kernel that reads only the keys.
    pub(super) fn only_keys(&self) -> Sorted {
        self.sorted(&[], false)
    }

    /// Returns the parameters with all values, for a pass that makes indices or does not.
    pub(super) fn all(&self, indices: bool) -> Sorted {
        self.sorted(&self.values, indices)
    }

    fn sorted(&self, columns: &[Column<'_>], indices: bool) -> Sorted {
        let KeyKind { bytes: key_bytes, keys, .. } = self.kind;
        let words = [Words { word: 1, count: 1 }; MOST_VALUES];
        let mut sorted = Sorted { key_bytes, keys, values: columns.len(), indices, words };
        for (words, column) in sorted.words.iter_mut().zip(columns) {
            let size = column.size.max(1);
            // The largest word size that divides the item's size.
            let word = 1 << size.trailing_zeros().min(3);
            *words = Words { word, count: size / word };
        }
        sorted
    }
}

/// The segments whose items are sorted, each by itself.
#[derive(Clone, Copy, Debug)]
pub(in crate::algorithm) struct Within<'a> {
    /// The begin of each segment, and the end of the last one.
    pub(in crate::algorithm) offsets: &'a DeviceVec<u32>,
    /// The length of the longest segment.
    pub(in crate::algorithm) longest: usize,
}

/// The tiles of long segments: on CPUs chunks. The last ones may be empty, because only the device knows the number of
/// tiles.
pub(super) struct SegmentTiles {
    /// Where the segment of each tile begins and ends, and the number of the segment's first tile.
    pub(super) begins: DeviceVec<u32>,
    pub(super) ends: DeviceVec<u32>,
    pub(super) heads: DeviceVec<u32>,
    /// The number of items of a tile.
    pub(super) size: usize,
}

impl SegmentTiles {
    /// Returns the number of tiles.
    pub(super) fn count(&self) -> usize {
        self.begins.len()
    }

    /// Returns the three vectors as arguments.
    pub(super) fn arguments(&self) -> [Arg<'_>; 3] {
        [&self.begins, &self.ends, &self.heads].map(|one| Arg::Memory(one.memory(), Access::Read))
    }
}

/// The parameters of `kernels/sort_items.cl`.
#[derive(Clone, Copy, Parameters)]
pub(super) struct Sorted {
    pub(super) key_bytes: usize,
    keys: Keys,
    /// The number of vectors of values.
    pub(super) values: usize,
    /// `true` if the only values are indices, which the kernel makes.
    indices: bool,
    words: [Words; MOST_VALUES],
}

/// A value's layout: `count` words of `word` bytes.
#[derive(Clone, Copy, Parameters)]
struct Words {
    word: usize,
    count: usize,
}

#[cfg(test)]
impl Sorted {
    /// Returns the parameters for integers of `key_bytes` bytes without values.
    pub(super) fn of_integers(key_bytes: usize) -> Sorted {
        let words = [Words { word: 1, count: 1 }; MOST_VALUES];
        Sorted { key_bytes, keys: Keys::Integers, values: 0, indices: false, words }
    }
}
