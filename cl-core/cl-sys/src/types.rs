//! The types of `cl-sys` 0.4.3.
#![allow(non_camel_case_types, missing_docs)] // the names are C's, and so is their documentation

use libc::{c_void, intptr_t, size_t};

macro_rules! aliases {
    ($($type:ty => $($name:ident)*;)*) => {
        $($(pub type $name = $type;)*)*
    };
}

// Scalars.
aliases! {
    i8 => cl_char;
    u8 => cl_uchar;
    i16 => cl_short;
    u16 => cl_ushort cl_half;
    i32 => cl_int cl_GLint cl_build_status;
    u32 => cl_uint cl_GLuint cl_GLenum cl_bool;
    i64 => cl_long;
    u64 => cl_ulong cl_bitfield;
    f32 => cl_float;
    f64 => cl_double;
}

// Handles. All have one type, so that a program is accepted as a kernel.
aliases! {
    *mut c_void =>
        cl_platform_id cl_device_id cl_context cl_command_queue cl_mem cl_program cl_kernel cl_event
        cl_sampler
        cl_id3d11_buffer cl_id3d11_texture2d cl_id3d11_texture3d
        CLeglDisplayKHR CLeglImageKHR CLeglSyncKHR;
}

// Names and values of properties. `cl_kernel_arg_type_qualifier` has 64 bits in C.
aliases! {
    cl_uint =>
        cl_platform_info cl_device_info cl_device_mem_cache_type cl_device_local_mem_type
        cl_context_info cl_command_queue_info cl_channel_order cl_channel_type cl_mem_object_type
        cl_mem_info cl_image_info cl_buffer_create_type cl_addressing_mode cl_filter_mode
        cl_sampler_info cl_pipe_info cl_program_info cl_program_build_info cl_program_binary_type
        cl_kernel_info cl_kernel_arg_info cl_kernel_arg_address_qualifier
        cl_kernel_arg_access_qualifier cl_kernel_arg_type_qualifier cl_kernel_work_group_info
        cl_kernel_sub_group_info cl_kernel_exec_info cl_event_info cl_command_type cl_profiling_info
        cl_gl_object_type cl_gl_texture_info cl_gl_platform_info cl_gl_context_info
        cl_d3d10_device_source_khr cl_d3d10_device_set_khr cl_d3d11_device_source cl_d3d11_device_set;
    cl_bitfield =>
        cl_device_type cl_device_fp_config cl_device_exec_capabilities cl_device_svm_capabilities
        cl_command_queue_properties cl_device_affinity_domain cl_queue_properties cl_mem_flags
        cl_svm_mem_flags cl_mem_migration_flags cl_map_flags cl_sampler_properties;
    intptr_t =>
        cl_device_partition_property cl_context_properties cl_pipe_properties
        cl_egl_image_properties_khr;
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cl_image_format {
    pub image_channel_order: cl_channel_order,
    pub image_channel_data_type: cl_channel_type,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cl_image_desc {
    pub image_type: cl_mem_object_type,
    pub image_width: size_t,
    pub image_height: size_t,
    pub image_depth: size_t,
    pub image_array_size: size_t,
    pub image_row_pitch: size_t,
    pub image_slice_pitch: size_t,
    pub num_mip_levels: cl_uint,
    pub num_samples: cl_uint,
    /// `mem_object` since OpenCL 2.0.
    pub buffer: cl_mem,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cl_buffer_region {
    pub origin: size_t,
    pub size: size_t,
}

// Functions of extensions. As in the original they are declared safe to call, although they are
// not.

#[cfg(not(feature = "opencl_vendor_mesa"))]
pub type clGetGLContextInfoKHR_fn = extern "system" fn(
    properties: *const cl_context_properties,
    param_name: cl_gl_context_info,
    param_value_size: size_t,
    param_value: *mut c_void,
    param_value_size_ret: *mut size_t,
) -> cl_int;

pub type clGetDeviceIDsFromD3D11_fn = extern "system" fn(
    platform: cl_platform_id,
    d3d_device_source: cl_d3d11_device_source,
    d3d_object: *mut c_void,
    d3d_device_set: cl_d3d11_device_set,
    num_entries: cl_uint,
    devices: *mut cl_device_id,
    num_devices: *mut cl_uint,
) -> cl_int;

pub type clCreateFromD3D11Buffer_fn = extern "system" fn(
    context: cl_context,
    flags: cl_mem_flags,
    resource: cl_id3d11_buffer,
    errcode_ret: *mut cl_int,
) -> cl_mem;

pub type clCreateFromD3D11Texture2D_fn = extern "system" fn(
    context: cl_context,
    flags: cl_mem_flags,
    resource: cl_id3d11_texture2d,
    subresource: cl_uint,
    errcode_ret: *mut cl_int,
) -> cl_mem;

pub type clCreateFromD3D11Texture3D_fn = extern "system" fn(
    context: cl_context,
    flags: cl_mem_flags,
    resource: cl_id3d11_texture3d,
    subresource: cl_uint,
    errcode_ret: *mut cl_int,
) -> cl_mem;

pub type clEnqueueAcquireD3D11Objects_fn = extern "system" fn(
    command_queue: cl_command_queue,
    num_objects: cl_uint,
    mem_objects: *const cl_mem,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> cl_int;

pub type clEnqueueReleaseD3D11Objects_fn = clEnqueueAcquireD3D11Objects_fn;
