//! Aggregates of the rows with equal keys.

use crate::group_rows::{Range, Rows, gathered, occupied};
use crate::sorted::{Key, unique_keys};
use cl_algo::codegen::StoredItems;
use cl_algo::prelude::*;
use cl_algo::ranked::queue_of;
use cl_algo::reducers::{Reducer, Sum};
use cl_algo::{Castable, Item, Ordered, Sink, stl};
use cl_core::{Error, Queue, Result};
use std::fmt;

/// The rows of a table, grouped by equal keys (`GROUP BY` of SQL).
///
/// The values are any expressions with one item for each key. The groups are in ascending order of their keys. Several
/// aggregates of one pass are those of a tuple of reducers, [`reduce_with`](GroupBy::reduce_with).
///
/// On CPUs, if the keys lie in a range of at most a quarter as many integers as there are rows (or of 4096), rows are not
/// sorted: each aggregate is a [reduction by index](stl::reduce_by_index) of two launches, in the order of the rows. Nor are
/// 2^16 rows or more with few distinct keys anywhere, which hash tables number: at most 2^14 keys, or 2^17 for 2^20 rows.
/// In all other cases the keys are sorted once, and each aggregate is one launch, which reads its values in the order of the
/// sorted keys.
///
/// ```
/// use cl_collections::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let city = DeviceVec::from_slice(&queue, &[7_u32, 2, 7, 7, 2])?;
/// let sales = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 4.0, 4.0, 8.0])?;
///
/// let groups = GroupBy::new(&city)?;
/// assert_eq!(groups.keys().to_vec()?, [2, 7]);
/// assert_eq!(groups.counts().collect()?.to_vec()?, [2, 3]);
/// assert_eq!(groups.sum(&sales)?.to_vec()?, [10.0, 9.0]);
/// assert_eq!(groups.mean(&sales)?.to_vec()?, [5.0, 3.0]);
/// assert_eq!(groups.max(2.0 * &sales)?.to_vec()?, [16.0, 8.0]);
/// assert_eq!(groups.first(&sales).collect()?.to_vec()?, [2.0, 1.0]);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "aggregate")]
pub struct GroupBy<K: Key> {
    /// The keys of the groups.
    keys: DeviceVec<K>,
    rows: Rows<K>,
    /// The place of the first row of each group in the order of the groups, then the number of rows.
    begins: DeviceVec<u32>,
}

