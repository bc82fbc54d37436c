//! Radix sorts: stable sorts by the digits of the keys.
//!
//! | file | concept |
//! | --- | --- |
//! | `counting` | keys of one byte without values, from their counts |
//! | `key` | the types of keys |
//! | `lexicographic` | sorts by several keys, and by keys that a closure computes |
//! | `passes` | the digits, and the two blocks of memory between which the passes move the items |
//! | `segments` | the items of each segment, by the same passes or within tiles |
//! | `small` | few items: tiles are sorted in local memory, and all of them are merged at once: GPUs |
//! | `runs` | two launches for each digit, for devices that give each work-item a contiguous chunk: CPUs |
//! | `sweep` | one launch for each digit, by look-back: GPUs |

mod counting;
mod key;
mod lexicographic;
mod passes;
mod runs;
mod segments;
mod small;
mod sweep;
#[cfg(test)]
mod tests;

pub(super) use key::Digits;
pub use key::{ScalarKey, SortKey};
pub use lexicographic::{LexicographicKey, LexicographicKeys, lexsort};

use super::assign::{evaluate, fused_with};
use super::moved::{copy, scratch_for, targets_in};
use super::order::length;
use super::update_all::InPlace;
use crate::codegen::look_back::Method;
use crate::codegen::profile;
use crate::element::{ElementType, Integer};
use crate::expr::Item;
use crate::expr::{Expr, Operand};
use crate::ir::target::Target;
use crate::sink::{ends, written};
use crate::vec::DeviceVec;
use cl_core::{Error, Memory, Queue, Result};
use key::KeyKind;
use passes::{Column, Items};
pub(super) use passes::{MOST_VALUES, Within};
use std::ops::{Range, RangeBounds};

/// Sorts the keys in ascending order.
///
/// Floats are in IEEE 754's total order: from the negative NaNs over -0.0 and +0.0 to the positive NaNs. The
/// keys of a mutable view are sorted among themselves, in the direction of the view:
/// `sort(x.slice_mut(1..).rev())`. [`Sort`] describes the cost of views, and has more options.
///
/// The algorithm is a radix sort that begins with the lowest digit of eight bits: on GPUs one launch for each digit
/// (Adinets and Merrill, "Onesweep", 2022), on CPUs two launches. Integers of 8 bits, 65536 or more of them, are counted
/// instead, and written in order. On CPUs, 65536 or more keys of 64 bits are sorted by the 32 highest bits that differ (from
/// 2^24 keys on 48 bits), and then by insertion. If too many keys agree in these bits, all bits are sorted. Few keys that are sorted by all bits are merged on GPUs, in one launch or two: up to
/// 65536 keys of 32 or 64 bits, half as many of up to 16 bits, and about 30000 of 128 bits.
///
/// # Errors
/// [`Error::TooLarge`] or [`Error::Driver`] if there is not enough memory for a second copy of the keys;
/// [`Error::Build`], [`Error::Driver`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::sort;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[0.5_f32, -1.0, 0.0, -0.0])?;
/// sort(&mut x)?;
/// assert_eq!(x.to_vec()?, [-1.0, -0.0, 0.0, 0.5]);
/// sort(x.slice_mut(..3).rev())?;
/// assert_eq!(x.to_vec()?, [0.0, -0.0, -1.0, 0.5]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("radix_sort", "DeviceRadixSort", "stable_sort"))]
pub fn sort<'a, K: SortKey>(keys: impl InPlace<'a, K>) -> Result<()> {
    Sort::new().keys(keys)
}

/// Sorts the keys in descending order.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::sort_descending;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut keys = DeviceVec::from_slice(&queue, &[3, -1, 2])?;
/// sort_descending(&mut keys)?;
/// assert_eq!(keys.to_vec()?, [3, 2, -1]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`sort()`].
#[doc(alias = "DeviceRadixSort")]
pub fn sort_descending<'a, K: SortKey>(keys: impl InPlace<'a, K>) -> Result<()> {
    Sort::new().descending().keys(keys)
}

