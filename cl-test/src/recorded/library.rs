//! The table of functions: those that a recorded device has, and stand-ins for all others.

use super::{commands, programs, queries};
use cl_core::Library;
use cl_core::raw::{Functions, for_each_function};
use std::sync::OnceLock;

/// Functions that recorded devices do not have.
mod absent {
    use cl_core::raw::*;

    /// Returns the reason why no function can be called.
    fn table() -> Result<&'static Functions, cl_int> {
        Err(CL_INVALID_OPERATION)
    }

    cl_loader::for_each_function!(define_all);
    use cl_loader::define_forwarders as define_all;
}

macro_rules! define_absent {
    (
        required { $(fn $name:ident $arguments:tt -> $return:ty;)* }
        optional { $($since:literal fn $extra:ident $parameters:tt -> $result:ty;)* }
    ) => {
        /// The table of a library that can do nothing.
        const ABSENT: Functions = Functions { $($name: absent::$name,)* $($extra: None,)* };
    };
}

for_each_function!(define_absent);

/// Returns the library of the recorded devices, the same one on every call.
pub(super) fn library() -> Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    let functions = Functions {
        clGetPlatformIDs: queries::platforms,
        clGetPlatformInfo: queries::platform,
        clGetDeviceIDs: queries::devices,
        clGetDeviceInfo: queries::device,
        clRetainDevice: queries::ignore_device_count,
        clReleaseDevice: queries::ignore_device_count,
        clCreateContext: queries::create_context,
        clRetainContext: queries::retain_context,
        clReleaseContext: queries::release_context,
        clGetContextInfo: queries::context,
        clCreateCommandQueue: queries::create_queue,
        clRetainCommandQueue: queries::retain_queue,
        clReleaseCommandQueue: queries::release_queue,
        clGetCommandQueueInfo: queries::queue,
        clCreateBuffer: queries::create_buffer,
        clCreateSubBuffer: queries::create_sub_buffer,
        clRetainMemObject: queries::retain_memory,
        clReleaseMemObject: queries::release_memory,
        clGetMemObjectInfo: queries::memory,
        clCreateProgramWithSource: programs::create_program,
        clCreateProgramWithBinary: programs::create_from_binary,
        clRetainProgram: programs::retain_program,
        clReleaseProgram: programs::release_program,
        clBuildProgram: programs::build_program,
        clGetProgramInfo: programs::program,
        clGetProgramBuildInfo: programs::build,
        clCreateKernel: programs::create_kernel,
        clRetainKernel: programs::retain_kernel,
        clReleaseKernel: programs::release_kernel,
        clSetKernelArg: programs::set_argument,
        clGetKernelInfo: programs::kernel,
        clGetKernelArgInfo: programs::argument,
        clGetKernelWorkGroupInfo: programs::work_group,
        clWaitForEvents: commands::wait_for_events,
        clGetEventInfo: commands::event_info,
        clCreateUserEvent: commands::create_user_event,
        clRetainEvent: commands::retain_event,
        clReleaseEvent: commands::release_event,
        clSetUserEventStatus: commands::set_user_event_status,
        clSetEventCallback: commands::set_event_callback,
        clGetEventProfilingInfo: commands::profiling,
        clFlush: commands::flush,
        clFinish: commands::flush,
        clEnqueueReadBuffer: commands::read_buffer,
        clEnqueueWriteBuffer: commands::write_buffer,
        clEnqueueFillBuffer: commands::fill_buffer,
        clEnqueueCopyBuffer: commands::copy_buffer,
        clEnqueueMapBuffer: commands::map_buffer,
        clEnqueueUnmapMemObject: commands::unmap,
        clEnqueueNDRangeKernel: commands::launch,
        clEnqueueMarkerWithWaitList: commands::marker,
        clEnqueueBarrierWithWaitList: commands::marker,
        ..ABSENT
    };
    // SAFETY: each entry behaves as the function of its name on a device that computes nothing, or reports that it
    // cannot be called.
    *LIBRARY.get_or_init(|| unsafe { Library::from_functions(functions) })
}
