//! Gamma numbers of small and large shapes and scales, tested by the Kolmogorov-Smirnov distance.
//!
//! `CL_RANDOM_LOG2=24` draws 2^24 values a case instead of 2^20. Seeds are fixed: a test that passes once always
//! passes.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::tally::{check, kolmogorov_tail};
use cl_algo::prelude::*;
use cl_random::*;

/// Returns the number of values that a case draws.
fn wanted() -> u64 {
    let log2 =
        std::env::var("CL_RANDOM_LOG2").map_or(cl_test::full_or_small(20, 12), |text| text.parse().unwrap());
    1 << log2
}

/// The number of values on the host at once.
const PIECE: u64 = 1 << 20;

/// Returns the probability that a gamma number of this shape and scale is at most x: the regularised incomplete gamma
/// function, by its series and by its continued fraction (Abramowitz and Stegun 6.5.29 and 6.5.31), to 1e-10.
fn below(shape: f64, scale: f64, x: f64) -> f64 {
    // The quotient may underflow although its small power does not.
    let (ln, x) = (x.ln() - scale.ln(), x / scale);
    let front = (shape * ln - x - libm::lgamma(shape + 1.0)).exp();
    if x < shape + 1.0 {
        let (mut term, mut sum, mut k) = (1.0, 1.0, shape);
        while term > 1e-17 * sum {
            k += 1.0;
            term *= x / k;
            sum += term;
        }
        return (front * sum).min(1.0);
    }
    // Lentz's method.
    let mut b = x + 1.0 - shape;
    let (mut c, mut d) = (1e300, 1.0 / b);
    let mut fraction = d;
    for i in 1..100_000 {
        let a = -f64::from(i) * (f64::from(i) - shape);
        b += 2.0;
        d = 1.0 / (a * d + b);
        c = b + a / c;
        fraction *= c * d;
        if (c * d - 1.0).abs() < 1e-16 {
            break;
        }
    }
    1.0 - front * shape * fraction
}

#[test]
fn the_reference_is_right() {
    // Values of SciPy's `gammainc`.
    let known = [
        (0.01, 1e-68, 2.101218758771e-01),
        (0.01, 1e-05, 8.963367982672e-01),
        (0.01, 3.0, 9.998670286434e-01),
        (0.05, 1e-20, 1.027216865272e-01),
        (0.3, 0.2, 6.575067242697e-01),
        (0.9, 2.5, 9.319872302285e-01),
        (1.0, 1.0, 6.321205588286e-01),
        (4.5, 2.0, 8.858747316832e-02),
        (4.5, 9.0, 9.648264605330e-01),
        (300.0, 280.0, 1.226072826711e-01),
        (300.0, 330.0, 9.551097761300e-01),
        (10000.0, 9800.0, 2.220754381397e-02),
        (10000.0, 10001.0, 5.053189319622e-01),
        (10000.0, 10300.0, 9.985295051036e-01),
    ];
    for (shape, x, expected) in known {
        let got = below(shape, 1.0, x);
        assert!((got - expected).abs() < 1e-10, "{shape}, {x}: {got} instead of {expected}");
    }
}

/// A float whose bits are in the order of the numbers.
trait Graded: Real {
    /// The smallest normal number.
    const LEAST: f64;
    /// Returns the number of the interval that contains the number, of some million ascending intervals; `begin`
    /// returns the start of an interval.
    /// interval.
    fn interval(self) -> usize;
    fn begin(interval: usize) -> f64;
}

impl Graded for f32 {
    const LEAST: f64 = f32::MIN_POSITIVE as f64;
    fn interval(self) -> usize {
        (self.to_bits() >> 9) as usize
    }
    fn begin(interval: usize) -> f64 {
        f32::from_bits((interval as u32) << 9).into()
    }
}

impl Graded for f64 {
    const LEAST: f64 = f64::MIN_POSITIVE;
    fn interval(self) -> usize {
        (self.to_bits() >> 41) as usize
    }
    fn begin(interval: usize) -> f64 {
        f64::from_bits((interval as u64) << 41)
    }
}

/// Checks the distance at starts of intervals, once for every 4096th of the numbers, and only at normal numbers.
fn distance<T: Graded>(queue: &Queue, shape: T, scale: T) {
    let mut draws = Philox4x32::<10>::new(15).draws(Gamma::new(shape, scale).unwrap());
    let what = format!("{draws:?}");
    let mut counts = vec![0_u32; 1 << 22];
    let mut left = wanted();
    while left > 0 {
        let count = left.min(PIECE);
        for value in draws.draw(count as usize).collect_on(queue).unwrap().to_vec().unwrap() {
            let number: f64 = value.into();
            assert!(number >= 0.0 && number.is_finite(), "{what}: {number}");
            counts[value.interval()] += 1;
        }
        left -= count;
    }
    let n = wanted() as f64;
    let (mut reached, mut next, mut most) = (0_u64, 0_u64, 0.0_f64);
    for (interval, &count) in counts.iter().enumerate() {
        let begin = T::begin(interval);
        if begin >= T::LEAST && count > 0 && reached >= next {
            most = most.max((below(shape.into(), scale.into(), begin) - reached as f64 / n).abs());
            next = reached + wanted() / 4096;
        }
        reached += u64::from(count);
    }
    assert_eq!(reached, wanted());
    check(kolmogorov_tail(most, n), &format!("Kolmogorov and Smirnov of {what}"));
}

#[test]
fn any_shape_and_scale() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for (shape, scale) in CASES {
            distance(queue, shape as f32, scale as f32);
        }
        if device.has_fp64().unwrap() {
            for (shape, scale) in CASES {
                distance(queue, shape, scale);
            }
        }
    });
}

/// The shapes and scales of the cases.
const CASES: [(f64, f64); 9] = [
    (0.01, 1.0),
    (0.01, 1e30),
    (0.05, 1e20),
    (0.3, 1e-30),
    (0.9, 1e30),
    (1.0, 1.0),
    (4.5, 1e30),
    (300.0, 1e-20),
    (1e4, 1e30),
];

/// Counts values that are 0 although a float could represent them. The distance shows such values only if there are
/// many.
#[test]
fn small_numbers_are_scaled_before_they_vanish() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let draws = Philox4x32::<10>::new(16).draws(Gamma::new(0.05_f32, 1e20).unwrap());
        let n = 1_u32 << cl_test::full_or_small(18, 14);
        let values = draws.take(n as usize).collect_on(queue).unwrap().to_vec().unwrap();
        let zeros = values.iter().filter(|&&x| x < f32::MIN_POSITIVE).count() as f64;
        let expected = f64::from(n) * below(0.05, 1e20, f64::from(f32::MIN_POSITIVE));
        assert!((zeros - expected).abs() < 5.0 * expected.sqrt(), "{zeros} zeros, {expected} expected");
    });
}
