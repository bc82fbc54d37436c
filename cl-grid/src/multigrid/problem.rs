//! Elliptic problems on a grid.

use super::boundary::Boundary;
use super::line::Line;
use super::stencil::Stencil;
use crate::border::BorderRule;
use crate::formula::{Formula, IntoFormula};
use crate::grid::{Grid, GridFloat};
use crate::operator::Operator;
use crate::region::Span;
use cl_core::{Error, Result};

/// The equation `-div(k grad u) + c u = f` on the points of a grid, with conditions at the borders.
///
/// Without [`diffusion`](Problem::diffusion) `k` is 1, without [`reaction`](Problem::reaction) `c` is 0: Poisson's equation
/// `-Laplace u = f`. The operator has 3, 5 or 7 points and conserves fluxes, as that of R. J. LeVeque, "Finite Difference
/// Methods for Ordinary and Partial Differential Equations", section 2.15. `k` is averaged between neighbours.
///
/// ```
/// use cl_grid::multigrid::{Boundary, Multigrid, Problem};
/// use cl_grid::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let grid = Grid::uniform([16, 15], [1.0 / 16.0, 1.0 / 16.0])?;
/// let problem = Problem::new(&grid)
///     .boundary_axis(0, Boundary::Periodic)
///     .diffusion(grid.function::<f32>(|[_, y]| 1.0 + y))
///     .reaction(2.0);
/// let u = Array::filled(&queue, [16, 15], 1.0)?;
/// let f = problem.operator()?.of(problem.continued(&u)).collect()?;
/// let (solution, report) = Multigrid::new(&queue, &problem)?.tolerance(1e-5).solve(&f)?;
/// assert!(report.has_converged);
/// assert!((solution.get([5, 5])? - 1.0).abs() < 1e-3);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Problem<'a, T: GridFloat, const N: usize> {
    pub(super) grid: Grid<N>,
    pub(super) boundaries: [Boundary; N],
    pub(super) k: Option<Formula<'a, T, N>>,
    pub(super) c: Option<Formula<'a, T, N>>,
    /// The first deferred error.
    failure: Option<Error>,
}

