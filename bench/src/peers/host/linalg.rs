//! Factorisations and solves by `faer`, with all threads of rayon.

use super::HostPeer;
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Restored;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltRegularization, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Mat, MatMut, Par, Side, get_global_parallelism};
use rayon::prelude::*;
use std::hint::black_box;

const fn peer(case: &'static str, prepare: fn(usize) -> Result<Restored, Failure>) -> HostPeer {
    HostPeer { name: "faer", case, element: "f64", prepare }
}

pub(super) static ALL: &[HostPeer] = &[
    peer("linalg: lu 2048", lu),
    peer("linalg: cholesky 2048", cholesky),
    peer("linalg: qr 1000", qr),
    peer("linalg: trsm 2048x256", triangular_solve),
    peer("linalg: eigh, 256 x 256", symmetric_eigen),
    peer("linalg: svd, 256 x 256", singular_values),
    peer("linalg: batch of Cholesky factors, 16 x 16", many_cholesky),
];

/// Returns a square matrix of `count` elements between -0.5 and 0.5.
fn square(count: usize) -> Mat<f64> {
    let n = count.isqrt();
    let values: Vec<f64> = Source::fresh().f64s(n * n);
    Mat::from_fn(n, n, |i, j| values[i * n + j] - 0.5)
}

/// Returns a symmetric positive definite matrix of `count` elements.
fn positive(count: usize) -> Mat<f64> {
    let a = square(count);
    let n = a.nrows();
    Mat::from_fn(n, n, |i, j| a[(i.max(j), i.min(j))] + if i == j { n as f64 } else { 0.0 })
}

/// Returns an error unless two matrices are equal within a few roundings of numbers as large as `scale`.
fn expect_near(found: &Mat<f64>, expected: &Mat<f64>, scale: f64) -> Result<(), Failure> {
    let error = (found - expected).norm_max();
    if error <= 1e-13 * scale {
        return Ok(());
    }
    Err(format!("wrong result: an element is off by {error:e}").into())
}

fn lu(count: usize) -> Result<Restored, Failure> {
    let a = square(count);
    let n = a.nrows();
    let factors = a.partial_piv_lu();
    let permuted = factors.P() * &a;
    expect_near(&(factors.L() * factors.U()), &permuted, 10.0 * n as f64)?;
    Ok(super::step(move || drop(black_box(a.partial_piv_lu()))))
}

fn cholesky(count: usize) -> Result<Restored, Failure> {
    let a = positive(count);
    let factor = a.llt(Side::Lower).map_err(|error| format!("{error:?}"))?;
    expect_near(&(factor.L() * factor.L().transpose()), &a, a.nrows() as f64)?;
    Ok(super::step(move || drop(black_box(a.llt(Side::Lower)))))
}

fn qr(count: usize) -> Result<Restored, Failure> {
    let a = square(count);
    let factors = a.qr();
    expect_near(&(factors.compute_Q() * factors.R()), &a, a.nrows() as f64)?;
    Ok(super::step(move || drop(black_box(a.qr()))))
}

/// The number of right-hand sides of a triangular solve.
const VECTORS: usize = 256;

fn triangular_solve(count: usize) -> Result<Restored, Failure> {
    let a = positive(count);
    let n = a.nrows();
    let b: Vec<f64> = Source::fresh().f64s(n * VECTORS);
    let solve = move |x: &mut [f64]| {
        let x = MatMut::from_column_major_slice_mut(x, n, VECTORS);
        solve_lower_triangular_in_place(a.as_ref(), x, get_global_parallelism());
    };
    let mut x = b.clone();
    solve(&mut x);
    if !x.iter().all(|x| x.is_finite()) {
        return Err("wrong result: a solution is not finite".into());
    }
    Ok(super::restored(b, solve))
}

fn symmetric_eigen(count: usize) -> Result<Restored, Failure> {
    let a = positive(count);
    let trace: f64 = (0..a.nrows()).map(|i| a[(i, i)]).sum();
    let values = a.self_adjoint_eigenvalues(Side::Lower).map_err(|error| format!("{error:?}"))?;
    super::expect_equal(
        "the sum of eigenvalues is the trace",
        (values.iter().sum::<f64>() - trace).abs() < 1e-10 * trace,
        true,
    )?;
    Ok(super::step(move || drop(black_box(a.self_adjoint_eigen(Side::Lower)))))
}

fn singular_values(count: usize) -> Result<Restored, Failure> {
    let a = square(count);
    let values = a.singular_values().map_err(|error| format!("{error:?}"))?;
    let squares: f64 = values.iter().map(|value| value * value).sum();
    let norm = a.squared_norm_l2();
    super::expect_equal(
        "the sum of squares is that of the elements",
        (squares - norm).abs() < 1e-10 * norm,
        true,
    )?;
    Ok(super::step(move || drop(black_box(a.svd()))))
}

/// The rows of each matrix of a batch.
const ROWS: usize = 16;

const ELEMENTS: usize = ROWS * ROWS;

/// Factorises many small matrices in place: `n` elements of all of them. Each thread has its own matrices.
fn many_cholesky(n: usize) -> Result<Restored, Failure> {
    let values = Source::fresh().f64s(ROWS * ROWS);
    let one: Vec<f64> = (0..ROWS * ROWS)
        .map(|at| {
            let (i, j) = (at / ROWS, at % ROWS);
            values[i.max(j) * ROWS + i.min(j)] + if i == j { ROWS as f64 } else { 0.0 }
        })
        .collect();
    let all = one.repeat(n / one.len());
    let factorise = |all: &mut [f64]| {
        let part = (all.len() / ELEMENTS).div_ceil(8 * rayon::current_num_threads()).max(1) * ELEMENTS;
        all.par_chunks_mut(part).for_each(|part| {
            let scratch = cholesky_in_place_scratch::<f64>(ROWS, Par::Seq, Default::default());
            let mut memory = MemBuffer::new(scratch);
            for matrix in part.chunks_exact_mut(ELEMENTS) {
                let matrix = MatMut::from_column_major_slice_mut(matrix, ROWS, ROWS);
                let stack = MemStack::new(&mut memory);
                let result = cholesky_in_place(
                    matrix,
                    LltRegularization::default(),
                    Par::Seq,
                    stack,
                    Default::default(),
                );
                assert!(result.is_ok(), "the matrices are positive definite");
            }
        });
    };
    let mut first = all.clone();
    factorise(&mut first);
    let last = &first[first.len() - ELEMENTS..];
    let product =
        |i: usize, j: usize| -> f64 { (0..=j).map(|k| last[k * ROWS + i] * last[k * ROWS + j]).sum() };
    let is_right = (0..ROWS).all(|i| (0..=i).all(|j| (product(i, j) - one[i * ROWS + j]).abs() < 1e-12));
    super::expect_equal("the product of the factors is the matrix", is_right, true)?;
    Ok(super::restored(all, factorise))
}
