//! A program half in C calls and half in safe ones, which use each other's objects.
//!
//! `cargo run --release --example 22_adopt_raw`. All of OpenCL is available under its own names, for functions
//! that have no safe form, and for programs that move from C step by step. The C calls here represent a library
//! that returns OpenCL handles.

use cl_core::raw::*;
use cl_core::{Buffer, Context, Device, Queue, Status};
use std::error::Error;
use std::ptr::{null, null_mut};

const LEN: usize = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::first()?;
    let theirs = Theirs::new(&device)?;

    // SAFETY: all three objects are alive, and `new` gave us a reference to each. The other code has written
    // all of the memory, and has waited for it.
    let (context, queue, mut numbers) = unsafe {
        let context = Context::from_raw(&device, theirs.context)?;
        let queue = Queue::from_raw(&context, theirs.queue)?;
        let numbers = Buffer::<u32>::from_raw(&context, theirs.memory)?;
        (context, queue, numbers)
    };
    assert_eq!(numbers.to_vec(&queue)?, [7; LEN]);
    numbers.slice_mut(..10)?.fill(&queue, 8)?;

    // In the other direction, `as_raw` lends a handle to C calls, which follow our commands in the same
    // queue.
    let mut first = 0_u32;
    let size = size_of::<u32>();
    // SAFETY: both objects are alive, the range lies inside, and the call blocks until `first` is written.
    let status = unsafe {
        let (queue, memory, into) = (queue.as_raw(), numbers.as_raw(), (&raw mut first).cast());
        clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, size, into, 0, null(), null_mut())
    };
    check("clEnqueueReadBuffer", status)?;
    assert_eq!(first, 8);
    println!("a context, a queue and a buffer of C on {}: all right", context.device());
    Ok(())
    // Our references are released here, each exactly once.
}

/// The objects that the other code made.
struct Theirs {
    context: cl_context,
    queue: cl_command_queue,
    memory: cl_mem,
}

impl Theirs {
    /// Creates a context, a queue, and memory for [`LEN`] numbers that are 7. The caller owns one reference
    /// to each.
    fn new(device: &Device) -> Result<Theirs, Box<dyn Error>> {
        let id = device.as_raw();
        let size = LEN * size_of::<u32>();
        let seven = 7_u32;
        let mut status = 0;
        // SAFETY: the call gets one device and no callback.
        let context = unsafe { clCreateContext(null(), 1, &raw const id, None, null_mut(), &raw mut status) };
        check("clCreateContext", status)?;
        // SAFETY: the context was made on this device.
        let queue = unsafe { clCreateCommandQueue(context, id, 0, &raw mut status) };
        check("clCreateCommandQueue", status)?;
        // SAFETY: the context is valid, and the call gets no host memory.
        let memory = unsafe { clCreateBuffer(context, CL_MEM_READ_WRITE, size, null_mut(), &raw mut status) };
        check("clCreateBuffer", status)?;
        // SAFETY: the pattern has 4 bytes, and the size of the memory is a multiple of that.
        let status = unsafe {
            let pattern = (&raw const seven).cast();
            clEnqueueFillBuffer(queue, memory, pattern, 4, 0, size, 0, null(), null_mut())
        };
        check("clEnqueueFillBuffer", status)?;
        // SAFETY: the queue is valid.
        check("clFinish", unsafe { clFinish(queue) })?;
        Ok(Theirs { context, queue, memory })
    }
}

/// Checks a status code, which every C call leaves to its caller.
fn check(call: &str, status: cl_int) -> Result<(), Box<dyn Error>> {
    if status == CL_SUCCESS { Ok(()) } else { Err(format!("{call}: {}", Status(status)).into()) }
}
