//! The C API as it is: types, constants, the table of functions loaded at run time, and every
//! function under its own name.
//!
//! Types and constants are those of `cl-sys`, and [newer] ones that it lacks. Not one of its
//! functions is ever referenced, so a program that uses this crate has no link-time dependency on
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
//! - Without a library a function reports `CL_PLATFORM_NOT_FOUND_KHR`, and one that the library
//!   lacks `CL_INVALID_OPERATION`: as its result, or through `errcode_ret` with a null result.
//!   Nothing panics, nothing sleeps.
//! - `clGetExtensionFunctionAddress` returns the address, and the names given to
//!   `clCreateProgramWithBuiltInKernels` are `*const c_char`: `cl-sys` has these two wrong.
//!   `cl_kernel_arg_type_qualifier` has 64 bits, as in C.
//! - Features such as `opencl_version_2_0` are not needed: everything is there.

mod forward;
pub mod newer;
pub mod require;
mod table;

// What is named below, and not by an asterisk, takes precedence over names of cl-sys.
pub use self::newer::*;
#[doc(hidden)]
pub use cl_loader::for_each_function;
pub use cl_sys::*;
pub use std::ffi::{c_char, c_uchar, c_void};
pub use table::Functions;

/// C's `size_t`.
#[allow(non_camel_case_types)] // its name in C
pub type size_t = usize;

/// Qualifiers of a kernel's argument: a bit field of 64 bits, for which `cl-sys` has 32.
#[allow(non_camel_case_types)] // its name in C
pub type cl_kernel_arg_type_qualifier = cl_bitfield;

/// What `clCreateContext` calls to report errors of the context.
pub type ContextCallback = extern "C" fn(*const c_char, *const c_void, size_t, *mut c_void);

/// What `clSetContextDestructorCallback` registers.
pub type ContextDestructorCallback = extern "C" fn(cl_context, *mut c_void);

/// What `clSetMemObjectDestructorCallback` registers.
pub type MemoryCallback = extern "C" fn(cl_mem, *mut c_void);

/// What `clBuildProgram`, `clCompileProgram` and `clLinkProgram` call when they have finished, and
/// what `clSetProgramReleaseCallback` registers.
pub type BuildCallback = extern "C" fn(cl_program, *mut c_void);

/// What `clSetEventCallback` registers; the number is the event's status.
pub type EventCallback = extern "C" fn(cl_event, cl_int, *mut c_void);

/// What `clEnqueueNativeKernel` runs.
pub type NativeKernel = extern "C" fn(*mut c_void);

/// What `clEnqueueSVMFree` calls in place of freeing.
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
