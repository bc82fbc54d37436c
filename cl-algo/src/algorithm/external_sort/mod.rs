//! External sorts: sorts of slices in host memory, which may exceed the device's memory.
//!
//! | file | concept |
//! | --- | --- |
//! | `columns` | the slices of keys and values, and their memory on the device |
//! | `cuts` | where sorted runs are cut, so that they can be merged part by part |
//! | `pass` | pieces that go through the device, two at a time |

mod columns;
mod cuts;
mod pass;

pub use columns::HostSlices;

use super::merge_sort::sort_in;
use super::moved::{bits_of_floats, elements, targets_in};
use super::order::Less;
use super::sort::{Sort, SortKey};
use crate::element::{Element, ElementType, Ordered};
use crate::expr::{Item, Recorded, Val};
use cl_core::{Error, Memory, Queue, Result};
use columns::{Column, HostColumn};
use pass::{Columns, Merge, SortPiece};

/// The smallest number of items in a piece.
const LEAST: usize = 256;
/// The copies of a piece in device memory while it is sorted: the piece, and scratch memory.
const SORTED: usize = 2;
/// The copies of two pieces in flight while they are sorted and merged: each has two blocks, and scratch memory.
const IN_FLIGHT: usize = 6;

/// A sort of slices in host memory, with options: an external merge sort on a queue's device.
///
/// The slices may exceed the device's memory. Pieces of them are sorted on the device. The sorted pieces, the runs, lie
/// in host memory beside the slices, so that the host needs memory for a second copy. Then they are merged: the host
/// cuts all runs at the items that belong to the same part of the result, and the device merges them. Each item goes to
/// the device twice, and once if all items are one piece. The transfers of a piece overlap with the sort or the merge of
/// the piece before it, on a second queue.
///
/// All sorts are stable, and floats are in their total order; see [Orders](crate#orders). For an error of the driver at
/// any time, the slices keep all their items, each key with its value: unchanged, or in sorted runs.
///
/// ```
/// use cl_algo::ExternalSort;
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut keys: Vec<u32> = (0..3000).map(|i| i * 7 % 3000).collect();
/// let mut values: Vec<f32> = keys.iter().map(|&key| key as f32).collect();
/// // In pieces that take at most 10 kB of device memory.
/// ExternalSort::on(&queue).memory(10_000).descending().by_key(&mut keys, &mut values)?;
/// assert!(keys.iter().copied().eq((0..3000).rev()));
/// assert_eq!(values[..2], [2999.0, 2998.0]);
/// # Ok(())
/// # }
/// ```
///
/// The sort of pieces and their merge is that of Knuth, "The Art of Computer Programming", volume 3, section 5.4. The
/// cuts are those of Varman, Scheufler, Iyer and Ricard, "Merging multiple lists on hierarchical-memory
/// multiprocessors", 1991.
#[derive(Clone, Debug)]
#[must_use = "nothing is sorted until slices are given"]
#[doc(alias("out-of-core sort", "stxxl", "sort_host"))]
pub struct ExternalSort<'q> {
    queue: &'q Queue,
    memory: Option<usize>,
    descending: bool,
}

impl<'q> ExternalSort<'q> {
    /// Returns a sort on the queue's device, in ascending order, that uses up to half of the device's memory.
    pub fn on(queue: &'q Queue) -> ExternalSort<'q> {
        ExternalSort { queue, memory: None, descending: false }
    }

    /// Limits the device memory that the sort uses, in bytes.
    ///
    /// All items are one piece if they fit into half of it. Otherwise a piece is a sixth of it. Pieces have at least 256 items, and no more than one allocation of the device can hold.
    pub fn memory(self, bytes: usize) -> ExternalSort<'q> {
        ExternalSort { memory: Some(bytes), ..self }
    }

