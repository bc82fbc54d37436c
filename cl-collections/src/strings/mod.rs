//! Strings.
//!
//! | file | concept |
//! | --- | --- |
//! | `bytes` | lengths, characters, case, hashes |
//! | `pieces` | new strings of pieces of others: `gather`, `concat` |
//! | `search` | `find`, `contains`, `starts_with`, `ends_with`, `split` |
//! | `order` | comparisons, sorts, `distinct` |

mod bytes;
mod order;
mod pieces;
mod search;

use cl_algo::prelude::*;
use cl_core::{Error, Queue, Result};
use std::fmt;

/// UTF-8 strings in device memory: their bytes one after the other, and the offsets of the strings.
///
/// Strings are cut and joined as a whole, so that they stay valid UTF-8. All strings together have fewer than 2^32 bytes.
///
/// The work is divided in one of two ways. *By bytes*: a long string is shared by many work-items. *By strings*: a
/// work-item takes one string, so that the longest string decides. The documentation of each operation says which.
///
/// ```
/// use cl_collections::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let cities = Strings::from_slice(&queue, &["Köln", "Oslo", "Rome", "Oslo"])?;
/// assert_eq!(cities.lengths().collect()?.to_vec()?, [5, 4, 4, 4]);
/// assert_eq!(cities.char_counts()?.to_vec()?, [4, 4, 4, 4]);
/// assert_eq!(cities.find("o")?.to_vec()?, [Strings::NOT_FOUND, 3, 1, 3]);
/// assert_eq!(cities.to_ascii_uppercase()?.to_vec()?, ["KöLN", "OSLO", "ROME", "OSLO"]);
/// assert_eq!(cities.sorted()?.to_vec()?, ["Köln", "Oslo", "Oslo", "Rome"]);
/// assert_eq!(cities.distinct()?.to_vec()?, ["Köln", "Oslo", "Rome"]);
/// # Ok(())
/// # }
/// ```
pub struct Strings {
    /// The bytes of all strings, and one more byte if there are none: device functions cannot be given an empty slice.
    bytes: DeviceVec<u8>,
    /// The first byte of each string, then the number of all bytes.
    offsets: DeviceVec<u32>,
    /// The number of bytes of all strings.
    size: usize,
}

impl Strings {
    /// The position of what was not found.
    pub const NOT_FOUND: u32 = u32::MAX;

    /// Returns a copy of strings of the host. Two transfers.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for 2^32 bytes or more, and as [`DeviceVec::from_slice`].
    #[doc(alias("from_strs", "from_vec"))]
    pub fn from_slice(queue: &Queue, strings: &[impl AsRef<str>]) -> Result<Strings> {
        let mut bytes = Vec::new();
        let mut offsets = vec![0];
        for string in strings {
            bytes.extend_from_slice(string.as_ref().as_bytes());
            offsets.push(checked_size(bytes.len() as u64)?);
        }
        let size = bytes.len();
        bytes.resize(size.max(1), 0);
        let bytes = DeviceVec::from_slice(queue, &bytes)?;
        Ok(Strings { bytes, offsets: DeviceVec::from_slice(queue, &offsets)?, size })
    }

