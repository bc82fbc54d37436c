//! Lines of pixels over buffers, filled and copied as the buffers that they are: told to do it with
//! the image, PoCL 3.1 refuses or crashes.

use super::dimensions::Dimensions;
use super::pixel::Pixel;
use super::{Image, support};
use crate::error::Result;
use crate::hazard::Access;
use crate::memory::Buffer;
use crate::submission::{Blocking, Submission};

impl<D: Dimensions, P: Pixel> Image<D, P> {
    /// The buffer under a line of pixels, which has the same pixels in the same places.
    pub(super) fn line_base(&self) -> Option<&Buffer<P>> {
        if support::is_over_buffer::<D>() { self.base.as_ref() } else { None }
    }
}

/// Enqueues setting `count` elements from `start` on; they exist.
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
        // SAFETY: the pixels lie inside the image, which covers the buffer; a pixel has a power of
        // two of bytes, and the driver copies it.
        unsafe {
            fill(queue.as_raw(), buffer, value, pattern.len(), offset, size, waits.count, waits.list, event)
        }
    })
}

/// Enqueues a copy of `count` elements; the offsets are in bytes, and both ranges were checked.
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
