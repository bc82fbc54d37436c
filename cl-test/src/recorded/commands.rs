//! Commands, which end before their call returns, and events.
//!
//! Every function here is OpenCL's function of a similar name, see `library.rs`. Each is as safe to call as
//! OpenCL's.

use super::objects::{
    Event, Kernel, Memory, Queue, Watcher, clone_from_handle, from_handle, into_handle, release, retain,
};
use super::probes;
use super::queries::{answer, handle_bytes, report};
use cl_core::raw::*;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError};

/// Stores the event of a command that has ended, if the caller wants it.
///
/// # Safety
/// The queue is alive; `event` is null or valid.
unsafe fn ended(queue: cl_command_queue, command: cl_command_type, event: *mut cl_event) -> cl_int {
    // SAFETY: by the caller's promise.
    unsafe {
        if let Some(place) = event.as_mut() {
            let queue = clone_from_handle::<Queue>(queue);
            let state = Mutex::new((CL_COMPLETE, Vec::new()));
            *place =
                into_handle(Event { context: queue.context.clone(), queue: Some(queue), command, state });
        }
    }
    CL_SUCCESS
}

pub(super) unsafe extern "system" fn flush(_: cl_command_queue) -> cl_int {
    CL_SUCCESS
}

pub(super) unsafe extern "system" fn read_buffer(
    queue: cl_command_queue,
    buffer: cl_mem,
    _: cl_bool,
    begin: size_t,
    size: size_t,
    host: *mut c_void,
    _: cl_uint,
    _: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: the caller's objects, and host memory of this size.
    unsafe {
        let Some(from) = from_handle::<Memory>(buffer).at(begin, size) else { return CL_INVALID_VALUE };
        from.copy_to_nonoverlapping(host.cast(), size);
        ended(queue, CL_COMMAND_READ_BUFFER, event)
    }
}

pub(super) unsafe extern "system" fn write_buffer(
    queue: cl_command_queue,
    buffer: cl_mem,
    _: cl_bool,
    begin: size_t,
    size: size_t,
    host: *const c_void,
    _: cl_uint,
    _: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: the caller's objects, and host memory of this size.
    unsafe {
        let Some(to) = from_handle::<Memory>(buffer).at(begin, size) else { return CL_INVALID_VALUE };
        to.copy_from_nonoverlapping(host.cast(), size);
        ended(queue, CL_COMMAND_WRITE_BUFFER, event)
    }
}

pub(super) unsafe extern "system" fn fill_buffer(
    queue: cl_command_queue,
    buffer: cl_mem,
    pattern: *const c_void,
    pattern_size: size_t,
    begin: size_t,
    size: size_t,
    _: cl_uint,
    _: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: the caller's objects, and a pattern of this size. The size of the range is a multiple of the
    // pattern's.
    unsafe {
        let Some(to) = from_handle::<Memory>(buffer).at(begin, size) else { return CL_INVALID_VALUE };
        let pattern = std::slice::from_raw_parts(pattern.cast::<u8>(), pattern_size);
        to.copy_from_nonoverlapping(pattern.as_ptr(), pattern_size.min(size));
        // Doubles the filled bytes in each step, because most buffers are long and most patterns short.
        let mut done = pattern_size;
        while done < size {
            let next = done.min(size - done);
            to.add(done).copy_from_nonoverlapping(to, next);
            done += next;
        }
        ended(queue, CL_COMMAND_FILL_BUFFER, event)
    }
}

pub(super) unsafe extern "system" fn copy_buffer(
    queue: cl_command_queue,
    from: cl_mem,
    to: cl_mem,
    from_begin: size_t,
    to_begin: size_t,
    size: size_t,
    _: cl_uint,
    _: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: the caller's objects.
    unsafe {
        let from = from_handle::<Memory>(from).at(from_begin, size);
        let (Some(from), Some(to)) = (from, from_handle::<Memory>(to).at(to_begin, size)) else {
            return CL_INVALID_VALUE;
        };
        to.copy_from(from, size);
        ended(queue, CL_COMMAND_COPY_BUFFER, event)
    }
}

