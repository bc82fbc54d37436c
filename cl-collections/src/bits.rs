//! Bits.

use cl_algo::codegen::Ranges;
use cl_algo::math::popcount;
use cl_algo::prelude::*;
use cl_algo::{ranked, zip};
use cl_core::{Error, Queue, Result};
use std::fmt;
use std::ops::{Bound, RangeBounds};

/// The number of bits of a word.
const BITS: usize = u32::BITS as usize;

/// Bits in device memory: bit `i` is bit `i % 32` of the word `i / 32`.
///
/// An eighth of the memory of a `DeviceVec<bool>`, and operations on 32 bits at once. The bits behind the last one, in the
/// last word, are always 0.
///
/// ```
/// use cl_collections::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, 8, 1, 9])?;
/// let large = BitVec::from_bools(x.iter().gt(2))?; // packed in one kernel
/// assert_eq!(large.to_vec()?, [true, true, false, true]);
/// assert_eq!(large.count_ones()?, 3);
/// let odd = BitVec::from_bools((&x % 2).eq(1))?;
/// assert_eq!(large.and(&odd)?.to_vec()?, [true, false, false, true]);
/// assert_eq!(large.not()?.first_set()?, Some(2));
/// // An expression of `bool`s again.
/// assert_eq!(large.iter().select(&x, 0).sum()?, 20);
/// # Ok(())
/// # }
/// ```
#[doc(alias("bitset", "dynamic_bitset", "mask"))]
pub struct BitVec {
    words: DeviceVec<u32>,
    len: usize,
}

impl BitVec {
    /// Returns `len` equal bits. A fill, and one kernel for an incomplete last word; does not wait.
    ///
    /// # Errors
    /// As [`DeviceVec::filled`].
    pub fn filled(queue: &Queue, value: bool, len: usize) -> Result<BitVec> {
        let word = if value { u32::MAX } else { 0 };
        BitVec::from_words(DeviceVec::filled(queue, word, len.div_ceil(BITS))?, len)
    }

    /// Returns a copy of the host's bits. One transfer.
    ///
    /// # Errors
    /// As [`DeviceVec::from_slice`].
    pub fn from_slice(queue: &Queue, bits: &[bool]) -> Result<BitVec> {
        let pack = |bits: &[bool]| bits.iter().rev().fold(0_u32, |word, &bit| word << 1 | u32::from(bit));
        let words: Vec<u32> = bits.chunks(BITS).map(pack).collect();
        Ok(BitVec { words: DeviceVec::from_slice(queue, &words)?, len: bits.len() })
    }

