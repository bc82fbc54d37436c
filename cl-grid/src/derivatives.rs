//! The operators of a grid: derivatives, averages, transport and diffusion.

use crate::formula::{Formula, IntoFormula};
use crate::grid::{Axis, Grid, GridFloat};
use crate::operator::Operator;
use cl_algo::Val;
use cl_core::{Error, Result};

/// Returns the distance of one point along an axis, or of several.
fn step<const N: usize>(axis: usize, by: isize) -> [isize; N] {
    let mut offset = [0; N];
    offset[axis] = by;
    offset
}

/// Returns the distances of a point to its neighbours before and behind it along an axis.
fn distances(axis: &Axis, at: i64) -> (f64, f64) {
    let own = axis.position(at);
    (own - axis.position(at - 1), axis.position(at + 1) - own)
}

impl<const N: usize> Grid<N> {
    /// Returns a derivative of order 1 to 4 along an axis, by central differences of second order in the spacing.
    ///
    /// Derivatives of orders 1 and 2 read one point on either side, those of orders 3 and 4 two. On a stretched axis the
    /// first derivative is of second order; the second is of first order where the spacing changes abruptly, and of second
    /// order where it changes smoothly.
    ///
    /// After R. J. LeVeque, "Finite Difference Methods for Ordinary and Partial Differential Equations", chapter 1.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an axis that the grid does not have, another order, and orders 3 and 4 along a stretched
    /// axis.
    pub fn derivative<'a, T: GridFloat>(&self, axis: usize, order: usize) -> Result<Operator<'a, T, N>> {
        let fails = |reason: String| Err(Error::invalid_input("derivative", reason));
        if axis >= N {
            return fails(format!("axis {axis} of a grid of {N} axes"));
        }
        let Some(h) = self.spacing(axis) else {
            return match order {
                1 => Ok(self.three_points(axis, |before, after| {
                    let scale = before * after * (before + after);
                    [-after * after / scale, (after - before) / (before * after), before * before / scale]
                })),
                2 => Ok(self.three_points(axis, second)),
                _ => fails(format!("order {order} along axis {axis}, which is stretched: orders 1 and 2")),
            };
        };
        let table: &[(isize, f64)] = match order {
            1 => &[(1, 0.5), (-1, -0.5)],
            2 => &[(1, 1.0), (0, -2.0), (-1, 1.0)],
            3 => &[(2, 0.5), (1, -1.0), (-1, 1.0), (-2, -0.5)],
            4 => &[(2, 1.0), (1, -4.0), (0, 6.0), (-1, -4.0), (-2, 1.0)],
            _ => return fails(format!("order {order}; orders 1 to 4")),
        };
        let scale = h.powi(order as i32);
        let table: Vec<_> =
            table.iter().map(|&(by, factor)| (step(axis, by), T::nearest(factor / scale))).collect();
        Ok(Operator::from_table(&table))
    }