pub(super) unsafe extern "system" fn map_buffer(
    queue: cl_command_queue,
    buffer: cl_mem,
    _: cl_bool,
    _: cl_map_flags,
    begin: size_t,
    size: size_t,
    _: cl_uint,
    _: *const cl_event,
    event: *mut cl_event,
    status: *mut cl_int,
) -> *mut c_void {
    // SAFETY: the caller's objects and pointers.
    unsafe {
        let Some(bytes) = from_handle::<Memory>(buffer).at(begin, size) else {
            report(status, CL_INVALID_VALUE);
            return null_mut();
        };
        report(status, ended(queue, CL_COMMAND_MAP_BUFFER, event));
        bytes.cast()
    }
}

pub(super) unsafe extern "system" fn unmap(
    queue: cl_command_queue,
    _: cl_mem,
    _: *mut c_void,
    _: cl_uint,
    _: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: the caller's queue and pointer.
    unsafe { ended(queue, CL_COMMAND_UNMAP_MEM_OBJECT, event) }
}

pub(super) unsafe extern "system" fn marker(
    queue: cl_command_queue,
    _: cl_uint,
    _: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: the caller's queue and pointer.
    unsafe { ended(queue, CL_COMMAND_MARKER, event) }
}

/// Ends the command at once, without running the kernel. Kernels that probe devices get the right results.
pub(super) unsafe extern "system" fn launch(
    queue: cl_command_queue,
    kernel: cl_kernel,
    _: cl_uint,
    _: *const size_t,
    _: *const size_t,
    local: *const size_t,
    _: cl_uint,
    _: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: the caller's objects, sizes and pointers; the arguments are those that the kernel's text declares.
    unsafe {
        let group = local.as_ref().copied().unwrap_or(1);
        if !answer_probe(from_handle(kernel), group) {
            return CL_INVALID_KERNEL_ARGS;
        }
        ended(queue, CL_COMMAND_NDRANGE_KERNEL, event)
    }
}

/// Writes the answers of a probe's kernel. Does nothing for other kernels. Returns `false` if the answers do
/// not fit into the buffer, or if the program is not built.
///
/// # Safety
/// The first argument of a probe's kernel is a buffer.
unsafe fn answer_probe(kernel: &Kernel, group: usize) -> bool {
    let Some((text, _)) = kernel.program.built.get() else { return false };
    let arguments = kernel.arguments.lock().unwrap_or_else(PoisonError::into_inner);
    let number =
        |bytes: &Option<Vec<u8>>| bytes.as_deref()?.first_chunk().map(|word| u32::from_ne_bytes(*word));
    let Some((Some(first), rest)) = arguments.split_first() else { return true };
    let numbers: Vec<u32> = rest.iter().filter_map(number).collect();
    let Some(answers) = probes::answers(&kernel.declaration.name, text, &numbers, group) else { return true };
    let Some(handle) = first.first_chunk().map(|bytes| usize::from_ne_bytes(*bytes)) else { return false };
    let bytes: Vec<u8> = answers.iter().flat_map(|word| word.to_ne_bytes()).collect();
    // SAFETY: by the caller's promise, and the buffer is alive as long as it is an argument of a command.
    unsafe {
        let memory = from_handle::<Memory>(std::ptr::with_exposed_provenance_mut(handle));
        let Some(to) = memory.at(0, bytes.len()) else { return false };
        to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
    }
    true
}

pub(super) unsafe extern "system" fn wait_for_events(count: cl_uint, events: *const cl_event) -> cl_int {
    // SAFETY: the caller says how many events there are.
    let events = unsafe { std::slice::from_raw_parts(events, count as usize) };
    let status = |event: &cl_event| {
        // SAFETY: the caller's events.
        let event = unsafe { from_handle::<Event>(*event) };
        event.state.lock().unwrap_or_else(PoisonError::into_inner).0
    };
    // Waiting for a user event that is not complete would never end.
    if events.iter().map(status).all(|status| status == CL_COMPLETE) {
        CL_SUCCESS
    } else {
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
    }
}

