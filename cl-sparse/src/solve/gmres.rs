//! GMRES.

use super::kernels;
use super::preconditioner::precondition;
use super::solver::{Method, Solver, System};
use super::step::{Frame, Step, StepParameters, no_inputs, shape, source, vector};
use super::{Preconditioner, Real};
use cl_algo::codegen::Template;
use cl_algo::{DeviceVec, Expr};
use cl_core::{Access, Arg, Buffer, Error, Result};

/// The template of `kernels/gmres.cl`.
static GMRES: Template<StepParameters> =
    Template { kernel: "solver_step", definition: &kernels::GMRES, shape };

/// The template of `kernels/gmres_project.cl`.
static PROJECT: Template<StepParameters> =
    Template { kernel: "solver_project", definition: &kernels::GMRES_PROJECT, shape };

/// The template of `kernels/gmres_triangle.cl`.
static TRIANGLE: Template<StepParameters> =
    Template { kernel: "solver_triangle", definition: &kernels::GMRES_TRIANGLE, shape };

/// The method of generalised minimal residuals with restarts, for operators that need not be symmetric (Saad and
/// Schultz, "GMRES: a generalized minimal residual algorithm for solving nonsymmetric linear systems", SIAM J. Sci.
/// Stat. Comput. 7, 1986), preconditioned from the right.
///
/// Classical Gram-Schmidt makes a new vector orthogonal to the basis, in two launches for any number of basis
/// vectors. If it leaves too little of the new vector, it is repeated (Giraud, Langou, Rozložník, van den
/// Eshof, "Rounding error analysis of the classical Gram-Schmidt orthogonalization process", Numer. Math.
/// 101, 2005).
///
/// The solution is computed only at the end of each cycle and when the solver stops. Within a cycle a monitor
/// gets the residual of a solution that is not computed yet.
///
/// # Kernels of iteration j of a cycle
///
/// | | reads | writes |
/// | --- | --- | --- |
/// | `vⱼ = w / ‖w‖` | `w` | `v`, basis |
/// | `w = A v` | operator, `v` | `w` |
/// | `hᵢ = vᵢ·w` | `j + 1` vectors of the basis, `w` | |
/// | `w -= Σ hᵢ vᵢ`, `w·w`, the rotations | `j + 1` vectors of the basis, `w` | `w` |
/// | the last two again, if necessary | | |
pub type Gmres<'s, T> = Solver<'s, T, MinimalResiduals>;

/// The method of [`Gmres`].
#[derive(Clone, Copy, Debug)]
pub struct MinimalResiduals {
    restart: usize,
}

impl<T: Real> Gmres<'_, T> {
    /// Creates a solver with the settings documented at its methods, and with cycles of 30 iterations.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::solve::{Gmres, from_fn};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = from_fn(3, 3, |x: Expr<'_, f32>| x.shifted(1, Border::Wrap)); // a permutation
    /// let b = DeviceVec::from_slice(&queue, &[4.0_f32, 7.0, 6.0])?;
    /// let mut x = DeviceVec::filled(&queue, 0.0, 3)?;
    /// let report = Gmres::new().solve(&a, &b, &mut x)?;
    /// assert!((x.to_vec()?[0] - 6.0).abs() < 1e-4);
    /// assert_eq!(report.iterations, 3);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    #[allow(clippy::new_without_default)] // a default solver would not name its method
    pub fn new() -> Self {
        Solver::with(MinimalResiduals { restart: 30 })
    }

    /// Sets the number of iterations of a cycle, from 1 to 4096. After a cycle the solver restarts from the
    /// solution so far. The solver stores one vector for each iteration of a cycle. `solve` returns an error
    /// for numbers out of range.
    #[must_use]
    pub fn restart(mut self, iterations: usize) -> Self {
        self.method.restart = iterations;
        self
    }
}

/// The numbers of the steps, as in `kernels/gmres.cl`.
const START: u8 = 0;
const RESTART: u8 = 1;
const NORMALIZE: u8 = 2;
const PRODUCT: u8 = 3;
const SUBTRACT: u8 = 4;
const SUBTRACT_AGAIN: u8 = 5;
const COMBINE: u8 = 6;
const ADD: u8 = 7;
const CLEAR: u8 = 8;

/// The largest number of iterations of a cycle. A single work-item solves a triangular system that has a row
/// for each iteration.
const LONGEST_CYCLE: usize = 1 << 12;

/// The number of elements to whose multiples the vectors of the basis are aligned. Every pack size divides
/// this number.
const ALIGNMENT: usize = 64;

/// The vectors and numbers of GMRES. `w` is the new vector of the basis before it is scaled, and `v` is the
/// scaled vector, of norm 1. `z` is the preconditioned vector `v`. `basis` holds up to `cycle` vectors, one
/// every `pitch` elements. `numbers` are the numbers of `kernels/gmres_numbers.cl`.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // only the kernels know the meaning of the vectors
pub struct Vectors<T: Real> {
    w: DeviceVec<T>,
    v: DeviceVec<T>,
    z: Option<DeviceVec<T>>,
    basis: DeviceVec<T>,
    numbers: Buffer<u64>,
    pitch: usize,
    cycle: usize,
}

