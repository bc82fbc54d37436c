//! The host's time for cycles and formulas, without that of a driver: a recorded device computes nothing. Prints a table:
//! `cargo test --release -p cl-grid --test suite -- --ignored --nocapture host_time`.

use cl_grid::multigrid::{Multigrid, Problem, Smoother};
use cl_grid::prelude::*;
use std::time::Instant;

/// Prints the shortest of five means of some calls.
fn time(name: &str, calls: u32, mut call: impl FnMut() -> cl_core::Result<()>) {
    call().unwrap();
    let mean = |_| {
        let start = Instant::now();
        (0..calls).for_each(|_| call().unwrap());
        start.elapsed() / calls
    };
    println!("{name}: {:?} for a call", (0..5).map(mean).min().unwrap_or_default());
}

#[test]
#[ignore = "measures"]
fn host_time_of_cycles() {
    let queue = &Queue::on(&cl_test::recorded::device("nvidia-h200")).unwrap();
    for n in [64, 256] {
        let grid = Grid::uniform([n; 3], [1.0; 3]).unwrap();
        let (f, mut z) = (grid.zeros::<f64>(queue).unwrap(), grid.zeros(queue).unwrap());
        for smoother in [Smoother::RedBlack, Smoother::Chebyshev] {
            let mut solver = Multigrid::new(queue, &Problem::new(&grid)).unwrap().smoother(smoother);
            time(&format!("cycle, {smoother:?}, {n}³"), 20, || solver.precondition(&f, &mut z));
        }
    }
    let grid = Grid::uniform([64; 3], [1.0; 3]).unwrap();
    let (f, mut z) = (grid.zeros::<f64>(queue).unwrap(), grid.zeros(queue).unwrap());
    let laplacian = grid.laplacian::<f64>();
    time("z = f", 500, || z.whole().assign(Formula::from(&f)));
    time("z = laplacian f", 500, || z.inside(1).assign(laplacian.of(&f)));
    time("z = laplacian of laplacian f", 200, || z.inside(2).assign(laplacian.of(laplacian.of(&f))));
    time("norm of f", 500, || Formula::from(&f).norm().map(drop));
}
