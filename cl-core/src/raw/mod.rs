//! The unchanged C API: types, constants, the table of functions loaded at run time, and every
//! function under its own name.
//!
//! Types and constants come from `cl-sys`, and [newer] ones from this crate. The functions of
//! `cl-sys` are never referenced, so a program that uses this crate has no link-time dependency on
//! OpenCL.
//!
//! # Coming from `cl-sys`
//!
//! Replace `use cl_sys::*;` with `use cl_core::raw::*;`. Every function has the same name and the
//! same signature, and forwards to the process's library, loaded by the first call as
//! [`Library::load`](crate::Library::load) does:
//!
//! ```
//! use cl_core::raw::*;
//!
//! let mut count = 0;
//! // SAFETY: null with zero entries asks for the number of platforms.
//! let status = unsafe { clGetPlatformIDs(0, std::ptr::null_mut(), &mut count) };
//! assert_eq!(status, CL_SUCCESS);
//! println!("{count} platforms");
//! ```
//!
//! - If the library is missing, a function reports `CL_PLATFORM_NOT_FOUND_KHR`. A function that the
//!   library lacks reports `CL_INVALID_OPERATION`. The status is the function's result, or goes to
//!   `errcode_ret` with a null result. Functions never panic or sleep.
//! - `clGetExtensionFunctionAddress` returns the address, and `clCreateProgramWithBuiltInKernels`
//!   takes the names as `*const c_char`; `cl-sys` declares these two wrongly.
//!   `cl_kernel_arg_type_qualifier` has 64 bits, as in C.
//! - Features such as `opencl_version_2_0` are not needed: all functions are always available.

mod forward;
pub mod newer;
pub mod require;
mod table;

// Explicit names below take precedence over names of cl-sys that an asterisk imports.
pub use self::newer::*;
#[doc(hidden)]
pub use cl_loader::for_each_function;
pub use cl_sys::*;
pub use std::ffi::{c_char, c_uchar, c_void};
pub use table::Functions;

/// C's `size_t`.
#[allow(non_camel_case_types)] // its name in C
pub type size_t = usize;

/// Qualifiers of a kernel's argument: a bit field of 64 bits, which has 32 bits in `cl-sys`.
#[allow(non_camel_case_types)] // its name in C
pub type cl_kernel_arg_type_qualifier = cl_bitfield;

/// The callback of `clCreateContext` for errors of the context.
pub type ContextCallback = extern "C" fn(*const c_char, *const c_void, size_t, *mut c_void);

/// The callback of `clSetContextDestructorCallback`.
pub type ContextDestructorCallback = extern "C" fn(cl_context, *mut c_void);

/// The callback of `clSetMemObjectDestructorCallback`.
pub type MemoryCallback = extern "C" fn(cl_mem, *mut c_void);

/// The callback of `clBuildProgram`, `clCompileProgram` and `clLinkProgram` for their end, and of
/// `clSetProgramReleaseCallback`.
pub type BuildCallback = extern "C" fn(cl_program, *mut c_void);

/// The callback of `clSetEventCallback`; the number is the event's status.
pub type EventCallback = extern "C" fn(cl_event, cl_int, *mut c_void);

/// The function that `clEnqueueNativeKernel` runs.
pub type NativeKernel = extern "C" fn(*mut c_void);

/// The callback of `clEnqueueSVMFree` that replaces freeing.
pub type SvmFreeCallback = extern "C" fn(cl_command_queue, cl_uint, *const *const c_void, *mut c_void);

macro_rules! export_forwarders {
    (
        required { $(fn $name:ident $arguments:tt -> $return:ty;)* }
        optional { $($since:literal fn $extra:ident $parameters:tt -> $result:ty;)* }
    ) => {
        pub use forward::{$($name,)* $($extra,)*};
    };
}

for_each_function!(export_forwarders);
