//! Options of a buffer: its access by host and kernels, and its location.

use super::buffer::Buffer;
use super::untyped::Memory;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::hazard::Access;
use crate::queue::Queue;
use crate::raw::cl_mem_flags;
use bytemuck::Pod;
use std::ptr::null_mut;

/// The host's access to a buffer. Drivers may place memory better when the host seldom uses it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostAccess {
    /// The host reads and writes.
    #[default]
    ReadWrite,
    /// The host only reads, and maps for reading (`CL_MEM_HOST_READ_ONLY`).
    ReadOnly,
    /// The host only writes, and maps for overwriting (`CL_MEM_HOST_WRITE_ONLY`).
    WriteOnly,
    /// The host does neither. Commands on the device still copy and fill (`CL_MEM_HOST_NO_ACCESS`).
    None,
}

impl HostAccess {
    pub(super) fn allows(self, access: Access) -> bool {
        match access {
            Access::Read => matches!(self, HostAccess::ReadWrite | HostAccess::ReadOnly),
            Access::Write | Access::Overwrite => {
                matches!(self, HostAccess::ReadWrite | HostAccess::WriteOnly)
            }
        }
    }

    fn flags(self) -> cl_mem_flags {
        match self {
            HostAccess::ReadWrite => 0,
            HostAccess::ReadOnly => cl_sys::CL_MEM_HOST_READ_ONLY,
            HostAccess::WriteOnly => cl_sys::CL_MEM_HOST_WRITE_ONLY,
            HostAccess::None => cl_sys::CL_MEM_HOST_NO_ACCESS,
        }
    }

    fn from_flags(flags: cl_mem_flags) -> HostAccess {
        let all = [HostAccess::ReadOnly, HostAccess::WriteOnly, HostAccess::None];
        all.into_iter().find(|access| flags & access.flags() != 0).unwrap_or_default()
    }
}

/// The access of kernels to a buffer: a hint to the driver.
///
/// A launch is refused when it is given the buffer for another use: as `&mut` or in
/// [`Out`](crate::Out) with [`ReadOnly`](KernelAccess::ReadOnly), as `&` or in [`In`](crate::In)
/// with [`WriteOnly`](KernelAccess::WriteOnly). No driver stops a kernel that breaks the hint
/// nevertheless, so the caller of a launch promises that the kernel keeps it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KernelAccess {
    /// Kernels read and write.
    #[default]
    ReadWrite,
    /// Kernels only read (`CL_MEM_READ_ONLY`).
    ReadOnly,
    /// Kernels only write (`CL_MEM_WRITE_ONLY`).
    WriteOnly,
}

impl KernelAccess {
    pub(super) fn allows(self, access: Access) -> bool {
        match access {
            Access::Read => self != KernelAccess::WriteOnly,
            Access::Write | Access::Overwrite => self != KernelAccess::ReadOnly,
        }
    }

    fn flags(self) -> cl_mem_flags {
        match self {
            KernelAccess::ReadWrite => cl_sys::CL_MEM_READ_WRITE,
            KernelAccess::ReadOnly => cl_sys::CL_MEM_READ_ONLY,
            KernelAccess::WriteOnly => cl_sys::CL_MEM_WRITE_ONLY,
        }
    }

    fn from_flags(flags: cl_mem_flags) -> KernelAccess {
        let all = [KernelAccess::ReadOnly, KernelAccess::WriteOnly];
        all.into_iter().find(|access| flags & access.flags() != 0).unwrap_or_default()
    }
}

/// Options for making a buffer.
///
/// ```
/// # use cl_core::{BufferOptions, Device, HostAccess, KernelAccess, Queue};
/// # fn main() -> cl_core::Result<()> {
/// let queue = Queue::on(&Device::first()?)?;
/// let options = BufferOptions::new().host(HostAccess::ReadOnly).kernel(KernelAccess::WriteOnly);
/// let results = options.filled(&queue, 0.0_f32, 1000)?;
/// assert_eq!(results.to_vec(&queue)?, [0.0; 1000]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferOptions {
    pub(super) host: HostAccess,
    pub(super) kernel: KernelAccess,
    host_memory: bool,
}

