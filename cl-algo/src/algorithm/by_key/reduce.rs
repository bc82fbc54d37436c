//! Reductions by key.

use super::{Inputs, runs, single};
use crate::algorithm::select::extent;
use crate::codegen::Fused;
use crate::codegen::look_back::{LookBack, Method};
use crate::device_scalar::DeviceScalar;
use crate::element::{Element, Number};
use crate::expr::Item;
use crate::expr::{Expr, Operand, Val};
use crate::sink::Sink;
use crate::vec::DeviceVec;
use cl_core::Result;

/// Adds the values of each run of equal neighbouring keys.
///
/// Stores the runs' keys in one sink and their sums in the other, from the first position on. Returns the number of
/// runs as a [`DeviceScalar`], so the host need not wait for it. The rest of the sinks keeps its values.
///
/// A NaN equals nothing, so it is a run of its own. If equal keys are not neighbours, sort by key first. The algorithm
/// is one launch, by decoupled look-back. Integers wrap around; floats are added in an order that depends on the keys
/// and the device only.
///
/// # Errors
/// As [`copy_if`](crate::stl::copy_if), for sinks with less room than there are keys, and
/// [`LengthMismatch`](cl_core::Error::LengthMismatch) unless there are as many keys as values.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::reduce_by_key;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let keys = DeviceVec::from_slice(&queue, &[7, 7, 7, 2, 2])?;
/// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5])?;
/// let (mut runs, mut sums) = (DeviceVec::filled(&queue, 0, 5)?, DeviceVec::filled(&queue, 0, 5)?);
/// let count = reduce_by_key(&keys, &x, &mut runs, &mut sums)?;
/// assert_eq!(count.get()?, 2);
/// assert_eq!(runs.to_vec()?[..2], [7, 2]);
/// assert_eq!(sums.to_vec()?[..2], [6, 9]);
/// // The lengths of the runs.
/// reduce_by_key(&keys, 1, Discard, &mut sums)?;
/// assert_eq!(sums.to_vec()?[..2], [3, 2]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("groupby", "bincount"))]
pub fn reduce_by_key<'a, K: Element + PartialEq, V: Number>(
    keys: impl Operand<'a, K>,
    values: impl Operand<'a, V>,
    key_sink: impl Sink<'a, K>,
    value_sink: impl Sink<'a, V>,
) -> Result<DeviceScalar<u64>> {
    let add = |a: Val<V>, b: Val<V>| a + b;
    let inputs = Inputs::of::<K, V>("reduce_by_key", keys, values, |a: Val<K>, b: Val<K>| a.eq(b), add);
    reduce_into(inputs, key_sink, value_sink)
}

/// Combines the values of each run with an associative operator; `equal` returns whether two neighbouring keys belong
/// to the same run.
///
/// The operator need not commute: its first argument is the result of the items before the second. The key of a run is
/// its first key. See [`reduce_by_key`].
///
/// # Errors
/// As [`reduce_by_key`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::reduce_by_key_with;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// // The highest of each day.
/// let hours = DeviceVec::from_slice(&queue, &[20_u32, 23, 26, 30, 49])?;
/// let x = DeviceVec::from_slice(&queue, &[5.0_f32, 4.0, 1.0, 3.0, 2.0])?;
/// let (mut days, mut highest) = (DeviceVec::filled(&queue, 0, 5)?, DeviceVec::filled(&queue, 0.0, 5)?);
/// let count = reduce_by_key_with(
///     &hours,
///     &x,
///     |a: Val<u32>, b: Val<u32>| (a / 24).eq(b / 24),
///     |a: Val<f32>, b: Val<f32>| a.max(b),
///     mapped(&mut days, |hour: Val<u32>| hour / 24),
///     &mut highest,
/// )?;
/// assert_eq!(count.get()?, 3);
/// assert_eq!(days.to_vec()?[..3], [0, 1, 2]);
/// assert_eq!(highest.to_vec()?[..3], [5.0, 3.0, 2.0]);
/// # Ok(())
/// # }
/// ```
pub fn reduce_by_key_with<'a, K: Item, V: Item>(
    keys: impl Operand<'a, K>,
    values: impl Operand<'a, V>,
    equal: impl FnOnce(K::Values, K::Values) -> Val<bool>,
    operator: impl FnOnce(V::Values, V::Values) -> V::Values,
    key_sink: impl Sink<'a, K>,
    value_sink: impl Sink<'a, V>,
) -> Result<DeviceScalar<u64>> {
    let inputs = Inputs::of::<K, V>("reduce_by_key_with", keys, values, equal, operator);
    reduce_into(inputs, key_sink, value_sink)
}

/// Reduces `values` by equal keys. `operation` is the name in errors.
pub(in crate::algorithm) fn reduce_as<'a, K: Element + PartialEq, V: Item>(
    operation: &'static str,
    keys: Expr<'a, K>,
    values: Expr<'a, V>,
    operator: impl FnOnce(V::Values, V::Values) -> V::Values,
    key_sink: impl Sink<'a, K>,
    value_sink: impl Sink<'a, V>,
) -> Result<DeviceScalar<u64>> {
    let equal = |a: Val<K>, b: Val<K>| a.eq(b);
    reduce_into(Inputs::of::<K, V>(operation, keys, values, equal, operator), key_sink, value_sink)
}

fn reduce_into<'a, K: Item, V: Item>(
    inputs: Inputs<'a>,
    key_sink: impl Sink<'a, K>,
    value_sink: impl Sink<'a, V>,
) -> Result<DeviceScalar<u64>> {
    let store = |fused: Fused<'a>| fused.output::<K>("KEY", "KEY", key_sink).output::<V>("", "", value_sink);
    reduce(inputs, store, Method::ByDevice)
}

/// Reduces the runs of `inputs` into the sinks that `store` adds.
pub(super) fn reduce<'a>(
    inputs: Inputs<'a>,
    store: impl FnOnce(Fused<'a>) -> Fused<'a>,
    method: Method,
) -> Result<DeviceScalar<u64>> {
    inputs.check()?;
    let fused = store(inputs.fill()).keeping().fitting();
    let (queue, len) = extent(&fused, "keys to reduce by")?;
    let queue = queue.clone();
    if len == 0 {
        return DeviceScalar::from_value(&queue, 0);
    }
    // SAFETY: the kernel enqueued next writes the number. If it cannot be enqueued, the scalar is dropped here.
    let count = DeviceScalar::new(unsafe { DeviceVec::uninit(&queue, 1) }?);
    match method.on(&queue)? {
        Method::LookBack(how) => single::reduce(&queue, &inputs, fused, len, count.memory(), how)?,
        _ => runs::reduce(&queue, &inputs, fused, len, count.memory(), LookBack::ALONE)?,
    }
    Ok(count)
}
