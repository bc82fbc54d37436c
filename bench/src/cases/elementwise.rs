//! Elementwise expressions.

use super::{Ready, verify};
use crate::Failure;
use crate::data::Source;
use crate::timing::Step;
use cl_algo::prelude::*;

const A: f32 = 1.5;

struct Saxpy {
    x: DeviceVec<f32>,
    y: DeviceVec<f32>,
    z: DeviceVec<f32>,
}

impl Ready for Saxpy {
    fn step(&mut self) -> Step<'_> {
        Box::new(|| self.z.assign(A * &self.x + &self.y))
    }
}

pub(super) fn saxpy(queue: &Queue, n: usize) -> Result<Box<dyn Ready>, Failure> {
    let (x, y) = (Source::fresh().f32s(n), Source::fresh().f32s(n));
    let z = DeviceVec::filled(queue, -1.0, n)?;
    let mut ready = Saxpy { x: DeviceVec::from_slice(queue, &x)?, y: DeviceVec::from_slice(queue, &y)?, z };
    ready.step()()?;
    verify(&ready.z.to_vec()?, x.iter().zip(&y).map(|(x, y)| A * x + y))?;
    Ok(Box::new(ready))
}

struct InPlace {
    x: DeviceVec<f32>,
    y: DeviceVec<f32>,
}

impl Ready for InPlace {
    fn step(&mut self) -> Step<'_> {
        Box::new(|| self.y.assign_with(|y| A * &self.x + y))
    }
}

pub(super) fn saxpy_in_place(queue: &Queue, n: usize) -> Result<Box<dyn Ready>, Failure> {
    let (x, y) = (Source::fresh().f32s(n), Source::fresh().f32s(n));
    let mut ready = InPlace { x: DeviceVec::from_slice(queue, &x)?, y: DeviceVec::from_slice(queue, &y)? };
    ready.step()()?;
    verify(&ready.y.to_vec()?, x.iter().zip(&y).map(|(x, y)| A * x + y))?;
    Ok(Box::new(ready))
}

struct Daxpy {
    x: DeviceVec<f64>,
    y: DeviceVec<f64>,
    z: DeviceVec<f64>,
}

impl Ready for Daxpy {
    fn step(&mut self) -> Step<'_> {
        Box::new(|| self.z.assign(f64::from(A) * &self.x + &self.y))
    }
}

pub(super) fn daxpy(queue: &Queue, n: usize) -> Result<Box<dyn Ready>, Failure> {
    let (x, y) = (Source::fresh().f64s(n), Source::fresh().f64s(n));
    let z = DeviceVec::filled(queue, -1.0, n)?;
    let mut ready = Daxpy { x: DeviceVec::from_slice(queue, &x)?, y: DeviceVec::from_slice(queue, &y)?, z };
    ready.step()()?;
    verify(&ready.z.to_vec()?, x.iter().zip(&y).map(|(x, y)| f64::from(A) * x + y))?;
    Ok(Box::new(ready))
}
