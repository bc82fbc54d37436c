//! Systems that solvers must give up on, with the right reason, and without spoiling the solution.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::solver_systems::{self, Matrix, Opaque, download, plain_queues, queues, upload};
use cl_algo::prelude::*;
use cl_sparse::solve::{
    BiCgStab, Breakdown, Cg, Chebyshev, Gmres, Jacobi, LinearOperator, Method, Preconditioner, Report,
    SolveError, Solver, Tolerance, from_fn,
};
use std::cell::Cell;

/// Returns a solver's error for a system, and the solution that it leaves.
fn outcome<M: Method<f32>>(
    queue: &Queue,
    mut solver: Solver<'_, f32, M>,
    matrix: &Matrix,
    b: &[f64],
    start: &[f64],
) -> (SolveError, Vec<f64>) {
    let (b, mut x) = (upload::<f32>(queue, b), upload::<f32>(queue, start));
    let error = solver.solve(&matrix.operator(queue), &b, &mut x).unwrap_err();
    // Hiding the operator's expression makes no difference.
    let mut y = upload::<f32>(queue, start);
    let opaque = solver.solve(&Opaque(matrix.operator(queue)), &b, &mut y).unwrap_err();
    assert_eq!(std::mem::discriminant(&opaque), std::mem::discriminant(&error), "{opaque} {error}");
    assert_eq!(iterations(&opaque), iterations(&error));
    (error, download(&x))
}

fn iterations(error: &SolveError) -> usize {
    error.report().unwrap().iterations
}

#[test]
fn operators_that_are_not_positive_definite() {
    for queue in queues() {
        let matrix = Matrix::dense([[1.0, 0.0], [0.0, -1.0]]);
        let (error, x) = outcome(queue, Cg::new(), &matrix, &[0.0, 1.0], &[0.0, 0.0]);
        assert!(matches!(&error, SolveError::Indefinite(_)), "{error}");
        assert_eq!((iterations(&error), x), (0, vec![0.0, 0.0]));
        assert!(error.to_string().contains("positive definite"), "{error}");
        // The energy of the direction is exactly zero.
        let (error, x) = outcome(queue, Cg::new(), &matrix, &[1.0, 1.0], &[0.0, 0.0]);
        let expected = Breakdown::DirectionEnergy;
        assert!(matches!(&error, SolveError::Breakdown { what, .. } if *what == expected), "{error}");
        assert_eq!((iterations(&error), x), (0, vec![0.0, 0.0]));
        // A later direction shows it.
        let matrix = Matrix::dense([[2.0, 0.0], [0.0, -1.0]]);
        let (error, x) = outcome(queue, Cg::new(), &matrix, &[1.0, 1.0], &[0.0, 0.0]);
        assert!(matches!(&error, SolveError::Indefinite(_)), "{error}");
        // One iteration made the residual larger, by a factor of 3.
        assert_eq!((iterations(&error), x), (0, vec![0.0, 0.0]));
        assert!((error.report().unwrap().residual - 2_f64.sqrt()).abs() < 1e-5);
    }
}

/// Tests systems without a diagonal, for which most methods increase the first residual.
#[test]
fn no_error_leaves_a_worse_solution() {
    for queue in plain_queues() {
        let mut restored = [0; 3];
        for seed in 0..12 {
            let n = 9;
            let numbers = solver_systems::noise(3 * n + 30 * seed).split_off(30 * seed);
            let matrix = Matrix::banded(n, &[-1, 1], |i, j| if i < j { numbers[i] } else { -numbers[j] });
            let (b, start) = (&numbers[n..2 * n], &numbers[2 * n..]);
            let mut check = |at: usize, (error, x): (SolveError, Vec<f64>)| {
                let [before, after] = [start, &x].map(|x| matrix.residual(x, b));
                assert!(after <= before * (1.0 + 1e-5), "{seed} {at}: {error} at {after}, from {before}");
                let told = error.report().unwrap().residual;
                assert!((told - after).abs() <= 1e-4 * before, "{seed} {at}: {told} is told of {after}");
                restored[at] += u32::from(iterations(&error) == 0 && after > 0.9 * before);
            };
            check(0, outcome(queue, Cg::new().iteration_limit(5), &matrix, b, start));
            check(1, outcome(queue, BiCgStab::new().iteration_limit(5), &matrix, b, start));
            check(2, outcome(queue, Gmres::new().restart(3).iteration_limit(5), &matrix, b, start));
        }
        assert!(restored[0] > 0 && restored[1] > 0, "{restored:?}");
    }
}

