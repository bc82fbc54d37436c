//! Inputs and outputs are computed inside the transforms: tests count launches and check results.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::reference::{along_axes, difference, noise};
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_fft::{Convolution, Ends, Fft, Poisson, Problem, RealFft};
use cl_test::counting::{self, Calls};
use std::time::{Duration, Instant};

const LAUNCH: &str = "clEnqueueNDRangeKernel";

fn launches(calls: &Calls) -> u64 {
    calls.get(LAUNCH).copied().unwrap_or(0)
}

/// Returns the number of the driver's allocations and of calls that wait.
fn costly(calls: &Calls) -> u64 {
    ["clCreateBuffer", "clFinish", "clEnqueueReadBuffer", "clWaitForEvents", "clBuildProgram"]
        .iter()
        .filter_map(|name| calls.get(name))
        .sum()
}

#[test]
fn expressions_cost_no_launch() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        // One kernel, and several.
        for n in [240, 65_536] {
            let host = noise(n, 5);
            let floats: Vec<_> = host.iter().map(|z| Complex::new(z.re as f32, z.im as f32)).collect();
            let f = DeviceVec::from_slice(&queue, &floats).unwrap();
            let k = DeviceVec::from_fn(&queue, n, |k| 1.0 / (1.0 + k as f32)).unwrap();
            let fft = Fft::c2c(&queue, [n]).unwrap();
            let mut u = DeviceVec::filled(&queue, Complex::new(0.0, 0.0), n).unwrap();
            let mut spectrum = DeviceVec::filled(&queue, Complex::new(0.0, 0.0), n).unwrap();
            let mut power = DeviceVec::filled(&queue, 0.0_f32, n).unwrap();
            let passes = fft.recipe().passes.len() as u64;
            let mut both = || {
                fft.forward_into(&mut spectrum, &f + 0.5).unwrap();
                fft.inverse_into(&mut u, &k * &spectrum).unwrap();
                // A window on the input, and a power spectrum on the output.
                let window = iota(0.0_f32, n).map(|i| i * (1.0 / n as f32));
                let windowed = &f * window;
                fft.forward_into(mapped(&mut power, |z: Val<Complex<f32>>| z.norm_sqr()), windowed).unwrap();
            };
            both();
            let calls = counter.calls_during(&mut both);
            assert_eq!(launches(&calls), 3 * passes, "{calls:?}");
            assert_eq!(costly(&calls), 0, "{calls:?}");

            let shifted: Vec<_> = host.iter().map(|z| z + 0.5).collect();
            let mut expected = along_axes(&shifted, &[n], &[0], false);
            expected.iter_mut().enumerate().for_each(|(k, z)| *z *= f64::from(1.0 / (1.0 + k as f32)));
            let mut expected = along_axes(&expected, &[n], &[0], true);
            expected.iter_mut().for_each(|z| *z /= n as f64);
            assert!(difference(&u.to_vec().unwrap(), &expected) < 1e-6);
            let windowed: Vec<_> = host.iter().enumerate().map(|(i, z)| z * i as f64 / n as f64).collect();
            let expected: Vec<_> = along_axes(&windowed, &[n], &[0], false)
                .iter()
                .map(|z| Complex::new(z.norm_sqr(), 0.0))
                .collect();
            let power: Vec<_> = power.to_vec().unwrap().iter().map(|&p| Complex::new(p, 0.0)).collect();
            assert!(difference(&power, &expected) < 1e-6);
        }
    }
}

#[test]
fn convolutions_and_solutions_launch_transforms_only() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let x = DeviceVec::from_fn(&queue, 100, |i| (i % 7) as f32).unwrap();
        let kernel = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0]).unwrap();
        let convolution = Convolution::new(&queue, [100], &kernel, [3], Ends::Same).unwrap();
        let poisson = Poisson::new(&queue, [100], [1.0_f32]).unwrap();
        let mut y = DeviceVec::filled(&queue, 0.0_f32, 100).unwrap();
        let mut both = || {
            convolution.apply_into(&mut y, &x).unwrap();
            poisson.solve_into(&mut y, &x).unwrap();
        };
        both();
        let calls = counter.calls_during(&mut both);
        assert_eq!(launches(&calls), 4, "{calls:?}");
    }
}

#[test]
fn the_same_problem_is_planned_once_and_gives_the_same_bits() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let host: Vec<_> = noise(360, 2).iter().map(|z| Complex::new(z.re as f32, z.im as f32)).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let first = Fft::c2c(&queue, [360]).unwrap().forward(&x).unwrap().to_vec().unwrap();
        let calls = counter.calls_during(|| drop(Fft::<f32>::c2c(&queue, [360]).unwrap()));
        assert!(calls.is_empty(), "{calls:?}");
        // The least of several times excludes interruptions by the system.
        let again = (0..20).map(|_| {
            let start = Instant::now();
            drop(Fft::<f32>::c2c(&queue, [360]).unwrap());
            start.elapsed()
        });
        assert!(again.min().unwrap() < Duration::from_millis(1));
        for _ in 0..100 {
            assert_eq!(Fft::c2c(&queue, [360]).unwrap().forward(&x).unwrap().to_vec().unwrap(), first);
        }
    }
}

#[test]
fn nothing_is_no_work() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let nothing = DeviceVec::<Complex<f32>>::from_slice(&queue, &[]).unwrap();
        let mut empty = DeviceVec::<Complex<f32>>::from_slice(&queue, &[]).unwrap();
        for problem in [Problem::new([0]), Problem::new([8]).batch(0), Problem::new([4, 0, 3])] {
            let fft = Fft::c2c(&queue, problem).unwrap();
            let calls = counter.calls_during(|| {
                fft.forward_into(&mut empty, &nothing).unwrap();
                fft.inverse_in_place(&mut empty).unwrap();
            });
            assert_eq!(launches(&calls), 0);
            assert!(fft.forward(&nothing).unwrap().is_empty());
        }
        let reals = DeviceVec::<f32>::from_slice(&queue, &[]).unwrap();
        assert!(RealFft::new_on(&queue, [0]).unwrap().forward(&reals).unwrap().is_empty());
    }
}
