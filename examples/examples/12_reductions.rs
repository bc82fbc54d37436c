//! Reductions: from many numbers to one, or to a few.
//!
//! `cargo run --release --example 12_reductions`. Each device has its own best way to compute a sum, a mean or
//! a maximum. It uses all cores without races, and gives the same bits every time. The input can be any
//! expression. The numbers here represent the hourly temperatures of 200 stations in one year.

use cl_algo::prelude::*;
use cl_algo::reducers::{MaxElement, MinElement, Variance};

const HOURS: usize = 365 * 24;
const STATIONS: usize = 200;

fn main() -> cl_core::Result<()> {
    let queue = Queue::on(&Device::first()?)?;
    let host: Vec<f32> = (0..HOURS * STATIONS).map(temperature).collect();
    let x = DeviceVec::from_slice(&queue, &host)?;
    println!("{} temperatures on {}", x.len(), queue.device());

    // One number. The host waits for it; nothing before has waited for the device.
    let mean = x.iter().sum()? / x.len() as f32;
    let expected = host.iter().map(|&x| f64::from(x)).sum::<f64>() / host.len() as f64;
    assert!((f64::from(mean) - expected).abs() < 1e-3);
    println!("mean {mean:.2} degrees");

    // The mean of an expression: the share of hours with frost.
    let frost = x.iter().lt(0.0).count()?;
    assert_eq!(frost, host.iter().filter(|&&x| x < 0.0).count());
    println!("frost in {:.1} % of the hours", 100.0 * frost as f32 / x.len() as f32);

    // Several results in one pass: the numbers are read once. A position is the index of the first such
    // element.
    let all = (MinElement::<u32>::new(), MaxElement::<u32>::new(), Variance::population());
    if let Some(((coldest, low), (warmest, high), (_, variance))) = x.iter().reduce_with(all)? {
        let place = |i: u64| format!("station {}, hour {}", i as usize / HOURS, i as usize % HOURS);
        println!("from {low:.1} ({}) to {high:.1} ({})", place(coldest), place(warmest));
        println!("standard deviation {:.2}", variance.sqrt());
        let is = |x: f32, extreme: fn(f32, f32) -> f32| Some(x) == host.iter().copied().reduce(extreme);
        assert!(is(low, f32::min) && is(high, f32::max));
        assert_eq!((host[coldest as usize], host[warmest as usize]), (low, high));
    }

    // The result can stay on the device, where the next expression uses it: the host never waits.
    let sum = x.iter().sum_on_device()?;
    let from_mean = (&x - sum.iter() / x.len() as f32).collect()?;
    assert!((from_mean.to_vec()?[7] - (host[7] - mean)).abs() < 1e-4);

    // Reduction by key gives one result for each run of equal keys, here for each station.
    let station = index::<u32>() / HOURS as u32;
    let (_, sums) = x.iter().sum_by_key(station)?;
    let means = (sums.iter() / HOURS as f32).collect()?.to_vec()?;
    assert_eq!(means.len(), STATIONS);
    for (mean, hours) in means.iter().zip(host.chunks(HOURS)) {
        let expected = hours.iter().map(|&x| f64::from(x)).sum::<f64>() / HOURS as f64;
        assert!((f64::from(*mean) - expected).abs() < 1e-3);
    }
    let warmest = means.iter().copied().fold(f32::MIN, f32::max);
    println!("the warmest station has {warmest:.2} degrees on average; all right");
    Ok(())
}

/// Adds up seasons, days, stations from cold to warm, and some weather.
fn temperature(i: usize) -> f32 {
    let (station, hour) = (i / HOURS, i % HOURS);
    let turn = |period: f32| (std::f32::consts::TAU * hour as f32 / period).cos();
    let weather = (i as u32).wrapping_mul(2_654_435_761) >> 16;
    let climate = 12.0 * (station * 89 % STATIONS) as f32 / STATIONS as f32;
    climate - 12.0 * turn(HOURS as f32) - 4.0 * turn(24.0) + weather as f32 / 10_000.0
}
