//! Images: pixels that kernels read through samplers, in one, two or three dimensions.
//!
//! | file | concept |
//! | --- | --- |
//! | `pixel` | pixels as Rust types |
//! | `dimensions` | the six kinds of image as types |
//! | `support` | the formats and sizes that a device supports |
//! | `region` | boxes of pixels, checked |
//! | `transfer` | read, write, copy, fill |
//! | `line` | lines over buffers, used as the buffers under them |
//! | `map` | pixels mapped into host memory |
//! | `over_buffer` | buffers seen as images |
//! | `adopt` | images that other libraries made |

mod adopt;
mod dimensions;
mod line;
mod map;
mod over_buffer;
mod pixel;
mod region;
mod support;
mod transfer;

pub use dimensions::{D1, D1Array, D1Buffer, D2, D2Array, D3, Dimensions};
pub use map::{ImageMap, ImageMapMut};
pub use over_buffer::BufferRefused;
pub use pixel::*;
pub(crate) use support::require_images;

use crate::context::Context;
use crate::error::{Error, Result};
use crate::hazard::{Access, Hazards};
use crate::launch::{Arg, KernelArg};
use crate::memory::{Buffer, Memory};
use crate::queue::Queue;
use crate::raw::{self, cl_image_format, cl_mem};
use std::fmt;
use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::Arc;

/// An image in device memory, always initialised. `D` is its kind, `P` its pixel.
///
/// A kernel that gets `&Image` reads it; a kernel that gets `&mut Image` writes it (`write_only`).
///
/// ```
/// use cl_core::{Device, Error, Image2d, Queue, Rgba, Unorm};
///
/// # fn main() -> cl_core::Result<()> {
/// let queue = Queue::on(&Device::first()?)?;
/// let grey = Rgba([Unorm(128_u8); 4]);
/// let mut image = match Image2d::filled(&queue, [640, 480], grey) {
///     Err(Error::Unsupported { feature, device, .. }) => {
///         println!("{device} has no {feature}");
///         return Ok(());
///     }
///     image => image?,
/// };
/// let red = Rgba([255, 0, 0, 255].map(Unorm));
/// image.fill_region(&queue, [10, 10], [2, 2], red)?;
/// let mut corner = [grey; 2];
/// image.read(&queue, [9, 10], [2, 1], &mut corner)?;
/// assert_eq!(corner, [grey, red]);
/// # Ok(())
/// # }
/// ```
pub struct Image<D: Dimensions, P: Pixel> {
    memory: Memory,
    size: D::Size,
    /// The buffer under the image, if it lies over one.
    base: Option<Buffer<P>>,
    pixel: PhantomData<P>,
}

/// A line of pixels.
pub type Image1d<P> = Image<D1, P>;
/// Several lines of pixels of the same width.
pub type Image1dArray<P> = Image<D1Array, P>;
/// A buffer seen as a line of pixels.
pub type Image1dBuffer<P> = Image<D1Buffer, P>;
/// A rectangle of pixels.
pub type Image2d<P> = Image<D2, P>;
/// Several rectangles of pixels of the same size.
pub type Image2dArray<P> = Image<D2Array, P>;
/// A box of pixels.
pub type Image3d<P> = Image<D3, P>;

impl<D: Dimensions, P: Pixel> Image<D, P> {
    /// Creates an image that holds a copy of `pixels`, row after row.
    ///
    /// # Errors
    /// [`Error::Unsupported`] on a device without images or without this format,
    /// [`Error::InvalidInput`] for a size that is 0 or beyond the device's limits,
    /// [`Error::LengthMismatch`] when the number of pixels does not match the size,
    /// [`Error::TooLarge`], or [`Error::Driver`] when the driver has no memory left.
    pub fn from_slice(queue: &Queue, size: D::Size, pixels: &[P]) -> Result<Image<D, P>> {
        let count = support::check_new::<D>(queue.context(), size, P::FORMAT, size_of::<P>())?;
        if count != pixels.len() {
            return Err(Error::LengthMismatch { operation: "image", left: count, right: pixels.len() });
        }
        let mut image = Image::allocate(queue, size, count)?;
        image.write(queue, Image::<D, P>::corner(), size, pixels)?;
        Ok(image)
    }

    /// Creates an image whose pixels are all `pixel`.
    ///
    /// # Errors
    /// As [`Image::from_slice`].
    pub fn filled(queue: &Queue, size: D::Size, pixel: P) -> Result<Image<D, P>> {
        // SAFETY: filled by the next command.
        let mut image = unsafe { Image::uninit(queue, size)? };
        image.fill(queue, pixel)?;
        Ok(image)
    }

    /// Creates an image without writing its pixels.
    ///
    /// # Errors
    /// As [`Image::from_slice`].
    ///
    /// # Safety
    /// Each pixel must be written before it is first read, by a command that is enqueued earlier.
    /// Until then the memory may hold data of other programs.
    pub unsafe fn uninit(queue: &Queue, size: D::Size) -> Result<Image<D, P>> {
        let count = support::check_new::<D>(queue.context(), size, P::FORMAT, size_of::<P>())?;
        Image::allocate(queue, size, count)
    }