    /// Returns the bits of an expression, such as a comparison or a `DeviceVec<bool>`. One kernel; does not wait.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn from_bools<'a>(bits: impl Operand<'a, bool>) -> Result<BitVec> {
        const NAME: &str = "from_bools";
        let bits = bits.into_expr();
        let queue = ranked::queue_of(NAME, &bits)?.clone();
        let Some(len) = bits.len() else {
            let reason = "the expression consists of scalars, so there is no length: use `take`";
            return Err(Error::invalid_input(NAME, reason));
        };
        let ends = iota(0_u64, len.div_ceil(BITS)).map(|word| {
            let begin = word * BITS as u64;
            (begin, (begin + BITS as u64).min(len as u64))
        });
        let ends = zip::<(u64, u64)>(ends);
        let in_place = bits.select(constant(1_u32) << (index::<u32>() & 31), 0);
        let ranges = Ranges::strided(ends, 1).mostly_of(BITS);
        // SAFETY: the ranges end at the number of bits.
        let words = unsafe { in_place.fold_ranges(ranges, 0, |a, b| a | b, None) };
        Ok(BitVec { words: words.collect_on(&queue)?, len })
    }

    /// Returns the first `len` bits of words. One kernel for the last word; does not wait.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] unless `words` has as many words as `len` bits take.
    pub fn from_words(words: DeviceVec<u32>, len: usize) -> Result<BitVec> {
        if words.len() != len.div_ceil(BITS) {
            return Err(Error::length_mismatch("from_words", words.len(), len.div_ceil(BITS)));
        }
        let mut bits = BitVec { words, len };
        if let (Some(last), false) = (bits.words.len().checked_sub(1), len.is_multiple_of(BITS)) {
            let mask = below(len);
            assign_with(bits.words.slice_mut(last..), |word| word & mask)?;
        }
        Ok(bits)
    }

    /// Returns a copy. One copy on the device; does not wait.
    ///
    /// # Errors
    /// As [`DeviceVec::try_clone`].
    pub fn try_clone(&self) -> Result<BitVec> {
        Ok(BitVec { words: self.words.try_clone()?, len: self.len })
    }

    /// Returns the number of bits.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if there are zero bits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the words. The bits behind the last one are 0.
    #[must_use]
    pub fn words(&self) -> &DeviceVec<u32> {
        &self.words
    }

    /// Returns the words as a vector.
    #[must_use]
    pub fn into_words(self) -> DeviceVec<u32> {
        self.words
    }

    /// Returns the queue that works on the bits.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        self.words.queue()
    }

    /// Returns the bits as an expression of `bool`s.
    pub fn iter(&self) -> Expr<'_, bool> {
        if self.len <= u32::MAX as usize {
            let at = iota(0_u32, self.len);
            self.bits_at(at.clone() >> 5, at & 31)
        } else {
            let at = iota(0_u64, self.len);
            self.bits_at(at.clone() >> 5, (at & 31).cast::<u32>())
        }
    }

    fn bits_at<'a, I: Integer>(&'a self, word: Expr<'a, I>, bit: Expr<'a, u32>) -> Expr<'a, bool> {
        // SAFETY: each bit lies in one of the words.
        let words = unsafe { self.words.iter().gather_unchecked("bits", self.words.len(), word) };
        ((words >> bit) & 1).eq(1)
    }

    /// Returns a bit. One transfer of one word. Blocks.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], and as [`DeviceVec::to_vec`].
    pub fn get(&self, at: usize) -> Result<bool> {
        if at >= self.len {
            return Err(Error::out_of_bounds("get", at, at.saturating_add(1), self.len));
        }
        Ok(self.words.get(at / BITS)? >> (at % BITS) & 1 == 1)
    }

    /// Changes a bit. One kernel of one work-item; does not wait.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`]; [`Error::Driver`].
    #[doc(alias("flip", "reset"))]
    pub fn set(&mut self, at: usize, value: bool) -> Result<()> {
        self.fill_between("set", at, at.saturating_add(1), value)
    }

    /// Sets all bits of a range to a value. One kernel that touches the range's words alone; does not wait.
    ///
    /// ```
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut bits = BitVec::filled(&queue, false, 100)?;
    /// bits.fill_range(30..70, true)?;
    /// bits.fill_range(40..45, false)?;
    /// assert_eq!(bits.count_ones()?, 35);
    /// assert_eq!(bits.next_set(40)?, Some(45));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] for a range beyond the end; [`Error::Driver`].
    #[doc(alias("set_range", "clear_range"))]
    pub fn fill_range(&mut self, range: impl RangeBounds<usize>, value: bool) -> Result<()> {
        let begin = match range.start_bound() {
            Bound::Included(&begin) => begin,
            Bound::Excluded(&before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&last) => last.saturating_add(1),
            Bound::Excluded(&end) => end,
            Bound::Unbounded => self.len,
        };
        self.fill_between("fill_range", begin, end, value)
    }

    fn fill_between(&mut self, operation: &'static str, begin: usize, end: usize, value: bool) -> Result<()> {
        if begin > end || end > self.len {
            return Err(Error::out_of_bounds(operation, begin, end, self.len));
        }
        if begin == end {
            return Ok(());
        }
        let (first, last) = (begin / BITS, (end - 1) / BITS);
        let own = index::<u32>();
        let from = own.clone().eq(0).select(from_bit(begin), u32::MAX);
        let mask = from & own.eq((last - first) as u32).select(below(end), u32::MAX);
        let words = self.words.slice_mut(first..=last);
        match value {
            true => assign_with(words, |word| word | mask),
            false => assign_with(words, |word| word & !mask),
        }
    }

    /// Sets the number of bits: drops bits at the end, or appends bits equal to `value`. A fill of the new words, and one
    /// kernel for an incomplete last word; does not wait.
    ///
    /// ```
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut bits = BitVec::filled(&queue, true, 40)?;
    /// bits.resize(35, true)?;
    /// bits.resize(100, false)?;
    /// assert_eq!((bits.len(), bits.count_ones()?), (100, 35));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`DeviceVec::resize`].
    pub fn resize(&mut self, len: usize, value: bool) -> Result<()> {
        let before = self.len;
        self.words.resize(len.div_ceil(BITS), 0)?;
        self.len = len;
        if len > before {
            return if value { self.fill_between("resize", before, len, true) } else { Ok(()) };
        }
        let Some(last) = self.words.len().checked_sub(1) else { return Ok(()) };
        if len < before && !len.is_multiple_of(BITS) {
            let mask = below(len);
            assign_with(self.words.slice_mut(last..), |word| word & mask)?;
        }
        Ok(())
    }

    /// Returns the bits that are set in both.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] for different lengths, and as [`Expr::collect`]. One kernel, which does not wait; as for
    /// all operations on two of them.
    pub fn and(&self, other: &BitVec) -> Result<BitVec> {
        self.combined("and", other, |a, b| a & b)
    }

    /// Returns the bits that are set in either.
    ///
    /// # Errors
    /// As [`and`](BitVec::and).
    pub fn or(&self, other: &BitVec) -> Result<BitVec> {
        self.combined("or", other, |a, b| a | b)
    }

    /// Returns the bits that are set in exactly one.
    ///
    /// # Errors
    /// As [`and`](BitVec::and).
    pub fn xor(&self, other: &BitVec) -> Result<BitVec> {
        self.combined("xor", other, |a, b| a ^ b)
    }

    /// Returns the bits that are set in `self` and not in `other`.
    ///
    /// # Errors
    /// As [`and`](BitVec::and).
    pub fn and_not(&self, other: &BitVec) -> Result<BitVec> {
        self.combined("and_not", other, |a, b| a & !b)
    }

    /// Returns the bits the other way round. One kernel; does not wait.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias("flip", "complement"))]
    #[allow(clippy::should_implement_trait, reason = "it can fail")]
    pub fn not(&self) -> Result<BitVec> {
        Ok(BitVec { words: (!&self.words & self.tail_mask()).collect()?, len: self.len })
    }

    /// Moves each bit `count` places up: bit `i` becomes bit `i + count`. The bits that move beyond the end are lost, and
    /// zeros come from below. One kernel; does not wait.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn shift_up(&self, count: usize) -> Result<BitVec> {
        if count >= self.len {
            return BitVec::filled(self.queue(), false, self.len);
        }
        let (words, bits) = ((count / BITS) as isize, (count % BITS) as u32);
        let at = |offset: isize| self.words.iter().shifted(offset, Border::Constant(0));
        // A shift by 32 counts as one by 0, so the bits of the lower word are shifted twice.
        let moved = (at(-words) << bits) | (at(-words - 1) >> 1 >> (31 - bits));
        Ok(BitVec { words: (moved & self.tail_mask()).collect()?, len: self.len })
    }

    /// Moves each bit `count` places down: bit `i` becomes bit `i - count`. The bits that move below 0 are lost, and zeros
    /// come from above. One kernel; does not wait.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn shift_down(&self, count: usize) -> Result<BitVec> {
        if count >= self.len {
            return BitVec::filled(self.queue(), false, self.len);
        }
        let (words, bits) = ((count / BITS) as isize, (count % BITS) as u32);
        let at = |offset: isize| self.words.iter().shifted(offset, Border::Constant(0));
        let moved = (at(words) >> bits) | (at(words + 1) << 1 << (31 - bits));
        Ok(BitVec { words: moved.collect()?, len: self.len })
    }

    /// Returns the number of bits that are set. A reduction; blocks, as all queries.
    ///
    /// # Errors
    /// As [`Expr::sum`].
    #[doc(alias = "cardinality")]
    pub fn count_ones(&self) -> Result<usize> {
        Ok(popcount(&self.words).sum_as::<u64>()? as usize)
    }

    /// Returns whether some bit is set.
    ///
    /// # Errors
    /// As [`Expr::any`].
    pub fn any(&self) -> Result<bool> {
        self.words.iter().ne(0).any()
    }

    /// Returns whether all bits are set; `true` for zero bits.
    ///
    /// # Errors
    /// As [`Expr::all`].
    pub fn all(&self) -> Result<bool> {
        self.words.iter().eq(self.tail_mask()).all()
    }

    /// Returns whether no bit is set.
    ///
    /// # Errors
    /// As [`Expr::any`].
    pub fn none(&self) -> Result<bool> {
        Ok(!self.any()?)
    }

    /// Returns the first bit that is set.
    ///
    /// # Errors
    /// As [`next_set`](BitVec::next_set).
    pub fn first_set(&self) -> Result<Option<usize>> {
        self.next_set(0)
    }

    /// Returns the first bit that is set, from the bit `from` on. One search that ends at the bit's word, and one word is
    /// read.
    ///
    /// # Errors
    /// As [`Expr::position`].
    #[doc(alias("find_next", "find_first"))]
    pub fn next_set(&self, from: usize) -> Result<Option<usize>> {
        if from >= self.len {
            return Ok(None);
        }
        let (first, mask) = (from / BITS, from_bit(from));
        let masked = self.words.slice(first..) & index::<u32>().eq(0).select(mask, u32::MAX);
        let Some(at) = masked.ne(0).position()? else { return Ok(None) };
        let word = self.words.get(first + at)? & if at == 0 { mask } else { u32::MAX };
        Ok(Some((first + at) * BITS + word.trailing_zeros() as usize))
    }

    /// Returns the bits on the host. One transfer. Blocks.
    ///
    /// # Errors
    /// As [`DeviceVec::to_vec`].
    pub fn to_vec(&self) -> Result<Vec<bool>> {
        let words = self.words.to_vec()?;
        Ok((0..self.len).map(|at| words[at / BITS] >> (at % BITS) & 1 == 1).collect())
    }

    fn combined(
        &self,
        operation: &'static str,
        other: &BitVec,
        combine: impl for<'a> FnOnce(Expr<'a, u32>, Expr<'a, u32>) -> Expr<'a, u32>,
    ) -> Result<BitVec> {
        if self.len != other.len {
            return Err(Error::length_mismatch(operation, self.len, other.len));
        }
        let words = combine(self.words.iter(), other.words.iter()).collect()?;
        Ok(BitVec { words, len: self.len })
    }

    /// Returns the mask of each word: all bits, and in the last word those below the length.
    fn tail_mask(&self) -> Expr<'static, u32> {
        let last = self.words.len().saturating_sub(1) as u32;
        index::<u32>().eq(last).select(below(self.len), u32::MAX)
    }
}

/// Returns the mask of the bits below `end` in the word of the bit before it.
fn below(end: usize) -> u32 {
    u32::MAX >> (BITS - 1 - end.wrapping_sub(1) % BITS)
}

/// Returns the mask of the bits from `begin` on, in its word.
fn from_bit(begin: usize) -> u32 {
    u32::MAX << (begin % BITS)
}

impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BitVec({} bits)", self.len)
    }
}
