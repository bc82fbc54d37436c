//! The Poisson equation by multigrid: the residual falls by the same factor in each cycle, however fine the grid.
//!
//! `cargo run --release --example 43_multigrid`. A cycle smooths the error by a few sweeps, and corrects what is left on a
//! grid with half the points along each axis, where smooth errors are rough again. The example solves the equation in two
//! and in three dimensions, also on sizes that cannot be halved, and compares with conjugate gradients, alone and with a
//! cycle as the preconditioner. It draws the residuals.

use cl_examples::picture::{self, Curve};
use cl_grid::multigrid::{Multigrid, Problem};
use cl_grid::prelude::*;
use cl_sparse::solve::{Cg, Jacobi, Tolerance};
use cl_sparse::{Csr, generate};
use plotters::prelude::*;
use std::error::Error;
use std::f64::consts::PI;

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::first()?;
    if !device.has_fp64()? {
        println!("{device} has no f64, which shows small residuals: nothing to solve");
        return Ok(());
    }
    let queue = Queue::on(&device)?;
    println!("-lap(u) = f with u = 0 at the borders, on {device}");

    let mut drawn = Vec::new();
    let mut errors = Vec::new();
    for (edge, colour) in [(31, RGBColor(150, 190, 255)), (63, RGBColor(90, 130, 255)), (127, BLUE)] {
        let (residuals, error) = solve(&queue, [edge, edge])?;
        drawn.push(curve(format!("multigrid, {edge} x {edge}"), colour, &residuals));
        errors.push(error);
    }
    // Half the distance of the points gives a quarter of the error.
    assert!(errors.windows(2).all(|pair| (pair[0] / pair[1] - 4.0).abs() < 0.2), "{errors:?}");
    let (residuals, _) = solve(&queue, [100, 97])?;
    drawn.push(curve("multigrid, 100 x 97".to_owned(), RGBColor(0, 160, 160), &residuals));
    let (residuals, _) = solve(&queue, [31, 31, 31])?;
    drawn.push(curve("multigrid, 31 x 31 x 31".to_owned(), RGBColor(150, 0, 150), &residuals));

    // The same equation on 127 x 127 points, with f = 1, as a sparse matrix.
    let (edge, h) = (127, 1.0 / 128.0);
    let grid = grid_of([edge, edge])?;
    let f = DeviceVec::filled(&queue, 1.0, edge * edge)?;
    let a: Csr<f64> = Csr::new(&queue, &generate::five_point([edge, edge], 4.0 / (h * h), -1.0 / (h * h))?)?;
    let solver = || Cg::new().tolerance(Tolerance::Relative(1e-10)).iteration_limit(2000).history(true);
    let jacobi = Jacobi::new(&DeviceVec::filled(&queue, 4.0 / (h * h), edge * edge)?)?;
    let multigrid = Multigrid::new(&queue, &Problem::new(&grid))?.into_preconditioner();
    let mut u = DeviceVec::filled(&queue, 0.0, edge * edge)?;
    let plain = solver().preconditioner(&jacobi).solve(&a, &f, &mut u)?;
    let mut u = DeviceVec::filled(&queue, 0.0, edge * edge)?;
    let few = solver().preconditioner(&multigrid).solve(&a, &f, &mut u)?;
    println!("conjugate gradients: {} iterations, {} with multigrid", plain.iterations, few.iterations);
    assert!(few.iterations <= 12 && plain.iterations > 10 * few.iterations);
    drawn.push(curve(format!("conjugate gradients, {edge} x {edge}"), RED, &plain.history));
    drawn.push(curve("conjugate gradients with multigrid".to_owned(), RGBColor(255, 140, 0), &few.history));

    let file = picture::draw((1000, 600), |area| {
        let names = ["cycle or iteration", "logarithm (base 10) of the residual, relative to the first"];
        picture::curves(area, names, (0.0..40.0, -11.0..3.0), drawn)
    })?;
    println!("all right; see {}", file.display());
    Ok(())
}

/// Returns the grid of this shape inside the unit square or cube. The borders are one step beyond the first and last points.
fn grid_of<const N: usize>(shape: [usize; N]) -> cl_core::Result<Grid<N>> {
    let spacing = shape.map(|len| 1.0 / (len + 1) as f64);
    Grid::uniform(shape, spacing)?.with_origin(spacing)
}

/// Returns the product of the sines of all coordinates, each times pi: the solution.
fn solution<const N: usize>(grid: &Grid<N>) -> Formula<'static, f64, N> {
    grid.function::<f64>(|at| at.into_iter().fold(Val::known(1.0), |all: Val<f64>, x| all * (PI * x).sin()))
}

fn right_hand_side<const N: usize>(grid: &Grid<N>) -> Formula<'static, f64, N> {
    N as f64 * PI * PI * solution(grid)
}

/// Solves the equation. Returns the norms of the residual, and the largest difference from the solution.
fn solve<const N: usize>(queue: &Queue, shape: [usize; N]) -> Result<(Vec<f64>, f64), Box<dyn Error>> {
    let grid = grid_of(shape)?;
    let mut multigrid = Multigrid::new(queue, &Problem::new(&grid))?.tolerance(1e-10);
    let (u, report) = multigrid.solve(right_hand_side(&grid))?;
    let error = (Formula::from(&u) - solution(&grid)).norm_max()?;
    let factor = report.factor().unwrap_or(f64::NAN);
    println!(
        "{shape:?}: {} cycles, each with a factor of {factor:.3}; largest error {error:.2e}",
        report.cycles()
    );
    assert!(report.has_converged && factor < 0.12, "{factor} is too slow");
    Ok((report.residuals, error))
}

/// Returns residuals on a logarithmic scale.
fn curve(name: String, colour: RGBColor, residuals: &[f64]) -> Curve {
    let levels = residuals.iter().map(|residual| (residual / residuals[0]).log10());
    Curve { name, colour, points: (0_u32..).map(f64::from).zip(levels).take(41).collect() }
}
