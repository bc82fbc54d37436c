//! Timing one case with criterion's statistics.

use crate::Failure;
use cl_core::{Queue, Recording, Result};
use criterion::{Criterion, SamplingMode};
use std::path::Path;
use std::time::{Duration, Instant};

/// One evaluation; everything it enqueues is timed.
pub(crate) type Step = Box<dyn FnMut() -> Result<()>>;

/// What is measured, and by which clock.
pub(crate) enum Clock {
    /// From the start of the first kernel or copy to the end of the last, by profiling events.
    Device,
    /// From the call until the queue is empty, by the host's clock.
    Host,
    /// The calls alone: the host's cost of handing work in.
    Calls,
}

/// Median and median absolute deviation, in seconds.
pub(crate) struct Estimate {
    pub(crate) median: f64,
    pub(crate) deviation: f64,
}

/// Calls between two waits when only the calls are timed: few enough that no queue fills up.
const CALLS_PER_WAIT: u64 = 64;

pub(crate) fn measure(
    queue: &Queue,
    clock: &Clock,
    mut step: Step,
    quick: bool,
    folder: &Path,
) -> Result<Estimate, Failure> {
    let (warm_up, time) = if quick { (100, 300) } else { (500, 2000) };
    let mut criterion = Criterion::default()
        .without_plots()
        .output_directory(folder)
        .warm_up_time(Duration::from_millis(warm_up))
        .measurement_time(Duration::from_millis(time))
        .sample_size(if quick { 10 } else { 30 })
        .nresamples(2000);
    let mut failure = None;
    let mut group = criterion.benchmark_group("case");
    group.sampling_mode(SamplingMode::Flat);
    group.bench_function("case", |bencher| {
        bencher.iter_custom(|iterations| {
            run(queue, clock, &mut step, iterations).unwrap_or_else(|error| {
                failure.get_or_insert(error);
                Duration::from_millis(1) // criterion needs a time; the row is not reported
            })
        });
    });
    group.finish();
    if let Some(error) = failure {
        return Err(error.into());
    }
    estimate(&folder.join("case/case/new/estimates.json"))
}

fn run(queue: &Queue, clock: &Clock, step: &mut Step, iterations: u64) -> Result<Duration> {
    let mut total = Duration::ZERO;
    match clock {
        Clock::Device => {
            for _ in 0..iterations {
                let recording = queue.record()?;
                step()?;
                let mut commands = recording.finish()?;
                // Reading a result back is the host's wish, not the algorithm's work.
                commands.retain(|command| command.command != "clEnqueueReadBuffer");
                total += Recording::span(&commands);
            }
        }
        Clock::Host => {
            let start = Instant::now();
            for _ in 0..iterations {
                step()?;
                queue.finish()?;
            }
            total = start.elapsed();
        }
        Clock::Calls => {
            let mut left = iterations;
            while left > 0 {
                let batch = left.min(CALLS_PER_WAIT);
                let start = Instant::now();
                for _ in 0..batch {
                    step()?;
                }
                total += start.elapsed();
                queue.finish()?;
                left -= batch;
            }
        }
    }
    Ok(total)
}

/// Reads what criterion has found, in nanoseconds.
fn estimate(file: &Path) -> Result<Estimate, Failure> {
    let text = std::fs::read_to_string(file)?;
    let estimates: serde_json::Value = serde_json::from_str(&text)?;
    let value = |name: &str| -> Result<f64, Failure> {
        let point = estimates[name]["point_estimate"].as_f64();
        Ok(point.ok_or_else(|| format!("criterion reports no {name}"))? * 1e-9)
    };
    Ok(Estimate { median: value("median")?, deviation: value("median_abs_dev")? })
}
