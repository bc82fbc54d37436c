//! The features that newer devices offer to kernels, on a driver that pretends to be newer: sub-groups,
//! non-uniform work-groups, suggested sizes. `kernel.rs` and `launch.rs` ask the real devices.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::*;
use cl_core::{Buffer, BuildOptions, Device, Error, Kernel, Library, Program, Queue};
use serial_test::serial;
use std::ffi::CStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, Ordering};

const EXTENSIONS: &[u8] = b"cl_khr_suggested_local_work_size cl_intel_required_subgroup_size\0";

/// The answer of launches.
static ANSWER: AtomicI32 = AtomicI32::new(0);
/// The local sizes of launches, and the arguments that were set.
static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Answers a query with these bytes.
///
/// # Safety
/// The same as for OpenCL's queries.
unsafe fn answer(bytes: &[u8], size: size_t, value: *mut c_void, ret: *mut size_t) -> cl_int {
    if !value.is_null() {
        if size < bytes.len() {
            return CL_INVALID_VALUE;
        }
        // SAFETY: there is room.
        unsafe { value.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    }
    if !ret.is_null() {
        // SAFETY: by the caller's promise.
        unsafe { *ret = bytes.len() };
    }
    CL_SUCCESS
}

unsafe extern "system" fn device_info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    ret: *mut size_t,
) -> cl_int {
    // SAFETY: the caller's arguments, unchanged.
    unsafe {
        match name {
            CL_DEVICE_VERSION => answer(b"OpenCL 3.0 pretended\0", size, value, ret),
            CL_DEVICE_EXTENSIONS => answer(EXTENSIONS, size, value, ret),
            CL_DEVICE_MAX_NUM_SUB_GROUPS => answer(&8_u32.to_ne_bytes(), size, value, ret),
            CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT => answer(&1_u32.to_ne_bytes(), size, value, ret),
            _ => clGetDeviceInfo(device, name, size, value, ret),
        }
    }
}

/// Answers as a device whose sub-groups have 16 work-items.
unsafe extern "system" fn sub_group_info(
    _: cl_kernel,
    _: cl_device_id,
    name: cl_uint,
    length: size_t,
    input: *const c_void,
    size: size_t,
    value: *mut c_void,
    ret: *mut size_t,
) -> cl_int {
    let input = match length / size_of::<usize>() {
        0 => &[],
        // SAFETY: by the caller's promise, `length` bytes of numbers.
        count => unsafe { std::slice::from_raw_parts(input.cast::<usize>(), count) },
    };
    let items: usize = input.iter().product();
    let one = |number: usize| number.to_ne_bytes().to_vec();
    let bytes = match name {
        CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE => one(items.min(16)),
        CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE => one(items.div_ceil(16)),
        CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT if items <= 8 => {
            [16 * items, 1, 1].iter().flat_map(|size| size.to_ne_bytes()).collect()
        }
        CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT => vec![0; 3 * size_of::<usize>()],
        CL_KERNEL_MAX_NUM_SUB_GROUPS => one(8),
        CL_KERNEL_COMPILE_NUM_SUB_GROUPS => one(0),
        0x410A => one(16),
        _ => return CL_INVALID_VALUE,
    };
    // SAFETY: by the caller's promise.
    unsafe { answer(&bytes, size, value, ret) }
}

unsafe extern "system" fn extension(platform: cl_platform_id, name: *const c_char) -> *mut c_void {
    // SAFETY: the caller's arguments.
    unsafe {
        if CStr::from_ptr(name) == c"clGetKernelSuggestedLocalWorkSizeKHR" {
            return suggest as *mut c_void;
        }
        clGetExtensionFunctionAddressForPlatform(platform, name)
    }
}

unsafe extern "system" fn suggest(
    _: cl_command_queue,
    _: cl_kernel,
    dimensions: cl_uint,
    offset: *const size_t,
    global: *const size_t,
    local: *mut size_t,
) -> cl_int {
    for dimension in 0..dimensions as usize {
        // SAFETY: each list has a number for each dimension.
        unsafe { *local.add(dimension) = *global.add(dimension) / 2 + *offset.add(dimension) };
    }
    CL_SUCCESS
}

unsafe extern "system" fn set_argument(
    kernel: cl_kernel,
    index: cl_uint,
    size: size_t,
    value: *const c_void,
) -> cl_int {
    LOG.lock().unwrap().push(format!("argument {index}"));
    // SAFETY: the caller's arguments, unchanged.
    unsafe { clSetKernelArg(kernel, index, size, value) }
}

