//! Transforms of real numbers, whose spectra are symmetric.

use crate::fft::{to_complex, to_reals};
use crate::normalization::Normalization;
use crate::plan::{Problem, Recipe};
use crate::planner::Planner;
use crate::real::Real;
use crate::run::{Plan, Source, Target};
use crate::template::End;
use cl_algo::codegen::Fused;
use cl_algo::num_complex::Complex;
use cl_algo::{DeviceVec, Element, Expr, Item, Operand, Sink};
use cl_core::{Error, Queue, Result};
use std::sync::Arc;

/// The plan of the inverse, or the reason why the inverse is refused.
pub(crate) type Back<T> = std::result::Result<Arc<Plan<T>>, Arc<str>>;

/// The recipe of an inverse that is refused.
static NO_RECIPE: Recipe = Recipe { passes: Vec::new(), scratch: Vec::new(), turns: Vec::new() };

/// A planned transform of real numbers to the first half of their spectrum, and back. The half has `n / 2 + 1` complex
/// numbers along the last transformed axis. The other half is its mirror image: `X[n - k]` is the conjugate of `X[k]`.
/// The numbers of a spectrum are [`Complex`]. The lengths of axes and of a [`Problem`] always count real numbers.
///
/// ```
/// use cl_algo::{num_complex::Complex, prelude::*};
/// use cl_fft::RealFft;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0, 4.0])?;
/// let fft = RealFft::new_on(&queue, [4])?;
/// let half = fft.forward(&x)?;
/// assert_eq!(half.to_vec()?, [Complex::new(10.0, 0.0), Complex::new(-2.0, 2.0), Complex::new(-2.0, 0.0)]);
/// assert_eq!(fft.inverse(&half)?.to_vec()?, [1.0, 2.0, 3.0, 4.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a plan does nothing until it is run"]
pub struct RealFft<T: Real> {
    queue: Queue,
    forward: Arc<Plan<T>>,
    back: Back<T>,
    normalization: Normalization,
}

impl<T: Real> Clone for RealFft<T> {
    fn clone(&self) -> RealFft<T> {
        let (forward, back) = (Arc::clone(&self.forward), self.back.clone());
        RealFft { queue: self.queue.clone(), forward, back, normalization: self.normalization }
    }
}

