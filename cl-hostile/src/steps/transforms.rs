//! Steps with transforms.

use crate::dice::Dice;
use crate::finding::{Finding, Outcome, equal};
use crate::world::World;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_fft::{Ends, Fft, RealFft, convolve};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Transform {
    Complex,
    /// Into a strided, reversed view.
    Views,
    InPlace,
    Real,
    Convolution,
}

pub(crate) const TRANSFORMS: [Transform; 5] =
    [Transform::Complex, Transform::Views, Transform::InPlace, Transform::Real, Transform::Convolution];
/// Lengths above 64: a power of two, other products of small primes, and primes.
pub(crate) const LENGTHS: [usize; 6] = [97, 107, 120, 251, 256, 1000];

/// The largest number that is transformed.
const LARGEST: f64 = 10.0;

/// Returns the sums over a table of roots.
fn spectrum(x: &[f64]) -> Vec<(f64, f64)> {
    let n = x.len();
    let root = |k: usize| (std::f64::consts::TAU * (k % n) as f64 / n as f64).sin_cos();
    let number = |k: usize| {
        x.iter().enumerate().fold((0.0, 0.0), |(re, im), (j, x)| {
            let (sin, cos) = root(j * k);
            (re + x * cos, im - x * sin)
        })
    };
    (0..n).map(number).collect()
}

/// Compares numbers, which may differ by `bound`.
fn near(
    what: &str,
    device: impl Iterator<Item = f64>,
    host: impl Iterator<Item = f64>,
    bound: f64,
) -> Outcome {
    let (device, host): (Vec<f64>, Vec<f64>) = (device.collect(), host.collect());
    equal(&format!("the length of {what}"), device.len(), host.len())?;
    for (at, (device, host)) in device.into_iter().zip(host).enumerate() {
        let close = (device - host).abs() <= bound;
        if !close {
            return Err(Finding::Wrong(format!(
                "{what}[{at}] is {device} instead of {host}, within {bound}"
            )));
        }
    }
    Ok(())
}

/// Compares real parts, then imaginary parts.
fn near_complex(what: &str, device: &[Complex<f32>], host: &[(f64, f64)], bound: f64) -> Outcome {
    near(what, device.iter().map(|x| x.re.into()), host.iter().map(|x| x.0), bound)?;
    near(what, device.iter().map(|x| x.im.into()), host.iter().map(|x| x.1), bound)
}

/// Transforms small whole numbers there and back, beside vectors that the transform must not touch.
pub(crate) fn transform(world: &World, transform: Transform, n: usize, batch: usize, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 9);
    let queue = world.main_queue();
    let count = n * batch;
    let host: Vec<f32> = (0..count).map(|_| dice.below(21) as f32 - 10.0).collect();
    let wide: Vec<f64> = host.iter().map(|&x| f64::from(x)).collect();
    // The error of a transform is at most 4 times 1.5 u log2(n), relative to the norm of its result, which is at most n
    // times the largest number. The inverse has the same bound, and inherits the error of the transform.
    let error = 6.0 * f64::from(f32::EPSILON) / 2.0;
    let bound = error * ((2 * n) as f64).log2() * n as f64 * LARGEST;
    let expected: Vec<(f64, f64)> = wide.chunks(n).flat_map(spectrum).collect();
    let inverse: Vec<(f64, f64)> = wide.iter().map(|&x| (x, 0.0)).collect();
    let problem = cl_fft::Problem::new([n]).batch(batch);
    let x = DeviceVec::from_slice(queue, &host)?;
    match transform {
        Transform::Complex => {
            let fft: Fft<f32> = Fft::c2c(queue, problem)?;
            // The output is the middle of a vector, whose ends must not change.
            let edge = Complex::new(-5.0_f32, 5.0);
            let mut room = DeviceVec::filled(queue, edge, count + 7)?;
            fft.forward_into(room.slice_mut(3..3 + count), complex(&x, 0.0))?;
            let got = room.to_vec()?;
            let ends = got[..3].iter().chain(&got[3 + count..]);
            if ends.into_iter().any(|&number| number != edge) {
                return Err(Finding::Wrong("a transform wrote beside its target".to_owned()));
            }
            near_complex("the spectrum", &got[3..3 + count], &expected, bound)?;
            let back = fft.inverse(room.slice(3..3 + count))?.to_vec()?;
            near_complex("the inverse", &back, &inverse, bound)
        }
        Transform::Views => {
            let fft: Fft<f32> = Fft::c2c(queue, problem)?;
            let edge = Complex::new(-5.0_f32, 5.0);
            let mut room = DeviceVec::filled(queue, edge, 2 * count + 7)?;
            let view = room.slice_mut(3..3 + 2 * count).step_by(2).rev();
            fft.forward_into(view, complex(x.iter().rev().rev(), 0.0))?;
            let got = room.to_vec()?;
            if (0..got.len()).any(|i| (i < 3 || i % 2 == 0 || i >= 3 + 2 * count) && got[i] != edge) {
                return Err(Finding::Wrong("a transform wrote beside its view".to_owned()));
            }
            let got: Vec<Complex<f32>> = (0..count).map(|i| got[3 + 2 * (count - 1 - i)]).collect();
            near_complex("the spectrum in a view", &got, &expected, bound)?;
            let back = fft.inverse(room.slice(3..3 + 2 * count).step_by(2).rev())?.to_vec()?;
            near_complex("the inverse of a view", &back, &inverse, bound)
        }
        Transform::InPlace => {
            let fft: Fft<f32> = Fft::c2c(queue, problem)?;
            let mut points = complex(&x, 0.0).collect()?;
            fft.forward_in_place(&mut points)?;
            near_complex("the spectrum in place", &points.to_vec()?, &expected, bound)?;
            fft.inverse_in_place(&mut points)?;
            near_complex("the inverse in place", &points.to_vec()?, &inverse, bound)
        }
        Transform::Real => {
            let fft: RealFft<f32> = RealFft::new_on(queue, problem)?;
            let half = fft.forward(&x)?;
            let expected: Vec<(f64, f64)> =
                expected.chunks(n).flat_map(|line| &line[..n / 2 + 1]).copied().collect();
            near_complex("the half spectrum", &half.to_vec()?, &expected, bound)?;
            let back = fft.inverse(&half)?.to_vec()?;
            near("the inverse", back.into_iter().map(f64::from), wide.iter().copied(), bound)
        }
        Transform::Convolution => {
            let m = n.min(5);
            let kernel: Vec<f32> = (0..m).map(|i| i as f32 - 1.0).collect();
            let y = convolve(&x, &DeviceVec::from_slice(queue, &kernel)?, Ends::Full)?.to_vec()?;
            let mut sums = vec![0.0; count + m - 1];
            for (i, x) in wide.iter().enumerate() {
                for (j, h) in kernel.iter().enumerate() {
                    sums[i + j] += x * f64::from(*h);
                }
            }
            // Three transforms of at most four times the length. No number of the kernel's spectrum is larger than the
            // sum of the kernel's numbers.
            let norm = wide.iter().map(|x| x * x).sum::<f64>().sqrt();
            let norms = norm * kernel.iter().map(|&h| f64::from(h).abs()).sum::<f64>();
            let bound = 3.0 * error * ((4 * sums.len()) as f64).log2() * norms;
            near("the convolution", y.into_iter().map(f64::from), sums.into_iter(), bound)
        }
    }
}
