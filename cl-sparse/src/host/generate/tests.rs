//! Tests of the generators.

use super::*;
use crate::host::{HostCsr, InvalidMatrix};
use cl_random::{Engine, Philox4x32};

fn rng(seed: u64) -> cl_random::CounterRng<Philox4x32> {
    <Philox4x32>::new(seed).rng()
}

/// Computes the stencil from its definition: compares each pair of points.
fn expected(grid: &[usize], distance: usize, centre: i32, neighbour: i32) -> Vec<i32> {
    let points = grid.iter().product::<usize>();
    let place = |mut point: usize| {
        let mut place: Vec<usize> = grid.iter().rev().map(|&n| (point % n, point /= n).0).collect();
        place.reverse();
        place
    };
    let entry = |at: usize| {
        let steps: Vec<usize> =
            place(at / points).iter().zip(place(at % points)).map(|(&a, b)| a.abs_diff(b)).collect();
        match (steps.iter().sum::<usize>(), steps.iter().max()) {
            (0, _) => centre,
            (sum, Some(1)) if sum <= distance => neighbour,
            _ => 0,
        }
    };
    (0..points * points).map(entry).collect()
}

#[test]
fn stencils_are_what_their_names_say() {
    for grid in [[1, 1], [1, 4], [4, 1], [3, 5], [0, 3], [3, 0], [2, 2]] {
        let five: HostCsr<i32> = five_point(grid, 4, -1).unwrap();
        assert_eq!(five.to_dense(), expected(&grid, 1, 4, -1), "{grid:?}");
        let nine: HostCsr<i32> = nine_point(grid, 8, -1).unwrap();
        assert_eq!(nine.to_dense(), expected(&grid, 2, 8, -1), "{grid:?}");
    }
    for grid in [[1, 1, 1], [2, 3, 4], [3, 3, 3], [1, 5, 1], [2, 0, 2]] {
        let seven: HostCsr<i32, u64> = seven_point(grid, 6, -1).unwrap();
        assert_eq!(seven.to_dense(), expected(&grid, 1, 6, -1), "{grid:?}");
        let all: HostCsr<i32> = twenty_seven_point(grid, 26, -1).unwrap();
        assert_eq!(all.to_dense(), expected(&grid, 3, 26, -1), "{grid:?}");
        assert!(all.rows_are_sorted() && seven.rows_are_sorted());
    }
}

#[test]
fn a_stencil_takes_offsets_in_any_order_and_of_any_length() {
    let a: HostCsr<i32> = stencil([2, 3], &[([0, 2], 7), ([-1, 0], 5), ([isize::MIN, 0], 1)]).unwrap();
    assert_eq!(
        a.entries().map(|(i, j, v)| (i, j, *v)).collect::<Vec<_>>(),
        [(0, 2, 7), (3, 0, 5), (3, 5, 7), (4, 1, 5), (5, 2, 5)]
    );
    let too_many = stencil::<i32, u32, 2>([usize::MAX, 2], &[]).unwrap_err();
    assert!(matches!(too_many, InvalidMatrix::Parameter { what: "the grid", .. }));
    let too_many = stencil::<i32, u32, 1>([1 << 32], &[]).unwrap_err();
    assert_eq!(too_many, InvalidMatrix::TooManyForIndex { what: "rows", count: 1 << 32, index: "u32" });
}

#[test]
fn bands_end_at_the_edges() {
    for (rows, columns, below, above) in
        [(5, 5, 1, 2), (3, 6, 0, 0), (6, 3, 2, 9), (0, 3, 1, 1), (3, 0, 1, 1), (4, 4, usize::MAX, usize::MAX)]
    {
        let a: HostCsr<usize> =
            banded(rows, columns, below, above, |row, column| 1 + row * columns + column).unwrap();
        let inside = |at: usize| {
            let (row, column) = (at / columns, at % columns);
            row <= column.saturating_add(below) && column <= row.saturating_add(above)
        };
        let expected: Vec<usize> =
            (0..rows * columns).map(|at| if inside(at) { 1 + at } else { 0 }).collect();
        assert_eq!(a.to_dense(), expected, "{rows} {columns} {below} {above}");
    }
}