    /// Sorts in descending order. Equal items keep their order.
    pub fn descending(self) -> ExternalSort<'q> {
        ExternalSort { descending: true, ..self }
    }

    /// Sorts keys. Blocks until they are sorted.
    ///
    /// The pieces are sorted by [`Sort::keys`].
    ///
    /// # Errors
    /// As [`Sort::keys`]; [`Error::InvalidInput`] if the host has no memory for a second copy. The slice keeps all its
    /// keys.
    pub fn keys<K: SortKey + Ordered>(&self, keys: &mut [K]) -> Result<()> {
        let less = Less::new::<K, _>(|a, b| self.on_device(a, b));
        self.by_keys::<K, K>("external_sort", (keys, Vec::new()), &less)
    }

    /// Sorts keys, and moves values along: a slice of any element, or a tuple of up to eight slices. Blocks until they
    /// are sorted.
    ///
    /// # Errors
    /// As [`ExternalSort::keys`] and [`Sort::by_key`]. The slices keep all keys, each with its value.
    pub fn by_key<'h, K: SortKey + Ordered, V: Item>(
        &self,
        keys: &'h mut [K],
        values: impl HostSlices<'h, V>,
    ) -> Result<()> {
        let operation = "external_sort_by_key";
        let mut columns = Vec::new();
        values.columns(&mut columns);
        let less = Less::new::<(K, V), _>(|(a, _), (b, _)| self.on_device(a, b));
        self.by_keys::<K, (K, V)>(operation, (keys, columns), &less)
    }

    /// Sorts items with a comparator. Blocks until they are sorted.
    ///
    /// The comparator is given twice: for the device, as to [`sort_by`](crate::stl::sort_by), and for the host, which
    /// compares few items to cut the runs. Both return whether the first item goes before the second. A function with
    /// [`#[device_fn]`](crate::device_fn) can be both. If they contradict each other or themselves, the order is
    /// unspecified, and each item is still there once.
    ///
    /// ```
    /// use cl_algo::ExternalSort;
    /// use cl_algo::prelude::*;
    ///
    /// /// Returns whether the square of `a` is less than that of `b`.
    /// #[device_fn]
    /// fn closer(a: i32, b: i32) -> bool {
    ///     a * a < b * b
    /// }
    ///
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = [3, -4, 1, -1];
    /// ExternalSort::on(&queue).by(&mut x, |a, b| closer(a, b), |&a, &b| closer(a, b))?;
    /// assert_eq!(x, [1, -1, 3, -4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`sort_by`](crate::stl::sort_by); [`Error::InvalidInput`] if the host has no memory for a second copy. The
    /// slice keeps all its items.
    pub fn by<T: Element, R: Recorded<Item = bool>>(
        &self,
        items: &mut [T],
        less: impl FnOnce(Val<T>, Val<T>) -> R,
        on_host: impl Fn(&T, &T) -> bool,
    ) -> Result<()> {
        let operation = "external_sort_by";
        let less = match self.descending {
            false => Less::new::<T, R>(less),
            true => Less::new::<T, R>(|a, b| less(b, a)),
        };
        let goes_before = |a: T, b: T| if self.descending { on_host(&b, &a) } else { on_host(&a, &b) };
        let sort =
            |queue: &Queue, memory: &[&Memory], len| sort_in::<T>(operation, queue, memory, len, &less);
        let merge = Merge { elements: elements::<T>(), less: &less };
        self.run::<T, T>(operation, (items, Vec::new()), &sort, &merge, &goes_before)
    }

    /// Returns whether a key goes before another one, on the device.
    fn on_device<K: Ordered>(&self, a: Val<K>, b: Val<K>) -> Val<bool> {
        if self.descending { b.total_lt(a) } else { a.total_lt(b) }
    }

    /// Sorts items by their keys, the first column.
    fn by_keys<'h, K: SortKey, T: Item>(
        &self,
        operation: &'static str,
        columns: (&'h mut [K], Vec<Box<dyn Column + 'h>>),
        less: &Less,
    ) -> Result<()> {
        let sort = if self.descending { Sort::new().descending() } else { Sort::new() };
        let sort = |queue: &Queue, memory: &[&Memory], len| {
            sort.in_place::<K>(operation, targets_in(queue, memory, len, elements::<T>()), None)
        };
        let goes_before =
            |a: K, b: K| if self.descending { b.rank() < a.rank() } else { a.rank() < b.rank() };
        // Merges move bits, as sorts do, so that the device need not support the elements' types.
        let elements: Vec<ElementType> = elements::<T>().into_iter().map(bits_of_floats).collect();
        let less = less.on_bits(&elements);
        self.run::<K, T>(operation, columns, &sort, &Merge { elements, less: &less }, &goes_before)
    }

    /// Sorts items of the type `T`, whose first column is compared on the host.
    fn run<'h, K: Element, T: Item>(
        &self,
        operation: &'static str,
        (keys, values): (&'h mut [K], Vec<Box<dyn Column + 'h>>),
        sort: &SortPiece<'_>,
        merge: &Merge<'_>,
        goes_before: &dyn Fn(K, K) -> bool,
    ) -> Result<()> {
        let len = keys.len();
        if let Some(other) = values.iter().find(|column| column.len() != len) {
            return Err(Error::length_mismatch(operation, len, other.len()));
        }
        if len < 2 {
            return Ok(());
        }
        let piece = self.piece::<T>(len)?;
        let mut columns = Columns::new(operation, self.queue, HostColumn::new(keys), values, piece.min(len))?;
        columns.sort(sort)?;
        if len <= piece {
            columns.restore();
            return Ok(());
        }
        let merged = columns.merge::<T>(merge, goes_before);
        if merged.is_err() {
            // The parts that were merged already and the others are all in the runs.
            columns.restore();
        }
        merged
    }

    /// Returns the number of items of a piece of `len` items.
    fn piece<T: Item>(&self, len: usize) -> Result<usize> {
        let device = self.queue.device();
        let memory = match self.memory {
            Some(memory) => memory,
            None => usize::try_from(device.global_memory()? / 2).unwrap_or(usize::MAX),
        };
        let sizes: Vec<usize> = elements::<T>().iter().map(|element| element.size()).collect();
        let (all, largest) =
            (sizes.iter().sum::<usize>().max(1), sizes.into_iter().max().unwrap_or(1).max(1));
        let most = usize::try_from(device.limits()?.allocation).unwrap_or(usize::MAX) / largest;
        let fits = |copies: usize| (memory / (copies * all)).clamp(LEAST, most.max(LEAST));
        Ok(if len <= fits(SORTED) { len } else { fits(IN_FLIGHT) })
    }
}

