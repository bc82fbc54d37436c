//! Canaries: buffers that are larger than the caller asked for, and filled with poison.
//!
//! While the guard is on, each new buffer gets a zone behind its end. The zone and all memory that the caller
//! does not initialise hold [`POISON`]. A command that writes beyond a buffer changes the zone, and
//! [`cl_fault_damaged`] reports it. The guard keeps a reference to each buffer until it has read the zone, so
//! that it also sees buffers that the program released long ago.

use cl_core::raw::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The byte in fresh memory. As a float, it is far from every number that tests compute with. As an index, it
/// is far outside of every vector.
const POISON: u8 = 0xFB;

/// The largest buffer that gets a zone, in bytes: the guard copies it on the host.
const LARGEST: usize = 1 << 28;

struct Guarded {
    buffer: cl_mem,
    /// The number of bytes that the caller asked for.
    size: usize,
}

// SAFETY: OpenCL's objects may be used from any thread.
unsafe impl Send for Guarded {}

struct Guard {
    /// The number of bytes behind each buffer, while the guard is on.
    zone: Option<usize>,
    buffers: Vec<Guarded>,
}

static GUARD: Mutex<Guard> = Mutex::new(Guard { zone: None, buffers: Vec::new() });

fn guard() -> MutexGuard<'static, Guard> {
    GUARD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `clCreateBuffer`, with a zone behind the buffer while the guard is on.
///
/// # Safety
/// The same as in C.
pub(crate) unsafe fn create_buffer(
    context: cl_context,
    flags: cl_mem_flags,
    size: usize,
    host: *mut c_void,
    status: *mut cl_int,
) -> cl_mem {
    let zone = guard().zone;
    let (Some(zone), false, 1..=LARGEST) = (zone, flags & CL_MEM_USE_HOST_PTR != 0, size) else {
        // SAFETY: the caller's arguments, unchanged.
        return unsafe { clCreateBuffer(context, flags, size, host, status) };
    };
    let mut content = vec![POISON; size + zone];
    if flags & CL_MEM_COPY_HOST_PTR != 0 && !host.is_null() {
        // SAFETY: the caller has `size` bytes there, and `content` has more than that.
        unsafe { content.as_mut_ptr().copy_from_nonoverlapping(host.cast(), size) };
    }
    let flags = flags | CL_MEM_COPY_HOST_PTR;
    // SAFETY: as the caller's call, with `content` to copy from.
    let buffer =
        unsafe { clCreateBuffer(context, flags, content.len(), content.as_mut_ptr().cast(), status) };
    // SAFETY: the buffer is alive where it is not null.
    if zone > 0 && !buffer.is_null() && unsafe { clRetainMemObject(buffer) } == CL_SUCCESS {
        guard().buffers.push(Guarded { buffer, size });
    }
    buffer
}

/// Calls `clGetMemObjectInfo`, and answers with the size that the caller asked for and without the guard's
/// reference.
///
/// # Safety
/// The same as in C.
pub(crate) unsafe fn memory_info(
    memory: cl_mem,
    name: cl_mem_info,
    size: usize,
    value: *mut c_void,
    written: *mut usize,
) -> cl_int {
    // SAFETY: the caller's arguments, unchanged.
    let status = unsafe { clGetMemObjectInfo(memory, name, size, value, written) };
    let asked = guard().buffers.iter().find(|guarded| guarded.buffer == memory).map(|guarded| guarded.size);
    if let (Some(asked), CL_SUCCESS, false) = (asked, status, value.is_null()) {
        // SAFETY: the call has written a number, whose type belongs to `name`.
        unsafe {
            match name {
                CL_MEM_SIZE => value.cast::<usize>().write_unaligned(asked),
                CL_MEM_REFERENCE_COUNT => *value.cast::<cl_uint>() -= 1,
                _ => {}
            }
        }
    }
    status
}

/// Turns the guard on, with zones of `zone` bytes, or off. A zone of 0 bytes only poisons fresh memory.
#[unsafe(no_mangle)]
extern "C" fn cl_fault_guard(on: bool, zone: usize) {
    guard().zone = on.then_some(zone);
}

