//! Elementwise evaluation: `collect`, `assign` and `assign_with`.

use super::launch::{index, launch, sized};
use crate::codegen::{self, Output, Outputs, Place, Request, Template, compiled};
use crate::device_profile::DeviceProfile;
use crate::element::{Element, Item};
use crate::expr::graph::{Graph, Replace};
use crate::expr::op::Op;
use crate::expr::{Expr, Operand};
use crate::fault::Faults;
use crate::sink::{Placement, Placing, Sink, Target};
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Device, Error, Queue, Result};

/// `kernels/assign.cl`.
static ASSIGN: Template = Template {
    kernel: "assign",
    text: include_str!("../kernels/assign.cl"),
    shape: |profile, size, _| profile.elementwise(size),
    extras: |_, _, _| String::new(),
    options: |_, options| options,
};

/// The kernel that stores in these outputs.
pub(super) fn request(outputs: &[Output]) -> Request<'_> {
    Request { template: &ASSIGN, variant: 0, outputs }
}

/// Evaluates an expression into a sink, in one kernel: `assign(&mut y, 2.0 * &x + 1.0)`. Several
/// sinks take a tuple of values: `assign((&mut a, &mut b), (&x + &y, &x - &y))`.
///
/// # Errors
/// As [`Expr::collect`], and [`Error::LengthMismatch`] when the expression has another length than
/// the sink.
pub fn assign<'t, T: Item>(sink: impl Sink<'t, T>, value: impl Operand<'t, T>) -> Result<()> {
    let mut values = value.into_expr().into_graph();
    let roots = std::mem::take(&mut values.roots);
    let mut placing = Placing { values, targets: Vec::new() };
    sink.place(&roots, &mut placing);
    evaluate(placing, false)
}

impl<'a, T: Item> Expr<'a, T> {
    /// Evaluates the expression into a new vector, in one kernel; into several for a tuple.
    ///
    /// # Errors
    /// Mistakes made while building the expression ([`Error::LengthMismatch`],
    /// [`Error::ForeignObject`], [`Error::InvalidInput`]); [`Error::InvalidInput`] for an expression
    /// of scalars only, which has no length or no queue; [`Error::Unsupported`] for a type that the
    /// device lacks; [`Error::TooLarge`], [`Error::Driver`].
    pub fn collect(self) -> Result<T::Vectors> {
        self.graph().check()?;
        let Some(vector) = self.graph().vectors.first() else {
            let reason = "it has scalars only, and so no queue: use collect_on".to_owned();
            return Err(Error::InvalidInput { what: "expression to collect", reason });
        };
        let queue = vector.queue;
        self.collect_on(queue)
    }

    /// As [`Expr::collect`], for expressions that read no vector, such as [`iota`](crate::iota).
    ///
    /// # Errors
    /// As [`Expr::collect`], and [`Error::ForeignObject`] when the expression reads vectors of
    /// another queue.
    pub fn collect_on(self, queue: &Queue) -> Result<T::Vectors> {
        let graph = self.into_graph();
        graph.check()?;
        let Some(len) = graph.len else {
            let reason = "it has scalars only, and so no length: use DeviceVec::filled, or take".to_owned();
            return Err(Error::InvalidInput { what: "expression to collect", reason });
        };
        // SAFETY: the kernel enqueued next on the same queue writes every element. If it cannot be
        // enqueued, the vectors are dropped here.
        let vectors = unsafe { T::uninit(queue, len) }?;
        let mut targets = Vec::new();
        T::targets(&vectors, &mut targets);
        let targets = graph.roots.iter().copied().zip(targets).collect();
        evaluate(Placing { values: graph, targets }, false)?;
        Ok(vectors)
    }

    /// The OpenCL C source of the kernel that [`collect`](Expr::collect) would run on `device`, with
    /// 32-bit indices. Its arguments are the scalars, the vectors, the targets, and the first index
    /// and the number of elements as `uint`.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn kernel_source(&self, device: &Device) -> Result<String> {
        self.graph().check()?;
        let profile = DeviceProfile::of(device)?;
        let whole = |element| Output { element, place: Place::Own, in_place: false };
        let outputs: Outputs = self.graph().elements().map(whole).collect();
        Ok(codegen::source_on(&profile, self.graph(), request(&outputs)))
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

