//! Sets.

use crate::sorted::{Key, are_among, check_sorted, range_of, shrink, sorted_keys, unique_keys};
use cl_algo::prelude::*;
use cl_algo::stl;
use cl_core::{Queue, Result};
use std::fmt;
use std::ops::RangeBounds;

/// A set of keys in device memory: a sorted vector without duplicates (`flat_set` of Boost and C++23).
///
/// Lookups are lazy, and changes are made in batches: see [`FlatMap`](crate::FlatMap).
///
/// ```
/// use cl_collections::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let vector = |values: &[u32]| DeviceVec::from_slice(&queue, values);
/// let mut set = FlatSet::from_keys(&vector(&[5, 1, 5])?)?;
/// set.insert(&vector(&[3, 9])?)?;
/// set.remove(&vector(&[9, 10])?)?;
/// assert_eq!(set.to_vec()?, [1, 3, 5]);
/// assert_eq!(set.contains_keys(&vector(&[3, 4])?).collect()?.to_vec()?, [true, false]);
/// let other = FlatSet::from_keys(&vector(&[4, 5])?)?;
/// assert_eq!(set.intersection(&other)?.to_vec()?, [5]);
/// assert_eq!(set.difference(&other)?.to_vec()?, [1, 3]);
/// set.merge(&other)?;
/// assert_eq!(set.to_vec()?, [1, 3, 4, 5]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("BTreeSet", "HashSet"))]
pub struct FlatSet<K: Key> {
    keys: DeviceVec<K>,
}

impl<K: Key> FlatSet<K> {
    /// Returns an empty set.
    ///
    /// # Errors
    /// [`Error::Driver`](cl_core::Error::Driver) if the driver has no memory left.
    pub fn new(queue: &Queue) -> Result<FlatSet<K>> {
        Ok(FlatSet { keys: DeviceVec::with_capacity(queue, 0)? })
    }

