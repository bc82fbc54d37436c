//! Conjugate gradients on the Poisson equation in a cube, seven points, the fastest form: the time of an iteration, and
//! the time of copying as many bytes as the kernels of an iteration must move.
//!
//! ```text
//! cargo run --release -p cl-sparse --example cg_poisson [points along an edge]
//! ```

use cl_algo::prelude::*;
use cl_sparse::solve::{Cg, LinearOperator, Real, SolveError, Tolerance};
use cl_sparse::{Csr, Optimized, generate};
use std::time::Instant;

const RUNS: usize = 5;

/// Returns the seconds for each byte that `clEnqueueCopyBuffer` reads or writes.
fn copying(queue: &Queue) -> cl_core::Result<f64> {
    let bytes = (1_usize << 29).min(queue.device().limits()?.allocation as usize / 4);
    let x = DeviceVec::filled(queue, 1.0_f32, bytes / 4)?;
    let mut y = DeviceVec::filled(queue, 0.0_f32, bytes / 4)?;
    let mut best = f64::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        for _ in 0..8 {
            y.buffer_mut().copy_from(queue, x.buffer())?;
        }
        queue.finish()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best / 8.0 / (2 * bytes) as f64)
}

/// Returns the seconds of `iterations` iterations: the shortest time of `RUNS` runs.
fn seconds<T: Real>(a: &Optimized<T>, b: &DeviceVec<T>, iterations: usize) -> cl_core::Result<f64> {
    let mut x = DeviceVec::filled(b.queue(), T::zeroed(), b.len())?;
    let mut cg = Cg::new().tolerance(Tolerance::Absolute(0.0)).iteration_limit(iterations);
    let mut best = f64::MAX;
    for _ in 0..=RUNS {
        x.assign(T::zeroed())?;
        b.queue().finish()?;
        let start = Instant::now();
        match cg.solve(a, b, &mut x) {
            Err(SolveError::NotConverged(_)) => {}
            Err(SolveError::Failed(error)) => return Err(error),
            other => println!("stopped early: {other:?}"),
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}

fn measure<T: Real>(queue: &Queue, edge: usize, numbers: [T; 3], copying: f64) -> cl_core::Result<()> {
    let [six, minus_one, one] = numbers;
    let a = Csr::<T>::new(queue, &generate::seven_point([edge; 3], six, minus_one)?)?.optimize()?;
    let b = DeviceVec::filled(queue, one, a.rows())?;
    // Both runs have the same start and end, which the difference cancels.
    let iteration = (seconds(&a, &b, 120)? - seconds(&a, &b, 40)?) / 80.0;
    let (vector, size) = (a.rows() * size_of::<T>(), size_of::<T>());
    let offsets = if matches!(a, Optimized::Csr(_)) { a.rows() * 4 } else { 0 };
    let product = a.nonzeros() * (size + 4) + offsets + 2 * vector;
    // If the operator is an expression, the same kernel computes p·q. Otherwise that takes a kernel of its own.
    let (kernels, dot) = if a.product(&b).is_some() { (3, 0) } else { (4, 2 * vector) };
    let bytes = product + dot + 3 * vector + 5 * vector;
    println!(
        "{:>4}: {:8.1} us an iteration in {kernels} kernels, {:.1} MB, which copying takes {:.1} us for: {:.2} times",
        std::any::type_name::<T>(),
        iteration * 1e6,
        bytes as f64 / 1e6,
        bytes as f64 * copying * 1e6,
        iteration / (bytes as f64 * copying)
    );
    Ok(())
}

fn main() -> cl_core::Result<()> {
    let edge = std::env::args().skip(1).find_map(|edge| edge.parse().ok()).unwrap_or(128);
    for device in Device::all()? {
        let queue = Queue::on(&device)?;
        let copying = copying(&queue)?;
        println!("{device}: {:.1} GB/s, {edge} points along an edge", 1e-9 / copying);
        measure(&queue, edge, [6.0_f32, -1.0, 1.0], copying)?;
        if device.has_fp64()? {
            measure(&queue, edge, [6.0_f64, -1.0, 1.0], copying)?;
        }
    }
    Ok(())
}
