//! How reductions run: in one launch where work-groups can fence, else in two.

use crate::algorithm::order::item_bytes;
use crate::codegen::{Fused, Parameters, Template, profile};
use crate::device::{DeviceFence, DeviceProfile, Shape, shapes};
use crate::element::ElementType;
use crate::expr::Item;
use crate::expr::{Expr, Recorded};
use crate::ir::graph::Graph;
use crate::ir::op::{NodeId, Op};
use crate::ir::target::{Placement, Placing, Target};
use crate::kernels;
use crate::sink::sealed::Sealed;
use crate::sink::{Sink, mapped};
use cl_core::{Access, Arg, Buffer, Error, Memory, Queue, Result};
use std::sync::{Mutex, PoisonError};

/// `kernels/reduce.cl`.
static REDUCE: Template<Values> = Template { kernel: "reduce", definition: &kernels::REDUCE, shape };

/// What `kernels/reduce.cl` is compiled with.
#[derive(Clone, Copy, Parameters)]
struct Values {
    fence: Option<DeviceFence>,
    compensated: bool,
    ordered: bool,
    /// Bytes of the largest number that is loaded or combined.
    loaded: usize,
    /// How a work-group combines the values of its items: in two steps with a barrier each, in which each of 16 items
    /// combines 16 values, or by halving, with a barrier each time.
    two_steps: bool,
    item_bytes: usize,
    operators: Operators,
    /// Whether the kernel combines what several work-groups have left.
    r#final: bool,
}

/// Which operators a reduction has besides `COMBINE`.
#[derive(Clone, Copy, Default, Parameters)]
pub(super) struct Operators {
    /// `FOLLOW`.
    pub(super) follows: bool,
    /// `FOR_FEW`.
    pub(super) few: bool,
}

/// As many work-items as have room for an item each in local memory. Packs are made for what is loaded and
/// combined: of what is stored there is one item.
fn shape(profile: &DeviceProfile, _: usize, values: &Values) -> Shape {
    let shape = profile.reduction(values.loaded);
    if shape.chunked {
        return shape;
    }
    let rule = profile.rule(&shapes::REDUCE, values.loaded);
    shape.within_local(profile.local_room(rule.local), 1, values.item_bytes)
}

/// An expression that has elements, and a queue to reduce them on.
pub(super) struct Source<'a> {
    /// The function that the user called, for errors.
    pub(super) operation: &'static str,
    pub(super) graph: Graph<'a>,
    pub(super) queue: &'a Queue,
    pub(super) len: usize,
    pub(super) fence: Option<DeviceFence>,
}

impl<'a> Source<'a> {
    /// Nothing if the expression has no elements: no driver is asked then.
    pub(super) fn of<T: Item>(operation: &'static str, expr: Expr<'a, T>) -> Result<Option<Source<'a>>> {
        let queue = queue_and_len(&expr)?.0;
        Source::on(operation, queue, expr)
    }

    /// As [`Source::of`], for expressions that may know of no queue.
    pub(super) fn on<T: Item>(
        operation: &'static str,
        queue: &'a Queue,
        expr: Expr<'a, T>,
    ) -> Result<Option<Source<'a>>> {
        let graph = expr.into_graph();
        graph.check()?;
        let Some(len) = graph.len.filter(|&len| len > 0) else { return Ok(None) };
        let fence = profile(queue.context())?.fence;
        Ok(Some(Source { operation, graph, queue, len, fence }))
    }

    /// Bytes of the largest number that is loaded: what packs are made for, besides the items.
    pub(super) fn loaded(&self) -> usize {
        let loads = self.graph.nodes.iter().filter(|node| matches!(node.op, Op::Load(_)));
        loads.filter_map(|node| Some(node.ty.scalar()?.size())).max().unwrap_or(1)
    }
}

/// Where an expression can be reduced, and how many elements it has.
pub(super) fn queue_and_len<'a, T: Item>(expr: &Expr<'a, T>) -> Result<(&'a Queue, usize)> {
    expr.check()?;
    match (expr.len(), expr.queue()) {
        (Some(len), Some(queue)) => Ok((queue, len)),
        _ => {
            let reason = "it reads no vector, and so has no queue, or no length: use `on`, `take`".to_owned();
            Err(Error::InvalidInput { what: "expression to reduce", reason })
        }
    }
}

