//! Merges and merge sorts compared with the host, in both shapes.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::Ordered;
use cl_algo::prelude::*;
use cl_algo::stl::{argsort_by, merge, merge_by, merge_by_key, sort_by, sort_by_key_by};
use cl_algo::{F32x3, F32x16, I32x3};
use cl_core::Error;
use std::cmp::Ordering;
use std::fmt::Debug;

/// Returns lengths around the tiles and blocks of 4-byte items: 15 * 256 on GPUs, 2048 on CPUs.
fn lengths() -> Vec<usize> {
    cl_test::full_or_small(
        vec![1, 2, 3, 7, 8, 9, 255, 2047, 2049, 3840, 3841, 7681, 20_000, 65_537],
        vec![1, 2, 9, 255, 2049, 3841, 7681],
    )
}

/// Returns pseudo-random numbers that are equal in every run.
fn noise(i: usize, seed: u64) -> u64 {
    let mut x = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed.wrapping_mul(0xd1b5_4a32_d192_ed03);
    x ^= x >> 29;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ x >> 32
}

/// Returns values below `different`.
fn values(len: usize, seed: u64, different: u64) -> Vec<u32> {
    (0..len).map(|i| (noise(i, seed) % different) as u32).collect()
}

fn sorted<T: Copy>(mut values: Vec<T>, order: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    values.sort_by(order);
    values
}

fn vector<T: Element>(queue: &Queue, values: &[T]) -> DeviceVec<T> {
    DeviceVec::from_slice(queue, values).unwrap()
}

#[test]
fn merges_of_all_lengths() {
    each_queue(|queue| {
        let lengths = lengths();
        for (at, &a_len) in lengths.iter().enumerate() {
            for b_len in [lengths[(at * 5 + 3) % lengths.len()], a_len, 1, 5000] {
                for different in [3, 1000, u64::MAX] {
                    let a = sorted(values(a_len, 1, different), u32::cmp);
                    let b = sorted(values(b_len, 2, different), u32::cmp);
                    let mut out = vector(queue, &vec![7; a_len + b_len]);
                    merge(vector(queue, &a), vector(queue, &b), &mut out).unwrap();
                    let expected = sorted([a, b].concat(), u32::cmp);
                    assert!(out.to_vec().unwrap() == expected, "{a_len} and {b_len} of {different}");
                }
            }
        }
    });
}

#[test]
fn merges_are_stable_and_move_values() {
    each_queue(|queue| {
        for (a_len, b_len) in [(1, 1), (3000, 5000), (9000, 100), (4, cl_test::full_or_small(70_000, 9000))] {
            let a = sorted(values(a_len, 3, 20), u32::cmp);
            let b = sorted(values(b_len, 4, 20), u32::cmp);
            let mut keys = vector(queue, &vec![0; a_len + b_len]);
            let mut places = vector(queue, &vec![0_u64; a_len + b_len]);
            merge_by_key(
                (&vector(queue, &a), index::<u64>()),
                (&vector(queue, &b), index::<u64>() + 1_000_000),
                (&mut keys, places.view_mut().rev()),
            )
            .unwrap();
            let all = a.iter().enumerate().map(|(i, &key)| (key, i as u64));
            let all = all.chain(b.iter().enumerate().map(|(i, &key)| (key, i as u64 + 1_000_000)));
            let expected = sorted(all.collect(), |a: &(u32, u64), b| a.0.cmp(&b.0));
            let mut places = places.to_vec().unwrap();
            places.reverse();
            assert!(keys.to_vec().unwrap().into_iter().zip(places).eq(expected), "{a_len} and {b_len}");
        }
    });
}

#[test]
fn merges_of_expressions_into_parts_of_vectors() {
    each_queue(|queue| {
        let (n, m) = (5000, 4000);
        let a = vector(queue, &(0..n as u32).collect::<Vec<_>>());
        let mut out = vector(queue, &vec![9_u32; n + m + 20]);
        // Descending: 3 n .. 3, and m .. 1.
        let b = iota(1_u32, m).rev();
        merge_by((&a * 3 + 3).rev(), b, Val::gt, out.slice_mut(13..n + m + 13)).unwrap();
        let all = (0..n as u32).map(|i| 3 * i + 3).chain(1..=m as u32).collect();
        let expected = sorted(all, |a: &u32, b| b.cmp(a));
        let out = out.to_vec().unwrap();
        assert!(out[13..n + m + 13] == expected);
        assert!(out[..13].iter().chain(&out[n + m + 13..]).all(|&x| x == 9));
    });
}