pub(super) unsafe extern "system" fn event_info(
    handle: cl_event,
    name: cl_event_info,
    size: size_t,
    value: *mut c_void,
    length: *mut size_t,
) -> cl_int {
    // SAFETY: the caller's event and pointers.
    unsafe {
        let event = from_handle::<Event>(handle);
        match name {
            CL_EVENT_COMMAND_EXECUTION_STATUS => {
                let status = event.state.lock().unwrap_or_else(PoisonError::into_inner).0;
                answer(&status.to_ne_bytes(), size, value, length)
            }
            CL_EVENT_COMMAND_TYPE => answer(&event.command.to_ne_bytes(), size, value, length),
            CL_EVENT_CONTEXT => {
                answer(&handle_bytes(Arc::as_ptr(&event.context).cast()), size, value, length)
            }
            CL_EVENT_COMMAND_QUEUE => {
                let queue = event.queue.as_ref().map_or(null_mut(), |queue| Arc::as_ptr(queue).cast_mut());
                answer(&handle_bytes(queue.cast()), size, value, length)
            }
            CL_EVENT_REFERENCE_COUNT => answer(&1_u32.to_ne_bytes(), size, value, length),
            _ => CL_INVALID_VALUE,
        }
    }
}

pub(super) unsafe extern "system" fn create_user_event(context: cl_context, status: *mut cl_int) -> cl_event {
    // SAFETY: the caller's context and pointer.
    unsafe {
        report(status, CL_SUCCESS);
        let state = Mutex::new((CL_SUBMITTED, Vec::new()));
        into_handle(Event {
            context: clone_from_handle(context),
            queue: None,
            command: CL_COMMAND_USER,
            state,
        })
    }
}

pub(super) unsafe extern "system" fn set_user_event_status(event: cl_event, status: cl_int) -> cl_int {
    // SAFETY: the caller's event.
    let object = unsafe { from_handle::<Event>(event) };
    let mut state = object.state.lock().unwrap_or_else(PoisonError::into_inner);
    if object.queue.is_some() || state.0 <= CL_COMPLETE {
        return CL_INVALID_OPERATION;
    }
    state.0 = status;
    let watchers = std::mem::take(&mut state.1);
    drop(state);
    watchers.iter().for_each(|watcher| (watcher.call)(event, status, watcher.data));
    CL_SUCCESS
}

pub(super) unsafe extern "system" fn set_event_callback(
    event: cl_event,
    _: cl_int,
    call: Option<EventCallback>,
    data: *mut c_void,
) -> cl_int {
    let Some(call) = call else { return CL_INVALID_VALUE };
    // SAFETY: the caller's event.
    let object = unsafe { from_handle::<Event>(event) };
    let mut state = object.state.lock().unwrap_or_else(PoisonError::into_inner);
    let status = state.0;
    if status > CL_COMPLETE {
        state.1.push(Watcher { call, data });
        return CL_SUCCESS;
    }
    drop(state);
    call(event, status, data);
    CL_SUCCESS
}

/// Answers 0 for every time.
pub(super) unsafe extern "system" fn profiling(
    event: cl_event,
    _: cl_profiling_info,
    size: size_t,
    value: *mut c_void,
    length: *mut size_t,
) -> cl_int {
    // SAFETY: the caller's event and pointers.
    unsafe {
        let queue = from_handle::<Event>(event).queue.as_ref();
        if queue.is_none_or(|queue| queue.properties & CL_QUEUE_PROFILING_ENABLE == 0) {
            return CL_PROFILING_INFO_NOT_AVAILABLE;
        }
        answer(&0_u64.to_ne_bytes(), size, value, length)
    }
}

pub(super) unsafe extern "system" fn retain_event(event: cl_event) -> cl_int {
    // SAFETY: the caller's event.
    unsafe { retain::<Event>(event) }
}

pub(super) unsafe extern "system" fn release_event(event: cl_event) -> cl_int {
    // SAFETY: the caller's event, of which the caller gives up a reference.
    unsafe { release::<Event>(event) }
}
