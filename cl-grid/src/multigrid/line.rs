//! One axis of a level: distances, cells, and the way to the next coarser axis.

use super::boundary::Boundary;

/// The points along one axis of a level.
///
/// A point has a cell, whose width is that of the part of the axis for which the point's value stands. The flux between
/// neighbours is the conductance of the face between them times the difference of their values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) boundary: Boundary,
    /// The distances of neighbours: before each point, and behind the last one.
    gaps: Vec<f64>,
    /// The widths of the cells.
    pub(super) widths: Vec<f64>,
}

/// The weights of the way between a fine axis and a coarse one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Weights {
    /// For each fine point, the weights of the coarse points before and behind it. A fine point that is a coarse one
    /// takes it as the point before.
    pub(super) prolongation: Vec<[f64; 2]>,
    /// For each coarse point, the weights of the fine point before it, at it, and behind it.
    pub(super) restriction: Vec<[f64; 3]>,
}

impl Line {
    /// Returns the axis of a grid whose points, with one more at each end, have these positions.
    pub(super) fn new(boundary: Boundary, positions: &[f64]) -> Line {
        let mut gaps: Vec<f64> = positions.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let last = gaps.len() - 1;
        if boundary == Boundary::Periodic {
            // The distance from the last point to the first one.
            gaps[0] = gaps[last];
        }
        let reach = |face: usize| match boundary {
            Boundary::Reflect if face == 0 || face == last => 0.0,
            _ => gaps[face] / 2.0,
        };
        let widths = (0..last).map(|point| reach(point) + reach(point + 1)).collect();
        // The only point of an axis with its border on the point has the whole axis.
        let mut line = Line { boundary, gaps, widths };
        if boundary == Boundary::Reflect && line.len() == 1 {
            line.widths[0] = line.gaps[0];
        }
        line
    }

    pub(super) fn len(&self) -> usize {
        self.widths.len()
    }

    /// Returns the number of points beyond each end that the arrays of a level have.
    pub(super) fn padding(&self) -> usize {
        usize::from(self.boundary != Boundary::Periodic)
    }

    /// Returns the conductance of the face before a point, or behind the last one.
    fn conductance(&self, face: usize) -> f64 {
        let is_end = face == 0 || face == self.len();
        match self.boundary {
            Boundary::Reflect | Boundary::Symmetric if is_end => 0.0,
            Boundary::Periodic if self.len() == 1 => 0.0,
            _ => 1.0 / self.gaps[face],
        }
    }

    /// Returns the coefficients of the differences to the neighbours before and behind a point.
    pub(super) fn coefficients(&self, point: usize) -> [f64; 2] {
        [point, point + 1].map(|face| self.conductance(face) / self.widths[point])
    }

    /// Returns the coefficient of the differences to all neighbours, if it is the same everywhere.
    pub(super) fn uniform(&self) -> Option<f64> {
        let first = self.coefficients(0)[0];
        let is_same = |value: f64| (value - first).abs() <= 1e-9 * first;
        (0..self.len()).all(|point| self.coefficients(point).into_iter().all(is_same)).then_some(first)
    }

    /// Returns the largest coefficient.
    pub(super) fn strength(&self) -> f64 {
        (0..self.len()).flat_map(|point| self.coefficients(point)).fold(0.0, f64::max)
    }

    /// Returns the positions of the points, with one more at each end, where the first of these is 0.
    pub(super) fn positions(&self) -> Vec<f64> {
        let mut position = 0.0;
        std::iter::once(0.0)
            .chain(self.gaps.iter().map(|gap| {
                position += gap;
                position
            }))
            .collect()
    }

    /// Returns the fine point that is the first coarse one.
    pub(super) fn first(&self) -> usize {
        usize::from(self.boundary == Boundary::Dirichlet)
    }

    /// Returns whether the axis has a coarser one.
    pub(super) fn can_coarsen(&self) -> bool {
        self.len() >= 2 + self.first()
    }