impl<T: Real> Vectors<T> {
    fn arguments<'m>(&'m self, x: &'m DeviceVec<T>, column: usize) -> [Arg<'m>; 8] {
        let [x, w, v, basis] = [x, &self.w, &self.v, &self.basis].map(vector);
        let sizes = [self.cycle, column].map(|size| Arg::value(size as u32));
        [x, w, v, basis, self.numbers(), Arg::value(self.pitch as u64), sizes[0], sizes[1]]
    }

    fn numbers(&self) -> Arg<'_> {
        Arg::Memory(self.numbers.memory(), Access::Write)
    }
}

fn step(number: u8, sums: usize) -> Step {
    Step { template: &GMRES, number, sums, groups_factor: 1, computes_product: false, pointwise: false }
}

impl MinimalResiduals {
    /// Adds the correction of a cycle to the solution.
    fn add<T: Real>(&self, system: &mut System<'_, T, Vectors<T>>, iteration: usize) -> Result<()> {
        let System { frame, m, x, vectors, .. } = system;
        let own = [vectors.numbers(), Arg::value(vectors.cycle as u32)];
        frame.run_once(&TRIANGLE, &own, no_inputs::<T>)?;
        let identity = vectors.z.is_none();
        let combine = Step { pointwise: identity, ..step(COMBINE, 0) };
        frame.run(combine, iteration, &vectors.arguments(x, 0), no_inputs::<T>)?;
        if identity {
            return Ok(());
        }
        precondition(*m, &vectors.v, &mut vectors.z)?;
        let z = vectors.z.as_ref().unwrap_or(&vectors.v);
        frame.run(step(ADD, 0), iteration, &vectors.arguments(x, 0), |fused| fused.input("", z))
    }

    /// Computes the residual from which a cycle begins.
    fn begin<T: Real>(
        &self,
        system: &mut System<'_, T, Vectors<T>>,
        begin: Step,
        iteration: usize,
    ) -> Result<()> {
        let System { frame, a, b, x, vectors, .. } = system;
        // `v` holds A x for now.
        let product = a.product(x, &mut vectors.v)?.input(&vectors.v);
        frame
            .run(begin, iteration, &vectors.arguments(x, 0), |fused| fused.input("", &product).input("B", *b))
    }
}

impl<T: Real> Method<T> for MinimalResiduals {
    type Vectors = Vectors<T>;

    fn check(&self) -> Result<()> {
        if (1..=LONGEST_CYCLE).contains(&self.restart) {
            return Ok(());
        }
        let reason = format!("it is {}; it must be from 1 to {LONGEST_CYCLE}", self.restart);
        Err(Error::invalid_input("restart", reason))
    }

    fn vectors(&self, frame: &Frame<T>, m: &dyn Preconditioner<T>) -> Result<Vectors<T>> {
        let (cycle, pitch) = (self.restart, frame.len.next_multiple_of(ALIGNMENT));
        // A product that overflows saturates, and is too large to be allocated.
        let basis = DeviceVec::filled(&frame.queue, T::zeroed(), pitch.saturating_mul(cycle))?;
        Ok(Vectors {
            w: frame.vector()?,
            v: frame.vector()?,
            z: if m.is_identity() { None } else { Some(frame.vector()?) },
            basis,
            numbers: Buffer::filled(&frame.queue, 0, (6 + cycle) * cycle + 3)?,
            pitch,
            cycle,
        })
    }

    fn can_reuse(&self, vectors: &Vectors<T>, m: &dyn Preconditioner<T>) -> bool {
        vectors.cycle == self.restart && vectors.z.is_none() == m.is_identity()
    }

    fn start(&self, system: &mut System<'_, T, Vectors<T>>) -> Result<()> {
        self.begin(system, step(START, 2), 0)?;
        system.frame.run(step(CLEAR, 0), 0, &system.vectors.arguments(system.x, 0), no_inputs::<T>)
    }

    fn iterate(&self, system: &mut System<'_, T, Vectors<T>>, iteration: usize) -> Result<()> {
        let column = (iteration - 1) % self.restart;
        let System { frame, a, m, x, vectors, .. } = system;
        let run = |step: Step, vectors: &Vectors<T>, input: Option<Expr<'_, T>>| {
            frame.run(step, iteration, &vectors.arguments(x, column), |fused| match &input {
                Some(input) => fused.input("", input),
                None => no_inputs::<T>(fused),
            })
        };
        run(step(NORMALIZE, 0), vectors, None)?;
        precondition(*m, &vectors.v, &mut vectors.z)?;
        let z = vectors.z.as_ref().unwrap_or(&vectors.v);
        let product = a.product(z, &mut vectors.w)?;
        if product.must_store() {
            run(step(PRODUCT, 0), vectors, Some(product.input(&vectors.w)))?;
        }
        for (again, subtract) in [(0, SUBTRACT), (1, SUBTRACT_AGAIN)] {
            let project = Step { template: &PROJECT, groups_factor: column + 1, ..step(again, 1) };
            let [_, _, _, _, numbers, pitch, cycle, column] = vectors.arguments(x, column);
            let [w, basis] = [&vectors.w, &vectors.basis].map(source);
            frame.run(project, iteration, &[w, basis, numbers, pitch, cycle, column], no_inputs::<T>)?;
            run(step(subtract, 1), vectors, None)?;
        }
        if column + 1 == self.restart {
            self.add(system, iteration)?;
            self.begin(system, step(RESTART, 1), iteration)?;
        }
        Ok(())
    }

    fn end(&self, system: &mut System<'_, T, Vectors<T>>, iteration: usize) -> Result<()> {
        self.add(system, iteration)
    }
}
