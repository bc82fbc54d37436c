//! The errors of transforms along one axis, for lengths of all kinds.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::reference::{self, bound, ratio, real};
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_fft::{Fft, Normalization, Real};
use cl_test::forced;
use std::f64::consts::TAU;

fn within<T: Real + Into<f64>>(device: &Device, lengths: &[(usize, usize)], directions: &[bool])
where
    Complex<T>: Element,
{
    let queue = Queue::on(device).unwrap();
    for &(n, batch) in lengths {
        let ratio = ratio::<T>(&queue, n, batch, directions);
        println!("{n} x {batch}: {ratio:.2}");
        assert!(ratio <= 1.0, "{n} x {batch} on {device}: {ratio} times the permitted error");
    }
}

/// Returns lengths from an environment variable, for tests by hand.
fn wanted(else_these: &[(usize, usize)]) -> Vec<(usize, usize)> {
    match std::env::var("FFT_LENGTHS") {
        Ok(list) => list
            .split(',')
            .map(|item| {
                let (n, batch) = item.split_once('x').unwrap_or((item, "3"));
                (n.parse().unwrap(), batch.parse().unwrap())
            })
            .collect(),
        Err(_) => else_these.to_vec(),
    }
}

/// Tests lengths of all kinds: zero, small radices, large radices, products, primes by permutation, a chirp, several
/// passes.
const SPREAD: [(usize, usize); 8] =
    [(1, 3), (7, 17), (60, 16), (286, 5), (1009, 2), (1022, 3), (2187, 1), (16_384, 1)];

#[test]
fn lanes() {
    cl_test::each_device(|device| within::<f32>(device, &wanted(&SPREAD), &[false]));
}

#[test]
fn lanes_of_doubles() {
    for device in cl_test::devices()
        .iter()
        .filter(|device| cl_test::offers(device, "double precision", device.has_fp64()))
    {
        within::<f64>(device, &wanted(&[(1000, 9), (103, 2), (4096, 1)]), &[true]);
    }
}

/// Tests lengths that use all kinds of exchanges in local memory, and lengths by radices that only groups have.
const EXCHANGED: [(usize, usize); 5] = [(625, 3), (1000, 3), (2048, 2), (4096, 1), (8192, 2)];

#[test]
fn groups() {
    for device in forced::gpus() {
        within::<f32>(&device, &wanted(&[&SPREAD[..], &EXCHANGED].concat()), &[false]);
    }
}

#[test]
fn groups_of_doubles() {
    for device in
        forced::gpus().iter().filter(|device| cl_test::offers(device, "double precision", device.has_fp64()))
    {
        within::<f64>(device, &wanted(&[(360, 3), (103, 2)]), &[true]);
    }
}

/// Returns every length to 2048, or with `FFT_PART=k/n` every n-th of them from k on. Each length and kind is a
/// program of its own, and takes a second to compile: `cargo test --release -p cl-fft --test suite -- --ignored
/// every_length`, or several such commands at once.
fn every_length() -> Vec<(usize, usize)> {
    let part = std::env::var("FFT_PART").unwrap_or_else(|_| "0/1".to_owned());
    let (first, parts) = part.split_once('/').expect("FFT_PART is like 0/4");
    let (first, parts): (usize, usize) = (first.parse().unwrap(), parts.parse().unwrap());
    // An odd step visits every number modulo a power of two once. Neighbours are far from each other, so that any part
    // is a sample.
    let shuffled = (0..2048).map(|i| 1 + i * 1009 % 2048);
    shuffled.skip(first).step_by(parts).map(|n| (n, if n < 100 { 17 } else { 1 })).collect()
}

fn each_kind_of_every_length(device: &Device) {
    let lengths = every_length();
    within::<f32>(device, &lengths, &[false]);
    if device.has_fp64().unwrap() {
        within::<f64>(device, &lengths, &[true]);
    }
    let queue = Queue::on(device).unwrap();
    for (n, batch) in lengths {
        real(&queue, &[n], &[0], batch);
        println!("{n} x {batch} real");
    }
}

#[test]
#[ignore = "takes hours: each length is a program of its own"]
fn every_length_in_lanes() {
    cl_test::each_device(each_kind_of_every_length);
}

#[test]
#[ignore = "takes hours: each length is a program of its own"]
fn every_length_in_groups() {
    forced::gpus().iter().for_each(each_kind_of_every_length);
}

