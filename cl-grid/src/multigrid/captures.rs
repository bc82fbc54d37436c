//! Evaluations that are captured in the first cycle, and enqueued again in the next ones.

use super::smoother::Step;
use crate::grid::GridFloat;
use cl_algo::DeviceVec;
use cl_algo::ranked::Captured;
use cl_array::{Array, ArrayViewMut};
use cl_core::Result;

/// An evaluation into an array of a level, which uses the same kernels in each cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Evaluation {
    /// Steps of a smoother, from zero or from the solution.
    Steps {
        from_zero: bool,
        steps: [Option<Step>; 2],
    },
    Residual,
    Restriction,
    Correction,
    /// The solution on the coarsest level.
    Product,
}

/// The kernels of a level's evaluations. Building the formulas of a cycle takes the host longer than a device needs for a
/// small level.
#[derive(Debug)]
pub(super) struct Captures<T: GridFloat>(Vec<(Evaluation, Captured<T>)>);

impl<T: GridFloat> Captures<T> {
    pub(super) fn new() -> Captures<T> {
        Captures(Vec::new())
    }

    /// Enqueues the kernels of an evaluation of functions of `inputs` into a view. The first time, `run` enqueues them: it
    /// evaluates formulas or products, and nothing else.
    pub(super) fn evaluate<'t, const N: usize>(
        &mut self,
        evaluation: Evaluation,
        inputs: &[&Array<T, N>],
        target: ArrayViewMut<'t, T, N>,
        run: impl FnOnce(ArrayViewMut<'t, T, N>) -> Result<()>,
    ) -> Result<()> {
        let inputs: Vec<_> = inputs.iter().map(|input| input.as_vec()).collect();
        self.evaluate_vectors(evaluation, &inputs, target, run)
    }

    /// Does the same as [`evaluate`](Captures::evaluate) for inputs that are arrays of any shapes.
    pub(super) fn evaluate_vectors<'t, const N: usize>(
        &mut self,
        evaluation: Evaluation,
        inputs: &[&DeviceVec<T>],
        target: ArrayViewMut<'t, T, N>,
        run: impl FnOnce(ArrayViewMut<'t, T, N>) -> Result<()>,
    ) -> Result<()> {
        if let Some((_, captured)) = self.0.iter().find(|(known, _)| *known == evaluation) {
            return captured.enqueue(inputs, target.into_target()?);
        }
        // SAFETY: formulas and products are kernels of expressions. They read no elements on the host, and their temporary
        // memory belongs to the queue.
        if let Some(captured) = unsafe { target.captured(inputs, run) }? {
            self.0.push((evaluation, captured));
        }
        Ok(())
    }
}
