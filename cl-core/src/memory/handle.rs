//! Buffers out of C handles and back, and what the driver says of them.

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

/// What the driver says of a block of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryInfo {
    /// Its size in bytes.
    pub bytes: usize,
    /// The `CL_MEM_…` flags that it was made with.
    pub flags: cl_mem_flags,
    /// How often it is mapped now.
    pub maps: u32,
    /// References to it, those of commands in flight included. It may have changed already.
    pub references: u32,
    /// Where a sub-buffer begins in its buffer, in bytes.
    pub offset: usize,
}

impl Memory {
    /// What the driver says of the block; all zeros for an empty one.
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
    /// Takes over one reference to a buffer, or a sub-buffer, that other code made; call
    /// `clRetainMemObject` before, if that code keeps and releases its own.
    ///
    /// What others enqueue for the same memory is not seen: wait for it, or give its events to
    /// [`Queue::after`](crate::Queue::after). Two results for one handle do not know each other.
    ///
    /// # Errors
    /// [`Error::ForeignObject`] when it belongs to another context; [`Error::InvalidInput`] when it
    /// is null, no buffer, or no whole number of elements long; [`Error::Driver`] when the driver
    /// fails to answer. After an error the reference is still the caller's.
    ///
    /// # Safety
    /// `raw` is null or a memory object of the context's library that is alive and initialised, and
    /// the caller owns a reference to it. What is reached through other handles, sub-buffers and
    /// `CL_MEM_USE_HOST_PTR` memory obeys Rust's rules of borrowing.
    pub unsafe fn from_raw(context: &Context, raw: cl_mem) -> Result<Buffer<T>> {
        // SAFETY: by the caller's promise.
        let memory = unsafe { adopt(context, raw) }?;
        let (bytes, element) = (memory.bytes(), size_of::<T>());
        if element == 0 || bytes % element != 0 {
            let _callers = memory.into_raw();
            return Err(refused(format!("{bytes} bytes are no whole number of elements of {element}")));
        }
        Ok(Buffer::of(memory, bytes / element))
    }

    /// Gives the C handle away, with the reference to it: whoever takes it calls
    /// `clReleaseMemObject`. Null for an empty buffer.
    #[must_use = "the handle is never released otherwise"]
    pub fn into_raw(self) -> cl_mem {
        self.into_memory().into_raw()
    }

    /// The C handle, which the buffer goes on to own; null for an empty buffer.
    #[must_use]
    pub fn as_raw(&self) -> cl_mem {
        self.memory().as_raw()
    }
}

fn refused(reason: String) -> Error {
    Error::InvalidInput { what: "memory handle", reason }
}

/// # Safety
/// As [`Buffer::from_raw`]; after an error the reference still is the caller's.
unsafe fn adopt(context: &Context, raw: cl_mem) -> Result<Memory> {
    if raw.is_null() {
        return Err(refused("it is null".to_owned()));
    }
    let library = context.library();
    // SAFETY: by the caller's promise; each answer has the type that OpenCL prescribes.
    unsafe {
        let kind: cl_uint = ask(library, raw, CL_MEM_TYPE)?;
        if kind != CL_MEM_OBJECT_BUFFER {
            return Err(refused(format!("it is no buffer, but of type {kind:#x}")));
        }
        if ask::<usize>(library, raw, CL_MEM_CONTEXT)? != context.as_raw() as usize {
            let reason = "the handle belongs to another context";
            return Err(Error::ForeignObject { operation: "from_raw", reason });
        }
        let options = BufferOptions::from_flags(ask(library, raw, CL_MEM_FLAGS)?);
        let is_part = ask::<usize>(library, raw, CL_MEM_ASSOCIATED_MEMOBJECT)? != 0;
        let part_at = if is_part { Some(ask(library, raw, CL_MEM_OFFSET)?) } else { None };
        Memory::adopt(context, raw, ask(library, raw, CL_MEM_SIZE)?, options, part_at)
    }
}

/// One property of a memory object.
///
/// # Safety
/// `raw` is a memory object of `library` that is alive.
unsafe fn ask<A: AnyBitPattern>(library: Library, raw: cl_mem, name: cl_uint) -> Result<A> {
    let get = library.functions().clGetMemObjectInfo;
    info::value("clGetMemObjectInfo", |size, value, ret| {
        // SAFETY: by the caller's promise; `info` passes matching pointers and sizes.
        unsafe { get(raw, name, size, value, ret) }
    })
}