/// Returns the number of buffers whose zone has changed or cannot be read. Stores the size of one of them, and
/// its first changed byte, or the status of the call that should have read its zone. Forgets these buffers,
/// and the buffers that only the guard still refers to.
///
/// Every command that uses a buffer must have ended.
///
/// # Safety
/// The pointers can be written to.
#[unsafe(no_mangle)]
unsafe extern "C" fn cl_fault_damaged(size: *mut usize, at: *mut usize, status: *mut cl_int) -> usize {
    let mut guard = guard();
    let mut damaged = 0;
    let mut reader = Reader { context: null_mut(), queue: null_mut() };
    let kept = std::mem::take(&mut guard.buffers);
    for guarded in kept {
        // SAFETY: the guard has a reference.
        let (content, references) = unsafe { (reader.zone(&guarded), references(guarded.buffer)) };
        let damage = match content {
            Ok(content) => {
                let changed = content.iter().position(|&byte| byte != POISON);
                changed.map(|changed| (guarded.size + changed, CL_SUCCESS))
            }
            Err(error) => Some((0, error)),
        };
        if let Some((byte, error)) = damage {
            damaged += 1;
            // SAFETY: by the caller's promise.
            unsafe { (*size, *at, *status) = (guarded.size, byte, error) };
        }
        if references > 1 && damage.is_none() {
            guard.buffers.push(guarded);
        } else {
            // SAFETY: the guard's own reference.
            unsafe { clReleaseMemObject(guarded.buffer) };
        }
    }
    reader.end();
    damaged
}

unsafe fn references(buffer: cl_mem) -> cl_uint {
    let mut count: cl_uint = 0;
    let size = size_of::<cl_uint>();
    // SAFETY: the caller's buffer, and room for a number.
    unsafe { clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, size, (&raw mut count).cast(), null_mut()) };
    count
}

/// Returns an error unless a call succeeded.
fn succeeded(status: cl_int) -> Result<(), cl_int> {
    if status == CL_SUCCESS { Ok(()) } else { Err(status) }
}

/// A queue in the context of the buffers that are read.
struct Reader {
    context: cl_context,
    queue: cl_command_queue,
}

impl Reader {
    /// Returns the bytes in the zone of a buffer.
    ///
    /// # Errors
    /// The status of the call that failed.
    ///
    /// # Safety
    /// The buffer is alive.
    unsafe fn zone(&mut self, guarded: &Guarded) -> Result<Vec<u8>, cl_int> {
        let (mut context, mut whole): (cl_context, usize) = (null_mut(), 0);
        let buffer = guarded.buffer;
        // SAFETY: a buffer that is alive, and room for each answer.
        unsafe {
            let room = size_of::<cl_context>();
            let place = (&raw mut context).cast();
            succeeded(clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, room, place, null_mut()))?;
            let (room, place) = (size_of::<usize>(), (&raw mut whole).cast());
            succeeded(clGetMemObjectInfo(buffer, CL_MEM_SIZE, room, place, null_mut()))?;
        }
        if context != self.context {
            self.end();
            let mut device: cl_device_id = null_mut();
            let room = size_of::<cl_device_id>();
            // SAFETY: the buffer's context, and room for the first of its devices.
            unsafe {
                let (devices, place) = (CL_CONTEXT_DEVICES, (&raw mut device).cast());
                succeeded(clGetContextInfo(context, devices, room, place, null_mut()))?;
                let mut status = CL_SUCCESS;
                self.queue = clCreateCommandQueue(context, device, 0, &raw mut status);
                succeeded(status)?;
            }
            self.context = context;
        }
        let mut content = vec![POISON; whole.saturating_sub(guarded.size)];
        let (host, bytes) = (content.as_mut_ptr().cast(), content.len());
        if bytes > 0 {
            // SAFETY: the zone lies in the buffer, and `content` has room for it.
            unsafe {
                let (queue, at) = (self.queue, guarded.size);
                let status =
                    clEnqueueReadBuffer(queue, buffer, CL_TRUE, at, bytes, host, 0, null(), null_mut());
                succeeded(status)?;
            }
        }
        Ok(content)
    }

    fn end(&mut self) {
        if !self.queue.is_null() {
            // SAFETY: the reader made the queue.
            unsafe { clReleaseCommandQueue(self.queue) };
        }
        (self.context, self.queue) = (null_mut(), null_mut());
    }
}
