//! The order of strings.

use super::Strings;
use cl_algo::prelude::*;
use cl_algo::stl;
use cl_core::{Error, Result};

/// The number of bytes of a string in one key.
const KEY_BYTES: u32 = 7;

/// Returns seven bytes of a string from `depth` on, the first one highest, and in the lowest byte the number of bytes from
/// there on, at most 8.
#[device_fn]
fn key_at(at: u32, depth: u32, bytes: &[u8], offsets: &[u32]) -> u64 {
    let begin = offsets[at as usize] + depth;
    let rest = offsets[at as usize + 1] - begin;
    let mut key = 0_u64;
    for i in 0..7_u32 {
        let byte = if i < rest { bytes[(begin + i) as usize] as u64 } else { 0 };
        key = (key << 8) | byte;
    }
    (key << 8) | (if rest < 8 { rest } else { 8 }) as u64
}

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

/// The order of strings.
struct Order {
    /// The numbers of the strings, in ascending order of the strings.
    order: DeviceVec<u32>,
    /// The place of the first one of equal strings, for each place.
    first: DeviceVec<u32>,
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
    /// In rounds: the first round sorts all strings by seven bytes and the number of bytes left, and each later round the
    /// strings that the bytes so far do not tell apart, by group and seven bytes more. A round is one or two radix sorts,
    /// about six other launches, and one number that is read. The longest prefix that two strings share decides the
    /// number of rounds. Blocks.
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
        let Order { order, first } = self.order()?;
        let is_first = first.iter().eq(index::<u32>());
        let (rows, _) = order.iter().zip(is_first).filter(|(_, is_first)| is_first).collect()?;
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
        let Order { order, first } = self.order()?;
        let is_first = first.iter().eq(index::<u32>());
        let numbers = is_first.clone().select(1_u32, 0).inclusive_scan().collect()?;
        let mut codes = DeviceVec::filled(self.queue(), 0_u32, self.len())?;
        assign(codes.scatter_mut(&order), &numbers - 1)?;
        let (rows, _) = order.iter().zip(is_first).filter(|(_, is_first)| is_first).collect()?;
        Ok((self.gather(&rows)?, codes))
    }

    fn order(&self) -> Result<Order> {
        let len = super::checked_size(self.len() as u64)?;
        let mut order = self.numbers().collect_on(self.queue())?;
        if len == 0 {
            return Ok(Order { first: order.try_clone()?, order });
        }
        let mut keys = key_at(&order, 0_u32, &self.bytes, &self.offsets).collect()?;
        stl::sort_by_key(&mut keys, &mut order)?;
        let same = same_as_neighbour(&keys, -1);
        let mut first = same.select(0, index::<u32>()).inclusive_scan_with(Val::max).collect()?;
        let mut places = unresolved(iota(0_u32, self.len()), &keys, None)?;
        let mut depth = 0_u32;
        while !places.is_empty() {
            depth =
                depth.checked_add(KEY_BYTES).ok_or_else(|| Error::invalid_input("strings", "too long"))?;
            let mut rows = order.iter().gather(&places).collect()?;
            let mut groups = first.iter().gather(&places).collect()?;
            let mut keys = key_at(&rows, depth, &self.bytes, &self.offsets).collect()?;
            // By group, then by key, because sorts are stable. The strings of a group have neighbouring places.
            stl::sort_by_key(&mut keys, (&mut rows, &mut groups))?;
            let bits = 0..(u32::BITS - len.leading_zeros()).max(1);
            Sort::new().bits(bits).by_key(&mut groups, (&mut rows, &mut keys))?;
            let same = same_as_neighbour(&keys, -1) & same_as_neighbour(&groups, -1);
            let begins = same.select(0, &places);
            let begins = begins.inclusive_scan_with(Val::max).collect()?;
            let next = unresolved(places.iter(), &keys, Some(&groups))?;
            assign((order.scatter_mut(&places), first.scatter_mut(&places)), (&rows, &begins))?;
            places = next;
        }
        Ok(Order { order, first })
    }
}

/// Returns whether each key has a neighbour at `offset`, which is equal.
fn same_as_neighbour<T: Element + PartialEq>(keys: &DeviceVec<T>, offset: isize) -> Expr<'_, bool> {
    let end = if offset < 0 { 0 } else { keys.len() - 1 };
    keys.iter().eq(keys.iter().shifted(offset, Border::Clamp)) & index::<u32>().ne(end as u32)
}

/// Returns the places of the strings that have more bytes and that their keys do not tell apart from their neighbours of
/// the same group.
fn unresolved<'a>(
    places: Expr<'a, u32>,
    keys: &'a DeviceVec<u64>,
    groups: Option<&'a DeviceVec<u32>>,
) -> Result<DeviceVec<u32>> {
    let same = |offset| match groups {
        Some(groups) => same_as_neighbour(keys, offset) & same_as_neighbour(groups, offset),
        None => same_as_neighbour(keys, offset),
    };
    let open = (keys & 0xff).eq(8) & (same(-1) | same(1));
    Ok(places.zip(open).filter(|(_, open)| open).collect()?.0)
}
