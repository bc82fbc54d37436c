//! Boxes of pixels inside an image.

use super::Image;
use super::dimensions::{Dimensions, extent, origin};
use super::pixel::Pixel;
use crate::error::{Error, Result};
use crate::hazard::Access;
use crate::queue::Queue;

/// A box of pixels that lies inside its image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) origin: [usize; 3],
    pub(super) size: [usize; 3],
}

impl Region {
    /// Returns the number of pixels. It cannot overflow, because the image's number does not.
    pub(super) fn pixels(&self) -> usize {
        self.size.iter().product()
    }
}

impl<D: Dimensions, P: Pixel> Image<D, P> {
    /// Returns the position of the first pixel.
    pub(super) fn corner() -> D::Size {
        match D::Size::try_from(&[0; 3][..D::COUNT]) {
            Ok(corner) => corner,
            Err(_) => unreachable!("a position has as many numbers as the kind has dimensions"),
        }
    }

    /// Returns the box of `size` pixels at `position`, or an error unless it lies inside the image.
    pub(super) fn region(&self, operation: &'static str, position: D::Size, size: D::Size) -> Result<Region> {
        self.padded_region(operation, origin::<D>(position), extent::<D>(size))
    }

    /// Returns a box as [`region`](Image::region) does, in three dimensions.
    pub(super) fn padded_region(
        &self,
        operation: &'static str,
        origin: [usize; 3],
        size: [usize; 3],
    ) -> Result<Region> {
        let image = extent::<D>(self.size);
        for axis in 0..3 {
            if origin[axis].checked_add(size[axis]).is_none_or(|end| end > image[axis]) {
                return Err(Error::OutsideImage { operation, origin, size, image });
            }
        }
        Ok(Region { origin, size })
    }

    /// Returns an error unless a command of the queue may use the image with this access.
    pub(super) fn check_queue(&self, queue: &Queue, operation: &'static str, access: Access) -> Result<()> {
        self.memory.check_use(queue.context().as_raw(), operation, access)
    }
}
