//! The steps of solvers: kernels that keep their results on the device, where the next step reads them.

use super::Real;
use cl_algo::codegen::{Fused, Parameters, Ready, Template, profile};
use cl_algo::{DeviceFence, DeviceProfile, DeviceVec, Element, Expr, Shape};
use cl_core::{Access, Arg, Buffer, Memory, Queue, Result, Scratch};
use std::marker::PhantomData;

/// The parameters of a step.
#[derive(Clone, Copy, Parameters)]
pub(super) struct StepParameters {
    fence: Option<DeviceFence>,
    /// `true` for the kernel that adds up the partial sums of several work-groups.
    r#final: bool,
    /// `true` if sums are `f64`.
    double: bool,
    /// The number of the step in the template.
    step: u8,
    /// The number of sums of the step.
    sums: usize,
    /// `true` if the step computes the operator's product itself.
    whole: bool,
    /// `true` if the preconditioner is a factor for each element.
    pointwise: bool,
}

/// The number of work-groups for each compute unit, in steps with sums on GPUs. Few, because each group waits until its
/// writes are visible before it counts itself as done. An update of two vectors of 2^21 `f64` with a sum, on an H200:
/// 18.1 us with 2, 17.8 us with 4, 19.7 us with 8, 20.7 us with 16.
const GROUPS: usize = 4;
/// The number of work-groups for each compute unit, in steps that compute the operator's product. The time
/// for an element is longer than in other steps, and differs from element to element. A product of 2^21 rows
/// of 7 entries: 75.5 us with 4, 64.8 us with 8, 65.9 us with 16; with 64, which is one tile for each group,
/// 19 us more.
const GROUPS_OF_PRODUCTS: usize = 8;

/// Returns the shape of a step. CPUs divide steps with sums like reductions. On GPUs these steps read and write several
/// vectors, so two packs of each already fill the registers.
pub(super) fn shape(profile: &DeviceProfile, size: usize, values: &StepParameters) -> Shape {
    let elementwise = profile.elementwise(size);
    match (values.sums > 0, profile.chunked) {
        (false, _) => elementwise,
        (true, true) => profile.reduction(size),
        (true, false) => {
            let (packs, groups) = if values.whole { (1, GROUPS_OF_PRODUCTS) } else { (2, GROUPS) };
            Shape { packs, max_groups: groups * profile.compute_units, ..elementwise }
        }
    }
}

/// The number of words of the state before the residuals: `HISTORY` of `kernels/begin.cl`.
pub(super) const WORDS: usize = 24;

/// The indices of words in the state, as in `kernels/begin.cl`.
pub(super) mod word {
    pub(in super::super) const REASON: usize = 1;
    pub(in super::super) const DONE: usize = 2;
    pub(in super::super) const RESIDUAL: usize = 4;
    pub(in super::super) const THRESHOLD: usize = 5;
}

/// The reasons why a solver has stopped, as in `kernels/begin.cl`.
pub(super) mod reason {
    pub(in super::super) const RUNNING: u64 = 0;
    pub(in super::super) const CONVERGED: u64 = 1;
    pub(in super::super) const NOT_FINITE: u64 = 2;
    pub(in super::super) const INDEFINITE: u64 = 3;
    pub(in super::super) const INDEFINITE_PRECONDITIONER: u64 = 4;
    /// The reason for the `Breakdown` with number 0. The number of the `Breakdown` is added to this one.
    pub(in super::super) const BREAKDOWN: u64 = 8;
}

/// The function that the user called, for errors.
const CALLED: &str = "solve";

/// One step of a solver.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) template: &'static Template<StepParameters>,
    /// The number of the step in the template.
    pub(super) number: u8,
    pub(super) sums: usize,
    /// A factor for the number of work-groups: the number of inner products in `kernels/gmres_project.cl`,
    /// and 1 in other steps.
    pub(super) groups_factor: usize,
    /// `true` if the step computes the operator's product itself.
    pub(super) computes_product: bool,
    /// `true` if the preconditioner is a factor for each element.
    pub(super) pointwise: bool,
}

