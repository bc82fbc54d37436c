//! Reductions by key as methods of expressions.

use super::new_vectors::{NewVectors, extent, shortened};
use crate::algorithm::by_key;
use crate::element::{Element, Number};
use crate::expr::{Expr, Item, Operand, Val};
use crate::vec::DeviceVec;
use cl_core::Result;

impl<'a, V: Item> Expr<'a, V> {
    /// Reduces the items of each run of equal neighbouring keys with an associative operator.
    ///
    /// Returns the key and the result of each run. Waits for the number of runs. Equal keys that are not neighbours
    /// belong to different runs: sort by key first.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let keys = DeviceVec::from_slice(&queue, &[1, 1, 2])?;
    /// let values = DeviceVec::from_slice(&queue, &[7.0_f32, 9.0, 8.0])?;
    /// let (each, largest) = values.iter().reduce_by_key(&keys, |a, b| a.max(b))?;
    /// assert_eq!(each.to_vec()?, [1, 2]);
    /// assert_eq!(largest.to_vec()?, [9.0, 8.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`], and [`Error::LengthMismatch`](cl_core::Error::LengthMismatch) unless there are as many
    /// keys as items.
    #[doc(alias("groupby", "DeviceReduce"))]
    pub fn reduce_by_key<K: Element + PartialEq>(
        self,
        keys: impl Operand<'a, K>,
        operator: impl FnOnce(V::Values, V::Values) -> V::Values,
    ) -> Result<(DeviceVec<K>, V::Vectors)> {
        self.reduce_by_key_as("reduce_by_key", keys.into_expr(), operator)
    }

    /// Returns [`Expr::reduce_by_key`]. `operation` is the name in errors.
    fn reduce_by_key_as<K: Element + PartialEq>(
        self,
        operation: &'static str,
        keys: Expr<'a, K>,
        operator: impl FnOnce(V::Values, V::Values) -> V::Values,
    ) -> Result<(DeviceVec<K>, V::Vectors)> {
        let (keys, values) = (keys.into_graph(), self.into_graph());
        let (queue, len) = extent(operation, &[&keys, &values])?;
        // SAFETY: nothing reads the elements behind the ones that the reduction stores.
        let (each, results) = unsafe { (DeviceVec::<K>::uninit(&queue, len)?, V::uninit(&queue, len)?) };
        let outputs = (NewVectors::<K>(&each), NewVectors::<V>(&results));
        let (keys, values) = (Expr::<K>::new(keys), Expr::<V>::new(values));
        let count =
            by_key::reduce_as(operation, keys, values, operator, outputs.0, outputs.1)?.get()? as usize;
        Ok((shortened::<K>(&queue, each, len, count)?, shortened::<V>(&queue, results, len, count)?))
    }
}

impl<'a, V: Number> Expr<'a, V> {
    /// Adds the items of each run of equal neighbouring keys: [`reduce_by_key`](Expr::reduce_by_key) with `+`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut keys = DeviceVec::from_slice(&queue, &[2, 1, 2])?;
    /// keys.sort()?;
    /// let (each, count) = constant(1_u32).sum_by_key(&keys)?; // how often each key occurs
    /// assert_eq!(each.to_vec()?, [1, 2]);
    /// assert_eq!(count.to_vec()?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`reduce_by_key`](Expr::reduce_by_key).
    #[doc(alias("bincount", "groupby", "DeviceReduce"))]
    pub fn sum_by_key<K: Element + PartialEq>(
        self,
        keys: impl Operand<'a, K>,
    ) -> Result<(DeviceVec<K>, DeviceVec<V>)> {
        self.reduce_by_key_as("sum_by_key", keys.into_expr(), |a: Val<V>, b: Val<V>| a + b)
    }
}
