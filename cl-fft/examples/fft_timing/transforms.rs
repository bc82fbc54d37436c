//! Transforms of known numbers, checked and timed.

use crate::Failure;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_core::{Profile, Recording};
use cl_fft::plan::Recipe;
use cl_fft::{Fft, Normalization, Planner, Problem, Real, RealFft};
use cl_test::fourier::plan_f64;
use rustfft::FftDirection;
use std::time::{Duration, Instant};

/// The result of one measurement.
pub(crate) struct Timing {
    pub(crate) ms: f64,
    pub(crate) kernels: f64,
    /// The bytes of one read and one write.
    pub(crate) bytes: f64,
    /// The error as a multiple of the permitted error.
    pub(crate) error: f64,
    pub(crate) plan: f64,
    pub(crate) first: f64,
    pub(crate) again: f64,
    pub(crate) recipe: Recipe,
}

/// Returns the batch that has `2^points` points.
fn batch(lengths: &[usize], points: u32) -> usize {
    let one: usize = lengths.iter().product();
    if lengths.len() > 1 { 1 } else { ((1 << points) / one).max(1) }
}

/// Returns pseudo-random numbers of 24 bits, computed from an index.
fn noise(index: Val<u32>) -> Val<u32> {
    let a = (index + 0x9E37_79B9_u32) * 0x85EB_CA6B_u32;
    let b = (a ^ (a >> 15_u32)) * 0xC2B2_AE35_u32;
    let c = (b ^ (b >> 13_u32)) * 0x27D4_EB2F_u32;
    // As many bits as `f32` has.
    (c ^ (c >> 16_u32)) >> 8_u32
}

fn real_noise<'a, T: Real>(len: usize, seed: u32) -> Expr<'a, T> {
    iota(0_u32, len).map(|index| {
        let number: Val<T> = noise(index * 2_u32 + seed).cast::<T>();
        number * T::rounded(2.0_f64.powi(-24)) - T::rounded(0.5)
    })
}

/// One number for each point of each axis.
type Factors = Vec<Vec<Complex<f64>>>;

/// Returns points of a grid that are products of one number for each axis, so that their transform
/// is such a product, too.
fn points<T: Real + Into<f64>>(
    queue: &Queue,
    lengths: &[usize],
    batch: usize,
) -> cl_core::Result<(DeviceVec<Complex<T>>, Factors)>
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
        let values = factor.iter().gather(place);
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

/// Returns the transform by another library, divided by the square root of its length.
fn expected(line: &[Complex<f64>]) -> Vec<Complex<f64>> {
    let mut points = line.to_vec();
    plan_f64(line.len().max(1), FftDirection::Forward).process(&mut points);
    let scale = 1.0 / (line.len() as f64).sqrt();
    points.iter().map(|z| z * scale).collect()
}

/// Returns the sums of squares of the error and of the expected result.
fn squares(got: &[Complex<f64>], expected: &[Complex<f64>]) -> (f64, f64) {
    let wrong = got.iter().zip(expected).map(|(a, b)| (a - b).norm_sqr()).sum();
    (wrong, expected.iter().map(Complex::norm_sqr).sum())
}

fn allowed<T: Real>(points: usize) -> f64 {
    let unit = if T::BYTES == 4 { 2.0_f64.powi(-24) } else { 2.0_f64.powi(-53) };
    1.5 * unit * (points.max(2) as f64).log2().sqrt()
}

/// Returns the numbers of the transforms whose results are compared.
fn some(batch: usize) -> Vec<usize> {
    let mut some = vec![0, batch / 3, batch / 2, batch - 1];
    some.dedup();
    some
}

/// Returns `len` elements of a vector, from `first` on.
fn part<T: Element>(values: &DeviceVec<T>, first: usize, len: usize) -> cl_core::Result<Vec<T>> {
    values.slice(first..first + len).collect()?.to_vec()
}

pub(crate) fn complex_numbers<T: Real + Into<f64> + Number>(
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

pub(crate) fn real_numbers<T: Real + Into<f64> + Number>(
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
    let (ms, kernels) = median(queue, samples, || fft.forward_into(&mut y, x.iter()))?;
    let bytes = ((len + 2 * half) * batch * T::BYTES) as f64;
    Ok(Timing { ms, kernels, bytes, error, plan, first, again, recipe: fft.recipes()[0].clone() })
}

/// Returns the milliseconds of one transform: from the first start to the last end, and the sum of
/// the launches.
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
        times.drain(..2); // the first two are warm-up
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1e3
    };
    Ok((middle(spans), middle(sums)))
}
