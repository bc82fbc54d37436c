//! The devices of the machine in disguise: with other answers to some questions about them.

use cl_core::raw::*;
use cl_core::{Device, Library};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How often [`counted_launch`] was called.
pub(crate) static LAUNCHES: AtomicUsize = AtomicUsize::new(0);

/// The system's library.
pub(crate) fn system() -> &'static Functions {
    Library::load().unwrap().functions()
}

/// Returns the devices that tests run on, as `functions` show them. Each has been probed, so that no test counts the
/// launches of the probe among those of an algorithm.
///
/// # Safety
/// The functions do what OpenCL says.
pub(crate) unsafe fn devices(functions: Functions) -> Vec<Device> {
    let wanted: Vec<Device> = cl_test::devices();
    // SAFETY: by the caller's promise.
    let library = unsafe { Library::from_functions(functions) };
    let disguised = Device::all_of(library).unwrap().into_iter();
    let disguised: Vec<Device> =
        disguised.filter(|one| wanted.iter().any(|device| device.as_raw() == one.as_raw())).collect();
    disguised.iter().for_each(|device| drop(cl_algo::DeviceProfile::of(device).unwrap()));
    disguised
}

/// Gives `bytes` as the answer to a question about a device.
///
/// # Safety
/// `value` is null or has `size` bytes; `size_ret` is null or valid.
pub(crate) unsafe fn answer(bytes: &[u8], size: size_t, value: *mut c_void, size_ret: *mut size_t) -> cl_int {
    // SAFETY: by the caller's promise.
    unsafe {
        if !value.is_null() {
            assert!(size >= bytes.len());
            bytes.as_ptr().copy_to_nonoverlapping(value.cast(), bytes.len());
        }
        if let Some(length) = size_ret.as_mut() {
            *length = bytes.len();
        }
    }
    0
}

/// `clGetDeviceInfo` that says that the device is a GPU, and the truth about all else.
pub(crate) unsafe extern "system" fn gpu_info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    if name == CL_DEVICE_TYPE {
        let gpu = cl_core::DeviceKind::GPU.bits().to_ne_bytes();
        // SAFETY: the caller's places.
        return unsafe { answer(&gpu, size, value, size_ret) };
    }
    // SAFETY: the caller's arguments, unchanged.
    unsafe { (system().clGetDeviceInfo)(device, name, size, value, size_ret) }
}

/// The devices that tests run on, claiming to be GPUs.
pub(crate) fn gpus() -> Vec<Device> {
    // SAFETY: one entry behaves as described above, the others are the system's.
    unsafe { devices(Functions { clGetDeviceInfo: gpu_info, ..*system() }) }
}

/// `clEnqueueNDRangeKernel`, counted.
pub(crate) unsafe extern "system" fn counted_launch(
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
    LAUNCHES.fetch_add(1, Ordering::Relaxed);
    let enqueue = system().clEnqueueNDRangeKernel;
    // SAFETY: the caller's arguments, unchanged.
    unsafe { enqueue(queue, kernel, dimensions, offset, global, local, waits, wait_list, event) }
}
