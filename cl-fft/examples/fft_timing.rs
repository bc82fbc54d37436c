//! How long transforms take on a device, by its own clock, and whether they are right: `cargo run --release -p cl-fft
//! --example fft_timing -- [options] [names]`.
//!
//! Names are as `c2c-f32-1024`, `r2c-f32-4096`, `c2c-f64-1000`, `c2c-f32-4096x4096`; without any, a list of usual ones.
//! Transforms of one axis are batched to 2^27 points of `f32`, or 2^26 of `f64`.
//!
//! - `--points K`: batched to 2^K points of `f32`, half as many of `f64`.
//! - `--samples K`: runs of which the median is told; 15 without.
//! - `--device TEXT`: the first device whose name contains the text.
//! - `--peers FILE`: times of another library to compare with, lines of a name and milliseconds.
//! - `--set FACT=VALUE`: a fact that recipes are chosen by (`plan::Facts`), such as `burst=128`.
//! - `--try`: each of some candidate facts, and then the best of each problem.
//! - `--recipe`: all of the recipe.
//!
//! Compilers keep what they compiled: `CL_CACHE=off CUDA_CACHE_DISABLE=1` make the time of a first plan an honest one.

use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_algo::{DeviceProfile, Operand};
use cl_core::{Context, Profile, QueueOptions, Recording};
use cl_fft::plan::{Facts, Kind, Recipe, Shape};
use cl_fft::{Fft, Normalization, Planner, Problem, Real, RealFft};
use std::collections::HashMap;
use std::time::{Duration, Instant};

type Failure = Box<dyn std::error::Error>;

const USUAL: &[&str] = &[
    "c2c-f32-256",
    "c2c-f32-1024",
    "c2c-f32-4096",
    "c2c-f32-1000",
    "c2c-f32-2187",
    "c2c-f32-8192",
    "c2c-f32-65536",
    "c2c-f32-1048576",
    "c2c-f32-16777216",
    "c2c-f32-1009",
    "c2c-f64-256",
    "c2c-f64-1024",
    "c2c-f64-4096",
    "c2c-f64-1000",
    "c2c-f64-2187",
    "c2c-f64-65536",
    "c2c-f64-1048576",
    "r2c-f32-1024",
    "r2c-f32-4096",
    "r2c-f32-1048576",
    "c2c-f32-4096x4096",
    "c2c-f32-512x512x512",
];

/// What `--try` tries besides what is usual.
const CANDIDATES: &[&str] = &[
    "burst=128",
    "burst=32",
    "group_items=64",
    "group_items=256",
    "group_items=512",
    "held=8,8",
    "held=16,8",
    "held=32,16",
    "exchange=80",
    "exchange=20",
    "resident=0",
    "resident=8388608",
    "resident=16777216",
    "resident=33554432",
    "sines=false",
];

struct Options {
    points: u32,
    samples: usize,
    device: String,
    peers: HashMap<String, f64>,
    set: Vec<String>,
    candidates: bool,
    recipe: bool,
    names: Vec<String>,
}

