//! Multigrid: the reduction of the error by a cycle, solutions that are known, borders, preconditioners.

use cl_grid::multigrid::{Boundary, Coarsening, Cycle, Multigrid, Problem, Report, Smoother};
use cl_grid::prelude::*;
use cl_sparse::solve::{Cg, Jacobi, Tolerance};
use cl_sparse::{Csr, generate};
use std::f64::consts::PI;

const BORDERS: [Boundary; 4] =
    [Boundary::Dirichlet, Boundary::Reflect, Boundary::Symmetric, Boundary::Periodic];

/// Calls a test with a queue on each device that has double precision.
fn each_queue(test: impl Fn(&Queue)) {
    cl_test::each_device(|device| {
        if cl_test::offers(device, "f64", device.has_fp64()) {
            test(&Queue::on(device).unwrap());
        }
    });
}

/// Returns an array of numbers between -1 and 1 without a pattern.
fn rough<const N: usize>(queue: &Queue, shape: [usize; N]) -> Array<f64, N> {
    let count = shape.iter().product::<usize>() as u64;
    let items: Vec<f64> =
        (0..count).map(|at| ((at * at * 7919 + at * 104_729) % 2003) as f64 / 1001.0 - 1.0).collect();
    Array::from_slice(queue, shape, &items).unwrap()
}

/// Returns the factor of the last cycle of a solution.
fn last_factor(report: &Report) -> f64 {
    let [.., before, last] = report.residuals[..] else { return f64::NAN };
    last / before
}

/// Returns the factor by which the eighth cycle reduces the residual of a problem on a grid of spacing 1.
fn factor<const N: usize>(
    queue: &Queue,
    shape: [usize; N],
    settings: impl Fn(Multigrid<f64, N>) -> Multigrid<f64, N>,
) -> f64 {
    factor_with(queue, shape, Boundary::Dirichlet, settings)
}

fn factor_with<const N: usize>(
    queue: &Queue,
    shape: [usize; N],
    border: Boundary,
    settings: impl Fn(Multigrid<f64, N>) -> Multigrid<f64, N>,
) -> f64 {
    let problem = Problem::<f64, N>::new(&Grid::uniform(shape, [1.0; N]).unwrap()).boundary(border);
    let solver = Multigrid::new(queue, &problem).unwrap().tolerance(0.0).max_cycles(8);
    let (_, report) = settings(solver).solve(rough(queue, shape)).unwrap();
    last_factor(&report)
}

/// Thin grids have many times as many elements with padding, so the coarsest level is solved at its points.
#[test]
fn thin_grids_are_solved() {
    fn check<const N: usize>(queue: &Queue, shape: [usize; N]) {
        let problem = Problem::<f64, N>::new(&Grid::uniform(shape, [1.0; N]).unwrap());
        let mut solver = Multigrid::new(queue, &problem).unwrap();
        for _ in 0..2 {
            let (_, report) = solver.solve(rough(queue, shape)).unwrap();
            let [first, .., last] = report.residuals[..] else { panic!("{report:?}") };
            assert!(last < 1e-8 * first, "{shape:?}: {report:?}");
        }
    }
    each_queue(|queue| {
        check(queue, [1, 1, 100]);
        check(queue, [3, 4, 5]);
    });
}

#[test]
fn a_cycle_leaves_a_tenth_of_the_error() {
    each_queue(|queue| {
        let reduced = factor(queue, [64, 64], |solver| solver);
        assert!(reduced < 0.08, "{reduced}");
        let reduced = factor(queue, [20, 21, 20], |solver| solver);
        assert!(reduced < 0.12, "{reduced}");
    });
}

/// Returns the shorter time of two calls in seconds.
fn shortest(queue: &Queue, mut call: impl FnMut()) -> f64 {
    let mut once = || {
        let begin = std::time::Instant::now();
        call();
        queue.finish().unwrap();
        begin.elapsed().as_secs_f64()
    };
    once().min(once())
}

