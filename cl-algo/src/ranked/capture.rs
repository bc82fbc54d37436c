//! Evaluations that are captured once, and enqueued again with other vectors.

use super::assign::RankedTarget;
use super::layout::Layout;
use crate::codegen::capture::{Launches, Used, Vectors, capture};
use crate::element::Element;
use crate::vec::DeviceVec;
use cl_core::{Error, Memory, Result};
use std::fmt;
use std::marker::PhantomData;

/// The kernels of an evaluation, to be enqueued again.
///
/// The kernels get the launch values of the capture, and other vectors: inputs and an output of the same lengths. To
/// enqueue a kernel again takes a few microseconds, and no expression is built.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::ranked::{Captured, Layout, RankedTarget, assign, load};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0])?;
/// let (mut y, mut z) = (DeviceVec::filled(&queue, 0.0, 2)?, DeviceVec::filled(&queue, 0.0, 2)?);
/// let layout = Layout::row_major(&[2])?;
/// let run = |y: RankedTarget<'_, f32>| assign("tripled", y, 3.0 * load(&x, &layout));
/// // SAFETY: the closure enqueues one kernel of an expression, and nothing else.
/// let tripled = unsafe { Captured::of(&[&x], RankedTarget::from((&mut y, layout)), run) }?;
/// if let Some(tripled) = tripled {
///     tripled.enqueue(&[&y], RankedTarget::from((&mut z, layout)))?;
///     assert_eq!(z.to_vec()?, [9.0, 18.0]);
/// }
/// # Ok(())
/// # }
/// ```
pub struct Captured<T> {
    launches: Launches,
    inputs: Vec<Used>,
    output: (Used, Layout),
    of: PhantomData<T>,
}

/// The memory of an evaluation.
struct Given<'v, T: Element> {
    inputs: &'v [&'v DeviceVec<T>],
    output: &'v DeviceVec<T>,
}

impl<T: Element> Vectors for Given<'_, T> {
    fn input(&self, number: usize) -> &Memory {
        self.inputs[number].memory()
    }

    fn output(&self) -> &Memory {
        self.output.memory()
    }
}

fn used<T: Element>(vector: &DeviceVec<T>) -> Used {
    Used::of(vector.memory(), T::TYPE, vector.len())
}

impl<T: Element> Captured<T> {
    /// Calls a closure, which evaluates expressions of `inputs` into `output`, and captures its kernels while it enqueues
    /// them. Vectors that were moved into expressions are captured with the kernels.
    ///
    /// Other memory that a kernel overwrites before any reads it is temporary: the kernels get other memory when they are enqueued
    /// again. Returns `None` if the kernels cannot be enqueued again: if they are not assignments, folds or products of
    /// [`ranked`](crate::ranked), use other memory or write an input, or if an input is named twice.
    ///
    /// # Errors
    /// The error of the closure.
    ///
    /// # Safety
    /// The closure enqueues only kernels of expressions, and no copies. It does not read elements that kernels wrote. It keeps the
    /// vectors that it creates until it returns.
    pub unsafe fn of<'t>(
        inputs: &[&DeviceVec<T>],
        output: RankedTarget<'t, T>,
        run: impl FnOnce(RankedTarget<'t, T>) -> Result<()>,
    ) -> Result<Option<Captured<T>>> {
        let (vector, layout) = (output.vector(), *output.layout());
        let memory: Vec<&Memory> = inputs.iter().map(|input| input.memory()).collect();
        let (outcome, launches) = capture(vector.queue(), &memory, vector.memory(), || run(output));
        outcome?;
        let inputs = inputs.iter().map(|input| used(input)).collect();
        let output = (used(vector), layout);
        Ok(launches.map(|launches| Captured { launches, inputs, output, of: PhantomData }))
    }

    /// Enqueues the kernels again, with other inputs and another output. Does not wait.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for another number of inputs, vectors of other lengths, or an output of another layout;
    /// [`Error::ForeignObject`] for vectors of another queue; [`Error::Driver`].
    pub fn enqueue(&self, inputs: &[&DeviceVec<T>], output: RankedTarget<'_, T>) -> Result<()> {
        let (vector, layout) = (output.vector(), output.layout());
        if inputs.len() != self.inputs.len() || *layout != self.output.1 {
            let reason = format!(
                "{} inputs and an output of shape {:?}; captured were {} inputs and {:?}",
                inputs.len(),
                layout.shape(),
                self.inputs.len(),
                self.output.1.shape()
            );
            return Err(Error::invalid_input("captured launches", reason));
        }
        self.output.0.check(used(vector))?;
        self.inputs.iter().zip(inputs).try_for_each(|(own, other)| own.check(used(other)))?;
        let queue = self.launches.queue();
        if inputs.iter().chain([&vector]).any(|vector| vector.queue() != queue) {
            let reason = "the vectors belong to different queues";
            return Err(Error::foreign_object("captured launches", reason));
        }
        // SAFETY: all vectors were compared with those of the capture.
        unsafe { self.launches.enqueue(&Given { inputs, output: vector }) }
    }
}

impl<T> fmt::Debug for Captured<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Captured({} launches)", self.launches.count())
    }
}
