//! Device functions: a polynomial of degree 20 by Horner's rule, written for the device in two ways.
//!
//! `cargo run --release --example 07_device_functions -- --points 1000000`. A generic function is *recorded*:
//! it runs once on symbolic values, its loop is unrolled, and the coefficients become arguments of the kernel.
//! A `#[device_fn]` is *translated*: its loop stays a loop, over coefficients in device memory. Both run on the
//! host as well, which checks the results.

use cl_algo::prelude::*;
use clap::Parser;
use std::ops::{Add, Mul};

#[derive(Parser)]
struct Options {
    /// The number of points.
    #[arg(long, default_value_t = 100_000)]
    points: usize,
}

/// Evaluates the polynomial for `f32` or `Val<f32>`. The last coefficient is that of the highest power.
fn recorded<T>(x: T, coefficients: &[f32; 21]) -> T
where
    T: Copy + From<f32> + Add<f32, Output = T> + Mul<Output = T>,
{
    let (last, others) = (coefficients[20], &coefficients[..20]);
    others.iter().rev().fold(T::from(last), |sum, &coefficient| sum * x + coefficient)
}

#[device_fn]
fn translated(x: f32, coefficients: &[f32]) -> f32 {
    let mut sum = 0.0;
    for i in (0..coefficients.len()).rev() {
        sum = sum * x + coefficients[i];
    }
    sum
}

fn main() -> cl_core::Result<()> {
    let Options { points } = Options::parse();
    let queue = Queue::on(&Device::first()?)?;

    // The exponential function: 1 / k! for x to the power of k.
    let mut coefficients = [1.0_f32; 21];
    for k in 1..coefficients.len() {
        coefficients[k] = coefficients[k - 1] / k as f32;
    }
    let host_x: Vec<f32> = (0..points).map(|i| 4.0 * i as f32 / points as f32 - 2.0).collect();
    let x = DeviceVec::from_slice(&queue, &host_x)?;
    let on_device = DeviceVec::from_slice(&queue, &coefficients)?;

    let expression = x.iter().map(|x| recorded(x, &coefficients));
    println!("recorded: {expression}");
    let one = expression.collect()?.to_vec()?;
    let other = translated(&x, &on_device).collect()?.to_vec()?;

    for (i, &x) in host_x.iter().enumerate() {
        let expected = recorded(x, &coefficients);
        assert_eq!(one[i], expected, "recorded, at {x}");
        assert_eq!(other[i], translated(x, &coefficients), "translated, at {x}");
        assert!((expected / x.exp() - 1.0).abs() < 2e-6, "exp({x}) is not {expected}");
    }
    println!("{points} points on {}: all right", queue.device());
    Ok(())
}
