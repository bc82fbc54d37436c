//! Device memory: untyped blocks and typed buffers.

mod buffer;
mod untyped;

pub use buffer::Buffer;
pub use untyped::Memory;
