//! OpenCL, loaded at run time and made safe.
//!
//! A program builds and starts without an OpenCL library. [`Device::first`] returns a different error
//! for a missing library, a missing platform and a missing device. Each error says what to install.
//!
//! ```
//! use cl_core::{BuildOptions, Buffer, Device, Program, Queue};
//!
//! # fn main() -> cl_core::Result<()> {
//! let queue = Queue::on(&Device::first()?)?;
//! let program = Program::build(
//!     queue.context(),
//!     "kernel void scale(global float *x, const float a) { x[get_global_id(0)] *= a; }",
//!     &BuildOptions::new(),
//! )?;
//! let scale = program.kernel("scale")?;
//!
//! let mut x = Buffer::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
//! // SAFETY: work-item i touches x[i] only, and there are as many work-items as elements.
//! unsafe { scale.launch().arg(&mut x).arg(2.0_f32).global(3).enqueue(&queue)? };
//! assert_eq!(x.to_vec(&queue)?, [2.0, 4.0, 6.0]);
//! # Ok(())
//! # }
//! ```
//!
//! # Where to find things
//!
//! | to | see |
//! | --- | --- |
//! | find devices, choose some, reserve or divide them | [`Device`], [`Filter`], [`Exclusive`], [`Partition`] |
//! | have something to enqueue on | [`Context`], [`Queue`], [`QueueOptions`] |
//! | keep data on the device | [`Buffer`], [`Slice`] and [`SubBuffer`], [`Image`], [`SvmVec`], [`Pipe`], [`Queue::scratch`] |
//! | move data | the methods of [`Buffer`]; [`PinnedVec`], [`Queue::scope`], [`Staging`] |
//! | compile | [`Program`], [`Source`], [`BuildOptions`], [`ObjectCode`], [`CacheStatistics`] |
//! | run | [`Kernel`], [`Launch`], [`KernelArg`]; closures on the host's CPU: [`Queue::native`] |
//! | know when something ends, and how long it took | [`Event`], [`EventFuture`], [`UserEvent`], [`Profiler`] |
//! | know what went wrong | [`Error`], [`Status`], [`BuildError`] |
//! | call C, or come from C, `ocl` or `opencl3` | [`raw`], [`Library`], [`migration`] |
//!
//! # Lifetimes of objects
//!
//! A [`Queue`] owns its [`Context`]. Every other object relies on OpenCL's own reference counts: a
//! kernel retains its program, a program and a buffer retain their context, and a command retains
//! the objects that it uses. So a buffer may be dropped while a kernel works on it, and a queue
//! while commands are in it. Objects remember the context that they belong to. Mixing contexts is an
//! error here, because most drivers accept the mix and then crash. The library is never unloaded.
//!
//! # Order of commands
//!
//! Commands that use the same memory see each other's results without a wait list: on one queue or
//! on several, in order or [out of order](QueueOptions::out_of_order). Each memory object remembers
//! the commands that used it last. A writer waits for the last writer and for all readers since
//! then; a reader waits for the last writer. The kernel's declaration tells whether the kernel reads
//! or writes an argument: it only reads a pointer to `const`. The marks [`In`], [`Out`] and [`InOut`]
//! override the declaration. As long as memory is used on one in-order queue, this costs only two
//! comparisons.
//!
//! Commands that raw C calls enqueue with a handle are not tracked. Use [`Queue::after`] and
//! [`Queue::signal`] for them, and to order commands that share no memory.
//!
//! # Calls that block
//!
//! A read to the host blocks until it has completed, and so does a map. A write blocks until the
//! values may be changed again. Commands that only the device executes are enqueued, and the call
//! returns.
//! Transfers that do not block own their host memory ([`read_owned`](Buffer::read_owned),
//! [`write_owned`](Buffer::write_owned)) or borrow it for a scope that waits ([`Queue::scope`]). A
//! program waits for an [`Event`], awaits it on any executor, or has it call a closure; the closure
//! runs on a thread of this crate and never inside a driver's callback. If a command fails later,
//! every call that waits for it returns the `Err`.
//!
//! # Checks, and the promises of `unsafe`
//!
//! - Ranges, sizes, contexts and formats are checked before the driver is called. So are a kernel's
//!   arguments, as far as the driver reports their declarations. A refused call has changed nothing.
//! - Memory is always initialised, elements are plain old data, and borrows follow the rules of
//!   Rust: `&mut Buffer` writes, `&Buffer` reads.
//! - [`Launch::enqueue`] is `unsafe`, because a kernel is native code: it must stay inside its
//!   memory and not race with itself. Memory without values (`uninit`), compiled code from
//!   elsewhere ([`Program::from_binary`], [`Program::from_il`]) and taking over handles
//!   (`from_raw`) are `unsafe`, too.
//! - OpenCL's objects may be used from several threads. Launches of one [`Kernel`] take turns;
//!   [`Kernel::try_clone`] gives a thread a kernel of its own.
//! - No call panics because of the machine, the driver or the call's arguments. Destructors do not
//!   panic either: a release that fails is a line in the log.
//!
//! # Limits of the checks
//!
//! - A kernel that never ends cannot be stopped: [`Event::wait`] and [`Queue::finish`] then never
//!   return. To wait for a limited time, use [`Event::on_complete`] with a channel's
//!   `recv_timeout`, or a future with a time limit; when the time is over, stop using the device.
//! - A forked process must not use objects that its parent made. With some drivers (PoCL) it cannot
//!   use OpenCL at all: every call hangs. Start another program instead of forking.
//! - Kernels are native code on CPU devices: source code from others runs with all rights of the process.

