//! The names of `cl-sys` 0.4.3, with OpenCL loaded when the program runs.
//!
//! Cargo puts this package in the place of the original for all dependencies of a program, such as
//! `ocl` and `ocl-core`, if the program's own `Cargo.toml` says so:
//!
//! ```toml
//! [patch.crates-io]
//! cl-sys = { git = "https://github.com/cl-workspace/cl" }
//! ```
//!
//! The program then builds without OpenCL's development files and starts without its library. Its
//! source does not change: all constants, types and functions have the same names, types and values
//! as in the original, and the same features choose among them.
//!
//! # Functions
//!
//! Each is a Rust function that forwards to the function of the library. The first call loads the
//! library as [`cl_loader::open_system`] does: `CL_LIBRARY` may name another library. A missing
//! library or function is reported as a status, as a function's result or through `errcode_ret`
//! with a null result. No function panics.
//!
//! | missing | status |
//! | --- | --- |
//! | the library | [`CL_PLATFORM_NOT_FOUND_KHR`] |
//! | the function, in that library | [`CL_INVALID_OPERATION`] |
//!
//! # Differences from the original
//!
//! - `clGetExtensionFunctionAddress` returns the address that the C function returns. The original
//!   declares no result, so no program can rely on it.
//! - Functions are Rust functions, not symbols of a C library. A foreign `extern` block that itself
//!   declares, for example, `clFlush` must still be linked with OpenCL by its author.
//! - The structures implement `Clone`, `Copy` and `Debug`.
//!
//! # Kept quirks, because programs rely on them
//!
//! - `clCreateProgramWithBuiltInKernels` takes the names as `*const char`, a pointer to Rust's
//!   character of four bytes, instead of C's bytes: callers already cast to it.
//! - `cl_kernel_arg_type_qualifier` has 32 bits, not 64 as in C. Do not give its size to
//!   `clGetKernelArgInfo`: drivers refuse it.
//! - Callbacks are `extern "C"`, functions `extern "system"`; the two differ on 32-bit Windows
//!   only.
//! - The feature `opencl_vendor_mesa` removes sharing with OpenGL; `opencl_version_2_2` and
//!   `opencl_version_1_1` change nothing.

pub extern crate libc;

mod constants;
mod functions;
#[cfg(feature = "opencl_version_1_2")]
mod mistakes;
mod types;

pub use constants::*;
pub use libc::{
    c_char, c_double, c_float, c_int, c_longlong, c_short, c_uchar, c_uint, c_ulonglong, c_ushort, c_void,
    size_t,
};
pub use types::*;

// Functions of OpenCL 1.0 and 1.1.
pub use functions::{
    clBuildProgram, clCreateBuffer, clCreateCommandQueue, clCreateContext, clCreateContextFromType,
    clCreateImage2D, clCreateImage3D, clCreateKernel, clCreateKernelsInProgram, clCreateProgramWithBinary,
    clCreateProgramWithSource, clCreateSampler, clCreateSubBuffer, clCreateUserEvent, clEnqueueBarrier,
    clEnqueueCopyBuffer, clEnqueueCopyBufferRect, clEnqueueCopyBufferToImage, clEnqueueCopyImage,
    clEnqueueCopyImageToBuffer, clEnqueueMapBuffer, clEnqueueMapImage, clEnqueueMarker,
    clEnqueueNDRangeKernel, clEnqueueNativeKernel, clEnqueueReadBuffer, clEnqueueReadBufferRect,
    clEnqueueReadImage, clEnqueueTask, clEnqueueUnmapMemObject, clEnqueueWaitForEvents, clEnqueueWriteBuffer,
    clEnqueueWriteBufferRect, clEnqueueWriteImage, clFinish, clFlush, clGetCommandQueueInfo,
    clGetContextInfo, clGetDeviceIDs, clGetDeviceInfo, clGetEventInfo, clGetEventProfilingInfo,
    clGetExtensionFunctionAddress, clGetImageInfo, clGetKernelInfo, clGetKernelWorkGroupInfo,
    clGetMemObjectInfo, clGetPlatformIDs, clGetPlatformInfo, clGetProgramBuildInfo, clGetProgramInfo,
    clGetSamplerInfo, clGetSupportedImageFormats, clReleaseCommandQueue, clReleaseContext, clReleaseEvent,
    clReleaseKernel, clReleaseMemObject, clReleaseProgram, clReleaseSampler, clRetainCommandQueue,
    clRetainContext, clRetainEvent, clRetainKernel, clRetainMemObject, clRetainProgram, clRetainSampler,
    clSetEventCallback, clSetKernelArg, clSetMemObjectDestructorCallback, clSetUserEventStatus,
    clUnloadCompiler, clWaitForEvents,
};
// Functions of OpenCL 1.2.
#[cfg(feature = "opencl_version_1_2")]
pub use functions::{
    clCompileProgram, clCreateImage, clCreateSubDevices, clEnqueueBarrierWithWaitList, clEnqueueFillBuffer,
    clEnqueueFillImage, clEnqueueMarkerWithWaitList, clEnqueueMigrateMemObjects,
    clGetExtensionFunctionAddressForPlatform, clGetKernelArgInfo, clLinkProgram, clReleaseDevice,
    clRetainDevice,
};
// Functions of OpenCL 2.0.
#[cfg(feature = "opencl_version_2_0")]
pub use functions::{
    clCreateCommandQueueWithProperties, clCreatePipe, clCreateSamplerWithProperties, clEnqueueSVMFree,
    clEnqueueSVMMap, clEnqueueSVMMemFill, clEnqueueSVMMemcpy, clEnqueueSVMUnmap, clGetPipeInfo, clSVMAlloc,
    clSVMFree, clSetKernelArgSVMPointer, clSetKernelExecInfo,
};
// Functions of OpenCL 2.1.
#[cfg(feature = "opencl_version_2_1")]
pub use functions::{
    clCloneKernel, clCreateProgramWithIL, clEnqueueSVMMigrateMem, clGetDeviceAndHostTimer, clGetHostTimer,
    clGetKernelSubGroupInfo, clSetDefaultDeviceCommandQueue,
};
// Sharing with OpenGL.
#[cfg(not(feature = "opencl_vendor_mesa"))]
pub use functions::{
    clCreateFromGLBuffer, clCreateFromGLRenderbuffer, clCreateFromGLTexture, clCreateFromGLTexture2D,
    clCreateFromGLTexture3D, clEnqueueAcquireGLObjects, clEnqueueReleaseGLObjects, clGetGLContextInfoKHR,
    clGetGLObjectInfo, clGetGLTextureInfo,
};
#[cfg(feature = "opencl_version_1_2")]
pub use mistakes::clCreateProgramWithBuiltInKernels;
