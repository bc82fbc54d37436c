//! Selections: the kept items, their order, and calls that are refused.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_algo::stl::{
    copy_if, gather, partition, partition_copy, reduce_by_key, remove_copy_if, run_length_encode,
    set_difference, set_intersection, set_symmetric_difference, set_union, unique, unique_by_key,
};
use cl_core::{Error, Queue};
use cl_test::counting::{devices, exclusive};
use cl_test::each_device;

/// Returns numbers without a pattern.
fn numbers(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| (i + 1).wrapping_mul(2_654_435_761) >> 7).collect()
}

fn sizes() -> [usize; 5] {
    [1, 2, 17, 4099, cl_test::full_or_small(70_001, 9001)]
}

/// Returns the kept part of a vector, and asserts that the rest is unchanged.
fn front<T: Element + PartialEq + std::fmt::Debug>(out: &DeviceVec<T>, count: u64, filler: T) -> Vec<T> {
    let mut all = out.to_vec().unwrap();
    let rest = all.split_off(count as usize);
    assert!(rest.iter().all(|value| *value == filler), "behind {count}: {rest:?}");
    all
}

#[test]
fn items_are_kept_in_order() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for len in sizes() {
            let x = numbers(len);
            let vector = DeviceVec::from_slice(queue, &x).unwrap();
            for limit in [0, 1, 3, 1000] {
                let mut out = DeviceVec::filled(queue, 77, len).unwrap();
                let count = copy_if(&vector, |x| (x % 1000).lt(limit), &mut out).unwrap().get().unwrap();
                let expected: Vec<u32> = x.iter().copied().filter(|x| x % 1000 < limit).collect();
                assert_eq!(front(&out, count, 77), expected, "{len} {limit}");
                let mut out = DeviceVec::filled(queue, 77, len).unwrap();
                let count = remove_copy_if(&vector, |x| (x % 1000).lt(limit), &mut out).unwrap();
                let expected: Vec<u32> = x.iter().copied().filter(|x| x % 1000 >= limit).collect();
                assert_eq!(front(&out, count.get().unwrap(), 77), expected, "{len} {limit}");
            }
        }
    });
}

#[test]
fn both_parts_of_a_partition_keep_their_order() {
    each_device(|device| {
        if !cl_test::offers(device, "double precision", device.has_fp64()) {
            return;
        }
        let queue = &Queue::on(device).unwrap();
        for len in sizes() {
            let x: Vec<f64> = numbers(len).into_iter().map(f64::from).collect();
            let vector = DeviceVec::from_slice(queue, &x).unwrap();
            let [mut yes, mut no] = [-1.0, -2.0].map(|filler| DeviceVec::filled(queue, filler, len).unwrap());
            let count = partition_copy(&vector, |x| x.gt(1e7), &mut yes, no.view_mut().rev()).unwrap();
            let (large, small): (Vec<f64>, Vec<f64>) = x.iter().partition(|&&x| x > 1e7);
            assert_eq!(front(&yes, count.get().unwrap(), -1.0), large, "{len}");
            let mut backwards = no.to_vec().unwrap();
            backwards.reverse();
            assert_eq!(backwards[..small.len()], small, "{len}");
            assert!(backwards[small.len()..].iter().all(|&x| x == -2.0));
        }
    });
}

#[test]
fn a_partition_is_all_items_in_one_sink() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for len in sizes() {
            let x = numbers(len);
            let vector = DeviceVec::from_slice(queue, &x).unwrap();
            for limit in [0, 1, 300, 1000] {
                let (mut yes, no): (Vec<u32>, Vec<u32>) = x.iter().partition(|&&x| x % 1000 < limit);
                let front = yes.len() as u64;
                yes.extend(no);
                let indices = DeviceVec::from_slice(queue, &(0..len as u64).collect::<Vec<_>>()).unwrap();
                let mut out = DeviceVec::filled(queue, 0, len).unwrap();
                let mut from = DeviceVec::filled(queue, 0_u64, len).unwrap();
                let first = |(x, _): (Val<u32>, Val<u64>)| (x % 1000).lt(limit);
                let count = partition(zip((&vector, &indices)), first, (&mut out, from.view_mut())).unwrap();
                assert_eq!(count.get().unwrap(), front, "{len} {limit}");
                assert_eq!(out.to_vec().unwrap(), yes, "{len} {limit}");
                gather(&from, &vector, &mut out).unwrap();
                assert_eq!(out.to_vec().unwrap(), yes, "{len} {limit}: the values beside the keys");
            }
        }
        // An expression that reads no vector is partitioned on the queue of the sink.
        let mut out = DeviceVec::filled(queue, 0_u32, 5).unwrap();
        assert_eq!(partition(iota(1_u32, 5), |x| (x & 1).eq(0), &mut out).unwrap().get().unwrap(), 2);
        assert_eq!(out.to_vec().unwrap(), [2, 4, 1, 3, 5]);
        let none = DeviceVec::from_slice(queue, &[0_u32; 0]).unwrap();
        assert_eq!(partition(&none, |x| x.gt(0), &mut out).unwrap().get().unwrap(), 0);
    });
}

