//! OpenCL, loaded at run time and made safe.
//!
//! | layer | where | what it adds |
//! | --- | --- | --- |
//! | functions | [`raw`], [`Library`] | the C API in one table, found when the program runs |
//! | objects | [`Platform`], [`Device`], [`Context`], [`Queue`], [`Buffer`], [`Program`], [`Kernel`], [`Event`] | ownership, types, checks before the driver is called |
//! | choice | [`Filter`], [`Exclusive`], [`Partition`] | which devices, alone among processes, whole or in parts |
//! | time | [`EventFuture`], [`UserEvent`], [`Profiler`] | what ends when: awaited, called back, measured |
//! | errors | [`Error`], [`Status`], [`BuildError`] | which call, which status, which argument, what to do |
//!
//! A program needs no OpenCL library to build or to start. Without one, without a platform or
//! without a device, [`Device::first`] returns three different errors that say what to install.
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
//! # Who keeps what alive
//!
//! A [`Queue`] owns its [`Context`]. Every other object relies on OpenCL's own reference counts:
//! a kernel retains its program, a program and a buffer their context, a command the objects it
//! uses. Objects remember which context they belong to, and mixing contexts is an error here,
//! because most drivers accept it and then crash.

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
mod scratch;
mod select;
mod status;
mod submission;
mod svm;

pub use build_error::{BuildError, Diagnostic};
pub use build_options::{BuildOptions, CVersion};
pub use cache::CacheStatistics;
pub use context::Context;
pub use device::{
    AffinityDomains, AtomicCapabilities, CacheKind, Device, DeviceEnqueueCapabilities, DeviceKind,
    ExecutionCapabilities, FpConfig, Limits, LocalMemoryKind, NamedVersion, Partition, PartitionKinds,
    PciAddress, QueueCapabilities, SvmCapabilities, Uuid, VectorWidths, Version,
};
pub use device_queue::DeviceQueue;
pub use error::{ArgumentError, DriverError, Error, Result};
pub use event::{Event, EventFuture, EventStatus, Profile, UserEvent};
pub use half::f16;
pub use hazard::Access;
pub use kernel::{AddressSpace, ArgumentInfo, ImageAccess, Kernel, KernelResources};
pub use launch::{Arg, ClScalar, ClType, In, InOut, KernelArg, Launch, Local, Out, WorkSize};
pub use library::Library;
pub use macro_value::MacroValue;
pub use memory::{
    A, Argb, Bgra, Buffer, BufferOptions, BufferRefused, Channel, D1, D1Array, D1Buffer, D2, D2Array, D3,
    Depth, Dimensions, Extent, HostAccess, Image, Image1d, Image1dArray, Image1dBuffer, Image2d,
    Image2dArray, Image3d, ImageFormat, ImageMap, ImageMapMut, Intensity, KernelAccess, Layout, Luminance,
    MapGuard, MapGuardMut, Memory, MemoryInfo, Migration, NotWritten, Origin, PendingRead, PendingWrite,
    PinnedVec, Pipe, Pixel, R, Rg, Rgba, Slice, SliceMut, Snorm, Staging, SubBuffer, SubBufferMut,
    TransferScope, Unorm,
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
