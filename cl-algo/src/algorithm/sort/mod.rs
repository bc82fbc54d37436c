//! Radix sorts: stable sorts by the digits of the keys.
//!
//! | file | concept |
//! | --- | --- |
//! | `key` | what can be sorted by |
//! | `passes` | the digits, and the memory that items are moved to and fro |
//! | `runs` | two launches a digit, for devices that give each work-item a contiguous piece: CPUs |
//! | `sweep` | one launch a digit, by look-back: GPUs |

mod key;
mod passes;
mod runs;
mod sweep;
#[cfg(test)]
mod tests;

pub use key::SortKey;

use super::look_back::Method;
use super::update_all::InPlace;
use crate::codegen::profile;
use crate::element::{Integer, Item};
use crate::sink::ends;
use crate::vec::DeviceVec;
use cl_core::{Error, Result};
use key::KeyKind;
use passes::{Column, Items, MOST_VALUES};
use std::ops::{Range, RangeBounds};

/// Sorts the keys, the smallest first: floats in IEEE 754's total order, from the negative NaNs over
/// -0.0 and +0.0 to the positive NaNs.
///
/// A radix sort from the lowest digit of eight bits on: on GPUs in one launch a digit (Adinets and
/// Merrill, "Onesweep", 2022), on CPUs in two. See [`Sort`] for what else it can do.
///
/// # Errors
/// [`Error::TooLarge`] or [`Error::Driver`] when there is no memory for a second copy of the keys;
/// [`Error::Build`], [`Error::Driver`].
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[0.5_f32, -1.0, 0.0, -0.0])?;
/// sort(&mut x)?;
/// assert_eq!(x.to_vec()?, [-1.0, -0.0, 0.0, 0.5]);
/// # Ok(())
/// # }
/// ```
pub fn sort<K: SortKey>(keys: &mut DeviceVec<K>) -> Result<()> {
    Sort::new().keys(keys)
}

/// Sorts the keys, the largest first.
///
/// ```
/// use cl_algo::prelude::*;
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
pub fn sort_descending<K: SortKey>(keys: &mut DeviceVec<K>) -> Result<()> {
    Sort::new().descending().keys(keys)
}

/// Sorts the keys, the smallest first, and moves the values along: a vector of any element, or a tuple
/// of up to eight. Values of equal keys stay in their order.
///
/// # Errors
/// As [`Sort::by_key`].
///
/// ```
/// use cl_algo::prelude::*;
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
pub fn sort_by_key<'a, K: SortKey, V: Item>(
    keys: &'a mut DeviceVec<K>,
    values: impl InPlace<'a, V>,
) -> Result<()> {
    Sort::new().by_key(keys, values)
}

/// As [`sort_by_key`], the largest key first. Values of equal keys stay in their order here, too.
///
/// ```
/// use cl_algo::prelude::*;
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
pub fn sort_by_key_descending<'a, K: SortKey, V: Item>(
    keys: &'a mut DeviceVec<K>,
    values: impl InPlace<'a, V>,
) -> Result<()> {
    Sort::new().descending().by_key(keys, values)
}

/// The indices of the keys in the order of their keys, the smallest first, so that
/// `keys.iter().permute(&order)` is sorted. Indices of equal keys are in ascending order.
///
/// # Errors
/// As [`Sort::argsort`].
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let keys = DeviceVec::from_slice(&queue, &[30, -10, 20])?;
/// let order = argsort(&keys)?;
/// assert_eq!(order.to_vec()?, [1, 2, 0]);
/// assert_eq!(keys.iter().permute(&order).collect()?.to_vec()?, [-10, 20, 30]);
/// # Ok(())
/// # }
/// ```
pub fn argsort<K: SortKey>(keys: &DeviceVec<K>) -> Result<DeviceVec<u32>> {
    Sort::new().argsort(keys)
}

/// A radix sort, with what can be chosen. Always stable: items of equal keys keep their order, also
/// where the largest comes first.
///
/// It takes scratch memory for a second copy of the keys and values, from the queue's pool. After an error
/// of the driver keys and values are still together, and all there, in whatever order.
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
pub struct Sort {
    descending: bool,
    /// Begin, and end unless it is that of the keys.
    bits: (usize, Option<usize>),
    method: Method,
}

impl Sort {
    /// By all bits of the keys, the smallest first.
    pub fn new() -> Sort {
        Sort::default()
    }

    /// The largest key first.
    pub fn descending(self) -> Sort {
        Sort { descending: true, ..self }
    }

    /// By these bits only, of which 0 is the lowest: keys that agree in them stay in their order. Where
    /// fewer bits differ, less needs to be done.
    ///
    /// They are the bits of the unsigned numbers in the same order as the keys: of a signed integer the
    /// highest one is inverted; so it is of a float, and of a negative float all of them are.
    pub fn bits(self, range: impl RangeBounds<u32>) -> Sort {
        let number = |bound: std::ops::Bound<&u32>| bound.map(|&bit| bit as usize);
        Sort { bits: ends(&(number(range.start_bound()), number(range.end_bound()))), ..self }
    }