#[test]
fn runs_become_one() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for len in sizes() {
            for run in [1, 4, 1000] {
                let keys: Vec<u32> = numbers(len)
                    .into_iter()
                    .map(|x| x / 7)
                    .enumerate()
                    .map(|(i, x)| if i % run == 0 { x } else { 5 })
                    .collect();
                let values: Vec<u64> = (0..len as u64).collect();
                let x = DeviceVec::from_slice(queue, &keys).unwrap();
                let y = DeviceVec::from_slice(queue, &values).unwrap();
                let mut out = DeviceVec::filled(queue, 77, len).unwrap();
                let count = unique(&x, &mut out).unwrap().get().unwrap();
                let mut expected: Vec<(u32, u64)> = keys.iter().copied().zip(values).collect();
                expected.dedup_by_key(|pair| pair.0);
                let (expected_keys, expected_values): (Vec<u32>, Vec<u64>) = expected.into_iter().unzip();
                assert_eq!(front(&out, count, 77), expected_keys, "{len} {run}");

                let mut out = DeviceVec::filled(queue, 77, len).unwrap();
                let mut first = DeviceVec::filled(queue, 88_u64, len).unwrap();
                let count = unique_by_key(&x, &y, Val::eq, (&mut out, &mut first)).unwrap();
                let count = count.get().unwrap();
                assert_eq!(front(&out, count, 77), expected_keys, "{len} {run}");
                assert_eq!(front(&first, count, 88), expected_values, "{len} {run}");
            }
        }
        // A NaN equals nothing, 0 equals -0.
        let x = DeviceVec::from_slice(queue, &[f32::NAN, f32::NAN, 0.0, -0.0, 1.0]).unwrap();
        let mut out = DeviceVec::filled(queue, 9.0, 5).unwrap();
        assert_eq!(unique(&x, &mut out).unwrap().get().unwrap(), 4);
        assert_eq!(out.to_vec().unwrap()[2..], [0.0, 1.0, 9.0]);
    });
}

#[test]
fn counts_stay_on_the_device() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(queue, &numbers(1000)).unwrap();
        let mut out = DeviceVec::filled(queue, 0, 1000).unwrap();
        let count = copy_if(&x, |x| (x & 1).eq(1), &mut out).unwrap();
        let share = (iota(0_u64, 3) * &count).collect().unwrap();
        let count = count.get().unwrap();
        assert_eq!(share.to_vec().unwrap(), [0, count, 2 * count]);
    });
}

#[test]
fn nothing_and_mistakes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let none = DeviceVec::from_slice(queue, &[0_u32; 0]).unwrap();
        let mut out = DeviceVec::filled(queue, 5, 0).unwrap();
        assert_eq!(copy_if(&none, |x| x.gt(0), &mut out).unwrap().get().unwrap(), 0);
        let x = DeviceVec::from_slice(queue, &[1_u32, 2, 3]).unwrap();
        let mut short = DeviceVec::filled(queue, 5, 2).unwrap();
        for error in [
            copy_if(&x, |x| x.gt(0), short.view_mut().rev()).unwrap_err(),
            partition(&x, |x| x.gt(0), &mut short).unwrap_err(),
        ] {
            assert!(matches!(error, Error::LengthMismatch { left: 2, right: 3, .. }), "{error}");
        }
        assert_eq!(short.to_vec().unwrap(), [5, 5]);
        // Longer sinks have room enough.
        let mut long = DeviceVec::filled(queue, 5, 4).unwrap();
        assert_eq!(copy_if(&x, |x| x.gt(1), &mut long).unwrap().get().unwrap(), 2);
        assert_eq!(long.to_vec().unwrap(), [2, 3, 5, 5]);
    });
}

