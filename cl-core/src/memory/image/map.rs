//! Mapped images: pixels in host memory, for as long as a guard lives.

use super::Image;
use super::dimensions::{Dimensions, extent};
use super::pixel::Pixel;
use crate::error::{Error, Result};
use crate::hazard::Access;
use crate::memory::Memory;
use crate::memory::mapped::{HostAddress, MappedRegion};
use crate::queue::Queue;
use crate::raw;
use crate::status::Status;
use crate::status::log_failed_release;
use crate::submission::{Blocking, Submission};
use std::fmt;
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};

/// Pixels of an image in host memory, for reading. Made by [`Image::map`].
///
/// Dropping the guard unmaps the pixels. A leaked guard keeps the image mapped: commands that write
/// to it are refused from then on, and after [`Image::map_mut`] all commands that use it.
#[must_use = "the pixels are given back when the guard is dropped"]
pub struct ImageMap<'a, P: Pixel> {
    mapping: Mapping<'a>,
    pixel: PhantomData<&'a [P]>,
}

/// Pixels of an image in host memory, for reading and writing. Made by [`Image::map_mut`].
///
/// As [`ImageMap`]. The device sees the written pixels when the guard has been dropped.
#[must_use = "the pixels are given back when the guard is dropped"]
pub struct ImageMapMut<'a, P: Pixel> {
    mapping: Mapping<'a>,
    pixel: PhantomData<&'a mut [P]>,
}

/// A mapped box of pixels.
struct Mapping<'a> {
    memory: &'a Memory,
    queue: Queue,
    access: Access,
    address: HostAddress,
    /// The origin and the size, in pixels along each dimension.
    region: MappedRegion,
    mapped: bool,
}

// SAFETY: the host memory belongs to the guard alone, and OpenCL objects may be used from any
// thread.
unsafe impl Send for Mapping<'_> {}
// SAFETY: as above; shared references change nothing.
unsafe impl Sync for Mapping<'_> {}

impl<D: Dimensions, P: Pixel> Image<D, P> {
    /// Maps the box of `size` pixels at `position`, to be read by the host. Blocks.
    ///
    /// # Errors
    /// [`Error::OutsideImage`], [`Error::InvalidInput`] for an empty box, [`Error::ForeignObject`],
    /// or [`Error::Driver`].
    pub fn map<'q>(
        &self,
        to: impl Into<Submission<'q>>,
        position: D::Size,
        size: D::Size,
    ) -> Result<ImageMap<'_, P>> {
        Ok(ImageMap { mapping: self.map_as(to.into(), position, size, Access::Read)?, pixel: PhantomData })
    }

    /// Maps the box of `size` pixels at `position`, to be read and written by the host. Blocks.
    ///
    /// # Errors
    /// As [`Image::map`].
    pub fn map_mut<'q>(
        &mut self,
        to: impl Into<Submission<'q>>,
        position: D::Size,
        size: D::Size,
    ) -> Result<ImageMapMut<'_, P>> {
        Ok(ImageMapMut {
            mapping: self.map_as(to.into(), position, size, Access::Write)?,
            pixel: PhantomData,
        })
    }

    fn map_as(
        &self,
        to: Submission<'_>,
        position: D::Size,
        size: D::Size,
        access: Access,
    ) -> Result<Mapping<'_>> {
        self.check_queue(to.queue(), "map", access)?;
        let region = self.region("map", position, size)?;
        if region.pixels() == 0 {
            let reason = "a box without pixels cannot be mapped".to_owned();
            return Err(Error::InvalidInput { what: "image region", reason });
        }
        let flags = match access {
            Access::Read => raw::CL_MAP_READ,
            Access::Write | Access::Overwrite => raw::CL_MAP_READ | raw::CL_MAP_WRITE,
        };
        let call = "clEnqueueMapImage";
        let queue = to.queue().clone();
        let map = queue.functions().clEnqueueMapImage;
        let mapped_region = [region.origin, region.size];
        let address = self.memory.begin_map(to, access, mapped_region, |to| {
            let (mut pointer, mut row_pitch, mut slice_pitch) = (null_mut(), 0, 0);
            let uses = self.memory.hazards().by_host(access);
            let mapped = to.run(call, uses, Blocking::Command, |queue, waits, event| {
                let (queue, image, mut status) = (queue.as_raw(), self.as_raw(), 0);
                let (origin, size) = (region.origin.as_ptr(), region.size.as_ptr());
                let (row, slice) = (&raw mut row_pitch, &raw mut slice_pitch);
                let (count, list, result) = (waits.count, waits.list, &raw mut status);
                // SAFETY: the box lies inside the image; the call blocks, so the pixels are there
                // when it returns.
                pointer = unsafe {
                    map(queue, image, 1, flags, origin, size, row, slice, count, list, event, result)
                };
                status
            });
            let Some(pointer) = NonNull::new(pointer.cast::<u8>()) else {
                return Err(mapped.err().unwrap_or(Error::driver(call, Status::MAP_FAILURE)));
            };
            if let Err(error) = mapped {
                // Unmaps with `Access::Write`, because hazard tracking refuses `Access::Read` if an
                // earlier write failed.
                // SAFETY: the box is mapped, but the command failed or could not be recorded, so
                // nobody uses the pointer.
                unsafe { self.memory.enqueue_unmap((&queue).into(), Access::Write, pointer.as_ptr()) }?;
                return Err(error);
            }
            // In a 1D image array the second dimension counts layers, which are a slice pitch
            // apart.
            let layers = D::LAYERED && D::COUNT == 2 && slice_pitch > 0;
            let row_stride = if layers { slice_pitch } else { row_pitch };
            Ok(HostAddress { pointer, pitches: [row_stride, slice_pitch] })
        })?;
        let memory = &self.memory;
        let mapping = Mapping { memory, queue, access, address, region: mapped_region, mapped: true };
        // `mapping` exists before the check, so that dropping it unmaps the pixels after an error.
        mapping.check::<P>()?;
        Ok(mapping)
    }
}

