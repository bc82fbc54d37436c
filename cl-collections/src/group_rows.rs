//! The rows of each group: sorted, or numbered by their keys.

use crate::sorted::Key;
use cl_algo::bytemuck;
use cl_algo::codegen::profile;
use cl_algo::prelude::*;
use cl_algo::{Item, ScalarKey, Sink, stl};
use cl_core::{Queue, Result};
use std::sync::OnceLock;

/// The rows of a group-by.
pub(crate) enum Rows<K: Key> {
    Sorted {
        /// All keys, sorted.
        sorted: DeviceVec<K>,
        /// The rows in the order of the sorted keys.
        order: DeviceVec<u32>,
    },
    Numbered(Box<Numbered>),
}

/// Rows whose keys are numbered in their order.
pub(crate) struct Numbered {
    /// The number of each row's key.
    numbers: Numbers,
    /// The number of numbers.
    bins: usize,
    /// The number of each group's key.
    groups: DeviceVec<u32>,
    /// The rows in the order of the groups, and the first and the last row of each group, if they are known.
    order: OnceLock<DeviceVec<u32>>,
    first: OnceLock<DeviceVec<u32>>,
    last: OnceLock<DeviceVec<u32>>,
}

/// Numbers in the narrowest type that holds them: on CPUs the first use of new memory takes longer than to read it.
pub(crate) enum Numbers {
    U8(DeviceVec<u8>),
    U16(DeviceVec<u16>),
    U32(DeviceVec<u32>),
}

impl Numbers {
    /// Stores numbers below `bins`.
    pub(crate) fn new(numbers: Expr<'_, u32>, bins: usize, queue: &Queue) -> Result<Numbers> {
        Ok(match bins {
            0..=0x100 => Numbers::U8(numbers.cast::<u8>().collect_on(queue)?),
            0x101..=0x1_0000 => Numbers::U16(numbers.cast::<u16>().collect_on(queue)?),
            _ => Numbers::U32(numbers.collect_on(queue)?),
        })
    }

    pub(crate) fn iter(&self) -> Expr<'_, u32> {
        match self {
            Numbers::U8(numbers) => numbers.iter().cast::<u32>(),
            Numbers::U16(numbers) => numbers.iter().cast::<u32>(),
            Numbers::U32(numbers) => numbers.iter(),
        }
    }

    fn len(&self) -> usize {
        match self {
            Numbers::U8(numbers) => numbers.len(),
            Numbers::U16(numbers) => numbers.len(),
            Numbers::U32(numbers) => numbers.len(),
        }
    }

    /// Returns the rows in the order of the numbers.
    fn argsort(&self, bins: usize) -> Result<DeviceVec<u32>> {
        let sort = Sort::new().bits(0..usize::BITS - (bins - 1).leading_zeros());
        match self {
            Numbers::U8(numbers) => sort.argsort(numbers),
            Numbers::U16(numbers) => sort.argsort(numbers),
            Numbers::U32(numbers) => sort.argsort(numbers),
        }
    }
}

impl<K: Key> Rows<K> {
    pub(crate) fn numbered(numbers: Numbers, bins: usize, groups: DeviceVec<u32>) -> Rows<K> {
        let [order, first, last] = [(); 3].map(|()| OnceLock::new());
        Rows::Numbered(Box::new(Numbered { numbers, bins, groups, order, first, last }))
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        match self {
            Rows::Sorted { order, .. } => order.len(),
            Rows::Numbered(rows) => rows.numbers.len(),
        }
    }

    /// Returns the rows in the order of the groups.
    pub(crate) fn order(&self) -> Result<&DeviceVec<u32>> {
        match self {
            Rows::Sorted { order, .. } => Ok(order),
            Rows::Numbered(rows) => known(&rows.order, || rows.numbers.argsort(rows.bins)),
        }
    }

    /// Returns the number of each row's group.
    pub(crate) fn group_numbers(&self) -> Result<DeviceVec<u32>> {
        match self {
            Rows::Sorted { sorted, order } => {
                let mut numbers = DeviceVec::filled(order.queue(), 0_u32, order.len())?;
                // The first row has no row before it, and is compared with itself.
                let begins_group = sorted.iter().ne(sorted.iter().shifted(-1, Border::Clamp));
                let in_order = begins_group.cast::<u32>().inclusive_scan().collect()?;
                assign(numbers.scatter_mut(order), &in_order)?;
                Ok(numbers)
            }
            Rows::Numbered(rows) => {
                let mut of_bins = DeviceVec::filled(rows.groups.queue(), 0_u32, rows.bins)?;
                assign(of_bins.scatter_mut(&rows.groups), iota(0_u32, rows.groups.len()))?;
                // SAFETY: each number is below `bins`.
                unsafe { of_bins.iter().gather_unchecked("group_numbers", rows.bins, rows.numbers.iter()) }
                    .collect()
            }
        }
    }
}

