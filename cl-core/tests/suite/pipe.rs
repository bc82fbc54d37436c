//! Pipes. On devices that have them, packets come out as they went in. On all devices, invalid use is refused
//! before the driver sees it. Few drivers have pipes, so one test runs on a library whose pipes are buffers.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::*;
use cl_core::{Buffer, BuildOptions, CVersion, Context, Device, Error, Library, Pipe, Program, Queue};
use cl_test::{counting, each_device};
use std::ptr::null_mut;

const SOURCE: &str = "
kernel void put(write_only pipe uint to) {
    uint value = get_global_id(0) * 3;
    write_pipe(to, &value);
}
kernel void take(read_only pipe uint from, global uint *found) {
    uint value = 0;
    if (read_pipe(from, &value) == 0) found[value / 3] = value;
}
";

/// Returns whether the device says that it has pipes.
fn has_pipes(device: &Device) -> bool {
    match device.has_pipes().unwrap() {
        Some(answer) => answer,
        None => require::clCreatePipe(device).is_ok(),
    }
}

#[test]
fn packets_come_out_as_they_went_in() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        if !has_pipes(device) {
            let refused = Pipe::<u32>::new(queue.context(), 10);
            assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
            return;
        }
        let mut pipe = Pipe::<u32>::new(queue.context(), 100).unwrap();
        assert_eq!(pipe.packets(), 100);
        let options = BuildOptions::new().language(CVersion::C20);
        let program = Program::build(queue.context(), SOURCE, &options).unwrap();
        let (put, take) = (program.kernel("put").unwrap(), program.kernel("take").unwrap());
        let mut found = Buffer::filled(&queue, u32::MAX, 100).unwrap();
        // SAFETY: each item writes one packet, or reads one and the element that it names.
        unsafe {
            put.launch().arg(&mut pipe).global(100).enqueue(&queue).unwrap();
            take.launch().arg(&mut pipe).arg(&mut found).global(100).enqueue(&queue).unwrap();
        }
        let expected: Vec<u32> = (0..100).map(|i| i * 3).collect();
        assert_eq!(found.to_vec(&queue).unwrap(), expected, "{device}");
        // SAFETY: refused, or the reference made here.
        unsafe {
            let refused = Pipe::<u64>::from_raw(queue.context(), pipe.as_raw());
            assert!(matches!(refused, Err(Error::InvalidInput { what: "pipe handle", .. })), "{refused:?}");
            assert_eq!((device.library().functions().clRetainMemObject)(pipe.as_raw()), 0);
            assert_eq!(Pipe::<u32>::from_raw(queue.context(), pipe.as_raw()).unwrap().packets(), 100);
        }
    });
}

#[test]
fn no_pipe_is_made_of_bad_input() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let buffer = Buffer::filled(&queue, 1_u32, 5).unwrap();
        let calls = counter.calls_during(|| {
            for refused in [
                Pipe::<u32>::new(queue.context(), 0).map(drop),
                Pipe::<()>::new(queue.context(), 5).map(drop),
            ] {
                assert!(matches!(refused, Err(Error::InvalidInput { what: "pipe", .. })), "{refused:?}");
            }
            // SAFETY: null is allowed.
            let refused = unsafe { Pipe::<u32>::from_raw(queue.context(), null_mut()) };
            assert!(matches!(refused, Err(Error::InvalidInput { what: "pipe handle", .. })), "{refused:?}");
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        if !has_pipes(&device) {
            let calls = counter.calls_during(|| {
                let refused = Pipe::<u32>::new(queue.context(), 5);
                assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
            });
            assert!(!calls.contains_key("clCreatePipe"), "{calls:?} on {device}");
        }
        // SAFETY: refused, so that nothing is taken over.
        let refused = unsafe { Pipe::<u32>::from_raw(queue.context(), buffer.memory().as_raw()) };
        assert!(matches!(refused, Err(Error::InvalidInput { what: "pipe handle", .. })), "{refused:?}");
        // SAFETY: as above.
        let refused =
            unsafe { Pipe::<u32>::from_raw(&Context::on(&device).unwrap(), buffer.memory().as_raw()) };
        assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
    }
}

const MOST_BYTES: cl_uint = 64;

fn system() -> &'static Functions {
    Library::load().unwrap().functions()
}

