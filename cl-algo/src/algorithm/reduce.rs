//! Reductions to one value.

use super::launch::{index, launch, sized};
use crate::codegen::arithmetic::{self, Operand as Value};
use crate::codegen::lanes::{Lanes, stored_name};
use crate::codegen::{Request, Template, compiled, profile};
use crate::device_profile::DeviceFence;
use crate::element::{ElementType, Number};
use crate::expr::graph::Graph;
use crate::expr::leaf::Vector;
use crate::expr::op::{Op, Type};
use crate::expr::{Expr, Operand};
use crate::fault::{self, Faults};
use crate::vec::DeviceVec;
use bytemuck::Pod;
use cl_core::{Access, Arg, Buffer, CVersion, Error, Queue, Result};
use std::fmt::Write;
use std::sync::OnceLock;

/// `kernels/reduce.cl`, adding.
static SUM: Template = Template {
    kernel: "reduce",
    text: include_str!("../kernels/reduce.cl"),
    shape: |profile, size, variant| match Pass::of(variant) {
        Pass::Only(_) | Pass::First => profile.reduction(size),
        Pass::Second => profile.final_reduction(size),
    },
    extras: |variant, item, pack| sum_extras(Pass::of(variant), item, pack),
    options: |variant, options| match Pass::of(variant) {
        Pass::Only(DeviceFence::OpenClC3) => options.language(CVersion::C30),
        _ => options,
    },
};

/// Which part of a reduction a kernel does: the template's variants.
#[derive(Clone, Copy, Debug)]
enum Pass {
    /// All of it: the work-group that finishes last combines what the others have found. Needs a
    /// fence.
    Only(DeviceFence),
    /// The first of two: one partial result a work-group.
    First,
    /// The second of two: combines partial results in one work-group.
    Second,
}

impl Pass {
    const ALL: [Pass; 4] =
        [Pass::First, Pass::Second, Pass::Only(DeviceFence::Ptx), Pass::Only(DeviceFence::OpenClC3)];

    fn of(variant: u32) -> Pass {
        Pass::ALL[variant as usize % Pass::ALL.len()]
    }

    fn request(self) -> Request<'static> {
        let variant = match self {
            Pass::First => 0,
            Pass::Second => 1,
            Pass::Only(DeviceFence::Ptx) => 2,
            Pass::Only(DeviceFence::OpenClC3) => 3,
        };
        Request { template: &SUM, variant, outputs: &[] }
    }
}

/// The kernel that makes one partial result a work-group.
#[cfg(test)]
pub(super) fn first_pass() -> Request<'static> {
    Pass::First.request()
}

const PTX_FENCE: &str = r#"asm volatile("membar.gl;" ::: "memory")"#;
const C3_FENCE: &str =
    "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)";

fn sum_extras(pass: Pass, item: Lanes, pack: Lanes) -> String {
    let mut text = String::new();
    let fence = match pass {
        Pass::Only(DeviceFence::Ptx) => Some(PTX_FENCE),
        Pass::Only(DeviceFence::OpenClC3) => Some(C3_FENCE),
        Pass::First | Pass::Second => None,
    };
    // Writing to a String cannot fail.
    if let Some(fence) = fence {
        let _ = writeln!(text, "#define DEVICE_FENCE() {fence}");
    }
    let add = |lanes| {
        let operand = |text: &str| Value { text: text.to_owned(), lanes };
        arithmetic::apply(Op::Add, lanes, &[operand("(a)"), operand("(b)")])
    };
    let _ = writeln!(text, "#define COMBINE(a, b) ({})", add(item));
    let _ = writeln!(text, "#define COMBINE_PACK(a, b) ({})", add(pack));
    let _ = writeln!(text, "#define IDENTITY 0");
    let _ = writeln!(text, "#define COMPENSATED {}", u8::from(item.is_float()));
    text.push_str(&partials(item));
    text
}

