//! Lines of pixels over buffers. Commands fill and copy the buffer instead of the image, because
//! PoCL 3.1 refuses these commands on the image, or crashes.

use super::dimensions::Dimensions;
use super::pixel::Pixel;
use super::{Image, support};
use crate::error::Result;
use crate::hazard::Access;
use crate::memory::Buffer;
use crate::submission::{Blocking, Submission};

impl<D: Dimensions, P: Pixel> Image<D, P> {
    /// Returns the buffer under a line of pixels, which holds the same pixels at the same indices.
    pub(super) fn line_base(&self) -> Option<&Buffer<P>> {
        if support::is_over_buffer::<D>() { self.base.as_ref() } else { None }
    }
}

/// Enqueues setting `count` existing elements from `start` on to `pixel`.
pub(super) fn fill<P: Pixel>(
    to: Submission<'_>,
    base: &Buffer<P>,
    start: usize,
    count: usize,
    pixel: P,
) -> Result<()> {
    let fill = to.queue().functions().clEnqueueFillBuffer;
    let pattern = bytemuck::bytes_of(&pixel);
    let (offset, size) = (start * pattern.len(), count * pattern.len());
    let uses = base.memory().replaced(size);
    to.run("clEnqueueFillBuffer", uses, Blocking::No, |queue, waits, event| {
        let (buffer, value) = (base.memory().as_raw(), pattern.as_ptr().cast());
        // SAFETY: the pixels lie inside the image, which covers the buffer. The size of a pixel is
        // a power of two, and the driver copies the pixel.
        unsafe {
            fill(queue.as_raw(), buffer, value, pattern.len(), offset, size, waits.count, waits.list, event)
        }
    })
}

/// Enqueues a copy of `count` elements. The offsets are in bytes, and the caller has checked both
/// ranges.
pub(super) fn copy<P: Pixel>(
    to: Submission<'_>,
    source: &Buffer<P>,
    from: usize,
    target: &Buffer<P>,
    at: usize,
    count: usize,
) -> Result<()> {
    let copy = to.queue().functions().clEnqueueCopyBuffer;
    let size = count * size_of::<P>();
    let uses = [
        (source.memory().hazards(), Access::Read),
        (target.memory().hazards(), target.memory().replacing(size)),
    ];
    to.run("clEnqueueCopyBuffer", uses, Blocking::No, |queue, waits, event| {
        let (source, target) = (source.memory().as_raw(), target.memory().as_raw());
        // SAFETY: both ranges lie inside their buffers, which are different memory.
        unsafe { copy(queue.as_raw(), source, target, from, at, size, waits.count, waits.list, event) }
    })
}
