//! The driver calls of selections by order, of segments, and of sorts of narrow and of several keys.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::probed::devices_and_forced;
use cl_algo::prelude::*;
use cl_algo::stl::{lexsort, nth_element, partition3, sort};
use cl_algo::{DeviceProfile, Segments, SortKey};
use cl_test::counting::exclusive;
use std::cell::RefCell;

/// The calls by which the host waits.
const WAITS: [&str; 4] = ["clEnqueueReadBuffer", "clFinish", "clWaitForEvents", "clEnqueueMapBuffer"];

fn sorts_of<K: SortKey + Element>(queue: &Queue, one: K) -> RefCell<DeviceVec<K>> {
    RefCell::new(DeviceVec::filled(queue, one, 5000).unwrap())
}

#[test]
fn few_launches_and_no_waits() {
    let counter = exclusive();
    for device in devices_and_forced() {
        let queue = Queue::on(&device).unwrap();
        let chunked = DeviceProfile::of(&device).unwrap().chunked;
        // Launches on CPUs and on GPUs, in the second run, when all kernels exist.
        let check = |launches: [u64; 2], what: &str, run: &dyn Fn()| {
            run();
            let calls = counter.calls_during(run);
            let count = |name: &str| calls.get(name).copied().unwrap_or(0);
            let expected = launches[usize::from(!chunked)];
            assert_eq!(count("clEnqueueNDRangeKernel"), expected, "{what}: {calls:?}");
            for absent in WAITS.into_iter().chain(["clCreateKernel", "clBuildProgram"]) {
                assert_eq!(count(absent), 0, "{what}: {calls:?}");
            }
        };
        let n = 40_000;
        let x = DeviceVec::from_fn(&queue, n, |i| (i as f32).sin()).unwrap();
        let y = RefCell::new(x.try_clone().unwrap());
        // A sample, all elements, three ranges, the result. Other ranks compile no other kernel.
        let rank = RefCell::new(0);
        check([6, 6], "select_nth", &|| {
            *rank.borrow_mut() += 7777;
            drop(x.iter().select_nth_on_device(*rank.borrow()).unwrap());
        });
        // Without a sample: the counts are cleared, one digit of 8 bits, the result.
        let bytes = DeviceVec::from_fn(&queue, n, |i| i as u8).unwrap();
        check([3, 3], "select_nth of bytes", &|| drop(bytes.iter().select_nth_on_device(9).unwrap()));
        // As before, then the equal elements, the largest elements, their order, and the elements in it.
        let k = RefCell::new(100);
        check([9, 9], "top_k", &|| {
            *k.borrow_mut() += 1;
            drop(x.iter().top_k(*k.borrow()).unwrap());
        });
        // As `select_nth`, then codes, numbers, and the exchange.
        check([9, 9], "nth_element", &|| nth_element(&mut *y.borrow_mut(), 20_000).unwrap());
        let out = RefCell::new(DeviceVec::filled(&queue, 0.0_f32, n).unwrap());
        check([4, 4], "partition3", &|| drop(partition3(&x, 0.5, &mut *out.borrow_mut()).unwrap()));

        let mut lengths = vec![3_u32; 10_000];
        let segments = |lengths: &[u32]| {
            Segments::from_lengths(DeviceVec::from_slice(&queue, lengths).unwrap()).unwrap()
        };
        let short = segments(&lengths);
        lengths[7] = 10_003;
        let uneven = segments(&lengths);
        let values = |segments: &Segments| DeviceVec::filled(&queue, 1_u32, segments.len()).unwrap();
        let (few, many) = (values(&short), values(&uneven));
        check([1, 1], "sum of short segments", &|| drop(short.sum(&few).unwrap()));
        // On GPUs tiles of items, and what is left of segments across tiles.
        check([1, 2], "sum of uneven segments", &|| drop(uneven.sum(&many).unwrap()));
        check([2, 1], "scan of segments", &|| {
            drop(uneven.inclusive_scan(&many).unwrap().collect().unwrap());
        });
        let keys = DeviceVec::filled(&queue, 1_u8, uneven.len()).unwrap();
        // On GPUs that many counts are cleared first.
        check([2, 3], "histogram of segments", &|| drop(uneven.histogram(&keys, 3).unwrap()));
        check([4, 4], "exclusive counts of segments", &|| drop(uneven.exclusive_counts(&keys, 3).unwrap()));
        let sorted = RefCell::new(few.try_clone().unwrap());
        check([2, 2], "sort of short segments", &|| short.sort(&mut *sorted.borrow_mut()).unwrap());
        // Then a list of tiles, by four launches, of which the scan is two on CPUs, and the passes. On GPUs the digits
        // are counted before them. (There a scan of fewer than 16 items would be two launches, too.)
        lengths[7] = 50_000;
        let long = segments(&lengths);
        let sorted = RefCell::new(values(&long));
        check([2 + 5 + 8, 2 + 4 + 3 + 4], "sort of a long segment", &|| {
            long.sort(&mut *sorted.borrow_mut()).unwrap();
        });

        // Two passes, of two launches on CPUs.
        // On GPUs the digits are counted by one launch, or by two without a fence; few keys are sorted in two launches.
        let sum = u64::from(DeviceProfile::of(&device).unwrap().fence.is_none());
        check([4, 2], "sort of u8", &{
            let keys = sorts_of(&queue, 1_u8);
            move || sort(&mut *keys.borrow_mut()).unwrap()
        });
        check([4, 2], "sort of i16", &{
            let keys = sorts_of(&queue, 1_i16);
            move || sort(&mut *keys.borrow_mut()).unwrap()
        });
        check([4, 3 + sum], "sort of bool", &{
            let keys = sorts_of(&queue, true);
            move || sort(&mut *keys.borrow_mut()).unwrap()
        });
        // Sixteen passes on CPUs.
        check([32, 2], "sort of u128", &{
            let keys = sorts_of(&queue, 1_u128);
            move || sort(&mut *keys.borrow_mut()).unwrap()
        });
        // The digits of both keys, 16 bits, and a sort by them.
        let (a, b) =
            (DeviceVec::filled(&queue, 1_u8, 5000).unwrap(), DeviceVec::filled(&queue, 1_i8, 5000).unwrap());
        check([5, 4 + sum], "lexsort", &|| drop(lexsort((&a, &b)).unwrap()));
    }
}