/// A preconditioner that multiplies by a number.
struct Times(f32);

impl Preconditioner<f32> for Times {
    fn size(&self) -> Option<usize> {
        None
    }

    fn apply(&self, r: &DeviceVec<f32>, z: &mut DeviceVec<f32>) -> cl_core::Result<()> {
        z.assign(r.iter() * self.0)
    }
}

#[test]
fn preconditioners_that_are_not_positive_definite() {
    for queue in plain_queues() {
        let matrix = Matrix::symmetric(9);
        let b = [1.0; 9];
        let negative = Jacobi::new(upload::<f32>(queue, &[-2.0; 9])).unwrap();
        for m in [&negative as &dyn Preconditioner<f32>, &Times(-0.5)] {
            let (error, x) = outcome(queue, Cg::new().preconditioner(m), &matrix, &b, &[0.0; 9]);
            assert!(matches!(&error, SolveError::IndefinitePreconditioner(_)), "{error}");
            assert_eq!((iterations(&error), x), (0, vec![0.0; 9]));
        }
        let (error, x) = outcome(queue, Cg::new().preconditioner(&Times(0.0)), &matrix, &b, &[0.0; 9]);
        let expected = Breakdown::PreconditionedResidual;
        assert!(matches!(&error, SolveError::Breakdown { what, .. } if *what == expected), "{error}");
        assert_eq!(x, [0.0; 9]);
        // The other methods break down with this preconditioner.
        let (error, _) = outcome(queue, BiCgStab::new().preconditioner(&Times(0.0)), &matrix, &b, &[0.0; 9]);
        assert!(matches!(&error, SolveError::Breakdown { .. }), "{error}");
        let (error, _) = outcome(queue, Gmres::new().preconditioner(&Times(0.0)), &matrix, &b, &[0.0; 9]);
        assert!(matches!(&error, SolveError::Breakdown { what: Breakdown::Space, .. }), "{error}");
    }
}

fn breaks_down(queue: &Queue, matrix: [[f64; 3]; 3], b: [f64; 3], expected: Breakdown) -> (Report, Vec<f64>) {
    let (error, x) = outcome(queue, BiCgStab::new(), &Matrix::dense(matrix), &b, &[0.0; 3]);
    let SolveError::Breakdown { what, report, .. } = error else { panic!("{error}") };
    assert_eq!(what, expected);
    // GMRES solves all of these systems.
    let mut y = upload::<f32>(queue, &[0.0; 3]);
    let matrix = Matrix::dense(matrix);
    Gmres::new().solve(&matrix.operator(queue), upload::<f32>(queue, &b), &mut y).unwrap();
    assert!(matrix.residual(&download(&y), &b) < 1e-4);
    (report, x)
}

#[test]
fn bicgstab_breaks_down() {
    for queue in plain_queues() {
        // A x is orthogonal to x if only the first two elements of x are nonzero.
        let turn = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let (report, x) = breaks_down(queue, turn, [1.0, 0.0, 0.0], Breakdown::ShadowProduct);
        assert_eq!((report.iterations, x), (0, vec![0.0; 3]));
        // The half-way residual is (0, 0, 2), whose product is orthogonal to it.
        let turn = [[1.0, -0.5, 0.0], [0.5, 0.0, 1.0], [0.0, -1.0, 0.0]];
        let (report, x) = breaks_down(queue, turn, [1.0, 1.0, 0.0], Breakdown::Stabilization);
        assert_eq!((report.iterations, x), (0, vec![0.0; 3]));
        // The residual is orthogonal to the first one, and is not small.
        let lower = [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]];
        let (report, x) = breaks_down(queue, lower, [1.0, 0.0, 0.0], Breakdown::ShadowResidual);
        assert_eq!((report.iterations, x), (1, vec![1.0, -0.5, 0.0]));
        assert!((report.residual - 0.5_f64.sqrt()).abs() < 1e-6);
    }
}

