//! One order of floats for all that sorts, merges and searches; scalars of the device as operands; sums in wider types.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::Element;
use cl_algo::function::TotalOrder;
use cl_algo::prelude::*;
use cl_algo::stl::{equal_range, is_sorted, is_sorted_by, lower_bound, merge, mismatch, sort, sort_by};
use half::f16;

fn each_queue(test: impl Fn(&Queue)) {
    cl_test::each_device(|device| test(&Queue::on(device).unwrap()));
}

/// Every kind of float, NaN of both signs among them.
fn floats() -> Vec<f32> {
    let (inf, tiny) = (f32::INFINITY, f32::from_bits(1));
    let quiet = [0x7fc0_0000, 0x7fc0_0001, 0xffc0_0000, 0xffc0_0001].map(f32::from_bits);
    [2.0, -0.0, inf, 0.0, -1.0, tiny, -tiny, -inf, 1.0].into_iter().chain(quiet).collect()
}

fn bits(values: Vec<f32>) -> Vec<u32> {
    values.into_iter().map(f32::to_bits).collect()
}

#[device_fn]
fn relations(a: f32, b: f32) -> i32 {
    let mut found = 0;
    if a.total_lt(b) {
        found += 1;
    }
    if a.total_le(b) {
        found += 2;
    }
    if a.total_gt(b) {
        found += 4;
    }
    if a.total_ge(b) {
        found += 8;
    }
    found
}

/// Sorts, merges, searches and comparators of one type of floats, with NaN of both signs.
macro_rules! one_order {
    ($($module:ident $of:ident $bits:ident $is_on:expr;)*) => {$(
        mod $module {
            use super::*;

            #[device_fn]
            fn relations(a: $of, b: $of) -> (bool, bool, bool, bool) {
                (a.total_lt(b), a.total_le(b), a.total_gt(b), a.total_ge(b))
            }

            #[test]
            fn is_that_of_the_host() {
                each_queue(|queue| {
                    if !$is_on(queue.device()) {
                        return;
                    }
                    let nan = $of::NAN;
                    let (tiny, one) = ($of::from_bits(1), $of::MAX / $of::MAX);
                    let zero = one - one;
                    let host = [one + one, -zero, $of::INFINITY, nan, zero, -nan, -one, tiny, -tiny, $of::NEG_INFINITY, one];
                    let mut sorted = host.to_vec();
                    sorted.sort_by($of::total_cmp);
                    let bits = |values: Vec<$of>| values.into_iter().map($of::to_bits).collect::<Vec<$bits>>();
                    let vector = |values: &[$of]| DeviceVec::from_slice(queue, values).unwrap();

                    let mut x = vector(&host);
                    sort(&mut x).unwrap();
                    assert_eq!(bits(x.to_vec().unwrap()), bits(sorted.clone()));
                    assert!(is_sorted(&x).unwrap());
                    let mut y = vector(&host);
                    sort_by(&mut y, |a, b| b.total_lt(a)).unwrap();
                    let reversed: Vec<$of> = sorted.iter().rev().copied().collect();
                    assert_eq!(bits(y.to_vec().unwrap()), bits(reversed));
                    assert!(!is_sorted(&y).unwrap());
                    for (at, &value) in sorted.iter().enumerate() {
                        assert_eq!(equal_range(&x, value).unwrap(), at..at + 1);
                    }
                    let mut both = vector(&[one; 22]);
                    merge(&x, &x, &mut both).unwrap();
                    let twice = sorted.iter().flat_map(|&value| [value; 2]).collect();
                    assert_eq!(bits(both.to_vec().unwrap()), bits(twice));

                    let (a, b): (Vec<$of>, Vec<$of>) =
                        host.into_iter().flat_map(|a| host.map(|b| (a, b))).unzip();
                    let (lt, le, gt, ge) = relations(&vector(&a), &vector(&b)).collect().unwrap();
                    let all = [lt, le, gt, ge].map(|of| of.to_vec().unwrap());
                    for (at, (a, b)) in a.into_iter().zip(b).enumerate() {
                        let order = a.total_cmp(&b);
                        let expected = [order.is_lt(), order.is_le(), order.is_gt(), order.is_ge()];
                        assert_eq!(all.each_ref().map(|of| of[at]), expected, "{a} {b}");
                        assert_eq!(relations(a, b), expected.into(), "{a} {b}");
                    }
                });
            }
        }
    )*};
}

one_order! {
    of_singles f32 u32 |_: &Device| true;
    of_doubles f64 u64 |device: &Device| device.has_fp64().unwrap();
    of_halves f16 u16 |device: &Device| device.has_fp16().unwrap();
}

/// A struct that is sorted by one of its fields.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Reading {
    level: f64,
    at: u64,
}

#[test]
fn structs_are_sorted_by_a_float_with_nan() {
    each_queue(|queue| {
        if !queue.device().has_fp64().unwrap() {
            return;
        }
        let level = |at: u64| match at % 7 {
            0 => f64::NAN,
            1 => -f64::NAN,
            rest => (at * 7919 % 1000) as f64 - rest as f64 * 300.0,
        };
        let mut host: Vec<Reading> = (0..5003).map(|at| Reading { level: level(at), at }).collect();
        let mut x = DeviceVec::from_slice(queue, &host).unwrap();
        sort_by(&mut x, |a, b| a.level().total_lt(b.level())).unwrap();
        // Both are stable.
        host.sort_by(|a, b| a.level.total_cmp(&b.level));
        let places = |of: Vec<Reading>| of.into_iter().map(|reading| reading.at).collect::<Vec<u64>>();
        assert_eq!(places(x.to_vec().unwrap()), places(host));
    });
}

