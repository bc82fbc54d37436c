//! Functions that create platforms, devices, contexts, queues and memory, and that answer queries about them.
//!
//! Each `extern "system"` function stands for the function of OpenCL that `library.rs` names, and is as safe
//! to call as that function.

use super::objects::{
    Context, Memory, Platform, Queue, clone_from_handle, from_handle, into_handle, release, retain,
};
use super::{platforms as all_platforms, profile::Answers};
use cl_core::raw::*;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex};

/// Gives `bytes` as the answer to a question.
///
/// # Safety
/// `value` is null or has `size` bytes; `length` is null or valid.
pub(super) unsafe fn answer(bytes: &[u8], size: size_t, value: *mut c_void, length: *mut size_t) -> cl_int {
    // SAFETY: by the caller's promise.
    unsafe {
        if !value.is_null() {
            if size < bytes.len() {
                return CL_INVALID_VALUE;
            }
            bytes.as_ptr().copy_to_nonoverlapping(value.cast(), bytes.len());
        }
        if let Some(place) = length.as_mut() {
            *place = bytes.len();
        }
    }
    CL_SUCCESS
}

/// Gives the recorded answer to a question, if there is one.
///
/// # Safety
/// The same as for [`answer`].
unsafe fn recorded(
    answers: &Answers,
    name: cl_uint,
    size: size_t,
    value: *mut c_void,
    length: *mut size_t,
) -> cl_int {
    match answers.get(&name) {
        // SAFETY: by the caller's promise.
        Some(bytes) => unsafe { answer(bytes, size, value, length) },
        None => CL_INVALID_VALUE,
    }
}

/// Stores a status, if the caller wants it.
///
/// # Safety
/// `place` is null or valid.
pub(super) unsafe fn report(place: *mut cl_int, status: cl_int) {
    // SAFETY: by the caller's promise.
    if let Some(place) = unsafe { place.as_mut() } {
        *place = status;
    }
}

/// Returns a handle as bytes.
pub(super) fn handle_bytes(handle: *const c_void) -> [u8; size_of::<usize>()] {
    handle.expose_provenance().to_ne_bytes()
}

/// Returns the `Platform` of a platform's or a device's handle: a platform and its device have the same
/// handle.
///
/// # Safety
/// The handle comes from `platforms` or `devices`.
unsafe fn platform_of(handle: *mut c_void) -> &'static Platform {
    // SAFETY: by the caller's promise; platforms live for ever.
    unsafe { from_handle(handle) }
}

fn platform_handle(platform: &'static Platform) -> *mut c_void {
    std::ptr::from_ref(platform).cast_mut().cast()
}

/// Writes the handles to `list`, as far as there is room, and their number to `found`.
///
/// # Safety
/// `list` is null or has room for `room` handles; `found` is null or valid.
unsafe fn list(
    handles: &[*mut c_void],
    room: cl_uint,
    list: *mut *mut c_void,
    found: *mut cl_uint,
) -> cl_int {
    // SAFETY: by the caller's promise.
    unsafe {
        if !list.is_null() {
            let count = handles.len().min(room as usize);
            handles.as_ptr().copy_to_nonoverlapping(list, count);
        }
        if let Some(found) = found.as_mut() {
            *found = handles.len() as cl_uint;
        }
    }
    CL_SUCCESS
}

pub(super) unsafe extern "system" fn platforms(
    room: cl_uint,
    places: *mut cl_platform_id,
    found: *mut cl_uint,
) -> cl_int {
    let handles: Vec<_> = all_platforms().iter().map(|platform| platform_handle(platform)).collect();
    // SAFETY: the caller's pointers.
    unsafe { list(&handles, room, places, found) }
}

pub(super) unsafe extern "system" fn platform(
    platform: cl_platform_id,
    name: cl_platform_info,
    size: size_t,
    value: *mut c_void,
    length: *mut size_t,
) -> cl_int {
    // SAFETY: the caller's platform and pointers.
    unsafe { recorded(&platform_of(platform).profile.platform, name, size, value, length) }
}

pub(super) unsafe extern "system" fn devices(
    platform: cl_platform_id,
    kinds: cl_device_type,
    room: cl_uint,
    places: *mut cl_device_id,
    found: *mut cl_uint,
) -> cl_int {
    // SAFETY: the caller's platform.
    let kind = unsafe { platform_of(platform) }.profile.number(CL_DEVICE_TYPE) as cl_device_type;
    if kinds & (kind | CL_DEVICE_TYPE_DEFAULT) == 0 {
        return CL_DEVICE_NOT_FOUND;
    }
    // SAFETY: the caller's pointers.
    unsafe { list(&[platform], room, places, found) }
}

