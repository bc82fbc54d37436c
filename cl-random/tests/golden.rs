//! Golden kernels: the kernels that each recorded device gets for random numbers, compared with the files
//! in `golden`.
#![allow(clippy::semicolon_if_nothing_returned)] // the last expression of a case may return a value or not

use cl_algo::prelude::*;
use cl_core::Result;
use cl_random::{
    Bernoulli, Discrete, Distribution, Engine, Exponential, Gamma, LogNormal, Normal, Open01, Permutation,
    Philox2x32, Philox2x64, Philox4x32, Philox4x64, Poisson, Stream, Threefry2x32, Threefry2x64,
    Threefry4x32, Threefry4x64, Uniform, UniformInteger, permutation, shuffle,
};
use cl_test::golden::{Case, check, check_devices};
use cl_test::golden_cases;

/// A length of several work-groups, with a tail, on every device.
const LEN: usize = 100_003;

fn engine() -> Philox4x32 {
    Philox4x32::new(2026)
}

/// Evaluates an expression of a distribution's values into a vector.
fn drawn<D: Distribution>(queue: &Queue, distribution: D) -> Result<()> {
    engine().draws(distribution).take(LEN).collect_on(queue).map(drop)
}

/// Evaluates uniform floats of an engine.
fn uniform(queue: &Queue, engine: impl Engine) -> Result<()> {
    engine.uniform::<f32>().take(LEN).collect_on(queue).map(drop)
}

/// Returns the mean of two draws.
#[device_fn]
fn mean_of_draws(mut stream: Stream) -> f32 {
    0.5 * (stream.normal() + stream.uniform())
}

const CASES: &[Case] = golden_cases! {
    "draws in a device function": |q| mean_of_draws(engine().streams(LEN)).collect_on(q)?;
    "uniform, Philox2x32": |q| uniform(q, Philox2x32::<10>::new(1))?;
    "uniform, Philox4x32": |q| uniform(q, Philox4x32::<10>::new(1))?;
    "uniform, Philox2x64": |q| uniform(q, Philox2x64::<10>::new(1))?;
    "uniform, Philox4x64": |q| uniform(q, Philox4x64::<10>::new(1))?;
    "uniform, Threefry2x32": |q| uniform(q, Threefry2x32::<20>::new(1))?;
    "uniform, Threefry4x32": |q| uniform(q, Threefry4x32::<20>::new(1))?;
    "uniform, Threefry2x64": |q| uniform(q, Threefry2x64::<20>::new(1))?;
    "uniform, Threefry4x64": |q| uniform(q, Threefry4x64::<20>::new(1))?;
    "uniform, f64": |q| engine().uniform::<f64>().take(LEN).collect_on(q)?;
    "words of 32 bits": |q| engine().bits::<u32>().take(LEN).collect_on(q)?;
    "words of 64 bits": |q| engine().bits::<u64>().take(LEN).collect_on(q)?;
    "open uniform, f32": |q| drawn(q, Open01::<f32>::new())?;
    "uniform of a range, f32": |q| drawn(q, Uniform::new(-3.5_f32, 100.0)?)?;
    "normal, f32": |q| drawn(q, Normal::<f32>::standard())?;
    "normal, f64": |q| drawn(q, Normal::new(1.0_f64, 2.0)?)?;
    "log-normal, f32": |q| drawn(q, LogNormal::new(0.0_f32, 1.0)?)?;
    "exponential, f32": |q| drawn(q, Exponential::new(2.0_f32)?)?;
    "gamma, f32": |q| drawn(q, Gamma::new(2.5_f32, 1.0)?)?;
    "truth values": |q| drawn(q, Bernoulli::new(0.3)?)?;
    "integers of a range, u8": |q| drawn(q, UniformInteger::new(1..=6_u8)?)?;
    "integers of a range, i64": |q| drawn(q, UniformInteger::new(-5..1_000_000_i64)?)?;
    "Poisson, few": |q| drawn(q, Poisson::new(3.0)?)?;
    "Poisson, many": |q| drawn(q, Poisson::new(1000.0)?)?;
    "discrete, by weights": |q| Discrete::new(q, &[1.0, 2.0, 3.0, 0.5])?.draws(&engine()).take(LEN).collect()?;
    "filled vectors, uniform": |q| engine().uniform::<f32>().fill(&mut DeviceVec::filled(q, 0.0_f32, LEN)?)?;
    "filled vectors, normal": |q| engine().normal::<f32>().fill(&mut DeviceVec::filled(q, 0.0_f32, LEN)?)?;
    "pairs within an expression": |q| {
        engine().uniform::<f32>().pairs(LEN).map(|(x, y)| (x * x + y * y).lt(1.0)).on(q).count()?
    };
    "shuffle": |q| shuffle(&mut DeviceVec::filled(q, 1.0_f32, LEN)?, &engine())?;
    "permutation": |q| permutation(q, LEN, &engine())?;
    "permutation without memory": |q| Permutation::new(LEN as u64, &engine()).iter().collect_on(q)?;
};

#[test]
fn golden_kernels_are_those_that_are_kept() {
    check(env!("CARGO_MANIFEST_DIR"), env!("CARGO_TARGET_TMPDIR"), CASES, &[]);
}

#[test]
#[ignore = "needs a device that resembles a recorded one: `./run golden` of a bundle"]
fn golden_kernels_are_those_of_this_machines_devices() {
    check_devices(CASES);
}