#[test]
fn one_of_two_may_be_empty() {
    each_queue(|queue| {
        let (a, none) = (vector(queue, &[1, 2, 3]), vector::<i32>(queue, &[]));
        let mut out = vector(queue, &[0; 3]);
        merge(&a, &none, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), [1, 2, 3]);
        merge(&none, &a + 1, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), [2, 3, 4]);
        let mut nothing = vector::<i32>(queue, &[]);
        merge(&none, &none, &mut nothing).unwrap();
    });
}

#[test]
fn floats_are_merged_with_nan_last() {
    each_queue(|queue| {
        let (inf, nan) = (f32::INFINITY, f32::NAN);
        let a = vector(queue, &[-inf, -1.0, -0.0, 2.0, nan, nan]);
        let b = vector(queue, &[-inf, 0.0, inf, nan]);
        let mut out = vector(queue, &[1.0_f32; 10]);
        merge(&a, &b, &mut out).unwrap();
        let expected = [-inf, -inf, -1.0, -0.0, 0.0, 2.0, inf, nan, nan, nan];
        // -0.0 and 0.0 are distinguished, the bits of NaN are not.
        let text = |x: &f32| format!("{x:?}");
        assert!(out.to_vec().unwrap().iter().map(text).eq(expected.iter().map(text)));
    });
}

fn sorts<T: Element + Ordered + PartialOrd + PartialEq + Debug>(of: fn(u64) -> T) {
    each_queue(|queue| {
        for len in lengths() {
            let host: Vec<T> = (0..len).map(|i| of(noise(i, 5))).collect();
            let mut x = vector(queue, &host);
            sort_by(&mut x, Val::lt).unwrap();
            let expected = sorted(host, |a, b| a.partial_cmp(b).unwrap());
            assert!(x.to_vec().unwrap() == expected, "{len} {:?}", T::TYPE);
        }
    });
}

#[test]
fn sorts_of_numbers() {
    sorts::<u8>(|x| x as u8);
    sorts::<i32>(|x| [i32::MIN, i32::MAX, x as i32][x as usize % 3]);
    sorts::<i64>(|x| x as i64);
    sorts::<f32>(|x| [f32::INFINITY, f32::NEG_INFINITY, 0.0, x as u32 as f32 - 2e9][x as usize % 4]);
}

#[test]
fn sorts_are_stable_and_move_values() {
    each_queue(|queue| {
        for len in lengths() {
            for different in [1, 10, 1 << 30] {
                let host = values(len, 6, different);
                let mut keys = vector(queue, &host);
                let mut places = vector(queue, &(0..len as u64).collect::<Vec<_>>());
                sort_by_key_by(&mut keys, &mut places, Val::gt).unwrap();
                let rows = host.iter().copied().zip(0_u64..).collect();
                let expected = sorted(rows, |a: &(u32, u64), b| b.0.cmp(&a.0));
                let rows = keys.to_vec().unwrap().into_iter().zip(places.to_vec().unwrap());
                assert!(rows.eq(expected.iter().copied()), "{len} of {different}");

                let mut order = vector(queue, &vec![0_u32; len]);
                argsort_by(&vector(queue, &host) ^ 0, Val::gt, &mut order).unwrap();
                assert!(
                    order
                        .to_vec()
                        .unwrap()
                        .iter()
                        .map(|&i| u64::from(i))
                        .eq(expected.iter().map(|row| row.1))
                );
            }
        }
    });
}

