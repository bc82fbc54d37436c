//! The types of column indices and row offsets.

use cl_algo::bytemuck::Pod;
use cl_algo::{Castable, Element, Integer, Number, Ordered, SortKey};
use std::fmt::{Debug, Display};
use std::hash::Hash;

mod sealed {
    /// The types that have kernels.
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
}

/// The type of a matrix's column indices and row offsets: `u32`, or `u64` for matrices with more than
/// 2^32 - 1 columns or nonzeros.
pub trait Index:
    Element<Stored = Self>
    + Pod
    + Castable
    + Number
    + Integer
    + Ordered
    + SortKey
    + Copy
    + Ord
    + Hash
    + Default
    + Debug
    + Display
    + TryFrom<usize>
    + sealed::Sealed
{
    /// The name of the type in Rust.
    const NAME: &'static str;

    /// An index that stands for "no index". It is greater than all others.
    const NOTHING: Self;

    /// Returns the index as a `usize`. An index that `usize` cannot hold becomes `usize::MAX`.
    fn to_usize(self) -> usize;

    /// Returns a size as an index, or `None` if the size is too large.
    fn from_usize(size: usize) -> Option<Self> {
        Self::try_from(size).ok()
    }
}

impl Index for u32 {
    const NAME: &'static str = "u32";
    const NOTHING: u32 = u32::MAX;

    fn to_usize(self) -> usize {
        usize::try_from(self).unwrap_or(usize::MAX)
    }
}

impl Index for u64 {
    const NAME: &'static str = "u64";
    const NOTHING: u64 = u64::MAX;

    fn to_usize(self) -> usize {
        usize::try_from(self).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::Index;

    #[test]
    fn sizes_and_indices_are_one_to_one_where_they_fit() {
        assert_eq!(u32::from_usize(u32::MAX as usize), Some(u32::MAX));
        assert_eq!(u32::from_usize(u32::MAX as usize + 1), None);
        assert_eq!(u32::MAX.to_usize(), u32::MAX as usize);
        assert_eq!(u64::from_usize(usize::MAX).map(Index::to_usize), Some(usize::MAX));
    }
}
