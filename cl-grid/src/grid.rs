//! Grids: the positions of their points.

use crate::formula::{Formula, GridNumber};
use cl_algo::{Float, Val};
use cl_array::Array;
use cl_core::{Error, Queue, Result};
use std::rc::Rc;

/// The floating-point numbers in which grids compute.
pub trait GridFloat: GridNumber + Float {
    /// Returns the nearest number.
    fn nearest(value: f64) -> Self;

    /// Returns the number in double precision.
    fn to_f64(self) -> f64;
}

impl GridFloat for f32 {
    fn nearest(value: f64) -> f32 {
        value as f32
    }

    fn to_f64(self) -> f64 {
        self.into()
    }
}

impl GridFloat for f64 {
    fn nearest(value: f64) -> f64 {
        value
    }

    fn to_f64(self) -> f64 {
        self
    }
}

/// A rectangular grid of points in 1 to 3 dimensions. The point at `[i, j, k]` lies at `[x[i], y[j], z[k]]`.
///
/// A grid makes functions of the position and the operators of its derivatives. Positions have the unit of the spacing.
///
/// ```
/// use cl_grid::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let grid = Grid::uniform([5, 5], [0.5, 0.25])?;
/// let f = grid.function::<f32>(|[x, y]| x * x + y).collect_on(&queue)?;
/// let derivative = grid.derivative(0, 1)?; // along x
/// assert_eq!(derivative.of(&f).inside([2, 2]).to_vec()?, [2.0_f32]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<const N: usize> {
    axes: [Axis; N],
}

/// The positions of the points along one axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Axis {
    Uniform { len: usize, origin: f64, spacing: f64 },
    Stretched { points: Rc<[f64]> },
}

impl Axis {
    pub(crate) fn len(&self) -> usize {
        match self {
            Axis::Uniform { len, .. } => *len,
            Axis::Stretched { points } => points.len(),
        }
    }

    /// Returns the position of a point. Beyond the ends of a stretched axis, the distance of the last two points goes on.
    pub(crate) fn position(&self, at: i64) -> f64 {
        match self {
            Axis::Uniform { origin, spacing, .. } => origin + at as f64 * spacing,
            Axis::Stretched { points } => {
                let last = points.len() as i64 - 1;
                let inside = at.clamp(0, last);
                let step = |from: i64| points[(from + 1) as usize] - points[from as usize];
                let beyond = match at {
                    at if at < 0 => step(0),
                    at if at > last => step(last - 1),
                    _ => 0.0,
                };
                points[inside as usize] + beyond * (at - inside) as f64
            }
        }
    }
}

impl<const N: usize> Grid<N> {
    /// Returns the grid whose points have the same distance along each axis. Its first point lies at 0.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a spacing that is not a positive finite number, and for grids that do not have 1 to 3
    /// axes.
    pub fn uniform(shape: [usize; N], spacing: [f64; N]) -> Result<Grid<N>> {
        if !(1..=3).contains(&N) {
            return Err(Error::invalid_input("grid", format!("{N} axes; a grid has 1 to 3")));
        }
        for (axis, &spacing) in spacing.iter().enumerate() {
            if !(spacing > 0.0 && spacing.is_finite()) {
                let reason =
                    format!("the spacing along axis {axis} is {spacing}; it must be a positive number");
                return Err(Error::invalid_input("grid", reason));
            }
        }
        let axis = |axis: usize| Axis::Uniform { len: shape[axis], origin: 0.0, spacing: spacing[axis] };
        Ok(Grid { axes: std::array::from_fn(axis) })
    }

    /// Returns the grid moved so that its first point lies at `origin`.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an origin that is not finite, or so far away that positions no longer increase.
    pub fn with_origin(mut self, origin: [f64; N]) -> Result<Grid<N>> {
        if let Some(axis) = origin.iter().position(|begin| !begin.is_finite()) {
            let reason =
                format!("the origin along axis {axis} is {}; it must be a finite number", origin[axis]);
            return Err(Error::invalid_input("grid", reason));
        }
        for (number, (axis, &begin)) in self.axes.iter_mut().zip(&origin).enumerate() {
            match axis {
                Axis::Uniform { origin, .. } => *origin = begin,
                Axis::Stretched { points } => {
                    let first = points.first().copied().unwrap_or(0.0);
                    *points = points.iter().map(|point| point - first + begin).collect();
                    check_points(number, points)?;
                }
            }
        }
        Ok(self)
    }

    /// Returns the grid with its points along an axis at these positions, which must increase.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an axis that the grid does not have, fewer than two positions, and positions that do not
    /// increase.
    pub fn with_points(mut self, axis: usize, points: &[f64]) -> Result<Grid<N>> {
        if axis >= N || points.len() < 2 {
            let reason =
                format!("{} positions for axis {axis}; a stretched axis, of {N}, needs two", points.len());
            return Err(Error::invalid_input("grid", reason));
        }
        check_points(axis, points)?;
        self.axes[axis] = Axis::Stretched { points: points.into() };
        Ok(self)
    }

