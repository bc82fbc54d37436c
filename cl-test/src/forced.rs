//! The devices of the machine with other answers to some questions about them, such as a CPU that claims to
//! be a GPU.
//!
//! ```
//! for device in cl_test::forced::gpus() {
//!     assert_eq!(device.kind().unwrap(), cl_core::DeviceKind::GPU);
//! }
//! ```

use cl_core::raw::*;
use cl_core::{Device, Library};
use std::cell::Cell;

thread_local! {
    static LAUNCHES: Cell<usize> = const { Cell::new(0) };
}

/// Returns the number of calls of [`counted_launch`] by this thread. Launches by other tests, meanwhile, do
/// not count.
#[must_use]
pub fn launches() -> usize {
    LAUNCHES.get()
}

/// Returns the system's functions.
///
/// # Panics
/// When the machine has no OpenCL library.
#[must_use]
pub fn system() -> &'static Functions {
    match Library::load() {
        Ok(library) => library.functions(),
        Err(error) => panic!("these tests need an OpenCL library: {error}"),
    }
}

/// Returns the devices that tests run on, from a library of `functions`. They answer as `functions` do.
///
/// Every call makes a new library, for which `cl-algo` has not compiled or probed anything yet. A test that
/// counts the calls of an algorithm therefore uses the device once before it counts.
///
/// # Safety
/// The functions do what OpenCL says.
///
/// # Panics
/// When no device is left.
#[must_use]
pub unsafe fn devices(functions: Functions) -> Vec<Device> {
    let wanted = crate::devices();
    // SAFETY: by the caller's promise.
    let library = unsafe { Library::from_functions(functions) };
    let mut forced = Device::all_of(library).unwrap_or_else(|error| panic!("{error}"));
    forced.retain(|one| wanted.iter().any(|device| device.as_raw() == one.as_raw()));
    assert!(!forced.is_empty(), "no tested device is among the devices of the changed library");
    forced
}

/// Gives `bytes` as the answer to a question about a device.
///
/// # Safety
/// `value` is null or has `size` bytes; `size_ret` is null or valid.
///
/// # Panics
/// When `size` is smaller than the answer.
pub unsafe fn answer(bytes: &[u8], size: size_t, value: *mut c_void, size_ret: *mut size_t) -> cl_int {
    // SAFETY: by the caller's promise.
    unsafe {
        if !value.is_null() {
            assert!(size >= bytes.len(), "an answer of {} bytes does not fit into {size} bytes", bytes.len());
            bytes.as_ptr().copy_to_nonoverlapping(value.cast(), bytes.len());
        }
        if let Some(length) = size_ret.as_mut() {
            *length = bytes.len();
        }
    }
    0
}

/// Answers as `clGetDeviceInfo` does, except that it says that the device is a GPU.
///
/// # Safety
/// The same as for `clGetDeviceInfo`.
pub unsafe extern "system" fn gpu_info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    if name == CL_DEVICE_TYPE {
        let gpu = cl_core::DeviceKind::GPU.bits().to_ne_bytes();
        // SAFETY: the caller's pointers.
        return unsafe { answer(&gpu, size, value, size_ret) };
    }
    // SAFETY: the caller's arguments, unchanged.
    unsafe { (system().clGetDeviceInfo)(device, name, size, value, size_ret) }
}

/// Returns the devices that tests run on, which claim to be GPUs.
///
/// # Panics
/// When the machine has no device.
#[must_use]
pub fn gpus() -> Vec<Device> {
    // SAFETY: one entry behaves as described above, the others are the system's.
    unsafe { devices(Functions { clGetDeviceInfo: gpu_info, ..*system() }) }
}

/// Calls `clEnqueueNDRangeKernel` and counts the call in [`launches`].
///
/// # Safety
/// The same as for `clEnqueueNDRangeKernel`.
pub unsafe extern "system" fn counted_launch(
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
    LAUNCHES.set(LAUNCHES.get() + 1);
    let enqueue = system().clEnqueueNDRangeKernel;
    // SAFETY: the caller's arguments, unchanged.
    unsafe { enqueue(queue, kernel, dimensions, offset, global, local, waits, wait_list, event) }
}
