//! The coarsest level: a dense inverse, computed on the host.

use super::line::Line;
use super::transfer::Shapes;
use cl_core::{Error, Result};

/// The matrix of the operator on a level with few points, in row-major order.
struct Dense {
    size: usize,
    rows: Vec<f64>,
}

/// Returns the inverse of the operator on a level, in row-major order.
///
/// `k` has a value for each point of the padded arrays, `c` for each point. If only differences of the solution are
/// determined, the inverse gives the solution whose mean, weighted by the widths of the cells, is zero.
pub(super) fn inverse<const N: usize>(
    lines: &[Line; N],
    k: Option<&[f64]>,
    c: Option<&[f64]>,
    is_singular: bool,
) -> Result<Vec<f64>> {
    let shape = lines.each_ref().map(Line::len);
    let padding = lines.each_ref().map(Line::padding);
    let padded: [usize; N] = std::array::from_fn(|axis| shape[axis] + 2 * padding[axis]);
    let size: usize = shape.iter().product();
    let index = |shape: &[usize; N], at: [usize; N]| (0..N).fold(0, |sum, axis| sum * shape[axis] + at[axis]);
    let mut matrix = Dense { size, rows: vec![0.0; size * size] };
    let mut cells = vec![1.0; size];
    for row in 0..size {
        let mut rest = row;
        let mut at = [0; N];
        for axis in (0..N).rev() {
            (at[axis], rest) = (rest % shape[axis], rest / shape[axis]);
        }
        let mut diagonal = c.map_or(0.0, |c| c[row]);
        for axis in 0..N {
            let line = &lines[axis];
            cells[row] *= line.widths[at[axis]];
            for (side, coefficient) in line.coefficients(at[axis]).into_iter().enumerate() {
                // The coordinate of the neighbour in a padded array.
                let len = padded[axis];
                let there = (at[axis] + padding[axis] + len + 2 * side - 1) % len;
                let coefficient = coefficient
                    * k.map_or(1.0, |k| {
                        let mut place: [usize; N] = std::array::from_fn(|axis| at[axis] + padding[axis]);
                        let own = k[index(&padded, place)];
                        place[axis] = there;
                        0.5 * (own + k[index(&padded, place)])
                    });
                diagonal += coefficient;
                let neighbour = there.checked_sub(padding[axis]).filter(|&there| there < shape[axis]);
                if let Some(there) = neighbour {
                    let mut place = at;
                    place[axis] = there;
                    matrix.rows[row * size + index(&shape, place)] -= coefficient;
                }
            }
        }
        matrix.rows[row * size + row] += diagonal;
    }
    if !is_singular {
        return matrix.inverse();
    }
    // Constants are mapped to a multiple of themselves, and not to zero.
    let total: f64 = cells.iter().sum();
    let scale = (0..size).map(|row| matrix.rows[row * size + row].abs()).fold(1e-300, f64::max);
    for row in matrix.rows.chunks_mut(size) {
        row.iter_mut().zip(&cells).for_each(|(item, cell)| *item += scale * cell / total);
    }
    let mut inverse = matrix.inverse()?;
    for column in 0..size {
        let mean = (0..size).map(|row| inverse[row * size + column] * cells[row]).sum::<f64>() / total;
        (0..size).for_each(|row| inverse[row * size + column] -= mean);
    }
    Ok(inverse)
}

/// The maximal number of elements of an inverse that is extended by zeros. Thin levels have many times as many elements with
/// padding: 1 x 1 x 100 points have 918 in place of 100, and inverses of 842 724 elements in place of 10 000.
const MOST_ELEMENTS: usize = 512 * 512;