    /// Returns the operator with three coefficients along a stretched axis, which depend on the distances to the neighbours.
    fn three_points<'a, T: GridFloat>(
        &self,
        axis: usize,
        coefficients: impl Fn(f64, f64) -> [f64; 3],
    ) -> Operator<'a, T, N> {
        let tables: [Formula<'a, T, N>; 3] = std::array::from_fn(|at| {
            self.along(axis, |own, point| {
                let (before, after) = distances(own, point);
                coefficients(before, after)[at]
            })
        });
        Operator::with(tables, move |f, [before, own, after]| {
            let here = [0; N];
            before(here) * f(step(axis, -1)) + own(here) * f(here) + after(here) * f(step(axis, 1))
        })
    }

    /// Returns the first derivatives along all axes.
    ///
    /// # Errors
    /// As [`derivative`](Grid::derivative).
    pub fn gradient<'a, T: GridFloat>(&self) -> Result<[Operator<'a, T, N>; N]> {
        let all: Result<Vec<_>> = (0..N).map(|axis| self.derivative(axis, 1)).collect();
        let all = all?;
        Ok(std::array::from_fn(|axis| all[axis].clone()))
    }

    /// Returns the divergence of a vector field: the sum of the derivatives of its components along their own axes.
    ///
    /// # Errors
    /// As [`derivative`](Grid::derivative).
    pub fn divergence<'a, T: GridFloat>(
        &self,
        field: [impl IntoFormula<'a, T, N>; N],
    ) -> Result<Formula<'a, T, N>> {
        let mut sum: Option<Formula<'a, T, N>> = None;
        for (axis, component) in field.into_iter().enumerate() {
            let derivative = self.derivative(axis, 1)?.of(component);
            sum = Some(match sum {
                Some(sum) => sum + derivative,
                None => derivative,
            });
        }
        Ok(sum.unwrap_or_else(|| Formula::number(T::zeroed())))
    }

    /// Returns the Laplacian, the sum of the second derivatives along all axes: 3, 5 or 7 points.
    ///
    /// Exact for polynomials of degree 3 on uniform axes.
    pub fn laplacian<'a, T: GridFloat>(&self) -> Operator<'a, T, N> {
        let spacings: Vec<f64> = (0..N).filter_map(|axis| self.spacing(axis)).collect();
        if spacings.len() < N {
            let terms = (0..N).filter_map(|axis| self.derivative(axis, 2).ok());
            return terms.reduce(|sum, term| sum + term).unwrap_or_else(Operator::zero);
        }
        if spacings.iter().all(|&h| h == spacings[0]) {
            let scale = T::nearest(1.0 / (spacings[0] * spacings[0]));
            let own = T::nearest(-2.0 * N as f64);
            return Operator::new(move |at| {
                let pair = |axis: usize| at(step(axis, 1)) + at(step(axis, -1));
                let around = (1..N).fold(pair(0), |sum, axis| sum + pair(axis));
                (around + Val::known(own) * at([0; N])) * Val::known(scale)
            });
        }
        let weights: Vec<T> =
            (0..N).map(|axis| T::nearest(1.0 / (spacings[axis] * spacings[axis]))).collect();
        Operator::new(move |at| {
            let term = |axis: usize| {
                let second = at(step(axis, 1)) + at(step(axis, -1)) - (at([0; N]) + at([0; N]));
                second * Val::known(weights[axis])
            };
            (1..N).fold(term(0), |sum, axis| sum + term(axis))
        })
    }

    /// Returns the operator `div(k grad u)` for a coefficient `k` on the grid, which is averaged between neighbouring
    /// points. It reads one point on either side of `u` and of `k`.
    ///
    /// The fluxes between points cancel in sums, so that the operator conserves the integral of `u`. The error is of second
    /// order, also along stretched axes whose spacing changes smoothly. After R. J. LeVeque,
    /// "Finite Difference Methods for Ordinary and Partial Differential Equations", section 2.15.
    pub fn diffusion<'a, T: GridFloat>(&self, k: impl IntoFormula<'a, T, N>) -> Operator<'a, T, N> {
        // Half of the inverse of the distance times the width of the cell, for the neighbours before and behind.
        let mut data = vec![k.into_formula()];
        for axis in 0..N {
            let half = |side: fn((f64, f64)) -> f64| match self.spacing(axis) {
                Some(h) => Formula::number(T::nearest(0.5 / (h * h))),
                None => self.along(axis, |own, at| {
                    let (before, after) = distances(own, at);
                    1.0 / (side((before, after)) * (before + after))
                }),
            };
            data.push(half(|(before, _)| before));
            data.push(half(|(_, after)| after));
        }
        Operator::of_closure(data, |at| {
            // Inputs: u, k, then the two weights of each axis.
            let here = [0; N];
            let flux = |axis: usize, by: isize, weight: usize| {
                let there = step(axis, by);
                (at((1, here)) + at((1, there))) * (at((0, there)) - at((0, here))) * at((weight, here))
            };
            let both = |axis: usize| flux(axis, -1, 2 + 2 * axis) + flux(axis, 1, 3 + 2 * axis);
            (1..N).fold(both(0), |sum, axis| sum + both(axis))
        })
    }

    /// Returns the first derivative along an axis by the neighbour that a velocity comes from: of first order, and stable for
    /// transport. Needs a uniform axis.
    ///
    /// After R. J. LeVeque, "Finite Volume Methods for Hyperbolic Problems", section 4.8.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an axis that the grid does not have or that is stretched.
    pub fn upwind<'a, T: GridFloat>(
        &self,
        axis: usize,
        velocity: impl IntoFormula<'a, T, N>,
    ) -> Result<Operator<'a, T, N>> {
        let Some(h) = self.spacing(axis) else {
            let reason = format!("axis {axis} of a grid of {N} axes; it must be uniform");
            return Err(Error::invalid_input("upwind", reason));
        };
        let inverse = T::nearest(1.0 / h);
        Ok(Operator::with([velocity], move |f, [velocity]| {
            let here = [0; N];
            let behind = f(here) - f(step(axis, -1));
            let ahead = f(step(axis, 1)) - f(here);
            velocity(here).gt(T::zeroed()).select(behind, ahead) * Val::known(inverse)
        }))
    }

    /// Returns the mean of a point and the next one along an axis: the value in the middle between both, of second order.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for an axis that the grid does not have.
    pub fn midpoint<'a, T: GridFloat>(&self, axis: usize) -> Result<Operator<'a, T, N>> {
        if axis >= N {
            return Err(Error::invalid_input("midpoint", format!("axis {axis} of a grid of {N} axes")));
        }
        let half = T::nearest(0.5);
        Ok(Operator::new(move |at| (at([0; N]) + at(step(axis, 1))) * Val::known(half)))
    }

    /// Returns the integral of a function over the cells of the grid's points. A cell reaches to the middle between its
    /// point and the neighbours; at a border it is as wide as between the last two points.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a function on a grid of another shape; as [`Formula::collect`].
    pub fn integral<'a, T: GridFloat>(&self, function: impl IntoFormula<'a, T, N>) -> Result<T> {
        let mut volume = 1.0;
        let mut formula = function.into_formula();
        if let Some(shape) = formula.shape().filter(|shape| *shape != self.shape()) {
            let reason =
                format!("a function on a grid of shape {shape:?}, over a grid of shape {:?}", self.shape());
            return Err(Error::invalid_input("integral", reason));
        }
        for axis in 0..N {
            match self.spacing(axis) {
                Some(h) => volume *= h,
                None => {
                    formula = formula
                        * self.along(axis, |own, at| {
                            let (before, after) = distances(own, at);
                            0.5 * (before + after)
                        });
                }
            }
        }
        (formula * Formula::number(T::nearest(volume))).sum()
    }
}