/// The terms of an inner product with the first residual may cancel although the method can continue.
#[test]
fn bicgstab_goes_on_from_products_that_cancel() {
    for queue in plain_queues() {
        let systems = [
            ([[3.0, 2.0, 2.0], [2.0, 1.0, -1.0], [0.0, 2.0, 2.0]], [2.0, -2.0, 2.0]),
            ([[0.0, -1.0, -1.0], [2.0, 2.0, 0.0], [0.0, 1.0, 0.0]], [-2.0, -2.0, -2.0]),
            ([[1.0, 0.0, -2.0], [-2.0, 3.0, 1.0], [1.0, 1.0, 3.0]], [-1.0, 1.0, 1.0]),
        ];
        for (matrix, b) in systems {
            // After the first iteration the residual is orthogonal to the first one; all numbers are exact up to there.
            let (matrix, mut x) = (Matrix::dense(matrix), upload::<f32>(queue, &[0.0; 3]));
            let report =
                BiCgStab::new().solve(&matrix.operator(queue), upload::<f32>(queue, &b), &mut x).unwrap();
            assert!(report.iterations > 1, "{report:?}");
            assert!(matrix.residual(&download(&x), &b) < 1e-4, "{report:?}");
        }
    }
}

#[test]
fn gmres_finds_singular_operators() {
    for queue in plain_queues() {
        let gmres = || Gmres::new().tolerance(Tolerance::Relative(1e-5));
        let space =
            |error: &SolveError| matches!(error, SolveError::Breakdown { what: Breakdown::Space, .. });
        let zero = Matrix::dense([[0.0, 0.0], [0.0, 0.0]]);
        let (error, x) = outcome(queue, gmres(), &zero, &[1.0, 2.0], &[5.0, 6.0]);
        assert!(space(&error), "{error}");
        assert_eq!((iterations(&error), x), (0, vec![5.0, 6.0]));
        // A x has no second element for any x.
        let matrix = Matrix::dense([[1.0, 0.0], [0.0, 0.0]]);
        let (error, x) = outcome(queue, gmres(), &matrix, &[1.0, 2.0], &[0.0, 0.0]);
        assert!(space(&error), "{error}");
        assert!(x.iter().all(|x| x.is_finite()), "{x:?}");
        // The best possible solution: the residual before the space was exhausted.
        let report = error.report().unwrap();
        assert!((matrix.residual(&x, &[1.0, 2.0]) - report.residual).abs() < 1e-4, "{x:?} {report:?}");
    }
}

fn not_finite<M: Method<f32>>(queue: &Queue, new: impl Fn() -> Solver<'static, f32, M>) {
    let n = 40;
    let start: Vec<f64> = (0..n).map(f64::from).collect();
    let ones = vec![1.0; start.len()];
    let not_finite = |matrix: &Matrix, b: &[f64], start: &[f64]| {
        let (error, x) = outcome(queue, new(), matrix, b, start);
        assert!(matches!(&error, SolveError::NotFinite(_)), "{error}");
        (iterations(&error), x)
    };
    for bad in [f64::NAN, f64::INFINITY] {
        let mut b = ones.clone();
        b[33] = bad;
        assert_eq!(not_finite(&Matrix::symmetric(start.len()), &b, &start), (0, start.clone()));
        let mut matrix = Matrix::symmetric(start.len());
        matrix.0[20][1].1 = bad;
        assert_eq!(not_finite(&matrix, &ones, &start), (0, start.clone()));
        let mut bad_start = start.clone();
        bad_start[7] = bad;
        let (iterations, x) = not_finite(&Matrix::symmetric(start.len()), &ones, &bad_start);
        assert_eq!((iterations, x[8]), (0, 8.0));
    }
    // The first iterations work, and a later one overflows.
    let huge = Matrix::banded(start.len(), &[0, 1], |i, _| if i == 3 { 3e38 } else { 1.0 });
    let b: Vec<f64> = (0..n).map(|i| if i == 3 || i == 4 { 10.0 } else { 1e-3 }).collect();
    let zeros = vec![0.0; start.len()];
    assert_eq!(not_finite(&huge, &b, &zeros), (0, zeros));
}

