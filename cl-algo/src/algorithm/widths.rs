//! Tests of scans, selections, algorithms by key, sorts and reductions in sub-groups of every width that devices have.
//! Sorts are also tested in simulated sub-groups.

use super::stl::{
    copy_if, exclusive_scan_by_key, inclusive_scan, inclusive_scan_by_key, inclusive_scan_with,
    partition_copy, reduce_by_key, unique,
};
use super::{Segments, Sort};
use crate::codegen::look_back::{LookBack, Method};
use crate::codegen::sub_groups::tests::{all_on, force};
use crate::device::SubGroups;
use crate::device::sub_groups::Backend;
use crate::expr::Val;
use crate::vec::DeviceVec;
use cl_core::{Context, Device, Queue, QueueOptions};
use cl_test::forced;

/// Returns a queue in a context of its own, in which algorithms use the given sub-groups.
fn queue_with(device: &Device, sub_groups: SubGroups) -> Queue {
    let context = Context::on(device).unwrap();
    force(&context, sub_groups);
    let queue = Queue::new(&context, QueueOptions::new()).unwrap();
    assert_eq!(LookBack::on(&queue).unwrap().sub_groups, sub_groups);
    assert!(matches!(Method::ByDevice.on(&queue).unwrap(), Method::LookBack(_)));
    queue
}

/// Returns the lengths of one item, a sub-group, one more, and more blocks of tiles than a sub-group has lanes.
fn lengths(width: usize) -> Vec<usize> {
    cl_test::full_or_small(vec![1, width, width + 1, 4 * width * width + 1, 70_003], vec![1, width + 1, 9001])
}

fn numbers(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| (i + 1).wrapping_mul(2_654_435_761) >> 7).collect()
}

fn scans_and_selections(queue: &Queue, len: usize) {
    let host = numbers(len);
    let x = DeviceVec::from_slice(queue, &host).unwrap();
    let mut y = DeviceVec::filled(queue, 0_u32, len).unwrap();
    inclusive_scan(&x, &mut y).unwrap();
    let sums = host.iter().scan(0_u32, |sum, x| {
        *sum = sum.wrapping_add(*x);
        Some(*sum)
    });
    assert!(y.to_vec().unwrap().into_iter().eq(sums), "scan of {len}");

    // The operator returns the last number that is not 0, so it does not commute. The items have 8 bytes.
    // (PoCL 3.1 crashes when it compiles this operator for pairs.)
    let wide: Vec<u64> = host.iter().map(|x| if x % 5 > 0 { 0 } else { u64::from(*x) << 20 }).collect();
    let (z, mut last) =
        (DeviceVec::from_slice(queue, &wide).unwrap(), DeviceVec::filled(queue, 0, len).unwrap());
    inclusive_scan_with(&z, |a: Val<u64>, b: Val<u64>| b.ne(0).select(b, a), &mut last).unwrap();
    let expected = wide.iter().scan(0, |last, &x| {
        *last = if x != 0 { x } else { *last };
        Some(*last)
    });
    assert!(last.to_vec().unwrap().into_iter().eq(expected), "last of {len}");

    let (kept, rest): (Vec<u32>, Vec<u32>) = host.iter().partition(|&x| x % 3 == 1);
    let count = copy_if(&x, |x| (x % 3).eq(1), &mut y).unwrap().get().unwrap() as usize;
    assert_eq!(y.to_vec().unwrap()[..count], kept, "copy_if of {len}");
    let mut others = DeviceVec::filled(queue, 0_u32, len).unwrap();
    partition_copy(&x, |x| (x % 3).eq(1), &mut y, &mut others).unwrap();
    assert_eq!(others.to_vec().unwrap()[..rest.len()], rest, "partition_copy of {len}");
    // A pack has 16 of these small items.
    let bytes: Vec<u8> = host.iter().map(|x| (x >> 9) as u8 & 1).collect();
    let narrow = DeviceVec::from_slice(queue, &bytes).unwrap();
    let mut distinct = DeviceVec::filled(queue, 0_u8, len).unwrap();
    let count = unique(&narrow, &mut distinct).unwrap().get().unwrap() as usize;
    let mut expected = bytes;
    expected.dedup();
    assert_eq!(distinct.to_vec().unwrap()[..count], expected, "unique of {len}");
}

/// Tests runs of one item, short runs, and one run of all items.
fn by_key(queue: &Queue, len: usize) {
    let host = numbers(len);
    let x = DeviceVec::from_slice(queue, &host).unwrap();
    for run in [1, 5, 1000, len] {
        let keys = DeviceVec::from_fn(queue, len, |i| (i / run) as u32).unwrap();
        let case = format!("{len} items, runs of {run}");
        let [mut sums, mut before, mut totals] =
            [0; 3].map(|zero| DeviceVec::filled(queue, zero, len).unwrap());
        inclusive_scan_by_key(&keys, &x, &mut sums).unwrap();
        exclusive_scan_by_key(&keys, &x, 7_u32, &mut before).unwrap();
        let count = reduce_by_key(&keys, &x, crate::Discard, &mut totals).unwrap().get().unwrap() as usize;
        let (mut expected, mut expected_before, mut expected_totals) = (Vec::new(), Vec::new(), Vec::new());
        for run in host.chunks(run) {
            let mut sum = 0_u32;
            for x in run {
                expected_before.push(sum.wrapping_add(7));
                sum = sum.wrapping_add(*x);
                expected.push(sum);
            }
            expected_totals.push(sum);
        }
        assert!(sums.to_vec().unwrap() == expected, "inclusive_scan_by_key, {case}");
        assert!(before.to_vec().unwrap() == expected_before, "exclusive_scan_by_key, {case}");
        assert!(totals.to_vec().unwrap()[..count] == expected_totals, "reduce_by_key, {case}");
    }
}

