//! Transfers of arrays of any layout between host and device.
//!
//! | file | concept |
//! | --- | --- |
//! | `route` | where the elements lie on both sides |
//! | `boxes` | the boxes of a route |
//! | `strategy` | the ways of a transfer |
//! | `cost` | the cost of each strategy |

mod boxes;
mod cost;
mod route;
mod strategy;

use super::assign::{RankedTarget, Untyped, evaluate_over};
use super::expr::{load, load_graph};
use super::layout::Layout;
use crate::device::profile;
use crate::element::Element;
use crate::expr::{Expr, Operand};
use crate::ir::leaf::Vector;
use crate::vec::DeviceVec;
use bytemuck::Zeroable;
use cl_core::{Error, Memory, Queue, Result, SliceMut};
use cost::{Costs, Direction};
use route::Route;
pub use strategy::TransferStrategy;

/// Copies the elements of an array to the host, in row-major order. Blocks. `operation` is the name in errors.
///
/// `strategy` replaces the strategy that would be chosen.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::ranked::{AxisMap, Layout, read};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 2, 3, 4, 5, 6])?;
/// let column = Layout::row_major(&[2, 3])?.view(&[AxisMap::whole(0), AxisMap::at(1)], &[2])?;
/// let mut elements = [0; 2];
/// read("column", &x, &column, None, &mut elements)?;
/// assert_eq!(elements, [2, 5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::LengthMismatch`] if the slice has another number of elements; [`Error::OutOfBounds`] if the layout leaves the
/// vector; [`Error::InvalidInput`] for a strategy that cannot be used; [`Error::Driver`].
pub fn read<T: Element>(
    operation: &'static str,
    vector: &DeviceVec<T>,
    layout: &Layout,
    strategy: Option<TransferStrategy>,
    into: &mut [T::Stored],
) -> Result<()> {
    check(operation, layout, vector.len(), into.len())?;
    if into.is_empty() {
        return Ok(());
    }
    let (route, queue, buffer) = (Route::new(layout), vector.queue(), vector.buffer());
    if is_one_range(&route) && strategy.is_none() {
        return buffer.read(queue, route.device, into);
    }
    let strategy = chosen::<T>(operation, &route, queue, Direction::Read, strategy)?;
    match strategy {
        TransferStrategy::Boxes => with_order(&route, into, |into| {
            let packed = route.packed();
            for cuboid in boxes::Division::new(&packed.axes)
                .iter()
                .flat_map(|all| all.boxes(vector.len(), packed.device))
            {
                let into = &mut into[cuboid.host..];
                match cuboid.is_row() {
                    true => buffer.read(queue, cuboid.device, &mut into[..cuboid.extent[0]])?,
                    false => {
                        buffer.read_rect(
                            queue,
                            cuboid.extent(),
                            cuboid.in_vector(),
                            into,
                            cuboid.in_slice(),
                        )?;
                    }
                }
            }
            Ok(())
        }),
        TransferStrategy::Rows | TransferStrategy::Block => {
            let (outer, inner) = cost::ranges(&route, strategy);
            let mut range = Vec::new();
            try_each(outer, |from, to| {
                let (device, host) = (route.device + from, route.host.wrapping_add_signed(to));
                if cost::is_direct(inner) {
                    return buffer.read(queue, device, &mut into[host..host + route::count(inner)]);
                }
                range.resize(route::span(inner), T::Stored::zeroed());
                buffer.read(queue, device, &mut range)?;
                route::gather(inner, &range, into, host);
                Ok(())
            })
        }
        TransferStrategy::Packed => {
            let bytes = bytemuck::cast_slice_mut(into);
            let scratch = queue.scratch(bytes.len())?;
            // SAFETY: nobody else uses the scratch memory, which has room for all elements.
            let target = unsafe { packed::<T>(&scratch, queue, layout)? };
            evaluate_over(operation, load(vector, layout).into_expr().into_graph(), &[target], false)?;
            // SAFETY: the kernel writes all elements.
            unsafe { scratch.read_bytes(bytes) }
        }
    }
}