#[test]
fn what_is_not_finite_is_found_and_spoils_nothing() {
    for queue in plain_queues() {
        not_finite(queue, Cg::new);
        not_finite(queue, BiCgStab::new);
        not_finite(queue, Gmres::new);
    }
}

/// An operator that returns a NaN from the sixth product on.
struct Turns<A>(A, Cell<usize>);

impl<A: LinearOperator<f32>> LinearOperator<f32> for Turns<A> {
    fn rows(&self) -> usize {
        self.0.rows()
    }

    fn columns(&self) -> usize {
        self.0.columns()
    }

    fn apply(&self, x: &DeviceVec<f32>, y: &mut DeviceVec<f32>) -> cl_core::Result<()> {
        self.1.set(self.1.get() + 1);
        self.0.apply(x, y)?;
        if self.1.get() > 5 { cl_algo::stl::fill(y.slice_mut(3..4), f32::NAN) } else { Ok(()) }
    }
}

/// Returns the number of iterations before the NaN, which are in the solution.
fn good_iterations<M: Method<f32>>(queue: &Queue, solver: Solver<'_, f32, M>) -> usize {
    let matrix = Matrix::symmetric(500);
    let b = upload::<f32>(queue, &solver_systems::noise(500));
    let mut x = upload::<f32>(queue, &[0.0; 500]);
    let a = Turns(matrix.operator::<f32>(queue), Cell::new(0));
    let error = solver.tolerance(Tolerance::Relative(1e-7)).solve(&a, &b, &mut x).unwrap_err();
    let SolveError::NotFinite(report) = error else { panic!("{error}") };
    let residual = matrix.residual(&download(&x), &download(&b));
    assert!((residual - report.residual).abs() < 1e-3, "{residual} {report:?}");
    report.iterations
}

#[test]
fn operators_that_go_bad() {
    for queue in plain_queues() {
        assert_eq!(good_iterations(queue, Cg::new()), 4);
        assert_eq!(good_iterations(queue, BiCgStab::new()), 2);
        assert_eq!(good_iterations(queue, Gmres::new()), 4);
    }
}

#[test]
fn nothing_and_one() {
    for queue in plain_queues() {
        let none = from_fn(0, 0, |x: Expr<'_, f32>| x);
        let empty = upload::<f32>(queue, &[]);
        let mut x = upload::<f32>(queue, &[]);
        let reports = [
            Cg::new().history(true).solve(&none, &empty, &mut x).unwrap(),
            BiCgStab::new().history(true).solve(&none, &empty, &mut x).unwrap(),
            Gmres::new().history(true).solve(&none, &empty, &mut x).unwrap(),
        ];
        for report in reports {
            assert_eq!((report.iterations, report.residual, &report.history[..]), (0, 0.0, &[0.0][..]));
        }
        let one = Matrix::dense([[4.0]]);
        let b = upload::<f32>(queue, &[2.0]);
        for method in 0..3 {
            let mut x = upload::<f32>(queue, &[7.0]);
            let a = one.operator(queue);
            let report = match method {
                0 => Cg::new().solve(&a, &b, &mut x),
                1 => BiCgStab::new().solve(&a, &b, &mut x),
                _ => Gmres::new().solve(&a, &b, &mut x),
            };
            assert_eq!(report.unwrap().iterations, 1);
            assert_eq!(x.to_vec().unwrap(), [0.5]);
        }
    }
}

/// Numbers whose squares underflow to zero are not zero.
#[test]
fn squares_that_are_no_numbers() {
    for queue in plain_queues()
        .filter(|queue| cl_test::offers(queue.device(), "double precision", queue.device().has_fp64()))
    {
        let a = from_fn(20, 20, |x: Expr<'_, f64>| 2.0 * x);
        for b in [1e-170, 1e-310] {
            for method in 0..3 {
                let mut x = DeviceVec::filled(queue, 3.0, 20).unwrap();
                let result = match method {
                    0 => Cg::new().solve(&a, b, &mut x),
                    1 => BiCgStab::new().solve(&a, b, &mut x),
                    _ => Gmres::new().solve(&a, b, &mut x),
                };
                let error = result.unwrap_err();
                assert!(matches!(error, SolveError::Breakdown { what: Breakdown::Threshold, .. }), "{error}");
                assert_eq!(x.to_vec().unwrap(), [3.0; 20]);
            }
        }
    }
}

/// A diagonal of the numbers from 1 on, whose size changes. It returns 100 rows once, and then `other` rows. From its
/// third product on its products have `other` elements: it replaces the vectors that it is given.
struct Inconstant {
    rows: usize,
    other: usize,
    inline: bool,
    asked: Cell<usize>,
    applied: Cell<usize>,
}

impl Inconstant {
    fn new(other: usize, inline: bool) -> Inconstant {
        Inconstant { rows: 100, other, inline, asked: Cell::new(0), applied: Cell::new(0) }
    }

    fn product_of<'a>(&self, x: &'a DeviceVec<f32>) -> Expr<'a, f32> {
        self.applied.set(self.applied.get() + 1);
        let numbers = index::<f32>() + 1.0;
        if self.applied.get() < 3 { numbers * x } else { numbers.take(self.other).on(x.queue()) }
    }
}

