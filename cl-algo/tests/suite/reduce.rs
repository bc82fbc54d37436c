//! Reductions compared with the host, in both shapes of kernels.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::F32x3;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_algo::reducers::{CountIf, Max, MaxElement, Min, MinElement, Norm, Product, Reducer, Sum, Values};
use cl_algo::stl::{
    all_of, any_of, count, count_if, inner_product, none_of, reduce, reduce_on_device, transform_reduce,
};
use cl_test::each_device;

/// Returns lengths around packs, work-groups, tiles and the first lengths with several work-groups.
fn lengths() -> Vec<usize> {
    cl_test::full_or_small(
        vec![1, 2, 3, 15, 16, 17, 127, 128, 129, 255, 257, 1023, 1025, 4097, 33_001, (1 << 16) + 1],
        vec![1, 2, 17, 129, 1025, 4097, 9001],
    )
}

/// Returns random bits, equal in every run (Steele, Lea, Flood: SplitMix64).
fn random(index: usize) -> u64 {
    let mut z = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Composes x -> a x + b, and then x -> c x + d.
fn compose((a, b): (u32, u32), (c, d): (u32, u32)) -> (u32, u32) {
    (a.wrapping_mul(c), b.wrapping_mul(c).wrapping_add(d))
}

#[test]
fn operators_that_do_not_commute_keep_the_order() {
    each_queue(|queue| {
        for len in lengths().into_iter().chain([cl_test::full_or_small(1_000_003, 33_003)]) {
            let a: Vec<u32> = (0..len).map(|i| random(i) as u32 | 1).collect();
            let b: Vec<u32> = (0..len).map(|i| (random(i) >> 32) as u32).collect();
            let expected = a.iter().copied().zip(b.iter().copied()).fold((3, 5), compose);
            let (x, y) =
                (DeviceVec::from_slice(queue, &a).unwrap(), DeviceVec::from_slice(queue, &b).unwrap());
            let got = reduce(zip((&x, &y)), (3, 5), |(a, b), (c, d)| (a * c, b * c + d)).unwrap();
            assert_eq!(got, expected, "{len}");
            // The operators keep one side, so the results are the last and the first element.
            assert_eq!(reduce(&x, 7, |_, b| b).unwrap(), a[len - 1], "{len}");
            assert_eq!(reduce(&x, 7, |a, _| a).unwrap(), 7, "{len}");
        }
    });
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Affine {
    factor: u64,
    offset: u64,
}

#[test]
fn structs_and_bytes_are_reduced_in_order() {
    each_queue(|queue| {
        for len in [1, 2, 300, 5000] {
            let host: Vec<Affine> =
                (0..len).map(|i| Affine { factor: random(i) | 1, offset: random(i + len) }).collect();
            let x = DeviceVec::from_slice(queue, &host).unwrap();
            let got = reduce(&x, Affine { factor: 1, offset: 0 }, |a, b| {
                Affine::val(a.factor() * b.factor(), a.offset() * b.factor() + b.offset())
            });
            let expected = host.iter().fold((1_u64, 0_u64), |(a, b), x| {
                (a.wrapping_mul(x.factor), b.wrapping_mul(x.factor).wrapping_add(x.offset))
            });
            let got = got.unwrap();
            assert_eq!((got.factor, got.offset), expected, "{len}");
            // `bool`s and bytes, whose packs are masks and wide vectors.
            let truths: Vec<bool> = (0..len).map(|i| random(i) & 1 == 1).collect();
            let t = DeviceVec::from_slice(queue, &truths).unwrap();
            let parity = reduce(&t, false, |a, b| a ^ b).unwrap();
            assert_eq!(parity, truths.iter().fold(false, |a, b| a ^ b), "{len}");
            let last = reduce(zip((&t, index::<u8>())), (false, 0), |_, b| b).unwrap();
            assert_eq!(last, (truths[len - 1], (len - 1) as u8));
        }
    });
}

#[test]
fn products_and_inner_products() {
    each_queue(|queue| {
        for len in lengths() {
            let host: Vec<u32> = (0..len).map(|i| random(i) as u32 | 1).collect();
            let x = DeviceVec::from_slice(queue, &host).unwrap();
            let product = host.iter().fold(1_u32, |a, &b| a.wrapping_mul(b));
            assert_eq!(x.iter().product().unwrap(), product, "{len}");
            let squares = host.iter().fold(9_u32, |sum, &x| sum.wrapping_add(x.wrapping_mul(x)));
            assert_eq!(inner_product(&x, &x, 9).unwrap(), squares, "{len}");
            let triples = host.iter().fold(1_u32, |sum, &x| sum.wrapping_add(x.wrapping_mul(3)));
            assert_eq!(transform_reduce(&x, 1, |a, b| a + b, |x| x * 3).unwrap(), triples, "{len}");
        }
    });
}

#[test]
fn counts_and_truths() {
    each_queue(|queue| {
        for len in lengths() {
            let host: Vec<u32> = (0..len).map(|i| random(i) as u32 % 4).collect();
            let x = DeviceVec::from_slice(queue, &host).unwrap();
            let ones = host.iter().filter(|&&x| x == 1).count();
            assert_eq!(count(&x, 1).unwrap(), ones, "{len}");
            assert_eq!(count_if(&x, |x| x.gt(1)).unwrap(), host.iter().filter(|&&x| x > 1).count());
            assert_eq!(x.iter().eq(1).count_on_device().unwrap().get().unwrap(), ones as u64);
            assert_eq!(any_of(&x, |x| x.eq(3)).unwrap(), host.contains(&3));
            assert_eq!(none_of(&x, |x| x.eq(3)).unwrap(), !host.contains(&3));
            assert!(all_of(&x, |x| x.lt(4)).unwrap());
            // One different item, at any index.
            for at in [0, len / 2, len - 1] {
                let all_but_one = index::<u64>().take(len).ne(at as u64);
                let all_but_one = all_but_one & x.iter().lt(4);
                assert!(!all_but_one.clone().all().unwrap(), "{at} of {len}");
                assert_eq!(all_but_one.count().unwrap(), len - 1);
            }
        }
    });
}

/// Returns the extreme of host floats and its index, by the rule: NaN only if all are NaN, and the first of equal ones.
fn extreme(host: &[f32], better: fn(f32, f32) -> bool) -> (usize, f32) {
    let mut best = (0, host[0]);
    for (i, &x) in host.iter().enumerate() {
        if better(x, best.1) || (best.1.is_nan() && !x.is_nan()) {
            best = (i, x);
        }
    }
    best
}

#[test]
fn extremes_and_their_first_positions() {
    each_queue(|queue| {
        for len in lengths() {
            for (nans, values) in [(0, 5), (3, 100), (1, 100_000)] {
                // Many equal values; one value of `nans` is NaN.
                let host: Vec<f32> = (0..len)
                    .map(|i| match random(i) {
                        bits if nans > 0 && bits % nans == 0 && i != len / 2 => f32::NAN,
                        bits => ((bits >> 20) % values) as f32 - 2.0,
                    })
                    .collect();
                let x = DeviceVec::from_slice(queue, &host).unwrap();
                let (least, most) = (extreme(&host, |a, b| a < b), extreme(&host, |a, b| a > b));
                assert_eq!(x.iter().min_element().unwrap(), Some(least), "{len}");
                assert_eq!(x.iter().max_element().unwrap(), Some(most), "{len}");
                assert_eq!(x.iter().minmax_element().unwrap(), Some((least, most)), "{len}");
                assert_eq!(x.iter().reduce_min().unwrap(), Some(least.1), "{len}");
                assert_eq!(x.iter().reduce_max().unwrap(), Some(most.1), "{len}");
                assert_eq!(x.iter().reduce_minmax().unwrap(), Some((least.1, most.1)), "{len}");
            }
            // Only NaN: the first is found.
            let x = DeviceVec::filled(queue, f32::NAN, len).unwrap();
            let (at, value) = x.iter().max_element().unwrap().unwrap();
            assert!(at == 0 && value.is_nan(), "{at} {value}");
            assert!(x.iter().reduce_min().unwrap().unwrap().is_nan());
        }
    });
}

#[test]
fn extremes_of_integers_infinities_and_zeros() {
    each_queue(|queue| {
        let x = DeviceVec::from_slice(queue, &[i32::MIN, 0, i32::MAX, i32::MIN]).unwrap();
        assert_eq!(x.iter().minmax_element().unwrap(), Some(((0, i32::MIN), (2, i32::MAX))));
        let x = DeviceVec::from_slice(queue, &[u64::MAX, 0, u64::MAX - 1]).unwrap();
        assert_eq!(x.iter().reduce_minmax().unwrap(), Some((0, u64::MAX)));
        let x = DeviceVec::from_slice(queue, &[f32::INFINITY, -f32::INFINITY, f32::NAN]).unwrap();
        assert_eq!(x.iter().reduce_minmax().unwrap(), Some((-f32::INFINITY, f32::INFINITY)));
        // Zeros of both signs are equal: the first is found.
        let x = DeviceVec::from_slice(queue, &[0.0_f32, -0.0]).unwrap();
        let (at, zero) = x.iter().min_element().unwrap().unwrap();
        assert!(at == 0 && zero.is_sign_positive());
        let (at, zero) = x.iter().rev().min_element().unwrap().unwrap();
        assert!(at == 0 && zero.is_sign_negative());
        let none = x.slice(..0);
        assert_eq!(none.clone().reduce_min().unwrap(), None);
        assert_eq!(none.clone().max_element().unwrap(), None);
        assert_eq!(none.minmax_element().unwrap(), None);
    });
}

#[test]
fn several_reductions_in_one_pass() {
    each_queue(|queue| {
        for len in lengths() {
            let host: Vec<i32> = (0..len).map(|i| random(i) as i32).collect();
            let x = DeviceVec::from_slice(queue, &host).unwrap();
            let positive = CountIf(|x: Val<i32>| x.gt(0));
            let all = x.iter().reduce_with((Sum, Min, Max, positive, MaxElement::<u64>::new(), Product));
            let most = (0..len).rev().max_by_key(|&i| host[i]).unwrap();
            let expected = (
                host.iter().fold(0_i32, |a, &b| a.wrapping_add(b)),
                *host.iter().min().unwrap(),
                *host.iter().max().unwrap(),
                host.iter().filter(|&&x| x > 0).count() as u64,
                (most as u64, host[most]),
                host.iter().fold(1_i32, |a, &b| a.wrapping_mul(b)),
            );
            assert_eq!(all.unwrap(), Some(expected), "{len}");
        }
        assert_eq!(
            iota(0, 9).skip(9).zip(DeviceVec::filled(queue, 0, 0).unwrap()).reduce_with(First).unwrap(),
            None
        );
    });
}

/// A reduction to the index of the first item and the sum of indices, for which the order matters.
struct First;

impl Reducer<(i32, i32)> for First {
    type State = (u64, u64);
    type Output = (u64, u64);

    fn start(&self, _: (Val<i32>, Val<i32>), index: Val<u64>) -> Values<(u64, u64)> {
        (index, index)
    }

    fn combine(&self, a: Values<(u64, u64)>, b: Values<(u64, u64)>) -> Values<(u64, u64)> {
        (a.0, a.1 + b.1)
    }

    fn finish(&self, state: Values<(u64, u64)>, len: Val<u64>) -> Values<(u64, u64)> {
        (state.0, state.1 * 2 + len)
    }

    fn commutes(&self) -> bool {
        false
    }
}

#[test]
fn reducers_of_ones_own_see_index_length_and_order() {
    each_queue(|queue| {
        for len in lengths() {
            let x = DeviceVec::filled(queue, 1, len).unwrap();
            let n = len as u64;
            assert_eq!(zip((&x, &x)).reduce_with((First, First)).unwrap(), Some(((0, n * n), (0, n * n))));
        }
    });
}

#[test]
fn sums_of_a_tuple_are_accurate_and_show_infinities() {
    each_queue(|queue| {
        let len = cl_test::full_or_small(1_000_003, 33_003);
        let x = DeviceVec::filled(queue, 0.1_f32, len as usize).unwrap();
        let (sum, count) = x.iter().reduce_with((Sum, CountIf(|x: Val<f32>| x.gt(0.0)))).unwrap().unwrap();
        assert_eq!(count, len);
        let expected = f64::from(0.1_f32) * len as f64;
        assert!((f64::from(sum) / expected - 1.0).abs() < 1.2e-7, "{sum} instead of {expected}");
        let x = DeviceVec::from_slice(queue, &[1.0, f32::INFINITY, 1.0]).unwrap();
        assert_eq!(x.iter().reduce_with((Sum, Min)).unwrap(), Some((f32::INFINITY, 1.0)));
        let x = DeviceVec::from_slice(queue, &[F32x3::from([1.0, 2.0, 3.0]); 1000]).unwrap();
        let sum = x.iter().reduce_with((Sum, Product)).unwrap().unwrap().0;
        assert_eq!(sum, F32x3::from([1000.0, 2000.0, 3000.0]));
    });
}

#[test]
fn means_and_variances_far_from_zero() {
    each_queue(|queue| {
        for len in lengths() {
            // Around 10000, where the squares of floats are too coarse for the differences.
            let host: Vec<f32> = (0..len).map(|i| 10_000.0 + (random(i) % 9) as f32 * 0.25).collect();
            let x = DeviceVec::from_slice(queue, &host).unwrap();
            let n = len as f64;
            let mean = host.iter().map(|&x| f64::from(x)).sum::<f64>() / n;
            let squares = host.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>();
            let (got_mean, variance) = x.iter().mean_and_variance().unwrap().unwrap();
            assert!((f64::from(got_mean) / mean - 1.0).abs() < 1e-6, "{len}: {got_mean}, not {mean}");
            assert!((f64::from(x.iter().mean().unwrap().unwrap()) / mean - 1.0).abs() < 1e-7, "{len}");
            let near = |got: f32, expected: f64| (f64::from(got) - expected).abs() <= 2e-3 * expected;
            assert!(near(variance, squares / n), "{len}: {variance} instead of {}", squares / n);
            let sample = x.iter().sample_variance().unwrap();
            assert_eq!(sample.is_none(), len == 1);
            assert!(sample.is_none_or(|got| near(got, squares / (n - 1.0))), "{len}: {sample:?}");
        }
        let none = DeviceVec::from_slice(queue, &[] as &[f32]).unwrap();
        assert_eq!((none.iter().mean().unwrap(), none.iter().variance().unwrap()), (None, None));
        assert_eq!(none.iter().sample_variance().unwrap(), None);
    });
}

#[test]
fn every_run_gives_the_same_bits() {
    each_queue(|queue| {
        let x = DeviceVec::from_fn(queue, 300_007, |i| (random(i) >> 40) as f32 / 1e5 - 50.0).unwrap();
        let run = || {
            let (mean, variance) = x.iter().mean_and_variance().unwrap().unwrap();
            let sum = reduce(&x, 0.0, |a, b| a + b).unwrap();
            let product = (&x * 0.02).product().unwrap();
            let total = x.iter().reduce_with((Sum, Max)).unwrap().unwrap().0;
            [mean, variance, sum, product, total, x.sum().unwrap()].map(f32::to_bits)
        };
        let first = run();
        for _ in 0..100 {
            assert_eq!(run(), first);
        }
    });
}

#[test]
fn results_stay_on_the_device() {
    each_queue(|queue| {
        for len in [1, 5, 1000] {
            let host: Vec<i32> = (0..len).map(|i| i % 7 - 3).collect();
            let x = DeviceVec::from_slice(queue, &host).unwrap();
            let sum = x.iter().sum_on_device().unwrap();
            let (least, most) = x.iter().reduce_with_on_device((Min, Max)).unwrap().unwrap();
            let got = ((&x + &sum) * (&most - &least)).collect().unwrap().to_vec().unwrap();
            let total: i32 = host.iter().sum();
            let (low, high) = (*host.iter().min().unwrap(), *host.iter().max().unwrap());
            let range = high - low;
            assert_eq!(got, host.iter().map(|x| (x + total) * range).collect::<Vec<_>>());
            // In another reduction, shifted, and beside other scalars.
            let shifted = (x.iter().rev() * &sum + 2 * least.iter()).sum().unwrap();
            assert_eq!(shifted, total * total + 2 * len * low);
            let (a, b) = reduce_on_device((&x, &x), (0, 1), |(a, b), (c, d)| (a + c, b.max(d))).unwrap();
            assert_eq!((a.get().unwrap(), b.get().unwrap()), (total, high.max(1)));
        }
        let x = DeviceVec::from_slice(queue, &[F32x3::from([1.0, 2.0, 3.0]), F32x3::from([3.0, 2.0, 1.0])])
            .unwrap();
        let sum = x.iter().sum_on_device().unwrap();
        assert_eq!((&x - &sum).collect().unwrap().to_vec().unwrap()[0], F32x3::from([-3.0, -2.0, -1.0]));
        let none = x.slice(..0);
        assert_eq!(none.sum_on_device().unwrap().get().unwrap(), F32x3::splat(0.0));
        let (a, b) = reduce_on_device(
            index::<u8>().take(0).zip(DeviceVec::filled(queue, true, 0).unwrap()),
            (7, true),
            |_, b| b,
        )
        .unwrap();
        assert_eq!((a.get().unwrap(), b.get().unwrap()), (7, true));
    });
}

/// Reduces to so many minima and maxima that one compiler crashes on the tree.
#[test]
fn minima_and_maxima_of_pairs() {
    each_queue(|queue| {
        let on_host: Vec<i32> = (0..5003).map(|i| i * 7919 % 1009 - 500).collect();
        let x = DeviceVec::from_slice(queue, &on_host).unwrap();
        let widen = |(a, b): (Val<i32>, Val<i32>), (c, d): (Val<i32>, Val<i32>)| (a.min(c), b.max(d));
        let extremes = transform_reduce(&x, (0, 0), widen, |x| (x, x)).unwrap();
        assert_eq!(extremes, (-500, 508));
    });
}

/// An index of 32 bits counts 2^32 items: more are refused before anything is enqueued, also within a tuple.
#[test]
fn more_items_than_indices_are_refused() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let items = |len: usize| iota(0_u64, len).on(queue);
        let long = (1 << 32) + 5;
        let messages = [
            items(long).reduce_with(MaxElement::<u32>::new()).map(drop).unwrap_err(),
            items(long).reduce_with((Sum, (Max, MinElement::<u32>::new()))).map(drop).unwrap_err(),
            items((1 << 32) + 1).reduce_with_on_device(MinElement::<u32>::new()).map(drop).unwrap_err(),
        ]
        .map(|error| error.to_string());
        for message in messages {
            assert!(message.contains("at most 4294967296") && message.contains("u64"), "{message}");
        }
        assert_eq!(items(9).reduce_with(MaxElement::<u32>::new()).unwrap(), Some((8, 8)));
        assert_eq!(Reducer::<u64>::most_items(&MaxElement::<u32>::new()), 1 << 32);
        assert_eq!(Reducer::<u64>::most_items(&(Sum, MaxElement::<u64>::new())), u64::MAX);
    });
}

