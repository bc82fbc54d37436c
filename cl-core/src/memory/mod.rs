//! Device memory: untyped blocks, typed buffers, and the ways in and out of them.

mod buffer;
mod commands;
mod handle;
mod map;
mod mapped;
mod options;
mod owned;
mod pinned;
mod rect;
mod scope;
mod slice;
mod staging;
mod sub_buffer;
mod untyped;

pub use buffer::Buffer;
pub use commands::Migration;
pub use handle::MemoryInfo;
pub use map::{MapGuard, MapGuardMut};
pub use options::{BufferOptions, HostAccess, KernelAccess};
pub use owned::{NotWritten, PendingRead, PendingWrite};
pub use pinned::PinnedVec;
pub use rect::{Extent, Layout, Origin};
pub use scope::TransferScope;
pub use slice::{Slice, SliceMut};
pub use staging::Staging;
pub use sub_buffer::{SubBuffer, SubBufferMut};
pub use untyped::Memory;