/// Tests lengths of several passes and long chirps, in both directions, both shapes of kernels and both precisions.
#[test]
#[ignore = "takes many minutes"]
fn long_lengths() {
    let lengths =
        [4096, 4099, 6561, 8192, 10_000, 14_641, 28_561, 65_536, 65_537, 1 << 20, 1_000_003, 1 << 22];
    let lengths = lengths.map(|n| (n, 1));
    for device in cl_test::devices().iter().chain(&forced::gpus()) {
        within::<f32>(device, &lengths, &[false, true]);
        if device.has_fp64().unwrap() {
            within::<f64>(device, &lengths, &[false, true]);
        }
    }
}

/// Tests linear combinations, shifts, norms, impulses, tones, and the inverse, for one length of each kind.
#[test]
fn properties() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for n in [60_usize, 1022] {
            let fft = Fft::<f32>::c2c(&queue, [n]).unwrap();
            let host = |seed| -> Vec<Complex<f32>> {
                reference::noise(n, seed).iter().map(|z| Complex::new(z.re as f32, z.im as f32)).collect()
            };
            let vector = |values: &[Complex<f32>]| DeviceVec::from_slice(&queue, values).unwrap();
            let doubles = |values: Vec<Complex<f32>>| -> Vec<Complex<f64>> {
                values.iter().map(|z| Complex::new(z.re.into(), z.im.into())).collect()
            };
            let forward = |values: &[Complex<f32>]| fft.forward(vector(values)).unwrap().to_vec().unwrap();
            let near = |got: Vec<Complex<f32>>, expected: Vec<Complex<f64>>, what: &str| {
                let error = reference::difference(&got, &expected) / (3.0 * bound(n, 2.0_f64.powi(-24)));
                assert!(error <= 1.0, "{what} of {n}: {error}");
            };
            let (a, b) = (host(1), host(2));
            let (x, y) = (vector(&a), vector(&b));
            let (fa, fb) = (doubles(forward(&a)), doubles(forward(&b)));

            let sum = fft.forward(&x * 2.0 + &y).unwrap().to_vec().unwrap();
            near(sum, fa.iter().zip(&fb).map(|(a, b)| a * 2.0 + b).collect(), "linear combination");

            let mut shifted = a.clone();
            shifted.rotate_right(5);
            let turn = |k: usize| Complex::from_polar(1.0, -TAU * (5 * k % n) as f64 / n as f64);
            near(forward(&shifted), fa.iter().enumerate().map(|(k, z)| z * turn(k)).collect(), "shift");

            let energy = |values: &[Complex<f64>]| values.iter().map(Complex::norm_sqr).sum::<f64>();
            let ratio = energy(&fa) / (n as f64 * energy(&doubles(a.clone())));
            assert!((ratio - 1.0).abs() < 1e-5, "Parseval's theorem for {n}: {ratio}");

            near(fft.inverse(vector(&forward(&a))).unwrap().to_vec().unwrap(), doubles(a.clone()), "back");

            let mut impulse = vec![Complex::new(0.0, 0.0); n];
            impulse[5] = Complex::new(1.0, 0.0);
            near(forward(&impulse), (0..n).map(turn).collect(), "impulse");

            let tone: Vec<_> =
                (0..n).map(|k| turn(k).conj()).map(|z| Complex::new(z.re as f32, z.im as f32)).collect();
            let mut expected = vec![Complex::new(0.0, 0.0); n];
            expected[5] = Complex::new(n as f64, 0.0);
            near(forward(&tone), expected, "tone");

            for (normalization, factors) in [
                (Normalization::None, [1.0, n as f64]),
                (Normalization::Forward, [1.0 / n as f64, 1.0]),
                (Normalization::Root, [1.0 / (n as f64).sqrt(), 1.0]),
            ] {
                let fft = fft.clone().normalized(normalization);
                let spectrum = fft.forward(&x).unwrap();
                let scaled = |values: &[Complex<f64>], by: f64| values.iter().map(|z| z * by).collect();
                near(spectrum.to_vec().unwrap(), scaled(&fa, factors[0]), "normalised spectrum");
                let back = fft.inverse(&spectrum).unwrap().to_vec().unwrap();
                near(back, scaled(&doubles(a.clone()), factors[1]), "normalised, and back");
            }
        }
    });
}