/// The common data of a solver's steps: a queue, a length, and memory for the state, which is the numbers
/// that a step stores for later steps.
#[derive(Debug)]
#[doc(hidden)]
pub struct Frame<T> {
    pub(super) queue: Queue,
    pub(super) len: usize,
    /// The number of residuals that are kept on the device, so that the host need not read each one.
    pub(super) history_len: usize,
    pub(super) chunked: bool,
    fence: Option<DeviceFence>,
    /// `true` if sums are `f64`.
    double: bool,
    state: Buffer<u64>,
    arrived: Buffer<u32>,
    tolerance: [f64; 2],
    element: PhantomData<T>,
}

/// The state as the host has read it.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) reason: u64,
    pub(super) done: usize,
    /// The norm of the residual.
    pub(super) residual: f64,
    /// The threshold for the norm of the residual.
    pub(super) threshold: f64,
    squares: Vec<f64>,
}

impl Snapshot {
    /// Returns the norm of the residual after `iterations` iterations. The device keeps only the last `history_len`
    /// norms, so the iteration must be among these.
    pub(super) fn residual_after(&self, iterations: usize) -> f64 {
        self.squares[iterations % self.squares.len()].sqrt()
    }
}

impl<T: Real> Frame<T> {
    pub(super) fn new(queue: &Queue, len: usize, history_len: usize) -> Result<Frame<T>> {
        let profile = profile(queue.context())?;
        profile.require(T::TYPE)?;
        Ok(Frame {
            queue: queue.clone(),
            len,
            history_len,
            chunked: profile.chunked,
            fence: profile.fence,
            double: profile.fp64,
            state: Buffer::filled(queue, 0, WORDS + history_len)?,
            arrived: Buffer::filled(queue, 0, 1)?,
            tolerance: [0.0; 2],
            element: PhantomData,
        })
    }

    /// Returns whether the frame can be used again for this system.
    pub(super) fn fits(&self, queue: &Queue, len: usize, history_len: usize) -> bool {
        self.queue == *queue && self.len == len && self.history_len >= history_len
    }

    /// Sets the relative and the absolute tolerance.
    pub(super) fn set_tolerance(&mut self, relative: f64, absolute: f64) {
        self.tolerance = [relative, absolute];
    }

    /// Allocates a vector for the solver's own use.
    pub(super) fn vector(&self) -> Result<DeviceVec<T>> {
        DeviceVec::filled(&self.queue, T::zeroed(), self.len)
    }

