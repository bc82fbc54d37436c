//! Binary searches compared with the host, in both shapes.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::prelude::*;
use cl_algo::stl::{
    binary_search, binary_search_by, binary_searches, binary_searches_by, equal_range, equal_range_by,
    equal_ranges, equal_ranges_by, is_sorted, lower_bound, lower_bound_by, lower_bounds, lower_bounds_by,
    merge, upper_bound, upper_bound_by, upper_bounds, upper_bounds_by,
};
use cl_core::Error;

fn vector<T: Element>(queue: &Queue, values: &[T]) -> DeviceVec<T> {
    DeviceVec::from_slice(queue, values).unwrap()
}

#[test]
fn many_needles_in_sequences_of_all_lengths() {
    each_queue(|queue| {
        for len in [0, 1, 2, 3, 4, 5, 7, 8, 9, 1000, cl_test::full_or_small(65_537, 9001)] {
            // Each odd number twice.
            let host: Vec<i32> = (0..len).map(|i| i / 2 * 2 + 1).collect();
            let x = vector(queue, &host);
            for count in [0, 1, 3, 16, 17, 1023, 1025, 5000] {
                let needles: Vec<i32> = (0..count).map(|i| (i * 7919) % (len + 4) - 1).collect();
                let needed = vector(queue, &needles);
                let places = || DeviceVec::filled(queue, 9_u32, count as usize).unwrap();
                let (mut lower, mut upper, mut ends) = (places(), places(), places());
                let mut begins = DeviceVec::filled(queue, 9_u64, count as usize + 2).unwrap();
                let mut found = DeviceVec::filled(queue, false, count as usize).unwrap();
                lower_bounds(&x, &needed, &mut lower).unwrap();
                upper_bounds(&x, &needed, mapped::<u32, _, _, _>(&mut upper, |place| place + 1)).unwrap();
                let begin = mapped::<u32, _, _, _>(begins.slice_mut(1..=count as usize), Val::cast::<u64>);
                equal_ranges::<i32, u32>(&x, &needed, (begin, &mut ends)).unwrap();
                binary_searches(&x, &needed, &mut found).unwrap();
                let expected: Vec<(u32, u32)> = needles
                    .iter()
                    .map(|n| {
                        (host.partition_point(|x| x < n) as u32, host.partition_point(|x| x <= n) as u32)
                    })
                    .collect();
                assert!(
                    lower.to_vec().unwrap().into_iter().eq(expected.iter().map(|e| e.0)),
                    "{len} {count}"
                );
                assert!(
                    upper.to_vec().unwrap().into_iter().eq(expected.iter().map(|e| e.1 + 1)),
                    "{len} {count}"
                );
                let begins = begins.to_vec().unwrap();
                assert!(
                    begins[1..=count as usize].iter().copied().eq(expected.iter().map(|e| u64::from(e.0)))
                );
                assert_eq!((begins[0], begins[count as usize + 1]), (9, 9));
                assert!(ends.to_vec().unwrap().into_iter().eq(expected.iter().map(|e| e.1)));
                assert!(found.to_vec().unwrap().into_iter().eq(expected.iter().map(|e| e.0 < e.1)));
            }
            for n in [-1, 0, 1, len / 2, len - 1, len, len + 1] {
                let range = host.partition_point(|&x| x < n)..host.partition_point(|&x| x <= n);
                assert_eq!(lower_bound(&x, n).unwrap(), range.start);
                assert_eq!(upper_bound(&x, n).unwrap(), range.end);
                assert_eq!(equal_range(&x, n).unwrap(), range);
                assert_eq!(binary_search(&x, n).unwrap(), (!range.is_empty()).then_some(range.start));
            }
        }
    });
}

/// Searches in a sequence so long that GPUs find its buckets first: spread evenly, in one bucket but for one item, and of
/// equal items.
#[test]
fn buckets_of_long_sequences() {
    let (len, count) = (1_usize << 18, 1_usize << 16);
    let noise = |i: usize| (i as u32 + 1).wrapping_mul(2_654_435_761);
    let kinds: [fn(u32) -> u32; 3] = [|x| x, |x| if x % 4096 == 0 { x } else { x >> 20 }, |_| 7];
    each_queue(|queue| {
        for kind in kinds {
            let mut host: Vec<i32> = (0..len).map(|i| kind(noise(i)) as i32).collect();
            host.sort_unstable();
            let needles: Vec<i32> =
                (0..count).map(|i| (kind(noise(3 * i)) as i32).wrapping_sub((i % 3) as i32)).collect();
            let (x, needed) = (vector(queue, &host), vector(queue, &needles));
            let mut lower = DeviceVec::filled(queue, 9_u32, count).unwrap();
            lower_bounds(&x, &needed, &mut lower).unwrap();
            let expected = needles.iter().map(|n| host.partition_point(|x| x < n) as u32);
            assert!(lower.to_vec().unwrap().into_iter().eq(expected));
        }
    });
}

