//! Conjugate gradients.

use super::kernels;
use super::operator::fits;
use super::preconditioner::precondition;
use super::solver::{Method, Solver, System};
use super::step::{Frame, Step, StepParameters, input, no_inputs, shape, vector};
use super::{Preconditioner, Real};
use cl_algo::codegen::Template;
use cl_algo::{DeviceVec, Expr, Operand};
use cl_core::Result;
use std::ops::Range;

/// The template of `kernels/cg.cl`.
static CG: Template<StepParameters> = Template { kernel: "solver_step", definition: &kernels::CG, shape };

/// Conjugate gradients, for symmetric positive definite operators (Hestenes and Stiefel, "Methods of conjugate
/// gradients for solving linear systems", J. Res. Nat. Bur. Standards 49, 1952). The operator may be singular if a
/// solution exists.
///
/// # Kernels of an iteration
///
/// | | reads | writes |
/// | --- | --- | --- |
/// | `q = A p`, `p·q` | operator, `p` | `q` |
/// | `r -= α q`, `r·r` | `r`, `q` | `r` |
/// | `x += α p`, `p = r + β p` | `x`, `p`, `r` | `x`, `p` |
///
/// If the operator's product is not an [expression](super::LinearOperator::product), the first row takes two
/// kernels: one computes `q`, and one reads `p` and `q`. If the preconditioner consists of
/// [factors](super::Preconditioner::factors), the kernels of the second and third row also read them. Any
/// other preconditioner adds its own kernels, and a kernel that reads `r` and `z`.
pub type Cg<'s, T> = Solver<'s, T, ConjugateGradients>;

/// The method of [`Cg`].
#[derive(Clone, Copy, Debug)]
pub struct ConjugateGradients;

impl<T: Real> Cg<'_, T> {
    /// Creates a solver with the settings documented at its methods.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::solve::{Cg, Tolerance, from_fn};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = from_fn(4, 4, |x: Expr<'_, f32>| 2.0 * &x + x.rev());
    /// let b = DeviceVec::from_slice(&queue, &[6.0_f32, 7.0, 8.0, 9.0])?;
    /// let mut x = DeviceVec::filled(&queue, 0.0, 4)?;
    /// let report = Cg::new().tolerance(Tolerance::Relative(1e-6)).history(true).solve(&a, &b, &mut x)?;
    /// assert_eq!(report.history.len(), report.iterations + 1);
    /// assert!((x.to_vec()?[3] - 4.0).abs() < 1e-5);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    #[allow(clippy::new_without_default)] // a default solver would not name its method
    pub fn new() -> Self {
        Solver::with(ConjugateGradients)
    }
}

/// The numbers of the steps, as in `kernels/cg.cl`.
const START: u8 = 0;
const PRODUCT: u8 = 1;
const UPDATE: u8 = 2;
const DIRECTION: u8 = 3;
const ENERGY: u8 = 4;
const FIRST: u8 = 5;
const CLEAR: u8 = 6;

/// The residual `r`, the direction `p`, the product `q`, and the preconditioned residual `z`.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // only the kernels know the meaning of the vectors
pub struct Vectors<T: Real> {
    r: DeviceVec<T>,
    p: DeviceVec<T>,
    q: DeviceVec<T>,
    z: Option<DeviceVec<T>>,
}

fn step(number: u8, sums: usize, pointwise: bool) -> Step {
    Step { template: &CG, number, sums, groups_factor: 1, computes_product: false, pointwise }
}

impl<T: Real> Method<T> for ConjugateGradients {
    type Vectors = Vectors<T>;

    fn vectors(&self, frame: &Frame<T>, m: &dyn Preconditioner<T>) -> Result<Vectors<T>> {
        let z = if factors(m).is_none() { Some(frame.vector()?) } else { None };
        Ok(Vectors { r: frame.vector()?, p: frame.vector()?, q: frame.vector()?, z })
    }

    fn can_reuse(&self, vectors: &Vectors<T>, m: &dyn Preconditioner<T>) -> bool {
        vectors.z.is_none() == factors(m).is_some()
    }

