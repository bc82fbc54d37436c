//! The Poisson equation by conjugate gradients: how far the solver has come, and how good a grid is.
//!
//! `cargo run --release --example 27_poisson_cg`. Where `26_poisson_fft` needs a periodic square, a matrix goes with
//! any shape and any edge. The edge of this unit square is kept at 0, and the solution is known, so that two errors
//! can be told apart: the solver's, which it makes as small as it is asked to, and the grid's, which is four times
//! smaller each time that the points lie twice as close. Draws the residuals of each grid, with a preconditioner and
//! without.

use cl_algo::math::abs;
use cl_algo::prelude::*;
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
    // Half the distance, a quarter of the error.
    assert!(errors.windows(2).all(|pair| (pair[0] / pair[1] - 4.0).abs() < 0.2), "{errors:?}");

    let file = picture::draw((1000, 600), |area| {
        let end = drawn.iter().map(|curve| curve.points.len()).max().unwrap_or(1) as f64;
        let names = ["iteration", "logarithm (base 10) of the residual, relative to the first"];
        picture::curves(area, names, (0.0..end, -11.0..2.0), drawn)
    })?;
    println!("all right; see {}", file.display());
    Ok(())
}

/// Solves the equation on a grid with so many inner points along an edge: the reports of the solver without and with a
/// preconditioner, and the largest difference from the solution of the equation.
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
    // Four times a point, less its neighbours. It never leaves the device's memory while the solver runs.
    let a: Csr<f64> = Csr::new(queue, &generate::five_point([edge, edge], 4.0, -1.0)?)?;

    let solver = || Cg::new().tolerance(Tolerance::Relative(1e-10)).history(true);
    let mut plain = DeviceVec::filled(queue, 0.0_f64, edge * edge)?;
    let report = solver().solve(&a, &side, &mut plain)?;
    // A polynomial of the matrix, in place of its inverse: fewer iterations, each with more products.
    let preconditioner = Chebyshev::new(&a, queue, 4)?;
    let mut found = DeviceVec::filled(queue, 0.0_f64, edge * edge)?;
    let fewer = solver().preconditioner(&preconditioner).solve(&a, &side, &mut found)?;

    // Both found the same, and the residual is what the solver says: computed here by one kernel.
    let apart = abs(&plain - &found).reduce_max()?.unwrap_or(0.0);
    assert!(apart < 1e-8, "the two solutions are {apart} apart");
    let left = (&side - &a * &plain).map(|rest| rest * rest).sum()?.sqrt();
    let all = (&side * &side).sum()?.sqrt();
    assert!(left < 2e-10 * all, "{left} of {all} are left");
    let found = found.to_vec()?;
    let error = (0..edge * edge).map(|i| (found[i] - u(place(i))).abs()).fold(0.0, f64::max);
    Ok((report, fewer, error))
}

/// The residuals of a report on a logarithmic scale.
fn curve(name: String, colour: RGBColor, report: &Report) -> Curve {
    let levels = report.history.iter().map(|residual| (residual / report.history[0]).log10());
    Curve { name, colour, points: (0_u32..).map(f64::from).zip(levels).collect() }
}
