//! Reductions by index and searches in buckets compared with the host, in both shapes.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::codegen::profile;
use cl_algo::prelude::*;
use cl_algo::stl::{
    encode_few, equal_ranges, lower_bounds, reduce_by_index, reduce_by_index_at, upper_bounds,
};
use cl_algo::{Ordered, SortKey};
use cl_core::Error;

fn vector<T: Element>(queue: &Queue, values: &[T]) -> DeviceVec<T> {
    DeviceVec::from_slice(queue, values).unwrap()
}

fn noise(i: usize) -> u64 {
    let x = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11
}

fn lengths() -> Vec<usize> {
    cl_test::full_or_small(vec![0, 1, 2, 3, 4097, 16_385, 70_001], vec![0, 1, 3, 4097])
}

/// Returns the values of each index, in their order.
fn grouped<T: Copy>(count: usize, indices: &[u32], values: &[T]) -> Vec<Vec<T>> {
    let mut groups = vec![Vec::new(); count];
    for (&index, &value) in indices.iter().zip(values) {
        if let Some(group) = groups.get_mut(index as usize) {
            group.push(value);
        }
    }
    groups
}

#[test]
fn results_are_those_of_the_host() {
    each_queue(|queue| {
        for len in lengths() {
            // Few indices in several tables, many in one, and more than there are values; some are too large.
            for count in [1, 7, 1000, 1025, 40_000, 100_003] {
                let indices: Vec<u32> = (0..len).map(|i| (noise(i) % (count as u64 + 3)) as u32).collect();
                let values: Vec<u32> = (0..len).map(|i| noise(i + len) as u32).collect();
                let groups = grouped(count, &indices, &values);
                let (at, x) = (vector(queue, &indices), vector(queue, &values));
                let mut sums = vector(queue, &vec![7_u32; count + 2]);
                let add = |a: Val<u32>, b: Val<u32>| a + b;
                reduce_by_index(&at, &x, 0, add, sums.slice_mut(1..=count)).unwrap();
                let sums = sums.to_vec().unwrap();
                let sum = |group: &Vec<u32>| group.iter().fold(0_u32, |sum, &x| sum.wrapping_add(x));
                assert!(sums[1..=count].iter().copied().eq(groups.iter().map(sum)), "{len} {count}");
                assert_eq!((sums[0], sums[count + 1]), (7, 7));

                // Without an identity, and an operator for which the order matters; some wanted indices are too large.
                let wanted: Vec<u32> = (0..50).map(|i| (noise(i) % (count as u64 + 1)) as u32).collect();
                let mut last = vector(queue, &[9_u32; 60]);
                let take_last = |_: Val<u32>, b: Val<u32>| b;
                let at_last = vector(queue, &wanted);
                reduce_by_index_at(&at, &x, count, None, take_last, &at_last, &mut last).unwrap();
                let last_of = |&index: &u32| {
                    groups.get(index as usize).and_then(|group| group.last()).copied().unwrap_or(0)
                };
                let last = last.to_vec().unwrap();
                assert!(last[..50].iter().copied().eq(wanted.iter().map(last_of)), "{len} {count}");
                assert_eq!(last[50..], [9; 10], "elements behind the wanted indices keep their values");
            }
        }
    });
}

#[test]
fn items_of_any_type_and_lazy_inputs() {
    each_queue(|queue| {
        let len = 5000;
        let indices: Vec<u32> = (0..len).map(|i| (noise(i) % 11) as u32).collect();
        let values: Vec<i16> = (0..len).map(|i| noise(i) as i16 % 100).collect();
        let groups = grouped(12, &indices, &values);
        let (at, x) = (vector(queue, &indices), vector(queue, &values));
        // A tuple of a byte, a wide number and a flag: the struct has gaps.
        let items = x.iter().map(|x: Val<i16>| (x.cast::<i8>(), x.cast::<i64>() * 3, x.gt(98)));
        let (mut low, mut sums, mut any) = (
            vector(queue, &[0_i8; 12]),
            vector(queue, &[0_i64; 12]),
            DeviceVec::filled(queue, true, 12).unwrap(),
        );
        reduce_by_index::<(i8, i64, bool)>(
            at.iter() + 1 - 1,
            items,
            (127, 0, false),
            |(a, b, c), (d, e, f)| (a.min(d), b + e, c | f),
            (&mut low, &mut sums, &mut any),
        )
        .unwrap();
        let low_of = |group: &Vec<i16>| group.iter().map(|&x| x as i8).min().unwrap_or(127);
        assert!(low.to_vec().unwrap().into_iter().eq(groups.iter().map(low_of)));
        let sum_of = |group: &Vec<i16>| group.iter().map(|&x| i64::from(x) * 3).sum::<i64>();
        assert!(sums.to_vec().unwrap().into_iter().eq(groups.iter().map(sum_of)));
        let any_of = |group: &Vec<i16>| group.iter().any(|&x| x > 98);
        assert!(any.to_vec().unwrap().into_iter().eq(groups.iter().map(any_of)));

        // Scalars are values, too, and a strided view is an output.
        let mut counts = vector(queue, &[0_u32; 24]);
        let add = |a: Val<u32>, b: Val<u32>| a + b;
        reduce_by_index(&at, 1_u32, 0, add, counts.slice_mut(..).step_by(2)).unwrap();
        let counts: Vec<u32> = counts.to_vec().unwrap().into_iter().step_by(2).collect();
        assert!(counts.into_iter().eq(groups.iter().map(|group| group.len() as u32)));
    });
}