impl Mapping<'_> {
    /// Returns an error unless Rust can use the rows: they must be aligned and must not overlap.
    fn check<P: Pixel>(&self) -> Result<()> {
        let [width, height, depth] = self.region[1];
        let [row, slice] = self.address.pitches;
        let apart = (height == 1 || row >= width * size_of::<P>()) && (depth == 1 || slice >= row * height);
        let aligned = [
            self.address.pointer.addr().get(),
            if height > 1 { row } else { 0 },
            if depth > 1 { slice } else { 0 },
        ]
        .iter()
        .all(|bytes| bytes.is_multiple_of(align_of::<P>()));
        if apart && aligned {
            return Ok(());
        }
        let note = format!(
            "pitches of {row} and {slice} bytes for {:?} pixels at {:?}",
            self.region[1], self.address.pointer
        );
        Err(Error::driver("clEnqueueMapImage", Status::MAP_FAILURE).note(note))
    }

    /// Returns the address of row (y, z), if the box has this row.
    fn row<P: Pixel>(&self, y: usize, z: usize) -> Option<NonNull<P>> {
        let ([_, height, depth], [row, slice]) = (self.region[1], self.address.pitches);
        let inside = y < height && z < depth;
        // SAFETY: the row lies inside the mapped box.
        inside.then(|| unsafe { self.address.pointer.add(y * row + z * slice).cast() })
    }

    fn rows(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let [_, height, depth] = self.region[1];
        (0..depth).flat_map(move |z| (0..height).map(move |y| (y, z)))
    }

    fn unmap(&mut self) -> Result<()> {
        if !std::mem::take(&mut self.mapped) {
            return Ok(());
        }
        // SAFETY: the box is mapped, and unmapped once, because `mapped` is unset from here on.
        unsafe { self.memory.end_map(&self.queue, self.access, self.region, self.address) }
    }
}

impl Drop for Mapping<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.unmap() {
            let status = error.status().unwrap_or(Status::INVALID_OPERATION);
            log_failed_release("clEnqueueUnmapMemObject", status.0);
        }
    }
}

macro_rules! reading {
    ($guard:ident) => {
        impl<P: Pixel> $guard<'_, P> {
            /// Returns the number of bytes from one row to the next, and from one slice or layer to
            /// the next.
            #[must_use]
            pub fn pitches(&self) -> [usize; 2] {
                self.mapping.address.pitches
            }

            /// Returns the row with these indices along the second and the third dimension. They
            /// count from the box's corner, and are 0 for a dimension that the image does not have.
            #[must_use]
            pub fn row(&self, y: usize, z: usize) -> Option<&[P]> {
                // SAFETY: mapped for reading, aligned, and any bit pattern is a pixel; nobody
                // writes as long as the guard lives.
                let slice = |row: NonNull<P>| unsafe {
                    std::slice::from_raw_parts(row.as_ptr(), self.mapping.region[1][0])
                };
                self.mapping.row(y, z).map(slice)
            }

            /// Iterates over all rows, in the order of a slice of all pixels.
            pub fn rows(&self) -> impl Iterator<Item = &[P]> {
                self.mapping.rows().filter_map(|(y, z)| self.row(y, z))
            }

            /// Unmaps the pixels, as dropping does, and returns the error if that fails.
            ///
            /// # Errors
            /// [`Error::Driver`].
            pub fn unmap(mut self) -> Result<()> {
                self.mapping.unmap()
            }
        }

        impl<P: Pixel> fmt::Debug for $guard<'_, P> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($guard))
                    .field("size", &self.mapping.region[1])
                    .finish_non_exhaustive()
            }
        }
    };
}

reading!(ImageMap);
reading!(ImageMapMut);

impl<P: Pixel> ImageMapMut<'_, P> {
    /// Returns a row as [`row`](ImageMapMut::row) does, but mutable.
    #[must_use]
    pub fn row_mut(&mut self, y: usize, z: usize) -> Option<&mut [P]> {
        // SAFETY: mapped for writing, aligned, and borrowed from `self` alone.
        let slice = |row: NonNull<P>| unsafe {
            std::slice::from_raw_parts_mut(row.as_ptr(), self.mapping.region[1][0])
        };
        self.mapping.row(y, z).map(slice)
    }

    /// Iterates over the rows as [`rows`](ImageMapMut::rows) does, but mutably.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [P]> {
        let (mapping, width) = (&self.mapping, self.mapping.region[1][0]);
        let row = |(y, z)| mapping.row::<P>(y, z);
        // SAFETY: as above; the rows do not overlap, as checked when the box was mapped.
        mapping
            .rows()
            .filter_map(row)
            .map(move |row| unsafe { std::slice::from_raw_parts_mut(row.as_ptr(), width) })
    }
}

/// Sizes for callers that map a whole image.
impl<D: Dimensions, P: Pixel> Image<D, P> {
    /// Returns the number of pixels along three dimensions; 1 for a dimension that the image does
    /// not have.
    #[must_use]
    pub fn extent(&self) -> [usize; 3] {
        extent::<D>(self.size)
    }
}
