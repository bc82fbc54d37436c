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
    /// The fine points that are coarse ones, in ascending order.
    pub(super) points: Vec<usize>,
    /// For each fine point, the weights of the coarse points before and behind it. A fine point that is a coarse one
    /// takes it as the point before.
    pub(super) prolongation: Vec<[f64; 2]>,
    /// For each coarse point, the weights of the fine points from the second one before it to the second one behind it.
    pub(super) restriction: Vec<[f64; TAPS]>,
}

/// The number of fine points that a coarse point is a mean of.
pub(super) const TAPS: usize = 5;

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

    /// Returns whether the distances within the axis differ little, so that one decision fits all points.
    pub(super) fn is_nearly_uniform(&self) -> bool {
        let first = usize::from(self.boundary != Boundary::Periodic);
        let within = &self.gaps[first..self.len().max(first)];
        let largest = within.iter().fold(0.0, |largest, gap| f64::max(largest, *gap));
        within.iter().all(|gap| 1.7 * gap >= largest)
    }

    /// Returns the axis of every second point, and the weights of the way to it. On a circle, no two coarse points are
    /// neighbours.
    pub(super) fn coarser(&self) -> (Line, Weights) {
        let is_last_of_odd =
            |point: usize| self.boundary == Boundary::Periodic && point > 0 && point + 1 == self.len();
        self.with_points(
            (self.first()..self.len()).step_by(2).filter(|&point| !is_last_of_odd(point)).collect(),
        )
    }

    /// Returns the axis without every second one of the points whose largest coefficient is at least `least`, and the
    /// weights of the way to it; `None` if no point is left out.
    ///
    /// Points that are coupled less are left out on a coarser level, when the others are coupled as little. So a smoother of
    /// points reduces all that the next level does not have, also where the distances of points differ much.
    pub(super) fn coarser_where(&self, least: f64) -> Option<(Line, Weights)> {
        let is_strong = |point: usize| self.coefficients(point).into_iter().fold(0.0, f64::max) >= least;
        let mut points = Vec::new();
        let mut is_kept = true;
        for point in 0..self.len() {
            let may_go = point > 0 || self.boundary == Boundary::Dirichlet;
            let is_neighbour_of_first = self.boundary == Boundary::Periodic && point + 1 == self.len();
            is_kept = !(may_go && is_kept && !is_neighbour_of_first && is_strong(point));
            if is_kept {
                points.push(point);
            }
        }
        (!points.is_empty() && points.len() < self.len()).then(|| self.with_points(points))
    }

    /// Returns the axis of some of the points, and the weights of the way to it. At most two neighbours are left out.
    ///
    /// The prolongation is linear between the coarse points, and constant beyond the last one where the derivative is zero.
    /// The restriction is its transpose in the widths of the cells: for all `u` on the axis and all `v` on the coarse axis,
    /// the integral of `(R u) v` over the coarse cells is that of `u (P v)` over the cells. So it conserves integrals, and
    /// constants.
    fn with_points(&self, points: Vec<usize>) -> (Line, Weights) {
        let (len, count) = (self.len(), points.len());
        let is_circle = self.boundary == Boundary::Periodic;
        let positions = self.positions();
        let at = |point: usize| positions[point + 1];
        let period = positions[len + 1] - positions[1];
        let is_coarse = |point: usize| points.binary_search(&point).is_ok();
        let prolongation: Vec<[f64; 2]> = (0..len)
            .map(|point| {
                let next = match points.binary_search(&point) {
                    Ok(_) => return [1.0, 0.0],
                    Err(next) => next,
                };
                let border = |position: f64| (self.boundary == Boundary::Dirichlet).then_some(position);
                let before = match next.checked_sub(1) {
                    Some(before) => Some(at(points[before])),
                    None if is_circle => Some(at(points[count - 1]) - period),
                    None => border(positions[0]),
                };
                let behind = match points.get(next) {
                    Some(&behind) => Some(at(behind)),
                    None if is_circle => Some(at(points[0]) + period),
                    None => border(positions[len + 1]),
                };
                match (before, behind) {
                    (Some(before), Some(behind)) => {
                        let whole = behind - before;
                        [(behind - at(point)) / whole, (at(point) - before) / whole]
                    }
                    (None, _) => [0.0, 1.0],
                    (_, None) => [1.0, 0.0],
                }
            })
            .collect();
        let (mut widths, mut restriction) = (Vec::new(), Vec::new());
        for &own in &points {
            let mut weights = [0.0; TAPS];
            weights[TAPS / 2] = self.widths[own];
            // Neighbours before read this point as the one behind them, and the other way round.
            for side in [0, 1] {
                let mut point = own;
                for distance in 1..=TAPS / 2 {
                    let next = match side {
                        0 => point.checked_sub(1).or_else(|| is_circle.then(|| len - 1)),
                        _ => Some(point + 1).filter(|&next| next < len).or_else(|| is_circle.then_some(0)),
                    };
                    let Some(next) = next.filter(|&next| !is_coarse(next)) else { break };
                    point = next;
                    let tap = if side == 0 { TAPS / 2 - distance } else { TAPS / 2 + distance };
                    weights[tap] = self.widths[point] * prolongation[point][1 - side];
                }
            }
            let width: f64 = weights.iter().sum();
            widths.push(width);
            restriction.push(weights.map(|weight| weight / width));
        }
        let mut gaps = vec![at(points[0]) - positions[0]];
        gaps.extend(points.windows(2).map(|pair| at(pair[1]) - at(pair[0])));
        gaps.push(positions[len + 1] - at(points[count - 1]));
        if is_circle {
            gaps[count] = at(points[0]) + period - at(points[count - 1]);
            gaps[0] = gaps[count];
        }
        (Line { boundary: self.boundary, gaps, widths }, Weights { points, prolongation, restriction })
    }
}