impl Numbered {
    /// Combines the values of each group.
    pub(crate) fn reduce<'a, V: Item>(
        &'a self,
        values: Expr<'a, V>,
        identity: Option<V>,
        operator: impl FnOnce(V::Values, V::Values) -> V::Values,
        output: impl Sink<'a, V>,
    ) -> Result<()> {
        let Numbered { numbers, bins, groups, .. } = self;
        stl::reduce_by_index_at(numbers.iter(), values, *bins, identity, operator, groups, output)
    }

    /// Returns the first row of each group.
    pub(crate) fn first(&self) -> Result<&DeviceVec<u32>> {
        known(&self.first, || self.row(u32::MAX, Val::min))
    }

    /// Returns the last row of each group.
    pub(crate) fn last(&self) -> Result<&DeviceVec<u32>> {
        known(&self.last, || self.row(0, Val::max))
    }

    fn row(
        &self,
        identity: u32,
        operator: impl FnOnce(Val<u32>, Val<u32>) -> Val<u32>,
    ) -> Result<DeviceVec<u32>> {
        // SAFETY: the reduction stores a row for each group. If it cannot be enqueued, the vector is dropped.
        let mut rows = unsafe { DeviceVec::uninit(self.groups.queue(), self.groups.len()) }?;
        let all = iota(0_u32, self.numbers.len());
        self.reduce::<u32>(all, Some(identity), operator, &mut rows)?;
        Ok(rows)
    }
}

/// Returns what is known, or what `make` returns and is known from now on.
fn known(
    cell: &OnceLock<DeviceVec<u32>>,
    make: impl FnOnce() -> Result<DeviceVec<u32>>,
) -> Result<&DeviceVec<u32>> {
    if let Some(vector) = cell.get() {
        return Ok(vector);
    }
    let vector = make()?;
    Ok(cell.get_or_init(|| vector))
}

/// Returns the values of these rows, or an expression with the error.
pub(crate) fn gathered<'a, T: Item>(values: Expr<'a, T>, rows: Result<&'a DeviceVec<u32>>) -> Expr<'a, T> {
    match rows {
        Ok(rows) => values.gather(rows),
        Err(error) => values.failed(error),
    }
}

/// The least and the largest key.
pub(crate) struct Range<K: Key> {
    least: K,
    largest: K,
}

/// The number of integers in a range for which rows are never sorted on CPUs.
const FEW: u64 = 4096;
/// The number of rows for each integer in a larger range, and for each slot in a larger table.
const ROWS_FOR_EACH: u64 = 4;
/// The smallest number of rows for which a dictionary is tried.
const LEAST_ENCODED: usize = 1 << 16;
/// The sizes of the dictionary's tables as powers of two: those of 32-bit keys take 128 KiB and 1 MiB.
const FEW_BITS: u32 = 15;
const MANY_BITS: u32 = 18;

impl<K: Key> Range<K> {
    /// Returns the range of the keys; `None` for zero keys. One reduction, which is read.
    pub(crate) fn of(keys: &Expr<'_, K>) -> Result<Option<Range<K>>> {
        Ok(keys.clone().reduce_minmax()?.map(|(least, largest)| Range { least, largest }))
    }

    /// Returns the number of low bits in which keys differ: sorts need not look at the others.
    pub(crate) fn bits(&self) -> u32 {
        // A number between two others has their common high bits.
        (u64::BITS - (word(self.least) ^ word(self.largest)).leading_zeros()).min(K::BITS)
    }

    /// Returns the number of integers in the range if `rows` rows are numbered by their keys and not sorted.
    ///
    /// GPUs sort, because additions of floats by atomic operations would not always give the same bits.
    pub(crate) fn bins(&self, queue: &Queue, rows: usize) -> Result<Option<usize>> {
        if !profile(queue.context())?.chunked {
            return Ok(None);
        }
        let last = word(self.largest).wrapping_sub(word(self.least)) & (u64::MAX >> (u64::BITS - K::BITS));
        let is_small = last < FEW.max(rows as u64 / ROWS_FOR_EACH);
        Ok(is_small.then(|| last as usize + 1))
    }

