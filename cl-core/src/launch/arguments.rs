//! The list of a launch's arguments: a few in place, more in a vector.
//!
//! `Arguments` does not implement `Drop`. Lists of other crates have a destructor that may look at
//! the elements. With such a destructor, a launch that was not enqueued would keep its buffers
//! borrowed until the end of its scope.

use super::check::Given;
use std::fmt;
use std::mem::MaybeUninit;

/// The number of arguments that need no allocation.
const FEW: usize = 8;

/// The arguments of a launch, in the order of the kernel's parameters.
pub(super) struct Arguments<'a> {
    /// The first `count` elements are initialised.
    few: [MaybeUninit<Given<'a>>; FEW],
    count: usize,
    /// All arguments, initialised, if there are more than `few` holds; otherwise empty.
    many: Vec<MaybeUninit<Given<'a>>>,
}

impl<'a> Arguments<'a> {
    #[inline]
    pub(super) fn push(&mut self, given: Given<'a>) {
        // Takes the slot first: otherwise the value is built elsewhere, and copied.
        self.place().write(given);
    }

    /// Returns the slot of the next argument, which the caller fills.
    #[inline]
    fn place(&mut self) -> &mut MaybeUninit<Given<'a>> {
        if self.count == FEW {
            return self.far_place();
        }
        self.count += 1;
        &mut self.few[self.count - 1]
    }

    #[cold]
    fn far_place(&mut self) -> &mut MaybeUninit<Given<'a>> {
        if self.many.is_empty() {
            self.many.extend_from_slice(&self.few);
        }
        let next = self.many.len();
        self.many.push(MaybeUninit::uninit());
        &mut self.many[next]
    }

    /// Removes all arguments, and keeps the allocation.
    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.many.clear();
    }

    pub(super) fn as_slice(&self) -> &[Given<'a>] {
        let filled = if self.many.is_empty() { &self.few[..self.count] } else { &self.many };
        // SAFETY: `push` fills every slot that it takes.
        unsafe { std::slice::from_raw_parts(filled.as_ptr().cast(), filled.len()) }
    }
}

impl Default for Arguments<'_> {
    fn default() -> Self {
        Arguments { few: [const { MaybeUninit::uninit() }; FEW], count: 0, many: Vec::new() }
    }
}

impl fmt::Debug for Arguments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::Arg;

    #[test]
    fn few_and_many_come_back_in_order() {
        let mut arguments = Arguments::default();
        come_back(&mut arguments, 3 * FEW);
        arguments.clear();
        come_back(&mut arguments, FEW / 2);
    }

    fn come_back(arguments: &mut Arguments<'_>, count: usize) {
        for len in 0..=count {
            let sizes = arguments.as_slice().iter().map(|given| match given.arg {
                Arg::Local(bytes) => bytes,
                _ => usize::MAX,
            });
            assert!(sizes.eq(0..len), "{arguments:?}");
            arguments.push(Given { arg: Arg::Local(len), cl_type: None });
        }
    }
}
