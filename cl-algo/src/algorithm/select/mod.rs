//! Stream compaction: the items that a predicate keeps, without the others, in their order.
//!
//! | file | concept |
//! | --- | --- |
//! | `single` | in one launch, by look-back: GPUs |
//! | `runs` | in two launches, for devices that give each work-item a contiguous piece: CPUs |

mod runs;
mod single;
#[cfg(test)]
mod tests;

use super::look_back::LookBack;
use crate::codegen::{Fused, profile};
use crate::device_scalar::DeviceScalar;
use crate::element::{Element, Item};
use crate::expr::graph::Graph;
use crate::expr::{Border, Expr, Operand, Val, index};
use crate::sink::Sink;
use crate::vec::DeviceVec;
use cl_core::{Error, Queue, Result};

/// Stores the items for which `keep` is true, in their order, from the sink's first place on, and
/// returns how many there are, which stays on the device until it is asked for. The rest of the sink is
/// left as it is.
///
/// One launch on GPUs, by decoupled look-back; two on CPUs, where flags are computed twice.
///
/// # Errors
/// As [`assign`](crate::assign), and [`Error::LengthMismatch`] when the sink has not as many places as
/// there are items: all of them may be kept.
///
/// ```
/// use cl_algo::prelude::*;
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
pub fn copy_if<'a, T: Item>(
    value: impl Operand<'a, T>,
    keep: impl FnOnce(T::Values) -> Val<bool>,
    sink: impl Sink<'a, T>,
) -> Result<DeviceScalar<u64>> {
    let value = value.into_expr();
    let flags = value.clone().map(keep);
    let parts = Parts::of::<T>(value.into_graph(), flags.into_graph());
    select(parts, |fused| fused.output::<T>("", "", sink), Method::ByDevice)
}

/// As [`copy_if`], without the items for which `remove` is true.
///
/// # Errors
/// As [`copy_if`].
pub fn remove_copy_if<'a, T: Item>(
    value: impl Operand<'a, T>,
    remove: impl FnOnce(T::Values) -> Val<bool>,
    sink: impl Sink<'a, T>,
) -> Result<DeviceScalar<u64>> {
    copy_if(value, |items| !remove(items), sink)
}

/// The items for which `first` is true, in their order, in one sink, and the others, in theirs, in
/// another; returns how many went to the first. One launch on GPUs, two on CPUs.
///
/// # Errors
/// As [`copy_if`], for either sink.
///
/// ```
/// use cl_algo::prelude::*;
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
pub fn partition_copy<'a, T: Item>(
    value: impl Operand<'a, T>,
    first: impl FnOnce(T::Values) -> Val<bool>,
    yes: impl Sink<'a, T>,
    no: impl Sink<'a, T>,
) -> Result<DeviceScalar<u64>> {
    let value = value.into_expr();
    let flags = value.clone().map(first);
    let mut parts = Parts::of::<T>(value.into_graph(), flags.into_graph());
    parts.rejects = true;
    let store = |fused: Fused<'a>| fused.output::<T>("", "", yes).output::<T>("REJECT", "", no);
    select(parts, store, Method::ByDevice)
}

/// The first of each run of equal neighbours. See [`copy_if`]. A NaN equals nothing, so all of them
/// stay.
///
/// # Errors
/// As [`copy_if`].
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 1, 2, 2, 2, 1])?;
/// let mut runs = DeviceVec::filled(&queue, 0, 6)?;
/// assert_eq!(unique(&x, &mut runs)?.get()?, 3);
/// assert_eq!(runs.to_vec()?[..3], [1, 2, 1]);
/// # Ok(())
/// # }
/// ```
pub fn unique<'a, T: Element + PartialEq>(
    value: impl Operand<'a, T>,
    sink: impl Sink<'a, T>,
) -> Result<DeviceScalar<u64>> {
    unique_by(value, |a: Val<T>, b: Val<T>| a.eq(b), sink)
}

/// As [`unique`], where `equal` says whether an item, its second argument, belongs to the run of the one
/// before it.
///
/// # Errors
/// As [`copy_if`].
pub fn unique_by<'a, T: Element>(
    value: impl Operand<'a, T>,
    equal: impl FnOnce(Val<T>, Val<T>) -> Val<bool>,
    sink: impl Sink<'a, T>,
) -> Result<DeviceScalar<u64>> {
    let value = value.into_expr();
    let flags = heads(value.clone(), equal);
    let parts = Parts::of::<T>(value.into_graph(), flags.into_graph());
    select(parts, |fused| fused.output::<T>("", "", sink), Method::ByDevice)
}

