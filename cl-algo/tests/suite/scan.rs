//! Scans: types, operators, views, and what is refused.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::F32x3;
use cl_algo::prelude::*;
use cl_algo::stl::{
    exclusive_scan, exclusive_scan_in_place, inclusive_scan, inclusive_scan_in_place, inclusive_scan_with,
};
use cl_core::{Error, Queue};
use cl_test::counting::{devices, exclusive};
use cl_test::each_device;

/// Numbers without a pattern.
fn numbers(len: usize) -> Vec<u64> {
    (0..len as u64).map(|i| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20).collect()
}

const SIZES: [usize; 5] = [1, 15, 17, 4099, 70_001];

macro_rules! integer_sums {
    ($queue:ident: $($type:ident)*) => {$({
        for len in SIZES {
            let x: Vec<$type> = numbers(len).into_iter().map(|x| x as $type).collect();
            let vector = DeviceVec::from_slice($queue, &x).unwrap();
            let mut sums = DeviceVec::filled($queue, 0, len).unwrap();
            inclusive_scan(&vector, &mut sums).unwrap();
            let mut sum: $type = 0;
            let expected: Vec<$type> = x.iter().map(|&x| { sum = sum.wrapping_add(x); sum }).collect();
            assert_eq!(sums.to_vec().unwrap(), expected, "{} {len}", stringify!($type));
        }
    })*};
}

#[test]
fn sums_of_all_integers() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        integer_sums! { queue: i8 u8 i16 u16 i32 u32 i64 u64 }
    });
}

#[test]
fn sums_of_floats_are_near_and_always_the_same() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x: Vec<f32> = numbers(100_001).into_iter().map(|x| (x % 1000) as f32 * 0.1).collect();
        let vector = DeviceVec::from_slice(queue, &x).unwrap();
        let mut sums = DeviceVec::filled(queue, 0.0, x.len()).unwrap();
        inclusive_scan(&vector, &mut sums).unwrap();
        let first = sums.to_vec().unwrap();
        let mut exact = 0.0_f64;
        for (i, (&x, &sum)) in x.iter().zip(&first).enumerate() {
            exact += f64::from(x);
            // A chain of i + 1 additions, at worst.
            let bound = (i + 1) as f64 * f64::from(f32::EPSILON) / 2.0 * exact;
            assert!((f64::from(sum) - exact).abs() <= bound, "{i}: {sum} for {exact}");
        }
        for _ in 0..100 {
            inclusive_scan(&vector, &mut sums).unwrap();
            let again = sums.to_vec().unwrap();
            assert!(again.iter().zip(&first).all(|(a, b)| a.to_bits() == b.to_bits()));
        }
    });
}

/// A NaN, or an infinity, reaches all sums behind it, and no other.
#[test]
fn what_is_not_finite_reaches_what_comes_after() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for len in [1, 2, 3, 4, 5, 7, 100, 8193, 50_001] {
            for place in [0, 1, len / 3, len / 2, len - 1] {
                for odd in [f32::NAN, f32::INFINITY] {
                    let mut x = vec![0.5_f32; len];
                    x[place.min(len - 1)] = odd;
                    let vector = DeviceVec::from_slice(queue, &x).unwrap();
                    let mut sums = DeviceVec::filled(queue, 77.0_f32, len).unwrap();
                    inclusive_scan(&vector, &mut sums).unwrap();
                    let first = sums.to_vec().unwrap().iter().position(|sum| !sum.is_finite());
                    assert_eq!(first, Some(place.min(len - 1)), "{odd} at {place} of {len}");
                    exclusive_scan(&vector, 1.0_f32, &mut sums).unwrap();
                    let finite = sums.to_vec().unwrap().iter().filter(|sum| sum.is_finite()).count();
                    assert_eq!(finite, place.min(len - 1) + 1, "{odd} at {place} of {len}, exclusive");
                }
            }
        }
    });
}

