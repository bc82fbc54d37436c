//! Segments: reductions, scans and sorts of each, and segments that are refused.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::Segments;
use cl_algo::function::RawFunction;
use cl_algo::prelude::*;
use cl_algo::reducers::{Max, MaxElement, Min, Sum};
use cl_algo::{Ordered, SortKey};
use cl_core::{Queue, QueueOptions};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Returns the lengths of segments of each kind: short ones, empty ones, and one that is longer than all others.
fn kinds() -> Vec<Vec<u32>> {
    let noise = |i: u32| i.wrapping_mul(2_654_435_761) >> 16;
    let mut one_long: Vec<u32> = (0..900).map(|i| noise(i) % 4).collect();
    one_long[500] = 9000;
    vec![
        vec![],
        vec![0],
        vec![0, 0, 0],
        vec![1],
        vec![5],
        vec![0, 2, 0, 0, 3, 0],
        vec![3; 1500],
        (0..900).map(|i| noise(i) % 7).collect(),
        (0..60).map(|i| noise(i) % 300).collect(),
        vec![1; 2049],
        vec![4097],
        one_long,
        // Segments that begin or end where the tiles of a reduction do, and one that has several of them.
        vec![4096, 8192, 1, 4095, 512, 8192, 256, 20_000, 0, 5],
        // Segments for each way to sort: in tiles, alone, and by several work-groups.
        vec![3, cl_test::full_or_small(25_000, 9000), 0, cl_test::full_or_small(12_000, 700), 7],
    ]
}

/// Returns the items of each segment.
fn parts<'x, T>(lengths: &[u32], x: &'x [T]) -> Vec<&'x [T]> {
    let mut rest = x;
    let next = |&len: &u32| {
        let (part, after) = rest.split_at(len as usize);
        rest = after;
        part
    };
    lengths.iter().map(next).collect()
}

fn numbers(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| (i + 1).wrapping_mul(2_654_435_761) >> 22).collect()
}

fn check_reductions_and_scans(queue: &Queue, lengths: &[u32]) {
    let len = lengths.iter().sum::<u32>() as usize;
    let host = numbers(len);
    let (x, lens) = (DeviceVec::from_slice(queue, &host), DeviceVec::from_slice(queue, lengths));
    let (x, lens) = (x.unwrap(), lens.unwrap());
    let segments = Segments::from_lengths(&lens).unwrap();
    assert_eq!((segments.count(), segments.len()), (lengths.len(), len));
    assert_eq!(segments.longest() as u32, lengths.iter().copied().max().unwrap_or(0));
    let parts = parts(lengths, &host);
    let sums: Vec<u32> = parts.iter().map(|part| part.iter().sum()).collect();
    assert_eq!(segments.sum(&x).unwrap().to_vec().unwrap(), sums);
    assert_eq!(segments.sum(1_u32).unwrap().to_vec().unwrap(), lengths);
    let largest = segments.reduce(&x * 2, 0, Val::max).unwrap().to_vec().unwrap();
    let expected: Vec<u32> = parts.iter().map(|part| part.iter().map(|x| 2 * x).max().unwrap_or(0)).collect();
    assert_eq!(largest, expected);

    let all = segments.reduce_with(&x, (Sum, Min, MaxElement::<u32>::new()), (5, 6, (7, 8))).unwrap();
    let (sum, min, (at, max)) = all;
    assert_eq!(
        sum.to_vec().unwrap(),
        parts.iter().map(|part| if part.is_empty() { 5 } else { part.iter().sum() }).collect::<Vec<u32>>()
    );
    assert_eq!(
        min.to_vec().unwrap(),
        parts.iter().map(|part| part.iter().min().copied().unwrap_or(6)).collect::<Vec<u32>>()
    );
    assert_eq!(
        max.to_vec().unwrap(),
        parts.iter().map(|part| part.iter().max().copied().unwrap_or(8)).collect::<Vec<u32>>()
    );
    let first =
        |part: &&[u32]| part.iter().max().map_or(7, |max| part.iter().position(|x| x == max).unwrap() as u64);
    assert_eq!(at.to_vec().unwrap(), parts.iter().map(first).collect::<Vec<u64>>());

    if len > 0 {
        let running = |part: &&[u32]| {
            part.iter()
                .scan(0, |sum, x| {
                    *sum += x;
                    Some(*sum)
                })
                .collect::<Vec<u32>>()
        };
        let expected: Vec<u32> = parts.iter().flat_map(running).collect();
        let inclusive = segments.inclusive_scan(&x).unwrap().collect().unwrap().to_vec().unwrap();
        assert_eq!(inclusive, expected);
        let exclusive = segments.exclusive_scan(&x, 0).unwrap().collect().unwrap();
        assert_eq!((&exclusive + &x).to_vec().unwrap(), expected);
    }
}