#[test]
fn wrong_calls_are_refused() {
    each_queue(|queue| {
        let add = |a: Val<u32>, b: Val<u32>| a + b;
        let (x, short) = (vector(queue, &[1_u32, 1, 0]), vector(queue, &[1_u32]));
        let mut sums = vector(queue, &[0_u32; 2]);
        let error = reduce_by_index(&x, &short, 0, add, &mut sums);
        assert!(matches!(error, Err(Error::LengthMismatch { .. })));
        let error = reduce_by_index(1_u32, 1_u32, 0, add, &mut sums);
        assert!(matches!(error, Err(Error::InvalidInput { .. })));
        let foreign = Queue::on(queue.context().device()).unwrap();
        let error = reduce_by_index(&vector(&foreign, &[1_u32, 1, 0]), &x, 0, add, &mut sums);
        assert!(matches!(error, Err(Error::ForeignObject { .. })));
        assert_eq!(sums.to_vec().unwrap(), [0, 0], "nothing was enqueued");
        reduce_by_index(&x, &x, 0, add, Discard).unwrap();
        let mut none = vector(queue, &[] as &[u32]);
        reduce_by_index(&x, &x, 0, add, &mut none).unwrap();
        let wanted = vector(queue, &[0_u32, 1]);
        reduce_by_index_at(&x, &x, 2, Some(0), add, &wanted, sums.slice_mut(..1)).unwrap();
        assert!(matches!(sums.to_vec(), Err(Error::IndexOutOfRange { .. })), "two results in one element");
        reduce_by_index_at(&x, &x, 2, Some(0), add, &wanted, &mut sums).unwrap();
        assert_eq!(sums.to_vec().unwrap(), [0, 2]);
    });
}

/// Compares searches in a sequence with the host's.
fn search<T: SortKey + Ordered + PartialEq>(
    queue: &Queue,
    sorted: &[T],
    needles: &[T],
    before: impl Fn(&T, &T) -> bool,
) {
    let (x, n) = (vector(queue, sorted), vector(queue, needles));
    let lower: Vec<u32> = needles.iter().map(|n| sorted.partition_point(|x| before(x, n)) as u32).collect();
    let upper: Vec<u32> = needles.iter().map(|n| sorted.partition_point(|x| !before(n, x)) as u32).collect();
    let [mut a, mut b, mut c, mut d] = [(); 4].map(|()| vector(queue, &vec![7_u32; needles.len()]));
    lower_bounds(&x, &n, &mut a).unwrap();
    upper_bounds(&x, &n, &mut b).unwrap();
    equal_ranges(&x, &n, (&mut c, &mut d)).unwrap();
    assert!(a.to_vec().unwrap() == lower && b.to_vec().unwrap() == upper, "{:?}", T::TYPE);
    assert!(c.to_vec().unwrap() == lower && d.to_vec().unwrap() == upper, "{:?}", T::TYPE);
}

