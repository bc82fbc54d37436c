//! An ensemble of Lorenz systems: one numerical method, written once, run in three ways.
//!
//! `rk4` below is a generic Runge-Kutta step. On `f64` it runs on the host. On lazy vectors each of its stages
//! is evaluated into vectors, as in libraries of vector expressions: eight kernels per step, and every
//! intermediate result goes through memory. Recorded, the whole step becomes one kernel, which reads a state,
//! keeps the stages in registers, and writes the new state in place.
//!
//! `cargo run --release --example 23_lorenz -- --systems 4194304 --steps 200`. Prints the time of a step in
//! both forms, and draws the final states of all systems, which lie on the Lorenz attractor.

use cl_algo::prelude::*;
use cl_core::DeviceKind;
use cl_examples::picture;
use clap::Parser;
use plotters::prelude::*;
use std::convert::Infallible;
use std::error::Error;
use std::ops::{Add, Mul, Sub};
use std::path::PathBuf;
use std::time::Instant;

#[derive(Parser)]
struct Options {
    /// The number of systems; by default 4194304 on a GPU, and 131072 elsewhere.
    #[arg(long)]
    systems: Option<usize>,
    /// The number of steps.
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(2..))]
    steps: u32,
}

/// A number type of the host or the device: `f64`, lazy vectors `Expr<f64>`, symbolic values `Val<f64>`.
trait Real:
    Clone + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Mul<f64, Output = Self>
{
}

impl<T> Real for T where T: Clone + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Mul<f64, Output = T> {}

type State<T> = (T, T, T);

const TIME_STEP: f64 = 0.01;

/// Returns the rate of change of a state in the Lorenz system.
fn lorenz<T: Real>((x, y, z): State<T>) -> State<T> {
    let (sigma, rho, beta) = (10.0, 28.0, 8.0 / 3.0);
    ((y.clone() - x.clone()) * sigma, x.clone() * rho - x.clone() * z.clone() - y.clone(), x * y - z * beta)
}

/// Returns the state that is reached from `s` with the velocity `v` in the time `t`.
fn moved<T: Real>(s: State<T>, v: State<T>, t: f64) -> State<T> {
    (s.0 + v.0 * t, s.1 + v.1 * t, s.2 + v.2 * t)
}

/// Computes one step of the classical Runge-Kutta method. `stage` may store each intermediate result, or return
/// it unchanged.
fn rk4<T: Real, E>(
    s: State<T>,
    mut stage: impl FnMut(State<T>) -> Result<State<T>, E>,
) -> Result<State<T>, E> {
    let h = TIME_STEP;
    let k1 = stage(lorenz(s.clone()))?;
    let s2 = stage(moved(s.clone(), k1.clone(), h / 2.0))?;
    let k2 = stage(lorenz(s2))?;
    let s3 = stage(moved(s.clone(), k2.clone(), h / 2.0))?;
    let k3 = stage(lorenz(s3))?;
    let s4 = stage(moved(s.clone(), k3.clone(), h))?;
    let k4 = stage(lorenz(s4))?;
    let mean = |k1, k2, k3, k4| (k1 + (k2 + k3) * 2.0 + k4) * (1.0 / 6.0);
    let v = (mean(k1.0, k2.0, k3.0, k4.0), mean(k1.1, k2.1, k3.1, k4.1), mean(k1.2, k2.2, k3.2, k4.2));
    Ok(moved(s, v, h))
}

/// Computes a step that stores no intermediate results, and so cannot fail.
fn step<T: Real>(s: State<T>) -> State<T> {
    let Ok(next) = rk4(s, Ok::<_, Infallible>);
    next
}

/// The state of the ensemble, a vector for each coordinate.
type Ensemble = State<DeviceVec<f64>>;

/// Computes a step whose stages are stored in vectors.
fn step_by_stages(state: &Ensemble, stages: &mut [Ensemble], next: &mut Ensemble) -> cl_core::Result<()> {
    let mut places = stages.iter_mut();
    let value = rk4((state.0.iter(), state.1.iter(), state.2.iter()), |stage| -> cl_core::Result<_> {
        // Stages without a vector left for them stay lazy.
        let Some((x, y, z)) = places.next() else { return Ok(stage) };
        assign((&mut *x, &mut *y, &mut *z), stage)?;
        Ok((x.iter(), y.iter(), z.iter()))
    })?;
    assign((&mut next.0, &mut next.1, &mut next.2), value)
}

