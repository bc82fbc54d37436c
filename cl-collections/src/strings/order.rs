//! The order of strings.

use super::Strings;
use cl_algo::function::{RawFunction, Slice};
use cl_algo::prelude::*;
use cl_algo::{stl, zip};
use cl_core::Result;

/// The number of bits of a key that tell how many bytes the string has left.
const LEFT_BITS: u32 = 4;
/// The largest number of bytes of a string in one key.
const MOST_KEY_BYTES: u32 = 7;

/// Returns -1, 0 or 1 if string `a` comes before string `b`, is equal to it or comes after it.
#[device_fn]
fn order_of(a: u32, b: u32, a_bytes: &[u8], a_offsets: &[u32], b_bytes: &[u8], b_offsets: &[u32]) -> i32 {
    let (a_begin, b_begin) = (a_offsets[a as usize], b_offsets[b as usize]);
    let a_len = a_offsets[a as usize + 1] - a_begin;
    let b_len = b_offsets[b as usize + 1] - b_begin;
    for i in 0..(if a_len < b_len { a_len } else { b_len }) {
        let (x, y) = (a_bytes[(a_begin + i) as usize], b_bytes[(b_begin + i) as usize]);
        if x != y {
            return if x < y { -1 } else { 1 };
        }
    }
    if a_len == b_len {
        0
    } else if a_len < b_len {
        -1
    } else {
        1
    }
}

/// Returns whether two strings are equal.
#[device_fn]
fn are_equal(a: u32, b: u32, a_bytes: &[u8], a_offsets: &[u32], b_bytes: &[u8], b_offsets: &[u32]) -> bool {
    let (a_begin, b_begin) = (a_offsets[a as usize], b_offsets[b as usize]);
    let len = a_offsets[a as usize + 1] - a_begin;
    if b_offsets[b as usize + 1] - b_begin != len {
        return false;
    }
    for i in 0..len {
        if a_bytes[(a_begin + i) as usize] != b_bytes[(b_begin + i) as usize] {
            return false;
        }
    }
    true
}

/// The signatures of functions of OpenCL C: a string's number, the number of its bytes to skip, and the width of the key in
/// bytes; the numbers of two strings, and the number of bytes to skip.
type KeyAt = fn(u32, u32, u32, Slice<u8>, Slice<u32>) -> u64;
type CommonPrefix = fn(u32, u32, u32, Slice<u8>, Slice<u32>) -> u32;

/// Returns the function from a string's number, the number of its bytes to skip and the width of the key to `width` bytes of
/// the string, the first one highest, and in the lowest bits the number of bytes left, at most `width + 1`.
fn key_at() -> Result<RawFunction<KeyAt>> {
    // SAFETY: callers pass numbers of strings that have at least as many bytes as are skipped. Eight bytes are read at once
    // only if the slice has them.
    unsafe {
        RawFunction::<KeyAt>::new(
            "key_at",
            ["at", "skipped", "width", "bytes", "offsets"],
            "    const ulong begin = offsets[at] + skipped;
    const uint left = offsets[at + 1] - (uint)begin, count = min(left, width);
    ulong key = 0;
    if (begin + 8 <= bytes_len) {
        for (uint i = 0; i < 8; ++i)
            key = key << 8 | bytes[begin + i];
        // In two steps, because eight bytes are too many for one.
        key = count == 0 ? 0 : key >> (64 - 8 * count) << (8 * (width - count));
    } else {
        for (uint i = 0; i < width; ++i)
            key = key << 8 | (i < count ? bytes[begin + i] : 0);
    }
    return key << 4 | min(left, width + 1);",
        )
    }
}

/// Returns the function from the numbers of two strings and the number of bytes to skip to the number of bytes, from there
/// on, that both strings begin with.
fn common_prefix() -> Result<RawFunction<CommonPrefix>> {
    // SAFETY: callers pass numbers of strings that have at least as many bytes as are skipped.
    unsafe {
        RawFunction::<CommonPrefix>::new(
            "common_prefix",
            ["at", "other", "skipped", "bytes", "offsets"],
            "    global const uchar *const a = bytes + offsets[at] + skipped;
    global const uchar *const b = bytes + offsets[other] + skipped;
    const uint most = min(offsets[at + 1] - offsets[at], offsets[other + 1] - offsets[other]) - skipped;
    uint same = 0;
    while (most - same >= 8 && as_ulong(vload8(0, a + same)) == as_ulong(vload8(0, b + same)))
        same += 8;
    while (same < most && a[same] == b[same])
        ++same;
    return same;",
        )
    }
}

/// The order of strings.
struct Order {
    /// The numbers of the strings, in ascending order of the strings.
    order: DeviceVec<u32>,
    /// Flags of the positions whose string differs from the one before it.
    is_first: DeviceVec<bool>,
}

