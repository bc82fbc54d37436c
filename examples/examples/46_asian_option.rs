//! The price of an Asian option by Monte Carlo: one path a work-item, in a device function that draws random numbers.
//!
//! `cargo run --release --example 46_asian_option -- 1000000`. The argument is the number of paths, by default 200000. An Asian
//! call pays what the mean of the price exceeds the strike by. `payoffs` follows one path: it takes a `Stream` and draws a
//! normal number for each week. It is ordinary Rust, and runs on the host with the same numbers. For the geometric mean the
//! exact value is known. It checks the result, and as a control variate it makes the other price more precise.

use cl_algo::prelude::*;
use cl_random::{Engine, Philox4x32, Stream};
use std::error::Error;

const WEEKS: u32 = 52;
const START: f64 = 100.0;
const STRIKE: f64 = 105.0;
const RATE: f64 = 0.03;
const VOLATILITY: f64 = 0.25;

/// Returns what the option pays after one path: by the arithmetic mean, and by the geometric mean of the weeks' prices.
#[device_fn]
fn payoffs(mut stream: Stream, start: f32, strike: f32, drift: f32, spread: f32) -> (f32, f32) {
    let mut log_price = 0.0_f32;
    let mut sum = 0.0_f32;
    let mut sum_of_logs = 0.0_f32;
    for _week in 0..WEEKS {
        log_price += drift + spread * stream.normal();
        sum += log_price.exp();
        sum_of_logs += log_price;
    }
    let weeks = WEEKS as f32;
    let arithmetic = start * sum / weeks - strike;
    let geometric = start * (sum_of_logs / weeks).exp() - strike;
    (arithmetic.max(0.0), geometric.max(0.0))
}

/// Returns the probability that a number of the standard normal distribution is below `x`, by Simpson's rule.
fn normal_below(x: f64) -> f64 {
    let density = |x: f64| (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    let step = x / 1000.0;
    let inner: f64 = (1..1000).map(|k| f64::from(2 + k % 2 * 2) * density(f64::from(k) * step)).sum();
    0.5 + (density(0.0) + inner + density(x)) * step / 3.0
}

/// Returns the exact value today of the option on the geometric mean, whose logarithm is normal.
fn geometric_price() -> f64 {
    let n = f64::from(WEEKS);
    let mean = START.ln() + (RATE - 0.5 * VOLATILITY * VOLATILITY) * (n + 1.0) / (2.0 * n);
    let deviation = VOLATILITY * ((n + 1.0) * (2.0 * n + 1.0) / 6.0).sqrt() / n;
    let far = (mean - STRIKE.ln()) / deviation;
    let forward = (mean + 0.5 * deviation * deviation).exp();
    (-RATE).exp() * (forward * normal_below(far + deviation) - STRIKE * normal_below(far))
}

fn main() -> Result<(), Box<dyn Error>> {
    let paths: usize = std::env::args().nth(1).map_or(Ok(200_000), |paths| paths.parse())?;
    let queue = Queue::on(&Device::first()?)?;
    let engine: Philox4x32 = Philox4x32::new(2026);
    let week = 1.0 / f64::from(WEEKS);
    let drift = ((RATE - 0.5 * VOLATILITY * VOLATILITY) * week) as f32;
    let spread = (VOLATILITY * week.sqrt()) as f32;
    let (start, strike) = (START as f32, STRIKE as f32);

    // One kernel follows all paths. No random number is stored.
    let all = payoffs(engine.streams(paths), start, strike, drift, spread);
    let (arithmetic, geometric) = all.on(&queue).collect()?;
    let discount = (-RATE).exp();
    let mean = |x: &DeviceVec<f32>| -> cl_core::Result<f64> { Ok(f64::from(x.mean()?.unwrap_or(0.0))) };
    let deviation =
        |x: &DeviceVec<f32>| -> cl_core::Result<f64> { Ok(f64::from(x.variance()?.unwrap_or(0.0)).sqrt()) };

    let exact = geometric_price();
    let estimate = discount * mean(&geometric)?;
    let error = discount * deviation(&geometric)? / (paths as f64).sqrt();
    println!("geometric mean:  {estimate:.4} ± {error:.4}, exact {exact:.4}");
    assert!((estimate - exact).abs() < 4.0 * error, "farther from the exact price than chance allows");

    // The two payoffs go up and down together, and the error of one of them is known.
    let differences = (&arithmetic - &geometric).collect()?;
    let plain = (discount * mean(&arithmetic)?, discount * deviation(&arithmetic)? / (paths as f64).sqrt());
    let better = exact + discount * mean(&differences)?;
    let error = discount * deviation(&differences)? / (paths as f64).sqrt();
    println!(
        "arithmetic mean: {:.4} ± {:.4}, with the control variate {better:.4} ± {error:.4}",
        plain.0, plain.1
    );
    assert!(error < plain.1 / 5.0 && (better - plain.0).abs() < 5.0 * plain.1);

    // The host follows any of the paths.
    let last = paths - 1;
    let here = payoffs(Stream::new(&engine.stream(last as u64)), start, strike, drift, spread);
    let there = arithmetic.get(last)?;
    println!("path {last} pays {there:.4}, on the host {:.4}", here.0);
    assert!((there - here.0).abs() < 1e-2);
    Ok(())
}
