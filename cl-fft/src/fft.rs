//! Transforms of complex numbers.

use crate::normalization::Normalization;
use crate::plan::{Problem, Recipe};
use crate::planner::Planner;
use crate::real::Real;
use crate::run::{Plan, Source, Target};
use crate::template::End;
use cl_algo::codegen::Fused;
use cl_algo::num_complex::Complex;
use cl_algo::{DeviceVec, Element, Item, Operand, Sink};
use cl_core::{Queue, Result};
use std::sync::Arc;

/// A planned transform of complex numbers to complex numbers along each axis. The forward transform is
/// `X[k] = Σ x[j] e^(-2πi j k / n)`; the inverse has the other sign.
///
/// A plan can be run any number of times, from any thread. An input is any expression, which is computed
/// inside the first kernel. An output is any sink, which the last kernel writes to. Neither needs an extra
/// pass over memory.
///
/// ```
/// use cl_algo::{num_complex::Complex, prelude::*};
/// use cl_fft::Fft;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0, 4.0])?;
/// let fft = Fft::c2c(&queue, [4])?;
/// let spectrum = fft.forward(complex(&x, 0.0))?;
/// assert_eq!(spectrum.to_vec()?[0], Complex::new(10.0, 0.0));
/// let back = fft.inverse(&spectrum * 2.0)?; // the product is computed inside the transform
/// assert!((back.to_vec()?[1] - Complex::new(4.0, 0.0)).norm() < 1e-5);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a plan does nothing until it is run"]
pub struct Fft<T: Real> {
    queue: Queue,
    plan: Arc<Plan<T>>,
    normalization: Normalization,
}

impl<T: Real> Clone for Fft<T> {
    fn clone(&self) -> Fft<T> {
        Fft { queue: self.queue.clone(), plan: Arc::clone(&self.plan), normalization: self.normalization }
    }
}

