//! Many small matrices at once: products, and systems of equations.
//!
//! `cargo run --release --example 36_small_matrices`. The first axis numbers the matrices, so that every expression
//! is for all of them. A product of matrices multiplies the last two axes of both. Systems are solved by
//! elimination (Gauss and Jordan): one slice of all matrices is subtracted from another, and only the loop over the
//! unknowns runs on the host.

use cl_array::prelude::*;
use std::error::Error;

const COUNT: usize = 20_000;
const EDGE: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let queue = Queue::on(&Device::first()?)?;
    // Numbers from -1 to 1. Each diagonal outweighs its row, so that no system needs another order of rows.
    let host_a: Vec<f64> = (0..COUNT * EDGE * EDGE)
        .map(|i| number(i) + if i / EDGE % EDGE == i % EDGE { EDGE as f64 } else { 0.0 })
        .collect();
    let host_x: Vec<f64> = (0..COUNT * EDGE).map(|i| number(7 * i + 3)).collect();
    let a = Array::from_slice(&queue, [COUNT, EDGE, EDGE], &host_a)?;
    let x = Array::from_slice(&queue, [COUNT, EDGE], &host_x)?;

    // The right-hand sides b = A x, and the squares A A: one kernel for all matrices.
    let b = (&a * x.view().insert_axis(1)).sum_axis(2)?;
    let squares = a.matmul(&a)?;

    // The systems were made from the solutions `x`.
    let error = (&solve(&a, &b)? - &x).abs().reduce_max()?.unwrap_or(f64::NAN);
    assert!(error < 1e-12, "the largest error is {error:e}");
    let (squares, b) = (squares.to_vec()?, b.to_vec()?);
    for (k, matrix) in host_a.chunks(EDGE * EDGE).enumerate() {
        for at in 0..EDGE * EDGE {
            let (i, j) = (at / EDGE, at % EDGE);
            let square: f64 = (0..EDGE).map(|l| matrix[i * EDGE + l] * matrix[l * EDGE + j]).sum();
            assert!((squares[k * EDGE * EDGE + at] - square).abs() < 1e-12, "element {at} of square {k}");
        }
        for (i, row) in matrix.chunks(EDGE).enumerate() {
            let sum: f64 = row.iter().zip(&host_x[k * EDGE..]).map(|(a, x)| a * x).sum();
            assert!((b[k * EDGE + i] - sum).abs() < 1e-12, "row {i} of product {k}");
        }
    }
    println!("{COUNT} systems of {EDGE} equations, on {}: the largest error is {error:.1e}", queue.device());
    Ok(())
}

/// Returns the solution of each system `a x = b`.
fn solve(a: &Array<f64, 3>, b: &Array<f64, 2>) -> cl_core::Result<Array<f64, 2>> {
    // The right-hand side is one more column of each matrix.
    let mut system = concatenate(a.queue(), 2, [a.view(), b.view().insert_axis(2)])?;
    for k in 0..EDGE {
        // Divides row `k` by its diagonal element, and subtracts it from all other rows so that their elements in
        // column `k` become 0.
        let row =
            (system.slice(s![.., k..k + 1, ..]) / system.slice(s![.., k..k + 1, k..k + 1])).collect()?;
        let mut next = (&system - system.slice(s![.., .., k..k + 1]) * &row).collect()?;
        next.slice_mut(s![.., k..k + 1, ..]).assign(&row)?;
        system = next;
    }
    system.slice(s![.., .., EDGE]).collect()
}

/// Returns a number from -1 to 1 that looks random.
fn number(i: usize) -> f64 {
    let bits = (i as u32).wrapping_mul(0x9E37_79B1);
    f64::from((bits ^ (bits >> 15)).wrapping_mul(0x85EB_CA6B) >> 8) / f64::from(1 << 23) - 1.0
}