#[test]
#[ignore = "large grids: prints the factors, the iterations and the times"]
fn large_grids_have_the_same_factors() {
    each_queue(|queue| {
        for n in [64, 128, 256, 1000] {
            let reduced = factor(queue, [n, n], |solver| solver);
            println!("{n}²: {reduced:.3}");
            assert!(reduced < 0.12);
        }
        for n in [64, 97, 100, 128, 256] {
            let reduced = factor(queue, [n; 3], |solver| solver);
            println!("{n}³: {reduced:.3}");
            assert!(reduced < 0.12);
        }
        for border in BORDERS {
            for n in [64, 97, 100] {
                let reduced = factor_with(queue, [n, n], border, |solver| solver);
                println!("{border:?}, {n}²: {reduced:.3}");
                assert!(reduced < 0.12);
            }
        }
        let n = 256;
        let problem = Problem::<f64, 3>::new(&Grid::uniform([n; 3], [1.0; 3]).unwrap());
        let f = rough(queue, [n; 3]);
        for smoother in [Smoother::RedBlack, Smoother::Chebyshev] {
            let mut solver = Multigrid::new(queue, &problem).unwrap().smoother(smoother);
            let mut z = Array::zeros(queue, [n; 3]).unwrap();
            let times = (0..4).map(|_| {
                let begin = std::time::Instant::now();
                solver.precondition(&f, &mut z).unwrap();
                queue.finish().unwrap();
                begin.elapsed().as_secs_f64()
            });
            println!("{smoother:?}, V(2,2), {n}³: {:.0} ms", 1e3 * times.fold(f64::MAX, f64::min));
        }
        for n in [64, 100, 256] {
            let a: Csr<f64> = Csr::new(queue, &generate::seven_point([n; 3], 6.0, -1.0).unwrap()).unwrap();
            let b = rough(queue, [n; 3]).into_vec();
            let mut x = DeviceVec::filled(queue, 0.0, n * n * n).unwrap();
            let problem = Problem::<f64, 3>::new(&Grid::uniform([n; 3], [1.0; 3]).unwrap());
            let m = Multigrid::new(queue, &problem).unwrap().into_preconditioner();
            let solver = Cg::new().tolerance(Tolerance::Relative(1e-8)).preconditioner(&m);
            let report = { solver }.solve(&a, &b, &mut x).unwrap();
            println!("conjugate gradients, {n}³: {} iterations", report.iterations);
            assert!(report.iterations <= 12);

            let jacobi = Jacobi::new(DeviceVec::filled(queue, 6.0, n * n * n).unwrap()).unwrap();
            let solver_by_jacobi = || {
                Cg::new().tolerance(Tolerance::Relative(1e-8)).iteration_limit(10_000).preconditioner(&jacobi)
            };
            let by_jacobi = shortest(queue, || {
                let mut x = DeviceVec::filled(queue, 0.0, n * n * n).unwrap();
                let report = solver_by_jacobi().solve(&a, &b, &mut x).unwrap();
                println!("by Jacobi {} iterations", report.iterations);
            });
            let f = rough(queue, [n; 3]);
            let mut solver = Multigrid::new(queue, &problem).unwrap().tolerance(1e-8);
            let cycles = shortest(queue, || {
                let (_, report) = solver.solve(&f).unwrap();
                println!("{} cycles", report.residuals.len() - 1);
            });
            println!("{n}³: {cycles:.3} s by cycles, {by_jacobi:.3} s by CG with Jacobi");
        }
    });
}

#[test]
fn other_cycles_and_smoothers_converge() {
    each_queue(|queue| {
        let with = |smoother, cycle| factor(queue, [40, 40], |s| s.smoother(smoother).cycle(cycle));
        let cases = [
            (Smoother::RedBlack, Cycle::W, 0.05),
            (Smoother::RedBlack, Cycle::F, 0.05),
            (Smoother::Chebyshev, Cycle::V, 0.16),
            (Smoother::Jacobi, Cycle::V, 0.2),
        ];
        for (smoother, cycle, bound) in cases {
            let reduced = with(smoother, cycle);
            assert!(reduced < bound, "{smoother:?} {cycle:?}: {reduced}");
        }
        let once = factor(queue, [40, 40], |solver| solver.sweeps(1, 0));
        assert!(once > 0.1 && once < 0.35, "{once}");
    });
}

/// Checks that a problem's solver finds a function from the operator's result for it.
fn solves<const N: usize>(queue: &Queue, problem: &Problem<'_, f64, N>, shape: [usize; N], case: &str) {
    let error = error_of(queue, problem, shape, case);
    let error = Formula::from(&error).norm_max().unwrap();
    assert!(error < 1e-6, "{case}: {error}");
}

