//! Kernels: functions of a program that the host can launch.
//!
//! | file | concept |
//! | --- | --- |
//! | `argument_info` | the declarations of a kernel's arguments |
//! | `declaration` | the same declarations, to be stored beside a binary |
//! | `work_group` | the limits of a work-group, and its use of the device's resources |
//! | `sub_group` | the division of a work-group |

mod argument_info;
mod declaration;
mod sub_group;
mod work_group;

pub(crate) use argument_info::Declared;
pub use argument_info::{AddressSpace, ArgumentInfo, ImageAccess};
pub(crate) use declaration::{Declaration, Reader, write_number};
pub use work_group::KernelResources;
pub(crate) use work_group::LaunchLimits;

use crate::device::Device;
use crate::error::{Error, Result};
use crate::info;
use crate::launch::Launch;
use crate::library::Library;
use crate::program::Program;
use crate::raw::{self, cl_context, cl_kernel, cl_uint};
use crate::status::log_failed_release;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// A kernel of a program. It may be shared among threads: setting the arguments and enqueueing is
/// one critical section. Threads that launch the same kernel often need not wait for each other if
/// each has its own [clone](Kernel::try_clone).
///
/// ```
/// use cl_core::{BuildOptions, Device, Program, Queue};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// const SOURCE: &str = "kernel void add(global float *x, const float a) { x[get_global_id(0)] += a; }";
/// let program = Program::build(queue.context(), SOURCE, &BuildOptions::new())?;
/// let add = program.kernel("add")?;
/// assert_eq!((add.name(), add.arguments()), ("add", 2));
/// println!("work-groups of up to {}", add.work_group_size());
/// # Ok(())
/// # }
/// ```
pub struct Kernel {
    pub(crate) library: Library,
    pub(crate) raw: cl_kernel,
    pub(crate) name: Box<str>,
    /// The kernel's context. It is only compared, never used: the program retains it.
    pub(crate) context: cl_context,
    /// The program, for [`try_clone`](Kernel::try_clone). The C kernel retains its program, but that
    /// is not enough: Intel's runtime refuses to create another kernel after the host has released
    /// its last reference to the program.
    program: Program,
    pub(crate) arguments: usize,
    infos: Box<[Option<ArgumentInfo>]>,
    /// The declarations that a launch's arguments are compared with, one for each argument.
    pub(crate) declared: Box<[Declared]>,
    pub(crate) limits: LaunchLimits,
    /// Held while arguments are set and the kernel is enqueued.
    pub(crate) launching: Mutex<()>,
    /// `true` if the driver has a list of memory that the kernel reaches without an argument.
    pub(crate) has_reached: AtomicBool,
}

// SAFETY: the only OpenCL call that is not thread-safe, clSetKernelArg, happens under `launching`.
unsafe impl Send for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}

impl Kernel {
    /// Takes over the reference that `clCreateKernel` returned.
    ///
    /// # Safety
    /// `raw` is the kernel of this name of `program`, and no other code releases its reference.
    pub(crate) unsafe fn from_raw(program: &Program, raw: cl_kernel, name: &str) -> Result<Kernel> {
        // Made first, so that the reference is released if one of the queries below fails.
        let mut kernel = Kernel {
            library: program.library(),
            raw,
            name: name.into(),
            context: program.context(),
            program: program.clone(),
            arguments: 0,
            infos: Box::default(),
            declared: Box::default(),
            limits: LaunchLimits::NONE,
            launching: Mutex::new(()),
            has_reached: AtomicBool::new(false),
        };
        kernel.arguments = kernel.argument_count()? as usize;
        kernel.infos = match program.declaration(name) {
            Some(stored) if stored.arguments.len() == kernel.arguments => stored.arguments.as_slice().into(),
            _ => (0..kernel.arguments)
                .map(|index| argument_info::ask(&kernel, index))
                .collect::<Result<_>>()?,
        };
        kernel.declared = kernel.infos.iter().map(|info| Declared::of(info.as_ref())).collect();
        kernel.limits = LaunchLimits::of(&kernel)?;
        Ok(kernel)
    }

    /// Begins a launch: give it arguments and sizes, then [`enqueue`](Launch::enqueue) it.
    pub fn launch(&self) -> Launch<'_> {
        Launch::new(self)
    }

    /// Returns the kernel's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the device that the kernel was compiled for.
    #[must_use]
    pub fn device(&self) -> &Device {
        self.program.device()
    }

    /// Returns the number of arguments that the kernel declares.
    #[must_use]
    pub fn arguments(&self) -> usize {
        self.arguments
    }

    /// Returns the declaration of argument `index`, counted from 0. Returns `None` if the kernel
    /// has no argument of this index, or if the driver has kept no declaration, as for programs
    /// that were not made from source.
    ///
    /// ```
    /// use cl_core::{AddressSpace, BuildOptions, Device, Program, Queue};
    ///
    /// # fn main() -> cl_core::Result<()> {
    /// let queue = Queue::on(&Device::first()?)?;
    /// let source = "kernel void scale(global float4 *x, const float a) { x[get_global_id(0)] *= a; }";
    /// let scale = Program::build(queue.context(), source, &BuildOptions::new())?.kernel("scale")?;
    /// if let Some(x) = scale.argument_info(0) {
    ///     assert_eq!(x.name, "x");
    ///     assert_eq!(x.address, AddressSpace::Global);
    ///     assert_eq!(x.to_string(), "global float4 *");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn argument_info(&self, index: usize) -> Option<&ArgumentInfo> {
        self.infos.get(index)?.as_ref()
    }

    /// Returns the attributes in the kernel's source, `CL_KERNEL_ATTRIBUTES`:
    /// `reqd_work_group_size(4,1,1)`. The text is empty if the kernel has no attributes. It may also
    /// be empty if the program was not made from source, because binaries may have lost the text.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn attributes(&self) -> Result<String> {
        if let Some(stored) = self.program.declaration(&self.name) {
            return Ok(stored.attributes.clone());
        }
        let get = self.library.functions().clGetKernelInfo;
        info::text("clGetKernelInfo", |size, value, ret| {
            // SAFETY: a valid kernel; `info` passes matching pointers and sizes.
            unsafe { get(self.raw, raw::CL_KERNEL_ATTRIBUTES, size, value, ret) }
        })
    }

    /// Returns the compiler's information about the kernel, to be stored beside a binary.
    pub(crate) fn declaration(&self) -> Result<Declaration> {
        let (name, attributes) = (self.name.to_string(), self.attributes()?);
        Ok(Declaration { name, attributes, arguments: self.infos.to_vec() })
    }

    /// Creates another kernel of the same program and name. Its launches do not wait for launches
    /// of this kernel.
    ///
    /// The kernel is created anew instead of by `clCloneKernel`, which copies arguments: every launch
    /// sets its own arguments, and the arguments of the last launch may have been released meanwhile.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver has no memory left.
    pub fn try_clone(&self) -> Result<Kernel> {
        self.program.kernel(&self.name)
    }

    /// Returns the C handle. Setting arguments through it races with launches from other threads.
    #[must_use]
    pub fn as_raw(&self) -> cl_kernel {
        self.raw
    }

    fn argument_count(&self) -> Result<cl_uint> {
        let get = self.library.functions().clGetKernelInfo;
        info::value("clGetKernelInfo", |size, value, ret| {
            // SAFETY: a valid kernel; `info` passes matching pointers and sizes.
            unsafe { get(self.raw, raw::CL_KERNEL_NUM_ARGS, size, value, ret) }
        })
    }

    /// Returns the error for sizes that this kernel cannot be launched with.
    #[cold]
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