#[test]
fn reductions_and_scans_of_all_kinds_of_lengths() {
    each_queue(|queue| {
        for lengths in kinds() {
            check_reductions_and_scans(queue, &lengths);
        }
    });
}

fn check_sorts(queue: &Queue, lengths: &[u32]) {
    let len = lengths.iter().sum::<u32>() as usize;
    let host: Vec<f32> = numbers(len).iter().map(|&x| (x % 64) as f32 - 31.0).collect();
    let lens = DeviceVec::from_slice(queue, lengths).unwrap();
    let segments = Segments::from_lengths(&lens).unwrap();
    let mut x = DeviceVec::from_slice(queue, &host).unwrap();
    let mut at = DeviceVec::from_fn(queue, len, |i| i as u32).unwrap();
    segments.sort_by_key(&mut x, &mut at).unwrap();
    let mut pairs: Vec<(f32, u32)> = host.iter().copied().zip(0..).collect();
    let mut begin = 0;
    for &len in lengths {
        pairs[begin..begin + len as usize].sort_by(|a, b| a.0.total_cmp(&b.0));
        begin += len as usize;
    }
    let found: Vec<(f32, u32)> = x.to_vec().unwrap().into_iter().zip(at.to_vec().unwrap()).collect();
    assert!(found == pairs, "{} segments of {len} items", lengths.len());
    let (largest, places) = segments.top_k(DeviceVec::from_slice(queue, &host).unwrap(), 3, 99.5).unwrap();
    let mut expected = Vec::new();
    for part in parts(lengths, &host) {
        let mut pairs: Vec<(f32, u32)> = part.iter().copied().zip(0..).collect();
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
        pairs.resize(3, (99.5, u32::MAX));
        expected.extend(pairs);
    }
    let found: Vec<(f32, u32)> =
        largest.to_vec().unwrap().into_iter().zip(places.to_vec().unwrap()).collect();
    assert!(found == expected, "the largest of {} segments of {len} items", lengths.len());
    // In a view, backwards, in descending order: the segments are those of the view.
    let padded: Vec<f32> = std::iter::once(0.5).chain(host.iter().rev().copied()).collect();
    let mut y = DeviceVec::from_slice(queue, &padded).unwrap();
    segments.sort_descending(y.slice_mut(1..).rev()).unwrap();
    let mut y = y.to_vec().unwrap();
    assert_eq!(y.remove(0), 0.5);
    y.reverse();
    let mut begin = 0;
    for &len in lengths {
        let part = begin..begin + len as usize;
        assert!(y[part.clone()].iter().eq(pairs[part].iter().rev().map(|(x, _)| x)));
        begin += len as usize;
    }
}

#[test]
fn sorts_of_all_kinds_of_lengths() {
    each_queue(|queue| {
        for lengths in kinds() {
            check_sorts(queue, &lengths);
        }
    });
}

