//! Random numbers, stored and used without being stored.

use super::{to_scalar, verify};
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_random::{
    Distribution, Draws, Engine, Exponential, Gamma, Permutation, Philox4x32, Poisson, Real, Threefry4x32,
    Word, Words,
};
use std::fmt::Debug;

/// The number of values at each end that are compared with the host's. The host computes its values slowly.
const COMPARED: usize = 1 << 16;

fn philox() -> Philox4x32 {
    Philox4x32::new(20_261_122)
}

/// Stores `n` values, the same ones in each evaluation.
fn stored<E: Engine, D: Distribution<Value: PartialEq + Debug> + 'static>(
    queue: &Queue,
    n: usize,
    draws: Draws<E, D>,
) -> Result<Step, Failure> {
    let mut values = draws.take(n).collect_on(queue)?;
    let compared = COMPARED.min(n);
    for from in [0, n - compared] {
        let on_device = values.slice(from..from + compared).collect()?.to_vec()?;
        let on_host: Vec<D::Value> = draws.skip(from as u64).iter().take(compared).collect();
        verify(&on_device, on_host.into_iter())?;
    }
    Ok(Box::new(move || draws.clone().fill(&mut values)))
}

pub(super) fn bits<T: Word>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let draws: Draws<_, Words<T>> = philox().bits();
    stored(queue, n, draws)
}

pub(super) fn uniform<T: Real>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    stored(queue, n, philox().uniform::<T>())
}

pub(super) fn normal<T: Real>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    stored(queue, n, philox().normal::<T>())
}

pub(super) fn threefry(queue: &Queue, n: usize) -> Result<Step, Failure> {
    stored(queue, n, Threefry4x32::<20>::new(20_261_122).uniform::<f32>())
}

pub(super) fn exponential(queue: &Queue, n: usize) -> Result<Step, Failure> {
    stored(queue, n, philox().draws(Exponential::<f32>::new(1.0)?))
}

pub(super) fn gamma(queue: &Queue, n: usize) -> Result<Step, Failure> {
    stored(queue, n, philox().draws(Gamma::<f32>::new(2.0, 1.0)?))
}

pub(super) fn poisson(queue: &Queue, n: usize) -> Result<Step, Failure> {
    stored(queue, n, philox().draws(Poisson::new(4.0)?))
}

/// Stores the numbers below `n` in a random order. The order itself is computed and takes no memory.
pub(super) fn permutation(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let order = Permutation::new(n as u64, &philox());
    let mut numbers = order.iter().collect_on(queue)?;
    let compared = COMPARED.min(n);
    let on_device = numbers.slice(..compared).collect()?.to_vec()?;
    verify(&on_device, (0..compared).map(|i| order.get(i as u64)))?;
    Ok(Box::new(move || numbers.assign(order.iter())))
}

/// Returns an error unless about pi/4 of `n` points in the unit square are in the circle.
fn makes_pi(inside: u64, n: usize) -> Result<(), Failure> {
    let pi = 4.0 * inside as f64 / n as f64;
    // The bound is five standard deviations, plus the effect of one point.
    let bound = 5.0 * 1.65 / (n as f64).sqrt() + 4.0 / n as f64;
    match (pi - std::f64::consts::PI).abs() < bound {
        true => Ok(()),
        false => Err(format!("wrong result: pi is about {pi}").into()),
    }
}

/// Computes pi from `n` points of the unit square that are stored first.
pub(super) fn stored_pi(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let room = || DeviceVec::filled(queue, 0.0_f32, n);
    let (mut x, mut y) = (room()?, room()?);
    let inside = move || {
        let mut draws = philox().uniform::<f32>();
        draws.fill(&mut x)?;
        draws.fill(&mut y)?;
        (&x * &x + &y * &y).lt(1.0).count_on_device()
    };
    to_scalar(inside, move |inside| makes_pi(inside, n))
}

/// Computes pi from `n` points of the unit square without storing them.
pub(super) fn pi(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let queue = queue.clone();
    let inside = move || {
        let points = philox().uniform::<f32>().pairs(n);
        points.map(|(x, y)| (x * x + y * y).lt(1.0)).on(&queue).count_on_device()
    };
    to_scalar(inside, move |inside| makes_pi(inside, n))
}