    /// Returns a set of keys in any order. A copy, a sort and a selection; reads the number of keys, and so blocks.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn from_keys<'a>(keys: impl Operand<'a, K>) -> Result<FlatSet<K>> {
        Ok(FlatSet { keys: sorted_keys(keys)? })
    }

    /// Returns a set of a vector: keys in ascending order without duplicates. One reduction that checks the order; blocks.
    ///
    /// ```
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// assert!(FlatSet::from_sorted(DeviceVec::from_slice(&queue, &[1, 2, 5])?)?.contains(2)?);
    /// assert!(FlatSet::from_sorted(DeviceVec::from_slice(&queue, &[1, 2, 2])?).is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) unless each key is less than the next one, and as
    /// [`Expr::all`].
    #[doc(alias = "sorted_unique")]
    pub fn from_sorted(keys: DeviceVec<K>) -> Result<FlatSet<K>> {
        check_sorted(&keys)?;
        Ok(FlatSet { keys })
    }

    /// Returns the number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns `true` if the set has zero keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the queue that works on the set.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        self.keys.queue()
    }

    /// Returns the keys, in ascending order.
    #[must_use]
    pub fn keys(&self) -> &DeviceVec<K> {
        &self.keys
    }

    /// Returns the keys as a vector.
    #[must_use]
    pub fn into_keys(self) -> DeviceVec<K> {
        self.keys
    }

    /// Returns the keys, in ascending order, as an expression.
    pub fn iter(&self) -> Expr<'_, K> {
        self.keys.iter()
    }

    /// Returns the keys in a range, as an expression. Two searches; blocks.
    ///
    /// # Errors
    /// As [`Expr::sum`].
    pub fn range(&self, range: impl RangeBounds<K>) -> Result<Expr<'_, K>> {
        Ok(self.iter().slice(range_of(&self.keys, &range)?))
    }

    /// Returns whether the set has each of the keys, as an expression.
    pub fn contains_keys<'a>(&'a self, keys: impl Operand<'a, K>) -> Expr<'a, bool> {
        are_among(keys.into_expr(), &self.keys)
    }

    /// Returns whether the set has a key. Blocks; for many keys, use [`contains_keys`](FlatSet::contains_keys).
    ///
    /// # Errors
    /// As [`Expr::sum`].
    pub fn contains(&self, key: K) -> Result<bool> {
        Ok(stl::binary_search(&self.keys, key)?.is_some())
    }

    /// Inserts keys, in any order. A copy, a sort, a merge and two selections; reads the number of keys, and so blocks.
    ///
    /// # Errors
    /// As [`from_keys`](FlatSet::from_keys); [`Error::ForeignObject`](cl_core::Error::ForeignObject) for keys of another
    /// queue. The set is then unchanged.
    #[doc(alias = "extend")]
    pub fn insert<'a>(&mut self, keys: impl Operand<'a, K>) -> Result<()> {
        let queue = self.queue().clone();
        let keys = sorted_keys(keys.into_expr().on(&queue))?;
        self.merge(&FlatSet { keys })
    }

    /// Inserts the keys of another set (`set_union`). A merge and a selection; reads the number of keys, and so blocks.
    ///
    /// # Errors
    /// As [`insert`](FlatSet::insert).
    #[doc(alias = "append")]
    pub fn merge(&mut self, other: &FlatSet<K>) -> Result<()> {
        *self = self.union(other)?;
        Ok(())
    }

    /// Removes keys, in any order. Keys that the set does not have are ignored. A copy, a sort and two selections; reads
    /// the number of keys left, and so blocks.
    ///
    /// # Errors
    /// As [`insert`](FlatSet::insert).
    pub fn remove<'a>(&mut self, keys: impl Operand<'a, K>) -> Result<()> {
        let queue = self.queue().clone();
        let removed = FlatSet { keys: sorted_keys(keys.into_expr().on(&queue))? };
        *self = self.difference(&removed)?;
        Ok(())
    }

    /// Returns the keys that both sets have (`set_intersection`). A selection; reads the number of keys, and so blocks.
    ///
    /// # Errors
    /// As [`insert`](FlatSet::insert).
    pub fn intersection(&self, other: &FlatSet<K>) -> Result<FlatSet<K>> {
        self.keep_if(other, true)
    }

    /// Returns the keys that `other` does not have (`set_difference`). A selection; reads the number of keys, and so
    /// blocks.
    ///
    /// # Errors
    /// As [`insert`](FlatSet::insert).
    pub fn difference(&self, other: &FlatSet<K>) -> Result<FlatSet<K>> {
        self.keep_if(other, false)
    }

    /// Returns the keys for which it is `found` whether `other` has them.
    fn keep_if(&self, other: &FlatSet<K>, found: bool) -> Result<FlatSet<K>> {
        // SAFETY: the elements that the selection does not store are cut off.
        let mut kept = unsafe { DeviceVec::uninit(self.queue(), self.len()) }?;
        let flagged = self.iter().zip(other.contains_keys(&self.keys));
        let keep = |(_, is_there): (Val<K>, Val<bool>)| if found { is_there } else { !is_there };
        let count = stl::copy_if::<(K, bool)>(flagged, keep, (&mut kept, Discard))?;
        kept.truncate_by(&count)?;
        shrink(&mut kept)?;
        Ok(FlatSet { keys: kept })
    }

    /// Returns the keys of both sets (`set_union`). A merge and a selection; reads the number of keys, and so blocks.
    ///
    /// # Errors
    /// As [`insert`](FlatSet::insert).
    pub fn union(&self, other: &FlatSet<K>) -> Result<FlatSet<K>> {
        // SAFETY: the merge writes all elements. If it cannot be enqueued, the vector is dropped.
        let mut all = unsafe { DeviceVec::uninit(self.queue(), self.len() + other.len()) }?;
        stl::merge(&self.keys, &other.keys, &mut all)?;
        Ok(FlatSet { keys: unique_keys(&all)? })
    }

    /// Returns the keys that only one of the sets has (`set_symmetric_difference`). One or two launches; reads the number of
    /// keys, and so blocks.
    ///
    /// # Errors
    /// As [`insert`](FlatSet::insert).
    pub fn symmetric_difference(&self, other: &FlatSet<K>) -> Result<FlatSet<K>> {
        // SAFETY: the elements that the operation does not store are cut off.
        let mut keys = unsafe { DeviceVec::uninit(self.queue(), self.len() + other.len()) }?;
        let count = stl::set_symmetric_difference(&self.keys, &other.keys, &mut keys)?;
        keys.truncate_by(&count)?;
        shrink(&mut keys)?;
        Ok(FlatSet { keys })
    }

    /// Returns whether `other` has all keys of this set (`includes`). Blocks.
    ///
    /// # Errors
    /// As [`insert`](FlatSet::insert).
    pub fn is_subset(&self, other: &FlatSet<K>) -> Result<bool> {
        other.contains_keys(&self.keys).all()
    }

    /// Returns whether the sets have no key in common. Blocks.
    ///
    /// # Errors
    /// As [`insert`](FlatSet::insert).
    pub fn is_disjoint(&self, other: &FlatSet<K>) -> Result<bool> {
        Ok(!other.contains_keys(&self.keys).any()?)
    }

    /// Returns a copy. One copy on the device; does not wait.
    ///
    /// # Errors
    /// As [`DeviceVec::try_clone`].
    pub fn try_clone(&self) -> Result<FlatSet<K>> {
        Ok(FlatSet { keys: self.keys.try_clone()? })
    }

    /// Removes all keys. Makes no driver call.
    pub fn clear(&mut self) {
        self.keys.clear();
    }

    /// Returns all keys on the host, in ascending order. Blocks.
    ///
    /// # Errors
    /// As [`DeviceVec::to_vec`].
    pub fn to_vec(&self) -> Result<Vec<K>> {
        self.keys.to_vec()
    }
}

impl<K: Key> fmt::Debug for FlatSet<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FlatSet<{}>({} keys)", std::any::type_name::<K>(), self.len())
    }
}
