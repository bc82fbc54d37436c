//! The common part of all solvers: settings, checks, and the loop. The loop enqueues iterations, and waits
//! for the device only when it reads the state.

use super::operator::{Square, fits};
use super::report::{Breakdown, Progress, Report, SolveError, Tolerance};
use super::step::{Frame, Snapshot, reason};
use super::{LinearOperator, Preconditioner, Real};
use cl_algo::{DeviceVec, Expr, Operand};
use cl_core::{Error, PendingRead, Queue, Result};
use std::fmt;
use std::ops::{ControlFlow, Range};

/// An iterative method for the loop of a [`Solver`]. A method enqueues commands, and never waits for them.
pub trait Method<T: Real>: fmt::Debug {
    /// The vectors that the method needs.
    #[doc(hidden)]
    type Vectors;

    /// Returns an error unless the settings are valid.
    #[doc(hidden)]
    fn check(&self) -> Result<()> {
        Ok(())
    }

    #[doc(hidden)]
    fn vectors(&self, frame: &Frame<T>, preconditioner: &dyn Preconditioner<T>) -> Result<Self::Vectors>;

    /// Returns whether existing vectors can be used with another preconditioner.
    #[doc(hidden)]
    fn can_reuse(&self, vectors: &Self::Vectors, preconditioner: &dyn Preconditioner<T>) -> bool;

    /// Computes the first residual, and everything else before the first iteration.
    #[doc(hidden)]
    fn start(&self, system: &mut System<'_, T, Self::Vectors>) -> Result<()>;

    /// Enqueues the commands of one iteration. `iteration` counts from 1.
    #[doc(hidden)]
    fn iterate(&self, system: &mut System<'_, T, Self::Vectors>, iteration: usize) -> Result<()>;

    /// Enqueues the commands of several iterations.
    #[doc(hidden)]
    fn burst(&self, system: &mut System<'_, T, Self::Vectors>, mut iterations: Range<usize>) -> Result<()> {
        iterations.try_for_each(|iteration| self.iterate(system, iteration))
    }

    /// Enqueues the commands that complete the solution. `iteration` is the number of enqueued iterations.
    #[doc(hidden)]
    fn end(&self, system: &mut System<'_, T, Self::Vectors>, iteration: usize) -> Result<()> {
        let _ = (system, iteration);
        Ok(())
    }
}

/// The system of equations that a method solves, and the data that the method works on.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // it lives within one call
pub struct System<'r, T: Real, V> {
    pub(super) frame: &'r Frame<T>,
    pub(super) a: Square<'r, T>,
    pub(super) m: &'r dyn Preconditioner<T>,
    pub(super) b: &'r Expr<'r, T>,
    pub(super) x: &'r mut DeviceVec<T>,
    pub(super) vectors: &'r mut V,
}

/// An iterative solver of `A x = b`; see [`Cg`](super::Cg), [`BiCgStab`](super::BiCgStab) and
/// [`Gmres`](super::Gmres).
///
/// A solver keeps its vectors. The next system of the same size and queue uses them again, so solving it
/// allocates no memory for vectors.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_sparse::{Csr, generate};
/// use cl_sparse::solve::{Cg, Tolerance};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let a: Csr<f32> = Csr::new(&queue, &generate::five_point([8, 8], 4.0, -1.0)?)?;
/// let f = DeviceVec::filled(&queue, 1.0_f32, 64)?;
/// let mut u = DeviceVec::filled(&queue, 0.0_f32, 64)?;
/// let mut solver = Cg::new().tolerance(Tolerance::Relative(1e-4)).iteration_limit(100).history(true);
/// let report = solver.solve(&a, &f, &mut u)?;
/// assert_eq!(report.history.len(), report.iterations + 1);
/// # Ok(())
/// # }
/// ```
pub struct Solver<'s, T: Real, M: Method<T>> {
    pub(super) method: M,
    tolerance: Tolerance,
    limit: usize,
    check_every: usize,
    history: bool,
    monitor: Option<Monitor<'s>>,
    preconditioner: &'s dyn Preconditioner<T>,
    memory: Option<(Frame<T>, M::Vectors, DeviceVec<T>)>,
}

type Monitor<'s> = Box<dyn FnMut(&Progress) -> ControlFlow<()> + 's>;

/// The largest number of iterations between two reads of the state. The number is limited because the device
/// stores the residual of each iteration until the host reads it.
const LONGEST_BURST: usize = 1 << 15;

impl<'s, T: Real, M: Method<T>> Solver<'s, T, M> {
    pub(super) fn with(method: M) -> Self {
        Solver {
            method,
            tolerance: Tolerance::Relative(if T::TYPE.size() == 4 { 1e-5 } else { 1e-10 }),
            limit: 1000,
            check_every: 10,
            history: false,
            monitor: None,
            preconditioner: &super::Identity,
            memory: None,
        }
    }

