//! Pi by Monte Carlo: counts the random points of a square that lie within a quarter of a circle.
//!
//! `cargo run --release --example 16_pi -- --log2 32`. The points are drawn, tested and counted in one kernel.
//! None of them is stored, so there may be more points than fit into memory. Prints the result, and the time
//! that the same points would take if they were stored first.

use cl_algo::prelude::*;
use cl_random::{Engine, Philox4x32};
use clap::Parser;
use std::time::Instant;

#[derive(Parser)]
struct Options {
    /// The number of points, as log2.
    #[arg(long, default_value_t = 22, value_parser = clap::value_parser!(u32).range(10..=36))]
    log2: u32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> cl_core::Result<()> {
    let Options { log2, seed } = Options::parse();
    let queue = Queue::on(&Device::first()?)?;
    let engine: Philox4x32 = Philox4x32::new(seed);
    let count = 1_usize << log2;

    let points = engine.uniform::<f32>().pairs(count);
    let inside = points.map(|(x, y)| (x * x + y * y).lt(1.0)).on(&queue);
    inside.clone().take(1024).count()?; // compiles the kernel
    let begin = Instant::now();
    let pi = 4.0 * inside.count()? as f64 / count as f64;
    let error = 1.64 / (count as f64).sqrt();
    println!("{count} points: {pi:.8} +- {error:.8}, in {:.1?}", begin.elapsed());
    assert!((pi - std::f64::consts::PI).abs() < 5.0 * error);

    // The same with stored points, of which 256 MiB hold this many.
    let stored = count.min(1 << 25);
    let (mut x, mut y) =
        (DeviceVec::filled(&queue, 0.0_f32, stored)?, DeviceVec::filled(&queue, 0.0_f32, stored)?);
    let mut seconds = 0.0;
    for _warm in 0..2 {
        let begin = Instant::now();
        assign((&mut x, &mut y), engine.uniform::<f32>().pairs(stored))?;
        let again = 4.0 * (&x * &x + &y * &y).lt(1.0).count()? as f64 / stored as f64;
        seconds = begin.elapsed().as_secs_f64() * count as f64 / stored as f64;
        assert!((again - pi).abs() < 10.0 / (stored as f64).sqrt());
    }
    println!("stored first, they would take {seconds:.3} s");
    Ok(())
}