    /// Returns the number of points along each axis.
    #[must_use]
    pub fn shape(&self) -> [usize; N] {
        std::array::from_fn(|axis| self.axes[axis].len())
    }

    /// Returns the distance of neighbouring points along an axis; `None` if it is not the same everywhere, or if the grid
    /// does not have the axis.
    #[must_use]
    pub fn spacing(&self, axis: usize) -> Option<f64> {
        match self.axes.get(axis)? {
            Axis::Uniform { spacing, .. } => Some(*spacing),
            Axis::Stretched { .. } => None,
        }
    }

    /// Returns the positions of the points along an axis; none if the grid does not have the axis.
    #[must_use]
    pub fn points(&self, axis: usize) -> Vec<f64> {
        let Some(axis) = self.axes.get(axis) else { return Vec::new() };
        (0..axis.len() as i64).map(|at| axis.position(at)).collect()
    }

    /// Returns the positions of the points along an axis, with one more before the first and one behind the last.
    pub(crate) fn positions_around(&self, axis: usize) -> Vec<f64> {
        let Some(axis) = self.axes.get(axis) else { return Vec::new() };
        (-1..=axis.len() as i64).map(|at| axis.position(at)).collect()
    }

    /// Returns an array of zeros with the shape of the grid.
    ///
    /// # Errors
    /// As [`Array::filled`].
    pub fn zeros<T: GridFloat>(&self, queue: &Queue) -> Result<Array<T, N>> {
        Array::filled(queue, self.shape(), T::zeroed())
    }

    /// Returns the function that a closure computes from the position of a point. The closure is recorded once. The
    /// function has no storage, and has values beyond the borders.
    pub fn function<T: GridFloat>(
        &self,
        closure: impl FnOnce([Val<T>; N]) -> Val<T>,
    ) -> Formula<'static, T, N> {
        if self.axes.iter().all(|axis| matches!(axis, Axis::Uniform { .. })) {
            let formula = Formula::from_fn(|at| {
                closure(std::array::from_fn(|axis| match self.axes[axis] {
                    Axis::Uniform { origin, spacing, .. } => {
                        at[axis].cast::<T>() * Val::known(T::nearest(spacing))
                            + Val::known(T::nearest(origin))
                    }
                    Axis::Stretched { .. } => Val::known(T::zeroed()),
                }))
            });
            return formula.on_grid(self.shape());
        }
        Formula::combine(std::array::from_fn(|axis| self.position(axis)), closure)
    }

    /// Returns the positions of the points along an axis, as a function on the grid. An axis that the grid does not have is
    /// a deferred error.
    ///
    /// ```
    /// use cl_grid::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let grid = Grid::uniform([2, 2], [0.5, 1.0])?.with_points(1, &[1.0, 4.0])?;
    /// let area = grid.position::<f32>(0) * grid.position(1);
    /// assert_eq!(area.collect_on(&queue)?.to_vec()?, [0.0, 0.0, 0.5, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn position<T: GridFloat>(&self, axis: usize) -> Formula<'static, T, N> {
        match self.axes.get(axis) {
            Some(&Axis::Uniform { origin, spacing, .. }) => {
                let position = Formula::from_fn(|at| {
                    at[axis].cast::<T>() * Val::known(T::nearest(spacing)) + Val::known(T::nearest(origin))
                });
                position.on_grid(self.shape())
            }
            _ => self.along(axis, Axis::position),
        }
    }

    /// Returns the function of the coordinate along a stretched axis that `value` computes, also some points beyond its ends.
    pub(crate) fn along<T: GridFloat>(
        &self,
        axis: usize,
        value: impl Fn(&Axis, i64) -> f64,
    ) -> Formula<'static, T, N> {
        let Some(own) = self.axes.get(axis) else { return Formula::along_axis(axis, &[]) };
        let values: Vec<T> =
            (-BEYOND..own.len() as i64 + BEYOND).map(|at| T::nearest(value(own, at))).collect();
        Formula::table(axis, -BEYOND, &values).on_grid(self.shape())
    }
}

/// The number of points beyond each end of a stretched axis at which its functions have values.
const BEYOND: i64 = 8;

/// Returns an error unless positions along an axis increase.
fn check_points(axis: usize, points: &[f64]) -> Result<()> {
    let increases = |pair: &[f64]| pair[0] < pair[1] && (pair[1] - pair[0]).is_finite();
    let Some(at) = points.windows(2).position(|pair| !increases(pair)) else { return Ok(()) };
    let reason = format!(
        "positions {at} and {} along axis {axis} are {} and {}; positions must increase",
        at + 1,
        points[at],
        points[at + 1]
    );
    Err(Error::invalid_input("grid", reason))
}
