//! Conversions between buffers and C handles, and the driver's description of a memory object.

use super::buffer::Buffer;
use super::options::BufferOptions;
use super::untyped::Memory;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::info;
use crate::library::Library;
use crate::raw::{
    CL_MEM_ASSOCIATED_MEMOBJECT, CL_MEM_CONTEXT, CL_MEM_FLAGS, CL_MEM_MAP_COUNT, CL_MEM_OBJECT_BUFFER,
    CL_MEM_OFFSET, CL_MEM_REFERENCE_COUNT, CL_MEM_SIZE, CL_MEM_TYPE, cl_mem, cl_mem_flags, cl_uint,
};
use bytemuck::{AnyBitPattern, Pod};

/// The driver's description of a block of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryInfo {
    /// The size in bytes.
    pub bytes: usize,
    /// The `CL_MEM_…` flags that the block was made with.
    pub flags: cl_mem_flags,
    /// The number of current maps.
    pub maps: u32,
    /// The number of references, including those of commands in flight. It may have changed
    /// already.
    pub references: u32,
    /// The offset of a sub-buffer in its buffer, in bytes.
    pub offset: usize,
}

impl Memory {
    /// Asks the driver to describe the block; all zeros for an empty block.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn info(&self) -> Result<MemoryInfo> {
        if self.bytes() == 0 {
            return Ok(MemoryInfo::default());
        }
        let (library, raw) = (self.library(), self.as_raw());
        // SAFETY: the block is alive; each answer has the type that OpenCL prescribes.
        unsafe {
            Ok(MemoryInfo {
                bytes: ask(library, raw, CL_MEM_SIZE)?,
                flags: ask(library, raw, CL_MEM_FLAGS)?,
                maps: ask(library, raw, CL_MEM_MAP_COUNT)?,
                references: ask(library, raw, CL_MEM_REFERENCE_COUNT)?,
                offset: ask(library, raw, CL_MEM_OFFSET)?,
            })
        }
    }
}

impl<T: Pod> Buffer<T> {
    /// Takes over one reference to a buffer or a sub-buffer that other code made. If the other code
    /// keeps and releases its own reference, call `clRetainMemObject` first.
    ///
    /// Commands that other code enqueues for the same memory are not tracked: wait for them, or
    /// give their events to [`Queue::after`](crate::Queue::after). Two buffers made from one handle
    /// do not track each other's commands.
    ///
    /// # Errors
    /// [`Error::ForeignObject`] when `raw` belongs to another context; [`Error::InvalidInput`] when
    /// it is null, is not a buffer, or has a size that is not a multiple of the element's size;
    /// [`Error::Driver`] when the driver fails to answer. After an error the reference still
    /// belongs to the caller.
    ///
    /// # Safety
    /// `raw` is null or a live, initialised memory object of the context's library, and the caller
    /// owns a reference to it. Accesses through other handles, sub-buffers and
    /// `CL_MEM_USE_HOST_PTR` memory obey Rust's rules of borrowing.
    pub unsafe fn from_raw(context: &Context, raw: cl_mem) -> Result<Buffer<T>> {
        // SAFETY: by the caller's promise.
        let memory = unsafe { adopt(context, raw) }?;
        let (bytes, element) = (memory.bytes(), size_of::<T>());
        if element == 0 || bytes % element != 0 {
            // The reference still belongs to the caller.
            memory.into_raw();
            return Err(refused(format!("{bytes} bytes are not a multiple of the element size, {element}")));
        }
        Ok(Buffer::of(memory, bytes / element))
    }

    /// Returns the C handle and gives its reference to the caller, who must call
    /// `clReleaseMemObject`. Null for an empty buffer.
    #[must_use = "the handle is never released otherwise"]
    pub fn into_raw(self) -> cl_mem {
        self.into_memory().into_raw()
    }

    /// Returns the C handle, which the buffer still owns; null for an empty buffer.
    #[must_use]
    pub fn as_raw(&self) -> cl_mem {
        self.memory().as_raw()
    }
}

fn refused(reason: String) -> Error {
    Error::InvalidInput { what: "memory handle", reason }
}

/// Takes over one reference to a buffer that other code made.
///
/// # Safety
/// As [`Buffer::from_raw`]; after an error the reference still belongs to the caller.
unsafe fn adopt(context: &Context, raw: cl_mem) -> Result<Memory> {
    if raw.is_null() {
        return Err(refused("it is null".to_owned()));
    }
    let library = context.library();
    // SAFETY: by the caller's promise; each answer has the type that OpenCL prescribes.
    unsafe {
        let kind: cl_uint = ask(library, raw, CL_MEM_TYPE)?;
        if kind != CL_MEM_OBJECT_BUFFER {
            return Err(refused(format!("it is not a buffer but of type {kind:#x}")));
        }
        if ask::<usize>(library, raw, CL_MEM_CONTEXT)? != context.as_raw() as usize {
            let reason = "the handle belongs to another context";
            return Err(Error::ForeignObject { operation: "from_raw", reason });
        }
        let options = BufferOptions::from_flags(ask(library, raw, CL_MEM_FLAGS)?);
        let is_sub_buffer = ask::<usize>(library, raw, CL_MEM_ASSOCIATED_MEMOBJECT)? != 0;
        let sub_buffer_offset = if is_sub_buffer { Some(ask(library, raw, CL_MEM_OFFSET)?) } else { None };
        Memory::adopt(context, raw, ask(library, raw, CL_MEM_SIZE)?, options, sub_buffer_offset)
    }
}

/// Asks the driver for one property of a memory object.
///
/// # Safety
/// `raw` is a live memory object of `library`.
unsafe fn ask<A: AnyBitPattern>(library: Library, raw: cl_mem, name: cl_uint) -> Result<A> {
    let get = library.functions().clGetMemObjectInfo;
    info::value("clGetMemObjectInfo", |size, value, ret| {
        // SAFETY: by the caller's promise; `info` passes matching pointers and sizes.
        unsafe { get(raw, name, size, value, ret) }
    })
}
