//! The errors of transforms of one axis, of all kinds of lengths.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

#[path = "../../cl-algo/tests/disguise/mod.rs"]
#[allow(dead_code)] // other tests use the rest
mod disguise;
#[allow(dead_code)] // other tests use the rest
mod reference;

use cl_algo::prelude::*;
use cl_fft::Real;
use reference::ratio;

fn within<T: Real + Into<f64>>(device: &Device, lengths: &[(usize, usize)], directions: &[bool])
where
    cl_algo::num_complex::Complex<T>: Element,
{
    let queue = Queue::on(device).unwrap();
    for &(n, batch) in lengths {
        let ratio = ratio::<T>(&queue, n, batch, directions);
        println!("{n} x {batch}: {ratio:.2}");
        assert!(ratio <= 1.0, "{n} x {batch} on {device}: {ratio} times the error that is allowed");
    }
}

/// Lengths from the environment, to try by hand.
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

#[test]
fn lanes() {
    let lengths = wanted(&[(1, 3), (2, 1), (7, 17), (60, 16), (286, 5), (1000, 17), (1009, 2), (1022, 17), (65_536, 1)]);
    cl_test::each_device(|device| within::<f32>(&device, &lengths, &[false, true]));
}

#[test]
fn groups() {
    let lengths = wanted(&[(1, 3), (2, 1), (7, 17), (60, 16), (286, 5), (1000, 3), (1009, 2), (1022, 17), (65_536, 1)]);
    for device in disguise::gpus() {
        within::<f32>(&device, &lengths, &[false, true]);
    }
}