pub(super) unsafe extern "system" fn device(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    length: *mut size_t,
) -> cl_int {
    // SAFETY: the caller's device and pointers.
    unsafe {
        match name {
            CL_DEVICE_PLATFORM => answer(&handle_bytes(device), size, value, length),
            CL_DEVICE_PARENT_DEVICE => answer(&handle_bytes(null_mut()), size, value, length),
            CL_DEVICE_REFERENCE_COUNT => answer(&1_u32.to_ne_bytes(), size, value, length),
            _ => recorded(&platform_of(device).profile.device, name, size, value, length),
        }
    }
}

/// Does nothing, as devices that are not sub-devices have no reference count.
pub(super) unsafe extern "system" fn ignore_device_count(_: cl_device_id) -> cl_int {
    CL_SUCCESS
}

pub(super) unsafe extern "system" fn create_context(
    _: *const cl_context_properties,
    _: cl_uint,
    devices: *const cl_device_id,
    _: Option<ContextCallback>,
    _: *mut c_void,
    status: *mut cl_int,
) -> cl_context {
    // SAFETY: the caller's pointer, and a list of one device or more.
    unsafe {
        report(status, CL_SUCCESS);
        into_handle(Context { platform: platform_of(*devices), built: Mutex::default() })
    }
}

pub(super) unsafe extern "system" fn context(
    handle: cl_context,
    name: cl_context_info,
    size: size_t,
    value: *mut c_void,
    length: *mut size_t,
) -> cl_int {
    // SAFETY: the caller's context and pointers.
    unsafe {
        let device = platform_handle(from_handle::<Context>(handle).platform);
        match name {
            CL_CONTEXT_DEVICES => answer(&handle_bytes(device), size, value, length),
            CL_CONTEXT_NUM_DEVICES | CL_CONTEXT_REFERENCE_COUNT => {
                answer(&1_u32.to_ne_bytes(), size, value, length)
            }
            _ => CL_INVALID_VALUE,
        }
    }
}

pub(super) unsafe extern "system" fn create_queue(
    context: cl_context,
    _: cl_device_id,
    properties: cl_command_queue_properties,
    status: *mut cl_int,
) -> cl_command_queue {
    // SAFETY: the caller's context and pointer.
    unsafe {
        report(status, CL_SUCCESS);
        into_handle(Queue { context: clone_from_handle(context), properties })
    }
}

pub(super) unsafe extern "system" fn queue(
    handle: cl_command_queue,
    name: cl_command_queue_info,
    size: size_t,
    value: *mut c_void,
    length: *mut size_t,
) -> cl_int {
    // SAFETY: the caller's queue and pointers.
    unsafe {
        let queue = from_handle::<Queue>(handle);
        match name {
            CL_QUEUE_CONTEXT => {
                answer(&handle_bytes(Arc::as_ptr(&queue.context).cast()), size, value, length)
            }
            CL_QUEUE_DEVICE => {
                answer(&handle_bytes(platform_handle(queue.context.platform)), size, value, length)
            }
            CL_QUEUE_PROPERTIES => answer(&queue.properties.to_ne_bytes(), size, value, length),
            CL_QUEUE_REFERENCE_COUNT => answer(&1_u32.to_ne_bytes(), size, value, length),
            _ => CL_INVALID_VALUE,
        }
    }
}

pub(super) unsafe extern "system" fn create_buffer(
    context: cl_context,
    flags: cl_mem_flags,
    size: size_t,
    host: *mut c_void,
    status: *mut cl_int,
) -> cl_mem {
    // SAFETY: the caller's context and pointer, and memory of this size if the flags say so.
    unsafe {
        let Some(memory) = Memory::new(clone_from_handle(context), flags, size, host.cast()) else {
            report(status, CL_INVALID_BUFFER_SIZE);
            return null_mut();
        };
        if let (true, Some(bytes)) = (flags & CL_MEM_COPY_HOST_PTR != 0, memory.at(0, size)) {
            bytes.copy_from_nonoverlapping(host.cast(), size);
        }
        report(status, CL_SUCCESS);
        into_handle(memory)
    }
}