unsafe extern "system" fn enqueue(
    _: cl_command_queue,
    _: cl_kernel,
    dimensions: cl_uint,
    _: *const size_t,
    global: *const size_t,
    local: *const size_t,
    _: cl_uint,
    _: *const cl_event,
    _: *mut cl_event,
) -> cl_int {
    // SAFETY: each list has a number for each dimension.
    let (global, local) = unsafe {
        let list = |first| std::slice::from_raw_parts(first, dimensions as usize);
        (list(global), list(local))
    };
    LOG.lock().unwrap().push(format!("{global:?} by {local:?}"));
    ANSWER.load(Ordering::Relaxed)
}

/// Runs `test` with the kernel `put` on each device, one test at a time.
fn each(test: impl Fn(&Device, &Queue, &Kernel)) {
    let system = *Library::load().unwrap().functions();
    // SAFETY: the system's functions, or replacements that do what OpenCL says.
    let library = unsafe {
        Library::from_functions(Functions {
            clGetDeviceInfo: device_info,
            clGetKernelSubGroupInfo: Some(sub_group_info),
            clGetExtensionFunctionAddressForPlatform: extension,
            clSetKernelArg: set_argument,
            clEnqueueNDRangeKernel: enqueue,
            ..system
        })
    };
    for device in Device::all_of(library).unwrap() {
        let queue = Queue::on(&device).unwrap();
        let source = "kernel void put(global uint *x) { x[get_global_id(0)] = 1; }";
        let put =
            Program::build(queue.context(), source, &BuildOptions::new()).unwrap().kernel("put").unwrap();
        LOG.lock().unwrap().clear();
        test(&device, &queue, &put);
    }
}

#[test]
#[serial(kernel_newer)] // the answers of launches belong to the process
fn sub_groups() {
    each(|_, _, put| {
        assert_eq!(put.sub_group_size(8).unwrap(), 8);
        assert_eq!(put.sub_group_size([8, 4]).unwrap(), 16);
        assert_eq!(put.sub_groups([8, 4, 3]).unwrap(), 6);
        assert_eq!(put.local_size_for(3).unwrap(), Some([48, 1, 1]));
        assert_eq!(put.local_size_for(9).unwrap(), None);
        assert_eq!(put.max_sub_groups().unwrap(), 8);
        assert_eq!(put.required_sub_groups().unwrap(), None);
        assert_eq!(put.required_sub_group_size().unwrap(), Some(16));
    });
}

#[test]
#[serial(kernel_newer)] // the answers of launches belong to the process
fn non_uniform_work_groups() {
    each(|_, queue, put| {
        let mut x = Buffer::filled(queue, 0_u32, 10).unwrap();
        // SAFETY: nothing runs.
        let refused = unsafe { put.launch().arg(&mut x).global(10).local(4).enqueue(queue) };
        assert!(matches!(refused, Err(Error::WorkSize { .. })), "{refused:?}");
        // SAFETY: nothing runs.
        unsafe { put.launch().arg(&mut x).global(10).local(4).non_uniform().enqueue(queue) }.unwrap();
        assert_eq!(LOG.lock().unwrap().split_off(0), ["argument 0", "[10] by [4]"]);

        ANSWER.store(CL_INVALID_WORK_GROUP_SIZE, Ordering::Relaxed);
        // SAFETY: nothing runs.
        let error = unsafe { put.launch().arg(&mut x).global(10).local(4).non_uniform().enqueue(queue) };
        ANSWER.store(CL_SUCCESS, Ordering::Relaxed);
        let text = error.unwrap_err().to_string();
        assert!(text.contains("kernel `put`: a non-uniform launch needs a program built with"), "{text}");
    });
}

#[test]
#[serial(kernel_newer)] // the answers of launches belong to the process
fn suggested_sizes() {
    each(|_, queue, put| {
        let mut x = Buffer::filled(queue, 0_u32, 10).unwrap();
        let launch = put.launch().arg(&mut x).global([8, 4]).offset([1, 0]);
        let local = launch.suggested_local(queue).unwrap().unwrap();
        assert_eq!((local.dimensions(), local.sizes()), (2, [5, 2, 1]));
        assert_eq!(LOG.lock().unwrap().split_off(0), ["argument 0"]);
        assert_eq!(put.launch().arg(&mut x).global(0).suggested_local(queue).unwrap(), None);
        let refused = put.launch().arg(&mut x).global(8).offset(usize::MAX).suggested_local(queue);
        assert!(matches!(refused, Err(Error::WorkSize { .. })), "{refused:?}");
        let refused = put.launch().arg(1_u32).global(8).suggested_local(queue);
        assert!(matches!(refused, Err(Error::Argument(_))), "{refused:?}");
        assert!(LOG.lock().unwrap().is_empty(), "the driver was asked");
    });
}