/// Sorts keys with two vectors of values, and compares with the host's stable sort.
fn check_keys<K: SortKey + Ordered + bytemuck::NoUninit>(
    queue: &Queue,
    lengths: &[u32],
    key: impl Fn(u64) -> K,
    order: impl Fn(&K, &K) -> std::cmp::Ordering,
) {
    let len = lengths.iter().sum::<u32>() as usize;
    let noise = |i: u64| (i ^ 0x5bd1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(i | 1);
    let host: Vec<K> = (0..len as u64).map(|i| key(noise(i))).collect();
    let segments = Segments::from_lengths(DeviceVec::from_slice(queue, lengths).unwrap()).unwrap();
    let mut sorted: Vec<u32> = (0..len as u32).collect();
    let mut begin = 0;
    for &len in lengths {
        sorted[begin..begin + len as usize].sort_by(|&a, &b| order(&host[a as usize], &host[b as usize]));
        begin += len as usize;
    }
    let expected: Vec<K> = sorted.iter().map(|&at| host[at as usize]).collect();
    let label = format!("{} {} segments of {len} items", std::any::type_name::<K>(), lengths.len());
    let bits = |keys: &[K]| bytemuck::cast_slice::<K, u8>(keys).to_vec();
    let keys = DeviceVec::from_slice(queue, &host).unwrap();
    assert!(segments.argsort(&keys).unwrap().to_vec().unwrap() == sorted, "argsort of {label}");
    let mut x = keys.try_clone().unwrap();
    segments.sort(&mut x).unwrap();
    assert!(bits(&x.to_vec().unwrap()) == bits(&expected), "{label}");
    let mut x = keys.try_clone().unwrap();
    let mut a = DeviceVec::from_fn(queue, len, |i| i as u16).unwrap();
    let mut b = DeviceVec::from_fn(queue, len, |i| cl_algo::F32x3::splat(i as f32)).unwrap();
    segments.sort_by_key(&mut x, (&mut a, &mut b)).unwrap();
    assert!(bits(&x.to_vec().unwrap()) == bits(&expected), "{label} by key");
    let same = |(a, &at): (&u16, &u32)| *a == at as u16;
    assert!(a.to_vec().unwrap().iter().zip(&sorted).all(same), "values of {label}");
    let same = |(b, &at): (&cl_algo::F32x3, &u32)| *b == cl_algo::F32x3::splat(at as f32);
    assert!(b.to_vec().unwrap().iter().zip(&sorted).all(same), "large values of {label}");
    // All keys equal: nothing moves.
    let mut x = DeviceVec::filled(queue, key(7), len).unwrap();
    let mut a = DeviceVec::from_fn(queue, len, |i| i as u32).unwrap();
    segments.sort_by_key(&mut x, &mut a).unwrap();
    assert!(a.to_vec().unwrap().iter().copied().eq(0..len as u32), "equal keys of {label}");
}

/// Sorts keys of each size, floats with NaNs among them, in segments of each kind.
#[test]
fn every_size_of_keys() {
    each_queue(|queue| {
        let mixed: Vec<u32> = (0..40_u32).map(|i| i.wrapping_mul(2_654_435_761) >> 24).collect();
        let long = [3, cl_test::full_or_small(25_000, 9000), 0, cl_test::full_or_small(12_000, 700), 7];
        // Segments of few items, which work-items of GPUs sort in registers.
        let few = |most: u32| mixed.iter().cycle().take(700).map(|x| x % (most + 1)).collect::<Vec<u32>>();
        let (four, sixteen) = (few(4), few(16));
        for lengths in [&mixed[..], &long[..], &[1, 2, 4500, 0, 4100, 1, 1], &four, &sixteen] {
            check_keys(queue, lengths, |x| x as i8, i8::cmp);
            check_keys(queue, lengths, |x| x as u16, u16::cmp);
            check_keys(queue, lengths, |x| f32::from_bits(x as u32), f32::total_cmp);
            check_keys(queue, lengths, |x| x as i64, i64::cmp);
            if queue.device().has_fp64().unwrap() {
                check_keys(queue, lengths, f64::from_bits, f64::total_cmp);
            }
        }
    });
}

/// Moves more vectors of values than a radix sort does.
#[test]
fn nine_vectors_of_values() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let segments = Segments::from_lengths(DeviceVec::from_slice(queue, &[2, 3]).unwrap()).unwrap();
        let mut keys = DeviceVec::from_slice(queue, &[7, 5, 3, 1, 2]).unwrap();
        let mut values: [DeviceVec<u8>; 9] =
            std::array::from_fn(|k| DeviceVec::from_fn(queue, 5, |i| (10 * k + i) as u8).unwrap());
        let [a, b, c, d, e, f, g, h, i] = values.each_mut();
        segments.sort_by_key(&mut keys, ((a, b, c, d), (e, f, g, h), i)).unwrap();
        assert_eq!(keys.to_vec().unwrap(), [5, 7, 1, 2, 3]);
        for (k, values) in values.iter().enumerate() {
            assert_eq!(values.to_vec().unwrap(), [1, 0, 3, 4, 2].map(|i| 10 * k as u8 + i));
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cl_test::full_or_small(4, 2)))]

    #[test]
    fn any_lengths(lengths in prop::collection::vec(prop_oneof![6 => 0_u32..6, 1 => 0_u32..3000], 0..60)) {
        each_queue(|queue| {
            check_reductions_and_scans(queue, &lengths);
            check_sorts(queue, &lengths);
        });
    }
}