impl<T: Real> Fft<T>
where
    Complex<T>: Element,
{
    /// Plans a transform along all axes of the given lengths, or the transform that a [`Problem`] describes. Short for
    /// [`Planner::c2c`].
    ///
    /// # Errors
    /// As [`Planner::c2c`].
    pub fn c2c(queue: &Queue, problem: impl Into<Problem>) -> Result<Fft<T>> {
        Planner::new(queue).c2c(problem)
    }

    pub(crate) fn new(queue: &Queue, plan: Arc<Plan<T>>) -> Fft<T> {
        Fft { queue: queue.clone(), plan, normalization: Normalization::default() }
    }

    /// Returns the plan with another normalisation. By default the inverse divides by the number of points.
    pub fn normalized(self, normalization: Normalization) -> Fft<T> {
        Fft { normalization, ..self }
    }

    /// Returns the recipe of the transform.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.plan.recipe
    }

    /// Computes the forward transform into a new vector.
    ///
    /// # Errors
    /// Deferred errors of the expression; [`Error::InvalidInput`](cl_core::Error::InvalidInput) if the length of the
    /// input differs from that of the problem, or if the output's strides leave gaps, which a new vector cannot have;
    /// [`Error::ForeignObject`](cl_core::Error::ForeignObject) for vectors of another queue;
    /// [`Error::Build`](cl_core::Error::Build), [`Error::Driver`](cl_core::Error::Driver).
    pub fn forward<'a>(&self, input: impl Operand<'a, Complex<T>>) -> Result<DeviceVec<Complex<T>>> {
        self.collect(input, false)
    }

    /// Computes the inverse transform into a new vector.
    ///
    /// # Errors
    /// As [`Fft::forward`].
    pub fn inverse<'a>(&self, input: impl Operand<'a, Complex<T>>) -> Result<DeviceVec<Complex<T>>> {
        self.collect(input, true)
    }

    /// Computes the forward transform into a sink.
    ///
    /// # Errors
    /// As [`Fft::forward`]; [`Error::InvalidInput`](cl_core::Error::InvalidInput) if the length of the sink differs
    /// from that of the output.
    pub fn forward_into<'a>(
        &self,
        sink: impl Sink<'a, Complex<T>>,
        input: impl Operand<'a, Complex<T>>,
    ) -> Result<()> {
        self.run(sink, input, false)
    }

    /// Computes the inverse transform into a sink.
    ///
    /// # Errors
    /// As [`Fft::forward_into`].
    pub fn inverse_into<'a>(
        &self,
        sink: impl Sink<'a, Complex<T>>,
        input: impl Operand<'a, Complex<T>>,
    ) -> Result<()> {
        self.run(sink, input, true)
    }

    /// Computes the forward transform of a vector in place.
    ///
    /// # Errors
    /// As [`Fft::forward`]; [`Error::InvalidInput`](cl_core::Error::InvalidInput) unless input and output have the same
    /// strides.
    pub fn forward_in_place(&self, points: &mut DeviceVec<Complex<T>>) -> Result<()> {
        self.in_place(points, false)
    }

    /// Computes the inverse transform of a vector in place.
    ///
    /// # Errors
    /// As [`Fft::forward_in_place`].
    pub fn inverse_in_place(&self, points: &mut DeviceVec<Complex<T>>) -> Result<()> {
        self.in_place(points, true)
    }

    fn scale(&self, inverse: bool) -> f64 {
        self.normalization.scale(inverse, self.plan.problem.points())
    }

    fn run<'a>(
        &self,
        sink: impl Sink<'a, Complex<T>>,
        input: impl Operand<'a, Complex<T>>,
        inverse: bool,
    ) -> Result<()> {
        let target = Target::Output(End::Complex, |fused| to_complex(fused, sink));
        self.plan.run(&self.queue, Source::Complex(input.into_expr()), target, inverse, self.scale(inverse))
    }

    fn collect<'a>(
        &self,
        input: impl Operand<'a, Complex<T>>,
        inverse: bool,
    ) -> Result<DeviceVec<Complex<T>>> {
        let (len, expr) = (self.plan.problem.output.full()?, input.into_expr());
        self.plan.accept(&self.queue, &expr)?;
        // SAFETY: the kernels enqueued next on the same queue write every element. If one of them cannot be
        // enqueued, the vector is dropped here.
        let mut output = unsafe { <Complex<T> as Item>::uninit(&self.queue, len) }?;
        self.run(&mut output, expr, inverse)?;
        Ok(output)
    }

    fn in_place(&self, points: &mut DeviceVec<Complex<T>>, inverse: bool) -> Result<()> {
        self.plan.problem.same_places()?;
        if points.queue() != &self.queue {
            let reason = "the vector belongs to another queue than the plan";
            return Err(cl_core::Error::foreign_object("fft", reason));
        }
        let (memory, len) = (points.buffer().memory(), points.len());
        let target = Target::Memory::<fn(Fused<'_>) -> Fused<'_>>(End::Memory, memory, len);
        self.plan.run(&self.queue, Source::Memory(memory, len), target, inverse, self.scale(inverse))
    }
}

/// Adds an output of complex numbers to a kernel. The kernel does not load the input `RESULT`, which only
/// defines the output's type.
pub(crate) fn to_complex<'a, T: Real>(fused: Fused<'a>, sink: impl Sink<'a, Complex<T>>) -> Fused<'a>
where
    Complex<T>: Element,
{
    fused
        .input::<Complex<T>>("RESULT", <Complex<T> as Element>::zeroed())
        .output::<Complex<T>>("", "RESULT", sink)
}

/// Adds an output of real numbers to a kernel. The kernel does not load the input `RESULT`, which only
/// defines the output's type.
pub(crate) fn to_reals<'a, T: Real>(fused: Fused<'a>, sink: impl Sink<'a, T>) -> Fused<'a> {
    fused.input::<T>("RESULT", <T as Element>::zeroed()).output::<T>("", "RESULT", sink)
}
