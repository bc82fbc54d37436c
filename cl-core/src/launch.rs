//! Launching a kernel: arguments, sizes, and the checks that drivers leave out.

use crate::error::{Error, Result};
use crate::event::Event;
use crate::hazard::Access;
use crate::kernel::Kernel;
use crate::memory::{Buffer, Memory};
use crate::queue::Queue;
use crate::scratch::Scratch;
use crate::submission::{Blocking, Submission};
use bytemuck::Pod;
use std::marker::PhantomData;
use std::ptr::{from_ref, null};
use std::sync::PoisonError;

/// Work-items along one, two or three dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkSize {
    dimensions: usize,
    sizes: [usize; 3],
}

impl From<usize> for WorkSize {
    fn from(size: usize) -> Self {
        WorkSize { dimensions: 1, sizes: [size, 1, 1] }
    }
}

impl From<[usize; 1]> for WorkSize {
    fn from([x]: [usize; 1]) -> Self {
        WorkSize { dimensions: 1, sizes: [x, 1, 1] }
    }
}

impl From<[usize; 2]> for WorkSize {
    fn from([x, y]: [usize; 2]) -> Self {
        WorkSize { dimensions: 2, sizes: [x, y, 1] }
    }
}

impl From<[usize; 3]> for WorkSize {
    fn from(sizes: [usize; 3]) -> Self {
        WorkSize { dimensions: 3, sizes }
    }
}

/// A kernel argument, ready to be set.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// A `global` or `constant` pointer, and what the kernel does with it: commands that use the
    /// same memory wait for each other by that.
    Memory(&'a Memory, Access),
    /// A value of up to 16 bytes: its bytes, and how many of them count.
    Value([u8; 16], usize),
    /// A larger value, such as a struct.
    Bytes(&'a [u8]),
    /// A `local` pointer to this many bytes.
    Local(usize),
}

/// What can be given to a kernel: buffers, scalars, [`Local`] memory.
pub trait KernelArg<'a> {
    /// The argument, borrowed from `self`.
    fn into_arg(self) -> Arg<'a>;
}

/// Local memory for `len` elements of `T`, as a kernel argument.
#[derive(Clone, Copy, Debug)]
pub struct Local<T>(usize, PhantomData<T>);

impl<T> Local<T> {
    /// Room for `len` elements in each work-group.
    #[must_use]
    pub fn new(len: usize) -> Local<T> {
        Local(len, PhantomData)
    }
}

impl<'a> KernelArg<'a> for Arg<'a> {
    fn into_arg(self) -> Arg<'a> {
        self
    }
}

/// Read by the kernel.
impl<'a, T: Pod> KernelArg<'a> for &'a Buffer<T> {
    fn into_arg(self) -> Arg<'a> {
        Arg::Memory(self.memory(), Access::Read)
    }
}

/// Written by the kernel, and perhaps read.
impl<'a, T: Pod> KernelArg<'a> for &'a mut Buffer<T> {
    fn into_arg(self) -> Arg<'a> {
        Arg::Memory(self.memory(), Access::Write)
    }
}

/// Written by the kernel, and perhaps read.
impl<'a> KernelArg<'a> for &'a Scratch<'_> {
    fn into_arg(self) -> Arg<'a> {
        Arg::Memory(self, Access::Write)
    }
}

impl<'a, T> KernelArg<'a> for Local<T> {
    fn into_arg(self) -> Arg<'a> {
        // Saturated: too large for any device, and reported as such.
        Arg::Local(self.0.saturating_mul(size_of::<T>()))
    }
}

macro_rules! scalar_arguments {
    ($($type:ty),*) => {$(
        impl<'a> KernelArg<'a> for $type {
            fn into_arg(self) -> Arg<'a> {
                Arg::value(self)
            }
        }
    )*};
}

scalar_arguments!(i8, u8, i16, u16, i32, u32, i64, u64, f32, f64);

impl<'a> Arg<'a> {
    /// A value of up to 16 bytes; larger ones go by reference, as [`Arg::Bytes`].
    ///
    /// # Panics
    /// At compile time, when `T` is larger.
    pub fn value<T: Pod>(value: T) -> Arg<'a> {
        const { assert!(size_of::<T>() <= 16, "give larger values as Arg::Bytes") }
        let mut bytes = [0; 16];
        bytes[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&value));
        Arg::Value(bytes, size_of::<T>())
    }
}