impl BufferOptions {
    /// Returns the default options: host and kernels read and write, in device memory.
    #[must_use]
    pub fn new() -> BufferOptions {
        BufferOptions::default()
    }

    /// Sets the host's access to the buffer. Other transfers are refused.
    #[must_use]
    pub fn host(self, host: HostAccess) -> BufferOptions {
        BufferOptions { host, ..self }
    }

    /// Sets the access of kernels to the buffer.
    #[must_use]
    pub fn kernel(self, kernel: KernelAccess) -> BufferOptions {
        BufferOptions { kernel, ..self }
    }

    /// Requests memory that the host reaches without a transfer (`CL_MEM_ALLOC_HOST_PTR`). It suits
    /// buffers that are often mapped and seldom read or written by kernels.
    #[must_use]
    pub fn in_host_memory(self) -> BufferOptions {
        BufferOptions { host_memory: true, ..self }
    }

    /// Creates a buffer that holds a copy of `values`, with any host access.
    ///
    /// # Errors
    /// As [`Buffer::from_slice`].
    pub fn from_slice<T: Pod>(self, queue: &Queue, values: &[T]) -> Result<Buffer<T>> {
        let memory = Memory::copy_of(queue.context(), bytemuck::cast_slice(values), self)?;
        Ok(Buffer::of(memory, values.len()))
    }

    /// Creates a buffer of `len` elements that are all `value`.
    ///
    /// # Errors
    /// As [`Buffer::from_slice`].
    pub fn filled<T: Pod>(self, queue: &Queue, value: T, len: usize) -> Result<Buffer<T>> {
        if Memory::fill_needs_host(size_of::<T>()) && !self.host.allows(Access::Write) {
            allocatable::<T>(queue, len)?;
            return self.from_slice(queue, &vec![value; len]);
        }
        // SAFETY: filled by the first command that uses it.
        let mut buffer = unsafe { self.uninit(queue, len) }?;
        buffer.fill(queue, value)?;
        Ok(buffer)
    }

    /// Creates a buffer of `len` elements without writing them.
    ///
    /// # Errors
    /// As [`Buffer::from_slice`].
    ///
    /// # Safety
    /// As [`Buffer::uninit`].
    pub unsafe fn uninit<T: Pod>(self, queue: &Queue, len: usize) -> Result<Buffer<T>> {
        let bytes = allocatable::<T>(queue, len)?;
        // SAFETY: no host memory is given.
        let memory = unsafe { Memory::with(queue.context(), bytes, self, null_mut()) }?;
        Ok(Buffer::of(memory, len))
    }

    /// Returns the options of a buffer that other code made.
    pub(super) fn from_flags(flags: cl_mem_flags) -> BufferOptions {
        BufferOptions {
            host: HostAccess::from_flags(flags),
            kernel: KernelAccess::from_flags(flags),
            host_memory: flags & cl_sys::CL_MEM_ALLOC_HOST_PTR != 0,
        }
    }

    pub(super) fn flags(self) -> cl_mem_flags {
        let host_memory = if self.host_memory { cl_sys::CL_MEM_ALLOC_HOST_PTR } else { 0 };
        self.kernel.flags() | host_memory | self.host.flags()
    }
}

impl Error {
    /// Returns an [`Error::TooLarge`] of `bytes` that exceed the largest allocation of `device`.
    #[must_use]
    pub fn too_large(bytes: u128, device: &Device) -> Error {
        let limit = device.limits().map_or(0, |limits| limits.allocation);
        Error::TooLarge { bytes, limit, device: device.to_string() }
    }
}

/// Returns the size of `len` elements in bytes, or an error unless the queue's device can allocate
/// them at once.
pub(super) fn allocatable<T>(queue: &Queue, len: usize) -> Result<usize> {
    let device = queue.device();
    let bytes = len as u128 * size_of::<T>() as u128;
    // Zero elements need no memory, so the driver need not be asked.
    if bytes > 0 && bytes > u128::from(device.limits()?.allocation) {
        return Err(Error::too_large(bytes, device));
    }
    usize::try_from(bytes).map_err(|_| Error::too_large(bytes, device))
}
