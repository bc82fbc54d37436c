//! Batches of small matrices, eigenvalues and singular values.

use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_array::Array;
use cl_linalg::{Eigh, MatrixBatch, Spectra, Svd};

/// The rows of a small matrix.
const SMALL: usize = 16;

/// The elements of a small matrix.
pub(super) const SMALL_ELEMENTS: usize = SMALL * SMALL;

/// The elements of all small matrices.
pub(super) const ALL_SMALL_ELEMENTS: usize = 100_000 * SMALL_ELEMENTS;

/// The largest difference that counts as rounding, for numbers near 1 and sums of a few hundred of them.
const ROUNDING: f64 = 1e-9;

/// Returns an error of linear algebra as one of OpenCL.
fn plain(error: cl_linalg::Error) -> cl_core::Error {
    match error {
        cl_linalg::Error::Failed(error) => error,
        other => cl_core::Error::invalid_input("linalg", other.to_string()),
    }
}

/// Returns random numbers from -1 to 1.
fn numbers(n: usize) -> Vec<f64> {
    Source::fresh().few(n).into_iter().map(|number| f64::from(number) / 7.5 - 1.0).collect()
}

/// Returns symmetric positive definite matrices of `n` elements in all: large diagonals.
fn positive(n: usize) -> Vec<f64> {
    let mut items = numbers(n);
    for matrix in items.chunks_exact_mut(SMALL_ELEMENTS) {
        for i in 0..SMALL {
            (0..i).for_each(|j| matrix[j * SMALL + i] = matrix[i * SMALL + j]);
            matrix[i * SMALL + i] = SMALL as f64 + 1.0;
        }
    }
    items
}

/// Returns an error unless the largest of some differences is one of rounding.
fn verify_rounding(what: &str, differences: impl Iterator<Item = f64>) -> Result<(), Failure> {
    for difference in differences {
        if difference.is_nan() || difference.abs() > ROUNDING {
            return Err(format!("wrong result: {what} differs by {difference:e}").into());
        }
    }
    Ok(())
}

/// Factorises small matrices.
pub(super) fn cholesky(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let host = positive(n);
    let a = Array::from_slice(queue, [n / SMALL_ELEMENTS, SMALL, SMALL], &host)?;
    let mut factors = Array::zeros(queue, a.shape())?;
    a.cholesky_into(&mut factors).map_err(plain)?;
    let products = factors.iter().matmul(factors.permute_axes([0, 2, 1]))?;
    verify_rounding("L Lᵀ", (&products - &a).to_vec()?.into_iter())?;
    // The peer factorises in place, and also allocates nothing.
    Ok(Box::new(move || a.cholesky_into(&mut factors).map_err(plain)))
}

/// Solves small systems with one right-hand side each.
pub(super) fn solve(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (host, count) = (positive(n), n / SMALL_ELEMENTS);
    let a = Array::from_slice(queue, [count, SMALL, SMALL], &host)?;
    let b = Array::from_slice(queue, [count, SMALL, 1], &numbers(count * SMALL))?;
    let products = a.iter().matmul(&a.solve(&b).map_err(plain)?)?;
    verify_rounding("A x", (&products - &b).to_vec()?.into_iter())?;
    Ok(Box::new(move || a.solve(&b).map(drop).map_err(plain)))
}

/// Returns the eigenvalues and eigenvectors of a symmetric matrix of `n` elements.
pub(super) fn eigh(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let edge = n.isqrt();
    let half = Array::from_slice(queue, [edge, edge], &numbers(edge * edge))?;
    let a = (half.iter() + half.t()).collect()?;
    let Eigh { values, vectors } = Spectra::new().eigh(&a).map_err(plain)?;
    let products = a.iter().matmul(&vectors)?;
    verify_rounding("A V", (&products - &vectors * &values).to_vec()?.into_iter())?;
    Ok(Box::new(move || Spectra::new().eigh(&a).map(drop).map_err(plain)))
}

/// Returns the singular values and vectors of a square matrix of `n` elements.
pub(super) fn svd(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let edge = n.isqrt();
    let a = Array::from_slice(queue, [edge, edge], &numbers(edge * edge))?;
    let Svd { u, s, v } = Spectra::new().svd(&a).map_err(plain)?;
    let products = (&u * &s).matmul(v.t())?;
    verify_rounding("U S Vᵀ", (&products - &a).to_vec()?.into_iter())?;
    Ok(Box::new(move || Spectra::new().svd(&a).map(drop).map_err(plain)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_right_and_wrong_ones_are_found() {
        let queue = Queue::on(&Device::first().unwrap()).unwrap();
        for prepare in [cholesky, eigh] {
            prepare(&queue, 3 * SMALL_ELEMENTS).unwrap()().unwrap();
        }
        assert!(verify_rounding("", [0.0, 1e-8].into_iter()).is_err());
        assert!(verify_rounding("", [f64::NAN].into_iter()).is_err());
    }
}
