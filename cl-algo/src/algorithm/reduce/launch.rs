//! Launches of reductions: one launch where the device can fence among work-groups, else two.

use crate::algorithm::moved::Targets;
use crate::algorithm::order::item_bytes;
use crate::codegen::{Fused, Parameters, Template, profile};
use crate::device::{DeviceFence, DeviceProfile, Shape, shapes};
use crate::element::ElementType;
use crate::expr::Item;
use crate::expr::{Expr, Recorded};
use crate::ir::graph::Graph;
use crate::ir::op::Op;
use crate::ir::target::{Target, TargetIndex};
use crate::kernels;
use crate::sink::{Sink, mapped};
use cl_core::{Access, Arg, Buffer, Error, Memory, Queue, Result};
use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

/// The kernel `reduce` of `kernels/reduce.cl`.
static REDUCE: Template<Values> = Template { kernel: "reduce", definition: &kernels::REDUCE, shape };

/// The parameters of `kernels/reduce.cl`.
#[derive(Clone, Copy, Parameters)]
struct Values {
    fence: Option<DeviceFence>,
    compensated: bool,
    ordered: bool,
    /// The size in bytes of the largest element that is loaded or combined.
    loaded: usize,
    /// `true` to combine the values of a work-group in two steps with one barrier each: each of `FOLDERS`
    /// work-items combines a share of the values, then one work-item combines their results. `false` to halve
    /// the number of values repeatedly, with a barrier each time.
    two_steps: bool,
    item_bytes: usize,
    operators: Operators,
    /// `true` for the kernel that combines the results of several work-groups.
    r#final: bool,
}

/// The operators that a reduction has besides `COMBINE`.
#[derive(Clone, Copy, Default, Parameters)]
pub(super) struct Operators {
    /// `true` if the kernel has `FOLLOW`: `Reducer::follow`.
    pub(super) follows: bool,
    /// `true` if the kernel has `FOR_FEW`: `Reducer::combine_few`.
    pub(super) few: bool,
}

/// Returns the shape. On GPUs a work-group is so small that one item for each work-item fits into local
/// memory.
///
/// The size of packs depends on the elements that are loaded and combined. The stored item does not count, because
/// there is only one.
fn shape(profile: &DeviceProfile, _: usize, values: &Values) -> Shape {
    let shape = profile.reduction(values.loaded);
    if shape.chunked {
        return shape;
    }
    let rule = profile.rule(&shapes::REDUCE, values.loaded);
    shape.within_local(profile.local_room(rule.local), 1, values.item_bytes)
}

/// An expression with at least one element, and the queue that reduces it.
pub(super) struct Source<'a> {
    /// The name of the public function, for errors.
    pub(super) operation: &'static str,
    pub(super) graph: Graph<'a>,
    pub(super) queue: Cow<'a, Queue>,
    pub(super) len: usize,
    pub(super) fence: Option<DeviceFence>,
}

impl<'a> Source<'a> {
    /// Returns `None` if the expression has zero elements, without a call of the driver.
    pub(super) fn of<T: Item>(operation: &'static str, expr: Expr<'a, T>) -> Result<Option<Source<'a>>> {
        let queue = queue_and_len(&expr)?.0;
        Source::on(operation, queue, expr)
    }

    /// Returns the source of an expression that may have no queue of its own; see [`Source::of`].
    pub(super) fn on<T: Item>(
        operation: &'static str,
        queue: Cow<'a, Queue>,
        expr: Expr<'a, T>,
    ) -> Result<Option<Source<'a>>> {
        let graph = expr.into_graph();
        graph.check()?;
        let Some(len) = graph.len.filter(|&len| len > 0) else { return Ok(None) };
        let fence = profile(queue.context())?.fence;
        Ok(Some(Source { operation, graph, queue, len, fence }))
    }

    /// Returns the size in bytes of the largest element that is loaded.
    ///
    /// The larger of this size and the largest element of an item gives the number of elements in a pack.
    pub(super) fn loaded(&self) -> usize {
        let loads = self.graph.nodes.iter().filter(|node| matches!(node.op, Op::Load(_)));
        loads.filter_map(|node| Some(node.ty.scalar()?.size())).max().unwrap_or(1)
    }
}

