//! The standard library's names for operations of expressions and sinks.
//!
//! Each function calls the method that its documentation names. It launches one kernel: `assign_if` if it
//! takes a mask, otherwise the kernel of [`assign`](crate::assign).

use super::assign::assign_as;
use super::merge::output_queue;
use super::order::length;
use super::update_all::assign_with_as;
use crate::InPlace;
use crate::codegen::{Fused, Parameters, Template};
use crate::element::{Element, Integer};
use crate::expr::Item;
use crate::expr::{Operand, Recorded, Val, index};
use crate::ir::graph::Graph;
use crate::ir::op::{Node, Op};
use crate::kernels;
use crate::sink::Sink;
use crate::vec::DeviceVec;
use cl_core::Result;

/// The parameters of `kernels/assign_if.cl`.
#[derive(Clone, Copy, Parameters)]
struct Values {
    /// `true` if items that are not stored may be computed: they cannot fail, and have no loops that may be long.
    in_packs: bool,
}

static ASSIGN_IF: Template<Values> = Template {
    kernel: "assign_if",
    definition: &kernels::ASSIGN_IF,
    shape: |profile, size, _| profile.elementwise(size),
};

/// Stores the results of `op` for each item: `output[i] = op(input[i])`.
///
/// For several inputs, pass a tuple of them, or use [`zip`](crate::zip). The same as `assign(output, input.map(op))`.
///
/// # Errors
/// As [`assign`](crate::assign).
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let (x, y) = (DeviceVec::from_slice(&queue, &[1, 2])?, DeviceVec::from_slice(&queue, &[30, 40])?);
/// let mut sums = DeviceVec::filled(&queue, 0, 2)?;
/// cl_algo::stl::transform((&x, &y), |(x, y): (Val<i32>, Val<i32>)| x + y, &mut sums)?;
/// assert_eq!(sums.to_vec()?, [31, 42]);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "map")]
pub fn transform<'t, T: Item, R: Recorded>(
    input: impl Operand<'t, T>,
    op: impl FnOnce(T::Values) -> R,
    output: impl Sink<'t, R::Item>,
) -> Result<()> {
    assign_as("transform", output, input.into_expr().map(op))
}

/// Replaces each item of a vector, or of several vectors, by the result of `op` for it.
///
/// The same as `assign_with(vectors, |items| items.map(op))`. (C++ passes a reference, through which `op` may write.
/// Here `op` returns the new item.)
///
/// # Errors
/// As [`assign_with`](crate::assign_with).
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::from_slice(&queue, &[1, 2, 3])?;
/// cl_algo::stl::for_each(&mut x, |x| x * x)?;
/// assert_eq!(x.to_vec()?, [1, 4, 9]);
/// # Ok(())
/// # }
/// ```
pub fn for_each<'a, T: Item, R: Recorded<Item = T>>(
    vectors: impl InPlace<'a, T>,
    op: impl FnOnce(T::Values) -> R,
) -> Result<()> {
    assign_with_as("for_each", vectors, |items| items.map(op))
}

/// Stores the same value at all positions: `fill(x.slice_mut(3..5), 7)`.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = DeviceVec::filled(&queue, 0, 4)?;
/// cl_algo::stl::fill(x.slice_mut(1..3), 7)?;
/// assert_eq!(x.to_vec()?, [0, 7, 7, 0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign`](crate::assign).
pub fn fill<'t, T: Element>(output: impl Sink<'t, T>, value: T) -> Result<()> {
    assign_as("fill", output, value)
}

/// Stores the items of the input in order; see [`assign`](crate::assign), which takes its arguments in the other order.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 2, 3])?;
/// let mut y = DeviceVec::filled(&queue, 0, 3)?;
/// cl_algo::stl::copy(&x, &mut y)?;
/// assert_eq!(y.to_vec()?, [1, 2, 3]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`assign`](crate::assign).
pub fn copy<'t, T: Item>(input: impl Operand<'t, T>, output: impl Sink<'t, T>) -> Result<()> {
    assign_as("copy", output, input)
}

