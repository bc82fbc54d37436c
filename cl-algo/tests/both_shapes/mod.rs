//! Both shapes of kernels on every device: as it is, and claiming to be a GPU, which is slow on one
//! that is none, and as right as on a GPU.

#[allow(dead_code)] // other tests use the rest
#[path = "../disguise/mod.rs"]
mod disguise;

use cl_algo::DeviceProfile;
use cl_algo::prelude::*;
use cl_core::raw::*;
use disguise::system;

/// Says that the device is a GPU, and the truth about all else.
unsafe extern "system" fn gpu_info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    if name == CL_DEVICE_TYPE {
        let gpu = cl_core::DeviceKind::GPU.bits().to_ne_bytes();
        // SAFETY: the caller's places.
        return unsafe { disguise::answer(&gpu, size, value, size_ret) };
    }
    // SAFETY: the caller's arguments, unchanged.
    unsafe { (system().clGetDeviceInfo)(device, name, size, value, size_ret) }
}

/// Runs the test on a queue of each device, in each shape.
pub(crate) fn each_queue(test: impl Fn(&Queue)) {
    cl_test::each_device(|device| test(&Queue::on(device).unwrap()));
    // SAFETY: one entry behaves as described above, the others are the system's.
    let devices = unsafe { disguise::devices(Functions { clGetDeviceInfo: gpu_info, ..*system() }) };
    assert!(!devices.is_empty());
    for device in devices {
        assert!(!DeviceProfile::of(&device).unwrap().chunked);
        test(&Queue::on(&device).unwrap());
    }
}