#[test]
fn exclusive_counts_of_each_segment() {
    each_queue(|queue| {
        for (lengths, bins) in kinds().into_iter().zip([0, 3, 1, 5, 7, 4, 16, 8, 300, 2, 4097, 33, 9]) {
            let len = lengths.iter().sum::<u32>() as usize;
            // Some keys are negative, some too large.
            let keys: Vec<i16> = numbers(len).iter().map(|&x| (x % (bins + 5)) as i16 - 2).collect();
            let (mut counts, mut sums) = (Vec::new(), Vec::new());
            for part in parts(&lengths, &keys) {
                let count = |key: i16| part.iter().filter(|&&x| x == key).count() as u32;
                let own: Vec<u32> = (0..bins as i16).map(count).collect();
                sums.extend(own.iter().scan(0, |sum, own| Some(std::mem::replace(sum, *sum + own))));
                counts.extend(own);
            }
            let segments = Segments::from_lengths(DeviceVec::from_slice(queue, &lengths).unwrap()).unwrap();
            let keys = DeviceVec::from_slice(queue, &keys).unwrap();
            let bins = bins as usize;
            assert_eq!(segments.histogram(&keys, bins).unwrap().to_vec().unwrap(), counts, "{lengths:?}");
            assert_eq!(
                segments.exclusive_counts(&keys, bins).unwrap().to_vec().unwrap(),
                sums,
                "{lengths:?}"
            );
        }
        let lengths = DeviceVec::from_slice(queue, &[2_u32, 1]).unwrap();
        let segments = Segments::from_lengths(&lengths).unwrap();
        let error = segments.exclusive_counts(1_u8, usize::MAX / 2).unwrap_err().to_string();
        assert!(error.contains("2 segments are 2^32 - 1 or more"), "{error}");
        assert!(segments.histogram(&lengths, 3).is_err(), "two keys for three items");
    });
}

#[test]
fn keys_and_offsets_make_the_same_segments() {
    each_queue(|queue| {
        let keys = DeviceVec::from_slice(queue, &[7_i64, 7, 2, 2, 2, 7]).unwrap();
        let segments = Segments::from_keys(&keys).unwrap();
        assert_eq!(segments.offsets().to_vec().unwrap(), [0, 2, 5, 6]);
        assert_eq!(segments.numbers().unwrap().to_vec().unwrap(), [0, 0, 1, 1, 1, 2]);
        let same = Segments::from_offsets(segments.offsets()).unwrap();
        assert_eq!(same.longest(), 3);
        assert_eq!(same.reduce_with(&keys, Max, 0).unwrap().to_vec().unwrap(), [7, 2, 7]);
        let structs = segments.sort_by(
            (&mut keys.try_clone().unwrap(), &mut DeviceVec::filled(queue, 1_u8, 6).unwrap()),
            |(a, _), (b, _)| a.lt(b),
        );
        structs.unwrap();
        let distinct: BTreeSet<u32> = segments.lengths().to_vec().unwrap().into_iter().collect();
        assert_eq!(distinct.into_iter().collect::<Vec<_>>(), [1, 2, 3]);
    });
}

