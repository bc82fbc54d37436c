//! A kernel of your own: a tiled product of dense matrices, fused with what goes in and out.
//!
//! `cargo run --release --example 33_matrix_product`: the kernel is `kernels/matrix_product.cl`, and the 100 lines beside it
//! are `src/matrix_product.rs`. They use the public interface of `cl_algo::codegen` only, as a crate of yours would. What
//! the kernel loads and stores is filled in: here the matrices are products and transposes that are never stored, and
//! every second column is all that is written.

use cl_algo::prelude::*;
use cl_examples::matrix_product::{Size, multiply};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let queue = Queue::on(&Device::first()?)?;
    let size = Size { rows: 100, inner: 77, columns: 130 };
    let Size { rows, inner, columns } = size;
    let host = |items: usize, seed: usize| -> Vec<f64> {
        (0..items).map(|i| ((i * 7919 + seed) % 1000) as f64 / 64.0 - 8.0).collect()
    };
    let (a, b) = (host(rows * inner, 1), host(inner * columns, 2));
    let (da, db) = (DeviceVec::from_slice(&queue, &a)?, DeviceVec::from_slice(&queue, &b)?);
    let expected =
        |i: usize, j: usize| -> f64 { (0..inner).map(|l| a[i * inner + l] * b[l * columns + j]).sum() };

    // C = A B.
    let mut c = DeviceVec::filled(&queue, 0.0, rows * columns)?;
    multiply(&queue, size, &da, &db, &mut c)?;
    let first = c.to_vec()?;
    assert!((0..rows * columns).all(|at| first[at] == expected(at / columns, at % columns)));

    // (2 A) times the transpose of what lies transposed, into every second place: still one kernel, no temporary.
    let transposed: Vec<f64> = (0..columns * inner).map(|at| b[at % inner * columns + at / inner]).collect();
    let dt = DeviceVec::from_slice(&queue, &transposed)?;
    let places =
        iota(0_u64, inner * columns).map(|at| at % columns as u64 * inner as u64 + at / columns as u64);
    let mut wide = DeviceVec::filled(&queue, -1.0, 2 * rows * columns)?;
    multiply(&queue, size, 2.0 * &da, dt.iter().gather(places), wide.slice_mut(..).step_by(2))?;
    let second = wide.to_vec()?;
    assert!((0..rows * columns).all(|at| second[2 * at] == 2.0 * first[at] && second[2 * at + 1] == -1.0));

    // What does not fit is refused before anything runs.
    let wrong = multiply(&queue, Size { inner: inner + 1, ..size }, &da, &db, &mut c);
    let refused = wrong.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(!refused.is_empty(), "sizes that disagree are an error");
    println!("{rows} x {inner} times {inner} x {columns}: right; and {refused}");
    Ok(())
}
