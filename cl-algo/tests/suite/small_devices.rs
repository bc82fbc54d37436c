//! Devices with little local memory and small work-groups: the kernels of each algorithm fit them. Devices whose probe
//! finds faults: each algorithm works around them.

#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::DeviceProfile;
use cl_algo::prelude::*;
use cl_algo::stl::{copy_if, histogram, inclusive_scan, merge, reduce_by_key, sort, sort_by};
use cl_core::raw::*;
use cl_test::forced::{self, answer, gpu_info, system};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The largest work-group that the devices report.
static LARGEST: AtomicUsize = AtomicUsize::new(0);

/// 1 if the devices claim to be GPUs.
static AS_GPU: AtomicUsize = AtomicUsize::new(0);

/// Does what `clGetDeviceInfo` does, but reports 16 KiB of local memory, and groups of [`LARGEST`].
unsafe extern "system" fn small_info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    let bytes = match name {
        CL_DEVICE_LOCAL_MEM_SIZE => (16_u64 << 10).to_ne_bytes(),
        CL_DEVICE_MAX_WORK_GROUP_SIZE => (LARGEST.load(Ordering::Relaxed) as u64).to_ne_bytes(),
        // SAFETY: the caller's arguments, unchanged.
        _ if AS_GPU.load(Ordering::Relaxed) == 1 => unsafe {
            return gpu_info(device, name, size, value, size_ret);
        },
        // SAFETY: the caller's arguments, unchanged.
        _ => unsafe { return (system().clGetDeviceInfo)(device, name, size, value, size_ret) },
    };
    // SAFETY: the caller's pointers.
    unsafe { answer(&bytes, size, value, size_ret) }
}

/// Runs one algorithm of each family, and compares with the host.
fn families(queue: &Queue, len: usize) {
    let on_host: Vec<i32> = (0..len).map(|i| (i * 7919 % 1009) as i32 - 500).collect();
    let x = DeviceVec::from_slice(queue, &on_host).unwrap();
    assert_eq!(x.sum().unwrap(), on_host.iter().sum::<i32>());

    let mut scanned = DeviceVec::filled(queue, 0, len).unwrap();
    inclusive_scan(&x, &mut scanned).unwrap();
    let sums = on_host.iter().scan(0, |sum, x| {
        *sum += x;
        Some(*sum)
    });
    assert_eq!(scanned.to_vec().unwrap(), sums.collect::<Vec<i32>>());

    let mut kept = DeviceVec::filled(queue, 0, len).unwrap();
    let count = copy_if(&x, |x| x.gt(100), &mut kept).unwrap().get().unwrap() as usize;
    let expected: Vec<i32> = on_host.iter().copied().filter(|&x| x > 100).collect();
    assert_eq!(&kept.to_vec().unwrap()[..count], expected);

    let mut ascending = on_host.clone();
    ascending.sort_unstable();
    let mut sorted = DeviceVec::from_slice(queue, &on_host).unwrap();
    sort(&mut sorted).unwrap();
    assert_eq!(sorted.to_vec().unwrap(), ascending);
    let mut compared = DeviceVec::from_slice(queue, &on_host).unwrap();
    sort_by(&mut compared, Val::lt).unwrap();
    assert_eq!(compared.to_vec().unwrap(), ascending);
    let mut merged = DeviceVec::filled(queue, 0, 2 * len).unwrap();
    merge(&sorted, &compared, &mut merged).unwrap();
    let twice: Vec<i32> = ascending.iter().flat_map(|&x| [x, x]).collect();
    assert_eq!(merged.to_vec().unwrap(), twice);

    let (mut keys, mut ones) =
        (DeviceVec::filled(queue, 0, len).unwrap(), DeviceVec::filled(queue, 0, len).unwrap());
    let runs = reduce_by_key(&sorted, &sorted, &mut keys, &mut ones).unwrap().get().unwrap() as usize;
    let mut distinct = ascending.clone();
    distinct.dedup();
    assert_eq!(&keys.to_vec().unwrap()[..runs], distinct);

    let mut counts = DeviceVec::filled(queue, 0_u32, 1009).unwrap();
    histogram(&x + 500, &mut counts).unwrap();
    assert_eq!(counts.to_vec().unwrap().iter().sum::<u32>() as usize, len);
}

#[test]
fn every_family_fits_16_kib_and_groups_of_any_size() {
    // SAFETY: one entry behaves as described above, the others are the system's.
    let small = || unsafe { forced::devices(Functions { clGetDeviceInfo: small_info, ..*system() }) };
    for (as_gpu, largest) in [(0, 1), (1, 1), (1, 32), (1, 64)] {
        LARGEST.store(largest, Ordering::Relaxed);
        AS_GPU.store(as_gpu, Ordering::Relaxed);
        for device in small() {
            if cl_test::known_faults::skips(
                "small_devices::every_family_fits_16_kib_and_groups_of_any_size",
                &device,
            ) {
                continue;
            }
            let profile = DeviceProfile::of(&device).unwrap();
            assert_eq!((profile.largest_group, profile.local_memory), (largest, 16 << 10));
            families(&Queue::on(&device).unwrap(), 5003);
        }
    }
}

/// Does what `clCreateProgramWithSource` of a driver with faults does, as far as a device's probe can see them: it ends
/// loops after 65 535 steps, and loses writes to a struct.
unsafe extern "system" fn with_faults(
    context: cl_context,
    count: cl_uint,
    texts: *const *const c_char,
    lengths: *const size_t,
    status: *mut cl_int,
) -> cl_program {
    // SAFETY: cl-core gives one text, with its length.
    let text = unsafe { std::slice::from_raw_parts((*texts).cast::<u8>(), *lengths) };
    let text = std::str::from_utf8(text).unwrap();
    assert_eq!(count, 1);
    let text = match text.contains("void lone_item") {
        true => text.replace("k < steps;", "k < min(steps, 65535u);").replace("kept[1].second", "0"),
        false => text.to_owned(),
    };
    let (text, length) = (text.as_ptr().cast(), text.len());
    // SAFETY: as above; the driver copies the text.
    unsafe { (system().clCreateProgramWithSource)(context, 1, &raw const text, &raw const length, status) }
}

/// Does what that driver's `clGetDeviceInfo` does: a CPU with a name of its own, by which probes are remembered.
unsafe extern "system" fn info_of_faults(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    if name == CL_DEVICE_NAME {
        // SAFETY: the caller's pointers.
        return unsafe { answer(b"with faults\0", size, value, size_ret) };
    }
    // SAFETY: the caller's arguments, unchanged.
    unsafe { (system().clGetDeviceInfo)(device, name, size, value, size_ret) }
}

#[test]
fn every_family_goes_without_what_a_device_does_wrong() {
    let functions =
        Functions { clGetDeviceInfo: info_of_faults, clCreateProgramWithSource: with_faults, ..*system() };
    // SAFETY: the two functions do what OpenCL says, except for one kernel, on which nothing relies.
    for device in unsafe { forced::devices(functions) } {
        let profile = DeviceProfile::of(&device).unwrap();
        assert_eq!((profile.loop_steps, profile.chunked), (Some(65_535), false), "{device}");
        let queue = &Queue::on(&device).unwrap();
        let x = DeviceVec::filled(queue, 1_u32, 10).unwrap();
        let text = (&x + 1).kernel_source(&device).unwrap();
        assert!(text.contains("check_loops(fault)") && text.contains("#define VOLATILE volatile"), "{text}");
        families(queue, 5003);
    }
}
