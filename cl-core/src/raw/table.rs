// Table: one line a C function. Signatures are compared with cl-sys's by the compiler, below.
//! The function table, and the list that it is made from.

use super::*;

/// Hands the list of OpenCL functions, with their C signatures, to the macro `$then`.
///
/// One list serves the table here, and any other that must cover every function: wrappers that
/// count calls, for instance. The types are those of [`raw`](crate::raw); import them there.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_function {
    ($then:ident) => {
        $then! {
            fn clGetPlatformIDs(entries: cl_uint, platforms: *mut cl_platform_id, count: *mut cl_uint) -> cl_int;
            fn clGetPlatformInfo(platform: cl_platform_id, name: cl_platform_info, size: size_t, value: *mut c_void, size_ret: *mut size_t) -> cl_int;
            fn clGetDeviceIDs(platform: cl_platform_id, kind: cl_device_type, entries: cl_uint, devices: *mut cl_device_id, count: *mut cl_uint) -> cl_int;
            fn clGetDeviceInfo(device: cl_device_id, name: cl_device_info, size: size_t, value: *mut c_void, size_ret: *mut size_t) -> cl_int;

            fn clCreateContext(properties: *const cl_context_properties, count: cl_uint, devices: *const cl_device_id, notify: Option<ContextCallback>, user_data: *mut c_void, status: *mut cl_int) -> cl_context;
            fn clRetainContext(context: cl_context) -> cl_int;
            fn clReleaseContext(context: cl_context) -> cl_int;

            fn clCreateCommandQueue(context: cl_context, device: cl_device_id, properties: cl_command_queue_properties, status: *mut cl_int) -> cl_command_queue;
            fn clRetainCommandQueue(queue: cl_command_queue) -> cl_int;
            fn clReleaseCommandQueue(queue: cl_command_queue) -> cl_int;
            fn clFlush(queue: cl_command_queue) -> cl_int;
            fn clFinish(queue: cl_command_queue) -> cl_int;

            fn clCreateBuffer(context: cl_context, flags: cl_mem_flags, size: size_t, host: *mut c_void, status: *mut cl_int) -> cl_mem;
            fn clRetainMemObject(memory: cl_mem) -> cl_int;
            fn clReleaseMemObject(memory: cl_mem) -> cl_int;
            fn clGetMemObjectInfo(memory: cl_mem, name: cl_mem_info, size: size_t, value: *mut c_void, size_ret: *mut size_t) -> cl_int;
            fn clEnqueueReadBuffer(queue: cl_command_queue, buffer: cl_mem, blocking: cl_bool, offset: size_t, size: size_t, host: *mut c_void, waits: cl_uint, wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
            fn clEnqueueWriteBuffer(queue: cl_command_queue, buffer: cl_mem, blocking: cl_bool, offset: size_t, size: size_t, host: *const c_void, waits: cl_uint, wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
            fn clEnqueueCopyBuffer(queue: cl_command_queue, source: cl_mem, target: cl_mem, source_offset: size_t, target_offset: size_t, size: size_t, waits: cl_uint, wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
            fn clEnqueueFillBuffer(queue: cl_command_queue, buffer: cl_mem, pattern: *const c_void, pattern_size: size_t, offset: size_t, size: size_t, waits: cl_uint, wait_list: *const cl_event, event: *mut cl_event) -> cl_int;

            fn clCreateProgramWithSource(context: cl_context, count: cl_uint, strings: *const *const c_char, lengths: *const size_t, status: *mut cl_int) -> cl_program;
            fn clCreateProgramWithBinary(context: cl_context, count: cl_uint, devices: *const cl_device_id, lengths: *const size_t, binaries: *const *const c_uchar, binary_status: *mut cl_int, status: *mut cl_int) -> cl_program;
            fn clCreateProgramWithBuiltInKernels(context: cl_context, count: cl_uint, devices: *const cl_device_id, names: *const char, status: *mut cl_int) -> cl_program;
            fn clRetainProgram(program: cl_program) -> cl_int;
            fn clReleaseProgram(program: cl_program) -> cl_int;
            fn clBuildProgram(program: cl_program, count: cl_uint, devices: *const cl_device_id, options: *const c_char, notify: Option<BuildCallback>, user_data: *mut c_void) -> cl_int;
            fn clCompileProgram(program: cl_program, count: cl_uint, devices: *const cl_device_id, options: *const c_char, headers: cl_uint, header_programs: *const cl_program, header_names: *const *const c_char, notify: Option<BuildCallback>, user_data: *mut c_void) -> cl_int;
            fn clLinkProgram(context: cl_context, count: cl_uint, devices: *const cl_device_id, options: *const c_char, inputs: cl_uint, input_programs: *const cl_program, notify: Option<BuildCallback>, user_data: *mut c_void, status: *mut cl_int) -> cl_program;
            fn clGetProgramInfo(program: cl_program, name: cl_program_info, size: size_t, value: *mut c_void, size_ret: *mut size_t) -> cl_int;
            fn clGetProgramBuildInfo(program: cl_program, device: cl_device_id, name: cl_program_build_info, size: size_t, value: *mut c_void, size_ret: *mut size_t) -> cl_int;

            fn clCreateKernel(program: cl_program, name: *const c_char, status: *mut cl_int) -> cl_kernel;
            fn clCreateKernelsInProgram(program: cl_program, entries: cl_uint, kernels: *mut cl_kernel, count: *mut cl_uint) -> cl_int;
            fn clRetainKernel(kernel: cl_kernel) -> cl_int;
            fn clReleaseKernel(kernel: cl_kernel) -> cl_int;
            fn clSetKernelArg(kernel: cl_kernel, index: cl_uint, size: size_t, value: *const c_void) -> cl_int;
            fn clGetKernelInfo(kernel: cl_kernel, name: cl_kernel_info, size: size_t, value: *mut c_void, size_ret: *mut size_t) -> cl_int;
            fn clGetKernelWorkGroupInfo(kernel: cl_kernel, device: cl_device_id, name: cl_kernel_work_group_info, size: size_t, value: *mut c_void, size_ret: *mut size_t) -> cl_int;
            fn clEnqueueNDRangeKernel(queue: cl_command_queue, kernel: cl_kernel, dimensions: cl_uint, offset: *const size_t, global: *const size_t, local: *const size_t, waits: cl_uint, wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
            fn clEnqueueMarkerWithWaitList(queue: cl_command_queue, waits: cl_uint, wait_list: *const cl_event, event: *mut cl_event) -> cl_int;

            fn clWaitForEvents(count: cl_uint, events: *const cl_event) -> cl_int;
            fn clRetainEvent(event: cl_event) -> cl_int;
            fn clReleaseEvent(event: cl_event) -> cl_int;
            fn clGetEventInfo(event: cl_event, name: cl_event_info, size: size_t, value: *mut c_void, size_ret: *mut size_t) -> cl_int;
            fn clGetEventProfilingInfo(event: cl_event, name: cl_profiling_info, size: size_t, value: *mut c_void, size_ret: *mut size_t) -> cl_int;
        }
    };
}

macro_rules! define_table {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $return:ty;)*) => {
        /// Every OpenCL function that this crate calls, as loaded from one library.
        ///
        /// The fields carry the C names. The table is plain data: copy it, replace an entry, and
        /// give it to [`Library::from_functions`](crate::Library::from_functions) to count calls
        /// or to make one of them fail.
        #[allow(non_snake_case, missing_docs)] // the names are C's, and so is their documentation
        #[derive(Clone, Copy, Debug)]
        pub struct Functions {
            $(pub $name: unsafe extern "system" fn($($argument: $type),*) -> $return,)*
        }

        impl Functions {
            /// Looks every function up by its C name; the error is the first name that is missing.
            ///
            /// # Safety
            /// `find` returns null or the address of the OpenCL function of that name.
            pub(crate) unsafe fn resolve(
                find: impl Fn(&'static str) -> *const c_void,
            ) -> Result<Self, &'static str> {
                Ok(Self {
                    $($name: {
                        let address = find(stringify!($name));
                        if address.is_null() {
                            return Err(stringify!($name));
                        }
                        // SAFETY: by the caller's promise this is the function whose signature
                        // stands in the list; cl-sys agrees, see the constants below.
                        unsafe {
                            std::mem::transmute::<
                                *const c_void,
                                unsafe extern "system" fn($($argument: $type),*) -> $return,
                            >(address)
                        }
                    },)*
                })
            }
        }

        // The compiler compares each signature with cl-sys's. An unnamed constant generates no
        // code, so this creates no reference to the C function.
        $(const _: unsafe extern "system" fn($($type),*) -> $return = cl_sys::$name;)*
    };
}

for_each_function!(define_table);
