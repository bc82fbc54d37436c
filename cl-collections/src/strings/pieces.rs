//! New strings of pieces of others.

use super::{Strings, checked_size};
use crate::sorted::position_after;
use cl_algo::prelude::*;
use cl_algo::stl;
use cl_core::{Queue, Result};

/// Returns a byte of new strings, each of which is a piece of the source.
#[device_fn]
fn byte_of_piece(at: u32, offsets: &[u32], begins: &[u32], source: &[u8]) -> u8 {
    let piece = position_after(at, offsets) as usize - 1;
    source[(begins[piece] + (at - offsets[piece])) as usize]
}

impl Strings {
    /// Returns the strings at the given indices. Indices out of range are reported as by [`Expr::gather`].
    ///
    /// One kernel for the pieces, a scan of their lengths, a sum of them, which is read, and one kernel for the bytes. By
    /// bytes, each of which searches for its string. Blocks.
    ///
    /// ```
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let strings = Strings::from_slice(&queue, &["zero", "one", "two"])?;
    /// let order = DeviceVec::from_slice(&queue, &[2_u32, 0, 2])?;
    /// assert_eq!(strings.gather(&order)?.to_vec()?, ["two", "zero", "two"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for results of 2^32 bytes or more, and as [`Expr::collect`].
    #[doc(alias("take", "filter"))]
    pub fn gather<'a, I: Integer>(&'a self, indices: impl Operand<'a, I>) -> Result<Strings> {
        let begins = self.offsets.slice(..self.len());
        self.pieces(begins.zip(self.lengths()).gather(indices))
    }

    /// Returns the strings of several collections, one after the other. Two kernels for each; does not wait.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for results of 2^32 bytes or more, and as [`Expr::collect`].
    #[doc(alias = "append")]
    pub fn concat<'a>(queue: &Queue, parts: impl IntoIterator<Item = &'a Strings>) -> Result<Strings> {
        let mut bytes = DeviceVec::with_capacity(queue, 1)?;
        let mut offsets = DeviceVec::filled(queue, 0, 1)?;
        for part in parts {
            checked_size((bytes.len() + part.size) as u64)?;
            offsets.extend(part.offsets.slice(1..) + bytes.len() as u32)?;
            bytes.extend(part.bytes())?;
        }
        let size = bytes.len();
        bytes.resize(size.max(1), 0)?;
        Ok(Strings { bytes, offsets, size })
    }

    /// Returns new strings of pieces of the bytes: their begins and lengths.
    pub(super) fn pieces(&self, pieces: Expr<'_, (u32, u32)>) -> Result<Strings> {
        let (begins, lengths) = pieces.collect_on(self.queue())?;
        let size = if begins.is_empty() { 0 } else { lengths.iter().sum_as::<u64>()? };
        let count = checked_size(size)? as usize;
        let mut offsets = DeviceVec::filled(self.queue(), 0, begins.len() + 1)?;
        stl::inclusive_scan(&lengths, offsets.slice_mut(1..))?;
        let bytes = match count {
            0 => DeviceVec::filled(self.queue(), 0, 1)?,
            _ => byte_of_piece(iota(0_u32, count), &offsets, &begins, &self.bytes).collect()?,
        };
        Ok(Strings { bytes, offsets, size: count })
    }
}