impl LinearOperator<f32> for Inconstant {
    fn rows(&self) -> usize {
        self.asked.set(self.asked.get() + 1);
        if self.asked.get() == 1 { self.rows } else { self.other }
    }

    fn columns(&self) -> usize {
        self.rows
    }

    fn apply(&self, x: &DeviceVec<f32>, y: &mut DeviceVec<f32>) -> cl_core::Result<()> {
        *y = self.product_of(x).collect()?;
        Ok(())
    }

    fn product<'a>(&'a self, x: &'a DeviceVec<f32>) -> Option<Expr<'a, f32>> {
        self.inline.then(|| self.product_of(x))
    }
}

impl Preconditioner<f32> for Inconstant {
    fn size(&self) -> Option<usize> {
        Some(self.rows())
    }

    fn apply(&self, r: &DeviceVec<f32>, z: &mut DeviceVec<f32>) -> cl_core::Result<()> {
        LinearOperator::apply(self, r, z)
    }
}

/// Solvers ask for the size once, and check each vector that comes back.
#[test]
fn operators_whose_size_changes() {
    for queue in plain_queues() {
        let b = DeviceVec::filled(queue, 1.0_f32, 100).unwrap();
        let steady = from_fn(100, 100, |x: Expr<'_, f32>| x * (index::<f32>() + 1.0));
        for other in [7, 5000] {
            let refused = |operation: &str, result: Result<Report, SolveError>| {
                let error = result.unwrap_err();
                let wanted = cl_core::Error::length_mismatch("", 100, other);
                let SolveError::Failed(cl_core::Error::LengthMismatch {
                    operation: found, left, right, ..
                }) = error
                else {
                    panic!("{error} instead of {wanted}")
                };
                assert_eq!((found, left, right), (operation, 100, other));
            };
            let mut x = DeviceVec::filled(queue, 0.0_f32, 100).unwrap();
            for inline in [false, true] {
                let a = || Inconstant::new(other, inline);
                refused("product", Cg::new().solve(&a(), &b, &mut x));
                refused("product", BiCgStab::new().solve(&a(), &b, &mut x));
                refused("product", Gmres::new().solve(&a(), &b, &mut x));
            }
            let m = || Inconstant::new(other, false);
            refused("preconditioner", Cg::new().preconditioner(&m()).solve(&steady, &b, &mut x));
            refused("preconditioner", BiCgStab::new().preconditioner(&m()).solve(&steady, &b, &mut x));
            refused("preconditioner", Gmres::new().preconditioner(&m()).solve(&steady, &b, &mut x));

            let of =
                |result: cl_core::Result<()>| result.map_err(SolveError::Failed).map(|()| unreachable!());
            let a = m();
            refused("product", of(Chebyshev::new(&a, queue, 4).map(drop)));
            let a = m();
            let m = Chebyshev::with_bounds(&a, (1.0, 100.0), 4).unwrap();
            assert_eq!(m.size(), Some(100));
            refused("product", of(m.apply(&b, &mut x)));
            // The preconditioner does not keep the vector that the operator has put there.
            refused("product", of(m.apply(&b, &mut x)));
        }
    }
}
