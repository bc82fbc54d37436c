//! Canaries: buffers that are larger than the caller asked for, and filled with poison.
//!
//! While the guard is on, each new buffer gets a zone behind its end, and on devices that are processors also a zone before
//! its begin: there a buffer can lie in memory of the host that the guard has allocated. The zones and all memory that the
//! caller does not initialise hold [`POISON`]. A command that writes beyond a buffer changes a zone, and
//! [`cl_fault_damaged`] reports it. The guard keeps a reference to each buffer until it has read the zones, so that it also
//! sees buffers that the program released long ago.

use cl_core::raw::*;
use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The byte in fresh memory. As a float, it is far from every number that tests compute with. As an index, it
/// is far outside of every vector.
const POISON: u8 = 0xFB;

/// The largest buffer that gets a zone, in bytes: the guard copies it on the host.
const LARGEST: usize = 1 << 28;

/// The alignment of memory of the host in which buffers lie, and of the zones before buffers, in bytes.
const ALIGNMENT: usize = 1 << 12;

#[derive(Clone, Copy)]
struct Guarded {
    buffer: cl_mem,
    /// The number of bytes that the caller asked for.
    size: usize,
    /// The flags that the caller gave.
    flags: cl_mem_flags,
    /// The zone before the buffer, in memory of the host; empty if the buffer lies elsewhere.
    before: *const [u8],
}

// SAFETY: OpenCL's objects may be used from any thread.
unsafe impl Send for Guarded {}

struct Guard {
    /// The number of bytes of a zone, while the guard is on.
    zone: Option<usize>,
    buffers: Vec<Guarded>,
}

static GUARD: Mutex<Guard> = Mutex::new(Guard { zone: None, buffers: Vec::new() });

fn guard() -> MutexGuard<'static, Guard> {
    GUARD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Memory of the host in which a buffer lies, behind a zone.
struct Block {
    bytes: *mut u8,
    layout: Layout,
}

impl Block {
    /// Returns memory that holds poison, with `zone` bytes before and behind the buffer of `size` bytes.
    fn new(zone: usize, size: usize) -> Option<(Block, usize)> {
        let before = zone.next_multiple_of(ALIGNMENT);
        let layout = Layout::from_size_align(before + size + zone, ALIGNMENT).ok()?;
        // SAFETY: the layout has bytes. They are written before they are read.
        unsafe {
            let bytes = alloc(layout);
            if bytes.is_null() {
                return None;
            }
            bytes.write_bytes(POISON, layout.size());
            Some((Block { bytes, layout }, before))
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.bytes, self.layout) };
    }
}

/// Frees the memory of a buffer that the driver has released.
extern "C" fn free(_: cl_mem, block: *mut c_void) {
    // SAFETY: `in_host_memory` gave this block to the driver, which calls this function once.
    drop(unsafe { Box::from_raw(block.cast::<Block>()) });
}

/// Returns whether the devices of a context are processors, which work on memory of the host where it is.
unsafe fn has_host_memory(context: cl_context) -> bool {
    let (mut device, mut kind): (cl_device_id, cl_device_type) = (null_mut(), 0);
    // SAFETY: the caller's context, its first device, and room for each answer.
    unsafe {
        let place = (&raw mut device).cast();
        clGetContextInfo(context, CL_CONTEXT_DEVICES, size_of::<cl_device_id>(), place, null_mut());
        let place = (&raw mut kind).cast();
        clGetDeviceInfo(device, CL_DEVICE_TYPE, size_of::<cl_device_type>(), place, null_mut());
    }
    kind & CL_DEVICE_TYPE_CPU != 0
}

/// Calls `clCreateBuffer`, with zones around the buffer while the guard is on.
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
    let Some((block, before)) = Block::new(zone, size) else {
        // SAFETY: the caller's arguments, unchanged.
        return unsafe { clCreateBuffer(context, flags, size, host, status) };
    };
    // SAFETY: the block has `before` bytes, and behind these `size` bytes, which the caller has at `host`, and the zone.
    // It lives as long as the buffer where the buffer lies in it: the driver frees it.
    unsafe {
        let begin = block.bytes.add(before);
        if flags & CL_MEM_COPY_HOST_PTR != 0 && !host.is_null() {
            begin.copy_from_nonoverlapping(host.cast(), size);
        }
        let lies_there = zone > 0 && has_host_memory(context);
        let own = if lies_there {
            flags & !(CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR) | CL_MEM_USE_HOST_PTR
        } else {
            flags | CL_MEM_COPY_HOST_PTR
        };
        let buffer = clCreateBuffer(context, own, size + zone, begin.cast(), status);
        if buffer.is_null() {
            return buffer;
        }
        let mut zone_before: *const [u8] = std::ptr::slice_from_raw_parts(block.bytes, 0);
        if lies_there {
            zone_before = std::ptr::slice_from_raw_parts(block.bytes, before);
            let block = Box::into_raw(Box::new(block));
            // Where the driver does not take the callback, the memory is never freed.
            clSetMemObjectDestructorCallback(buffer, Some(free), block.cast());
        }
        if zone > 0 && clRetainMemObject(buffer) == CL_SUCCESS {
            guard().buffers.push(Guarded { buffer, size, flags, before: zone_before });
        }
        buffer
    }
}

/// Calls `clGetMemObjectInfo`, and answers with the size and the flags that the caller asked for and without the guard's
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
    let asked = guard().buffers.iter().find(|guarded| guarded.buffer == memory).copied();
    if let (Some(asked), CL_SUCCESS, false) = (asked, status, value.is_null()) {
        // SAFETY: the call has written a number, whose type belongs to `name`.
        unsafe {
            match name {
                CL_MEM_SIZE => value.cast::<usize>().write_unaligned(asked.size),
                CL_MEM_FLAGS => value.cast::<cl_mem_flags>().write_unaligned(asked.flags),
                CL_MEM_HOST_PTR => value.cast::<*mut c_void>().write_unaligned(null_mut()),
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

/// Returns the number of buffers of which a zone has changed or cannot be read. Stores the size of one of them, and its
/// first changed byte, which is negative before the buffer, or the status of the call that should have read its zones.
/// Forgets these buffers, and the buffers that only the guard still refers to.
///
/// Every command that uses a buffer must have ended.
///
/// # Safety
/// The pointers can be written to.
#[unsafe(no_mangle)]
unsafe extern "C" fn cl_fault_damaged(size: *mut usize, at: *mut isize, status: *mut cl_int) -> usize {
    let mut guard = guard();
    let mut damaged = 0;
    let mut reader = Reader { context: null_mut(), queue: null_mut() };
    let kept = std::mem::take(&mut guard.buffers);
    for guarded in kept {
        // SAFETY: the guard has a reference.
        let (content, references) = unsafe { (reader.zone(&guarded), references(guarded.buffer)) };
        // SAFETY: the zone lives as long as the buffer, and all commands have ended.
        let before = unsafe { &*guarded.before };
        let damage = match content {
            Ok(content) => {
                let behind = content.iter().position(|&byte| byte != POISON);
                // Before the buffer, the changed byte that is nearest to it.
                let before = before.iter().rev().position(|&byte| byte != POISON);
                let at = behind.map(|at| (guarded.size + at) as isize).or(before.map(|at| -1 - at as isize));
                at.map(|at| (at, CL_SUCCESS))
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
    /// Returns the bytes in the zone behind a buffer.
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
