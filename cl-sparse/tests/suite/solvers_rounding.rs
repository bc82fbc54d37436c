//! Systems in which rounding separates the recurrence residual from the solution's residual: reports are true.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::solver_systems::{Matrix, download, norm, plain_queues, upload};
use cl_algo::prelude::*;
use cl_sparse::solve::{BiCgStab, Cg, Gmres, Method, Real, Report, SolveError, Solver, Tolerance};

/// Solves a system with a right-hand side of ones, from a first solution of equal elements, and keeps the history.
/// Returns the report, and the norm of the residual that the host computes.
fn solved<T: Real, M: Method<T>>(
    queue: &Queue,
    solver: Solver<'_, T, M>,
    matrix: &Matrix,
    start: f64,
) -> (Report, f64) {
    let ones = vec![1.0; matrix.len()];
    let mut x = upload::<T>(queue, &vec![start; matrix.len()]);
    let right = upload::<T>(queue, &ones);
    let report = solver.history(true).solve(&matrix.operator::<T>(queue), &right, &mut x).unwrap();
    assert_eq!(report.history.len(), report.iterations + 1, "{report:?}");
    assert_eq!(report.history.last(), Some(&report.residual));
    (report, matrix.residual(&download(&x), &ones))
}

/// Returns the Laplacian of a square grid with `side` points along each side.
fn grid(side: usize) -> Matrix {
    let n = (side * side) as isize;
    let of = side as isize;
    Matrix(
        (0..n)
            .map(|i| {
                let inside = |j: isize| (0..n).contains(&j) && (i / of == j / of || i % of == j % of);
                let columns = [i - of, i - 1, i, i + 1, i + of].into_iter().filter(|&j| inside(j));
                columns.map(|j| (j as usize, if i == j { 4.0 } else { -1.0 })).collect()
            })
            .collect(),
    )
}

/// A first solution that is far away uses up all digits of the first course. The restart gains as many digits again.
#[test]
fn a_far_start_costs_no_accuracy() {
    for queue in plain_queues()
        .filter(|queue| cl_test::offers(queue.device(), "double precision", queue.device().has_fp64()))
    {
        let matrix = grid(20);
        let tolerance = 1e-10 * norm(&vec![1.0; matrix.len()]);
        for (report, residual) in [
            solved::<f64, _>(queue, Cg::new(), &matrix, 1e12),
            solved::<f64, _>(queue, BiCgStab::new(), &matrix, 1e12),
            solved::<f64, _>(queue, Gmres::new().restart(400), &matrix, 1e12),
        ] {
            assert!(residual <= 1.01 * tolerance, "{residual:e} of {tolerance:e}, {report:?}");
            assert!(!report.lost_accuracy && report.residual <= tolerance, "{report:?}");
        }
    }
}

/// A tolerance beyond the precision of the numbers is reported as lost accuracy.
#[test]
fn what_rounding_costs_is_told() {
    for queue in plain_queues() {
        let matrix = grid(60);
        let relative = Tolerance::Relative(1e-7);
        for (report, residual) in [
            solved::<f32, _>(queue, Cg::new().tolerance(relative), &matrix, 0.0),
            solved::<f32, _>(queue, BiCgStab::new().tolerance(relative), &matrix, 0.0),
            solved::<f32, _>(queue, Gmres::new().restart(200).tolerance(relative), &matrix, 0.0),
        ] {
            assert!(report.lost_accuracy && report.residual > 1e-7 * 60.0, "{report:?}");
            // As close as one `f32` computation of the residual comes to it.
            assert!((0.3..3.0).contains(&(report.residual / residual)), "{residual:e}, {report:?}");
        }
        let (report, residual) =
            solved::<f32, _>(queue, Cg::new().tolerance(Tolerance::Relative(1e-3)), &matrix, 0.0);
        assert!(!report.lost_accuracy && residual <= 1.1e-3 * 60.0, "{residual:e}, {report:?}");
    }
}

/// An error's report has the directly computed residual of the solution, not the recurrence residual.
#[test]
fn the_residual_of_an_error_is_that_of_the_state() {
    fn of_error<M: Method<f32>>(queue: &Queue, solver: Solver<'_, f32, M>, matrix: &Matrix) {
        let ones = vec![1.0; matrix.len()];
        let mut x = upload::<f32>(queue, &vec![0.0; matrix.len()]);
        let right = upload::<f32>(queue, &ones);
        let solver = solver.tolerance(Tolerance::Relative(1e-14));
        let error = solver.history(true).solve(&matrix.operator(queue), &right, &mut x).unwrap_err();
        let SolveError::NotConverged(report) = error else { panic!("{error}") };
        let carried = *report.history.last().unwrap();
        let residual = matrix.residual(&download(&x), &ones);
        assert!(carried < residual / 10.0, "the system is too simple: {carried:e}, {residual:e}");
        assert!((0.3..3.0).contains(&(report.residual / residual)), "{residual:e}, {report:?}");
    }
    for queue in plain_queues() {
        let matrix = grid(40);
        of_error(queue, Cg::new().iteration_limit(110), &matrix);
        of_error(queue, BiCgStab::new().iteration_limit(80), &matrix);
        of_error(queue, Gmres::new().restart(200).iteration_limit(100), &matrix);
    }
}

/// Tests Hilbert's matrix: the space of GMRES seems to hold the solution, because rounding loses everything outside of
/// it.
#[test]
fn a_space_that_holds_all_but_the_solution() {
    for queue in plain_queues()
        .filter(|queue| cl_test::offers(queue.device(), "double precision", queue.device().has_fp64()))
    {
        let rows = |i: usize| (0..14).map(|j| (j, 1.0 / (i + j + 1) as f64)).collect();
        let matrix = Matrix((0..14).map(rows).collect());
        let (report, residual) = solved::<f64, _>(queue, Gmres::new(), &matrix, 0.0);
        assert!(report.residual > 0.0 && report.lost_accuracy == (report.residual > 1e-10 * 14_f64.sqrt()));
        assert!((0.1..10.0).contains(&(report.residual / residual)), "{residual:e}, {report:?}");
    }
}
