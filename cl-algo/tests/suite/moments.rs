//! Means and variances compared with exact ones, of many elements and far from zero.
//!
//! `CL_ALGO_ELEMENTS=1000000000` reduces 10^9 elements in each case instead of 10^7.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::prelude::*;
use cl_algo::reducers::{Max, Variance};

/// The allowed error of the mean, in standard deviations, and of the variance, relative to itself.
const MARGIN: f64 = 2e-6;

/// The number of values after which they repeat.
const PERIOD: usize = 1 << 16;

/// Returns numbers without a pattern, from which 2^24 steps between 0 and 1 are made.
fn noise(i: u32) -> u32 {
    let mixed = (i % PERIOD as u32 + 1).wrapping_mul(2_654_435_769);
    (mixed ^ mixed >> 15).wrapping_mul(2_246_822_519) >> 8
}

/// Returns a value from `from` to `from + 1`, on the host and on the device: each is rounded once, so they are equal.
fn value(i: u32, from: f32) -> f32 {
    noise(i) as f32 * 2.0_f32.powi(-24) + from
}

fn values(len: usize, from: f32) -> Expr<'static, f32> {
    let mixed = (iota(0_u32, len) % PERIOD as u32 + 1_u32) * 2_654_435_769_u32;
    let steps = ((mixed.clone() ^ (mixed >> 15_u32)) * 2_246_822_519_u32) >> 8_u32;
    steps.cast::<f32>() * 2.0_f32.powi(-24) + from
}

/// Returns mean and variance of host values: the differences from the first one are exact, and so are their sums.
fn exact(values: impl Iterator<Item = f32> + Clone) -> (f64, f64) {
    let (mut n, mut sum) = (0.0, 0.0);
    for x in values.clone() {
        n += 1.0;
        sum += f64::from(x);
    }
    let mean: f64 = sum / n;
    let (mut rest, mut squares) = (0.0, 0.0);
    for x in values {
        let apart = f64::from(x) - mean;
        rest += apart;
        squares += apart * apart;
    }
    (mean + rest / n, squares / n - (rest / n).powi(2))
}

fn check(got: (f32, f32), (mean, variance): (f64, f64), what: &str) {
    let off = (f64::from(got.1) / variance - 1.0).abs();
    println!("{what}: the variance is off by {off:.1e}");
    assert!(off <= MARGIN, "{what}: a variance of {}, not {variance}", got.1);
    // Rounding a number once adds a relative error of at most 2^-24.
    let off = (f64::from(got.0) - mean).abs();
    assert!(off <= mean.abs() * 6e-8 + MARGIN * variance.sqrt(), "{what}: a mean of {}, not {mean}", got.0);
}

#[test]
fn means_far_from_zero() {
    each_queue(|queue| {
        for len in [PERIOD, 5 * PERIOD] {
            // The deviation is 0.29.
            for from in [-0.5, 0.0, 29.0, -288.0, 2887.0] {
                let x = values(len, from).collect_on(queue).unwrap();
                let expected = exact((0..PERIOD as u32).map(|i| value(i, from)));
                let got = x.iter().mean_and_variance().unwrap().unwrap();
                check(got, expected, &format!("{len} from {from}"));
                // The same in a tuple, whose items are processed one after the other.
                let both = x.iter().reduce_with((Variance::population(), Max)).unwrap().unwrap().0;
                check(both, expected, &format!("{len} from {from}, in a tuple"));
            }
        }
    });
}

#[test]
fn many_elements() {
    let wanted = std::env::var("CL_ALGO_ELEMENTS")
        .map_or(cl_test::full_or_small(10_000_000, 3 * PERIOD), |text| text.parse().unwrap());
    let len = wanted / PERIOD * PERIOD;
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for from in [-0.5, 2887.0] {
            let expected = exact((0..PERIOD as u32).map(|i| value(i, from)));
            let one = DeviceScalar::from_value(&queue, from).unwrap();
            let x = values(len, 0.0) + &one;
            check(x.mean_and_variance().unwrap().unwrap(), expected, &format!("{len} from {from}"));
        }
    });
}

#[test]
fn first_elements_unlike_the_rest() {
    each_queue(|queue| {
        for far in [0.0, 1.0, 1e6] {
            let host = || (0..200_003_u32).map(move |i| if i < 3 { far } else { value(i, 2887.0) });
            let x = DeviceVec::from_slice(queue, &host().collect::<Vec<_>>()).unwrap();
            check(x.iter().mean_and_variance().unwrap().unwrap(), exact(host()), &format!("from {far}"));
        }
        // The mean grows all the time, in small steps and in one large one.
        let steep = || (0..300_007_u32).map(|i| i as f32 * 0.01 + value(i, 0.0));
        let x = DeviceVec::from_slice(queue, &steep().collect::<Vec<_>>()).unwrap();
        check(x.iter().mean_and_variance().unwrap().unwrap(), exact(steep()), "a slope");
        let stairs = || (0..300_007_u32).map(|i| value(i, if i < 150_000 { -2887.0 } else { 2887.0 }));
        let x = DeviceVec::from_slice(queue, &stairs().collect::<Vec<_>>()).unwrap();
        check(x.iter().mean_and_variance().unwrap().unwrap(), exact(stairs()), "stairs");
    });
}

/// Tests `f64` as well, with far more digits.
#[test]
fn doubles_far_from_zero() {
    each_queue(|queue| {
        if !cl_test::offers(queue.device(), "double precision", queue.device().has_fp64()) {
            return;
        }
        // Integers, so that the host's sums are exact.
        let host: Vec<f64> = (0..100_003).map(|i| f64::from(noise(i) >> 16) + 1e11).collect();
        let (mut sum, mut squares) = (0_i64, 0_i64);
        for i in 0..host.len() as u32 {
            let x = i64::from(noise(i) >> 16);
            (sum, squares) = (sum + x, squares + x * x);
        }
        let n = host.len() as f64;
        let variance = (squares as f64 - sum as f64 * sum as f64 / n) / n;
        let x = DeviceVec::from_slice(queue, &host).unwrap();
        let (mean, got) = x.iter().mean_and_variance().unwrap().unwrap();
        assert!((got / variance - 1.0).abs() < 1e-14, "{got}, not {variance}");
        assert!((mean - 1e11 - sum as f64 / n).abs() < 2e-5, "{mean}");
    });
}

/// Checks that infinite and too large values stay visible in the result.
#[test]
fn infinities_show() {
    each_queue(|queue| {
        let moments = |host: &[f32]| {
            DeviceVec::from_slice(queue, host).unwrap().iter().mean_and_variance().unwrap().unwrap()
        };
        let (mean, variance) = moments(&[1e30, -1e30, 0.0]);
        assert_eq!((mean.abs() < 1e23, variance), (true, f32::INFINITY));
        let (mean, variance) = moments(&[1.0, f32::INFINITY, 1.0]);
        assert!(!mean.is_finite() && variance.is_nan(), "{mean} {variance}");
    });
}
