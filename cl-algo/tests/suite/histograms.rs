//! Histograms compared with the host, in both shapes.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::prelude::*;
use cl_algo::stl::{histogram, histogram_even};
use cl_core::Error;

/// Returns lengths around packs, tiles and chunks.
fn lengths() -> Vec<usize> {
    cl_test::full_or_small(
        vec![0, 1, 2, 15, 257, 4096, 16_385, 65_537, 300_007],
        vec![0, 1, 2, 15, 257, 4096, 16_385],
    )
}

fn noise(i: usize) -> u64 {
    let x = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11
}

fn counted(bins: usize, values: impl Iterator<Item = Option<usize>>) -> Vec<u32> {
    let mut counts = vec![0; bins];
    values.flatten().filter(|&bin| bin < bins).for_each(|bin| counts[bin] += 1);
    counts
}

fn vector<T: Element>(queue: &Queue, values: &[T]) -> DeviceVec<T> {
    DeviceVec::from_slice(queue, values).unwrap()
}

#[test]
fn values_are_bins() {
    each_queue(|queue| {
        for len in lengths() {
            let bytes: Vec<u8> = (0..len).map(|i| noise(i) as u8).collect();
            let x = vector(queue, &bytes);
            // Few bins, all bins, and more than fit into local memory, most of them empty.
            for bins in [1, 3, 63, 64, 65, 256, 4096, 4097, 20_000] {
                let mut counts = vector(queue, &vec![7_u32; bins]);
                histogram(&x, &mut counts).unwrap();
                let expected = counted(bins, bytes.iter().map(|&x| Some(x.into())));
                assert!(counts.to_vec().unwrap() == expected, "{len} in {bins}");
            }
            // Values in all bins, negative and too large ones; 64-bit values whose lower 32 bits are small.
            let wide: Vec<i64> =
                (0..len).map(|i| [noise(i) as i64 % 30_000 - 5000, 1 << 32, -1][i % 3]).collect();
            let x = vector(queue, &wide);
            for bins in [100, 4097, 20_000] {
                let mut counts = vector(queue, &vec![7_u64; bins + 2]);
                histogram(&x, counts.slice_mut(1..=bins)).unwrap();
                let counts = counts.to_vec().unwrap();
                let expected = counted(bins, wide.iter().map(|&x| usize::try_from(x).ok()));
                assert!(
                    counts[1..=bins].iter().copied().eq(expected.into_iter().map(u64::from)),
                    "{len} {bins}"
                );
                assert_eq!((counts[0], counts[bins + 1]), (7, 7));
            }
        }
    });
}

/// Tests integers of 8 and 16 bits, which some devices count without widening them.
#[test]
fn small_integers_are_not_taken_for_others() {
    each_queue(|queue| {
        let len = 70_001;
        let x: Vec<i8> = (0..len).map(|i| noise(i) as i8).collect();
        let y: Vec<u16> = (0..len).map(|i| noise(i) as u16 % 400).collect();
        let (signed, wide) = (vector(queue, &x), vector(queue, &y));
        for bins in [100, 128, 256, 300] {
            let mut counts = vector(queue, &vec![7_u32; bins]);
            histogram(&signed, &mut counts).unwrap();
            let expected = counted(bins, x.iter().map(|&x| usize::try_from(x).ok()));
            assert!(counts.to_vec().unwrap() == expected, "i8 in {bins}");
            histogram(&wide, &mut counts).unwrap();
            let expected = counted(bins, y.iter().map(|&y| Some(y.into())));
            assert!(counts.to_vec().unwrap() == expected, "u16 in {bins}");
        }
    });
}

#[test]
fn one_bin_gets_all() {
    each_queue(|queue| {
        for bins in [10, 5000] {
            let len = cl_test::full_or_small(1_000_003, 33_003);
            let x = DeviceVec::filled(queue, 3_u16, len as usize).unwrap();
            let mut counts = vector(queue, &vec![0_u32; bins]);
            histogram(&x, &mut counts).unwrap();
            let counts = counts.to_vec().unwrap();
            assert_eq!((counts[3], counts.iter().sum::<u32>()), (len, len));
        }
    });
}

