//! The inputs of a launch: checked, passed to the driver, and reported to hazard tracking.

use super::argument::Arg;
use super::arguments::Arguments;
use super::check::Given;
use super::size::Sizes;
use crate::error::{Error, Result};
use crate::hazard::{Access, Hazards};
use crate::kernel::Kernel;
use crate::queue::Queue;
use crate::raw::cl_uint;
use crate::svm::SvmMemory;
use std::cell::Cell;
use std::ptr::{from_ref, null};
use std::sync::{MutexGuard, PoisonError};

/// The inputs of a launch so far.
#[derive(Debug, Default)]
pub(super) struct Prepared<'a> {
    pub(super) arguments: Arguments<'a>,
    pub(super) reached: Vec<Arg<'a>>,
    pub(super) sizes: Sizes,
}

thread_local! {
    /// The last launch's box, emptied. A launch is too short to call the allocator each time.
    static SPARE: Cell<Option<Box<Prepared<'static>>>> = const { Cell::new(None) };
}

impl<'a> Prepared<'a> {
    /// Returns a launch without inputs.
    pub(super) fn empty() -> Box<Prepared<'a>> {
        // While a thread ends, its spare box may be gone already.
        SPARE.try_with(Cell::take).ok().flatten().unwrap_or_default()
    }

    /// Empties the box and keeps it for this thread's next launch.
    pub(super) fn put_back(mut self: Box<Self>) {
        self.arguments.clear();
        self.reached.clear();
        self.sizes = Sizes::default();
        // SAFETY: only the lifetime of the contents differs, and the box is empty.
        let empty = unsafe { Box::from_raw(Box::into_raw(self).cast::<Prepared<'static>>()) };
        SPARE.try_with(|spare| spare.set(Some(empty))).ok();
    }
}

impl Prepared<'_> {
    /// Returns an error if the arguments have any fault that can be found before the driver is
    /// called.
    pub(super) fn check(&self, kernel: &Kernel, queue: &Queue) -> Result<()> {
        let arguments = self.arguments.as_slice();
        if arguments.len() != kernel.arguments {
            let (expected, given) = (kernel.arguments, arguments.len());
            return Err(Error::ArgumentCount { kernel: kernel.name.to_string(), expected, given });
        }
        if queue.context().as_raw() != kernel.context {
            let reason = "the kernel and the queue belong to different contexts";
            return Err(Error::ForeignObject { operation: "launch", reason });
        }
        let sizes = &self.sizes;
        if sizes.non_uniform {
            kernel.check_non_uniform()?;
        }
        let mut local_bytes = kernel.limits.own_local_memory;
        for (index, given) in arguments.iter().enumerate() {
            if !given.suits_plainly(kernel, index) {
                local_bytes = local_bytes.saturating_add(self.check_argument(kernel, index, given)?);
            }
        }
        for memory in &self.reached {
            let Arg::Svm(memory, access) = memory else {
                let reason = "only shared virtual memory has addresses that kernels can follow".to_owned();
                return Err(Error::InvalidInput { what: "reached memory", reason });
            };
            memory.check(kernel.context, *access, "launch")?;
        }
        let limit = kernel.limits.local_memory;
        if local_bytes > limit {
            let reason = format!("{local_bytes} bytes of local memory, the device has {limit}");
            return Err(kernel.cannot_launch(reason));
        }
        Ok(())
    }

    /// Checks one argument, and returns the number of bytes of local memory that it takes.
    #[inline(never)]
    fn check_argument(&self, kernel: &Kernel, index: usize, given: &Given<'_>) -> Result<u64> {
        let mut local_bytes = 0;
        match given.arg {
            Arg::Memory(memory, access) | Arg::Unmarked(memory, access) => {
                // A launch of zero work-items needs no memory.
                if memory.bytes() == 0 && self.sizes.is_empty() {
                    return Ok(0);
                }
                memory.check_launch(kernel.context, access)?;
            }
            Arg::Image(memory, access) => memory.check_launch(kernel.context, access)?,
            Arg::Sampler(sampler) => sampler.check_context(kernel.context, "launch")?,
            Arg::Svm(memory, access) => memory.check(kernel.context, access, "launch")?,
            Arg::Local(0) => return Err(kernel.cannot_launch("local memory of 0 bytes".to_owned())),
            Arg::Local(bytes) => local_bytes = bytes as u64,
            Arg::Value(..) | Arg::Wide(_) | Arg::Bytes(_) => {}
        }
        given.check(kernel, index)?;
        Ok(local_bytes)
    }

    /// Sets all arguments for a launch on `queue`. Nobody else changes them while the guard lives.
    pub(super) fn set_arguments<'k>(&self, kernel: &'k Kernel, queue: &Queue) -> Result<MutexGuard<'k, ()>> {
        // A panic elsewhere at worst leaves some arguments unset; all of them are set again here.
        let launching = kernel.launching.lock().unwrap_or_else(PoisonError::into_inner);
        for (index, given) in self.arguments.as_slice().iter().enumerate() {
            set_argument(kernel, index, &given.arg, queue)?;
        }
        let reached: Vec<&SvmMemory> = self.reached.iter().filter_map(Arg::svm).collect();
        SvmMemory::set_reached(kernel, &reached)?;
        Ok(launching)
    }

    /// Iterates over the memory that the kernel uses, with its access.
    pub(super) fn uses<'s>(
        &'s self,
        kernel: &'s Kernel,
    ) -> impl Iterator<Item = (&'s Hazards, Access)> + Clone {
        let arguments = self.arguments.as_slice().iter().zip(&kernel.declared);
        let arguments = arguments.filter_map(|(given, &declared)| match given.arg {
            Arg::Memory(memory, _) | Arg::Unmarked(memory, _) | Arg::Image(memory, _) => {
                Some((memory.hazards(), given.access(declared)))
            }
            Arg::Svm(memory, _) => Some((memory.hazards(), given.access(declared))),
            _ => None,
        });
        arguments.chain(self.reached.iter().filter_map(|memory| match memory {
            Arg::Svm(memory, access) => Some((memory.hazards(), *access)),
            _ => None,
        }))
    }
}

/// Sets one argument; the caller holds the kernel's `launching` lock.
fn set_argument(kernel: &Kernel, index: usize, argument: &Arg<'_>, queue: &Queue) -> Result<()> {
    let (memory, sampler);
    let (size, value) = match argument {
        Arg::Svm(block, _) => {
            return block
                .set_argument(kernel, index as cl_uint)
                .map_err(|error| error.note(format!("argument {index} of kernel `{}`", kernel.name)));
        }
        Arg::Sampler(object) => {
            sampler = object.used_on(queue.end());
            (size_of_val(&sampler), from_ref(&sampler).cast())
        }
        Arg::Memory(block, _) | Arg::Unmarked(block, _) | Arg::Image(block, _) => {
            memory = block.as_raw();
            (size_of_val(&memory), from_ref(&memory).cast())
        }
        Arg::Value(bytes, size) => (*size, bytes.as_ptr().cast()),
        Arg::Wide(bytes) => (bytes.len(), bytes.as_ptr().cast()),
        Arg::Bytes(bytes) => (bytes.len(), bytes.as_ptr().cast()),
        Arg::Local(bytes) => (*bytes, null()),
    };
    // SAFETY: `value` points to `size` bytes, or is null for local memory.
    let status =
        unsafe { (kernel.library.functions().clSetKernelArg)(kernel.raw, index as cl_uint, size, value) };
    Error::check("clSetKernelArg", status)
        .map_err(|error| error.note(format!("argument {index} of kernel `{}`, {size} bytes", kernel.name)))
}
