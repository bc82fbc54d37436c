//! From C, `ocl` or `opencl3` to this crate: which call became which method.
//!
//! Three steps, and a program may stop after any of them:
//!
//! 1. **Keep the source.** A program on `ocl` or `cl-sys` gets OpenCL at run time by two lines in its
//!    `Cargo.toml`; see `cl-core/cl-sys/README.md`.
//! 2. **Keep the calls.** [`raw`] has every C function under its own name and signature: replace
//!    `use cl_sys::*` by `use cl_core::raw::*`.
//! 3. **Take the objects**, one after the other. Every object here gives its C handle by `as_raw`,
//!    so that half of a program can stay as it is.
//!
//! What has no row, or has *raw* in it, has no method yet: call it through [`raw`].
//!
//! # Platforms and devices
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clGetPlatformIDs` | `Platform::list` | `get_platforms` | [`Platform::all`] |
//! | `clGetPlatformInfo` | `Platform::info` | `Platform::name`, ... | [`Platform::name`], ... |
//! | `clGetDeviceIDs` | `Device::list` | `Platform::get_devices` | [`Platform::devices`], [`Platform::devices_of`], [`Device::all`] |
//! | choosing one by hand | `DeviceSpecifier` | | [`Device::select`] with a [`Filter`] |
//! | `clGetDeviceInfo` | `Device::info` | `Device::name`, ... | one method a question, such as [`Device::name`]; [`Device::limits`] |
//! | `clCreateSubDevices` | | `Device::create_sub_devices` | [`Device::partition`] |
//! | `clRetain...`, `clRelease...` | `Clone`, `Drop` | `Drop` | `Clone`, `Drop` |
//!
//! # Contexts and queues
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clCreateContext` | `Context::builder` | `Context::from_device` | [`Context::on`]: one device each |
//! | `clCreateCommandQueue`, `...WithProperties` | `Queue::new` | `CommandQueue::create_default` | [`Queue::on`]; [`Queue::new`] with [`QueueOptions`] |
//! | context, queue and program at once | `ProQue::builder` | | [`Queue::on`], then [`Program::build`] |
//! | `clFlush`, `clFinish` | `Queue::flush`, `Queue::finish` | `CommandQueue::flush`, `finish` | [`Queue::flush`], [`Queue::finish`] |
//! | `clEnqueueMarkerWithWaitList` | `Queue::enqueue_marker` | `enqueue_marker_with_wait_list` | [`Queue::marker`] |
//! | an event wait list, an event in return | `.ewait(..)`, `.enew(..)` | the last argument, the result | [`Queue::after`], [`Queue::signal`] |
//!
//! # Buffers
//!
//! Offsets and lengths count elements. Commands on several queues, or on one that is out of order, see
//! each other's results without a wait list.
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clCreateBuffer` with a copy | `Buffer::builder().copy_host_slice(..)` | `Buffer::create`, then a write | [`Buffer::from_slice`] |
//! | `clCreateBuffer` | `Buffer::builder().len(..)` | `Buffer::create` | [`Buffer::filled`]; [`Buffer::uninit`], which is `unsafe` |
//! | `clEnqueueReadBuffer` | `.read(..).enq()` | `enqueue_read_buffer` | [`Buffer::to_vec`], [`Buffer::read`] |
//! | `clEnqueueWriteBuffer` | `.write(..).enq()` | `enqueue_write_buffer` | [`Buffer::write`] |
//! | `clEnqueueCopyBuffer` | `.copy(..).enq()` | `enqueue_copy_buffer` | [`Buffer::copy_from`] |
//! | `clEnqueueFillBuffer` | `.cmd().fill(..).enq()` | `enqueue_fill_buffer` | [`Buffer::fill`] |
//! | temporary memory | | | [`Queue::scratch`] |
//! | `clCreateSubBuffer`, `clEnqueue...BufferRect`, `clEnqueueMapBuffer` | `create_sub_buffer`, `.rect(..)`, `.map()` | `create_sub_buffer`, `enqueue_..._rect`, `enqueue_map_buffer` | *raw* |
//!
//! # Images and samplers
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clCreateImage` | `Image::builder` | `Image::create` | [`Image::from_slice`], [`Image::filled`]; [`Image1d`] to [`Image3d`] of typed pixels such as [`Rgba<u8>`] |
//! | ... over a buffer | | `Image::create` | [`Image1dBuffer::over`], [`Image2d::over`] |
//! | `clGetSupportedImageFormats` | `Image::supported_formats` | `get_supported_image_formats` | [`Image::formats`], [`Image::is_supported`] |
//! | `clEnqueueReadImage`, `...WriteImage`, `...FillImage` | `Image::read`, `write` | `enqueue_read_image`, ... | [`Image::read`], [`Image::write`], [`Image::fill_region`] |
//! | `clEnqueueCopyImage`, `...ImageToBuffer`, `...BufferToImage` | `.copy(..)`, ... | `enqueue_copy_image`, ... | [`Image::copy_from`], [`Image::copy_to_buffer`], [`Image::copy_from_buffer`] |
//! | `clEnqueueMapImage` | `Image::map` | `enqueue_map_image` | [`Image::map`], [`Image::map_mut`] |
//! | `clCreateSampler` | `Sampler::new` | `Sampler::create` | [`Sampler::new`] |
//!
//! # Shared virtual memory and pipes
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clSVMAlloc`, `clEnqueueSVMFree` | | `SvmVec` | [`SvmVec`], its `Drop` |
//! | `clEnqueueSVMMap`, `clEnqueueSVMUnmap` | | `enqueue_svm_map` | [`SvmVec::map`], [`SvmVec::map_mut`] |
//! | `clEnqueueSVMMemcpy`, `clEnqueueSVMMemFill` | | `enqueue_svm_mem_fill` | [`SvmVec::read`], [`SvmVec::write`], [`SvmVec::copy_from`], [`SvmVec::fill`] |
//! | `clEnqueueSVMMigrateMem` | | `enqueue_svm_migrate_mem` | [`SvmVec::migrate`] |
//! | `clSetKernelArgSVMPointer` | | `set_arg_svm` | [`Launch::arg`] |
//! | `clSetKernelExecInfo` with pointers | | `set_exec_info` | [`Launch::reaches`] |
//! | fine-grained memory, atomics | | `SvmVec` | [`SvmVec::as_slice`], [`SvmVec::atomics`] |
//! | `clCreatePipe` | | `Pipe::create` | [`Pipe::new`] |
//!
//! # Programs
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clCreateProgramWithSource` and `clBuildProgram` | `Program::builder` | `Program::create_and_build_from_source` | [`Program::build`] |
//! | the option string | `.cmplr_opt(..)`, `.cmplr_def(..)` | the argument `options` | [`BuildOptions`] |
//! | `clCreateProgramWithBinary` | `.binaries(..)` | `create_and_build_from_binary` | [`Program::from_binary`]; built programs are cached on disk anyway |
//! | `clCreateProgramWithIL` | `.il(..)` | `create_and_build_from_il` | [`Program::from_il`] |
//! | `clSetProgramSpecializationConstant` | | `set_specialization_constant` | [`SpecConstant`] |
//! | `clCreateProgramWithBuiltInKernels` | | `create_from_builtin_kernels` | [`Program::from_built_in_kernels`] |
//! | `clCompileProgram`, `clLinkProgram` | `ocl-core` only | `compile`, `link` | [`ObjectCode::compile`], [`ObjectCode::library`], [`Program::link`] |
//! | `clGetProgramBuildInfo` | in the error | in the error, or `get_build_log` | in [`BuildError`], beside the source; [`Program::log`] |
//! | `clGetProgramInfo` | `Program::info` | `Program::kernel_names`, ... | [`Program::kernel_names`], [`Program::binary`], [`Program::source`] |
//!
//! # Kernels
//!
//! Number, size and kind of the arguments are checked before the driver is called.
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clCreateKernel` | `Kernel::builder` | `Kernel::create` | [`Program::kernel`] |
//! | `clCreateKernelsInProgram` | | `create_program_kernels` | [`Program::kernels`] |
//! | `clSetKernelArg` | `.arg(..)` | `ExecuteKernel::set_arg` | [`Launch::arg`] |
//! | the same, of local memory | `.arg_local(..)` | `set_arg_local_buffer` | [`Launch::arg`] with [`Local::new`] |
//! | `clEnqueueNDRangeKernel` | `unsafe .enq()` | `unsafe .enqueue_nd_range(..)` | [`Kernel::launch`], [`Launch::enqueue`], which is `unsafe` |
//! | its sizes | `.global_work_size(..)`, `.local_work_size(..)` | `set_global_work_size`, `set_local_work_size` | [`Launch::global`], [`Launch::local`], [`Launch::offset`] |
//! | `clGetKernelWorkGroupInfo` | `Kernel::wg_info` | `Kernel::get_work_group_size`, ... | [`Kernel::work_group_size`], [`Kernel::preferred_multiple`] |
//! | `clCloneKernel` | | `Kernel::clone` | not needed: a [`Launch`] holds its arguments |
//!
//! # Events
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | `clWaitForEvents` | `Event::wait_for` | `Event::wait` | [`Event::wait`] |
//! | `clGetEventInfo` | `Event::info` | `command_execution_status` | [`Event::status`] |
//! | `clGetEventProfilingInfo` | `profiling_info` | `profiling_command_start`, ... | [`Event::profile`]; [`Queue::record`] for many |
//! | `clCreateUserEvent`, `clSetEventCallback` | `Event::user`, `set_callback` | *raw* | *raw* |
//!
//! # Errors
//!
//! | C | `ocl` 0.19 | `opencl3` 0.12 | here |
//! | --- | --- | --- | --- |
//! | a status code | `ocl::Error` | `ClError` | [`Error`]: the call, the [`Status`], what to do |
//! | no library | does not start | `ClError(-2000)` | [`Error::LibraryNotFound`] |
//! | no platform | waits 10 s, then panics | `ClError(-1001)` | [`Error::NoPlatform`] |

// For the links above.
#[allow(unused_imports)]
use crate::*;