/// Sorts the keys in ascending order and moves the values along.
///
/// Values are a vector of any element, or a tuple of up to eight vectors. Values of equal keys keep their
/// order. Each of the vectors may be a mutable view; [`Sort`] describes the cost of views.
///
/// # Errors
/// As [`Sort::by_key`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::sort_by_key;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut cells = DeviceVec::from_slice(&queue, &[2_u32, 0, 2, 1])?;
/// let mut x = DeviceVec::from_slice(&queue, &[0.1_f32, 0.2, 0.3, 0.4])?;
/// let mut mass = DeviceVec::from_slice(&queue, &[10_i64, 20, 30, 40])?;
/// sort_by_key(&mut cells, (&mut x, &mut mass))?;
/// assert_eq!(cells.to_vec()?, [0, 1, 2, 2]);
/// assert_eq!(x.to_vec()?, [0.2, 0.4, 0.1, 0.3]);
/// assert_eq!(mass.to_vec()?, [20, 40, 10, 30]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("sort_pairs", "DeviceRadixSort", "stable_sort_by_key"))]
pub fn sort_by_key<'a, K: SortKey, V: Item>(
    keys: impl InPlace<'a, K>,
    values: impl InPlace<'a, V>,
) -> Result<()> {
    Sort::new().by_key(keys, values)
}

/// Sorts the keys in descending order and moves the values along; see [`sort_by_key`]. Values of equal keys keep their
/// order.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::sort_by_key_descending;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut keys = DeviceVec::from_slice(&queue, &[1, 2, 1])?;
/// let mut values = DeviceVec::from_slice(&queue, b"abc")?;
/// sort_by_key_descending(&mut keys, &mut values)?;
/// assert_eq!(values.to_vec()?, *b"bac"); // a stays before c
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Sort::by_key`].
#[doc(alias = "DeviceRadixSort")]
pub fn sort_by_key_descending<'a, K: SortKey, V: Item>(
    keys: impl InPlace<'a, K>,
    values: impl InPlace<'a, V>,
) -> Result<()> {
    Sort::new().descending().by_key(keys, values)
}

/// Returns the indices that sort the keys in ascending order: `keys.iter().gather(&order)` is sorted.
///
/// Indices of equal keys are in ascending order. The keys may be any expression, and are not changed.
///
/// # Errors
/// As [`Sort::argsort`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::argsort;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let keys = DeviceVec::from_slice(&queue, &[30, -10, 20])?;
/// let order = argsort(&keys)?;
/// assert_eq!(order.to_vec()?, [1, 2, 0]);
/// assert_eq!(keys.iter().gather(&order).collect()?.to_vec()?, [-10, 20, 30]);
/// assert_eq!(argsort(&keys * &keys)?.to_vec()?, [1, 2, 0]);
/// # Ok(())
/// # }
/// ```
pub fn argsort<'a, K: SortKey>(keys: impl Operand<'a, K>) -> Result<DeviceVec<u32>> {
    Sort::new().argsort(keys)
}

/// A radix sort with options.
///
/// It is always stable: items of equal keys keep their order, in descending order too. It takes scratch
/// memory for a second copy of the keys and values, from the queue's pool. After an error of the driver, the
/// vectors still hold all keys, each with its value, in an unspecified order.
///
/// Vectors, and their first elements `x.slice_mut(..n)`, are sorted in place. If one of the vectors is any other view,
/// all vectors are copied to scratch memory, sorted there and copied back. This takes two more kernels and a third
/// copy. An error of the driver then leaves keys and values unchanged.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut keys = DeviceVec::from_slice(&queue, &[0x123_u32, 0x456, 0x121])?;
/// let mut values = DeviceVec::from_slice(&queue, &['a', 'b', 'c'].map(u32::from))?;
/// Sort::new().descending().bits(4..12).by_key(&mut keys, &mut values)?;
/// assert_eq!(keys.to_vec()?, [0x456, 0x123, 0x121]);
/// assert_eq!(values.to_vec()?, ['b', 'a', 'c'].map(u32::from));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is sorted until keys are given"]
#[doc(alias("DeviceRadixSort", "radix_sort"))]
pub struct Sort {
    descending: bool,
    /// The range of bits to sort by: the first bit, and the end; `None` for all bits up to the highest.
    bits: (usize, Option<usize>),
    method: Method,
}

impl Sort {
    /// Returns a sort by all bits of the keys, in ascending order.
    pub fn new() -> Sort {
        Sort::default()
    }

    /// Sorts in descending order.
    pub fn descending(self) -> Sort {
        Sort { descending: true, ..self }
    }

    /// Sorts by the given bits only, of which 0 is the lowest. Keys that agree in these bits keep their order.
    ///
    /// Fewer bits may take fewer passes. The sort maps each key to an unsigned number, which keeps the order
    /// of the keys, and `range` counts the bits of this number. The highest bit of a signed integer and of a
    /// positive float is inverted, and so are all bits of a negative float.
    pub fn bits(self, range: impl RangeBounds<u32>) -> Sort {
        let number = |bound: std::ops::Bound<&u32>| bound.map(|&bit| bit as usize);
        Sort { bits: ends(&(number(range.start_bound()), number(range.end_bound()))), ..self }
    }