/// Returns the norm, by numbers divided by the largest one.
fn scaled_norm(numbers: &[f64]) -> f64 {
    let largest = numbers.iter().fold(0.0, |largest, x| f64::max(largest, x.abs()));
    if numbers.iter().any(|x| !x.is_finite()) || largest == 0.0 {
        return numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
    }
    numbers.iter().map(|x| (x / largest) * (x / largest)).sum::<f64>().sqrt() * largest
}

/// Returns numbers of all magnitudes between two powers of two, without a pattern.
fn of_all_sizes(len: usize, exponents: std::ops::Range<i32>) -> Vec<f64> {
    (0..len as u64)
        .map(|at| {
            let word = (at + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let exponent = exponents.start + (word >> 40) as i32 % exponents.len() as i32;
            (1.0 + (word >> 11 & 0xFFFF) as f64 / 65536.0)
                * 2.0_f64.powi(exponent)
                * [1.0, -1.0][at as usize % 2]
        })
        .collect()
}

#[test]
fn norms_are_those_of_scaled_numbers() {
    fn check<T: Element>(queue: &Queue, numbers: &[f64], item: impl Fn(f64) -> T, tolerance: f64, case: &str)
    where
        Norm: Reducer<T>,
        <Norm as Reducer<T>>::Output: Element + Into<f64>,
    {
        let items: Vec<T> = numbers.iter().map(|&x| item(x)).collect();
        let found: f64 = DeviceVec::from_slice(queue, &items).unwrap().iter().norm_l2().unwrap().into();
        let wanted = scaled_norm(numbers);
        let is_right = (found - wanted).abs() <= tolerance * wanted || found == wanted;
        assert!(is_right || (found.is_nan() && wanted.is_nan()), "{case}: {found} {wanted}");
    }
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let single = |x: f64| f64::from(x as f32);
        for (lowest, highest) in [(-124, -90), (-124, 0), (-20, 20), (-124, 118), (0, 118), (100, 118)] {
            let numbers: Vec<f64> = of_all_sizes(7001, lowest..highest).into_iter().map(single).collect();
            check(queue, &numbers, |x| x as f32, 1e-5, "f32");
            // Half of the squares are those of the real parts.
            check(queue, &numbers, |x| Complex::new(0.6 * x as f32, -0.8 * x as f32), 1e-5, "complex");
        }
        for numbers in
            [&[][..], &[0.0; 5], &[1.0, f64::INFINITY, 2.0], &[1.0, f64::NAN, 1e30], &[3e-30, 4e-30]]
        {
            check(queue, numbers, |x| x as f32, 1e-6, "few");
        }
        assert_eq!(DeviceVec::from_slice(queue, &[3e30_f32, 4e30]).unwrap().iter().norm_l2().unwrap(), 5e30);
        if cl_test::offers(device, "f64", device.has_fp64()) {
            for (lowest, highest) in
                [(-1020, -900), (-600, -500), (-20, 20), (-1020, 1015), (490, 520), (900, 1015)]
            {
                check(queue, &of_all_sizes(7001, lowest..highest), |x| x, 1e-13, "f64");
            }
            check(queue, &[3e-200, 4e-200], |x| x, 1e-15, "f64");
            check(queue, &[3e200, 4e200], |x| Complex::new(x, 0.0), 1e-15, "f64");
        }
    });
}
