//! The host's slices of keys and values, and the memory on the device through which their items go.

use crate::element::Element;
use crate::expr::Item;
use bytemuck::Zeroable;
use cl_core::{Buffer, Error, Memory, Queue, Result};
use sealed::Sealed;
use std::ops::Range;

mod sealed {
    /// Seals [`HostSlices`](super::HostSlices): other code relies on the columns that an implementation names.
    pub trait Sealed {}
}

/// Slices of the host that are sorted in place: a `&mut [T]`, or a tuple of up to eight of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a slice of the host with items of `{V}`",
    note = "use a `&mut [T]`, or a tuple of these"
)]
pub trait HostSlices<'h, V: Item>: Sealed {
    /// Adds the slices.
    #[doc(hidden)]
    fn columns(self, into: &mut Vec<Box<dyn Column + 'h>>);
}

impl<T: Element> Sealed for &mut [T] {}

impl<'h, T: Element> HostSlices<'h, T> for &'h mut [T] {
    fn columns(self, into: &mut Vec<Box<dyn Column + 'h>>) {
        into.push(Box::new(HostColumn::new(self)));
    }
}

impl<T: Element> Sealed for &mut Vec<T> {}

impl<'h, T: Element> HostSlices<'h, T> for &'h mut Vec<T> {
    fn columns(self, into: &mut Vec<Box<dyn Column + 'h>>) {
        into.push(Box::new(HostColumn::new(self)));
    }
}

macro_rules! tuples {
    ($(($($name:ident $slices:ident $at:tt),+))+) => {$(
        impl<$($slices: Sealed),+> Sealed for ($($slices,)+) {}

        impl<'h, $($name: Item, $slices: HostSlices<'h, $name>),+> HostSlices<'h, ($($name,)+)> for ($($slices,)+) {
            fn columns(self, into: &mut Vec<Box<dyn Column + 'h>>) {
                $(self.$at.columns(into);)+
            }
        }
    )+};
}

tuples! {
    (A X 0, B Y 1)
    (A X 0, B Y 1, C Z 2)
    (A X 0, B Y 1, C Z 2, D W 3)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5, G S 6)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5, G S 6, H R 7)
}

/// The step of an external sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Sorted runs are made of the slice, and stored beside it.
    Sort,
    /// The runs are merged into the slice.
    Merge,
}

/// The number of blocks of device memory of a column: two for each of two pieces in flight.
pub(super) const BLOCKS: usize = 4;

/// A slice of the host, its sorted runs beside it, and its blocks of device memory.
#[doc(hidden)]
pub trait Column {
    fn len(&self) -> usize;
    /// Makes room for the sorted runs.
    fn reserve_runs(&mut self) -> Result<()>;
    /// Makes room for `len` elements in a block.
    fn reserve(&mut self, queue: &Queue, block: usize, len: usize) -> Result<()>;
    fn memory(&self, block: usize) -> Option<&Memory>;
    /// Copies ranges of what a step reads to a block, one after the other. Blocks.
    fn write(&mut self, queue: &Queue, block: usize, step: Step, ranges: &[Range<usize>]) -> Result<()>;
    /// Copies the first elements of a block to a range of what a step stores. Blocks.
    fn read(&mut self, queue: &Queue, block: usize, step: Step, to: Range<usize>) -> Result<()>;
    /// Copies the sorted runs to the slice.
    fn restore(&mut self);
}

pub(super) struct HostColumn<'h, T: Element> {
    host: &'h mut [T],
    runs: Vec<T::Stored>,
    /// Elements on their way to `host`, which a transfer that fails must not reach.
    merged: Vec<T::Stored>,
    blocks: [Option<Buffer<T::Stored>>; BLOCKS],
}

impl<'h, T: Element> HostColumn<'h, T> {
    pub(super) fn new(host: &'h mut [T]) -> HostColumn<'h, T> {
        HostColumn { host, runs: Vec::new(), merged: Vec::new(), blocks: [const { None }; BLOCKS] }
    }

    /// Returns an element of the sorted runs.
    pub(super) fn run_item(&self, at: usize) -> T {
        T::from_stored(self.runs[at])
    }

    fn block(&mut self, block: usize) -> Result<&mut Buffer<T::Stored>> {
        let missing = || Error::invalid_input("external sort", "a block without memory");
        self.blocks.get_mut(block).and_then(Option::as_mut).ok_or_else(missing)
    }
}

/// Resizes a vector of the host, or returns an error if there is not enough memory.
fn resize<S: Zeroable + Copy>(vector: &mut Vec<S>, len: usize) -> Result<()> {
    vector.try_reserve_exact(len.saturating_sub(vector.len())).map_err(|_| {
        let reason = format!("the host has no memory for {len} more elements of {} bytes", size_of::<S>());
        Error::invalid_input("slices to sort", reason)
    })?;
    vector.resize(len, S::zeroed());
    Ok(())
}

impl<T: Element> Column for HostColumn<'_, T> {
    fn len(&self) -> usize {
        self.host.len()
    }

    fn reserve_runs(&mut self) -> Result<()> {
        let len = self.host.len();
        resize(&mut self.runs, len)
    }

    fn reserve(&mut self, queue: &Queue, block: usize, len: usize) -> Result<()> {
        if let Some(place) = self.blocks.get_mut(block).filter(|place| place.is_none()) {
            // SAFETY: a transfer or a merge writes the elements of the block that are read later.
            *place = Some(unsafe { Buffer::uninit(queue, len) }?);
        }
        Ok(())
    }

    fn memory(&self, block: usize) -> Option<&Memory> {
        Some(self.blocks.get(block)?.as_ref()?.memory())
    }

    fn write(&mut self, queue: &Queue, block: usize, step: Step, ranges: &[Range<usize>]) -> Result<()> {
        let Some(block) = self.blocks.get_mut(block).and_then(Option::as_mut) else { return Ok(()) };
        let from = match step {
            Step::Sort => T::as_stored(self.host),
            Step::Merge => &self.runs,
        };
        let mut at = 0;
        for range in ranges {
            block.write(queue, at, &from[range.clone()])?;
            at += range.len();
        }
        Ok(())
    }

    fn read(&mut self, queue: &Queue, block: usize, step: Step, to: Range<usize>) -> Result<()> {
        if step == Step::Sort {
            let (runs, blocks) = (&mut self.runs, &self.blocks);
            return match blocks.get(block).and_then(Option::as_ref) {
                Some(block) => block.read(queue, 0, &mut runs[to]),
                None => Ok(()),
            };
        }
        let mut merged = std::mem::take(&mut self.merged);
        resize(&mut merged, to.len())?;
        self.block(block)?.read(queue, 0, &mut merged)?;
        self.host[to].iter_mut().zip(&merged).for_each(|(item, &stored)| *item = T::from_stored(stored));
        self.merged = merged;
        Ok(())
    }

    fn restore(&mut self) {
        self.host.iter_mut().zip(&self.runs).for_each(|(item, &stored)| *item = T::from_stored(stored));
    }
}
