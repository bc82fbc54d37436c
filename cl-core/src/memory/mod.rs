//! Device memory: untyped blocks, typed buffers, and their transfers.

mod buffer;
mod commands;
mod handle;
mod image;
mod map;
mod mapped;
mod options;
mod owned;
mod pinned;
mod pipe;
mod rect;
mod scope;
mod slice;
mod staging;
mod sub_buffer;
mod untyped;

pub use buffer::Buffer;
pub use commands::Migration;
pub use handle::MemoryInfo;
pub use image::*;
pub use map::{BufferMap, BufferMapMut};
pub use options::{BufferOptions, HostAccess, KernelAccess};
pub use owned::{NotWritten, PendingRead, PendingWrite};
pub use pinned::PinnedVec;
pub use pipe::Pipe;
pub use rect::{Extent, Layout, Origin};
pub use scope::TransferScope;
pub use slice::{Slice, SliceMut};
pub use staging::Staging;
pub use sub_buffer::{SubBuffer, SubBufferMut};
pub use untyped::Memory;