    /// Enqueues a step. `fill` adds the inputs. `vectors` are the arguments for the parameters that the
    /// kernel's text calls `VECTORS`.
    pub(super) fn run<'f>(
        &'f self,
        step: Step,
        iteration: usize,
        vectors: &[Arg<'_>],
        fill: impl FnOnce(Fused<'f>) -> Fused<'f>,
    ) -> Result<()> {
        self.prepare(step, &fill(Fused::new(CALLED)))?.launch(iteration, vectors)
    }

    /// Compiles a step for launches that differ in the number of the iteration.
    pub(super) fn prepare<'f, 'a>(
        &'f self,
        step: Step,
        fused: &'f Fused<'a>,
    ) -> Result<PreparedStep<'f, 'a, T>> {
        let Step { template, number, sums, computes_product, pointwise, .. } = step;
        let values =
            StepParameters { step: number, sums, whole: computes_product, pointwise, ..self.parameters() };
        let ready = fused.by(template, values).compile(&self.queue, self.len)?;
        let shape = ready.shape();
        let groups = match step.sums {
            0 => shape.groups(self.len),
            // At least one tile for each group.
            _ => (self.len / shape.tile()).clamp(1, (shape.max_groups / step.groups_factor).max(1)),
        };
        let partials =
            self.queue.scratch(groups * step.groups_factor * step.sums.max(1) * size_of::<u64>())?;
        let last = if sums > 0 && self.fence.is_none() {
            let last = fused.by(template, StepParameters { r#final: true, ..values });
            Some(last.compile(&self.queue, self.len)?)
        } else {
            None
        };
        Ok(PreparedStep { frame: self, ready, last, groups, groups_factor: step.groups_factor, partials })
    }

    /// Enqueues a kernel of one work-item. The kernel's arguments are `own`, followed by the state.
    pub(super) fn run_once<'f>(
        &'f self,
        template: &'static Template<StepParameters>,
        own: &[Arg<'_>],
        fill: impl FnOnce(Fused<'f>) -> Fused<'f>,
    ) -> Result<()> {
        let fused = fill(Fused::new(CALLED));
        let mut own = own.to_vec();
        own.push(written(self.state.memory()));
        // SAFETY: the kernel accesses words of the state, and numbers within their buffer.
        unsafe { fused.by(template, self.parameters()).compile(&self.queue, self.len)?.launch(&own, 1, 1) }
    }

    /// Returns the parameters of a kernel that is not a step.
    fn parameters(&self) -> StepParameters {
        let (fence, double) = (self.fence, self.double);
        StepParameters { fence, r#final: false, double, step: 0, sums: 0, whole: false, pointwise: false }
    }

    /// Returns a number in the type of the kernels' sums.
    fn real(&self, value: f64) -> Arg<'static> {
        if self.double { Arg::value(value) } else { Arg::value(value as f32) }
    }

    /// Enqueues a read of the state.
    pub(super) fn read_state(&self) -> Result<cl_core::PendingRead<u64>> {
        self.state.read_owned(&self.queue, ..)
    }

    /// Decodes the words that were read.
    pub(super) fn decode_state(&self, words: &[u64]) -> Snapshot {
        let real = |word: u64| {
            let [a, b, c, d, ..] = word.to_ne_bytes();
            if self.double { f64::from_bits(word) } else { f32::from_ne_bytes([a, b, c, d]).into() }
        };
        Snapshot {
            reason: words[word::REASON],
            done: words[word::DONE] as usize,
            residual: real(words[word::RESIDUAL]).sqrt(),
            threshold: real(words[word::THRESHOLD]).sqrt(),
            squares: words[WORDS..].iter().map(|&word| real(word)).collect(),
        }
    }
}

/// A step that is compiled.
pub(super) struct PreparedStep<'f, 'a, T> {
    frame: &'f Frame<T>,
    ready: Ready<'f, 'a>,
    /// Without a fence, the kernel that adds up the partial sums.
    last: Option<Ready<'f, 'a>>,
    groups: usize,
    groups_factor: usize,
    /// Memory for the partial sums.
    partials: Scratch<'f>,
}

impl<T: Real> PreparedStep<'_, '_, T> {
    /// Enqueues the step. `vectors` are the arguments for the parameters that the kernel's text calls `VECTORS`.
    pub(super) fn launch(&self, iteration: usize, vectors: &[Arg<'_>]) -> Result<()> {
        let PreparedStep { frame, ready, last, groups, groups_factor, partials } = self;
        let mut own = vectors.to_vec();
        own.extend([frame.state.memory(), &**partials, frame.arrived.memory()].map(written));
        own.extend([ready.index(frame.len), Arg::value(*groups as u32), Arg::value(iteration as u64)]);
        own.extend(frame.tolerance.map(|tolerance| frame.real(tolerance)));
        own.push(Arg::value(frame.history_len as u32));
        // SAFETY: the kernel accesses vectors only below their length, one partial result of each work-group for each
        // sum, and words of the state.
        unsafe { ready.launch(&own, groups * groups_factor, ready.shape().group)? };
        if let Some(last) = last {
            // SAFETY: the kernel reads the partial results, which the launch before has all written.
            unsafe { last.launch(&own, 1, last.shape().group)? };
        }
        Ok(())
    }
}

/// Returns the deferred error of an expression, if it has one.
pub(super) fn check<T: Element>(expr: &Expr<'_, T>) -> Result<()> {
    Fused::new(CALLED).input("", expr).check()
}

/// Returns the argument for a vector that a step may write to.
pub(super) fn vector<T: Element>(vector: &DeviceVec<T>) -> Arg<'_> {
    written(vector.buffer().memory())
}

/// Returns the argument for a vector that a step reads.
pub(super) fn source<T: Element>(vector: &DeviceVec<T>) -> Arg<'_> {
    Arg::Memory(vector.buffer().memory(), Access::Read)
}

fn written(memory: &Memory) -> Arg<'_> {
    Arg::Memory(memory, Access::Write)
}

/// Returns a step's only input.
pub(super) fn input<'a, T: Element>(input: Expr<'a, T>) -> Fused<'a> {
    Fused::new(CALLED).input("", input)
}

/// Adds a scalar as the only input of a step that reads no inputs. The template takes the type of items from
/// the scalar.
pub(super) fn no_inputs<'f, T: Real>(fused: Fused<'f>) -> Fused<'f> {
    fused.input("", T::rounded(0.0))
}
