//! Maps.

use crate::sorted::{Key, are_among, check_sorted, places, positions, range_of, shrink};
use cl_algo::prelude::*;
use cl_algo::{ViewMut, stl, zip};
use cl_core::{Error, Queue, Result};
use std::fmt;
use std::ops::RangeBounds;

/// A map from keys to values in device memory: two vectors, sorted by unique keys (`flat_map` of Boost and C++23).
///
/// Lookups are lazy expressions over any number of keys, so that they become part of the kernel that uses their results.
/// A lookup in `n` keys reads about `log2(n)` of them.
///
/// Changes are made in batches, because each of them rewrites the vectors: `n` keys are inserted into a map of `m` by a
/// sort of `n` and a merge of `n + m` keys.
///
/// ```
/// use cl_collections::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let vector = |values: &[u32]| DeviceVec::from_slice(&queue, values);
/// let mut map = FlatMap::from_pairs(&vector(&[5, 1, 5])?, &vector(&[50, 10, 51])?)?;
/// assert_eq!(map.to_vec()?, [(1, 10), (5, 51)]); // the later value of a key wins
/// map.insert(&vector(&[3, 1])?, &vector(&[30, 11])?)?;
/// assert_eq!(map.to_vec()?, [(1, 11), (3, 30), (5, 51)]);
/// map.remove(&vector(&[3, 4])?)?;
///
/// let wanted = vector(&[1, 3, 5])?;
/// assert_eq!(map.contains_keys(&wanted).collect()?.to_vec()?, [true, false, true]);
/// assert_eq!(map.get_or(&wanted, 7).collect()?.to_vec()?, [11, 7, 51]);
/// assert_eq!(map.get(5)?, Some(51));
/// # Ok(())
/// # }
/// ```
#[doc(alias("BTreeMap", "HashMap", "dictionary"))]
pub struct FlatMap<K: Key, V: Element> {
    keys: DeviceVec<K>,
    values: DeviceVec<V>,
}

impl<K: Key, V: Element> FlatMap<K, V> {
    /// Returns an empty map.
    ///
    /// # Errors
    /// [`cl_core::Error::Driver`] if the driver has no memory left.
    pub fn new(queue: &Queue) -> Result<FlatMap<K, V>> {
        Ok(FlatMap { keys: DeviceVec::with_capacity(queue, 0)?, values: DeviceVec::with_capacity(queue, 0)? })
    }

