//! Kernels that are needed together are one program, because compilers take a fixed time for each.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::DeviceProfile;
use cl_algo::prelude::*;
use cl_algo::stl::{inclusive_scan, sort, sort_by_key};
use cl_core::{CacheStatistics, Context, DeviceKind, QueueOptions};
use cl_test::each_device;

/// A struct with a field named like a function of every kernel.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Named {
    item_at: u32,
}

/// Returns how many programs the call got from compiler, disk or memory.
fn programs(queue: &Queue, call: impl FnOnce()) -> u64 {
    let count = || {
        let CacheStatistics { builds, disk_hits, memory_hits, .. } = CacheStatistics::of(queue.context());
        builds + disk_hits + memory_hits
    };
    let before = count();
    call();
    count() - before
}

#[test]
fn kernels_of_a_call_are_one_program() {
    each_device(|device| {
        // Other devices test their sub-groups first, and may need one kernel only.
        if !device.kind().unwrap().contains(DeviceKind::CPU) {
            return;
        }
        // The first call of a process also compiles the program that tries the device.
        DeviceProfile::of(device).unwrap();
        let queue = Queue::new(&Context::on(device).unwrap(), QueueOptions::new()).unwrap();
        let host: Vec<u32> = (0..100_000_u32).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect();
        let fresh = || DeviceVec::from_slice(&queue, &host).unwrap();
        let (x, mut keys, mut values) = (fresh(), fresh(), fresh());

        let mut sums = DeviceVec::filled(&queue, 0_u32, host.len()).unwrap();
        assert_eq!(programs(&queue, || inclusive_scan(&x, &mut sums).unwrap()), 1);
        let mut sum = 0_u32;
        let expected: Vec<u32> = host
            .iter()
            .map(|value| {
                sum = sum.wrapping_add(*value);
                sum
            })
            .collect();
        assert_eq!(sums.to_vec().unwrap(), expected);

        assert_eq!(programs(&queue, || sort(&mut keys).unwrap()), 1);
        let mut sorted = host.clone();
        sorted.sort_unstable();
        assert_eq!(keys.to_vec().unwrap(), sorted);

        // The kernel of a sort by key that stores items is new; the one that counts is known.
        let mut keys = fresh();
        assert_eq!(programs(&queue, || sort_by_key(&mut keys, &mut values).unwrap()), 1);
        assert_eq!(keys.to_vec().unwrap(), sorted);
        assert_eq!(values.to_vec().unwrap(), sorted);
        assert_eq!(programs(&queue, || sort_by_key(&mut keys, &mut values).unwrap()), 0);
    });
}

#[test]
fn names_of_users_may_be_those_of_functions() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let host: Vec<Named> = (0..20_000).map(|i| Named { item_at: i % 9 }).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let mut sums = DeviceVec::filled(&queue, 0_u32, host.len()).unwrap();
        inclusive_scan(x.item_at(), &mut sums).unwrap();
        let mut sum = 0;
        let expected: Vec<u32> = host
            .iter()
            .map(|named| {
                sum += named.item_at;
                sum
            })
            .collect();
        assert_eq!(sums.to_vec().unwrap(), expected);
    });
}