    fn start(&self, system: &mut System<'_, T, Vectors<T>>) -> Result<()> {
        let System { frame, a, m, b, x, vectors: Vectors { r, p, q, z } } = system;
        // `q` holds A x for now.
        let product = a.product(x, q)?.input(q);
        let memories = [&**x, r, p, q].map(vector);
        match factors_of(*m, frame.len)? {
            Some(factors) => frame.run(step(START, 3, true), 0, &memories, |fused| {
                fused.input("", &product).input("B", *b).input("F", &factors)
            })?,
            None => frame
                .run(step(START, 2, false), 0, &memories, |fused| fused.input("", &product).input("B", *b))?,
        }
        precondition(*m, r, z)?;
        if let Some(z) = z {
            frame.run(step(FIRST, 1, false), 0, &memories, |fused| fused.input("", &*z))?;
        }
        frame.run(step(CLEAR, 0, false), 0, &memories, no_inputs::<T>)
    }

    /// Compiles the steps once for all iterations, if the operator's product is an expression and the preconditioner
    /// consists of factors.
    fn burst(&self, system: &mut System<'_, T, Vectors<T>>, mut iterations: Range<usize>) -> Result<()> {
        let System { frame, a, m, x, vectors: Vectors { r, p, q, z }, .. } = system;
        let product = if z.is_none() { a.expression(p)? } else { None };
        let Some(product) = product else {
            return iterations.try_for_each(|iteration| self.iterate(system, iteration));
        };
        let memories = [&**x, r, p, q].map(vector);
        let factors = factors_of(*m, frame.len)?.unwrap_or_else(|| T::rounded(1.0).into_expr());
        let (product, factors) = (input(product), input(factors));
        let steps = [
            frame.prepare(Step { computes_product: true, ..step(PRODUCT, 1, false) }, &product)?,
            frame.prepare(step(UPDATE, 2, true), &factors)?,
            frame.prepare(step(DIRECTION, 0, true), &factors)?,
        ];
        iterations
            .try_for_each(|iteration| steps.iter().try_for_each(|step| step.launch(iteration, &memories)))
    }

    fn iterate(&self, system: &mut System<'_, T, Vectors<T>>, iteration: usize) -> Result<()> {
        let System { frame, a, m, x, vectors: Vectors { r, p, q, z }, .. } = system;
        let product = a.product(p, q)?;
        let memories = [&**x, r, p, q].map(vector);
        let run = |step: Step, input: &Expr<'_, T>| {
            frame.run(step, iteration, &memories, |fused| fused.input("", input))
        };
        run(Step { computes_product: product.must_store(), ..step(PRODUCT, 1, false) }, &product.input(q))?;
        if z.is_none() {
            let factors = factors_of(*m, frame.len)?.unwrap_or_else(|| T::rounded(1.0).into_expr());
            run(step(UPDATE, 2, true), &factors)?;
            return run(step(DIRECTION, 0, true), &factors);
        }
        frame.run(step(UPDATE, 1, false), iteration, &memories, no_inputs::<T>)?;
        precondition(*m, r, z)?;
        let z = z.as_ref().unwrap_or(r).iter();
        run(step(ENERGY, 1, false), &z)?;
        run(step(DIRECTION, 0, false), &z)
    }
}

/// Returns the preconditioner's factors, if it consists of factors only.
fn factors<T: Real>(m: &dyn Preconditioner<T>) -> Option<Expr<'_, T>> {
    if m.is_identity() { Some(T::rounded(1.0).into_expr()) } else { m.factors() }
}

/// Returns the factors like [`factors`]. Returns an error unless the preconditioner has one factor for each
/// of the `len` elements, or one factor for all elements.
fn factors_of<T: Real>(m: &dyn Preconditioner<T>, len: usize) -> Result<Option<Expr<'_, T>>> {
    let factors = factors(m);
    fits("factors of the preconditioner", len, factors.as_ref().and_then(Expr::len).unwrap_or(len))?;
    Ok(factors)
}
