//! The driver calls of merges, sorts, searches, histograms and similar algorithms.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::probed::devices_and_forced;
use cl_algo::prelude::*;
use cl_algo::stl::*;
use cl_algo::*;
use cl_test::counting::{Calls, Exclusive, exclusive};

/// Checks the calls of a second run, when kernels and memory exist: `launches` and `reads`, and no other call that
/// allocates, compiles or waits.
fn check(counter: &Exclusive, launches: [u64; 2], reads: u64, chunked: bool, run: impl Fn()) {
    run();
    let calls = counter.calls_during(run);
    let count = |name: &str| calls.get(name).copied().unwrap_or(0);
    assert_eq!(count("clEnqueueNDRangeKernel"), launches[usize::from(!chunked)], "{calls:?}");
    assert_eq!(count("clEnqueueReadBuffer"), reads, "{calls:?}");
    for absent in ["clCreateBuffer", "clCreateKernel", "clBuildProgram", "clFinish", "clReleaseMemObject"] {
        assert_eq!(count(absent), 0, "{calls:?}");
    }
}

#[test]
fn few_launches_and_no_memory_of_their_own() {
    let counter = exclusive();
    for device in devices_and_forced() {
        let queue = Queue::on(&device).unwrap();
        let profile = DeviceProfile::of(&device).unwrap();
        let chunked = profile.chunked;
        let check = |launches, reads, run: &dyn Fn()| check(&counter, launches, reads, chunked, run);
        let n = 1 << 16;
        let x = DeviceVec::from_fn(&queue, n, |i| i as u32).unwrap();
        let into = |len| std::cell::RefCell::new(DeviceVec::filled(&queue, 0_u32, len).unwrap());
        let (same, twice, counts) = (into(n), into(2 * n), into(300));
        // The tiles of GPUs. Their cuts are searched for in a launch before the merge.
        let tile = 256 * profile.rule(&tunables::MERGE, 4).held_items(4, 1);
        check([1, 2], 0, &|| merge(&x, &x, &mut *twice.borrow_mut()).unwrap());
        // Blocks of 4096 items, or of half as many if two of them would fill local memory, then a pass for each
        // doubling. On GPUs blocks are as large as a tile.
        let block = if profile.local_memory > 32 << 10 { 4096 } else { 2048 };
        let chunked_passes = u64::from((n / block).ilog2());
        let passes = u64::from(n.div_ceil(tile).next_power_of_two().ilog2());
        let sort = || sort_by(&mut *same.borrow_mut(), Val::gt).unwrap();
        check([1 + chunked_passes, 1 + 2 * passes], 0, &sort);
        // A view needs no additional launch.
        let sort = || sort_by(same.borrow_mut().view_mut().rev(), Val::gt).unwrap();
        check([1 + chunked_passes, 1 + 2 * passes], 0, &sort);
        check([2, 1], 0, &|| {
            inclusive_scan_in_place(same.borrow_mut().view_mut().rev(), |a, b| a + b).unwrap();
        });
        // On CPUs buckets are found first, unless there are few needles.
        check([2, 1], 0, &|| lower_bounds(&x, &x, &mut *same.borrow_mut()).unwrap());
        let few = x.len() / 4 - 1;
        check([1, 1], 0, &|| {
            lower_bounds(&x, x.slice(..few), same.borrow_mut().slice_mut(..few)).unwrap();
        });
        check([1, 1], 1, &|| assert_eq!(equal_range(&x, 77).unwrap(), 77..78));
        check([2, 2], 0, &|| histogram(&x, &mut *counts.borrow_mut()).unwrap());
        if chunked {
            let add = |a: Val<u32>, b: Val<u32>| a + b;
            check([2, 2], 0, &|| reduce_by_index(&x % 300, &x, 0, add, &mut *counts.borrow_mut()).unwrap());
        }
        check([1, 1], 0, &|| transform(&x, |x| x + 1, &mut *same.borrow_mut()).unwrap());
        check([1, 1], 0, &|| adjacent_difference(&x, |x, y| x - y, &mut *same.borrow_mut()).unwrap());
        check([1, 1], 0, &|| scatter_if(&x, &x, x.iter().lt(5), &mut same.borrow_mut()).unwrap());
    }
}