impl<K: Key> GroupBy<K> {
    /// Groups the rows that have these keys.
    ///
    /// A reduction, whose result is the range of the keys. If rows are sorted: a radix sort by the digits in which keys
    /// differ, a selection, and a few copies. Otherwise a copy, a [histogram](stl::histogram), a selection, a scan and two
    /// small copies. Keys that are numbered by hash tables take two launches more, and a sort of the tables' entries. Reads
    /// the range of the keys and the number of groups, and so blocks. The expression is evaluated twice, or up to four times
    /// if hash tables are tried.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for 2^32 keys or more, and as [`Expr::collect`].
    pub fn new<'a>(keys: impl Operand<'a, K>) -> Result<GroupBy<K>> {
        let keys = keys.into_expr();
        let Some(range) = Range::of(&keys)? else {
            let keys = keys.collect()?;
            let order = DeviceVec::with_capacity(keys.queue(), 0)?;
            let begins = DeviceVec::filled(keys.queue(), 0, 1)?;
            return Ok(GroupBy { rows: Rows::Sorted { sorted: keys.try_clone()?, order }, keys, begins });
        };
        let queue = queue_of("keys to group by", &keys)?.clone();
        let len = rows_of("keys to group by", keys.len().unwrap_or(0))?;
        if let Some(encoded) = range.number(keys.clone(), &queue, len as usize)? {
            let (groups, counts) = occupied(encoded.numbers.iter(), encoded.bins, &queue)?;
            let mut begins = DeviceVec::filled(&queue, 0, groups.len() + 1)?;
            stl::inclusive_scan(&counts, begins.slice_mut(1..))?;
            return Ok(GroupBy {
                keys: encoded.keys(&groups)?,
                rows: Rows::numbered(encoded.numbers, encoded.bins, groups),
                begins,
            });
        }
        let mut sorted = range.held(keys).collect()?;
        let mut order = iota(0_u32, sorted.len()).collect_on(&queue)?;
        Sort::new().bits(0..range.bits()).by_key(&mut sorted, &mut order)?;
        // SAFETY: the elements that the selection does not store are cut off.
        let (mut keys, mut begins) = unsafe {
            (DeviceVec::uninit(&queue, sorted.len())?, DeviceVec::<u32>::uninit(&queue, sorted.len() + 1)?)
        };
        begins.truncate(sorted.len());
        let places = iota(0_u32, sorted.len());
        let count = stl::unique_by_key(&sorted, places, Val::eq, (&mut keys, &mut begins))?;
        keys.truncate_by(&count)?;
        begins.truncate(keys.len());
        begins.push(len)?;
        keys.shrink_to_fit()?;
        begins.shrink_to_fit()?;
        Ok(GroupBy { keys, rows: Rows::Sorted { sorted, order }, begins })
    }

    /// Returns the number of groups.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns `true` if there are zero groups.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the queue that works on the groups.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        self.keys.queue()
    }

    /// Returns the key of each group, in ascending order.
    #[must_use]
    pub fn keys(&self) -> &DeviceVec<K> {
        &self.keys
    }

    /// Returns the rows in the order of the groups. Within a group, rows keep their order.
    ///
    /// If the rows are not sorted yet, the first call sorts them; it does not wait.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn order(&self) -> Result<&DeviceVec<u32>> {
        self.rows.order()
    }

    /// Returns where each group begins in [`order`](GroupBy::order), then the number of rows.
    #[must_use]
    pub fn begins(&self) -> &DeviceVec<u32> {
        &self.begins
    }

    /// Returns the number of each row's group: the position of the row's key among [`keys`](GroupBy::keys). A fill and
    /// two launches, or three on CPUs if rows are sorted; does not wait.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias("ngroup", "codes", "dense_rank"))]
    pub fn group_numbers(&self) -> Result<DeviceVec<u32>> {
        self.rows.group_numbers()
    }

    /// Divides each group by the keys of one more column (`GROUP BY a, b` of SQL).
    ///
    /// The groups are in ascending order of the first column, then of this one. The keys of the new groups are numbers in
    /// this order; [`first`](GroupBy::first) returns the key of any column. Two [group-bys](GroupBy::new), and the launches
    /// of [`group_numbers`](GroupBy::group_numbers) twice.
    ///
    /// ```
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let year = DeviceVec::from_slice(&queue, &[2001_u16, 1999, 2001, 2001])?;
    /// let city = DeviceVec::from_slice(&queue, &[7_u32, 7, 5, 7])?;
    /// let sales = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 4.0, 8.0])?;
    ///
    /// let groups = GroupBy::new(&year)?.then_by(&city)?;
    /// assert_eq!(groups.first(&year).collect()?.to_vec()?, [1999, 2001, 2001]);
    /// assert_eq!(groups.first(&city).collect()?.to_vec()?, [7, 5, 7]);
    /// assert_eq!(groups.sum(&sales)?.to_vec()?, [2.0, 4.0, 9.0]);
    /// assert_eq!(groups.group_numbers()?.to_vec()?, [2, 0, 1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] unless there is a key for each row, and as [`GroupBy::new`].
    #[doc(alias = "several columns")]
    pub fn then_by<'a, L: Key>(&'a self, keys: impl Operand<'a, L>) -> Result<GroupBy<u64>> {
        let inner = GroupBy::<L>::new(self.column(keys).on(self.queue()))?;
        let (outer, count) = (self.group_numbers()?, inner.len() as u64);
        let inner = inner.group_numbers()?;
        // Both numbers are below 2^32, and so is the number of groups.
        GroupBy::new(outer.iter().cast::<u64>() * count + inner.iter().cast::<u64>())
    }

    /// Returns the number of rows of each group, as an expression.
    pub fn counts(&self) -> Expr<'_, u32> {
        self.begins.slice(1..) - self.begins.slice(..self.len())
    }

    /// Returns the sum of the values of each group. Does not wait. Integers wrap around: one launch, or two if rows are
    /// not sorted. Sums of floats carry rounding errors along, as [`Expr::sum`] does, and take one launch more.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] unless there is a value for each key, and as [`Expr::collect`].
    pub fn sum<'a, V: Number + PartialEq>(&'a self, values: impl Operand<'a, V>) -> Result<DeviceVec<V>> {
        if V::TYPE.has_floats() {
            return self.reduce_from(values.into_expr(), Sum, Some((V::zeroed(), V::zeroed())));
        }
        self.reduced(values.into_expr(), Some(V::zeroed()), |a, b| a + b)
    }

    /// Returns the smallest value of each group. One launch, or two if rows are not sorted; does not wait. NaN is
    /// ignored, as by [`f32::min`].
    ///
    /// # Errors
    /// As [`sum`](GroupBy::sum).
    pub fn min<'a, V: Number + Ordered>(&'a self, values: impl Operand<'a, V>) -> Result<DeviceVec<V>> {
        self.reduce(values, |a: Val<V>, b| a.min(b))
    }

    /// Returns the largest value of each group. One launch, or two if rows are not sorted; does not wait. NaN is
    /// ignored, as by [`f32::max`].
    ///
    /// # Errors
    /// As [`sum`](GroupBy::sum).
    pub fn max<'a, V: Number + Ordered>(&'a self, values: impl Operand<'a, V>) -> Result<DeviceVec<V>> {
        self.reduce(values, |a: Val<V>, b| a.max(b))
    }

    /// Returns the mean of the values of each group: the [sum](GroupBy::sum) over the count. One launch more than the sum;
    /// does not wait. Cast integers to a float: `groups.mean(x.iter().cast::<f64>())`.
    ///
    /// # Errors
    /// As [`sum`](GroupBy::sum).
    pub fn mean<'a, V: Float + Castable>(&'a self, values: impl Operand<'a, V>) -> Result<DeviceVec<V>> {
        (self.sum(values)?.into_expr() / self.counts().cast::<V>()).collect()
    }

    /// Returns the value of the first row of each group, as an expression. If the rows are not sorted, the first call finds
    /// these rows by two launches.
    pub fn first<'a, T: Item>(&'a self, values: impl Operand<'a, T>) -> Expr<'a, T> {
        let values = self.column(values);
        match &self.rows {
            Rows::Sorted { order, .. } => values.gather(order.iter().gather(self.begins.slice(..self.len()))),
            Rows::Numbered(rows) => gathered(values, rows.first()),
        }
    }

    /// Returns the value of the last row of each group, as an expression. As [`first`](GroupBy::first).
    pub fn last<'a, T: Item>(&'a self, values: impl Operand<'a, T>) -> Expr<'a, T> {
        let values = self.column(values);
        match &self.rows {
            Rows::Sorted { order, .. } => values.gather(order.iter().gather(self.begins.slice(1..) - 1)),
            Rows::Numbered(rows) => gathered(values, rows.last()),
        }
    }

    /// Combines the values of each group with an associative operator. One launch, or two if rows are not sorted; does
    /// not wait.
    ///
    /// The operator need not commute: its first argument is the result of the rows before the second.
    ///
    /// # Errors
    /// As [`sum`](GroupBy::sum).
    pub fn reduce<'a, V: Element>(
        &'a self,
        values: impl Operand<'a, V>,
        operator: impl FnOnce(Val<V>, Val<V>) -> Val<V>,
    ) -> Result<DeviceVec<V>> {
        self.reduced(values.into_expr(), None, operator)
    }

    fn reduced<'a, V: Element>(
        &'a self,
        values: Expr<'a, V>,
        identity: Option<V>,
        operator: impl FnOnce(Val<V>, Val<V>) -> Val<V>,
    ) -> Result<DeviceVec<V>> {
        // SAFETY: the reduction stores a result for each group. If it cannot be enqueued, the vector is dropped.
        let mut results = unsafe { DeviceVec::uninit(self.queue(), self.len()) }?;
        self.combine::<V>(values, identity, operator, &mut results)?;
        Ok(results)
    }

    /// Returns the result of a [reducer](cl_algo::reducers), or of a tuple of reducers in one pass, for each group. Two
    /// launches, or three if rows are not sorted; does not wait.
    ///
    /// The indices of a reducer, such as [`MinElement`](cl_algo::reducers::MinElement), are the numbers of rows.
    ///
    /// ```
    /// use cl_algo::reducers::{Max, MinElement, Sum};
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let keys = DeviceVec::from_slice(&queue, &[1_u32, 0, 1])?;
    /// let x = DeviceVec::from_slice(&queue, &[3.0_f32, 5.0, 2.0])?;
    /// let groups = GroupBy::new(&keys)?;
    /// let (sums, highest, (rows, lowest)) = groups.reduce_with(&x, (Sum, Max, MinElement::<u32>::new()))?;
    /// assert_eq!((sums.to_vec()?, highest.to_vec()?), (vec![5.0, 5.0], vec![5.0, 3.0]));
    /// assert_eq!((rows.to_vec()?, lowest.to_vec()?), (vec![1, 2], vec![5.0, 2.0]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`sum`](GroupBy::sum).
    #[doc(alias("agg", "aggregate", "idxmin"))]
    pub fn reduce_with<'a, T: Item, R: Reducer<T>>(
        &'a self,
        values: impl Operand<'a, T>,
        reducer: R,
    ) -> Result<<R::Output as Item>::Vectors> {
        self.reduce_from(values.into_expr(), reducer, None)
    }

    /// Returns [`reduce_with`](GroupBy::reduce_with). `identity` is the state of zero rows, if there is one.
    fn reduce_from<'a, T: Item, R: Reducer<T>>(
        &'a self,
        values: Expr<'a, T>,
        reducer: R,
        identity: Option<R::State>,
    ) -> Result<<R::Output as Item>::Vectors> {
        let states = self.column(values).enumerate().map(|(row, value)| reducer.start(value, row));
        // SAFETY: the reduction stores a state for each group.
        let mut results = unsafe { StoredItems::<R::State>::uninit(self.queue(), self.len()) }?;
        self.combine::<R::State>(states, identity, |a, b| reducer.combine(a, b), results.sink())?;
        let lengths = self.counts().cast::<u64>();
        results.iter().zip(lengths).map(|(state, len)| reducer.finish(state, len)).collect_on(self.queue())
    }

    /// Combines the values of each group with an associative operator, and stores the results: several aggregates in one
    /// pass, if the values are tuples. One launch, or two if rows are not sorted; does not wait.
    ///
    /// ```
    /// use cl_collections::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let keys = DeviceVec::from_slice(&queue, &[1_u32, 0, 1])?;
    /// let x = DeviceVec::from_slice(&queue, &[3.0_f32, 5.0, 2.0])?;
    /// let groups = GroupBy::new(&keys)?;
    /// let zeros = || DeviceVec::filled(&queue, 0.0, groups.len());
    /// let (mut sums, mut lowest, mut highest) = (zeros()?, zeros()?, zeros()?);
    /// groups.reduce_into::<(f32, f32, f32)>(
    ///     (&x, &x, &x),
    ///     |(sum, low, high), (x, y, z)| (sum + x, low.min(y), high.max(z)),
    ///     (&mut sums, &mut lowest, &mut highest),
    /// )?;
    /// assert_eq!(sums.to_vec()?, [5.0, 5.0]);
    /// assert_eq!((lowest.to_vec()?, highest.to_vec()?), (vec![5.0, 2.0], vec![5.0, 3.0]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`sum`](GroupBy::sum). An output with fewer elements than groups is reported as
    /// [`Error::IndexOutOfRange`] by the next call that waits for the queue. Elements behind the groups keep their values.
    pub fn reduce_into<'a, V: Item>(
        &'a self,
        values: impl Operand<'a, V>,
        operator: impl FnOnce(V::Values, V::Values) -> V::Values,
        output: impl Sink<'a, V>,
    ) -> Result<()> {
        self.combine::<V>(values.into_expr(), None, operator, output)
    }

    fn combine<'a, V: Item>(
        &'a self,
        values: Expr<'a, V>,
        identity: Option<V>,
        operator: impl FnOnce(V::Values, V::Values) -> V::Values,
        output: impl Sink<'a, V>,
    ) -> Result<()> {
        let values = self.column(values);
        match &self.rows {
            Rows::Sorted { sorted, order } => {
                let same = |a: Val<K>, b: Val<K>| a.eq(b);
                stl::reduce_by_key_with(sorted, values.gather(order), same, operator, Discard, output)
                    .map(drop)
            }
            Rows::Numbered(rows) => rows.reduce(values, identity, operator, output),
        }
    }

    /// Returns values with one item for each row, or the error that there are not as many.
    fn column<'a, V: Item>(&self, values: impl Operand<'a, V>) -> Expr<'a, V> {
        let (values, rows) = (values.into_expr(), self.rows.len());
        match values.len() {
            None => values.take(rows),
            Some(len) if len == rows => values,
            Some(len) => values.failed(Error::length_mismatch("values of a group-by", rows, len)),
        }
    }
}