/// Copies elements of the host, in row-major order, to the elements of an array. Blocks until the slice may be changed
/// again. `operation` is the name in errors.
///
/// `strategy` replaces the strategy that would be chosen. Some strategies read elements of the vector that the array does
/// not have, and write them back unchanged. They are used only if the target borrows the whole vector; see
/// [`RankedTarget::with_gaps`].
///
/// # Errors
/// As [`read`], and [`Error::InvalidInput`] if several coordinates have the same element.
pub fn write<T: Element>(
    operation: &'static str,
    target: RankedTarget<'_, T>,
    strategy: Option<TransferStrategy>,
    from: &[T::Stored],
) -> Result<()> {
    let (vector, layout, rewrites) = (target.vector(), *target.layout(), target.owns_gaps());
    check(operation, &layout, vector.len(), from.len())?;
    if layout.repeats() {
        let reason =
            "several coordinates of the array have the same element: write to an array that is not broadcast";
        return Err(Error::invalid_input(operation, reason));
    }
    if from.is_empty() {
        return Ok(());
    }
    let (route, queue) = (Route::new(&layout), vector.queue());
    // SAFETY: the target borrows its elements. Other elements are written only if it borrows all of the vector.
    let mut buffer = unsafe { SliceMut::of_shared(vector.buffer()) };
    let write = |buffer: &mut SliceMut<'_, T::Stored>, device: usize, from: &[T::Stored]| {
        buffer.reborrow().into_slice_mut(device..device + from.len())?.write(queue, from)
    };
    if is_one_range(&route) && strategy.is_none() {
        return write(&mut buffer, route.device, from);
    }
    let strategy = chosen::<T>(operation, &route, queue, Direction::Write { rewrites }, strategy)?;
    match strategy {
        TransferStrategy::Boxes => {
            let packed = route.packed();
            let mut sorted = Vec::new();
            let from = if packed.axes == route.axes {
                from
            } else {
                sorted.resize(from.len(), T::Stored::zeroed());
                route::scatter(&route::from_packed(&route.axes), &mut sorted, from, route.host);
                &sorted
            };
            for cuboid in boxes::Division::new(&packed.axes)
                .iter()
                .flat_map(|all| all.boxes(vector.len(), packed.device))
            {
                let from = &from[cuboid.host..];
                match cuboid.is_row() {
                    true => write(&mut buffer, cuboid.device, &from[..cuboid.extent[0]])?,
                    false => {
                        buffer.write_rect(
                            queue,
                            cuboid.extent(),
                            cuboid.in_vector(),
                            from,
                            cuboid.in_slice(),
                        )?;
                    }
                }
            }
            Ok(())
        }
        TransferStrategy::Rows | TransferStrategy::Block => {
            let (outer, inner) = cost::ranges(&route, strategy);
            let has_gaps = route::span(inner) > route::count(inner);
            let mut range = Vec::new();
            try_each(outer, |to, at| {
                let (device, host) = (route.device + to, route.host.wrapping_add_signed(at));
                if cost::is_direct(inner) {
                    return write(&mut buffer, device, &from[host..host + route::count(inner)]);
                }
                range.resize(route::span(inner), T::Stored::zeroed());
                if has_gaps {
                    vector.buffer().read(queue, device, &mut range)?;
                }
                route::scatter(inner, &mut range, from, host);
                write(&mut buffer, device, &range)
            })
        }
        TransferStrategy::Packed => {
            let bytes: &[u8] = bytemuck::cast_slice(from);
            let mut scratch = queue.scratch(bytes.len())?;
            scratch.write_bytes(bytes)?;
            let source = Vector::new(&scratch, queue, T::TYPE);
            let elements = load_graph(&source, from.len(), &Layout::row_major(layout.shape())?);
            super::assign(operation, target, Expr::<T>::new(elements))
        }
    }
}

/// Returns an error unless a layout lies in a vector of `len` elements, and has `count` elements.
fn check(operation: &'static str, layout: &Layout, len: usize, count: usize) -> Result<()> {
    if layout.len() != count {
        return Err(Error::length_mismatch(operation, layout.len(), count));
    }
    layout.within(operation, len)
}

/// Returns whether the elements are one range on both sides, in the same order.
fn is_one_range(route: &Route) -> bool {
    cost::is_direct(&route.axes)
}

/// Returns the strategy of a transfer.
fn chosen<T: Element>(
    operation: &'static str,
    route: &Route,
    queue: &Queue,
    direction: Direction,
    strategy: Option<TransferStrategy>,
) -> Result<TransferStrategy> {
    let (profile, size) = (profile(queue.context())?, size_of::<T::Stored>());
    let costs = Costs::of(&profile, size);
    let cost = |strategy| costs.cost(strategy, route, size, direction);
    match strategy {
        Some(strategy) if cost(strategy).is_some() => Ok(strategy),
        Some(strategy) => {
            let reason = format!(
                "the strategy {strategy:?} cannot be used: it would change elements that belong to other views, or \
                 several coordinates have the same element"
            );
            Err(Error::invalid_input(operation, reason))
        }
        None => {
            let usable =
                TransferStrategy::ALL.into_iter().filter_map(|strategy| Some((cost(strategy)?, strategy)));
            Ok(usable
                .min_by_key(|&(cost, _)| cost)
                .map_or(TransferStrategy::Packed, |(_, strategy)| strategy))
        }
    }
}

/// Returns the elements in scratch memory, in row-major order, as a target.
///
/// # Safety
/// Nothing else may use the memory, which has room for the elements of the layout.
unsafe fn packed<'t, T: Element>(
    memory: &'t Memory,
    queue: &'t Queue,
    layout: &Layout,
) -> Result<Untyped<'t>> {
    let packed = Layout::row_major(layout.shape())?;
    // SAFETY: as the caller promises.
    Ok(unsafe { Untyped::of_memory(memory, queue, (T::TYPE, packed.len()), packed) })
}

/// Calls a closure with a slice for the elements in the order of the vector, and then copies them to their places in
/// `into`. The slice is `into` itself if the orders are the same.
fn with_order<S: bytemuck::Pod>(
    route: &Route,
    into: &mut [S],
    read: impl FnOnce(&mut [S]) -> Result<()>,
) -> Result<()> {
    if route.packed().axes == route.axes {
        return read(into);
    }
    let mut sorted = vec![S::zeroed(); into.len()];
    read(&mut sorted)?;
    route::gather(&route::from_packed(&route.axes), &sorted, into, route.host);
    Ok(())
}

/// Does the same as [`route::for_each`] until the closure returns an error.
fn try_each(axes: &[route::Axis], mut visit: impl FnMut(usize, isize) -> Result<()>) -> Result<()> {
    let mut result = Ok(());
    route::for_each(axes, |device, host| {
        if result.is_ok() {
            result = visit(device, host);
        }
    });
    result
}
