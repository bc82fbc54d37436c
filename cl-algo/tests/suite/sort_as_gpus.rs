//! Radix sorts with the kernels of GPUs, on every device: other devices have a GPU's forced shape.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::F64x4;
use cl_algo::prelude::*;
use cl_algo::stl::{sort_by_key, sort_by_key_by};
use cl_algo::{DeviceFence, DeviceProfile};
use cl_core::CacheStatistics;
use cl_core::raw::*;
use cl_test::forced::{self, gpu_info, launches, system};
use serial_test::serial;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of launches until one fails.
static UNTIL_FAILURE: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Does what `clEnqueueNDRangeKernel` does and counts it, but fails once when it is told to.
unsafe extern "system" fn launch(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dimensions: cl_uint,
    offset: *const size_t,
    global: *const size_t,
    local: *const size_t,
    waits: cl_uint,
    wait_list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    if UNTIL_FAILURE.fetch_sub(1, Ordering::Relaxed) == 0 {
        return CL_OUT_OF_RESOURCES;
    }
    let counted = forced::counted_launch;
    // SAFETY: the caller's arguments, unchanged.
    unsafe { counted(queue, kernel, dimensions, offset, global, local, waits, wait_list, event) }
}

/// Returns the devices that claim to be GPUs, for one test at a time: the number of the failing launch is global.
fn gpus() -> Vec<Device> {
    UNTIL_FAILURE.store(usize::MAX, Ordering::Relaxed);
    let functions = Functions { clGetDeviceInfo: gpu_info, clEnqueueNDRangeKernel: launch, ..*system() };
    // SAFETY: two entries behave as described above, the others are the system's.
    unsafe { forced::devices(functions) }
}

/// Checks the launches: one for each digit, and one that counts four digits at once and sums up; without a fence, the
/// sums are one more. They are the same each time, with values of all sizes, and nothing is left behind that the next sort would fail on.
#[test]
#[serial(sort_as_gpus)]
fn one_launch_a_digit() {
    for device in gpus() {
        // In smaller groups digits have fewer bits, and sorts use other kernels, so only results are compared.
        let profile = DeviceProfile::of(&device).unwrap();
        let counted = profile.largest_group >= 256;
        let sum = usize::from(profile.fence.is_none());
        let queue = &Queue::on(&device).unwrap();
        // The first sort of a context launches a kernel that tests the sub-groups of the device, if it has any.
        Sort::new().bits(0..31).keys(&mut DeviceVec::filled(queue, 0_u32, 16).unwrap()).unwrap();
        let programs = || {
            let CacheStatistics { builds, disk_hits, .. } = CacheStatistics::of(queue.context());
            builds + disk_hits
        };
        let known = programs();
        for (len, times) in [(3, 3), cl_test::full_or_small((40_009, 100), (9001, 2)), (1000, 3)] {
            let of = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 777;
            let host: Vec<u64> = (0..len).map(of).collect();
            let mut order: Vec<u64> = (0..len).collect();
            order.sort_by_key(|&i| host[i as usize]);
            for time in 0..times {
                let mut keys = DeviceVec::from_slice(queue, &host).unwrap();
                let mut bytes = DeviceVec::from_fn(queue, host.len(), |i| i as u8).unwrap();
                let mut large = DeviceVec::from_fn(queue, host.len(), |i| F64x4::splat(i as f64)).unwrap();
                let before = launches();
                let bits = if time % 2 == 0 { 0..64 } else { 0..10 };
                Sort::new().bits(bits.clone()).by_key(&mut keys, (&mut bytes, &mut large)).unwrap();
                let launched = launches() - before;
                let expected = sum + if bits.end == 64 { 8 + 2 } else { 2 + 1 };
                assert!(!counted || launched == expected, "{launched} launches instead of {expected}");
                let sorted = |i: &u64| host[*i as usize];
                assert!(keys.to_vec().unwrap().into_iter().eq(order.iter().map(sorted)), "{len} {time}");
                assert!(bytes.to_vec().unwrap().into_iter().eq(order.iter().map(|&i| i as u8)));
                let large = large.to_vec().unwrap();
                assert!(large.into_iter().eq(order.iter().map(|&i| F64x4::splat(i as f64))));
            }
        }
        // Kernels that count, sum up and move are one program. Kernels that make indices in the first pass and move
        // them in the others are also one. A kernel with a fence of OpenCL C 3.0 is a program of its own.
        let each = if profile.fence == Some(DeviceFence::OpenClC3) { 2 } else { 1 };
        assert!(!counted || programs() - known == each);
        let len = cl_test::full_or_small(40_009_u32, 9001);
        let host: Vec<u16> = (0..len).map(|i| (i.wrapping_mul(2_654_435_761) >> 17) as u16).collect();
        let order = Sort::new().bits(0..15).argsort(DeviceVec::from_slice(queue, &host).unwrap()).unwrap();
        let mut expected: Vec<u32> = (0..len).collect();
        expected.sort_by_key(|&i| host[i as usize]);
        assert_eq!(order.to_vec().unwrap(), expected);
        assert!(!counted || programs() - known == 2 * each);
    }
}