#[test]
fn uniform_rows_have_as_many_distinct_columns_as_was_asked_for() {
    for per_row in [0, 1, 3, 5, 6, 9, 10] {
        let a: HostCsr<f32> = uniform(200, 10, per_row, &mut rng(1), unit_f32).unwrap();
        assert!((0..200).all(|row| a.row(row).0.len() == per_row));
        assert!(a.rows_are_sorted() && a.has_no_duplicates());
        // Each column is equally likely: its count is 200 p within six standard deviations.
        let p = per_row as f64 / 10.0;
        for count in a.transposed().row_offsets().windows(2).map(|ends| f64::from(ends[1] - ends[0])) {
            assert!((count - 200.0 * p).abs() <= 6.0 * (200.0 * p * (1.0 - p)).sqrt(), "{count} for {p}");
        }
    }
    assert!(matches!(
        uniform::<f32, u32, _>(2, 3, 4, &mut rng(1), unit_f32),
        Err(InvalidMatrix::Parameter { what: "values of a row", .. })
    ));
    let none: HostCsr<f64> = uniform(0, 0, 4, &mut rng(1), unit_f64).unwrap();
    assert_eq!(none.nonzeros(), 0);
}

#[test]
fn the_lengths_of_rows_follow_their_law() {
    let law = PowerLaw { shortest: 2, longest: 300, exponent: 2.5 };
    let a: HostCsr<f64> = power_law(20_000, 400, law, &mut rng(5), unit_f64).unwrap();
    assert!(a.rows_are_sorted() && a.has_no_duplicates());
    let lengths: Vec<usize> = (0..a.rows()).map(|row| a.row(row).0.len()).collect();
    assert!(lengths.iter().all(|length| (2..=300).contains(length)));
    for at_least in [3.0, 4.0, 8.0, 32.0, 100.0] {
        let p: f64 = f64::powf(at_least / 2.0, -1.5);
        let count = lengths.iter().filter(|&&length| length as f64 >= at_least).count() as f64;
        assert!((count - 20_000.0 * p).abs() < 6.0 * (20_000.0 * p).sqrt(), "{count} of at least {at_least}");
    }
    for bad in [
        PowerLaw { shortest: 0, ..law },
        PowerLaw { shortest: 301, ..law },
        PowerLaw { longest: 401, ..law },
        PowerLaw { exponent: 1.0, ..law },
        PowerLaw { exponent: f64::NAN, ..law },
    ] {
        assert!(power_law::<f64, u32, _>(5, 400, bad, &mut rng(5), unit_f64).is_err(), "{bad:?}");
    }
}

#[test]
fn recursive_graphs_have_their_quarters() {
    let graph = RMat { scale: 9, edges: 40_000, a: 0.5, b: 0.25, c: 0.15 };
    let a: HostCsr<f64> = rmat(graph, &mut rng(9), |_| 1.0).unwrap();
    assert!(a.rows_are_sorted() && a.has_no_duplicates());
    let mut quarters = [0.0; 4];
    for (row, column, weight) in a.entries() {
        quarters[2 * (row / 256) + column / 256] += weight;
    }
    for (quarter, p) in quarters.iter().zip([0.5, 0.25, 0.15, 0.1]) {
        assert!((quarter - 40_000.0 * p).abs() < 6.0 * (40_000.0 * p).sqrt(), "{quarters:?}");
    }
    // The quarters of a quarter have the same proportions.
    let corner: f64 =
        a.entries().filter(|(row, column, _)| *row < 128 && *column < 128).map(|(.., w)| w).sum();
    assert!((corner - 10_000.0).abs() < 6.0 * 100.0, "{corner}");

    assert_eq!(a, rmat(graph, &mut rng(9), |_| 1.0).unwrap());
    for bad in [
        RMat { a: -0.1, ..graph },
        RMat { b: 0.6, ..graph },
        RMat { c: f64::NAN, ..graph },
        RMat { scale: 64, ..graph },
        RMat { scale: 32, ..graph },
    ] {
        assert!(rmat::<f64, u32, _>(bad, &mut rng(9), |_| 1.0).is_err(), "{bad:?}");
    }
    let one: HostCsr<f64> = rmat(RMat::new(0, 3), &mut rng(9), |_| 1.0).unwrap();
    assert_eq!(one.to_dense(), [3.0]);
}
