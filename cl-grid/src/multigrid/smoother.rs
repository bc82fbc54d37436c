//! Smoothers: relaxations that reduce the short waves of the error.

use std::f64::consts::PI;

/// A relaxation that reduces those waves of the error that the next coarser level does not have.
///
/// After W. L. Briggs, V. E. Henson, S. F. McCormick, "A Multigrid Tutorial", 2nd edition, chapter 2, and U. Trottenberg,
/// C. Oosterlee, A. Schüller, "Multigrid", sections 2.1 and 4.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Smoother {
    /// The damped iteration of Jacobi, with the damping that is best for the coarsening: 4/5 in two dimensions, 6/7 in three.
    /// One kernel a sweep.
    Jacobi,
    /// The iteration of Gauss and Seidel in the order of a chess-board: the points whose coordinates have an even sum, then
    /// the others. Two kernels a sweep.
    #[default]
    RedBlack,
    /// The Chebyshev polynomial whose degree is the number of sweeps, which reduces the short waves most. One kernel a sweep.
    ///
    /// After M. Adams, M. Brezina, J. Hu, R. Tuminaro, "Parallel multigrid smoothing: polynomial versus Gauss-Seidel", 2003.
    Chebyshev,
}

/// One kernel of a smoother.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// Adds this multiple of the residual divided by the diagonal.
    All(f64),
    /// Adds the residual divided by the diagonal at the points whose coordinates have an even sum, or an odd one.
    Half { odd: bool },
}

impl Smoother {
    /// Returns the kernels of some sweeps. `lowest` is the lowest eigenvalue, of the operator divided by its diagonal, among
    /// the short waves; the highest is 2. `is_reversed` asks for the adjoint of the steps.
    pub(super) fn steps(self, sweeps: usize, lowest: f64, is_reversed: bool) -> Vec<Step> {
        let (middle, half) = ((2.0 + lowest) / 2.0, (2.0 - lowest) / 2.0);
        match self {
            Smoother::Jacobi => vec![Step::All(1.0 / middle); sweeps],
            Smoother::RedBlack => {
                (0..2 * sweeps).map(|at| Step::Half { odd: (at % 2 == 1) != is_reversed }).collect()
            }
            Smoother::Chebyshev => (0..sweeps)
                .map(|at| {
                    let root = (PI * (2 * at + 1) as f64 / (2 * sweeps) as f64).cos();
                    Step::All(1.0 / (middle + half * root))
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_step_of_chebyshev_is_a_step_of_jacobi() {
        let omega = |smoother: Smoother| match smoother.steps(1, 0.5, false)[..] {
            [Step::All(omega)] => omega,
            _ => 0.0,
        };
        assert!((omega(Smoother::Jacobi) - 0.8).abs() < 1e-15);
        assert!((omega(Smoother::Chebyshev) - 0.8).abs() < 1e-15);
    }

    #[test]
    fn chebyshev_reduces_short_waves_by_its_bound() {
        let steps = Smoother::Chebyshev.steps(2, 0.5, false);
        let sigma = 2.5 / 1.5;
        let bound = 1.0 / (2.0 * sigma * sigma - 1.0);
        for at in 0..=30 {
            let eigenvalue = 0.5 + 0.05 * f64::from(at);
            let reduced = steps.iter().fold(1.0, |reduced, step| match step {
                Step::All(omega) => reduced * (1.0 - omega * eigenvalue),
                Step::Half { .. } => f64::NAN,
            });
            assert!(reduced.abs() <= bound + 1e-12, "{eigenvalue} {reduced}");
        }
    }
}