    /// Allocates an image of a checked size of `count` pixels.
    fn allocate(queue: &Queue, size: D::Size, count: usize) -> Result<Image<D, P>> {
        if support::is_over_buffer::<D>() {
            // SAFETY: the callers of this function promise writing before reading.
            let base = unsafe { Buffer::uninit(queue, count)? };
            let image = Image::create(queue.context(), size, Some((&base, 0)))?;
            return Ok(Image { base: Some(base), ..image });
        }
        Image::create(queue.context(), size, None)
    }

    /// Creates the image, whose format and size the caller has checked. A buffer under the image
    /// comes with the row pitch in bytes, or 0; the caller keeps the buffer in `base`.
    fn create(context: &Context, size: D::Size, base: Option<(&Buffer<P>, usize)>) -> Result<Image<D, P>> {
        let library = context.library();
        let (base_raw, row_pitch) =
            base.map_or((None, 0), |(base, pitch)| (Some(base.memory().as_raw()), pitch));
        let description = dimensions::description::<D>(size, base_raw, row_pitch);
        let format = cl_image_format {
            image_channel_order: P::FORMAT.order,
            image_channel_data_type: P::FORMAT.channel,
        };
        let mut status = 0;
        // SAFETY: a valid context, a format that the device supports, a size within its limits, and
        // no host pointer. A buffer under the image is large enough and of the same context.
        let raw = unsafe {
            (library.functions().clCreateImage)(
                context.as_raw(),
                raw::CL_MEM_READ_WRITE,
                &raw const format,
                &raw const description,
                null_mut(),
                &raw mut status,
            )
        };
        Error::check("clCreateImage", status)
            .map_err(|error| error.note(format!("{size:?} pixels of {}", P::FORMAT)))?;
        // An image and the buffer under it share one memory.
        let shared = base.map_or_else(Arc::default, |(base, _)| base.memory().share());
        let bytes = dimensions::extent::<D>(size).iter().product::<usize>() * size_of::<P>();
        // SAFETY: the call gave us the only reference, in this context.
        let memory = unsafe { Memory::of_object(context, raw, bytes, shared) };
        Ok(Image { memory, size, base: None, pixel: PhantomData })
    }

    /// Returns the pixel formats that images of this kind can have on the context's device, for
    /// kernels that read and for kernels that write. The list is empty on a device without images.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn formats(context: &Context) -> Result<Arc<[ImageFormat]>> {
        support::formats::<D>(context)
    }

    /// Returns `true` if the context's device supports images of this kind with this pixel format.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn is_supported(context: &Context) -> Result<bool> {
        Ok(support::formats::<D>(context)?.contains(&P::FORMAT))
    }

    /// Returns the number of pixels along each dimension.
    #[must_use]
    pub fn size(&self) -> D::Size {
        self.size
    }

    /// Returns the number of pixels.
    #[must_use]
    pub fn pixels(&self) -> usize {
        dimensions::extent::<D>(self.size).iter().product()
    }

    /// Returns the untyped memory behind the image. Its size in bytes counts all pixels, without
    /// gaps.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Returns the C handle.
    #[must_use]
    pub fn as_raw(&self) -> cl_mem {
        self.memory.as_raw()
    }

    /// Returns the list of uses for a command that writes a box of pixels and uses no other memory:
    /// [`Access::Overwrite`] if the box is the whole image, else [`Access::Write`].
    fn replaced(&self, region: &region::Region) -> [(&Hazards, Access); 1] {
        // The rows of an image over a buffer may have gaps, which the command does not write.
        let whole = self.base.is_none() && region.pixels() == self.pixels();
        self.used(if whole { Access::Overwrite } else { Access::Write })
    }

    /// Returns the list of uses for a command that copies pixels of a source to a box of this image.
    fn used_with<'m>(&'m self, source: &'m Hazards, region: &region::Region) -> [(&'m Hazards, Access); 2] {
        let [target] = self.replaced(region);
        [(source, Access::Read), target]
    }

    /// Returns the list of uses for a command that uses only this image, with this access.
    fn used(&self, access: Access) -> [(&Hazards, Access); 1] {
        [(self.memory.hazards(), access)]
    }
}

/// The kernel reads the image.
impl<'a, D: Dimensions, P: Pixel> KernelArg<'a> for &'a Image<D, P> {
    fn into_arg(self) -> Arg<'a> {
        Arg::Image(&self.memory, Access::Read)
    }
}

/// The kernel writes the image.
impl<'a, D: Dimensions, P: Pixel> KernelArg<'a> for &'a mut Image<D, P> {
    fn into_arg(self) -> Arg<'a> {
        Arg::Image(&self.memory, Access::Write)
    }
}

impl<D: Dimensions, P: Pixel> fmt::Debug for Image<D, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {:?} pixels, {}", D::NAME, self.size, P::FORMAT)
    }
}