/// Sorts a slice in host memory on a queue's device, in ascending order. The slice may exceed the device's memory.
///
/// Blocks. [`ExternalSort`] describes the cost, and has more options.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::external_sort;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = vec![0.5_f32, -1.0, 0.0, -0.0];
/// external_sort(&queue, &mut x)?;
/// assert_eq!(x, [-1.0, -0.0, 0.0, 0.5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`ExternalSort::keys`].
#[doc(alias("sort_host", "out-of-core sort"))]
pub fn external_sort<K: SortKey + Ordered>(queue: &Queue, keys: &mut [K]) -> Result<()> {
    ExternalSort::on(queue).keys(keys)
}

/// Sorts keys in host memory on a queue's device, in ascending order, and moves values along: a slice, or a tuple of
/// slices. The slices may exceed the device's memory.
///
/// Blocks. [`ExternalSort`] describes the cost, and has more options.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::external_sort_by_key;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut cells = [2_u32, 0, 2, 1];
/// let (mut x, mut mass) = ([0.1_f32, 0.2, 0.3, 0.4], [10_i64, 20, 30, 40]);
/// external_sort_by_key(&queue, &mut cells, (&mut x[..], &mut mass[..]))?;
/// assert_eq!(cells, [0, 1, 2, 2]);
/// assert_eq!(x, [0.2, 0.4, 0.1, 0.3]);
/// assert_eq!(mass, [20, 40, 10, 30]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`ExternalSort::by_key`].
pub fn external_sort_by_key<'h, K: SortKey + Ordered, V: Item>(
    queue: &Queue,
    keys: &'h mut [K],
    values: impl HostSlices<'h, V>,
) -> Result<()> {
    ExternalSort::on(queue).by_key(keys, values)
}

/// Sorts a slice in host memory on a queue's device with a comparator, which is given for the device and for the host.
/// The slice may exceed the device's memory.
///
/// Blocks; see [`ExternalSort::by`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::external_sort_by;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = [3, -4, 1, -1];
/// external_sort_by(&queue, &mut x, |a, b| (a * a).lt(b * b), |a, b| a * a < b * b)?;
/// assert_eq!(x, [1, -1, 3, -4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`ExternalSort::by`].
pub fn external_sort_by<T: Element, R: Recorded<Item = bool>>(
    queue: &Queue,
    items: &mut [T],
    less: impl FnOnce(Val<T>, Val<T>) -> R,
    on_host: impl Fn(&T, &T) -> bool,
) -> Result<()> {
    ExternalSort::on(queue).by(items, less, on_host)
}