/// Checks that the sum of the lengths is the last offset, for lengths that differ from kernel to kernel: those of floats may.
#[test]
fn computed_lengths_are_evaluated_once() {
    // SAFETY: arithmetic only.
    let of_kernel = unsafe { RawFunction::<fn(u32) -> u32>::new("of_kernel", ["x"], "return x + PACKS;") };
    let of_kernel = of_kernel.unwrap();
    each_queue(|queue| {
        let x = DeviceVec::from_fn(queue, 3000, |i| i as u32 % 5).unwrap();
        let segments = Segments::from_lengths(of_kernel.call((&x,))).unwrap();
        let lengths = segments.lengths().to_vec().unwrap();
        assert_eq!(lengths.iter().sum::<u32>() as usize, segments.len());
        assert_eq!(lengths.into_iter().max(), Some(segments.longest() as u32));
        let begins = x.iter().exclusive_scan(0).collect().unwrap();
        let first = of_kernel.call((constant(0_u32).on(queue).take(1),)).collect().unwrap().get(0).unwrap();
        let offsets = of_kernel.call((&begins,)).map(|at| at.max(first) - first);
        let segments = Segments::from_offsets(offsets).unwrap();
        assert_eq!(segments.offsets().get(2999).unwrap() as usize, segments.len());
    });
}

#[test]
fn wrong_segments_are_refused() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let offsets =
            |offsets: &[i64]| Segments::from_offsets(DeviceVec::from_slice(queue, offsets).unwrap());
        for (wrong, why) in [
            (&[][..], "zero"),
            (&[1, 2], "first one is 1"),
            (&[-1, 2], "first one is negative"),
            (&[0, 3, 2, 5], "index 2"),
            (&[0, 3, -2], "index 2"),
            (&[0, 1 << 32], "index 1"),
        ] {
            let error = offsets(wrong).unwrap_err().to_string();
            assert!(error.contains("offsets of segments") && error.contains(why), "{wrong:?}: {error}");
        }
        assert_eq!(offsets(&[0]).unwrap().count(), 0);
        let lengths =
            |lengths: &[i64]| Segments::from_lengths(DeviceVec::from_slice(queue, lengths).unwrap());
        for (wrong, why) in [(&[2, -1][..], "index 1"), (&[1 << 31, 1 << 31], "together")] {
            let error = lengths(wrong).unwrap_err().to_string();
            assert!(error.contains("lengths of segments") && error.contains(why), "{wrong:?}: {error}");
        }
        let keys = constant(1_u8).on(queue).take((1 << 32) + 5);
        let error = Segments::from_keys(keys).unwrap_err().to_string();
        assert!(error.contains("4294967301 items"), "{error}");
        // The sum of 2^32 + 2 lengths of 2^32 - 1 is 2^32 - 2 modulo 2^64.
        let lengths = constant(u32::MAX).on(queue).take((1 << 32) + 2);
        let error = Segments::from_lengths(lengths).unwrap_err().to_string();
        assert!(error.contains("4294967298 segments"), "{error}");
        let zeros = constant(0_u32).on(queue).take((1 << 32) + 1);
        let error = Segments::from_offsets(zeros).unwrap_err().to_string();
        assert!(error.contains("4294967296 segments"), "{error}");
        let segments = offsets(&[0, 2, 5]).unwrap();
        let other = &Queue::new(queue.context(), QueueOptions::new()).unwrap();
        let mut there = DeviceVec::filled(other, 1_u32, 5).unwrap();
        for error in [
            segments.sum(&there).unwrap_err(),
            segments.argsort(&there).unwrap_err(),
            segments.histogram(&there, 3).unwrap_err(),
            segments.sort(&mut there).unwrap_err(),
            segments.sort_by(&mut there, Val::lt).unwrap_err(),
        ] {
            let text = error.to_string();
            assert!(text.contains("of segments") && text.contains("different queues"), "{text}");
        }
        let mut x = DeviceVec::filled(queue, 1_u32, 4).unwrap();
        for error in [
            segments.sum(&x).unwrap_err(),
            segments.inclusive_scan(&x).unwrap_err(),
            segments.reduce_with(&x, Max, 0).map(|_| ()).unwrap_err(),
            segments.sort(&mut x).unwrap_err(),
        ] {
            assert!(error.to_string().contains("of segments"), "{error}");
        }
    });
}