impl<K: Key> fmt::Debug for GroupBy<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = std::any::type_name::<K>();
        write!(f, "GroupBy<{key}>({} rows in {} groups)", self.rows.len(), self.len())
    }
}

/// Returns a number of rows, which `u32` must be able to count.
pub(crate) fn rows_of(what: &'static str, rows: usize) -> Result<u32> {
    u32::try_from(rows).map_err(|_| {
        Error::invalid_input(what, format!("there are {rows}; at most {} can be counted", u32::MAX))
    })
}

/// Returns the distinct keys, in ascending order. A reduction, a copy, a sort and a selection; for keys that a [`GroupBy`]
/// does not sort, a histogram and a selection, or hash tables, instead. Reads the range of the keys and their number, and so
/// blocks.
///
/// ```
/// use cl_collections::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, 1, 3])?;
/// assert_eq!(distinct(&x)?.to_vec()?, [1, 3]);
/// let (values, counts) = value_counts(&x)?;
/// assert_eq!((values.to_vec()?, counts.to_vec()?), (vec![1, 3], vec![1, 2]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
#[doc(alias = "unique")]
pub fn distinct<'a, K: Key>(keys: impl Operand<'a, K>) -> Result<DeviceVec<K>> {
    let keys = keys.into_expr();
    let Some(range) = Range::of(&keys)? else { return keys.collect() };
    let queue = queue_of("distinct", &keys)?.clone();
    let len = keys.len().unwrap_or(0);
    // Counts have 32 bits.
    if u32::try_from(len).is_ok()
        && let Some(bins) = range.bins(&queue, len)?
    {
        return range.keys(&occupied(range.numbers(keys), bins, &queue)?.0);
    }
    if let Some((distinct, _)) = range.dictionary(keys.clone(), &queue, len)? {
        return Ok(distinct);
    }
    let mut sorted = range.held(keys).collect()?;
    Sort::new().bits(0..range.bits()).keys(&mut sorted)?;
    unique_keys(&sorted)
}