/// Returns the difference between the solver's solution and the function.
fn error_of<const N: usize>(
    queue: &Queue,
    problem: &Problem<'_, f64, N>,
    shape: [usize; N],
    case: &str,
) -> Array<f64, N> {
    let u = rough(queue, shape);
    let f = problem.operator().unwrap().of(problem.continued(&u)).collect().unwrap();
    let mut solver = Multigrid::new(queue, problem).unwrap().tolerance(1e-10);
    let (solution, report) = solver.solve(&f).unwrap();
    assert!(report.has_converged, "{case}: {report:?}");
    assert!(report.cycles() <= 16, "{case}: {report:?}");
    (&solution - &u).collect().unwrap()
}

#[test]
fn solutions_are_found_with_all_borders() {
    each_queue(|queue| {
        for border in BORDERS {
            for n in [20, 21] {
                let grid = Grid::uniform([n, n], [1.0, 1.0]).unwrap();
                let (problem, case) = (Problem::new(&grid).boundary(border), format!("{border:?} {n}"));
                if border == Boundary::Dirichlet {
                    solves(queue, &problem, [n, n], &case);
                    continue;
                }
                // Only differences are determined.
                let error = error_of(queue, &problem, [n, n], &case);
                let error = (Formula::from(&error) - error.get([0, 0]).unwrap()).norm_max().unwrap();
                assert!(error < 1e-6, "{case}: {error}");
            }
        }
        let grid = Grid::uniform([150], [0.5]).unwrap();
        solves(queue, &Problem::new(&grid), [150], "1-D");
    });
}

#[test]
fn solutions_are_found_with_coefficients() {
    each_queue(|queue| {
        let shape = [24, 17];
        let grid = Grid::uniform(shape, [1.0, 1.0]).unwrap();
        let c = (rough(queue, shape) + 1.1).collect().unwrap();
        for borders in [[Boundary::Dirichlet, Boundary::Periodic], [Boundary::Symmetric, Boundary::Reflect]] {
            let problem = Problem::new(&grid)
                .boundary_axis(0, borders[0])
                .boundary_axis(1, borders[1])
                .diffusion(grid.function::<f64>(|[x, y]| 2.0 + (0.3 * x).sin() * (0.2 * y).cos()))
                .reaction(&c);
            solves(queue, &problem, shape, &format!("{borders:?}"));
        }
        // A number and an array.
        let k = (rough(queue, shape) * 0.3 + 1.0).collect().unwrap();
        let problem = Problem::new(&grid).boundary(Boundary::Reflect).diffusion(&k).reaction(0.01);
        solves(queue, &problem, shape, "an array k");
    });
}

#[test]
fn stretched_axes_and_different_spacings_are_solved() {
    each_queue(|queue| {
        // The distances grow by a twentieth from point to point.
        let points: Vec<f64> = (0..40).map(|at| 1.05_f64.powi(at)).collect();
        let grid = Grid::uniform([40, 20], [0.1, 0.2]).unwrap().with_points(0, &points).unwrap();
        solves(queue, &Problem::new(&grid), [40, 20], "stretched");
        let grid = Grid::uniform([64, 16], [0.125, 1.0]).unwrap();
        let problem = Problem::<f64, 2>::new(&grid);
        // Neighbours along axis 0 are coupled 64 times as much as those along axis 1.
        let solver = Multigrid::new(queue, &problem).unwrap();
        assert_eq!(solver.shapes(), [[64, 16], [32, 16], [16, 16], [8, 16]]);
        solves(queue, &problem, [64, 16], "different spacings");
    });
}