impl Grid<2> {
    /// Returns the Laplacian of 9 points, whose error does not depend on the direction to lowest order. The grid needs one
    /// spacing for both axes. The error is of second order, of fourth for biharmonic functions, and of sixth for harmonic
    /// ones.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for stretched axes and different spacings.
    pub fn laplacian_9<'a, T: GridFloat>(&self) -> Result<Operator<'a, T, 2>> {
        isotropic(self, 6.0, &[-20.0, 4.0, 1.0])
    }
}

impl Grid<3> {
    /// Returns the Laplacian of 27 points, whose error does not depend on the direction to lowest order. The grid needs one
    /// spacing for all axes.
    ///
    /// After R. C. O'Reilly and J. M. Beck, "A family of large-stencil discrete Laplacian approximations in three
    /// dimensions", 2006.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for stretched axes and different spacings.
    pub fn laplacian_27<'a, T: GridFloat>(&self) -> Result<Operator<'a, T, 3>> {
        isotropic(self, 30.0, &[-128.0, 14.0, 3.0, 1.0])
    }
}

/// Returns the operator whose coefficients depend on the number of axes along which a neighbour differs.
fn isotropic<'a, T: GridFloat, const N: usize>(
    grid: &Grid<N>,
    divisor: f64,
    coefficients: &[f64],
) -> Result<Operator<'a, T, N>> {
    let Some(h) = grid.spacing(0).filter(|&h| (1..N).all(|axis| grid.spacing(axis) == Some(h))) else {
        let reason = "the axes must be uniform and have the same spacing";
        return Err(Error::invalid_input("laplacian", reason));
    };
    let mut table = Vec::new();
    for at in 0..3_usize.pow(N as u32) {
        let offset: [isize; N] = std::array::from_fn(|axis| (at / 3_usize.pow(axis as u32) % 3) as isize - 1);
        let axes = offset.iter().filter(|&&by| by != 0).count();
        table.push((offset, T::nearest(coefficients[axes] / (divisor * h * h))));
    }
    Ok(Operator::from_table(&table))
}

/// Returns the coefficients of the second derivative for the distances to both neighbours.
fn second(before: f64, after: f64) -> [f64; 3] {
    let sum = before + after;
    [2.0 / (before * sum), -2.0 / (before * after), 2.0 / (after * sum)]
}