    /// Returns the strings whose bytes and offsets are given, as by [`into_parts`](Strings::into_parts). One transfer of all
    /// offsets and bytes to the host, which checks them; blocks.
    ///
    /// ```
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let bytes = DeviceVec::from_slice(&queue, b"onetwo")?;
    /// let offsets = DeviceVec::from_slice(&queue, &[0, 3, 6])?;
    /// assert_eq!(Strings::from_parts(bytes, offsets)?.to_vec()?, ["one", "two"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] unless the offsets begin with 0, ascend to the number of bytes and cut the bytes into valid
    /// UTF-8, [`Error::ForeignObject`] for vectors of different queues, and as [`DeviceVec::to_vec`].
    #[doc(alias = "from_raw_parts")]
    pub fn from_parts(mut bytes: DeviceVec<u8>, offsets: DeviceVec<u32>) -> Result<Strings> {
        if bytes.queue() != offsets.queue() {
            return Err(Error::foreign_object("from_parts", "bytes and offsets belong to different queues"));
        }
        let size = bytes.len();
        let ends = offsets.to_vec()?;
        let are_ends = ends.first() == Some(&0)
            && ends.last().is_some_and(|&last| last as usize == size)
            && ends.is_sorted();
        if !are_ends {
            let reason = format!("they must ascend from 0 to the number of bytes, {size}");
            return Err(Error::invalid_input("offsets of strings", reason));
        }
        let invalid = |error: &dyn fmt::Display| Error::invalid_input("bytes of strings", error.to_string());
        let all = bytes.to_vec()?;
        let all = std::str::from_utf8(&all).map_err(|error| invalid(&error))?;
        if let Some(cut) = ends.iter().find(|&&end| !all.is_char_boundary(end as usize)) {
            return Err(invalid(&format!("offset {cut} lies within a character")));
        }
        bytes.resize(size.max(1), 0)?;
        Ok(Strings { bytes, offsets, size })
    }

    /// Returns a copy. Two copies on the device; does not wait.
    ///
    /// # Errors
    /// As [`DeviceVec::try_clone`].
    pub fn try_clone(&self) -> Result<Strings> {
        let (bytes, offsets) = (self.bytes.try_clone()?, self.offsets.try_clone()?);
        Ok(Strings { bytes, offsets, size: self.size })
    }

    /// Returns the number of strings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Returns `true` if there are zero strings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of bytes of all strings.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the queue that works on the strings.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        self.bytes.queue()
    }

    /// Returns the bytes of all strings, one after the other.
    pub fn bytes(&self) -> Expr<'_, u8> {
        self.bytes.slice(..self.size)
    }

    /// Returns the first byte of each string, then the number of all bytes.
    #[must_use]
    pub fn offsets(&self) -> &DeviceVec<u32> {
        &self.offsets
    }

    /// Returns bytes and offsets as vectors.
    #[must_use]
    pub fn into_parts(mut self) -> (DeviceVec<u8>, DeviceVec<u32>) {
        self.bytes.truncate(self.size);
        (self.bytes, self.offsets)
    }

    /// Returns one string. Two kernels and two transfers; blocks.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], and as [`DeviceVec::to_vec`].
    pub fn get(&self, at: usize) -> Result<String> {
        if at >= self.len() {
            return Err(Error::out_of_bounds("get", at, at.saturating_add(1), self.len()));
        }
        let ends = self.offsets.slice(at..at + 2).to_vec()?;
        text(self.bytes.slice(ends[0] as usize..ends[1] as usize).to_vec()?)
    }

    /// Returns all strings on the host. Two transfers. Blocks.
    ///
    /// # Errors
    /// As [`DeviceVec::to_vec`].
    pub fn to_vec(&self) -> Result<Vec<String>> {
        let (bytes, offsets) = (self.bytes.to_vec()?, self.offsets.to_vec()?);
        let ends = offsets.windows(2).map(|ends| ends[0] as usize..ends[1] as usize);
        ends.map(|range| text(bytes.get(range).unwrap_or_default().to_vec())).collect()
    }

    /// Returns the number of each string, as an expression.
    fn numbers(&self) -> Expr<'static, u32> {
        iota(0_u32, self.len())
    }
}

/// Returns the size of all strings as an offset.
fn checked_size(size: u64) -> Result<u32> {
    u32::try_from(size).map_err(|_| {
        let reason = format!("they have {size} bytes; at most {} fit: divide them into several", u32::MAX);
        Error::invalid_input("strings", reason)
    })
}

fn text(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| Error::invalid_input("strings", error.to_string()))
}

impl fmt::Debug for Strings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Strings({} strings of {} bytes)", self.len(), self.size)
    }
}
