//! Reductions to one value.

use crate::codegen::{Fused, Template, profile};
use crate::device_profile::DeviceFence;
use crate::element::{ElementType, Number};
use crate::expr::graph::Graph;
use crate::expr::leaf::Vector;
use crate::expr::{Expr, Operand, Val};
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Buffer, CVersion, Error, Queue, Result};
use std::sync::OnceLock;

/// `kernels/reduce.cl`, adding.
static SUM: Template = Template {
    kernel: "reduce",
    text: include_str!("../kernels/reduce.cl"),
    values: &["FENCE", "COMPENSATED", "FINAL", "THREE"],
    shape: |profile, size, values| match values {
        [_, _, 1, ..] => profile.final_reduction(size),
        _ => profile.reduction(size),
    },
    options: |options, values| match values {
        [C3_FENCE, ..] => options.language(CVersion::C30),
        _ => options,
    },
};

/// Values of `FENCE`: what the work-groups of one launch see each other's results by.
const NO_FENCE: i64 = 0;
const PTX_FENCE: i64 = 1;
const C3_FENCE: i64 = 2;

/// The sum of the graph's only root. Without a fence, each work-group makes a partial result;
/// `is_final` is for one work-group that combines these.
fn sum_of<'a, T: Number>(graph: Graph<'a>, fence: i64, is_final: bool) -> Fused<'a> {
    Fused::new(&SUM)
        .value(fence)
        .value(i64::from(T::TYPE.has_floats()))
        .value(i64::from(is_final))
        .value(i64::from(matches!(T::TYPE, ElementType::Vector(_, 3))))
        .with_input("", graph)
        .operator("COMBINE", "", |(a, b): (Val<T>, Val<T>)| a + b)
}

/// The first of two passes.
#[cfg(test)]
pub(super) fn first_pass<T: Number>(expr: Expr<'_, T>) -> Fused<'_> {
    sum_of::<T>(expr.into_graph(), NO_FENCE, false)
}

impl<T: Number> Expr<'_, T> {
    /// The sum of all elements; 0 for none. The expression is computed on the fly, nothing is
    /// stored. Blocks until the value is there.
    ///
    /// Integers wrap around in their own type. Floats are summed pairwise with compensation, in
    /// an order that depends on the length and the device only: the result is the same in every
    /// run. What is lost when a tile, or an element beyond the last whole tile, is added is carried
    /// along (TwoSum: Knuth, TAOCP vol. 2, 4.2.2), so the error grows with the size of a tile, not with
    /// the length. A sum is infinite when a partial sum overflows.
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
            let reason =
                "it reads no vector, and so has no queue, or no length: use collect_on first".to_owned();
            return Err(Error::InvalidInput { what: "expression to sum", reason });
        };
        if len == 0 {
            return Ok(T::zeroed());
        }
        let queue = vector.queue;
        let sum = match profile(queue.context())?.fence {
            Some(DeviceFence::Ptx) => in_one_launch::<T>(queue, self.into_graph(), len, PTX_FENCE),
            Some(DeviceFence::OpenClC3) => in_one_launch::<T>(queue, self.into_graph(), len, C3_FENCE),
            None => in_two_launches::<T>(queue, self.into_graph(), len),
        };
        sum.map(T::from_stored)
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

fn in_one_launch<T: Number>(queue: &Queue, graph: Graph<'_>, len: usize, fence: i64) -> Result<T::Stored> {
    let sum = sum_of::<T>(graph, fence, false);
    let ready = sum.compile(queue, len)?;
    let shape = ready.shape();
    let groups = shape.groups(len);
    let partials = queue.scratch(groups * T::TYPE.size())?;
    // One counter serves all launches of the queue: each writes it, so they run one after the other,
    // on an out-of-order queue too.
    let arrivals = queue.attachment::<Arrivals>();
    let counter = Arg::Memory(arrivals.counter(queue)?.memory(), Access::Write);
    let own = [Arg::Memory(&partials, Access::Write), counter, ready.index(len)];
    // SAFETY: the kernel reads elements below `len` of vectors of `len` elements, writes one
    // partial result a work-group, reads those after the fence, and leaves the counter at 0.
    unsafe { ready.launch(&own, groups, shape.group)? };
    // SAFETY: the work-group that finished last has written the first element.
    unsafe { partials.read_first() }
}

fn in_two_launches<T: Number>(queue: &Queue, graph: Graph<'_>, len: usize) -> Result<T::Stored> {
    let first = sum_of::<T>(graph, NO_FENCE, false);
    let ready = first.compile(queue, len)?;
    let shape = ready.shape();
    let groups = shape.groups(len);
    let partials = queue.scratch(groups * T::TYPE.size())?;
    let own = [Arg::Memory(&partials, Access::Write), ready.index(len)];
    // SAFETY: the kernel reads elements below `len` of vectors of `len` elements, and writes one
    // partial result a work-group.
    unsafe { ready.launch(&own, groups, shape.group)? };
    if groups == 1 {
        // SAFETY: the only work-group has written the only partial result.
        return unsafe { partials.read_first() };
    }
    // The partial results are summed by the same template, in one work-group.
    let leaf = Graph::vector(Vector { memory: &partials, queue, element: T::TYPE }, groups);
    let second = sum_of::<T>(leaf, NO_FENCE, true);
    let ready = second.compile(queue, groups)?;
    let total = queue.scratch(T::TYPE.size())?;
    let own = [Arg::Memory(&total, Access::Write), ready.index(groups)];
    // SAFETY: as above; every partial result was written by the pass before.
    unsafe { ready.launch(&own, 1, ready.shape().group)? };
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