/// Tests runs of equal values, mostly of the same value, with rare other values between them: packs of equal items,
/// packs with only their ends equal, and packs in no bin, in tiles after those of the same work-items.
#[test]
fn runs_are_counted_item_by_item() {
    each_queue(|queue| {
        // Two tiles of 32 KiB for each of four work-groups of a compute unit.
        let units = queue.device().compute_units().unwrap() as usize;
        let len = 8 * (32 << 10) * units.min(256) + 5;
        for (run, rare) in
            [(1, usize::MAX), (16, usize::MAX), (16, 16), (64, 97), (1000, 5), (1000, 97), (5000, 1009)]
        {
            let of_run = |run| if noise(run) % 8 < 6 { 3 } else { noise(run) as u8 % 7 };
            let value = |i: usize| if i % rare == rare - 2 { 1 } else { of_run(i / run) };
            let bytes: Vec<u8> = (0..len).map(value).collect();
            let words: Vec<i32> = bytes.iter().map(|&x| i32::from(x) - 1).collect();
            let (x, y) = (vector(queue, &bytes), vector(queue, &words));
            for bins in [5, 5000] {
                let mut counts = vector(queue, &vec![7_u32; bins]);
                histogram(&x, &mut counts).unwrap();
                let expected = counted(bins, bytes.iter().map(|&x| Some(x.into())));
                assert!(counts.to_vec().unwrap() == expected, "bytes in runs of {run} in {bins}");
                histogram(&y, &mut counts).unwrap();
                let expected = counted(bins, words.iter().map(|&x| usize::try_from(x).ok()));
                assert!(counts.to_vec().unwrap() == expected, "words in runs of {run} in {bins}");
            }
        }
    });
}

#[test]
fn even_bins_of_integers_are_exact() {
    each_queue(|queue| {
        for len in lengths() {
            let host: Vec<i32> = (0..len)
                .map(|i| [i32::MIN, i32::MAX, noise(i) as i32 % 200, noise(i) as i32][i % 4])
                .collect();
            let x = vector(queue, &host);
            let all = i64::from(i32::MIN)..i64::from(i32::MAX) + 1;
            for (range, bins) in [
                (-100..100_i64, 7),
                (0..256, 256),
                (-128..128, 16),
                (all, 3),
                (0..1, 1),
                (-1 << 40..1 << 40, 1000),
            ] {
                let mut counts = vector(queue, &vec![7_u32; bins]);
                histogram_even(&x, range.clone(), &mut counts).unwrap();
                let bin = |x: &i32| {
                    let from = i128::from(*x) - i128::from(range.start);
                    let width = i128::from(range.end) - i128::from(range.start);
                    range.contains(&i64::from(*x)).then(|| (from * bins as i128 / width) as usize)
                };
                assert!(
                    counts.to_vec().unwrap() == counted(bins, host.iter().map(bin)),
                    "{len} {range:?} {bins}"
                );
            }
            let bytes: Vec<u8> = (0..len).map(|i| noise(i) as u8).collect();
            let mut counts = vector(queue, &[0_u32; 256]);
            histogram_even(vector(queue, &bytes), 0..256, &mut counts).unwrap();
            assert!(counts.to_vec().unwrap() == counted(256, bytes.iter().map(|&x| Some(x.into()))));
            let wide: Vec<u64> = (0..len).map(|i| u64::MAX - noise(i) % 1000).collect();
            let range = i128::from(u64::MAX) - 499..i128::from(u64::MAX) + 1;
            let mut counts = vector(queue, &[0_u32; 3]);
            histogram_even(vector(queue, &wide), range, &mut counts).unwrap();
            let bin = |x: &u64| (u64::MAX - x < 500).then(|| ((499 - (u64::MAX - x)) * 3 / 500) as usize);
            assert!(counts.to_vec().unwrap() == counted(3, wide.iter().map(bin)));
        }
    });
}

