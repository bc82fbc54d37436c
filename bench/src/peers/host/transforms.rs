//! Fourier transforms by `rustfft`, with all threads.

use super::HostPeer;
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Restored;
use cl_test::fourier::{plan_f32, plan_f64};
use rayon::prelude::*;
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, FftNum};
use std::sync::Arc;

const fn of(case: &'static str, element: &'static str, prepare: Prepare) -> HostPeer {
    HostPeer { name: "rustfft", case, element, prepare }
}

type Prepare = fn(usize) -> Result<Restored, Failure>;

pub(super) static ALL: &[HostPeer] = &[
    of("FFT of 256 points", "c32", |n| singles(n, 256)),
    of("FFT of 1024 points", "c32", |n| singles(n, 1024)),
    of("FFT of 4096 points", "c32", |n| singles(n, 4096)),
    of("FFT of 8192 points", "c32", |n| singles(n, 8192)),
    of("FFT of 1000 points", "c32", |n| singles(n, 1000)),
    of("FFT of 1009 points", "c32", |n| singles(n, 1009)),
    of("FFT of 2187 points", "c32", |n| singles(n, 2187)),
    of("FFT of 2^16 points", "c32", |n| singles(n, 65_536)),
    of("FFT of 2^20 points", "c32", |n| singles(n, 1_048_576)),
    of("FFT of 256 points", "c64", |n| doubles(n, 256)),
    of("FFT of 1000 points", "c64", |n| doubles(n, 1000)),
    of("FFT of 1024 points", "c64", |n| doubles(n, 1024)),
    of("FFT of 4096 points", "c64", |n| doubles(n, 4096)),
    of("FFT of 2^20 points", "c64", |n| doubles(n, 1_048_576)),
];

fn singles(n: usize, points: usize) -> Result<Restored, Failure> {
    transforms(plan_f32(points, FftDirection::Forward), Source::fresh().f32s(2 * n), 1e-5)
}

fn doubles(n: usize, points: usize) -> Result<Restored, Failure> {
    transforms(plan_f64(points, FftDirection::Forward), Source::fresh().f64s(2 * n), 1e-12)
}

/// Transforms lines of numbers, whose real and imaginary parts alternate in `parts`. Each evaluation
/// transforms the same numbers, because repeated transforms would grow.
fn transforms<T: FftNum + Into<f64>>(
    fft: Arc<dyn Fft<T>>,
    parts: Vec<T>,
    roundoff: f64,
) -> Result<Restored, Failure> {
    let points = fft.len();
    let numbers: Vec<Complex<T>> = parts.chunks(2).map(|z| Complex::new(z[0], z[1])).collect();
    let mut line = numbers[..points].to_vec();
    fft.process(&mut line);
    for at in [1, points / 3, points / 2] {
        let (found, exact) = (wide(line[at]), exact(&numbers[..points], at));
        // The comparison also rejects NaN.
        if (found - exact).norm() <= roundoff * points as f64 {
            continue;
        }
        return Err(format!("wrong result: number {at} is {found}, expected {exact}").into());
    }
    // Each thread gets all its lines at once, because each call allocates work memory.
    let lines = (numbers.len() / points).div_ceil(rayon::current_num_threads());
    Ok(super::restored(numbers, move |x| {
        x.par_chunks_mut(lines * points).for_each(|part| fft.process(part));
    }))
}

fn wide<T: FftNum + Into<f64>>(z: Complex<T>) -> Complex<f64> {
    Complex::new(z.re.into(), z.im.into())
}

/// Returns the number at index `at` of a transform, computed by the definition.
fn exact<T: FftNum + Into<f64>>(given: &[Complex<T>], at: usize) -> Complex<f64> {
    let turn = -2.0 * std::f64::consts::PI / given.len() as f64;
    let turned = |(i, z): (usize, &Complex<T>)| {
        wide(*z) * Complex::from_polar(1.0, turn * ((at * i) % given.len()) as f64)
    };
    given.iter().enumerate().map(turned).sum()
}
