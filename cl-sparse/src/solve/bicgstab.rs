//! BiCGStab.

use super::kernels;
use super::preconditioner::precondition;
use super::solver::{Method, Solver, System};
use super::step::{Frame, Step, StepParameters, input, no_inputs, shape, source, vector};
use super::{Preconditioner, Real};
use cl_algo::codegen::{Fused, Template};
use cl_algo::{DeviceVec, Expr};
use cl_core::{Arg, Result};
use std::ops::Range;

/// The template of `kernels/bicgstab.cl`.
static BICGSTAB: Template<StepParameters> =
    Template { kernel: "solver_step", definition: &kernels::BICGSTAB, shape };

/// The stabilised method of biconjugate gradients, for operators that need not be symmetric (van der Vorst,
/// "Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG", SIAM J. Sci. Stat. Comput. 13, 1992),
/// preconditioned from the right.
///
/// An iteration takes two products. The number of vectors is fixed. The method may break down: then `solve`
/// returns an error that names the [cause](super::Breakdown) and reports the state reached. Another first
/// solution, or [`Gmres`](super::Gmres), may then succeed.
///
/// # Kernels of an iteration
///
/// | | reads | writes |
/// | --- | --- | --- |
/// | `v = A p`, `r₀·v` | operator, `p`, `r₀` | `v` |
/// | `s = r - α v`, `s·s` | `r`, `v` | `s` |
/// | `t = A s`, `t·s`, `t·t` | operator, `s` | `t` |
/// | `x += α p + ω s`, `r = s - ω t`, `r·r`, `r₀·r` | `x`, `p`, `s`, `t`, `r₀` | `x`, `r` |
/// | `p = r + β (p - ω v)` | `r`, `p`, `v` | `p` |
///
/// If the operator's product is not an [expression](super::LinearOperator::product), it is computed by a kernel of its
/// own. So are the preconditioner's results for `p` and `s`.
pub type BiCgStab<'s, T> = Solver<'s, T, BiConjugateGradients>;

/// The method of [`BiCgStab`].
#[derive(Clone, Copy, Debug)]
pub struct BiConjugateGradients;

impl<T: Real> BiCgStab<'_, T> {
    /// Creates a solver with the settings documented at its methods.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::solve::{BiCgStab, from_fn};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = from_fn(3, 3, |x: Expr<'_, f32>| 2.0 * &x + x.shifted(1, Border::Constant(0.0)));
    /// let b = DeviceVec::from_slice(&queue, &[4.0_f32, 7.0, 6.0])?;
    /// let mut x = DeviceVec::filled(&queue, 0.0, 3)?;
    /// BiCgStab::new().solve(&a, &b, &mut x)?;
    /// assert!((x.to_vec()?[0] - 1.0).abs() < 1e-4);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    #[allow(clippy::new_without_default)] // a default solver would not name its method
    pub fn new() -> Self {
        Solver::with(BiConjugateGradients)
    }
}

/// The numbers of the steps, as in `kernels/bicgstab.cl`.
const START: u8 = 0;
const PRODUCT: u8 = 1;
const HALF: u8 = 2;
const STABILIZE: u8 = 3;
const UPDATE: u8 = 4;
const DIRECTION: u8 = 5;
const CLEAR: u8 = 6;

/// The vectors of `kernels/bicgstab.cl`. Without a preconditioner `g` and `h` are `p` and `s`.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // only the kernels know the meaning of the vectors
pub struct Vectors<T: Real> {
    r: DeviceVec<T>,
    shadow: DeviceVec<T>,
    p: DeviceVec<T>,
    v: DeviceVec<T>,
    s: DeviceVec<T>,
    t: DeviceVec<T>,
    g: Option<DeviceVec<T>>,
    h: Option<DeviceVec<T>>,
}

impl<T: Real> Vectors<T> {
    fn memories<'m>(&'m self, x: &'m DeviceVec<T>) -> [Arg<'m>; 9] {
        let Vectors { r, shadow, p, v, s, t, g, h } = self;
        let [g, h] = [g.as_ref().unwrap_or(p), h.as_ref().unwrap_or(s)].map(source);
        let [x, r, shadow, p, v, s, t] = [x, r, shadow, p, v, s, t].map(vector);
        [x, r, shadow, p, v, s, t, g, h]
    }
}

