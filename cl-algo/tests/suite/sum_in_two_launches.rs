//! Sums on devices without a fence among work-groups: the machine's devices, which claim to be devices of OpenCL 1.2.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::U32x3;
use cl_algo::prelude::*;
use cl_core::Staging;
use cl_core::raw::*;
use cl_test::forced::{self, counted_launch, launches, system};
use std::sync::atomic::{AtomicBool, Ordering};

/// `true` if the devices also claim to be GPUs.
static GPU: AtomicBool = AtomicBool::new(false);

/// Reports that the device has OpenCL C 1.2 and no extensions, and answers everything else truly.
unsafe extern "system" fn modest_info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    let gpu = cl_core::DeviceKind::GPU.bits().to_ne_bytes();
    let bytes = match name {
        CL_DEVICE_OPENCL_C_VERSION => c"OpenCL C 1.2 ".to_bytes_with_nul(),
        CL_DEVICE_EXTENSIONS => c"".to_bytes_with_nul(),
        CL_DEVICE_OPENCL_C_ALL_VERSIONS | CL_DEVICE_ATOMIC_FENCE_CAPABILITIES => return CL_INVALID_VALUE,
        CL_DEVICE_TYPE if GPU.load(Ordering::Relaxed) => &gpu,
        // SAFETY: the caller's arguments, unchanged.
        _ => return unsafe { (system().clGetDeviceInfo)(device, name, size, value, size_ret) },
    };
    // SAFETY: the caller's pointers.
    unsafe { forced::answer(bytes, size, value, size_ret) }
}

fn modest_devices() -> Vec<Device> {
    let functions =
        Functions { clGetDeviceInfo: modest_info, clEnqueueNDRangeKernel: counted_launch, ..*system() };
    // SAFETY: two functions behave as described above, which OpenCL allows; the others are the system's.
    unsafe { forced::devices(functions) }
}

// One test, because the kind of the devices is global.
#[test]
fn partial_results_are_summed_by_a_second_launch() {
    for gpu in [false, true] {
        GPU.store(gpu, Ordering::Relaxed);
        for device in modest_devices() {
            // The probe of the device also launches kernels.
            drop(cl_algo::DeviceProfile::of(&device).unwrap());
            sums(&Queue::on(&device).unwrap());
        }
    }
}

fn sums(queue: &Queue) {
    // The transfer of the values is not tested here. Several threads would stage them for a device that claims to be a
    // GPU, and Oclgrind 21.10 crashes when two threads flush one queue.
    queue.set_staging(Staging::OFF);
    let long = cl_test::full_or_small(1_000_003, 33_003);
    for (len, expected_launches) in [(1_u32, 1), (long, 2)] {
        let values: Vec<u32> = (0..len).map(|i| i.wrapping_mul(2_654_435_761)).collect();
        let expected = values.iter().fold(0_u32, |sum, value| sum.wrapping_add(*value));
        let x = DeviceVec::from_slice(queue, &values).unwrap();
        let before = launches();
        assert_eq!(x.sum().unwrap(), expected, "{len} elements");
        let launched = launches() - before;
        assert_eq!(launched, expected_launches, "{len} elements");
    }
    // The second launch reads the partial results without a gap, as the first has stored them.
    for len in [1, long] {
        let values: Vec<U32x3> = (0..len).map(|i: u32| U32x3::from([i, 2 * i, !i])).collect();
        let sum = DeviceVec::from_slice(queue, &values).unwrap().sum().unwrap();
        assert_eq!(sum, values.into_iter().fold(U32x3::default(), |sum, value| sum + value));
    }
    let tenths = DeviceVec::filled(queue, 0.1_f32, 1_000_000).unwrap().sum().unwrap();
    assert!((f64::from(tenths) / (f64::from(0.1_f32) * 1e6) - 1.0).abs() < 1e-6, "{tenths}");
}
