//! Half of a program in C calls, the other half in safe ones: objects of either are used by both.
//!
//! `cargo run --release --example 22_adopt_raw`. All of OpenCL is there under its own names, for what has no safe
//! form, and for programs that come from C step by step. The C calls stand for a library that gives out OpenCL
//! handles.

use cl_core::raw::*;
use cl_core::{Buffer, Context, Device, Queue, Status};
use std::error::Error;
use std::ptr::{null, null_mut};

const LEN: usize = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::first()?;
    let theirs = Theirs::new(&device)?;

    // SAFETY: all three are alive, and `new` gave us a reference to each. The other code has written
    // all of the memory, and waited for it.
    let (context, queue, mut numbers) = unsafe {
        let context = Context::from_raw(&device, theirs.context)?;
        let queue = Queue::from_raw(&context, theirs.queue)?;
        let numbers = Buffer::<u32>::from_raw(&context, theirs.memory)?;
        (context, queue, numbers)
    };
    assert_eq!(numbers.to_vec(&queue)?, [7; LEN]);
    numbers.slice_mut(..10)?.fill(&queue, 8)?;

    // And back: `as_raw` lends a handle to C calls. They come behind our commands in the same queue.
    let mut first = 0_u32;
    let size = size_of::<u32>();
    // SAFETY: both are alive, the range lies inside, and the call blocks until `first` is written.
    let status = unsafe {
        let (queue, memory, into) = (queue.as_raw(), numbers.as_raw(), (&raw mut first).cast());
        clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, size, into, 0, null(), null_mut())
    };
    check("clEnqueueReadBuffer", status)?;
    assert_eq!(first, 8);
    println!("a context, a queue and a buffer of C on {}: all right", context.device());
    Ok(())
    // Our references are released here, each once.
}

/// What the other code made.
struct Theirs {
    context: cl_context,
    queue: cl_command_queue,
    memory: cl_mem,
}

impl Theirs {
    /// A context, a queue, and memory for [`LEN`] numbers that are 7. One reference of each is the
    /// caller's.
    fn new(device: &Device) -> Result<Theirs, Box<dyn Error>> {
        let id = device.as_raw();
        let size = LEN * size_of::<u32>();
        let seven = 7_u32;
        let mut status = 0;
        // SAFETY: one device, and no callback.
        let context = unsafe { clCreateContext(null(), 1, &raw const id, None, null_mut(), &raw mut status) };
        check("clCreateContext", status)?;
        // SAFETY: the context was made on this device.
        let queue = unsafe { clCreateCommandQueue(context, id, 0, &raw mut status) };
        check("clCreateCommandQueue", status)?;
        // SAFETY: a valid context, and no memory of the host's.
        let memory = unsafe { clCreateBuffer(context, CL_MEM_READ_WRITE, size, null_mut(), &raw mut status) };
        check("clCreateBuffer", status)?;
        // SAFETY: the pattern has 4 bytes, of which the memory holds a whole number.
        let status = unsafe {
            let pattern = (&raw const seven).cast();
            clEnqueueFillBuffer(queue, memory, pattern, 4, 0, size, 0, null(), null_mut())
        };
        check("clEnqueueFillBuffer", status)?;
        // SAFETY: a valid queue.
        check("clFinish", unsafe { clFinish(queue) })?;
        Ok(Theirs { context, queue, memory })
    }
}

/// What every C call leaves to its caller.
fn check(call: &str, status: cl_int) -> Result<(), Box<dyn Error>> {
    if status == CL_SUCCESS { Ok(()) } else { Err(format!("{call}: {}", Status(status)).into()) }
}
