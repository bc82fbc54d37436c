//! A signature that `cl-sys` has wrong and to which its callers have adapted.

use crate::types::{cl_context, cl_device_id, cl_int, cl_program, cl_uint};

/// Calls the C function of this name, of OpenCL 1.2. `kernel_names` points to bytes, despite its
/// type.
///
/// # Safety
/// As in C: handles are valid, and pointers point to the data that OpenCL requires.
#[allow(non_snake_case)] // its name in C
pub unsafe extern "system" fn clCreateProgramWithBuiltInKernels(
    context: cl_context,
    num_devices: cl_uint,
    device_list: *const cl_device_id,
    kernel_names: *const char,
    errcode_ret: *mut cl_int,
) -> cl_program {
    let create = crate::functions::clCreateProgramWithBuiltInKernels;
    // SAFETY: the caller promises valid arguments.
    unsafe { create(context, num_devices, device_list, kernel_names.cast(), errcode_ret) }
}
