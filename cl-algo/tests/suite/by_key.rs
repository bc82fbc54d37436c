//! Scans and reductions by key: types of keys and values, operators, views, and calls that are refused.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::prelude::*;
use cl_algo::stl::{
    exclusive_scan_by_key, inclusive_scan_by_key, inclusive_scan_by_key_with, reduce_by_key,
    reduce_by_key_with,
};
use cl_core::Error;
use cl_test::counting::{devices, exclusive};
use cl_test::each_device;

/// Returns numbers without a pattern.
fn numbers(len: usize) -> Vec<u64> {
    (0..len as u64).map(|i| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20).collect()
}

/// Returns keys in runs of about `run` items.
fn keys(len: usize, run: u64) -> Vec<u64> {
    let mut key = 1 << 40;
    let next = |x: u64| {
        key += u64::from((x >> 5).is_multiple_of(run));
        key
    };
    numbers(len).into_iter().map(next).collect()
}

/// Returns the beginnings of runs.
fn heads<K>(keys: &[K], same: impl Fn(&K, &K) -> bool) -> Vec<bool> {
    (0..keys.len()).map(|i| i == 0 || !same(&keys[i - 1], &keys[i])).collect()
}

/// Returns the running results of each run, each including the item's own value, and the last result of each run.
fn scanned<V: Copy>(heads: &[bool], values: &[V], operator: impl Fn(V, V) -> V) -> (Vec<V>, Vec<V>) {
    let mut running: Vec<V> = Vec::new();
    for (i, &value) in values.iter().enumerate() {
        running.push(if heads[i] { value } else { operator(running[i - 1], value) });
    }
    let ends = (0..values.len()).filter(|&i| heads.get(i + 1).is_none_or(|&head| head));
    let last = ends.map(|i| running[i]).collect();
    (running, last)
}

/// Returns the items at heads.
fn at_heads<K: Copy>(heads: &[bool], keys: &[K]) -> Vec<K> {
    keys.iter().zip(heads).filter(|(_, head)| **head).map(|(key, _)| *key).collect()
}

/// Returns the first `count` elements, and asserts that the others are unchanged.
fn front<T: Element + PartialEq + std::fmt::Debug>(out: &DeviceVec<T>, count: u64, filler: T) -> Vec<T> {
    let mut all = out.to_vec().unwrap();
    let rest = all.split_off(count as usize);
    assert!(rest.iter().all(|value| *value == filler), "behind {count}: {rest:?}");
    all
}

/// Tests keys and values of 64 bits, through views, with the functions without operators.
#[test]
fn wide_keys_and_values_through_views() {
    each_queue(|queue| {
        let long = cl_test::full_or_small(70_001, 9001);
        for (len, run) in [(1, 1), (17, 2), (4099, 1), (4099, 5), (long, 900), (long, u64::MAX)] {
            let (mut k, x) = (keys(len, run), numbers(len));
            let heads = heads(&k, |a, b| a == b);
            let (running, last) = scanned(&heads, &x, u64::wrapping_add);
            let values = DeviceVec::from_slice(queue, &x).unwrap();
            k.reverse();
            let reversed = DeviceVec::from_slice(queue, &k).unwrap();
            k.reverse();
            let mut out = DeviceVec::filled(queue, 9_u64, len + 5).unwrap();
            let sink = out.slice_mut(3..len + 3).rev();
            inclusive_scan_by_key(reversed.iter().rev(), &values, sink).unwrap();
            let mut out = out.to_vec().unwrap();
            out[3..len + 3].reverse();
            assert_eq!(out[3..len + 3], running, "{len} {run}");
            assert_eq!((&out[..3], &out[len + 3..]), (&[9; 3][..], &[9; 2][..]));

            let mut out = DeviceVec::filled(queue, 9_u64, len).unwrap();
            exclusive_scan_by_key(reversed.iter().rev(), &values, 100_u64, &mut out).unwrap();
            let before = |i: usize| if heads[i] { 100 } else { running[i - 1].wrapping_add(100) };
            let expected: Vec<u64> = (0..len).map(before).collect();
            assert_eq!(out.to_vec().unwrap(), expected, "{len} {run}");

            let mut first = DeviceVec::filled(queue, 7_u64, len).unwrap();
            let mut sums = DeviceVec::filled(queue, 8_u64, 2 * len + 1).unwrap();
            let places = sums.view_mut().step_by(2);
            let count = reduce_by_key(reversed.iter().rev(), &values, &mut first, places).unwrap();
            let count = count.get().unwrap();
            assert_eq!(count as usize, last.len(), "{len} {run}");
            assert_eq!(front(&first, count, 7), at_heads(&heads, &k), "{len} {run}");
            let sums = sums.to_vec().unwrap();
            let expected =
                |i: usize| if i.is_multiple_of(2) { last.get(i / 2).copied().unwrap_or(8) } else { 8 };
            assert!(sums.iter().enumerate().all(|(i, &sum)| sum == expected(i)), "{len} {run}");
        }
    });
}

