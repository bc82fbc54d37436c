//! Solvers of systems that have a solution, compared with the host, in both shapes of kernels.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::solver_systems::{Matrix, Opaque, download, noise, norm, plain_queues, queues, upload};
use cl_algo::prelude::*;
use cl_sparse::solve::{
    BiCgStab, Cg, Chebyshev, Gmres, Identity, Jacobi, LinearOperator, Method, Preconditioner, Real, Report,
    SolveError, Solver, Tolerance, from_fn,
};
use cl_sparse::{Csr, Ell, HostCsr, Hybrid, Sell};
use std::cell::RefCell;
use std::ops::ControlFlow;

/// Lengths around the sizes of packs and tiles in both shapes.
const LENGTHS: [usize; 9] = [1, 2, 3, 15, 16, 17, 129, 511, 2050];

/// Solves a system, and compares the residual with the host's.
fn solved<T: Real, M: Method<T>>(
    queue: &Queue,
    mut solver: Solver<'_, T, M>,
    matrix: &Matrix,
    operator: &dyn LinearOperator<T>,
    tolerance: f64,
) -> (Report, Vec<f64>) {
    let b = noise(matrix.len());
    let right = upload::<T>(queue, &b);
    let b = download(&right);
    let mut x = upload::<T>(queue, &vec![0.0; matrix.len()]);
    let report = solver.solve(operator, &right, &mut x).unwrap();
    let x = download(&x);
    let residual = matrix.residual(&x, &b);
    let rounding = if T::TYPE.size() == 4 { 1e-5 } else { 1e-13 } * norm(&b);
    let context = format!("{} elements, {report:?}, {residual}, {}", b.len(), norm(&b));
    assert!(report.residual <= tolerance * norm(&b), "{context}");
    assert!(residual <= 1.01 * tolerance * norm(&b) + rounding, "{context}");
    assert!(!report.stopped);
    (report, x)
}

fn systems<T: Real>(queue: &Queue, lengths: &[usize]) {
    let tolerance = if T::TYPE.size() == 4 { 1e-4 } else { 1e-10 };
    let relative = Tolerance::Relative(tolerance);
    for &n in lengths {
        let matrix = Matrix::symmetric(n);
        let operator = matrix.operator::<T>(queue);
        solved(queue, Cg::new().tolerance(relative), &matrix, &operator, tolerance);
        let matrix = Matrix::unsymmetric(n);
        let operator = matrix.operator::<T>(queue);
        let (_, x) = solved(queue, BiCgStab::new().tolerance(relative), &matrix, &operator, tolerance);
        // Cycles that are shorter than the number of iterations.
        let gmres = Gmres::new().restart(7).tolerance(relative);
        let (_, y) = solved(queue, gmres, &matrix, &operator, tolerance);
        if n < 200 {
            let b = download(&upload::<T>(queue, &noise(n)));
            let exact = matrix.solve(&b);
            for x in [x, y] {
                let apart: Vec<f64> = x.iter().zip(&exact).map(|(x, y)| x - y).collect();
                assert!(norm(&apart) <= 10.0 * tolerance * norm(&exact), "{n}");
            }
        }
    }
}

fn has_doubles(queue: &Queue) -> bool {
    queue.device().has_fp64().unwrap()
}

#[test]
fn systems_of_f32() {
    plain_queues().for_each(|queue| systems::<f32>(queue, &LENGTHS));
}

#[test]
fn systems_of_f64() {
    plain_queues().filter(|queue| has_doubles(queue)).for_each(|queue| systems::<f64>(queue, &LENGTHS));
}

#[test]
fn systems_on_gpus() {
    for queue in queues().skip(plain_queues().count()) {
        systems::<f32>(queue, &[1, 3, 4099]);
        // Few cases, because compiling for GPU shapes takes long.
        if has_doubles(queue) {
            let matrix = Matrix::symmetric(2050);
            solved(queue, Cg::new(), &matrix, &matrix.operator::<f64>(queue), 1e-10);
        }
    }
}

