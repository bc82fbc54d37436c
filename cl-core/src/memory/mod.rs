//! Device memory: untyped blocks, typed buffers, and the ways in and out of them.

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
pub(crate) use image::require_images;
pub use image::{
    A, Argb, Bgra, BufferRefused, Channel, D1, D1Array, D1Buffer, D2, D2Array, D3, Depth, Dimensions, Image,
    Image1d, Image1dArray, Image1dBuffer, Image2d, Image2dArray, Image3d, ImageFormat, ImageMap, ImageMapMut,
    Intensity, Luminance, Pixel, R, Rg, Rgba, Snorm, Unorm,
};
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
