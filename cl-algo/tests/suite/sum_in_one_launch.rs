//! Sums on devices with a fence among work-groups, in both shapes of kernels.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::U32x3;
use cl_algo::{DeviceProfile, prelude::*};
use cl_core::raw::*;
use cl_test::forced::{self, counted_launch, launches, system};
use std::sync::atomic::{AtomicBool, Ordering};

/// `true` if the devices also claim to be GPUs.
static GPU: AtomicBool = AtomicBool::new(false);

/// Reports that the device is a GPU, if it is to claim so, and answers everything else truly.
unsafe extern "system" fn claimed_info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    let gpu = cl_core::DeviceKind::GPU.bits().to_ne_bytes();
    if name == CL_DEVICE_TYPE && GPU.load(Ordering::Relaxed) {
        // SAFETY: the caller's pointers.
        return unsafe { forced::answer(&gpu, size, value, size_ret) };
    }
    // SAFETY: the caller's arguments, unchanged.
    unsafe { (system().clGetDeviceInfo)(device, name, size, value, size_ret) }
}

fn fencing_devices() -> Vec<Device> {
    let functions =
        Functions { clGetDeviceInfo: claimed_info, clEnqueueNDRangeKernel: counted_launch, ..*system() };
    // SAFETY: two functions behave as described above; no driver treats a GPU differently otherwise.
    let mut devices = unsafe { forced::devices(functions) };
    devices.retain(|device| DeviceProfile::of(device).unwrap().fence.is_some());
    if devices.is_empty() {
        eprintln!("no device here has a fence among work-groups: nothing was tested");
    }
    devices
}

// One test, because the kind of the devices is global.
#[test]
fn the_last_work_group_sums_the_partial_results() {
    for gpu in [false, true] {
        GPU.store(gpu, Ordering::Relaxed);
        for device in fencing_devices() {
            let queue = Queue::on(&device).unwrap();
            // Several sums on one queue: each must leave the count of work-groups unchanged.
            let (long, longer, times) = cl_test::full_or_small((100_003, 1_000_003, 100), (9003, 33_003, 2));
            for len in [1, long, 2, longer, longer, 8193] {
                let values: Vec<u32> = (0..len).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
                let x = DeviceVec::from_slice(&queue, &values).unwrap();
                let before = launches();
                let sum = x.sum().unwrap();
                assert_eq!(launches() - before, 1, "{len} elements on {device}");
                let expected = values.iter().fold(0_u32, |sum, value| sum.wrapping_add(*value));
                assert_eq!(sum, expected, "{len} elements on {device}");
            }
            // Partial results of three numbers are stored without a gap.
            for len in [1, long, 8193] {
                let values: Vec<U32x3> = (0..len).map(|i: u32| U32x3::from([i, 2 * i, !i])).collect();
                let sum = DeviceVec::from_slice(&queue, &values).unwrap().sum().unwrap();
                assert_eq!(sum, values.into_iter().fold(U32x3::default(), |sum, value| sum + value));
            }
            let tenths = DeviceVec::filled(&queue, 0.1_f32, 1_000_000).unwrap();
            let sum = tenths.sum().unwrap();
            assert!((f64::from(sum) / (f64::from(0.1_f32) * 1e6) - 1.0).abs() < 1e-6, "{sum}");
            for _ in 0..times {
                assert_eq!(tenths.sum().unwrap().to_bits(), sum.to_bits());
            }
        }
    }
}