/// A launch being prepared. Made by [`Kernel::launch`].
#[derive(Debug)]
#[must_use = "nothing runs until the launch is enqueued"]
pub struct Launch<'a> {
    kernel: &'a Kernel,
    arguments: Vec<Arg<'a>>,
    global: WorkSize,
    local: Option<WorkSize>,
    offset: [usize; 3],
}

impl<'a> Launch<'a> {
    pub(crate) fn new(kernel: &'a Kernel) -> Launch<'a> {
        let arguments = Vec::with_capacity(kernel.arguments);
        Launch { kernel, arguments, global: WorkSize::from(0), local: None, offset: [0; 3] }
    }

    /// Adds the next argument, in the order in which the kernel declares them.
    pub fn arg(mut self, argument: impl KernelArg<'a>) -> Self {
        self.arguments.push(argument.into_arg());
        self
    }

    /// The work-items of the whole launch. A launch of none is a no-op.
    pub fn global(mut self, size: impl Into<WorkSize>) -> Self {
        self.global = size.into();
        self
    }

    /// The work-items of a work-group; without it the driver chooses.
    pub fn local(mut self, size: impl Into<WorkSize>) -> Self {
        self.local = Some(size.into());
        self
    }

    /// What `get_global_id` begins with, along each dimension.
    pub fn offset(mut self, offset: impl Into<WorkSize>) -> Self {
        let WorkSize { dimensions, sizes } = offset.into();
        self.offset = [0; 3];
        self.offset[..dimensions].copy_from_slice(&sizes[..dimensions]);
        self
    }

    /// Enqueues the launch.
    ///
    /// # Errors
    /// [`Error::ArgumentCount`], [`Error::WorkSize`], [`Error::ForeignObject`], or
    /// [`Error::Driver`] with the kernel and the argument that it is about.
    ///
    /// # Safety
    /// The kernel is native code. For these arguments and sizes it must not read or write outside
    /// its buffers, must not race with itself, must not write to a buffer that it was given as
    /// `&Buffer` or with [`Access::Read`], and must take arguments of these types: drivers compare
    /// sizes at most.
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
        let to = to.into();
        let queue = to.queue();
        let mut event = None;
        // SAFETY: by the caller's promise.
        unsafe { self.submit(to.signal(&mut event)) }?;
        event.map_or_else(|| queue.marker(), Ok)
    }

    /// # Safety
    /// As [`Launch::enqueue`].
    unsafe fn submit(self, to: Submission<'_>) -> Result<()> {
        let kernel = self.kernel;
        self.check_arguments(to.queue())?;
        self.check_sizes()?;
        if self.global.sizes.contains(&0) {
            return to.skip();
        }
        // A panic elsewhere leaves arguments half set, at worst; all of them are set again here.
        let _launching = kernel.launching.lock().unwrap_or_else(PoisonError::into_inner);
        for (index, argument) in self.arguments.iter().enumerate() {
            set_argument(kernel, index, argument)?;
        }
        let enqueue = kernel.library.functions().clEnqueueNDRangeKernel;
        let local = self.local.as_ref().map_or(null(), |local| local.sizes.as_ptr());
        let uses = self.arguments.iter().filter_map(|argument| match argument {
            Arg::Memory(memory, access) if memory.bytes() > 0 => Some((memory.hazards(), *access)),
            _ => None,
        });
        let to = to.label(&kernel.name);
        to.run("clEnqueueNDRangeKernel", uses, Blocking::No, |queue, waits, event| {
            // SAFETY: queue, kernel and arguments share a context, the sizes were checked, all
            // arguments are set; what the kernel then does is the caller's promise.
            unsafe {
                enqueue(
                    queue.as_raw(),
                    kernel.raw,
                    self.global.dimensions as u32,
                    self.offset.as_ptr(),
                    self.global.sizes.as_ptr(),
                    local,
                    waits.count,
                    waits.list,
                    event,
                )
            }
        })
        .map_err(|error| error.note(format!("kernel `{}`", kernel.name)))
    }

