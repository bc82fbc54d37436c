//! Reductions: from many numbers to one, or to a few.
//!
//! `cargo run --release --example 12_reductions`. A sum, a mean, a largest element: each device has its own best way,
//! with all cores and without races, and gives the same bits in every run. What is reduced is any expression. The
//! numbers here stand for a year of temperatures, hour by hour, of 200 stations.

use cl_algo::prelude::*;
use cl_algo::reducers::{MaxElement, MinElement, Variance};
use cl_algo::stl::reduce_by_key;

const HOURS: usize = 365 * 24;
const STATIONS: usize = 200;

fn main() -> cl_core::Result<()> {
    let queue = Queue::on(&Device::first()?)?;
    let host: Vec<f32> = (0..HOURS * STATIONS).map(temperature).collect();
    let x = DeviceVec::from_slice(&queue, &host)?;
    println!("{} temperatures on {}", x.len(), queue.device());

    // One number. The host waits for it; until here nothing has waited for the device.
    let mean = x.iter().sum()? / x.len() as f32;
    let expected = host.iter().map(|&x| f64::from(x)).sum::<f64>() / host.len() as f64;
    assert!((f64::from(mean) - expected).abs() < 1e-3);
    println!("mean {mean:.2} degrees");

    // Of an expression: the share of hours with frost.
    let frost = x.iter().lt(0.0).count()?;
    assert_eq!(frost, host.iter().filter(|&&x| x < 0.0).count());
    println!("frost in {:.1} % of the hours", 100.0 * frost as f32 / x.len() as f32);

    // Several in one pass: the numbers are read once. The places are indices of the first such element.
    let all = (MinElement::<u32>::new(), MaxElement::<u32>::new(), Variance::population());
    if let Some(((coldest, low), (warmest, high), (_, variance))) = x.iter().reduce_with(all)? {
        let place = |i: u64| format!("station {}, hour {}", i as usize / HOURS, i as usize % HOURS);
        println!("from {low:.1} ({}) to {high:.1} ({})", place(coldest), place(warmest));
        println!("standard deviation {:.2}", variance.sqrt());
        let is = |x: f32, extreme: fn(f32, f32) -> f32| Some(x) == host.iter().copied().reduce(extreme);
        assert!(is(low, f32::min) && is(high, f32::max));
        assert_eq!((host[coldest as usize], host[warmest as usize]), (low, high));
    }

    // The result may stay on the device, where the next expression uses it: the host never waits.
    let sum = x.iter().sum_on_device()?;
    let from_mean = (&x - sum.iter() / x.len() as f32).collect()?;
    assert!((from_mean.to_vec()?[7] - (host[7] - mean)).abs() < 1e-4);

    // By key: one result for each run of equal keys, here for each station.
    let station = index::<u32>() / HOURS as u32;
    let mut sums = DeviceVec::filled(&queue, 0.0_f32, x.len())?;
    let count = reduce_by_key(station, &x, Discard, &mut sums)?.get()? as usize;
    assert_eq!(count, STATIONS);
    let means = (sums.slice(..count) / HOURS as f32).collect()?.to_vec()?;
    for (mean, hours) in means.iter().zip(host.chunks(HOURS)) {
        let expected = hours.iter().map(|&x| f64::from(x)).sum::<f64>() / HOURS as f64;
        assert!((f64::from(*mean) - expected).abs() < 1e-3);
    }
    let warmest = means.iter().copied().fold(f32::MIN, f32::max);
    println!("the warmest station has {warmest:.2} degrees on average; all right");
    Ok(())
}

/// Seasons, days, stations from cold to warm, and some weather.
fn temperature(i: usize) -> f32 {
    let (station, hour) = (i / HOURS, i % HOURS);
    let turn = |period: f32| (std::f32::consts::TAU * hour as f32 / period).cos();
    let weather = (i as u32).wrapping_mul(2_654_435_761) >> 16;
    let climate = 12.0 * (station * 89 % STATIONS) as f32 / STATIONS as f32;
    climate - 12.0 * turn(HOURS as f32) - 4.0 * turn(24.0) + weather as f32 / 10_000.0
}