/// The distances along both axes differ by 1 to 100: at some points neighbours are coupled most along one axis, at others
/// along the other one.
#[test]
fn stretched_axes_reach_the_discretisation_error() {
    each_queue(|queue| {
        let n = 47;
        let growth = 100_f64.powf(1.0 / (n - 2) as f64);
        let mut points = vec![growth - 1.0];
        for at in 1..n {
            points.push(points[at - 1] + (growth - 1.0) * growth.powi(at as i32 - 1));
        }
        // The borders are one step beyond the ends.
        let first = 2.0 * points[0] - points[1];
        let length = 2.0 * points[n - 1] - points[n - 2] - first;
        let axis: Vec<f64> = points.iter().map(|point| (point - first) / length).collect();
        let grid = Grid::uniform([n, n], [1.0; 2]).unwrap();
        let grid = grid.with_points(0, &axis).unwrap().with_points(1, &axis).unwrap();
        let exact = grid.function::<f64>(|[x, y]| (PI * x).sin() * (2.0 * PI * y).sin());
        let mut solver = Multigrid::new(queue, &Problem::new(&grid)).unwrap();
        let f = (&exact * (5.0 * PI * PI)).collect_on(queue).unwrap();
        let error = |u: &Array<f64, 2>| (Formula::from(u) - &exact).norm_max().unwrap();
        let first = error(&solver.full_multigrid(&f).unwrap());
        let (u, report) = solver.solve(&f).unwrap();
        assert!(report.has_converged && report.cycles() <= 10, "{report:?}");
        assert!(first < 2.0 * error(&u) && error(&u) < 0.02, "{first} {}", error(&u));
    });
}

/// A circle with an odd number of points has no neighbours among its coarse points.
#[test]
fn circles_converge_like_others() {
    each_queue(|queue| {
        let reduced = factor_with(queue, [97, 97], Boundary::Periodic, |solver| solver);
        assert!(reduced < 0.12, "{reduced}");
    });
}

/// Returns the sum of the products of two arrays, each multiplied by the widths of its cell.
fn weighted<const N: usize>(a: &Array<f64, N>, b: &Array<f64, N>, cells: [&[f64]; N]) -> f64 {
    let shape = a.shape();
    let products = (a * b).to_vec().unwrap();
    let volume = |mut at: usize| {
        (0..N).rev().fold(1.0, |volume, axis| {
            let own = at % shape[axis];
            at /= shape[axis];
            volume * cells[axis][own]
        })
    };
    products.iter().enumerate().map(|(at, product)| product * volume(at)).sum()
}

#[test]
fn transfers_are_transposes_for_all_sizes_and_borders() {
    each_queue(|queue| {
        for border in BORDERS {
            for shape in [[12, 13], [4, 9], [7, 8]] {
                let uniform = Grid::uniform(shape, [1.0, 0.5]).unwrap();
                let points: Vec<f64> = (0..shape[0]).map(|at| 1.4_f64.powi(at as i32)).collect();
                let stretched = uniform.clone().with_points(0, &points).unwrap();
                for (grid, case) in [(uniform, "uniform"), (stretched, "stretched")] {
                    let coarsening = Coarsening::<f64, 2>::new(&grid, [border, border]).unwrap();
                    let (u, v) = (rough(queue, shape), rough(queue, coarsening.shape()));
                    let fine = [0, 1].map(|axis| coarsening.fine_cells(axis));
                    let coarse = [0, 1].map(|axis| coarsening.coarse_cells(axis));
                    let left = weighted(&coarsening.full_weighting(&u).unwrap(), &v, coarse);
                    let right = weighted(&u, &coarsening.linear(&v).unwrap(), fine);
                    let size = weighted(&u, &u, fine);
                    assert!(
                        (left - right).abs() < 1e-12 * size,
                        "{border:?} {shape:?} {case}: {left} {right}"
                    );
                    assert_eq!(coarsening.injection(&u).unwrap().shape(), coarsening.shape());
                }
            }
        }
    });
}

/// A cycle is a symmetric operation in the widths of the cells, for all borders and any distances.
#[test]
fn cycles_are_symmetric_for_all_borders() {
    each_queue(|queue| {
        let shape = [17, 13];
        let uniform = Grid::uniform(shape, [1.0, 1.0]).unwrap();
        let points: Vec<f64> = (0..17).map(|at| 1.3_f64.powi(at)).collect();
        let stretched = uniform.clone().with_points(0, &points).unwrap();
        for (grid, borders) in [
            (&uniform, [Boundary::Periodic, Boundary::Symmetric]),
            (&stretched, [Boundary::Reflect, Boundary::Periodic]),
        ] {
            let problem = Problem::<f64, 2>::new(grid)
                .boundary_axis(0, borders[0])
                .boundary_axis(1, borders[1])
                .reaction(0.1);
            let coarsening = Coarsening::<f64, 2>::new(grid, borders).unwrap();
            let cells = [0, 1].map(|axis| coarsening.fine_cells(axis));
            let mut solver = Multigrid::new(queue, &problem).unwrap();
            let a = rough(queue, shape);
            let b = (a.iter().flip(0) * a.iter() + 0.1).collect().unwrap();
            let mut of = |r: &Array<f64, 2>| {
                let mut z = Array::zeros(queue, shape).unwrap();
                solver.precondition(r, &mut z).unwrap();
                z
            };
            let (of_a, of_b) = (of(&a), of(&b));
            let (left, right) = (weighted(&of_a, &b, cells), weighted(&a, &of_b, cells));
            let size = weighted(&of_a, &a, cells);
            assert!((left - right).abs() < 1e-10 * size, "{borders:?}: {left} {right} of {size}");
        }
    });
}

