//! Factorisations of square matrices, and solves with triangles.

use super::array::elements;
use crate::data::Source;
use crate::failure::Failure;
use crate::matrices::Narrow;
use crate::timing::{Restored, Step};
use cl_algo::prelude::*;
use cl_array::Array;
use cl_linalg::{LinearAlgebra, WithStructure};
use std::cell::RefCell;
use std::rc::Rc;

/// The number of right-hand sides of a triangular solve.
const SIDES: usize = 256;

/// Returns an error of linear algebra as one of OpenCL.
fn plain(error: cl_linalg::Error) -> cl_core::Error {
    match error {
        cl_linalg::Error::Failed(error) => error,
        other => cl_core::Error::invalid_input("linalg", other.to_string()),
    }
}

/// Returns a square matrix of `n` elements from -0.5 to 0.5.
fn square(queue: &Queue, n: usize) -> Result<Array<f64, 2>, Failure> {
    let edge = n.isqrt();
    let values: Vec<f64> = Source::fresh().f64s(edge * edge).into_iter().map(|value| value - 0.5).collect();
    Ok(Array::from_slice(queue, [edge, edge], &values)?)
}

/// Returns a symmetric positive definite matrix of `n` elements.
fn positive(queue: &Queue, n: usize) -> Result<Array<f64, 2>, Failure> {
    let a = square(queue, n)?;
    let edge = a.shape()[0];
    Ok((&a + a.t() + edge as f64 * Array::<f64, 2>::eye(queue, edge)?.iter()).collect()?)
}

/// Returns an error unless two matrices differ by a few roundings of numbers as large as `scale`.
fn verify_near(found: &Array<f64, 2>, expected: &Array<f64, 2>, scale: f64) -> Result<(), Failure> {
    let error = (found - expected).abs().reduce_max()?.unwrap_or(0.0);
    if error <= 1e-13 * scale {
        return Ok(());
    }
    Err(format!("wrong result: an element is off by {error:e}").into())
}

pub(super) fn lu(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let a = square(queue, n)?;
    let factors = a.lu()?;
    let rows = elements(a.shape()[0], |row| factors.permutation()[row] as u32);
    let permuted = a.iter().take(0, &Array::from_slice(queue, [rows.len()], &rows)?).collect()?;
    verify_near(&factors.l()?.matmul(&factors.u()?)?, &permuted, 10.0 * rows.len() as f64)?;
    Ok(Box::new(move || a.lu().map(drop).map_err(plain)))
}

pub(super) fn cholesky(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let a = positive(queue, n)?;
    let l = a.cholesky()?.l()?;
    verify_near(&l.matmul(l.t())?, &a, a.shape()[0] as f64)?;
    Ok(Box::new(move || a.cholesky().map(drop).map_err(plain)))
}

pub(super) fn qr(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let a = square(queue, n)?;
    let factors = a.qr()?;
    verify_near(&factors.q()?.matmul(&factors.r()?)?, &a, a.shape()[0] as f64)?;
    Ok(Box::new(move || a.qr().map(drop).map_err(plain)))
}

/// Solves with a lower triangle, in place.
pub(super) fn triangular_solve(queue: &Queue, n: usize) -> Result<Restored, Failure> {
    let a = positive(queue, n)?;
    let edge = a.shape()[0];
    let b = Array::from_slice(queue, [edge, SIDES], &Source::fresh().f64s(edge * SIDES))?;
    let x = Rc::new(RefCell::new(b.try_clone()?));
    let again = Rc::clone(&x);
    let step = move || a.lower().solve_in_place(1.0, x.borrow_mut().view_mut()).map_err(plain);
    step()?;
    let finite = again.borrow().map(|x| x.abs().lt(1.0)).all()?;
    if !finite {
        return Err("wrong result: the diagonal is large, and a solution is not small".into());
    }
    Ok(Restored { restore: Some(Box::new(move || again.borrow_mut().assign(&b))), step: Box::new(step) })
}

/// Multiplies a square matrix of small integers by a vector.
fn matrix_vector<T: Narrow + Into<f64>>(queue: &Queue, n: usize, transposed: bool) -> Result<Step, Failure> {
    let edge = n.isqrt();
    let mut source = Source::fresh();
    let mut whole = |n: usize| -> Vec<f64> { source.few(n).into_iter().map(f64::from).collect() };
    let (host_a, host_x) = (whole(edge * edge), whole(edge));
    let narrow = |values: &[f64]| -> Vec<T> { values.iter().map(|&value| T::narrow(value)).collect() };
    let a = Array::from_slice(queue, [edge, edge], &narrow(&host_a))?;
    let x = Array::from_slice(queue, [edge], &narrow(&host_x))?;
    let multiply = move || if transposed { a.t().iter().matvec(&x) } else { a.matvec(&x) };
    let expected = elements(edge, |i| {
        let at = |k: usize| if transposed { k * edge + i } else { i * edge + k };
        (0..edge).map(|k| host_a[at(k)] * host_x[k]).sum::<f64>()
    });
    let found: Vec<f64> = multiply()?.to_vec()?.into_iter().map(Into::into).collect();
    super::verify(&found, expected.into_iter())?;
    Ok(Box::new(move || multiply().map(drop)))
}

pub(super) fn multiply<T: Narrow + Into<f64>>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    matrix_vector::<T>(queue, n, false)
}

pub(super) fn multiply_transposed<T: Narrow + Into<f64>>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    matrix_vector::<T>(queue, n, true)
}