/// Tests bins over all 64-bit numbers, of which there are more than 64 bits can count.
#[test]
fn even_bins_of_all_64_bits() {
    each_queue(|queue| {
        let unsigned: Vec<u64> = (0..5000)
            .map(|i| [0, 1, u64::MAX, 1 << 63, (1 << 63) - 1, noise(i) << 11, noise(i)][i % 7])
            .collect();
        let signed: Vec<i64> = unsigned.iter().map(|&x| (x ^ 1 << 63) as i64).collect();
        let (x, y) = (vector(queue, &unsigned), vector(queue, &signed));
        for log2 in [0, 1, 2, 8, 13] {
            let bin = |x: &u64| Some(x.checked_shr(64 - log2).unwrap_or(0) as usize);
            let expected = counted(1 << log2, unsigned.iter().map(bin));
            let mut counts = vector(queue, &vec![7_u32; 1 << log2]);
            histogram_even(&x, 0..1 << 64, &mut counts).unwrap();
            assert!(counts.to_vec().unwrap() == expected, "{log2}");
            counts.assign(7).unwrap();
            let all = i128::from(i64::MIN)..i128::from(i64::MAX) + 1;
            histogram_even(&y, all, &mut counts).unwrap();
            assert!(counts.to_vec().unwrap() == expected, "signed, {log2}");
        }
    });
}

/// Checks the ends of a range: they may be any numbers, even if their difference is not a number of their type.
#[test]
fn ranges_without_bounds_are_refused() {
    each_queue(|queue| {
        let (x, y) = (vector(queue, &[1_i64, -1]), vector(queue, &[1_u64, 2]));
        let mut counts = vector(queue, &[5_u32; 4]);
        let whole = i128::from(u64::MAX) + 1;
        for range in [
            0..i128::MAX,
            i128::MIN..-1,
            i128::MIN..i128::MAX,
            i128::MAX - 4..i128::MAX,
            i128::MIN..i128::MIN + 4,
            -whole..0,
            -whole..whole,
            1..whole + 1,
        ] {
            for result in [
                histogram_even(&x, range.clone(), &mut counts),
                histogram_even(&y, range.clone(), &mut counts),
            ] {
                let Err(Error::InvalidInput { reason, .. }) = result else {
                    panic!("{range:?}: {result:?}");
                };
                assert!(reason.contains("64-bit"), "{range:?}: {reason}");
            }
        }
        let mut three = vector(queue, &[5_u32; 3]);
        assert!(histogram_even(&y, 0..whole, &mut three).is_err(), "no whole number of values a bin");
        assert!(histogram_even(&x, 0..whole, &mut counts).is_err(), "beyond the type");
        assert_eq!(counts.to_vec().unwrap(), [5; 4]);
        let bytes = vector(queue, &[1_u8]);
        assert!(histogram_even(&bytes, i64::MIN..i64::MAX, &mut counts).is_err());
    });
}

#[test]
fn counts_wrap_in_their_type() {
    each_queue(|queue| {
        let x = DeviceVec::filled(queue, 1_u8, 300).unwrap();
        let mut counts = vector(queue, &[7_u8; 2]);
        histogram(&x, &mut counts).unwrap();
        assert_eq!(counts.to_vec().unwrap(), [0, 300_u32 as u8]);
    });
}

#[test]
fn even_bins_of_floats() {
    each_queue(|queue| {
        for len in lengths() {
            let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1.0, 0.999_999_94, -1e-30];
            let value =
                |i: usize| if i % 9 < 7 { special[i % 9] } else { (noise(i) % 1000) as f32 / 500.0 - 0.5 };
            let host: Vec<f32> = (0..len).map(value).collect();
            for bins in [1, 10, 5000] {
                let mut counts = vector(queue, &vec![7_u32; bins]);
                histogram_even(vector(queue, &host), 0.0..1.0, &mut counts).unwrap();
                let scale = bins as f32;
                let bin = |x: &f32| (0.0..1.0).contains(x).then(|| ((x * scale) as usize).min(bins - 1));
                assert!(counts.to_vec().unwrap() == counted(bins, host.iter().map(bin)), "{len} {bins}");
            }
        }
    });
}