impl Strings {
    /// Returns -1, 0 or 1 if each string comes before the string of the same number in `other`, is equal to it or comes
    /// after it, as an expression. By strings.
    ///
    /// Collections of different lengths are a deferred error.
    #[doc(alias = "cmp")]
    pub fn compare<'a>(&'a self, other: &'a Strings) -> Expr<'a, i32> {
        let (bytes, offsets) = (&other.bytes, &other.offsets);
        order_of(self.numbers(), other.numbers(), &self.bytes, &self.offsets, bytes, offsets)
    }

    /// Returns whether each string equals the string of the same number in `other`, as an expression. By strings; strings
    /// of different lengths are not compared further.
    ///
    /// Collections of different lengths are a deferred error.
    #[allow(clippy::should_implement_trait, reason = "it returns one answer for each string")]
    pub fn eq<'a>(&'a self, other: &'a Strings) -> Expr<'a, bool> {
        let (bytes, offsets) = (&other.bytes, &other.offsets);
        are_equal(self.numbers(), other.numbers(), &self.bytes, &self.offsets, bytes, offsets)
    }

    /// Returns -1, 0 or 1 if each string comes before `other`, is equal to it or comes after it. Two transfers, for
    /// which it waits, and one kernel, by strings.
    ///
    /// # Errors
    /// As [`Strings::from_slice`].
    pub fn compare_to(&self, other: &str) -> Result<DeviceVec<i32>> {
        let other = Strings::from_slice(self.queue(), &[other])?;
        let (bytes, offsets) = (&other.bytes, &other.offsets);
        order_of(self.numbers(), 0_u32, &self.bytes, &self.offsets, bytes, offsets).collect()
    }

    /// Returns whether each string equals `other`. Two transfers, for which it waits, and one kernel, by strings.
    ///
    /// # Errors
    /// As [`Strings::from_slice`].
    pub fn equals(&self, other: &str) -> Result<DeviceVec<bool>> {
        let other = Strings::from_slice(self.queue(), &[other])?;
        let (bytes, offsets) = (&other.bytes, &other.offsets);
        are_equal(self.numbers(), 0_u32, &self.bytes, &self.offsets, bytes, offsets).collect()
    }

    /// Returns the numbers of the strings in ascending order of the strings: the order of their bytes, which is that of
    /// Rust's [`str`]. Equal strings keep their order.
    ///
    /// In rounds: the first round skips the bytes that all strings begin with, and sorts all strings by seven bytes and the
    /// number of bytes left. Each later round takes only the strings that the bytes so far do not tell apart. It skips the
    /// bytes that the strings of a group have in common, and sorts by group and up to seven bytes more. A round is one radix
    /// sort, about eight other launches, and two numbers that are read. So time is spent where strings differ: a common
    /// prefix takes one round, however long it is. Blocks.
    ///
    /// # Errors
    /// As [`stl::argsort`].
    pub fn argsort(&self) -> Result<DeviceVec<u32>> {
        Ok(self.order()?.order)
    }

    /// Returns the strings in ascending order. As [`argsort`](Strings::argsort), then [`gather`](Strings::gather).
    ///
    /// # Errors
    /// As these.
    #[doc(alias = "sort")]
    pub fn sorted(&self) -> Result<Strings> {
        self.gather(&self.argsort()?)
    }

    /// Returns the distinct strings in ascending order. As [`sorted`](Strings::sorted), and a selection.
    ///
    /// # Errors
    /// As [`sorted`](Strings::sorted).
    #[doc(alias = "unique")]
    pub fn distinct(&self) -> Result<Strings> {
        let Order { order, is_first } = self.order()?;
        let (rows, _) = order.iter().zip(&is_first).filter(|(_, is_first)| is_first).collect()?;
        self.gather(&rows)
    }

    /// Returns the distinct strings in ascending order, and for each string its number among them: keys for a
    /// [`GroupBy`](crate::GroupBy), a join or a map. As [`sorted`](Strings::sorted), a scan, one launch and a selection.
    ///
    /// ```
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let city = Strings::from_slice(&queue, &["Rome", "Oslo", "Rome"])?;
    /// let sales = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 4.0])?;
    /// let (cities, codes) = city.codes()?;
    /// assert_eq!(cities.to_vec()?, ["Oslo", "Rome"]);
    /// assert_eq!(codes.to_vec()?, [1, 0, 1]);
    /// assert_eq!(GroupBy::new(&codes)?.sum(&sales)?.to_vec()?, [2.0, 5.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`sorted`](Strings::sorted).
    #[doc(alias("factorize", "categories", "dictionary"))]
    pub fn codes(&self) -> Result<(Strings, DeviceVec<u32>)> {
        let Order { order, is_first } = self.order()?;
        let numbers = is_first.iter().cast::<u32>().inclusive_scan().collect()?;
        let mut codes = DeviceVec::filled(self.queue(), 0_u32, self.len())?;
        assign(codes.scatter_mut(&order), &numbers - 1)?;
        let (rows, _) = order.iter().zip(&is_first).filter(|(_, is_first)| is_first).collect()?;
        Ok((self.gather(&rows)?, codes))
    }

