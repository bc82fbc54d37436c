//! Scans: running sums, and running results of any associative operator.
//!
//! | file | concept |
//! | --- | --- |
//! | `single` | in one launch, by look-back: GPUs |
//! | `runs` | in two launches, for devices that give each work-item contiguous chunks: CPUs |

mod runs;
mod single;
#[cfg(test)]
pub(in crate::algorithm) mod tests;

use super::assign::extent;
use super::order::item_bytes;
use super::update_all::{InPlace, shared};
use crate::codegen::Fused;
use crate::codegen::look_back::Method;
use crate::element::Number;
use crate::expr::Item;
use crate::expr::{Operand, record};
use crate::ir::graph::Graph;
use crate::sink::Sink;
use cl_core::{Error, Result};

/// Computes running sums: result i is `x[0] + ... + x[i]`.
///
/// The algorithm is one launch on GPUs, by decoupled look-back (Merrill and Garland, 2016), and two launches on CPUs and
/// of fewer than 16 items.
/// Integers wrap around; floats are added in an order that depends on the length and the device only. A backward scan
/// is a scan of reversed views: `inclusive_scan(x.iter().rev(), y.view_mut().rev())`.
///
/// # Errors
/// As [`assign`](crate::assign).
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::inclusive_scan;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4])?;
/// let mut sums = DeviceVec::filled(&queue, 0, 4)?;
/// inclusive_scan(&x, &mut sums)?;
/// assert_eq!(sums.to_vec()?, [1, 3, 6, 10]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("cumsum", "prefix_sum", "partial_sum", "DeviceScan"))]
pub fn inclusive_scan<'a, T: Number>(value: impl Operand<'a, T>, sink: impl Sink<'a, T>) -> Result<()> {
    let inputs = Inputs::of::<T>("inclusive_scan", value.into_expr().into_graph(), None, |a, b| a + b);
    scan(inputs, |fused| fused.output::<T>("", "", sink), Method::ByDevice)
}

/// Computes the sums before each item: result i is `initial + x[0] + ... + x[i - 1]`. See [`inclusive_scan`].
///
/// # Errors
/// As [`assign`](crate::assign), and [`Error::InvalidInput`] if the initial value has a length.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::exclusive_scan;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let lengths = DeviceVec::from_slice(&queue, &[3_u32, 1, 2])?;
/// let mut begins = DeviceVec::filled(&queue, 0, 3)?;
/// exclusive_scan(&lengths, 0, &mut begins)?;
/// assert_eq!(begins.to_vec()?, [0, 3, 4]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("cumsum", "prefix_sum", "DeviceScan"))]
pub fn exclusive_scan<'a, T: Number>(
    value: impl Operand<'a, T>,
    initial: impl Operand<'a, T>,
    sink: impl Sink<'a, T>,
) -> Result<()> {
    let initial = initial.into_expr().into_graph();
    let inputs =
        Inputs::of::<T>("exclusive_scan", value.into_expr().into_graph(), Some(initial), |a, b| a + b);
    scan(inputs, |fused| fused.output::<T>("", "", sink), Method::ByDevice)
}

/// Computes running results of an associative operator. See [`inclusive_scan`].
///
/// The operator need not commute: its first argument is the result of the items before the second. It is recorded once,
/// as the closures of [`Expr::map`](crate::Expr::map) are.
///
/// # Errors
/// As [`inclusive_scan`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::inclusive_scan_with;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// // Steps x -> a x + b, one after the other.
/// let a = DeviceVec::from_slice(&queue, &[2, 3, 1])?;
/// let b = DeviceVec::from_slice(&queue, &[1, 0, 5])?;
/// let (mut scale, mut shift) = (DeviceVec::filled(&queue, 0, 3)?, DeviceVec::filled(&queue, 0, 3)?);
/// inclusive_scan_with(
///     (&a, &b),
///     |(a, b): (Val<i32>, Val<i32>), (c, d): (Val<i32>, Val<i32>)| (c * a, c * b + d),
///     (&mut scale, &mut shift),
/// )?;
/// assert_eq!(scale.to_vec()?, [2, 6, 6]);
/// assert_eq!(shift.to_vec()?, [1, 3, 8]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("accumulate", "cummax", "cummin", "cumprod", "DeviceScan"))]
pub fn inclusive_scan_with<'a, T: Item>(
    value: impl Operand<'a, T>,
    operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    sink: impl Sink<'a, T>,
) -> Result<()> {
    let inputs = Inputs::of::<T>("inclusive_scan_with", value.into_expr().into_graph(), None, operator);
    scan(inputs, |fused| fused.output::<T>("", "", sink), Method::ByDevice)
}

/// Computes the results before each item with an associative operator; see [`exclusive_scan`] and
/// [`inclusive_scan_with`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::exclusive_scan_with;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, 1, 4])?;
/// let mut before = DeviceVec::filled(&queue, 0, 3)?;
/// exclusive_scan_with(&x, i32::MIN, |a, b| a.max(b), &mut before)?; // the largest so far
/// assert_eq!(before.to_vec()?, [i32::MIN, 3, 3]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`exclusive_scan`].
pub fn exclusive_scan_with<'a, T: Item>(
    value: impl Operand<'a, T>,
    initial: impl Operand<'a, T>,
    operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    sink: impl Sink<'a, T>,
) -> Result<()> {
    let initial = initial.into_expr().into_graph();
    let inputs =
        Inputs::of::<T>("exclusive_scan_with", value.into_expr().into_graph(), Some(initial), operator);
    scan(inputs, |fused| fused.output::<T>("", "", sink), Method::ByDevice)
}