/// How items are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// In any order: the operator commutes.
    Any,
    /// As [`Order::Any`], adding, with what each addition loses carried along.
    Compensated,
    /// As they stand.
    Kept,
}

/// A reduction that is ready to run.
pub(in crate::algorithm) struct Reduction<'a> {
    fused: Fused<'a>,
    queue: &'a Queue,
    len: usize,
    values: Values,
}

impl<'a> Reduction<'a> {
    /// The items of the source, combined, into a sink.
    #[cfg(test)]
    pub(super) fn new<S: Item, C: Recorded<Item = S>>(
        source: Source<'a>,
        order: Order,
        combine: impl FnOnce((S::Values, S::Values)) -> C,
        sink: impl Sink<'a, S>,
    ) -> Reduction<'a> {
        Reduction::by::<S>(source, order, |fused| only_combine::<S, C>(fused, combine), sink)
    }

    /// As [`Reduction::new`]. `operators` fills in `COMBINE`, and `FOLLOW` and `FOR_FEW` if the reducer has them.
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

    /// Enqueues it.
    pub(super) fn run(self) -> Result<()> {
        let len = self.len;
        self.run_for(len)
    }

    /// As [`Reduction::run`], by a kernel for up to `longest` elements.
    pub(in crate::algorithm) fn run_for(self, longest: usize) -> Result<()> {
        let Reduction { fused, queue, len, values } = self;
        let ready = fused.by(&REDUCE, values).compile(queue, longest)?;
        let shape = ready.shape();
        // Each has at least one tile.
        let groups = (len / shape.tile()).clamp(1, shape.max_groups);
        let partials = queue.scratch(groups * values.item_bytes)?;
        let memory = Arg::Memory(&partials, Access::Overwrite);
        if values.fence.is_some() {
            return with_arrivals(queue, |arrivals| {
                let own = [memory, arrivals, ready.index(len)];
                // SAFETY: the kernel reads elements below `len`, writes one partial result a work-group,
                // reads those after the fence, stores one item, and leaves the counter at 0.
                unsafe { ready.launch(&own, groups, shape.group) }
            });
        }
        let own = [memory, ready.index(len), Arg::value(0_u32)];
        // SAFETY: as above, but for the fence: one work-group stores the item, several do not.
        unsafe { ready.launch(&own, groups, shape.group)? };
        if groups > 1 {
            let ready = fused.by(&REDUCE, Values { r#final: true, ..values }).compile(queue, longest)?;
            let own = [memory, ready.index(len), Arg::value(groups as u32)];
            // SAFETY: the kernel reads the partial results, which were all written by the launch
            // before, and stores one item.
            unsafe { ready.launch(&own, 1, shape.group)? };
        }
        Ok(())
    }
}

/// A number that the work-groups of a launch share, and that is the same before and after each launch. It serves all
/// launches of a queue: each writes it, so they run one after the other, on an out-of-order queue too.
///
/// The lock is held while a launch is enqueued. Otherwise two threads could both look for the launch before theirs, and
/// then both launches would run at once.
#[derive(Default)]
pub(super) struct Shared(Mutex<Option<Buffer<u32>>>);

impl Shared {
    /// Enqueues a launch that takes the number, which is `initial` between launches.
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

/// Where the work-groups of a launch count themselves, to know which of them is the last: 0 between launches.
#[derive(Default)]
struct Arrivals(Shared);

/// Enqueues a launch whose work-groups count themselves.
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

/// The items of the source, combined, and what `finish` makes of the result, on the host. Blocks.
pub(super) fn to_host<S: Item, C: Recorded<Item = S>, R: Recorded>(
    source: Source<'_>,
    order: Order,
    combine: impl FnOnce((S::Values, S::Values)) -> C,
    finish: impl FnOnce(S::Values) -> R,
) -> Result<R::Item> {
    to_host_by::<S, R>(source, order, |fused| only_combine::<S, C>(fused, combine), finish)
}

/// As [`to_host`], by operators as [`Reduction::by`] takes them.
pub(super) fn to_host_by<S: Item, R: Recorded>(
    source: Source<'_>,
    order: Order,
    operators: impl for<'f> FnOnce(Fused<'f>) -> (Fused<'f>, Operators),
    finish: impl FnOnce(S::Values) -> R,
) -> Result<R::Item> {
    let queue = source.queue;
    let (places, bytes) = places::<R::Item>()?;
    let memory = queue.scratch(if bytes <= FEW { FEW } else { MANY })?;
    let targets = places.iter().map(|&place| place.target(&memory, queue)).collect();
    Reduction::by::<S>(source, order, operators, mapped(Targets(targets), finish)).run()?;
    let (few, many);
    let stored: &[u8] = if bytes <= FEW {
        // SAFETY: the reduction has written the parts of the item. What lies between has no meaning, and
        // nobody looks at it.
        few = unsafe { memory.read_first::<[u8; FEW]>() }?;
        &few
    } else {
        // SAFETY: as above.
        many = unsafe { memory.read_first::<[u8; MANY]>() }?;
        &many
    };
    let mut places = places.iter();
    Ok(R::Item::from_bytes(&mut |element| {
        let begin = places.next().map_or(0, Place::begin);
        &stored[begin..begin + element.size()]
    }))
}

/// As [`to_host`], with the result in device memory. Does not block.
pub(super) fn to_device<S: Item, C: Recorded<Item = S>, R: Recorded>(
    source: Source<'_>,
    order: Order,
    combine: impl FnOnce((S::Values, S::Values)) -> C,
    finish: impl FnOnce(S::Values) -> R,
) -> Result<<R::Item as Item>::Scalars> {
    to_device_by::<S, R>(source, order, |fused| only_combine::<S, C>(fused, combine), finish)
}

/// As [`to_device`], by operators as [`Reduction::by`] takes them.
pub(super) fn to_device_by<S: Item, R: Recorded>(
    source: Source<'_>,
    order: Order,
    operators: impl for<'f> FnOnce(Fused<'f>) -> (Fused<'f>, Operators),
    finish: impl FnOnce(S::Values) -> R,
) -> Result<<R::Item as Item>::Scalars> {
    // SAFETY: the reduction enqueued next on the same queue writes the only element. If it cannot be
    // enqueued, the vectors are dropped here.
    let vectors = unsafe { R::Item::uninit(source.queue, 1) }?;
    let mut targets = Vec::new();
    R::Item::targets(&vectors, &mut targets);
    Reduction::by::<S>(source, order, operators, mapped(Targets(targets), finish)).run()?;
    // SAFETY: they were made with one element each.
    Ok(unsafe { R::Item::scalars(vectors) })
}

/// Bytes of the largest number that an item consists of.
fn largest<S: Item>() -> usize {
    let mut largest = 0;
    S::each_element(&mut |element| largest = largest.max(element.size()));
    largest
}

/// Bytes that are read at once, for results of few bytes and for any.
const FEW: usize = 64;
const MANY: usize = 8192;

/// Where a part of a result lies in a block of memory: at a multiple of its size.
#[derive(Clone, Copy)]
struct Place {
    element: ElementType,
    at: usize,
}

impl Place {
    fn begin(&self) -> usize {
        self.at * self.element.size()
    }

    fn target<'t>(self, memory: &'t Memory, queue: &'t Queue) -> Target<'t> {
        let place = Placement::Line { stride: 1, offset: self.at as i64 };
        Target { memory, queue, element: self.element, len: 1, place, failure: None }
    }
}

/// The places of all parts of an item, and how many bytes they take.
fn places<R: Item>() -> Result<(Vec<Place>, usize)> {
    let (mut places, mut end) = (Vec::new(), 0_usize);
    R::each_element(&mut |element| {
        let place = Place { element, at: end.div_ceil(element.size().max(1)) };
        end = place.begin() + element.size();
        places.push(place);
    });
    if end > MANY {
        let reason = format!("it takes {end} bytes, of {MANY} at most: reduce to the device instead");
        return Err(Error::InvalidInput { what: "result of a reduction", reason });
    }
    Ok((places, end))
}

/// A sink of these targets, one for each element of its items.
pub(super) struct Targets<'t>(Vec<Target<'t>>);

impl Sealed for Targets<'_> {}

impl<'t, R: Item> Sink<'t, R> for Targets<'t> {
    fn place(self, roots: &[NodeId], into: &mut Placing<'_, 't>) {
        roots.iter().zip(self.0).for_each(|(&root, target)| into.put(root, target));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cl_core::{Architecture, Vendor};

    /// A work-group's items fit into local memory, however large they are.
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
