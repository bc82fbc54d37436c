//! Launching a kernel.
//!
//! | file | concept |
//! | --- | --- |
//! | `argument` | the kinds of kernel argument |
//! | `arguments` | the list of a launch's arguments |
//! | `cl_type` | types that Rust and OpenCL C share |
//! | `mark` | marks that declare the kernel's access to memory |
//! | `prepared` | the inputs of a launch: checked, set, and reported to hazard tracking |
//! | `check` | checks of arguments against the kernel's declaration |
//! | `size` | work sizes and their limits |

mod argument;
mod arguments;
mod check;
mod cl_type;
mod mark;
mod prepared;
mod size;

pub use argument::{Arg, KernelArg, Local};
pub use cl_type::{ClScalar, ClType};
pub use mark::{In, InOut, Out};
pub use size::WorkSize;

use crate::error::{Error, Result};
use crate::event::Event;
use crate::kernel::Kernel;
use crate::queue::Queue;
use crate::raw::{cl_command_queue, cl_int, cl_kernel, cl_uint};
use crate::status::Status;
use crate::submission::{Blocking, Submission};
use check::Given;
use prepared::Prepared;
use size::Sizes;
use std::ptr::null;

/// A launch in preparation. Made by [`Kernel::launch`].
///
/// All known properties are checked before the driver is called, and an error names the kernel and
/// the argument. The checks cover the number of arguments; the address space, type and size of each
/// one, as far as the driver reports the kernel's declaration ([`Kernel::argument_info`]); the
/// context; local memory; and the work sizes against the limits of device and kernel.
///
/// ```
/// use cl_core::{Buffer, BuildOptions, Device, Program, Queue};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// const SOURCE: &str = "kernel void add(global float *x, const float a) { x[get_global_id(0)] += a; }";
/// let program = Program::build(queue.context(), SOURCE, &BuildOptions::new())?;
/// let add = program.kernel("add")?;
/// let mut x = Buffer::filled(&queue, 1.0_f32, 64)?;
/// // SAFETY: work-item i touches only element i, and there are as many work-items as elements.
/// unsafe { add.launch().arg(&mut x).arg(2.0_f32).global(64).local(16).enqueue(&queue)? };
/// assert_eq!(x.to_vec(&queue)?, [3.0; 64]);
/// // SAFETY: refused, because an `int` is not a `float`.
/// let refused = unsafe { add.launch().arg(&mut x).arg(2).global(64).enqueue(&queue) };
/// println!("{}", refused.unwrap_err());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing runs until the launch is enqueued"]
pub struct Launch<'a> {
    kernel: &'a Kernel,
    /// Boxed, because every method moves the launch.
    prepared: Box<Prepared<'a>>,
}

impl<'a> Launch<'a> {
    pub(crate) fn new(kernel: &'a Kernel) -> Launch<'a> {
        Launch { kernel, prepared: Prepared::empty() }
    }

    /// Adds the next argument, in the order in which the kernel declares them.
    pub fn arg(mut self, argument: impl KernelArg<'a>) -> Self {
        let cl_type = argument.cl_type();
        self.prepared.arguments.push(Given { arg: argument.into_arg(), cl_type });
        self
    }

    /// Names shared virtual memory that the kernel reaches through addresses in other memory, and
    /// not as an argument. Name all of this memory at every launch of the kernel: the driver keeps
    /// the names of the last launch, and would use memory that was freed since then. For this reason,
    /// a launch that names no memory is refused if an earlier launch of the kernel named some.
    pub fn reaches(mut self, memory: impl KernelArg<'a>) -> Self {
        self.prepared.reached.push(memory.into_arg());
        self
    }

    /// Sets the work-items of the whole launch. A launch of zero work-items does nothing.
    pub fn global(mut self, size: impl Into<WorkSize>) -> Self {
        self.set_global(size.into(), false);
        self
    }

    /// Sets the work-items of the whole launch, rounded up to whole work-groups along each
    /// dimension. The work-group size is that of [`local`](Launch::local), which may be called
    /// before or after. The kernel itself must skip the extra work-items.
    pub fn global_at_least(mut self, size: impl Into<WorkSize>) -> Self {
        self.set_global(size.into(), true);
        self
    }

    fn set_global(&mut self, size: WorkSize, at_least: bool) {
        let sizes = &mut self.prepared.sizes;
        sizes.global = size.sizes;
        sizes.dimensions = size.dimensions as u8;
        sizes.at_least = at_least;
    }

    /// Sets the work-items of a work-group. Without this call the driver chooses them.
    pub fn local(mut self, size: impl Into<WorkSize>) -> Self {
        let WorkSize { dimensions, sizes } = size.into();
        self.prepared.sizes.local = sizes;
        self.prepared.sizes.local_dimensions = dimensions as u8;
        self
    }

    /// Lets the last work-group along each dimension be smaller than the others. Then the global
    /// size need not be a multiple of the local size.
    ///
    /// Needs [`Device::has_non_uniform_groups`](crate::Device::has_non_uniform_groups) or OpenCL
    /// 2.x, and a program that was built for OpenCL C 2.0 or later.
    pub fn non_uniform(mut self) -> Self {
        self.prepared.sizes.non_uniform = true;
        self
    }

    /// Sets the first value of `get_global_id` along each dimension.
    pub fn offset(mut self, offset: impl Into<WorkSize>) -> Self {
        let WorkSize { dimensions, sizes } = offset.into();
        self.prepared.sizes.offset = [0; 3];
        self.prepared.sizes.offset[..dimensions].copy_from_slice(&sizes[..dimensions]);
        self
    }

    /// Enqueues the launch.
    ///
    /// # Errors
    /// [`Error::ArgumentCount`], [`Error::Argument`], [`Error::WorkSize`],
    /// [`Error::ForeignObject`], [`Error::Unsupported`] for a non-uniform launch, or
    /// [`Error::Driver`] with the kernel and the argument in question.
    ///
    /// # Safety
    /// The kernel is native code. For these arguments and sizes it must not read or write outside
    /// its buffers, and must not race with itself. It must not write to a buffer given as
    /// `&Buffer`, as [`In`], or with [`Access::Read`](crate::Access::Read). If the driver does not
    /// report the kernel's declaration, the kernel must take arguments of these types.
    pub unsafe fn enqueue<'q>(self, to: impl Into<Submission<'q>>) -> Result<()> {
        // SAFETY: by the caller's promise.
        unsafe { self.submit(to.into()) }
    }

