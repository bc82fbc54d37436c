//! Boxes: transfers of a rectangle or a cuboid out of a larger array.

use super::buffer::Buffer;
use super::commands::overlap;
use super::slice::SliceMut;
use super::untyped::Memory;
use crate::error::{Error, Result};
use crate::hazard::Access;
use crate::submission::{Blocking, Submission};
use bytemuck::Pod;

/// The size of a box: elements of a row, rows of a slice, slices. A transfer of an empty box does
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent([usize; 3]);

impl From<[usize; 2]> for Extent {
    fn from([x, y]: [usize; 2]) -> Self {
        Extent([x, y, 1])
    }
}

impl From<[usize; 3]> for Extent {
    fn from(extent: [usize; 3]) -> Self {
        Extent(extent)
    }
}

/// The layout of a 2D or 3D array in a buffer or a slice, and the position of a box in it. All
/// numbers count elements.
///
/// ```
/// # use cl_core::{Buffer, Device, Layout, Queue};
/// # fn main() -> cl_core::Result<()> {
/// let queue = Queue::on(&Device::first()?)?;
/// // Three rows of four.
/// let x = Buffer::from_slice(&queue, &[0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23])?;
/// let mut corner = [0; 4];
/// x.read_rect(&queue, [2, 2], Layout::rows(4).at([2, 1]), &mut corner, Layout::packed())?;
/// assert_eq!(corner, [12, 13, 22, 23]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    origin: [usize; 3],
    /// The distance between the beginnings of rows; `None` for the length of the box's rows.
    row_pitch: Option<usize>,
    /// The distance between the beginnings of slices; `None` if each slice holds only the rows of the
    /// box.
    slice_pitch: Option<usize>,
}

impl Layout {
    /// Returns the layout of an array that holds only the box: row after row, slice after slice.
    #[must_use]
    pub fn packed() -> Layout {
        Layout::default()
    }

    /// Returns the layout of an array whose rows begin `pitch` elements apart.
    #[must_use]
    pub fn rows(pitch: usize) -> Layout {
        Layout { row_pitch: Some(pitch), ..Layout::default() }
    }

    /// Sets the distance between the beginnings of slices to `pitch` elements.
    #[must_use]
    pub fn slices(self, pitch: usize) -> Layout {
        Layout { slice_pitch: Some(pitch), ..self }
    }

    /// Sets the box's first element, row and slice.
    #[must_use]
    pub fn at(self, origin: impl Into<Origin>) -> Layout {
        Layout { origin: origin.into().0, ..self }
    }
}

/// The position of a box: element of the row, row of the slice, slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin([usize; 3]);

impl From<[usize; 2]> for Origin {
    fn from([x, y]: [usize; 2]) -> Self {
        Origin([x, y, 0])
    }
}

impl From<[usize; 3]> for Origin {
    fn from(origin: [usize; 3]) -> Self {
        Origin(origin)
    }
}

/// A checked layout for one box, in bytes as OpenCL needs it.
#[derive(Clone, Copy, Debug)]
struct ByteLayout {
    origin: [usize; 3],
    row_pitch: usize,
    slice_pitch: usize,
    /// The offset of the first byte of the box, and the offset behind its last byte.
    span: (usize, usize),
}

impl Layout {
    /// Returns the checked layout of a non-empty box in an array of `len` elements of `element`
    /// bytes.
    fn checked(
        self,
        operation: &'static str,
        Extent([width, height, depth]): Extent,
        element: usize,
        len: usize,
    ) -> Result<ByteLayout> {
        let refuse = |reason: String| Error::InvalidInput { what: operation, reason };
        let [x, y, z] = self.origin;
        let row = self.row_pitch.unwrap_or(width);
        if row < width {
            return Err(refuse(format!("rows of {width} elements do not fit into a pitch of {row}")));
        }
        // Numbers that do not fit into a `usize` do not fit into the array either.
        let rows = row.saturating_mul(height);
        let slice = self.slice_pitch.unwrap_or(rows);
        if slice < rows || !slice.is_multiple_of(row) {
            let text = format!("a slice pitch of {slice} elements for {height} rows of pitch {row}");
            return Err(refuse(format!("{text}: it must be a multiple of {row} and at least {rows}")));
        }
        let index = |x: usize, y: usize, z: usize| {
            let (y, z) = (y.checked_mul(row)?, z.checked_mul(slice)?);
            x.checked_add(y)?.checked_add(z)
        };
        let last = |origin: usize, extent: usize| origin.checked_add(extent - 1);
        let end = || index(last(x, width)?, last(y, height)?, last(z, depth)?)?.checked_add(1);
        let (start, end) = (index(x, y, z).unwrap_or(usize::MAX), end().unwrap_or(usize::MAX));
        if end > len {
            return Err(Error::OutOfBounds { operation, start, end, len });
        }
        // `start` and `end` lie inside the array, so their bytes do not overflow. A pitch may: a box
        // of one row does not use `row`, and a box of one slice does not use `slice`.
        let bytes = |elements: usize| {
            elements.checked_mul(element).ok_or_else(|| {
                refuse(format!("a pitch of {elements} elements of {element} bytes overflows a usize"))
            })
        };
        Ok(ByteLayout {
            origin: [bytes(x)?, y, z],
            row_pitch: bytes(row)?,
            slice_pitch: bytes(slice)?,
            span: (bytes(start)?, bytes(end)?),
        })
    }
}