    /// Sorts keys.
    ///
    /// # Errors
    /// As [`sort()`], and [`Error::InvalidInput`] for bits that the keys do not have.
    pub fn keys<'a, K: SortKey>(&self, keys: impl InPlace<'a, K>) -> Result<()> {
        let mut targets = Vec::with_capacity(1);
        keys.targets(&mut targets);
        self.in_place::<K>("sort", targets, None)
    }

    /// Sorts keys and moves values along: a vector of any element, or a tuple of up to eight vectors.
    ///
    /// # Errors
    /// As [`Sort::keys`]; [`Error::LengthMismatch`] unless there are as many values as keys; [`Error::ForeignObject`]
    /// if keys and values belong to different queues; [`Error::InvalidInput`] for more than eight vectors of values.
    #[doc(alias = "sort_pairs")]
    pub fn by_key<'a, K: SortKey, V: Item>(
        &self,
        keys: impl InPlace<'a, K>,
        values: impl InPlace<'a, V>,
    ) -> Result<()> {
        let mut targets = Vec::with_capacity(2);
        keys.targets(&mut targets);
        values.targets(&mut targets);
        self.in_place::<K>("sort_by_key", targets, None)
    }

    /// Returns the indices that sort the keys.
    ///
    /// The keys may be any expression. An expression that is not a vector is evaluated once, in one more kernel.
    ///
    /// # Errors
    /// As [`Sort::keys`] and [`assign`](crate::assign), and [`Error::InvalidInput`] for keys that read no vector and
    /// have no [queue](crate::Expr::on), and for 2^32 keys or more, for which there is
    /// [`argsort_u64`](Sort::argsort_u64).
    pub fn argsort<'a, K: SortKey>(&self, keys: impl Operand<'a, K>) -> Result<DeviceVec<u32>> {
        let keys = keys.into_expr();
        if let Some(len) = keys.len().filter(|&len| u32::try_from(len).is_err()) {
            let reason = format!("there are {len} keys, too many for indices of type u32: use argsort_u64");
            return Err(Error::invalid_input("keys to argsort", reason));
        }
        self.order("argsort", keys, None)
    }

    /// Returns the indices that sort any number of keys; see [`argsort`](Sort::argsort).
    ///
    /// # Errors
    /// As [`Sort::keys`].
    pub fn argsort_u64<'a, K: SortKey>(&self, keys: impl Operand<'a, K>) -> Result<DeviceVec<u64>> {
        self.order("argsort_u64", keys.into_expr(), None)
    }

    /// Returns the indices that sort the keys, as integers of type `I`.
    pub(super) fn order<K: SortKey, I: Integer>(
        &self,
        operation: &'static str,
        keys: Expr<'_, K>,
        within: Option<Within<'_>>,
    ) -> Result<DeviceVec<I>> {
        self.bits_of::<K>()?;
        let keys = keys.into_graph();
        let len = length(&keys, "keys to argsort")?;
        let Some(queue) = keys.shared_queue() else {
            let reason = "they read no vector, and so have no queue: use `on`".to_owned();
            return Err(Error::invalid_input("keys to argsort", reason));
        };
        let queue = &*queue;
        // SAFETY: the kernels enqueued next on the same queue write every element. If one of them cannot
        // be enqueued, the vector is dropped here.
        let order = unsafe { DeviceVec::<I>::uninit(queue, len) }?;
        if len == 0 {
            return Ok(order);
        }
        let size = K::TYPE.size();
        let sorted = queue.scratch(len * size)?;
        let first: &Memory = match keys.as_vector() {
            Some(vector) => vector.memory(),
            None => {
                let target = targets_in(queue, &[&sorted], len, [K::TYPE]);
                evaluate(fused_with(operation, keys, target, false))?;
                &sorted
            }
        };
        let column = Column { first, home: &sorted, size };
        // The first pass makes the indices, so it does not read `first`.
        let indices = Column { first, home: order.memory(), size: I::TYPE.size() };
        let items = self.items::<K>(operation, queue, len, column, vec![indices])?;
        let items = Items { indices: true, within, ..items };
        sort_by(&items, self.method)?;
        Ok(order)
    }

    /// Sorts the first of the targets, which are keys, and moves the others along: all of them, or each segment by
    /// itself.
    pub(super) fn in_place<K: SortKey>(
        &self,
        operation: &'static str,
        mut targets: Vec<Target<'_>>,
        within: Option<Within<'_>>,
    ) -> Result<()> {
        if let Some(error) = targets.iter_mut().find_map(|target| target.failure.take()) {
            return Err(*error);
        }
        let Some((keys, values)) = targets.split_first() else { return Ok(()) };
        let (queue, len) = (keys.queue, keys.len);
        if values.len() > MOST_VALUES {
            let reason = format!("{} vectors of values; a sort moves at most {MOST_VALUES}", values.len());
            return Err(Error::invalid_input("vectors of values", reason));
        }
        if let Some(wrong) = values.iter().find(|target| target.len != len) {
            return Err(Error::length_mismatch(operation, len, wrong.len));
        }
        if values.iter().any(|target| target.queue != queue) {
            let reason = "keys and values belong to different queues";
            return Err(Error::foreign_object(operation, reason));
        }
        if within.is_some_and(|within| within.offsets.queue() != queue) {
            return Err(Error::foreign_object(
                operation,
                "the items and the segments belong to different queues",
            ));
        }
        let bits = self.bits_of::<K>()?;
        let longest = within.map_or(len, |within| within.longest);
        if len < 2 || longest < 2 || bits.is_empty() {
            return Ok(());
        }
        if targets.iter().all(Target::is_in_order) {
            return self.sort_in_order_targets::<K>(operation, &targets, within);
        }
        // The bits are moved as integers, so that the device need not support the elements' type.
        targets.iter_mut().for_each(|target| target.element = bits_of(target.element));
        let elements: Vec<ElementType> = targets.iter().map(|target| target.element).collect();
        let room = scratch_for(queue, len, elements.iter().copied())?;
        let memory: Vec<&Memory> = room.iter().map(|block| &**block).collect();
        let there = || targets_in(queue, &memory, len, elements.iter().copied());
        copy(operation, &targets, there())?;
        self.sort_in_order_targets::<K>(operation, &there(), within)?;
        // One kernel copies all of them back, so that either all of them are sorted, or none.
        copy(operation, &there(), targets)
    }

    /// Sorts keys and values of targets that are all in order.
    fn sort_in_order_targets<K: SortKey>(
        &self,
        operation: &'static str,
        targets: &[Target<'_>],
        within: Option<Within<'_>>,
    ) -> Result<()> {
        let Some((keys, values)) = targets.split_first() else { return Ok(()) };
        let values = values.iter().map(Column::in_place).collect();
        let keys_at = Column::in_place(keys);
        let items = self.items::<K>(operation, keys.queue, keys.len, keys_at, values)?;
        sort_by(&Items { within, ..items }, self.method)
    }

    fn items<'a, K: SortKey>(
        &self,
        operation: &'static str,
        queue: &'a Queue,
        len: usize,
        keys: Column<'a>,
        values: Vec<Column<'a>>,
    ) -> Result<Items<'a>> {
        let (bits, kind) = (self.bits_of::<K>()?, KeyKind::of::<K>(self.descending));
        let (compiled_len, indices, within) = (len, false, None);
        Ok(Items { operation, queue, len, compiled_len, kind, bits, keys, values, indices, within })
    }

    /// Returns the bits to sort by.
    fn bits_of<K: SortKey>(&self) -> Result<Range<u32>> {
        let (begin, end) = (self.bits.0, self.bits.1.unwrap_or(K::BITS as usize));
        if begin > end || end > K::BITS as usize {
            let range = written(begin, self.bits.1);
            let reason = format!("{range} is not a range of the keys' {} bits", K::BITS);
            return Err(Error::invalid_input("bits to sort by", reason));
        }
        Ok(begin as u32..end as u32)
    }
}

