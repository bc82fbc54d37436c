//! Device memory: untyped blocks, typed buffers, and the ways in and out of them.

mod buffer;
mod commands;
mod mapped;
mod options;
mod slice;
mod sub_buffer;
mod untyped;

pub use buffer::Buffer;
pub use commands::Migration;
pub use options::{BufferOptions, HostAccess, KernelAccess};
pub use slice::{Slice, SliceMut};
pub use sub_buffer::{SubBuffer, SubBufferMut};
pub use untyped::Memory;