    fn check_arguments(&self, queue: &Queue) -> Result<()> {
        let kernel = self.kernel;
        if self.arguments.len() != kernel.arguments {
            let (expected, given) = (kernel.arguments, self.arguments.len());
            return Err(Error::ArgumentCount { kernel: kernel.name.to_string(), expected, given });
        }
        if queue.context().as_raw() != kernel.context {
            let reason = "the kernel and the queue belong to different contexts";
            return Err(Error::ForeignObject { operation: "launch", reason });
        }
        let mut local_bytes = kernel.facts.local_memory;
        for argument in &self.arguments {
            match argument {
                Arg::Memory(memory, _) => memory.check_context(kernel.context, "launch")?,
                Arg::Local(0) => return Err(kernel.cannot_launch("local memory of 0 bytes".to_owned())),
                Arg::Local(bytes) => local_bytes = local_bytes.saturating_add(*bytes as u64),
                Arg::Value(..) | Arg::Bytes(_) => {}
            }
        }
        let limit = kernel.device.limits()?.local_memory;
        if local_bytes > limit {
            let reason = format!("{local_bytes} bytes of local memory, the device has {limit}");
            return Err(kernel.cannot_launch(reason));
        }
        Ok(())
    }

    /// Checks what drivers answer with a crash, a silent no-op or a wrong result.
    fn check_sizes(&self) -> Result<()> {
        let kernel = self.kernel;
        let limits = kernel.device.limits()?;
        let global = self.global.sizes;
        let largest = if limits.address_bits >= usize::BITS { usize::MAX } else { u32::MAX as usize };
        for (offset, size) in self.offset.iter().zip(global) {
            if offset.checked_add(size).is_none_or(|end| end > largest) {
                return Err(kernel.cannot_launch(format!("offset {offset} + global size {size} overflows")));
            }
        }
        let required = kernel.facts.required;
        let Some(local) = self.local else {
            if required != [0; 3] {
                let reason = format!("it requires work-groups of {required:?}, no local size was given");
                return Err(kernel.cannot_launch(reason));
            }
            return Ok(());
        };
        if local.dimensions != self.global.dimensions {
            let (l, g) = (local.dimensions, self.global.dimensions);
            return Err(kernel.cannot_launch(format!("local size has {l} dimensions, global size {g}")));
        }
        let local = local.sizes;
        if required != [0; 3] && required != local {
            let reason = format!("it requires work-groups of {required:?}, local size is {local:?}");
            return Err(kernel.cannot_launch(reason));
        }
        let most = limits.work_group_size.min(kernel.facts.size);
        let product = local.iter().try_fold(1_usize, |product, &size| product.checked_mul(size));
        if product.is_none_or(|product| product == 0 || product > most) {
            return Err(
                kernel.cannot_launch(format!("work-group {local:?}, it can have 1 to {most} work-items"))
            );
        }
        for dimension in 0..3 {
            let most = limits.work_item_sizes.get(dimension).copied().unwrap_or(1);
            if local[dimension] > most {
                let reason =
                    format!("work-group {local:?}, the device allows {most} along dimension {dimension}");
                return Err(kernel.cannot_launch(reason));
            }
            if !global[dimension].is_multiple_of(local[dimension]) {
                let reason = format!("global size {global:?} is no multiple of the work-group {local:?}");
                return Err(kernel.cannot_launch(reason));
            }
        }
        Ok(())
    }
}

/// Sets one argument; the caller holds the kernel's `launching` lock.
fn set_argument(kernel: &Kernel, index: usize, argument: &Arg<'_>) -> Result<()> {
    let memory;
    let (size, value) = match argument {
        Arg::Memory(block, _) => {
            memory = block.as_raw();
            (size_of_val(&memory), from_ref(&memory).cast())
        }
        Arg::Value(bytes, size) => (*size, bytes.as_ptr().cast()),
        Arg::Bytes(bytes) => (bytes.len(), bytes.as_ptr().cast()),
        Arg::Local(bytes) => (*bytes, null()),
    };
    // SAFETY: `value` points to `size` bytes, or is null for local memory.
    let status =
        unsafe { (kernel.library.functions().clSetKernelArg)(kernel.raw, index as u32, size, value) };
    Error::check("clSetKernelArg", status)
        .map_err(|error| error.note(format!("argument {index} of kernel `{}`, {size} bytes", kernel.name)))
}
