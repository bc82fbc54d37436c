//! Sums on every device: exact for integers, accurate and reproducible for floats.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_test::each_device;
use half::f16;
use std::fmt::Debug;

/// Returns lengths around tiles and the first lengths with more than one work-group.
fn lengths() -> Vec<usize> {
    cl_test::full_or_small(
        vec![0, 1, 2, 127, 128, 129, 1023, 1024, 1025, 8191, 8192, 8193, 100_003],
        vec![0, 1, 2, 127, 128, 129, 1025, 8193, 9001],
    )
}

/// Returns random bits, equal in every run (Steele, Lea, Flood: SplitMix64).
fn random(index: usize) -> u64 {
    let mut z = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns floats of both signs between -1 and 1.
fn mixed(len: usize) -> Vec<f32> {
    (0..len).map(|i| (random(i) >> 40) as f32 / (1 << 23) as f32 - 1.0).collect()
}

/// Returns Kahan's and Neumaier's sum in double precision: exact for the data of these tests.
fn reference(values: impl Iterator<Item = f64>) -> f64 {
    let (mut total, mut lost) = (0.0_f64, 0.0_f64);
    for value in values {
        let next = total + value;
        lost += if total.abs() >= value.abs() { (total - next) + value } else { (value - next) + total };
        total = next;
    }
    total + lost
}

#[test]
fn more_ones_than_a_float_can_count() {
    const LEN: usize = (1 << 24) + 1;
    cl_test::known_faults::each_device("sum::more_ones_than_a_float_can_count", |device| {
        let queue = Queue::on(device).unwrap();
        assert_eq!(DeviceVec::filled(&queue, 1_u32, LEN).unwrap().sum().unwrap(), LEN as u32);
        assert_eq!(DeviceVec::filled(&queue, 1_u64, LEN).unwrap().sum().unwrap(), LEN as u64);
        assert_eq!(DeviceVec::filled(&queue, 1.0_f32, LEN).unwrap().sum().unwrap(), LEN as f32);
        if device.has_fp64().unwrap() {
            assert_eq!(DeviceVec::filled(&queue, 1.0_f64, LEN).unwrap().sum().unwrap(), LEN as f64);
        }
    });
}

#[test]
fn a_million_tenths() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let sum = DeviceVec::filled(&queue, 0.1_f32, 1_000_000).unwrap().sum().unwrap();
        let expected = f64::from(0.1_f32) * 1e6;
        assert!((f64::from(sum) / expected - 1.0).abs() < 1e-6, "{sum} instead of {expected}");
    });
}

/// Compares the wrapping sum of random integers at every length.
fn integers<T: Number + Debug + PartialEq>(value: impl Fn(u64) -> T, add: impl Fn(T, T) -> T) {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in lengths() {
            let host: Vec<T> = (0..len).map(|i| value(random(i))).collect();
            let expected = host.iter().fold(T::zeroed(), |sum, &value| add(sum, value));
            let x = DeviceVec::from_slice(&queue, &host).unwrap();
            assert_eq!(x.sum().unwrap(), expected, "{len} of {:?}", T::TYPE);
        }
    });
}

#[test]
fn integers_wrap_around() {
    integers(|bits| bits as i8, i8::wrapping_add);
    integers(|bits| bits as u8, u8::wrapping_add);
    integers(|bits| bits as i16, i16::wrapping_add);
    integers(|bits| bits as u16, u16::wrapping_add);
    integers(|bits| bits as i32, i32::wrapping_add);
    integers(|bits| bits as u32, u32::wrapping_add);
    integers(|bits| bits as i64, i64::wrapping_add);
    integers(|bits| bits, u64::wrapping_add);
}

/// Sums a large number in the last whole tile, and ones after it. Each one is too small to change the large number, but
/// all together are not.
#[test]
fn what_follows_the_last_whole_tile_is_not_lost_beside_it() {
    const LARGE: f32 = (1 << 24) as f32;
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        // Whole tiles of every shape, then less than the smallest one.
        let mut host = vec![0.0_f32; 8192];
        host[8191] = LARGE;
        host.extend([1.0; 100]);
        let sum = DeviceVec::from_slice(&queue, &host).unwrap().sum().unwrap();
        assert!((sum - (LARGE + 100.0)).abs() <= 16.0, "{sum} instead of {}", LARGE + 100.0);
    });
}

