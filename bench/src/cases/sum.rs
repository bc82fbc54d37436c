//! Sums, of vectors and fused with an expression.

use super::to_value;
use crate::Failure;
use crate::data::Source;
use crate::timing::Step;
use cl_algo::prelude::*;

/// Relative error allowed: a few roundings of the result, however many elements there are.
fn close(got: f64, expected: f64, unit_roundoff: f64) -> Result<(), Failure> {
    let error = (got - expected).abs() / expected.abs();
    if error <= 8.0 * unit_roundoff {
        return Ok(());
    }
    Err(format!("wrong result: {got}, expected {expected}, relative error {error:e}").into())
}

pub(super) fn f32(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let values = Source::fresh().f32s(n);
    let x = DeviceVec::from_slice(queue, &values)?;
    let expected: f64 = values.iter().map(|&x| f64::from(x)).sum();
    to_value(move || x.sum(), |sum| close(sum.into(), expected, f64::from(f32::EPSILON) / 2.0))
}

pub(super) fn f64(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let values = Source::fresh().f64s(n);
    let x = DeviceVec::from_slice(queue, &values)?;
    // Values below 1 with 53 bits are integers over 2^53: the host sums them exactly.
    let exact: u128 = values.iter().map(|&x| (x * (1_u64 << 53) as f64) as u128).sum();
    let expected = exact as f64 / (1_u64 << 53) as f64;
    to_value(move || x.sum(), |sum| close(sum, expected, f64::EPSILON / 2.0))
}

pub(super) fn u32(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let values = Source::fresh().u32s(n);
    let x = DeviceVec::from_slice(queue, &values)?;
    let expected = values.iter().fold(0_u32, |sum, &x| sum.wrapping_add(x));
    to_value(
        move || x.sum(),
        |sum| match sum == expected {
            true => Ok(()),
            false => Err(format!("wrong result: {sum}, expected {expected}").into()),
        },
    )
}

pub(super) fn dot(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (host_x, host_y) = (Source::fresh().f32s(n), Source::fresh().f32s(n));
    let (x, y) = (DeviceVec::from_slice(queue, &host_x)?, DeviceVec::from_slice(queue, &host_y)?);
    let expected: f64 = host_x.iter().zip(&host_y).map(|(x, y)| f64::from(x * y)).sum();
    to_value(move || (&x * &y).sum(), |dot| close(dot.into(), expected, f64::from(f32::EPSILON) / 2.0))
}
