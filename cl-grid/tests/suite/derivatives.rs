//! The operators of grids: exact for polynomials, and of their order where the spacing is refined.

use cl_core::Device;
use cl_grid::prelude::*;
use cl_test::each_device;

/// Runs a test in double precision on each device that has it.
fn each_double(test: impl Fn(&Queue)) {
    each_device(|device: &Device| {
        if cl_test::offers(device, "double precision", device.has_fp64()) {
            test(&Queue::on(device).unwrap());
        }
    });
}

/// Returns `len` positions from 0 to 1 whose distances change smoothly.
fn stretched(len: usize) -> Vec<f64> {
    let position = |at: usize| at as f64 / (len - 1) as f64;
    (0..len).map(position).map(|x| x + 0.1 * (3.0 * x).sin()).collect()
}

/// Returns a grid on the unit interval, or nearly, along each axis.
fn grid<const N: usize>(len: usize, is_stretched: bool) -> Grid<N> {
    let grid = Grid::uniform([len; N], [1.0 / (len - 1) as f64; N]).unwrap();
    if !is_stretched {
        return grid;
    }
    (0..N).fold(grid, |grid, axis| grid.with_points(axis, &stretched(len)).unwrap())
}

#[track_caller]
fn assert_order(errors: [f64; 2], order: f64, name: &str) {
    let measured = (errors[0] / errors[1]).log2();
    assert!((measured - order).abs() < 0.15, "{name}: order {measured:.3}, errors {errors:?}");
}

/// Returns the function of an array on the device.
fn values<const N: usize>(queue: &Queue, formula: Formula<'_, f64, N>) -> Array<f64, N> {
    formula.collect_on(queue).unwrap()
}

/// Asserts the order of convergence of an operator, in the largest error inside of margins of an eighth of the grid. So
/// the same part of space is compared on both grids.
#[track_caller]
fn assert_converges(
    queue: &Queue,
    is_stretched: bool,
    order: f64,
    name: &str,
    operator: impl Fn(&Grid<1>) -> Operator<'static, f64, 1>,
    exact: impl Fn(Val<f64>) -> Val<f64>,
) {
    let errors = [33, 65].map(|len| {
        let grid = grid::<1>(len, is_stretched);
        let f = values(queue, grid.function::<f64>(|[x]| (2.0 * x).sin()));
        let wanted = grid.function::<f64>(|[x]| exact(x));
        (operator(&grid).of(&f) - wanted).inside(len / 8).norm_max().unwrap()
    });
    assert_order(errors, order, name);
}

#[test]
fn derivatives_converge_with_their_orders() {
    each_double(|queue| {
        let derivative = |order: usize| move |grid: &Grid<1>| grid.derivative::<f64>(0, order).unwrap();
        assert_converges(queue, false, 2.0, "first", derivative(1), |x| 2.0 * (2.0 * x).cos());
        assert_converges(queue, false, 2.0, "second", derivative(2), |x| -4.0 * (2.0 * x).sin());
        assert_converges(queue, false, 2.0, "third", derivative(3), |x| -8.0 * (2.0 * x).cos());
        assert_converges(queue, false, 2.0, "fourth", derivative(4), |x| 16.0 * (2.0 * x).sin());
        assert_converges(queue, true, 2.0, "first, stretched", derivative(1), |x| 2.0 * (2.0 * x).cos());
        assert_converges(queue, true, 2.0, "second, stretched", derivative(2), |x| -4.0 * (2.0 * x).sin());
        let laplacian = |grid: &Grid<1>| grid.laplacian::<f64>();
        assert_converges(queue, false, 2.0, "Laplacian", laplacian, |x| -4.0 * (2.0 * x).sin());
        assert_converges(queue, true, 2.0, "Laplacian, stretched", laplacian, |x| -4.0 * (2.0 * x).sin());
        // Upwind differences look to either side.
        for velocity in [1.0, -0.5] {
            let upwind = |grid: &Grid<1>| grid.upwind::<f64>(0, velocity).unwrap();
            assert_converges(queue, false, 1.0, "upwind", upwind, |x| 2.0 * (2.0 * x).cos());
        }
        let half = |len: usize| 0.5 / (len - 1) as f64;
        let errors = [33, 65].map(|len| {
            let grid = grid::<1>(len, false);
            let f = values(queue, grid.function::<f64>(|[x]| (2.0 * x).sin()));
            let wanted = grid.function::<f64>(|[x]| (2.0 * (x + half(len))).sin());
            (grid.midpoint(0).unwrap().of(&f) - wanted).inside(len / 8).norm_max().unwrap()
        });
        assert_order(errors, 2.0, "midpoint");
    });
}