    /// Sets the tolerance for the residual. The default is `Relative(1e-10)`, and `Relative(1e-5)` for `f32`.
    #[must_use]
    pub fn tolerance(mut self, tolerance: Tolerance) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets the largest number of iterations. The default is 1000.
    #[must_use]
    pub fn iteration_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Sets the number of iterations that are enqueued before the host reads the state. The default is 10.
    ///
    /// A larger number does not add iterations to the solution. Once the residual meets the tolerance, the
    /// kernels that are already enqueued do nothing, except for products of operators that are not
    /// expressions.
    #[must_use]
    pub fn check_every(mut self, iterations: usize) -> Self {
        self.check_every = iterations;
        self
    }

    /// Sets whether the report has the residual of each iteration. This needs no further reads.
    #[must_use]
    pub fn history(mut self, wanted: bool) -> Self {
        self.history = wanted;
        self
    }

    /// Sets a closure that is called whenever the host reads the state, and that can stop the solver.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::solve::{Cg, from_fn};
    /// use std::ops::ControlFlow;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = from_fn(500, 500, |u: Expr<'_, f32>| {
    ///     2.0 * &u - u.clone().shifted(-1, Border::Constant(0.0)) - u.shifted(1, Border::Constant(0.0))
    /// });
    /// let f = DeviceVec::filled(&queue, 1.0_f32, 500)?;
    /// let mut u = DeviceVec::filled(&queue, 0.0, 500)?;
    /// let mut cg = Cg::new().check_every(1).monitor(|progress| {
    ///     println!("{}: {:e}", progress.iteration, progress.residual);
    ///     if progress.iteration < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    /// });
    /// let report = cg.solve(&a, &f, &mut u)?; // no error: this is what was asked for
    /// assert!(report.stopped && report.iterations == 2);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn monitor(mut self, monitor: impl FnMut(&Progress) -> ControlFlow<()> + 's) -> Self {
        self.monitor = Some(Box::new(monitor));
        self
    }

    /// Sets the preconditioner.
    #[must_use]
    pub fn preconditioner(mut self, preconditioner: &'s dyn Preconditioner<T>) -> Self {
        self.preconditioner = preconditioner;
        self
    }

    /// Solves `A x = b`, starting from the contents of `x`. Blocks.
    ///
    /// A right-hand side of zeros has the solution zero, without an iteration.
    ///
    /// # Errors
    /// All of [`SolveError`], which describes the contents of `x` after an error. Except for [`SolveError::Failed`],
    /// the residual of `x` is not larger than before. Wrong sizes and invalid settings are reported before the driver
    /// is called.
    pub fn solve<'b>(
        &mut self,
        a: &dyn LinearOperator<T>,
        b: impl Operand<'b, T>,
        x: &mut DeviceVec<T>,
    ) -> Result<Report, SolveError> {
        let b = b.into_expr();
        let a = self.check(a, &b, x)?;
        if x.is_empty() {
            let history = if self.history { vec![0.0] } else { Vec::new() };
            return Ok(Report {
                iterations: 0,
                residual: 0.0,
                history,
                stopped: false,
                lost_accuracy: false,
            });
        }
        let queue = x.queue().clone();
        let (mut frame, mut vectors, mut first) = self.take_or_allocate(&queue, x.len())?;
        match self.tolerance {
            Tolerance::Relative(times) => frame.set_tolerance(times, 0.0),
            Tolerance::Absolute(norm) => frame.set_tolerance(0.0, norm),
        }
        let m = self.preconditioner;
        let mut system = System { frame: &frame, a, m, b: &b, x, vectors: &mut vectors };
        let result = self.run_or_restore(&mut system, &mut first);
        // After a failure the contents of the vectors are unknown.
        if !matches!(result, Err(SolveError::Failed(_))) {
            self.memory = Some((frame, vectors, first));
        }
        result
    }

    /// Checks everything that does not depend on the numbers, and asks the operator for its size.
    fn check<'r>(
        &self,
        a: &'r dyn LinearOperator<T>,
        b: &Expr<'_, T>,
        x: &DeviceVec<T>,
    ) -> Result<Square<'r, T>> {
        let invalid = |what, reason: &str| Err(Error::invalid_input(what, reason.to_owned()));
        let (Tolerance::Relative(tolerance) | Tolerance::Absolute(tolerance)) = self.tolerance;
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return invalid("tolerance", "it is negative, infinite, or not a number");
        }
        if self.check_every == 0 {
            return invalid("check_every", "it is 0, and must be at least 1");
        }
        self.method.check()?;
        super::step::check(b)?;
        let a = Square::of("solve: rows and columns of the operator", a)?;
        let rows = a.rows();
        fits("solve: rows and the solution", rows, x.len())?;
        fits("solve: rows and the right-hand side", rows, b.len().unwrap_or(rows))?;
        fits("solve: rows and the preconditioner", rows, self.preconditioner.size().unwrap_or(rows))?;
        Ok(a)
    }

    /// Returns the number of iterations between two reads of the state.
    fn burst(&self) -> usize {
        self.check_every.min(LONGEST_BURST)
    }

    /// Returns the memory of the last system if it fits this one, or allocates new memory.
    fn take_or_allocate(
        &mut self,
        queue: &Queue,
        len: usize,
    ) -> Result<(Frame<T>, M::Vectors, DeviceVec<T>)> {
        // Up to two bursts lie between two states that the host evaluates: at the limit of iterations, the
        // loop skips the read that was requested before the last burst.
        let history_len = 2 * self.burst() + 1;
        if let Some((frame, vectors, first)) = self.memory.take()
            && frame.fits(queue, len, history_len)
            && self.method.can_reuse(&vectors, self.preconditioner)
        {
            return Ok((frame, vectors, first));
        }
        let frame = Frame::new(queue, len, history_len)?;
        let vectors = self.method.vectors(&frame, self.preconditioner)?;
        let first = frame.vector()?;
        Ok((frame, vectors, first))
    }

    /// Runs the solver as [`Solver::run`] does. The report of an error has the directly computed residual of the
    /// solution. If this residual is NaN, or larger than that of the first solution, restores the first solution.
    fn run_or_restore(
        &mut self,
        system: &mut System<'_, T, M::Vectors>,
        first: &mut DeviceVec<T>,
    ) -> Result<Report, SolveError> {
        cl_algo::stl::copy(&*system.x, &mut *first)?;
        let mut residual = f64::NAN;
        let mut result = self.run(system, &mut residual);
        let not_finite = matches!(result, Err(SolveError::NotFinite(_)));
        if let Err(error) = &mut result
            && let Some(report) = error.report_mut()
        {
            let direct = self.begin_anew(system)?.residual;
            // After `NotFinite`, a residual that is not finite again comes from an operator that has begun to
            // return NaN. Such a residual says nothing about the solution, so the report keeps the recurrence
            // residual.
            if direct.is_finite() || !not_finite {
                report.residual = direct;
            }
            if report.residual.is_nan() || report.residual > residual {
                cl_algo::stl::copy(&*first, &mut *system.x)?;
                system.frame.queue.finish()?;
                report.iterations = 0;
                report.residual = residual;
            }
        }
        result
    }

    /// Restarts from the solution so far, and returns the state with its residual.
    fn begin_anew(&self, system: &mut System<'_, T, M::Vectors>) -> Result<Snapshot> {
        self.method.start(system)?;
        Ok(system.frame.decode_state(&system.frame.read_state()?.wait()?))
    }

    /// Runs all iterations, and returns the result.
    ///
    /// The recurrence residual of a method does not include the rounding of the solution, and goes on falling
    /// when `b - A x` no longer does. So when a method has converged, the residual is computed directly. If
    /// the computed residual is above the threshold, but low enough that further iterations can reach the
    /// threshold, the method restarts from the solution so far. `first` becomes the residual of the first
    /// solution.
    fn run(&mut self, system: &mut System<'_, T, M::Vectors>, first: &mut f64) -> Result<Report, SolveError> {
        let mut restarts = Restarts { before: 0, begun: None, history: Vec::new() };
        let mut least = f64::INFINITY;
        self.method.start(system)?;
        loop {
            let (state, stopped) = self.iterations(system, &mut restarts)?;
            let begun = restarts.begun.take().unwrap_or(state.residual);
            if restarts.before == 0 {
                *first = begun;
            }
            restarts.before += state.done;
            let stopped = stopped && state.reason == reason::RUNNING;
            let report = |residual, history| Report {
                iterations: restarts.before,
                residual,
                history,
                stopped,
                lost_accuracy: false,
            };
            // Iterations after a restart may also end with a breakdown or another error, because the residual
            // at the restart may have been only rounding. The residual that is computed directly then
            // decides.
            let again = least.is_finite() && !stopped;
            if !again && (state.reason != reason::CONVERGED || state.done == 0) {
                return outcome(state.reason, report(state.residual, restarts.history));
            }
            let direct = self.begin_anew(system)?;
            if let Some(last) = restarts.history.last_mut() {
                *last = direct.residual;
            }
            let close = direct.residual <= 10.0 * direct.threshold;
            // Since the start or the last restart, the residual fell by all digits of `T` except two. After
            // another restart it can fall by as many digits again.
            let far = direct.residual <= 100.0 * T::EPSILON * begun;
            let promising =
                state.reason == reason::CONVERGED && (close || far) && direct.residual <= least / 2.0;
            if direct.reason != reason::RUNNING || !promising || restarts.before >= self.limit {
                let (met, finite) = (direct.reason == reason::CONVERGED, direct.reason != reason::NOT_FINITE);
                let report =
                    Report { lost_accuracy: finite && !met, ..report(direct.residual, restarts.history) };
                return outcome(if finite { reason::CONVERGED } else { reason::NOT_FINITE }, report);
            }
            least = direct.residual;
        }
    }

    /// Runs iterations until the recurrence residual is small enough or the method cannot continue. Returns the final
    /// state, and whether a monitor stopped it.
    fn iterations(
        &mut self,
        system: &mut System<'_, T, M::Vectors>,
        restarts: &mut Restarts,
    ) -> Result<(Snapshot, bool), SolveError> {
        // GPUs get another burst before the host waits for the state that it has requested, so that they are
        // not idle. CPUs do not, because they are idle only briefly during a read. With a monitor there is no
        // burst ahead either: if the monitor stops the solver, the solution must be the one that the monitor
        // has seen.
        let ahead = !system.frame.chunked && self.monitor.is_none();
        let limit = self.limit - restarts.before;
        let mut enqueued = 0;
        let mut pending: Option<PendingRead<u64>> = None;
        loop {
            // The first read comes before the first iteration: if the first solution meets the tolerance, no
            // iteration is needed.
            let read = system.frame.read_state()?;
            system.frame.queue.flush()?;
            let before = pending.replace(read);
            let exhausted = enqueued == limit;
            let due = match before {
                Some(read) if ahead && !exhausted => Some(read),
                _ if ahead && !exhausted => None,
                _ => pending.take(),
            };
            if let Some(read) = due {
                let state = system.frame.decode_state(&read.wait()?);
                self.record(restarts, &state);
                let stopped = self.is_stopped(restarts, &state);
                if state.reason != reason::RUNNING || exhausted || stopped {
                    let ended = self.end(system, enqueued, restarts);
                    // A read that was requested ahead is not needed, but its failure is an error.
                    return match pending.map(PendingRead::wait) {
                        Some(Err(error)) if ended.is_ok() => Err(error.into()),
                        _ => Ok((ended?, stopped)),
                    };
                }
            }
            let first = enqueued + 1;
            enqueued += self.burst().min(limit - enqueued);
            self.method.burst(system, first..enqueued + 1)?;
        }
    }

    /// Completes the solution.
    fn end(
        &self,
        system: &mut System<'_, T, M::Vectors>,
        enqueued: usize,
        restarts: &mut Restarts,
    ) -> Result<Snapshot> {
        self.method.end(system, enqueued)?;
        let state = system.frame.decode_state(&system.frame.read_state()?.wait()?);
        // Reports an index out of range in the operator's kernels.
        system.frame.queue.finish()?;
        self.record(restarts, &state);
        Ok(state)
    }

    /// Adds the new residuals to the history.
    fn record(&self, restarts: &mut Restarts, state: &Snapshot) {
        restarts.begun.get_or_insert_with(|| state.residual_after(0));
        if self.history {
            let known = restarts.history.len().saturating_sub(restarts.before);
            restarts.history.extend((known..=state.done).map(|done| state.residual_after(done)));
        }
    }

    /// Returns whether the monitor stops the solver.
    fn is_stopped(&mut self, restarts: &Restarts, state: &Snapshot) -> bool {
        let progress = Progress { iteration: restarts.before + state.done, residual: state.residual };
        self.monitor.as_mut().is_some_and(|monitor| monitor(&progress).is_break())
    }
}