/// Stores the results of `value` for each index.
///
/// (C++ calls a generator once after the other. Here all elements are computed at the same time.)
///
/// # Errors
/// As [`assign`](crate::assign).
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut squares = DeviceVec::filled(&queue, 0_u64, 4)?;
/// cl_algo::stl::generate(&mut squares, |i| i * i)?;
/// assert_eq!(squares.to_vec()?, [0, 1, 4, 9]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("tabulate", "fromfunction"))]
pub fn generate<'t, R: Recorded>(
    output: impl Sink<'t, R::Item>,
    value: impl FnOnce(Val<u64>) -> R,
) -> Result<()> {
    assign_as("generate", output, index::<u64>().map(value))
}

/// Reads the items at computed indices: `output[i] = source[indices[i]]`.
///
/// An index out of range, or a negative index, reads the last item of the source, and the next call that waits for the
/// queue returns [`Error::IndexOutOfRange`](cl_core::Error::IndexOutOfRange).
///
/// The same as `assign(output, source.gather(indices))`.
///
/// # Errors
/// As [`assign`](crate::assign), and [`Error::InvalidInput`](cl_core::Error::InvalidInput) for a source without items.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let (x, at) = (DeviceVec::from_slice(&queue, b"neat")?, DeviceVec::from_slice(&queue, &[3_u32, 1, 2])?);
/// let mut word = DeviceVec::filled(&queue, 0_u8, 3)?;
/// cl_algo::stl::gather(&at, &x, &mut word)?;
/// assert_eq!(word.to_vec()?, *b"tea");
/// # Ok(())
/// # }
/// ```
#[doc(alias("take", "permute"))]
pub fn gather<'t, T: Item, I: Integer>(
    indices: impl Operand<'t, I>,
    source: impl Operand<'t, T>,
    output: impl Sink<'t, T>,
) -> Result<()> {
    assign_as("gather", output, source.into_expr().gather(indices))
}

/// Stores the values to computed indices: `output[indices[i]] = values[i]`. Other elements keep their values.
///
/// If several values go to the same index, an unspecified one of them is stored. A value whose index is out of range is
/// dropped, and the next call that waits for the queue returns
/// [`Error::IndexOutOfRange`](cl_core::Error::IndexOutOfRange).
///
/// The same as `assign(output.scatter_mut(indices), values)`.
///
/// # Errors
/// As [`assign`](crate::assign).
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let (x, at) = (DeviceVec::from_slice(&queue, b"ate")?, DeviceVec::from_slice(&queue, &[1_u32, 2, 0])?);
/// let mut word = DeviceVec::from_slice(&queue, b"....")?;
/// cl_algo::stl::scatter(&x, &at, &mut word)?;
/// assert_eq!(word.to_vec()?, *b"eat.");
/// # Ok(())
/// # }
/// ```
#[doc(alias = "put")]
pub fn scatter<'t, T: Element, I: Integer>(
    values: impl Operand<'t, T>,
    indices: impl Operand<'t, I>,
    output: &'t mut DeviceVec<T>,
) -> Result<()> {
    assign_as("scatter", output.scatter_mut(indices), values)
}

/// Stores the values whose mask is true to computed indices; see [`scatter`]. The other indices are not computed.
///
/// # Errors
/// As [`assign_if`].
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let (x, at) = (DeviceVec::from_slice(&queue, &[5, -6, 7])?, DeviceVec::from_slice(&queue, &[1, 99, 0])?);
/// let mut y = DeviceVec::filled(&queue, 0, 2)?;
/// cl_algo::stl::scatter_if(&x, &at, x.iter().gt(0), &mut y)?;
/// assert_eq!(y.to_vec()?, [7, 5]);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "put")]
pub fn scatter_if<'t, T: Element, I: Integer>(
    values: impl Operand<'t, T>,
    indices: impl Operand<'t, I>,
    mask: impl Operand<'t, bool>,
    output: &'t mut DeviceVec<T>,
) -> Result<()> {
    assign_if_as("scatter_if", output.scatter_mut(indices), mask, values)
}