#[test]
fn expressions_and_repetitions() {
    each_queue(|queue| {
        let (times, len) = cl_test::full_or_small((100, 100_000), (2, 10_000));
        let x = DeviceVec::from_fn(queue, len, |i| noise(i) as u32).unwrap();
        let count = || {
            let mut counts = vector(queue, &[0_u32; 100]);
            histogram((&x % 1000) / 10, counts.view_mut().rev()).unwrap();
            counts.to_vec().unwrap()
        };
        let mut expected = counted(100, (0..len).map(|i| Some(noise(i) as u32 as usize % 1000 / 10)));
        expected.reverse();
        assert!((0..times).all(|_| count() == expected));
    });
}

/// Tests indices so large that they need 64 bits.
#[test]
fn indices_of_64_bits() {
    each_queue(|queue| {
        let far = || iota(0_u64, 1 << 34).slice(1 << 33..(1 << 33) + 70_000);
        for bins in [9, 5000] {
            let mut counts = DeviceVec::filled(queue, 0_u32, bins).unwrap();
            histogram(far() % 9, &mut counts).unwrap();
            let expected = counted(bins, (0..70_000).map(|i| Some((i + (1 << 33)) % 9)));
            assert_eq!(counts.to_vec().unwrap(), expected);
        }
    });
}

#[test]
fn mistakes_are_refused() {
    each_queue(|queue| {
        let x = vector(queue, &[1_i32, 2, 3]);
        let mut counts = vector(queue, &[5_u32; 3]);
        let is_refused = |result: cl_core::Result<()>| {
            assert!(matches!(result.unwrap_err(), Error::InvalidInput { .. }));
        };
        is_refused(histogram(7, &mut counts));
        is_refused(histogram_even(&x, 4..4, &mut counts));
        is_refused(histogram_even(vector(queue, &[1.0_f32]), 0.0..f32::INFINITY, &mut counts));
        is_refused(histogram_even(vector(queue, &[1.0_f32]), f32::NAN..1.0, &mut counts));
        is_refused(histogram_even(vector(queue, &[1_i64]), 0..1 << 63, &mut counts));
        is_refused(histogram(x.slice(2..9), &mut counts));
        let reason = |result: cl_core::Result<()>| result.unwrap_err().to_string();
        let error = reason(histogram(&x, counts.scatter_mut(iota(0_u64, u32::MAX as usize))));
        assert!(error.contains("4294967295 elements, and a histogram at most 4294967294 bins"), "{error}");
        let error = reason(histogram(&x, counts.scatter_mut(index::<u64>())));
        assert!(error.contains("no length"), "{error}");
        let mut many = vector(queue, &vec![0_u32; 4096]);
        let error = reason(histogram_even(vector(queue, &[1.0_f32]), 0.0..1e-38, &mut many));
        assert!(error.contains("too narrow: 4096 bins"), "{error}");
        assert_eq!(counts.to_vec().unwrap(), [5; 3]);
        let mut none = vector::<u32>(queue, &[]);
        histogram(&x, &mut none).unwrap();
    });
}

#[test]
fn more_than_two_to_the_24() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let len = cl_test::full_or_small((1 << 24) + 3, (1 << 16) + 3);
        let x = DeviceVec::filled(&queue, 1_u8, len).unwrap();
        for bins in [2, 5000] {
            let mut counts = vector(&queue, &vec![0_u64; bins]);
            histogram(&x, &mut counts).unwrap();
            let expected = (0..bins).map(|i| if i == 1 { len as u64 } else { 0 });
            assert!(counts.to_vec().unwrap().into_iter().eq(expected));
        }
    });
}