    /// Sorts keys.
    ///
    /// # Errors
    /// As [`sort()`], and [`Error::InvalidInput`] for bits that the keys do not have.
    pub fn keys<K: SortKey>(&self, keys: &mut DeviceVec<K>) -> Result<()> {
        self.in_place(keys, Vec::new())
    }

    /// Sorts keys, and moves values along: a vector of any element, or a tuple of up to eight.
    ///
    /// # Errors
    /// As [`Sort::keys`]; [`Error::LengthMismatch`] unless there are as many values as keys;
    /// [`Error::ForeignObject`] when they belong to different queues; [`Error::InvalidInput`] for more
    /// than eight vectors of values.
    pub fn by_key<'a, K: SortKey, V: Item>(
        &self,
        keys: &'a mut DeviceVec<K>,
        values: impl InPlace<'a, V>,
    ) -> Result<()> {
        let mut targets = Vec::new();
        // The sort knows nothing of expressions: it moves bytes.
        drop(values.share("sort_by_key", &mut targets));
        if targets.len() > MOST_VALUES {
            let reason = format!("they are {}, and a sort moves eight at most", targets.len());
            return Err(Error::InvalidInput { what: "vectors of values", reason });
        }
        if let Some(wrong) = targets.iter().map(|target| target.len).find(|&len| len != keys.len()) {
            return Err(Error::LengthMismatch { operation: "sort_by_key", left: keys.len(), right: wrong });
        }
        if targets.iter().any(|target| target.queue != keys.queue()) {
            let reason = "keys and values belong to different queues";
            return Err(Error::ForeignObject { operation: "sort_by_key", reason });
        }
        let values = targets.iter().map(|target| Column::in_place(target.memory, target.element.size()));
        self.in_place(keys, values.collect())
    }

    /// The indices of the keys in the order of their keys.
    ///
    /// # Errors
    /// As [`Sort::keys`], and [`Error::InvalidInput`] for 2^32 keys or more, for which
    /// [`argsort_u64`](Sort::argsort_u64) is there.
    pub fn argsort<K: SortKey>(&self, keys: &DeviceVec<K>) -> Result<DeviceVec<u32>> {
        if u32::try_from(keys.len()).is_err() {
            let reason = format!("there are {} keys, for whose indices u32 is too small", keys.len());
            return Err(Error::InvalidInput { what: "keys to argsort", reason });
        }
        self.order(keys)
    }

    /// As [`argsort`](Sort::argsort), for any number of keys.
    ///
    /// # Errors
    /// As [`Sort::keys`].
    pub fn argsort_u64<K: SortKey>(&self, keys: &DeviceVec<K>) -> Result<DeviceVec<u64>> {
        self.order(keys)
    }

    /// The order, in elements that have room for the indices.
    fn order<K: SortKey, I: Integer>(&self, keys: &DeviceVec<K>) -> Result<DeviceVec<I>> {
        self.bits_of::<K>()?;
        let (queue, len) = (keys.queue(), keys.len());
        // SAFETY: the kernels enqueued next on the same queue write every element. If one of them cannot
        // be enqueued, the vector is dropped here.
        let order = unsafe { DeviceVec::<I>::uninit(queue, len) }?;
        if len == 0 {
            return Ok(order);
        }
        let size = K::TYPE.size();
        let sorted = queue.scratch(len * size)?;
        let column = Column { first: keys.memory(), home: &sorted, size };
        // Nothing reads where the indices come from.
        let indices = Column { first: keys.memory(), home: order.memory(), size: I::TYPE.size() };
        let items = Items { indices: true, ..self.items(keys, column, vec![indices])? };
        sort_by(&items, self.method)?;
        Ok(order)
    }

    fn in_place<K: SortKey>(&self, keys: &DeviceVec<K>, values: Vec<Column<'_>>) -> Result<()> {
        let column = Column::in_place(keys.memory(), K::TYPE.size());
        let items = self.items(keys, column, values)?;
        if items.len < 2 || items.bits.is_empty() {
            return Ok(());
        }
        sort_by(&items, self.method)
    }

    fn items<'a, K: SortKey>(
        &self,
        vector: &'a DeviceVec<K>,
        keys: Column<'a>,
        values: Vec<Column<'a>>,
    ) -> Result<Items<'a>> {
        let (queue, len) = (vector.queue(), vector.len());
        let (bits, kind) = (self.bits_of::<K>()?, KeyKind::of::<K>(self.descending));
        Ok(Items { queue, len, reach: len, kind, bits, keys, values, indices: false })
    }

    /// The bits to sort by.
    fn bits_of<K: SortKey>(&self) -> Result<Range<u32>> {
        let (begin, end) = (self.bits.0, self.bits.1.unwrap_or(K::BITS as usize));
        if begin > end || end > K::BITS as usize {
            let reason = format!("{begin}..{end} is not a range of the keys' {} bits", K::BITS);
            return Err(Error::InvalidInput { what: "bits to sort by", reason });
        }
        Ok(begin as u32..end as u32)
    }
}

fn sort_by(items: &Items<'_>, method: Method) -> Result<()> {
    let largest_group = profile(items.queue.context())?.largest_group;
    match method.on(items.queue)? {
        Method::LookBack(look_back) if largest_group >= sweep::LEAST_GROUP => sweep::sort(items, look_back),
        _ => runs::sort(items),
    }
}