#[test]
fn full_multigrid_reaches_the_discretisation_error() {
    each_queue(|queue| {
        let errors = |n: usize| {
            let h = 1.0 / (n + 1) as f64;
            let grid = Grid::uniform([n, n], [h, h]).unwrap().with_origin([h, h]).unwrap();
            let exact = grid.function::<f64>(|[x, y]| (PI * x).sin() * (2.0 * PI * y).sin());
            let mut solver = Multigrid::new(queue, &Problem::new(&grid)).unwrap();
            let f = (&exact * (5.0 * PI * PI)).collect_on(queue).unwrap();
            let error = |u: &Array<f64, 2>| (Formula::from(u) - &exact).norm_max().unwrap();
            let first = error(&solver.full_multigrid(&f).unwrap());
            let (converged, report) = solver.solve(&f).unwrap();
            assert!(report.has_converged);
            [first, error(&converged)]
        };
        let [coarse, fine] = [31, 63].map(errors);
        for [first, converged] in [coarse, fine] {
            assert!(first < 2.0 * converged, "{first} {converged}");
        }
        // Half of the spacing, a quarter of the error.
        assert!(fine[0] < 0.3 * coarse[0], "{coarse:?} {fine:?}");
    });
}

#[test]
fn values_at_the_borders_go_into_the_right_hand_side() {
    each_queue(|queue| {
        let grid = Grid::uniform([15, 12], [0.1, 0.2]).unwrap().with_origin([1.0, 2.0]).unwrap();
        let problem = Problem::<f64, 2>::new(&grid);
        let exact = grid.function::<f64>(|[x, y]| x * x - 3.0 * y * y + x * y);
        let f = problem.right_hand_side(4.0, &exact).unwrap().collect_on(queue).unwrap();
        let (u, _) = Multigrid::new(queue, &problem).unwrap().tolerance(1e-12).solve(&f).unwrap();
        let error = (Formula::from(&u) - &exact).norm_max().unwrap();
        assert!(error < 1e-9, "{error}");
    });
}

#[test]
fn a_solution_goes_on_from_an_approximation() {
    each_queue(|queue| {
        let problem = Problem::<f64, 2>::new(&Grid::uniform([20, 20], [1.0, 1.0]).unwrap());
        let f = rough(queue, [20, 20]);
        let mut solver = Multigrid::new(queue, &problem).unwrap();
        let (mut u, first) = solver.solve(&f).unwrap();
        let again = solver.solve_into(&mut u, &f).unwrap();
        assert!(first.cycles() > 3 && again.cycles() == 0, "{first:?} {again:?}");
        let failed = solver.max_cycles(1).solve(&f).unwrap().1;
        assert!(!failed.has_converged && failed.cycles() == 1);
    });
}

