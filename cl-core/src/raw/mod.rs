//! The C API as it is: handle and number types, and the table of functions loaded at run time.
//!
//! Types and constants come from `cl-sys`; not one of its functions is ever referenced, so a
//! program that uses this crate has no link-time dependency on OpenCL.

mod table;

pub use cl_sys::{
    cl_bitfield, cl_bool, cl_command_queue, cl_command_queue_properties, cl_context, cl_context_properties,
    cl_device_id, cl_device_info, cl_device_type, cl_event, cl_event_info, cl_int, cl_kernel, cl_kernel_info,
    cl_kernel_work_group_info, cl_mem, cl_mem_flags, cl_mem_info, cl_platform_id, cl_platform_info,
    cl_profiling_info, cl_program, cl_program_build_info, cl_program_info, cl_uint, cl_ulong,
};
pub use std::ffi::{c_char, c_uchar, c_void};

/// C's `size_t`.
#[allow(non_camel_case_types)] // its name in C
pub type size_t = usize;

/// What `clCreateContext` calls to report errors of the context.
pub type ContextCallback = extern "C" fn(*const c_char, *const c_void, size_t, *mut c_void);

/// What `clBuildProgram` calls when it has finished.
pub type BuildCallback = extern "C" fn(cl_program, *mut c_void);

pub use table::Functions;
