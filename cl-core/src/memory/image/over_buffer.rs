//! Buffers seen as images.

use super::dimensions::{D1Buffer, D2, Dimensions};
use super::pixel::Pixel;
use super::{Image, support};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::hazard::Access;
use crate::launch::{Arg, KernelArg};
use crate::memory::Buffer;
use std::fmt;

/// The error of a buffer that cannot be seen as an image, with the buffer.
#[derive(thiserror::Error)]
#[error("{error}")]
pub struct BufferRefused<P: Pixel> {
    /// The unchanged buffer.
    pub buffer: Buffer<P>,
    /// The error.
    pub error: Error,
}

impl<P: Pixel> fmt::Debug for BufferRefused<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<P: Pixel> From<Box<BufferRefused<P>>> for Error {
    fn from(refused: Box<BufferRefused<P>>) -> Error {
        refused.error
    }
}

impl<P: Pixel> Image<D1Buffer, P> {
    /// Lays a line of pixels over all of `buffer`. Image and buffer share one memory: commands that
    /// use one wait for commands that use the other.
    ///
    /// # Errors
    /// As [`Image::from_slice`], and [`Error::ForeignObject`] for a buffer of another context. The
    /// error returns the buffer.
    pub fn over(context: &Context, buffer: Buffer<P>) -> Result<Image<D1Buffer, P>, Box<BufferRefused<P>>> {
        let size = [buffer.len()];
        if let Err(error) = check::<D1Buffer, P>(context, size, &buffer) {
            return Err(Box::new(BufferRefused { buffer, error }));
        }
        Image::lay(context, size, buffer, 0)
    }
}

impl<P: Pixel> Image<D2, P> {
    /// Lays a 2D image over the beginning of `buffer`, where each row begins `row_pitch` pixels
    /// after the previous one. Image and buffer share one memory: commands that use one wait for
    /// commands that use the other.
    ///
    /// # Errors
    /// As [`Image::from_slice`]; [`Error::Unsupported`] on a device that cannot lay 2D images over
    /// buffers, [`Error::InvalidInput`] for a pitch that is less than the width or not a multiple
    /// of [`Device::image_pitch_alignment`](crate::Device::image_pitch_alignment),
    /// [`Error::OutOfBounds`] for a buffer that is too short, and [`Error::ForeignObject`] for a
    /// buffer of another context. The error returns the buffer.
    pub fn over(
        context: &Context,
        buffer: Buffer<P>,
        size: [usize; 2],
        row_pitch: usize,
    ) -> Result<Image<D2, P>, Box<BufferRefused<P>>> {
        let checked = check::<D2, P>(context, size, &buffer)
            .and_then(|()| support::check_pitch(context, row_pitch))
            .and_then(|()| check_rows(&buffer, size, row_pitch));
        if let Err(error) = checked {
            return Err(Box::new(BufferRefused { buffer, error }));
        }
        Image::lay(context, size, buffer, row_pitch * size_of::<P>())
    }
}

impl<D: Dimensions, P: Pixel> Image<D, P> {
    /// Returns the buffer under the image, if it lies over one.
    #[must_use]
    pub fn buffer(&self) -> Option<&Buffer<P>> {
        self.base.as_ref()
    }

    /// Returns the buffer under the image, if it lies over one, as an argument of a kernel that
    /// writes to it.
    #[must_use]
    pub fn buffer_arg_mut(&mut self) -> Option<Arg<'_>> {
        // Not a `&mut Buffer`, through which the caller could replace the buffer by another one.
        self.base.as_mut().map(KernelArg::into_arg)
    }

    /// Returns the buffer that was under the image, if it lay over one.
    #[must_use]
    pub fn into_buffer(self) -> Option<Buffer<P>> {
        self.base
    }

    /// Lays an image over a buffer; the caller has checked both.
    fn lay(
        context: &Context,
        size: D::Size,
        buffer: Buffer<P>,
        row_pitch: usize,
    ) -> Result<Image<D, P>, Box<BufferRefused<P>>> {
        match Image::create(context, size, Some((&buffer, row_pitch))) {
            Ok(image) => Ok(Image { base: Some(buffer), ..image }),
            Err(error) => Err(Box::new(BufferRefused { buffer, error })),
        }
    }
}

fn check<D: Dimensions, P: Pixel>(context: &Context, size: D::Size, buffer: &Buffer<P>) -> Result<()> {
    support::check_new::<D>(context, size, P::FORMAT, size_of::<P>())?;
    buffer.memory().check_use(context.as_raw(), "image over a buffer", Access::Write)
}

/// Returns an error unless the buffer holds all rows. The caller has checked the size, which is not
/// 0.
fn check_rows<P: Pixel>(buffer: &Buffer<P>, [width, height]: [usize; 2], row_pitch: usize) -> Result<()> {
    if row_pitch < width {
        let reason = format!("{row_pitch} pixels are less than a row of {width}");
        return Err(Error::InvalidInput { what: "row pitch", reason });
    }
    let end = row_pitch.saturating_mul(height);
    if end > buffer.len() {
        let (operation, len) = ("image over a buffer", buffer.len());
        return Err(Error::OutOfBounds { operation, start: 0, end, len });
    }
    Ok(())
}
