//! Stream compaction: the items that a predicate keeps, in their order.
//!
//! | file | concept |
//! | --- | --- |
//! | `single` | in one launch, by look-back: GPUs |
//! | `runs` | in one launch or two, for devices that give each work-item a contiguous chunk: CPUs |

mod runs;
mod single;
#[cfg(test)]
pub(in crate::algorithm) mod tests;

use super::reduce::count_on;
use crate::codegen::look_back::{LookBack, Method};
use crate::codegen::{Fused, Parameters};
use crate::device_scalar::DeviceScalar;
use crate::element::Element;
use crate::expr::Item;
use crate::expr::{Expr, Operand, Recorded, Val, record};
use crate::ir::graph::Graph;
use crate::sink::{Discard, Sink};
use crate::vec::DeviceVec;
use cl_core::{Error, Queue, Result};

/// Stores the items for which `keep` is true, in their order, from the sink's first position on.
///
/// Returns the number of stored items as a [`DeviceScalar`], so the host need not wait for it. The rest of the sink
/// keeps its values. The algorithm is one launch, by decoupled look-back.
///
/// A vector or a slice may have less room than there are items. If more items are kept than it has room for, the rest
/// is dropped, and the next call that waits for the queue returns [`Error::IndexOutOfRange`].
///
/// # Errors
/// As [`assign`](crate::assign), and [`Error::LengthMismatch`] if another kind of sink, such as a reversed view, is
/// shorter than the input.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::copy_if;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, -1, 4, -1, 5])?;
/// let mut positive = DeviceVec::filled(&queue, 0, 5)?;
/// let kept = copy_if(&x, |x| x.gt(0), &mut positive)?;
/// assert_eq!(kept.get()?, 3);
/// assert_eq!(positive.to_vec()?, [3, 4, 5, 0, 0]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("filter", "compress", "nonzero", "extract", "DeviceSelect"))]
pub fn copy_if<'a, T: Item>(
    value: impl Operand<'a, T>,
    keep: impl FnOnce(T::Values) -> Val<bool>,
    sink: impl Sink<'a, T>,
) -> Result<DeviceScalar<u64>> {
    let inputs = Inputs::keeping::<T, _>("copy_if", value, keep);
    select(inputs, |fused| fused.output::<T>("", "", sink), Method::ByDevice)
}

/// Stores the items for which `remove` is false; see [`copy_if`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::remove_copy_if;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, -1, 2])?;
/// let mut kept = DeviceVec::filled(&queue, 0, 3)?;
/// assert_eq!(remove_copy_if(&x, |x| x.lt(0), &mut kept)?.get()?, 2);
/// assert_eq!(kept.to_vec()?[..2], [3, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`copy_if`].
#[doc(alias("remove_if", "DeviceSelect"))]
pub fn remove_copy_if<'a, T: Item>(
    value: impl Operand<'a, T>,
    remove: impl FnOnce(T::Values) -> Val<bool>,
    sink: impl Sink<'a, T>,
) -> Result<DeviceScalar<u64>> {
    let inputs = Inputs::keeping::<T, _>("remove_copy_if", value, |items| !remove(items));
    select(inputs, |fused| fused.output::<T>("", "", sink), Method::ByDevice)
}

/// Stores the items for which `first` is true in one sink, and the other items in another, each in their order.
///
/// Returns the number of items in the first sink. The algorithm is one launch, by decoupled look-back.
///
/// # Errors
/// As [`copy_if`], for either sink.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::partition_copy;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5])?;
/// let (mut odd, mut even) = (DeviceVec::filled(&queue, 0, 5)?, DeviceVec::filled(&queue, 0, 5)?);
/// let count = partition_copy(&x, |x| (x & 1).eq(1), &mut odd, &mut even)?;
/// assert_eq!(count.get()?, 3);
/// assert_eq!(odd.to_vec()?, [1, 3, 5, 0, 0]);
/// assert_eq!(even.to_vec()?, [2, 4, 0, 0, 0]);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "DevicePartition")]
pub fn partition_copy<'a, T: Item>(
    value: impl Operand<'a, T>,
    first: impl FnOnce(T::Values) -> Val<bool>,
    yes: impl Sink<'a, T>,
    no: impl Sink<'a, T>,
) -> Result<DeviceScalar<u64>> {
    partition_into(Inputs::keeping::<T, _>("partition_copy", value, first), yes, no)
}