/// The neighbour that the velocity comes from is at smaller coordinates for positive velocities.
#[test]
fn upwind_differences_read_one_side() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let grid = Grid::uniform([4], [0.5]).unwrap();
        let f = Array::from_slice(queue, [4], &[0.0_f32, 1.0, 3.0, 6.0]).unwrap();
        let velocity = Array::from_slice(queue, [4], &[0.0_f32, 1.0, -1.0, 0.0]).unwrap();
        let upwind = grid.upwind(0, &velocity).unwrap().of(&f).inside(1).to_vec().unwrap();
        assert_eq!(upwind, [2.0, 6.0]);
        assert_eq!(grid.midpoint(0).unwrap().of(&f).inside([(0, 1)]).to_vec().unwrap(), [0.5, 2.0, 4.5]);
    });
}

#[test]
fn diffusion_and_isotropic_laplacians_converge() {
    each_double(|queue| {
        for is_stretched in [false, true] {
            let errors = [17, 33].map(|len| {
                let grid = grid::<2>(len, is_stretched);
                let f = values(queue, grid.function::<f64>(|[x, y]| x.sin() * (y + 0.5).cos()));
                let k = values(queue, grid.function::<f64>(|[x, y]| 1.0 + x * x + y));
                // div(k grad f) = k lap f + grad k . grad f
                let wanted = grid.function::<f64>(|[x, y]| {
                    let k = 1.0 + x * x + y;
                    let y = y + 0.5;
                    -2.0 * k * x.sin() * y.cos() + 2.0 * x * x.cos() * y.cos() - x.sin() * y.sin()
                });
                (grid.diffusion(&k).of(&f) - wanted).inside(len / 8).norm_max().unwrap()
            });
            assert_order(errors, 2.0, "diffusion");
        }
        // The error is proportional to the Laplacian of the Laplacian: of second order, and of fourth where that is zero.
        for (order, name, [biharmonic, other]) in
            [(2.0, "isotropic", [0.0, 1.0]), (4.0, "isotropic, of a biharmonic function", [1.0, 0.0])]
        {
            let function = |[x, y]: [Val<f64>; 2]| {
                biharmonic * x.sin() * y.exp() * y + other * x.sin() * (2.0 * y).cos()
            };
            let laplacian = |[x, y]: [Val<f64>; 2]| {
                biharmonic * 2.0 * x.sin() * y.exp() - 5.0 * other * x.sin() * (2.0 * y).cos()
            };
            let errors = [17, 33].map(|len| {
                let grid = grid::<2>(len, false);
                let f = values(queue, grid.function::<f64>(function));
                let wanted = grid.function::<f64>(laplacian);
                (grid.laplacian_9().unwrap().of(&f) - wanted).inside(len / 8).norm_max().unwrap()
            });
            assert_order(errors, order, name);
            let errors = [17, 33].map(|len| {
                let grid = grid::<3>(len, false);
                let f = values(queue, grid.function::<f64>(|[x, y, z]| function([x, y]) + z * z));
                let wanted = grid.function::<f64>(|[x, y, _]| laplacian([x, y]) + 2.0);
                (grid.laplacian_27().unwrap().of(&f) - wanted).inside(len / 8).norm_max().unwrap()
            });
            assert_order(errors, order, name);
        }
        // For harmonic functions the error of 9 points is of sixth order.
        let errors = [17, 33].map(|len| {
            let grid = Grid::uniform([len; 2], [2.0 / (len - 1) as f64; 2]).unwrap();
            let f = values(queue, grid.function::<f64>(|[x, y]| (2.0 * x).sin() * (2.0 * y).exp()));
            grid.laplacian_9().unwrap().of(&f).inside(len / 8).norm_max().unwrap()
        });
        assert_order(errors, 6.0, "9 points, harmonic");
    });
}

#[test]
fn integrals_converge_and_weigh_stretched_cells() {
    each_double(|queue| {
        // The sum over cells is the midpoint rule where the points are the centres of cells.
        let errors = [16, 32].map(|len| {
            let h = 1.0 / len as f64;
            let grid = Grid::uniform([len; 2], [h; 2]).unwrap().with_origin([h / 2.0; 2]).unwrap();
            let f = values(queue, grid.function::<f64>(|[x, y]| x.exp() * y));
            (grid.integral(&f).unwrap() - 0.5 * (1_f64.exp() - 1.0)).abs()
        });
        assert_order(errors, 2.0, "integral");
        // The cells of the points 0, 1, 3, 6 begin at -1/2, and end at 15/2.
        let grid = Grid::uniform([4, 2], [1.0, 0.5]).unwrap().with_points(0, &[0.0, 1.0, 3.0, 6.0]).unwrap();
        let f = Array::from_slice(queue, [4, 2], &[1.0, 0.0, 0.0, 10.0, 100.0, 0.0, 0.0, 1000.0]).unwrap();
        assert_eq!(grid.integral(&f).unwrap(), 0.5 * (1.0 + 15.0 + 250.0 + 3000.0));
        assert_eq!(grid.integral(0.0 * Formula::from(&f) + 1.0).unwrap(), 8.0);
    });
}