/// The first key of each run of equal neighbours, and the value that belongs to it. See [`unique`].
///
/// # Errors
/// As [`copy_if`].
pub fn unique_by_key<'a, K: Element, V: Item>(
    keys: impl Operand<'a, K>,
    values: impl Operand<'a, V>,
    equal: impl FnOnce(Val<K>, Val<K>) -> Val<bool>,
    sink: impl Sink<'a, (K, V)>,
) -> Result<DeviceScalar<u64>> {
    let keys = keys.into_expr();
    let flags = heads(keys.clone(), equal);
    let both: Expr<'a, (K, V)> = (keys, values.into_expr()).into_expr();
    let parts = Parts::of::<(K, V)>(both.into_graph(), flags.into_graph());
    select(parts, |fused| fused.output::<(K, V)>("", "", sink), Method::ByDevice)
}

/// Whether each item begins a run.
fn heads<'a, T: Element>(
    value: Expr<'a, T>,
    equal: impl FnOnce(Val<T>, Val<T>) -> Val<bool>,
) -> Expr<'a, bool> {
    let before = value.clone().shifted(-1, Border::Clamp);
    let same: Expr<'a, bool> = (before, value).into_expr().map(|(before, item)| equal(before, item));
    index().eq(0) | !same
}

/// How a selection is done.
#[derive(Clone, Copy, Debug)]
enum Method {
    /// As suits the device.
    ByDevice,
    Runs,
    LookBack(LookBack),
}

/// What a selection works with.
struct Parts<'a> {
    items: Graph<'a>,
    flags: Graph<'a>,
    /// Whether there is a second output, for what is not kept.
    rejects: bool,
    /// How many are kept, if that is known, and the second output is behind the first.
    kept: Option<Graph<'a>>,
    in_place: bool,
    /// Elements of an item.
    count: usize,
}

impl<'a> Parts<'a> {
    fn of<T: Item>(items: Graph<'a>, flags: Graph<'a>) -> Parts<'a> {
        Parts { items, flags, rejects: false, kept: None, in_place: false, count: T::count() }
    }
}

/// Selects from `parts` into what `store` adds to the template.
fn select<'a>(
    parts: Parts<'a>,
    store: impl FnOnce(Fused<'a>) -> Fused<'a>,
    method: Method,
) -> Result<DeviceScalar<u64>> {
    let fused = Fused::new(&single::TEMPLATE);
    let fused = fused.with_input("", parts.items.clone()).with_input("FLAG", parts.flags.clone());
    let fused = match &parts.kept {
        Some(kept) => fused.with_input("KEPT", kept.clone()),
        None => fused,
    };
    let fused = store(fused);
    let (queue, len) = extent(&fused)?;
    let queue = queue.clone();
    if len == 0 {
        return DeviceScalar::from_value(&queue, 0);
    }
    let profile = profile(queue.context())?;
    // SAFETY: the kernel that is enqueued next writes it; if none can be, it is dropped here.
    let count = unsafe { DeviceVec::<u64>::uninit(&queue, 1) }?;
    match method {
        Method::LookBack(how) => single::select(&queue, &parts, fused, len, count.memory(), how)?,
        Method::ByDevice if !profile.chunked => {
            single::select(&queue, &parts, fused, len, count.memory(), LookBack::on(&profile))?;
        }
        Method::ByDevice | Method::Runs => runs::select(&queue, &parts, fused, len, count.memory())?,
    }
    Ok(DeviceScalar::new(count))
}

/// The queue, and the number of items, for which all outputs must have room.
fn extent<'f>(fused: &'f Fused<'_>) -> Result<(&'f Queue, usize)> {
    fused.graph.check()?;
    let vectors = fused.graph.vectors.iter().map(|vector| vector.queue);
    let queue = fused.targets.iter().map(|target| target.queue).chain(vectors).next();
    let (Some(queue), Some(len)) = (queue, fused.graph.len) else {
        let reason = "it has no length, or neither it nor the sink has a queue".to_owned();
        return Err(Error::InvalidInput { what: "expression to select from", reason });
    };
    if let Some(short) = fused.targets.iter().map(|target| target.len).find(|&room| room < len) {
        return Err(Error::LengthMismatch { operation: "select", left: short, right: len });
    }
    Ok((queue, len))
}