/// Checks outputs with room for the selected items only, and with room for one less.
#[test]
fn outputs_that_fit() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for len in [3, 1000, 70_001] {
            let items: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 8).collect();
            let wanted: Vec<u32> = items.iter().copied().filter(|x| x % 3 == 0).collect();
            let x = DeviceVec::from_slice(queue, &items).unwrap();
            let room = wanted.len();
            let selected = || x.iter().filter(|x| (x % 3_u32).eq(0));

            let mut fits = DeviceVec::filled(queue, 7, room).unwrap();
            let count = selected().collect_into(&mut fits).unwrap();
            assert_eq!(count.get().unwrap() as usize, room);
            assert_eq!(fits.to_vec().unwrap(), wanted);

            let mut inner = DeviceVec::filled(queue, 7, room + 9).unwrap();
            let mut squares = DeviceVec::filled(queue, 7, len).unwrap();
            let pairs = x.iter().map(|x| (x, x * x)).filter(|(x, _)| (x % 3_u32).eq(0));
            pairs.collect_into((inner.slice_mut(4..4 + room), &mut squares)).unwrap();
            let stored = inner.to_vec().unwrap();
            assert_eq!((&stored[..4], &stored[4 + room..]), (&[7; 4][..], &[7; 5][..]));
            assert_eq!(stored[4..4 + room], wanted);
            let squared: Vec<u32> = wanted.iter().map(|x| x.wrapping_mul(*x)).collect();
            assert_eq!(squares.to_vec().unwrap()[..room], squared);

            let Some(less) = room.checked_sub(1) else { continue };
            let mut inner = DeviceVec::filled(queue, 7, room + 9).unwrap();
            let error = selected().collect_into(inner.slice_mut(4..4 + less)).unwrap().get().unwrap_err();
            let bound = (4 + less) as u64;
            assert_eq!(error, Error::index_out_of_range("output that is too short", bound, bound));
            let stored = inner.to_vec().unwrap();
            assert_eq!(stored[4..4 + less], wanted[..less]);
            assert!(stored[4 + less..].iter().all(|&x| x == 7));
        }
    });
}

/// Selects from sequences that take no memory, into outputs without elements and into no output at all.
#[test]
fn sequences_without_memory_and_outputs_without_elements() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = || iota(0_u32, 9).on(queue);
        let empty = || DeviceVec::<u32>::filled(queue, 0, 0).unwrap();
        let nine = || DeviceVec::filled(queue, 7_u32, 9).unwrap();
        let stored = |name: &str, count: cl_core::Result<DeviceScalar<u64>>, expected: u64| {
            let count = count.and_then(|count| count.get());
            assert_eq!(count.unwrap_or_else(|error| panic!("{name}: {error}")), expected, "{name}");
        };
        let dropped = |name: &str, count: cl_core::Result<DeviceScalar<u64>>| {
            let error = count.unwrap_or_else(|error| panic!("{name}: {error}")).get().unwrap_err();
            assert!(matches!(error, Error::IndexOutOfRange { index: 0, bound: 0, .. }), "{name}: {error}");
        };
        stored("copy_if", copy_if(x(), |x| x.gt(9), &mut empty()), 0);
        stored("collect_into", x().filter(|x| x.gt(9)).collect_into(&mut empty()), 0);
        dropped("collect_into", x().filter(|x| x.gt(7)).collect_into(&mut empty()));
        stored("partition_copy", partition_copy(x(), |x| x.lt(9), &mut nine(), &mut empty()), 9);
        dropped("unique", unique(x() / 4, &mut empty()));
        dropped("unique_by_key", unique_by_key(x() / 4, x(), Val::eq, (Discard, &mut empty())));
        dropped("reduce_by_key", reduce_by_key(x() / 4, 1_u32, &mut empty(), Discard));
        dropped("run_length_encode", run_length_encode::<_, u32>(x() / 4, Discard, &mut empty()));
        stored("set_intersection", set_intersection(x(), x() + 9, &mut empty()), 0);
        stored("set_difference", set_difference(x(), x(), &mut empty()), 0);
        stored("set_symmetric_difference", set_symmetric_difference(x(), x(), &mut empty()), 0);
        dropped("set_union", set_union(x(), x() + 9, &mut empty()));

        stored("copy_if", copy_if(x(), |x| x.gt(7), Discard), 1);
        stored("partition_copy", partition_copy(x(), |x| x.lt(4), Discard, Discard), 4);
        stored("unique", unique(x() / 4, Discard), 3);
        stored("unique_by_key", unique_by_key(x() / 4, x(), Val::eq, Discard), 3);
        stored("reduce_by_key", reduce_by_key(x() / 4, 1_u32, Discard, Discard), 3);
        stored("run_length_encode", run_length_encode::<_, u32>(x() / 4, Discard, Discard), 3);
        stored("set_union", set_union(x(), x() + 4, Discard), 13);
        assert_eq!((x() / 4).dedup().count().unwrap(), 3);
        assert_eq!(x().filter(|x| x.gt(7)).count().unwrap(), 1);
        // Without a queue, and without a length, there is an error that says what to do.
        let error = unique(iota(0_u32, 9), Discard).unwrap_err().to_string();
        assert!(error.ends_with("neither they nor the outputs have a queue: use `on`"), "{error}");
        let error = unique(index::<u32>().on(queue), Discard).unwrap_err().to_string();
        assert!(error.ends_with("and so have no length: call `take` first"), "{error}");
    });
}