#[test]
fn expressions_comparators_and_tuples() {
    each_queue(|queue| {
        let x = vector(queue, &(0..3000_i64).collect::<Vec<_>>());
        // 3 * 2999, ..., 3, 0.
        let descending = || (&x * 3).rev();
        assert_eq!(lower_bound_by(descending(), 7, Val::gt).unwrap(), 2997);
        assert_eq!(equal_range_by(descending(), 6, Val::gt).unwrap(), 2997..2998);
        assert_eq!(upper_bound_by(descending(), i64::MAX, Val::gt).unwrap(), 0);
        assert_eq!(binary_search_by(descending(), 8, Val::gt).unwrap(), None);
        let mut found = DeviceVec::filled(queue, false, 50).unwrap();
        binary_searches_by(descending(), iota(0_i64, 50), Val::gt, &mut found).unwrap();
        assert!(found.to_vec().unwrap().into_iter().enumerate().all(|(i, found)| found == (i % 3 == 0)));
        // Rows in lexical order.
        let rows = || (&x).into_expr().map(|x| (x / 10, x % 10));
        let mut places = DeviceVec::filled(queue, 0_u32, 20).unwrap();
        let needles = zip((iota(5_i64, 20), 7_i64));
        lower_bounds_by(rows(), needles, |(a, b), (c, d)| a.lt(c) | (a.eq(c) & b.lt(d)), &mut places)
            .unwrap();
        assert!(places.to_vec().unwrap().into_iter().eq((5..25).map(|i| 10 * i + 7)));
    });
}

/// Tests indices so large that they need 64 bits.
#[test]
fn indices_of_64_bits() {
    each_queue(|queue| {
        let far = iota(0_u64, 1 << 34).slice(1 << 33..(1 << 33) + 5000) * 2;
        let mut places = DeviceVec::filled(queue, 0_u16, 300).unwrap();
        upper_bounds(far, iota((1_u64 << 34) + 101, 300), &mut places).unwrap();
        assert!(places.to_vec().unwrap().into_iter().eq((0..300).map(|i| (101 + i) / 2 + 1)));
    });
}

#[test]
fn floats_are_searched_in_the_total_order() {
    each_queue(|queue| {
        let (inf, nan) = (f32::INFINITY, f32::NAN);
        let x = vector(queue, &[-nan, -inf, -0.0, 0.0, inf, nan, nan]);
        assert_eq!(equal_range(&x, -nan).unwrap(), 0..1);
        assert_eq!(equal_range(&x, -inf).unwrap(), 1..2);
        assert_eq!(equal_range(&x, -0.0).unwrap(), 2..3);
        assert_eq!(equal_range(&x, 0.0).unwrap(), 3..4);
        assert_eq!(equal_range(&x, inf).unwrap(), 4..5);
        assert_eq!(equal_range(&x, nan).unwrap(), 5..7);
    });
}

/// Checks that false comes before true, for items and in packs, where true is -1.
#[test]
fn truth_values_are_in_order() {
    each_queue(|queue| {
        for (len, falses) in [(1, 0), (1, 1), (2, 1), (17, 5), (5003, 1234), (5003, 5003), (40_000, 39_999)] {
            let host: Vec<bool> = (0..len).map(|i| i >= falses).collect();
            let x = &vector(queue, &host);
            assert_eq!(is_sorted(x).unwrap(), host.is_sorted());
            assert_eq!(is_sorted(x.iter().rev()).unwrap(), falses == 0 || falses == len);
            assert_eq!(equal_range(x, false).unwrap(), 0..falses);
            assert_eq!((lower_bound(x, true).unwrap(), upper_bound(x, true).unwrap()), (falses, len));
            let mut places = vector(queue, &[9_u32; 3]);
            upper_bounds(x, vector(queue, &[true, false, true]), &mut places).unwrap();
            assert_eq!(places.to_vec().unwrap(), [len, falses, len].map(|place| place as u32));

            let mut both = vector(queue, &vec![true; 2 * len]);
            merge(x, x, &mut both).unwrap();
            assert!(both.to_vec().unwrap().into_iter().eq((0..2 * len).map(|i| i >= 2 * falses)));

            let first = |value| host.iter().position(|&x| x == value);
            let (least, most) = (host[0], host[len - 1]);
            assert_eq!(x.iter().reduce_minmax().unwrap(), Some((least, most)));
            assert_eq!(x.iter().min_element().unwrap(), Some((0, least)));
            assert_eq!(x.iter().max_element().unwrap(), first(most).map(|at| (at, most)));
        }
    });
}