/// Divides the items of `inputs` into two outputs.
pub(super) fn partition_into<'a, T: Item>(
    mut inputs: Inputs<'a>,
    yes: impl Sink<'a, T>,
    no: impl Sink<'a, T>,
) -> Result<DeviceScalar<u64>> {
    inputs.rejects = Rejects::Apart;
    let store = |fused: Fused<'a>| fused.output::<T>("", "", yes).output::<T>("REJECT", "", no);
    select(inputs, store, Method::ByDevice)
}

/// Stores all items in one sink: the items for which `first` is true, then the other items, each in their order
/// (`std::stable_partition`).
///
/// Returns the number of items for which `first` is true; see [`copy_if`]. The algorithm counts these items
/// before it stores any, so it reads all items twice. To partition a vector itself, use a second vector:
/// `partition(&x, .., &mut y)`, then `std::mem::swap(&mut x, &mut y)`.
///
/// # Errors
/// As [`copy_if`], and [`Error::LengthMismatch`] for any sink that is shorter than the input.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::partition;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5])?;
/// let mut odd_first = DeviceVec::filled(&queue, 0, 5)?;
/// assert_eq!(partition(&x, |x| (x & 1).eq(1), &mut odd_first)?.get()?, 3);
/// assert_eq!(odd_first.to_vec()?, [1, 3, 5, 2, 4]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("stable_partition", "DevicePartition"))]
pub fn partition<'a, T: Item>(
    value: impl Operand<'a, T>,
    first: impl FnOnce(T::Values) -> Val<bool>,
    sink: impl Sink<'a, T>,
) -> Result<DeviceScalar<u64>> {
    let mut inputs = Inputs::keeping::<T, _>("partition", value, first);
    inputs.rejects = Rejects::Behind;
    select(inputs, |fused| fused.output::<T>("", "", sink), Method::ByDevice)
}

/// Partitions as [`partition`] does, into `output`, a kernel with one output of items of `T`.
pub(super) fn partition_onto<'a, T: Item>(
    value: impl Operand<'a, T>,
    first: impl FnOnce(T::Values) -> Val<bool>,
    output: Fused<'a>,
) -> Result<DeviceScalar<u64>> {
    let mut inputs = Inputs::keeping::<T, _>(output.operation, value, first);
    inputs.rejects = Rejects::Behind;
    let fused = inputs.fill_onto(output);
    select_with(inputs, fused, Method::ByDevice)
}

/// Stores the first item of each run of equal neighbours. See [`copy_if`]. A NaN equals nothing, so all NaNs stay.
///
/// # Errors
/// As [`copy_if`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::unique;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 1, 2, 2, 2, 1])?;
/// let mut runs = DeviceVec::filled(&queue, 0, 6)?;
/// assert_eq!(unique(&x, &mut runs)?.get()?, 3);
/// assert_eq!(runs.to_vec()?[..3], [1, 2, 1]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("dedup", "unique_copy", "DeviceSelect"))]
pub fn unique<'a, T: Element + PartialEq>(
    value: impl Operand<'a, T>,
    sink: impl Sink<'a, T>,
) -> Result<DeviceScalar<u64>> {
    let inputs = Inputs::dropping_duplicates::<T, _>("unique", value, |a: Val<T>, b: Val<T>| a.eq(b));
    select(inputs, |fused| fused.output::<T>("", "", sink), Method::ByDevice)
}

/// Stores the first item of each run; `equal` returns whether two neighbouring items belong to the same run. See
/// [`unique`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::unique_by;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[10, 11, 19, 25, 26])?;
/// let mut first = DeviceVec::filled(&queue, 0, 5)?;
/// let count = unique_by(&x, |a, b| (a / 10).eq(b / 10), &mut first)?;
/// assert_eq!(count.get()?, 2);
/// assert_eq!(first.to_vec()?[..2], [10, 25]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`copy_if`].
#[doc(alias("dedup_by", "unique_copy", "DeviceSelect"))]
pub fn unique_by<'a, T: Element>(
    value: impl Operand<'a, T>,
    equal: impl FnOnce(Val<T>, Val<T>) -> Val<bool>,
    sink: impl Sink<'a, T>,
) -> Result<DeviceScalar<u64>> {
    let inputs = Inputs::dropping_duplicates::<T, _>("unique_by", value, equal);
    select(inputs, |fused| fused.output::<T>("", "", sink), Method::ByDevice)
}

