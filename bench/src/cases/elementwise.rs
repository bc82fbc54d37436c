//! Elementwise expressions.

use super::{into_vector, verify};
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::prelude::*;

const A: f32 = 1.5;

pub(super) fn saxpy(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (host_x, host_y) = (Source::fresh().f32s(n), Source::fresh().f32s(n));
    let (x, y) = (DeviceVec::from_slice(queue, &host_x)?, DeviceVec::from_slice(queue, &host_y)?);
    let expected = host_x.iter().zip(&host_y).map(|(x, y)| A * x + y);
    into_vector(DeviceVec::filled(queue, -1.0, n)?, expected, move |z| z.assign(A * &x + &y))
}

pub(super) fn saxpy_of_views(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (host_x, host_y) = (Source::fresh().f32s(n + 1), Source::fresh().f32s(n + 1));
    let (x, y) = (DeviceVec::from_slice(queue, &host_x)?, DeviceVec::from_slice(queue, &host_y)?);
    let expected = host_x.iter().zip(&host_y).map(|(x, y)| A * x + y).enumerate();
    let expected: Vec<f32> = expected.map(|(i, sum)| if i == 0 { -1.0 } else { sum }).collect();
    into_vector(DeviceVec::filled(queue, -1.0, n + 1)?, expected.into_iter(), move |z| {
        assign(z.slice_mut(1..), A * x.slice(1..) + y.slice(1..))
    })
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

pub(super) fn multiply_add(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let [a, b, c] = [(); 3].map(|()| Source::fresh().f32s(n));
    let expected: Vec<f32> = (0..n).map(|i| a[i] * b[i] + c[i]).collect();
    let [a, b, c] = [a, b, c].map(|host| DeviceVec::from_slice(queue, &host));
    let (a, b, c) = (a?, b?, c?);
    into_vector(DeviceVec::filled(queue, -1.0, n)?, expected.into_iter(), move |z| z.assign(&a * &b + &c))
}

/// `a += b + c d`; once, because it adds up.
pub(super) fn add_in_place(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let [a, b, c, d] = [(); 4].map(|()| Source::fresh().f32s(n));
    let expected: Vec<f32> = (0..n).map(|i| a[i] + (b[i] + c[i] * d[i])).collect();
    let [a, b, c, d] = [a, b, c, d].map(|host| DeviceVec::from_slice(queue, &host));
    let (a, b, c, d) = (a?, b?, c?, d?);
    into_vector(a, expected.into_iter(), move |a| a.assign_with(|a| a + (&b + &c * &d)))
}

/// Sum, difference and product of two vectors, by one kernel.
pub(super) fn three_outputs(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (host_x, host_y) = (Source::fresh().f32s(n), Source::fresh().f32s(n));
    let (x, y) = (DeviceVec::from_slice(queue, &host_x)?, DeviceVec::from_slice(queue, &host_y)?);
    let output = || DeviceVec::filled(queue, -1.0_f32, n);
    let (mut sum, mut difference, mut product) = (output()?, output()?, output()?);
    assign((&mut sum, &mut difference, &mut product), (&x + &y, &x - &y, &x * &y))?;
    let pairs = || host_x.iter().zip(&host_y);
    verify(&sum.to_vec()?, pairs().map(|(x, y)| x + y))?;
    verify(&difference.to_vec()?, pairs().map(|(x, y)| x - y))?;
    verify(&product.to_vec()?, pairs().map(|(x, y)| x * y))?;
    Ok(Box::new(move || assign((&mut sum, &mut difference, &mut product), (&x + &y, &x - &y, &x * &y))))
}

/// The second difference of a vector, with its ends repeated.
pub(super) fn laplacian(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let host = Source::fresh().f32s(n);
    let x = DeviceVec::from_slice(queue, &host)?;
    let at = |i: usize| host[i.min(n - 1)];
    let expected: Vec<f32> = (0..n).map(|i| at(i.saturating_sub(1)) - 2.0 * host[i] + at(i + 1)).collect();
    into_vector(DeviceVec::filled(queue, -1.0, n)?, expected.into_iter(), move |z| {
        let shifted = |offset| x.iter().shifted(offset, Border::Clamp);
        z.assign(shifted(-1) - 2.0 * &x + shifted(1))
    })
}

pub(super) fn reverse(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let host = Source::fresh().f32s(n);
    let x = DeviceVec::from_slice(queue, &host)?;
    let expected: Vec<f32> = host.into_iter().rev().collect();
    into_vector(DeviceVec::filled(queue, -1.0, n)?, expected.into_iter(), move |z| z.assign(x.iter().rev()))
}

/// A random permutation of a vector: as many random reads as there are elements.
pub(super) fn gather(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let host = Source::fresh().f32s(n);
    let order = Source::fresh().permutation(n);
    let (x, by) = (DeviceVec::from_slice(queue, &host)?, DeviceVec::from_slice(queue, &order)?);
    let expected: Vec<f32> = order.iter().map(|&i| host[i as usize]).collect();
    into_vector(DeviceVec::filled(queue, -1.0, n)?, expected.into_iter(), move |z| {
        z.assign(x.iter().gather(&by))
    })
}