fn sorts(queue: &Queue, len: usize) {
    let mut host = numbers(len);
    let mut keys = DeviceVec::from_slice(queue, &host).unwrap();
    let mut indices = DeviceVec::from_fn(queue, len, |i| i as u64).unwrap();
    let mut expected: Vec<u64> = (0..len as u64).collect();
    expected.sort_by_key(|&i| host[i as usize]);
    // By fewer bits than all, so that few items, too, are sorted digit by digit.
    Sort::new().bits(0..25).by_key(&mut keys, &mut indices).unwrap();
    host.sort_unstable();
    assert!(keys.to_vec().unwrap() == host, "sort of {len}");
    assert!(indices.to_vec().unwrap() == expected, "values of {len} keys");
    let wide: Vec<u64> = numbers(len).into_iter().map(|x| u64::from(x) << 31 | u64::from(x % 7)).collect();
    let mut keys = DeviceVec::from_slice(queue, &wide).unwrap();
    Sort::new().descending().bits(0..56).keys(&mut keys).unwrap();
    let mut expected = wide;
    expected.sort_unstable_by(|a, b| b.cmp(a));
    assert!(keys.to_vec().unwrap() == expected, "descending sort of {len}");
}

/// Tests segments of few items, of some hundreds, and one of all items.
fn segments(queue: &Queue, len: usize) {
    let host = numbers(len);
    let x = DeviceVec::from_slice(queue, &host).unwrap();
    for most in [9, 700, len] {
        let lengths: Vec<u32> = host.chunks(most).map(|part| part.len() as u32).chain([0]).collect();
        let segments = Segments::from_lengths(DeviceVec::from_slice(queue, &lengths).unwrap()).unwrap();
        // The operator returns the first multiple of 5, so it does not commute.
        let first = |part: &[u32]| part.iter().copied().find(|x| x % 5 == 0).unwrap_or(1);
        let expected: Vec<u32> = host.chunks(most).map(first).chain([1]).collect();
        let kept = x.iter().map(|x: Val<u32>| (x % 5).eq(0).select(x, 1));
        let found = segments.reduce(kept, 1, |a, b| a.ne(1).select(a, b)).unwrap();
        assert!(found.to_vec().unwrap() == expected, "segments of {most} of {len}");
    }
}

fn reductions(queue: &Queue, len: usize) {
    let host = numbers(len);
    let x = DeviceVec::from_slice(queue, &host).unwrap();
    assert_eq!(x.sum().unwrap(), host.iter().fold(0, |sum: u32, x| sum.wrapping_add(*x)), "sum of {len}");
    assert_eq!(x.iter().reduce_max().unwrap(), host.iter().max().copied(), "maximum of {len}");
}

/// Tests tiles that send no messages, and work-groups that never wait.
fn stalled_tiles(queue: &Queue) {
    let own = LookBack::on(queue).unwrap();
    for way in [LookBack { spins: 0, ..own }, LookBack { spins: 20, stalled: Some(2), ..own }] {
        let host = numbers(cl_test::full_or_small(20_003, 5003));
        let x = DeviceVec::from_slice(queue, &host).unwrap();
        super::scan::tests::check_sums(queue, &host, Method::LookBack(way));
        super::select::tests::check_kept(queue, &x, &host, Method::LookBack(way));
    }
}

/// Tests all families in sub-groups of a width, on devices that have this width, with each of their back-ends.
fn families(width: usize) {
    for device in forced::gpus() {
        let mut tried = all_on(&Queue::on(&device).unwrap());
        tried.push(SubGroups::NONE);
        tried.retain(|sub_groups| sub_groups.width == width);
        if !cl_test::offers(&device, &format!("sub-groups of {width}"), Ok(!tried.is_empty())) {
            continue;
        }
        for sub_groups in tried {
            let queue = &queue_with(&device, sub_groups);
            for len in lengths(width) {
                scans_and_selections(queue, len);
                by_key(queue, len);
                segments(queue, len);
                sorts(queue, len);
                reductions(queue, len);
            }
            stalled_tiles(queue);
        }
    }
}

// One test for each width, because compilers are slow, and a failure then names its width.

#[test]
fn no_sub_groups() {
    families(1);
}

#[test]
fn sub_groups_of_8() {
    families(8);
}

#[test]
fn sub_groups_of_16() {
    families(16);
}

#[test]
fn sub_groups_of_32() {
    families(32);
}

#[test]
fn sub_groups_of_64() {
    families(64);
}

/// Tests sorts in simulated sub-groups. Only in sorts do all sub-groups of a group do the same: see
/// `cl_test::simulated`.
#[test]
fn sorts_in_simulated_sub_groups() {
    for width in [8, 16, 32, 64] {
        for device in cl_test::simulated::sub_groups(width, 256) {
            let queue = &queue_with(&device, SubGroups { backend: Backend::Khr, width });
            for len in [1, width + 1, 9001] {
                sorts(queue, len);
            }
        }
    }
}
