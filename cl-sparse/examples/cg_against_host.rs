//! 100 iterations of conjugate gradients on the Laplacian of a plate of 255 by 255 points, on the device and on one
//! thread of the host.
//!
//! ```text
//! cargo run --release -p cl-sparse --example cg_against_host
//! ```

use cl_algo::prelude::*;
use cl_sparse::solve::{Cg, LinearOperator, SolveError, Tolerance, from_fn};
use cl_sparse::{Csr, HostCsr, generate};
use std::time::{Duration, Instant};

const SIDE: usize = 255;
const POINTS: usize = SIDE * SIDE;
const ITERATIONS: usize = 100;
const RUNS: usize = 7;

/// The matrix on the host.
struct HostMatrix(HostCsr<f64>);

impl HostMatrix {
    fn times(&self, x: &[f64], y: &mut [f64]) {
        let (columns, values) = (self.0.column_indices(), self.0.values());
        for (y, ends) in y.iter_mut().zip(self.0.row_offsets().windows(2)) {
            let row = ends[0] as usize..ends[1] as usize;
            *y = columns[row.clone()].iter().zip(&values[row]).map(|(j, a)| a * x[*j as usize]).sum();
        }
    }

    /// Runs `ITERATIONS` iterations, and returns the square of the residual's norm.
    fn cg(&self, b: &[f64], x: &mut [f64]) -> f64 {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (mut q, mut r) = (vec![0.0; b.len()], b.to_vec());
        self.times(x, &mut q);
        r.iter_mut().zip(&q).for_each(|(r, q)| *r -= q);
        let (mut p, mut rr) = (r.clone(), dot(&r, &r));
        for _ in 0..ITERATIONS {
            self.times(&p, &mut q);
            let alpha = rr / dot(&p, &q);
            x.iter_mut().zip(&p).for_each(|(x, p)| *x += alpha * p);
            r.iter_mut().zip(&q).for_each(|(r, q)| *r -= alpha * q);
            let before = std::mem::replace(&mut rr, dot(&r, &r));
            p.iter_mut().zip(&r).for_each(|(p, r)| *p = r + rr / before * *p);
        }
        rr
    }
}

/// Returns the shortest time of `RUNS` runs.
fn fastest(mut run: impl FnMut() -> cl_core::Result<()>) -> cl_core::Result<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed());
    }
    Ok(best)
}

/// Runs all iterations without a tolerance, and returns the residual.
fn device_cg(
    cg: &mut Cg<'_, f64>,
    a: &dyn LinearOperator<f64>,
    b: &DeviceVec<f64>,
    x: &mut DeviceVec<f64>,
) -> cl_core::Result<f64> {
    x.assign(0.0)?;
    match cg.solve(a, b, x) {
        Ok(report) => Ok(report.residual),
        Err(SolveError::NotConverged(report)) => Ok(report.residual),
        Err(SolveError::Failed(error)) => Err(error),
        Err(error) => unreachable!("{error}"),
    }
}

fn main() -> cl_core::Result<()> {
    let queue = Queue::on(&Device::first()?)?;
    if !queue.device().has_fp64()? {
        println!("{} has no double precision", queue.device());
        return Ok(());
    }
    println!("{}", queue.device());
    let host = HostMatrix(generate::five_point([SIDE, SIDE], 4.0, -1.0)?);
    let right: Vec<f64> = (0..POINTS).map(|i| ((i * 7919) % 1013) as f64 / 1013.0).collect();
    let mut square = 0.0;
    let time = fastest(|| {
        square = host.cg(&right, &mut vec![0.0; POINTS]);
        Ok(())
    })?;
    println!("one thread of the host   {:7.1} ms, residual {:e}", time.as_secs_f64() * 1e3, square.sqrt());

    let b = DeviceVec::from_slice(&queue, &right)?;
    let mut x = DeviceVec::filled(&queue, 0.0, POINTS)?;
    let stencil = from_fn(POINTS, POINTS, |u: Expr<'_, f64>| {
        let at = |offset: isize| u.clone().shifted(offset, Border::Constant(0.0));
        let column = index::<u32>() % SIDE as u32;
        let left = column.clone().eq(0).select(0.0, at(-1));
        let right = column.eq(SIDE as u32 - 1).select(0.0, at(1));
        4.0 * &u - left - right - at(-(SIDE as isize)) - at(SIDE as isize)
    });
    let mut cg = Cg::new().tolerance(Tolerance::Absolute(0.0)).iteration_limit(ITERATIONS);
    let mut report = |name: &str, a: &dyn LinearOperator<f64>| -> cl_core::Result<()> {
        // If an operator is an expression, its product is part of a solver's kernels.
        let kernels = if a.product(&b).is_some() { 3 } else { 4 };
        let mut residual = device_cg(&mut cg, a, &b, &mut x)?; // compiles
        let time = fastest(|| {
            residual = device_cg(&mut cg, a, &b, &mut x)?;
            Ok(())
        })?;
        let time = time.as_secs_f64() * 1e3;
        println!("{name:24} {time:7.1} ms, residual {residual:e}, {kernels} kernels an iteration");
        assert!((residual / square.sqrt() - 1.0).abs() < 1e-6);
        Ok(())
    };
    report("the stencil, no matrix", &stencil)?;
    report("compressed rows", &Csr::<f64>::new(&queue, &host.0)?)?;
    Ok(())
}