/// Tests sequences that are long enough for buckets, of any distribution.
#[test]
fn searches_in_buckets_are_those_of_the_host() {
    each_queue(|queue| {
        let len = 9001;
        let sorted = |mut values: Vec<u64>| {
            values.sort_unstable();
            values
        };
        let random = || (0..len).map(noise);
        for values in [
            sorted(random().map(|x| x << 11).collect()),
            // Dense, with duplicates; one value; two values at the ends; nearly all in one bucket.
            sorted(random().map(|x| x % 5000).collect()),
            vec![5; len],
            sorted(random().map(|x| if x % 2 == 0 { 0 } else { u64::MAX }).collect()),
            sorted(random().map(|x| if x % 1000 == 0 { x << 11 } else { x % 9000 }).collect()),
            sorted(random().map(|x| x >> (x % 50)).collect()),
        ] {
            let needles: Vec<u64> = (0..5000)
                .map(|i| match i % 4 {
                    0 => noise(i) << 11,
                    1 => values[noise(i) as usize % len],
                    2 => values[noise(i) as usize % len].wrapping_add(1),
                    _ => [0, 1, u64::MAX][i % 3],
                })
                .collect();
            search(queue, &values, &needles, |a, b| a < b);
            let as_signed = |x: &u64| (x ^ 1 << 63) as i64;
            let (signed, wanted): (Vec<i64>, Vec<i64>) =
                (values.iter().map(as_signed).collect(), needles.iter().map(as_signed).collect());
            search(queue, &signed, &wanted, |a, b| a < b);
            let mut narrow: Vec<i8> = values.iter().map(|x| (x >> 7) as i8).collect();
            narrow.sort_unstable();
            let wanted: Vec<i8> = needles.iter().map(|x| *x as i8).collect();
            search(queue, &narrow, &wanted, |a, b| a < b);
            // All bits, NaN included, in the total order.
            let mut floats: Vec<f32> = values.iter().map(|x| f32::from_bits((x >> 31) as u32)).collect();
            floats.sort_unstable_by(f32::total_cmp);
            let wanted: Vec<f32> = needles.iter().map(|x| f32::from_bits((x >> 31) as u32)).collect();
            search(queue, &floats, &wanted, |a, b| a.total_cmp(b).is_lt());
        }
        let truths: Vec<bool> = (0..len).map(|i| i > 1234).collect();
        search(queue, &truths, &[true, false].repeat(2500), |a, b| a < b);
    });
}

/// Checks that an unsorted sequence gives positions in the sequence, and nothing worse.
#[test]
fn searches_in_what_is_unsorted_stay_inside() {
    each_queue(|queue| {
        let len = 8192;
        let x = DeviceVec::from_fn(queue, len, |i| noise(i) as u32).unwrap();
        let mut places = vector(queue, &vec![0_u32; len]);
        upper_bounds(&x, &x, &mut places).unwrap();
        let once = places.to_vec().unwrap();
        assert!(once.iter().all(|&place| place as usize <= len));
        upper_bounds(&x, &x, &mut places).unwrap();
        assert_eq!(places.to_vec().unwrap(), once);
    });
}

/// Few keys anywhere in tables of several work-items; too many keys; keys with the same slot; and codes that are too small.
#[test]
fn codes_are_positions_among_the_distinct_keys() {
    each_queue(|queue| {
        let chunked = profile(queue.context()).unwrap().chunked;
        let len = 5000;
        let random = |i: u64| (i ^ (i >> 3)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for (distinct, fits) in [(1, true), (3, true), (400, true), (2000, false)] {
            let keys: Vec<u64> = (0..len).map(|i| random(random(i) % distinct)).collect();
            let least = keys.iter().min().copied().unwrap();
            let keys: Vec<u64> = keys.into_iter().map(|key| key - least).collect();
            let mut expected = keys.clone();
            expected.sort_unstable();
            expected.dedup();
            let x = DeviceVec::from_slice(queue, &keys).unwrap();
            let found = encode_few::<u64, u16>(&x.iter(), queue, 10).unwrap();
            assert_eq!(found.is_some(), chunked && fits, "{distinct} keys");
            let Some((distinct, codes)) = found else { continue };
            assert_eq!(distinct.to_vec().unwrap(), expected);
            let codes_of = keys.iter().map(|key| expected.binary_search(key).unwrap() as u16);
            assert_eq!(codes.to_vec().unwrap(), codes_of.collect::<Vec<_>>());
        }
        // As `slot_of` of `kernels/dictionary.cl`.
        let slot_of = |key: u64| {
            let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 54
        };
        let same: Vec<u64> = (0..1 << 19).filter(|&key| slot_of(key) == 5).take(300).collect();
        let keys: Vec<u64> =
            (0..len).map(|i| if i == 0 { 0 } else { same[random(i) as usize % 300] }).collect();
        let x = DeviceVec::from_slice(queue, &keys).unwrap();
        assert!(encode_few::<u64, u32>(&x.iter(), queue, 10).unwrap().is_none(), "too many steps");
        let wrong = encode_few::<u64, u16>(&x.iter(), queue, 16);
        assert!(matches!(wrong, Err(Error::InvalidInput { .. })));
    });
}