impl<'a, T: GridFloat, const N: usize> Problem<'a, T, N> {
    /// Returns Poisson's equation on a grid, with the values 0 at the borders.
    pub fn new(grid: &Grid<N>) -> Problem<'a, T, N> {
        Problem { grid: grid.clone(), boundaries: [Boundary::Dirichlet; N], k: None, c: None, failure: None }
    }

    /// Sets the condition at all borders.
    #[must_use]
    pub fn boundary(mut self, boundary: Boundary) -> Self {
        self.boundaries = [boundary; N];
        self
    }

    /// Sets the condition at both ends of one axis. An axis that the grid does not have is a deferred error.
    #[must_use]
    pub fn boundary_axis(mut self, axis: usize, boundary: Boundary) -> Self {
        match self.boundaries.get_mut(axis) {
            Some(own) => *own = boundary,
            None => {
                let reason = format!("axis {axis} of a grid of {N} axes");
                self.failure.get_or_insert_with(|| Error::invalid_input("boundary_axis", reason));
            }
        }
        self
    }

    /// Sets the coefficient `k`: an array, or a function of the position. It should be positive. A function that has values
    /// beyond the borders is read there; otherwise the value at the border is used.
    #[must_use]
    pub fn diffusion(mut self, k: impl IntoFormula<'a, T, N>) -> Self {
        self.k = Some(k.into_formula());
        self
    }

    /// Sets the coefficient `c`: a number, an array, or a function of the position. It should not be negative.
    #[must_use]
    pub fn reaction(mut self, c: impl IntoFormula<'a, T, N>) -> Self {
        self.c = Some(c.into_formula());
        self
    }

    /// Returns the operator. It reads one point on either side: give its operand values there by
    /// [`continued`](Problem::continued).
    ///
    /// # Errors
    /// Deferred errors; [`Error::InvalidInput`] for a grid without points.
    pub fn operator(&self) -> Result<Operator<'a, T, N>> {
        let lines = self.lines()?;
        let (first, k) = (self.first(), self.k_around());
        let stencil = Stencil::new(&lines, first, k, self.c.clone());
        Ok(Operator::of_closure(stencil.data(), move |at| stencil.at_point(at, 0).product))
    }

    /// Continues a function beyond the borders by the conditions of the problem.
    pub fn continued<'b>(&self, u: impl IntoFormula<'b, T, N>) -> Formula<'b, T, N> {
        self.continued_by(u.into_formula(), &BorderRule::Value(T::zeroed()))
    }

    /// Returns the right-hand side of the problem whose values at the Dirichlet borders are those of `values`, which must be
    /// a function that has values beyond the borders, as those of [`Grid::function`].
    ///
    /// ```
    /// use cl_grid::multigrid::{Multigrid, Problem};
    /// use cl_grid::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let grid = Grid::uniform([31], [1.0])?.with_origin([1.0])?;
    /// let problem = Problem::<f32, 1>::new(&grid);
    /// let f = problem.right_hand_side(0.0, grid.function(|[x]| 2.0 * x))?.collect_on(&queue)?;
    /// let (u, _) = Multigrid::new(&queue, &problem)?.tolerance(1e-6).solve(&f)?;
    /// assert!((u.get([9])? - 20.0).abs() < 1e-3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`operator`](Problem::operator).
    pub fn right_hand_side<'b>(
        &self,
        f: impl IntoFormula<'b, T, N>,
        values: impl IntoFormula<'b, T, N>,
    ) -> Result<Formula<'b, T, N>>
    where
        'a: 'b,
    {
        let zero = Formula::zero_on(Some(self.grid.shape()), None);
        let border = BorderRule::Function(values.into_formula());
        let at_border = self.operator()?.of(self.continued_by(zero, &border));
        Ok(f.into_formula() - at_border)
    }

    /// Returns the axes of the finest level.
    pub(super) fn lines(&self) -> Result<[Line; N]> {
        self.failure.as_ref().map_or(Ok(()), |failure| Err(failure.clone()))?;
        lines_of(&self.grid, &self.boundaries)
    }

    /// Returns whether only the solution's differences are determined, because no border and no reaction fix its mean.
    pub(super) fn is_singular(&self) -> bool {
        self.c.is_none() && !self.boundaries.contains(&Boundary::Dirichlet)
    }

    /// Returns the first coordinates of tables on the grid's own arrays.
    fn first(&self) -> [i64; N] {
        self.boundaries.map(|boundary| if boundary == Boundary::Periodic { 0 } else { -1 })
    }

    /// Returns `k` with values at the points and one beyond the borders.
    pub(super) fn k_around(&self) -> Option<Formula<'a, T, N>> {
        let (k, shape) = (self.k.clone()?, self.grid.shape());
        let k = if k.shape().is_some() { k } else { k.on_grid(shape) };
        Some((0..N).fold(k, |k, axis| match self.boundaries[axis] {
            Boundary::Periodic => k.border_axis(axis, BorderRule::Periodic),
            _ if k.node.domain.0[axis].contains(Span { begin: -1, end: shape[axis] as i64 + 1 }) => k,
            _ => k.border_axis(axis, BorderRule::Edge),
        }))
    }

    fn continued_by<'b>(&self, u: Formula<'b, T, N>, dirichlet: &BorderRule<'b, T, N>) -> Formula<'b, T, N> {
        if self.failure.is_some() {
            return Formula::zero_on(u.shape(), self.failure.clone());
        }
        (0..N).fold(u, |u, axis| {
            let border = match self.boundaries[axis] {
                Boundary::Dirichlet => dirichlet.clone(),
                // The flux across the border is zero for any value beyond it.
                Boundary::Reflect | Boundary::Symmetric => BorderRule::Edge,
                Boundary::Periodic => BorderRule::Periodic,
            };
            u.border_axis(axis, border)
        })
    }
}

/// Returns the axes of a grid with conditions at its borders.
pub(super) fn lines_of<const N: usize>(grid: &Grid<N>, boundaries: &[Boundary; N]) -> Result<[Line; N]> {
    let shape = grid.shape();
    if shape.contains(&0) {
        let reason = format!("a grid of shape {shape:?} has no points");
        return Err(Error::invalid_input("multigrid", reason));
    }
    Ok(std::array::from_fn(|axis| Line::new(boundaries[axis], &grid.positions_around(axis))))
}