fn step(number: u8, sums: usize) -> Step {
    Step { template: &BICGSTAB, number, sums, groups_factor: 1, computes_product: false, pointwise: false }
}

impl<T: Real> Method<T> for BiConjugateGradients {
    type Vectors = Vectors<T>;

    fn vectors(&self, frame: &Frame<T>, m: &dyn Preconditioner<T>) -> Result<Vectors<T>> {
        let own = || if m.is_identity() { Ok(None) } else { frame.vector().map(Some) };
        Ok(Vectors {
            r: frame.vector()?,
            shadow: frame.vector()?,
            p: frame.vector()?,
            v: frame.vector()?,
            s: frame.vector()?,
            t: frame.vector()?,
            g: own()?,
            h: own()?,
        })
    }

    fn can_reuse(&self, vectors: &Vectors<T>, m: &dyn Preconditioner<T>) -> bool {
        vectors.g.is_none() == m.is_identity()
    }

    fn start(&self, system: &mut System<'_, T, Vectors<T>>) -> Result<()> {
        let System { frame, a, b, x, vectors, .. } = system;
        // `v` holds A x for now.
        let product = a.product(x, &mut vectors.v)?.input(&vectors.v);
        let memories = vectors.memories(x);
        frame.run(step(START, 2), 0, &memories, |fused| fused.input("", &product).input("B", *b))?;
        frame.run(step(CLEAR, 0), 0, &memories, no_inputs::<T>)
    }

    /// Compiles the steps once for all iterations, if the operator's products are expressions and no preconditioner has
    /// kernels of its own.
    fn burst(&self, system: &mut System<'_, T, Vectors<T>>, mut iterations: Range<usize>) -> Result<()> {
        let System { frame, a, x, vectors, .. } = system;
        let products = if vectors.g.is_none() && vectors.h.is_none() {
            [a.expression(&vectors.p)?, a.expression(&vectors.s)?]
        } else {
            [None, None]
        };
        let [Some(of_p), Some(of_s)] = products else {
            return iterations.try_for_each(|iteration| self.iterate(system, iteration));
        };
        let memories = vectors.memories(x);
        let [of_p, of_s, nothing] = [input(of_p), input(of_s), no_inputs::<T>(Fused::new("solve"))];
        let product = |step| Step { computes_product: true, ..step };
        let steps = [
            frame.prepare(product(step(PRODUCT, 1)), &of_p)?,
            frame.prepare(step(HALF, 1), &nothing)?,
            frame.prepare(product(step(STABILIZE, 2)), &of_s)?,
            frame.prepare(step(UPDATE, 2), &nothing)?,
            frame.prepare(step(DIRECTION, 0), &nothing)?,
        ];
        iterations
            .try_for_each(|iteration| steps.iter().try_for_each(|step| step.launch(iteration, &memories)))
    }

    fn iterate(&self, system: &mut System<'_, T, Vectors<T>>, iteration: usize) -> Result<()> {
        let System { frame, a, m, x, vectors, .. } = system;
        let run = |step: Step, vectors: &Vectors<T>, input: Option<Expr<'_, T>>| {
            let memories = vectors.memories(x);
            frame.run(step, iteration, &memories, |fused| match &input {
                Some(input) => fused.input("", input),
                None => no_inputs::<T>(fused),
            })
        };
        precondition(*m, &vectors.p, &mut vectors.g)?;
        let g = vectors.g.as_ref().unwrap_or(&vectors.p);
        let product = a.product(g, &mut vectors.v)?;
        let product_step = Step { computes_product: product.must_store(), ..step(PRODUCT, 1) };
        run(product_step, vectors, Some(product.input(&vectors.v)))?;
        run(step(HALF, 1), vectors, None)?;

        precondition(*m, &vectors.s, &mut vectors.h)?;
        let h = vectors.h.as_ref().unwrap_or(&vectors.s);
        let product = a.product(h, &mut vectors.t)?;
        let product_step = Step { computes_product: product.must_store(), ..step(STABILIZE, 2) };
        run(product_step, vectors, Some(product.input(&vectors.t)))?;
        run(step(UPDATE, 2), vectors, None)?;
        run(step(DIRECTION, 0), vectors, None)
    }
}