/// Returns the distinct keys, in ascending order, and how often each occurs. A reduction, and a sort and a reduction by key;
/// for keys that a [`GroupBy`] does not sort, a histogram and a selection instead, after hash tables if they are few keys
/// anywhere. Reads the range of the keys and their number, and so blocks.
///
/// # Errors
/// [`Error::InvalidInput`] for 2^32 keys or more, and as [`Expr::collect`].
#[doc(alias = "histogram")]
pub fn value_counts<'a, K: Key>(keys: impl Operand<'a, K>) -> Result<(DeviceVec<K>, DeviceVec<u32>)> {
    let keys = keys.into_expr();
    let Some(range) = Range::of(&keys)? else {
        let keys = keys.collect()?;
        let counts = DeviceVec::with_capacity(keys.queue(), 0)?;
        return Ok((keys, counts));
    };
    let len = rows_of("keys to count", keys.len().unwrap_or(0))?;
    let queue = queue_of("keys to count", &keys)?.clone();
    if let Some(bins) = range.bins(&queue, len as usize)? {
        let (groups, counts) = occupied(range.numbers(keys), bins, &queue)?;
        return Ok((range.keys(&groups)?, counts));
    }
    if let Some((distinct, numbers)) = range.dictionary(keys.clone(), &queue, len as usize)? {
        let (groups, counts) = occupied(numbers.iter(), distinct.len(), &queue)?;
        return Ok((distinct.iter().gather(&groups).collect()?, counts));
    }
    let mut sorted = range.held(keys).collect()?;
    Sort::new().bits(0..range.bits()).keys(&mut sorted)?;
    constant(1_u32).sum_by_key(&sorted)
}