/// Stores the first key of each run of equal neighbours, and its value. See [`unique`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::unique_by_key;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let keys = DeviceVec::from_slice(&queue, &[1, 1, 2])?;
/// let values = DeviceVec::from_slice(&queue, &[7, 8, 9])?;
/// let (mut each, mut first) = (DeviceVec::filled(&queue, 0, 3)?, DeviceVec::filled(&queue, 0, 3)?);
/// let count = unique_by_key(&keys, &values, |a, b| a.eq(b), (&mut each, &mut first))?;
/// assert_eq!(count.get()?, 2);
/// assert_eq!(first.to_vec()?[..2], [7, 9]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`copy_if`].
#[doc(alias("dedup_by_key", "DeviceSelect"))]
pub fn unique_by_key<'a, K: Element, V: Item>(
    keys: impl Operand<'a, K>,
    values: impl Operand<'a, V>,
    equal: impl FnOnce(Val<K>, Val<K>) -> Val<bool>,
    sink: impl Sink<'a, (K, V)>,
) -> Result<DeviceScalar<u64>> {
    let operation = "unique_by_key";
    let items = keys.into_expr().into_graph().zip(&values.into_expr().into_graph(), operation);
    let same = |(a, _), (b, _)| equal(a, b);
    let inputs = Inputs::dropping_duplicates::<(K, V), _>(operation, Expr::new(items), same);
    select(inputs, |fused| fused.output::<(K, V)>("", "", sink), Method::ByDevice)
}

/// The treatment of items that are not kept: the value of `REJECTS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Parameters)]
enum Rejects {
    Dropped = 0,
    /// Rejected items are stored in an output of their own.
    Apart = 1,
    /// Rejected items are stored after all kept items.
    Behind = 2,
}

/// The largest number of 32-bit words for a count.
const WORDS: usize = 2;

/// The input and the operator of a selection.
pub(super) struct Inputs<'a> {
    /// The operation's name in errors.
    operation: &'static str,
    items: Graph<'a>,
    /// The predicate. Unless `by_neighbour`, it takes one item and is true if the item is kept. If
    /// `by_neighbour`, it takes two neighbours and is true if the second one is rejected.
    operator: Graph<'static>,
    by_neighbour: bool,
    rejects: Rejects,
    /// The number of elements of an item.
    elements_per_item: usize,
    /// The operator whose results are stored of a selected item; `None` if the item itself is stored.
    stored: Option<Graph<'static>>,
}

impl<'a> Inputs<'a> {
    /// Returns the name in errors.
    pub(super) fn operation(&self) -> &'static str {
        self.operation
    }

    /// Returns the items to select from.
    pub(super) fn items(&self) -> &Graph<'a> {
        &self.items
    }

    pub(super) fn keeping<T: Item, R: Recorded<Item = bool>>(
        operation: &'static str,
        value: impl Operand<'a, T>,
        keep: impl FnOnce(T::Values) -> R,
    ) -> Inputs<'a> {
        Inputs::new::<T>(operation, value, record::<T, R>(keep), false)
    }

    pub(super) fn dropping_duplicates<T: Item, R: Recorded<Item = bool>>(
        operation: &'static str,
        value: impl Operand<'a, T>,
        same: impl FnOnce(T::Values, T::Values) -> R,
    ) -> Inputs<'a> {
        Inputs::new::<T>(operation, value, record::<(T, T), _>(|(a, b)| same(a, b)), true)
    }

    fn new<T: Item>(
        operation: &'static str,
        value: impl Operand<'a, T>,
        operator: Graph<'static>,
        by_neighbour: bool,
    ) -> Inputs<'a> {
        let items = value.into_expr().into_graph();
        Inputs {
            operation,
            items,
            operator,
            by_neighbour,
            rejects: Rejects::Dropped,
            elements_per_item: T::count(),
            stored: None,
        }
    }

    /// Stores what a closure computes of a selected item, which has been a `T` so far.
    pub(super) fn map<T: Item, R: Recorded>(&mut self, closure: impl FnOnce(T::Values) -> R) {
        let closure = record::<T, R>(closure);
        self.stored = Some(match self.stored.take() {
            Some(stored) => stored.map(&closure, self.operation),
            None => closure,
        });
    }

    /// Adds an output of what is stored of the items, which are items of `T`.
    fn store<T: Item>(&self, mut fused: Fused<'a>, sink: impl Sink<'a, T>) -> Fused<'a> {
        match &self.stored {
            None => fused.output::<T>("", "", sink),
            Some(stored) => {
                fused.write_results("", "", stored, sink);
                fused
            }
        }
    }

    /// Returns for each item whether it is kept. The operator must be a predicate of one item.
    fn flags(&self) -> Expr<'a, bool> {
        Expr::new(self.items.clone().map(&self.operator, self.operation))
    }

    /// Returns what is stored of the items, with `other` in place of each rejected item; `None` if items are selected by
    /// their neighbours.
    pub(super) fn with_rejected_replaced<T: Element>(&self, other: T) -> Option<Expr<'a, T>> {
        let stored = || match &self.stored {
            Some(stored) => self.items.clone().map(stored, self.operation),
            None => self.items.clone(),
        };
        (!self.by_neighbour).then(|| self.flags().select(Expr::<T>::new(stored()), other))
    }

    /// Returns the kernel with the input and the operator.
    fn fill(&self) -> Fused<'a> {
        self.fill_onto(Fused::new(self.operation))
    }

    /// Adds the input and the operator to a kernel.
    fn fill_onto(&self, fused: Fused<'a>) -> Fused<'a> {
        let (name, arity) = if self.by_neighbour { ("SAME", 2) } else { ("KEEP", 1) };
        let mut fused = fused.with_input("", self.items.clone());
        // If there was an output before, the input did not give the kernel its length.
        fused.graph.len = self.items.len;
        fused.with_operator(name, "", &self.operator, arity * self.elements_per_item).keeping()
    }
}