/// A preconditioner that hides its factors from solvers.
struct Hidden<'m, T>(&'m dyn Preconditioner<T>);

impl<T: Real> Preconditioner<T> for Hidden<'_, T> {
    fn size(&self) -> Option<usize> {
        self.0.size()
    }

    fn apply(&self, r: &DeviceVec<T>, z: &mut DeviceVec<T>) -> cl_core::Result<()> {
        self.0.apply(r, z)
    }
}

/// Solves the same systems with and without hidden expressions and factors.
#[test]
fn what_solvers_see_changes_nothing() {
    for queue in plain_queues() {
        let matrix = Matrix::unsymmetric(700);
        let jacobi = Jacobi::new(upload::<f32>(queue, &matrix.diagonal())).unwrap();
        let (seen, opaque) = (matrix.operator::<f32>(queue), Opaque(matrix.operator::<f32>(queue)));
        let hidden = Hidden(&jacobi);
        let mut results = Vec::new();
        for operator in [&seen as &dyn LinearOperator<f32>, &opaque] {
            for m in [&jacobi as &dyn Preconditioner<f32>, &hidden] {
                results.push(solved(queue, BiCgStab::new().preconditioner(m), &matrix, operator, 1e-5));
                let gmres = Gmres::new().restart(10).preconditioner(m);
                results.push(solved(queue, gmres, &matrix, operator, 1e-5));
            }
        }
        for (at, result) in results.iter().enumerate() {
            let first = &results[at % 2];
            assert_eq!(result.0.iterations, first.0.iterations);
            assert!(norm(&result.1.iter().zip(&first.1).map(|(x, y)| x - y).collect::<Vec<_>>()) < 1e-4);
        }
        let matrix = Matrix::symmetric(700);
        let jacobi = Jacobi::new(upload::<f32>(queue, &matrix.diagonal())).unwrap();
        let (seen, opaque) = (matrix.operator::<f32>(queue), Opaque(matrix.operator::<f32>(queue)));
        let hidden = Hidden(&jacobi);
        let mut iterations = Vec::new();
        for operator in [&seen as &dyn LinearOperator<f32>, &opaque] {
            for m in [&jacobi as &dyn Preconditioner<f32>, &hidden] {
                let cg = Cg::new().preconditioner(m);
                iterations.push(solved(queue, cg, &matrix, operator, 1e-5).0.iterations);
            }
        }
        assert!(iterations.windows(2).all(|pair| pair[0] == pair[1]), "{iterations:?}");
    }
}

/// Returns the matrix-free operator of a plate of `nx` by `ny` points, whose edge is held at 0.
fn plate<T: Real>(nx: usize, ny: usize) -> impl LinearOperator<T> {
    from_fn(nx * ny, nx * ny, move |u: Expr<'_, T>| {
        let zero = Border::Constant(T::zeroed());
        let at = |offset: isize| u.clone().shifted(offset, zero);
        let column = index::<u32>() % nx as u32;
        let left = column.clone().eq(0).select(T::zeroed(), at(-1));
        let right = column.eq(nx as u32 - 1).select(T::zeroed(), at(1));
        &u * T::rounded(4.0) - left - right - at(-(nx as isize)) - at(nx as isize)
    })
}

