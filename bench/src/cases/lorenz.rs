//! A Runge-Kutta step of an ensemble of Lorenz systems by one generic function, which either stores each stage
//! in vectors or is recorded into one kernel.

use super::verify;
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_core::Result as Done;
use std::convert::Infallible;
use std::ops::{Add, Mul, Sub};

/// The greatest number of systems. More systems would measure the same.
pub(super) const SYSTEMS: usize = 1 << 22;

/// The operations of a step on one system: 4 speeds of 9, 4 sums of 6, a mean of 15.
pub(super) const FLOPS: f64 = 75.0;

trait Real:
    Clone + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Mul<f64, Output = Self>
{
}

impl<T> Real for T where T: Clone + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Mul<f64, Output = T> {}

type State<T> = (T, T, T);

type Ensemble = State<DeviceVec<f64>>;

/// Returns the rate of change of a state.
fn speed<T: Real>((x, y, z): State<T>) -> State<T> {
    let (sigma, rho, beta) = (10.0, 28.0, 8.0 / 3.0);
    ((y.clone() - x.clone()) * sigma, x.clone() * rho - x.clone() * z.clone() - y.clone(), x * y - z * beta)
}

fn moved<T: Real>(s: &State<T>, v: State<T>, t: f64) -> State<T> {
    (s.0.clone() + v.0 * t, s.1.clone() + v.1 * t, s.2.clone() + v.2 * t)
}

/// Computes one step of the classical method. `stage` may store the intermediate results.
fn rk4<T: Real, E>(
    s: State<T>,
    mut stage: impl FnMut(State<T>) -> Result<State<T>, E>,
) -> Result<State<T>, E> {
    let h = 0.01;
    let k1 = stage(speed(s.clone()))?;
    let s2 = stage(moved(&s, k1.clone(), h / 2.0))?;
    let k2 = stage(speed(s2))?;
    let s3 = stage(moved(&s, k2.clone(), h / 2.0))?;
    let k3 = stage(speed(s3))?;
    let s4 = stage(moved(&s, k3.clone(), h))?;
    let k4 = stage(speed(s4))?;
    let mean = |k1, k2, k3, k4| (k1 + (k2 + k3) * 2.0 + k4) * (1.0 / 6.0);
    let v = (mean(k1.0, k2.0, k3.0, k4.0), mean(k1.1, k2.1, k3.1, k4.1), mean(k1.2, k2.2, k3.2, k4.2));
    Ok(moved(&s, v, h))
}

fn at_once<T: Real>(s: State<T>) -> State<T> {
    let Ok(next) = rk4(s, Ok::<_, Infallible>);
    next
}

/// Steps by eight kernels, each of which computes three vectors.
pub(super) fn naive(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (mut state, host) = ensemble(queue, n)?;
    let mut next = ensemble(queue, n)?.0;
    let mut stages = (0..7).map(|_| Ok(ensemble(queue, n)?.0)).collect::<Result<Vec<_>, Failure>>()?;
    let mut step = move |state: &mut Ensemble| -> Done<()> {
        let mut targets = stages.iter_mut();
        let value = rk4((state.0.iter(), state.1.iter(), state.2.iter()), |stage| -> Done<_> {
            let Some((x, y, z)) = targets.next() else { return Ok(stage) };
            assign((&mut *x, &mut *y, &mut *z), stage)?;
            Ok((x.iter(), y.iter(), z.iter()))
        })?;
        assign((&mut next.0, &mut next.1, &mut next.2), value)?;
        std::mem::swap(state, &mut next);
        Ok(())
    };
    step(&mut state)?;
    check(&state, &host)?;
    Ok(Box::new(move || step(&mut state)))
}

/// Steps by one kernel.
pub(super) fn recorded(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (mut state, host) = ensemble(queue, n)?;
    let step = |(x, y, z): &mut Ensemble| assign_with((x, y, z), |states| states.map(at_once));
    step(&mut state)?;
    check(&state, &host)?;
    Ok(Box::new(move || step(&mut state)))
}

/// Returns states around the attractor, on the device and on the host.
fn ensemble(queue: &Queue, n: usize) -> Result<(Ensemble, State<Vec<f64>>), Failure> {
    let around = |middle: f64| -> Vec<f64> {
        Source::fresh().f64s(n).into_iter().map(|value| middle + 20.0 * (value - 0.5)).collect()
    };
    let host = (around(0.0), around(0.0), around(25.0));
    let copy = |values: &[f64]| DeviceVec::from_slice(queue, values);
    Ok(((copy(&host.0)?, copy(&host.1)?, copy(&host.2)?), host))
}

/// Returns an error unless the states equal the host's after one step by the same operations in the same order.
fn check(state: &Ensemble, host: &State<Vec<f64>>) -> Result<(), Failure> {
    let next = || (0..host.0.len()).map(|i| at_once((host.0[i], host.1[i], host.2[i])));
    verify(&state.0.to_vec()?, next().map(|s| s.0))?;
    verify(&state.1.to_vec()?, next().map(|s| s.1))?;
    verify(&state.2.to_vec()?, next().map(|s| s.2))
}
