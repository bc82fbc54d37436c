//! Steps with linear operators that lie about their size. Solvers may return any solution, but they must
//! refuse a product of another length, and must not touch foreign memory.

use crate::dice::Dice;
use crate::finding::{Finding, Outcome};
use crate::world::World;
use cl_algo::{DeviceVec, Expr, index};
use cl_core::{Error, Result};
use cl_sparse::solve::{BiCgStab, Cg, Chebyshev, Gmres, LinearOperator, Preconditioner, SolveError};
use std::cell::{Cell, RefCell};

/// The number of distinct eigenvalues of an operator that tells the truth.
const EIGENVALUES: u32 = 17;

/// An operator whose answers are random after a few true answers.
struct Liar {
    size: usize,
    other: usize,
    dice: RefCell<Dice>,
    /// The number of answers that are still true.
    truths: Cell<usize>,
    /// `true` if the operator lies now. One answer in eight begins or ends the lies.
    lies: Cell<bool>,
    long: DeviceVec<f32>,
    /// The mean number of calls of `apply` until one replaces the output vector.
    replaces: usize,
    /// The mean number of calls of `product` until one returns an expression.
    fuses: usize,
    /// `true` if a product so far had another length than `size`.
    misfits: Cell<bool>,
}

impl Liar {
    fn answer(&self) -> usize {
        if self.truths.get() > 0 {
            self.truths.set(self.truths.get() - 1);
            return self.size;
        }
        if self.dice.borrow_mut().one_in(8) {
            self.lies.set(!self.lies.get());
        }
        if self.lies.get() { self.other } else { self.size }
    }

    /// Records whether a product had another length than `size`.
    fn gives(&self, len: Option<usize>) {
        self.misfits.set(self.misfits.get() || len != Some(self.size));
    }
}

impl LinearOperator<f32> for Liar {
    fn rows(&self) -> usize {
        self.answer()
    }

    fn columns(&self) -> usize {
        self.answer()
    }

    fn apply(&self, x: &DeviceVec<f32>, y: &mut DeviceVec<f32>) -> Result<()> {
        if self.dice.borrow_mut().one_in(self.replaces) {
            *y = DeviceVec::filled(x.queue(), 0.5, self.answer())?;
            self.gives(Some(y.len()));
            return Ok(());
        }
        // A Krylov method needs about as many iterations as there are distinct eigenvalues.
        y.assign(x.iter() * (index::<u32>() % EIGENVALUES + 1).cast::<f32>())
    }

    fn product<'a>(&'a self, _: &'a DeviceVec<f32>) -> Option<Expr<'a, f32>> {
        let fuses = self.dice.borrow_mut().one_in(self.fuses);
        fuses.then(|| {
            let product = self.long.iter().take(self.answer()) * 2.0;
            self.gives(product.len());
            product
        })
    }
}

impl Preconditioner<f32> for Liar {
    fn size(&self) -> Option<usize> {
        Some(self.answer())
    }

    fn apply(&self, x: &DeviceVec<f32>, y: &mut DeviceVec<f32>) -> Result<()> {
        LinearOperator::apply(self, x, y)
    }
}

/// Returns a finding if a product had another length than `size` and the solver did not refuse it, or if the
/// solver reported a wrong length although each product fitted. Solvers must rely on the first answers about
/// the size, because the later ones may be lies.
fn judge(result: &Result<()>, liars: [&Liar; 2]) -> Outcome {
    let misfits = liars.iter().any(|liar| liar.misfits.get());
    match result {
        Err(Error::LengthMismatch { .. }) if misfits => Ok(()),
        Err(error @ Error::LengthMismatch { .. }) => {
            Err(Finding::Error(format!("the lengths fit, but {error}")))
        }
        _ if misfits => Err(Finding::NoError(format!("a product of another length: {result:?}"))),
        _ => Ok(()),
    }
}

/// Runs one of four solvers with an operator that lies; solvers 4 to 7 have a preconditioner that lies, too.
pub(crate) fn liar(world: &World, solver: usize, truths: usize, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 7);
    let size = 1 + dice.len();
    let other = dice.pick(&[0, 1, size / 2, size / 2, size / 3, size + 200]);
    let queue = world.main_queue();
    let make = |dice: &mut Dice| -> Result<Liar> {
        Ok(Liar {
            size,
            other,
            truths: truths.into(),
            lies: true.into(),
            long: DeviceVec::filled(queue, 0.25, if dice.one_in(2) { other } else { size + other })?,
            replaces: dice.pick(&[1, 1, 2, usize::MAX]),
            fuses: dice.pick(&[1, 2, 2, 3, 3, usize::MAX]),
            misfits: false.into(),
            dice: RefCell::new(dice.clone()),
        })
    };
    let (a, m) = (make(&mut dice)?, make(&mut dice)?);
    let b = DeviceVec::filled(queue, 1.0, size)?;
    let mut x = DeviceVec::filled(queue, 0.0, size)?;
    let preconditioned = solver % 8 > 3;
    macro_rules! solve {
        ($solver:expr) => {{
            let solver = $solver.iteration_limit(12).check_every(4);
            let mut solver = if preconditioned { solver.preconditioner(&m) } else { solver };
            match solver.solve(&a, &b, &mut x) {
                Err(SolveError::Failed(error)) => Err(error),
                _ => Ok(()),
            }
        }};
    }
    let result = match solver % 4 {
        0 => solve!(Cg::new()),
        1 => solve!(BiCgStab::new()),
        2 => solve!(Gmres::new().restart(3)),
        _ => {
            let chebyshev = match dice.below(2) {
                0 => Chebyshev::new(&a, queue, 3),
                _ => Chebyshev::with_bounds(&a, (0.1, 3.0), 3),
            };
            chebyshev.and_then(|chebyshev| {
                let first = chebyshev.apply(&b, &mut x);
                chebyshev.apply(&b, &mut x).and(first)
            })
        }
    };
    judge(&result, [&a, &m])?;
    let _ = queue.finish();
    Ok(())
}