/// Computes a step in one kernel.
fn step_at_once((x, y, z): &mut Ensemble) -> cl_core::Result<()> {
    assign_with((x, y, z), |states| states.map(step))
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let device = Device::first()?;
    if !device.has_fp64()? {
        println!("{device} has no f64: nothing to compute");
        return Ok(());
    }
    let queue = Queue::on(&device)?;
    let default = if device.kind()?.contains(DeviceKind::GPU) { 1 << 22 } else { 1 << 17 };
    let (systems, steps) = (options.systems.unwrap_or(default), options.steps);
    println!("{systems} systems, {steps} steps on {device}");

    // The systems begin in a cube, which multiples of these numbers fill evenly.
    let within = |i: usize, step: f64| 20.0 * (i as f64 * step).fract() - 10.0;
    let begin = |i| (within(i, 0.8191725134), within(i, 0.6710436067), 25.0 + within(i, 0.5497004779));
    let ensemble = || -> cl_core::Result<Ensemble> {
        let coordinate = |of: fn(State<f64>) -> f64| DeviceVec::from_fn(&queue, systems, |i| of(begin(i)));
        Ok((coordinate(|s| s.0)?, coordinate(|s| s.1)?, coordinate(|s| s.2)?))
    };

    let blank = || -> cl_core::Result<Ensemble> {
        let zeros = || DeviceVec::filled(&queue, 0.0, systems);
        Ok((zeros()?, zeros()?, zeros()?))
    };

    let (mut naive, mut next) = (ensemble()?, blank()?);
    let mut stages = (0..7).map(|_| blank()).collect::<cl_core::Result<Vec<_>>>()?;
    let naive_time = seconds_a_step(&queue, steps, || {
        step_by_stages(&naive, &mut stages, &mut next)?;
        std::mem::swap(&mut naive, &mut next);
        Ok(())
    })?;
    let mut recorded = ensemble()?;
    let recorded_time = seconds_a_step(&queue, steps, || step_at_once(&mut recorded))?;
    println!("a vector for each stage {:12.1} us a step", naive_time * 1e6);
    println!("recorded, one kernel    {:12.1} us a step", recorded_time * 1e6);
    println!("ratio                   {:12.1}", naive_time / recorded_time);

    // All three forms do the same operations in the same order, so that even a chaotic system gives the same
    // bits.
    let states = download(&recorded)?;
    assert!(states == download(&naive)?, "the two forms differ");
    for i in (0..systems).step_by(systems.div_ceil(100).max(1)) {
        let host = (0..steps).fold(begin(i), |s, _| step(s));
        assert_eq!(states[i], host, "system {i} differs from the host's");
    }

    let file = draw(&states)?;
    println!("all right; see {}", file.display());
    Ok(())
}

/// Returns the seconds of one of `steps` steps. The first one, which compiles the kernels, is not timed.
fn seconds_a_step(
    queue: &Queue,
    steps: u32,
    mut step: impl FnMut() -> cl_core::Result<()>,
) -> cl_core::Result<f64> {
    step()?;
    queue.finish()?;
    let start = Instant::now();
    (1..steps).try_for_each(|_| step())?;
    queue.finish()?;
    Ok(start.elapsed().as_secs_f64() / f64::from(steps - 1))
}

fn download(ensemble: &Ensemble) -> cl_core::Result<Vec<State<f64>>> {
    let (x, y, z) = (ensemble.0.to_vec()?, ensemble.1.to_vec()?, ensemble.2.to_vec()?);
    Ok(x.into_iter().zip(y).zip(z).map(|((x, y), z)| (x, y, z)).collect())
}

/// Draws up to 2^18 of the states from the side, each in a colour that shows its distance.
fn draw(states: &[State<f64>]) -> Result<PathBuf, Box<dyn Error>> {
    picture::draw((900, 900), |area| {
        area.fill(&RGBColor(10, 10, 25))?;
        let mut chart = ChartBuilder::on(area)
            .margin(15)
            .x_label_area_size(40)
            .y_label_area_size(50)
            .build_cartesian_2d(-25.0..25.0, 0.0..50.0)?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_mesh().axis_style(WHITE.mix(0.5)).x_desc("x").y_desc("z");
        mesh.label_style(("sans-serif", 14, &WHITE.mix(0.8))).draw()?;
        let some = states.iter().step_by(states.len().div_ceil(1 << 18).max(1));
        chart.draw_series(some.map(|&(x, y, z)| {
            let hue = (0.75 + y / 100.0).clamp(0.5, 1.0);
            Pixel::new((x, z), HSLColor(hue, 0.9, 0.65))
        }))?;
        Ok(())
    })
}
