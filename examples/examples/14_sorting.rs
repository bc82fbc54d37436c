//! Sorting, and questions that are easy in sorted data: the first, the median, and the number below a limit.
//!
//! `cargo run --release --example 14_sorting -- --runners 1000000`. The data are the runners of a marathon.
//! Numbers, and keys that are numbers, are sorted by their digits, everything else by a comparator. Both sorts
//! are stable: equal elements keep their order.

use cl_algo::{prelude::*, stl};
use clap::Parser;

#[derive(Parser)]
struct Options {
    /// The number of runners.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(10..))]
    runners: u32,
}

const CLUBS: u32 = 50;

fn main() -> cl_core::Result<()> {
    let Options { runners } = Options::parse();
    let queue = Queue::on(&Device::first()?)?;
    // Times are from two and a half to six hours. Runners have their index as their number.
    let noise = |i: u32| i.wrapping_mul(2_654_435_761).rotate_left(15).wrapping_mul(2_246_822_519) >> 16;
    let host: Vec<u32> =
        (0..runners).map(|i| 9_000 + (noise(i) + noise(i ^ 0x55aa)) * 12_600 / 131_072).collect();
    let time = DeviceVec::from_slice(&queue, &host)?;
    println!("{runners} runners on {}", queue.device());

    // The order: `order[0]` is the number of the winner. The times are not moved.
    let order = time.iter().argsort()?;
    let podium = order.slice(..3).collect()?.to_vec()?;
    for (place, &runner) in podium.iter().enumerate() {
        println!("{}: number {runner}, {}", place + 1, clock(host[runner as usize]));
    }

    // Keys with values: each runner's time, with the runner's number.
    let mut sorted = time.iter().collect()?;
    let mut number = iota(0_u32, runners as usize).collect_on(&queue)?;
    Sort::new().by_key(&mut sorted, &mut number)?;
    assert!(stl::equal(&number, &order)?, "two ways to the same order");

    // A sorted vector contains all quantiles, and positions in it are found by bisection.
    let half = sorted.slice(runners as usize / 2..).take(1).collect()?.to_vec()?[0];
    let in_four = stl::lower_bound(&sorted, 4 * 3600)?;
    println!("half of them needed no more than {}; {in_four} were faster than 4 hours", clock(half));
    // All bounds in one kernel: the number of runners who finished before the end of each minute.
    let minutes = iota(0_u32, 360) * 60;
    let mut finished = DeviceVec::filled(&queue, 0_u32, 360)?;
    stl::upper_bounds(&sorted, minutes, &mut finished)?;
    let mut by_minute = DeviceVec::filled(&queue, 0_u32, 360)?;
    stl::adjacent_difference(&finished, |now, before| now - before, &mut by_minute)?;
    if let Some((minute, count)) = by_minute.iter().max_element()? {
        println!("most came in during the minute from {}: {count}", clock(minute as u32 * 60 - 60));
    }

    // A comparator sorts by club, the fastest runner of each club first. It sorts three vectors together,
    // row by row.
    let mut club = (iota(0_u32, runners as usize) * 7 % CLUBS).collect_on(&queue)?;
    let mut seconds = time.iter().collect()?;
    let mut runner = iota(0_u32, runners as usize).collect_on(&queue)?;
    let rows = (&mut club, &mut seconds, &mut runner);
    stl::sort_by(rows, |(a, s, _), (b, t, _)| a.lt(b) | (a.eq(b) & s.lt(t)))?;
    // The first runner of each run of equal clubs is the club's best.
    let (clubs, best) = zip((&club, &runner)).dedup_by(|(a, _), (b, _)| a.eq(b)).collect()?;
    println!("the best runner of club {} is number {}", clubs.to_vec()?[1], best.to_vec()?[1]);

    // The host gets the same results.
    let mut expected: Vec<u32> = (0..runners).collect();
    expected.sort_by_key(|&i| host[i as usize]);
    assert!(order.to_vec()? == expected, "the order");
    assert!(stl::is_sorted(&sorted)?);
    assert_eq!(half, host[expected[runners as usize / 2] as usize]);
    assert_eq!(in_four, host.iter().filter(|&&time| time < 4 * 3600).count());
    let until = |minute: u32| host.iter().filter(|&&time| time <= minute * 60).count() as u32;
    assert!(finished.to_vec()?.into_iter().zip(0..).step_by(30).all(|(n, minute)| n == until(minute)));
    expected.sort_by_key(|&i| (u64::from(i) * 7 % u64::from(CLUBS), host[i as usize]));
    assert!(runner.to_vec()? == expected, "the clubs");
    expected.dedup_by_key(|i| u64::from(*i) * 7 % u64::from(CLUBS));
    assert!(best.to_vec()? == expected, "the best of each club");
    println!("all right");
    Ok(())
}

/// Formats hours, minutes and seconds.
fn clock(seconds: u32) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
