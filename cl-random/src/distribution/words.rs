//! The words themselves.

use super::Distribution;
use crate::engine::Word;
use cl_algo::Val;
use std::marker::PhantomData;

/// The distribution of the engine's words themselves, as `u32` or `u64`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Words<T: Word>(PhantomData<T>);

impl<T: Word> Words<T> {
    /// Returns the distribution, which has no parameters.
    #[must_use]
    pub const fn new() -> Words<T> {
        Words(PhantomData)
    }
}

impl<T: Word> Distribution for Words<T> {
    type Value = T;
    type Word = T;
    const WORDS: usize = 1;
    const VALUES: usize = 1;

    fn values(&self, words: &[Val<T>], values: &mut Vec<Val<T>>) {
        values.push(words[0]);
    }
}
