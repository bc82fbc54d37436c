//! What merges, sorts, searches, histograms and their like ask of the driver.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::probed::devices;
use cl_algo::prelude::*;
use cl_algo::stl::{
    adjacent_difference, argsort_by, binary_search, equal_range, histogram, histogram_even,
    inclusive_scan_in_place, lower_bound, lower_bounds, merge, scatter_if, sort_by, transform,
};
use cl_algo::*;
use cl_test::counting::{Calls, Exclusive, exclusive};

/// The calls of the second time, when kernels and memory are there: with so many launches and reads,
/// and without any call that allocates, compiles or waits otherwise.
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
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let profile = DeviceProfile::of(&device).unwrap();
        let chunked = profile.chunked;
        let check = |launches, reads, run: &dyn Fn()| check(&counter, launches, reads, chunked, run);
        let n = 1 << 16;
        let x = DeviceVec::from_fn(&queue, n, |i| i as u32).unwrap();
        let into = |len| std::cell::RefCell::new(DeviceVec::filled(&queue, 0_u32, len).unwrap());
        let (same, twice, counts) = (into(n), into(2 * n), into(300));
        // Tiles of GPUs. Their cuts are searched for in a launch before the merge.
        let tile = 256 * profile.rule(&tunables::MERGE, 4).held_items(4, 1);
        check([1, 2], 0, &|| merge(&x, &x, &mut *twice.borrow_mut()).unwrap());
        // Blocks of 4096 items, or of half as many where two of them would fill local memory, then a pass for each time
        // that they double; on GPUs blocks as large as a tile.
        let block = if profile.local_memory > 32 << 10 { 4096 } else { 2048 };
        let chunked_passes = u64::from((n / block).ilog2());
        let passes = u64::from(n.div_ceil(tile).next_power_of_two().ilog2());
        let sort = || sort_by(&mut *same.borrow_mut(), Val::gt).unwrap();
        check([1 + chunked_passes, 1 + 2 * passes], 0, &sort);
        // No launch more for a view.
        let sort = || sort_by(same.borrow_mut().view_mut().rev(), Val::gt).unwrap();
        check([1 + chunked_passes, 1 + 2 * passes], 0, &sort);
        check([2, 1], 0, &|| {
            inclusive_scan_in_place(same.borrow_mut().view_mut().rev(), |a, b| a + b).unwrap();
        });
        check([1, 1], 0, &|| lower_bounds(&x, &x, &mut *same.borrow_mut()).unwrap());
        check([1, 1], 1, &|| assert_eq!(equal_range(&x, 77).unwrap(), 77..78));
        check([2, 2], 0, &|| histogram(&x, &mut *counts.borrow_mut()).unwrap());
        check([1, 1], 0, &|| transform(&x, |x| x + 1, &mut *same.borrow_mut()).unwrap());
        check([1, 1], 0, &|| adjacent_difference(&x, |x, y| x - y, &mut *same.borrow_mut()).unwrap());
        check([1, 1], 0, &|| scatter_if(&x, &x, x.iter().lt(5), &mut same.borrow_mut()).unwrap());
    }
}

#[test]
fn no_elements_no_calls_and_mistakes_make_none() {
    let counter = exclusive();
    for device in devices() {
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
