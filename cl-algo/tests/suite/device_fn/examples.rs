//! Functions that users might write.

use cl_algo::{DeviceVec, Number, device_fn};
use cl_core::Queue;
use cl_test::each_device;
use std::ops::{Add, Mul};

/// Returns the Lennard-Jones potential of a squared distance.
#[device_fn]
fn lj(r2: f32, eps: f32) -> f32 {
    let s = 1.0 / (r2 * r2 * r2);
    eps * s * (s - 1.0)
}

/// Counts the steps of the Collatz sequence down to 1.
#[device_fn]
fn collatz(n: u64) -> u32 {
    let mut n = n;
    let mut steps = 0;
    while n > 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
    steps
}

/// Returns how many iterations of z² + c stay within the circle of radius 2.
#[device_fn]
fn mandelbrot(re: f64, im: f64) -> u32 {
    let (mut x, mut y) = (0.0, 0.0);
    for count in 0..200 {
        let (xx, yy) = (x * x, y * y);
        if xx + yy > 4.0 {
            return count;
        }
        y = 2.0 * x * y + im;
        x = xx - yy + re;
    }
    200
}

/// Returns a polynomial by Horner's rule; the coefficient of the highest power is the last one.
#[device_fn]
fn horner<T: Number + Add<Output = T> + Mul<Output = T>>(x: T, coefficients: &[T]) -> T {
    let mut sum = coefficients[coefficients.len() - 1];
    for i in (0..coefficients.len() - 1).rev() {
        sum = sum * x + coefficients[i];
    }
    sum
}

/// Returns the index of the first item that is not below `key`, in a sorted slice.
#[device_fn]
fn lower_bound(key: i32, sorted: &[i32]) -> usize {
    let (mut low, mut high) = (0, sorted.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if sorted[middle] < key {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[device_fn]
fn pull(d: (f64, f64, f64), mass: f64) -> (f64, f64, f64) {
    let r2 = d.0 * d.0 + d.1 * d.1 + d.2 * d.2 + 1e-4;
    let s = mass / (r2 * r2.sqrt());
    (d.0 * s, d.1 * s, d.2 * s)
}

/// Returns the acceleration of body `i` by all others.
#[device_fn]
fn acceleration(i: u64, x: &[f64], y: &[f64], z: &[f64], mass: &[f64]) -> (f64, f64, f64) {
    let i = i as usize;
    let mut sum = (0.0, 0.0, 0.0);
    for j in 0..x.len() {
        let (ax, ay, az) = pull((x[j] - x[i], y[j] - y[i], z[j] - z[i]), mass[j]);
        sum = (sum.0 + ax, sum.1 + ay, sum.2 + az);
    }
    sum
}

#[test]
fn of_a_single_precision() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let exact = device.rounds_division_correctly().unwrap();
        let r2: Vec<f32> = (1..100).map(|i| i as f32 * 0.1).collect();
        let eps = vec![0.2_f32; 99];
        if exact {
            agree!(queue, 0, lj(r2, eps));
        }
        let x: Vec<f32> = (-50..50).map(|i| i as f32 * 0.02).collect();
        let coefficients: Vec<f32> = (0..=20).map(|i| 1.0 / (i as f32 + 1.0)).collect();
        agree!(queue, 0, horner(x; coefficients));
    });
}

#[test]
fn of_integers() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let n: Vec<u64> = (1..2000).collect();
        agree!(queue, 0, collatz(n));
        assert_eq!(collatz(27), 111);
        let x: Vec<i64> = (-50..50).collect();
        let coefficients: Vec<i64> = vec![3, -1, 4, 1, -5, 9];
        agree!(queue, 0, horner(x; coefficients));

        let sorted: Vec<i32> = (0..777).map(|i| i * i / 7).collect();
        let keys: Vec<i32> = (-10..90_000).step_by(97).collect();
        let there = DeviceVec::from_slice(queue, &keys).unwrap();
        let table = DeviceVec::from_slice(queue, &sorted).unwrap();
        let found = lower_bound(&there, &table).collect().unwrap().to_vec().unwrap();
        for (key, found) in keys.iter().zip(found) {
            assert_eq!(found as usize, sorted.partition_point(|item| item < key));
            assert_eq!(found as usize, lower_bound(*key, &sorted));
        }
    });
}

#[test]
fn of_double_precision() {
    each_device(|device| {
        if !cl_test::offers(device, "double precision", device.has_fp64()) {
            return;
        }
        let queue = &Queue::on(device).unwrap();
        let re: Vec<f64> = (0..3000).map(|i| f64::from(i % 60) * 0.05 - 2.0).collect();
        let im: Vec<f64> = (0..3000).map(|i| f64::from(i / 60) * 0.04 - 1.0).collect();
        agree!(queue, 0, mandelbrot(re, im));
    });
}

#[test]
fn of_many_bodies() {
    each_device(|device| {
        if !cl_test::offers(device, "double precision", device.has_fp64()) {
            return;
        }
        let queue = &Queue::on(device).unwrap();
        let wave =
            |phase: f64| -> Vec<f64> { (0..200).map(|i| (f64::from(i) * 0.7 + phase).sin()).collect() };
        let (x, y, z, mass) = (wave(0.0), wave(1.0), wave(2.5), vec![0.01; 200]);
        let there = |values: &[f64]| DeviceVec::from_slice(queue, values).unwrap();
        let (dx, dy, dz, dm) = (there(&x), there(&y), there(&z), there(&mass));
        let bodies = cl_algo::iota(0_u64, 200);
        let (ax, ay, az) = acceleration(bodies, &dx, &dy, &dz, &dm).collect().unwrap();
        let (ax, ay, az) = (ax.to_vec().unwrap(), ay.to_vec().unwrap(), az.to_vec().unwrap());
        for i in 0..200 {
            let host = acceleration(i as u64, &x, &y, &z, &mass);
            assert_eq!((ax[i], ay[i], az[i]), host, "body {i}");
        }
    });
}