/// The progress of a solution across restarts.
struct Restarts {
    /// The number of iterations before the last restart.
    before: usize,
    /// The residual at the last restart.
    begun: Option<f64>,
    /// All residuals, if they are wanted.
    history: Vec<f64>,
}

/// Returns the result for a state with this reason.
fn outcome(why: u64, report: Report) -> Result<Report, SolveError> {
    match why {
        reason::RUNNING if report.stopped => Ok(report),
        reason::RUNNING => Err(SolveError::NotConverged(report)),
        reason::CONVERGED => Ok(report),
        reason::NOT_FINITE => Err(SolveError::NotFinite(report)),
        reason::INDEFINITE => Err(SolveError::Indefinite(report)),
        reason::INDEFINITE_PRECONDITIONER => Err(SolveError::IndefinitePreconditioner(report)),
        what => {
            let what = Breakdown::numbered(what.saturating_sub(reason::BREAKDOWN));
            Err(SolveError::Breakdown { what, report })
        }
    }
}

impl<T: Real, M: Method<T>> fmt::Debug for Solver<'_, T, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Solver { method, tolerance, limit, check_every, .. } = self;
        write!(
            f,
            "Solver({method:?}, {tolerance:?}, at most {limit} iterations, checked every {check_every})"
        )
    }
}
