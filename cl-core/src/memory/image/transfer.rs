//! Commands that move pixels.

use super::dimensions::{Dimensions, extent, origin};
use super::pixel::Pixel;
use super::region::Region;
use super::{Image, line};
use crate::error::{Error, Result};
use crate::hazard::Access;
use crate::memory::Buffer;
use crate::submission::{Blocking, Submission};

impl<D: Dimensions, P: Pixel> Image<D, P> {
    /// Returns all pixels, row by row. Blocks until the commands that write to the image have ended
    /// and the pixels have been read.
    ///
    /// # Errors
    /// [`Error::ForeignObject`], or [`Error::Driver`] when this or an earlier command failed.
    pub fn to_vec<'q>(&self, to: impl Into<Submission<'q>>) -> Result<Vec<P>> {
        let mut pixels = vec![P::zeroed(); self.pixels()];
        self.read(to, Self::corner(), self.size, &mut pixels)?;
        Ok(pixels)
    }

    /// Reads the box of `size` pixels at `position`, row after row. Blocks.
    ///
    /// # Errors
    /// [`Error::OutsideImage`], [`Error::LengthMismatch`] unless `into` has as many pixels as the
    /// box, [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn read<'q>(
        &self,
        to: impl Into<Submission<'q>>,
        position: D::Size,
        size: D::Size,
        into: &mut [P],
    ) -> Result<()> {
        let to = to.into();
        self.check_queue(to.queue(), "read", Access::Read)?;
        let region = self.region("read", position, size)?;
        same_length("read", into.len(), region.pixels())?;
        if into.is_empty() {
            return to.skip();
        }
        let read = to.queue().functions().clEnqueueReadImage;
        let host = into.as_mut_ptr().cast();
        to.run("clEnqueueReadImage", self.used(Access::Read), Blocking::Command, |queue, waits, event| {
            let (at, size) = (region.origin.as_ptr(), region.size.as_ptr());
            // SAFETY: the box lies inside the image, and `into` has room for it without gaps (both
            // pitches are 0). The call blocks, so `into` outlives the transfer.
            unsafe {
                read(queue.as_raw(), self.as_raw(), 1, at, size, 0, 0, host, waits.count, waits.list, event)
            }
        })
    }

    /// Writes `from`, row after row, to the box of `size` pixels at `position`. Blocks until `from`
    /// may be changed again.
    ///
    /// # Errors
    /// As [`Image::read`].
    pub fn write<'q>(
        &mut self,
        to: impl Into<Submission<'q>>,
        position: D::Size,
        size: D::Size,
        from: &[P],
    ) -> Result<()> {
        let to = to.into();
        self.check_queue(to.queue(), "write", Access::Write)?;
        let region = self.region("write", position, size)?;
        same_length("write", region.pixels(), from.len())?;
        if from.is_empty() {
            return to.skip();
        }
        let write = to.queue().functions().clEnqueueWriteImage;
        let host = from.as_ptr().cast();
        to.run("clEnqueueWriteImage", self.replaced(&region), Blocking::Host, |queue, waits, event| {
            let (at, size) = (region.origin.as_ptr(), region.size.as_ptr());
            // SAFETY: as for reading.
            unsafe {
                write(queue.as_raw(), self.as_raw(), 1, at, size, 0, 0, host, waits.count, waits.list, event)
            }
        })
    }

    /// Enqueues setting all pixels to `pixel`.
    ///
    /// # Errors
    /// [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn fill<'q>(&mut self, to: impl Into<Submission<'q>>, pixel: P) -> Result<()> {
        self.fill_region(to, Self::corner(), self.size, pixel)
    }

    /// Enqueues setting the box of `size` pixels at `position` to `pixel`.
    ///
    /// # Errors
    /// [`Error::OutsideImage`], [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn fill_region<'q>(
        &mut self,
        to: impl Into<Submission<'q>>,
        position: D::Size,
        size: D::Size,
        pixel: P,
    ) -> Result<()> {
        let to = to.into();
        self.check_queue(to.queue(), "fill", Access::Write)?;
        let region = self.region("fill", position, size)?;
        if region.pixels() == 0 {
            return to.skip();
        }
        if let Some(base) = self.line_base() {
            return line::fill(to, base, region.origin[0], region.size[0], pixel);
        }
        let fill = to.queue().functions().clEnqueueFillImage;
        let color = pixel.fill_color();
        to.run("clEnqueueFillImage", self.replaced(&region), Blocking::No, |queue, waits, event| {
            let (at, size) = (region.origin.as_ptr(), region.size.as_ptr());
            // SAFETY: the box lies inside the image; the driver copies the colour of four channels.
            unsafe {
                fill(
                    queue.as_raw(),
                    self.as_raw(),
                    color.as_ptr().cast(),
                    at,
                    size,
                    waits.count,
                    waits.list,
                    event,
                )
            }
        })
    }

    /// Enqueues a copy of the box of `size` pixels at `from` in `source` to the box at `position`
    /// in this image. The kinds of the images may differ: a missing dimension has size 1.
    ///
    /// # Errors
    /// [`Error::OutsideImage`], [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn copy_from<'q, E: Dimensions>(
        &mut self,
        to: impl Into<Submission<'q>>,
        position: D::Size,
        source: &Image<E, P>,
        from: E::Size,
        size: D::Size,
    ) -> Result<()> {
        let to = to.into();
        self.check_queue(to.queue(), "copy", Access::Write)?;
        source.check_queue(to.queue(), "copy", Access::Read)?;
        let region = self.region("copy", position, size)?;
        let source_region = source.padded_region("copy", origin::<E>(from), extent::<D>(size))?;
        if region.pixels() == 0 {
            return to.skip();
        }
        if let Some(base) = self.line_base() {
            return source.enqueue_to_buffer(to, source_region, base, region.origin[0] * size_of::<P>());
        }
        if let Some(base) = source.line_base() {
            return self.enqueue_from_buffer(to, region, base, source_region.origin[0] * size_of::<P>());
        }
        let copy = to.queue().functions().clEnqueueCopyImage;
        let uses = self.used_with(source.memory.hazards(), &region);
        to.run("clEnqueueCopyImage", uses, Blocking::No, |queue, waits, event| {
            // SAFETY: the boxes lie inside two different images of one format.
            unsafe {
                copy(
                    queue.as_raw(),
                    source.as_raw(),
                    self.as_raw(),
                    source_region.origin.as_ptr(),
                    region.origin.as_ptr(),
                    region.size.as_ptr(),
                    waits.count,
                    waits.list,
                    event,
                )
            }
        })
    }

    /// Enqueues a copy of the elements of `source` from `start` on to the box of `size` pixels at
    /// `position`, row after row.
    ///
    /// # Errors
    /// [`Error::OutsideImage`], [`Error::OutOfBounds`], [`Error::ForeignObject`], or
    /// [`Error::Driver`].
    pub fn copy_from_buffer<'q>(
        &mut self,
        to: impl Into<Submission<'q>>,
        position: D::Size,
        size: D::Size,
        source: &Buffer<P>,
        start: usize,
    ) -> Result<()> {
        let to = to.into();
        let operation = "copy from a buffer";
        self.check_queue(to.queue(), operation, Access::Write)?;
        source.memory().check_use(to.queue().context().as_raw(), operation, Access::Read)?;
        let region = self.region(operation, position, size)?;
        let offset = byte_offset(operation, source, start, region.pixels())?;
        if region.pixels() == 0 {
            return to.skip();
        }
        self.enqueue_from_buffer(to, region, source, offset)
    }

    /// Enqueues a copy of the box of `size` pixels at `position`, row after row, to the elements of
    /// `target` from `start` on.
    ///
    /// NVIDIA's driver 580 refuses all layers of a 1D array but the first, here and in
    /// [`copy_from_buffer`](Image::copy_from_buffer).
    ///
    /// # Errors
    /// As [`Image::copy_from_buffer`].
    pub fn copy_to_buffer<'q>(
        &self,
        to: impl Into<Submission<'q>>,
        position: D::Size,
        size: D::Size,
        target: &mut Buffer<P>,
        start: usize,
    ) -> Result<()> {
        let to = to.into();
        let operation = "copy to a buffer";
        self.check_queue(to.queue(), operation, Access::Read)?;
        target.memory().check_use(to.queue().context().as_raw(), operation, Access::Write)?;
        let region = self.region(operation, position, size)?;
        let offset = byte_offset(operation, target, start, region.pixels())?;
        if region.pixels() == 0 {
            return to.skip();
        }
        self.enqueue_to_buffer(to, region, target, offset)
    }

    /// Enqueues a copy from a buffer; the caller has checked box and range.
    fn enqueue_from_buffer(
        &self,
        to: Submission<'_>,
        region: Region,
        source: &Buffer<P>,
        offset: usize,
    ) -> Result<()> {
        if let Some(base) = self.line_base() {
            let at = region.origin[0] * size_of::<P>();
            return line::copy(to, source, offset, base, at, region.pixels());
        }
        let copy = to.queue().functions().clEnqueueCopyBufferToImage;
        let uses = self.used_with(source.memory().hazards(), &region);
        to.run("clEnqueueCopyBufferToImage", uses, Blocking::No, |queue, waits, event| {
            // SAFETY: box and range lie inside image and buffer, which are different memory.
            unsafe {
                copy(
                    queue.as_raw(),
                    source.memory().as_raw(),
                    self.as_raw(),
                    offset,
                    region.origin.as_ptr(),
                    region.size.as_ptr(),
                    waits.count,
                    waits.list,
                    event,
                )
            }
        })
    }

    /// Enqueues a copy to a buffer; the caller has checked box and range.
    fn enqueue_to_buffer(
        &self,
        to: Submission<'_>,
        region: Region,
        target: &Buffer<P>,
        offset: usize,
    ) -> Result<()> {
        if let Some(base) = self.line_base() {
            let from = region.origin[0] * size_of::<P>();
            return line::copy(to, base, from, target, offset, region.pixels());
        }
        let copy = to.queue().functions().clEnqueueCopyImageToBuffer;
        let written = target.memory().replacing(region.pixels() * size_of::<P>());
        let uses = [(self.memory.hazards(), Access::Read), (target.memory().hazards(), written)];
        to.run("clEnqueueCopyImageToBuffer", uses, Blocking::No, |queue, waits, event| {
            // SAFETY: as above.
            unsafe {
                copy(
                    queue.as_raw(),
                    self.as_raw(),
                    target.memory().as_raw(),
                    region.origin.as_ptr(),
                    region.size.as_ptr(),
                    offset,
                    waits.count,
                    waits.list,
                    event,
                )
            }
        })
    }
}

/// Returns an error unless a box and a slice have the same number of pixels.
fn same_length(operation: &'static str, left: usize, right: usize) -> Result<()> {
    if left == right { Ok(()) } else { Err(Error::LengthMismatch { operation, left, right }) }
}

/// Returns the byte offset of element `start`, or an error unless the buffer has `count` elements
/// from there on.
fn byte_offset<P: Pixel>(
    operation: &'static str,
    buffer: &Buffer<P>,
    start: usize,
    count: usize,
) -> Result<usize> {
    let end = start.saturating_add(count);
    if end > buffer.len() {
        return Err(Error::OutOfBounds { operation, start, end, len: buffer.len() });
    }
    Ok(start * size_of::<P>())
}
