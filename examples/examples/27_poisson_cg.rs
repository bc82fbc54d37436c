//! The Poisson equation by conjugate gradients: the error of the solver, and the error of the grid.
//!
//! `cargo run --release --example 27_poisson_cg`. While `26_poisson_fft` needs a periodic square, a matrix
//! works with any shape and any edge. The edge of this unit square is kept at 0, and the solution is known, so
//! that two errors can be told apart. The solver makes its own error as small as requested. The grid's error
//! becomes four times smaller each time that the distance of the points is halved. Draws the residuals of each
//! grid, with a preconditioner and without.

use cl_algo::{math::abs, prelude::*};
use cl_examples::picture::{self, Curve};
use cl_sparse::solve::{Cg, Chebyshev, Report, Tolerance};
use cl_sparse::{Csr, generate};
use plotters::prelude::*;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::first()?;
    if !device.has_fp64()? {
        println!("{device} has no f64, which tells the grids' small errors apart: nothing to solve");
        return Ok(());
    }
    let queue = Queue::on(&device)?;
    println!("-∇²u = f on the unit square, on {device}");

    let (mut drawn, mut errors) = (Vec::new(), Vec::new());
    for (edge, colour) in [(31, BLUE), (63, RGBColor(0, 140, 60)), (127, RED)] {
        let (plain, polynomial, error) = solve(&queue, edge)?;
        println!(
            "{edge} x {edge} points: {} iterations, {} with a preconditioner; largest error {error:.2e}",
            plain.iterations, polynomial.iterations
        );
        assert!(polynomial.iterations < plain.iterations);
        errors.push(error);
        drawn.push(curve(format!("{edge} x {edge}"), colour, &plain));
        let light = RGBColor(colour.0 / 2 + 127, colour.1 / 2 + 127, colour.2 / 2 + 127);
        drawn.push(curve(format!("{edge} x {edge}, Chebyshev"), light, &polynomial));
    }
    // Half the distance gives a quarter of the error.
    assert!(errors.windows(2).all(|pair| (pair[0] / pair[1] - 4.0).abs() < 0.2), "{errors:?}");

    let file = picture::draw((1000, 600), |area| {
        let end = drawn.iter().map(|curve| curve.points.len()).max().unwrap_or(1) as f64;
        let names = ["iteration", "logarithm (base 10) of the residual, relative to the first"];
        picture::curves(area, names, (0.0..end, -11.0..2.0), drawn)
    })?;
    println!("all right; see {}", file.display());
    Ok(())
}

/// Solves the equation on a grid with `edge` inner points along an edge. Returns the reports of the solver
/// without and with a preconditioner, and the largest difference from the exact solution.
fn solve(queue: &Queue, edge: usize) -> Result<(Report, Report, f64), Box<dyn Error>> {
    let distance = 1.0 / (edge + 1) as f64;
    let place = |i: usize| ((i % edge + 1) as f64 * distance, (i / edge + 1) as f64 * distance);
    // u = x (1 - x) sin(3 y) (1 - y), and f = -∇²u.
    let u = |(x, y): (f64, f64)| x * (1.0 - x) * (3.0 * y).sin() * (1.0 - y);
    let f = |(x, y): (f64, f64)| {
        let (sine, cosine) = (3.0 * y).sin_cos();
        2.0 * sine * (1.0 - y) + x * (1.0 - x) * (9.0 * sine * (1.0 - y) + 6.0 * cosine)
    };
    let side = DeviceVec::from_fn(queue, edge * edge, |i| f(place(i)) * distance * distance)?;
    // Each row is four times a point, minus its neighbours. The matrix stays in device memory while the
    // solver runs.
    let a: Csr<f64> = Csr::new(queue, &generate::five_point([edge, edge], 4.0, -1.0)?)?;

    let solver = || Cg::new().tolerance(Tolerance::Relative(1e-10)).history(true);
    let mut plain = DeviceVec::filled(queue, 0.0_f64, edge * edge)?;
    let report = solver().solve(&a, &side, &mut plain)?;
    // A polynomial of the matrix approximates its inverse: fewer iterations, each with more products.
    let preconditioner = Chebyshev::new(&a, queue, 4)?;
    let mut found = DeviceVec::filled(queue, 0.0_f64, edge * edge)?;
    let fewer = solver().preconditioner(&preconditioner).solve(&a, &side, &mut found)?;

    // Both solvers find the same solution, and the residual is the reported one: here one kernel computes
    // it.
    let apart = abs(&plain - &found).reduce_max()?.unwrap_or(0.0);
    assert!(apart < 1e-8, "the two solutions are {apart} apart");
    let left = (&side - &a * &plain).map(|rest| rest * rest).sum()?.sqrt();
    let all = (&side * &side).sum()?.sqrt();
    assert!(left < 2e-10 * all, "{left} of {all} are left");
    let found = found.to_vec()?;
    let error = (0..edge * edge).map(|i| (found[i] - u(place(i))).abs()).fold(0.0, f64::max);
    Ok((report, fewer, error))
}

/// Returns the residuals of a report on a logarithmic scale.
fn curve(name: String, colour: RGBColor, report: &Report) -> Curve {
    let levels = report.history.iter().map(|residual| (residual / report.history[0]).log10());
    Curve { name, colour, points: (0_u32..).map(f64::from).zip(levels).collect() }
}