/// Computes [`inclusive_scan_with`] in place, for vectors or mutable views.
///
/// `inclusive_scan_in_place(x.view_mut().rev(), ..)` scans backwards.
///
/// # Errors
/// As [`inclusive_scan`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::inclusive_scan_in_place;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[1, 5, 2, 7])?;
/// inclusive_scan_in_place(&mut x, |a, b| a.max(b))?;
/// assert_eq!(x.to_vec()?, [1, 5, 5, 7]);
/// inclusive_scan_in_place(x.slice_mut(1..).rev(), |a, b| a + b)?;
/// assert_eq!(x.to_vec()?, [1, 17, 12, 7]);
/// # Ok(())
/// # }
/// ```
pub fn inclusive_scan_in_place<'a, T: Item>(
    vectors: impl InPlace<'a, T>,
    operator: impl FnOnce(T::Values, T::Values) -> T::Values,
) -> Result<()> {
    in_place("inclusive_scan_in_place", vectors, None, operator, Method::ByDevice)
}

/// Computes [`exclusive_scan_with`] in place; see [`inclusive_scan_in_place`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::exclusive_scan_in_place;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[3, 1, 4])?;
/// exclusive_scan_in_place(&mut x, 0, |a, b| a + b)?;
/// assert_eq!(x.to_vec()?, [0, 3, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`exclusive_scan`].
pub fn exclusive_scan_in_place<'a, T: Item>(
    vectors: impl InPlace<'a, T>,
    initial: impl Operand<'a, T>,
    operator: impl FnOnce(T::Values, T::Values) -> T::Values,
) -> Result<()> {
    let initial = initial.into_expr().into_graph();
    in_place("exclusive_scan_in_place", vectors, Some(initial), operator, Method::ByDevice)
}

/// Scans `items` with a recorded operator.
pub(super) fn scan_into<'a, T: Item>(
    operation: &'static str,
    items: Graph<'a>,
    initial: Option<Graph<'a>>,
    operator: Graph<'static>,
    sink: impl Sink<'a, T>,
) -> Result<()> {
    scan_stored::<T>(operation, items, initial, operator, |fused| fused.output::<T>("", "", sink))
}

/// Scans `items` with a recorded operator into the output that `store` adds.
pub(crate) fn scan_stored<'a, T: Item>(
    operation: &'static str,
    items: Graph<'a>,
    initial: Option<Graph<'a>>,
    operator: Graph<'static>,
    store: impl FnOnce(Fused<'a>) -> Fused<'a>,
) -> Result<()> {
    scan(Inputs::new::<T>(operation, items, initial, operator), store, Method::ByDevice)
}

fn in_place<'a, T: Item>(
    operation: &'static str,
    vectors: impl InPlace<'a, T>,
    initial: Option<Graph<'a>>,
    operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    method: Method,
) -> Result<()> {
    let (items, targets) = shared(operation, vectors);
    let mut inputs = Inputs::of::<T>(operation, items.into_graph(), initial, operator);
    inputs.in_place = true;
    let store = |mut fused: Fused<'a>| {
        let roots = fused.graph.parameters::<T>();
        fused.with_targets("", "", roots, targets, true)
    };
    scan(inputs, store, method)
}

/// The inputs and the operator of a scan.
struct Inputs<'a> {
    /// The operation's name in errors.
    operation: &'static str,
    items: Graph<'a>,
    initial: Option<Graph<'a>>,
    operator: Graph<'static>,
    in_place: bool,
    /// The number of 32-bit words of an item.
    words: usize,
    /// The number of elements of an item.
    elements_per_item: usize,
}

impl<'a> Inputs<'a> {
    fn of<T: Item>(
        operation: &'static str,
        items: Graph<'a>,
        initial: Option<Graph<'a>>,
        operator: impl FnOnce(T::Values, T::Values) -> T::Values,
    ) -> Inputs<'a> {
        Inputs::new::<T>(operation, items, initial, record::<(T, T), _>(|(a, b)| operator(a, b)))
    }

    fn new<T: Item>(
        operation: &'static str,
        items: Graph<'a>,
        initial: Option<Graph<'a>>,
        operator: Graph<'static>,
    ) -> Inputs<'a> {
        let words = item_bytes::<T>().div_ceil(size_of::<u32>());
        Inputs { operation, items, initial, operator, in_place: false, words, elements_per_item: T::count() }
    }

    /// Returns the kernel with the inputs and the operator.
    fn fill(&self, with_initial: bool) -> Fused<'a> {
        let mut fused = Fused::new(self.operation).with_input("", self.items.clone());
        if let (Some(initial), true) = (&self.initial, with_initial) {
            fused = fused.with_input("INITIAL", initial.clone());
        }
        fused.with_operator("COMBINE", "", &self.operator, 2 * self.elements_per_item)
    }
}

/// Scans `inputs` into the sink that `store` adds.
fn scan<'a>(inputs: Inputs<'a>, store: impl FnOnce(Fused<'a>) -> Fused<'a>, method: Method) -> Result<()> {
    if let Some(initial) = inputs.initial.as_ref().filter(|initial| initial.len.is_some()) {
        let len = initial.len.unwrap_or_default();
        let reason = format!("its length is {len}; pass a scalar");
        return Err(Error::invalid_input("initial value of a scan", reason));
    }
    let fused = store(inputs.fill(true));
    let Some((queue, len)) = extent(&fused)? else { return Ok(()) };
    let queue = queue.clone();
    match method.on(&queue)? {
        // The longest pack has 16 items. A tile is not worthwhile for fewer items than one pack.
        Method::LookBack(look_back) if len >= 16 => single::scan(&queue, &inputs, fused, len, look_back),
        _ => runs::scan(&queue, &inputs, fused, len),
    }
}