/// Checks that whichever launch fails, keys and values still have the same elements, in some order, and the next sort
/// finds nothing that the failed one left behind.
#[test]
#[serial(sort_as_gpus)]
fn launches_may_fail() {
    for device in gpus() {
        let queue = &Queue::on(&device).unwrap();
        let host: Vec<u32> = (0..5000_u32).map(|i| i.wrapping_mul(2_654_435_761) >> 1).collect();
        // By fewer bits than all, so that few items, too, are sorted digit by digit.
        let digits = Sort::new().bits(0..31);
        for failing in 0..5 {
            let mut keys = DeviceVec::from_slice(queue, &host).unwrap();
            let mut indices = DeviceVec::from_fn(queue, host.len(), |i| i as u32).unwrap();
            UNTIL_FAILURE.store(failing, Ordering::Relaxed);
            digits.by_key(&mut keys, &mut indices).unwrap_err();
            UNTIL_FAILURE.store(usize::MAX, Ordering::Relaxed);
            let mut there = indices.to_vec().unwrap();
            let pairs = keys.to_vec().unwrap().into_iter().zip(&there);
            assert!(pairs.map(|(key, &i)| (key, i)).all(|(key, i)| key == host[i as usize]), "{failing}");
            there.sort_unstable();
            assert!(there.into_iter().eq(0..5000), "{failing}: each once");

            digits.by_key(&mut keys, &mut indices).unwrap();
            let mut expected = host.clone();
            expected.sort_unstable();
            assert!(keys.to_vec().unwrap() == expected, "{failing}");
        }
    }
}

/// A function that sorts keys, and moves values along.
type SortByKey = fn(&mut DeviceVec<u32>, &mut DeviceVec<u32>) -> cl_core::Result<()>;

/// Checks that whichever launch fails, views are unchanged, also those that are sorted by comparison.
#[test]
#[serial(sort_as_gpus)]
fn launches_of_views_may_fail() {
    for device in gpus() {
        let queue = &Queue::on(&device).unwrap();
        let host: Vec<u32> = (0..5000_u32).map(|i| i.wrapping_mul(2_654_435_761) >> 1).collect();
        let mut keys = DeviceVec::from_slice(queue, &host).unwrap();
        let mut indices = DeviceVec::from_fn(queue, host.len(), |i| i as u32).unwrap();
        let sorts: [SortByKey; 3] = [
            |keys, indices| Sort::new().bits(0..31).by_key(keys.slice_mut(1..), indices.slice_mut(..4999)),
            |keys, indices| sort_by_key(keys.slice_mut(1..), indices.slice_mut(..4999)),
            |keys, indices| sort_by_key_by(keys.slice_mut(1..), indices.slice_mut(..4999), Val::lt),
        ];
        for (which, sort) in sorts.into_iter().enumerate() {
            keys.buffer_mut().write(queue, 0, &host).unwrap();
            indices.assign(index::<u32>()).unwrap();
            let mut failing = 0;
            loop {
                UNTIL_FAILURE.store(failing, Ordering::Relaxed);
                let result = sort(&mut keys, &mut indices);
                UNTIL_FAILURE.store(usize::MAX, Ordering::Relaxed);
                if result.is_ok() {
                    break;
                }
                assert!(keys.to_vec().unwrap() == host, "{which}: {failing}");
                assert!(indices.to_vec().unwrap().into_iter().eq(0..5000), "{which}: {failing}");
                failing += 1;
            }
            assert!(failing >= [7, 3, 2][which], "{which}: {failing} launches");
            let mut expected: Vec<(u32, u32)> = host[1..].iter().copied().zip(0..).collect();
            expected.sort_unstable();
            let pairs = keys.to_vec().unwrap().into_iter().skip(1).zip(indices.to_vec().unwrap());
            assert!(pairs.eq(expected), "{which}");
        }
    }
}