/// Returns `true` if two boxes of one buffer may share a byte.
fn overlaps(extent: Extent, width: usize, a: &ByteLayout, b: &ByteLayout) -> bool {
    if a.span.1 <= b.span.0 || b.span.1 <= a.span.0 {
        return false;
    }
    let Extent([_, height, depth]) = extent;
    let same = a.row_pitch == b.row_pitch && a.slice_pitch == b.slice_pitch;
    let inside = |layout: &ByteLayout| {
        layout.origin[0] + width <= layout.row_pitch
            && layout.origin[1].saturating_add(height).saturating_mul(layout.row_pitch) <= layout.slice_pitch
    };
    if !(same && inside(a) && inside(b)) {
        // The origins can be compared axis by axis only with equal pitches and rows that do not wrap.
        // Otherwise boxes whose spans intersect count as overlapping, to be safe.
        return true;
    }
    let extents = [width, height, depth];
    (0..3).all(|axis| a.origin[axis].abs_diff(b.origin[axis]) < extents[axis])
}

impl<T: Pod> Buffer<T> {
    /// Reads a box from the buffer into `into`. `from` is the layout of the buffer, `at` the layout
    /// of `into`. The elements of `into` outside the box stay unchanged. Blocks.
    ///
    /// The last row needs no padding behind it. (NVIDIA's driver 580 refuses a box whose last row,
    /// padded to the pitch of the buffer, would end behind the buffer.)
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] for a box that leaves the buffer or `into`, [`Error::InvalidInput`]
    /// for pitches that are too small for the box, [`Error::ForeignObject`], or [`Error::Driver`].
    pub fn read_rect<'q>(
        &self,
        to: impl Into<Submission<'q>>,
        extent: impl Into<Extent>,
        from: Layout,
        into: &mut [T],
        at: Layout,
    ) -> Result<()> {
        let (to, extent, memory) = (to.into(), extent.into(), self.memory());
        memory.check(to.queue(), "read_rect", Access::Read, 0, 0)?;
        memory.check_host("read_rect", Access::Read)?;
        let Some(region) = region::<T>(extent) else { return to.skip() };
        let from = from.checked("read_rect", extent, size_of::<T>(), self.len())?;
        let at = at.checked("read_rect, host side", extent, size_of::<T>(), into.len())?;
        let read = to.queue().functions().clEnqueueReadBufferRect;
        let host = into.as_mut_ptr().cast();
        to.run(
            "clEnqueueReadBufferRect",
            memory.used(Access::Read),
            Blocking::Command,
            |queue, waits, event| {
                // SAFETY: the box lies inside the buffer and inside `into`; the call blocks.
                unsafe {
                    read(
                        queue.as_raw(),
                        memory.as_raw(),
                        1,
                        from.origin.as_ptr(),
                        at.origin.as_ptr(),
                        region.as_ptr(),
                        from.row_pitch,
                        from.slice_pitch,
                        at.row_pitch,
                        at.slice_pitch,
                        host,
                        waits.count,
                        waits.list,
                        event,
                    )
                }
            },
        )
    }

    /// Writes a box from `from` to the buffer. `source` is the layout of `from`, `at` the layout of
    /// the buffer. Blocks until `from` may be changed again.
    ///
    /// # Errors
    /// As [`Buffer::read_rect`].
    pub fn write_rect<'q>(
        &mut self,
        to: impl Into<Submission<'q>>,
        extent: impl Into<Extent>,
        at: Layout,
        from: &[T],
        source: Layout,
    ) -> Result<()> {
        SliceMut::from(self).write_rect(to, extent, at, from, source)
    }

    /// Enqueues a copy of a box from `source` to this buffer. `from` is the layout of `source`, `at`
    /// the layout of this buffer.
    ///
    /// # Errors
    /// As [`Buffer::read_rect`].
    pub fn copy_rect_from<'q>(
        &mut self,
        to: impl Into<Submission<'q>>,
        extent: impl Into<Extent>,
        at: Layout,
        source: &Buffer<T>,
        from: Layout,
    ) -> Result<()> {
        let extent = extent.into();
        copy_rect::<T>(
            to.into(),
            extent,
            (self.memory(), self.len(), at),
            (source.memory(), source.len(), from),
        )
    }

    /// Enqueues a copy of a box to another position in the same buffer, from layout `from` to layout
    /// `at`. The two boxes must not overlap.
    ///
    /// # Errors
    /// As [`Buffer::read_rect`], and [`Error::InvalidInput`] for boxes that overlap. Boxes that
    /// merely interleave count as overlapping unless their pitches are equal.
    pub fn copy_rect_within<'q>(
        &mut self,
        to: impl Into<Submission<'q>>,
        extent: impl Into<Extent>,
        at: Layout,
        from: Layout,
    ) -> Result<()> {
        let (memory, len) = (self.memory(), self.len());
        copy_rect::<T>(to.into(), extent.into(), (memory, len, at), (memory, len, from))
    }
}