/// Returns a matrix over the points of a level, in row-major order, as one over its arrays with padding, for which it has zeros.
/// Returns the matrix as it is if it would become too large.
pub(super) fn with_padding<const N: usize>(shapes: &Shapes<N>, matrix: Vec<f64>) -> Vec<f64> {
    let all: usize = shapes.padded.iter().product();
    if all * all > MOST_ELEMENTS {
        return matrix;
    }
    let points: Vec<usize> = (0..all)
        .filter(|&number| {
            let mut rest = number;
            (0..N).rev().all(|axis| {
                let at = rest % shapes.padded[axis];
                rest /= shapes.padded[axis];
                (shapes.padding[axis]..shapes.padding[axis] + shapes.points[axis]).contains(&at)
            })
        })
        .collect();
    let mut padded = vec![0.0; all * all];
    for (row, &to_row) in matrix.chunks(points.len().max(1)).zip(&points) {
        row.iter().zip(&points).for_each(|(&item, &to)| padded[to_row * all + to] = item);
    }
    padded
}

impl Dense {
    /// Returns the inverse, by the elimination of Gauss and Jordan with the largest pivot of each column.
    fn inverse(mut self) -> Result<Vec<f64>> {
        let size = self.size;
        let mut inverse = vec![0.0; size * size];
        (0..size).for_each(|at| inverse[at * size + at] = 1.0);
        // Smaller pivots are rounding errors.
        let least = 1e-13 * self.rows.iter().fold(0.0, |largest, item| f64::max(largest, item.abs()));
        for column in 0..size {
            let item = |row: usize| self.rows[row * size + column].abs();
            let pivot =
                (column..size).fold(column, |best, row| if item(row) > item(best) { row } else { best });
            if !(item(pivot) > least && item(pivot).is_finite()) {
                let reason = "the operator has no inverse on the coarsest level: `k` must be positive, and `c` positive, or \
                              not set, if there is no Dirichlet border";
                return Err(Error::invalid_input("multigrid", reason));
            }
            for matrix in [&mut self.rows, &mut inverse] {
                (0..size).for_each(|at| matrix.swap(pivot * size + at, column * size + at));
            }
            let scale = 1.0 / self.rows[column * size + column];
            for matrix in [&mut self.rows, &mut inverse] {
                matrix[column * size..][..size].iter_mut().for_each(|item| *item *= scale);
            }
            for row in (0..size).filter(|&row| row != column) {
                let factor = self.rows[row * size + column];
                if factor == 0.0 {
                    continue;
                }
                for matrix in [&mut self.rows, &mut inverse] {
                    let source = matrix[column * size..][..size].to_vec();
                    let target = &mut matrix[row * size..][..size];
                    target.iter_mut().zip(source).for_each(|(item, from)| *item -= factor * from);
                }
            }
        }
        Ok(inverse)
    }
}

#[cfg(test)]
mod tests {
    use super::super::boundary::Boundary;
    use super::*;

    #[test]
    fn inverses_solve() {
        let positions: Vec<f64> = (0..6).map(f64::from).collect();
        let line = Line::new(Boundary::Dirichlet, &positions);
        let inverse = inverse(&[line], None, None, false).unwrap();
        // -u'' = 1 has the solution x (5 - x) / 2.
        for (row, wanted) in inverse.chunks(4).zip([2.0, 3.0, 3.0, 2.0]) {
            assert!((row.iter().sum::<f64>() - wanted).abs() < 1e-12);
        }
    }

    #[test]
    fn singular_operators_give_the_solution_of_mean_zero() {
        let positions: Vec<f64> = (0..6).map(f64::from).collect();
        let line = Line::new(Boundary::Symmetric, &positions);
        let inverse = inverse(&[line], None, None, true).unwrap();
        let f = [1.0, -1.0, -1.0, 1.0];
        let u: Vec<f64> = inverse.chunks(4).map(|row| row.iter().zip(f).map(|(a, b)| a * b).sum()).collect();
        assert!(u.iter().sum::<f64>().abs() < 1e-12);
        assert!((u[0] - u[1] - 1.0).abs() < 1e-12 && (2.0 * u[1] - u[0] - u[2] + 1.0).abs() < 1e-12);
    }

    #[test]
    fn operators_without_inverse_are_errors() {
        let positions: Vec<f64> = (0..4).map(f64::from).collect();
        let line = Line::new(Boundary::Symmetric, &positions);
        assert!(inverse(&[line], None, None, false).is_err());
    }
}
