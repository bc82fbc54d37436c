//! Reports of solutions.

/// The course of a solution by [`Multigrid`](super::Multigrid).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// `true` if the residual's norm has reached the tolerance.
    pub has_converged: bool,
    /// The norms of the residual `f - A u`, before the first cycle and after each: square roots of sums of squares, in the
    /// units of the right-hand side.
    pub residuals: Vec<f64>,
}

impl Report {
    /// Returns the number of cycles.
    #[must_use]
    pub fn cycles(&self) -> usize {
        self.residuals.len().saturating_sub(1)
    }

    /// Returns the mean factor, over all cycles, by which a cycle has multiplied the residual's norm; `None` before the first
    /// cycle, and for a residual of zero.
    #[must_use]
    pub fn factor(&self) -> Option<f64> {
        let (first, last) = (self.residuals.first()?, self.residuals.last()?);
        let factor = (last / first).powf(1.0 / self.cycles() as f64);
        factor.is_finite().then_some(factor)
    }
}