impl<T: Real> RealFft<T>
where
    Complex<T>: Element,
{
    /// Plans a transform along all axes of the given lengths, or the transform that a [`Problem`] describes. Short for
    /// [`Planner::real`]. The lengths count real numbers. The problem's input is the real numbers, its output the
    /// spectrum.
    ///
    /// # Errors
    /// As [`Planner::c2c`].
    pub fn new_on(queue: &Queue, problem: impl Into<Problem>) -> Result<RealFft<T>> {
        Planner::new(queue).real(problem)
    }

    pub(crate) fn new(queue: &Queue, forward: Arc<Plan<T>>, back: Back<T>) -> RealFft<T> {
        RealFft { queue: queue.clone(), forward, back, normalization: Normalization::default() }
    }

    /// Returns the plan with another normalisation. By default the inverse divides by the number of points.
    pub fn normalized(self, normalization: Normalization) -> RealFft<T> {
        RealFft { normalization, ..self }
    }

    /// Returns the recipes of the forward transform and of the inverse. The recipe of a refused inverse has no passes.
    #[must_use]
    pub fn recipes(&self) -> [&Recipe; 2] {
        [&self.forward.recipe, self.back.as_ref().map_or(&NO_RECIPE, |back| &back.recipe)]
    }

    fn back(&self) -> Result<&Plan<T>> {
        match &self.back {
            Ok(back) => Ok(back),
            Err(why) => Err(Error::invalid_input("strides of the inverse", why.to_string())),
        }
    }

    /// Computes half of the spectrum into a new vector.
    ///
    /// # Errors
    /// As [`Fft::forward`](crate::Fft::forward).
    pub fn forward<'a>(&self, input: impl Operand<'a, T>) -> Result<DeviceVec<Complex<T>>> {
        let (len, input) = (self.forward.problem.output.full()?, input.into_expr());
        self.forward.accept(&self.queue, &input)?;
        // SAFETY: the kernels enqueued next on the same queue write every element. If one of them cannot be
        // enqueued, the vector is dropped here.
        let mut output = unsafe { <Complex<T> as Item>::uninit(&self.queue, len) }?;
        self.forward_expr(&mut output, input)?;
        Ok(output)
    }

    /// Computes the real numbers from half of a spectrum into a new vector. In the spectrum of real numbers,
    /// some imaginary parts are zero, such as that of the first number. A transform along one axis takes them
    /// as zero, whatever the input contains.
    ///
    /// # Errors
    /// As [`Fft::forward`](crate::Fft::forward), and [`Error::InvalidInput`](cl_core::Error::InvalidInput) if several
    /// real numbers lie at the same index, as in overlapping frames.
    pub fn inverse<'a>(&self, input: impl Operand<'a, Complex<T>>) -> Result<DeviceVec<T>> {
        let back = self.back()?;
        let (len, input) = (back.problem.output.full()?, input.into_expr());
        back.accept(&self.queue, &input)?;
        // SAFETY: as in `forward`.
        let mut output = unsafe { <T as Item>::uninit(&self.queue, len) }?;
        self.inverse_expr(&mut output, input)?;
        Ok(output)
    }

    /// Computes half of the spectrum into a sink.
    ///
    /// # Errors
    /// As [`Fft::forward_into`](crate::Fft::forward_into).
    pub fn forward_into<'a>(
        &self,
        sink: impl Sink<'a, Complex<T>>,
        input: impl Operand<'a, T>,
    ) -> Result<()> {
        self.forward_expr(sink, input.into_expr())
    }

    /// Computes the real numbers from half of a spectrum into a sink.
    ///
    /// # Errors
    /// As [`Fft::forward_into`](crate::Fft::forward_into), and as [`RealFft::inverse`].
    pub fn inverse_into<'a>(
        &self,
        sink: impl Sink<'a, T>,
        input: impl Operand<'a, Complex<T>>,
    ) -> Result<()> {
        self.inverse_expr(sink, input.into_expr())
    }

    /// Replaces the real numbers by half of their spectrum, in place, as FFTW and cuFFT do. Rows must have room for
    /// both: see [`Problem::padded_rows`]. The padding between rows is overwritten. [`DeviceVec::reinterpret`] reads
    /// the spectrum as complex numbers.
    ///
    /// ```
    /// use cl_algo::{num_complex::Complex, prelude::*};
    /// use cl_fft::{Problem, RealFft};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let fft = RealFft::new_on(&queue, Problem::new([4]).batch(2).padded_rows())?;
    /// let rows = [1.0_f32, 2.0, 3.0, 4.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0];
    /// let mut x = DeviceVec::from_slice(&queue, &rows)?;
    /// fft.forward_in_place(&mut x)?;
    /// let half = x.reinterpret::<Complex<f32>>().collect()?.to_vec()?;
    /// assert_eq!(half[..3], [(10.0, 0.0), (-2.0, 2.0), (-2.0, 0.0)].map(|(re, im)| Complex::new(re, im)));
    /// fft.inverse_in_place(&mut x)?;
    /// assert_eq!(x.to_vec()?[6..10], [1.0; 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`RealFft::forward_into`]; [`Error::InvalidInput`](cl_core::Error::InvalidInput) unless each row of complex
    /// numbers begins at the same address as its row of real numbers, and the length of the vector is even.
    pub fn forward_in_place(&self, points: &mut DeviceVec<T>) -> Result<()> {
        self.in_place(points, false)
    }

    /// Replaces half of a spectrum by its real numbers, in place. Afterwards the padding between the rows of real
    /// numbers is undefined.
    ///
    /// # Errors
    /// As [`RealFft::forward_in_place`].
    pub fn inverse_in_place(&self, points: &mut DeviceVec<T>) -> Result<()> {
        self.in_place(points, true)
    }

    fn in_place(&self, points: &mut DeviceVec<T>, inverse: bool) -> Result<()> {
        type NoOutput = fn(Fused<'_>) -> Fused<'_>;
        self.forward.problem.same_rows()?;
        let len = points.len();
        if !len.is_multiple_of(2) {
            let reason = format!("{len} real numbers are not a whole number of complex numbers");
            return Err(Error::invalid_input("length in place", reason));
        }
        if points.queue() != &self.queue {
            let reason = "the vector belongs to another queue than the plan";
            return Err(Error::foreign_object("fft", reason));
        }
        let (memory, complex) = (points.buffer().memory(), len / 2);
        let plan = if inverse { self.back()? } else { &self.forward };
        let scale = self.normalization.scale(inverse, plan.problem.points());
        let (source, target) = if inverse {
            (Source::Memory(memory, complex), Target::Memory::<NoOutput>(End::Numbers, memory, len))
        } else {
            (Source::Reals(points.iter()), Target::Memory::<NoOutput>(End::Memory, memory, complex))
        };
        plan.run(&self.queue, source, target, inverse, scale)
    }

    fn forward_expr<'a>(&self, sink: impl Sink<'a, Complex<T>>, input: Expr<'a, T>) -> Result<()> {
        let scale = self.normalization.scale(false, self.forward.problem.points());
        let target = Target::Output(End::Complex, |fused| to_complex(fused, sink));
        self.forward.run(&self.queue, Source::Reals(input), target, false, scale)
    }

    fn inverse_expr<'a>(&self, sink: impl Sink<'a, T>, input: Expr<'a, Complex<T>>) -> Result<()> {
        let back = self.back()?;
        let scale = self.normalization.scale(true, back.problem.points());
        let target = Target::Output(End::Reals, |fused| to_reals(fused, sink));
        back.run(&self.queue, Source::Complex(input), target, true, scale)
    }
}
