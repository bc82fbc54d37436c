//! Scans by key.

use super::{Inputs, Keys, runs, single};
use crate::algorithm::assign::extent;
use crate::codegen::Fused;
use crate::codegen::look_back::Method;
use crate::element::{Element, Number};
use crate::expr::Item;
use crate::expr::{Operand, Val};
use crate::ir::graph::Graph;
use crate::sink::Sink;
use cl_core::{Error, Result};

/// Computes the running sums of each run of equal neighbouring keys.
///
/// Like [`inclusive_scan`](crate::stl::inclusive_scan), but the sum begins anew with each run. A NaN equals
/// nothing, so it is a run of its own. The algorithm is one launch on GPUs, by decoupled look-back, and two
/// launches on CPUs. Integers wrap around; floats are added in an order that depends on the keys and the
/// device only.
///
/// # Errors
/// As [`assign`](crate::assign), and [`Error::LengthMismatch`] unless there are as many keys as values.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::inclusive_scan_by_key;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let keys = DeviceVec::from_slice(&queue, &[7, 7, 7, 2, 2])?;
/// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5])?;
/// let mut sums = DeviceVec::filled(&queue, 0, 5)?;
/// inclusive_scan_by_key(&keys, &x, &mut sums)?;
/// assert_eq!(sums.to_vec()?, [1, 3, 6, 4, 9]);
/// # Ok(())
/// # }
/// ```
pub fn inclusive_scan_by_key<'a, K: Element + PartialEq, V: Number>(
    keys: impl Operand<'a, K>,
    values: impl Operand<'a, V>,
    sink: impl Sink<'a, V>,
) -> Result<()> {
    let add = |a: Val<V>, b: Val<V>| a + b;
    let inputs =
        Inputs::of::<K, V>("inclusive_scan_by_key", keys, values, |a: Val<K>, b: Val<K>| a.eq(b), add);
    scan(inputs, |fused| fused.output::<V>("", "", sink), Method::ByDevice)
}

/// Computes the running sums before each item of each run; every run begins with `initial`. See
/// [`inclusive_scan_by_key`].
///
/// # Errors
/// As [`inclusive_scan_by_key`], and [`Error::InvalidInput`] if the initial value has a length.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::exclusive_scan_by_key;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let keys = DeviceVec::from_slice(&queue, &[7, 7, 7, 2, 2])?;
/// let mut places = DeviceVec::filled(&queue, 0, 5)?;
/// exclusive_scan_by_key(&keys, 1, 0, &mut places)?; // the position of each item in its run
/// assert_eq!(places.to_vec()?, [0, 1, 2, 0, 1]);
/// # Ok(())
/// # }
/// ```
pub fn exclusive_scan_by_key<'a, K: Element + PartialEq, V: Number>(
    keys: impl Operand<'a, K>,
    values: impl Operand<'a, V>,
    initial: impl Operand<'a, V>,
    sink: impl Sink<'a, V>,
) -> Result<()> {
    let add = |a: Val<V>, b: Val<V>| a + b;
    let mut inputs =
        Inputs::of::<K, V>("exclusive_scan_by_key", keys, values, |a: Val<K>, b: Val<K>| a.eq(b), add);
    inputs.initial = Some(initial.into_expr().into_graph());
    scan(inputs, |fused| fused.output::<V>("", "", sink), Method::ByDevice)
}

