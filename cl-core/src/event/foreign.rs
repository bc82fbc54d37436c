//! Events that other code created.

use super::Event;
use crate::error::{Error, Result};
use crate::info;
use crate::library::Library;
use crate::raw::{self, cl_event, cl_uint};
use bytemuck::AnyBitPattern;
use std::ptr::with_exposed_provenance_mut;
use std::sync::Weak;

impl Event {
    /// Takes over an event that other code created.
    ///
    /// *One reference* is taken over, and released with the last clone. Call `clRetainEvent` first
    /// if the other code keeps and releases its own reference. The queue of such an event is not
    /// flushed automatically: flush it before the event is awaited or called back. A user event is
    /// still completed by the code that created it.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for null, [`Error::Driver`] if the driver does not know the event.
    /// After an error the reference is still the caller's.
    ///
    /// # Safety
    /// `raw` is null or a live event of `library`, and one of its references belongs to the caller.
    /// If the event fails, some drivers skip the commands that wait for it, and later commands on
    /// their queue. The memory that those commands should have written must then not be read.
    pub unsafe fn from_raw(library: Library, raw: cl_event) -> Result<Event> {
        if raw.is_null() {
            return Err(Error::InvalidInput { what: "event handle", reason: "it is null".to_owned() });
        }
        // SAFETY: by the caller's promise.
        let context: usize = unsafe { ask(library, raw, raw::CL_EVENT_CONTEXT)? };
        // SAFETY: as above.
        let command: cl_uint = unsafe { ask(library, raw, raw::CL_EVENT_COMMAND_TYPE)? };
        let context = with_exposed_provenance_mut(context);
        // SAFETY: by the caller's promise; the library says that this is the event's context.
        Ok(unsafe { Event::owned(library, context, raw, function_of(command), Weak::new()) })
    }
}

/// Returns a property of an event.
///
/// # Safety
/// `event` is a live event of `library`.
unsafe fn ask<T: AnyBitPattern>(library: Library, event: cl_event, name: cl_uint) -> Result<T> {
    let get = library.functions().clGetEventInfo;
    info::value("clGetEventInfo", |size, value, ret| {
        // SAFETY: by the caller's promise; `info` passes matching pointers and sizes.
        unsafe { get(event, name, size, value, ret) }
    })
}

/// Returns the C function that enqueues commands of a type.
fn function_of(command: cl_uint) -> &'static str {
    match command {
        raw::CL_COMMAND_NDRANGE_KERNEL => "clEnqueueNDRangeKernel",
        raw::CL_COMMAND_TASK => "clEnqueueTask",
        raw::CL_COMMAND_NATIVE_KERNEL => "clEnqueueNativeKernel",
        raw::CL_COMMAND_READ_BUFFER => "clEnqueueReadBuffer",
        raw::CL_COMMAND_WRITE_BUFFER => "clEnqueueWriteBuffer",
        raw::CL_COMMAND_COPY_BUFFER => "clEnqueueCopyBuffer",
        raw::CL_COMMAND_READ_BUFFER_RECT => "clEnqueueReadBufferRect",
        raw::CL_COMMAND_WRITE_BUFFER_RECT => "clEnqueueWriteBufferRect",
        raw::CL_COMMAND_COPY_BUFFER_RECT => "clEnqueueCopyBufferRect",
        raw::CL_COMMAND_FILL_BUFFER => "clEnqueueFillBuffer",
        raw::CL_COMMAND_READ_IMAGE => "clEnqueueReadImage",
        raw::CL_COMMAND_WRITE_IMAGE => "clEnqueueWriteImage",
        raw::CL_COMMAND_COPY_IMAGE => "clEnqueueCopyImage",
        raw::CL_COMMAND_COPY_IMAGE_TO_BUFFER => "clEnqueueCopyImageToBuffer",
        raw::CL_COMMAND_COPY_BUFFER_TO_IMAGE => "clEnqueueCopyBufferToImage",
        raw::CL_COMMAND_FILL_IMAGE => "clEnqueueFillImage",
        raw::CL_COMMAND_MAP_BUFFER => "clEnqueueMapBuffer",
        raw::CL_COMMAND_MAP_IMAGE => "clEnqueueMapImage",
        raw::CL_COMMAND_UNMAP_MEM_OBJECT => "clEnqueueUnmapMemObject",
        raw::CL_COMMAND_MIGRATE_MEM_OBJECTS => "clEnqueueMigrateMemObjects",
        raw::CL_COMMAND_MARKER => "clEnqueueMarkerWithWaitList",
        raw::CL_COMMAND_BARRIER => "clEnqueueBarrierWithWaitList",
        raw::CL_COMMAND_SVM_FREE => "clEnqueueSVMFree",
        raw::CL_COMMAND_SVM_MEMCPY => "clEnqueueSVMMemcpy",
        raw::CL_COMMAND_SVM_MEMFILL => "clEnqueueSVMMemFill",
        raw::CL_COMMAND_SVM_MAP => "clEnqueueSVMMap",
        raw::CL_COMMAND_SVM_UNMAP => "clEnqueueSVMUnmap",
        raw::CL_COMMAND_SVM_MIGRATE_MEM => "clEnqueueSVMMigrateMem",
        raw::CL_COMMAND_USER => "clCreateUserEvent",
        _ => "a command of an extension",
    }
}
