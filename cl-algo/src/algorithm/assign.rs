//! Elementwise evaluation: `collect` and `assign`.

use crate::codegen::{Fused, Template};
use crate::device::Shape;
use crate::element::Element;
use crate::expr::Item;
use crate::expr::{Expr, Operand};
use crate::ir::graph::Graph;
use crate::ir::op::Op;
use crate::ir::target::Target;
use crate::kernels;
use crate::sink::Sink;
use crate::vec::DeviceVec;
use cl_core::{Device, Error, Queue, Result};

/// The kernel `assign` of `kernels/assign.cl`.
static ASSIGN: Template = Template {
    kernel: "assign",
    definition: &kernels::ASSIGN,
    shape: |profile, size, ()| profile.elementwise(size),
};

/// The kernel `assign_slice` of `kernels/assign_slice.cl`.
static ASSIGN_SLICE: Template =
    Template { kernel: "assign_slice", definition: &kernels::ASSIGN_SLICE, ..ASSIGN };

/// The kernel `assign` for expressions that compute several elements at once.
static GENERATE: Template = Template { shape: |profile, size, ()| profile.generation(size), ..ASSIGN };

/// The kernel `assign` for expressions that fold ranges, such as products of sliced matrices.
///
/// The work-groups are smaller, because some rows take longer. On an H200: groups of 128 take 52.5 µs, groups
/// of 256 take 54.1 µs.
static FOLD: Template = Template {
    shape: |profile, size, ()| {
        let shape = profile.elementwise(size);
        Shape { group: shape.group.min(FOLDING), ..shape }
    },
    ..ASSIGN
};

/// The largest number of work-items in a work-group that folds ranges.
const FOLDING: usize = 128;

/// Evaluates an expression into a sink, in one kernel: `assign(&mut y, 2.0 * &x + 1.0)`.
///
/// Several sinks take a tuple of values: `assign((&mut a, &mut b), (&x + &y, &x - &y))`.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0])?;
/// let (mut sum, mut difference) = (DeviceVec::filled(&queue, 0.0, 2)?, DeviceVec::filled(&queue, 0.0, 2)?);
/// assign((&mut sum, &mut difference), (&x + 1.0, &x - 1.0))?; // one kernel
/// assert_eq!(sum.to_vec()?, [2.0, 3.0]);
/// assert_eq!(difference.to_vec()?, [0.0, 1.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`], and [`Error::LengthMismatch`] if the expression and the sink have different lengths.
pub fn assign<'t, T: Item>(sink: impl Sink<'t, T>, value: impl Operand<'t, T>) -> Result<()> {
    assign_as("assign", sink, value)
}

/// Evaluates as [`assign`] does. `operation` is the name in errors.
pub(super) fn assign_as<'t, T: Item>(
    operation: &'static str,
    sink: impl Sink<'t, T>,
    value: impl Operand<'t, T>,
) -> Result<()> {
    evaluate(fused(operation, sink, value))
}

/// Evaluates as [`assign_as`] does, for an algorithm with other inputs, which must belong to the same queue.
pub(super) fn assign_beside<'t, T: Item>(
    operation: &'static str,
    sink: impl Sink<'t, T>,
    value: impl Operand<'t, T>,
    others: &[&Graph<'_>],
) -> Result<()> {
    let fused = fused(operation, sink, value);
    fused.check_with(others)?;
    evaluate(fused)
}

/// Returns the kernel that evaluates an expression into a sink.
pub(super) fn fused<'t, T: Item>(
    operation: &'static str,
    sink: impl Sink<'t, T>,
    value: impl Operand<'t, T>,
) -> Fused<'t> {
    let mut fused = Fused::new(operation);
    fused.read("", value.into_expr().into_graph());
    fused.write("", "", sink, false);
    fused
}