impl Weights {
    /// Returns whether the coarse points are every second one, with at most one fine point between two.
    pub(super) fn are_of_pairs(&self) -> bool {
        let first = self.points.first().is_some_and(|&first| first < 2);
        let last = self.points.last().is_some_and(|&last| last + 2 >= self.prolongation.len());
        let is_circle_of_odd = self.restriction.iter().any(|taps| taps[0] != 0.0 || taps[TAPS - 1] != 0.0);
        first && last && !is_circle_of_odd && self.points.windows(2).all(|pair| pair[1] - pair[0] == 2)
    }

    /// Returns whether the weights are those of uniform distances: halves of two coarse points, and a quarter, a half and a
    /// quarter of three fine points.
    pub(super) fn are_linear(&self) -> bool {
        let is = |value: f64, wanted: f64| (value - wanted).abs() < 1e-12;
        self.prolongation.iter().all(|&[before, _]| is(before, 1.0) || is(before, 0.5))
            && self.prolongation.iter().all(|&[before, behind]| is(before + behind, 1.0))
            && self
                .restriction
                .iter()
                .all(|&[_, before, own, behind, _]| is(before, 0.25) && is(own, 0.5) && is(behind, 0.25))
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
        assert_eq!((circle.gaps, &weights.points[..]), (vec![3.0, 2.0, 3.0], &[0, 2][..]));
        let third = 1.0 / 3.0;
        let wanted = [[1.0, 0.0], [0.5, 0.5], [1.0, 0.0], [2.0 * third, third], [third, 2.0 * third]];
        let differs = |(a, b): (&[f64; 2], &[f64; 2])| (a[0] - b[0]).abs() + (a[1] - b[1]).abs() > 1e-15;
        assert!(!weights.prolongation.iter().zip(&wanted).any(differs), "{weights:?}");
        assert!(!weights.are_of_pairs());
        let (reflect, _) = line(Boundary::Reflect, 5).coarser();
        assert_eq!(reflect.widths, [1.0, 2.0, 1.0]);
        let (cells, weights) = line(Boundary::Symmetric, 4).coarser();
        assert_eq!(cells.widths, [1.5, 2.5]);
        assert_eq!(weights.prolongation[3], [1.0, 0.0]);
        assert!(weights.are_of_pairs());
    }

    /// Checks the transposes of each other, for all sizes and borders, and for points at any distances.
    #[test]
    fn restrictions_are_transposes_in_the_widths_of_cells() {
        let check = |fine: &Line, (coarse, weights): (Line, Weights), case: &str| {
            let (len, count) = (fine.len(), coarse.len());
            let mut matrix = vec![vec![0.0; count]; len];
            for (point, row) in matrix.iter_mut().enumerate() {
                let behind = weights.points.partition_point(|&coarse| coarse <= point);
                for (to, weight) in [(behind + count - 1, 0), (behind, 1)] {
                    let is_within = fine.boundary == Boundary::Periodic
                        || (count..2 * count).contains(&(to + weight * count));
                    if is_within {
                        row[to % count] += weights.prolongation[point][weight];
                    }
                }
            }
            let mut transposed = vec![vec![0.0; count]; len];
            for (number, (taps, &own)) in weights.restriction.iter().zip(&weights.points).enumerate() {
                for (tap, weight) in taps.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                    transposed[(own + 2 * len + tap - 2) % len][number] += weight * coarse.widths[number];
                }
            }
            for (point, (row, other)) in matrix.iter().zip(&transposed).enumerate() {
                for (a, b) in row.iter().zip(other) {
                    assert!(
                        (a * fine.widths[point] - b).abs() < 1e-12 * fine.widths[point],
                        "{case}: {point}"
                    );
                }
                let is_constant = fine.boundary != Boundary::Dirichlet;
                assert!(!is_constant || (row.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{case}");
            }
        };
        for boundary in ALL {
            for len in 3..20 {
                check(&line(boundary, len), line(boundary, len).coarser(), &format!("{boundary:?} {len}"));
                let positions: Vec<f64> = (0..len + 2).map(|at| 1.5_f64.powi(at as i32)).collect();
                let mut fine = Line::new(boundary, &positions);
                assert!(!fine.is_nearly_uniform() || len < 4);
                check(&fine, fine.coarser(), &format!("{boundary:?} {len}, stretched"));
                // Down to the last points.
                while let Some((coarse, weights)) = fine.coarser_where(0.35 * fine.strength()) {
                    let case = format!("{boundary:?} {len}, {fine:?}");
                    check(&fine, (coarse.clone(), weights), &case);
                    fine = coarse;
                }
            }
        }
    }
}
