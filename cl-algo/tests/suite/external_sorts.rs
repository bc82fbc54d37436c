//! Sorts of slices in host memory, in pieces: against stable sorts of `std`, the transfers, and what is refused.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_algo::stl::{external_sort, external_sort_by, external_sort_by_key};
use cl_algo::{ExternalSort, F64x2, Ordered, SortKey};
use cl_core::Error;
use cl_test::counting::exclusive;
use half::f16;
use proptest::prelude::*;
use std::cmp::Ordering;
use std::fmt::Debug;

fn words(len: usize, seed: u32) -> impl Iterator<Item = u32> {
    (0..len as u32).map(move |i| (i ^ seed).wrapping_mul(2_654_435_761) >> 5)
}

/// Sorts keys alone and with values, in both directions, with memory for about `piece` items at a time.
fn check<K: SortKey + Ordered + Debug>(
    queue: &Queue,
    keys: &[K],
    piece: usize,
    order: impl Fn(&K, &K) -> Ordering,
) {
    let bits = |keys: &[K]| -> Vec<u8> { bytemuck::cast_slice(K::as_stored(keys)).to_vec() };
    let mut expected: Vec<(K, usize)> = keys.iter().copied().zip(0..).collect();
    expected.sort_by(|(a, _), (b, _)| order(a, b));
    let mut sorted = keys.to_vec();
    ExternalSort::on(queue).memory(6 * size_of::<K>() * piece).keys(&mut sorted).unwrap();
    let in_order: Vec<K> = expected.iter().map(|&(key, _)| key).collect();
    assert_eq!(bits(&sorted), bits(&in_order), "{keys:?}");

    expected.sort_by(|(a, i), (b, j)| order(b, a).then(i.cmp(j)));
    let mut sorted = keys.to_vec();
    let (mut places, mut names): (Vec<u32>, Vec<u8>) =
        (0..keys.len() as u32).map(|i| (i, (i % 7) as u8)).unzip();
    let values = (&mut places, &mut names[..]);
    ExternalSort::on(queue)
        .memory(8 * (size_of::<K>() + 5) * piece)
        .descending()
        .by_key(&mut sorted, values)
        .unwrap();
    assert!(places.iter().zip(&expected).all(|(&place, &(_, at))| place as usize == at), "{keys:?}");
    assert!(places.iter().zip(&names).all(|(&place, &name)| (place % 7) as u8 == name));
    let in_order: Vec<K> = expected.iter().map(|&(key, _)| key).collect();
    assert_eq!(bits(&sorted), bits(&in_order));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cl_test::full_or_small(8, 2)))]

    #[test]
    fn pieces_are_sorted_and_merged(len in 0_usize..4000, piece in 256_usize..1500, seed: u32, equal in 1_u32..300) {
        each_queue(|queue| {
            let numbers: Vec<u32> = words(len, seed).map(|x| x % equal).collect();
            check(queue, &numbers, piece, u32::cmp);
            let floats = [f32::NAN, -f32::NAN, -0.0, 0.0, f32::INFINITY, f32::MIN_POSITIVE, -1.5];
            let floats: Vec<f32> = words(len, seed).map(|x| floats[x as usize % 7]).collect();
            check(queue, &floats, piece, f32::total_cmp);
            let wide: Vec<i64> = words(len, seed).map(|x| i64::from(x as i32) << (x % 33)).collect();
            check(queue, &wide, piece, i64::cmp);
            // Bits are moved and compared, so that no device needs support for `double`.
            let doubles: Vec<f64> = floats.iter().map(|&x| f64::from(x)).collect();
            check(queue, &doubles, piece, f64::total_cmp);
            let flags: Vec<bool> = words(len, seed).map(|x| x % 3 == 0).collect();
            check(queue, &flags, piece, bool::cmp);
        });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Body {
    mass: f32,
    id: u32,
}

#[test]
fn comparators_are_given_for_device_and_host() {
    each_queue(|queue| {
        let host: Vec<Body> =
            words(3001, 3).zip(0..).map(|(x, id)| Body { mass: (x % 5) as f32, id }).collect();
        let mut expected = host.clone();
        expected.sort_by(|a, b| b.mass.total_cmp(&a.mass));
        let sort = ExternalSort::on(queue).memory(20_000);
        let mut sorted = host.clone();
        sort.by(&mut sorted, |a, b| a.mass().gt(b.mass()), |a, b| a.mass > b.mass).unwrap();
        assert_eq!(sorted, expected);
        let mut sorted = host.clone();
        sort.clone()
            .descending()
            .by(&mut sorted, |a, b| a.mass().lt(b.mass()), |a, b| a.mass < b.mass)
            .unwrap();
        assert_eq!(sorted, expected);
        // Comparators that contradict each other lose nothing.
        let mut sorted = host.clone();
        sort.by(&mut sorted, |a, b| a.mass().gt(b.mass()), |a, b| (a.id ^ b.id) & 1 == 0).unwrap();
        sorted.sort_by_key(|body| body.id);
        assert_eq!(sorted, host);
    });
}

/// Merges values of types that a device may lack.
#[test]
fn values_are_moved_as_bits() {
    each_queue(|queue| {
        let mut keys: Vec<f16> = words(3001, 5).map(|x| f16::from_f32((x % 1000) as f32 - 500.0)).collect();
        let mut expected: Vec<(f16, usize)> = keys.iter().copied().zip(0..).collect();
        expected.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let doubles = |at: usize| at as f64 / 3.0;
        let mut x: Vec<f64> = (0..keys.len()).map(doubles).collect();
        let mut y: Vec<F64x2> = x.iter().map(|&x| F64x2::from([x, -x])).collect();
        let mut z: Vec<Complex<f64>> = x.iter().map(|&x| Complex::new(x, 0.5)).collect();
        ExternalSort::on(queue).memory(100_000).by_key(&mut keys, (&mut x, &mut y, &mut z)).unwrap();
        for (at, &(key, from)) in expected.iter().enumerate() {
            let value = doubles(from);
            assert_eq!(
                (keys[at], x[at], y[at], z[at]),
                (key, value, F64x2::from([value, -value]), Complex::new(value, 0.5))
            );
        }
    });
}

#[test]
fn functions_sort_without_options() {
    each_queue(|queue| {
        let mut x = [2.5_f64, -1.0, f64::NAN, 0.0];
        external_sort_by_key(queue, &mut [3_u8, 1, 2, 0], &mut x[..]).unwrap();
        assert!(x[2].is_nan() && [x[0], x[1], x[3]] == [0.0, -1.0, 2.5]);
        let mut x = [3, 1, 2];
        external_sort(queue, &mut x).unwrap();
        assert_eq!(x, [1, 2, 3]);
        external_sort_by(queue, &mut x, Val::gt, |a, b| a > b).unwrap();
        assert_eq!(x, [3, 2, 1]);
        external_sort::<u32>(queue, &mut []).unwrap();
    });
}

#[test]
fn pieces_go_to_the_device_twice_and_wait_once_each() {
    let counter = exclusive();
    for device in crate::probed::devices() {
        let queue = Queue::on(&device).unwrap();
        let keys: Vec<u32> = words(5 * 1000, 9).collect();
        let mut expected = keys.clone();
        expected.sort_unstable();
        let sort = || {
            let mut keys = keys.clone();
            ExternalSort::on(&queue).memory(6 * 4 * 1000).keys(&mut keys).unwrap();
            assert_eq!(keys, expected);
        };
        sort();
        let calls = counter.calls_during(sort);
        let count = |name: &str| calls.get(name).copied().unwrap_or(0);
        // Five runs, then five parts of the result, of five ranges each.
        assert_eq!(count("clEnqueueReadBuffer"), 10, "{calls:?}");
        assert_eq!(count("clEnqueueWriteBuffer"), 5 + 5 * 5, "{calls:?}");
        assert_eq!(count("clBuildProgram"), 0, "{calls:?}");
        assert_eq!(
            count("clCreateCommandQueue") + count("clCreateCommandQueueWithProperties"),
            1,
            "{calls:?}"
        );
        // One piece goes there and back once, on the caller's queue.
        let calls = counter.calls_during(|| external_sort(&queue, &mut keys.clone()).unwrap());
        let count = |name: &str| calls.get(name).copied().unwrap_or(0);
        assert_eq!((count("clEnqueueWriteBuffer"), count("clEnqueueReadBuffer")), (1, 1), "{calls:?}");
        assert_eq!(
            count("clCreateCommandQueue") + count("clCreateCommandQueueWithProperties"),
            0,
            "{calls:?}"
        );
    }
}

#[test]
fn slices_of_other_lengths_are_refused() {
    each_queue(|queue| {
        let mut keys = [2_u32, 1];
        let error = external_sort_by_key(queue, &mut keys, &mut [1_u8][..]).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { left: 2, right: 1, .. }), "{error}");
        assert_eq!(keys, [2, 1]);
    });
}
