//! Cubic interpolation from the points of a coarse axis.

use super::boundary::Boundary;
use super::line::Line;
use crate::grid::GridFloat;
use cl_algo::Expr;
use cl_array::{Array, ArrayExpr, ArrayOperand};
use cl_core::Result;

/// The number of coarse points that a value is interpolated from.
const NODES: usize = 4;

/// A coarse point, or one beyond a border, whose value is that of a coarse point, or zero.
#[derive(Clone, Copy, Debug)]
struct Node {
    position: f64,
    /// The coarse point with the value; `None` if the value is zero.
    source: Option<usize>,
}

/// Returns the cubic interpolation of an array of the coarse grid, along one axis after the other: a kernel for each.
pub(super) fn cubic<T: GridFloat, const N: usize>(
    lines: &[Line; N],
    coarse: &Array<T, N>,
) -> Result<Array<T, N>> {
    let queue = coarse.queue();
    let mut current = coarse.try_clone()?;
    for (axis, line) in lines.iter().enumerate() {
        let rows: Vec<[(usize, f64); NODES]> = weights(line);
        let mut shape = current.shape();
        shape[axis] = line.len();
        let mut along = [1; N];
        along[axis] = line.len();
        let mut next = Array::zeros(queue, shape)?;
        let mut sum: Option<Expr<'_, T>> = None;
        for node in 0..NODES {
            let sources: Vec<u32> = rows.iter().map(|row| row[node].0 as u32).collect();
            let factors: Vec<T> = rows.iter().map(|row| T::nearest(row[node].1)).collect();
            let sources = Array::from_slice(queue, [line.len()], &sources)?;
            let factors = Array::from_slice(queue, along, &factors)?;
            let factors = factors.into_array_expr().broadcast(shape).into_ranked();
            let term = current.iter().take(axis, sources).into_ranked() * factors;
            sum = Some(match sum {
                None => term,
                Some(sum) => sum + term,
            });
        }
        if let Some(sum) = sum {
            next.assign(ArrayExpr::from_ranked(sum, shape))?;
        }
        current = next;
    }
    Ok(current)
}

/// Returns, for each fine point, the coarse points that it is interpolated from, and their weights.
fn weights(line: &Line) -> Vec<[(usize, f64); NODES]> {
    let nodes = nodes(line);
    let positions = line.positions();
    let row = |&at: &f64| {
        let mut nearest = nodes.clone();
        nearest.sort_by(|a, b| (a.position - at).abs().total_cmp(&(b.position - at).abs()));
        nearest.truncate(NODES);
        let mut row = [(0, 0.0); NODES];
        for (place, node) in row.iter_mut().zip(&nearest) {
            let others = nearest.iter().filter(|other| other.position != node.position);
            let weight: f64 =
                others.map(|other| (at - other.position) / (node.position - other.position)).product();
            if let Some(source) = node.source {
                *place = (source, weight);
            }
        }
        row
    };
    positions[1..=line.len()].iter().map(row).collect()
}

/// Returns the coarse points, and points beyond the borders, each position once.
fn nodes(line: &Line) -> Vec<Node> {
    let positions = line.positions();
    let len = line.len();
    let coarse: Vec<f64> = line.coarser().1.points.iter().map(|point| positions[point + 1]).collect();
    let mut nodes: Vec<Node> =
        (0..coarse.len()).map(|source| Node { position: coarse[source], source: Some(source) }).collect();
    let copies = nodes.clone();
    let mirrored = |border: f64| {
        copies
            .iter()
            .filter(move |node| node.position != border)
            .map(move |node| Node { position: 2.0 * border - node.position, source: node.source })
    };
    let [before, begin, end, behind] = [positions[0], positions[1], positions[len], positions[len + 1]];
    match line.boundary {
        Boundary::Dirichlet => nodes.extend([before, behind].map(|position| Node { position, source: None })),
        Boundary::Reflect => nodes.extend([begin, end].into_iter().flat_map(mirrored)),
        Boundary::Symmetric => {
            nodes.extend([(before + begin) / 2.0, (end + behind) / 2.0].into_iter().flat_map(mirrored));
        }
        Boundary::Periodic => {
            let period = behind - begin;
            for round in [-2.0, -1.0, 1.0, 2.0] {
                nodes.extend(
                    copies.iter().map(|node| Node { position: node.position + round * period, ..*node }),
                );
            }
        }
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubic_polynomials_are_exact_within_their_borders() {
        let positions: Vec<f64> = (0..12).map(f64::from).collect();
        let line = Line::new(Boundary::Dirichlet, &positions);
        // Zero at both borders, 0 and 11.
        let function = |x: f64| x * (11.0 - x) * (x + 2.0);
        for (at, row) in weights(&line).iter().enumerate() {
            let sum: f64 = row.iter().map(|&(node, weight)| weight * function(2.0 * node as f64 + 2.0)).sum();
            assert!((sum - function(at as f64 + 1.0)).abs() < 1e-10, "{at}");
        }
    }

    #[test]
    fn weights_between_uniform_points_are_those_of_the_tables() {
        let positions: Vec<f64> = (0..18).map(f64::from).collect();
        for boundary in [Boundary::Periodic, Boundary::Reflect, Boundary::Symmetric] {
            let rows = weights(&Line::new(boundary, &positions));
            let mut row = rows[7].to_vec();
            row.sort_by_key(|node| node.0);
            for ((node, weight), wanted) in row.into_iter().zip([(2, -1.0), (3, 9.0), (4, 9.0), (5, -1.0)]) {
                assert_eq!((node, (16.0 * weight).round()), wanted);
            }
            assert!(rows.iter().all(|row| (row.iter().map(|node| node.1).sum::<f64>() - 1.0).abs() < 1e-12));
        }
    }
}
