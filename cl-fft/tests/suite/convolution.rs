//! Convolutions, correlations, frequencies and Poisson's equation, compared with the host.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::reference::noise;
use cl_algo::prelude::*;
use cl_fft::{
    Convolution, Ends, Poisson, convolve, correlate, fftfreq, fftfreq_along, fftshift, ifftshift, rfftfreq,
    rfftfreq_along,
};
use std::f64::consts::TAU;

fn numbers(len: usize, seed: u64) -> Vec<f32> {
    noise(len, seed).iter().map(|z| z.re as f32).collect()
}

/// Returns `Σ x[j] h[k - j]` for all k.
fn full(x: &[f32], h: &[f32]) -> Vec<f64> {
    let mut y = vec![0.0; x.len() + h.len() - 1];
    for (j, &a) in x.iter().enumerate() {
        h.iter().enumerate().for_each(|(k, &b)| y[j + k] += f64::from(a) * f64::from(b));
    }
    y
}

fn expected(x: &[f32], h: &[f32], ends: Ends) -> Vec<f64> {
    let (n, m, all) = (x.len(), h.len(), full(x, h));
    match ends {
        Ends::Full => all,
        Ends::Same => all[(m - 1) / 2..][..n].to_vec(),
        Ends::Valid => all[m - 1..n].to_vec(),
        Ends::Cyclic => (0..n).map(|k| all.iter().skip(k).step_by(n).sum()).collect(),
    }
}

fn assert_close(got: &[f32], expected: &[f64], what: &str) {
    assert_eq!(got.len(), expected.len(), "{what}");
    let size = expected.iter().fold(1.0_f64, |most, y| most.max(y.abs()));
    for (k, (got, expected)) in got.iter().zip(expected).enumerate() {
        assert!((f64::from(*got) - expected).abs() < 4e-6 * size, "{what}, {k}: {got}, expected {expected}");
    }
}

#[test]
fn ends_of_convolutions_and_correlations() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let (x, h) = (numbers(50, 1), numbers(7, 2));
        let (a, b) = (DeviceVec::from_slice(&queue, &x).unwrap(), DeviceVec::from_slice(&queue, &h).unwrap());
        for ends in [Ends::Full, Ends::Same, Ends::Valid, Ends::Cyclic] {
            let y = convolve(&a, &b, ends).unwrap().to_vec().unwrap();
            assert_close(&y, &expected(&x, &h, ends), &format!("convolution, {ends:?}"));
            let y = correlate(&a, &b, ends).unwrap().to_vec().unwrap();
            let reversed: Vec<f32> = h.iter().rev().copied().collect();
            let mut expected = expected(&x, &reversed, ends);
            if ends == Ends::Cyclic {
                expected = (0..50)
                    .map(|k| (0..7).map(|j| f64::from(x[(j + k) % 50]) * f64::from(h[j])).sum())
                    .collect();
            }
            assert_close(&y, &expected, &format!("correlation, {ends:?}"));
        }
    });
}

#[test]
fn many_kernels_and_axes() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let (x, h) = (numbers(60, 3), numbers(18, 4));
        let (a, b) = (DeviceVec::from_slice(&queue, &x).unwrap(), DeviceVec::from_slice(&queue, &h).unwrap());
        // Two kernels of 3 x 3 over a grid of 6 x 10.
        let convolution = Convolution::many(&queue, [6, 10], &b, [3, 3], 2, Ends::Same).unwrap();
        let y = convolution.apply(&a).unwrap().to_vec().unwrap();
        let mut expected = Vec::new();
        for kernel in h.chunks(9) {
            for (row, column) in (0..6_i32).flat_map(|row| (0..10_i32).map(move |column| (row, column))) {
                let mut sum = 0.0;
                for (j, &value) in kernel.iter().enumerate() {
                    let (i, k) = (row + 1 - j as i32 / 3, column + 1 - j as i32 % 3);
                    if (0..6).contains(&i) && (0..10).contains(&k) {
                        sum += f64::from(value) * f64::from(x[(i * 10 + k) as usize]);
                    }
                }
                expected.push(sum);
            }
        }
        assert_close(&y, &expected, "two kernels");
    });
}

#[test]
fn scalars_as_kernels() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = numbers(20, 8);
        let a = DeviceVec::from_slice(&queue, &x).unwrap();
        let sums = Convolution::new(&queue, [20], 2.0_f32, [3], Ends::Full).unwrap();
        let y = sums.apply(&a).unwrap().to_vec().unwrap();
        assert_close(&y, &expected(&x, &[2.0; 3], Ends::Full), "one number three times");
        let sums = Convolution::many(&queue, [20], 2.0_f32, [3], 2, Ends::Valid).unwrap();
        let y = sums.apply(&a).unwrap().to_vec().unwrap();
        let one = expected(&x, &[2.0; 3], Ends::Valid);
        assert_close(&y, &[&one[..], &one].concat(), "two kernels of one number");
    });
}

