//! Reductions to one value.

use super::launch::{index, launch, sized};
use crate::codegen::{Pass, Template, compiled, profile};
use crate::device_profile::DeviceFence;
use crate::element::Number;
use crate::expr::graph::{Graph, Vector};
use crate::expr::{Expr, Operand};
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Buffer, Error, Queue, Result};
use std::sync::OnceLock;

impl<T: Number> Expr<'_, T> {
    /// The sum of all elements; 0 for none. The expression is computed on the fly, nothing is
    /// stored. Blocks until the value is there.
    ///
    /// Integers wrap around in their own type. Floats are summed pairwise with compensation, in
    /// an order that depends on the length and the device only: the result is the same in every
    /// run. What is lost when a tile, or an element beyond the last whole tile, is added is carried
    /// along (TwoSum: Knuth, TAOCP vol. 2, 4.2.2), so the error grows with the size of a tile, not with the length. A sum is infinite
    /// when a partial sum overflows.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
    /// let y = DeviceVec::from_slice(&queue, &[4.0_f32, 5.0, 6.0])?;
    /// assert_eq!((&x * &y).sum()?, 32.0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn sum(self) -> Result<T> {
        let graph = self.graph();
        graph.check()?;
        let (Some(len), Some(vector)) = (graph.len, graph.vectors.first()) else {
            let reason = "it has scalars only, and so no length".to_owned();
            return Err(Error::InvalidInput { what: "expression to sum", reason });
        };
        if len == 0 {
            return Ok(T::zeroed());
        }
        let queue = vector.queue;
        match profile(queue.context())?.fence {
            Some(fence) => in_one_launch(queue, graph, len, fence),
            None => in_two_launches(queue, graph, len),
        }
    }
}

/// Where the work-groups of a launch count themselves, to know which of them is the last: 0
/// between launches.
#[derive(Default)]
struct Arrivals(OnceLock<Buffer<u32>>);

impl Arrivals {
    fn counter(&self, queue: &Queue) -> Result<&Buffer<u32>> {
        if let Some(counter) = self.0.get() {
            return Ok(counter);
        }
        let counter = Buffer::filled(queue, 0_u32, 1)?;
        Ok(self.0.get_or_init(|| counter))
    }
}

fn in_one_launch<T: Number>(queue: &Queue, graph: &Graph<'_>, len: usize, fence: DeviceFence) -> Result<T> {
    let compiled = compiled(queue.context(), graph, Template::Sum(Pass::Only(fence)), len)?;
    let groups = compiled.shape.groups(len);
    let partials = queue.scratch(groups * size_of::<T>())?;
    // One counter serves all launches of the queue: each writes it, so they run one after the other,
    // on an out-of-order queue too.
    let arrivals = queue.attachment::<Arrivals>();
    let counter = arrivals.counter(queue)?;
    let launch = launch(&compiled, graph)
        .arg(&partials)
        .arg(Arg::Memory(counter.memory(), Access::Write))
        .arg(index(&compiled, len));
    // SAFETY: the kernel reads elements below `len` of vectors of `len` elements, writes one
    // partial result a work-group, reads those after the fence, and leaves the counter at 0.
    unsafe { sized(launch, &compiled, groups).enqueue(queue)? };
    // SAFETY: the work-group that finished last has written the first element.
    unsafe { partials.read_first() }
}

fn in_two_launches<T: Number>(queue: &Queue, graph: &Graph<'_>, len: usize) -> Result<T> {
    let first = compiled(queue.context(), graph, Template::Sum(Pass::First), len)?;
    let groups = first.shape.groups(len);
    let partials = queue.scratch(groups * size_of::<T>())?;
    let pass = launch(&first, graph).arg(&partials).arg(index(&first, len));
    // SAFETY: the kernel reads elements below `len` of vectors of `len` elements, and writes one
    // partial result a work-group.
    unsafe { sized(pass, &first, groups).enqueue(queue)? };
    if groups == 1 {
        // SAFETY: the only work-group has written the only partial result.
        return unsafe { partials.read_first() };
    }
    // The partial results are summed by the same template, in one work-group.
    let leaf = Graph::vector(Vector { memory: &partials, queue }, T::TYPE, groups);
    let second = compiled(queue.context(), &leaf, Template::Sum(Pass::Second), groups)?;
    let total = queue.scratch(size_of::<T>())?;
    let pass = launch(&second, &leaf).arg(&total).arg(index(&second, groups));
    // SAFETY: as above; every partial result was written by the pass before.
    unsafe { sized(pass, &second, 1).enqueue(queue)? };
    // SAFETY: the pass writes the first element.
    unsafe { total.read_first() }
}

impl<T: Number> DeviceVec<T> {
    /// The sum of all elements; see [`Expr::sum`].
    ///
    /// # Errors
    /// As [`Expr::sum`].
    pub fn sum(&self) -> Result<T> {
        self.into_expr().sum()
    }
}