/// Tests float keys: NaN equals nothing, not even itself, and 0 equals -0. The key of a run is its first key.
#[test]
fn float_keys_and_sums_that_are_always_the_same() {
    each_queue(|queue| {
        let len = cl_test::full_or_small(50_021, 9021);
        let x: Vec<f32> = numbers(len).into_iter().map(|x| (x % 1000) as f32 * 0.1).collect();
        let key = |i: u64| match i / 7 % 5 {
            0 => f32::NAN,
            1 if i.is_multiple_of(2) => -0.0,
            1 => 0.0,
            _ => (i / 900) as f32,
        };
        let k: Vec<f32> = (0..len as u64).map(key).collect();
        let heads = heads(&k, |a, b| a == b);
        let (keys, values) =
            (DeviceVec::from_slice(queue, &k).unwrap(), DeviceVec::from_slice(queue, &x).unwrap());
        let mut first = DeviceVec::filled(queue, 0.5_f32, len).unwrap();
        let mut sums = DeviceVec::filled(queue, 0.5_f32, len).unwrap();
        let exact = scanned(&heads, &x.iter().copied().map(f64::from).collect::<Vec<_>>(), |a, b| a + b);
        let mut seen: Option<Vec<u32>> = None;
        for _ in 0..20 {
            let count = reduce_by_key(&keys, &values, &mut first, &mut sums).unwrap().get().unwrap();
            let bits: Vec<u32> = front(&sums, count, 0.5).into_iter().map(f32::to_bits).collect();
            assert_eq!(bits.len(), exact.1.len());
            for (bits, exact) in bits.iter().zip(&exact.1) {
                // Runs here have at most 64 items.
                let (sum, bound) = (f64::from(f32::from_bits(*bits)), 64.0 * f64::from(f32::EPSILON) * exact);
                assert!((sum - exact).abs() <= bound, "{sum} for {exact}");
            }
            assert!(*seen.get_or_insert_with(|| bits.clone()) == bits, "other bits");
        }
        let called: Vec<u32> = at_heads(&heads, &k).into_iter().map(f32::to_bits).collect();
        let found: Vec<u32> =
            first.to_vec().unwrap()[..called.len()].iter().map(|key| key.to_bits()).collect();
        let is_nan = |bits: u32| f32::from_bits(bits).is_nan();
        assert!(called.iter().zip(&found).all(|(&a, &b)| a == b || is_nan(a) && is_nan(b)));
    });
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Stay {
    from: u32,
    to: u32,
    distance: f32,
}

/// Tests values that are structs, keys that are tuples, and an operator that does not commute.
#[test]
fn structs_by_pairs_of_keys() {
    each_queue(|queue| {
        for len in [1, 33, cl_test::full_or_small(20_011, 9011)] {
            let parts = numbers(len);
            let a: Vec<u16> = (0..len as u64).map(|i| (i / 50) as u16).collect();
            let b: Vec<i8> = (0..len as u64).map(|i| (i / 70 % 2) as i8).collect();
            let k: Vec<(u16, i8)> = a.iter().copied().zip(b.iter().copied()).collect();
            let stay = |x: &u64| Stay { from: *x as u32, to: (x >> 9) as u32, distance: (x % 8) as f32 };
            let x: Vec<Stay> = parts.iter().map(stay).collect();
            let heads = heads(&k, |a, b| a == b);
            let join = |a: Stay, b: Stay| Stay { from: a.from, to: b.to, distance: a.distance + b.distance };
            let (running, last) = scanned(&heads, &x, join);
            let (a, b) =
                (DeviceVec::from_slice(queue, &a).unwrap(), DeviceVec::from_slice(queue, &b).unwrap());
            let values = DeviceVec::from_slice(queue, &x).unwrap();

            let same = |(a, b): (Val<u16>, Val<i8>), (c, d): (Val<u16>, Val<i8>)| a.eq(c) & b.eq(d);
            let operator =
                |a: Val<Stay>, b: Val<Stay>| Stay::val(a.from(), b.to(), a.distance() + b.distance());
            let none = Stay { from: 0, to: 0, distance: -1.0 };
            let mut out = DeviceVec::filled(queue, none, len).unwrap();
            inclusive_scan_by_key_with((&a, &b), &values, same, operator, &mut out).unwrap();
            assert_eq!(out.to_vec().unwrap(), running, "{len}");

            let mut out = DeviceVec::filled(queue, none, len).unwrap();
            let mut first = DeviceVec::filled(queue, 7_u16, len).unwrap();
            let sinks = (&mut first, Discard);
            let count = reduce_by_key_with((&a, &b), &values, same, operator, sinks, &mut out).unwrap();
            let count = count.get().unwrap();
            assert_eq!(front(&out, count, none), last, "{len}");
            let firsts: Vec<u16> = at_heads(&heads, &k).into_iter().map(|key| key.0).collect();
            assert_eq!(front(&first, count, 7), firsts, "{len}");
        }
    });
}

/// Tests expressions as keys and as values, one of them without a length, and the count as an operand.
#[test]
fn lengths_of_runs_of_an_expression() {
    each_queue(|queue| {
        let mut lengths = DeviceVec::filled(queue, 0_u32, 1000).unwrap();
        let mut first = DeviceVec::filled(queue, 0_u32, 1000).unwrap();
        let count = reduce_by_key(iota(0_u32, 1000) / 30, 1, &mut first, lengths.view_mut()).unwrap();
        let share = (iota(0_u64, 2) * &count).collect().unwrap();
        assert_eq!(share.to_vec().unwrap(), [0, 34]);
        assert_eq!(lengths.to_vec().unwrap()[..35], [[30; 33].as_slice(), &[10, 0]].concat());
        assert_eq!(first.to_vec().unwrap()[..34], (0..34).collect::<Vec<u32>>());
        // One key for all items.
        let x = DeviceVec::from_slice(queue, &[1_u32, 2, 3]).unwrap();
        let count = reduce_by_key(5_u32, &x, &mut first, &mut lengths).unwrap();
        assert_eq!(count.get().unwrap(), 1);
        assert_eq!((first.to_vec().unwrap()[0], lengths.to_vec().unwrap()[0]), (5, 6));
    });
}

/// Checks outputs with room for the runs only, and with room for one less.
#[test]
fn outputs_that_fit() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for (runs, length) in [(1, 3), (40, 25), (700, 100)] {
            let keys = (iota(0_u64, runs * length) / length as u64).collect_on(queue).unwrap();
            let [mut each, mut sums] = [0, 0].map(|filler| DeviceVec::filled(queue, filler, runs).unwrap());
            let count = reduce_by_key(&keys, 1_u64, &mut each, &mut sums).unwrap();
            assert_eq!(count.get().unwrap(), runs as u64);
            assert_eq!(each.to_vec().unwrap(), (0..runs as u64).collect::<Vec<_>>());
            assert_eq!(sums.to_vec().unwrap(), vec![length as u64; runs]);

            let (less, short) = (runs as u64 - 1, sums.slice_mut(..runs - 1));
            let error = reduce_by_key(&keys, 2_u64, &mut each, short).unwrap().get().unwrap_err();
            assert_eq!(error, Error::index_out_of_range("output that is too short", less, less));
            let mut wanted = vec![2 * length as u64; runs];
            wanted[runs - 1] = length as u64;
            assert_eq!(sums.to_vec().unwrap(), wanted);
        }
    });
}