    /// Returns a map of keys in any order and their values. Of several values of a key, the last one is kept.
    ///
    /// A copy, a sort by key and a selection; reads the number of keys, and so blocks.
    ///
    /// # Errors
    /// [`cl_core::Error::LengthMismatch`] unless there are as many keys as values, and as [`Expr::collect`].
    pub fn from_pairs<'a>(keys: impl Operand<'a, K>, values: impl Operand<'a, V>) -> Result<FlatMap<K, V>> {
        let (keys, values) = last_first(zip((keys, values)))?;
        FlatMap::of_sorted(keys, values)
    }

    /// Returns a map of two vectors: keys in ascending order without duplicates, and their values. One reduction that
    /// checks the order; blocks.
    ///
    /// ```
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let (keys, values) = FlatMap::from_pairs(iota(10_u32, 3).on(&queue), iota(0_u32, 3))?.into_parts();
    /// let map = FlatMap::from_sorted(keys, values)?;
    /// assert_eq!(map.to_vec()?, [(10, 0), (11, 1), (12, 2)]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`cl_core::Error::LengthMismatch`] unless there are as many keys as values, [`cl_core::Error::ForeignObject`] if
    /// they belong to different queues, [`cl_core::Error::InvalidInput`] unless each key is less than the next one, and as
    /// [`Expr::all`].
    #[doc(alias("sorted_unique", "from_parts"))]
    pub fn from_sorted(keys: DeviceVec<K>, values: DeviceVec<V>) -> Result<FlatMap<K, V>> {
        if keys.len() != values.len() {
            return Err(Error::length_mismatch("from_sorted", keys.len(), values.len()));
        }
        if keys.queue() != values.queue() {
            return Err(Error::foreign_object("from_sorted", "keys and values belong to different queues"));
        }
        check_sorted(&keys)?;
        Ok(FlatMap { keys, values })
    }

    /// Returns a map of the first pair of each run of equal keys.
    fn of_sorted(keys: DeviceVec<K>, values: DeviceVec<V>) -> Result<FlatMap<K, V>> {
        // SAFETY: the elements that the selection does not store are cut off.
        let (mut unique, mut first) = unsafe {
            (DeviceVec::uninit(keys.queue(), keys.len())?, DeviceVec::uninit(keys.queue(), keys.len())?)
        };
        let count = stl::unique_by_key(&keys, &values, Val::eq, (&mut unique, &mut first))?;
        unique.truncate_by(&count)?;
        first.truncate(unique.len());
        Ok(FlatMap { keys: unique, values: first })
    }

    /// Returns the number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns `true` if the map has zero keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the queue that works on the map.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        self.keys.queue()
    }

    /// Returns the keys, in ascending order.
    #[must_use]
    pub fn keys(&self) -> &DeviceVec<K> {
        &self.keys
    }

    /// Returns the values, in the order of their keys.
    #[must_use]
    pub fn values(&self) -> &DeviceVec<V> {
        &self.values
    }

    /// Returns the values, to be changed.
    pub fn values_mut(&mut self) -> ViewMut<'_, V> {
        self.values.view_mut()
    }

    /// Returns keys and values as vectors.
    #[must_use]
    pub fn into_parts(self) -> (DeviceVec<K>, DeviceVec<V>) {
        (self.keys, self.values)
    }

    /// Returns the pairs of key and value, in ascending order of the keys, as an expression.
    pub fn iter(&self) -> Expr<'_, (K, V)> {
        zip((&self.keys, &self.values))
    }

    /// Returns the pairs whose keys lie in a range, as an expression. A range that ends before it begins has no pairs. Two
    /// searches; blocks.
    ///
    /// # Errors
    /// As [`Expr::sum`].
    pub fn range(&self, range: impl RangeBounds<K>) -> Result<Expr<'_, (K, V)>> {
        Ok(self.iter().slice(range_of(&self.keys, &range)?))
    }

    /// Returns whether the map has each of the keys, as an expression.
    pub fn contains_keys<'a>(&'a self, keys: impl Operand<'a, K>) -> Expr<'a, bool> {
        are_among(keys.into_expr(), &self.keys)
    }

    /// Returns the value of each of the keys, and `default` for a key that the map does not have, as an expression.
    ///
    /// Each work-item searches for one key at a time. [`lookup`](FlatMap::lookup) searches for several at once, which is
    /// faster for many keys on CPUs.
    pub fn get_or<'a>(&'a self, keys: impl Operand<'a, K>, default: impl Operand<'a, V>) -> Expr<'a, V> {
        let (keys, default) = (keys.into_expr().on(self.queue()), default.into_expr());
        if self.is_empty() {
            return keys.zip(default).map(|(_, default)| default);
        }
        let last = self.len() as u64 - 1;
        let (at, found) = places(keys.clone(), positions(keys, &self.keys), &self.keys, last);
        self.values_at(at, found, default)
    }

    /// Returns the value of each of the keys, and `default` for a key that the map does not have, as a new vector. A
    /// [search](stl::lower_bounds) for many keys at once, and one launch that reads the values. Does not wait.
    ///
    /// ```
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let map = FlatMap::from_pairs(iota(10_u32, 3).on(&queue), iota(0_u32, 3))?;
    /// let wanted = DeviceVec::from_slice(&queue, &[12, 7])?;
    /// assert_eq!(map.lookup(&wanted, 99)?.to_vec()?, [2, 99]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn lookup<'a>(
        &'a self,
        keys: impl Operand<'a, K>,
        default: impl Operand<'a, V>,
    ) -> Result<DeviceVec<V>> {
        let (keys, default) = (keys.into_expr().on(self.queue()), default.into_expr());
        let Some(last) = u32::try_from(self.len()).ok().and_then(|len| len.checked_sub(1)) else {
            return self.get_or(keys, default).collect_on(self.queue());
        };
        // SAFETY: the search writes all elements. If it cannot be enqueued, the vector is dropped.
        let mut before = unsafe { DeviceVec::<u32>::uninit(self.queue(), keys.len().unwrap_or(0)) }?;
        stl::lower_bounds(&self.keys, keys.clone(), &mut before)?;
        let (at, found) = places(keys, before.into_expr(), &self.keys, last);
        self.values_at(at, found, default).collect_on(self.queue())
    }

    /// Returns the values at places where a key was found, and `default` elsewhere.
    fn values_at<'a, I: Integer>(
        &'a self,
        at: Expr<'a, I>,
        found: Expr<'a, bool>,
        default: Expr<'a, V>,
    ) -> Expr<'a, V> {
        // SAFETY: the places are those of keys, and there are as many values.
        let values = unsafe { self.values.iter().gather_unchecked("lookup", self.len(), at) };
        found.select(values, default)
    }

    /// Returns the value of each of the keys and whether the map has the key, as an expression. The value of a key that
    /// the map does not have is [`Element::zeroed`].
    ///
    /// Evaluate it into two outputs, or filter by the flag.
    ///
    /// ```
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let map = FlatMap::from_pairs(iota(10_u32, 3).on(&queue), iota(0_u32, 3))?;
    /// let wanted = DeviceVec::from_slice(&queue, &[12, 7])?;
    /// let (values, found) = map.get_all(&wanted).collect()?;
    /// assert_eq!(values.to_vec()?, [2, 0]);
    /// assert_eq!(found.to_vec()?, [true, false]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn get_all<'a>(&'a self, keys: impl Operand<'a, K>) -> Expr<'a, (V, bool)> {
        let keys = keys.into_expr();
        self.get_or(keys.clone(), V::zeroed()).zip(self.contains_keys(keys))
    }

    /// Returns the value of one key. Blocks; for many keys, use [`get_or`](FlatMap::get_or).
    ///
    /// # Errors
    /// As [`Expr::sum`].
    pub fn get(&self, key: K) -> Result<Option<V>> {
        match stl::binary_search(&self.keys, key)? {
            Some(at) => self.values.get(at).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the number of keys before each of the given keys (`lower_bound`), as an expression.
    pub fn positions<'a>(&'a self, keys: impl Operand<'a, K>) -> Expr<'a, u64> {
        let keys = keys.into_expr().on(self.queue());
        if self.is_empty() { keys.map(|_| Val::from(0)) } else { positions(keys, &self.keys) }
    }

    /// Inserts keys in any order and their values. The value of a key that the map has is replaced; of several new values
    /// of a key, the last one is kept.
    ///
    /// A copy, a sort and a merge by key, and a selection; reads the number of keys, and so blocks.
    ///
    /// # Errors
    /// As [`from_pairs`](FlatMap::from_pairs); [`cl_core::Error::ForeignObject`] for keys of another queue. The map is then
    /// unchanged.
    #[doc(alias("extend", "update"))]
    pub fn insert<'a>(&mut self, keys: impl Operand<'a, K>, values: impl Operand<'a, V>) -> Result<()> {
        let queue = self.queue().clone();
        let (keys, values) = last_first(zip((keys, values)).on(&queue))?;
        self.merge_sorted(&keys, &values)
    }

    /// Inserts the pairs of another map. Values of `other` replace those of this map, as in Rust's `append`; C++'s `merge`
    /// would keep them.
    ///
    /// A merge by key and a selection; reads the number of keys, and so blocks.
    ///
    /// # Errors
    /// As [`insert`](FlatMap::insert).
    #[doc(alias = "append")]
    pub fn merge(&mut self, other: &FlatMap<K, V>) -> Result<()> {
        self.merge_sorted(&other.keys, &other.values)
    }

    fn merge_sorted(&mut self, keys: &DeviceVec<K>, values: &DeviceVec<V>) -> Result<()> {
        let len = self.len() + keys.len();
        // SAFETY: the merge writes all elements. If it cannot be enqueued, the vectors are dropped.
        let (mut all, mut all_values) =
            unsafe { (DeviceVec::uninit(self.queue(), len)?, DeviceVec::uninit(self.queue(), len)?) };
        // Of equal keys, those of the first sequence come first.
        stl::merge_by_key((keys, values), (&self.keys, &self.values), (&mut all, &mut all_values))?;
        *self = FlatMap::of_sorted(all, all_values)?;
        Ok(())
    }

    /// Removes keys, in any order. Keys that the map does not have are ignored.
    ///
    /// A copy and a sort of the given keys, and a selection; reads the number of keys left, and so blocks.
    ///
    /// # Errors
    /// As [`insert`](FlatMap::insert).
    pub fn remove<'a>(&mut self, keys: impl Operand<'a, K>) -> Result<()> {
        let queue = self.queue().clone();
        let mut removed = keys.into_expr().on(&queue).collect()?;
        if removed.is_empty() || self.is_empty() {
            return Ok(());
        }
        removed.sort()?;
        let flagged = self.iter().zip(are_among(self.keys.iter(), &removed));
        // SAFETY: the elements that the selection does not store are cut off.
        let (mut left, mut values) = unsafe {
            (DeviceVec::uninit(self.queue(), self.len())?, DeviceVec::uninit(self.queue(), self.len())?)
        };
        let output = ((&mut left, &mut values), Discard);
        let count = stl::remove_copy_if::<((K, V), bool)>(flagged, |(_, found)| found, output)?;
        left.truncate_by(&count)?;
        values.truncate(left.len());
        shrink(&mut left)?;
        shrink(&mut values)?;
        *self = FlatMap { keys: left, values };
        Ok(())
    }

    /// Returns a copy. Two copies on the device; does not wait.
    ///
    /// # Errors
    /// As [`DeviceVec::try_clone`].
    pub fn try_clone(&self) -> Result<FlatMap<K, V>> {
        Ok(FlatMap { keys: self.keys.try_clone()?, values: self.values.try_clone()? })
    }

    /// Removes all keys. Makes no driver call.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.values.clear();
    }

    /// Returns all pairs on the host, in ascending order of the keys. Blocks.
    ///
    /// # Errors
    /// As [`DeviceVec::to_vec`].
    pub fn to_vec(&self) -> Result<Vec<(K, V)>> {
        Ok(self.keys.to_vec()?.into_iter().zip(self.values.to_vec()?).collect())
    }
}

/// Returns the pairs sorted by key, the later ones of equal keys first.
fn last_first<K: Key, V: Element>(pairs: Expr<'_, (K, V)>) -> Result<(DeviceVec<K>, DeviceVec<V>)> {
    let (mut keys, mut values) = pairs.rev().collect()?;
    stl::sort_by_key(&mut keys, &mut values)?;
    Ok((keys, values))
}

impl<K: Key, V: Element> fmt::Debug for FlatMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, value) = (std::any::type_name::<K>(), std::any::type_name::<V>());
        write!(f, "FlatMap<{key}, {value}>({} keys)", self.len())
    }
}
