//! Kernels: functions of a program that the host can launch.

use crate::device::Device;
use crate::error::{Error, Result};
use crate::event::log_failed_release;
use crate::info;
use crate::launch::Launch;
use crate::library::Library;
use crate::raw::{cl_context, cl_kernel, cl_uint, cl_ulong};
use bytemuck::AnyBitPattern;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// A kernel of a program. May be shared among threads: setting the arguments and enqueueing is
/// one critical section.
pub struct Kernel {
    pub(crate) library: Library,
    pub(crate) raw: cl_kernel,
    pub(crate) name: Box<str>,
    /// Only compared, never used: the kernel retains its program, and that its context.
    pub(crate) context: cl_context,
    pub(crate) device: Device,
    pub(crate) arguments: usize,
    pub(crate) facts: WorkGroupFacts,
    /// Held while arguments are set and the kernel is enqueued.
    pub(crate) launching: Mutex<()>,
    /// Whether the driver has a list of memory that the kernel reaches without an argument.
    pub(crate) has_reached: AtomicBool,
}

/// What the compiled kernel allows a work-group to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkGroupFacts {
    pub(crate) size: usize,
    /// The `reqd_work_group_size` attribute; zeros when there is none.
    pub(crate) required: [usize; 3],
    pub(crate) local_memory: u64,
}

// SAFETY: the only OpenCL call that is not thread-safe, clSetKernelArg, happens under `launching`.
unsafe impl Send for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}

impl Kernel {
    /// Takes over the reference that `clCreateKernel` returned.
    ///
    /// # Safety
    /// `raw` is a kernel of `library`, built in `context` for `device`, whose reference nobody
    /// else releases.
    pub(crate) unsafe fn from_raw(
        library: Library,
        raw: cl_kernel,
        name: &str,
        context: cl_context,
        device: &Device,
    ) -> Result<Kernel> {
        let facts = WorkGroupFacts { size: 0, required: [0; 3], local_memory: 0 };
        // Made first, so that the reference is released when one of the questions below fails.
        let mut kernel = Kernel {
            library,
            raw,
            name: name.into(),
            context,
            device: device.clone(),
            arguments: 0,
            facts,
            launching: Mutex::new(()),
            has_reached: AtomicBool::new(false),
        };
        kernel.arguments = kernel.argument_count()? as usize;
        kernel.facts = WorkGroupFacts {
            size: kernel.work_group(cl_sys::CL_KERNEL_WORK_GROUP_SIZE)?,
            required: kernel.work_group(cl_sys::CL_KERNEL_COMPILE_WORK_GROUP_SIZE)?,
            local_memory: kernel.work_group::<cl_ulong>(cl_sys::CL_KERNEL_LOCAL_MEM_SIZE)?,
        };
        Ok(kernel)
    }

    /// Begins a launch: give it arguments and sizes, then [`enqueue`](Launch::enqueue) it.
    pub fn launch(&self) -> Launch<'_> {
        Launch::new(self)
    }

    /// The kernel's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many arguments the kernel declares.
    #[must_use]
    pub fn arguments(&self) -> usize {
        self.arguments
    }

    /// The most work-items that a work-group of this kernel can have on its device.
    #[must_use]
    pub fn work_group_size(&self) -> usize {
        self.facts.size
    }

    /// The multiple of work-items that suits the device, `CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn preferred_multiple(&self) -> Result<usize> {
        self.work_group(cl_sys::CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)
    }

    /// The C handle. Setting arguments through it races with launches from other threads.
    #[must_use]
    pub fn as_raw(&self) -> cl_kernel {
        self.raw
    }

    fn argument_count(&self) -> Result<cl_uint> {
        let get = self.library.functions().clGetKernelInfo;
        info::value("clGetKernelInfo", |size, value, ret| {
            // SAFETY: a valid kernel; `info` passes matching pointers and sizes.
            unsafe { get(self.raw, cl_sys::CL_KERNEL_NUM_ARGS, size, value, ret) }
        })
    }

    fn work_group<T: AnyBitPattern>(&self, name: cl_uint) -> Result<T> {
        let get = self.library.functions().clGetKernelWorkGroupInfo;
        info::value("clGetKernelWorkGroupInfo", |size, value, ret| {
            // SAFETY: a valid kernel and its device; `info` passes matching pointers and sizes.
            unsafe { get(self.raw, self.device.as_raw(), name, size, value, ret) }
        })
        .map_err(|error| error.note(format!("kernel `{}`", self.name)))
    }

    /// The error for sizes that this kernel cannot be launched with.
    pub(crate) fn cannot_launch(&self, reason: String) -> Error {
        Error::WorkSize { kernel: self.name.to_string(), reason }
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // SAFETY: the handle is owned and released once; launches in flight keep the kernel.
        let status = unsafe { (self.library.functions().clReleaseKernel)(self.raw) };
        log_failed_release("clReleaseKernel", status);
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel")
            .field("name", &self.name)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}
