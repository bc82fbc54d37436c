//! Device memory: untyped blocks and typed buffers.

mod buffer;
mod image;
mod pipe;
mod untyped;

pub use buffer::Buffer;
pub(crate) use image::require_images;
pub use image::{
    A, Argb, Bgra, BufferRefused, Channel, D1, D1Array, D1Buffer, D2, D2Array, D3, Depth, Dimensions, Image,
    Image1d, Image1dArray, Image1dBuffer, Image2d, Image2dArray, Image3d, ImageFormat, ImageMap, ImageMapMut,
    Intensity, Luminance, Pixel, R, Rg, Rgba, Snorm, Unorm,
};
pub use pipe::Pipe;
pub use untyped::Memory;
