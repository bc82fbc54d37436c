//! Fusion: a whole expression is one kernel, and its intermediate results are never stored.
//!
//! `cargo run --release --example 05_fusion -- --elements 16777216`. Most programs wait for memory, not for
//! arithmetic. A library that runs one operation at a time writes each intermediate result to memory and reads
//! it back. Here operators only record the operations, and all of them become one kernel. This program does
//! both and compares the times.

use cl_algo::{math::sqrt, prelude::*};
use clap::Parser;
use std::time::{Duration, Instant};

#[derive(Parser)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 1 << 21, value_parser = clap::value_parser!(u32).range(1..))]
    elements: u32,
}

fn main() -> cl_core::Result<()> {
    let elements = Options::parse().elements as usize;
    let queue = Queue::on(&Device::first()?)?;
    let x = DeviceVec::from_fn(&queue, elements, |i| (i % 1000) as f32 - 500.0)?;
    let y = DeviceVec::from_fn(&queue, elements, |i| (i % 777) as f32)?;
    println!("{elements} elements on {}", queue.device());

    // Computes the lengths of the vectors (x, y) one operation at a time: each `collect` is a kernel and a
    // new vector.
    let (apart, slow) = timed(&queue, || {
        let xx = (&x * &x).collect()?;
        let yy = (&y * &y).collect()?;
        let sum = (&xx + &yy).collect()?;
        sqrt(&sum).collect()
    })?;
    // The same operations as one expression: the kernel reads two vectors and writes one.
    let length = sqrt(&x * &x + &y * &y);
    println!("the expression: {length}");
    let (fused, fast) = timed(&queue, || length.clone().collect())?;
    assert!(apart.to_vec()? == fused.to_vec()?, "fusion must not change a bit");
    println!("four kernels: {slow:.0?}; one kernel: {fast:.0?}");

    // One kernel can fill several vectors. It computes a value that two of them need only once.
    let mut left = DeviceVec::filled(&queue, 0.0_f32, elements)?;
    let mut right = DeviceVec::filled(&queue, 0.0_f32, elements)?;
    assign((&mut left, &mut right), (&x / length.clone(), &y / length.clone()))?;
    // (0, 0) has no direction: its components are NaN, as on the host.
    let (left, right, lengths) = (left.to_vec()?, right.to_vec()?, fused.to_vec()?);
    let one = |i: usize| lengths[i] == 0.0 || (left[i].hypot(right[i]) - 1.0).abs() < 1e-6;
    assert!((0..elements).all(one), "directions have the length 1");

    // A reduction evaluates an expression, too. It stores nothing but the largest length.
    let longest = length.reduce_max()?;
    assert_eq!(longest, lengths.iter().copied().reduce(f32::max));
    println!("all right; the longest vector: {:.2}", longest.unwrap_or(0.0));
    Ok(())
}

/// Returns the result, and the shortest time of five. The first evaluation, which compiles kernels, does not
/// count.
fn timed<T>(queue: &Queue, mut work: impl FnMut() -> cl_core::Result<T>) -> cl_core::Result<(T, Duration)> {
    let mut result = work()?;
    let mut shortest = Duration::MAX;
    for _ in 0..5 {
        queue.finish()?;
        let start = Instant::now();
        result = work()?;
        queue.finish()?;
        shortest = shortest.min(start.elapsed());
    }
    Ok((result, shortest))
}
