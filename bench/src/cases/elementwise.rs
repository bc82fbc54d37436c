//! Elementwise expressions.

use super::into_vector;
use crate::Failure;
use crate::data::Source;
use crate::timing::Step;
use cl_algo::prelude::*;

const A: f32 = 1.5;

pub(super) fn saxpy(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (host_x, host_y) = (Source::fresh().f32s(n), Source::fresh().f32s(n));
    let (x, y) = (DeviceVec::from_slice(queue, &host_x)?, DeviceVec::from_slice(queue, &host_y)?);
    let expected = host_x.iter().zip(&host_y).map(|(x, y)| A * x + y);
    into_vector(DeviceVec::filled(queue, -1.0, n)?, expected, move |z| z.assign(A * &x + &y))
}

pub(super) fn saxpy_in_place(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (host_x, host_y) = (Source::fresh().f32s(n), Source::fresh().f32s(n));
    let (x, y) = (DeviceVec::from_slice(queue, &host_x)?, DeviceVec::from_slice(queue, &host_y)?);
    let expected = host_x.iter().zip(&host_y).map(|(x, y)| A * x + y);
    into_vector(y, expected, move |y| y.assign_with(|y| A * &x + y))
}

pub(super) fn daxpy(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let a = f64::from(A);
    let (host_x, host_y) = (Source::fresh().f64s(n), Source::fresh().f64s(n));
    let (x, y) = (DeviceVec::from_slice(queue, &host_x)?, DeviceVec::from_slice(queue, &host_y)?);
    let expected = host_x.iter().zip(&host_y).map(|(x, y)| a * x + y);
    into_vector(DeviceVec::filled(queue, -1.0, n)?, expected, move |z| z.assign(a * &x + &y))
}
