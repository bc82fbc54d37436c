//! Searches in strings.

use super::Strings;
use crate::sorted::{position, position_after};
use cl_algo::prelude::*;
use cl_algo::{stl, zip};
use cl_core::{Error, Result};

/// Returns whether the bytes from `at` on are the pattern's, within one string.
#[device_fn]
fn matches(at: u32, len: u32, pattern: &[u8], bytes: &[u8], offsets: &[u32]) -> bool {
    if len as usize > bytes.len() - at as usize {
        return false;
    }
    for i in 0..len {
        if bytes[(at + i) as usize] != pattern[i as usize] {
            return false;
        }
    }
    // A match of one byte is within a string. Few matches of several bytes come so far.
    if len == 1 {
        return true;
    }
    let after = position_after(at, offsets) as usize;
    len <= offsets[after] - at
}

/// Returns where the first match of a string begins in the string.
#[device_fn]
fn first_match(at: u32, positions: &[u32], offsets: &[u32]) -> u32 {
    let begin = offsets[at as usize];
    let first = position(begin, positions) as usize;
    if first < positions.len() && positions[first] < offsets[at as usize + 1] {
        positions[first] - begin
    } else {
        0xffff_ffff
    }
}

/// Returns whether a string has the pattern at its begin, or at its end.
#[device_fn]
fn has_at_end(at: u32, from_end: bool, len: u32, pattern: &[u8], bytes: &[u8], offsets: &[u32]) -> bool {
    let begin = offsets[at as usize];
    let own = offsets[at as usize + 1] - begin;
    if own < len {
        return false;
    }
    let first = if from_end { begin + (own - len) } else { begin };
    for i in 0..len {
        if bytes[(first + i) as usize] != pattern[i as usize] {
            return false;
        }
    }
    true
}

/// Returns whether a match of a pattern of equal bytes is taken, when matches are taken from the left and must not overlap.
#[device_fn]
fn is_taken_in_run(at: u32, len: u32, positions: &[u32]) -> bool {
    // Matches in a run of the byte are neighbours, and the bytes between runs are more than matches.
    let before = positions[at as usize] - at;
    let (mut begin, mut width) = (0_u32, at);
    while width > 0 {
        let half = width - width / 2;
        if positions[(begin + half - 1) as usize] - (begin + half - 1) < before {
            begin += half;
        }
        width /= 2;
    }
    (at - begin) % len == 0
}

/// Returns whether a match is taken, when matches are taken from the left and must not overlap. The time is that of the
/// matches in a row that overlap.
#[device_fn]
fn is_taken(at: u32, len: u32, positions: &[u32]) -> bool {
    let at = at as usize;
    let mut first = at;
    while first > 0 && positions[first] - positions[first - 1] < len {
        first -= 1;
    }
    let mut taken = positions[first];
    for i in first..at {
        if positions[i + 1] - taken >= len {
            taken = positions[i + 1];
        }
    }
    taken == positions[at]
}

/// Returns the number of parts of all strings before a string.
#[device_fn]
fn parts_before(at: u32, separators: &[u32], offsets: &[u32]) -> u32 {
    at + position(offsets[at as usize], separators) as u32
}

/// Returns begin and length of a part between separators of `len` bytes.
#[device_fn]
fn part(at: u32, len: u32, rows: &[u32], separators: &[u32], offsets: &[u32]) -> (u32, u32) {
    let row = position_after(at, rows) as usize - 1;
    // Each string has one part more than separators, so this is the separator behind the part.
    let next = at as usize - row;
    let begin = if at == rows[row] { offsets[row] } else { separators[next - 1] + len };
    let end = if at + 1 == rows[row + 1] { offsets[row + 1] } else { separators[next] };
    (begin, end - begin)
}

