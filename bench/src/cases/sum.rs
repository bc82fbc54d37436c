//! Sums of vectors, and sums fused with an expression.

use super::{to_scalar, to_value};
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_algo::reducers::{Max, MaxElement};
use cl_algo::stl::{find, reduce};

/// Returns an error unless the results agree up to a few roundings, whatever the number of elements.
fn close(got: f64, expected: f64, unit_roundoff: f64) -> Result<(), Failure> {
    let (error, allowed) = ((got - expected).abs(), 8.0 * unit_roundoff * expected.abs());
    // Nothing is divided, because the variance of one element is 0. The comparison also rejects NaN.
    if error <= allowed {
        return Ok(());
    }
    Err(format!(
        "wrong result: {got}, expected {expected}; the error is {error:.1e}, allowed is {allowed:.1e}"
    )
    .into())
}

pub(super) fn f32(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let values = Source::fresh().f32s(n);
    let x = DeviceVec::from_slice(queue, &values)?;
    let expected: f64 = values.iter().map(|&x| f64::from(x)).sum();
    to_scalar(
        move || x.iter().sum_on_device(),
        |sum| close(sum.into(), expected, f64::from(f32::EPSILON) / 2.0),
    )
}

pub(super) fn f64(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let values = Source::fresh().f64s(n);
    let x = DeviceVec::from_slice(queue, &values)?;
    // Values below 1 with 53 bits are integers over 2^53, which the host sums exactly.
    let exact: u128 = values.iter().map(|&x| (x * (1_u64 << 53) as f64) as u128).sum();
    let expected = exact as f64 / (1_u64 << 53) as f64;
    to_scalar(move || x.iter().sum_on_device(), |sum| close(sum, expected, f64::EPSILON / 2.0))
}

pub(super) fn u32(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let values = Source::fresh().u32s(n);
    let x = DeviceVec::from_slice(queue, &values)?;
    let expected = values.iter().fold(0_u32, |sum, &x| sum.wrapping_add(x));
    to_scalar(
        move || x.iter().sum_on_device(),
        |sum| match sum == expected {
            true => Ok(()),
            false => Err(format!("wrong result: {sum}, expected {expected}").into()),
        },
    )
}

/// Returns an error unless the device's value equals the host's.
fn same<T: PartialEq + std::fmt::Debug>(got: T, expected: T) -> Result<(), Failure> {
    if got == expected {
        return Ok(());
    }
    Err(format!("wrong result: {got:?}, expected {expected:?}").into())
}

/// Sums by an operator that is not known to commute.
pub(super) fn in_order(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let values = Source::fresh().u32s(n);
    let x = DeviceVec::from_slice(queue, &values)?;
    let expected = values.iter().fold(0_u32, |sum, &x| sum.wrapping_add(x));
    to_value(move || reduce(&x, 0, |a, b| a + b), |sum| same(sum, expected))
}

pub(super) fn max(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let values = Source::fresh().f32s(n);
    let x = DeviceVec::from_slice(queue, &values)?;
    let expected = values.iter().copied().reduce(f32::max);
    // The result stays on the device, as in `bench/peers/cub.cu`.
    to_value(
        move || x.iter().reduce_with_on_device(Max),
        |max| same(max.map(|max| max.get()).transpose()?, expected),
    )
}

pub(super) fn max_element(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let values = Source::fresh().f32s(n);
    let x = DeviceVec::from_slice(queue, &values)?;
    let largest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let expected = values.iter().position(|&x| x == largest).map(|at| (at, largest));
    // Both results stay on the device, as in `bench/peers/cub.cu`.
    to_value(
        move || x.iter().reduce_with_on_device(MaxElement::<u32>::new()),
        |max| {
            let found = max.map(|(at, max)| Ok::<_, Failure>((at.get()? as usize, max.get()?)));
            same(found.transpose()?, expected)
        },
    )
}

pub(super) fn count_if(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let values = Source::fresh().f32s(n);
    let x = DeviceVec::from_slice(queue, &values)?;
    let expected = values.iter().filter(|&&x| x < 0.25).count();
    to_value(move || x.iter().lt(0.25).count(), |count| same(count, expected))
}

/// Searches for a missing value, and so reads everything.
pub(super) fn find_nothing(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let x = DeviceVec::from_slice(queue, &Source::fresh().f32s(n))?;
    to_value(move || find(&x, 2.0), |found| same(found, None))
}

pub(super) fn variance(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let values = Source::fresh().f32s(n);
    let x = DeviceVec::from_slice(queue, &values)?;
    let mean = values.iter().map(|&x| f64::from(x)).sum::<f64>() / n as f64;
    let expected = values.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / n as f64;
    to_value(
        move || x.iter().variance(),
        // Each addition adds a few roundings to the error, and a work-item adds once for each tile of its
        // work-group.
        |variance| close(variance.unwrap_or(f32::NAN).into(), expected, 256.0 * f64::from(f32::EPSILON)),
    )
}

pub(super) fn dot(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (host_x, host_y) = (Source::fresh().f32s(n), Source::fresh().f32s(n));
    let (x, y) = (DeviceVec::from_slice(queue, &host_x)?, DeviceVec::from_slice(queue, &host_y)?);
    let expected: f64 = host_x.iter().zip(&host_y).map(|(x, y)| f64::from(x * y)).sum();
    to_scalar(
        move || (&x * &y).sum_on_device(),
        |dot| close(dot.into(), expected, f64::from(f32::EPSILON) / 2.0),
    )
}