    /// Returns the keys, held to the range: the kernel that found the range may have rounded computed keys differently.
    pub(crate) fn held<'a>(&self, keys: Expr<'a, K>) -> Expr<'a, K> {
        let (least, largest) = (self.least, self.largest);
        keys.map(|key| key.max(least).min(largest))
    }

    /// Numbers keys in their order, if `rows` rows are not sorted: by their distances from the least one in a small range,
    /// and otherwise by a dictionary of few keys.
    pub(crate) fn number(&self, keys: Expr<'_, K>, queue: &Queue, rows: usize) -> Result<Option<Encoded<K>>> {
        if let Some(bins) = self.bins(queue, rows)? {
            let numbers = Numbers::new(self.numbers(keys), bins, queue)?;
            return Ok(Some(Encoded { numbers, bins, keys: KeysOf::Distances(self.least) }));
        }
        let dictionary = self.dictionary(keys, queue, rows)?;
        Ok(dictionary.map(|(keys, numbers)| Encoded {
            numbers,
            bins: keys.len(),
            keys: KeysOf::Dictionary(keys),
        }))
    }

    /// Returns the distinct keys in ascending order and the position of each key, if they are few and on a CPU.
    pub(crate) fn dictionary(
        &self,
        keys: Expr<'_, K>,
        queue: &Queue,
        rows: usize,
    ) -> Result<Option<(DeviceVec<K>, Numbers)>> {
        if rows < LEAST_ENCODED {
            return Ok(None);
        }
        if K::BITS <= u32::BITS {
            let found = encoded(&self.numbers(keys), queue, rows)?;
            return found.map(|(distinct, numbers)| Ok((self.keys(&distinct)?, numbers))).transpose();
        }
        let least = self.least;
        let distances = self.held(keys).map(|key| key.cast::<u64>() - Val::from(least).cast::<u64>());
        let found = encoded(&distances, queue, rows)?;
        found.map(|(distinct, numbers)| Ok((self.keys(&distinct)?, numbers))).transpose()
    }

    /// Returns the distance of each key from the least one, for a range of at most 2^32 integers.
    pub(crate) fn numbers<'a>(&self, keys: Expr<'a, K>) -> Expr<'a, u32> {
        // Modulo 2^32, so that the sign does not matter.
        let least = self.least;
        self.held(keys).map(|key| key.cast::<u32>() - Val::from(least).cast::<u32>())
    }

    /// Returns the keys at these distances from the least one.
    pub(crate) fn keys<D: Key>(&self, numbers: &DeviceVec<D>) -> Result<DeviceVec<K>> {
        let least = self.least;
        numbers.iter().map(|number| number.cast::<K>() + least).collect()
    }
}

/// Keys as numbers in the same order.
pub(crate) struct Encoded<K: Key> {
    pub(crate) numbers: Numbers,
    /// The number of numbers.
    pub(crate) bins: usize,
    keys: KeysOf<K>,
}

/// The keys that have the numbers.
enum KeysOf<K: Key> {
    /// The least key. Numbers are distances from it.
    Distances(K),
    /// The distinct keys. Numbers are positions.
    Dictionary(DeviceVec<K>),
}

impl<K: Key> Encoded<K> {
    /// Returns the keys of these numbers.
    pub(crate) fn keys(&self, numbers: &DeviceVec<u32>) -> Result<DeviceVec<K>> {
        match &self.keys {
            KeysOf::Distances(least) => {
                let least = *least;
                numbers.iter().map(|number| number.cast::<K>() + least).collect()
            }
            KeysOf::Dictionary(keys) => keys.iter().gather(numbers).collect(),
        }
    }
}

/// Returns the distinct keys and the number of each key, if they are few. One of the keys is 0.
fn encoded<D: Key + ScalarKey<Digits = D>>(
    keys: &Expr<'_, D>,
    queue: &Queue,
    rows: usize,
) -> Result<Option<(DeviceVec<D>, Numbers)>> {
    if let Some((distinct, numbers)) = stl::encode_few(keys, queue, FEW_BITS)? {
        return Ok(Some((distinct, Numbers::U16(numbers))));
    }
    if rows >> MANY_BITS < ROWS_FOR_EACH as usize {
        return Ok(None);
    }
    Ok(stl::encode_few(keys, queue, MANY_BITS)?.map(|(distinct, numbers)| (distinct, Numbers::U32(numbers))))
}

/// Returns the bits of a key.
fn word<K: Key>(key: K) -> u64 {
    let stored = K::as_stored(std::slice::from_ref(&key))[0];
    match *bytemuck::bytes_of(&stored) {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_ne_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_ne_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_ne_bytes([a, b, c, d, e, f, g, h]),
        // No integer has another size.
        _ => u64::MAX,
    }
}

/// Returns the numbers below `bins` that occur, in ascending order, and how often each occurs. A histogram and a
/// selection, whose count is read.
pub(crate) fn occupied(
    numbers: Expr<'_, u32>,
    bins: usize,
    queue: &Queue,
) -> Result<(DeviceVec<u32>, DeviceVec<u32>)> {
    // SAFETY: the histogram writes all elements, and those that the selection does not store are cut off.
    let (mut all, mut groups, mut counts) = unsafe {
        (DeviceVec::uninit(queue, bins)?, DeviceVec::uninit(queue, bins)?, DeviceVec::uninit(queue, bins)?)
    };
    stl::histogram(numbers, &mut all)?;
    let found = stl::copy_if::<(u32, u32)>(
        iota(0_u32, bins).zip(&all),
        |(_, count): (Val<u32>, Val<u32>)| count.gt(0_u32),
        (&mut groups, &mut counts),
    )?;
    groups.truncate_by(&found)?;
    counts.truncate(groups.len());
    groups.shrink_to_fit()?;
    counts.shrink_to_fit()?;
    Ok((groups, counts))
}
