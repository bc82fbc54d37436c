//! The devices of the machine in disguise: with other answers to some questions about them.
//!
//! ```
//! for device in cl_test::disguise::gpus() {
//!     assert_eq!(device.kind().unwrap(), cl_core::DeviceKind::GPU);
//! }
//! ```

use cl_core::raw::*;
use cl_core::{Device, Library};
use std::cell::Cell;

thread_local! {
    static LAUNCHES: Cell<usize> = const { Cell::new(0) };
}

/// How often this thread called [`counted_launch`]: what other tests launch meanwhile is not counted.
#[must_use]
pub fn launches() -> usize {
    LAUNCHES.get()
}

/// The system's functions.
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

/// Returns the devices that tests run on, as `functions` show them.
///
/// The library is a new one on every call, for which nothing has been kept yet: a test that counts the calls of an
/// algorithm begins with a first use of the device.
///
/// # Safety
/// The functions do what OpenCL says.
///
/// # Panics
/// When there is none.
#[must_use]
pub unsafe fn devices(functions: Functions) -> Vec<Device> {
    let wanted = crate::devices();
    // SAFETY: by the caller's promise.
    let library = unsafe { Library::from_functions(functions) };
    let mut disguised = Device::all_of(library).unwrap_or_else(|error| panic!("{error}"));
    disguised.retain(|one| wanted.iter().any(|device| device.as_raw() == one.as_raw()));
    assert!(!disguised.is_empty(), "no device has the disguise");
    disguised
}

/// Gives `bytes` as the answer to a question about a device.
///
/// # Safety
/// `value` is null or has `size` bytes; `size_ret` is null or valid.
///
/// # Panics
/// When the place is too small.
pub unsafe fn answer(bytes: &[u8], size: size_t, value: *mut c_void, size_ret: *mut size_t) -> cl_int {
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
///
/// # Safety
/// As for that function.
pub unsafe extern "system" fn gpu_info(
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
///
/// # Panics
/// When there is none.
#[must_use]
pub fn gpus() -> Vec<Device> {
    // SAFETY: one entry behaves as described above, the others are the system's.
    unsafe { devices(Functions { clGetDeviceInfo: gpu_info, ..*system() }) }
}

/// `clEnqueueNDRangeKernel`, counted in [`launches`].
///
/// # Safety
/// As for that function.
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
