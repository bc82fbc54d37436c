//! Lengths, characters, case, hashes.

use super::Strings;
use cl_algo::prelude::*;
use cl_core::Result;

/// Returns the number of characters that begin before a byte, of the numbers up to and including each byte.
#[device_fn]
fn characters_before(at: u32, up_to: &[u32]) -> u32 {
    if at > 0 { up_to[at as usize - 1] } else { 0 }
}

/// Returns the hash of a string.
#[device_fn]
fn fnv_1a(at: u32, bytes: &[u8], offsets: &[u32]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for i in offsets[at as usize]..offsets[at as usize + 1] {
        hash = (hash ^ bytes[i as usize] as u64).wrapping_mul(0x100_0000_01b3);
    }
    hash
}

impl Strings {
    /// Returns the number of bytes of each string, as an expression.
    #[doc(alias = "len")]
    pub fn lengths(&self) -> Expr<'_, u32> {
        self.offsets.slice(1..) - self.offsets.slice(..self.len())
    }

    /// Returns the number of characters (`char`s) of each string. A scan of the bytes and one kernel, by bytes; does not
    /// wait.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias = "chars")]
    pub fn char_counts(&self) -> Result<DeviceVec<u32>> {
        if self.size == 0 {
            return DeviceVec::filled(self.queue(), 0, self.len());
        }
        // All bytes of a character but the first one are 10xxxxxx.
        let begins = (self.bytes() & 0xc0).ne(0x80).cast::<u32>();
        let up_to = begins.inclusive_scan().collect()?;
        let ends = characters_before(self.offsets.slice(1..), &up_to);
        (ends - characters_before(self.offsets.slice(..self.len()), &up_to)).collect()
    }

    /// Returns the strings with the letters `a` to `z` as capitals. Other characters are unchanged. Two kernels, by bytes;
    /// does not wait.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn to_ascii_uppercase(&self) -> Result<Strings> {
        self.with_case(b'a', b'z')
    }

    /// Returns the strings with the letters `A` to `Z` as small letters. Other characters are unchanged. Two kernels, by
    /// bytes; does not wait.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn to_ascii_lowercase(&self) -> Result<Strings> {
        self.with_case(b'A', b'Z')
    }

    /// Changes the case of the letters from `first` to `last`.
    fn with_case(&self, first: u8, last: u8) -> Result<Strings> {
        let is_letter = self.bytes.iter().ge(first) & self.bytes.iter().le(last);
        // A capital and its small letter differ in one bit.
        let bytes = is_letter.select(&self.bytes ^ 0x20, &self.bytes).collect()?;
        Ok(Strings { bytes, offsets: self.offsets.try_clone()?, size: self.size })
    }

    /// Returns the 64-bit FNV-1a hash of each string, as an expression. By strings.
    ///
    /// The hash is Fowler's, Noll's and Vo's, as in their [reference code](http://www.isthe.com/chongo/tech/comp/fnv/). It does
    /// not protect against chosen strings.
    ///
    /// ```
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let strings = Strings::from_slice(&queue, &["", "a"])?;
    /// assert_eq!(strings.hashes().collect()?.to_vec()?, [0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn hashes(&self) -> Expr<'_, u64> {
        fnv_1a(self.numbers(), &self.bytes, &self.offsets)
    }
}