#[test]
fn every_run_gives_the_same_bits() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &mixed(300_007)).unwrap();
        let first = x.sum().unwrap();
        for _ in 0..100 {
            assert_eq!(x.sum().unwrap().to_bits(), first.to_bits());
        }
    });
}

#[test]
fn floats_are_summed_accurately() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in lengths().into_iter().chain([cl_test::full_or_small(1_000_007, 65_539)]) {
            let host = mixed(len);
            let size = reference(host.iter().map(|x| f64::from(x.abs())));
            let x = DeviceVec::from_slice(&queue, &host).unwrap();
            let (sum, expected) = (x.sum().unwrap(), reference(host.iter().map(|&x| f64::from(x))));
            assert!((f64::from(sum) - expected).abs() <= 1e-6 * size, "{len}: {sum} instead of {expected}");
            // A dot product, fused: each product is rounded, then summed.
            let (dot, expected) =
                ((&x * &x).sum().unwrap(), reference(host.iter().map(|x| f64::from(x * x))));
            assert!(
                (f64::from(dot) - expected).abs() <= 1e-6 * expected,
                "{len}: {dot} instead of {expected}"
            );
            if device.has_fp64().unwrap() {
                let host: Vec<f64> = host.iter().map(|&x| f64::from(x) / 3.0).collect();
                let x = DeviceVec::from_slice(&queue, &host).unwrap();
                let (sum, expected) = (x.sum().unwrap(), reference(host.into_iter()));
                assert!((sum - expected).abs() <= 1e-15 * size, "{len}: {sum} instead of {expected}");
            }
        }
    });
}

/// Sums halves, which have 11 bits: within a tile a few additions round, and the errors of tiles are carried.
#[test]
fn halves_are_summed_accurately() {
    each_device(|device| {
        if !device.has_fp16().unwrap() {
            return;
        }
        let queue = Queue::on(device).unwrap();
        for len in lengths() {
            // Small enough that no sum overflows.
            let host: Vec<f16> = mixed(len).into_iter().map(|x| f16::from_f32(x * 0.125)).collect();
            let size = reference(host.iter().map(|&x| f64::from(x).abs()));
            let expected = reference(host.iter().map(|&x| f64::from(x)));
            let sum = DeviceVec::from_slice(&queue, &host).unwrap().sum().unwrap();
            let error = (f64::from(sum) - expected).abs();
            assert!(error <= 16.0 * f64::from(f16::EPSILON) * size, "{len}: {sum} instead of {expected}");
        }
    });
}

/// Returns the sums of vectors that have `special` at the beginning, in the middle and at the end.
fn with(queue: &Queue, len: usize, special: &[f32]) -> Vec<f32> {
    let places = [0, (len - special.len()) / 2, len - special.len()];
    let sum = |place: usize| {
        let mut host = vec![1.0_f32; len];
        host[place..place + special.len()].copy_from_slice(special);
        DeviceVec::from_slice(queue, &host).unwrap().sum().unwrap()
    };
    places.into_iter().map(sum).collect()
}

#[test]
fn infinities_and_nan_show_in_the_sum() {
    const INF: f32 = f32::INFINITY;
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in [2, 3, 128, 129, 8193, cl_test::full_or_small(300_007, 33_007)] {
            assert_eq!(with(&queue, len, &[INF]), [INF; 3], "{len}");
            assert_eq!(with(&queue, len, &[-INF]), [-INF; 3], "{len}");
            assert_eq!(with(&queue, len, &[INF, INF]), [INF; 3], "{len}");
            assert!(with(&queue, len, &[INF, -INF]).iter().all(|sum| sum.is_nan()), "{len}");
            assert!(with(&queue, len, &[f32::NAN]).iter().all(|sum| sum.is_nan()), "{len}");
            let x = DeviceVec::filled(&queue, f32::MAX, len).unwrap();
            assert_eq!(x.sum().unwrap(), INF, "{len} times the largest float");
            assert_eq!((-&x).sum().unwrap(), -INF, "{len} times the smallest float");
        }
    });
}

#[test]
fn expressions_of_any_length_are_summed_without_being_stored() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let host: Vec<u64> = (0..100_003).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let y = DeviceVec::filled(&queue, 2_u64, host.len()).unwrap();
        assert_eq!((&x * &y + 1).sum().unwrap(), host.iter().map(|x| 2 * x + 1).sum::<u64>());
    });
}