    /// Returns the axis of every second point, and the weights of the way to it.
    ///
    /// The prolongation is linear between the coarse points, and constant beyond the last one where the derivative is zero.
    /// The restriction is its transpose, divided by the widths of the cells, so that it conserves integrals, and constants.
    pub(super) fn coarser(&self) -> (Line, Weights) {
        let (len, first) = (self.len(), self.first());
        let count = (len - first).div_ceil(2);
        let is_circle = self.boundary == Boundary::Periodic;
        let prolongation: Vec<[f64; 2]> = (0..len)
            .map(|point| {
                if (point + first).is_multiple_of(2) {
                    return [1.0, 0.0];
                }
                let has_next = (point + 1 - first) / 2 < count || is_circle;
                if !has_next && self.boundary != Boundary::Dirichlet {
                    return [1.0, 0.0];
                }
                let (before, behind) = (self.gaps[point], self.gaps[point + 1]);
                [behind / (before + behind), before / (before + behind)]
            })
            .collect();
        let (mut widths, mut restriction) = (Vec::new(), Vec::new());
        let mut gaps = Vec::new();
        for coarse in 0..count {
            let own = 2 * coarse + first;
            let neighbour = |point: Option<usize>, side: usize| {
                point.map_or(0.0, |point| {
                    let is_coarse = (point + first).is_multiple_of(2);
                    if is_coarse { 0.0 } else { self.widths[point] * prolongation[point][side] }
                })
            };
            let before = own.checked_sub(1).or_else(|| is_circle.then(|| len - 1));
            let behind = Some(own + 1).filter(|&next| next < len).or_else(|| is_circle.then_some(0));
            // The neighbour before reads this point as the one behind it, and the other way round.
            let weights = [neighbour(before, 1), self.widths[own], neighbour(behind, 0)];
            let width: f64 = weights.iter().sum();
            widths.push(width);
            restriction.push(weights.map(|weight| weight / width));
            gaps.push(if own == 0 { self.gaps[0] } else { self.gaps[own - 1] + self.gaps[own] });
        }
        let last = 2 * (count - 1) + first;
        gaps.push(self.gaps[last + 1..].iter().sum());
        if is_circle {
            gaps[0] = gaps[count];
        }
        (Line { boundary: self.boundary, gaps, widths }, Weights { prolongation, restriction })
    }
}

impl Weights {
    /// Returns whether the weights are those of uniform distances: halves of two coarse points, and a quarter, a half and a
    /// quarter of three fine points.
    pub(super) fn are_linear(&self) -> bool {
        let is = |value: f64, wanted: f64| (value - wanted).abs() < 1e-12;
        self.prolongation.iter().all(|&[before, _]| is(before, 1.0) || is(before, 0.5))
            && self.prolongation.iter().all(|&[before, behind]| is(before + behind, 1.0))
            && self
                .restriction
                .iter()
                .all(|&[before, own, behind]| is(before, 0.25) && is(own, 0.5) && is(behind, 0.25))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(boundary: Boundary, len: usize) -> Line {
        let positions: Vec<f64> = (0..len + 2).map(|at| at as f64).collect();
        Line::new(boundary, &positions)
    }

    const ALL: [Boundary; 4] =
        [Boundary::Dirichlet, Boundary::Reflect, Boundary::Symmetric, Boundary::Periodic];

    #[test]
    fn restrictions_keep_constants_and_cells_fill_the_axis() {
        for boundary in ALL {
            for len in 3..20 {
                let fine = line(boundary, len);
                let (coarse, weights) = fine.coarser();
                for weights in &weights.restriction {
                    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                }
                let total = |line: &Line| line.widths.iter().sum::<f64>();
                // Between a Dirichlet border and the first coarse point, half of the fine point's cell has no coarse cell.
                let lost = match boundary {
                    Boundary::Dirichlet => 0.5 + 0.5 * (len % 2) as f64,
                    _ => 0.0,
                };
                assert!((total(&fine) - total(&coarse) - lost).abs() < 1e-12, "{boundary:?} {len}");
            }
        }
    }

    #[test]
    fn ends_keep_their_distance() {
        let (even, _) = line(Boundary::Dirichlet, 8).coarser();
        assert_eq!(even.gaps, [2.0, 2.0, 2.0, 2.0, 1.0]);
        assert_eq!(even.widths, [2.0, 2.0, 2.0, 1.5]);
        let (odd, weights) = line(Boundary::Dirichlet, 7).coarser();
        assert_eq!(odd.gaps, [2.0; 4]);
        assert!(weights.are_linear() && odd.uniform() == Some(0.25));
        let (circle, weights) = line(Boundary::Periodic, 5).coarser();
        assert_eq!(circle.gaps, [1.0, 2.0, 2.0, 1.0]);
        assert_eq!(weights.prolongation, [[1.0, 0.0], [0.5, 0.5], [1.0, 0.0], [0.5, 0.5], [1.0, 0.0]]);
        let (reflect, _) = line(Boundary::Reflect, 5).coarser();
        assert_eq!(reflect.widths, [1.0, 2.0, 1.0]);
        let (cells, weights) = line(Boundary::Symmetric, 4).coarser();
        assert_eq!(cells.widths, [1.5, 2.5]);
        assert_eq!(weights.prolongation[3], [1.0, 0.0]);
    }
}