#[test]
fn total_comparisons_are_those_of_the_host() {
    each_queue(|queue| {
        let pairs: Vec<(f32, f32)> =
            floats().into_iter().flat_map(|a| floats().into_iter().map(move |b| (a, b))).collect();
        let (a, b): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
        let x = DeviceVec::from_slice(queue, &a).unwrap();
        let y = DeviceVec::from_slice(queue, &b).unwrap();
        let expected: Vec<i32> = pairs.iter().map(|&(a, b)| relations(a, b)).collect();
        let ordering = |(a, b): &(f32, f32)| [3, 10, 12][(a.total_cmp(b) as i8 + 1) as usize];
        assert!(expected.iter().copied().eq(pairs.iter().map(ordering)));
        assert_eq!(relations(&x, &y).collect().unwrap().to_vec().unwrap(), expected);
        let one = |yes: Expr<'_, bool>| yes.cast::<i32>().collect().unwrap().to_vec().unwrap();
        let all = [
            one(x.iter().total_lt(&y)),
            one(x.iter().total_le(&y)),
            one(x.iter().total_gt(&y)),
            one(x.iter().total_ge(&y)),
        ];
        let found = (0..pairs.len()).map(|i| (0..4).map(|k| all[k][i] << k).sum::<i32>());
        assert!(found.eq(expected));
    });
}

#[test]
fn sort_merge_search_and_is_sorted_agree() {
    each_queue(|queue| {
        let mut host = floats();
        let mut x = DeviceVec::from_slice(queue, &host).unwrap();
        assert!(!is_sorted(&x).unwrap());
        sort(&mut x).unwrap();
        host.sort_by(f32::total_cmp);
        assert_eq!(bits(x.to_vec().unwrap()), bits(host.clone()));
        assert!(is_sorted(&x).unwrap());
        let mut y = DeviceVec::from_slice(queue, &floats()).unwrap();
        sort_by(&mut y, Val::total_lt).unwrap();
        assert_eq!(bits(y.to_vec().unwrap()), bits(host.clone()));
        for (place, value) in host.iter().enumerate() {
            assert_eq!(lower_bound(&x, *value).unwrap(), place, "{value}");
        }
        let mut both = DeviceVec::filled(queue, 0.0_f32, 2 * host.len()).unwrap();
        merge(&x, &y, &mut both).unwrap();
        assert!(is_sorted(&both).unwrap());
        let twice = host.iter().flat_map(|x| [x.to_bits(); 2]);
        assert!(bits(both.to_vec().unwrap()).into_iter().eq(twice));
    });
}

#[test]
fn is_sorted_by_takes_the_comparator_of_sort_by() {
    each_queue(|queue| {
        let x = DeviceVec::from_slice(queue, &[1, 1, 2]).unwrap();
        assert!(is_sorted_by(&x, Val::lt).unwrap());
        assert!(!is_sorted_by(&x, Val::gt).unwrap());
    });
}

#[test]
fn a_mismatch_may_be_the_end_of_the_shorter_one() {
    each_queue(|queue| {
        let x = DeviceVec::from_slice(queue, &[1, 2, 3]).unwrap();
        let y = DeviceVec::from_slice(queue, &[1, 2, 3, 4]).unwrap();
        assert_eq!(mismatch(&x, &y).unwrap(), Some(3));
        assert_eq!(mismatch(&y, &x).unwrap(), Some(3));
        assert_eq!(mismatch(&y, x.slice(1..)).unwrap(), Some(0));
        assert_eq!(mismatch(x.slice(..0), &x).unwrap(), Some(0));
    });
}

#[test]
fn scalars_of_the_device_stand_on_either_side() {
    each_queue(|queue| {
        let x = DeviceVec::from_slice(queue, &[1.0_f32, 2.0]).unwrap();
        let total = x.iter().sum_on_device().unwrap();
        let values = |expr: Expr<'_, f32>| expr.take(2).collect().unwrap().to_vec().unwrap();
        assert_eq!(values(0.5_f32 * &total), [1.5; 2]);
        assert_eq!(values(&total * 0.5), [1.5; 2]);
        assert_eq!(values(&x * &total), [3.0, 6.0]);
        assert_eq!(values(&total - &x), [2.0, 1.0]);
        assert_eq!(values(&total + &total), [6.0; 2]);
        assert_eq!(values(-&total / (1.0 + &x)), [-1.5, -1.0]);
        let count = DeviceVec::from_slice(queue, &[3_u32]).unwrap().iter().sum_on_device().unwrap();
        let shifted = (1_u32 << &count).take(1).collect().unwrap();
        assert_eq!(shifted.to_vec().unwrap(), [8]);
    });
}

#[test]
fn sums_in_wider_types_lose_nothing() {
    each_queue(|queue| {
        let bytes = DeviceVec::filled(queue, 200_u8, 100_000).unwrap();
        assert_eq!(bytes.iter().sum_as::<u32>().unwrap(), 20_000_000);
        assert_eq!((&bytes + 1).sum_as::<i64>().unwrap(), 20_100_000);
        assert_eq!(bytes.slice(..0).sum_as::<u64>().unwrap(), 0);
        let large = DeviceVec::filled(queue, i32::MIN, 3).unwrap();
        assert_eq!(large.iter().sum_as::<i64>().unwrap(), 3 * i64::from(i32::MIN));
        assert_eq!(bytes.iter().gt(7).sum_as::<u32>().unwrap(), 100_000);
        if queue.device().has_fp64().unwrap() {
            let x = DeviceVec::from_slice(queue, &[1e30_f32, 1.0, 1.0]).unwrap();
            assert_eq!(x.slice(1..).sum_as::<f64>().unwrap(), 2.0);
            assert_eq!(x.iter().sum_as::<f64>().unwrap(), f64::from(1e30_f32) + 2.0);
        }
    });
}
