//! Scans as methods of expressions.

use super::new_vectors::{NewVectors, extent};
use crate::algorithm::{by_key, scan};
use crate::element::{Element, Number};
use crate::expr::{Expr, Item, Operand, Val, record};
use crate::ir::graph::Graph;
use crate::sink::Sink;
use cl_core::Result;
use std::fmt;
use std::marker::PhantomData;

/// A scan that is not evaluated yet: made by [`Expr::inclusive_scan`] and the other scan methods.
#[must_use = "scans are lazy: nothing is computed until `collect` or `collect_into`"]
pub struct Scan<'a, T: Item> {
    /// The name of the operation in errors.
    operation: &'static str,
    items: Graph<'a>,
    initial: Option<Graph<'a>>,
    operator: Graph<'static>,
    keys: Option<by_key::Keys<'a>>,
    item: PhantomData<T>,
}

impl<'a, T: Number> Expr<'a, T> {
    /// Returns the lazy scan of running sums: result `i` is `x[0] + ... + x[i]`.
    ///
    /// Integers wrap around. Floats are added in an order that depends on the length and the device only. On GPUs a
    /// scan of 16 items or more is one launch, by decoupled look-back (Merrill and Garland, 2016).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4])?;
    /// assert_eq!(x.iter().inclusive_scan().collect()?.to_vec()?, [1, 3, 6, 10]);
    /// let keys = DeviceVec::from_slice(&queue, &[7, 7, 8, 8])?;
    /// assert_eq!(x.iter().inclusive_scan().by_key(&keys).collect()?.to_vec()?, [1, 3, 3, 7]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("cumsum", "prefix_sum", "partial_sum", "DeviceScan"))]
    pub fn inclusive_scan(self) -> Scan<'a, T> {
        Scan::new("inclusive_scan", self, None, |a, b| a + b)
    }

    /// Returns the lazy scan of the sums before each item: result `i` is `initial + x[0] + ... + x[i - 1]`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let lengths = DeviceVec::from_slice(&queue, &[3_u32, 1, 2])?;
    /// let begins = lengths.iter().exclusive_scan(0).collect()?;
    /// assert_eq!(begins.to_vec()?, [0, 3, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("cumsum", "prefix_sum", "DeviceScan"))]
    pub fn exclusive_scan(self, initial: impl Operand<'a, T>) -> Scan<'a, T> {
        Scan::new("exclusive_scan", self, Some(initial.into_expr().into_graph()), |a, b| a + b)
    }
}

impl<'a, T: Item> Expr<'a, T> {
    /// Returns the lazy scan with an associative operator: result `i` combines the items 0 to `i`.
    ///
    /// The operator need not commute: its first argument is the result of the items before the second. It is recorded
    /// once, as the closures of [`map`](Expr::map) are.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1, 5, 2, 7])?;
    /// let mut largest = DeviceVec::filled(&queue, 0, 4)?;
    /// x.iter().inclusive_scan_with(|a, b| a.max(b)).collect_into(&mut largest)?;
    /// assert_eq!(largest.to_vec()?, [1, 5, 5, 7]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("cummax", "cummin", "cumprod", "accumulate"))]
    pub fn inclusive_scan_with(
        self,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    ) -> Scan<'a, T> {
        Scan::new("inclusive_scan_with", self, None, operator)
    }

    /// Returns the lazy scan with an associative operator whose result `i` combines `initial` and the items before `i`.
    ///
    /// The first result is `initial`. See [`inclusive_scan_with`](Expr::inclusive_scan_with).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[3, 1, 4])?;
    /// let before = x.iter().exclusive_scan_with(i32::MIN, |a, b| a.max(b)).collect()?;
    /// assert_eq!(before.to_vec()?, [i32::MIN, 3, 3]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn exclusive_scan_with(
        self,
        initial: impl Operand<'a, T>,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    ) -> Scan<'a, T> {
        Scan::new("exclusive_scan_with", self, Some(initial.into_expr().into_graph()), operator)
    }
}

impl<'a, T: Item> Scan<'a, T> {
    fn new(
        operation: &'static str,
        items: Expr<'a, T>,
        initial: Option<Graph<'a>>,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    ) -> Scan<'a, T> {
        let operator = record::<(T, T), _>(|(a, b)| operator(a, b));
        Scan { operation, items: items.into_graph(), initial, operator, keys: None, item: PhantomData }
    }

    /// Restarts the scan at each run of equal neighbouring keys.
    pub fn by_key<K: Element + PartialEq>(self, keys: impl Operand<'a, K>) -> Scan<'a, T> {
        self.by_key_with(keys, |a: Val<K>, b: Val<K>| a.eq(b))
    }

    /// Restarts the scan at each key for which `equal(key before it, key)` is false.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let keys = DeviceVec::from_slice(&queue, &[10, 11, 25, 26])?;
    /// let scan = iota(1, 4).inclusive_scan().by_key_with(&keys, |a: Val<i32>, b: Val<i32>| (a / 10).eq(b / 10));
    /// assert_eq!(scan.collect()?.to_vec()?, [1, 3, 3, 7]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn by_key_with<K: Item>(
        self,
        keys: impl Operand<'a, K>,
        equal: impl FnOnce(K::Values, K::Values) -> Val<bool>,
    ) -> Scan<'a, T> {
        Scan { keys: Some(by_key::Keys::of::<K, T>(keys, equal)), ..self }
    }

    /// Evaluates the scan into new vectors.
    ///
    /// # Errors
    /// As [`Expr::collect`], and [`Error::InvalidInput`](cl_core::Error::InvalidInput) if the initial value has a
    /// length.
    pub fn collect(self) -> Result<T::Vectors> {
        let keys = self.keys.as_ref().map(by_key::Keys::graph);
        let inputs: Vec<_> = std::iter::once(&self.items).chain(keys).collect();
        let (queue, len) = extent(self.operation, &inputs)?;
        // SAFETY: the scan is enqueued next and writes every element. If it cannot be enqueued, the vectors are
        // dropped.
        let vectors = unsafe { T::uninit(&queue, len) }?;
        self.collect_into(NewVectors::<T>(&vectors))?;
        Ok(vectors)
    }

    /// Evaluates the scan into an output.
    ///
    /// # Errors
    /// As [`collect`](Scan::collect), and [`Error::LengthMismatch`](cl_core::Error::LengthMismatch).
    pub fn collect_into(self, output: impl Sink<'a, T>) -> Result<()> {
        let Scan { operation, items, initial, operator, keys, .. } = self;
        match keys {
            None => scan::scan_into::<T>(operation, items, initial, operator, output),
            Some(keys) => by_key::scan_into::<T>(operation, keys, items, initial, operator, output),
        }
    }
}

impl<T: Item> fmt::Debug for Scan<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scan<{}>({})", std::any::type_name::<T>(), self.operation)
    }
}