impl<'a, T: Item> Expr<'a, T> {
    /// Evaluates the expression into a new vector, in one kernel; a tuple into several vectors.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0])?;
    /// let y: DeviceVec<f32> = (2.0 * &x + 1.0).collect()?; // does not wait
    /// assert_eq!(y.to_vec()?, [3.0, 5.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Deferred errors of the expression ([`Error::LengthMismatch`], [`Error::ForeignObject`],
    /// [`Error::InvalidInput`]); [`Error::InvalidInput`] for an expression of scalars only, which does not have a
    /// length or a queue; [`Error::Unsupported`] for a type that the device lacks; [`Error::TooLarge`],
    /// [`Error::Driver`].
    #[doc(alias("eval", "evaluate", "materialize"))]
    pub fn collect(self) -> Result<T::Vectors> {
        self.check()?;
        let Some(queue) = self.shared_queue() else {
            let reason = "it reads no vector, and so has no queue: use collect_on".to_owned();
            return Err(Error::invalid_input("expression to collect", reason));
        };
        self.collect_on(&queue)
    }

    /// Evaluates the expression on `queue`, for expressions that read no vector, such as [`iota`](crate::iota).
    ///
    /// See [`Expr::collect`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let squares = iota(0_u32, 4).map(|i| i * i).collect_on(&queue)?;
    /// assert_eq!(squares.to_vec()?, [0, 1, 4, 9]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`], and [`Error::ForeignObject`] if the expression reads vectors of another queue, also if it
    /// has zero elements.
    pub fn collect_on(self, queue: &Queue) -> Result<T::Vectors> {
        let graph = self.into_graph();
        graph.check()?;
        let Some(len) = graph.len else {
            let reason =
                "it consists of scalars, so there is no length: use `iota`, `take` or `DeviceVec::filled`"
                    .to_owned();
            return Err(Error::invalid_input("expression to collect", reason));
        };
        // SAFETY: the kernel enqueued next on the same queue writes every element. If it cannot be
        // enqueued, the vectors are dropped here.
        let vectors = unsafe { T::uninit(queue, len) }?;
        let mut targets = Vec::new();
        T::targets(&vectors, &mut targets);
        evaluate(fused_with("collect", graph, targets, false))?;
        Ok(vectors)
    }

    /// Returns the OpenCL C source of the kernel that [`collect`](Expr::collect) would launch on `device`, with 32-bit
    /// indices.
    ///
    /// The kernel's arguments are the scalars, the vectors, the targets, and the number of elements as `uint`. A scalar
    /// that integers are divided by is followed by two numbers, with which the kernel multiplies and shifts instead.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::filled(&queue, 1.0_f32, 10)?;
    /// let source = (2.0 * &x).kernel_source(queue.device())?;
    /// assert!(source.contains("global const float *x0"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn kernel_source(&self, device: &Device) -> Result<String> {
        self.check()?;
        let fused = Fused::new("kernel_source").with_input("", self.graph());
        let fused = fused.with_whole_outputs::<T>();
        fused.by(by_work(&fused), ()).source(device)
    }
}

impl<T: Element> DeviceVec<T> {
    /// Evaluates an expression into this vector, in one kernel.
    ///
    /// # Errors
    /// As [`assign`].
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
    /// let mut y = DeviceVec::filled(&queue, 0.0_f32, 3)?;
    /// y.assign(2.0 * &x + 1.0)?;
    /// assert_eq!(y.to_vec()?, [3.0, 5.0, 7.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn assign<'a>(&'a mut self, value: impl Operand<'a, T>) -> Result<()> {
        assign(self, value)
    }

    /// Evaluates an expression of this vector's own elements in place: `y.assign_with(|y| a * &x + y)`.
    ///
    /// The expression may read other vectors at any index, but of this vector only element `i` to compute
    /// element `i`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let mut x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0])?;
    /// let y = DeviceVec::from_slice(&queue, &[10.0_f32, 20.0])?;
    /// x.assign_with(|x| 2.0 * x + &y)?;
    /// assert_eq!(x.to_vec()?, [12.0, 24.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`DeviceVec::assign`], and [`Error::InvalidInput`] if the expression reads other elements of the vector, such
    /// as their neighbours.
    pub fn assign_with<'a>(&'a mut self, value: impl FnOnce(Expr<'a, T>) -> Expr<'a, T>) -> Result<()> {
        super::assign_with(self, value)
    }
}