#[test]
fn sets_and_sequences_do_not_wait() {
    let counter = exclusive();
    for device in devices_and_forced() {
        let queue = Queue::on(&device).unwrap();
        let chunked = DeviceProfile::of(&device).unwrap().chunked;
        let check = |launches, reads, run: &dyn Fn()| check(&counter, launches, reads, chunked, run);
        let n = 1 << 14;
        let x = DeviceVec::from_fn(&queue, n, |i| i as u32 / 3).unwrap();
        let into = |len| std::cell::RefCell::new(DeviceVec::filled(&queue, 0_u32, len).unwrap());
        let (same, twice) = (into(n), into(2 * n));
        // On GPUs the cuts are a launch of their own. The number stays on the device.
        check([1, 2], 0, &|| drop(set_union(&x, &x, &mut *twice.borrow_mut()).unwrap()));
        check([1, 2], 1, &|| assert!(includes(&x, &x).unwrap()));
        check([2, 2], 0, &|| drop(remove(&mut *same.borrow_mut(), 7).unwrap()));
        check([1, 1], 0, &|| reverse::<u32>(same.borrow_mut().slice_mut(1..)).unwrap());
        check([2, 2], 0, &|| rotate::<u32>(&mut *same.borrow_mut(), 5).unwrap());
        check([1, 1], 0, &|| replace(&mut *same.borrow_mut(), 7, 8).unwrap());
        check([1, 1], 1, &|| assert_eq!(partition_point(&x, |x| x.lt(77)).unwrap(), 231));
        check([2, 3], 0, &|| inplace_merge(&mut *same.borrow_mut(), 100).unwrap());
        check([1, 1], 0, &|| {
            drop(run_length_encode(&x, &mut *same.borrow_mut(), &mut *twice.borrow_mut()).unwrap());
        });
    }
}

/// Checks the numbers of launches that documentation states, on CPUs and on GPUs.
#[test]
fn documented_launches() {
    let counter = exclusive();
    for device in devices_and_forced() {
        let queue = Queue::on(&device).unwrap();
        let chunked = DeviceProfile::of(&device).unwrap().chunked;
        let n = 1 << 16;
        let x = DeviceVec::from_fn(&queue, n, |i| i as u32 / 3).unwrap();
        let bytes = DeviceVec::from_fn(&queue, n, |i| i as u8).unwrap();
        let lengths = DeviceVec::filled(&queue, 64_u32, n / 64).unwrap();
        let into = |len| std::cell::RefCell::new(DeviceVec::filled(&queue, 0_u32, len).unwrap());
        let (same, twice, few, more) = (into(n), into(2 * n), into(300), into(5000));
        let segments = Segments::from_lengths(&lengths).unwrap();
        let add = |a: Val<u32>, b: Val<u32>| a + b;
        let mut all = Vec::new();
        let mut check = |what: &'static str, launches: [u64; 2], run: &dyn Fn()| {
            run();
            let calls = counter.calls_during(run);
            let of = |name: &str| calls.get(name).copied().unwrap_or(0);
            all.push((what, launches[usize::from(!chunked)], of("clEnqueueNDRangeKernel")));
        };
        check("reduce_by_key", [1, 1], &|| {
            drop(reduce_by_key(&x, &x, Discard, &mut *same.borrow_mut()).unwrap());
        });
        check("scan by key", [2, 1], &|| inclusive_scan_by_key(&x, &x, &mut *same.borrow_mut()).unwrap());
        check("number_runs", [3, 2], &|| {
            number_runs(&x, x.iter().lt(9), &mut *same.borrow_mut()).unwrap();
        });
        // The numbers are kept.
        check("numbers of segments", [0, 0], &|| drop(segments.numbers().unwrap()));
        let others = Segments::from_lengths(&lengths).unwrap();
        let calls = counter.calls_during(|| drop(others.numbers().unwrap()));
        assert_eq!(calls.get("clEnqueueNDRangeKernel"), Some(if chunked { &3 } else { &2 }), "{calls:?}");
        check("run_length_decode", [7, 5], &|| {
            drop(run_length_decode(&x, constant(2_u32).take(n), &mut *twice.borrow_mut()).unwrap());
        });
        // On GPUs a sort of indices of 9 bits is two passes, whose digits are counted by one launch, or by two without a
        // fence.
        let sum = u64::from(DeviceProfile::of(&device).unwrap().fence.is_none());
        check("reduce_by_index", [2, 4 + 3 + sum + 1], &|| {
            reduce_by_index(&x % 300, &x, 0, add, &mut *few.borrow_mut()).unwrap();
        });
        check("a histogram of many bins", [2, 3], &|| histogram(&x, &mut *more.borrow_mut()).unwrap());
        check("select_nth of few elements", [2, 2], &|| {
            drop(x.slice(..16_384).select_nth_on_device(700).unwrap());
        });
        check("top_k of few elements", [5, 5], &|| drop(x.slice(..16_384).top_k(100).unwrap()));
        check("stable_partition", [3, 3], &|| {
            drop(stable_partition::<u32>(&mut *same.borrow_mut(), |x| x.lt(9)).unwrap());
        });
        check("argsort of bytes", [4, 3 + sum], &|| drop(argsort(&bytes).unwrap()));
        check("repeat_each", [7, 5], &|| drop(x.iter().repeat_each(constant(2_u32).take(n)).unwrap()));
        check("search", [1, 1], &|| assert_eq!(search(&x, x.slice(80..90)).unwrap(), Some(80)));
        check("argsort of segments", [2, 2], &|| drop(segments.argsort(&x).unwrap()));
        check("top_k of segments", [3, 3], &|| drop(segments.top_k(&x, 3, 0).unwrap()));
        check("sort_by of segments", [3, 4], &|| {
            segments.sort_by(&mut *same.borrow_mut(), Val::gt).unwrap();
        });
        let wrong: Vec<_> = all.into_iter().filter(|(_, expected, got)| expected != got).collect();
        assert!(wrong.is_empty(), "{device}, chunked: {chunked}: {wrong:?}");
    }
}