mod attachments;
mod build_error;
mod build_options;
mod cache;
mod context;
mod context_errors;
mod device;
mod device_queue;
mod error;
mod event;
mod hazard;
mod host_function;
mod host_thread;
mod info;
mod kernel;
mod launch;
mod library;
mod macro_value;
mod marker;
mod memory;
pub mod migration;
mod native_kernel;
mod platform;
mod profiler;
mod program;
mod queue;
mod queue_end;
mod queue_options;
mod queue_release;
pub mod raw;
mod recording;
mod sampler;
mod sampler_release;
mod scratch;
mod select;
mod status;
mod submission;
mod svm;
mod wait_checks;

pub use build_error::{BuildError, Diagnostic};
pub use build_options::{BuildOptions, CVersion};
pub use cache::CacheStatistics;
pub use cl_loader::is_privileged;
pub use context::Context;
pub use device::{
    AffinityDomains, Architecture, AtomicCapabilities, CacheKind, Device, DeviceEnqueueCapabilities,
    DeviceKind, ExecutionCapabilities, FpConfig, Limits, LocalMemoryKind, NamedVersion, Partition,
    PartitionKinds, PciAddress, QueueCapabilities, Quirk, SvmCapabilities, Uuid, VectorWidths, Vendor,
    Version,
};
pub use device_queue::DeviceQueue;
pub use error::{ArgumentError, DriverError, Error, ErrorKind, Result};
pub use event::{Event, EventFuture, EventStatus, Profile, UserEvent};
pub use half::f16;
pub use hazard::Access;
pub use kernel::{AddressSpace, ArgumentInfo, ImageAccess, Kernel, KernelResources};
pub use launch::{Arg, ClScalar, ClType, In, InOut, KernelArg, Launch, Local, Out, WorkSize};
pub use library::Library;
pub use macro_value::MacroValue;
pub use memory::{
    A, Argb, Bgra, Buffer, BufferMap, BufferMapMut, BufferOptions, BufferRefused, Channel, D1, D1Array,
    D1Buffer, D2, D2Array, D3, Depth, Dimensions, Extent, HostAccess, Image, Image1d, Image1dArray,
    Image1dBuffer, Image2d, Image2dArray, Image3d, ImageFormat, ImageMap, ImageMapMut, Intensity,
    KernelAccess, Layout, Luminance, Memory, MemoryInfo, Migration, NotWritten, Origin, PendingRead,
    PendingWrite, PinnedVec, Pipe, Pixel, R, Rg, Rgba, Slice, SliceMut, Snorm, Staging, SubBuffer,
    SubBufferMut, TransferScope, Unorm,
};
pub use native_kernel::{NativeArg, NativeArgs};
pub use platform::Platform;
pub use profiler::{Profiler, ProfilerReport, Region, RegionSummary};
pub use program::{ObjectCode, Program, ProgramKind, Source, SpecConstant};
pub use queue::Queue;
pub use queue_options::{Priority, QueueOptions, Throttle};
pub use recording::Recording;
pub use sampler::{Addressing, Filtering, Sampler, SamplerOptions};
pub use scratch::{Scratch, ScratchStatistics};
pub use select::{Exclusive, Filter};
pub use status::Status;
pub use submission::Submission;
pub use svm::{
    Atomic, Coarse, Fine, FineGrain, FineSvmVec, SvmAtomics, SvmGrain, SvmMap, SvmMapMut, SvmMemory, SvmVec,
};
