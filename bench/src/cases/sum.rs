//! Sums, of vectors and fused with an expression.

use super::Ready;
use crate::Failure;
use crate::data::Source;
use crate::timing::Step;
use cl_algo::prelude::*;

struct Sum<T: Number>(DeviceVec<T>);

impl<T: Number> Ready for Sum<T> {
    fn step(&mut self) -> Step<'_> {
        Box::new(|| self.0.sum().map(drop))
    }
}

/// Relative error allowed: a few roundings of the result, however many elements there are.
fn close(got: f64, expected: f64, unit_roundoff: f64) -> Result<(), Failure> {
    let error = (got - expected).abs() / expected.abs();
    if error <= 8.0 * unit_roundoff {
        return Ok(());
    }
    Err(format!("wrong result: {got}, expected {expected}, relative error {error:e}").into())
}

pub(super) fn f32(queue: &Queue, n: usize) -> Result<Box<dyn Ready>, Failure> {
    let values = Source::fresh().f32s(n);
    let ready = Sum(DeviceVec::from_slice(queue, &values)?);
    let expected: f64 = values.iter().map(|&x| f64::from(x)).sum();
    close(ready.0.sum()?.into(), expected, f64::from(f32::EPSILON) / 2.0)?;
    Ok(Box::new(ready))
}

pub(super) fn f64(queue: &Queue, n: usize) -> Result<Box<dyn Ready>, Failure> {
    let values = Source::fresh().f64s(n);
    let ready = Sum(DeviceVec::from_slice(queue, &values)?);
    // Values below 1 with 53 bits are integers over 2^53: the host sums them exactly.
    let exact: u128 = values.iter().map(|&x| (x * (1_u64 << 53) as f64) as u128).sum();
    close(ready.0.sum()?, exact as f64 / (1_u64 << 53) as f64, f64::EPSILON / 2.0)?;
    Ok(Box::new(ready))
}

pub(super) fn u32(queue: &Queue, n: usize) -> Result<Box<dyn Ready>, Failure> {
    let values = Source::fresh().u32s(n);
    let ready = Sum(DeviceVec::from_slice(queue, &values)?);
    let expected = values.iter().fold(0_u32, |sum, &x| sum.wrapping_add(x));
    let got = ready.0.sum()?;
    if got != expected {
        return Err(format!("wrong result: {got}, expected {expected}").into());
    }
    Ok(Box::new(ready))
}

struct Dot {
    x: DeviceVec<f32>,
    y: DeviceVec<f32>,
}

impl Ready for Dot {
    fn step(&mut self) -> Step<'_> {
        Box::new(|| (&self.x * &self.y).sum().map(drop))
    }
}

pub(super) fn dot(queue: &Queue, n: usize) -> Result<Box<dyn Ready>, Failure> {
    let (x, y) = (Source::fresh().f32s(n), Source::fresh().f32s(n));
    let expected: f64 = x.iter().zip(&y).map(|(x, y)| f64::from(x * y)).sum();
    let ready = Dot { x: DeviceVec::from_slice(queue, &x)?, y: DeviceVec::from_slice(queue, &y)? };
    close((&ready.x * &ready.y).sum()?.into(), expected, f64::from(f32::EPSILON) / 2.0)?;
    Ok(Box::new(ready))
}
