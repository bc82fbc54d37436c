//! Elementwise evaluation: `collect`, `assign` and `assign_with`.

use super::launch::{index, launch, sized};
use crate::codegen::{self, Template, compiled};
use crate::device_profile::DeviceProfile;
use crate::element::Element;
use crate::expr::graph::Graph;
use crate::expr::{Expr, Operand};
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Device, Error, Memory, Queue, Result};

impl<T: Element> Expr<'_, T> {
    /// Evaluates the expression into a new vector, in one kernel.
    ///
    /// # Errors
    /// Mistakes made while building the expression ([`Error::LengthMismatch`],
    /// [`Error::ForeignObject`]); [`Error::InvalidInput`] for an expression of scalars only, which
    /// has no length; [`Error::Unsupported`] for a type that the device lacks;
    /// [`Error::TooLarge`], [`Error::Driver`].
    pub fn collect(self) -> Result<DeviceVec<T>> {
        let graph = self.graph();
        graph.check()?;
        let (Some(len), Some(vector)) = (graph.len, graph.vectors.first()) else {
            let reason = "it has scalars only, and so no length: use DeviceVec::filled".to_owned();
            return Err(Error::InvalidInput { what: "expression to collect", reason });
        };
        // SAFETY: the kernel enqueued next on the same queue writes every element. If it cannot be
        // enqueued, the vector is dropped here.
        let target = unsafe { DeviceVec::uninit(vector.queue, len) }?;
        evaluate(graph, target.memory(), target.queue(), len, false)?;
        Ok(target)
    }

    /// The OpenCL C source of the kernel that evaluates the expression on `device`, with 32-bit
    /// indices. Its arguments are the scalars, the vectors, the target, and the first index and
    /// the number of elements as `uint`.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    pub fn kernel_source(&self, device: &Device) -> Result<String> {
        self.graph().check()?;
        let shape = DeviceProfile::of(device)?.elementwise(T::TYPE);
        Ok(codegen::source(self.graph(), Template::Assign { in_place: false }, shape, false))
    }
}

impl<T: Element> DeviceVec<T> {
    /// Evaluates an expression into this vector, in one kernel.
    ///
    /// # Errors
    /// As [`Expr::collect`], and [`Error::LengthMismatch`] when the expression has another length.
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
    pub fn assign<'a>(&mut self, value: impl Operand<'a, T>) -> Result<()> {
        let expr = value.into_expr();
        self.store(expr.graph(), false)
    }

    /// Evaluates an expression of this vector's own elements in place: `y = a x + y` is
    /// `y.assign_with(|y| a * &x + y)`.
    ///
    /// # Errors
    /// As [`DeviceVec::assign`].
    pub fn assign_with<'a>(&'a mut self, value: impl FnOnce(Expr<'a, T>) -> Expr<'a, T>) -> Result<()> {
        // From here on this is a shared borrow for as long as any expression of it can live; the
        // kernel reads element i before it writes element i.
        let this: &'a DeviceVec<T> = self;
        let expr = value(this.into_expr());
        this.store(expr.graph(), true)
    }

    fn store(&self, graph: &Graph<'_>, in_place: bool) -> Result<()> {
        graph.check()?;
        if let Some(len) = graph.len.filter(|&len| len != self.len()) {
            return Err(Error::LengthMismatch { operation: "assign", left: self.len(), right: len });
        }
        if graph.vectors.iter().any(|vector| vector.queue != self.queue()) {
            let reason = "the target and the expression belong to different queues";
            return Err(Error::ForeignObject { operation: "assign", reason });
        }
        evaluate(graph, self.memory(), self.queue(), self.len(), in_place)
    }
}

/// Enqueues `target[i] = value(i)` for all `len` elements.
fn evaluate(graph: &Graph<'_>, target: &Memory, queue: &Queue, len: usize, in_place: bool) -> Result<()> {
    if len == 0 {
        return Ok(());
    }
    let compiled = compiled(queue.context(), graph, Template::Assign { in_place }, len)?;
    let launch = launch(&compiled, graph)
        .arg(Arg::Memory(target, Access::Write))
        .arg(index(&compiled, 0))
        .arg(index(&compiled, len));
    // SAFETY: the kernel reads and writes elements below `len` of vectors that all have `len`
    // elements, in the types that they were declared with.
    unsafe { sized(launch, &compiled, compiled.shape.groups(len)).enqueue(queue) }
}