/// Computes the running results of each run with an associative operator; `equal` returns whether two neighbouring keys
/// belong to the same run.
///
/// The operator need not commute: its first argument is the result of the items before the second. See
/// [`inclusive_scan_by_key`].
///
/// # Errors
/// As [`inclusive_scan_by_key`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::inclusive_scan_by_key_with;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// // The highest so far of each day.
/// let hours = DeviceVec::from_slice(&queue, &[20_u32, 23, 26, 30, 49])?;
/// let x = DeviceVec::from_slice(&queue, &[5.0_f32, 4.0, 1.0, 3.0, 2.0])?;
/// let mut highest = DeviceVec::filled(&queue, 0.0, 5)?;
/// let same_day = |a: Val<u32>, b: Val<u32>| (a / 24).eq(b / 24);
/// inclusive_scan_by_key_with(&hours, &x, same_day, |a: Val<f32>, b: Val<f32>| a.max(b), &mut highest)?;
/// assert_eq!(highest.to_vec()?, [5.0, 5.0, 1.0, 3.0, 2.0]);
/// # Ok(())
/// # }
/// ```
pub fn inclusive_scan_by_key_with<'a, K: Item, V: Item>(
    keys: impl Operand<'a, K>,
    values: impl Operand<'a, V>,
    equal: impl FnOnce(K::Values, K::Values) -> Val<bool>,
    operator: impl FnOnce(V::Values, V::Values) -> V::Values,
    sink: impl Sink<'a, V>,
) -> Result<()> {
    let inputs = Inputs::of::<K, V>("inclusive_scan_by_key_with", keys, values, equal, operator);
    scan(inputs, |fused| fused.output::<V>("", "", sink), Method::ByDevice)
}

/// Computes the running results before each item of each run, with any equality and any associative operator; see
/// [`exclusive_scan_by_key`] and [`inclusive_scan_by_key_with`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::exclusive_scan_by_key_with;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let keys = DeviceVec::from_slice(&queue, &[1, 1, 2, 2])?;
/// let values = DeviceVec::from_slice(&queue, &[2, 3, 5, 7])?;
/// let mut before = DeviceVec::filled(&queue, 0, 4)?;
/// exclusive_scan_by_key_with(&keys, &values, 1, |a, b| a.eq(b), |a, b| a * b, &mut before)?;
/// assert_eq!(before.to_vec()?, [1, 2, 1, 5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`exclusive_scan_by_key`].
pub fn exclusive_scan_by_key_with<'a, K: Item, V: Item>(
    keys: impl Operand<'a, K>,
    values: impl Operand<'a, V>,
    initial: impl Operand<'a, V>,
    equal: impl FnOnce(K::Values, K::Values) -> Val<bool>,
    operator: impl FnOnce(V::Values, V::Values) -> V::Values,
    sink: impl Sink<'a, V>,
) -> Result<()> {
    let mut inputs = Inputs::of::<K, V>("exclusive_scan_by_key_with", keys, values, equal, operator);
    inputs.initial = Some(initial.into_expr().into_graph());
    scan(inputs, |fused| fused.output::<V>("", "", sink), Method::ByDevice)
}

/// Scans `items` by keys with a recorded operator.
pub(in crate::algorithm) fn scan_into<'a, V: Item>(
    operation: &'static str,
    keys: Keys<'a>,
    items: Graph<'a>,
    initial: Option<Graph<'a>>,
    operator: Graph<'static>,
    sink: impl Sink<'a, V>,
) -> Result<()> {
    let inputs = Inputs::new::<V>(operation, keys, items, initial, operator);
    scan(inputs, |fused| fused.output::<V>("", "", sink), Method::ByDevice)
}

/// Scans the runs of `inputs` into the sink that `store` adds.
pub(super) fn scan<'a>(
    inputs: Inputs<'a>,
    store: impl FnOnce(Fused<'a>) -> Fused<'a>,
    method: Method,
) -> Result<()> {
    inputs.check()?;
    if let Some(len) = inputs.initial.as_ref().and_then(|initial| initial.len) {
        let reason = format!("its length is {len}; pass a scalar");
        return Err(Error::invalid_input("initial value of a scan", reason));
    }
    let fused = store(inputs.fill());
    let Some((queue, len)) = extent(&fused)? else { return Ok(()) };
    let queue = queue.clone();
    match method.on(&queue)? {
        Method::LookBack(look_back) => single::scan(&queue, &inputs, fused, len, look_back),
        _ => runs::scan(&queue, &inputs, fused, len),
    }
}