#[test]
fn operators_need_not_commute() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for len in SIZES {
            // Affine maps, one after the other: x -> a x + b.
            let (a, b): (Vec<u32>, Vec<u32>) =
                numbers(len).into_iter().map(|x| (x as u32 | 1, (x >> 7) as u32)).unzip();
            let [x, y] = [&a, &b].map(|values| DeviceVec::from_slice(queue, values).unwrap());
            let mut results = [0, 1].map(|_| DeviceVec::filled(queue, 0_u32, len).unwrap());
            let [scale, shift] = &mut results;
            let after = |(a, b): (Val<u32>, Val<u32>), (c, d): (Val<u32>, Val<u32>)| (c * a, c * b + d);
            inclusive_scan_with((&x, &y), after, (scale, shift)).unwrap();
            let mut map = (1_u32, 0_u32);
            let expected: Vec<(u32, u32)> = a
                .iter()
                .zip(&b)
                .map(|(&c, &d)| {
                    map = (c.wrapping_mul(map.0), c.wrapping_mul(map.1).wrapping_add(d));
                    map
                })
                .collect();
            let [scale, shift] = results.map(|result| result.to_vec().unwrap());
            assert_eq!(scale.into_iter().zip(shift).collect::<Vec<_>>(), expected, "{len}");
        }
    });
}

#[test]
fn in_place_backwards_and_into_views() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for len in SIZES {
            let x: Vec<i32> = numbers(len).into_iter().map(|x| (x % 1001) as i32 - 500).collect();
            let mut running = i32::MIN;
            let maxima: Vec<i32> = x
                .iter()
                .map(|&x| {
                    running = running.max(x);
                    running
                })
                .collect();
            let mut vector = DeviceVec::from_slice(queue, &x).unwrap();
            inclusive_scan_in_place(&mut vector, Val::max).unwrap();
            assert_eq!(vector.to_vec().unwrap(), maxima, "{len}");

            let mut vector = DeviceVec::from_slice(queue, &x).unwrap();
            exclusive_scan_in_place(&mut vector, 7, |a: Val<i32>, b: Val<i32>| a + b).unwrap();
            let mut sum = 7;
            let exclusive: Vec<i32> = x
                .iter()
                .map(|x| {
                    let before = sum;
                    sum += x;
                    before
                })
                .collect();
            assert_eq!(vector.to_vec().unwrap(), exclusive, "{len}");

            let vector = DeviceVec::from_slice(queue, &x).unwrap();
            let mut out = DeviceVec::filled(queue, 9, len + 5).unwrap();
            inclusive_scan(vector.iter().rev(), out.slice_mut(3..len + 3).rev()).unwrap();
            let mut sum = 0;
            let mut backwards: Vec<i32> = x
                .iter()
                .rev()
                .map(|x| {
                    sum += x;
                    sum
                })
                .collect();
            backwards.reverse();
            let out = out.to_vec().unwrap();
            assert_eq!(out[3..len + 3], backwards, "{len}");
            assert_eq!((&out[..3], &out[len + 3..]), (&[9; 3][..], &[9; 2][..]));
        }
    });
}

/// Backwards, at every third place, in the middle; two parts of one vector with an operator that does not
/// commute.
#[test]
fn in_place_on_views() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for len in SIZES {
            let x: Vec<u32> = numbers(len).into_iter().map(|x| x as u32).collect();
            let add = |a: Val<u32>, b: Val<u32>| a + b;
            let check =
                |vector: &DeviceVec<u32>, places: &mut dyn Iterator<Item = usize>, initial: Option<u32>| {
                    let (mut expected, mut sum) = (x.clone(), initial.unwrap_or(0));
                    for place in places {
                        let before = sum;
                        sum = sum.wrapping_add(x[place]);
                        expected[place] = if initial.is_some() { before } else { sum };
                    }
                    assert!(vector.to_vec().unwrap() == expected, "{len} {initial:?}");
                };
            let start = || DeviceVec::from_slice(queue, &x).unwrap();
            let (from, to) = (len / 5, len - len / 7);
            let mut vector = start();
            inclusive_scan_in_place(vector.view_mut().rev(), add).unwrap();
            check(&vector, &mut (0..len).rev(), None);
            let mut vector = start();
            exclusive_scan_in_place(vector.slice_mut(from..to), 5, add).unwrap();
            check(&vector, &mut (from..to), Some(5));
            let mut vector = start();
            exclusive_scan_in_place(vector.slice_mut(from..to).rev(), 5, add).unwrap();
            check(&vector, &mut (from..to).rev(), Some(5));
            let mut vector = start();
            inclusive_scan_in_place(vector.slice_mut(from..).step_by(3), add).unwrap();
            check(&vector, &mut (from..len).step_by(3), None);

            let half = len / 2;
            let mut vector = start();
            let (scale, shift) = vector.slice_mut(..2 * half).split_at(half);
            inclusive_scan_in_place((scale.rev(), shift), |(a, b), (c, d)| (c * a, c * b + d)).unwrap();
            let (mut expected, mut step) = (x.clone(), (1_u32, 0_u32));
            for i in 0..half {
                let (c, d) = (x[half - 1 - i], x[half + i]);
                step = (c.wrapping_mul(step.0), c.wrapping_mul(step.1).wrapping_add(d));
                (expected[half - 1 - i], expected[half + i]) = step;
            }
            assert!(vector.to_vec().unwrap() == expected, "{len}: parts");
        }
        let mut x = DeviceVec::from_slice(queue, &[1, 2, 3]).unwrap();
        let error = inclusive_scan_in_place(x.slice_mut(2..5), |a, b| a + b).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "range", .. }), "{error}");
        assert_eq!(x.to_vec().unwrap(), [1, 2, 3]);
    });
}