/// Evaluates an expression into a sink where the mask is true; see [`assign`](crate::assign).
///
/// Where the mask is false, the output keeps its value. Indices that `value` gathers at are not checked there,
/// and device functions are not called.
///
/// # Errors
/// As [`assign`](crate::assign); [`Error::InvalidInput`](cl_core::Error::InvalidInput) if neither mask nor value has a
/// length.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, -4.0, 9.0])?;
/// let mut roots = DeviceVec::filled(&queue, 0.5_f32, 3)?;
/// cl_algo::stl::assign_if(&mut roots, x.iter().ge(0.0), x.iter().sqrt())?;
/// assert_eq!(roots.to_vec()?, [1.0, 0.5, 3.0]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("where", "putmask", "transform_if", "place"))]
pub fn assign_if<'t, T: Item>(
    sink: impl Sink<'t, T>,
    mask: impl Operand<'t, bool>,
    value: impl Operand<'t, T>,
) -> Result<()> {
    assign_if_as("assign_if", sink, mask, value)
}

pub(super) fn assign_if_as<'t, T: Item>(
    operation: &'static str,
    sink: impl Sink<'t, T>,
    mask: impl Operand<'t, bool>,
    value: impl Operand<'t, T>,
) -> Result<()> {
    // Compares the lengths of mask and value.
    let graph = mask.into_expr().into_graph().zip(&value.into_expr().into_graph(), operation);
    let len = length(&graph, "mask and value")?;
    let mut roots = graph.roots.iter().copied();
    let mask = graph.only(roots.by_ref().take(1).collect());
    let value = graph.only(roots.collect());
    assign_if_into(Fused::new(operation).output("", "", sink), mask, value, len)
}

/// Evaluates an expression of `len` items where the mask is true. `output` is a kernel with one output.
pub(super) fn assign_if_into<'t>(
    output: Fused<'t>,
    mask: Graph<'t>,
    value: Graph<'t>,
    len: usize,
) -> Result<()> {
    let is_conditional =
        |node: &Node| matches!(node.op, Op::Checked(_) | Op::Fold { .. }) || node.op.function().is_some();
    let in_packs = !value.nodes.iter().any(is_conditional);
    let fused = output.with_input("", value).with_input("MASK", mask).keeping();
    let Some(queue) = output_queue(&fused, &[], len)? else { return Ok(()) };
    if len == 0 {
        return Ok(());
    }
    let ready = fused.by(&ASSIGN_IF, Values { in_packs }).compile(queue, len)?;
    let shape = ready.shape();
    // SAFETY: the kernel reads and writes elements below `len`, or at indices that it checks.
    unsafe { ready.launch(&[ready.index(len)], shape.groups(len), shape.group) }
}

/// Stores the first element, and the results of `op` for each other element and the one before it.
///
/// `output[i] = op(input[i], input[i - 1])` for i > 0.
///
/// # Errors
/// As [`assign`](crate::assign); [`Error::InvalidInput`](cl_core::Error::InvalidInput) for an input without a length.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 4, 9, 16])?;
/// let mut steps = DeviceVec::filled(&queue, 0, 4)?;
/// cl_algo::stl::adjacent_difference(&x, |this, before| this - before, &mut steps)?;
/// assert_eq!(steps.to_vec()?, [1, 3, 5, 7]);
/// # Ok(())
/// # }
/// ```
#[doc(alias("diff", "DeviceAdjacentDifference"))]
pub fn adjacent_difference<'t, T: Element>(
    input: impl Operand<'t, T>,
    op: impl FnOnce(Val<T>, Val<T>) -> Val<T>,
    output: impl Sink<'t, T>,
) -> Result<()> {
    let input = input.into_expr();
    let before = input.clone().shifted(-1, crate::Border::Clamp);
    let pairs = index::<u64>().zip(input).zip(before);
    assign_as(
        "adjacent_difference",
        output,
        pairs.map(|((i, this), before)| i.eq(0).select(this, op(this, before))),
    )
}