#[test]
fn results_in_views() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let (x, h) = (numbers(20, 5), numbers(30, 6));
        let (a, b) = (DeviceVec::from_slice(&queue, &x).unwrap(), DeviceVec::from_slice(&queue, &h).unwrap());
        // A kernel longer than the signal; the results go backwards into every second element.
        let convolution = Convolution::new(&queue, [20], &b, [30], Ends::Full).unwrap();
        let mut y = DeviceVec::filled(&queue, 7.0_f32, 100).unwrap();
        convolution.apply_into(y.view_mut().slice(2..).step_by(2).rev(), &a).unwrap();
        let y = y.to_vec().unwrap();
        let got: Vec<f32> = (0..49).map(|k| y[98 - 2 * k]).collect();
        assert_close(&got, &expected(&x, &h, Ends::Full), "in a view");
        assert!(y[..2].iter().chain(y.iter().skip(1).step_by(2)).all(|&y| y == 7.0));
        let mut u = DeviceVec::filled(&queue, 7.0_f32, 25).unwrap();
        let poisson = Poisson::new(&queue, [20], [1.0_f32]).unwrap();
        poisson.solve_into(u.slice_mut(3..23), &a).unwrap();
        let u = u.to_vec().unwrap();
        assert_eq!((&u[..3], &u[23..]), (&[7.0; 3][..], &[7.0; 2][..]));
        assert_eq!(u[3..23], poisson.solve(&a).unwrap().to_vec().unwrap());
    });
}

#[test]
fn frequencies() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let odd = fftfreq(5, 0.2_f32).collect_on(&queue).unwrap();
        assert_close(&odd.to_vec().unwrap(), &[0.0, 1.0, 2.0, -2.0, -1.0], "odd");
        let half = rfftfreq(6, 0.5_f32).collect_on(&queue).unwrap().to_vec().unwrap();
        assert_close(&half, &[0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0], "half");
        let rows = fftfreq_along([2, 3], 0, 0.5_f32).collect_on(&queue).unwrap().to_vec().unwrap();
        assert_eq!(rows, [0.0, 0.0, 0.0, -1.0, -1.0, -1.0]);
        // The spectrum of zero numbers is empty. That of two numbers has the highest frequency, which counts as
        // positive.
        assert!(rfftfreq(0, 1.0_f32).collect_on(&queue).unwrap().is_empty());
        assert_eq!(rfftfreq(2, 0.5_f32).collect_on(&queue).unwrap().to_vec().unwrap(), [0.0, 1.0]);
        let columns = rfftfreq_along([2, 5], 1, 0.2_f32).collect_on(&queue).unwrap().to_vec().unwrap();
        assert_close(&columns, &[0.0, 1.0, 2.0, 0.0, 1.0, 2.0], "columns of half");
        let rows = rfftfreq_along([3, 2], 0, 1.0_f32 / 3.0).collect_on(&queue).unwrap().to_vec().unwrap();
        assert_close(&rows, &[0.0, 0.0, 1.0, 1.0, -1.0, -1.0], "rows of half");
        // A scalar stands for all points of the grid.
        assert_eq!(fftshift(7, [2, 3]).collect_on(&queue).unwrap().to_vec().unwrap(), [7; 6]);
        let grid = DeviceVec::from_fn(&queue, 15, |i| i as i32).unwrap();
        let shifted = fftshift(&grid, [3, 5]).collect().unwrap();
        let of = |row: i32, column: i32| (row + 2) % 3 * 5 + (column + 3) % 5;
        assert_eq!(shifted.to_vec().unwrap(), (0..15).map(|i| of(i / 5, i % 5)).collect::<Vec<_>>());
        assert_eq!(ifftshift(&shifted, [3, 5]).collect().unwrap().to_vec().unwrap(), grid.to_vec().unwrap());
    });
}

#[test]
fn poisson() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        // Waves of several directions on a box of 2 x 3; also with an even number of points along the last axis.
        let (rows, columns, height, width) = (15, 16, 2.0, 3.0);
        let u = |i: usize| {
            let (y, x) =
                (TAU * (i / columns) as f64 / rows as f64, TAU * (i % columns) as f64 / columns as f64);
            (2.0 * x - y).sin() + 0.5 * (3.0 * y).cos()
        };
        let f = |i: usize| {
            let (y, x) =
                (TAU * (i / columns) as f64 / rows as f64, TAU * (i % columns) as f64 / columns as f64);
            let square = |ky: f64, kx: f64| (TAU * ky / height).powi(2) + (TAU * kx / width).powi(2);
            -square(1.0, 2.0) * (2.0 * x - y).sin() - 0.5 * square(3.0, 0.0) * (3.0 * y).cos()
        };
        let rhs = DeviceVec::from_fn(&queue, rows * columns, |i| f(i) as f32 + 7.0).unwrap();
        let solver = Poisson::new(&queue, [rows, columns], [height as f32, width as f32]).unwrap();
        let solution = solver.solve(&rhs).unwrap().to_vec().unwrap();
        assert_close(&solution, &(0..rows * columns).map(u).collect::<Vec<_>>(), "Poisson");
    });
}