#[test]
fn vectors_and_expressions() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let len = 5003;
        let x: Vec<F32x3> = (0..len).map(|i| F32x3::from([i as f32, 1.0, (i % 2) as f32])).collect();
        let vector = DeviceVec::from_slice(queue, &x).unwrap();
        let mut sums = DeviceVec::filled(queue, F32x3::splat(0.0), len).unwrap();
        inclusive_scan(&vector, &mut sums).unwrap();
        let last = sums.to_vec().unwrap()[len - 1];
        assert_eq!(last, F32x3::from([(len * (len - 1) / 2) as f32, len as f32, (len / 2) as f32]));

        // Positions of the odd numbers, without a vector of flags.
        let mut positions = DeviceVec::filled(queue, 0_u32, len).unwrap();
        exclusive_scan(iota(0_u32, len) & 1, 0, &mut positions).unwrap();
        let expected: Vec<u32> = (0..len as u32).map(|i| i / 2).collect();
        assert_eq!(positions.to_vec().unwrap(), expected);
    });
}

#[test]
fn nothing_and_mistakes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let none = DeviceVec::from_slice(queue, &[0_u32; 0]).unwrap();
        let mut out = DeviceVec::filled(queue, 0, 0).unwrap();
        inclusive_scan(&none, &mut out).unwrap();
        inclusive_scan_in_place(&mut out, |a: Val<u32>, b: Val<u32>| a + b).unwrap();

        let x = DeviceVec::from_slice(queue, &[1_u32, 2, 3]).unwrap();
        let mut short = DeviceVec::filled(queue, 0, 2).unwrap();
        let error = inclusive_scan(&x, &mut short).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { left: 2, right: 3, .. }), "{error}");
        let mut out = DeviceVec::filled(queue, 0, 3).unwrap();
        let error = exclusive_scan(&x, &x, &mut out).unwrap_err();
        assert!(error.to_string().contains("initial value"), "{error}");
        assert_eq!(out.to_vec().unwrap(), [0; 3]);
    });
}

/// A scan that was done before makes no object, and waits for nothing.
#[test]
fn no_allocation_and_no_wait() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let x = DeviceVec::filled(queue, 1_u32, 100_000).unwrap();
        let mut out = DeviceVec::filled(queue, 0_u32, 100_000).unwrap();
        inclusive_scan(&x, &mut out).unwrap();
        let calls = counter.calls_during(|| inclusive_scan(&x, &mut out).unwrap());
        let of = |name: &str| calls.get(name).copied().unwrap_or(0);
        for waits in ["clCreateBuffer", "clFinish", "clEnqueueReadBuffer", "clWaitForEvents"] {
            assert_eq!(of(waits), 0, "{waits}: {calls:?}");
        }
        assert!((1..=2).contains(&of("clEnqueueNDRangeKernel")), "{calls:?}");
        assert_eq!(out.to_vec().unwrap()[99_999], 100_000);
    }
}
