//! From C, `ocl` or `opencl3` to this crate: the method for each call.
//!
//! There are three steps, and a program may stop after any of them:
//!
//! 1. **Keep the source.** Two lines in the `Cargo.toml` of a program that uses `ocl` or `cl-sys` make
//!    it load OpenCL at run time; see `cl-core/cl-sys/README.md`.
//! 2. **Keep the calls.** [`raw`] has every C function under its own name and signature: replace
//!    `use cl_sys::*` by `use cl_core::raw::*`.
//! 3. **Take the objects**, one after the other. Every object here gives its C handle by `as_raw`, and
//!    most are made from a handle by `from_raw`, so that half of a program can stay unchanged.
//!
//! Every C function of OpenCL 1.0 to 3.0 has a row. A function marked *raw* does not have a method:
//! call it through [`raw`], or through [`raw::require`] if some OpenCL libraries lack the function.
//!
//! # Platforms and devices
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clGetPlatformIDs` | `Platform::list` | `get_platforms` | [`Platform::all`] |
//! | `clGetPlatformInfo` | `Platform::info` | `Platform::name`, ... | [`Platform::name`], ... |
//! | `clGetDeviceIDs` | `Device::list` | `Platform::get_devices` | [`Platform::devices`], [`Platform::devices_of`], [`Device::all`] |
//! | choosing one by hand | `DeviceSpecifier` | | [`Device::select`] with a [`Filter`]; [`Filter::from_env`] |
//! | locking one by hand | | | [`Device::select_exclusive`] |
//! | `clGetDeviceInfo` | `Device::info` | `Device::name`, ... | one method for each property, such as [`Device::name`]; [`Device::limits`] |
//! | `clCreateSubDevices` | `create_sub_devices` of `ocl-core` | `Device::create_sub_devices` | [`Device::partition`] |
//! | `clRetainDevice`, `clReleaseDevice` | `Clone`, `Drop` | `Drop` | `Clone`, `Drop` |
//! | `clGetDeviceAndHostTimer`, `clGetHostTimer` | | `Device::get_device_and_host_timer` | *raw*: [`raw::require`] |
//! | `clGetExtensionFunctionAddressForPlatform`, `clGetExtensionFunctionAddress` | `get_extension_function_address_for_platform` of `ocl-core` | | [`Library::extension_function`] |
//!
//! # Contexts and queues
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clCreateContext` | `Context::builder` | `Context::from_device` | [`Context::on`]: one device each |
//! | its callback | | | [`Context::with_error_handler`]; otherwise the log |
//! | `clCreateContextFromType` | `create_context_from_type` of `ocl-core` | `Context::from_device_type` | [`Device::select`], then [`Context::on`] for each |
//! | `clRetainContext`, `clReleaseContext` | `Clone`, `Drop` | `Drop` | `Clone`, `Drop` |
//! | `clGetContextInfo` | `Context::info` | `Context::devices`, ... | [`Context::device`]; [`Context::devices_of`] |
//! | `clSetContextDestructorCallback` | | `Context::set_destructor_callback` | *raw*; [`Context::attachment`] is dropped with the context |
//! | `clCreateCommandQueue`, `clCreateCommandQueueWithProperties` | `Queue::new` | `CommandQueue::create_default` | [`Queue::on`]; [`Queue::new`] with [`QueueOptions`] |
//! | ... on the device | | `create_default_with_properties` | [`DeviceQueue::new`] |
//! | `clSetDefaultDeviceCommandQueue` | | | not needed: a [`DeviceQueue`] is the default; *raw* to change it |
//! | `clSetCommandQueueProperty` (until 1.0) | | | another queue with other [`QueueOptions`] |
//! | `clRetainCommandQueue`, `clReleaseCommandQueue` | `Clone`, `Drop` | `Drop` | `Clone`, `Drop` |
//! | `clGetCommandQueueInfo` | `Queue::info` | `CommandQueue::properties`, ... | [`Queue::device`], [`Queue::is_in_order`], [`Queue::is_profiling`] |
//! | context, queue and program at once | `ProQue::builder` | | [`Queue::on`], then [`Program::build`] |
//! | `clFlush`, `clFinish` | `Queue::flush`, `Queue::finish` | `CommandQueue::flush`, `finish` | [`Queue::flush`], [`Queue::finish`] |
//! | `clEnqueueMarkerWithWaitList`, `clEnqueueMarker` (until 1.1) | `Queue::enqueue_marker` | `enqueue_marker_with_wait_list` | [`Queue::marker`], [`Submission::marker`] |
//! | `clEnqueueBarrierWithWaitList`, `clEnqueueBarrier` (until 1.1) | `enqueue_barrier_with_wait_list` of `ocl-core` | `enqueue_barrier_with_wait_list` | [`Queue::barrier`], [`Submission::barrier`] |
//! | `clEnqueueWaitForEvents` (until 1.1) | | | [`Queue::after`] and [`Submission::barrier`] |
//! | an event wait list, an event in return | `.ewait(..)`, `.enew(..)` | the last argument, the result | [`Queue::after`], [`Queue::signal`]; seldom needed |
//!
//! # Buffers
//!
//! Offsets and lengths count elements. Commands on several queues, or on an out-of-order queue, see
//! each other's results without a wait list.
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clCreateBuffer` | `Buffer::builder().len(..)` | `Buffer::create` | [`Buffer::filled`]; [`Buffer::uninit`], which is `unsafe` |
//! | ... with a copy | `.copy_host_slice(..)` | `Buffer::create`, then a write | [`Buffer::from_slice`] |
//! | ... with flags | `.flags(..)` | the argument `flags` | [`BufferOptions`]; [`PinnedVec`] is host memory that is fast to transfer; `CL_MEM_USE_HOST_PTR` is *raw* |
//! | `clCreateBufferWithProperties` | | `Buffer::create_with_properties` | *raw*, then [`Buffer::from_raw`] |
//! | `clCreateSubBuffer` | `Buffer::create_sub_buffer` | `Buffer::create_sub_buffer` | [`Buffer::sub_buffer`], [`Buffer::sub_buffer_mut`] for kernels; [`Buffer::slice`] for all else |
//! | `clEnqueueReadBuffer` | `.read(..).enq()` | `enqueue_read_buffer` | [`Buffer::to_vec`], [`Buffer::read`], [`Slice::read`] |
//! | `clEnqueueWriteBuffer` | `.write(..).enq()` | `enqueue_write_buffer` | [`Buffer::write`], [`SliceMut::write`] |
//! | both without blocking | `.block(false)` | `CL_FALSE` | [`Queue::scope`]; [`Buffer::read_owned`], [`Buffer::write_owned`] |
//! | `clEnqueueReadBufferRect`, `clEnqueueWriteBufferRect` | `.rect(..)` | `enqueue_read_buffer_rect`, ... | [`Buffer::read_rect`], [`Buffer::write_rect`] |
//! | `clEnqueueCopyBuffer` | `.copy(..).enq()` | `enqueue_copy_buffer` | [`Buffer::copy_from`], [`SliceMut::copy_from`], [`Buffer::copy_within`] |
//! | `clEnqueueCopyBufferRect` | `.rect(..)` | `enqueue_copy_buffer_rect` | [`Buffer::copy_rect_from`], [`Buffer::copy_rect_within`] |
//! | `clEnqueueFillBuffer` | `.cmd().fill(..).enq()` | `enqueue_fill_buffer` | [`Buffer::fill`], [`SliceMut::fill`] |
//! | `clEnqueueMapBuffer`, `clEnqueueUnmapMemObject` | `.map()`, the `Drop` of the guard | `enqueue_map_buffer`, `enqueue_unmap_mem_object` | [`Buffer::map`], [`Buffer::map_mut`], [`Buffer::map_overwrite`]; the `Drop` of the guard, or [`BufferMap::unmap`] |
//! | `clEnqueueMigrateMemObjects` | `enqueue_migrate_mem_objects` of `ocl-core` | `enqueue_migrate_mem_object` | [`Buffer::migrate`] |
//! | `clGetMemObjectInfo` | `Buffer::mem_info` | `Buffer::size`, ... | [`Memory::info`] |
//! | `clSetMemObjectDestructorCallback` | `set_mem_object_destructor_callback` of `ocl-core` | | *raw* |
//! | `clRetainMemObject`, `clReleaseMemObject` | `Clone`, `Drop` | `Drop` | `Drop`; a buffer has one owner and is borrowed |
//! | temporary memory | | | [`Queue::scratch`] |
//!
//! # Images and samplers
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clCreateImage`, `clCreateImage2D` and `clCreateImage3D` (until 1.1) | `Image::builder` | `Image::create` | [`Image::from_slice`], [`Image::filled`]; [`Image1d`] to [`Image3d`] of typed pixels such as [`Rgba<u8>`] |
//! | ... over a buffer | | `Image::create` | [`Image1dBuffer::over`], [`Image2d::over`] |
//! | `clCreateImageWithProperties` | | | *raw*, then [`Image::from_raw`] |
//! | `clGetSupportedImageFormats` | `Image::supported_formats` | `get_supported_image_formats` | [`Image::formats`], [`Image::is_supported`] |
//! | `clEnqueueReadImage`, `clEnqueueWriteImage`, `clEnqueueFillImage` | `Image::read`, `write`, `.fill(..)` | `enqueue_read_image`, ... | [`Image::read`], [`Image::write`], [`Image::fill_region`] |
//! | `clEnqueueCopyImage`, `clEnqueueCopyImageToBuffer`, `clEnqueueCopyBufferToImage` | `.copy(..)`, `.copy_to_buffer(..)`, ... | `enqueue_copy_image`, ... | [`Image::copy_from`], [`Image::copy_to_buffer`], [`Image::copy_from_buffer`] |
//! | `clEnqueueMapImage` | `Image::map` | `enqueue_map_image` | [`Image::map`], [`Image::map_mut`] |
//! | `clGetImageInfo` | `Image::info` | `Image::width`, ... | [`Image::size`], [`Pixel::FORMAT`] |
//! | `clCreateSampler`, `clCreateSamplerWithProperties` | `Sampler::new` | `Sampler::create` | [`Sampler::new`] |
//! | `clGetSamplerInfo` | `Sampler::info` | `Sampler::addressing_mode`, ... | [`Sampler::options`] |
//! | `clRetainSampler`, `clReleaseSampler` | `Clone`, `Drop` | `Drop` | `Drop`; a launch borrows the sampler |
//!
//! # Shared virtual memory and pipes
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clSVMAlloc` | | `SvmVec` | [`SvmVec::from_slice`], [`SvmVec::filled`] |
//! | `clEnqueueSVMFree`, `clSVMFree` | | `Drop` | `Drop` enqueues the free, which waits for the commands that use the memory |
//! | `clEnqueueSVMMap`, `clEnqueueSVMUnmap` | | `enqueue_svm_map`, `enqueue_svm_unmap` | [`SvmVec::map`], [`SvmVec::map_mut`] |
//! | `clEnqueueSVMMemcpy`, `clEnqueueSVMMemFill` | | `enqueue_svm_mem_cpy`, `enqueue_svm_mem_fill` | [`SvmVec::read`], [`SvmVec::write`], [`SvmVec::copy_from`], [`SvmVec::fill`] |
//! | `clEnqueueSVMMigrateMem` | | `enqueue_svm_migrate_mem` | [`SvmVec::migrate`] |
//! | `clSetKernelArgSVMPointer` | | `ExecuteKernel::set_arg_svm` | [`Launch::arg`] |
//! | `clSetKernelExecInfo` with pointers | | `set_exec_info` | [`Launch::reaches`] |
//! | fine-grained memory, atomics | | `SvmVec` | [`SvmVec::as_slice`], [`SvmVec::atomics`] |
//! | `clCreatePipe` | | `Pipe::create` | [`Pipe::new`] |
//! | `clGetPipeInfo` | | `Pipe::pipe_max_packets`, ... | [`Pipe::packets`] |
//!
//! # Programs
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clCreateProgramWithSource` and `clBuildProgram` | `Program::builder` | `Program::create_and_build_from_source` | [`Program::build`] |
//! | several sources, headers | `.source(..)` | `create_from_sources` | [`Source::piece`], [`Source::header`] |
//! | the option string | `.cmplr_opt(..)`, `.cmplr_def(..)` | the argument `options` | [`BuildOptions`] |
//! | `clCreateProgramWithBinary` | `.binaries(..)` | `create_and_build_from_binary` | [`Program::from_binary`]; built programs are cached on disk anyway |
//! | `clCreateProgramWithIL` | `.il(..)` | `create_and_build_from_il` | [`Program::from_il`] |
//! | `clSetProgramSpecializationConstant` | | `set_specialization_constant` | [`SpecConstant`] |
//! | `clCreateProgramWithBuiltInKernels` | `create_program_with_built_in_kernels` of `ocl-core` | `create_from_builtin_kernels` | [`Program::from_built_in_kernels`] |
//! | `clCompileProgram`, `clLinkProgram` | `compile_program`, `link_program` of `ocl-core` | `Program::compile`, `link` | [`ObjectCode::compile`], [`ObjectCode::library`], [`Program::link`] |
//! | `clGetProgramBuildInfo` | in the error | in the error, or `get_build_log` | in [`BuildError`], beside the source; [`Program::log`], [`Program::options`] |
//! | `clGetProgramInfo` | `Program::info` | `Program::kernel_names`, ... | [`Program::kernel_names`], [`Program::binary`], [`Program::source`] |
//! | `clRetainProgram`, `clReleaseProgram` | `Clone`, `Drop` | `Drop` | `Clone`, `Drop` |
//! | `clUnloadPlatformCompiler`, `clUnloadCompiler` (until 1.1) | | `Platform::unload_compiler` | *raw* |
//! | `clSetProgramReleaseCallback` (2.2 only) | | | *raw* |
//!
//! # Kernels
//!
//! Number, size, type and kind of the arguments are checked before the driver is called, as far as
//! the driver reports the kernel's declarations.
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clCreateKernel` | `Kernel::builder` | `Kernel::create` | [`Program::kernel`] |
//! | `clCreateKernelsInProgram` | `create_kernels_in_program` of `ocl-core` | `create_program_kernels` | [`Program::kernels`] |
//! | `clSetKernelArg` | `.arg(..)` | `ExecuteKernel::set_arg` | [`Launch::arg`]; [`In`], [`Out`], [`InOut`] say what the kernel does with memory |
//! | the same, of local memory | `.arg_local(..)` | `set_arg_local_buffer` | [`Launch::arg`] with [`Local::new`] |
//! | `clEnqueueNDRangeKernel` | `unsafe .enq()` | `unsafe .enqueue_nd_range(..)` | [`Kernel::launch`], [`Launch::enqueue`], which is `unsafe` |
//! | its sizes | `.global_work_size(..)`, `.local_work_size(..)` | `set_global_work_size`, `set_local_work_size` | [`Launch::global`], [`Launch::local`], [`Launch::offset`] |
//! | `clEnqueueTask` (until 1.2) | `enqueue_task` of `ocl-core` | `enqueue_task` | [`Launch::global`] of 1 |
//! | `clEnqueueNativeKernel` | `enqueue_native_kernel` of `ocl-core` | `enqueue_native_kernel` | [`Queue::native`] with a closure |
//! | `clGetKernelInfo` | `Kernel::info` | `Kernel::num_args`, ... | [`Kernel::name`], [`Kernel::arguments`], [`Kernel::attributes`] |
//! | `clGetKernelArgInfo` | `Kernel::arg_info` | `Kernel::get_arg_type_name`, ... | [`Kernel::argument_info`] |
//! | `clGetKernelWorkGroupInfo` | `Kernel::wg_info` | `Kernel::get_work_group_size`, ... | [`Kernel::work_group_size`], [`Kernel::preferred_multiple`], [`Kernel::resources`] |
//! | `clGetKernelSubGroupInfo` | | `get_kernel_sub_group_info_khr` | [`Kernel::sub_group_size`], [`Kernel::max_sub_groups`], ... |
//! | `clGetKernelSuggestedLocalWorkSizeKHR` | | `get_kernel_suggested_local_work_size_khr` | [`Launch::suggested_local`] |
//! | `clCloneKernel` | | `Kernel::clone` | [`Kernel::try_clone`]: a kernel of its own for each thread |
//! | `clRetainKernel`, `clReleaseKernel` | `Drop` | `Drop` | `Drop` |
//!
//! # Events
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clWaitForEvents` | `Event::wait_for` | `Event::wait` | [`Event::wait`], [`Event::wait_all`], or `event.await` |
//! | `clGetEventInfo` | `Event::info` | `Event::command_execution_status` | [`Event::status`] |
//! | `clGetEventProfilingInfo` | `Event::profiling_info` | `Event::profiling_command_start`, ... | [`Event::profile`]; [`Queue::record`] and [`Profiler`] for many |
//! | `clSetEventCallback` | `Event::set_callback` | `Event::set_callback` | [`Event::on_complete`]; [`Queue::then`] for all so far |
//! | `clCreateUserEvent` | `Event::user` | `create_user_event` of `cl3` | [`UserEvent::new`] |
//! | `clSetUserEventStatus` | `Event::set_complete` | `set_user_event_status` of `cl3` | [`UserEvent::complete`], [`UserEvent::fail`]; dropped, it fails |
//! | `clRetainEvent`, `clReleaseEvent` | `Clone`, `Drop` | `Drop` | `Clone`, `Drop` |
//!
//! # OpenGL
//!
//! Objects shared with OpenGL have no safe methods. The functions that create them return a
//! `cl_mem`, which [`Buffer::from_raw`] and [`Image::from_raw`] take over.
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clCreateFromGLBuffer` | `Buffer::from_gl_buffer` | `Buffer::create_from_gl_buffer` | *raw* |
//! | `clCreateFromGLTexture`, `clCreateFromGLTexture2D`, `clCreateFromGLTexture3D` (until 1.1) | `Image::from_gl_texture` | `Image::create_from_gl_texture` | *raw* |
//! | `clCreateFromGLRenderbuffer` | `Image::from_gl_renderbuffer` | `Image::create_from_gl_render_buffer` | *raw* |
//! | `clEnqueueAcquireGLObjects`, `clEnqueueReleaseGLObjects` | `.gl_acquire()`, `.gl_release()` | `enqueue_acquire_gl_objects`, ... | *raw* |
//! | `clGetGLObjectInfo`, `clGetGLTextureInfo` | | `Image::get_gl_texture_data`, ... | *raw* |
//! | `clGetGLContextInfoKHR` | `get_gl_context_info_khr` of `ocl-core` | `get_current_device_for_gl_context_khr` | *raw* |
//!
//! # Objects of other code
//!
//! `as_raw` lends a handle: the object keeps its reference. `from_raw` takes over one reference.
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | a handle for C | `as_core()`, `as_ptr()` | `get()` | `as_raw()` |
//! | a handle from C | `from_raw_create_ptr` of `ocl-core` | `from(..)`, `wrap_cl_context`, ... | `from_raw`: [`Device::from_raw`], [`Context::from_raw`], [`Queue::from_raw`], [`Buffer::from_raw`], [`Image::from_raw`], [`Sampler::from_raw`], [`Pipe::from_raw`], [`Event::from_raw`] |
//!
//! # Errors
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | a status code | `ocl::Error` | `ClError` | [`Error`]: the call, the [`Status`], what to do |
//! | no library | does not start | `ClError(-2000)` | [`Error::LibraryNotFound`] |
//! | no platform | waits 10 s, then panics | `ClError(-1001)` | [`Error::NoPlatform`] |

#[allow(unused_imports)] // the links above need the names
use crate::*;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    macro_rules! names {
        (
            required { $(fn $required:ident $arguments:tt -> $result:ty;)* }
            optional { $($since:literal fn $optional:ident $parameters:tt -> $return:ty;)* }
        ) => {
            const FUNCTIONS: &[&str] = &[$(stringify!($required),)* $(stringify!($optional)),*];
        };
    }
    cl_loader::for_each_function!(names);

    /// Functions of extensions, which are not in the list.
    const EXTENSIONS: [&str; 1] = ["clGetKernelSuggestedLocalWorkSizeKHR"];

    /// Returns the C functions in the first column of the tables.
    fn rows() -> Vec<&'static str> {
        let lines = include_str!("migration.rs").lines();
        let rows = lines.filter_map(|line| line.strip_prefix("//! | ")?.split(" | ").next());
        rows.flat_map(|cell| cell.split('`').skip(1).step_by(2))
            .filter(|name| name.starts_with("cl"))
            .collect()
    }

    #[test]
    fn every_function_has_one_row_and_no_row_is_of_none() {
        let rows = rows();
        let known: BTreeSet<&str> = FUNCTIONS.iter().chain(&EXTENSIONS).copied().collect();
        let told: BTreeSet<&str> = rows.iter().copied().collect();
        let missing: Vec<_> = known.difference(&told).collect();
        let unknown: Vec<_> = told.difference(&known).collect();
        assert!(missing.is_empty() && unknown.is_empty(), "missing: {missing:?}, unknown: {unknown:?}");
        assert_eq!(rows.len(), told.len(), "some function has two rows");
    }
}