#[test]
fn nothing_and_mistakes() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let none = DeviceVec::from_slice(queue, &[0_u32; 0]).unwrap();
        let [two, three] = [2, 3].map(|len| DeviceVec::filled(queue, 1_u32, len).unwrap());
        let [mut a, mut b] = [5, 6].map(|filler| DeviceVec::filled(queue, filler, 2).unwrap());
        let mut long = DeviceVec::filled(queue, 7, 3).unwrap();
        let mut empty = DeviceVec::filled(queue, 0, 0).unwrap();
        assert_eq!(reduce_by_key(&none, &none, &mut a, &mut b).unwrap().get().unwrap(), 0);
        let calls = counter.calls_during(|| {
            inclusive_scan_by_key(&none, &none, &mut empty).unwrap();
            let mismatch = |error: Error, wanted: (usize, usize)| match error {
                Error::LengthMismatch { left, right, .. } => assert_eq!((left, right), wanted),
                other => panic!("{other}"),
            };
            mismatch(inclusive_scan_by_key(&two, &three, &mut long).unwrap_err(), (2, 3));
            mismatch(inclusive_scan_by_key(&three, &three, &mut a).unwrap_err(), (2, 3));
            mismatch(reduce_by_key(&three, &two, &mut long, &mut b).unwrap_err(), (3, 2));
            mismatch(reduce_by_key(&three, &three, &mut long, b.view_mut().rev()).unwrap_err(), (2, 3));
            let error = exclusive_scan_by_key(&two, &two, &two, &mut a).unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "initial value of a scan", .. }), "{error}");
            let error = reduce_by_key(1_u32, 1_u32, &mut a, &mut b).unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "keys to reduce by", .. }), "{error}");
        });
        assert!(calls.is_empty(), "{calls:?}");
        let other = Queue::on(&device).unwrap();
        let foreign = DeviceVec::filled(&other, 1_u32, 2).unwrap();
        let error = inclusive_scan_by_key(&foreign, &two, &mut a).unwrap_err();
        assert!(matches!(error, Error::ForeignObject { .. }), "{error}");
        assert_eq!((a.to_vec().unwrap(), b.to_vec().unwrap()), (vec![5; 2], vec![6; 2]));
    }
}

