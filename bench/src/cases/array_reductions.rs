//! Reductions of matrices: along the rows, along the columns, and of all elements.

use super::array::{elements, shape, whole};
use super::{to_value, verify};
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_array::Array;

/// Returns the sum of each row. Sums of small integers are exact.
pub(super) fn sums_of_rows(host: &[f32], columns: usize) -> Vec<f32> {
    host.chunks(columns).map(|row| row.iter().sum()).collect()
}

/// Returns the sum of each column. Sums of small integers are exact.
pub(super) fn sums_of_columns(host: &[f32], columns: usize) -> Vec<f32> {
    let mut sums = vec![0.0; columns];
    for row in host.chunks(columns) {
        sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
    sums
}

/// Returns a step that computes a vector, after its elements have been the expected ones once.
fn to_vector<T: Element + PartialEq + std::fmt::Debug>(
    evaluate: impl FnMut() -> cl_core::Result<Array<T, 1>> + 'static,
    expected: Vec<T>,
) -> Result<Step, Failure> {
    to_value(evaluate, |array| verify(&array.to_vec()?, expected.into_iter()))
}

/// Returns an error unless each element agrees up to this relative error.
fn close(got: &[f32], expected: &[f64], allowed: f64) -> Result<(), Failure> {
    if got.len() != expected.len() {
        return Err(format!("wrong result: {} elements, expected {}", got.len(), expected.len()).into());
    }
    for (i, (&got, &expected)) in got.iter().zip(expected).enumerate() {
        let error = ((f64::from(got) - expected) / expected).abs();
        // The comparison also rejects NaN.
        if error <= allowed {
            continue;
        }
        return Err(format!(
            "wrong result: element {i} is {got}, expected {expected}; the relative error is {error:.1e}, allowed is \
             {allowed:.1e}"
        )
        .into());
    }
    Ok(())
}

pub(super) fn along_rows(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (shape, host) = (shape::<2>(n)?, whole(n));
    let a = Array::from_slice(queue, shape, &host)?;
    to_vector(move || a.sum_axis(1), sums_of_rows(&host, shape[1]))
}

pub(super) fn along_columns(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (shape, host) = (shape::<2>(n)?, whole(n));
    let a = Array::from_slice(queue, shape, &host)?;
    to_vector(move || a.sum_axis(0), sums_of_columns(&host, shape[1]))
}

/// The unit roundoff of `f32`.
const UNIT: f64 = f32::EPSILON as f64 / 2.0;

pub(super) fn of_all(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (shape, host) = (shape::<2>(n)?, Source::fresh().f32s(n));
    let a = Array::from_slice(queue, shape, &host)?;
    let expected: f64 = host.iter().map(|&x| f64::from(x)).sum();
    // Roundings go both ways, so that the error grows by the square root of the number of additions.
    to_value(move || a.sum(), |sum| close(&[sum], &[expected], UNIT * (8.0 + (n as f64).sqrt())))
}

/// The inputs of `exp(a) + b * b`, and its exact elements.
struct Sum {
    a: Array<f32, 2>,
    b: Array<f32, 2>,
    exact: Vec<f64>,
}

impl Sum {
    fn new(queue: &Queue, n: usize) -> Result<Sum, Failure> {
        let (shape, host_a, host_b) = (shape(n)?, Source::fresh().f32s(n), Source::fresh().f32s(n));
        let exact = elements(n, |i| f64::from(host_a[i]).exp() + f64::from(host_b[i]).powi(2));
        let [a, b] = [host_a, host_b].map(|host| Array::from_slice(queue, shape, &host));
        Ok(Sum { a: a?, b: b?, exact })
    }
}

/// The roundings of an element of `exp(a) + b * b`: OpenCL allows an exponential three.
const ROUNDINGS: f64 = 8.0;

pub(super) fn fused_along_rows(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let Sum { a, b, exact } = Sum::new(queue, n)?;
    let [_, columns] = a.shape();
    let expected: Vec<f64> = exact.chunks(columns).map(|row| row.iter().sum()).collect();
    let allowed = UNIT * (ROUNDINGS + columns as f64);
    to_value(
        move || (a.iter().exp() + &b * &b).sum_axis(1),
        |sums| close(&sums.to_vec()?, &expected, allowed),
    )
}

/// Stores what [`fused_along_rows`] adds up.
pub(super) fn stored(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let Sum { a, b, exact } = Sum::new(queue, n)?;
    let mut out = Array::filled(queue, a.shape(), -1.0)?;
    out.assign(a.iter().exp() + &b * &b)?;
    close(&out.to_vec()?, &exact, UNIT * ROUNDINGS)?;
    Ok(Box::new(move || out.assign(a.iter().exp() + &b * &b)))
}

pub(super) fn argmax_along_rows(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (shape, host) = (shape::<2>(n)?, Source::fresh().f32s(n));
    let a = Array::from_slice(queue, shape, &host)?;
    let first_greatest = |row: &[f32]| {
        let greatest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        row.iter().position(|&x| x == greatest).unwrap_or_default() as u64
    };
    to_vector(move || a.argmax_axis(1), host.chunks(shape[1]).map(first_greatest).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_sum_is_found() {
        assert!(close(&[1.0, 2.0], &[1.0, 2.0000001], 1e-6).is_ok());
        for wrong in [&[1.0, 2.1][..], &[1.0, f32::NAN], &[1.0]] {
            assert!(close(wrong, &[1.0, 2.0], 1e-6).is_err(), "{wrong:?}");
        }
    }
}