    fn order(&self) -> Result<Order> {
        super::checked_size(self.len() as u64)?;
        let (queue, all) = (self.queue(), self.numbers().on(self.queue()));
        let mut order = all.clone().collect()?;
        let mut is_first = DeviceVec::filled(queue, true, self.len())?;
        let shared = common_prefix()?.call((all, 0_u32, 0_u32, &self.bytes, &self.offsets));
        let Some(shared) = shared.reduce(Val::min)? else { return Ok(Order { order, is_first }) };
        let mut open = Open {
            places: order.try_clone()?,
            rows: order.try_clone()?,
            groups: DeviceVec::filled(queue, 1, self.len())?,
            skipped: DeviceVec::from_slice(queue, &[shared])?,
        };
        loop {
            let (keys, width) = open.sort(self)?;
            let begins = same_as_neighbour(&keys, -1).eq(false);
            let places = &open.places;
            assign((order.scatter_mut(places), is_first.scatter_mut(places)), (&open.rows, begins))?;
            match open.next(self, &keys, width)? {
                Some(next) => open = next,
                None => return Ok(Order { order, is_first }),
            }
        }
    }
}

/// The strings that the bytes so far do not tell apart, in groups.
struct Open {
    /// The place of each string in the order: those of a group are neighbours.
    places: DeviceVec<u32>,
    /// The number of the string at each of the places.
    rows: DeviceVec<u32>,
    /// The number of the group of each of the places, from 1 on in ascending order.
    groups: DeviceVec<u32>,
    /// The number of bytes that all strings of a group have in common.
    skipped: DeviceVec<u32>,
}

impl Open {
    /// Sorts the strings of each group by the next bytes. Returns the sorted keys, and the number of bytes in a key.
    fn sort(&mut self, strings: &Strings) -> Result<(DeviceVec<u64>, u32)> {
        let groups = self.skipped.len();
        // A key has the group in its highest bits.
        let group_bits = usize::BITS - (groups - 1).leading_zeros();
        let width = ((u64::BITS - LEFT_BITS - group_bits) / 8).min(MOST_KEY_BYTES);
        let number = &self.groups - 1;
        // SAFETY: the groups are numbered from 1 up to `groups`.
        let skipped = unsafe { self.skipped.iter().gather_unchecked("argsort", groups, number.clone()) };
        let bytes = key_at()?.call((&self.rows, skipped, width, &strings.bytes, &strings.offsets));
        let group = number.cast::<u64>() << u64::from(8 * width + LEFT_BITS);
        let mut keys = (group | bytes).collect()?;
        stl::sort_by_key(&mut keys, &mut self.rows)?;
        Ok((keys, width))
    }

    /// Returns the strings that the sorted keys do not tell apart and that have more bytes; `None` if there are zero.
    fn next(&self, strings: &Strings, keys: &DeviceVec<u64>, width: u32) -> Result<Option<Open>> {
        let same = same_as_neighbour(keys, -1);
        let has_more = (keys & ((1 << LEFT_BITS) - 1)).eq(u64::from(width + 1));
        let is_open = has_more & (same.clone() | same_as_neighbour(keys, 1));
        let (places, rows, begins, groups, _) = zip((&self.places, &self.rows, !same, &self.groups, is_open))
            .filter(|(.., is_open)| is_open)
            .collect()?;
        let Some(last) = places.len().checked_sub(1) else { return Ok(None) };
        let numbers = begins.iter().cast::<u32>().inclusive_scan().collect()?;
        let count = numbers.slice(last..).to_vec()?[0] as usize;
        // SAFETY: the groups are numbered from 1 on, and each has an element of `skipped`.
        let before =
            unsafe { self.skipped.iter().gather_unchecked("argsort", self.skipped.len(), &groups - 1) };
        let skipped = before + width;
        let previous = rows.iter().shifted(-1, Border::Clamp);
        let common =
            common_prefix()?.call((&rows, previous, skipped.clone(), &strings.bytes, &strings.offsets));
        // The first string of a group has nothing in common with the one before it.
        let skipped = begins.iter().select(u32::MAX, skipped + common);
        // SAFETY: the reduction writes as many elements as there are groups.
        let mut least = unsafe { DeviceVec::uninit(strings.queue(), count) }?;
        let equal = |a: Val<u32>, b| a.eq(b);
        stl::reduce_by_key_with(&numbers, skipped, equal, Val::min, Discard, &mut least)?;
        Ok(Some(Open { places, rows, groups: numbers, skipped: least }))
    }
}

/// Returns whether each key has a neighbour at `offset`, which is equal.
fn same_as_neighbour<T: Element + PartialEq>(keys: &DeviceVec<T>, offset: isize) -> Expr<'_, bool> {
    let end = if offset < 0 { 0 } else { keys.len() - 1 };
    keys.iter().eq(keys.iter().shifted(offset, Border::Clamp)) & index::<u32>().ne(end as u32)
}