    /// Enqueues the launch and returns its event.
    ///
    /// # Errors
    /// As [`Launch::enqueue`].
    ///
    /// # Safety
    /// As [`Launch::enqueue`].
    pub unsafe fn enqueue_event<'q>(self, to: impl Into<Submission<'q>>) -> Result<Event> {
        // SAFETY: by the caller's promise.
        to.into().with_event(|to| unsafe { self.submit(to) })
    }

    /// Returns the local size that the driver would choose for this launch. `None` for an empty
    /// launch, and if the driver lacks the extension `cl_khr_suggested_local_work_size`.
    ///
    /// # Errors
    /// As [`Launch::enqueue`].
    pub fn suggested_local(&self, queue: &Queue) -> Result<Option<WorkSize>> {
        /// The type of `clGetKernelSuggestedLocalWorkSizeKHR`.
        type Suggest = unsafe extern "system" fn(
            cl_command_queue,
            cl_kernel,
            cl_uint,
            *const usize,
            *const usize,
            *mut usize,
        ) -> cl_int;
        let call = "clGetKernelSuggestedLocalWorkSizeKHR";
        let kernel = self.kernel;
        let given = &self.prepared;
        let sizes = &given.sizes;
        sizes.check_range(kernel)?;
        given.check(kernel, queue)?;
        let device = queue.device();
        if sizes.is_empty() || !device.has_extension("cl_khr_suggested_local_work_size")? {
            return Ok(None);
        }
        let platform = device.platform();
        let Some(address) = device.library().extension_function(&platform, call)? else { return Ok(None) };
        // SAFETY: the device has the extension, which defines this type for the function of this
        // name.
        let suggest = unsafe { std::mem::transmute::<*const std::ffi::c_void, Suggest>(address) };
        let _launching = given.set_arguments(kernel, queue)?;
        let mut local = WorkSize { dimensions: sizes.dimensions.into(), sizes: [1; 3] };
        let (offset, global) = (sizes.offset.as_ptr(), sizes.global.as_ptr());
        let (dimensions, answer) = (local.dimensions as cl_uint, local.sizes.as_mut_ptr());
        // SAFETY: queue and kernel share a context, all arguments are set, and each list has one
        // number for each dimension.
        let status = unsafe { suggest(queue.as_raw(), kernel.raw, dimensions, offset, global, answer) };
        Error::check(call, status).map_err(|error| error.note(format!("kernel `{}`", kernel.name)))?;
        Ok(Some(local))
    }

    /// Checks the launch and enqueues it.
    ///
    /// # Safety
    /// As [`Launch::enqueue`].
    unsafe fn submit<'s>(self, mut to: Submission<'s>) -> Result<()>
    where
        'a: 's,
    {
        let (kernel, mut given) = (self.kernel, self.prepared);
        given.sizes.settle(kernel)?;
        given.check(kernel, to.queue())?;
        let sizes = &given.sizes;
        if sizes.is_empty() {
            return to.skip();
        }
        let launching = given.set_arguments(kernel, to.queue())?;
        let enqueue = kernel.library.functions().clEnqueueNDRangeKernel;
        let local = if sizes.local_dimensions == 0 { null() } else { sizes.local.as_ptr() };
        to.label(&kernel.name);
        to.run("clEnqueueNDRangeKernel", given.uses(kernel), Blocking::No, |queue, waits, event| {
            // SAFETY: queue, kernel and arguments share a context, the sizes were checked, and all
            // arguments are set. The caller promises the kernel's behaviour.
            unsafe {
                enqueue(
                    queue.as_raw(),
                    kernel.raw,
                    sizes.dimensions.into(),
                    sizes.offset.as_ptr(),
                    sizes.global.as_ptr(),
                    local,
                    waits.count,
                    waits.list,
                    event,
                )
            }
        })
        .map_err(|error| not_enqueued(error, kernel, sizes))?;
        drop(launching);
        given.put_back();
        Ok(())
    }
}

/// Adds the kernel, and a hint if there is one, to the error of a refused enqueue.
#[cold]
fn not_enqueued(error: Error, kernel: &Kernel, sizes: &Sizes) -> Error {
    let hint = match error.status() {
        Some(Status::INVALID_WORK_GROUP_SIZE) if sizes.non_uniform => {
            ": a non-uniform launch needs a program built with BuildOptions::language, C20 or later"
        }
        _ => "",
    };
    error.note(format!("kernel `{}`{hint}", kernel.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_is_moved_in_registers() {
        assert_eq!(size_of::<Launch<'_>>(), 2 * size_of::<usize>());
    }
}