#[test]
fn a_cycle_is_a_preconditioner() {
    each_queue(|queue| {
        let shape = [16, 17];
        let problem = Problem::<f64, 2>::new(&Grid::uniform(shape, [1.0, 1.0]).unwrap());
        let mut solver = Multigrid::new(queue, &problem).unwrap();
        let (a, mut b) = (rough(queue, shape), Array::zeros(queue, shape).unwrap());
        b.assign_with(|b| b + a.iter().flip(0) * a.iter()).unwrap();
        let mut of = |r: &Array<f64, 2>| {
            let mut z = Array::zeros(queue, shape).unwrap();
            solver.precondition(r, &mut z).unwrap();
            z
        };
        let (of_a, of_b) = (of(&a), of(&b));
        let dot = |x: &Array<f64, 2>, y: &Array<f64, 2>| (x * y).sum().unwrap();
        let (left, right) = (dot(&of_a, &b), dot(&a, &of_b));
        assert!((left - right).abs() < 1e-10 * dot(&of_a, &a), "{left} {right}");
        let a: Csr<f64> = Csr::new(queue, &generate::five_point([50, 50], 4.0, -1.0).unwrap()).unwrap();
        let b = rough(queue, [50, 50]).into_vec();
        let mut x = DeviceVec::filled(queue, 0.0, 2500).unwrap();
        let problem = Problem::<f64, 2>::new(&Grid::uniform([50, 50], [1.0, 1.0]).unwrap());
        let m = Multigrid::new(queue, &problem).unwrap().into_preconditioner();
        let report =
            Cg::new().tolerance(Tolerance::Relative(1e-8)).preconditioner(&m).solve(&a, &b, &mut x).unwrap();
        assert!(report.iterations <= 8, "{report:?}");
        let short = DeviceVec::filled(queue, 0.0, 2499).unwrap();
        assert!(cl_sparse::solve::Preconditioner::apply(&m, &short, &mut x).is_err());
    });
}

/// Returns the number of launches that a solver keeps.
fn kept<const N: usize>(solver: &Multigrid<f64, N>) -> usize {
    let text = format!("{solver:?}");
    let numbers =
        text.split("Captured(").skip(1).filter_map(|rest| rest.split(' ').next()?.parse::<usize>().ok());
    numbers.sum()
}

#[test]
fn later_cycles_enqueue_the_kernels_of_the_first_one() {
    each_queue(|queue| {
        for border in [Boundary::Dirichlet, Boundary::Periodic] {
            let shape = [33, 32];
            let problem = Problem::<f64, 2>::new(&Grid::uniform(shape, [1.0; 2]).unwrap())
                .boundary(border)
                .reaction(1.0);
            // An odd number of steps exchanges the arrays of a level.
            for (smoother, sweeps) in
                [(Smoother::RedBlack, 2), (Smoother::Chebyshev, 3), (Smoother::Jacobi, 1)]
            {
                let solver = || Multigrid::new(queue, &problem).unwrap().smoother(smoother).sweeps(sweeps, 2);
                let [first, second] = [rough(queue, shape), (rough(queue, shape) * 3.0).collect().unwrap()];
                let mut z = Array::zeros(queue, shape).unwrap();
                let mut used = solver();
                assert_eq!(kept(&used), 0);
                used.precondition(&first, &mut z).unwrap();
                let launches = kept(&used);
                assert!(launches > 10, "{used:?}");
                used.precondition(&second, &mut z).unwrap();
                assert_eq!(kept(&used), launches, "{border:?} {smoother:?}");
                let again = z.to_vec().unwrap();
                solver().precondition(&second, &mut z).unwrap();
                assert_eq!(again, z.to_vec().unwrap(), "{border:?} {smoother:?}");
            }
        }
    });
}

#[test]
fn steps_from_zero_are_those_from_a_solution_of_zeros() {
    each_queue(|queue| {
        for (border, n) in [
            (Boundary::Dirichlet, 32),
            (Boundary::Reflect, 33),
            (Boundary::Periodic, 32),
            (Boundary::Periodic, 33),
        ] {
            let shape = [n, 20];
            let c = (rough(queue, shape) + 1.5).collect().unwrap();
            let problem = Problem::<f64, 2>::new(&Grid::uniform(shape, [1.0; 2]).unwrap());
            let problem = problem.boundary_axis(0, border).reaction(&c);
            let f = rough(queue, shape);
            for (smoother, sweeps) in [
                (Smoother::RedBlack, 1),
                (Smoother::RedBlack, 2),
                (Smoother::Chebyshev, 2),
                (Smoother::Jacobi, 3),
            ] {
                let solver = Multigrid::new(queue, &problem).unwrap().smoother(smoother).sweeps(sweeps, 0);
                let mut solver = solver.max_cycles(1).tolerance(0.0);
                let [mut from_zero, mut from_zeros] = [0, 1].map(|_| Array::zeros(queue, shape).unwrap());
                solver.precondition(&f, &mut from_zero).unwrap();
                solver.solve_into(&mut from_zeros, &f).unwrap();
                let error = (Formula::from(&from_zero) - &from_zeros).norm_max().unwrap();
                let norm = Formula::from(&from_zero).norm_max().unwrap();
                assert!(
                    norm > 0.1 && error < 1e-13 * norm,
                    "{border:?} {n} {smoother:?} {sweeps}: {error} of {norm}"
                );
            }
        }
    });
}