    /// Evaluates an expression of this vector's own elements in place: `y = a x + y` is
    /// `y.assign_with(|y| a * &x + y)`. Element i of the result may depend on element i of the
    /// vector only.
    ///
    /// # Errors
    /// As [`DeviceVec::assign`], and [`Error::InvalidInput`] when the expression reads other
    /// elements of the vector, such as their neighbours.
    pub fn assign_with<'a>(&'a mut self, value: impl FnOnce(Expr<'a, T>) -> Expr<'a, T>) -> Result<()> {
        // From here on this is a shared borrow for as long as any expression of it can live; the
        // kernel reads element i before it writes element i.
        let this: &'a DeviceVec<T> = self;
        let graph = value(this.into_expr()).into_graph();
        let root = graph.root();
        evaluate(Placing { values: graph, targets: vec![(root, Target::whole(this))] }, true)
    }
}

/// Enqueues the kernel that stores each root in its target.
fn evaluate(placing: Placing<'_>, in_place: bool) -> Result<()> {
    let Placing { values: mut graph, targets } = placing;
    graph.roots = targets.iter().map(|&(root, _)| root).collect();
    graph.check()?;
    let Some((_, first)) = targets.first() else { return Ok(()) };
    let queue = first.queue;
    let len = length(&graph, &targets)?;
    for (_, target) in &targets {
        if target.queue != queue || graph.vectors.iter().any(|vector| vector.queue != queue) {
            let reason = "the target and the expression belong to different queues";
            return Err(Error::ForeignObject { operation: "assign", reason });
        }
    }
    if in_place {
        targets.iter().try_for_each(|(_, target)| own_elements_only(&graph, target))?;
    }
    if len == 0 {
        return Ok(());
    }
    let mut outputs = Outputs::new();
    let mut index_root = targets.len() as u32;
    for (_, target) in &targets {
        outputs.push(Output { element: target.element, place: target.kernel_place(index_root), in_place });
        if let Placement::Scatter { indices, .. } = &target.place {
            let index = graph.absorb(indices, Replace::Nothing, "scatter");
            graph.roots.extend(index);
            graph.scatters = true;
            index_root += 1;
        }
    }
    graph.check()?;
    let compiled = compiled(queue.context(), &graph, request(&outputs), len)?;
    let faults = queue.attachment::<Faults>();
    let record = if compiled.has_faults { Some(faults.arm(queue)?) } else { None };
    let mut launch = launch(&compiled, &graph, record.as_ref().map(|record| record.memory()));
    for (_, target) in &targets {
        launch = launch.arg(Arg::Memory(target.memory, Access::Write));
        match target.place {
            _ if target.is_whole() => {}
            Placement::Line { stride, offset } => {
                launch = launch.arg(crate::expr::leaf::index(stride, compiled.wide_index));
                launch = launch.arg(crate::expr::leaf::index(offset, compiled.wide_index));
            }
            Placement::Scatter { bound, .. } => launch = launch.arg(index(&compiled, bound)),
        }
    }
    let launch = launch.arg(index(&compiled, 0)).arg(index(&compiled, len));
    // SAFETY: the kernel reads and writes elements below `len`, or at indices that it checks, of
    // vectors that have them, in the types that they were declared with.
    unsafe { sized(launch, &compiled, compiled.shape.groups(len)).enqueue(queue) }
}

/// The number of elements: the expression's, if it has one, else the targets'; all agree.
fn length(graph: &Graph<'_>, targets: &[(u32, Target<'_>)]) -> Result<usize> {
    let mut len = graph.len;
    for (_, target) in targets {
        if let Some(failure) = &target.failure {
            return Err(failure.clone());
        }
        if target.len == usize::MAX {
            continue;
        }
        let right = *len.get_or_insert(target.len);
        if right != target.len {
            return Err(Error::LengthMismatch { operation: "assign", left: target.len, right });
        }
    }
    len.ok_or_else(|| {
        let reason = "neither the expression nor the indices have a length".to_owned();
        Error::InvalidInput { what: "scatter", reason }
    })
}

/// That the expression reads no other element of the target than the one it replaces.
fn own_elements_only(graph: &Graph<'_>, target: &Target<'_>) -> Result<()> {
    let is_target = |slot: u32| std::ptr::eq(graph.vectors[slot as usize].memory, target.memory);
    let others = graph.nodes.iter().any(|node| match node.op {
        Op::Load(slot) => is_target(slot) && graph.nodes[node.arguments[0] as usize].op != Op::Index,
        Op::Vector(slot) => is_target(slot),
        _ => false,
    });
    if others {
        let reason = "it reads other elements of the vector than the one it replaces: \
                      while it is read there, it is overwritten here. Assign to another vector"
            .to_owned();
        return Err(Error::InvalidInput { what: "expression to assign in place", reason });
    }
    Ok(())
}
