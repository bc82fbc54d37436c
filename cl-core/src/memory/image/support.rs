//! The image support of a device, asked once for each context.

use super::dimensions::{D1Buffer, Dimensions, extent};
use super::pixel::ImageFormat;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::info;
use crate::raw::{self, cl_mem_object_type};
use std::collections::HashMap;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The answers that a context has so far.
#[derive(Default)]
pub(super) struct Support {
    limits: OnceLock<Limits>,
    formats: Mutex<HashMap<cl_mem_object_type, Arc<[ImageFormat]>>>,
}

#[derive(Clone, Copy)]
struct Limits {
    available: bool,
    /// The largest width and height of a 2D image, in pixels. The width also limits 1D images.
    plane: [usize; 2],
    /// The largest width, height and depth of a 3D image, in pixels.
    volume: [usize; 3],
    /// The largest width of a 1D image over a buffer, in pixels.
    line: usize,
    /// The largest number of layers of an image array.
    layers: usize,
}

impl Limits {
    fn of(device: &Device) -> Result<Limits> {
        Ok(Limits {
            available: device.has_images()?,
            plane: [device.max_image_2d_width()?, device.max_image_2d_height()?],
            volume: [
                device.max_image_3d_width()?,
                device.max_image_3d_height()?,
                device.max_image_3d_depth()?,
            ],
            line: device.max_image_buffer()?,
            layers: device.max_image_array()?,
        })
    }

    /// Returns the largest extent along each dimension.
    fn most(&self, kind: cl_mem_object_type) -> [usize; 3] {
        let [width, height] = self.plane;
        match kind {
            raw::CL_MEM_OBJECT_IMAGE1D => [width, 1, 1],
            raw::CL_MEM_OBJECT_IMAGE1D_ARRAY => [width, self.layers, 1],
            raw::CL_MEM_OBJECT_IMAGE1D_BUFFER => [self.line, 1, 1],
            raw::CL_MEM_OBJECT_IMAGE2D => [width, height, 1],
            raw::CL_MEM_OBJECT_IMAGE2D_ARRAY => [width, height, self.layers],
            _ => self.volume,
        }
    }
}

impl Support {
    fn limits(&self, context: &Context) -> Result<Limits> {
        if let Some(limits) = self.limits.get() {
            return Ok(*limits);
        }
        let limits = Limits::of(context.device())?;
        Ok(*self.limits.get_or_init(|| limits))
    }

    /// Returns the formats of images of a kind that kernels can both read and write.
    fn formats(&self, context: &Context, kind: cl_mem_object_type) -> Result<Arc<[ImageFormat]>> {
        let mut known = self.formats.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(formats) = known.get(&kind) {
            return Ok(Arc::clone(formats));
        }
        let formats: Arc<[ImageFormat]> =
            if self.limits(context)?.available { ask_formats(context, kind)?.into() } else { Arc::new([]) };
        known.insert(kind, Arc::clone(&formats));
        Ok(formats)
    }
}

fn ask_formats(context: &Context, kind: cl_mem_object_type) -> Result<Vec<ImageFormat>> {
    let call = "clGetSupportedImageFormats";
    let get = context.library().functions().clGetSupportedImageFormats;
    let flags = raw::CL_MEM_READ_WRITE;
    let mut count = 0;
    // SAFETY: a valid context; null and 0 ask for the number.
    let status = unsafe { get(context.as_raw(), flags, kind, 0, null_mut(), &raw mut count) };
    Error::check(call, status)?;
    // A `cl_image_format` consists of two numbers: the order, and the type of a channel.
    let mut formats = info::room(call, count as usize, [0_u32; 2])?;
    if count > 0 {
        // SAFETY: as above, and there is room for `count` formats.
        let status =
            unsafe { get(context.as_raw(), flags, kind, count, formats.as_mut_ptr().cast(), null_mut()) };
        Error::check(call, status)?;
    }
    Ok(formats.into_iter().map(|[order, channel]| ImageFormat { order, channel }).collect())
}

/// Returns the formats of images of kind `D` that kernels on the context's device can both read and
/// write. The list is empty on a device without images.
pub(super) fn formats<D: Dimensions>(context: &Context) -> Result<Arc<[ImageFormat]>> {
    context.attachment::<Support>().formats(context, D::KIND)
}

/// Returns an error unless the device supports images.
pub(crate) fn require_images(context: &Context) -> Result<()> {
    if context.attachment::<Support>().limits(context)?.available {
        return Ok(());
    }
    Err(unsupported(context, "images".to_owned()))
}

/// Returns the number of pixels, or an error unless an image of this kind, size and format can be
/// made.
pub(super) fn check_new<D: Dimensions>(
    context: &Context,
    size: D::Size,
    format: ImageFormat,
    pixel_bytes: usize,
) -> Result<usize> {
    require_images(context)?;
    let support = context.attachment::<Support>();
    if !support.formats(context, D::KIND)?.contains(&format) {
        return Err(unsupported(context, format!("a {} of {format}", D::NAME)));
    }
    let most = support.limits(context)?.most(D::KIND);
    let extent = extent::<D>(size);
    if extent.iter().zip(most).any(|(&extent, most)| extent == 0 || extent > most) {
        let most = &most[..size.as_ref().len()];
        let device = context.device();
        let reason = format!("{size:?} for a {}: 1 to {most:?} pixels are possible on {device}", D::NAME);
        return Err(Error::InvalidInput { what: "image size", reason });
    }
    let bytes = extent.iter().map(|&n| n as u128).product::<u128>() * pixel_bytes as u128;
    if bytes > u128::from(context.device().limits()?.allocation) {
        return Err(Error::too_large(bytes, context.device()));
    }
    Ok(extent.iter().product())
}

/// Returns an error unless rows of `row_pitch` pixels in a buffer can be seen as a 2D image.
pub(super) fn check_pitch(context: &Context, row_pitch: usize) -> Result<()> {
    let device = context.device();
    let alignment = device.image_pitch_alignment()?.unwrap_or(0) as usize;
    if alignment == 0 {
        return Err(unsupported(context, "2D images over buffers".to_owned()));
    }
    if row_pitch.is_multiple_of(alignment) {
        return Ok(());
    }
    let reason = format!("rows of {row_pitch} pixels; {device} needs a multiple of {alignment}");
    Err(Error::InvalidInput { what: "row pitch", reason })
}

pub(super) fn unsupported(context: &Context, feature: String) -> Error {
    Error::Unsupported { feature, device: context.device().to_string() }
}

/// Returns `true` if images of this kind always lie over a buffer.
pub(super) fn is_over_buffer<D: Dimensions>() -> bool {
    D::KIND == D1Buffer::KIND
}
