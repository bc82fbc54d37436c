//! The signature that `cl-sys` has wrong and that its callers have adapted to.

use crate::types::{cl_context, cl_device_id, cl_int, cl_program, cl_uint};

/// The C function of this name; brought by `1.2`. The names are bytes, whatever the type says.
///
/// # Safety
/// As in C: handles are valid, pointers point to what OpenCL says they point to.
#[allow(non_snake_case)] // its name in C
pub unsafe extern "system" fn clCreateProgramWithBuiltInKernels(
    context: cl_context,
    num_devices: cl_uint,
    device_list: *const cl_device_id,
    kernel_names: *const char,
    errcode_ret: *mut cl_int,
) -> cl_program {
    let create = crate::functions::clCreateProgramWithBuiltInKernels;
    // SAFETY: the caller's arguments.
    unsafe { create(context, num_devices, device_list, kernel_names.cast(), errcode_ret) }
}