impl Strings {
    /// Returns where a pattern begins in each string, in bytes; [`Strings::NOT_FOUND`] if the string does not have it.
    ///
    /// A transfer of the pattern, for which it waits, a fill, a selection and one kernel; by bytes. The selection takes 4 bytes of temporary memory for
    /// each byte.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn find(&self, pattern: &str) -> Result<DeviceVec<u32>> {
        match pattern.len() {
            0 => DeviceVec::filled(self.queue(), 0, self.len()),
            len if len > self.size => DeviceVec::filled(self.queue(), Strings::NOT_FOUND, self.len()),
            _ => {
                let (positions, _) = self.matches_of(pattern)?;
                first_match(self.numbers(), &positions, &self.offsets).collect()
            }
        }
    }

    /// Returns whether each string has a pattern in it. As [`find`](Strings::find), and one kernel.
    ///
    /// # Errors
    /// As [`find`](Strings::find).
    pub fn contains(&self, pattern: &str) -> Result<DeviceVec<bool>> {
        self.find(pattern)?.iter().ne(Strings::NOT_FOUND).collect()
    }

    /// Returns whether each string begins with a pattern. One transfer and one kernel, by strings: at most the pattern's
    /// bytes are compared. Does not wait for the kernel.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn starts_with(&self, pattern: &str) -> Result<DeviceVec<bool>> {
        self.with_pattern_at(false, pattern)
    }

    /// Returns whether each string ends with a pattern. As [`starts_with`](Strings::starts_with).
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn ends_with(&self, pattern: &str) -> Result<DeviceVec<bool>> {
        self.with_pattern_at(true, pattern)
    }

    fn with_pattern_at(&self, from_end: bool, pattern: &str) -> Result<DeviceVec<bool>> {
        let len = super::checked_size(pattern.len() as u64)?;
        let pattern = self.uploaded(pattern)?;
        has_at_end(self.numbers(), from_end, len, &pattern, &self.bytes, &self.offsets).collect()
    }

    /// Divides each string at a separator, as [`str::split`] does: a string with `n` separators becomes `n + 1` parts.
    ///
    /// Returns the parts of all strings, and the number of the first part of each string, followed by the number of all
    /// parts.
    ///
    /// A fill and a selection of the separators, whose number is read, one more selection if the separator overlaps
    /// itself, as `"aa"` and `"aba"` do, one kernel for the strings, and the launches of [`gather`](Strings::gather). By bytes, but
    /// separators of different bytes that overlap themselves take time by the square of the matches that overlap in a row.
    ///
    /// ```
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let lines = Strings::from_slice(&queue, &["1,2,3", "", "4,"])?;
    /// let (parts, first) = lines.split(",")?;
    /// assert_eq!(parts.to_vec()?, ["1", "2", "3", "", "4", ""]);
    /// assert_eq!(first.to_vec()?, [0, 3, 4, 6]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an empty separator, and as [`gather`](Strings::gather).
    pub fn split(&self, separator: &str) -> Result<(Strings, DeviceVec<u32>)> {
        if separator.is_empty() {
            let reason = "it is empty: every place between two bytes would be one";
            return Err(Error::invalid_input("separator", reason));
        }
        let mut separators = DeviceVec::with_capacity(self.queue(), 0)?;
        if separator.len() <= self.size {
            let (all, count) = self.matches_of(separator)?;
            separators = all;
            separators.truncate_by(&count)?;
        }
        let len = separator.len() as u32;
        if overlaps_itself(separator.as_bytes()) && !separators.is_empty() {
            let numbers = iota(0_u32, separators.len());
            let bytes = separator.as_bytes();
            let is_taken = if bytes.iter().all(|byte| *byte == bytes[0]) {
                is_taken_in_run(numbers, len, &separators)
            } else {
                is_taken(numbers, len, &separators)
            };
            let taken = separators.iter().zip(is_taken);
            separators = taken.filter(|(_, taken)| taken).collect()?.0;
        }
        let numbers = iota(0_u32, self.len() + 1).on(self.queue());
        if separators.is_empty() {
            let whole = self.pieces(self.offsets.slice(..self.len()).zip(self.lengths()))?;
            return Ok((whole, numbers.collect()?));
        }
        super::checked_size((self.len() + separators.len()) as u64)?;
        let rows = parts_before(numbers, &separators, &self.offsets).collect()?;
        let numbers = iota(0_u32, self.len() + separators.len());
        let parts = self.pieces(zip(part(numbers, len, &rows, &separators, &self.offsets)))?;
        Ok((parts, rows))
    }

    /// Returns the positions of a pattern in all bytes, in ascending order, and their number. What follows them is the
    /// largest number. The pattern is not empty, and not longer than all bytes.
    fn matches_of(&self, pattern: &str) -> Result<(DeviceVec<u32>, DeviceScalar<u64>)> {
        let len = pattern.len() as u32;
        let pattern = self.uploaded(pattern)?;
        let mut positions = DeviceVec::filled(self.queue(), u32::MAX, self.size)?;
        let all = iota(0_u32, self.size);
        let flagged = all.clone().zip(matches(all, len, &pattern, &self.bytes, &self.offsets));
        let output = (&mut positions, Discard);
        let count = stl::copy_if::<(u32, bool)>(flagged, |(_, found)| found, output)?;
        Ok((positions, count))
    }

    /// Returns the bytes of a pattern, and one more byte, because device functions cannot be given an empty slice.
    fn uploaded(&self, pattern: &str) -> Result<DeviceVec<u8>> {
        DeviceVec::from_slice(self.queue(), &[pattern.as_bytes(), &[0]].concat())
    }
}

/// Returns whether an end of the pattern is a begin of it, too.
fn overlaps_itself(pattern: &[u8]) -> bool {
    (1..pattern.len()).any(|len| pattern[..len] == pattern[pattern.len() - len..])
}
