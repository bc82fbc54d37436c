//! Scans and reductions of each run of items with equal neighbouring keys.
//!
//! | file | concept |
//! | --- | --- |
//! | `scan` | running results of each run |
//! | `reduce` | one result of each run |
//! | `single` | both in one launch, by look-back: GPUs |
//! | `runs` | both for devices that give each work-item a contiguous chunk: CPUs |

mod reduce;
mod runs;
mod scan;
mod single;
#[cfg(test)]
mod tests;

pub(super) use reduce::reduce_as;
pub use reduce::{reduce_by_key, reduce_by_key_with};
pub(super) use scan::scan_into;
pub use scan::{
    exclusive_scan_by_key, exclusive_scan_by_key_with, inclusive_scan_by_key, inclusive_scan_by_key_with,
};

use super::order::item_bytes;
use crate::codegen::Fused;
use crate::expr::Item;
use crate::expr::{Operand, Val, record};
use crate::ir::graph::Graph;
use cl_core::{Error, Result};

/// Keys, and the comparison that finds equal keys.
pub(super) struct Keys<'a> {
    keys: Graph<'a>,
    same: Graph<'static>,
    /// The number of elements of a key.
    elements_per_key: usize,
    room: Room,
}

impl<'a> Keys<'a> {
    /// Returns the keys, of type `K`, of items of type `V`.
    pub(super) fn of<K: Item, V: Item>(
        keys: impl Operand<'a, K>,
        equal: impl FnOnce(K::Values, K::Values) -> Val<bool>,
    ) -> Keys<'a> {
        Keys {
            keys: keys.into_expr().into_graph(),
            same: record::<(K, K), _>(|(a, b)| equal(a, b)),
            elements_per_key: K::count(),
            room: Room::of::<K, V>(),
        }
    }

    /// Returns the keys as a graph.
    pub(super) fn graph(&self) -> &Graph<'a> {
        &self.keys
    }
}

/// The inputs and operators of an algorithm by key.
struct Inputs<'a> {
    /// The operation's name in errors.
    operation: &'static str,
    keys: Graph<'a>,
    items: Graph<'a>,
    /// The value that each run begins with, in exclusive scans.
    initial: Option<Graph<'a>>,
    same: Graph<'static>,
    operator: Graph<'static>,
    /// The numbers of elements of a key and of an item.
    counts: [usize; 2],
    room: Room,
}

/// The memory that an item takes, with its key.
#[derive(Clone, Copy, Debug)]
struct Room {
    /// The number of bytes in registers, at least 4 for each element.
    registers: usize,
    /// The number of bytes in local memory.
    local: usize,
    /// An upper bound of the 32-bit words for an item and the number of runs that have begun.
    words: usize,
}

impl Room {
    fn of<K: Item, V: Item>() -> Room {
        // In the struct, an item is followed by a number of up to 8 bytes, with gaps before and after it.
        let (mut registers, mut largest) = (0, 8);
        K::each_element(&mut |element| registers += element.size().max(4));
        V::each_element(&mut |element| {
            registers += element.size().max(4);
            largest = largest.max(element.size().next_power_of_two());
        });
        let (key, item) = (item_bytes::<K>(), item_bytes::<V>());
        Room { registers, local: key + item, words: (item + 2 * largest).div_ceil(4) }
    }
}

impl<'a> Inputs<'a> {
    fn of<K: Item, V: Item>(
        operation: &'static str,
        keys: impl Operand<'a, K>,
        values: impl Operand<'a, V>,
        equal: impl FnOnce(K::Values, K::Values) -> Val<bool>,
        operator: impl FnOnce(V::Values, V::Values) -> V::Values,
    ) -> Inputs<'a> {
        let operator = record::<(V, V), _>(|(a, b)| operator(a, b));
        let items = values.into_expr().into_graph();
        Inputs::new::<V>(operation, Keys::of::<K, V>(keys, equal), items, None, operator)
    }

    fn new<V: Item>(
        operation: &'static str,
        keys: Keys<'a>,
        items: Graph<'a>,
        initial: Option<Graph<'a>>,
        operator: Graph<'static>,
    ) -> Inputs<'a> {
        let Keys { keys, same, elements_per_key, room } = keys;
        Inputs {
            operation,
            keys,
            items,
            initial,
            same,
            operator,
            counts: [elements_per_key, V::count()],
            room,
        }
    }

    /// Returns an error unless there are as many keys as values. Either may be a scalar.
    fn check(&self) -> Result<()> {
        self.keys.check()?;
        self.items.check()?;
        match (self.keys.len, self.items.len) {
            (Some(left), Some(right)) if left != right => {
                Err(Error::length_mismatch(self.operation, left, right))
            }
            _ => Ok(()),
        }
    }

    /// Returns the kernel with the inputs and the operators.
    fn fill(&self) -> Fused<'a> {
        let fused = Fused::new(self.operation);
        let mut fused = fused.with_input("KEY", self.keys.clone()).with_input("", self.items.clone());
        if let Some(initial) = &self.initial {
            fused = fused.with_input("INITIAL", initial.clone());
        }
        fused.graph.len = self.keys.len.or(self.items.len);
        let [key, item] = self.counts;
        fused.with_operator("SAME", "KEY", &self.same, 2 * key).with_operator(
            "COMBINE",
            "",
            &self.operator,
            2 * item,
        )
    }
}