#[test]
fn functions_are_restricted_and_prolongated() {
    each_queue(|queue| {
        for border in BORDERS {
            let shape = [12, 13];
            let grid = Grid::uniform(shape, [1.0, 1.0]).unwrap();
            let coarsening = Coarsening::<f64, 2>::new(&grid, [border, border]).unwrap();
            let fine = rough(queue, shape);
            let coarse = rough(queue, coarsening.shape());
            // Coarse points keep their values.
            for prolonged in [coarsening.linear(&coarse).unwrap(), coarsening.cubic(&coarse).unwrap()] {
                let back = coarsening.injection(&prolonged).unwrap().collect().unwrap();
                assert!((Formula::from(&back) - &coarse).norm_max().unwrap() < 1e-12, "{border:?}");
            }
            // Means keep constants.
            let ones = Array::filled(queue, shape, 1.0).unwrap();
            let means = coarsening.full_weighting(&ones).unwrap();
            assert!((Formula::from(&means) - 1.0).norm_max().unwrap() < 1e-12, "{border:?}");
            let mean = coarsening.full_weighting(&fine).unwrap().get([2, 2]).unwrap();
            let first = usize::from(border == Boundary::Dirichlet);
            let own = [4 + first, 4 + first];
            let mut wanted = 0.0;
            for (i, a) in [0.25, 0.5, 0.25].into_iter().enumerate() {
                for (j, b) in [0.25, 0.5, 0.25].into_iter().enumerate() {
                    wanted += a * b * fine.get([own[0] + i - 1, own[1] + j - 1]).unwrap();
                }
            }
            assert!((mean - wanted).abs() < 1e-12, "{border:?}: {mean} {wanted}");
            assert!(coarsening.linear(&fine).is_err() && coarsening.injection(&coarse).is_err());
        }
        let small = Grid::uniform([2], [1.0]).unwrap();
        assert!(Coarsening::<f64, 1>::new(&small, [Boundary::Dirichlet]).is_err());
    });
}

#[test]
fn single_precision_is_solved() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let problem = Problem::<f32, 3>::new(&Grid::uniform([12, 10, 11], [1.0; 3]).unwrap());
        let f = Array::filled(&queue, [12, 10, 11], 1.0_f32).unwrap();
        let (u, report) = Multigrid::new(&queue, &problem).unwrap().solve(&f).unwrap();
        assert!(report.has_converged && report.cycles() <= 7, "{report:?}");
        let product = problem.operator().unwrap().of(problem.continued(&u));
        assert!((product - 1.0_f32).norm_max().unwrap() < 1e-3);
    });
}

#[test]
fn refused_problems_say_why() {
    each_queue(|queue| {
        let grid = Grid::uniform([20, 20], [1.0, 1.0]).unwrap();
        let problem = Problem::<f64, 2>::new(&grid);
        let error = |result: cl_core::Result<Multigrid<f64, 2>>| result.unwrap_err().to_string();
        let singular = Problem::new(&grid).boundary(Boundary::Periodic).reaction(0.0);
        assert!(error(Multigrid::new(queue, &singular)).contains("no inverse"));
        let empty = Problem::<f64, 2>::new(&Grid::uniform([20, 0], [1.0, 1.0]).unwrap());
        assert!(error(Multigrid::new(queue, &empty)).contains("no points"));
        let other = rough(queue, [20, 21]);
        assert!(error(Multigrid::new(queue, &Problem::new(&grid).diffusion(&other))).contains("[20, 21]"));
        let mut solver = Multigrid::new(queue, &problem).unwrap();
        assert!(solver.solve(&other).is_err());
        let mut wide = Array::zeros(queue, [20, 21]).unwrap();
        assert!(solver.solve_into(&mut wide, rough(queue, [20, 20])).is_err());
        assert!(solver.precondition(rough(queue, [20, 20]), &mut wide).is_err());
        assert!(solver.full_multigrid(&other).is_err());
    });
}
