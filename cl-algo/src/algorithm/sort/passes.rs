//! What all ways of sorting have in common: items in columns, which the passes move to and fro.

use super::key::{KeyKind, Keys};
use crate::codegen::Parameters;
use crate::ir::target::Target;
use cl_core::{Access, Arg, Memory, Queue, Result, Scratch};
use smallvec::SmallVec;
use std::ops::Range;

/// Bits of a digit, at most.
const DIGIT: u32 = 8;
/// How many vectors of values there can be.
pub(super) const MOST_VALUES: usize = 8;
/// Different digits.
pub(super) const BINS: usize = 1 << DIGIT;

/// The keys, or one vector of values.
#[derive(Clone, Copy)]
pub(super) struct Column<'a> {
    /// Where the first pass finds the items.
    pub(super) first: &'a Memory,
    /// Where every second pass leaves them, the last one too.
    pub(super) home: &'a Memory,
    /// Bytes of an item.
    pub(super) size: usize,
}

/// What is sorted.
pub(super) struct Items<'a> {
    /// The function that the user called, for errors.
    pub(super) operation: &'static str,
    pub(super) queue: &'a Queue,
    pub(super) len: usize,
    /// How far indices go: the length, unless a test wants kernels for more.
    pub(super) reach: usize,
    pub(super) kind: KeyKind,
    /// The bits that count, from the lowest of the keys' order on.
    pub(super) bits: Range<u32>,
    pub(super) keys: Column<'a>,
    pub(super) values: Vec<Column<'a>>,
    /// Whether the only values are indices, which the first pass makes.
    pub(super) indices: bool,
}

/// One pass: the digit it sorts by, and the memory of keys and values before and after it.
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
    /// Items that are sorted where they are.
    pub(super) fn in_place(target: &Target<'a>) -> Column<'a> {
        Column { first: target.memory, home: target.memory, size: target.element.size() }
    }

    /// Where a pass finds the items, and where it leaves them.
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
    /// Keys before and after, then each of the values before and after.
    pub(super) fn arguments(&self) -> SmallVec<[Arg<'_>; 16]> {
        let both =
            |&[from, to]: &[_; 2]| [Arg::Memory(from, Access::Read), Arg::Memory(to, Access::Overwrite)];
        self.columns.iter().flat_map(both).collect()
    }
}

impl Items<'_> {
    /// The digits from the lowest to the highest.
    ///
    /// They are even in number, because every second pass leaves its items where they are wanted. One
    /// more pass costs as much as a copy would, and the digits get smaller by it.
    pub(super) fn digits(&self) -> impl Iterator<Item = Digit> + use<> {
        let (begin, count) = (self.bits.start, self.bits.end - self.bits.start);
        let passes = 2 * count.div_ceil(2 * DIGIT).max(1);
        let edge = move |pass: u32| begin + count * pass / passes;
        // An empty digit has no bits to shift to.
        let highest = 8 * self.keys.size as u32 - 1;
        (0..passes).map(move |pass| Digit {
            shift: edge(pass).min(highest),
            mask: (1 << (edge(pass + 1) - edge(pass))) - 1,
        })
    }

    /// Does all passes.
    pub(super) fn each_pass(&self, mut run: impl FnMut(&Pass<'_>) -> Result<()>) -> Result<()> {
        let columns = || std::iter::once(&self.keys).chain(&self.values);
        let spare: SmallVec<[Scratch<'_>; 3]> =
            columns().map(|column| self.queue.scratch(self.len * column.size)).collect::<Result<_>>()?;
        for (number, digit) in self.digits().enumerate() {
            let ends = columns().zip(&spare).map(|(column, spare)| column.ends(number, spare));
            run(&Pass { number, digit, columns: ends.collect() })?;
        }
        Ok(())
    }

    /// Bytes of an item's key and values.
    pub(super) fn bytes(&self) -> usize {
        self.keys.size + self.values.iter().map(|column| column.size).sum::<usize>()
    }

    /// What `kernels/sort_items.cl` is compiled with, for a kernel that works with the keys only.
    pub(super) fn only_keys(&self) -> Sorted {
        self.sorted(&[], false)
    }

    /// The same with the values that go along, for a pass that makes indices or does not.
    pub(super) fn all(&self, indices: bool) -> Sorted {
        self.sorted(&self.values, indices)
    }

    fn sorted(&self, columns: &[Column<'_>], indices: bool) -> Sorted {
        let KeyKind { bytes: key_bytes, keys, .. } = self.kind;
        let words = [Words { word: 1, count: 1 }; MOST_VALUES];
        let mut sorted = Sorted { key_bytes, keys, values: columns.len(), indices, words };
        for (words, column) in sorted.words.iter_mut().zip(columns) {
            let size = column.size.max(1);
            // The largest word that the size is a multiple of.
            let word = 1 << size.trailing_zeros().min(3);
            *words = Words { word, count: size / word };
        }
        sorted
    }
}

/// What `kernels/sort_items.cl` is compiled with.
#[derive(Clone, Copy, Parameters)]
pub(super) struct Sorted {
    pub(super) key_bytes: usize,
    keys: Keys,
    /// Vectors of values that go along.
    pub(super) values: usize,
    /// Whether the only values are indices, which the kernel makes.
    indices: bool,
    words: [Words; MOST_VALUES],
}

/// A value: so many words of so many bytes.
#[derive(Clone, Copy, Parameters)]
struct Words {
    word: usize,
    count: usize,
}

#[cfg(test)]
impl Sorted {
    /// Integers of so many bytes, and nothing else.
    pub(super) fn of_integers(key_bytes: usize) -> Sorted {
        let words = [Words { word: 1, count: 1 }; MOST_VALUES];
        Sorted { key_bytes, keys: Keys::Integers, values: 0, indices: false, words }
    }
}
