//! Times one case with criterion's statistics.

use crate::failure::Failure;
use crate::report::Times;
use cl_core::{Queue, Recording, Result, UserEvent};
use criterion::{Criterion, SamplingMode};
use std::path::Path;
use std::time::{Duration, Instant};

/// One evaluation. Everything that it enqueues is timed.
pub(crate) type Step = Box<dyn FnMut() -> Result<()>>;

/// A step that changes its data, and a step that restores the data, which is not timed.
pub(crate) struct Restored {
    /// `None` if no evaluation changes the data.
    pub(crate) restore: Option<Step>,
    pub(crate) step: Step,
}

impl From<Step> for Restored {
    fn from(step: Step) -> Restored {
        Restored { restore: None, step }
    }
}

/// Two steps with the same effect: `ours` uses the workspace's API, and `bare` is the shortest way to the
/// effect.
pub(crate) struct Pair {
    pub(crate) ours: Step,
    pub(crate) bare: Step,
}

/// A clock, and the interval that it measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// From the start of the first kernel or copy to the end of the last, by profiling events.
    Device,
    /// From the call until the queue is empty, by the host's clock.
    Host,
}

/// The median and the median absolute deviation, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) median: f64,
    pub(crate) deviation: f64,
}

/// The times of a step.
pub(crate) struct Measured {
    /// The estimate by the requested clock.
    pub(crate) estimate: Estimate,
    /// The times by each clock, in this process.
    pub(crate) times: Times,
}

/// A step, and the times of its evaluations by both clocks, in seconds.
struct Evaluations<'q> {
    queue: Option<&'q Queue>,
    /// The clock whose times make up the estimate.
    clock: Clock,
    work: Restored,
    host: Vec<f64>,
    device: Vec<f64>,
}

/// The costs of the calls of a pair, and their difference.
pub(crate) struct Compared {
    pub(crate) ours: Estimate,
    pub(crate) bare: Estimate,
    /// The median of the differences, which is not the difference of the medians.
    pub(crate) difference: Estimate,
}

/// The calls between two waits when calls are compared: few enough that no queue fills up.
const CALLS_PER_WAIT: u64 = 64;
/// The samples of a comparison.
const SAMPLES: usize = 30;

/// The duration of a batch of back-to-back calls, in seconds. A batch of short calls is shorter, because it
/// has at most [`CALLS_PER_WAIT`] calls. `bench/peers/harness.h` has the same limits, also the next ones.
const BACK_TO_BACK: f64 = 0.01;
const BATCHES: usize = 9;
const SHORT_BATCHES: usize = 5;

/// The seconds of warm-up and of sampling of [`Length::Short`], by the host's clock.
const WARM_UP: f64 = 0.02;
const SAMPLING: f64 = 0.03;
/// The number of samples that is reached even if it takes longer than [`SAMPLING`], up to [`MOST_SAMPLING`] seconds.
const LEAST_SAMPLES: usize = 10;
const MOST_SAMPLING: f64 = 0.3;
/// The number of samples that is reached however long they take.
const LEAST_SLOW_SAMPLES: usize = 3;

/// How long a step is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// For one process of several: their medians are the samples of the report.
    Short,
    Usual,
    Full,
}

impl Length {
    /// Returns the milliseconds of criterion's warm-up and measuring.
    fn milliseconds(self) -> (u64, u64) {
        if self == Length::Full { (500, 2000) } else { (100, 300) }
    }

    fn samples(self) -> usize {
        if self == Length::Full { 30 } else { LEAST_SAMPLES }
    }

    fn batches(self) -> usize {
        if self == Length::Short { SHORT_BATCHES } else { BATCHES }
    }

    fn slow_samples(self) -> usize {
        if self == Length::Full { SLOW_SAMPLES } else { SHORT_SLOW_SAMPLES }
    }
}

/// The duration in seconds above which a step is slow. A slow step is evaluated only a few times, after one
/// evaluation as warm-up.
const SLOW: f64 = 0.7;
const SLOW_SAMPLES: usize = 5;
const SHORT_SLOW_SAMPLES: usize = 3;

/// Times a step by both clocks in the same evaluations. Criterion computes the statistics of one clock, except for
/// [`Length::Short`]: it warms up, chooses the number of evaluations of a sample, and finds the median of the samples.
/// Without a queue, only the host's work is timed.
pub(crate) fn measure(
    queue: Option<&Queue>,
    clock: Clock,
    work: Restored,
    length: Length,
    folder: &Path,
) -> Result<Measured, Failure> {
    let mut all = Evaluations { queue, clock, work, host: Vec::new(), device: Vec::new() };
    let slow = all.median_time(1)? > SLOW;
    (all.host, all.device) = (Vec::new(), Vec::new());
    let estimate = if slow {
        let samples: Result<Vec<f64>> = (0..length.slow_samples()).map(|_| all.median_time(1)).collect();
        Estimate::of(samples?)
    } else if length == Length::Short {
        all.sampled()?
    } else {
        by_criterion(length, folder, |count| all.median_time(count))?
    };
    let device = if all.device.is_empty() { None } else { Some(median(&mut all.device)) };
    let host = median(&mut all.host);
    let calls =
        if all.work.restore.is_none() { Some(all.back_to_back(host, length.batches())?) } else { None };
    Ok(Measured { estimate, times: Times::once(calls, Some(host), device) })
}