/// Answers as a device that has pipes.
unsafe extern "system" fn device_info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    written: *mut size_t,
) -> cl_int {
    let answer = match name {
        CL_DEVICE_PIPE_SUPPORT => 1,
        CL_DEVICE_PIPE_MAX_PACKET_SIZE => MOST_BYTES,
        // SAFETY: the caller's arguments, unchanged.
        _ => return unsafe { (system().clGetDeviceInfo)(device, name, size, value, written) },
    };
    // SAFETY: room for the answer, or null.
    unsafe { answer_number(answer, size, value, written) }
}

/// Answers a query with a number.
///
/// # Safety
/// The pointers are null, or have room for their values.
unsafe fn answer_number(answer: cl_uint, size: size_t, value: *mut c_void, written: *mut size_t) -> cl_int {
    // SAFETY: by the caller's promise.
    unsafe {
        if !value.is_null() && size >= 4 {
            value.cast::<cl_uint>().write_unaligned(answer);
        }
        if !written.is_null() {
            *written = 4;
        }
    }
    CL_SUCCESS
}

/// Makes a buffer in place of a pipe.
unsafe extern "system" fn create_pipe(
    context: cl_context,
    flags: cl_mem_flags,
    packet: cl_uint,
    packets: cl_uint,
    properties: *const cl_pipe_properties,
    errcode_ret: *mut cl_int,
) -> cl_mem {
    assert_eq!((flags, packet, packets), (CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, 4, 10));
    assert!(properties.is_null());
    // SAFETY: a valid context, no host pointer.
    unsafe { (system().clCreateBuffer)(context, CL_MEM_READ_WRITE, 40, null_mut(), errcode_ret) }
}

/// Answers as a driver that does not tell the kernels' declarations, because here pipes are declared as
/// pointers.
unsafe extern "system" fn tells_nothing(
    _: cl_kernel,
    _: cl_uint,
    _: cl_kernel_arg_info,
    _: size_t,
    _: *mut c_void,
    _: *mut size_t,
) -> cl_int {
    CL_KERNEL_ARG_INFO_NOT_AVAILABLE
}

#[test]
fn pipes_are_made_and_given_to_kernels() {
    let functions = Functions {
        clGetDeviceInfo: device_info,
        clCreatePipe: Some(create_pipe),
        clGetKernelArgInfo: tells_nothing,
        ..*system()
    };
    // SAFETY: a pipe of this library is memory that kernels take as a pointer and never as a pipe.
    let library = unsafe { Library::from_functions(functions) };
    for device in Device::all_of(library).unwrap() {
        if device.opencl_version().unwrap() < cl_core::Version::new(2, 0) {
            continue; // `create_pipe` is not called for such devices, as it should be
        }
        let queue = Queue::on(&device).unwrap();
        let context = queue.context();
        let refused = Pipe::<[u8; 65]>::new(context, 10);
        assert!(matches!(refused, Err(Error::InvalidInput { what: "pipe", .. })), "{refused:?}");
        let most = device.limits().unwrap().allocation;
        if most < u64::from(u32::MAX) * 64 {
            let refused = Pipe::<[u8; 64]>::new(context, u32::MAX);
            assert!(matches!(refused, Err(Error::TooLarge { .. })), "{refused:?}");
        }
        let mut pipe = Pipe::<u32>::new(context, 10).unwrap();
        let source = "kernel void fill(global uint *x, uint value) { x[get_global_id(0)] = value; } \
            kernel void look(global uint *x, global uint *out) { out[0] = x[9]; }";
        let program = Program::build(context, source, &BuildOptions::new()).unwrap();
        let (fill, look) = (program.kernel("fill").unwrap(), program.kernel("look").unwrap());
        let mut out = Buffer::filled(&queue, 0_u32, 1).unwrap();
        let other = Queue::new(context, cl_core::QueueOptions::new()).unwrap();
        for round in 0..50_u32 {
            // SAFETY: the pipe is ten elements, and item i writes element i.
            unsafe {
                fill.launch().arg(&mut pipe).arg(round).global(10).enqueue(&queue).unwrap();
                look.launch().arg(&mut pipe).arg(&mut out).global(1).enqueue(&other).unwrap();
            }
            assert_eq!(out.to_vec(&queue).unwrap(), [round], "the reader waits for the writer");
        }
        let elsewhere = Pipe::<u32>::new(&Context::on(&device).unwrap(), 10);
        let launch = fill.launch();
        let mut foreign = elsewhere.unwrap();
        // SAFETY: refused.
        let refused = unsafe { launch.arg(&mut foreign).arg(0_u32).global(10).enqueue(&queue) };
        assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
    }
}
