//! Steps with transforms.

use crate::dice::Dice;
use crate::finding::{Finding, Outcome};
use crate::world::World;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_fft::{Ends, Fft, RealFft, convolve};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Transform {
    Complex,
    Real,
    Convolution,
}

pub(crate) const TRANSFORMS: [Transform; 3] = [Transform::Complex, Transform::Real, Transform::Convolution];
/// Lengths of every kind: powers of two, other factors, a prime that is short and one that is long.
pub(crate) const LENGTHS: [usize; 10] = [1, 2, 7, 16, 30, 64, 97, 120, 251, 256];

/// The sum over a table of roots.
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

fn near(
    what: &str,
    device: impl Iterator<Item = f64>,
    host: impl Iterator<Item = f64>,
    bound: f64,
) -> Outcome {
    for (at, (device, host)) in device.zip(host).enumerate() {
        let close = (device - host).abs() <= bound;
        if !close {
            return Err(Finding::Wrong(format!(
                "{what}[{at}] is {device} instead of {host}, within {bound}"
            )));
        }
    }
    Ok(())
}

/// A transform of small whole numbers, there and back, beside vectors that it must not touch.
pub(crate) fn transform(world: &World, transform: Transform, n: usize, batch: usize, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 9);
    let queue = world.main();
    let count = n * batch;
    let host: Vec<f32> = (0..count).map(|_| dice.below(21) as f32 - 10.0).collect();
    let wide: Vec<f64> = host.iter().map(|&x| f64::from(x)).collect();
    // Each number is a sum of n products; its error is far below that of the plain sum.
    let bound = 1e-6 * 10.0 * (n * n) as f64 + 1e-5;
    let expected: Vec<(f64, f64)> = wide.chunks(n).flat_map(spectrum).collect();
    let problem = cl_fft::Problem::new([n]).batch(batch);
    let x = DeviceVec::from_slice(queue, &host)?;
    match transform {
        Transform::Complex => {
            let fft: Fft<f32> = Fft::c2c(queue, problem)?;
            // The target is the middle of a vector, whose ends stay.
            let edge = Complex::new(-5.0_f32, 5.0);
            let mut room = DeviceVec::filled(queue, edge, count + 7)?;
            fft.forward_into(room.slice_mut(3..3 + count), complex(&x, 0.0))?;
            let got = room.to_vec()?;
            let ends = got[..3].iter().chain(&got[3 + count..]);
            if ends.into_iter().any(|&number| number != edge) {
                return Err(Finding::Wrong("a transform wrote beside its target".to_owned()));
            }
            let got = &got[3..3 + count];
            near("the spectrum", got.iter().map(|x| x.re.into()), expected.iter().map(|x| x.0), bound)?;
            near("the spectrum", got.iter().map(|x| x.im.into()), expected.iter().map(|x| x.1), bound)?;
            let back = fft.inverse(room.slice(3..3 + count))?.to_vec()?;
            near("the inverse", back.iter().map(|x| x.re.into()), wide.iter().copied(), bound)
        }
        Transform::Real => {
            let fft: RealFft<f32> = RealFft::new_on(queue, problem)?;
            let half = fft.forward(&x)?;
            let expected = || expected.chunks(n).flat_map(|line| &line[..n / 2 + 1]);
            let got = half.to_vec()?;
            near("the half spectrum", got.iter().map(|x| x.re.into()), expected().map(|x| x.0), bound)?;
            near("the half spectrum", got.iter().map(|x| x.im.into()), expected().map(|x| x.1), bound)?;
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
            near("the convolution", y.into_iter().map(f64::from), sums.into_iter(), bound + 1e-3)
        }
    }
}