/// Lets criterion call `evaluate` with the number of evaluations of a sample. `evaluate` returns the seconds
/// per evaluation.
fn by_criterion(
    length: Length,
    folder: &Path,
    mut evaluate: impl FnMut(u64) -> Result<f64>,
) -> Result<Estimate, Failure> {
    let (warm_up, time) = length.milliseconds();
    let mut criterion = Criterion::default()
        .without_plots()
        .output_directory(folder)
        .warm_up_time(Duration::from_millis(warm_up))
        .measurement_time(Duration::from_millis(time))
        .sample_size(length.samples())
        .nresamples(2000);
    let mut failure = None;
    let mut group = criterion.benchmark_group("case");
    group.sampling_mode(SamplingMode::Flat);
    group.bench_function("case", |bencher| {
        bencher.iter_custom(|count| {
            let seconds = evaluate(count).unwrap_or_else(|error| {
                failure.get_or_insert(error);
                1e-3 // criterion needs a time; the row is not reported
            });
            Duration::from_secs_f64(seconds * count as f64)
        });
    });
    group.finish();
    if let Some(error) = failure {
        return Err(error.into());
    }
    estimate(&folder.join("case/case/new/estimates.json"))
}

impl Evaluations<'_> {
    /// Evaluates `count` times and returns the median in seconds by `self.clock`. The median is used because
    /// a few evaluations that other programs disturb do not change it. The programs of other libraries take
    /// medians, too.
    fn median_time(&mut self, count: u64) -> Result<f64> {
        let mut times = Vec::new();
        for _ in 0..count.max(1) {
            let (host, device) = self.once()?;
            self.host.push(host);
            self.device.extend(device);
            times.push(if self.clock == Clock::Device { device.unwrap_or(host) } else { host });
        }
        Ok(median(&mut times))
    }

    /// Evaluates once. Returns the time by the host's clock and by profiling events.
    fn once(&mut self) -> Result<(f64, Option<f64>)> {
        let profiling = self.queue.filter(|queue| queue.is_profiling());
        let finish = || self.queue.map_or(Ok(()), Queue::finish);
        if let Some(restore) = &mut self.work.restore {
            restore()?;
        }
        finish()?;
        let recording = profiling.map(Queue::record).transpose()?;
        let start = Instant::now();
        (self.work.step)()?;
        finish()?;
        let host = start.elapsed().as_secs_f64();
        let Some(recording) = recording else { return Ok((host, None)) };
        let mut commands = recording.finish()?;
        // The benchmark itself reads the result back, so the read is not part of the algorithm.
        commands.retain(|command| command.command != "clEnqueueReadBuffer");
        Ok((host, Some(Recording::span(&commands).as_secs_f64())))
    }
}

impl Evaluations<'_> {
    /// Warms up and samples for a time by the host's clock. Criterion counts only the seconds that are measured, which
    /// for the device's clock and short steps are half of those that pass: five processes took twice as long.
    fn sampled(&mut self) -> Result<Estimate> {
        self.samples_of(WARM_UP, 1)?;
        (self.host, self.device) = (Vec::new(), Vec::new());
        Ok(Estimate::of(self.samples_of(SAMPLING, LEAST_SAMPLES)?))
    }

    /// Evaluates for `seconds`, and at least `least` times if these fit into [`MOST_SAMPLING`].
    fn samples_of(&mut self, seconds: f64, least: usize) -> Result<Vec<f64>> {
        let (start, mut samples) = (Instant::now(), Vec::new());
        loop {
            samples.push(self.median_time(1)?);
            let (passed, count) = (start.elapsed().as_secs_f64(), samples.len());
            let few = count < least && (count < LEAST_SLOW_SAMPLES || passed < MOST_SAMPLING);
            if passed >= seconds && !few {
                return Ok(samples);
            }
        }
    }

    /// Makes many calls back to back, without recording, and waits until the device is idle. Returns the
    /// seconds per call by the host's clock. `single` is the time of one call alone.
    fn back_to_back(&mut self, single: f64, batches: usize) -> Result<f64> {
        let count = ((BACK_TO_BACK / single) as u64).clamp(1, CALLS_PER_WAIT);
        if count == 1 {
            return Ok(single);
        }
        let mut batch = || {
            let start = Instant::now();
            (0..count).try_for_each(|_| (self.work.step)())?;
            self.queue.map_or(Ok(()), Queue::finish)?;
            Ok(start.elapsed().as_secs_f64() / count as f64)
        };
        batch()?;
        let mut batches = (0..batches).map(|_| batch()).collect::<Result<Vec<f64>>>()?;
        Ok(median(&mut batches))
    }
}