#[test]
fn stencils_need_no_matrix_and_preconditioners_save_iterations() {
    for queue in plain_queues() {
        let (nx, ny) = (61, 47);
        let a = plate::<f32>(nx, ny);
        let matrix = Matrix::banded(nx * ny, &[-(nx as isize), -1, 0, 1, nx as isize], |i, j| {
            let wraps = i.abs_diff(j) == 1 && i / nx != j / nx;
            if i == j {
                4.0
            } else if wraps {
                0.0
            } else {
                -1.0
            }
        });
        let (plain, _) = solved(queue, Cg::new(), &matrix, &a, 1e-5);
        let mut last = plain.iterations;
        for steps in [2, 4, 8] {
            let chebyshev = Chebyshev::new(&a, queue, steps).unwrap();
            let (low, high) = chebyshev.bounds();
            assert!((7.9..9.0).contains(&high) && low < high / 20.0, "{chebyshev:?}");
            let (report, _) = solved(queue, Cg::new().preconditioner(&chebyshev), &matrix, &a, 1e-5);
            assert!(report.iterations < last, "{steps} steps: {report:?}");
            last = report.iterations;
        }
        // An operator of the same size with the wrong sign: no polynomial of it is positive definite.
        let negative = from_fn(900, 900, |x: Expr<'_, f32>| -3.0 * x);
        let error = Chebyshev::new(&negative, queue, 3).unwrap_err().to_string();
        assert!(error.contains("not positive definite"), "{error}");
        let zero = from_fn(900, 900, |x: Expr<'_, f32>| 0.0 * x);
        assert!(Chebyshev::new(&zero, queue, 3).unwrap_err().to_string().contains("must be positive"));
        // Numbers whose squares overflow or underflow.
        for size in [1e25, 1e-25] {
            let scaled = from_fn(50, 50, move |x: Expr<'_, f32>| size * x);
            let (low, high) = Chebyshev::new(&scaled, queue, 3).unwrap().bounds();
            assert!(low < f64::from(size) && (1.0..1.2).contains(&(high / f64::from(size))), "{low} {high}");
        }
        // A diagonal that varies over orders of magnitude.
        let scales = noise(900);
        let matrix = Matrix::banded(900, &[-1, 0, 1], |i, j| {
            let scale = |i: usize| 10_f64.powf(1.5 * scales[i]);
            let a: f64 = if i == j { 3.0 } else { -1.0 };
            a * (scale(i) * scale(j)).sqrt()
        });
        let a = matrix.operator::<f32>(queue);
        let (plain, _) = solved(queue, Cg::new(), &matrix, &a, 1e-5);
        let jacobi = Jacobi::new(upload::<f32>(queue, &matrix.diagonal())).unwrap();
        let (report, _) = solved(queue, Cg::new().preconditioner(&jacobi), &matrix, &a, 1e-5);
        assert!(3 * report.iterations < plain.iterations, "{report:?} {plain:?}");
        let (plain, _) = solved(queue, BiCgStab::new().preconditioner(&Identity), &matrix, &a, 1e-5);
        let (report, _) = solved(queue, BiCgStab::new().preconditioner(&jacobi), &matrix, &a, 1e-5);
        assert!(2 * report.iterations < plain.iterations, "{report:?} {plain:?}");
        let (plain, _) = solved(queue, Gmres::new(), &matrix, &a, 1e-5);
        let (report, _) = solved(queue, Gmres::new().preconditioner(&jacobi), &matrix, &a, 1e-5);
        assert!(2 * report.iterations < plain.iterations, "{report:?} {plain:?}");
    }
}

/// Tests rows of about equal lengths, whose products are inline in solvers on CPUs, and a long row, which prevents it.
#[test]
fn compressed_rows() {
    for queue in plain_queues() {
        for long in [false, true] {
            let mut matrix = Matrix::symmetric(600);
            if long {
                // A full row and a full column, with a dominant diagonal.
                matrix.0[0] = (0..600).map(|j| (j, if j == 0 { 40.0 } else { 0.01 })).collect();
                for row in &mut matrix.0[1..] {
                    row.retain(|(j, _)| *j > 0);
                    row.insert(0, (0, 0.01));
                }
            }
            let mut offsets = vec![0_u32];
            offsets.extend(matrix.0.iter().scan(0, |end, row| {
                *end += row.len() as u32;
                Some(*end)
            }));
            let (columns, values) = matrix.0.iter().flatten().map(|(j, a)| (*j as u32, *a as f32)).unzip();
            let host = HostCsr::new(600, 600, offsets, columns, values).unwrap();
            let a: Csr<f32> = Csr::new(queue, &host).unwrap();
            let x = upload::<f32>(queue, &noise(600));
            let cpu = cl_algo::DeviceProfile::of(queue.device()).unwrap().chunked;
            assert_eq!(a.product(&x).is_some(), cpu && !long);
            solved(queue, Cg::new(), &matrix, &a, 1e-5);
            solved(queue, BiCgStab::new(), &matrix, &a, 1e-5);
            solved(queue, Gmres::new(), &matrix, &a, 1e-5);
            let (ell, slices) = (Ell::new(&a).unwrap(), Sell::new(&a, 32, 1).unwrap());
            let sorted = Sell::new(&a, 32, 256).unwrap();
            let hybrid = Hybrid::new(&a, 5).unwrap();
            let entries = a.to_coo().unwrap();
            let seen = [
                ell.product(&x),
                slices.product(&x),
                sorted.product(&x),
                hybrid.product(&x),
                entries.product(&x),
            ];
            assert_eq!(seen.map(|product| product.is_some()), [true, true, false, !long, false]);
            let optimized = Csr::<f32>::new(queue, &a.to_host().unwrap()).unwrap().optimize().unwrap();
            for a in [&ell as &dyn LinearOperator<f32>, &slices, &sorted, &hybrid, &optimized, &entries] {
                solved(queue, Cg::new(), &matrix, a, 1e-5);
            }
            let short = upload::<f32>(queue, &noise(599));
            let mut y = upload::<f32>(queue, &noise(600));
            assert!(a.apply(&short, &mut y).unwrap_err().to_string().contains("600 and 599"));
        }
    }
}

/// Solves systems on a ring. The operator maps constants to zero, so the right-hand side must have the mean zero.
#[test]
fn singular_operators_with_a_solution() {
    for queue in plain_queues() {
        let n = 120;
        let a = from_fn(n, n, |u: Expr<'_, f32>| {
            2.0 * &u - u.clone().shifted(-1, Border::Wrap) - u.shifted(1, Border::Wrap)
        });
        let b = DeviceVec::from_fn(queue, n, |i| if i % 40 < 20 { 1.0 } else { -1.0_f32 }).unwrap();
        let residual = |x: &DeviceVec<f32>| {
            let mut y = upload::<f32>(queue, &vec![0.0; n]);
            a.apply(x, &mut y).unwrap();
            let rest = &b - &y;
            (&rest * &rest).sum().unwrap().sqrt()
        };
        let new = || upload::<f32>(queue, &vec![0.0; n]);
        let (mut x, mut y) = (new(), new());
        Cg::new().tolerance(Tolerance::Relative(1e-4)).solve(&a, &b, &mut x).unwrap();
        assert!(residual(&x) < 3e-3, "{}", residual(&x));
        Gmres::new().tolerance(Tolerance::Relative(1e-4)).solve(&a, &b, &mut y).unwrap();
        assert!(residual(&y) < 3e-3, "{}", residual(&y));
    }
}

#[test]
fn right_hand_sides_may_be_expressions_and_zero() {
    for queue in plain_queues() {
        let matrix = Matrix::symmetric(50);
        let a = matrix.operator::<f32>(queue);
        let u = upload::<f32>(queue, &noise(50));
        let mut au = upload::<f32>(queue, &noise(50));
        a.apply(&u, &mut au).unwrap();
        let mut x = upload::<f32>(queue, &[0.0; 50]);
        // A x = 3 A u - A u.
        Cg::new().solve(&a, 3.0 * &au - &au, &mut x).unwrap();
        let apart = (&x - 2.0 * &u).collect().unwrap();
        assert!(norm(&download(&apart)) < 1e-3);

        for relative in [true, false] {
            let tolerance = if relative { Tolerance::Relative(1e-5) } else { Tolerance::Absolute(1e-5) };
            let zeros = |solve: &mut dyn FnMut(&mut DeviceVec<f32>) -> Result<Report, SolveError>| {
                let mut x = upload::<f32>(queue, &noise(50));
                let report = solve(&mut x).unwrap();
                assert_eq!((report.iterations, report.residual, &report.history[..]), (0, 0.0, &[0.0][..]));
                assert_eq!(x.to_vec().unwrap(), [0.0; 50]);
            };
            let b = upload::<f32>(queue, &[0.0; 50]);
            zeros(&mut |x| Cg::new().tolerance(tolerance).history(true).solve(&a, &b, x));
            zeros(&mut |x| BiCgStab::new().tolerance(tolerance).history(true).solve(&a, 0.0, x));
            zeros(&mut |x| Gmres::new().tolerance(tolerance).history(true).solve(&a, &b, x));
        }
    }
}

#[test]
fn what_is_solved_already_stays_as_it_is() {
    for queue in plain_queues() {
        let matrix = Matrix::symmetric(300);
        let a = matrix.operator::<f32>(queue);
        let mut x = upload::<f32>(queue, &noise(300));
        let mut b = upload::<f32>(queue, &noise(300));
        a.apply(&x, &mut b).unwrap();
        let before = x.to_vec().unwrap();
        let reports = [
            Cg::new().history(true).solve(&a, &b, &mut x).unwrap(),
            BiCgStab::new().history(true).solve(&a, &b, &mut x).unwrap(),
            Gmres::new().history(true).solve(&a, &b, &mut x).unwrap(),
        ];
        for report in reports {
            assert_eq!((report.iterations, report.history.len()), (0, 1), "{report:?}");
        }
        assert_eq!(x.to_vec().unwrap(), before);
        // A good first solution takes fewer iterations than a bad one.
        let mut near = (&x + 1e-4).collect().unwrap();
        let mut far = (&x + 1e4).collect().unwrap();
        let tolerance = Tolerance::Absolute(1e-4);
        let report = Cg::new().tolerance(tolerance).solve(&a, &b, &mut near).unwrap();
        let farther = Cg::new().tolerance(Tolerance::Absolute(1e-1)).solve(&a, &b, &mut far).unwrap();
        assert!(report.iterations < farther.iterations, "{report:?} {farther:?}");
    }
}

/// Solves with different numbers of iterations between two reads of the state.
fn looks<M: Method<f32>>(queue: &Queue, matrix: &Matrix, new: impl Fn() -> Solver<'static, f32, M>) {
    let a = matrix.operator::<f32>(queue);
    let mut first: Option<(Report, Vec<f64>)> = None;
    for every in [1, 4, 7, 1000] {
        for _ in 0..2 {
            let solver = new().history(true).check_every(every);
            let (report, x) = solved(queue, solver, matrix, &a, 1e-5);
            assert_eq!(report.history.len(), report.iterations + 1);
            assert_eq!(report.history.last(), Some(&report.residual));
            assert!(report.history.iter().all(|residual| residual.is_finite()));
            assert!(report.history[0] > 10.0 * report.residual);
            // The same bits for any interval between two reads.
            match &first {
                None => first = Some((report, x)),
                Some((same, y)) => assert_eq!((&report, &x), (same, y), "{every}"),
            }
        }
    }
}

#[test]
fn how_often_the_host_looks_changes_no_bit() {
    for queue in plain_queues() {
        looks(queue, &Matrix::symmetric(1500), Cg::new);
        looks(queue, &Matrix::unsymmetric(1500), BiCgStab::new);
        looks(queue, &Matrix::unsymmetric(1500), || Gmres::new().restart(5));
    }
    // GPU shapes, where the host reads the state of some iterations ago.
    for queue in queues().skip(plain_queues().count()) {
        looks(queue, &Matrix::symmetric(300), Cg::new);
    }
}

/// Stops a solver after the same number of iterations by a limit and by a monitor, which leave the same state.
fn stops<M: Method<f32>>(queue: &Queue, matrix: &Matrix, new: impl Fn() -> Solver<'static, f32, M>) {
    let a = matrix.operator::<f32>(queue);
    let host = noise(matrix.len());
    let b = upload::<f32>(queue, &host);
    let start = || upload::<f32>(queue, &vec![0.0; matrix.len()]);
    for limit in [0, 1, 6] {
        let mut x = start();
        let result = new().iteration_limit(limit).check_every(2).history(true).solve(&a, &b, &mut x);
        let Err(SolveError::NotConverged(report)) = result else { panic!("{result:?}") };
        assert_eq!((report.iterations, report.history.len()), (limit, limit + 1));
        let residual = matrix.residual(&download(&x), &download(&b));
        assert!((residual - report.residual).abs() < 1e-4 * norm(&host), "{residual}, {report:?}");

        let seen = RefCell::new(Vec::new());
        let mut y = start();
        let monitor = |progress: &cl_sparse::solve::Progress| {
            seen.borrow_mut().push(*progress);
            if progress.iteration >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let every = limit.clamp(1, 2);
        let report = with_monitor(new(), monitor).check_every(every).solve(&a, &b, &mut y).unwrap();
        assert!(report.stopped);
        assert_eq!(report.iterations, limit);
        assert_eq!(x.to_vec().unwrap(), y.to_vec().unwrap());
        let seen: Vec<usize> = seen.take().iter().map(|progress| progress.iteration).collect();
        assert_eq!(seen, (0..=limit).step_by(every).collect::<Vec<_>>());
    }
}

fn with_monitor<'s, M: Method<f32>>(
    solver: Solver<'s, f32, M>,
    monitor: impl FnMut(&cl_sparse::solve::Progress) -> ControlFlow<()> + 's,
) -> Solver<'s, f32, M> {
    solver.monitor(monitor)
}

#[test]
fn limits_and_monitors_stop() {
    for queue in plain_queues() {
        stops(queue, &Matrix::symmetric(800), || Cg::new().tolerance(Tolerance::Relative(1e-7)));
        stops(queue, &Matrix::unsymmetric(800), || BiCgStab::new().tolerance(Tolerance::Relative(1e-7)));
        let gmres = || Gmres::new().restart(4).tolerance(Tolerance::Relative(1e-7));
        stops(queue, &Matrix::unsymmetric(800), gmres);
    }
}

/// Any finite residual meets a tolerance whose square is infinite; NaN does not.
#[test]
fn tolerances_beyond_all_squares() {
    for queue in plain_queues() {
        let a = Matrix::symmetric(20).operator::<f32>(queue);
        let (b, bad) = (upload::<f32>(queue, &[1.0; 20]), upload::<f32>(queue, &[f64::INFINITY; 20]));
        for tolerance in [Tolerance::Relative(1e300), Tolerance::Absolute(1e30), Tolerance::Absolute(1e300)] {
            let solve = |b: &DeviceVec<f32>| {
                let mut x = upload::<f32>(queue, &[0.0; 20]);
                [
                    Cg::new().tolerance(tolerance).solve(&a, b, &mut x),
                    BiCgStab::new().tolerance(tolerance).solve(&a, b, &mut x),
                    Gmres::new().tolerance(tolerance).solve(&a, b, &mut x),
                ]
            };
            assert!(
                solve(&b).iter().all(|result| result.as_ref().is_ok_and(|report| report.iterations == 0))
            );
            assert!(solve(&bad).iter().all(|result| matches!(result, Err(SolveError::NotFinite(_)))));
        }
    }
}

/// Tests numbers whose squares `f32` cannot hold.
#[test]
fn tiny_and_huge_numbers() {
    for queue in plain_queues().filter(|queue| has_doubles(queue)) {
        let matrix = Matrix::symmetric(200);
        let a = matrix.operator::<f32>(queue);
        for scale in [1e-28_f32, 1e28] {
            let b = (&upload::<f32>(queue, &noise(200)) * scale).collect().unwrap();
            let mut x = upload::<f32>(queue, &[0.0; 200]);
            let report = Cg::new().solve(&a, &b, &mut x).unwrap();
            assert!(report.iterations > 5, "{report:?}");
            let residual = matrix.residual(&download(&x), &download(&b));
            assert!(residual <= 2e-5 * norm(&download(&b)), "{residual} {report:?}");
        }
    }
}