pub(super) unsafe extern "system" fn create_sub_buffer(
    buffer: cl_mem,
    flags: cl_mem_flags,
    kind: cl_buffer_create_type,
    info: *const c_void,
    status: *mut cl_int,
) -> cl_mem {
    // SAFETY: the caller's buffer and pointer. `info` is a region, because OpenCL has only sub-buffers of
    // regions.
    unsafe {
        let region = *info.cast::<[usize; 2]>();
        let of = clone_from_handle::<Memory>(buffer);
        let flags = if flags == 0 { of.flags } else { flags };
        let made =
            (kind == CL_BUFFER_CREATE_TYPE_REGION).then(|| Memory::part(of, flags, region[0], region[1]));
        let made = made.flatten();
        report(status, if made.is_some() { CL_SUCCESS } else { CL_INVALID_VALUE });
        made.map_or(null_mut(), into_handle)
    }
}

pub(super) unsafe extern "system" fn memory(
    handle: cl_mem,
    name: cl_mem_info,
    size: size_t,
    value: *mut c_void,
    length: *mut size_t,
) -> cl_int {
    // SAFETY: the caller's memory and pointers.
    unsafe {
        let memory = from_handle::<Memory>(handle);
        let parent = memory.parent.as_ref();
        match name {
            CL_MEM_TYPE => answer(&CL_MEM_OBJECT_BUFFER.to_ne_bytes(), size, value, length),
            CL_MEM_FLAGS => answer(&memory.flags.to_ne_bytes(), size, value, length),
            CL_MEM_SIZE => answer(&memory.size.to_ne_bytes(), size, value, length),
            CL_MEM_HOST_PTR => answer(&handle_bytes(null_mut()), size, value, length),
            CL_MEM_MAP_COUNT => answer(&0_u32.to_ne_bytes(), size, value, length),
            CL_MEM_REFERENCE_COUNT => answer(&1_u32.to_ne_bytes(), size, value, length),
            CL_MEM_CONTEXT => answer(&handle_bytes(Arc::as_ptr(&memory.context).cast()), size, value, length),
            CL_MEM_ASSOCIATED_MEMOBJECT => {
                let parent = parent.map_or(null_mut(), |(parent, _)| Arc::as_ptr(parent).cast_mut().cast());
                answer(&handle_bytes(parent), size, value, length)
            }
            CL_MEM_OFFSET => {
                answer(&parent.map_or(0, |(_, begin)| *begin).to_ne_bytes(), size, value, length)
            }
            _ => CL_INVALID_VALUE,
        }
    }
}

/// Defines the functions that count an object's references.
macro_rules! count {
    ($($retain:ident, $release:ident: $handle:ty, $object:ty;)*) => {
        $(
            pub(super) unsafe extern "system" fn $retain(handle: $handle) -> cl_int {
                // SAFETY: the caller's object.
                unsafe { retain::<$object>(handle) }
            }

            pub(super) unsafe extern "system" fn $release(handle: $handle) -> cl_int {
                // SAFETY: the caller's object, of which the caller gives up a reference.
                unsafe { release::<$object>(handle) }
            }
        )*
    };
}

count! {
    retain_context, release_context: cl_context, Context;
    retain_queue, release_queue: cl_command_queue, Queue;
    retain_memory, release_memory: cl_mem, Memory;
}

pub(super) use count;

#[cfg(test)]
mod tests {
    use super::*;
    use cl_core::Buffer;

    #[test]
    fn a_region_outside_of_its_buffer_is_refused() {
        let device = crate::recorded::device("pocl-2-cores");
        let buffer = Buffer::filled(&cl_core::Queue::on(&device).unwrap(), 0_u8, 16).unwrap();
        let create = device.library().functions().clCreateSubBuffer;
        for (region, expected) in
            [([8, 8], CL_SUCCESS), ([8, 9], CL_INVALID_VALUE), ([17, 1], CL_INVALID_VALUE)]
        {
            let (region, mut status): ([usize; 2], cl_int) = (region, 1);
            let (kind, info) = (CL_BUFFER_CREATE_TYPE_REGION, region.as_ptr().cast());
            // SAFETY: the buffer is alive, and the region and the status can be read and written.
            let part = unsafe { create(buffer.memory().as_raw(), 0, kind, info, &raw mut status) };
            assert_eq!((status, part.is_null()), (expected, expected != CL_SUCCESS), "{region:?}");
            if !part.is_null() {
                // SAFETY: this test owns the only reference.
                unsafe { release_memory(part) };
            }
        }
    }
}
