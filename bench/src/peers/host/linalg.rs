//! Factorisations and solves by `faer`, with all threads of rayon.

use super::HostPeer;
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Restored;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Mat, MatMut, Side, get_global_parallelism};
use std::hint::black_box;

const fn peer(case: &'static str, prepare: fn(usize) -> Result<Restored, Failure>) -> HostPeer {
    HostPeer { name: "faer", case, element: "f64", prepare }
}

pub(super) static ALL: &[HostPeer] = &[
    peer("linalg: lu 2048", lu),
    peer("linalg: cholesky 2048", cholesky),
    peer("linalg: qr 1000", qr),
    peer("linalg: trsm 2048x256", triangular_solve),
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