/// Returns an element type of the same size that any device can copy: unsigned integers in place of other
/// scalars. Structs stay as they are.
fn bits_of(element: ElementType) -> ElementType {
    match element {
        ElementType::Scalar(scalar) => ElementType::Scalar(scalar.unsigned()),
        ElementType::Vector(scalar, count) => ElementType::Vector(scalar.unsigned(), count),
        ElementType::Complex(part) => ElementType::Vector(part.unsigned(), 2),
        ElementType::Struct(_) => element,
    }
}

fn sort_by(items: &Items<'_>, method: Method) -> Result<()> {
    if counting::is_suited(items, method) {
        return counting::sort(items);
    }
    let profile = profile(items.queue.context())?;
    if small::is_suited(items, method, &profile) {
        return small::sort(items);
    }
    let fits = profile.largest_group >= sweep::LEAST_GROUP && profile.local_memory >= sweep::LEAST_LOCAL;
    let method = match method.on(items.queue)? {
        Method::LookBack(look_back) if fits => Method::LookBack(look_back),
        _ => Method::Runs,
    };
    match (items.within, method) {
        (Some(within), method) => segments::sort(items, within, method),
        (None, Method::LookBack(look_back)) => sweep::sort(items, look_back, None),
        (None, _) => runs::sort(items, None),
    }
}