impl<T: Pod> SliceMut<'_, T> {
    /// Writes a box from `from` to the elements of the view. `source` is the layout of `from`, `at` the layout of the
    /// view. Blocks until `from` may be changed again.
    ///
    /// # Errors
    /// As [`Buffer::read_rect`].
    pub fn write_rect<'q>(
        &mut self,
        to: impl Into<Submission<'q>>,
        extent: impl Into<Extent>,
        at: Layout,
        from: &[T],
        source: Layout,
    ) -> Result<()> {
        let (to, extent, view) = (to.into(), extent.into(), self.as_slice());
        let memory = view.memory();
        memory.check(to.queue(), "write_rect", Access::Write, 0, 0)?;
        memory.check_host("write_rect", Access::Write)?;
        let Some(region) = region::<T>(extent) else { return to.skip() };
        let mut at = at.checked("write_rect", extent, size_of::<T>(), view.len())?;
        at.origin[0] += view.offset();
        let source = source.checked("write_rect, host side", extent, size_of::<T>(), from.len())?;
        let write = to.queue().functions().clEnqueueWriteBufferRect;
        let host = from.as_ptr().cast();
        to.run(
            "clEnqueueWriteBufferRect",
            memory.used(Access::Write),
            Blocking::Host,
            |queue, waits, event| {
                // SAFETY: the box lies inside the view and inside `from`; the call blocks.
                unsafe {
                    write(
                        queue.as_raw(),
                        memory.as_raw(),
                        1,
                        at.origin.as_ptr(),
                        source.origin.as_ptr(),
                        region.as_ptr(),
                        at.row_pitch,
                        at.slice_pitch,
                        source.row_pitch,
                        source.slice_pitch,
                        host,
                        waits.count,
                        waits.list,
                        event,
                    )
                }
            },
        )
    }
}

/// Returns the region of a box in bytes, rows and slices; `None` for an empty box.
fn region<T>(Extent([width, height, depth]): Extent) -> Option<[usize; 3]> {
    // No array can hold a row whose bytes overflow; `checked` then returns the error.
    let region = [width.saturating_mul(size_of::<T>()), height, depth];
    (!region.contains(&0)).then_some(region)
}

/// Copies a box between two arrays. Each array is given as its memory, its length in elements, and
/// its layout.
fn copy_rect<T: Pod>(
    to: Submission<'_>,
    extent: Extent,
    (target, len, at): (&Memory, usize, Layout),
    (source, source_len, from): (&Memory, usize, Layout),
) -> Result<()> {
    target.check(to.queue(), "copy_rect", Access::Write, 0, 0)?;
    source.check(to.queue(), "copy_rect", Access::Read, 0, 0)?;
    let Some(region) = region::<T>(extent) else { return to.skip() };
    let at = at.checked("copy_rect", extent, size_of::<T>(), len)?;
    let from = from.checked("copy_rect, source", extent, size_of::<T>(), source_len)?;
    let within = target.offsets_in_same_buffer(source).is_some();
    if within && overlaps(extent, region[0], &at, &from) {
        return Err(overlap());
    }
    let reads = (!within).then(|| (source.hazards(), Access::Read));
    let uses = reads.into_iter().chain(target.used(Access::Write));
    let copy = to.queue().functions().clEnqueueCopyBufferRect;
    to.run("clEnqueueCopyBufferRect", uses, Blocking::No, |queue, waits, event| {
        // SAFETY: the boxes lie inside their buffers and do not overlap.
        unsafe {
            copy(
                queue.as_raw(),
                source.as_raw(),
                target.as_raw(),
                from.origin.as_ptr(),
                at.origin.as_ptr(),
                region.as_ptr(),
                from.row_pitch,
                from.slice_pitch,
                at.row_pitch,
                at.slice_pitch,
                waits.count,
                waits.list,
                event,
            )
        }
    })
}