#[test]
fn sorts_of_views() {
    each_queue(|queue| {
        for len in lengths() {
            let host = values(len, 11, 1000);
            let mut x = vector(queue, &host);
            let from = 1.min(len);
            sort_by(x.slice_mut(from..), Val::lt).unwrap();
            let mut expected = host.clone();
            expected[from..].sort_unstable();
            assert!(x.to_vec().unwrap() == expected, "{len}: all but the first");

            let mut x = vector(queue, &host);
            sort_by(x.slice_mut(..len - from), Val::lt).unwrap();
            let mut expected = host.clone();
            expected[..len - from].sort_unstable();
            assert!(x.to_vec().unwrap() == expected, "{len}: all but the last");

            // Keys at every second index, values in another vector, backwards; stable.
            let mut x = vector(queue, &host);
            let count = len.div_ceil(2);
            let mut places = vector(queue, &(0..count as u64).rev().collect::<Vec<_>>());
            sort_by_key_by(x.view_mut().step_by(2), places.view_mut().rev(), Val::gt).unwrap();
            let rows = host.iter().copied().step_by(2).zip(0_u64..).collect();
            let expected = sorted(rows, |a: &(u32, u64), b| b.0.cmp(&a.0));
            let x = x.to_vec().unwrap();
            let rows = x.iter().copied().step_by(2).zip(places.to_vec().unwrap().into_iter().rev());
            assert!(rows.eq(expected), "{len}: rows");
            assert!(x.iter().skip(1).step_by(2).eq(host.iter().skip(1).step_by(2)), "{len}: the others");
        }
    });
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Star {
    magnitude: f32,
    at: F32x3,
    number: u32,
}

#[test]
fn sorts_of_structs_vectors_truth_and_large_items() {
    each_queue(|queue| {
        for len in [1, 2, 300, 4097, cl_test::full_or_small(10_000, 5000)] {
            let star = |i: usize| {
                let magnitude = (noise(i, 7) % 100) as f32;
                Star { magnitude, at: F32x3::from([i as f32, -1.0, 1.0]), number: i as u32 }
            };
            let host: Vec<Star> = (0..len).map(star).collect();
            let mut stars = vector(queue, &host);
            sort_by(&mut stars, |a, b| a.magnitude().lt(b.magnitude())).unwrap();
            let expected = sorted(host, |a, b| a.magnitude.partial_cmp(&b.magnitude).unwrap());
            assert!(stars.to_vec().unwrap() == expected, "{len}");

            let host: Vec<I32x3> = (0..len).map(|i| I32x3::splat(1) * (noise(i, 8) % 50) as i32).collect();
            let truth: Vec<bool> = (0..len).map(|i| noise(i, 9).is_multiple_of(2)).collect();
            let wide: Vec<F32x16> = (0..len).map(|i| F32x16::splat(i as f32)).collect();
            let mut columns = (vector(queue, &host), vector(queue, &truth), vector(queue, &wide));
            sort_by((&mut columns.0, (&mut columns.1, &mut columns.2)), |(a, (yes, _)), (b, (no, _))| {
                (!yes & no) | (yes.eq(no) & a.component(1).lt(b.component(1)))
            })
            .unwrap();
            let rows = host.into_iter().zip(truth).zip(wide).collect();
            let expected = sorted(rows, |((a, yes), _): &((I32x3, bool), F32x16), ((b, no), _)| {
                yes.cmp(no).then(a[1].cmp(&b[1]))
            });
            let rows = columns.0.to_vec().unwrap().into_iter().zip(columns.1.to_vec().unwrap());
            assert!(rows.zip(columns.2.to_vec().unwrap()).eq(expected), "{len}");
        }
    });
}

/// Tests indices so large that they need 64 bits.
#[test]
fn indices_of_64_bits() {
    each_queue(|queue| {
        let far = |len: usize| iota(0_u64, 1 << 34).slice(1 << 33..(1 << 33) + len);
        let mut out = vector(queue, &vec![0_u64; 9000]);
        merge(far(5000) * 2, far(4000) * 2 + 1, &mut out).unwrap();
        let expected = sorted(
            (0..5000_u64).map(|i| 2 * i).chain((0..4000).map(|i| 2 * i + 1)).map(|i| i + (1 << 34)).collect(),
            u64::cmp,
        );
        assert!(out.to_vec().unwrap() == expected);
        let host: Vec<u64> = (0..9000).map(|i| noise(i, 12) >> 20).collect();
        let mut order = vector(queue, &vec![0_u32; 9000]);
        argsort_by(&vector(queue, &host) ^ far(9000), Val::lt, &mut order).unwrap();
        let key = |&i: &u32| host[i as usize] ^ (u64::from(i) + (1 << 33));
        assert!(order.to_vec().unwrap().is_sorted_by_key(key));
    });
}

/// Checks that unsorted sequences are merged to an unsorted sequence of the same length: nothing around it is touched.
#[test]
fn sequences_in_no_order_stay_in_their_places() {
    each_queue(|queue| {
        let len = cl_test::full_or_small(20_000, 9000);
        let (a, b) = (vector(queue, &values(len, 12, 1 << 32)), vector(queue, &values(len, 13, 1 << 32)));
        let mut room = vector(queue, &vec![7_u32; 4 * len]);
        merge(&a, &b, room.slice_mut(len..3 * len)).unwrap();
        let room = room.to_vec().unwrap();
        assert!(room[..len].iter().chain(&room[3 * len..]).all(|&x| x == 7));
    });
}

#[test]
fn repetitions_are_the_same() {
    each_queue(|queue| {
        let host = values(10_000, 11, 100);
        let sort = || {
            let mut keys = vector(queue, &host);
            let mut places = DeviceVec::from_fn(queue, host.len(), |i| i as u32).unwrap();
            sort_by_key_by(&mut keys, &mut places, Val::lt).unwrap();
            (keys.to_vec().unwrap(), places.to_vec().unwrap())
        };
        let first = sort();
        let times = cl_test::full_or_small(100, 2);
        assert!((0..times).all(|_| sort() == first));
    });
}

#[test]
fn mistakes_are_refused_and_change_nothing() {
    each_queue(|queue| {
        let (a, b) = (vector(queue, &[1, 3]), vector(queue, &[2]));
        let mut short = vector(queue, &[0; 2]);
        let error = merge(&a, &b, &mut short).unwrap_err();
        assert!(
            matches!(error, Error::LengthMismatch { operation: "merge", left: 2, right: 3, .. }),
            "{error}"
        );
        let error = merge(&a, 5, &mut short).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        let error = merge(&a, b.slice(0..2), &mut short).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "range", .. }), "{error}");
        let other = Queue::on(&queue.device().clone()).unwrap();
        let foreign = vector(&other, &[2]);
        let mut three = vector(queue, &[0; 3]);
        let error = merge(&a, &foreign, &mut three).unwrap_err();
        assert!(matches!(error, Error::ForeignObject { .. }), "{error}");
        let error = merge(iota(0_i32, usize::MAX / 2), &a, three.scatter_mut(index::<i32>())).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "sequences to merge", .. }), "{error}");
        let mut order = vector(queue, &[0_u32; 1]);
        let error = argsort_by(&a, Val::lt, &mut order).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { .. }), "{error}");
        let error = argsort_by(iota(0, 1), Val::lt, &mut order).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        let (mut keys, mut values) = (vector(queue, &[2, 1]), vector(queue, &[1]));
        let error = sort_by_key_by(&mut keys, &mut values, Val::lt).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { .. }), "{error}");
        let error = sort_by(keys.slice_mut(1..3), Val::lt).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "range", .. }), "{error}");
        let error = sort_by_key_by(keys.view_mut().rev(), &mut values, Val::lt).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { .. }), "{error}");
        let mut bytes = vector(queue, &[0_i8; 129]);
        let error = argsort_by(vector(queue, &[0; 129]), Val::lt, &mut bytes).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "type of the order", .. }), "{error}");
        assert_eq!((short.to_vec().unwrap(), keys.to_vec().unwrap()), (vec![0; 2], vec![2, 1]));
    });
}

/// Tests more items than floats can count, and an odd number of them.
#[test]
fn more_than_two_to_the_24() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let even = cl_test::full_or_small(1 << 24, 1 << 14);
        let n = even + 3;
        let mut out = DeviceVec::filled(&queue, 0_u32, n).unwrap();
        // The even numbers and the odd ones.
        merge(iota(0_u32, n - n / 2) * 2, iota(0_u32, n / 2) * 2 + 1, &mut out).unwrap();
        assert_eq!(wrong(&out), 0);
        out.assign(index::<u32>() ^ (0x00aa_5555 & (even as u32 - 1))).unwrap();
        let mut sorted = DeviceVec::filled(&queue, 0_u32, even).unwrap();
        sorted.assign(out.slice(..even)).unwrap();
        sort_by(&mut sorted, Val::lt).unwrap();
        assert_eq!(wrong(&sorted), 0);
    });
}

/// Returns how many elements differ from their index.
fn wrong(x: &DeviceVec<u32>) -> u32 {
    x.iter().ne(index()).cast::<u32>().sum().unwrap()
}