/// Selects items into `sink`.
pub(super) fn select_into<'a, T: Item>(
    inputs: Inputs<'a>,
    sink: impl Sink<'a, T>,
) -> Result<DeviceScalar<u64>> {
    let fused = inputs.store::<T>(inputs.fill(), sink);
    select_with(inputs, fused, Method::ByDevice)
}

/// Returns the number of items that `inputs` selects.
pub(super) fn count<T: Item>(inputs: Inputs<'_>) -> Result<usize> {
    if inputs.by_neighbour {
        return Ok(select_into::<T>(inputs, Discard)?.get()? as usize);
    }
    inputs.flags().count()
}

/// Selects from `inputs` into the sink that `store` adds.
fn select<'a>(
    inputs: Inputs<'a>,
    store: impl FnOnce(Fused<'a>) -> Fused<'a>,
    method: Method,
) -> Result<DeviceScalar<u64>> {
    let fused = store(inputs.fill());
    select_with(inputs, fused, method)
}

/// Selects from `inputs` by a kernel that has the inputs and the outputs.
fn select_with<'a>(inputs: Inputs<'a>, fused: Fused<'a>, method: Method) -> Result<DeviceScalar<u64>> {
    // Where rejected items follow, every item needs room.
    let fused = if inputs.rejects == Rejects::Behind { fused } else { fused.fitting() };
    let (queue, len) = extent(&fused, "items to select from")?;
    let queue = queue.clone();
    if len == 0 {
        return DeviceScalar::from_value(&queue, 0);
    }
    let method = method.on(&queue)?;
    let count = match (inputs.rejects, method) {
        // Rejected items are stored after all kept items. A tile therefore needs the number of kept items,
        // which the launch itself knows only when its last tile has been counted. Another kernel counts them
        // first.
        (Rejects::Behind, Method::LookBack(_)) => count_on(inputs.operation, &queue, inputs.flags())?,
        // SAFETY: the kernel enqueued next writes the number. If it cannot be enqueued, the scalar is dropped here.
        _ => DeviceScalar::new(unsafe { DeviceVec::uninit(&queue, 1) }?),
    };
    match method {
        Method::LookBack(how) => single::select(&queue, &inputs, fused, len, count.memory(), how)?,
        _ => runs::select(&queue, &inputs, fused, len, count.memory(), LookBack::ALONE)?,
    }
    Ok(count)
}

/// Returns the queue and the number of items. Returns an error if an output has too little room.
pub(super) fn extent<'f>(fused: &'f Fused<'_>, what: &'static str) -> Result<(&'f Queue, usize)> {
    fused.check()?;
    let Some(len) = fused.graph.len else {
        let reason = "they are scalars, and so have no length: call `take` first".to_owned();
        return Err(Error::invalid_input(what, reason));
    };
    let Some(queue) = fused.queue() else {
        let reason = "neither they nor the outputs have a queue: use `on`".to_owned();
        return Err(Error::invalid_input(what, reason));
    };
    if let Some(short) = fused.targets.iter().map(|target| target.len).find(|&room| room < len) {
        return Err(Error::length_mismatch(fused.operation, short, len));
    }
    Ok((queue, len))
}