/// Compares masks that are as wide as the numbers that they come from.
#[test]
fn truth_values_are_compared() {
    each_queue(|queue| {
        let len = 4099;
        let x: &DeviceVec<i64> = &DeviceVec::from_fn(queue, len, |i| i as i64 % 7).unwrap();
        let y: &DeviceVec<bool> = &DeviceVec::from_fn(queue, len, |i| i % 3 == 0).unwrap();
        let of = |expr: Expr<'_, bool>| expr.collect().unwrap().to_vec().unwrap();
        let expected = |op: fn(&bool, &bool) -> bool| -> Vec<bool> {
            (0..len).map(|i| op(&(i % 7 < 3), &(i % 3 == 0))).collect()
        };
        let small = || x.iter().lt(3);
        assert_eq!(of(small().lt(y)), expected(|a, b| a < b));
        assert_eq!(of(small().le(y)), expected(|a, b| a <= b));
        assert_eq!(of(small().gt(y)), expected(|a, b| a > b));
        assert_eq!(of(small().ge(y)), expected(|a, b| a >= b));
        assert_eq!(of(y.iter().lt(small())), expected(|a, b| b < a));
        assert_eq!(of(small().min(y)), expected(|a, b| *a.min(b)));
        assert_eq!(of(y.iter().max(small())), expected(|a, b| *a.max(b)));
        assert_eq!(of(y.iter().map(|y| y.clamp(true, true))), vec![true; len]);
        assert_eq!(of(small().clamp(false, y)), expected(|a, b| (*a).clamp(false, *b)));
        assert_eq!(of(y.iter().clamp(small(), true)), expected(|a, b| (*b).clamp(*a, true)));
    });
}

/// Checks that the output type must hold the last position, which is the length itself.
#[test]
fn places_fit_their_type() {
    each_queue(|queue| {
        let needles = vector(queue, &[-1, 3, 900]);
        for (len, fits_i8, fits_u8) in
            [(127, true, true), (128, false, true), (255, false, true), (256, false, false)]
        {
            let x = iota(0, len).on(queue);
            let last = [0, 3, len as u8];
            let mut u8s = vector(queue, &[99_u8; 3]);
            let mut i8s = vector(queue, &[99_i8; 3]);
            let same = |result: cl_core::Result<()>, fits: bool| match result {
                Ok(()) => assert!(fits, "{len}"),
                Err(error) => {
                    let is_too_small =
                        matches!(error, Error::InvalidInput { what: "type of the positions", .. });
                    assert!(is_too_small && !fits, "{len}: {error}");
                }
            };
            same(lower_bounds(&x, &needles, &mut u8s), fits_u8);
            assert_eq!(u8s.to_vec().unwrap(), if fits_u8 { last } else { [99; 3] });
            same(upper_bounds(&x, &needles, &mut i8s), fits_i8);
            same(lower_bounds_by(&x, &needles, Val::lt, &mut i8s), fits_i8);
            same(upper_bounds_by(&x, &needles, Val::lt, &mut u8s), fits_u8);
            let mut more = vector(queue, &[99_u8; 3]);
            same(equal_ranges(&x, &needles, (&mut u8s, &mut more)), fits_u8);
            same(equal_ranges_by(&x, &needles, Val::lt, (&mut u8s, &mut more)), fits_u8);
            assert_eq!(more.to_vec().unwrap(), if fits_u8 { [0, 4, len as u8] } else { [99; 3] });
        }
    });
}

#[test]
fn mistakes_are_refused() {
    each_queue(|queue| {
        let x = vector(queue, &[1, 2, 3]);
        let mut places = vector(queue, &[0_u32; 2]);
        let error = lower_bounds(&x, &x, &mut places).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { .. }), "{error}");
        let error = lower_bounds(&x, 1, &mut places).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "needles", .. }), "{error}");
        let error = lower_bound(iota(0, 5), 1).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        let error = lower_bound(x.slice(1..5), 1).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "range", .. }), "{error}");
        assert_eq!(places.to_vec().unwrap(), [0, 0]);
    });
}