#[test]
fn no_elements_no_calls_and_mistakes_make_none() {
    let counter = exclusive();
    for device in devices_and_forced() {
        let queue = Queue::on(&device).unwrap();
        let mut x = DeviceVec::from_slice(&queue, &[1_u32, 2, 3]).unwrap();
        let none = DeviceVec::from_slice(&queue, &[] as &[u32]).unwrap();
        let mut nothing = DeviceVec::from_slice(&queue, &[] as &[u32]).unwrap();
        let calls = counter.calls_during(|| {
            merge(&none, &none, &mut nothing).unwrap();
            sort_by(&mut nothing, Val::lt).unwrap();
            argsort_by(&none, Val::lt, &mut nothing).unwrap();
            lower_bounds(&none, &none, &mut nothing).unwrap();
            assert_eq!(lower_bound(&none, 5).unwrap(), 0);
            assert_eq!(binary_search(&none, 5).unwrap(), None);
            histogram(&none, &mut nothing).unwrap();
            transform(&none, |x| x + 1, &mut nothing).unwrap();
            scatter_if(&none, &none, true, &mut nothing).unwrap();
            adjacent_difference(&none, |x, y| x - y, &mut nothing).unwrap();
            assert_eq!(search(&none, &x).unwrap(), None);
            assert_eq!(find_end(&x, &none).unwrap(), Some(3));
            assert_eq!(search_n(&none, 0, 7).unwrap(), Some(0));
            assert!(lexicographical_compare(&none, &x).unwrap().is_lt());
            assert!(!is_permutation(&none, &x).unwrap() && is_partitioned(&none, |x| x.lt(5)).unwrap());
            assert!(!next_permutation(&mut nothing).unwrap());
            reverse::<u32>(&mut nothing).unwrap();
            rotate::<u32>(&mut x, 0).unwrap();
            inplace_merge(&mut x, 3).unwrap();

            set_union(&none, none.slice(1..9), Discard).unwrap_err();
            set_union(&x, 7, Discard).unwrap_err();
            rotate::<u32>(&mut x, 4).unwrap_err();
            search(&x, 5).unwrap_err();
            run_length_decode(&none, iota(0_u32, 4), Discard).unwrap_err();
            merge(&none, &none, &mut x).unwrap_err();
            merge(&none, none.slice(1..9), &mut nothing).unwrap_err();
            argsort_by(&none, Val::lt, &mut x).unwrap_err();
            lower_bounds(&none, &none, &mut x).unwrap_err();
            lower_bound(iota(0, 9), 3).unwrap_err();
            histogram(5_u32, &mut x).unwrap_err();
            histogram_even(&none, 5..5, &mut x).unwrap_err();
            scatter_if(&none, &none, x.slice(..2).lt(3), &mut nothing).unwrap_err();
        });
        assert_eq!(calls, Calls::new());
    }
}