/// Returns the expression's queue and its number of elements.
pub(super) fn queue_and_len<'a, T: Item>(expr: &Expr<'a, T>) -> Result<(Cow<'a, Queue>, usize)> {
    expr.check()?;
    let refused = |reason: &str| Err(Error::invalid_input("expression to reduce", reason));
    let Some(queue) = expr.shared_queue() else {
        return refused("it reads no vector, and so has no queue: call `on` first");
    };
    let Some(len) = expr.len() else {
        return refused("it reads no vector, and so has no length: call `take` first");
    };
    Ok((queue, len))
}

/// The order in which items are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Any order, because the operator commutes.
    Any,
    /// Any order, for additions that carry the rounding errors along.
    Compensated,
    /// The order of the items.
    Kept,
}

/// A reduction that is ready to be launched.
pub(in crate::algorithm) struct Reduction<'a> {
    fused: Fused<'a>,
    queue: Cow<'a, Queue>,
    len: usize,
    values: Values,
}

impl<'a> Reduction<'a> {
    /// Returns the reduction of the items of the source into a sink, by one operator.
    #[cfg(test)]
    pub(super) fn new<S: Item, C: Recorded<Item = S>>(
        source: Source<'a>,
        order: Order,
        combine: impl FnOnce((S::Values, S::Values)) -> C,
        sink: impl Sink<'a, S>,
    ) -> Reduction<'a> {
        Reduction::by::<S>(source, order, |fused| only_combine::<S, C>(fused, combine), sink)
    }

    /// Returns the reduction by `operators`, which fills in `COMBINE`, and `FOLLOW` and `FOR_FEW` if the reducer has
    /// them.
    fn by<S: Item>(
        source: Source<'a>,
        order: Order,
        operators: impl FnOnce(Fused<'a>) -> (Fused<'a>, Operators),
        sink: impl Sink<'a, S>,
    ) -> Reduction<'a> {
        let loaded = source.loaded().max(largest::<S>());
        let Source { operation, graph, queue, len, fence } = source;
        let (fused, operators) = operators(Fused::new(operation).with_input("", graph));
        let values = Values {
            fence,
            compensated: order == Order::Compensated,
            ordered: order == Order::Kept,
            loaded,
            two_steps: true,
            item_bytes: item_bytes::<S>(),
            operators,
            r#final: false,
        };
        Reduction { fused: fused.output("", "", sink), queue, len, values }
    }

    /// Enqueues the reduction.
    pub(super) fn enqueue(self) -> Result<()> {
        let len = self.len;
        self.enqueue_for(len)
    }

    /// Enqueues the reduction with a kernel for up to `longest` elements.
    pub(in crate::algorithm) fn enqueue_for(self, longest: usize) -> Result<()> {
        let Reduction { fused, queue, len, values } = self;
        let queue = &*queue;
        let ready = fused.by(&REDUCE, values).compile(queue, longest)?;
        let shape = ready.shape();
        // Each group has at least one tile, unless there is only one group.
        let groups = (len / shape.tile()).clamp(1, shape.max_groups);
        let partials = queue.scratch(groups * values.item_bytes)?;
        let memory = Arg::Memory(&partials, Access::Overwrite);
        if values.fence.is_some() {
            return with_arrivals(queue, |arrivals| {
                let own = [memory, arrivals, ready.index(len)];
                // SAFETY: the kernel reads elements below `len`, writes one partial result for each work-group, reads
                // the partial results after the fence, stores one item, and leaves the counter at 0.
                unsafe { ready.launch(&own, groups, shape.group) }
            });
        }
        let own = [memory, ready.index(len), Arg::value(0_u32)];
        // SAFETY: as above, except for the fence: a single work-group stores the item, several work-groups do not.
        unsafe { ready.launch(&own, groups, shape.group)? };
        if groups > 1 {
            let ready = fused.by(&REDUCE, Values { r#final: true, ..values }).compile(queue, longest)?;
            let own = [memory, ready.index(len), Arg::value(groups as u32)];
            // SAFETY: the preceding launch has written all partial results. The kernel reads them and stores
            // one item.
            unsafe { ready.launch(&own, 1, shape.group)? };
        }
        Ok(())
    }
}

/// A number that the work-groups of a launch share. It has the same value before and after each launch.
///
/// It serves all launches of a queue. Each launch writes it, so the launches are executed one after the
/// other, also on an out-of-order queue. The lock is held while a launch is enqueued. Otherwise the launches
/// of two threads could both wait for the same earlier launch, and then be executed at the same time.
#[derive(Default)]
pub(super) struct Shared(Mutex<Option<Buffer<u32>>>);

impl Shared {
    /// Enqueues a launch that gets the number, which is `initial` between launches.
    pub(super) fn with(
        &self,
        queue: &Queue,
        initial: u32,
        launch: impl FnOnce(Arg<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut number = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = match &mut *number {
            Some(number) => number,
            none => none.insert(Buffer::filled(queue, initial, 1)?),
        };
        launch(Arg::Memory(number.memory(), Access::Overwrite))
    }
}

/// The counter of work-groups that have finished, which tells the last work-group of a launch that it is the last. It
/// is 0 between launches.
#[derive(Default)]
struct Arrivals(Shared);

/// Enqueues a launch that gets the counter of its finished work-groups.
pub(super) fn with_arrivals(queue: &Queue, launch: impl FnOnce(Arg<'_>) -> Result<()>) -> Result<()> {
    queue.attachment::<Arrivals>().0.with(queue, 0, launch)
}

/// Fills in `COMBINE` as the only operator.
fn only_combine<'f, S: Item, C: Recorded<Item = S>>(
    fused: Fused<'f>,
    combine: impl FnOnce((S::Values, S::Values)) -> C,
) -> (Fused<'f>, Operators) {
    (fused.operator("COMBINE", "", combine), Operators::default())
}

/// Combines the items of the source, and returns the result of `finish` on the host. Blocks.
pub(super) fn to_host<S: Item, C: Recorded<Item = S>, R: Recorded>(
    source: Source<'_>,
    order: Order,
    combine: impl FnOnce((S::Values, S::Values)) -> C,
    finish: impl FnOnce(S::Values) -> R,
) -> Result<R::Item> {
    to_host_by::<S, R>(source, order, |fused| only_combine::<S, C>(fused, combine), finish)
}

/// Returns the same as [`to_host`], for operators as [`Reduction::by`] takes them.
pub(super) fn to_host_by<S: Item, R: Recorded>(
    source: Source<'_>,
    order: Order,
    operators: impl for<'f> FnOnce(Fused<'f>) -> (Fused<'f>, Operators),
    finish: impl FnOnce(S::Values) -> R,
) -> Result<R::Item> {
    let queue = source.queue.clone();
    let queue = &*queue;
    let (elements, bytes) = result_layout::<R::Item>()?;
    let memory = queue.scratch(if bytes <= FEW { FEW } else { MANY })?;
    let targets = elements.iter().map(|element| element.target(&memory, queue)).collect();
    Reduction::by::<S>(source, order, operators, mapped(Targets(targets), finish)).enqueue()?;
    let (few, many);
    let stored: &[u8] = if bytes <= FEW {
        // SAFETY: the reduction has written every element of the item. The bytes between them are not used.
        few = unsafe { memory.read_first::<[u8; FEW]>() }?;
        &few
    } else {
        // SAFETY: as above.
        many = unsafe { memory.read_first::<[u8; MANY]>() }?;
        &many
    };
    let mut elements = elements.iter();
    Ok(R::Item::from_bytes(&mut |element| {
        let begin = elements.next().map_or(0, ResultElement::begin);
        &stored[begin..begin + element.size()]
    }))
}

/// Combines the items as [`to_host`] does, and leaves the result in device memory. Does not block.
pub(super) fn to_device<S: Item, C: Recorded<Item = S>, R: Recorded>(
    source: Source<'_>,
    order: Order,
    combine: impl FnOnce((S::Values, S::Values)) -> C,
    finish: impl FnOnce(S::Values) -> R,
) -> Result<<R::Item as Item>::Scalars> {
    to_device_by::<S, R>(source, order, |fused| only_combine::<S, C>(fused, combine), finish)
}

/// Returns the same as [`to_device`], for operators as [`Reduction::by`] takes them.
pub(super) fn to_device_by<S: Item, R: Recorded>(
    source: Source<'_>,
    order: Order,
    operators: impl for<'f> FnOnce(Fused<'f>) -> (Fused<'f>, Operators),
    finish: impl FnOnce(S::Values) -> R,
) -> Result<<R::Item as Item>::Scalars> {
    // SAFETY: the reduction enqueued next on the same queue writes the only element. If it cannot be
    // enqueued, the vectors are dropped here.
    let vectors = unsafe { R::Item::uninit(&source.queue, 1) }?;
    let mut targets = Vec::new();
    R::Item::targets(&vectors, &mut targets);
    Reduction::by::<S>(source, order, operators, mapped(Targets(targets), finish)).enqueue()?;
    // SAFETY: the vectors were made with one element each.
    Ok(unsafe { R::Item::scalars(vectors) })
}

/// Returns the size in bytes of the largest element of an item.
fn largest<S: Item>() -> usize {
    let mut largest = 0;
    S::each_element(&mut |element| largest = largest.max(element.size()));
    largest
}

/// The numbers of bytes that are read at once: for small results, and for all others.
const FEW: usize = 64;
const MANY: usize = 8192;

/// The position of one element of a result in a block of memory, in units of the element's size.
#[derive(Clone, Copy)]
struct ResultElement {
    element: ElementType,
    at: usize,
}

impl ResultElement {
    fn begin(&self) -> usize {
        self.at * self.element.size()
    }

    fn target<'t>(&self, memory: &'t Memory, queue: &'t Queue) -> Target<'t> {
        let index = TargetIndex::Line { stride: 1, offset: self.at as i64 };
        Target { memory, queue, element: self.element, len: 1, elements: self.at + 1, index, failure: None }
    }
}

/// Returns the positions of all elements of an item, and the number of bytes that they take.
fn result_layout<R: Item>() -> Result<(Vec<ResultElement>, usize)> {
    let (mut elements, mut end) = (Vec::new(), 0_usize);
    R::each_element(&mut |element| {
        let element = ResultElement { element, at: end.div_ceil(element.size().max(1)) };
        end = element.begin() + element.element.size();
        elements.push(element);
    });
    if end > MANY {
        let reason = format!("it takes {end} bytes, more than {MANY}: reduce to the device instead");
        return Err(Error::invalid_input("result of a reduction", reason));
    }
    Ok((elements, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cl_core::{Architecture, Vendor};

    /// Checks that a work-group's items fit into local memory, whatever their size.
    #[test]
    fn local_memory_is_enough() {
        cl_test::each_device(|device| {
            let own = DeviceProfile::of(device).unwrap();
            let nvidia = Architecture::new(Vendor::Nvidia, false, "");
            for architecture in [own.architecture.clone(), nvidia] {
                let profile =
                    DeviceProfile { chunked: false, largest_group: 1024, architecture, ..own.clone() };
                for bytes in [1, 8, 48, 64, 100, 128, 1024, 4096] {
                    let values = Values {
                        fence: profile.fence,
                        compensated: false,
                        ordered: false,
                        loaded: 4,
                        two_steps: true,
                        item_bytes: bytes,
                        operators: Operators::default(),
                        r#final: false,
                    };
                    let shape = shape(&profile, bytes, &values);
                    let folded = shape.group.min(16);
                    assert!((shape.group + folded) * bytes <= 32 << 10 || bytes > 1024, "{bytes} {shape:?}");
                    assert!(shape.group.is_power_of_two());
                }
            }
        });
    }
}
