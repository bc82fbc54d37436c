//! Times transforms on a device, by the device's clock, and checks their results: `cargo run --release -p cl-fft
//! --example fft_timing -- [options] [names]`.
//!
//! Names look like `c2c-f32-1024`, `r2c-f32-4096`, `c2c-f64-1000`, `c2c-f32-4096x4096`. Without names, a list of common
//! transforms is timed. Transforms of one axis are batched to 2^27 points of `f32`, or 2^26 of `f64`.
//!
//! - `--points K`: batches of 2^K points of `f32`, half as many of `f64`.
//! - `--samples K`: the number of launches whose median is printed; 15 by default.
//! - `--device TEXT`: the first device whose name contains the text.
//! - `--peers FILE`: times of another library to compare with; each line is a name and milliseconds.
//! - `--set FACT=VALUE`: a field of `plan::DeviceLimits`, which recipes depend on, such as `burst=128`.
//! - `--try`: each of several candidate settings, then the best one of each problem.
//! - `--recipe`: prints the whole recipe.
//!
//! Compilers cache programs: `CL_CACHE=off CUDA_CACHE_DISABLE=1` gives the true time of a first plan.

mod options;
mod transforms;

use cl_algo::DeviceProfile;
use cl_algo::prelude::*;
use cl_core::{Context, QueueOptions};
use cl_fft::plan::{DeviceLimits, Kind, PartLayout, Recipe, Shape};
use cl_fft::{Planner, Problem};
use options::{CANDIDATES, Options, options, with};
use transforms::{complex_numbers, real_numbers};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let options = options()?;
    let devices = Device::all()?;
    let device = devices.iter().find(|device| device.to_string().contains(&options.device));
    let device = device.ok_or("no such device")?;
    let context = Context::on(device)?;
    let queue = Queue::new(&context, QueueOptions::new().profiling())?;
    println!("{device}");
    println!("ms: from the first launch's start to the last one's end; kernels: the sum of the launches");
    let usual = with(DeviceLimits::of(&DeviceProfile::of(device)?), &options.set)?;
    let mut candidates = vec![(String::new(), usual.clone())];
    if options.candidates {
        for text in CANDIDATES {
            candidates.push(((*text).to_owned(), with(usual.clone(), &[(*text).to_owned()])?));
        }
    }
    for name in &options.names {
        let mut best: Option<(f64, &str)> = None;
        let mut seen: Vec<(Recipe, bool)> = Vec::new();
        for (what, limits) in &candidates {
            let recipe = (parse(name)?.recipe(limits)?, limits.sines);
            if seen.contains(&recipe) {
                continue;
            }
            seen.push(recipe);
            if !what.is_empty() {
                println!("with {what}:");
            }
            match measure(&queue, name, limits, &options) {
                Ok(ms) if best.is_none_or(|(least, _)| ms < least) => best = Some((ms, what)),
                Ok(_) => {}
                Err(error) => println!("{name:<24} failed: {error}"),
            }
        }
        if let (Some((ms, what)), true) = (best, options.candidates) {
            println!(
                "{name:<24} best {ms:.4} ms with {}\n",
                if what.is_empty() { "the usual" } else { what }
            );
        }
    }
    Ok(())
}

/// The transform that a name stands for.
struct Named {
    real: bool,
    double: bool,
    lengths: Vec<usize>,
}

fn parse(name: &str) -> Result<Named, Failure> {
    let parts: Vec<&str> = name.split('-').collect();
    let &[kind @ ("c2c" | "r2c"), number @ ("f32" | "f64"), lengths] = &parts[..] else {
        return Err(format!("{name} is no name such as c2c-f32-1024").into());
    };
    let lengths = lengths.split('x').map(str::parse).collect::<Result<_, _>>()?;
    Ok(Named { real: kind == "r2c", double: number == "f64", lengths })
}

impl Named {
    /// Returns the recipe for these `DeviceLimits`.
    fn recipe(&self, limits: &DeviceLimits) -> Result<Recipe, Failure> {
        let batch = if self.lengths.len() > 1 { 1 } else { 1 << 10 };
        let problem = Problem::new(&self.lengths).batch(batch);
        let kind = if self.real { Kind::RealToHalf } else { Kind::Complex };
        Ok(Recipe::new(&problem, kind, if self.double { 8 } else { 4 }, limits)?)
    }
}

/// Times the problem of a name and prints the result. Returns milliseconds.
fn measure(queue: &Queue, name: &str, limits: &DeviceLimits, options: &Options) -> Result<f64, Failure> {
    let Named { real, double, lengths } = parse(name)?;
    let planner = Planner::new(queue).with_limits(limits.clone());
    let (points, samples) = (options.points, options.samples);
    let timing = match (real, double) {
        (false, false) => complex_numbers::<f32>(&planner, queue, &lengths, points, samples)?,
        (false, true) => complex_numbers::<f64>(&planner, queue, &lengths, points - 1, samples)?,
        (true, false) => real_numbers::<f32>(&planner, queue, &lengths, points, samples)?,
        (true, true) => real_numbers::<f64>(&planner, queue, &lengths, points - 1, samples)?,
    };
    let peer = options.peers.get(name).map_or(String::new(), |peer| {
        format!("  {:5.2} times as fast as its peer's {peer:.4}", peer / timing.ms)
    });
    println!(
        "{name:<24} {:9.4} ms  {:6.0} GB/s  kernels {:9.4} ms  error {:.2}  plan {:6.1} ms + first run {:7.1} ms, \
         again {:.4} ms{peer}",
        timing.ms,
        timing.bytes / timing.ms * 1e-6,
        timing.kernels,
        timing.error,
        timing.plan * 1e3,
        timing.first * 1e3,
        timing.again * 1e3,
    );
    println!("    {}", short(&timing.recipe));
    if options.recipe {
        println!("{:#?}", timing.recipe);
    }
    Ok(timing.ms)
}

/// Returns the passes of a recipe in one line.
fn short(recipe: &Recipe) -> String {
    let passes: Vec<String> = recipe
        .passes
        .iter()
        .map(|pass| {
            let radices: Vec<String> = pass.radices.iter().map(usize::to_string).collect();
            let shape = match pass.shape {
                Shape::Group { items, per, held, parts, .. } => {
                    let parts = match parts {
                        PartLayout::Turns => ", parts take turns",
                        PartLayout::Apart => "",
                        PartLayout::Together => ", parts together",
                    };
                    format!("{items} items x {per} lines, {held} held{parts}")
                }
                Shape::Lines { lines } => format!("{lines} lines at once"),
            };
            let columns = match pass.columns() {
                [false, false] => "",
                [true, false] => ", columns in",
                [false, true] => ", columns out",
                [true, true] => ", columns",
            };
            format!("{} = {} ({shape}{columns}) x {}", pass.length, radices.join(" "), pass.lines())
        })
        .collect();
    passes.join("; ")
}