#[test]
fn what_is_stored_may_be_computed() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = numbers(5000);
        let x = DeviceVec::from_slice(queue, &host).unwrap();
        let odd = || zip((&x, index::<u32>())).filter(|(x, _)| (x & 1).eq(1));
        let is_odd = |&(_, x): &(usize, &u32)| x & 1 == 1;
        let expected: Vec<u32> =
            host.iter().enumerate().filter(is_odd).map(|(at, x)| 2 * (x % 1000) + at as u32).collect();
        let mapped = || odd().map(|(x, at)| (x % 1000, at)).map(|(x, at)| x * 2 + at);
        assert_eq!(mapped().collect().unwrap().to_vec().unwrap(), expected);
        assert_eq!(mapped().sum().unwrap(), expected.iter().sum::<u32>());
        assert_eq!(mapped().count().unwrap(), expected.len());
        let runs = (&x / (1 << 20)).dedup().map(|x| (x, x.cast::<f32>() * 0.5)).collect().unwrap();
        let mut heads: Vec<u32> = host.iter().map(|x| x >> 20).collect();
        heads.dedup();
        assert_eq!(runs.0.to_vec().unwrap(), heads);
        let halves: Vec<f32> = heads.iter().map(|&x| x as f32 * 0.5).collect();
        assert_eq!(runs.1.to_vec().unwrap(), halves);
        let small = x.iter().cast::<f32>().filter(|x| x.lt(0.0)).mean().unwrap();
        assert_eq!(small, None);
    });
}

/// Checks that nothing waits until the count is read.
#[test]
fn no_wait_inside() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let x = DeviceVec::from_slice(queue, &numbers(100_000)).unwrap();
        let mut out = DeviceVec::filled(queue, 0, 100_000).unwrap();
        let warm = copy_if(&x, |x| (x & 1).eq(1), &mut out).unwrap().get().unwrap();
        let mut count = None;
        let calls = counter.calls_during(|| count = Some(copy_if(&x, |x| (x & 1).eq(1), &mut out).unwrap()));
        let of = |name: &str| calls.get(name).copied().unwrap_or(0);
        for waits in ["clCreateBuffer", "clFinish", "clEnqueueReadBuffer", "clWaitForEvents"] {
            assert_eq!(of(waits), 0, "{waits}: {calls:?}");
        }
        assert!((1..=2).contains(&of("clEnqueueNDRangeKernel")), "{calls:?}");
        assert_eq!(count.unwrap().get().unwrap(), warm);
    }
}

/// Tests a condition with rounding. PoCL's `exp` of a `float16` differs from that of a `float` for some numbers. Items
/// are counted and moved by the same one.
#[test]
fn what_is_asked_may_be_rounded() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for (number, limit) in
            [(15.978_021_f32, 8_692_930.0_f32), (15.943_048, 8_394_338.0), (2.0, 7.389_056)]
        {
            for limit in [limit.next_down(), limit, limit.next_up()] {
                let x = DeviceVec::filled(&queue, number, 4096).unwrap();
                let mut parts = DeviceVec::filled(&queue, 0.0, 4096).unwrap();
                partition(&x, |x| x.exp().gt(limit), &mut parts).unwrap();
                assert_eq!(parts.to_vec().unwrap(), [number; 4096], "exp {number} > {limit}");
            }
        }
    });
}
