//! Neighbours: heat in a rod, and three rules for the values beyond its ends.
//!
//! `cargo run --release --example 09_neighbours -- --cells 100000 --steps 500`. `x.iter().shifted(1, border)`
//! reads the element next to each one, without a copy. Each step is one kernel, `u + c (left - 2 u + right)`,
//! from one vector to another: in place, some work-items would read elements that others have already changed.
//! The results are compared with the host's.

use cl_algo::prelude::*;
use clap::Parser;

#[derive(Parser)]
struct Options {
    /// The number of cells of the rod.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    cells: u32,
    /// The number of steps.
    #[arg(long, default_value_t = 100)]
    steps: usize,
}

/// The part of the difference that flows in one step; stable up to a half.
const FLOW: f32 = 0.25;

fn main() -> cl_core::Result<()> {
    let Options { cells, steps } = Options::parse();
    let cells = cells as usize;
    let queue = Queue::on(&Device::first()?)?;
    // The rod is hot at its left end, and its temperature is wavy.
    let rod: Vec<f32> =
        (0..cells).map(|i| 1.0 + (i as f32 * 0.3).sin() + if i < 5 { 10.0 } else { 0.0 }).collect();

    println!("{cells} cells, {steps} steps on {}", queue.device());
    let heat = |u: &[f32]| u.iter().map(|&u| f64::from(u)).sum::<f64>();
    println!("heat before:                {:.3}", heat(&rod));
    let rules =
        [("insulated ends", Border::Clamp), ("a ring", Border::Wrap), ("ends at 0", Border::Constant(0.0))];
    for (name, border) in rules {
        let u = on_device(&queue, &rod, steps, border)?;
        let expected = on_host(&rod, steps, border);
        let error = u.iter().zip(&expected).map(|(u, e)| (u - e).abs()).fold(0.0, f32::max);
        assert!(error < 1e-5, "{name}: the device's values differ from the host's by {error}");
        println!("after, {name:14}       {:.3}, left end {:.4}", heat(&u), u[0]);
    }
    Ok(())
}

fn on_device(queue: &Queue, rod: &[f32], steps: usize, border: Border<f32>) -> cl_core::Result<Vec<f32>> {
    let mut u = DeviceVec::from_slice(queue, rod)?;
    let mut next = DeviceVec::from_slice(queue, rod)?;
    for _ in 0..steps {
        let at = |offset| u.iter().shifted(offset, border);
        next.assign(&u + FLOW * (at(-1) - 2.0 * &u + at(1)))?;
        std::mem::swap(&mut u, &mut next);
    }
    u.to_vec()
}

fn on_host(rod: &[f32], steps: usize, border: Border<f32>) -> Vec<f32> {
    let mut u = rod.to_vec();
    let len = rod.len() as isize;
    for _ in 0..steps {
        let at = |i: isize| match border {
            Border::Clamp => u[i.clamp(0, len - 1) as usize],
            Border::Wrap => u[i.rem_euclid(len) as usize],
            Border::Constant(value) => u.get(i as usize).copied().unwrap_or(value),
            other => panic!("{other:?} is a border of a later version"),
        };
        u = (0..len).map(|i| at(i) + FLOW * (at(i - 1) - 2.0 * at(i) + at(i + 1))).collect();
    }
    u
}
