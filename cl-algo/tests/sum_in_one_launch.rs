//! Sums on devices with a fence among work-groups: those that have one, and PoCL, which runs OpenCL C
//! 3.0 on request and yet says that it has 1.2.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

#[allow(dead_code)] // other tests use the rest
mod disguise;

use cl_algo::{DeviceProfile, prelude::*};
use cl_core::raw::*;
use disguise::{
    CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, CL_DEVICE_OPENCL_C_VERSION, CL_DEVICE_TYPE, LAUNCHES,
    counted_launch, system,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the devices also claim to be GPUs.
static GPU: AtomicBool = AtomicBool::new(false);

/// Says that the device has OpenCL C 3.0 with all orders and scopes, and the truth about all else.
unsafe extern "system" fn fencing_info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    let gpu = cl_core::DeviceKind::GPU.bits().to_ne_bytes();
    let fences = 0x7f_u64.to_ne_bytes();
    let bytes = match name {
        CL_DEVICE_OPENCL_C_VERSION => c"OpenCL C 3.0 ".to_bytes_with_nul(),
        CL_DEVICE_ATOMIC_FENCE_CAPABILITIES => &fences,
        CL_DEVICE_TYPE if GPU.load(Ordering::Relaxed) => &gpu,
        // SAFETY: the caller's arguments, unchanged.
        _ => return unsafe { (system().clGetDeviceInfo)(device, name, size, value, size_ret) },
    };
    // SAFETY: the caller's places.
    unsafe { disguise::answer(bytes, size, value, size_ret) }
}

fn fencing_devices() -> Vec<Device> {
    let functions =
        Functions { clGetDeviceInfo: fencing_info, clEnqueueNDRangeKernel: counted_launch, ..*system() };
    let honest = cl_test::devices();
    let fences = |one: &Device| {
        let itself = honest.iter().find(|device| device.as_raw() == one.as_raw()).unwrap();
        let pocl = one.platform().name().unwrap() == "Portable Computing Language";
        pocl || itself.has_device_fence().unwrap()
    };
    // SAFETY: two entries behave as described above; what they say is true of the chosen devices.
    let devices = unsafe { disguise::devices(functions) };
    let devices: Vec<Device> = devices.into_iter().filter(fences).collect();
    if devices.is_empty() {
        eprintln!("no device here has a fence among work-groups: nothing was tested");
    }
    devices
}

// One test, because the launches and the kind of the devices are the process's.
#[test]
fn the_last_work_group_sums_the_partial_results() {
    for gpu in [false, true] {
        GPU.store(gpu, Ordering::Relaxed);
        for device in fencing_devices() {
            assert!(DeviceProfile::of(&device).unwrap().fence.is_some(), "{device}");
            let queue = Queue::on(&device).unwrap();
            // Several sums on one queue: each must leave the count of work-groups as it was.
            for len in [1, 100_003, 2, 1_000_003, 1_000_003, 8193] {
                let values: Vec<u32> = (0..len).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
                let x = DeviceVec::from_slice(&queue, &values).unwrap();
                let before = LAUNCHES.load(Ordering::Relaxed);
                let sum = x.sum().unwrap();
                assert_eq!(LAUNCHES.load(Ordering::Relaxed) - before, 1, "{len} elements on {device}");
                let expected = values.iter().fold(0_u32, |sum, value| sum.wrapping_add(*value));
                assert_eq!(sum, expected, "{len} elements on {device}");
            }
            let tenths = DeviceVec::filled(&queue, 0.1_f32, 1_000_000).unwrap();
            let sum = tenths.sum().unwrap();
            assert!((f64::from(sum) / (f64::from(0.1_f32) * 1e6) - 1.0).abs() < 1e-6, "{sum}");
            for _ in 0..100 {
                assert_eq!(tenths.sum().unwrap().to_bits(), sum.to_bits());
            }
        }
    }
}
