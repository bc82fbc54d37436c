//! Transforms of complex numbers against the host.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

mod reference;

use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_fft::{Fft, Normalization, Problem};
use reference::{bound, error, noise, transform};

fn doubles(points: &[Complex<f32>]) -> Vec<Complex<f64>> {
    points.iter().map(|z| Complex::new(f64::from(z.re), f64::from(z.im))).collect()
}

fn floats(points: &[Complex<f64>]) -> Vec<Complex<f32>> {
    points.iter().map(|z| Complex::new(z.re as f32, z.im as f32)).collect()
}

/// The largest error of some transforms of a length, in units of what is allowed.
fn ratio(queue: &Queue, n: usize, batch: usize) -> f64 {
    let host = noise(n * batch, n as u64);
    let x = DeviceVec::from_slice(queue, &floats(&host)).unwrap();
    let fft = Fft::c2c(queue, Problem::new([n]).batch(batch)).unwrap().normalized(Normalization::None);
    let mut worst = 0.0_f64;
    for inverse in [false, true] {
        let result = if inverse { fft.inverse(&x) } else { fft.forward(&x) };
        let got = doubles(&result.unwrap().to_vec().unwrap());
        for b in 0..batch {
            let expected = transform(&host[b * n..(b + 1) * n], inverse);
            let error = error(&got[b * n..(b + 1) * n], &expected);
            worst = worst.max(error / bound(n, 2.0_f64.powi(-24)));
        }
    }
    worst
}

#[test]
fn lengths() {
    let lengths: Vec<usize> = match std::env::var("FFT_N") {
        Ok(list) => list.split(',').map(|n| n.parse().unwrap()).collect(),
        Err(_) => vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 30, 64, 100, 1000, 1009, 1022],
    };
    cl_test::each_device(|device| {
        let queue = Queue::on(&device).unwrap();
        for &n in &lengths {
            for batch in [1, 3, 17] {
                let start = std::time::Instant::now();
                let ratio = ratio(&queue, n, batch);
                println!("{n} x {batch}: {ratio:.2}  {:?}", start.elapsed());
                assert!(ratio <= 1.0, "{n} x {batch}: {ratio}");
            }
        }
    });
}