/// Times `count` calls on an empty queue. The wait for the device after the calls is not timed.
fn calls(queue: &Queue, step: &mut Step, count: u64) -> Result<Duration> {
    let start = Instant::now();
    for _ in 0..count {
        step()?;
    }
    let time = start.elapsed();
    queue.finish()?;
    Ok(time)
}

/// Does the same as [`calls`] while an event of the host holds the queue back, so that no driver thread that
/// runs commands disturbs the calling thread.
fn held_calls(queue: &Queue, step: &mut Step, count: u64) -> Result<Duration> {
    let go = UserEvent::new(queue.context())?;
    queue.after(&[go.event()]).marker()?;
    let start = Instant::now();
    let made = (0..count).try_for_each(|_| step());
    let time = start.elapsed();
    go.complete()?;
    queue.finish()?;
    made.map(|()| time)
}

/// Times the calls of both steps in turn, a few of each at a time. A disturbance that is larger than the
/// difference then affects neighbouring batches alike. With `held` the device is blocked during the calls.
pub(crate) fn compare(queue: &Queue, pair: &mut Pair, held: bool, full: bool) -> Result<Compared> {
    let (warm_up, measuring) = if full { (500, 4000) } else { (100, 600) };
    let time = if held { held_calls } else { calls };
    let batch = |step: &mut Step| time(queue, step, CALLS_PER_WAIT);
    let mut round = || -> Result<[f64; 2]> {
        // The order is ours, bare, bare, ours, so that a steady increase from batch to batch cancels.
        let first = batch(&mut pair.ours)?;
        let bare = batch(&mut pair.bare)? + batch(&mut pair.bare)?;
        let ours = first + batch(&mut pair.ours)?;
        Ok([ours, bare].map(|time| time.as_secs_f64() / (2 * CALLS_PER_WAIT) as f64))
    };
    let mut rounds_of = |limit| -> Result<Vec<[f64; 2]>> {
        let (start, limit) = (Instant::now(), Duration::from_millis(limit));
        let mut rounds = vec![round()?];
        while start.elapsed() < limit {
            rounds.push(round()?);
        }
        Ok(rounds)
    };
    rounds_of(warm_up)?;
    let rounds = rounds_of(measuring)?;
    // Each sample is the median of many rounds. The deviation then shows how much short measurements differ,
    // and not how much single rounds differ.
    let median_of = |value: fn(&[f64; 2]) -> f64| {
        let sample = |rounds: &[[f64; 2]]| median(&mut rounds.iter().map(value).collect::<Vec<f64>>());
        Estimate::of(rounds.chunks(rounds.len().div_ceil(SAMPLES)).map(sample).collect())
    };
    Ok(Compared {
        ours: median_of(|[ours, _]| *ours),
        bare: median_of(|[_, bare]| *bare),
        difference: median_of(|[ours, bare]| ours - bare),
    })
}

impl Estimate {
    /// Computes the estimate of at least one value.
    fn of(mut values: Vec<f64>) -> Estimate {
        let median = median(&mut values);
        values.iter_mut().for_each(|value| *value = (*value - median).abs());
        Estimate { median, deviation: self::median(&mut values) }
    }
}

/// Returns the middle value, or the greater of the two middle values.
fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// Reads criterion's estimates, which are in nanoseconds.
fn estimate(file: &Path) -> Result<Estimate, Failure> {
    let text = std::fs::read_to_string(file)?;
    let estimates: serde_json::Value = serde_json::from_str(&text)?;
    let value = |name: &str| -> Result<f64, Failure> {
        let point = estimates[name]["point_estimate"].as_f64();
        Ok(point.ok_or_else(|| format!("criterion did not report the {name}"))? * 1e-9)
    };
    Ok(Estimate { median: value("median")?, deviation: value("median_abs_dev")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outlier_moves_neither_median_nor_deviation() {
        let expected = Estimate { median: 3.0, deviation: 1.0 };
        assert_eq!(Estimate::of(vec![1.0, 3.0, 4.0, 2.0, 5.0]), expected);
        assert_eq!(Estimate::of(vec![1.0, 3.0, 4.0, 2.0, 1e9]), expected);
        assert_eq!(Estimate::of(vec![-7.0]), Estimate { median: -7.0, deviation: 0.0 });
    }
}