/// Asserts that the results of an operator inside of the grid are a number, except for rounding.
#[track_caller]
fn assert_constant<const N: usize>(
    queue: &Queue,
    grid: &Grid<N>,
    operator: &Operator<'_, f64, N>,
    f: impl FnOnce([Val<f64>; N]) -> Val<f64>,
    wanted: f64,
) {
    let f = values(queue, grid.function(f));
    let error = (operator.of(&f) - wanted).inside(1).norm_max().unwrap();
    assert!(error < 1e-10, "{error} beside {wanted}");
}

#[test]
fn operators_are_exact_for_quadratic_polynomials() {
    each_double(|queue| {
        let points = [-1.0, -0.75, -0.25, 0.5, 1.5, 1.75];
        // One spacing, two spacings, one stretched axis, all axes stretched.
        let one = Grid::uniform([6, 6], [0.25; 2]).unwrap().with_origin([1.0, -2.0]).unwrap();
        let two = Grid::uniform([6, 6], [0.25, 0.5]).unwrap();
        let half = two.clone().with_points(1, &points).unwrap();
        let all = half.clone().with_points(0, &points).unwrap().with_origin([3.0, 0.0]).unwrap();
        for grid in [&one, &two, &half, &all] {
            let f = |[x, y]: [Val<f64>; 2]| 2.0 * x * x - 3.0 * y * y + x * y + 5.0 * x - y + 1.0;
            assert_constant(queue, grid, &grid.laplacian(), f, -2.0);
            assert_constant(queue, grid, &grid.diffusion(Formula::number(0.5)), f, -1.0);
            assert_constant(queue, grid, &grid.derivative(0, 2).unwrap(), f, 4.0);
            assert_constant(queue, grid, &grid.derivative(1, 2).unwrap(), f, -6.0);
            // First derivatives, less their exact values.
            let [along_x, along_y] = grid.gradient().unwrap();
            let values = values(queue, grid.function(f));
            let of_x = grid.function::<f64>(|[x, y]| 4.0 * x + y + 5.0);
            let of_y = grid.function::<f64>(|[x, y]| -6.0 * y + x - 1.0);
            assert!((along_x.of(&values) - of_x).inside(1).norm_max().unwrap() < 1e-10);
            assert!((along_y.of(&values) - of_y).inside(1).norm_max().unwrap() < 1e-10);
            let divergence = grid.divergence([&values, &values]).unwrap();
            let wanted = grid.function::<f64>(|[x, y]| 5.0 * x - 5.0 * y + 4.0);
            assert!((divergence - wanted).inside(1).norm_max().unwrap() < 1e-10);
        }
        assert_constant(
            queue,
            &one,
            &one.laplacian_9().unwrap(),
            |[x, y]| 2.0 * x * x - 3.0 * y * y + x * y,
            -2.0,
        );
        let cube = Grid::uniform([5; 3], [0.5; 3]).unwrap();
        let f = |[x, y, z]: [Val<f64>; 3]| x * x + 2.0 * y * y - 4.0 * z * z + x * z - y;
        assert_constant(queue, &cube, &cube.laplacian_27().unwrap(), f, -2.0);
        assert_constant(queue, &cube, &cube.laplacian(), f, -2.0);
        let boxes = Grid::uniform([5; 3], [0.5, 0.25, 1.0]).unwrap().with_points(2, &points[..5]).unwrap();
        assert_constant(queue, &boxes, &boxes.laplacian(), f, -2.0);
        // Derivatives of third and fourth order.
        let line = Grid::uniform([9], [0.5]).unwrap();
        let f = values(queue, line.function::<f64>(|[x]| x * x * x * x + 2.0 * x * x * x));
        let third = line.derivative(0, 3).unwrap().of(&f) - line.function::<f64>(|[x]| 24.0 * x + 12.0);
        let fourth = line.derivative(0, 4).unwrap().of(&f) - 24.0;
        assert!(third.inside(2).norm_max().unwrap() < 1e-10);
        assert!(fourth.inside(2).norm_max().unwrap() < 1e-10);
    });
}

/// The fluxes between points cancel.
#[test]
fn diffusion_conserves_sums_with_periodic_borders() {
    each_double(|queue| {
        let grid = Grid::uniform([9, 12], [0.5, 0.25]).unwrap();
        let u = Array::from_fn(queue, [9, 12], |[i, j]| ((i * 7 + j * j) % 11).cast::<f64>()).unwrap();
        let k = Array::from_fn(queue, [9, 12], |[i, j]| ((i + 3 * j) % 5 + 1).cast::<f64>()).unwrap();
        let periodic = |array| Formula::from(array).border(BorderRule::Periodic);
        let flux = grid.diffusion(periodic(&k)).of(periodic(&u));
        assert!(flux.norm_max().unwrap() > 1.0);
        // Small integers and powers of two are exact.
        assert_eq!(flux.sum().unwrap(), 0.0);
        assert_eq!(grid.integral(&flux).unwrap(), 0.0);
    });
}