/// Returns the kernel that stores each element of the items in its own target, which has the same type.
pub(crate) fn fused_with<'t>(
    operation: &'static str,
    graph: Graph<'t>,
    targets: Vec<Target<'t>>,
    in_place: bool,
) -> Fused<'t> {
    let mut fused = Fused::new(operation).with_input("", graph);
    let elements = targets.iter().map(|target| target.element);
    let roots = fused.graph.parameters_of(elements);
    fused.with_targets("", "", roots, targets, in_place)
}

/// Enqueues the kernel, for the number of items that its input and its outputs agree on.
pub(crate) fn evaluate(mut fused: Fused<'_>) -> Result<()> {
    let Some((queue, len)) = extent(&fused)? else { return Ok(()) };
    if let Some((fold, kernel)) = fused.fold_with_kernel(len) {
        return kernel.run(queue, fused.outlined(fold), len);
    }
    fused.find_lines(len);
    let begin = fused.align(queue, len)?;
    let end = begin + len;
    let template = if begin > 0 { &ASSIGN_SLICE } else { by_work(&fused) };
    let ready = fused.by(template, ()).compile(queue, end)?;
    let shape = ready.shape();
    let own = [ready.index(begin), ready.index(end)];
    let own = if begin > 0 { &own[..] } else { &own[1..] };
    // SAFETY: the kernel reads and writes `len` elements from `begin` on, which the vectors have, or elements at
    // indices that it checks.
    unsafe { ready.launch(own, shape.groups(end), shape.group) }
}

/// Returns the template that suits the expression.
pub(super) fn by_work(fused: &Fused<'_>) -> &'static Template {
    let has = |found: fn(&Op) -> bool| fused.graph.nodes.iter().any(|node| found(&node.op));
    match () {
        () if has(|op| matches!(op, Op::Fold { .. })) => &FOLD,
        () if has(|op| *op == Op::Interleave) => &GENERATE,
        () => &ASSIGN,
    }
}

/// Returns the queue and the number of items that the first input and the outputs agree on, or `None` if there is
/// nothing to do.
pub(super) fn extent<'t>(fused: &Fused<'t>) -> Result<Option<(&'t Queue, usize)>> {
    fused.check()?;
    let Some(first) = fused.targets.first() else { return Ok(None) };
    let mut len = fused.graph.len;
    // Targets without a length of their own take the length of the expression.
    for output_len in fused.targets.iter().map(|target| target.len).filter(|&len| len != usize::MAX) {
        let item_len = *len.get_or_insert(output_len);
        if item_len != output_len {
            return Err(Error::length_mismatch(fused.operation, output_len, item_len));
        }
    }
    match len {
        None => {
            let reason = "neither the expression nor the indices have a length".to_owned();
            Err(Error::invalid_input("scatter", reason))
        }
        Some(0) => Ok(None),
        Some(len) => Ok(Some((first.queue, len))),
    }
}

/// Returns an error unless the expression reads only the elements of the targets that it replaces.
///
/// If several targets are views of one vector, the expression may read the elements of each of them at its own index,
/// because the views have no element in common.
pub(super) fn own_elements_only(graph: &Graph<'_>, targets: &[Target<'_>]) -> Result<()> {
    // An expression with a deferred error, such as an invalid view, returns this error, not the error below.
    graph.check()?;
    let of = |slot: u32| {
        let memory = graph.vectors[slot as usize].memory();
        targets.iter().filter(move |target| std::ptr::eq(target.memory, memory))
    };
    let others = graph.nodes.iter().any(|node| match node.op {
        Op::Load(slot) => {
            let at = graph.line_of(node.arguments[0]);
            of(slot).next().is_some() && !of(slot).any(|target| at.is_some() && target.line() == at)
        }
        Op::Vector(slot) => of(slot).next().is_some(),
        _ => false,
    });
    if others {
        let reason = "it reads other elements of the vector than the one it replaces: one work-item may \
                      overwrite an element before another reads it. Assign to another vector"
            .to_owned();
        return Err(Error::invalid_input("expression to assign in place", reason));
    }
    Ok(())
}
