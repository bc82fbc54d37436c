//! Helpers of the algorithms on sorted sequences: comparators, lengths, and sizes of items.

use super::moved::elements;
use crate::element::{ElementType, Integer, Ordered};
use crate::expr::Item;
use crate::expr::{Recorded, Val, record};
use crate::ir::graph::{Graph, Replace};
use cl_core::{Error, Result};

/// A recorded comparator, which returns whether its first item goes before its second.
pub(super) struct Less(pub(super) Graph<'static>);

impl Less {
    /// Records the closure, which becomes part of several kernels.
    pub(super) fn new<T: Item, R: Recorded<Item = bool>>(
        less: impl FnOnce(T::Values, T::Values) -> R,
    ) -> Less {
        Less(record::<(T, T), R>(|(a, b)| less(a, b)))
    }

    /// Returns the comparator for items of these elements, which have the bits of the comparator's own: integers in place of
    /// floats. The comparator must read floats by their bits only, as [`Val::total_lt`] does.
    pub(super) fn on_bits(&self, elements: &[ElementType]) -> Less {
        let mut graph = Graph::default();
        let parameters = graph.parameters_of(elements.iter().chain(elements).copied());
        graph.roots = graph.include(&self.0, Replace::Parameters(&parameters));
        Less(graph)
    }

    /// Returns the comparator for items of these elements, of which the first ones are the comparator's own, as bits: see
    /// [`on_bits`](Less::on_bits).
    pub(super) fn on_first_bits(&self, own: usize, elements: &[ElementType]) -> Less {
        let mut graph = Graph::default();
        let both = graph.parameters_of(elements.iter().chain(elements).copied());
        let (a, b) = both.split_at(elements.len());
        let parameters = [&a[..own], &b[..own]].concat();
        graph.roots = graph.include(&self.0, Replace::Parameters(&parameters));
        Less(graph)
    }

    /// Returns the number of elements of the comparator's two items.
    pub(super) fn elements<T: Item>() -> usize {
        2 * T::count()
    }
}

/// Returns whether `a` goes before `b` in the ascending order of [`sort()`](crate::stl::sort()).
pub(super) fn ascending<T: Ordered>(a: Val<T>, b: Val<T>) -> Val<bool> {
    a.total_lt(b)
}

/// Returns the number of items of an algorithm's input.
pub(super) fn length(graph: &Graph<'_>, what: &'static str) -> Result<usize> {
    graph.check()?;
    graph.len.ok_or_else(|| {
        let reason = "it reads no vector, and so has no length: call `take` first".to_owned();
        Error::invalid_input(what, reason)
    })
}

/// Returns an error unless an integer type holds the numbers from 0 to `count - 1`. `of` describes the numbers.
pub(super) fn holds<I: Integer>(count: u128, what: &'static str, of: &str) -> Result<()> {
    let bits = I::TYPE.scalar().map_or(0, |scalar| 8 * scalar.size() as u32 - u32::from(scalar.is_signed()));
    if count > 1 << bits {
        let reason = format!("{bits} bits cannot hold {of}");
        return Err(Error::invalid_input(what, reason));
    }
    Ok(())
}

/// Returns the size in bytes of an item in a kernel: of a struct in C, where vectors of three take the room of four.
pub(super) fn item_bytes<T: Item>() -> usize {
    bytes_of(elements::<T>())
}

/// Returns the size in bytes of an item of these elements, as [`item_bytes`] does.
pub(super) fn bytes_of(elements: impl IntoIterator<Item = ElementType>) -> usize {
    let (mut bytes, mut most) = (0_usize, 1);
    for element in elements {
        let size = match element {
            ElementType::Vector(scalar, 3) => 4 * scalar.size(),
            element => element.size(),
        };
        let alignment = match element {
            ElementType::Struct(_) => element.alignment(),
            _ => size,
        };
        bytes = bytes.next_multiple_of(alignment.max(1)) + size;
        most = most.max(alignment);
    }
    bytes.next_multiple_of(most)
}