/// Checks that nothing waits until the count is read, and that the second call allocates nothing.
#[test]
fn no_wait_inside() {
    let counter = exclusive();
    for device in crate::probed::devices_and_forced() {
        let queue = &Queue::on(&device).unwrap();
        let chunked = cl_algo::DeviceProfile::of(&device).unwrap().chunked;
        let k = DeviceVec::from_slice(queue, &keys(100_000, 5)).unwrap();
        let x = DeviceVec::from_slice(queue, &numbers(100_000)).unwrap();
        let mut first = DeviceVec::filled(queue, 0, 100_000).unwrap();
        let mut sums = DeviceVec::filled(queue, 0, 100_000).unwrap();
        inclusive_scan_by_key(&k, &x, &mut sums).unwrap();
        let warm = reduce_by_key(&k, &x, &mut first, &mut sums).unwrap().get().unwrap();
        let mut count = None;
        let scan = counter.calls_during(|| inclusive_scan_by_key(&k, &x, &mut sums).unwrap());
        let reduction =
            counter.calls_during(|| count = Some(reduce_by_key(&k, &x, &mut first, &mut sums).unwrap()));
        for (calls, launches) in [(scan, if chunked { 2 } else { 1 }), (reduction, 1)] {
            let of = |name: &str| calls.get(name).copied().unwrap_or(0);
            for waits in ["clCreateBuffer", "clFinish", "clEnqueueReadBuffer", "clWaitForEvents"] {
                assert_eq!(of(waits), 0, "{waits}: {calls:?}");
            }
            assert_eq!(of("clEnqueueNDRangeKernel"), launches, "{calls:?}");
        }
        assert_eq!(count.unwrap().get().unwrap(), warm);
    }
}