fn main() -> Result<(), Failure> {
    let options = options()?;
    let devices = Device::all()?;
    let device = devices.iter().find(|device| device.to_string().contains(&options.device));
    let device = device.ok_or("no such device")?;
    let context = Context::on(device)?;
    let queue = Queue::new(&context, QueueOptions::new().profiling())?;
    println!("{device}");
    println!("ms: from the first launch's start to the last one's end; kernels: the sum of the launches");
    let usual = with(Facts::of(&DeviceProfile::of(device)?), &options.set)?;
    let mut candidates = vec![(String::new(), usual.clone())];
    if options.candidates {
        for text in CANDIDATES {
            candidates.push(((*text).to_owned(), with(usual.clone(), &[(*text).to_owned()])?));
        }
    }
    for name in &options.names {
        let mut best: Option<(f64, &str)> = None;
        let mut seen: Vec<(Recipe, bool)> = Vec::new();
        for (what, facts) in &candidates {
            let recipe = (parse(name)?.recipe(facts)?, facts.sines);
            if seen.contains(&recipe) {
                continue;
            }
            seen.push(recipe);
            if !what.is_empty() {
                println!("with {what}:");
            }
            match measure(&queue, name, facts, &options) {
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

fn options() -> Result<Options, Failure> {
    let mut options = Options {
        points: 27,
        samples: 15,
        device: String::new(),
        peers: HashMap::new(),
        set: Vec::new(),
        candidates: false,
        recipe: false,
        names: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--points" => options.points = value()?.parse()?,
            "--samples" => options.samples = value()?.parse()?,
            "--device" => options.device = value()?,
            "--peers" => {
                let text = std::fs::read_to_string(value()?)?;
                for line in text.lines() {
                    if let Some((name, ms)) = line.trim().split_once(' ') {
                        options.peers.insert(name.to_owned(), ms.trim().parse()?);
                    }
                }
            }
            "--set" => options.set.push(value()?),
            "--try" => options.candidates = true,
            "--recipe" => options.recipe = true,
            other if other.starts_with("--") => return Err(format!("unknown option {other}").into()),
            name => options.names.push(name.to_owned()),
        }
    }
    if options.names.is_empty() {
        options.names = USUAL.iter().map(|name| (*name).to_owned()).collect();
    }
    Ok(options)
}

/// The facts with others in the place of some.
fn with(mut facts: Facts, set: &[String]) -> Result<Facts, Failure> {
    for text in set {
        let (name, value) = text.split_once('=').ok_or(format!("{text} is not FACT=VALUE"))?;
        match name {
            "held" => {
                let (single, double) = value.split_once(',').unwrap_or((value, value));
                facts.held = [single.parse()?, double.parse()?];
            }
            "group_items" => facts.group_items = value.parse()?,
            "burst" => facts.burst = value.parse()?,
            "exchange" => facts.exchange = value.parse()?,
            "resident" => facts.resident = value.parse()?,
            "sines" => facts.sines = value.parse()?,
            "local_memory" => facts.local_memory = value.parse()?,
            "largest_group" => facts.largest_group = value.parse()?,
            "cpu" => facts.cpu = value.parse()?,
            _ => return Err(format!("no fact is called {name}").into()),
        }
    }
    Ok(facts)
}

/// What a name stands for.
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
    /// What is done by these facts.
    fn recipe(&self, facts: &Facts) -> Result<Recipe, Failure> {
        let batch = if self.lengths.len() > 1 { 1 } else { 1 << 10 };
        let problem = Problem::new(&self.lengths).batch(batch);
        let kind = if self.real { Kind::RealToHalf } else { Kind::Complex };
        Ok(Recipe::new(&problem, kind, if self.double { 8 } else { 4 }, facts)?)
    }
}

/// A problem by its name.
fn measure(queue: &Queue, name: &str, facts: &Facts, options: &Options) -> Result<f64, Failure> {
    let Named { real, double, lengths } = parse(name)?;
    let planner = Planner::new(queue).with_facts(facts.clone());
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

/// What was found out.
struct Timing {
    ms: f64,
    kernels: f64,
    /// Of one read and one write.
    bytes: f64,
    /// In units of what is allowed.
    error: f64,
    plan: f64,
    first: f64,
    again: f64,
    recipe: Recipe,
}

/// The batch that fills so many points.
fn batch(lengths: &[usize], points: u32) -> usize {
    let one: usize = lengths.iter().product();
    if lengths.len() > 1 { 1 } else { ((1 << points) / one).max(1) }
}

/// Numbers from -1/2 to 1/2 that look random, of an index.
fn noise(index: Val<u32>) -> Val<u32> {
    let a = (index + 0x9E37_79B9_u32) * 0x85EB_CA6B_u32;
    let b = (a ^ (a >> 15_u32)) * 0xC2B2_AE35_u32;
    let c = (b ^ (b >> 13_u32)) * 0x27D4_EB2F_u32;
    // As many bits as floats have.
    (c ^ (c >> 16_u32)) >> 8_u32
}

fn real_noise<'a, T: Real>(len: usize, seed: u32) -> Expr<'a, T> {
    iota(0_u32, len).map(|index| {
        let number: Val<T> = noise(index * 2_u32 + seed).cast::<T>();
        number * T::rounded(2.0_f64.powi(-24)) - T::rounded(0.5)
    })
}

/// Points of a grid that are products of one number for each axis, so that their transform is, too.
fn points<T: Real + Into<f64>>(
    queue: &Queue,
    lengths: &[usize],
    batch: usize,
) -> cl_core::Result<(DeviceVec<Complex<T>>, Vec<Vec<Complex<f64>>>)>
where
    Complex<T>: Element + Number,
{
    let all: usize = lengths.iter().product::<usize>() * batch;
    if lengths.len() == 1 {
        let x = complex(real_noise::<T>(all, 0), real_noise::<T>(all, 1)).collect_on(queue)?;
        return Ok((x, Vec::new()));
    }
    let mut factors = Vec::new();
    for (axis, &length) in lengths.iter().enumerate() {
        let seed = 1000 * axis as u32;
        factors.push(
            complex(real_noise::<T>(length, seed), real_noise::<T>(length, seed + 1)).collect_on(queue)?,
        );
    }
    let mut product: Option<Expr<'_, Complex<T>>> = None;
    for (axis, factor) in factors.iter().enumerate() {
        let (inner, length) = (lengths[axis + 1..].iter().product::<usize>() as u64, lengths[axis] as u64);
        let place = iota(0_u64, all).map(|index| index / inner.max(1) % length);
        let values = factor.iter().permute(place);
        product = Some(match product {
            None => values,
            Some(before) => before * values,
        });
    }
    let x = match product {
        Some(product) => product.collect_on(queue)?,
        None => DeviceVec::filled(queue, <Complex<T> as Element>::zeroed(), all)?,
    };
    let host = factors.iter().map(|factor| Ok(doubles(&factor.to_vec()?))).collect::<cl_core::Result<_>>()?;
    Ok((x, host))
}

fn doubles<T: Copy + Into<f64>>(values: &[Complex<T>]) -> Vec<Complex<f64>> {
    values.iter().map(|z| Complex::new(z.re.into(), z.im.into())).collect()
}

/// The transform by another library, divided by the root of its length.
fn expected(line: &[Complex<f64>]) -> Vec<Complex<f64>> {
    let mut points = line.to_vec();
    rustfft::FftPlanner::new().plan_fft_forward(line.len().max(1)).process(&mut points);
    let scale = 1.0 / (line.len() as f64).sqrt();
    points.iter().map(|z| z * scale).collect()
}

/// The squares of what is wrong and of what is right.
fn squares(got: &[Complex<f64>], expected: &[Complex<f64>]) -> (f64, f64) {
    let wrong = got.iter().zip(expected).map(|(a, b)| (a - b).norm_sqr()).sum();
    (wrong, expected.iter().map(Complex::norm_sqr).sum())
}

fn allowed<T: Real>(points: usize) -> f64 {
    let unit = if T::BYTES == 4 { 2.0_f64.powi(-24) } else { 2.0_f64.powi(-53) };
    1.5 * unit * (points.max(2) as f64).log2().sqrt()
}

/// The transforms whose results are compared.
fn some(batch: usize) -> Vec<usize> {
    let mut some = vec![0, batch / 3, batch / 2, batch - 1];
    some.dedup();
    some
}

/// The elements of a vector from `first` on.
fn part<T: Element>(values: &DeviceVec<T>, first: usize, len: usize) -> cl_core::Result<Vec<T>> {
    values.slice(first..first + len).collect()?.to_vec()
}

fn complex_numbers<T: Real + Into<f64> + Number>(
    planner: &Planner,
    queue: &Queue,
    lengths: &[usize],
    room: u32,
    samples: usize,
) -> Result<Timing, Failure>
where
    Complex<T>: Element + Number,
{
    let batch = batch(lengths, room);
    let len: usize = lengths.iter().product();
    let problem = Problem::new(lengths).batch(batch);
    let (mut x, factors) = points::<T>(queue, lengths, batch)?;
    let before: Vec<Vec<Complex<T>>> = match lengths.len() {
        1 => some(batch).iter().map(|&at| part(&x, at * len, len)).collect::<cl_core::Result<_>>()?,
        _ => Vec::new(),
    };
    queue.finish()?;

    let start = Instant::now();
    let fft: Fft<T> = planner.c2c(problem.clone())?.normalized(Normalization::Root);
    let plan = start.elapsed().as_secs_f64();
    fft.forward_in_place(&mut x)?;
    queue.finish()?;
    let first = start.elapsed().as_secs_f64() - plan;
    let start = Instant::now();
    drop(planner.c2c::<T>(problem)?);
    let again = start.elapsed().as_secs_f64();

    let (mut wrong, mut all) = (0.0, 0.0);
    for (line, &at) in before.iter().zip(&some(batch)) {
        let (w, a) = squares(&doubles(&part(&x, at * len, len)?), &expected(&doubles(line)));
        (wrong, all) = (wrong + w, all + a);
    }
    if lengths.len() > 1 {
        let spectra: Vec<Vec<Complex<f64>>> = factors.iter().map(|factor| expected(factor)).collect();
        // Whole rows of the last axis.
        let row = lengths[lengths.len() - 1];
        for at in (0..len / row).step_by((len / row / 257).max(1)) {
            let mut outer = Complex::new(1.0, 0.0);
            let mut rest = at;
            for axis in (0..lengths.len() - 1).rev() {
                outer *= spectra[axis][rest % lengths[axis]];
                rest /= lengths[axis];
            }
            let line: Vec<_> = spectra[lengths.len() - 1].iter().map(|z| z * outer).collect();
            let (w, a) = squares(&doubles(&part(&x, at * row, row)?), &line);
            (wrong, all) = (wrong + w, all + a);
        }
    }
    let error = (wrong / all).sqrt() / allowed::<T>(len);
    let (ms, kernels) = median(queue, samples, || fft.forward_in_place(&mut x))?;
    let bytes = (2 * len * batch * 2 * T::BYTES) as f64;
    Ok(Timing { ms, kernels, bytes, error, plan, first, again, recipe: fft.recipe().clone() })
}

fn real_numbers<T: Real + Into<f64> + Number>(
    planner: &Planner,
    queue: &Queue,
    lengths: &[usize],
    room: u32,
    samples: usize,
) -> Result<Timing, Failure>
where
    Complex<T>: Element + Number,
{
    let &[len] = lengths else { return Err("real numbers of one axis only".into()) };
    let batch = batch(lengths, room);
    let half = len / 2 + 1;
    let problem = Problem::new(lengths).batch(batch);
    let x = real_noise::<T>(len * batch, 0).collect_on(queue)?;
    let mut y = DeviceVec::filled(queue, <Complex<T> as Element>::zeroed(), half * batch)?;
    queue.finish()?;

    let start = Instant::now();
    let fft: RealFft<T> = planner.real(problem.clone())?.normalized(Normalization::Root);
    let plan = start.elapsed().as_secs_f64();
    fft.forward_into(&mut y, &x)?;
    queue.finish()?;
    let first = start.elapsed().as_secs_f64() - plan;
    let start = Instant::now();
    drop(planner.real::<T>(problem)?);
    let again = start.elapsed().as_secs_f64();

    let (mut wrong, mut all) = (0.0, 0.0);
    for at in some(batch) {
        let line: Vec<_> =
            part(&x, at * len, len)?.iter().map(|&x| Complex::new(x.into(), 0.0)).collect::<Vec<_>>();
        let (w, a) = squares(&doubles(&part(&y, at * half, half)?), &expected(&line)[..half]);
        (wrong, all) = (wrong + w, all + a);
    }
    let error = (wrong / all).sqrt() / allowed::<T>(len);
    let (ms, kernels) = median(queue, samples, || fft.forward_into(&mut y, x.into_expr()))?;
    let bytes = ((len + 2 * half) * batch * T::BYTES) as f64;
    Ok(Timing { ms, kernels, bytes, error, plan, first, again, recipe: fft.recipes()[0].clone() })
}

/// Milliseconds of one transform: from the first start to the last end, and of the launches alone.
fn median(
    queue: &Queue,
    samples: usize,
    mut transform: impl FnMut() -> cl_core::Result<()>,
) -> cl_core::Result<(f64, f64)> {
    let (mut spans, mut sums) = (Vec::new(), Vec::new());
    for _ in 0..samples.max(1) + 2 {
        let recording = queue.record()?;
        transform()?;
        let commands = recording.finish()?;
        spans.push(Recording::span(&commands));
        sums.push(commands.iter().map(Profile::running).sum::<Duration>());
    }
    let middle = |mut times: Vec<Duration>| {
        times.drain(..2); // the first do not count
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1e3
    };
    Ok((middle(spans), middle(sums)))
}

/// The passes of a recipe in a line.
fn short(recipe: &Recipe) -> String {
    let passes: Vec<String> = recipe
        .passes
        .iter()
        .map(|pass| {
            let radices: Vec<String> = pass.radices.iter().map(usize::to_string).collect();
            let shape = match pass.shape {
                Shape::Group { items, per, held, halves, .. } => {
                    format!(
                        "{items} items x {per} lines, {held} held{}",
                        if halves { ", halves" } else { "" }
                    )
                }
                Shape::Lanes { lanes } => format!("{lanes} lanes"),
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