/// How partial results are stored: as the elements of a vector, since the second launch reads them
/// as such.
fn partials(item: Lanes) -> String {
    // By the numbers: vload3 and vstore3 do not take the volatile memory of the single launch.
    if let Type::Element(element @ ElementType::Vector(_, 3)) = item.ty {
        let name = stored_name(element);
        return format!(
            "#define PARTIAL {name}\n\
             #define AT(at, k) partial[3 * (INDEX)(at) + k]\n\
             #define GET_PARTIAL(at) ((ITEM)(AT(at, 0), AT(at, 1), AT(at, 2)))\n\
             #define SET_PARTIAL(at, item) \\\n    \
             do {{ AT(at, 0) = (item).x; AT(at, 1) = (item).y; AT(at, 2) = (item).z; }} while (0)\n"
        );
    }
    "#define PARTIAL ITEM\n\
     #define GET_PARTIAL(at) partial[at]\n\
     #define SET_PARTIAL(at, item) partial[at] = (item)\n"
        .to_owned()
}

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
        let sum = match profile(queue.context())?.fence {
            Some(fence) => in_one_launch(queue, graph, len, fence),
            None => in_two_launches(queue, graph, len),
        }?;
        fault::check(queue)?;
        Ok(T::from_stored(sum))
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

fn in_one_launch<T: Pod>(queue: &Queue, graph: &Graph<'_>, len: usize, fence: DeviceFence) -> Result<T> {
    let compiled = compiled(queue.context(), graph, Pass::Only(fence).request(), len)?;
    let groups = compiled.shape.groups(len);
    let partials = queue.scratch(groups * size_of::<T>())?;
    // One counter serves all launches of the queue: each writes it, so they run one after the other,
    // on an out-of-order queue too.
    let arrivals = queue.attachment::<Arrivals>();
    let counter = arrivals.counter(queue)?;
    let faults = queue.attachment::<Faults>();
    let record = if compiled.has_faults { Some(faults.arm(queue)?) } else { None };
    let launch = launch(&compiled, graph, record.as_ref().map(|record| record.memory()))
        .arg(&partials)
        .arg(Arg::Memory(counter.memory(), Access::Write))
        .arg(index(&compiled, len));
    // SAFETY: the kernel reads elements below `len` of vectors of `len` elements, writes one
    // partial result a work-group, reads those after the fence, and leaves the counter at 0.
    unsafe { sized(launch, &compiled, groups).enqueue(queue)? };
    // SAFETY: the work-group that finished last has written the first element.
    unsafe { partials.read_first() }
}

fn in_two_launches<T: Pod>(queue: &Queue, graph: &Graph<'_>, len: usize) -> Result<T> {
    let first = compiled(queue.context(), graph, Pass::First.request(), len)?;
    let groups = first.shape.groups(len);
    let partials = queue.scratch(groups * size_of::<T>())?;
    let faults = queue.attachment::<Faults>();
    let record = if first.has_faults { Some(faults.arm(queue)?) } else { None };
    let pass = launch(&first, graph, record.as_ref().map(|record| record.memory()));
    let pass = pass.arg(&partials).arg(index(&first, len));
    // SAFETY: the kernel reads elements below `len` of vectors of `len` elements, and writes one
    // partial result a work-group.
    unsafe { sized(pass, &first, groups).enqueue(queue)? };
    if groups == 1 {
        // SAFETY: the only work-group has written the only partial result.
        return unsafe { partials.read_first() };
    }
    let element = graph.elements().next().unwrap_or(ElementType::I8);
    // The partial results are summed by the same template, in one work-group.
    let leaf = Graph::vector(Vector { memory: &partials, queue, element }, groups);
    let second = compiled(queue.context(), &leaf, Pass::Second.request(), groups)?;
    let total = queue.scratch(size_of::<T>())?;
    let pass = launch(&second, &leaf, None).arg(&total).arg(index(&second, groups));
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
